//! [`certify`]: what was solved, as a proof that anybody can check.
//!
//! A proof is grown from the position asked about: where the side that hopes is to move it gets the
//! move that the searches find, elsewhere all moves are answered, down to where the checker's own
//! plain search gets by itself. Images of one position are one node. A proof that is too large for
//! one file is then cut: parts of it become lemmas, each in a file of its own.

mod checking;
mod growth;
mod pieces;

use certificate::{Claim, Header, LemmaHash};
use evaluation::Proofs;
use game::{Game, Notation, WinningSets};
use play::Stop;
use search::Table;

use crate::goal::{Bounds, Goal};
use crate::name::NodeName;
use crate::rules::Problem;
pub use checking::{LemmaRefusal, check_lemmas};
use growth::{grow, must_hold};
use pieces::{Piece, into_pieces, write};

/// What certificates are made with.
#[expect(missing_debug_implementations, reason = "functions have no text")]
pub struct Certifying<'a, G: Game> {
    /// How many positions the checker may visit for a leaf.
    pub leaf_budget: u64,
    /// About how many nodes a file may have before parts of the proof become lemmas; `None` for any
    /// number.
    pub most_nodes: Option<u64>,
    /// What is known already of positions near the root, so that it need not be searched for. It is
    /// asked about [canonical](Game::table_key) images.
    pub known: &'a (dyn Fn(&G::Position) -> Option<Bounds> + Sync),
    /// Lemmas that are there already, about just the position that it is given, a canonical image;
    /// one that says something else than the claim is passed over.
    pub lemmas: &'a FindLemma<'a, G::Position>,
    /// Should be the one that the answer was found with.
    pub table: &'a Table,
    /// Said by whoever does not want to wait.
    pub stop: &'a Stop,
}

/// The hash of a lemma about a position that may show a claim, and what it claims.
pub type FindLemma<'a, P> = dyn Fn(&P, Claim) -> Option<(LemmaHash, Claim)> + Sync + 'a;

/// What is heard meanwhile.
#[derive(Clone, Copy, Debug)]
pub enum CertifyStage<'a> {
    /// The proof under way has so many nodes.
    Nodes(usize),
    /// A lemma is finished. Each is told once, after all it refers to, and has to be kept.
    Lemma(&'a LemmaFile),
}

/// A certificate of one claim, which others may rest on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LemmaFile {
    /// What names it.
    pub hash: LemmaHash,
    /// The position it is about, as text.
    pub position: String,
    /// What it proves.
    pub claim: Claim,
    /// The file.
    pub bytes: Vec<u8>,
}

/// What the proofs of a project are like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LemmaPlan {
    /// How many positions a checker may visit for a leaf.
    pub leaf_budget: u64,
    /// About how many nodes a file may have.
    pub most_nodes: u64,
}

/// What is known near the root of a project, by names.
#[expect(missing_debug_implementations, reason = "functions have no text")]
#[derive(Clone, Copy)]
pub struct NearRoot<'a> {
    /// The nodes of the proof, with their bounds.
    pub known: &'a (dyn Fn(&NodeName) -> Option<Bounds> + Sync),
    /// Lemmas about them.
    pub lemmas: &'a FindLemma<'a, NodeName>,
}

/// Proofs for others, by names of nodes and without types.
pub trait Certifier {
    /// A proof of one claim about one node: lemmas, each after all it refers to, the last about the
    /// node itself. A function of what is asked and the size of the table. `told` hears how many
    /// nodes it has.
    ///
    /// # Errors
    /// If the claim is not true, or somebody says stop.
    fn lemmas(
        &self,
        name: &NodeName,
        claim: Claim,
        plan: LemmaPlan,
        table: &Table,
        stop: &Stop,
        told: &mut (dyn FnMut(usize) + Send),
    ) -> Result<Vec<LemmaFile>, CertifyError>;

    /// The root of a bundle, which binds lemmas about nodes near the root together. What they leave
    /// open is proved by new lemmas, which come first.
    ///
    /// # Errors
    /// If there is no answer to certify, or somebody says stop.
    fn root(
        &self,
        answer: (Goal, Bounds),
        near: NearRoot<'_>,
        plan: LemmaPlan,
        table: &Table,
        stop: &Stop,
        told: &mut (dyn FnMut(usize) + Send),
    ) -> Result<(Vec<LemmaFile>, Vec<u8>), CertifyError>;
}

impl<G: Notation + WinningSets, H: Proofs<G> + Sync> Certifier for Problem<G, H> {
    fn lemmas(
        &self,
        name: &NodeName,
        claim: Claim,
        plan: LemmaPlan,
        table: &Table,
        stop: &Stop,
        told: &mut (dyn FnMut(usize) + Send),
    ) -> Result<Vec<LemmaFile>, CertifyError> {
        let position = self.find(name).map_err(|_| CertifyError::NoNode)?.position;
        let with = plan.certifying(&|_| None, &|_, _| None, table, stop);
        let mut files = Vec::new();
        let last = certify_node(self, &position, claim, &with, &mut collect(&mut files, told))?;
        files.push(last);
        Ok(files)
    }

    fn root(
        &self,
        answer: (Goal, Bounds),
        near: NearRoot<'_>,
        plan: LemmaPlan,
        table: &Table,
        stop: &Stop,
        told: &mut (dyn FnMut(usize) + Send),
    ) -> Result<(Vec<LemmaFile>, Vec<u8>), CertifyError> {
        let name = |p: &G::Position| NodeName::new(self.game.canonical_name(p).0);
        let known = |p: &G::Position| (near.known)(&name(p));
        let lemmas = |p: &G::Position, claim: Claim| (near.lemmas)(&name(p), claim);
        let with = plan.certifying(&known, &lemmas, table, stop);
        let mut files = Vec::new();
        let root = certify(self, answer, &with, &mut collect(&mut files, told))?;
        Ok((files, root))
    }
}

impl LemmaPlan {
    fn certifying<'a, G: Game>(
        self,
        known: &'a (dyn Fn(&G::Position) -> Option<Bounds> + Sync),
        lemmas: &'a FindLemma<'a, G::Position>,
        table: &'a Table,
        stop: &'a Stop,
    ) -> Certifying<'a, G> {
        let LemmaPlan { leaf_budget, most_nodes } = self;
        Certifying { leaf_budget, most_nodes: Some(most_nodes), known, lemmas, table, stop }
    }
}

fn collect<'a>(
    files: &'a mut Vec<LemmaFile>,
    told: &'a mut (dyn FnMut(usize) + Send),
) -> impl FnMut(CertifyStage<'_>) + Send + 'a {
    |stage: CertifyStage<'_>| match stage {
        CertifyStage::Nodes(nodes) => told(nodes),
        CertifyStage::Lemma(file) => files.push(file.clone()),
    }
}

/// Why there is no certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertifyError {
    /// Values depend on the path.
    #[error(
        "the rules of this game look back, so that no position has a value of its own to certify"
    )]
    LooksBack,
    /// Somebody tampered with a name.
    #[error("there is no such node")]
    NoNode,
    /// There is nothing to certify.
    #[error("nothing was found out that could be certified")]
    NothingKnown,
    /// Somebody said so.
    #[error("stopped before the certificate was complete")]
    Stopped,
    /// Somebody claims what is not true.
    #[error("the claim is not true of this position")]
    Untrue,
    /// The moves that are found lead back to where they began.
    #[error("play goes round in circles here, and no way out of them was found to certify")]
    Circular,
    /// A search denies now what was found before.
    #[error("the searches contradict each other: this is a fault of the program")]
    Contradiction,
}

/// A claim as a question, and the answer that it gives.
pub(crate) fn asked_by(claim: Claim) -> (i32, bool) {
    match claim {
        Claim::AtLeast(margin) => (margin, true),
        Claim::AtMost(margin) => (margin + 1, false),
    }
}

/// The bounds that answer a question, a lower one first. Those that hold in any game are left out.
pub(crate) fn claims(question: Goal, bounds: Bounds, limit: i32) -> Vec<Claim> {
    let Bounds { lower, upper } = bounds;
    let (least, most) = match question {
        Goal::Value => (lower, upper),
        // No more than who wins.
        Goal::Outcome if lower > 0 => (1, limit),
        Goal::Outcome if upper < 0 => (-limit, -1),
        Goal::Outcome => (lower, upper),
        Goal::AtLeast(asked) => match bounds.answer(asked) {
            Some(true) => (asked, limit),
            Some(false) => (-limit, asked - 1),
            None => (-limit, limit),
        },
    };
    let least = (least > -limit).then_some(Claim::AtLeast(least));
    let most = (most < limit).then_some(Claim::AtMost(most));
    least.into_iter().chain(most).collect()
}

/// Writes the answer to a question as a certificate, and the lemmas that it rests on, if it is cut,
/// as `told` hears.
///
/// # Errors
/// If this game cannot be certified, or not now.
pub fn certify<G: Notation + WinningSets, H: Proofs<G>>(
    problem: &Problem<G, H>,
    (question, bounds): (Goal, Bounds),
    with: &Certifying<'_, G>,
    told: &mut (dyn FnMut(CertifyStage<'_>) + Send),
) -> Result<Vec<u8>, CertifyError> {
    let game = &problem.game;
    if game.looks_back() {
        return Err(CertifyError::LooksBack);
    }
    let claims = claims(question, bounds, game.margin_limit());
    if claims.is_empty() {
        return Err(CertifyError::NothingKnown);
    }
    let is_start = problem.start == game.start();
    let position = if is_start { String::new() } else { game.write_position(&problem.start) };
    let roots = claims.into_iter().map(|claim| root_of(problem, &problem.start, claim, with, told));
    let roots = roots.collect::<Result<Vec<_>, _>>()?;
    Ok(write(header(game, position, with), &roots))
}

/// Writes a certificate of one claim about one position, or rather about its
/// [canonical](Game::table_key) image, which is what others refer to: a piece of work that depends
/// on nothing else. If it is cut, `told` hears of the lemmas that it rests on.
///
/// # Errors
/// If this game cannot be certified, or not now, or the claim is not true.
pub fn certify_node<G: Notation + WinningSets, H: Proofs<G>>(
    problem: &Problem<G, H>,
    position: &G::Position,
    claim: Claim,
    with: &Certifying<'_, G>,
    told: &mut (dyn FnMut(CertifyStage<'_>) + Send),
) -> Result<LemmaFile, CertifyError> {
    let game = &problem.game;
    if game.looks_back() {
        return Err(CertifyError::LooksBack);
    }
    let (_, symmetry) = game.table_key(position);
    let image = game.transform(position, symmetry);
    must_hold(problem, &image, claim, with)?;
    let root = root_of(problem, &image, claim, with, told)?;
    Ok(lemma_file(game, &image, root, with))
}

/// Grows a proof, and cuts it where it is too large; what is left at the root.
fn root_of<G: Notation + WinningSets, H: Proofs<G>>(
    problem: &Problem<G, H>,
    position: &G::Position,
    claim: Claim,
    with: &Certifying<'_, G>,
    told: &mut (dyn FnMut(CertifyStage<'_>) + Send),
) -> Result<Piece, CertifyError> {
    let growth = grow(problem, position, claim, with, told)?;
    let Some(most_nodes) = with.most_nodes else { return Ok(Piece::whole(growth)) };
    into_pieces(&problem.game, growth, most_nodes, &mut |position, piece| {
        if with.stop.is_stopped() {
            return Err(CertifyError::Stopped);
        }
        let file = lemma_file(&problem.game, position, piece, with);
        told(CertifyStage::Lemma(&file));
        Ok((file.hash, file.position))
    })
}

fn lemma_file<G: Notation>(
    game: &G,
    position: &G::Position,
    piece: Piece,
    with: &Certifying<'_, G>,
) -> LemmaFile {
    let (position, claim) = (game.write_position(position), piece.claim);
    let bytes = write(header(game, position.clone(), with), &[piece]);
    let hash = LemmaHash::of(&game.spec(), &position, claim, &bytes);
    LemmaFile { hash, position, claim, bytes }
}

fn header<G: Notation>(game: &G, position: String, with: &Certifying<'_, G>) -> Header {
    Header {
        game: game.spec(),
        position,
        symmetries: if G::CANONICAL { game.symmetries() as u8 } else { 1 },
        leaf_budget: with.leaf_budget,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_answered_by_its_claims() {
        let bounds = |lower, upper| Bounds { lower, upper };
        let [least, most] = [Claim::AtLeast, Claim::AtMost];
        for (question, known, expected) in [
            (Goal::Value, bounds(4, 4), vec![least(4), most(4)]),
            (Goal::Value, bounds(1, 1), vec![least(1), most(1)]),
            (Goal::Outcome, bounds(2, 9), vec![least(1)]),
            (Goal::Outcome, bounds(0, 0), vec![least(0), most(0)]),
            (Goal::Outcome, bounds(-9, -3), vec![most(-1)]),
            (Goal::AtLeast(3), bounds(4, 4), vec![least(3)]),
            (Goal::AtLeast(5), bounds(-2, 4), vec![most(4)]),
            (Goal::AtLeast(5), bounds(-2, 5), vec![]),
        ] {
            assert_eq!(claims(question, known, 9), expected, "{question} {known:?}");
        }
        assert_eq!(claims(Goal::Value, bounds(1, 1), 1), [least(1)]);
    }
}
