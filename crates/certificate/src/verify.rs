//! [`verify`]: whether a certificate proves what it claims.
//!
//! Why a certificate that passes is right: the claim holds at the last node, whose steps are all
//! settled; and so at the one before, whose steps are settled or lead to the last; and so on up to
//! node 0, the position asked about. A step to a lemma is right as far as the lemma is: what a
//! certificate proves it proves if its lemmas are true, and [`ProofVerdict::rests_on`] names them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use game::{Game, Notation, TextError, WinningSets, quote, sort_by_rank};

use crate::certificate::{Certificate, Graph, Head, ProofGraph, Step};
use crate::claim::Claim;
use crate::lemma::LemmaHash;
use crate::needs::{are_paired, is_hopeless};
use crate::plain_search::PlainSearch;
use crate::refusal::{Limit, Refusal, RefusalPlace};
use crate::sample::{Draw, LeafSample};

/// How a certificate is checked.
#[derive(Clone, Copy, Debug)]
pub struct VerifyOptions<'a> {
    /// Settle only some of the leaves; everything else is checked nevertheless. `None` settles all,
    /// and only that is a proof.
    pub sample: Option<LeafSample>,
    /// How many bytes may be taken for positions of lemmas, and of nodes that were reached and are
    /// still to be visited.
    pub most_bytes: usize,
    /// When the check has to be over. A leaf that is being settled then is settled.
    pub until: Option<Instant>,
    /// Set by whoever wants the check to end.
    pub stop: Option<&'a AtomicBool>,
}

impl Default for VerifyOptions<'_> {
    fn default() -> Self {
        VerifyOptions { sample: None, most_bytes: usize::MAX, until: None, stop: None }
    }
}

impl VerifyOptions<'_> {
    fn have_room(&self, bytes: usize) -> Result<(), Halt> {
        if bytes <= self.most_bytes {
            return Ok(());
        }
        let megabytes = self.most_bytes.div_ceil(1 << 20);
        let why = format!("positions that wait for their turn take more than {megabytes} MB");
        Err(Halt::Over(Limit::Memory, why))
    }
}

/// How far the checker has come, told before every node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerifyProgress {
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
    /// The bytes that these take, and the positions of lemmas.
    pub bytes: usize,
}

/// What was checked, and found right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofVerdict {
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
    /// The most bytes that these and the positions of lemmas took.
    pub most_bytes: usize,
    /// What has to be proved by others: the lemmas that it uses, and what each claims.
    pub rests_on: Vec<(LemmaHash, Claim)>,
}

impl ProofVerdict {
    /// Whether nothing was left out, and the claims are true without further ado.
    #[must_use]
    pub fn is_proof(&self) -> bool {
        self.is_complete() && self.rests_on.is_empty()
    }

    /// Whether nothing was left out: the claims are true if the lemmas are.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.settled == self.leaves
    }
}

impl fmt::Display for ProofVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let claims: Vec<String> = self.claims.iter().map(Claim::to_string).collect();
        let claims = claims.join(", ");
        let ProofVerdict { nodes, edges, leaves, settled, visited, .. } = self;
        if self.is_complete() {
            match self.rests_on.len() {
                0 => write!(f, "proved: {claims}; ")?,
                1 => write!(f, "proved if one lemma is true: {claims}; ")?,
                lemmas => write!(f, "proved if {lemmas} lemmas are true: {claims}; ")?,
            }
            write!(f, "{nodes} nodes, {edges} edges, {leaves} leaves settled")?;
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
pub fn verify<G: Notation + WinningSets>(
    game: &G,
    certificate: &Certificate<'_>,
    options: &VerifyOptions<'_>,
    progress: &mut dyn FnMut(&VerifyProgress),
) -> Result<ProofVerdict, Refusal> {
    let position = position_of(game, certificate)?;
    let mut checker = Checker {
        game,
        leaf_budget: certificate.header().leaf_budget,
        options,
        search: PlainSearch::new(game),
        draw: Draw::new(options.sample, certificate.leaves()),
        lemmas: Vec::new(),
        held: HashMap::new(),
        done: VerifyProgress { all_nodes: certificate.nodes(), ..VerifyProgress::default() },
        most: (0, 0),
        progress,
    };
    checker.read_lemmas(certificate)?;
    for proof in certificate.proofs() {
        checker.check(proof, &position)?;
    }
    Ok(ProofVerdict {
        claims: certificate.proofs().iter().map(ProofGraph::claim).collect(),
        nodes: certificate.nodes(),
        edges: certificate.edges(),
        leaves: certificate.leaves(),
        settled: checker.done.settled,
        visited: checker.search.visited(),
        most_held: checker.most.0,
        most_bytes: checker.most.1,
        rests_on: certificate.lemmas().iter().map(|lemma| (lemma.hash, lemma.claim)).collect(),
    })
}

/// The position a certificate is about, if it is one of this game and the game is one that can be
/// certified.
fn position_of<G: Notation>(
    game: &G,
    certificate: &Certificate<'_>,
) -> Result<G::Position, Refusal> {
    let refused = |why: String| Refusal::new(RefusalPlace::File, why);
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
    let (used, known) = (usize::from(header.symmetries), game.symmetries());
    if used != 1 && used != known {
        return Err(refused(format!("uses {used} symmetries; the game has {known}")));
    }
    read_position(game, &header.position)
        .map_err(|error| refused(format!("is about a position that cannot be read, {error}")))
}

/// The position of a text, which is empty for the start.
fn read_position<G: Notation>(game: &G, text: &str) -> Result<G::Position, TextError> {
    if text.is_empty() { Ok(game.start()) } else { game.read_position(text) }
}

struct Checker<'c, G: Game> {
    game: &'c G,
    leaf_budget: u64,
    options: &'c VerifyOptions<'c>,
    search: PlainSearch<'c, G>,
    draw: Draw,
    /// What each lemma says, by its number.
    lemmas: Vec<(G::Position, Claim)>,
    /// The positions of nodes that were reached and are still to be visited.
    held: HashMap<u64, G::Position>,
    done: VerifyProgress,
    /// Positions and bytes, when there were most.
    most: (usize, usize),
    progress: &'c mut dyn FnMut(&VerifyProgress),
}

/// Why a check does not go on.
enum Halt {
    /// Something is wrong.
    Wrong(String),
    /// There is not enough of something.
    Over(Limit, String),
}

impl Halt {
    fn at(self, place: RefusalPlace) -> Refusal {
        match self {
            Halt::Wrong(why) => Refusal::new(place, why),
            Halt::Over(limit, why) => Refusal::over(limit, place, why),
        }
    }

    /// The same as part of a longer sentence.
    fn after(self, begun: impl fmt::Display) -> Halt {
        match self {
            Halt::Wrong(why) => Halt::Wrong(format!("{begun}, but {why}")),
            Halt::Over(limit, why) => Halt::Over(limit, format!("{begun}, but {why}")),
        }
    }
}

impl From<String> for Halt {
    fn from(why: String) -> Halt {
        Halt::Wrong(why)
    }
}

impl From<&str> for Halt {
    fn from(why: &str) -> Halt {
        Halt::Wrong(why.to_owned())
    }
}

impl<G: Notation + WinningSets> Checker<'_, G> {
    /// Their positions, which take memory as others do.
    fn read_lemmas(&mut self, certificate: &Certificate<'_>) -> Result<(), Refusal> {
        for (lemma, number) in certificate.lemmas().iter().zip(0..) {
            let place = RefusalPlace::Lemma(number);
            self.is_in_time().map_err(|halt| halt.after("is read").at(place))?;
            let position = read_position(self.game, lemma.position).map_err(|error| {
                let why = format!("is about a position that cannot be read, {error}");
                Refusal::new(place, why)
            })?;
            let bytes = self.done.bytes + self.bytes_of(&position);
            self.options.have_room(bytes).map_err(|halt| halt.after("is read").at(place))?;
            self.take(bytes);
            self.lemmas.push((position, lemma.claim));
        }
        Ok(())
    }

    fn check(&mut self, proof: &ProofGraph<'_>, position: &G::Position) -> Result<(), Refusal> {
        let claim = proof.claim();
        let whole = RefusalPlace::Proof(claim);
        if proof.nodes() == 0 {
            let settled = self.settle(position, claim);
            return settled.map_err(|halt| halt.after("has no nodes").at(whole));
        }
        let begun = self.hold(0, position.clone());
        begun.map_err(|halt| halt.after("begins").at(whole))?;
        let mut graph = proof.graph();
        let mut moves = Vec::new();
        for node in 0..proof.nodes() {
            let place = RefusalPlace::Node(claim, node);
            self.tell();
            let p = self.next(node).map_err(|halt| halt.at(place))?;
            self.list_moves(&p, &mut moves).map_err(|halt| halt.at(place))?;
            let head = graph.head()?;
            if let Head::Choice(_) | Head::All(_) = head {
                self.check_steps(head, (node, p), &moves, claim, &mut graph)?;
            } else {
                self.check_argument(head, (node, &p), &moves, claim, &mut graph)?;
            }
            self.done.nodes += 1;
        }
        Ok(())
    }

    fn tell(&mut self) {
        self.done.held = self.held.len();
        self.done.visited = self.search.visited();
        (self.progress)(&self.done);
    }

    /// The position of a node whose turn has come.
    fn next(&mut self, node: u64) -> Result<G::Position, Halt> {
        self.is_in_time().map_err(|halt| halt.after("is reached"))?;
        let p = self.held.remove(&node).ok_or_else(|| Halt::from("is reached by no edge"))?;
        self.done.bytes -= self.bytes_of(&p);
        Ok(p)
    }

    /// Checks a node that chooses a move or answers all of them.
    fn check_steps(
        &mut self,
        head: Head,
        (node, mut p): (u64, G::Position),
        moves: &[G::Move],
        claim: Claim,
        graph: &mut Graph<'_>,
    ) -> Result<(), Refusal> {
        let place = RefusalPlace::Node(claim, node);
        let refused = |why: String| Refusal::new(place, why);
        let hoping = self.game.to_move(&p) == claim.hoping();
        let followed = match head {
            Head::Choice(_) if !hoping => {
                return Err(refused("chooses a move for the side it has to answer".to_owned()));
            }
            Head::All(_) if hoping => {
                return Err(refused("answers moves where it has to choose one".to_owned()));
            }
            Head::Choice(code) => {
                let chosen = moves.binary_search_by_key(&code, |&m| self.game.code(m));
                let why = |_| refused(format!("chooses {code}, which is no legal move"));
                let chosen = chosen.map_err(why)?;
                &moves[chosen..=chosen]
            }
            Head::All(answered) if answered != moves.len() as u64 => {
                return Err(refused(format!("answers {answered} of {} moves", moves.len())));
            }
            _ => moves,
        };
        for &m in followed {
            let step = graph.step()?;
            self.follow(node, &mut p, m, step, claim).map_err(|halt| halt.at(place))?;
        }
        Ok(())
    }

    /// Checks a node that argues for a draw.
    fn check_argument(
        &self,
        head: Head,
        (node, p): (u64, &G::Position),
        moves: &[G::Move],
        claim: Claim,
        graph: &mut Graph<'_>,
    ) -> Result<(), Refusal> {
        let refused = |why: String| Refusal::new(RefusalPlace::Node(claim, node), why);
        let needs = self.needs(p, claim).map_err(|why| refused(why.to_owned()))?;
        let Head::Pairs(number) = head else {
            let attacker_moves = self.game.to_move(p) != claim.hoping();
            return match is_hopeless(&needs, attacker_moves) {
                true => Ok(()),
                false => Err(refused("says that there is no hope, but there is".to_owned())),
            };
        };
        // Pairs do not share moves.
        if number > moves.len() as u64 / 2 {
            return Err(refused(format!("has {number} pairs of {} moves", moves.len())));
        }
        let pairs = (0..number).map(|_| graph.pair()).collect::<Result<Vec<_>, _>>()?;
        if !are_paired(&needs, &pairs) {
            return Err(refused("has pairs that stop not everything".to_owned()));
        }
        let is_legal = |&code: &u32| moves.binary_search_by_key(&code, |&m| self.game.code(m));
        match pairs.iter().flatten().find(|code| is_legal(code).is_err()) {
            Some(code) => Err(refused(format!("pairs {code}, which is no legal move"))),
            None => Ok(()),
        }
    }

    /// What the side that does not hope needs to win, where a draw is all that is claimed.
    fn needs(&self, p: &G::Position, claim: Claim) -> Result<Vec<Vec<u32>>, &'static str> {
        if !claim.holds(0) {
            return Err("argues for a draw, which is not enough");
        }
        let needs = self.game.winning_sets(p, claim.hoping().other());
        needs.ok_or("argues as this game does not allow")
    }

    /// All moves of a position that a node stands for, in ascending order of their codes.
    fn list_moves(&self, p: &G::Position, moves: &mut Vec<G::Move>) -> Result<(), Halt> {
        moves.clear();
        if self.game.margin(p).is_none() {
            self.game.generate(p, moves);
        }
        // Else a node that answers no move would prove anything.
        if moves.is_empty() {
            return Err("is a position without moves".into());
        }
        // Most games list them so.
        if !moves.is_sorted_by_key(|&m| self.game.code(m)) {
            sort_by_rank(moves, |&m| self.game.code(m).into());
        }
        match moves.windows(2).find(|pair| self.game.code(pair[0]) == self.game.code(pair[1])) {
            None => Ok(()),
            Some(pair) => {
                Err(format!("has two moves with the code {}", self.game.code(pair[0])).into())
            }
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
    ) -> Result<(), Halt> {
        let undo = self.game.make(p, m);
        match step {
            Step::Settled => self.settle(p, claim),
            Step::To { ahead, symmetry } => {
                let image = self.game.transform(p, usize::from(symmetry));
                self.hold(node + ahead, image)
            }
            Step::Lemma { lemma, symmetry } => {
                self.use_lemma(lemma, &self.game.transform(p, usize::from(symmetry)), claim)
            }
        }
        .map_err(|halt| halt.after(format_args!("plays {}", self.game.code(m))))?;
        self.game.unmake(p, m, undo);
        Ok(())
    }

    /// Looks at a leaf, unless only others were drawn.
    fn settle(&mut self, p: &G::Position, claim: Claim) -> Result<(), Halt> {
        if !self.draw.next_is_drawn() {
            return Ok(());
        }
        self.is_in_time()?;
        self.done.settled += 1;
        match self.search.settles(p, claim, self.leaf_budget) {
            Some(true) => Ok(()),
            Some(false) => Err("the claim is not true of the position there".into()),
            None => Err(format!("{} positions do not settle it", self.leaf_budget).into()),
        }
    }

    /// Whether a lemma is about this very position and says at least as much as is claimed.
    fn use_lemma(&self, lemma: u32, position: &G::Position, claim: Claim) -> Result<(), Halt> {
        match self.lemmas.get(lemma as usize) {
            None => Err(format!("there is no lemma {lemma}").into()),
            Some((known, _)) if known != position => {
                Err(format!("lemma {lemma} is about another position").into())
            }
            Some((_, said)) if !said.implies(claim) => {
                Err(format!("lemma {lemma} says only that the {said}").into())
            }
            Some(_) => Ok(()),
        }
    }

    /// The first edge to a node says which position it stands for; all others must agree.
    fn hold(&mut self, node: u64, position: G::Position) -> Result<(), Halt> {
        let bytes = self.done.bytes + self.bytes_of(&position);
        match self.held.entry(node) {
            Entry::Occupied(known) if *known.get() == position => Ok(()),
            Entry::Occupied(_) => Err(format!("node {node} is another position").into()),
            Entry::Vacant(free) => {
                self.options.have_room(bytes)?;
                free.insert(position);
                self.take(bytes);
                Ok(())
            }
        }
    }

    fn take(&mut self, bytes: usize) {
        self.done.bytes = bytes;
        self.most = (self.most.0.max(self.held.len()), self.most.1.max(bytes));
    }

    /// What it takes to hold a position: a map has nearly twice as many places as it uses.
    fn bytes_of(&self, position: &G::Position) -> usize {
        self.game.position_bytes(position) + size_of::<(u64, G::Position)>()
    }

    fn is_in_time(&self) -> Result<(), Halt> {
        if self.options.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(Halt::Over(Limit::Stop, "somebody stopped the check".to_owned()));
        }
        match self.options.until {
            Some(until) if Instant::now() >= until => {
                Err(Halt::Over(Limit::Time, "the time for the check is over".to_owned()))
            }
            _ => Ok(()),
        }
    }
}
