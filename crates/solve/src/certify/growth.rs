//! [`Growth`]: the proof of one claim, grown from the position asked about.

use std::collections::{HashMap, HashSet};

use certificate::{Claim, LemmaHash, PlainSearch, is_hopeless};
use evaluation::Proofs;
use game::{Game, Notation, Path, WinningSets, moves_of, sort_by_rank};
use play::{Info, Limits};
use search::{Decision, ProofTable, Prover, Proving, SearchRoot, Settings, decide};

use super::{CertifyError, CertifyStage, Certifying, asked_by};
use crate::pairs::pairs;
use crate::rules::Problem;

/// A proof as a graph in memory.
#[derive(Debug)]
pub(super) struct Growth<P> {
    pub(super) claim: Claim,
    /// Every node after all that it leads to, the position asked about last; none if the checker
    /// settles that by itself.
    pub(super) nodes: Vec<Node>,
    /// What each node stands for.
    pub(super) positions: Vec<P>,
    /// Lemmas that were there before.
    pub(super) lemmas: Vec<UsedLemma>,
}

/// A lemma as those know it who use it.
#[derive(Clone, Debug)]
pub(super) struct UsedLemma {
    pub(super) hash: LemmaHash,
    pub(super) position: String,
    pub(super) claim: Claim,
}

/// Where a move leads, and the symmetry under which it does: to a node or a lemma by its number.
#[derive(Clone, Copy, Debug)]
pub(super) enum Link {
    Settled,
    To(u32, u8),
    Lemma(u32, u8),
}

#[derive(Clone, Debug)]
pub(super) enum Node {
    Choice(u32, Link),
    All(Box<[Link]>),
    Hopeless,
    Pairs(Box<[[u32; 2]]>),
}

impl<P> Growth<P> {
    /// Without nodes that were tried and are not needed.
    fn reachable(mut self) -> Growth<P> {
        let mut needed = vec![false; self.nodes.len()];
        if let Some(root) = needed.last_mut() {
            *root = true;
        }
        for number in (0..self.nodes.len()).rev() {
            if needed[number] {
                for link in self.nodes[number].links() {
                    if let Link::To(node, _) = link {
                        needed[*node as usize] = true;
                    }
                }
            }
        }
        let mut numbers = Vec::with_capacity(needed.len());
        let mut count = 0;
        for &is_needed in &needed {
            numbers.push(count);
            count += u32::from(is_needed);
        }
        let mut is_needed = needed.iter();
        self.positions.retain(|_| is_needed.next() == Some(&true));
        let mut is_needed = needed.iter();
        self.nodes.retain(|_| is_needed.next() == Some(&true));
        for link in self.nodes.iter_mut().flat_map(Node::links_mut) {
            if let Link::To(node, _) = link {
                *node = numbers[*node as usize];
            }
        }
        self
    }
}

impl Node {
    pub(super) fn links(&self) -> &[Link] {
        match self {
            Node::Choice(_, link) => std::slice::from_ref(link),
            Node::All(links) => links,
            Node::Hopeless | Node::Pairs(_) => &[],
        }
    }

    pub(super) fn links_mut(&mut self) -> &mut [Link] {
        match self {
            Node::Choice(_, link) => std::slice::from_mut(link),
            Node::All(links) => links,
            Node::Hopeless | Node::Pairs(_) => &mut [],
        }
    }
}

/// Makes sure that a claim is true, where that is not known.
pub(super) fn must_hold<G: Notation + WinningSets, H: Proofs<G>>(
    problem: &Problem<G, H>,
    position: &G::Position,
    claim: Claim,
    with: &Certifying<'_, G>,
) -> Result<(), CertifyError> {
    let mut maker = Maker::new(problem, claim, with);
    let (asked, wanted) = asked_by(claim);
    let known = (with.known)(position).and_then(|bounds| bounds.answer(asked));
    let holds = match known {
        Some(holds) => Some(holds),
        None => maker.decide(position, asked)?.holds,
    };
    if holds == Some(wanted) { Ok(()) } else { Err(CertifyError::Untrue) }
}

/// Grows the proof of a claim about a position.
pub(super) fn grow<G: Notation + WinningSets, H: Proofs<G>>(
    problem: &Problem<G, H>,
    position: &G::Position,
    claim: Claim,
    with: &Certifying<'_, G>,
    told: &mut Told<'_>,
) -> Result<Growth<G::Position>, CertifyError> {
    let mut maker = Maker::new(problem, claim, with);
    if maker.is_settled(position, 0) {
        return Ok(maker.growth);
    }
    let (key, _) = problem.game.table_key(position);
    maker.circles.open.insert(key);
    loop {
        let before = maker.growth.nodes.len();
        match maker.grow(position, 0, told) {
            // Nodes that were finished rest on no circle. With them there may be other ways out.
            Err(CertifyError::Circular) if maker.growth.nodes.len() > before => {
                maker.circles.failed.clear();
            }
            Err(error) => return Err(error),
            Ok(_) if maker.circles.met => return Ok(maker.growth.reachable()),
            Ok(_) => return Ok(maker.growth),
        }
    }
}

/// Where play goes round in circles: which positions, by their keys, are to be proved on the way to
/// where the growth is, and which could only be proved by these. Nothing may rest on either.
#[derive(Debug, Default)]
struct Circles {
    open: HashSet<u64>,
    failed: HashSet<u64>,
    met: bool,
}

/// A position that takes longer to prove is taken for one that goes round in circles.
const PROVING_NODES: u64 = 20_000_000;

/// The memory for that.
const PROVING_MEGABYTES: usize = 64;

/// Which parts of the checker's budget are tried one after the other.
const PARTS: [u64; 3] = [64, 8, 1];

/// How often something has succeeded lately.
#[derive(Clone, Copy, Debug, Default)]
struct Odds {
    successes: u32,
    tries: u32,
    left_out: u32,
}

impl Odds {
    /// More rarely than one time in so many it is not worth it.
    const WORTH: u32 = 8;
    /// Once in so many times it is tried nevertheless.
    const NEVERTHELESS: u32 = 32;
    /// So many tries are remembered.
    const MEMORY: u32 = 1 << 10;

    fn are_worth_a_try(&mut self) -> bool {
        if (self.successes + 1) * Odds::WORTH > self.tries {
            return true;
        }
        self.left_out += 1;
        self.left_out.is_multiple_of(Odds::NEVERTHELESS)
    }

    fn learn(&mut self, succeeded: bool) {
        self.tries += 1;
        self.successes += u32::from(succeeded);
        if self.tries == Odds::MEMORY {
            (self.tries, self.successes) = (self.tries / 2, self.successes / 2);
        }
    }
}

struct Maker<'a, G: Game, H> {
    problem: &'a Problem<G, H>,
    with: &'a Certifying<'a, G>,
    claim: Claim,
    search: PlainSearch<'a, G>,
    /// By ply, what came of tries to leave positions to the checker, one for each of [`PARTS`].
    odds: Vec<[Odds; PARTS.len()]>,
    /// Nodes by the key of their position. Of two that share a key, which hardly happens, one is
    /// not found again.
    known: HashMap<u64, u32>,
    /// The numbers of lemmas.
    lemmas: HashMap<LemmaHash, u32>,
    circles: Circles,
    /// For games that go round in circles, where depth first comes to no end.
    proofs: Option<ProofTable>,
    growth: Growth<G::Position>,
}

/// Who hears of it.
type Told<'a> = dyn FnMut(CertifyStage<'_>) + Send + 'a;

impl<'a, G: Notation + WinningSets, H: Proofs<G>> Maker<'a, G, H> {
    fn new(
        problem: &'a Problem<G, H>,
        claim: Claim,
        with: &'a Certifying<'a, G>,
    ) -> Maker<'a, G, H> {
        let (nodes, positions, lemmas) = (Vec::new(), Vec::new(), Vec::new());
        Maker {
            problem,
            with,
            claim,
            search: PlainSearch::new(&problem.game),
            odds: Vec::new(),
            known: HashMap::new(),
            lemmas: HashMap::new(),
            circles: Circles::default(),
            proofs: None,
            growth: Growth { claim, nodes, positions, lemmas },
        }
    }

    /// Makes a node of a position that is not settled, so many plies from the one asked about, and
    /// gives its number.
    fn grow(
        &mut self,
        p: &G::Position,
        ply: usize,
        told: &mut Told<'_>,
    ) -> Result<u32, CertifyError> {
        let game = &self.problem.game;
        let node = if let Some(argument) = self.argument(p) {
            argument
        } else if game.to_move(p) == self.claim.hoping() {
            let m = self.choose(p)?;
            match self.link(p, m, ply, told) {
                Err(CertifyError::Circular) => self.another_choice(p, m, ply, told)?,
                link => Node::Choice(game.code(m), link?),
            }
        } else {
            let mut moves = moves_of(game, p);
            // A game that is over otherwise than claimed.
            if moves.is_empty() || game.margin(p).is_some() {
                return Err(CertifyError::Contradiction);
            }
            sort_by_rank(&mut moves, |&m| game.code(m).into());
            let links = moves.into_iter().map(|m| self.link(p, m, ply, told));
            Node::All(links.collect::<Result<_, _>>()?)
        };
        let Growth { nodes, positions, .. } = &mut self.growth;
        nodes.push(node);
        positions.push(p.clone());
        told(CertifyStage::Nodes(nodes.len()));
        Ok(nodes.len() as u32 - 1)
    }

    /// A choice other than one that goes round in circles.
    fn another_choice(
        &mut self,
        p: &G::Position,
        tried: G::Move,
        ply: usize,
        told: &mut Told<'_>,
    ) -> Result<Node, CertifyError> {
        let game = &self.problem.game;
        let (asked, wanted) = asked_by(self.claim);
        for m in moves_of(game, p).into_iter().filter(|&m| m != tried) {
            let mut next = p.clone();
            game.make(&mut next, m);
            let holds = match self.decide(&next, asked) {
                Err(CertifyError::Circular) => continue,
                decided => decided?.holds,
            };
            if holds != Some(wanted) {
                continue;
            }
            match self.link(p, m, ply, told) {
                Err(CertifyError::Circular) => {}
                link => return Ok(Node::Choice(game.code(m), link?)),
            }
        }
        Err(CertifyError::Circular)
    }

    /// A draw that is seen without looking ahead.
    fn argument(&self, p: &G::Position) -> Option<Node> {
        let (game, hoping) = (&self.problem.game, self.claim.hoping());
        if !self.claim.holds(0) {
            return None;
        }
        let needs = game.winning_sets(p, hoping.other())?;
        if is_hopeless(&needs, game.to_move(p) != hoping) {
            return Some(Node::Hopeless);
        }
        pairs(&needs).map(|pairs| Node::Pairs(pairs.into()))
    }

    /// Follows a move.
    fn link(
        &mut self,
        p: &G::Position,
        m: G::Move,
        ply: usize,
        told: &mut Told<'_>,
    ) -> Result<Link, CertifyError> {
        let game = &self.problem.game;
        let mut next = p.clone();
        game.make(&mut next, m);
        let (key, symmetry) = game.table_key(&next);
        let image = game.transform(&next, symmetry);
        let is_it = |node: &&u32| self.growth.positions[**node as usize] == image;
        if let Some(&node) = self.known.get(&key).filter(is_it) {
            return Ok(Link::To(node, symmetry as u8));
        }
        if self.is_settled(&next, ply + 1) {
            return Ok(Link::Settled);
        }
        if let Some(lemma) = self.lemma(&image) {
            return Ok(Link::Lemma(lemma, symmetry as u8));
        }
        if self.with.stop.is_stopped() {
            return Err(CertifyError::Stopped);
        }
        if self.circles.failed.contains(&key) || !self.circles.open.insert(key) {
            self.circles.met = true;
            return Err(CertifyError::Circular);
        }
        let grown = self.grow(&image, ply + 1, told);
        self.circles.open.remove(&key);
        if matches!(grown, Err(CertifyError::Circular)) {
            self.circles.failed.insert(key);
        }
        let node = grown?;
        self.known.insert(key, node);
        Ok(Link::To(node, symmetry as u8))
    }

    /// The number of a lemma about this very position that says enough.
    fn lemma(&mut self, position: &G::Position) -> Option<u32> {
        let (hash, claim) = (self.with.lemmas)(position, self.claim)?;
        if !claim.implies(self.claim) {
            return None;
        }
        let lemmas = &mut self.growth.lemmas;
        Some(*self.lemmas.entry(hash).or_insert_with(|| {
            let position = self.problem.game.write_position(position);
            lemmas.push(UsedLemma { hash, position, claim });
            lemmas.len() as u32 - 1
        }))
    }

    /// Whether the checker needs no help here, as far as it is worth the time to find out: a part
    /// of its budget is always tried, more where that has helped often enough so far from the
    /// position asked about.
    fn is_settled(&mut self, p: &G::Position, ply: usize) -> bool {
        if self.odds.len() <= ply {
            self.odds.resize(ply + 1, Default::default());
        }
        PARTS.into_iter().zip(0..).any(|(part, nth)| {
            let budget = (self.with.leaf_budget / part).max(1);
            if nth > 0 && !self.odds[ply][nth].are_worth_a_try() {
                return false;
            }
            let settled = self.search.settles(p, self.claim, budget) == Some(true);
            self.odds[ply][nth].learn(settled);
            settled
        })
    }

    /// A move of the hoping side that leads to what is claimed.
    fn choose(&mut self, p: &G::Position) -> Result<G::Move, CertifyError> {
        if let Some(m) = self.stored_choice(p) {
            return Ok(m);
        }
        let moves = moves_of(&self.problem.game, p);
        if let [only] = moves[..] {
            return Ok(only);
        }
        let (asked, wanted) = asked_by(self.claim);
        let decided = self.decide(p, asked)?;
        if decided.holds != Some(wanted) {
            return Err(CertifyError::Contradiction);
        }
        if let Some(m) = decided.best {
            return Ok(m);
        }
        // What was clear without a move is clear after some move.
        for m in moves {
            let mut next = p.clone();
            self.problem.game.make(&mut next, m);
            if self.decide(&next, asked)?.holds == Some(wanted) {
                return Ok(m);
            }
        }
        Err(CertifyError::Contradiction)
    }

    /// What is known near the root, where it is enough to choose.
    fn stored_choice(&self, p: &G::Position) -> Option<G::Move> {
        let (asked, wanted) = asked_by(self.claim);
        let game = &self.problem.game;
        let known = |p: &G::Position| {
            let (_, symmetry) = game.table_key(p);
            (self.with.known)(&game.transform(p, symmetry))
        };
        known(p)?;
        moves_of(game, p).into_iter().find(|&m| {
            let mut next = p.clone();
            game.make(&mut next, m);
            known(&next).and_then(|bounds| bounds.answer(asked)) == Some(wanted)
        })
    }

    fn decide(&mut self, p: &G::Position, asked: i32) -> Result<Decision<G::Move>, CertifyError> {
        let game = &self.problem.game;
        if let Some(margin) = game.margin(p) {
            return Ok(Decision::bare(Some(margin >= asked), None, 0));
        }
        let path = Path::new();
        let from = SearchRoot { game, position: p, path: &path, among: &[] };
        let limits = Limits { nodes: Some(u64::MAX), ..Limits::default() };
        let settings = Settings { limits, ..Settings::default() };
        let heuristics = self.problem.heuristics.clone();
        let Certifying { table, stop, .. } = self.with;
        if self.proofs.is_none() {
            let heuristics = heuristics.clone();
            let decided = decide(table, &from, asked, heuristics, &settings, stop, &mut |_| {});
            if decided.holds.is_some() {
                return Ok(decided);
            }
        }
        if stop.is_stopped() {
            return Err(CertifyError::Stopped);
        }
        let proofs = self.proofs.get_or_insert_with(|| ProofTable::new(PROVING_MEGABYTES));
        let limits = Limits { nodes: Some(PROVING_NODES), ..Limits::default() };
        let proving = Proving { symmetry: true, bounds: true, ranking: true, limits };
        let mut tell = |_: &Info<G::Move>| {};
        let mut prover = Prover::new(proofs, &from, heuristics, &proving, stop, &mut tell);
        let answer = prover.ask(asked);
        let nodes = prover.nodes();
        match answer.holds {
            Some(_) => Ok(Decision::bare(answer.holds, answer.best, nodes)),
            None if stop.is_stopped() => Err(CertifyError::Stopped),
            None => Err(CertifyError::Circular),
        }
    }
}
