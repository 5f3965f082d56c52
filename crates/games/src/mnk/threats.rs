//! [`ThreatSearch`]: wins by threats that leave the other side no choice.
//!
//! The *attacker* may do as it likes; the *defender* must answer a threat. A **direct** threat is a window
//! that the attacker can fill in its next turn: the defender has to place a stone in each of them, out of
//! those of one turn, unless it wins itself in that turn. Where turns are single stones there is a second
//! kind: after a **quiet** threat the attacker would win by direct threats if the defender passed (lambda
//! search, Thomsen 2000). To stop that, the defender must touch a square which that win makes use of, or
//! one from which it gets a line of its own on the way.
//!
//! **Invariant:** a win that is reported is one. Whatever the defender does that is not looked at here
//! loses at least as fast.

use game::{Side, mix};

use super::double_threats::DoubleThreats;
use super::live_windows::LiveWindows;

/// Turns with more stones than this are too many to look through.
const MOST_STONES: usize = 4;
/// Sequences of more turns of the attacker are not looked for.
const LONGEST_DIRECT: u32 = 16;
const LONGEST_QUIET: u32 = 8;
/// How many turns of direct threats may follow a quiet one.
const AFTER_QUIET: u32 = 4;
/// So many squares at most are tried for a quiet threat.
const QUIET_SQUARES: usize = 16;
/// Fewer nodes than this are not worth a search for quiet threats.
const LEAST_FOR_QUIET: u64 = 200;
/// Entries of the table of failures, a power of two.
const FAILURES: usize = 1 << 14;

/// A proved win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Win {
    /// Where the next stone goes.
    pub(super) square: usize,
    /// Plies to the end, at most.
    pub(super) plies: u32,
}

/// Which threats the attacker may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Direct,
    Quiet,
}

/// Where a search stands: for whom it is made, and what it may still use.
#[derive(Clone, Copy, Debug)]
struct Attack {
    attacker: Side,
    kind: Kind,
    /// Turns left to the attacker, apart from the one that wins.
    turns: u32,
}

/// A square that a win makes use of.
#[derive(Clone, Copy, Debug)]
struct Used {
    square: u16,
    /// Whether the defender places a stone there.
    by_defender: bool,
}

/// Looks for such wins, within a number of nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct ThreatSearch {
    budget: u64,
    /// Whether something was left out for want of turns or nodes.
    cut: bool,
    /// Squares to try, of all nodes on the way to the current one.
    squares: Vec<u16>,
    /// What the wins found below the current node make use of.
    used: Vec<Used>,
    /// When each square was last added to a list: keeps lists free of doubles.
    stamps: Vec<u32>,
    stamp: u32,
    /// Windows to look at, of one node.
    lines: Vec<u32>,
    /// Attacks that are known to fail. A clash of keys loses a win, never invents one.
    failures: Vec<u64>,
    /// Where turns are two stones.
    double: DoubleThreats,
}

impl ThreatSearch {
    /// For a board with so many squares.
    pub(super) fn new(squares: usize) -> ThreatSearch {
        ThreatSearch {
            squares: Vec::with_capacity(1 << 12),
            used: Vec::with_capacity(1 << 10),
            lines: Vec::with_capacity(1 << 10),
            stamps: vec![0; squares],
            failures: vec![0; FAILURES],
            ..ThreatSearch::default()
        }
    }

    /// A win for a side that has `left` stones in its turn, and is to move; takes what it needs from the
    /// budget.
    pub(super) fn win(
        &mut self,
        live: &mut LiveWindows,
        attacker: Side,
        left: usize,
        budget: &mut u64,
    ) -> Option<Win> {
        let shape = live.shape();
        // In a first turn that is longer than others there is nothing to threaten with yet.
        if left > shape.p || shape.p > MOST_STONES {
            return None;
        }
        if DoubleThreats::apply_to(live) {
            return self.double.win(live, attacker, left, budget);
        }
        let total = *budget;
        // Direct threats cost little and are tried first, but must not use up everything.
        self.budget = if has_quiet_threats(live) { total.div_ceil(4) } else { total };
        let direct_share = self.budget;
        let mut win = self.deepen(live, attacker, left, Kind::Direct, LONGEST_DIRECT);
        let spent = direct_share - self.budget;
        self.budget = total - spent;
        if win.is_none() && has_quiet_threats(live) && total >= LEAST_FOR_QUIET {
            win = self.deepen(live, attacker, left, Kind::Quiet, LONGEST_QUIET);
        }
        *budget = self.budget;
        win
    }

    /// Looks for a short win first.
    fn deepen(
        &mut self,
        live: &mut LiveWindows,
        attacker: Side,
        left: usize,
        kind: Kind,
        longest: u32,
    ) -> Option<Win> {
        for turns in 0..=longest {
            self.cut = false;
            self.squares.clear();
            self.used.clear();
            let win = self.attack(live, Attack { attacker, kind, turns }, left);
            if win.is_some() || !self.cut || self.budget == 0 {
                return win;
            }
        }
        None
    }

    /// The attacker has `left` stones to place.
    fn attack(&mut self, live: &mut LiveWindows, attack: Attack, left: usize) -> Option<Win> {
        if let Some(window) = fillable(live, attack.attacker, left) {
            let used = self.used.len();
            self.used.extend(live.gaps(window).map(|square| Used::new(square, false)));
            let plies = (self.used.len() - used) as u32;
            // The lowest is first, as gravity wants it.
            return Some(Win { square: usize::from(self.used[used].square), plies });
        }
        if attack.turns == 0 || !self.pay() {
            self.cut = true;
            return None;
        }
        let failure = self.failure(live, attack, left);
        if self.failures[failure as usize % FAILURES] == failure {
            self.cut = true;
            return None;
        }
        let from = self.squares.len();
        self.list_threats(live, attack, left);
        let used = self.used.len();
        let mut win = None;
        for i in from..self.squares.len() {
            let square = usize::from(self.squares[i]);
            live.try_stone(square, attack.attacker);
            let plies = if left > 1 {
                self.attack(live, attack, left - 1).map(|win| win.plies)
            } else {
                let attack = Attack { turns: attack.turns - 1, ..attack };
                self.defend(live, attack, live.shape().p)
            };
            live.take_back(square, attack.attacker);
            if let Some(plies) = plies {
                self.used.push(Used::new(square, false));
                win = Some(Win { square, plies: plies + 1 });
                break;
            }
            self.used.truncate(used);
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

    /// The defender has `left` stones to place. Plies to its loss, if that is proved.
    fn defend(&mut self, live: &mut LiveWindows, attack: Attack, left: usize) -> Option<u32> {
        let (attacker, defender) = (attack.attacker, attack.attacker.other());
        let shape = live.shape();
        if !self.pay() || could_fill(live, defender, left) {
            return None;
        }
        let Some(threat) = fillable(live, attacker, shape.p) else {
            let quiet = attack.kind == Kind::Quiet;
            return if quiet { self.defend_quietly(live, attack) } else { None };
        };
        let from = self.squares.len();
        // With gravity the order of stones matters, and what is out of reach now may not be with the next.
        if shape.gravity && left > 1 {
            let playable = (0..live.squares()).filter(|&square| live.is_playable(square));
            self.squares.extend(playable.map(|square| square as u16));
        } else {
            let gaps = live.gaps(threat).filter(|&square| live.is_playable(square));
            self.squares.extend(gaps.map(|square| square as u16));
        }
        let missing = live.gaps(threat).count();
        let plies = self.all_replies_lose(live, attack, left, from);
        self.squares.truncate(from);
        Some(plies?.max((left + missing) as u32))
    }

    /// The defender tries all squares of the list from a place on. Plies to the end if none helps.
    fn all_replies_lose(
        &mut self,
        live: &mut LiveWindows,
        attack: Attack,
        left: usize,
        from: usize,
    ) -> Option<u32> {
        let defender = attack.attacker.other();
        let mut longest = 0;
        for i in from..self.squares.len() {
            let square = usize::from(self.squares[i]);
            self.used.push(Used::new(square, true));
            live.try_stone(square, defender);
            let plies = if left > 1 {
                self.defend(live, attack, left - 1)
            } else {
                self.attack(live, attack, live.shape().p).map(|win| win.plies)
            };
            live.take_back(square, defender);
            longest = longest.max(plies? + 1);
        }
        Some(longest)
    }

    /// The attacker made no direct threat. If it would win by direct ones now, were it to move again,
    /// the defender must do something about just that.
    fn defend_quietly(&mut self, live: &mut LiveWindows, attack: Attack) -> Option<u32> {
        let used = self.used.len();
        let direct = Attack { kind: Kind::Direct, turns: AFTER_QUIET, ..attack };
        let win = self.attack(live, direct, 1)?;
        let from = self.squares.len();
        self.list_answers(live, attack.attacker.other(), used);
        let plies = self.all_replies_lose(live, attack, 1, from);
        self.squares.truncate(from);
        Some(plies?.max(win.plies + 1))
    }

    /// Squares with which the defender can interfere with a win: those it uses, and those of lines that
    /// the defender might complete on the way, its forced stones included.
    fn list_answers(&mut self, live: &LiveWindows, defender: Side, used: usize) {
        let (from, stamp) = (self.squares.len(), self.next_stamp());
        for i in used..self.used.len() {
            let Used { square, by_defender } = self.used[i];
            if by_defender {
                self.add(square.into(), stamp);
            }
        }
        let forced = self.squares.len();
        // A line counts if one stone more leaves one missing.
        let near = |missing: usize, forced: usize| (1..=2 + forced).contains(&missing);
        self.lines.clear();
        for i in from..forced {
            for window in live.through(self.squares[i].into()) {
                let forced = live.gaps(window).filter(|&gap| self.stamps[gap] == stamp).count();
                if near(live.missing(window, defender.index()), forced) {
                    self.lines.push(window as u32);
                }
            }
        }
        for missing in 1..=2 {
            self.lines.extend_from_slice(live.lacking(defender, missing));
        }
        for i in used..self.used.len() {
            self.add(self.used[i].square.into(), stamp);
        }
        for i in 0..self.lines.len() {
            for square in live.gaps(self.lines[i] as usize) {
                self.add(square, stamp);
            }
        }
    }

    /// Where a stone makes a threat, or may be part of one that the turn makes.
    fn list_threats(&mut self, live: &LiveWindows, attack: Attack, left: usize) {
        let (attacker, p) = (attack.attacker, live.shape().p);
        let from = self.squares.len();
        let stamp = self.next_stamp();
        // A single stone must also stop what the defender could complete.
        let must = if p == 1 && left == 1 { fillable(live, attacker.other(), 1) } else { None };
        for missing in 1..=p + left {
            for &window in live.lacking(attacker, missing) {
                for square in live.gaps(window as usize) {
                    if live.is_playable(square) {
                        self.add(square, stamp);
                    }
                }
            }
        }
        if attack.kind == Kind::Quiet {
            self.list_quiet_threats(live, attacker, stamp);
        }
        if let Some(window) = must
            && let Some(square) = live.gaps(window).next()
        {
            let stops = self.stamps[square] == stamp;
            self.squares.truncate(from);
            if stops || attack.kind == Kind::Quiet {
                self.squares.push(square as u16);
            }
        }
    }

    /// Where a stone gives two windows or more that then lack two stones; the best first.
    fn list_quiet_threats(&mut self, live: &LiveWindows, attacker: Side, stamp: u32) {
        let from = self.squares.len();
        for &window in live.lacking(attacker, 3) {
            for square in live.gaps(window as usize) {
                let lines = live.count_at(square, attacker, 3) + live.count_at(square, attacker, 2);
                if lines > 1 {
                    self.add(square, stamp);
                }
            }
        }
        let best_first = |&square: &u16| {
            let square = usize::from(square);
            let worth = live.promise(square, attacker) + live.promise(square, attacker.other()) / 2;
            (-worth, square)
        };
        self.squares[from..].sort_unstable_by_key(best_first);
        if self.squares.len() > from + QUIET_SQUARES {
            self.squares.truncate(from + QUIET_SQUARES);
            self.cut = true;
        }
    }

    fn add(&mut self, square: usize, stamp: u32) {
        if self.stamps[square] != stamp {
            self.stamps[square] = stamp;
            self.squares.push(square as u16);
        }
    }

    fn next_stamp(&mut self) -> u32 {
        self.stamp = self.stamp.wrapping_add(1);
        self.stamp
    }

    /// Counts a node; false if there is none left.
    fn pay(&mut self) -> bool {
        let paid = self.budget > 0;
        self.budget -= u64::from(paid);
        self.cut |= !paid;
        paid
    }

    /// The name of an attack in the table of failures.
    fn failure(&self, live: &LiveWindows, attack: Attack, left: usize) -> u64 {
        let Attack { attacker, kind, turns } = attack;
        let how = u64::from(turns) << 8 | (left as u64) << 2 | (kind as u64) << 1;
        mix(live.key() ^ mix(how | attacker.index() as u64)) | 1
    }
}

/// Quiet threats are looked for where a turn is one stone and may go anywhere.
fn has_quiet_threats(live: &LiveWindows) -> bool {
    live.shape().p == 1 && !live.shape().gravity
}

/// A window that a side fills with so many stones if it is next to move, whatever was placed elsewhere.
pub(super) fn fillable(live: &LiveWindows, side: Side, stones: usize) -> Option<usize> {
    live.fillable(side, stones).find(|&window| live.is_ready(window))
}

/// Whether a side may win with its next so many stones: yes, if in doubt. With gravity some of them may
/// bring others within reach.
fn could_fill(live: &LiveWindows, side: Side, stones: usize) -> bool {
    if live.shape().gravity && stones > 1 {
        return live.fillable(side, stones).next().is_some();
    }
    fillable(live, side, stones).is_some()
}

impl Used {
    fn new(square: usize, by_defender: bool) -> Used {
        Used { square: square as u16, by_defender }
    }
}
