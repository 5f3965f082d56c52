//! How long the rules of a game take, as they are compiled for it.

use std::hint::black_box;
use std::time::{Duration, Instant};

use game::{Game, Path, Rng};
use games::Playable;
use play::{Timing, Way};

/// Who does not say how many games gets as many as fit in here.
const FEW: Duration = Duration::from_millis(20);
/// Who does gets no more than fit in here.
const MANY: Duration = Duration::from_secs(60);
/// Games that are played at a time, on small boards: what it takes to look at a clock is as nothing then. Large ones are one at
/// a time, since many would not fit the caches that one game has to itself.
const TOGETHER: usize = 64;
const SQUARES_TOGETHER: usize = 2048;
/// No game is longer.
const LONGEST: usize = 1 << 17;

/// Plays games as a simple player does, and plays them again move by move; choosing is what the second time takes less. Of all
/// rounds the middle one counts: in some the system did something else meanwhile.
pub(super) fn time<G: Playable>(game: &G, way: Way, games: Option<usize>) -> Timing {
    let mut rng = Rng::new(1);
    let together = (SQUARES_TOGETHER / game.slots().max(1)).clamp(1, TOGETHER);
    let mut round = Round {
        game,
        start: game.start(),
        positions: vec![game.start(); together],
        played: vec![Vec::new(); together],
    };
    let patience = if games.is_some() { MANY } else { FEW };
    let (begun, mut rounds) = (Instant::now(), Vec::new());
    while rounds.len() * together < games.unwrap_or(usize::MAX)
        && (rounds.is_empty() || begun.elapsed() < patience)
    {
        rounds.push(round.time(way, &mut rng));
    }
    let [choose, make, list, playout] = [0, 1, 2, 3].map(|n| {
        let mut times: Vec<f64> = rounds.iter().map(|times| times[n]).collect();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    });
    Timing { choose: Some(choose), make, list, playout, node: None }
}

/// Some games at once.
struct Round<'g, G: Game> {
    game: &'g G,
    start: G::Position,
    positions: Vec<G::Position>,
    played: Vec<Vec<G::Move>>,
}

impl<G: Playable> Round<'_, G> {
    /// For a choice, a move, a list and a random game.
    fn time(&mut self, way: Way, rng: &mut Rng) -> [f64; 4] {
        let Round { game, start, positions, played } = self;
        let games = positions.len();
        positions.iter_mut().for_each(|p| p.clone_from(start));
        let playing = timed(|| {
            for (p, played) in positions.iter_mut().zip(&mut *played) {
                played.clear();
                play(*game, way, p, rng, played);
            }
        });
        positions.iter_mut().for_each(|p| p.clone_from(start));
        let making = timed(|| {
            for (p, played) in positions.iter_mut().zip(&*played) {
                black_box(make_all(*game, p, played));
            }
        });
        positions.iter_mut().for_each(|p| p.clone_from(start));
        for (p, played) in positions.iter_mut().zip(&*played) {
            make_all(*game, p, &played[..played.len() / 2]);
        }
        let mut listed = Vec::with_capacity(game.slots());
        let listing = timed(|| {
            for p in &*positions {
                listed.clear();
                game.generate(p, &mut listed);
                black_box(&listed);
            }
        });
        positions.iter_mut().for_each(|p| p.clone_from(start));
        let drawing = timed(|| {
            for p in positions {
                black_box(draw(*game, p, rng));
            }
        });
        let moves = played.iter().map(Vec::len).sum::<usize>();
        let each = |time: Duration, count: usize| time.as_nanos() as f64 / count.max(1) as f64;
        [
            each(playing.saturating_sub(making), moves),
            each(making, moves),
            each(listing, games),
            each(drawing, games),
        ]
    }
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// Compiled once, as what follows: a generated engine is to be built quickly.
#[inline(never)]
fn draw<G: Game>(game: &G, p: &mut G::Position, rng: &mut Rng) -> i32 {
    game.playout(p, &mut Path::new(), rng)
}

/// Rules that look back do not matter here: such games may go on for longer than they would.
#[inline(never)]
fn play<G: Playable>(
    game: &G,
    way: Way,
    p: &mut G::Position,
    rng: &mut Rng,
    played: &mut Vec<G::Move>,
) {
    while game.margin(p).is_none() && played.len() < LONGEST {
        let near = if way == Way::Adjacent { game.adjacent(p, rng) } else { None };
        let Some(m) = near.or_else(|| game.sample(p, rng)) else { return };
        game.make(p, m);
        played.push(m);
    }
}

/// How often the game was over, which should be once at most; said so that it is looked at.
#[inline(never)]
fn make_all<G: Game>(game: &G, p: &mut G::Position, moves: &[G::Move]) -> usize {
    let over = |&m: &G::Move| {
        game.make(p, m);
        game.margin(p).is_some()
    };
    moves.iter().map(over).filter(|&over| over).count()
}
