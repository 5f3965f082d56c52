//! The playing search: principal variations, a table, and guesses at which moves matter. It looks
//! much deeper than the classic searches in the same time: its values are opinions until they are
//! decided.
//!
//! What a game wants of it, it says in its [`Tactics`]: noisy moves are searched beyond the
//! horizon, threats are seen, passing may show that a position is good enough, and where the
//! evaluation has [margins](Tactics::MARGINS), what cannot help any more is left out. A game that
//! says nothing gets none of it; every game gets late moves searched less deeply first.
//!
//! `mod` is the root, `node` a node of the tree, `cuts` what is decided there before a move is
//! tried, `attempt` how a move is tried, `quiet` what lies beyond the horizon, `picker` and
//! `memory` the order of the moves, `reductions` how late is late, `candidates` and `line` what is
//! shown of it.
//!
//! | technique | where | reference |
//! |---|---|---|
//! | aspiration windows | `mod` | Slate and Atkin 1977 |
//! | principal variation search | `attempt` | Marsland and Campbell 1982 |
//! | transposition table, internal iterative reduction | `node` | Greenblatt et al. 1967 |
//! | null-move pruning, with verification | `cuts` | Donninger 1993; Tabibi and Netanyahu 2002 |
//! | singular extension, multi-cut | `cuts` | Anantharaman et al. 1988; Björnsson and Marsland 1999 |
//! | late-move reductions | `attempt` | Romstad 2006 |
//! | futility pruning, reverse futility pruning | `attempt`, `cuts` | Schaeffer 1986; Heinz 1998 |
//! | late-move pruning, history pruning | `attempt` | |
//! | static exchange evaluation | `attempt`, `picker`, `quiet` | |
//! | quiescence search with delta pruning | `quiet` | Shannon 1950 |
//! | killers, history, counter-moves | `memory` | Akl and Newborn 1977; Schaeffer 1983; Uiterwijk 1992 |
//!
//! **Invariant:** a won or lost value is never the result of a guess: moves are left out only
//! beside one that has a score, and guesses are scores.

mod attempt;
mod candidates;
mod cuts;
mod line;
mod memory;
mod node;
mod picker;
mod quiet;
mod reductions;

use evaluation::{Proofs, Tactics};
use game::{Game, Meaning, Recall, Value};

use self::memory::{Memory, PreviousMoves};
use self::picker::Picker;
use self::reductions::Reductions;
use crate::bounds::Depth;
use crate::context::Context;
use crate::root_search::{Lot, RootSearch, aside};
use crate::settings::Settings;

/// The first window around the value of the iteration before, in the game's own score.
const WINDOW: i32 = 20;
/// Shallower searches are too rash to be a guide.
const GUIDED_FROM: u32 = 4;

/// Below it only noisy moves are searched.
const HORIZON: Depth = Depth::new(0);

/// Whether a position may be tested by passing: not twice in a row, which would prove nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NullMove {
    Allowed,
    Forbidden,
}

/// The playing search.
pub(crate) struct Playing<'a, G: Game, H> {
    cx: Context<'a, G, H>,
    memory: Memory,
    picker: Picker<G>,
    /// The way from the root.
    plies: Vec<Ply>,
    reductions: &'static Reductions,
}

/// What is known of the position a ply from the root, and of the move made there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ply {
    /// What the evaluation says, unless a threat makes that idle.
    pub(super) score: Option<i32>,
    /// The counter-move key of the move that is being searched, if it is a move and keys are
    /// wanted.
    pub(super) counter_key: Option<u32>,
    /// The side to move must answer something.
    pub(super) threatened: bool,
    /// The code of a move that is left out, to see what the others are worth.
    pub(super) without: Option<u32>,
}

/// Whether a value is an opinion or a draw.
#[inline]
fn is_score(value: Value) -> bool {
    matches!(value.meaning(), Meaning::Score(_))
}

impl<'a, G: Game, H: Tactics<G> + Proofs<G>> Playing<'a, G, H> {
    pub(crate) fn new(cx: Context<'a, G, H>, settings: &Settings) -> Self {
        let game = cx.line.game;
        let counter_keys = cx.line.heuristics.counter_move_keys(game);
        Playing {
            cx,
            memory: Memory::new(game, counter_keys, settings.techniques),
            picker: Picker::new(settings.techniques.ranking),
            plies: Vec::new(),
            reductions: Reductions::usual(),
        }
    }

    /// Makes room for lines of this length.
    fn reserve(&mut self, plies: usize) {
        if self.plies.len() < plies {
            self.plies.resize(plies, Ply::default());
        }
    }

    /// The moves that led to a ply.
    #[inline]
    fn previous_moves(&self, ply: usize) -> PreviousMoves {
        let counter_key =
            |back: usize| ply.checked_sub(back).and_then(|at| self.plies[at].counter_key);
        PreviousMoves([counter_key(1), counter_key(2)])
    }

    /// Whether the side to move is better off than at its turn before; yes, if the evaluation
    /// cannot say.
    #[inline]
    fn improves(&self, ply: usize) -> bool {
        let score = |back: usize| ply.checked_sub(back).and_then(|at| self.plies[at].score);
        match (score(0), score(2).or_else(|| score(4))) {
            (Some(now), Some(before)) => !G::ALTERNATES || now > before,
            _ => true,
        }
    }

    /// Lines may become twice as long as the depth that was asked for, and a little longer.
    #[inline]
    fn may_extend(&self, ply: usize) -> bool {
        ply < 2 * self.cx.root.depth.raw() as usize + 16
    }

    /// Whether the rules that look back have nothing to say here.
    #[inline]
    fn is_fresh(&self) -> bool {
        self.cx.line.recall() == Recall::Fresh
    }
}

impl<'a, G: Game, H: Tactics<G> + Proofs<G>> RootSearch<'a, G, H> for Playing<'a, G, H> {
    fn context(&mut self) -> &mut Context<'a, G, H> {
        &mut self.cx
    }

    // Aspiration windows: the value is looked for around that of the iteration before. A search
    // that falls outside is repeated with a window that is open that way, and three times as wide.
    fn value(&mut self, depth: Depth, guess: Value) -> Value {
        let mut width = WINDOW;
        let guess = match guess.meaning() {
            Meaning::Score(score) if depth >= Depth::new(GUIDED_FROM) => Some(score),
            _ => None,
        };
        let (mut alpha, mut beta) = match guess {
            Some(score) => (Value::score(score - width), Value::score(score + width)),
            None => (-Value::INFINITY, Value::INFINITY),
        };
        self.prepare(depth);
        loop {
            self.cx.guesses = 0;
            self.cx.line.look_back();
            let value = self.search_node(depth, 0, alpha, beta, NullMove::Forbidden);
            if self.cx.expired() || (alpha < value && value < beta) {
                return value;
            }
            width = width.saturating_mul(3);
            let open = width > 1 << 11;
            match (value.meaning(), open) {
                (Meaning::Score(score), false) if value <= alpha => {
                    alpha = Value::score(score - width);
                }
                (Meaning::Score(score), false) => beta = Value::score(score + width),
                _ if value <= alpha => alpha = -Value::INFINITY,
                _ => beta = Value::INFINITY,
            }
        }
    }

    fn root_move(&mut self, m: G::Move, depth: Depth, alpha: Value, beta: Value) -> Option<Value> {
        self.try_move(m, depth, 0, alpha, beta)
    }

    fn confirm(
        &mut self,
        m: G::Move,
        depth: Depth,
        ply: usize,
        alpha: Value,
        beta: Value,
    ) -> Option<Value> {
        self.try_move(m, depth, ply, alpha, beta)
    }

    fn principal_variation(
        &mut self,
        m: G::Move,
        value: Value,
        _depth: Depth,
        nodes: u64,
    ) -> Vec<G::Move> {
        self.shown_line(m, value, nodes)
    }

    /// Makes room for lines of a search of this depth, and looks at the root.
    fn prepare(&mut self, depth: Depth) {
        self.reserve(3 * depth.raw() as usize + 32);
        self.plies[0].threatened = self.cx.line.must_answer();
    }

    fn candidates(&mut self) -> Option<Vec<G::Move>> {
        Some(self.moves_worth_a_look())
    }

    fn late_news(&mut self, best: G::Move) -> Option<Vec<G::Move>> {
        Some(aside(self, u64::MAX, |search| search.table_line(best)))
    }

    /// The search spends its time on depth rather than on all moves of every iteration, and what it
    /// knows for certain it knows from the depth it has been to.
    fn lot(&mut self, _: Depth) -> Lot {
        Lot { depth: self.cx.root.depth, only_last: true }
    }
}
