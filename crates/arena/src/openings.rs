//! How games begin, so that players who always choose the same do not play the same game again.

use std::sync::Arc;

use catalog::{Bot, Workbench};
use game::{Meaning, Rng, Spec, TextError, Value, mix};
use play::record::Record;
use play::{Limits, Player, Stop, Task};

/// Where games begin.
#[derive(Clone, Debug)]
pub enum Openings {
    /// After so many random plies.
    Random {
        /// How many.
        plies: usize,
    },
    /// After so many random plies, drawn several times; a short search chooses what is most even.
    Balanced {
        /// How many.
        plies: usize,
    },
    /// Where recorded games stand after so many plies, or at their end; one after the other, from a random one on.
    Recorded {
        /// The games.
        games: Arc<Vec<Record>>,
        /// How many plies of them; all if there is no number.
        plies: Option<usize>,
    },
}

/// Openings that are drawn to choose the most even one.
const DRAWN: u64 = 6;
/// How long each of them is looked at, in nodes.
const LOOK: u64 = 3_000;

impl Openings {
    /// Goes to where the games of a pair begin. What is drawn depends on the seed and the pair alone.
    ///
    /// # Errors
    /// If a recorded game is not one of this kind.
    pub fn set_up(&self, bench: &mut dyn Workbench, seed: u64, pair: u64) -> Result<(), TextError> {
        let drawn = mix(seed.wrapping_add(mix(pair)));
        match self {
            Openings::Random { plies } => opening(bench, *plies, drawn),
            Openings::Balanced { plies } => balanced_opening(bench, *plies, drawn),
            Openings::Recorded { games, plies } => {
                let first = mix(seed) % games.len().max(1) as u64;
                let number = (first + pair) % games.len().max(1) as u64;
                let Some(game) = games.get(number as usize) else { return Ok(()) };
                let mut game = game.clone();
                game.line.plies.truncate(plies.unwrap_or(usize::MAX));
                bench.replay(&game)?;
                // A record may go to the end of its game, where nobody can play on.
                while bench.outcome().is_some() && bench.undo() {}
            }
        }
        Ok(())
    }
}

/// How many plies suit a game: enough for many different games, too few to decide them.
#[must_use]
pub fn usual_plies(bench: &dyn Workbench) -> usize {
    match Spec::family_of(&bench.spec()) {
        // The ballots that tournaments of draughts draw have three moves.
        "draughts" | "mnk" => 3,
        "go" => 2,
        _ => 6,
    }
}

/// Plays so many random plies from where the game is; fewer if it would end. Where stones are placed they go next to
/// one another, as people's do.
pub fn opening(bench: &mut dyn Workbench, plies: usize, seed: u64) {
    let mut rng = Rng::new(mix(seed));
    for _ in 0..plies {
        let moves = bench.moves();
        if moves.is_empty() {
            break;
        }
        let near = bench.adjacent_move(&mut rng);
        let text = near.unwrap_or_else(|| moves[rng.below(moves.len())].clone());
        let played = bench.play(&text);
        debug_assert!(played.is_ok(), "{text} is legal");
        if bench.outcome().is_some() {
            bench.undo();
            break;
        }
    }
}

fn balanced_opening(bench: &mut dyn Workbench, plies: usize, seed: u64) {
    let drawn = (0..DRAWN).map(|i| mix(seed ^ mix(i)));
    let unevenness = |seed: &u64| {
        opening(bench, plies, *seed);
        let unevenness = unevenness_of(bench);
        while bench.undo() {}
        unevenness
    };
    let best = drawn.clone().min_by_key(unevenness);
    if let Some(best) = best.filter(|_| plies > 0) {
        opening(bench, plies, best);
    }
}

/// How far a short search thinks that somebody is ahead.
fn unevenness_of(bench: &dyn Workbench) -> i64 {
    let limits = Limits { nodes: Some(LOOK), ..Limits::default() };
    let bot = Bot { limits, hash_megabytes: Some(1), ..Bot::default() };
    let look = |mut judge: Box<dyn Player>| {
        judge.choose(bench, &Task::default(), &Stop::new(), &mut |_| {})
    };
    let found = bench.player(&bot, 1).and_then(look).ok().and_then(|choice| choice.analysis);
    match found.and_then(|analysis| analysis.value).map(Value::meaning) {
        Some(Meaning::Score(score)) => i64::from(score).abs(),
        Some(Meaning::Margin(margin)) => (1 << 32) + i64::from(margin).abs(),
        // Decided, or a move that needs no thought.
        _ => i64::MAX,
    }
}
