//! [`SolverRules`]: a game as a solver sees it, by names of nodes and without types; and [`Problem`], which
//! makes one of any game.

use evaluation::Proofs;
use game::{
    Game, Notation, Path, Recall, Side, TextError, WinningSets, allows, moves_of, sort_by_rank,
};
use play::{Info, Limits, Stop};
use search::{Decision, ProofTable, Prover, Proving, SearchRoot, Settings, Table, decide};

use crate::certify::Certifier;
use crate::goal::Bounds;
use crate::message::SolverVersion;
use crate::method::Method;
use crate::name::NodeName;
use crate::tree::{Manner, Sight};

/// A game, the position asked about, and what its searches find. All that is said about a node
/// follows from its name; what is wrong with a name is told as an error.
pub trait SolverRules: Send + Sync {
    /// The game with its parameters.
    fn game(&self) -> String;

    /// The position asked about, as text.
    fn root_text(&self) -> String;

    /// Whose results can be compared with those of these searches.
    fn version(&self) -> SolverVersion;

    /// The node of that position.
    fn root(&self) -> NodeName;

    /// No margin lies beyond this.
    fn margin_limit(&self) -> i32;

    /// What a tree may rely on.
    fn manner(&self, method: Method) -> Manner;

    /// A node as people write it: its position, or the moves that lead there.
    fn text(&self, name: &NodeName) -> Result<String, TextError>;

    /// The node of such a text.
    fn read(&self, text: &str) -> Result<NodeName, TextError>;

    /// What can be seen of a node without a search.
    fn sight(&self, name: &NodeName) -> Result<Sight, TextError>;

    /// What tells how much work a node is.
    fn measures(&self, name: &NodeName) -> Result<Measures, TextError>;

    /// Where all moves of a node lead: first those in this order, by their place among the legal
    /// moves, then the others as the rules list them. What is no move is passed over.
    fn children(&self, name: &NodeName, order: &[u16]) -> Result<Vec<Child>, TextError>;

    /// Who proves answers for others; nobody where rules look back.
    fn certifier(&self) -> Option<&dyn Certifier> {
        None
    }

    /// Answers whether the first player's margin is at least this, within a budget.
    fn search(
        &self,
        name: &NodeName,
        at_least: i32,
        budget: u64,
        with: &mut With<'_>,
    ) -> Result<Searched, TextError>;
}

/// Where a move leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child {
    /// Its place among all legal moves, in ascending order of their codes.
    pub place: u16,
    /// The node.
    pub sight: Sight,
}

/// What tells how much work a node is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Measures {
    /// How many plies are left at most; 0 if nobody knows.
    pub plies_left: u32,
    /// How many moves there are.
    pub moves: u32,
    /// The binary logarithm of the evaluation, in its own unit.
    pub lead: u32,
}

/// What a search came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Searched {
    /// The answer; `None` if the budget was used up first, or somebody said stop.
    pub holds: Option<bool>,
    /// Positions visited.
    pub nodes: u64,
    /// Without an answer: the moves, the most promising first, by their place among the legal
    /// moves; those that are missing were not worth a try.
    pub order: Vec<u16>,
    /// Of those, the ones that surely do not lead to what the side to move hopes for.
    pub refuted: Vec<u16>,
}

/// What a worker works with.
#[allow(missing_debug_implementations, reason = "it holds a function")]
pub struct With<'a> {
    /// How.
    pub method: Method,
    /// For whoever searches depth first.
    pub table: &'a Table,
    /// For proof numbers.
    pub proofs: &'a mut ProofTable,
    /// Ends the search early.
    pub stop: &'a Stop,
    /// Hears of the nodes of this search and its deepest line.
    pub visited: &'a mut VisitedFn<'a>,
}

/// See [`With::visited`].
pub type VisitedFn<'a> = dyn FnMut(u64, u32) + Send + 'a;

/// A game, where to begin, and what its searches are compiled with.
#[derive(Debug)]
pub struct Problem<G: Game, H> {
    /// The rules.
    pub game: G,
    /// The position asked about.
    pub start: G::Position,
    /// The positions before it.
    pub path: Path,
    /// What an engine believes; a solver uses what is proof, and the order of moves.
    pub heuristics: H,
    /// The version of all of it.
    pub solver: SolverVersion,
}

/// A node on the board, with what led there.
pub(crate) struct OnBoard<G: Game> {
    pub(crate) name: NodeName,
    pub(crate) position: G::Position,
    path: Path,
}

impl<G: Notation, H: Proofs<G>> Problem<G, H> {
    /// The node of a position: its smallest image, where it has a value of its own.
    pub(crate) fn at(&self, position: &G::Position) -> OnBoard<G> {
        let (name, symmetry) = self.game.canonical_name(position);
        let position = self.game.transform(position, symmetry);
        OnBoard { name: NodeName::new(name), position, path: Path::new() }
    }

    fn here(&self) -> OnBoard<G> {
        if self.game.looks_back() {
            let (position, path) = (self.start.clone(), self.path.clone());
            return OnBoard { name: NodeName::new([]), position, path };
        }
        self.at(&self.start)
    }

    /// The node of that name; what is wrong with it, if somebody tampered with it.
    pub(crate) fn find(&self, name: &NodeName) -> Result<OnBoard<G>, TextError> {
        if !self.game.looks_back() {
            let position = self.game.unpack(name.as_bytes())?;
            return Ok(OnBoard { name: name.clone(), position, path: Path::new() });
        }
        let mut here = self.here();
        for place in places(name.as_bytes())? {
            let moves = self.legal(&here);
            let m = moves.get(usize::from(place)).copied();
            let m = m.ok_or_else(|| TextError::new(&name.to_string(), "leads to no node"))?;
            here = self.after(&here, m, place);
        }
        Ok(here)
    }

    /// The node after a move, which has this place among the legal ones.
    pub(crate) fn after(&self, here: &OnBoard<G>, m: G::Move, place: u16) -> OnBoard<G> {
        let mut position = here.position.clone();
        if !self.game.looks_back() {
            self.game.make(&mut position, m);
            return self.at(&position);
        }
        let mut path = here.path.clone();
        path.push(self.game.path_key(&position));
        self.game.make(&mut position, m);
        let mut name = here.name.as_bytes().to_vec();
        push_place(&mut name, place);
        OnBoard { name: NodeName::new(name), position, path }
    }

    /// The legal moves in ascending order of their codes.
    fn legal(&self, here: &OnBoard<G>) -> Vec<G::Move> {
        let mut moves = self.listed(here);
        sort_by_rank(&mut moves, |&m| self.game.code(m).into());
        moves
    }

    /// The legal moves as the rules list them.
    fn listed(&self, here: &OnBoard<G>) -> Vec<G::Move> {
        let is_legal = |m: &G::Move| allows(&self.game, &here.position, &here.path, *m);
        moves_of(&self.game, &here.position).into_iter().filter(is_legal).collect()
    }

    /// The places of all moves among the legal ones, in the order in which the rules list them:
    /// where nothing else is known, that is an order as good as any.
    fn listed_places(&self, here: &OnBoard<G>, legal: &[G::Move]) -> Vec<u16> {
        let place = |m: G::Move| legal.iter().position(|&known| known == m);
        self.listed(here).into_iter().filter_map(place).map(|place| place as u16).collect()
    }

    fn seen(&self, here: &OnBoard<G>) -> Sight {
        let OnBoard { name, position, path } = here;
        let (game, limit) = (&self.game, self.game.margin_limit());
        let mover = game.to_move(position);
        let recall = game.recall(position, path);
        let mut bounds = Bounds { lower: -limit, upper: limit };
        let mut moves = 0;
        if let (Some(margin), _) | (None, Recall::Over(margin)) = (game.margin(position), recall) {
            bounds = Bounds::exactly(margin);
        } else {
            moves = self.legal(here).len();
            match recall {
                Recall::Claim(margin) if moves == 0 => bounds = Bounds::exactly(margin),
                Recall::Claim(margin) if mover == Side::First => bounds.lower = margin,
                Recall::Claim(margin) => bounds.upper = margin,
                _ if moves == 0 => bounds = Bounds::exactly(game.stuck(position)),
                _ => {}
            }
        }
        let moves = moves.min(u16::MAX.into()) as u16;
        let outlook = if bounds.exact().is_some() { None } else { self.outlook(position) };
        Sight { name: name.clone(), mover, bounds, moves, outlook }
    }

    /// See [`Sight::outlook`].
    fn outlook(&self, position: &G::Position) -> Option<i8> {
        let mut heuristics = self.heuristics.clone();
        heuristics.begin(&self.game, position);
        let score = heuristics.evaluate(&self.game, position);
        let expected = heuristics.outlook(score)?.clamp(-127, 127);
        Some((expected * self.game.to_move(position).sign()) as i8)
    }

    /// The answer to a yes-or-no question about a node, within a budget.
    pub(crate) fn decide(
        &self,
        here: &OnBoard<G>,
        at_least: i32,
        budget: u64,
        with: &mut With<'_>,
    ) -> Decision<G::Move> {
        let OnBoard { position, path, .. } = here;
        let from = SearchRoot { game: &self.game, position, path, among: &[] };
        let limits = Limits { nodes: Some(budget), ..Limits::default() };
        let heuristics = self.heuristics.clone();
        let visited = &mut with.visited;
        let mut progress = |now: &Info<G::Move>| visited(now.nodes, now.selective_depth);
        match with.method {
            Method::AlphaBeta => {
                let settings = Settings { limits, ..Settings::default() };
                decide(with.table, &from, at_least, heuristics, &settings, with.stop, &mut progress)
            }
            Method::ProofNumber => {
                let proving = Proving { symmetry: true, bounds: true, ranking: true, limits };
                // What a unit takes must not depend on the units before it.
                with.proofs.clear();
                let (proofs, stop) = (&mut *with.proofs, with.stop);
                let mut prover =
                    Prover::new(proofs, &from, heuristics, &proving, stop, &mut progress);
                let answer = prover.ask(at_least);
                Decision::bare(answer.holds, answer.best, prover.nodes())
            }
            Method::BestFirst | Method::Retrograde => Decision::bare(None, None, 1),
        }
    }
}

impl<G: Notation + WinningSets, H: Proofs<G> + Sync> SolverRules for Problem<G, H> {
    fn game(&self) -> String {
        self.game.spec()
    }

    fn root_text(&self) -> String {
        self.game.write_position(&self.start)
    }

    fn version(&self) -> SolverVersion {
        self.solver
    }

    fn root(&self) -> NodeName {
        self.here().name
    }

    fn margin_limit(&self) -> i32 {
        self.game.margin_limit()
    }

    /// Only some searches that come to nothing tell which moves are promising.
    fn manner(&self, method: Method) -> Manner {
        let ordered = method == Method::AlphaBeta && !self.game.looks_back();
        Manner { ordered, step: self.game.margin_step() }
    }

    fn text(&self, name: &NodeName) -> Result<String, TextError> {
        if !self.game.looks_back() {
            return Ok(self.game.write_position(&self.find(name)?.position));
        }
        let (mut here, mut texts) = (self.here(), Vec::new());
        for place in places(name.as_bytes())? {
            let m = self.legal(&here).get(usize::from(place)).copied();
            let m = m.ok_or_else(|| TextError::new(&name.to_string(), "leads to no node"))?;
            texts.push(self.game.write_move(&here.position, m));
            here = self.after(&here, m, place);
        }
        Ok(texts.join(" "))
    }

    fn read(&self, text: &str) -> Result<NodeName, TextError> {
        if !self.game.looks_back() {
            return Ok(self.at(&self.game.read_position(text)?).name);
        }
        let mut here = self.here();
        for text in text.split_whitespace() {
            let m = self.game.read_move(&here.position, text)?;
            let place = self.legal(&here).iter().position(|&legal| legal == m);
            let place = place.ok_or_else(|| TextError::new(text, "not legal here"))?;
            here = self.after(&here, m, place as u16);
        }
        Ok(here.name)
    }

    fn sight(&self, name: &NodeName) -> Result<Sight, TextError> {
        Ok(self.seen(&self.find(name)?))
    }

    fn measures(&self, name: &NodeName) -> Result<Measures, TextError> {
        let here = self.find(name)?;
        let moves = self.legal(&here).len() as u32;
        let mut heuristics = self.heuristics.clone();
        heuristics.begin(&self.game, &here.position);
        let is_over = self.game.margin(&here.position).is_some();
        let score = if is_over { 0 } else { heuristics.evaluate(&self.game, &here.position) };
        let lead = score.unsigned_abs().saturating_add(1).ilog2();
        let plies_left = self.game.plies_left(&here.position).unwrap_or(0);
        Ok(Measures { plies_left, moves, lead })
    }

    fn children(&self, name: &NodeName, order: &[u16]) -> Result<Vec<Child>, TextError> {
        let here = self.find(name)?;
        let moves = self.legal(&here);
        let others = self.listed_places(&here, &moves);
        let mut left: Vec<Option<G::Move>> = moves.into_iter().map(Some).collect();
        let mut children = Vec::with_capacity(left.len());
        for &place in order.iter().chain(&others) {
            if let Some(m) = left.get_mut(usize::from(place)).and_then(Option::take) {
                let sight = self.seen(&self.after(&here, m, place));
                children.push(Child { place, sight });
            }
        }
        Ok(children)
    }

    fn certifier(&self) -> Option<&dyn Certifier> {
        (!self.game.looks_back()).then_some(self)
    }

    fn search(
        &self,
        name: &NodeName,
        at_least: i32,
        budget: u64,
        with: &mut With<'_>,
    ) -> Result<Searched, TextError> {
        let here = self.find(name)?;
        let Decision { holds, nodes, order, refuted, .. } =
            self.decide(&here, at_least, budget, with);
        if holds.is_some() {
            return Ok(Searched { holds, nodes, ..Searched::default() });
        }
        let moves = self.legal(&here);
        let place = |m: &G::Move| moves.iter().position(|known| known == m);
        let places: Vec<u16> =
            order.iter().map(|m| place(m).map_or(u16::MAX, |place| place as u16)).collect();
        let (failed, promising) = places.split_at(refuted.min(places.len()));
        // What failed goes behind what was not even worth a try.
        let listed = self.listed_places(&here, &moves);
        let untried = listed.into_iter().filter(|place| !places.contains(place));
        let order = promising.iter().copied().chain(untried).chain(failed.iter().copied());
        Ok(Searched { holds, nodes, order: order.collect(), refuted: failed.to_vec() })
    }
}

/// Adds a move to a name: its place among the legal moves, seven bits a byte.
fn push_place(name: &mut Vec<u8>, mut place: u16) {
    while place >= 0x80 {
        name.push(place as u8 | 0x80);
        place >>= 7;
    }
    name.push(place as u8);
}

/// The moves of a name.
fn places(name: &[u8]) -> Result<Vec<u16>, TextError> {
    let mut places = Vec::new();
    let (mut place, mut shift) = (0u32, 0);
    for &byte in name {
        place |= u32::from(byte & 0x7f) << shift;
        shift += 7;
        let is_last = byte < 0x80;
        if is_last && (byte > 0 || shift == 7) && place <= u16::MAX.into() {
            places.push(place as u16);
            (place, shift) = (0, 0);
        } else if is_last || shift > 14 {
            return Err(TextError::new(
                "the name of a node",
                "its moves are not as they should be",
            ));
        }
    }
    match shift {
        0 => Ok(places),
        _ => Err(TextError::new("the name of a node", "its last move is cut off")),
    }
}
