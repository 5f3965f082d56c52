//! [`verify`]: whether a certificate proves what it claims.
//!
//! Why a certificate that passes is right: the claim holds at the last node, whose steps are all settled; and so at the one
//! before, whose steps are settled or lead to the last; and so on up to node 0, the position asked about.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

use game::{Game, Notation, quote};

use crate::certificate::{Certificate, Head, Proof, Step};
use crate::claim::Claim;
use crate::images::Images;
use crate::needs::{are_paired, is_hopeless};
use crate::plain_search::PlainSearch;
use crate::refusal::{Place, Refusal};
use crate::sample::{Draw, Sample};

/// How a certificate is checked.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Settle only some of the leaves; everything else is checked nevertheless. `None` settles all, and only that is a proof.
    pub sample: Option<Sample>,
    /// How many positions may be held for nodes that were reached and are still to be visited.
    pub most_held: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options { sample: None, most_held: usize::MAX }
    }
}

/// How far the checker has come, told before every node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Nodes checked, of all proofs together.
    pub nodes: u64,
    /// Nodes there are.
    pub all_nodes: u64,
    /// Leaves settled by a search.
    pub settled: u64,
    /// Positions visited for that.
    pub visited: u64,
    /// Positions held for nodes that were reached and are still to be visited.
    pub held: usize,
}

/// What was checked, and found right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What is claimed: one bound, or a lower and an upper one.
    pub claims: Vec<Claim>,
    /// Nodes, every one with all its moves checked.
    pub nodes: u64,
    /// Steps from node to node, every one followed.
    pub edges: u64,
    /// Positions that the certificate leaves to the checker.
    pub leaves: u64,
    /// How many of them it looked at; the claims are proved only if that is all.
    pub settled: u64,
    /// Positions visited to settle them.
    pub visited: u64,
    /// The most positions that were held at once.
    pub most_held: usize,
}

impl Verdict {
    /// Whether nothing was left out.
    #[must_use]
    pub fn is_proof(&self) -> bool {
        self.settled == self.leaves
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let claims: Vec<String> = self.claims.iter().map(Claim::to_string).collect();
        let claims = claims.join(", ");
        let Verdict { nodes, edges, leaves, settled, visited, .. } = self;
        if self.is_proof() {
            write!(f, "proved: {claims}; {nodes} nodes, {edges} edges, {leaves} leaves settled")?;
        } else {
            write!(f, "not refuted: {claims}; {nodes} nodes, {edges} edges")?;
            write!(f, ", but only {settled} of {leaves} leaves settled")?;
        }
        write!(f, " by visiting {visited} positions")
    }
}

/// Checks a certificate. `progress` is called before every node and must be quick.
///
/// # Errors
/// Says in one line what is wrong, at the first node where something is.
pub fn verify<G: Notation, I: Images<G>>(
    game: &G,
    images: I,
    certificate: &Certificate<'_>,
    options: &Options,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Verdict, Refusal> {
    let position = position_of(game, images, certificate)?;
    let mut checker = Checker {
        game,
        images,
        leaf_budget: certificate.header().leaf_budget,
        most_held: options.most_held,
        search: PlainSearch::new(game),
        draw: Draw::new(options.sample, certificate.leaves()),
        held: HashMap::new(),
        done: Progress { all_nodes: certificate.nodes(), ..Progress::default() },
        most_held_at_once: 0,
        progress,
    };
    for proof in certificate.proofs() {
        checker.check(proof, &position)?;
    }
    Ok(Verdict {
        claims: certificate.proofs().iter().map(Proof::claim).collect(),
        nodes: certificate.nodes(),
        edges: certificate.edges(),
        leaves: certificate.leaves(),
        settled: checker.done.settled,
        visited: checker.search.visited(),
        most_held: checker.most_held_at_once,
    })
}

/// The position a certificate is about, if it is one of this game and the game is one that can be certified.
fn position_of<G: Notation, I: Images<G>>(
    game: &G,
    images: I,
    certificate: &Certificate<'_>,
) -> Result<G::Position, Refusal> {
    let refused = |why: String| Refusal::new(Place::File, why);
    let header = certificate.header();
    let spec = game.spec();
    if header.game != spec {
        return Err(refused(format!("is about {}, not {}", quote(&header.game), quote(&spec))));
    }
    if game.looks_back() {
        let why = format!(
            "is about {}, where a value depends on earlier positions; no certificate can hold it",
            quote(&spec)
        );
        return Err(refused(why));
    }
    let (used, known) = (usize::from(header.symmetries), images.count(game));
    if used != 1 && used != known {
        return Err(refused(format!("uses {used} symmetries; the game has {known}")));
    }
    if header.position.is_empty() {
        return Ok(game.start());
    }
    game.read_position(&header.position)
        .map_err(|error| refused(format!("is about a position that cannot be read, {error}")))
}

struct Checker<'c, G: Game, I> {
    game: &'c G,
    images: I,
    leaf_budget: u64,
    most_held: usize,
    search: PlainSearch<'c, G>,
    draw: Draw,
    /// The positions of nodes that were reached and are still to be visited.
    held: HashMap<u64, G::Position>,
    done: Progress,
    most_held_at_once: usize,
    progress: &'c mut dyn FnMut(&Progress),
}

impl<G: Game, I: Images<G>> Checker<'_, G, I> {
    fn check(&mut self, proof: &Proof<'_>, position: &G::Position) -> Result<(), Refusal> {
        let claim = proof.claim();
        if proof.nodes() == 0 {
            return self.settle(position, claim).map_err(|why| {
                Refusal::new(Place::Proof(claim), format!("has no nodes, but {why}"))
            });
        }
        self.held.insert(0, position.clone());
        let mut graph = proof.graph();
        let mut moves = Vec::new();
        for node in 0..proof.nodes() {
            self.done.held = self.held.len();
            self.done.visited = self.search.visited();
            (self.progress)(&self.done);
            self.most_held_at_once = self.most_held_at_once.max(self.held.len());
            let place = Place::Node(claim, node);
            let refused = |why: String| Refusal::new(place, why);
            let Some(mut p) = self.held.remove(&node) else {
                return Err(refused("is reached by no edge".to_owned()));
            };
            self.list_moves(&p, &mut moves).map_err(refused)?;
            let hoping = self.game.to_move(&p) == claim.hoping();
            match graph.head()? {
                Head::Hopeless => {
                    let needs = self.needs(&p, claim).map_err(refused)?;
                    if !is_hopeless(&needs, !hoping) {
                        return Err(refused("says that there is no hope, but there is".to_owned()));
                    }
                }
                Head::Pairs(number) => {
                    let needs = self.needs(&p, claim).map_err(refused)?;
                    let pairs = (0..number).map(|_| graph.pair());
                    let pairs = pairs.collect::<Result<Vec<_>, _>>()?;
                    if !are_paired(&needs, &pairs) {
                        return Err(refused("has pairs that stop not everything".to_owned()));
                    }
                    let is_legal =
                        |&code: &u32| moves.binary_search_by_key(&code, |&m| self.game.code(m));
                    if let Some(code) = pairs.iter().flatten().find(|code| is_legal(code).is_err())
                    {
                        return Err(refused(format!("pairs {code}, which is no legal move")));
                    }
                }
                Head::Choice(_) if !hoping => {
                    return Err(refused("chooses a move for the side it has to answer".to_owned()));
                }
                Head::All(_) if hoping => {
                    return Err(refused("answers moves where it has to choose one".to_owned()));
                }
                Head::Choice(code) => {
                    let chosen = moves.binary_search_by_key(&code, |&m| self.game.code(m));
                    let why = |_| refused(format!("chooses {code}, which is no legal move"));
                    let m = moves[chosen.map_err(why)?];
                    self.follow(node, &mut p, m, graph.step()?, claim).map_err(refused)?;
                }
                Head::All(answered) => {
                    if answered != moves.len() as u64 {
                        return Err(refused(format!(
                            "answers {answered} of {} moves",
                            moves.len()
                        )));
                    }
                    for &m in &moves {
                        self.follow(node, &mut p, m, graph.step()?, claim).map_err(refused)?;
                    }
                }
            }
            self.done.nodes += 1;
        }
        Ok(())
    }

    /// What the side that does not hope needs to win, where a draw is all that is claimed.
    fn needs(&self, p: &G::Position, claim: Claim) -> Result<Vec<Vec<u32>>, String> {
        if !claim.holds(0) {
            return Err("argues for a draw, which is not enough".to_owned());
        }
        let needs = self.images.needs(self.game, p, claim.hoping().other());
        needs.ok_or_else(|| "argues as this game does not allow".to_owned())
    }

    /// All moves of a position that a node stands for, in ascending order of their codes.
    fn list_moves(&self, p: &G::Position, moves: &mut Vec<G::Move>) -> Result<(), String> {
        moves.clear();
        if self.game.margin(p).is_none() {
            self.game.generate(p, moves);
        }
        // Else a node that answers no move would prove anything.
        if moves.is_empty() {
            return Err("is a position without moves".to_owned());
        }
        moves.sort_unstable_by_key(|&m| self.game.code(m));
        match moves.windows(2).find(|pair| self.game.code(pair[0]) == self.game.code(pair[1])) {
            None => Ok(()),
            Some(pair) => Err(format!("has two moves with the code {}", self.game.code(pair[0]))),
        }
    }

    /// Checks what is said to come of a move.
    fn follow(
        &mut self,
        node: u64,
        p: &mut G::Position,
        m: G::Move,
        step: Step,
        claim: Claim,
    ) -> Result<(), String> {
        let undo = self.game.make(p, m);
        match step {
            Step::Settled => self.settle(p, claim),
            Step::To { ahead, symmetry } => {
                let image = self.images.image(self.game, p, usize::from(symmetry));
                self.hold(node + ahead, image)
            }
        }
        .map_err(|why| format!("plays {}, but {why}", self.game.code(m)))?;
        self.game.unmake(p, m, undo);
        Ok(())
    }

    /// Looks at a leaf, unless only others were drawn.
    fn settle(&mut self, p: &G::Position, claim: Claim) -> Result<(), String> {
        if !self.draw.next_is_drawn() {
            return Ok(());
        }
        self.done.settled += 1;
        match self.search.settles(p, claim, self.leaf_budget) {
            Some(true) => Ok(()),
            Some(false) => Err("the claim is not true of the position there".to_owned()),
            None => Err(format!("{} positions do not settle it", self.leaf_budget)),
        }
    }

    /// The first edge to a node says which position it stands for; all others must agree.
    fn hold(&mut self, node: u64, position: G::Position) -> Result<(), String> {
        let held = self.held.len();
        match self.held.entry(node) {
            Entry::Occupied(known) if *known.get() == position => Ok(()),
            Entry::Occupied(_) => Err(format!("node {node} is another position")),
            Entry::Vacant(_) if held >= self.most_held => {
                Err(format!("more than {held} positions would have to be held"))
            }
            Entry::Vacant(free) => {
                free.insert(position);
                Ok(())
            }
        }
    }
}
