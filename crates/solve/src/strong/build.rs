//! [`by_tiers`]: forward to the end of all games, and back.

use std::mem::{needs_drop, size_of};
use std::panic::resume_unwind;
use std::thread;
use std::time::{Duration, Instant};

use game::{Game, Notation, mix, moves_of};
use play::Stop;

use super::{StrongError, Worth};

/// No game that ends by itself has more tiers: boards of 128 squares, and as many passes.
const MOST_TIERS: usize = 512;

/// Positions that a thread looks at before somebody hears of it.
const BATCH: usize = 1 << 14;

/// Positions worth a thread of their own.
const WORTHWHILE: usize = 1 << 9;

/// What to solve with.
#[derive(Clone, Copy, Debug)]
pub struct Tiering {
    /// How many threads work. The result is the same with any number.
    pub threads: usize,
    /// How much memory positions may take.
    pub hash_megabytes: usize,
    /// When to give up, in moves made.
    pub nodes: Option<u64>,
}

/// Which way it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the end of all games.
    Forward,
    /// Back to the beginning.
    Backward,
}

/// How far it has come.
#[derive(Clone, Copy, Debug)]
pub struct TieringProgress {
    /// Which way it goes.
    pub direction: Direction,
    /// The tier that is looked at.
    pub tier: usize,
    /// Positions found; on the way back, solved.
    pub positions: u64,
    /// Moves made.
    pub nodes: u64,
    /// How long it has taken.
    pub time: Duration,
}

/// A game solved from some position on, one entry for each class of mirror images.
#[derive(Clone, Debug)]
pub struct Solid {
    /// The game, as its rules write it.
    pub game: String,
    /// The position everything begins with; empty for the start of the game.
    pub position: String,
    /// What that position is worth.
    pub worth: Worth,
    /// Moves made, forward and back.
    pub nodes: u64,
    /// Its name.
    pub(super) first_key: u64,
    /// By plies from there: names in ascending order. A position that comes up after different numbers of plies, as passes allow, is in the first
    /// of these tiers alone.
    pub(super) tiers: Vec<Vec<(u64, Worth)>>,
}

impl Solid {
    /// How many positions there are, mirror images counted once.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.tiers.iter().map(|tier| tier.len() as u64).sum()
    }

    /// How many of them come up first after so many plies.
    pub fn tiers(&self) -> impl Iterator<Item = u64> + '_ {
        self.tiers.iter().map(|tier| tier.len() as u64)
    }
}

/// The name of a position in a table, the same for all its images, and the image it stands for. Scrambled, so that any part of it tells positions
/// apart about as well as any other.
pub(super) fn name_of<G: Game>(game: &G, p: &G::Position) -> (u64, G::Position) {
    let (key, symmetry) = game.table_key(p);
    (mix(key), game.transform(p, symmetry))
}

/// Solves all positions that can come up from this one on.
///
/// # Errors
/// If the game is not of this kind, does not fit, or somebody stops it.
pub fn by_tiers<G: Notation>(
    game: &G,
    start: &G::Position,
    tiering: &Tiering,
    stop: &Stop,
    progress: &mut dyn FnMut(&TieringProgress),
) -> Result<Solid, StrongError> {
    if game.looks_back() {
        return Err(StrongError::LooksBack);
    }
    if needs_drop::<G::Position>() || i16::try_from(game.margin_limit()).is_err() {
        return Err(StrongError::Large);
    }
    let rules = Rules { game };
    let mut work = Work {
        tiering,
        stop,
        progress,
        began: Instant::now(),
        direction: Direction::Forward,
        tier: 0,
        positions: 1,
        nodes: 0,
    };
    let first = name_of(game, start);
    let first_key = first.0;
    let mut tiers = vec![Tier { places: vec![first], worths: Vec::new() }];
    while let Some(next) = rules.after(&mut work, &tiers)? {
        tiers.push(next);
    }
    (work.direction, work.positions) = (Direction::Backward, 0);
    for number in (0..tiers.len()).rev() {
        work.tier = number;
        let (tiers, after) = tiers.split_at_mut(number + 1);
        rules.judge(&mut work, &mut tiers[number], after.first())?;
    }
    let is_start = *start == game.start();
    Ok(Solid {
        game: game.spec(),
        position: if is_start { String::new() } else { game.write_position(start) },
        worth: tiers[0].worths[0],
        nodes: work.nodes,
        first_key,
        tiers: told_apart(&tiers)?,
    })
}

/// A position with its name.
type Place<P> = (u64, P);

/// Where moves lead, and how many moves that are.
type Found<P> = (Vec<Place<P>>, u64);

/// What is kept of a position while others are looked for: itself, its worth, and its place when tiers are compared in the end.
const fn bytes_each<P>() -> usize {
    size_of::<Place<P>>() + size_of::<Worth>() + size_of::<(u64, u32, u32)>()
}

/// All positions after so many plies.
struct Tier<P> {
    /// By name, each once.
    places: Vec<Place<P>>,
    /// Of each of them, once they are known.
    worths: Vec<Worth>,
}

impl<P> Tier<P> {
    fn worth(&self, name: u64) -> Option<Worth> {
        let found = self.places.binary_search_by_key(&name, |place| place.0);
        found.ok().and_then(|index| self.worths.get(index).copied())
    }
}

/// What all tiers have in common.
struct Work<'a> {
    tiering: &'a Tiering,
    stop: &'a Stop,
    progress: &'a mut dyn FnMut(&TieringProgress),
    began: Instant,
    direction: Direction,
    tier: usize,
    positions: u64,
    nodes: u64,
}

impl Work<'_> {
    /// Between two batches: tells how far it is, and stops if it should.
    fn pause(&mut self) -> Result<(), StrongError> {
        let &mut Work { direction, tier, positions, nodes, began, .. } = self;
        let time = began.elapsed();
        (self.progress)(&TieringProgress { direction, tier, positions, nodes, time });
        let spent = self.tiering.nodes.is_some_and(|most| nodes >= most);
        if spent || self.stop.is_stopped() { Err(StrongError::Stopped) } else { Ok(()) }
    }

    /// Whether so many places beside those that are kept fit into memory. Sorting takes half as much again.
    fn must_fit<P>(&self, kept: usize, more: usize) -> Result<(), StrongError> {
        let megabytes = self.tiering.hash_megabytes;
        let bytes = kept * bytes_each::<P>() + more * size_of::<Place<P>>() * 3 / 2;
        if bytes >> 20 < megabytes {
            return Ok(());
        }
        Err(StrongError::Full { positions: self.positions, megabytes })
    }

    fn batch(&self) -> usize {
        BATCH * self.tiering.threads.max(1)
    }

    /// Lets all threads do a part of something.
    fn share<T: Sync, R: Send>(&self, all: &[T], work: impl Fn(&[T]) -> R + Sync) -> Vec<R> {
        let threads = self.tiering.threads.min(all.len() / WORTHWHILE).max(1);
        let mut parts = all.chunks(all.len().div_ceil(threads).max(1));
        let own = parts.next().unwrap_or_default();
        let work = &work;
        thread::scope(|scope| {
            let begin = |part| {
                let spawned = thread::Builder::new().spawn_scoped(scope, move || work(part));
                // Who gets no thread does it alone.
                spawned.map_err(|_| part)
            };
            let others: Vec<_> = parts.map(begin).collect();
            let mut done = vec![work(own)];
            done.extend(others.into_iter().map(|other| match other {
                Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
                Err(part) => work(part),
            }));
            done
        })
    }
}

struct Rules<'g, G> {
    game: &'g G,
}

impl<G: Game> Rules<'_, G> {
    /// Where the moves of the last tier lead; nothing if all its games are over.
    fn after(
        &self,
        work: &mut Work<'_>,
        tiers: &[Tier<G::Position>],
    ) -> Result<Option<Tier<G::Position>>, StrongError> {
        let Some(last) = tiers.last() else { return Ok(None) };
        if tiers.len() > MOST_TIERS {
            return Err(StrongError::Endless(MOST_TIERS));
        }
        work.tier = tiers.len();
        let kept = tiers.iter().map(|tier| tier.places.len()).sum();
        let (mut next, mut full, before) = (Vec::new(), BATCH, work.positions);
        for batch in last.places.chunks(work.batch()) {
            work.pause()?;
            for found in work.share(batch, |part| self.moves_from(part)) {
                let (places, made) = found?;
                work.nodes += made;
                next.extend(places);
            }
            if next.len() >= full {
                settle(&mut next)?;
                full = BATCH.max(2 * next.len());
            }
            work.positions = before + next.len() as u64;
            work.must_fit::<G::Position>(kept, next.capacity())?;
        }
        settle(&mut next)?;
        next.shrink_to_fit();
        work.positions = before + next.len() as u64;
        Ok((!next.is_empty()).then_some(Tier { places: next, worths: Vec::new() }))
    }

    /// Where the moves of some positions lead.
    fn moves_from(&self, places: &[Place<G::Position>]) -> Result<Found<G::Position>, StrongError> {
        let (mut found, mut made) = (Vec::new(), 0);
        for (_, p) in places {
            self.for_each_child(p, |child| {
                made += 1;
                found.push(name_of(self.game, child));
            });
        }
        settle(&mut found)?;
        Ok((found, made))
    }

    /// Finds out what the positions of a tier are worth from the tier after it.
    fn judge(
        &self,
        work: &mut Work<'_>,
        tier: &mut Tier<G::Position>,
        after: Option<&Tier<G::Position>>,
    ) -> Result<(), StrongError> {
        tier.worths.reserve_exact(tier.places.len());
        for batch in tier.places.chunks(work.batch()) {
            work.pause()?;
            let judged = work.share(batch, |part| {
                let mut made = 0;
                let worth = |(_, p): &Place<G::Position>| self.worth(p, after, &mut made);
                let worths = part.iter().map(worth).collect::<Option<Vec<_>>>();
                worths.map(|worths| (worths, made))
            });
            for part in judged {
                let (worths, made) = part.ok_or(StrongError::Contradiction)?;
                work.nodes += made;
                work.positions += worths.len() as u64;
                tier.worths.extend(worths);
            }
        }
        Ok(())
    }

    /// What a position is worth; nothing if a move leads to none of the positions after it.
    fn worth(
        &self,
        p: &G::Position,
        after: Option<&Tier<G::Position>>,
        made: &mut u64,
    ) -> Option<Worth> {
        if let Some(margin) = self.game.margin(p) {
            return Some(Worth::over(margin as i16));
        }
        let side = self.game.to_move(p);
        let (mut best, mut moves, mut known) = (None::<Worth>, 0, 0);
        self.for_each_child(p, |child| {
            moves += 1;
            let name = mix(self.game.table_key(child).0);
            if let Some(worth) = after.and_then(|tier| tier.worth(name)) {
                known += 1;
                let worth = worth.a_ply_before();
                let better = |best: Worth| worth.rank(side) > best.rank(side);
                best = best.filter(|&best| !better(best)).or(Some(worth));
            }
        });
        *made += moves;
        match best {
            _ if known < moves => None,
            None => Some(Worth::over(self.game.stuck(p) as i16)),
            best => best,
        }
    }

    fn for_each_child(&self, p: &G::Position, mut visit: impl FnMut(&G::Position)) {
        for m in moves_of(self.game, p) {
            let mut child = p.clone();
            self.game.make(&mut child, m);
            visit(&child);
        }
    }
}

/// Sorts places by name and keeps each once. Runs that are sorted already, as threads bring them, are only merged.
fn settle<P: Eq>(places: &mut Vec<Place<P>>) -> Result<(), StrongError> {
    places.sort_by_key(|place| place.0);
    let mut clash = None;
    places.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same && next.1 != kept.1 {
            clash = Some(kept.0);
        }
        same
    });
    clash.map_or(Ok(()), |name| Err(StrongError::Clash(name)))
}

/// Names and worths without the positions. Positions of different tiers must not share a name either, unless they are the same.
fn told_apart<P: Eq>(tiers: &[Tier<P>]) -> Result<Vec<Vec<(u64, Worth)>>, StrongError> {
    let mut all = Vec::with_capacity(tiers.iter().map(|tier| tier.places.len()).sum());
    for (number, tier) in tiers.iter().enumerate() {
        let named = tier.places.iter().enumerate();
        all.extend(named.map(|(index, place)| (place.0, number as u32, index as u32)));
    }
    all.sort_unstable();
    let place = |&(_, tier, index): &(u64, u32, u32)| &tiers[tier as usize].places[index as usize];
    let worth = |&(_, tier, index): &(u64, u32, u32)| tiers[tier as usize].worths[index as usize];
    let mut apart: Vec<Vec<(u64, Worth)>> = tiers.iter().map(|_| Vec::new()).collect();
    for same in all.chunk_by(|a, b| a.0 == b.0) {
        let first = &same[0];
        if same.iter().any(|other| place(other).1 != place(first).1) {
            return Err(StrongError::Clash(first.0));
        }
        // Whatever led there, the same follows.
        debug_assert!(same.iter().all(|other| worth(other) == worth(first)));
        apart[first.1 as usize].push((first.0, worth(first)));
    }
    Ok(apart)
}
