//! All moves of a position: captures if there are any, else steps.

use game::{MoveSink, Rng};

use super::board::{DIAGONAL, before, bits};
use super::captures::{Catcher, Hunter, Rank, forward, jumpers};
#[cfg(feature = "reference")]
use super::catchers::EveryWay;
use super::catchers::{Best, Emit, Gather, Moves, Pick, Tally};
use super::position::{Colour, Move, Position};
use super::switches::{Majority, Rules, Switches};

/// The board as the generator sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scene {
    switches: Switches,
    colour: Colour,
    men: u64,
    kings: u64,
    /// Kings that may go without capturing.
    rested: u64,
    prey: u64,
    royals: u64,
    empty: u64,
}

impl Scene {
    /// A position as it is.
    #[inline]
    pub(super) fn new(rules: impl Rules, p: &Position) -> Scene {
        let switches = rules.switches();
        let (kings, tired) = (p.own & p.kings, p.runs[0].tired());
        Scene {
            switches,
            colour: p.colour,
            men: p.own & !p.kings,
            kings,
            rested: if switches.restless { kings & !tired } else { kings },
            prey: p.other,
            royals: p.other & p.kings,
            empty: switches.size.all() & !(p.own | p.other),
        }
    }

    /// Every move once.
    #[inline]
    pub(super) fn generate(&self, out: &mut impl MoveSink<Move>) {
        let movers = self.capturers();
        let steps = !movers.any() || {
            let best = self.best(movers);
            let mut emit =
                Emit { best, cycle: self.cycle(), out: &mut *out, caught: false, cycles: false };
            self.hunt(movers, &mut emit);
            let (caught, cycles) = (emit.caught, emit.cycles);
            if cycles {
                self.each_cycle(movers, best, |m| out.push(m));
            }
            !caught
        };
        if steps {
            self.steps(|from, to, crowns| {
                out.push(Move { from: from as u8, to: to as u8, crowns, captured: 0 });
            });
        }
    }

    /// How many moves there are.
    #[inline]
    pub(super) fn count(&self) -> usize {
        let movers = self.capturers();
        if movers.any() {
            let captures = self.count_captures(movers);
            if captures != 0 {
                return captures;
            }
        }
        let (left, right) = self.man_steps();
        let men = left.count_ones() + right.count_ones();
        let kings = if self.rested == 0 { 0 } else { self.count_king_steps() };
        men as usize + kings
    }

    /// One of the moves, each with the same chance.
    #[inline]
    pub(super) fn sample(&self, rng: &mut Rng) -> Option<Move> {
        let movers = self.capturers();
        if movers.any() {
            let captures = self.count_captures(movers);
            if captures != 0 {
                let mut pick = Pick { left: rng.below(captures), found: None };
                self.generate(&mut pick);
                return pick.found;
            }
        }
        self.sample_step(rng)
    }

    fn sample_step(&self, rng: &mut Rng) -> Option<Move> {
        let (left, right) = self.man_steps();
        let (lefts, rights) = (left.count_ones() as usize, right.count_ones() as usize);
        let kings = if self.rested == 0 { 0 } else { self.count_king_steps() };
        let all = lefts + rights + kings;
        if all == 0 {
            return None;
        }
        let n = rng.below(all);
        if n < lefts + rights {
            let to = if n < lefts { nth(left, n) } else { nth(right, n - lefts) };
            let direction = self.man_directions()[usize::from(n >= lefts)];
            let from = self.switches.size.step_back(1 << to, direction).trailing_zeros();
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
    fn man_steps(&self) -> (u64, u64) {
        let [left, right] = self.man_directions();
        let size = self.switches.size;
        (size.step(self.men, left) & self.empty, size.step(self.men, right) & self.empty)
    }

    #[inline]
    fn man_directions(&self) -> [usize; 2] {
        match self.colour {
            Colour::White => [5, 4],
            Colour::Black => [0, 1],
        }
    }

    #[inline]
    fn crowns(&self, to: usize) -> bool {
        self.switches.size.last_row(self.colour) >> to & 1 == 1
    }

    /// The squares a king reaches without capturing.
    #[inline]
    fn king_targets(&self, from: usize) -> u64 {
        let size = self.switches.size;
        let mut targets = 0;
        for direction in DIAGONAL {
            targets |= if self.switches.flying {
                let ray = size.geometry().rays[from][direction];
                before(ray, ray & !self.empty, direction)
            } else {
                size.step(1 << from, direction) & self.empty
            };
        }
        targets
    }

    #[inline]
    fn count_king_steps(&self) -> usize {
        if self.switches.flying {
            return bits(self.rested)
                .map(|from| self.king_targets(from).count_ones() as usize)
                .sum();
        }
        let size = self.switches.size;
        let steps = DIAGONAL.map(|direction| {
            (size.step(self.rested, direction) & self.empty).count_ones() as usize
        });
        steps.into_iter().sum()
    }

    /// All moves without a capture: from, to, whether a man is crowned.
    #[inline]
    fn steps(&self, mut step: impl FnMut(usize, usize, bool)) {
        let size = self.switches.size;
        let (left, right) = self.man_steps();
        for (targets, direction) in [left, right].into_iter().zip(self.man_directions()) {
            for to in bits(targets) {
                let from = size.step_back(1 << to, direction).trailing_zeros() as usize;
                step(from, to, self.crowns(to));
            }
        }
        for from in bits(self.rested) {
            for to in bits(self.king_targets(from)) {
                step(from, to, false);
            }
        }
    }

    /// The pieces that can capture; of flying kings all, since only looking shows it.
    #[inline]
    fn capturers(&self) -> Capturers {
        let s = self.switches;
        let prey = if s.shielded { self.prey & !self.royals } else { self.prey };
        let towards = |direction| s.back || forward(self.colour, direction);
        let men = jumpers(s, self.men, prey, self.empty, towards);
        let kings = match (self.kings, s.flying) {
            (0, _) => 0,
            (kings, true) => kings,
            (kings, false) => jumpers(s, kings, self.prey, self.empty, |_| true),
        };
        Capturers { men, kings }
    }

    #[inline]
    fn hunt(&self, movers: Capturers, catcher: &mut impl Catcher) {
        for (set, king) in [(movers.men, false), (movers.kings, true)] {
            for from in bits(set) {
                let mut hunter = Hunter {
                    switches: self.switches,
                    colour: self.colour,
                    from: from as u8,
                    king,
                    empty: self.empty | 1 << from,
                    royals: self.royals,
                    catcher: &mut *catcher,
                };
                hunter.hunt(self.prey);
            }
        }
    }

    /// The rank that captures must have.
    #[inline]
    fn best(&self, movers: Capturers) -> Rank {
        match self.switches.majority {
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
        match self.switches {
            Switches { straight: true, .. } => 2,
            Switches { flying: true, .. } => 3,
            _ => 4,
        }
    }

    #[inline]
    fn count_captures(&self, movers: Capturers) -> usize {
        let mut tally =
            Tally { best: Rank::default(), count: 0, cycle: self.cycle(), cycles: false };
        if self.switches.majority == Majority::Kings {
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
    fn each_cycle(&self, movers: Capturers, best: Rank, mut each: impl FnMut(Move)) {
        let mut gather = Gather { best, cycle: self.cycle(), moves: Moves::new() };
        self.hunt(movers, &mut gather);
        gather.moves.for_each(&mut each);
    }
}

/// Pieces worth looking at for captures.
#[derive(Clone, Copy, Debug)]
struct Capturers {
    men: u64,
    kings: u64,
}

impl Capturers {
    #[inline]
    fn any(self) -> bool {
        self.men | self.kings != 0
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
