//! What the playing search has learnt of moves: which were good, and which were good answers to
//! which.
//!
//! Every number is a running average in ±[`LIMIT`] that moves towards what is reported (gravity):
//! what was good long ago is forgotten, and nothing overflows.

use game::{Game, Side};

use crate::bounds::Depth;
use crate::settings::Techniques;

/// No number lies outside ±this.
const LIMIT: i32 = 1 << 14;
/// Room for the answers to this many kinds of moves at most.
const MOST_COUNTER_KEYS: usize = 1 << 11;

/// What [`Memory::regard`] gives a killer and an answer that was good before, above their history.
const KILLERS: [i32; 2] = [20_000, 16_000];
const ANSWER: i32 = 12_000;

/// The counter-move keys of the moves one and two plies before, if they are known.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PreviousMoves(pub(crate) [Option<u32>; 2]);

/// A move as the memory knows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HistoryKey {
    pub(crate) side: Side,
    pub(crate) slot: usize,
    pub(crate) counter_key: usize,
    pub(crate) code: u32,
}

/// All that is remembered in one search.
#[derive(Debug)]
pub(crate) struct Memory {
    killers_on: bool,
    counter_keys: usize,
    /// By side and slot.
    moves: [Vec<i16>; 2],
    /// By the counter-move key of an earlier move and of this one.
    sequels: Vec<i16>,
    /// By the counter-move key of the move before, the code of what refuted it last.
    answers: Vec<Option<u32>>,
    /// By ply, codes of the last two moves that refuted the position before them.
    killers: Vec<[Option<u32>; 2]>,
}

impl Memory {
    /// Knows nothing yet.
    pub(crate) fn new<G: Game>(game: &G, counter_keys: usize, techniques: Techniques) -> Memory {
        let slots = if techniques.history { game.slots() } else { 0 };
        let counter_keys =
            if techniques.history && counter_keys <= MOST_COUNTER_KEYS { counter_keys } else { 0 };
        Memory {
            killers_on: techniques.killers,
            counter_keys,
            moves: [vec![0; slots], vec![0; slots]],
            sequels: vec![0; counter_keys * counter_keys],
            answers: vec![None; counter_keys],
            killers: Vec::with_capacity(1 << 10),
        }
    }

    /// Whether counter-move keys are wanted.
    #[inline]
    pub(crate) fn uses_counter_keys(&self) -> bool {
        self.counter_keys > 0
    }

    /// How good a quiet move has been, in ±3 × [`LIMIT`].
    #[inline]
    pub(crate) fn history(&self, key: &HistoryKey, previous: &PreviousMoves) -> i32 {
        let mut sum = self.moves[key.side.index()].get(key.slot).map_or(0, |&h| i32::from(h));
        for before in previous.0.into_iter().flatten() {
            sum += i32::from(self.sequels[before as usize * self.counter_keys + key.counter_key]);
        }
        sum
    }

    /// The same with what refuted siblings put first.
    #[inline]
    pub(crate) fn regard(&self, key: &HistoryKey, previous: &PreviousMoves, ply: usize) -> i32 {
        let killers = self.killers.get(ply).copied().unwrap_or_default();
        let code = Some(key.code);
        let extra = match killers.iter().position(|&killer| killer == code) {
            Some(i) => KILLERS[i],
            None if self.answer(previous) == code => ANSWER,
            None => 0,
        };
        self.history(key, previous) + extra
    }

    #[inline]
    fn answer(&self, previous: &PreviousMoves) -> Option<u32> {
        previous.0[0].and_then(|before| self.answers[before as usize])
    }

    /// A quiet move was good enough to stop looking at its siblings.
    pub(crate) fn refuted(
        &mut self,
        key: &HistoryKey,
        previous: &PreviousMoves,
        ply: usize,
        depth: Depth,
    ) {
        if self.killers_on {
            if self.killers.len() <= ply {
                self.killers.resize(ply + 1, [None; 2]);
            }
            let killers = &mut self.killers[ply];
            if killers[0] != Some(key.code) {
                *killers = [Some(key.code), killers[0]];
            }
        }
        if let Some(before) = previous.0[0] {
            self.answers[before as usize] = Some(key.code);
        }
        self.learn(key, previous, merit(depth));
    }

    /// A quiet move was tried in vain before another one refuted the position.
    pub(crate) fn failed(&mut self, key: &HistoryKey, previous: &PreviousMoves, depth: Depth) {
        self.learn(key, previous, -merit(depth));
    }

    fn learn(&mut self, key: &HistoryKey, previous: &PreviousMoves, merit: i32) {
        if let Some(average) = self.moves[key.side.index()].get_mut(key.slot) {
            pull(average, merit);
        }
        for before in previous.0.into_iter().flatten() {
            pull(&mut self.sequels[before as usize * self.counter_keys + key.counter_key], merit);
        }
    }
}

/// What the result of a search of this depth says: the deeper, the more.
fn merit(depth: Depth) -> i32 {
    let depth = depth.raw().min(16) as i32;
    (16 * depth * depth + 64 * depth).min(LIMIT / 8)
}

#[inline]
fn pull(average: &mut i16, merit: i32) {
    let old = i32::from(*average);
    *average = (old + merit - old * merit.abs() / LIMIT) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_stay_within_their_limit() {
        let mut average = 0;
        for _ in 0..10_000 {
            pull(&mut average, LIMIT / 8);
        }
        assert!((LIMIT - 10..=LIMIT).contains(&i32::from(average)), "{average}");
        for _ in 0..100_000 {
            pull(&mut average, -LIMIT / 8);
        }
        assert!((-LIMIT..=10 - LIMIT).contains(&i32::from(average)), "{average}");
    }
}
