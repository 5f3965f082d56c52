//! [`DoubleThreats`]: wins by threats where a turn is two stones.
//!
//! A turn of the *attacker* that threatens to complete lines in such a way that one stone cannot stop all of
//! them leaves the *defender* no choice: both its stones go on squares of those lines. Which ones need not be
//! tried: if the attacker wins even when the defender may put a stone on **every** such square at once, it wins
//! against any two of them. So a turn of the defender is one node instead of a dozen, and sequences of many turns
//! are seen (the conservative defence of Wu and Lin, 2010).
//!
//! **Invariant:** a win that is reported is one. That needs a game in which a further stone never harms its
//! owner: no gravity, and more than k in a row win too.

use game::{Side, mix};

use super::live_windows::LiveWindows;
use super::threats::{Win, fillable};

/// A turn.
const STONES: usize = 2;
/// Sequences of more turns of the attacker are not looked for.
const LONGEST: u32 = 20;
/// So many squares at most are tried for the first stone of a turn, the most promising ones.
const SQUARES: usize = 24;
/// Entries of the table of failures, a power of two.
const FAILURES: usize = 1 << 14;

/// Looks for such wins, within a number of turns tried.
#[derive(Clone, Debug)]
pub(super) struct DoubleThreats {
    budget: u64,
    /// Whether something was left out for want of turns or nodes.
    cut: bool,
    /// Squares of all nodes on the way to the current one.
    squares: Vec<u16>,
    /// Attacks that are known to fail. A clash of keys loses a win, never invents one.
    failures: Vec<u64>,
}

impl Default for DoubleThreats {
    fn default() -> DoubleThreats {
        DoubleThreats {
            budget: 0,
            cut: false,
            squares: Vec::with_capacity(1 << 12),
            failures: vec![0; FAILURES],
        }
    }
}

impl DoubleThreats {
    /// Whether this is a game for it.
    pub(super) fn apply_to(live: &LiveWindows) -> bool {
        let shape = live.shape();
        shape.p == STONES && !shape.gravity && !shape.exact
    }

    /// A win for a side that has `left` stones in its turn, and is to move; takes what it needs from the
    /// budget. A short one, if that is found first.
    pub(super) fn win(
        &mut self,
        live: &mut LiveWindows,
        attacker: Side,
        left: usize,
        budget: &mut u64,
    ) -> Option<Win> {
        self.budget = *budget;
        let mut win = None;
        for turns in 0..=LONGEST {
            self.cut = false;
            self.squares.clear();
            win = self.attack(live, attacker, left, turns);
            if win.is_some() || !self.cut || self.budget == 0 {
                break;
            }
        }
        *budget = self.budget;
        win
    }

    /// The attacker has `left` stones to place, and so many turns before the one that wins.
    fn attack(
        &mut self,
        live: &mut LiveWindows,
        attacker: Side,
        left: usize,
        turns: u32,
    ) -> Option<Win> {
        if let Some(window) = fillable(live, attacker, left) {
            let mut gaps = live.gaps(window);
            let square = gaps.next()?;
            return Some(Win { square, plies: 1 + gaps.count() as u32 });
        }
        if turns == 0 {
            self.cut = true;
            return None;
        }
        let how = u64::from(turns) << 8 | (left as u64) << 1 | attacker.index() as u64;
        let failure = mix(live.key() ^ mix(how)) | 1;
        if self.failures[failure as usize % FAILURES] == failure {
            self.cut = true;
            return None;
        }
        let from = self.squares.len();
        self.list(live, attacker, left, from);
        let mut win = None;
        for first in from..self.squares.len() {
            let square = usize::from(self.squares[first]);
            live.try_stone(square, attacker);
            let plies = if left > 1 {
                self.second_stone(live, attacker, turns, from..first)
            } else {
                self.defend(live, attacker, turns - 1)
            };
            live.take_back(square, attacker);
            if let Some(plies) = plies {
                win = Some(Win { square, plies: plies + 1 });
                break;
            }
            if self.budget == 0 {
                break;
            }
        }
        self.squares.truncate(from);
        if win.is_none() && self.budget > 0 {
            self.failures[failure as usize % FAILURES] = failure;
        }
        win
    }

    /// The second stone of a turn, beside first stones that were tried with every other.
    fn second_stone(
        &mut self,
        live: &mut LiveWindows,
        attacker: Side,
        turns: u32,
        done: std::ops::Range<usize>,
    ) -> Option<u32> {
        let from = self.squares.len();
        self.list(live, attacker, 1, from);
        let mut plies = None;
        for i in from..self.squares.len() {
            let square = self.squares[i];
            if self.squares[done.clone()].contains(&square) {
                continue;
            }
            live.try_stone(square.into(), attacker);
            plies = self.defend(live, attacker, turns - 1);
            live.take_back(square.into(), attacker);
            if plies.is_some() || self.budget == 0 {
                break;
            }
        }
        self.squares.truncate(from);
        plies.map(|plies| plies + 1)
    }

    /// The defender has a turn. Plies to its loss, if that is proved.
    fn defend(&mut self, live: &mut LiveWindows, attacker: Side, turns: u32) -> Option<u32> {
        if self.budget == 0 {
            self.cut = true;
            return None;
        }
        self.budget -= 1;
        let defender = attacker.other();
        if fillable(live, defender, STONES).is_some() || stops_with_one(live, attacker) {
            return None;
        }
        if !stops_with_two(live, attacker) {
            return Some(2 * STONES as u32);
        }
        if turns == 0 {
            self.cut = true;
            return None;
        }
        let from = self.squares.len();
        for gap in live.fillable(attacker, STONES).flat_map(|window| live.gaps(window)) {
            self.add(gap, from);
        }
        let to = self.squares.len();
        for i in from..to {
            live.try_stone(self.squares[i].into(), defender);
        }
        let win = self.attack(live, attacker, STONES, turns);
        for i in (from..to).rev() {
            live.take_back(self.squares[i].into(), defender);
        }
        self.squares.truncate(from);
        Some(win?.plies + STONES as u32)
    }

    /// Adds a square to the list that begins at `from`, once.
    fn add(&mut self, square: usize, from: usize) {
        if !self.squares[from..].contains(&(square as u16)) {
            self.squares.push(square as u16);
        }
    }

    /// Where a stone may be part of a threat that the rest of the turn makes, the most promising first.
    fn list(&mut self, live: &LiveWindows, attacker: Side, left: usize, from: usize) {
        for missing in 1..=STONES + left {
            for &window in live.lacking(attacker, missing) {
                for square in live.gaps(window as usize) {
                    // Of two stones in a line that lacks four, only an open one makes two threats.
                    let hopeful = missing < 4 || live.is_open_at(square, attacker, 4);
                    if hopeful {
                        self.add(square, from);
                    }
                }
            }
        }
        let best_first = |&square: &u16| {
            let count = |missing| live.count_at(square.into(), attacker, missing);
            let promise = 16 * (count(1) + count(2)) + 6 * count(3) + count(4);
            (std::cmp::Reverse(promise), square)
        };
        self.squares[from..].sort_unstable_by_key(best_first);
        if self.squares.len() > from + SQUARES {
            self.squares.truncate(from + SQUARES);
            self.cut = true;
        }
    }
}

/// Whether one stone stops every line that the attacker can complete in a turn.
fn stops_with_one(live: &LiveWindows, attacker: Side) -> bool {
    let Some(first) = live.fillable(attacker, STONES).next() else { return true };
    let all = live.fillable(attacker, STONES).count();
    live.gaps(first).any(|square| live.fillable_at(square, attacker, STONES) == all)
}

/// Whether two stones do.
fn stops_with_two(live: &LiveWindows, attacker: Side) -> bool {
    let Some(first) = live.fillable(attacker, STONES).next() else { return true };
    live.gaps(first).any(|one| {
        let holds = move |window: usize, square: usize| live.gaps(window).any(|gap| gap == square);
        let rest = || live.fillable(attacker, STONES).filter(move |&window| !holds(window, one));
        let Some(second) = rest().next() else { return true };
        live.gaps(second).any(|two| rest().all(|window| holds(window, two)))
    })
}
