//! [`certify`]: what was solved, as a proof that anybody can check.
//!
//! A proof is grown from the position asked about: where the side that hopes is to move it gets the move that the searches find, elsewhere all moves
//! are answered, down to where the checker's own plain search gets by itself. Images of one position are one node.

use std::collections::HashMap;

use certificate::{Claim, Header, PlainSearch, ProofWriter, Step, Writer, is_hopeless};
use evaluation::Proofs;
use game::{Game, Notation, WinningSets, moves_of, sort_by_rank};
use play::Stop;
use search::{ProofTable, Table};

use crate::goal::{Bounds, Goal};
use crate::method::Method;
use crate::pairs::pairs;
use crate::rules::{Problem, With};
use crate::tree::Tree;

/// What to certify with.
#[derive(Clone, Copy, Debug)]
pub struct Certifying {
    /// How many positions the checker may visit for a leaf.
    pub leaf_budget: u64,
    /// What was asked.
    pub question: Goal,
    /// What was found.
    pub bounds: Bounds,
}

/// Why there is no certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CertifyError {
    /// Values depend on the path.
    #[error(
        "the rules of this game look back, so that no position has a value of its own to certify"
    )]
    LooksBack,
    /// There is nothing to certify.
    #[error("nothing was found out that could be certified")]
    NothingKnown,
    /// Somebody said so.
    #[error("stopped before the certificate was complete")]
    Stopped,
    /// A search denies now what was found before.
    #[error("the searches contradict each other: this is a fault of the program")]
    Contradiction,
}

/// The bounds that answer a question, a lower one first. Those that hold in any game are left out.
fn claims(question: Goal, bounds: Bounds, limit: i32) -> Vec<Claim> {
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

/// Writes what was found out as a certificate. `table` should be the one it was found out with; `made` hears how many nodes there are so
/// far.
///
/// # Errors
/// If this game cannot be certified, or not now.
pub fn certify<G: Notation + WinningSets, H: Proofs<G>>(
    problem: &Problem<'_, G, H>,
    certifying: &Certifying,
    tree: &Tree,
    table: &Table,
    stop: &Stop,
    made: &mut (dyn FnMut(usize) + Send),
) -> Result<Vec<u8>, CertifyError> {
    let game = problem.game;
    if game.looks_back() {
        return Err(CertifyError::LooksBack);
    }
    let claims = claims(certifying.question, certifying.bounds, game.margin_limit());
    if claims.is_empty() {
        return Err(CertifyError::NothingKnown);
    }
    let is_start = *problem.start == game.start();
    let mut writer = Writer::new(Header {
        game: game.spec(),
        position: if is_start { String::new() } else { game.write_position(problem.start) },
        symmetries: if G::CANONICAL { game.symmetries() as u8 } else { 1 },
        leaf_budget: certifying.leaf_budget,
    });
    for claim in claims {
        let mut maker = Maker {
            problem,
            claim,
            leaf_budget: certifying.leaf_budget,
            tree,
            table,
            stop,
            search: PlainSearch::new(game),
            odds: Vec::new(),
            known: HashMap::new(),
            nodes: Vec::new(),
            made,
        };
        if !maker.is_settled(problem.start, 0) {
            maker.grow(problem.start, 0)?;
        }
        let mut proof = writer.proof(claim);
        maker.write(&mut proof);
        writer.add(proof);
    }
    Ok(writer.finish())
}

/// Where a move leads: a node by its number, and the symmetry under which it is that node.
#[derive(Clone, Copy, Debug)]
enum Link {
    Settled,
    To(u32, u8),
}

enum Node {
    Choice(u32, Link),
    All(Box<[Link]>),
    Hopeless,
    Pairs(Box<[[u32; 2]]>),
}

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
    problem: &'a Problem<'a, G, H>,
    claim: Claim,
    leaf_budget: u64,
    tree: &'a Tree,
    table: &'a Table,
    stop: &'a Stop,
    search: PlainSearch<'a, G>,
    /// By ply, what came of tries to leave positions to the checker, one for each of [`PARTS`].
    odds: Vec<[Odds; PARTS.len()]>,
    /// Nodes by the key of their position. Of two that share a key, which hardly happens, one is not found again.
    known: HashMap<u64, (G::Position, u32)>,
    /// Every node after all that it leads to.
    nodes: Vec<Node>,
    made: &'a mut (dyn FnMut(usize) + Send),
}

impl<G: Notation + WinningSets, H: Proofs<G>> Maker<'_, G, H> {
    /// Makes a node of a position that is not settled, so many plies from the one asked about, and gives its number.
    fn grow(&mut self, p: &G::Position, ply: usize) -> Result<u32, CertifyError> {
        let game = self.problem.game;
        let node = if let Some(argument) = self.argument(p) {
            argument
        } else if game.to_move(p) == self.claim.hoping() {
            let m = self.choose(p)?;
            Node::Choice(game.code(m), self.link(p, m, ply)?)
        } else {
            let mut moves = moves_of(game, p);
            sort_by_rank(&mut moves, |&m| game.code(m).into());
            let links = moves.into_iter().map(|m| self.link(p, m, ply));
            Node::All(links.collect::<Result<_, _>>()?)
        };
        self.nodes.push(node);
        (self.made)(self.nodes.len());
        Ok(self.nodes.len() as u32 - 1)
    }

    /// A draw that is seen without looking ahead.
    fn argument(&self, p: &G::Position) -> Option<Node> {
        let (game, hoping) = (self.problem.game, self.claim.hoping());
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
    fn link(&mut self, p: &G::Position, m: G::Move, ply: usize) -> Result<Link, CertifyError> {
        let game = self.problem.game;
        let mut next = p.clone();
        game.make(&mut next, m);
        let (key, symmetry) = game.table_key(&next);
        let image = game.transform(&next, symmetry);
        if let Some(&(_, node)) = self.known.get(&key).filter(|(known, _)| *known == image) {
            return Ok(Link::To(node, symmetry as u8));
        }
        if self.is_settled(&next, ply + 1) {
            return Ok(Link::Settled);
        }
        if self.stop.is_stopped() {
            return Err(CertifyError::Stopped);
        }
        let node = self.grow(&image, ply + 1)?;
        self.known.insert(key, (image, node));
        Ok(Link::To(node, symmetry as u8))
    }

    /// Whether the checker needs no help here, as far as it is worth the time to find out: a part of its budget is always tried, more where that has helped
    /// often enough so far from the position asked about.
    fn is_settled(&mut self, p: &G::Position, ply: usize) -> bool {
        if self.odds.len() <= ply {
            self.odds.resize(ply + 1, Default::default());
        }
        PARTS.into_iter().zip(0..).any(|(part, nth)| {
            let budget = (self.leaf_budget / part).max(1);
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
        let moves = moves_of(self.problem.game, p);
        if let [only] = moves[..] {
            return Ok(only);
        }
        let (asked, wanted) = self.asked();
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

    /// What the tree near the root knows of it.
    fn stored_choice(&self, p: &G::Position) -> Option<G::Move> {
        let (asked, wanted) = self.asked();
        let known = |name: &crate::NodeName| self.tree.find(name.as_bytes());
        let here = known(&self.problem.at(p).name)?;
        drop(self.tree.children(here)?);
        moves_of(self.problem.game, p).into_iter().find(|&m| {
            let mut next = p.clone();
            self.problem.game.make(&mut next, m);
            let child = known(&self.problem.at(&next).name);
            let bounds = child.map(|child| self.tree.bounds(child));
            bounds.and_then(|bounds| bounds.answer(asked)) == Some(wanted)
        })
    }

    /// The claim as a question, and the answer it gives.
    fn asked(&self) -> (i32, bool) {
        match self.claim {
            Claim::AtLeast(margin) => (margin, true),
            Claim::AtMost(margin) => (margin + 1, false),
        }
    }

    fn decide(
        &self,
        p: &G::Position,
        asked: i32,
    ) -> Result<search::Decision<G::Move>, CertifyError> {
        let over = self.problem.game.margin(p);
        if let Some(margin) = over {
            return Ok(search::Decision::bare(Some(margin >= asked), None, 0));
        }
        let here = self.problem.itself(p);
        let mut nobody = |_, _| {};
        let with = &mut With {
            method: Method::AlphaBeta,
            table: self.table,
            proofs: &mut ProofTable::new(0),
            stop: self.stop,
            visited: &mut nobody,
        };
        let decided = self.problem.decide(&here, asked, u64::MAX, with);
        decided.holds.map(|_| decided).ok_or(CertifyError::Stopped)
    }

    /// The nodes in the order of the file, which begins with the position asked about.
    fn write(&self, proof: &mut ProofWriter) {
        for (number, node) in self.nodes.iter().enumerate().rev() {
            let step = |link: &Link| match *link {
                Link::Settled => Step::Settled,
                Link::To(to, symmetry) => {
                    Step::To { ahead: number as u64 - u64::from(to), symmetry }
                }
            };
            match node {
                Node::Choice(code, link) => proof.choice(*code, step(link)),
                Node::Hopeless => proof.hopeless(),
                Node::Pairs(pairs) => proof.pairs(pairs),
                Node::All(links) => proof.all(&links.iter().map(step).collect::<Vec<_>>()),
            }
        }
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
