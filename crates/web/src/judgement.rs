//! [`Judgement`]: what a short look finds out about a game that somebody has made up. First what is known, then what
//! arguments say without a search, then a small solve, and last a few quick games of the machine against itself.
//!
//! It takes seconds at most: it waits its turn among the searches, there is one at a time for an address, and what it
//! may take is bounded in time and memory.

use std::sync::Arc;
use std::time::{Duration, Instant};

use compiled::{CompiledGame, CompiledSession, SolvingTask, default_method};
use play::{BotSpec, Limits, Player, PlayerError, Stop, Task, Turn};
use serde::{Deserialize, Serialize};
use solve::{Goal, Options};

use crate::refusal::Refusal;
use crate::sheet::set_up;
use crate::thinking::Pool;

/// What the solve may take.
const SOLVING: Duration = Duration::from_secs(3);
const SOLVING_MEGABYTES: usize = 32;
/// Larger boards are not worth a try.
const SOLVABLE: usize = 128;
/// What all quick games together may take, how many there are at most, and how far each looks.
const PLAYING: Duration = Duration::from_secs(4);
const GAMES: u32 = 12;
const NODES: u64 = 400;
/// The first moves are drawn at random, so that no game is like another.
const RANDOM_PLIES: usize = 2;

/// Which game is to be judged.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct MadeUp {
    pub(crate) game: String,
}

/// What a short look found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Judgement {
    /// The game as the server names it.
    pub(crate) game: String,
    #[serde(flatten)]
    pub(crate) verdict: Verdict,
}

/// What is known of who wins.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Verdict {
    /// Under perfect play it ends so.
    Solved {
        #[cfg_attr(test, ts(type = "SideName | \"draw\""))]
        value: &'static str,
        by: Evidence,
    },
    /// It looks so: how these games of the machine against itself ended.
    Played {
        first: u32,
        draws: u32,
        second: u32,
        /// Whether it is known for certain that the second player cannot force a win.
        first_is_safe: bool,
    },
}

/// Where it is known from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Evidence {
    /// Others, or we, have solved it before.
    Known,
    /// Nobody needs to search for it.
    Argument,
    /// It was solved just now.
    Search,
}

/// Judges a game, now or when others have ended their searches.
pub(crate) async fn judge(pool: Pool, wanted: String) -> Result<Judgement, Refusal> {
    let wrong = || Refusal::conflict("the game could not be judged just now");
    let permit = pool.enter().await.ok_or_else(wrong)?;
    let stop = Stop::new();
    let told = stop.clone();
    let mut work = tokio::task::spawn_blocking(move || {
        // Held by the thread: a search counts until it has ended.
        let _permit = permit;
        look(&wanted, &told)
    });
    match tokio::time::timeout(SOLVING + PLAYING + Duration::from_secs(1), &mut work).await {
        Ok(done) => done.map_err(|_| wrong())?,
        Err(_) => {
            stop.stop();
            work.await.map_err(|_| wrong())?
        }
    }
}

fn look(wanted: &str, stop: &Stop) -> Result<Judgement, Refusal> {
    let (game, session) = set_up(wanted, None)?;
    let name = game.facts().spec.clone();
    let solved = |outcome: i32, by| Verdict::Solved { value: value_name(outcome), by };
    let mut first_is_safe = false;
    let mut known = catalog::solved(&name).map(|outcome| solved(outcome, Evidence::Known));
    if known.is_none()
        && let Some(argued) = session.arguments()
    {
        first_is_safe = argued.bounds.lower >= 0;
        known = argued.bounds.outcome().map(|outcome| solved(outcome, Evidence::Argument));
    }
    if known.is_none() && session.diagram().grid().squares() <= SOLVABLE {
        let found = solve_quickly(&*game, &*session, stop);
        known = found.map(|outcome| solved(outcome, Evidence::Search));
    }
    let verdict = match known {
        Some(verdict) => verdict,
        None => play_quickly(&game, stop, first_is_safe)?,
    };
    Ok(Judgement { game: name, verdict })
}

fn value_name(outcome: i32) -> &'static str {
    match outcome {
        1.. => "first",
        0 => "draw",
        _ => "second",
    }
}

/// Who wins, if that is found out in time.
fn solve_quickly(
    game: &dyn CompiledGame,
    session: &dyn CompiledSession,
    stop: &Stop,
) -> Option<i32> {
    let begun = Instant::now();
    let options = Options {
        question: Goal::Outcome,
        method: default_method(game.facts()),
        slice: None,
        threads: 1,
        hash_megabytes: SOLVING_MEGABYTES,
        nodes: None,
        memory: SOLVING_MEGABYTES << 20,
        repeatable: false,
    };
    let solver = game.solver();
    let task = SolvingTask { options, stored: None, weights: None, certificate: None, solver };
    let own = Stop::new();
    let solved = std::thread::scope(|scope| {
        let (watched, ended) = std::sync::mpsc::channel::<()>();
        let watch = own.clone();
        scope.spawn(move || {
            while ended.recv_timeout(Duration::from_millis(20))
                == Err(std::sync::mpsc::RecvTimeoutError::Timeout)
            {
                if begun.elapsed() >= SOLVING || stop.is_stopped() {
                    watch.stop();
                }
            }
        });
        let solved = session.solve(&task, &own, &mut |_| {});
        drop(watched);
        solved
    });
    solved.ok()?.solution.bounds.outcome()
}

/// How a handful of quick games ends.
fn play_quickly(
    game: &Arc<dyn CompiledGame>,
    stop: &Stop,
    first_is_safe: bool,
) -> Result<Verdict, Refusal> {
    let wrong = |why: PlayerError| Refusal::bad(why.to_string());
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let bot = BotSpec { limits, hash_megabytes: Some(1), threads: Some(1), ..BotSpec::default() };
    let begun = Instant::now();
    let (mut first, mut draws, mut second) = (0, 0, 0);
    for seed in 0..u64::from(GAMES) {
        let mut player = game.player(&bot, seed).map_err(|why| Refusal::bad(why.to_string()))?;
        let outcome = one_game(game, &mut *player, seed, stop, begun).map_err(wrong)?;
        match outcome {
            Some(1..) => first += 1,
            Some(0) => draws += 1,
            Some(_) => second += 1,
            None => break,
        }
    }
    Ok(Verdict::Played { first, draws, second, first_is_safe })
}

/// One game; nothing if there was no time to end it.
fn one_game(
    game: &Arc<dyn CompiledGame>,
    player: &mut dyn Player,
    seed: u64,
    stop: &Stop,
    begun: Instant,
) -> Result<Option<i32>, PlayerError> {
    let mut session = game.session();
    let mut rng = game::Rng::new(seed + 1);
    for ply in 0.. {
        if let Some(outcome) = session.outcome() {
            let winner = outcome.winner();
            return Ok(Some(
                winner.map_or(0, |side| if side == game::Side::First { 1 } else { -1 }),
            ));
        }
        if begun.elapsed() >= PLAYING || stop.is_stopped() {
            return Ok(None);
        }
        let moves = if ply < RANDOM_PLIES { session.moves() } else { Vec::new() };
        let turn = match moves.is_empty() {
            true => player.choose(&*session, &Task::default(), stop, &mut |_| {})?.turn,
            false => Turn::Play(moves[rng.below(moves.len())].clone()),
        };
        let Turn::Play(text) = turn else { return Ok(Some(0)) };
        session.play(&text).map_err(|_| PlayerError::Search)?;
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(game: &str) -> Verdict {
        look(game, &Stop::new()).unwrap().verdict
    }

    #[test]
    fn small_games_are_solved_and_well_known_ones_are_known() {
        let value = |game: &str| match judged(game) {
            Verdict::Solved { value, by } => (value, by),
            played @ Verdict::Played { .. } => panic!("{game}: {played:?}"),
        };
        assert_eq!(value("tictactoe").0, "draw");
        assert_eq!(value("mnk:3x3,k=3,holes=b2").0, "draw");
        assert_eq!(value("mnk:4x3,k=3"), ("first", Evidence::Search));
        assert_eq!(value("mnk:5x5,k=5"), ("draw", Evidence::Argument));
        assert_eq!(value("connect4"), ("first", Evidence::Known));
    }

    #[test]
    fn large_games_are_played_a_few_times() {
        let Verdict::Played { first, draws, second, first_is_safe } = judged("mnk:12x12,k=5")
        else {
            panic!("nobody solves that in seconds")
        };
        assert!(first + draws + second <= GAMES && first_is_safe);
    }

    #[test]
    fn nonsense_is_refused() {
        for game in ["", "nothing", "mnk:0x0,k=3", "mnk:3x3", "../etc/passwd", "mnk:300x300,k=5"] {
            assert!(look(game, &Stop::new()).is_err(), "{game}");
        }
    }
}
