//! All moves of a position: captures if there are any, else steps.

use std::hint::select_unpredictable;

use game::{MoveSink, Rng};

use super::board::{DIAGONAL, before, bits};
use super::captures::{Been, Catcher, Hunter, Rank, each_direction, forward, jumpers};
#[cfg(feature = "reference")]
use super::catchers::EveryWay;
use super::catchers::{Best, Emit, Gather, Moves, Pick, Tally};
use super::position::{Colour, Move, Position};
use super::switches::{Majority, Promotion, Rules, Switches};

/// The board as the generator sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene<R, const WHITE: bool> {
    rules: R,
    men: u64,
    kings: u64,
    /// Kings that may go without capturing.
    pub(super) rested: u64,
    prey: u64,
    royals: u64,
    pub(super) empty: u64,
}

impl<R: Rules, const WHITE: bool> Scene<R, WHITE> {
    const COLOUR: Colour = if WHITE { Colour::White } else { Colour::Black };

    /// A position as it is, with the colour that moves.
    #[inline]
    pub(super) fn new(rules: R, p: &Position) -> Scene<R, WHITE> {
        debug_assert_eq!(WHITE, p.colour == Colour::White);
        let switches = rules.switches();
        let (kings, tired) = (p.own & p.kings, p.runs[0].tired());
        Scene {
            rules,
            men: p.own & !p.kings,
            kings,
            rested: if switches.restless { kings & !tired } else { kings },
            prey: p.other,
            royals: p.other & p.kings,
            empty: switches.size.all() & !(p.own | p.other),
        }
    }

    #[inline(always)]
    pub(super) fn switches(&self) -> Switches {
        self.rules.switches()
    }

    /// Every move once.
    #[inline]
    pub(super) fn generate(&self, out: &mut impl MoveSink<Move>) {
        if !self.any_captures(out) {
            self.steps(|from, to, crowns| {
                out.push(Move { from: from as u8, to: to as u8, crowns, captured: 0 });
            });
        }
    }

    /// How many moves there are.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        if !self.simple() {
            return match self.count_all_captures() {
                0 => self.count_steps(),
                captures => captures,
            };
        }
        match self.kings {
            // The same without a word on kings, once the compiler knows.
            0 => Scene { kings: 0, rested: 0, ..*self }.count_simple(),
            _ => self.count_simple(),
        }
    }

    /// Whether there is no move.
    #[inline]
    pub(super) fn is_stuck(&self) -> bool {
        // If a man can step, there is a move: the step, or a capture instead.
        let (left, right) = self.man_steps();
        left | right == 0 && self.count() == 0
    }

    #[inline(always)]
    fn count_simple(&self) -> usize {
        let (to, singles) = self.singles();
        let on = self.going_on(to);
        if on.any() {
            return self.count_chained(on);
        }
        // Every second position has a capture: a branch would be wrong half of the time.
        select_unpredictable(singles != 0, singles, self.count_steps())
    }

    /// One of the moves, each with the same chance.
    #[inline]
    pub(super) fn sample(&self, rng: &mut Rng) -> Option<Move> {
        match self.count_all_captures() {
            0 => self.sample_step(rng),
            captures => {
                let mut pick = Pick { left: rng.below(captures), found: None };
                self.generate(&mut pick);
                pick.found
            }
        }
    }

    fn sample_step(&self, rng: &mut Rng) -> Option<Move> {
        let (left, right) = self.man_steps();
        let (lefts, rights) = (left.count_ones() as usize, right.count_ones() as usize);
        let kings = self.count_king_steps();
        let all = lefts + rights + kings;
        if all == 0 {
            return None;
        }
        let n = rng.below(all);
        if n < lefts + rights {
            let to = if n < lefts { nth(left, n) } else { nth(right, n - lefts) };
            let direction = self.man_directions()[usize::from(n >= lefts)];
            let from = self.switches().size.bit_before(to, direction);
            return Some(Move {
                from: from as u8,
                to: to as u8,
                crowns: self.crowns(to),
                captured: 0,
            });
        }
        let mut n = n - lefts - rights;
        for from in bits(self.rested) {
            let to = self.king_targets(from);
            let count = to.count_ones() as usize;
            if n < count {
                let to = nth(to, n) as u8;
                return Some(Move { from: from as u8, to, crowns: false, captured: 0 });
            }
            n -= count;
        }
        None
    }

    /// Every way to capture of the required rank, with those that end alike; steps if there is none.
    #[cfg(feature = "reference")]
    pub(super) fn generate_ways<const LANDINGS: bool>(&self, out: &mut impl MoveSink<Move>) {
        let movers = self.capturers();
        let best = self.best(movers);
        let mut ways = EveryWay::<_, LANDINGS> { best, out: &mut *out, caught: false };
        self.hunt(movers, &mut ways);
        if !ways.caught {
            self.generate(out);
        }
    }

    /// Where men go one step, in each of the two directions.
    #[inline]
    pub(super) fn man_steps(&self) -> (u64, u64) {
        let [left, right] = self.man_directions();
        let size = self.switches().size;
        (size.step(self.men, left) & self.empty, size.step(self.men, right) & self.empty)
    }

    #[inline]
    pub(super) fn man_directions(&self) -> [usize; 2] {
        match Self::COLOUR {
            Colour::White => [5, 4],
            Colour::Black => [0, 1],
        }
    }

    #[inline]
    fn crowns(&self, to: usize) -> bool {
        self.switches().size.last_row(Self::COLOUR) >> to & 1 == 1
    }

    /// The squares a king reaches without capturing.
    #[inline]
    pub(super) fn king_targets(&self, from: usize) -> u64 {
        let size = self.switches().size;
        let mut targets = 0;
        for direction in DIAGONAL {
            targets |= if self.switches().flying {
                let ray = size.geometry().rays[from][direction];
                before(ray, ray & !self.empty, direction)
            } else {
                size.step(1 << from, direction) & self.empty
            };
        }
        targets
    }

    #[inline]
    fn count_steps(&self) -> usize {
        let (left, right) = self.man_steps();
        (left.count_ones() + right.count_ones()) as usize + self.count_king_steps()
    }

    #[inline]
    pub(super) fn count_king_steps(&self) -> usize {
        if self.rested == 0 {
            return 0;
        }
        if self.switches().flying {
            return bits(self.rested)
                .map(|from| self.king_targets(from).count_ones() as usize)
                .sum();
        }
        let size = self.switches().size;
        let steps = DIAGONAL.map(|direction| {
            (size.step(self.rested, direction) & self.empty).count_ones() as usize
        });
        steps.into_iter().sum()
    }

    /// All moves without a capture: from, to, whether a man is crowned.
    #[inline]
    fn steps(&self, mut step: impl FnMut(usize, usize, bool)) {
        let size = self.switches().size;
        let (left, right) = self.man_steps();
        for (targets, direction) in [left, right].into_iter().zip(self.man_directions()) {
            for to in bits(targets) {
                step(size.bit_before(to, direction), to, self.crowns(to));
            }
        }
        for from in bits(self.rested) {
            for to in bits(self.king_targets(from)) {
                step(from, to, false);
            }
        }
    }

    /// Whether pieces only capture by jumping over an adjacent one, and have the same choice if they take
    /// equally many. Then captures that end after one jump need not be walked.
    #[inline(always)]
    fn simple(&self) -> bool {
        let s = self.switches();
        let alike = matches!(s.majority, Majority::None | Majority::Quantity)
            || self.kings | self.royals == 0;
        alike && !(s.flying && self.kings != 0)
    }

    /// Whether a piece may take fewer than it can, or than others can.
    #[inline(always)]
    fn free(&self) -> bool {
        matches!(self.switches().majority, Majority::None | Majority::Kings | Majority::King)
    }

    /// Captures of the simple kind may go on from these squares: the pieces that must be walked for it.
    fn chained(&self, on: Pieces) -> Pieces {
        let s = self.switches();
        let crowned = s.promotion == Promotion::Pass && on.men & s.size.last_row(Self::COLOUR) != 0;
        if crowned && !self.free() {
            // A new king may find nothing more to take, and then all are equal again.
            return self.capturers();
        }
        let mut chained = Pieces::default();
        self.each_jump(self.movers(), |landings, direction, king| {
            let landings = landings & if king { on.kings } else { on.men };
            let over = s.size.step_back(landings, direction);
            chained.add(s.size.step_back(over, direction), king);
        });
        chained
    }

    /// The landing squares where a capture goes on, or where only walking it shows what happens. A
    /// second jump never ends where the first began, so what is empty now is all that matters.
    #[inline(always)]
    fn going_on(&self, to: Pieces) -> Pieces {
        let s = self.switches();
        let last_row = s.size.last_row(Self::COLOUR);
        let stops = if s.promotion == Promotion::Stop { last_row } else { 0 };
        let men = self.jumpers(Pieces { men: to.men & !stops, kings: to.kings });
        let crowned = if s.promotion == Promotion::Pass { to.men & last_row } else { 0 };
        Pieces { men: men.men | crowned, kings: men.kings }
    }

    /// All pieces.
    #[inline]
    fn movers(&self) -> Pieces {
        Pieces { men: self.men, kings: self.kings }
    }

    /// The pieces that can capture; of flying kings all, since only looking shows it.
    #[inline]
    fn capturers(&self) -> Pieces {
        let able = self.jumpers(self.movers());
        if self.switches().flying { Pieces { kings: self.kings, ..able } } else { able }
    }

    /// Those that can jump over an adjacent piece.
    #[inline(always)]
    fn jumpers(&self, pieces: Pieces) -> Pieces {
        let s = self.switches();
        let towards = |direction| s.back || forward(Self::COLOUR, direction);
        let men = jumpers(s, pieces.men, self.man_prey(), self.empty, towards);
        let kings = match pieces.kings {
            0 => 0,
            kings => jumpers(s, kings, self.prey, self.empty, |_| true),
        };
        Pieces { men, kings }
    }

    /// What men may capture.
    #[inline]
    fn man_prey(&self) -> u64 {
        if self.switches().shielded { self.prey & !self.royals } else { self.prey }
    }

    /// The squares where jumps over an adjacent piece end: those of men, then those of kings, in each
    /// direction.
    #[inline(always)]
    fn each_jump(&self, pieces: Pieces, mut each: impl FnMut(u64, usize, bool)) {
        let s = self.switches();
        let prey = self.man_prey();
        each_direction(s, |direction| {
            if s.back || forward(Self::COLOUR, direction) {
                each(self.landings(pieces.men, prey, direction), direction, false);
            }
        });
        if pieces.kings != 0 {
            each_direction(s, |direction| {
                each(self.landings(pieces.kings, self.prey, direction), direction, true);
            });
        }
    }

    #[inline(always)]
    fn landings(&self, pieces: u64, prey: u64, direction: usize) -> u64 {
        let size = self.switches().size;
        let wraps = direction & 3 == 3;
        let from = if wraps { pieces & size.geometry().roomy[direction] } else { pieces };
        size.step(size.step(from, direction) & prey, direction) & self.empty
    }

    /// Captures of one piece that end on these squares.
    #[inline(always)]
    fn push_jumps(&self, to: u64, direction: usize, king: bool, out: &mut impl MoveSink<Move>) {
        let size = self.switches().size;
        for to in bits(to) {
            let over = size.bit_before(to, direction);
            let from = size.bit_before(over, direction) as u8;
            let crowns = !king && self.crowns(to);
            out.push(Move { from, to: to as u8, crowns, captured: 1 << over });
        }
    }

    /// All captures of these pieces that may be chosen among them; false if there are none.
    fn generate_captures(&self, movers: Pieces, out: &mut impl MoveSink<Move>) -> bool {
        let best = self.best(movers);
        let mut emit =
            Emit { best, cycle: self.cycle(), out: &mut *out, caught: false, cycles: false };
        self.hunt(movers, &mut emit);
        let (caught, cycles) = (emit.caught, emit.cycles);
        if cycles {
            self.each_cycle(movers, best, |m| out.push(m));
        }
        caught
    }

    /// Pushes all captures; false if there are none.
    #[inline(always)]
    pub(super) fn any_captures(&self, out: &mut impl MoveSink<Move>) -> bool {
        if !self.simple() {
            let movers = self.capturers();
            return movers.any() && self.generate_captures(movers, out);
        }
        let mut to = Pieces::default();
        self.each_jump(self.movers(), |landings, _, king| to.add(landings, king));
        if to.any() {
            self.push_simple(to, out);
        }
        to.any()
    }

    /// Pushes captures of the simple kind, whose first jumps end on these squares.
    fn push_simple(&self, to: Pieces, out: &mut impl MoveSink<Move>) {
        let on = self.going_on(to);
        let chained = if on.any() { self.chained(on) } else { Pieces::default() };
        if self.free() || !chained.any() {
            let rest = self.movers().without(chained);
            self.each_jump(rest, |to, direction, king| self.push_jumps(to, direction, king, out));
        }
        if chained.any() {
            self.generate_captures(chained, out);
        }
    }

    #[inline(always)]
    fn count_all_captures(&self) -> usize {
        if !self.simple() {
            let movers = self.capturers();
            return if movers.any() { self.count_captures(movers) } else { 0 };
        }
        let (to, singles) = self.singles();
        let on = self.going_on(to);
        if on.any() { self.count_chained(on) } else { singles }
    }

    /// Where jumps over adjacent pieces end, and how many there are.
    #[inline(always)]
    fn singles(&self) -> (Pieces, usize) {
        let (mut to, mut count) = (Pieces::default(), 0);
        self.each_jump(self.movers(), |landings, _, king| {
            to.add(landings, king);
            count += landings.count_ones() as usize;
        });
        (to, count)
    }

    #[inline(never)]
    fn count_chained(&self, on: Pieces) -> usize {
        let chained = self.chained(on);
        let mut count = self.count_captures(chained);
        if self.free() {
            let rest = self.movers().without(chained);
            self.each_jump(rest, |to, _, _| count += to.count_ones() as usize);
        }
        count
    }

    #[inline]
    fn hunt(&self, movers: Pieces, catcher: &mut impl Catcher) {
        for (set, king) in [(movers.men, false), (movers.kings, true)] {
            for from in bits(set) {
                let mut hunter = Hunter::<R, _, WHITE> {
                    rules: self.rules,
                    from: from as u8,
                    king,
                    empty: self.empty | 1 << from,
                    royals: self.royals,
                    catcher: &mut *catcher,
                    been: Been::default(),
                };
                hunter.hunt(self.prey);
            }
        }
    }

    /// The rank that captures must have.
    #[inline]
    fn best(&self, movers: Pieces) -> Rank {
        match self.switches().majority {
            Majority::None => Rank::default(),
            _ => {
                let mut best = Best(Rank::default());
                self.hunt(movers, &mut best);
                best.0
            }
        }
    }

    /// From so many pieces on, two ways of capturing them may end alike.
    #[inline]
    fn cycle(&self) -> u32 {
        match self.switches() {
            Switches { straight: true, .. } => 2,
            Switches { flying: true, .. } => 3,
            _ => 4,
        }
    }

    #[inline(never)]
    fn count_captures(&self, movers: Pieces) -> usize {
        let mut tally =
            Tally { best: Rank::default(), count: 0, cycle: self.cycle(), cycles: false };
        if self.switches().majority == Majority::Kings {
            tally.best = self.best(movers);
        }
        self.hunt(movers, &mut tally);
        if tally.cycles {
            self.each_cycle(movers, tally.best, |_| tally.count += 1);
        }
        tally.count
    }

    /// The captures of many pieces, each once however many ways lead to it.
    #[cold]
    #[inline(never)]
    fn each_cycle(&self, movers: Pieces, best: Rank, mut each: impl FnMut(Move)) {
        let mut gather = Gather { best, cycle: self.cycle(), moves: Moves::new() };
        self.hunt(movers, &mut gather);
        gather.moves.for_each(&mut each);
    }
}

/// Pieces of the side to move, or squares where they arrive.
#[derive(Clone, Copy, Debug, Default)]
struct Pieces {
    men: u64,
    kings: u64,
}

impl Pieces {
    #[inline]
    fn any(self) -> bool {
        self.men | self.kings != 0
    }

    #[inline]
    fn add(&mut self, set: u64, king: bool) {
        *(if king { &mut self.kings } else { &mut self.men }) |= set;
    }

    #[inline]
    fn without(self, others: Pieces) -> Pieces {
        Pieces { men: self.men & !others.men, kings: self.kings & !others.kings }
    }
}

/// The number of the n-th bit of a set, from 0.
#[inline]
fn nth(mut set: u64, n: usize) -> usize {
    debug_assert!(n < set.count_ones() as usize);
    for _ in 0..n {
        set &= set - 1;
    }
    set.trailing_zeros() as usize
}
