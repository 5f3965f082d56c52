//! How games begin, so that players who always choose the same do not play the same game again.

use std::sync::Arc;

use compiled::{CompiledGame, CompiledSession};
use game::{Meaning, Rng, TextError, Value, mix};
use play::record::Record;
use play::{BotSpec, Limits, Player, Session, Stop, Task};

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
        /// Shared by the threads of a match.
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
    pub fn set_up(
        &self,
        game: &dyn CompiledGame,
        session: &mut dyn CompiledSession,
        seed: u64,
        pair: u64,
    ) -> Result<(), TextError> {
        let drawn = mix(seed.wrapping_add(mix(pair)));
        match self {
            Openings::Random { plies } => opening(session, *plies, drawn),
            Openings::Balanced { plies } => balanced_opening(game, session, *plies, drawn),
            Openings::Recorded { games, plies } => {
                let first = mix(seed) % games.len().max(1) as u64;
                let number = (first + pair) % games.len().max(1) as u64;
                let Some(record) = games.get(number as usize) else { return Ok(()) };
                let mut record = record.clone();
                record.line.plies.truncate(plies.unwrap_or(usize::MAX));
                session.replay(&record)?;
                // A record may go to the end of its game, where nobody can play on.
                while session.outcome().is_some() && session.undo() {}
            }
        }
        Ok(())
    }
}

/// Plays so many random plies from where the game is; fewer if it would end. Where stones are placed they go next to
/// one another, as people's do.
pub fn opening(session: &mut dyn CompiledSession, plies: usize, seed: u64) {
    let mut rng = Rng::new(mix(seed));
    for _ in 0..plies {
        let moves = session.moves();
        if moves.is_empty() {
            break;
        }
        let near = session.adjacent_move(&mut rng);
        let text = near.unwrap_or_else(|| moves[rng.below(moves.len())].clone());
        let played = session.play(&text);
        debug_assert!(played.is_ok(), "{text} is legal");
        if session.outcome().is_some() {
            session.undo();
            break;
        }
    }
}

fn balanced_opening(
    game: &dyn CompiledGame,
    session: &mut dyn CompiledSession,
    plies: usize,
    seed: u64,
) {
    let drawn = (0..DRAWN).map(|i| mix(seed ^ mix(i)));
    let unevenness = |seed: &u64| {
        opening(session, plies, *seed);
        let unevenness = unevenness_of(game, session);
        while session.undo() {}
        unevenness
    };
    let best = drawn.clone().min_by_key(unevenness);
    if let Some(best) = best.filter(|_| plies > 0) {
        opening(session, plies, best);
    }
}

/// How far a short search thinks that somebody is ahead.
fn unevenness_of(game: &dyn CompiledGame, session: &dyn Session) -> i64 {
    let limits = Limits { nodes: Some(LOOK), ..Limits::default() };
    let bot = BotSpec { limits, hash_megabytes: Some(1), ..BotSpec::default() };
    let look = |mut judge: Box<dyn Player>| {
        judge.choose(session, &Task::default(), &Stop::new(), &mut |_| {})
    };
    let found = game.player(&bot, 1).and_then(look).ok().and_then(|choice| choice.analysis);
    match found.and_then(|analysis| analysis.value).map(Value::meaning) {
        Some(Meaning::Score(score)) => i64::from(score).abs(),
        Some(Meaning::Margin(margin)) => (1 << 32) + i64::from(margin).abs(),
        // Decided, or a move that needs no thought.
        _ => i64::MAX,
    }
}
