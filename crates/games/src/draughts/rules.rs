//! [`Draughts`]: the rules.

use game::{
    Decisive, DrawCount, EndReason, Game, MoveSink, Path, Recall, Rng, Side, WinningSets, mix,
};

use super::board::BITS;
#[cfg(feature = "reference")]
use super::catchers::Ways;
use super::draws::{Draws, Ending, Reset};
use super::moves::Scene;
use super::parameters::Parameters;
use super::position::{Colour, Move, Position, Run};
use super::squares::Squares;
use super::switches::{AnyRules, Rules};

/// The rules of draughts, with switches that are read through `R`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draughts<R = AnyRules> {
    rules: R,
    draws: Draws,
    /// What a quiet ply adds to the count: nothing where nobody asks for it.
    quiet_ply: u16,
    parameters: Parameters,
}

/// Does something with the scene of a position, compiled for each colour: men then move by constant
/// shifts.
macro_rules! by_colour {
    ($game:expr, $p:expr, $scene:ident => $do:expr) => {
        match $p.colour {
            Colour::White => {
                let $scene = $game.scene::<true>($p);
                $do
            }
            Colour::Black => {
                let $scene = $game.scene::<false>($p);
                $do
            }
        }
    };
}

impl<R: Rules> Draughts<R> {
    /// The game with these parameters; `None` if `R` is made for other switches. [`AnyRules`] serves
    /// all.
    #[must_use]
    pub fn new(parameters: Parameters) -> Option<Draughts<R>> {
        let rules = R::with(parameters.switches())?;
        let draws = parameters.draws();
        let quiet_ply = u16::from(draws.counts());
        Some(Draughts { rules, draws, quiet_ply, parameters })
    }

    /// What was chosen.
    #[must_use]
    pub fn parameters(&self) -> Parameters {
        self.parameters
    }

    /// Every way to capture, also those that end alike; steps if there is none. Some tables of perft
    /// count so.
    #[cfg(feature = "reference")]
    pub fn generate_ways(&self, p: &Position, ways: Ways, out: &mut impl MoveSink<Move>) {
        match ways {
            Ways::Turns => by_colour!(self, p, scene => scene.generate_ways::<false>(out)),
            Ways::Landings => by_colour!(self, p, scene => scene.generate_ways::<true>(out)),
        }
    }

    pub(super) fn rules(&self) -> R {
        self.rules
    }

    pub(super) fn draws(&self) -> &Draws {
        &self.draws
    }

    /// The names of squares.
    pub(super) fn squares(&self) -> Squares {
        let variant = self.parameters.variant();
        Squares {
            size: self.rules.switches().size,
            numbering: variant.numbering(),
            algebraic: variant.algebraic(),
        }
    }

    #[inline]
    fn scene<const WHITE: bool>(&self, p: &Position) -> Scene<R, WHITE> {
        Scene::new(self.rules, p)
    }

    #[inline]
    pub(super) fn side(&self, colour: Colour) -> Side {
        if colour == self.rules.switches().first { Side::First } else { Side::Second }
    }

    /// Which count has run out, or whether the position has come too often.
    #[inline(always)]
    fn drawn(&self, p: &Position, path: &Path) -> Option<EndReason> {
        let Draws { plies, repetitions, reset, .. } = self.draws;
        if plies != 0 && p.quiet >= plies {
            return Some(EndReason::Quiet { plies, without: reset.into() });
        }
        if p.ending != 0
            && let Some(Ending { plies, .. }) = self.draws.ending(p)
            && u16::from(p.ending) >= plies
        {
            return Some(EndReason::Quiet { plies, without: Decisive::Ending });
        }
        // It takes four plies to come back to a position.
        let earlier = usize::from(repetitions).saturating_sub(1);
        let often =
            earlier != 0 && usize::from(p.quiet) >= 4 * earlier && self.came_back(p, path, earlier);
        often.then_some(EndReason::Repetition(earlier + 1))
    }

    /// Why the game is over. Who cannot move has lost, whatever was counted.
    pub(super) fn reason_of_end(&self, p: &Position, path: &Path) -> EndReason {
        let draw = if self.is_stuck(p) { None } else { self.drawn(p, path) };
        let lost = if p.own == 0 { EndReason::NoPiece } else { EndReason::NoMove };
        draw.unwrap_or(lost)
    }

    fn came_back(&self, p: &Position, path: &Path, earlier: usize) -> bool {
        self.occurrences(p, path) >= earlier
    }

    /// How often the position was there before.
    fn occurrences(&self, p: &Position, path: &Path) -> usize {
        let key = self.path_key(p);
        path.newest(p.quiet.into()).iter().filter(|&&k| k == key).count()
    }

    /// How far the counts have come, for people.
    pub(super) fn counts(&self, p: &Position, path: &Path) -> Vec<DrawCount> {
        let Draws { plies, reset, repetitions, .. } = self.draws;
        let quiet = |done: usize, plies, without| DrawCount {
            done,
            end: EndReason::Quiet { plies, without },
        };
        let ending = self.draws.ending(p);
        let ending = ending.map(|ending| quiet(p.ending.into(), ending.plies, Decisive::Ending));
        let repeated = match self.occurrences(p, path) {
            0 => None,
            earlier => {
                let end = EndReason::Repetition(repetitions.into());
                Some(DrawCount { done: 1 + earlier, end })
            }
        };
        let counts = [Some(quiet(p.quiet.into(), plies, reset.into())), ending, repeated];
        counts.into_iter().flatten().filter(|count| count.done > 0 && count.of() > 0).collect()
    }

    /// The counts after a move, which has been made but for them.
    #[inline]
    fn count_on(&self, before: &Position, p: &mut Position, m: Move, king: bool) {
        let quiet = m.captured == 0 && (king || self.draws.reset == Reset::Capture);
        p.quiet = if quiet { before.quiet.saturating_add(self.quiet_ply) } else { 0 };
        if p.kings != 0
            && let Some(ending) = self.draws.ending(p)
        {
            let same = self.draws.ending(before) == Some(ending);
            p.ending = if same { before.ending.saturating_add(1) } else { 0 };
        } else {
            p.ending = 0;
        }
        if self.rules.switches().restless {
            p.runs = runs_after(before, p, m, king);
        }
    }

    #[inline]
    fn hash(p: &Position, runs: [u64; 2]) -> u64 {
        const TURN: usize = 63;
        let turn = u64::from(p.colour == Colour::Black) << TURN;
        // Scrambled side by side, none waits for another; and turned, they cannot stand for each other.
        let own = mix(p.own | runs[0] << BITS | turn);
        let other = mix(p.other | runs[1] << BITS).rotate_left(21);
        own ^ other ^ mix(p.kings).rotate_left(42)
    }
}

/// Kings on the run after a move, the new side to move first.
fn runs_after(before: &Position, p: &Position, m: Move, king: bool) -> [Run; 2] {
    let [mine, theirs] = before.runs;
    let has_men = |pieces: u64| pieces & !p.kings != 0;
    let mine = if m.captured != 0 || !king || !has_men(p.other) {
        Run::default()
    } else {
        let moves = if mine.moves > 0 && mine.king == m.from { mine.moves + 1 } else { 1 };
        Run { moves, king: m.to }
    };
    let lost = theirs.moves > 0 && m.captured >> theirs.king & 1 == 1;
    let theirs = if lost || !has_men(p.own) { Run::default() } else { theirs };
    [theirs, mine]
}

impl<R: Rules> Game for Draughts<R> {
    type Position = Position;
    type Move = Move;
    type Undo = Position;

    const ALTERNATES: bool = true;

    fn start(&self) -> Position {
        let switches = self.rules.switches();
        Position::start(switches.size, self.parameters.men(), switches.first)
    }

    #[inline]
    fn to_move(&self, p: &Position) -> Side {
        self.side(p.colour)
    }

    #[inline]
    fn generate(&self, p: &Position, out: &mut impl MoveSink<Move>) {
        by_colour!(self, p, scene => scene.generate(out));
    }

    /// Only who cannot move has lost.
    #[inline]
    fn margin(&self, _: &Position) -> Option<i32> {
        None
    }

    fn stuck(&self, p: &Position) -> i32 {
        -self.to_move(p).sign()
    }

    fn margin_limit(&self) -> i32 {
        1
    }

    #[inline]
    fn make(&self, p: &mut Position, m: Move) -> Position {
        let before = *p;
        let (from, to) = (1 << m.from, 1 << m.to);
        debug_assert!(before.own & from != 0 && m.captured & !before.other == 0, "{m:?}");
        let king = before.kings & from != 0;
        p.own = before.other & !m.captured;
        p.other = before.own & !from | to;
        p.kings = before.kings & !(m.captured | from) | if king || m.crowns { to } else { 0 };
        p.colour = before.colour.other();
        self.count_on(&before, p, m, king);
        before
    }

    #[inline]
    fn unmake(&self, p: &mut Position, _: Move, before: Position) {
        *p = before;
    }

    #[inline]
    fn key(&self, p: &Position) -> u64 {
        Self::hash(p, p.runs.map(Run::packed))
    }

    #[inline]
    fn path_key(&self, p: &Position) -> u64 {
        Self::hash(p, [0; 2])
    }

    fn looks_back(&self) -> bool {
        self.draws != Draws::NONE
    }

    #[inline]
    fn recall(&self, p: &Position, path: &Path) -> Recall {
        // Who cannot move has lost, whatever was counted.
        let over = self.drawn(p, path).is_some() && self.count(p) != 0;
        if over { Recall::Over(0) } else { Recall::Fresh }
    }

    fn slots(&self) -> usize {
        BITS * BITS
    }

    #[inline]
    fn slot(&self, m: Move) -> usize {
        m.from() * BITS + m.to()
    }

    #[inline]
    fn code(&self, m: Move) -> u32 {
        let captured = (mix(m.captured) >> 57) as u32;
        captured << 13 | u32::from(m.crowns) << 12 | u32::from(m.from) << 6 | u32::from(m.to)
    }

    #[inline(always)]
    fn count(&self, p: &Position) -> usize {
        by_colour!(self, p, scene => scene.count())
    }

    #[inline]
    fn is_stuck(&self, p: &Position) -> bool {
        by_colour!(self, p, scene => scene.is_stuck())
    }

    #[inline]
    fn sample(&self, p: &Position, rng: &mut Rng) -> Option<Move> {
        by_colour!(self, p, scene => scene.sample(rng))
    }
}

impl<R: Rules> WinningSets for Draughts<R> {}
