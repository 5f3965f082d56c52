//! What a worker does with a unit: from its name to a position, from the position to an answer.

use std::cell::RefCell;
use std::fmt;
use std::str::FromStr;

use evaluation::Proofs;
use game::{Game, Notation, Path, Recall, Side, TextError, allows, moves_of, sort_by_rank};
use play::{Info, Limits, Stop};
use search::{Decision, ProofTable, Prover, Proving, SearchRoot, Settings, Table, decide};

use crate::question::Bounds;
use crate::queue::{Finding, Unit};
use crate::tree::{Manner, Sight};

/// How a unit is worked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Depth first with null windows, as MTD(f) asks, and one table for all threads.
    #[default]
    AlphaBeta,
    /// Depth-first proof-number search, with a table for each thread.
    ProofNumber,
    /// Not at all: every unit only looks where its moves lead, so that the tree in the store is searched best first.
    BestFirst,
    /// There are no units: all positions that can come up are found, tier by tier, and judged from the last to the first.
    Retrograde,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 4] =
        [Method::AlphaBeta, Method::ProofNumber, Method::BestFirst, Method::Retrograde];

    /// As the command line writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Method::AlphaBeta => "alphabeta",
            Method::ProofNumber => "proof",
            Method::BestFirst => "bestfirst",
            Method::Retrograde => "retrograde",
        }
    }

    /// The largest number of nodes of a unit: less than a minute of work.
    #[must_use]
    pub fn slice(self) -> u64 {
        match self {
            Method::AlphaBeta => 32_000_000,
            Method::ProofNumber => 2_000_000,
            Method::BestFirst | Method::Retrograde => 0,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Method, TextError> {
        let names = Method::ALL.map(Method::name).join(", ");
        let known = Method::ALL.into_iter().find(|method| method.name() == text);
        known.ok_or_else(|| TextError::new(text, format!("there are the methods {names}")))
    }
}

/// How much is found out about a game (Allis 1994).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proof {
    /// What the position asked about is worth, by an argument that may not tell how to get it.
    Ultraweak,
    /// What the position asked about is worth, and how to get it.
    #[default]
    Weak,
    /// The same for every position that can come up.
    Strong,
}

impl Proof {
    /// All of them.
    pub const ALL: [Proof; 3] = [Proof::Ultraweak, Proof::Weak, Proof::Strong];

    /// As the command line writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Proof::Ultraweak => "ultraweak",
            Proof::Weak => "weak",
            Proof::Strong => "strong",
        }
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Proof {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Proof, TextError> {
        let names = Proof::ALL.map(Proof::name).join(", ");
        let known = Proof::ALL.into_iter().find(|proof| proof.name() == text);
        known.ok_or_else(|| TextError::new(text, format!("a proof is {names}")))
    }
}

/// A game, where to begin, and what its searches are compiled with.
#[derive(Debug)]
pub struct Problem<'a, G: Game, H> {
    /// The rules.
    pub game: &'a G,
    /// The position asked about.
    pub start: &'a G::Position,
    /// The positions before it.
    pub path: &'a Path,
    /// What an engine believes; a solver uses what is proof, and the order of moves.
    pub heuristics: &'a H,
}

/// A place on the board, with what led there.
pub(crate) struct OnBoard<G: Game> {
    pub(crate) name: String,
    pub(crate) position: G::Position,
    pub(crate) path: Path,
}

/// Between two moves of a name.
const NEXT: char = ' ';

impl<G: Notation, H: Proofs<G>> Problem<'_, G, H> {
    /// The position asked about.
    pub(crate) fn root(&self) -> OnBoard<G> {
        self.place(String::new(), self.start.clone(), self.path.clone())
    }

    /// Where a position has a value of its own it is its own name, the same for all its images; else the moves that led there are.
    fn place(&self, moves: String, position: G::Position, path: Path) -> OnBoard<G> {
        if self.game.looks_back() {
            return OnBoard { name: moves, position, path };
        }
        let (_, symmetry) = self.game.table_key(&position);
        let position = self.game.transform(&position, symmetry);
        OnBoard { name: self.game.write_position(&position), position, path: Path::new() }
    }

    /// The place of that name; what is wrong with it, if a store was tampered with.
    pub(crate) fn find(&self, name: &str) -> Result<OnBoard<G>, TextError> {
        if !self.game.looks_back() {
            let position = self.game.read_position(name)?;
            return Ok(OnBoard { name: name.to_owned(), position, path: Path::new() });
        }
        let mut here = self.root();
        for text in name.split(NEXT).filter(|text| !text.is_empty()) {
            let m = self.game.read_move(&here.position, text)?;
            if !allows(self.game, &here.position, &here.path, m) {
                return Err(TextError::new(text, "not legal here"));
            }
            here = self.after(&here, m);
        }
        Ok(here)
    }

    pub(crate) fn after(&self, here: &OnBoard<G>, m: G::Move) -> OnBoard<G> {
        let text = self.game.write_move(&here.position, m);
        let (mut position, mut path) = (here.position.clone(), here.path.clone());
        path.push(self.game.path_key(&position));
        self.game.make(&mut position, m);
        let moves = match here.name.is_empty() {
            true => text,
            false => format!("{}{NEXT}{text}", here.name),
        };
        self.place(moves, position, path)
    }

    /// What can be seen of a place without a search.
    pub(crate) fn sight(&self, here: &OnBoard<G>) -> Sight {
        let OnBoard { name, position, path } = here;
        let (game, limit) = (self.game, self.game.margin_limit());
        let mover = game.to_move(position);
        let recall = game.recall(position, path);
        let mut bounds = Bounds { lower: -limit, upper: limit };
        let mut moves = 0;
        if let (Some(margin), _) | (None, Recall::Over(margin)) = (game.margin(position), recall) {
            bounds = Bounds { lower: margin, upper: margin };
        } else {
            let legal = |m: &G::Move| allows(game, position, path, *m);
            moves = moves_of(game, position).into_iter().filter(legal).count();
            match recall {
                Recall::Claim(margin) if moves == 0 => {
                    bounds = Bounds { lower: margin, upper: margin };
                }
                Recall::Claim(margin) if mover == Side::First => bounds.lower = margin,
                Recall::Claim(margin) => bounds.upper = margin,
                _ if moves == 0 => {
                    let margin = game.stuck(position);
                    bounds = Bounds { lower: margin, upper: margin };
                }
                _ => {}
            }
        }
        Sight { name: name.clone(), mover, bounds, moves }
    }

    /// Where the moves of a place lead, the most promising first as far as a search that came to nothing has put them in order, with what it has
    /// found out about them.
    fn children(&self, here: &OnBoard<G>, at_least: i32, learnt: &Decision<G::Move>) -> Vec<Sight> {
        let Decision { order, refuted, .. } = learnt;
        let mover_hopes = self.game.to_move(&here.position) == Side::First;
        let rank = |m: &G::Move| match order.iter().position(|known| known == m) {
            Some(place) if place < *refuted => order.len() as u64 + 1,
            // It was not even worth a try.
            None => order.len() as u64,
            Some(place) => place as u64,
        };
        let legal = |m: &G::Move| allows(self.game, &here.position, &here.path, *m);
        let mut moves: Vec<G::Move> =
            moves_of(self.game, &here.position).into_iter().filter(legal).collect();
        sort_by_rank(&mut moves, rank);
        let sight = |m: G::Move| {
            let mut sight = self.sight(&self.after(here, m));
            if order[..*refuted].contains(&m) {
                let bounds = sight.bounds.with(at_least, !mover_hopes);
                sight.bounds = bounds.in_steps(self.game.margin_step());
            }
            sight
        };
        moves.into_iter().map(sight).collect()
    }

    /// Where the moves of a place lead, in the order in which a search would try them.
    pub(crate) fn children_in_order(&self, here: &OnBoard<G>, with: &With<'_>) -> Vec<Sight> {
        // Any question will do, since nobody waits for the answer.
        const ASKED: i32 = 1;
        let learnt = match self.manner(with.method).ordered {
            true => self.decide(here, ASKED, 0, with, &mut |_, _| {}),
            false => Decision::bare(None, None, 0),
        };
        self.children(here, ASKED, &Decision { refuted: 0, ..learnt })
    }

    /// What a tree may rely on: only some searches that come to nothing tell which moves are promising.
    pub(crate) fn manner(&self, method: Method) -> Manner {
        let ordered = method == Method::AlphaBeta && !self.game.looks_back();
        Manner { ordered, step: self.game.margin_step() }
    }

    /// The answer to a yes-or-no question about a place, within a budget.
    pub(crate) fn decide(
        &self,
        here: &OnBoard<G>,
        at_least: i32,
        budget: u64,
        with: &With<'_>,
        visited: &mut dyn FnMut(u64, u32),
    ) -> Decision<G::Move> {
        let OnBoard { position, path, .. } = here;
        let from = SearchRoot { game: self.game, position, path, among: &[] };
        let limits = Limits { nodes: Some(budget), ..Limits::default() };
        let heuristics = self.heuristics.clone();
        let mut progress = |now: &Info<G::Move>| visited(now.nodes, now.selective_depth);
        match with.method {
            Method::AlphaBeta => {
                let settings = Settings { limits, ..Settings::default() };
                decide(with.table, &from, at_least, heuristics, &settings, with.stop, &mut progress)
            }
            Method::ProofNumber => {
                let proving = Proving { symmetry: true, bounds: true, ranking: true, limits };
                let proofs = &mut *with.proofs.borrow_mut();
                // What a unit takes must not depend on the units before it.
                proofs.clear();
                let mut prover =
                    Prover::new(proofs, &from, heuristics, &proving, with.stop, &mut progress);
                let answer = prover.ask(at_least);
                Decision::bare(answer.holds, answer.best, prover.nodes())
            }
            Method::BestFirst | Method::Retrograde => Decision::bare(None, None, 1),
        }
    }

    /// Works at a unit. `None` if it was stopped before its budget was used up.
    pub(crate) fn work(
        &self,
        unit: &Unit,
        is_last_try: bool,
        with: &With<'_>,
        visited: &mut dyn FnMut(u64, u32),
    ) -> Result<Option<(Finding, u64)>, TextError> {
        let here = self.find(&unit.name)?;
        let learnt = self.decide(&here, unit.at_least, unit.budget, with, visited);
        let finding = match learnt.holds {
            Some(holds) => Finding::Holds(holds),
            None if with.stop.is_stopped() => return Ok(None),
            None if is_last_try => Finding::Split(self.children(&here, unit.at_least, &learnt)),
            None => Finding::OverBudget,
        };
        Ok(Some((finding, learnt.nodes)))
    }
}

/// What a worker works with.
#[derive(Debug)]
pub(crate) struct With<'a> {
    pub(crate) method: Method,
    /// Shared by all who search depth first.
    pub(crate) table: &'a Table,
    /// This worker's own, for proof numbers.
    pub(crate) proofs: &'a RefCell<ProofTable>,
    pub(crate) stop: &'a Stop,
}
