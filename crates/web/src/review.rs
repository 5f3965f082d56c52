//! [`Review`]: what a look at every position of a finished game finds. Positions are looked at from the last to the
//! first, so that what is known of the end helps before it; between two of them others may search.

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use compiled::{CompiledGame, CompiledSession};
use play::{BotSpec, Choice, Limits, Player, PlayerError, Stop, Task};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::board::Spoken;
use crate::refusal::Refusal;
use crate::seats::FULL_MEMORY;
use crate::sheet::Ply;
use crate::thinking::{Kind, Pool, Running};
use crate::wire::{Interpreter, Progress, Thought};
use crate::worth::{Opinion, Scale, Worth};

/// What all positions together take, unless they are very few or very many.
pub(crate) const ALL: Duration = Duration::from_secs(20);
pub(crate) const SHORTEST: Duration = Duration::from_millis(20);
pub(crate) const LONGEST: Duration = Duration::from_millis(300);

/// From so much of a chance to win given away a move has a mark: an inaccuracy, a mistake, a blunder. It is the scale
/// of Lichess, whose chances go from -1 to 1 and whose numbers are therefore twice as large.
pub(crate) const SCALE: [(f64, &str); 3] = [(0.15, "??"), (0.10, "?"), (0.05, "?!")];
/// A win that is proved before a move and not after it may still be one: beside a mere score it counts as this, which
/// in chess is ten pawns.
pub(crate) const NEARLY_SURE: f64 = 0.975;

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Review {
    /// The version of the game it is about.
    pub(crate) version: u64,
    /// What each position is worth, from the first on; none where the search did not say.
    pub(crate) values: Vec<Option<Opinion>>,
    pub(crate) turns: Vec<Turning>,
}

/// A move that gave something away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Turning {
    /// Which move, from 1.
    pub(crate) ply: usize,
    /// `?!`, `?` or `??`: an inaccuracy, a mistake, a blunder.
    #[cfg_attr(test, ts(type = "\"?!\" | \"?\" | \"??\""))]
    pub(crate) mark: String,
    /// How much of the mover's chance to win was lost, from 0 to 1.
    pub(crate) lost: f64,
    pub(crate) better: Spoken,
}

/// A game to look at.
pub(crate) struct Work {
    pub(crate) version: u64,
    pub(crate) game: Arc<dyn CompiledGame>,
    /// The game at its last position.
    pub(crate) session: Box<dyn CompiledSession>,
    pub(crate) names: crate::board::Names,
    pub(crate) line: Vec<Ply>,
    pub(crate) seed: u64,
    /// Whoever asked: one review at a time for each.
    pub(crate) asker: Asker,
    pub(crate) tell: watch::Sender<Option<Arc<Thought>>>,
}

/// Begins to look. `finished` hears what was found; nobody does if it is stopped.
pub(crate) fn start(
    pool: &Pool,
    work: Work,
    finished: impl FnOnce(Result<Review, PlayerError>) + Send + 'static,
) -> Running {
    let (stop, pool) = (Stop::new(), pool.clone());
    let told = stop.clone();
    let task = tokio::spawn(async move {
        let Work { version, game, session, names, line, seed, asker, tell } = work;
        let _asker = asker;
        let of = line.len() + 1;
        let mut desk = Desk {
            scale: Scale::of(game.facts()),
            game,
            session,
            names,
            player: None,
            limits: Limits { time: Some(each(of)), ..Limits::default() },
            seed,
            values: Vec::new(),
            best: Vec::new(),
        };
        for done in 0..of {
            tell.send_replace(Some(Arc::new(Thought::of_review(version, Progress { done, of }))));
            let Some(permit) = pool.enter().await else { return };
            let flag = told.clone();
            let looked = tokio::task::spawn_blocking(move || {
                let _permit = permit;
                desk.look(&flag).map(|()| desk)
            });
            desk = match looked.await {
                Ok(Ok(desk)) => desk,
                Ok(Err(why)) => return finished(Err(why)),
                Err(_) => return finished(Err(PlayerError::Search)),
            };
        }
        desk.values.reverse();
        desk.best.reverse();
        let turns = turns(&desk.values, &desk.best, &line);
        finished(Ok(Review { version, values: desk.values, turns }));
    });
    Running::new(stop, task.abort_handle(), Kind::Review)
}

fn each(positions: usize) -> Duration {
    (ALL / u32::try_from(positions).unwrap_or(u32::MAX)).clamp(SHORTEST, LONGEST)
}

/// A game that is looked at, from its end.
struct Desk {
    game: Arc<dyn CompiledGame>,
    session: Box<dyn CompiledSession>,
    names: crate::board::Names,
    scale: Scale,
    player: Option<Box<dyn Player>>,
    limits: Limits,
    seed: u64,
    /// The last position's come first.
    values: Vec<Option<Opinion>>,
    best: Vec<Option<Spoken>>,
}

impl Desk {
    /// Looks at the position, and goes back to the one before.
    fn look(&mut self, stop: &Stop) -> Result<(), PlayerError> {
        let (value, best) = match self.session.outcome() {
            Some(outcome) => (Some(Opinion { value: Scale::outcome(outcome), depth: None }), None),
            None => self.search(stop)?,
        };
        self.values.push(value);
        self.best.push(best);
        self.session.undo();
        Ok(())
    }

    fn search(&mut self, stop: &Stop) -> Result<(Option<Opinion>, Option<Spoken>), PlayerError> {
        let mut player = match self.player.take() {
            Some(player) => player,
            None => {
                let memory = Some(FULL_MEMORY);
                let bot =
                    BotSpec { hash_megabytes: memory, threads: Some(1), ..BotSpec::default() };
                self.game.player(&bot, self.seed)?
            }
        };
        let task = Task { limits: Some(self.limits), ..Task::default() };
        let Choice { analysis, .. } = player.choose(&*self.session, &task, stop, &mut |_| {})?;
        self.player = Some(player);
        let Some(analysis) = analysis else { return Ok((None, None)) };
        let value = analysis.value.map(|value| Opinion {
            value: self.scale.with(analysis.scores).worth(value, analysis.exact),
            depth: analysis.depth,
        });
        let Some(best) = analysis.best else { return Ok((value, None)) };
        let spoken = Interpreter::speak(&mut *self.session, &self.names, &[best]);
        Ok((value, spoken.into_iter().next()))
    }
}

/// The moves that gave something away, by what positions before and after them are worth.
fn turns(values: &[Option<Opinion>], best: &[Option<Spoken>], line: &[Ply]) -> Vec<Turning> {
    let mut turns = Vec::new();
    for (i, ply) in line.iter().enumerate() {
        let (Some(Some(before)), Some(Some(after))) = (values.get(i), values.get(i + 1)) else {
            continue;
        };
        let Some(Some(better)) = best.get(i) else { continue };
        if better.outline.text == ply.text() {
            continue;
        }
        // As it is told, so that the mark agrees with the number beside it.
        let lost = lost(&before.value, &after.value, ply.side == "first");
        let lost = (lost * 1000.0).round() / 1000.0;
        let Some((_, mark)) = SCALE.into_iter().find(|(least, _)| lost >= *least) else { continue };
        turns.push(Turning { ply: i + 1, mark: mark.to_owned(), lost, better: better.clone() });
    }
    turns
}

/// How much of its chance to win the mover lost.
fn lost(before: &Worth, after: &Worth, first: bool) -> f64 {
    let sure = before.exact && after.exact;
    let own = |worth: &Worth| {
        let chance = if first { worth.chance } else { 1.0 - worth.chance };
        if sure { chance } else { chance.clamp(1.0 - NEARLY_SURE, NEARLY_SURE) }
    };
    own(before) - own(after)
}

/// Who has a review under way, by address.
#[derive(Debug, Default)]
pub(crate) struct Askers {
    busy: Mutex<HashSet<IpAddr>>,
}

/// The right to one review; dropping it gives it back.
#[derive(Debug)]
pub(crate) struct Asker {
    askers: Arc<Askers>,
    from: IpAddr,
}

impl Askers {
    pub(crate) fn admit(self: &Arc<Self>, from: IpAddr) -> Result<Asker, Refusal> {
        match self.busy().insert(from) {
            true => Ok(Asker { askers: Arc::clone(self), from }),
            false => Err(Refusal::conflict("another game is being reviewed for you already")),
        }
    }

    fn busy(&self) -> MutexGuard<'_, HashSet<IpAddr>> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Asker {
    fn drop(&mut self) {
        self.askers.busy().remove(&self.from);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Move;

    fn worth(chance: f64, exact: bool) -> Option<Opinion> {
        let (winner, plies, margin, score, pieces) = (None, None, None, None, None);
        let value = Worth { winner, plies, margin, score, pieces, exact, chance };
        Some(Opinion { value, depth: None })
    }

    fn spoken(text: &str) -> Spoken {
        let outline = Move { text: text.to_owned(), squares: Vec::new(), tail: String::new() };
        Spoken { outline, notation: text.to_owned() }
    }

    fn marks(chances: &[(f64, bool)], best: &str) -> Vec<(usize, String)> {
        let values: Vec<_> = chances.iter().map(|&(chance, exact)| worth(chance, exact)).collect();
        let side = |i: usize| if i.is_multiple_of(2) { "first" } else { "second" };
        let line: Vec<Ply> =
            (0..chances.len() - 1).map(|i| Ply { spoken: spoken("a"), side: side(i) }).collect();
        let best = vec![Some(spoken(best)); chances.len()];
        turns(&values, &best, &line).into_iter().map(|turn| (turn.ply, turn.mark)).collect()
    }

    #[test]
    fn moves_that_give_much_away_are_marked() {
        let course = [0.5, 0.45, 0.45, 0.35, 0.5, 0.46, 0.55, 0.27].map(|chance| (chance, false));
        let found = marks(&course, "b");
        let expected = [(1, "?!"), (3, "?"), (4, "??"), (6, "?!"), (7, "??")];
        assert_eq!(found, expected.map(|(ply, mark)| (ply, mark.to_owned())));
        assert!(marks(&course, "a").is_empty(), "what was played was best");
        // What is won for the other side is no mistake of this one.
        assert!(marks(&[(0.5, false), (0.9, false)], "b").is_empty());
    }

    #[test]
    fn proofs_count_beside_proofs() {
        let thrown_away = marks(&[(1.0, true), (0.5, true)], "b");
        assert_eq!(thrown_away, [(1, "??".to_owned())]);
        assert!(marks(&[(1.0, true), (0.93, false)], "b").is_empty(), "perhaps still won");
        assert_eq!(marks(&[(1.0, true), (0.82, false)], "b"), [(1, "??".to_owned())]);
    }

    #[test]
    fn time_is_shared_and_bounded() {
        assert_eq!((each(1), each(1_000_000)), (LONGEST, SHORTEST));
        assert_eq!(each(100), Duration::from_millis(200));
    }

    #[test]
    fn one_review_for_each() {
        let (askers, one) = (Arc::new(Askers::default()), IpAddr::from([10, 0, 0, 1]));
        let asker = askers.admit(one).unwrap();
        assert!(askers.admit(one).is_err());
        assert!(askers.admit(IpAddr::from([10, 0, 0, 2])).is_ok());
        drop(asker);
        assert!(askers.admit(one).is_ok());
    }
}
