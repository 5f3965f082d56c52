//! What the tests share: small games, their values by plain minimax, and a maker of certificates from these.

pub(crate) mod bundles;
pub(crate) mod corridor;

use std::collections::HashMap;

use certificate::{
    Certificate, Claim, Header, ProofVerdict, Refusal, Step, VerifyOptions, settles, verify,
};
use game::{Game, Notation, Side, Spec, WinningSets, moves_of};
use games::mnk::{Mnk, RunShape, WordBoard};
use games::{mnk, reversi};

pub(crate) type SmallLineGame = Mnk<RunShape, WordBoard<u16>>;

pub(crate) fn line_game(spec: &str) -> SmallLineGame {
    Mnk::new(&mnk::Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap())
}

pub(crate) fn reversi(spec: &str) -> reversi::Reversi {
    reversi::Reversi::new(reversi::Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap())
}

/// A game with the values of all its positions that were asked for, by minimax as one would write it on a blackboard.
pub(crate) struct Known<'g, G: Game> {
    pub(crate) game: &'g G,
    values: HashMap<String, i32>,
}

impl<'g, G: Notation> Known<'g, G> {
    pub(crate) fn new(game: &'g G) -> Self {
        Known { game, values: HashMap::new() }
    }

    /// The first player's margin.
    pub(crate) fn value(&mut self, p: &G::Position) -> i32 {
        if let Some(margin) = self.game.margin(p) {
            return margin;
        }
        let name = name(self.game, p, true).0;
        if let Some(&value) = self.values.get(&name) {
            return value;
        }
        let values: Vec<i32> =
            after_moves(self.game, p).iter().map(|(_, next)| self.value(next)).collect();
        let best = match self.game.to_move(p) {
            Side::First => values.into_iter().max(),
            Side::Second => values.into_iter().min(),
        };
        let value = best.unwrap_or_else(|| self.game.stuck(p));
        self.values.insert(name, value);
        value
    }

    /// The position of a text, which is empty for the start.
    pub(crate) fn position(&self, text: &str) -> G::Position {
        if text.is_empty() { self.game.start() } else { self.game.read_position(text).unwrap() }
    }

    /// Proofs of both bounds of a position's value. Unless merged, mirror images are different nodes.
    pub(crate) fn both_bounds(
        &mut self,
        position: &str,
        budget: u64,
        merged: bool,
    ) -> Made<G::Position> {
        let value = self.value(&self.position(position));
        self.prove(position, &[Claim::AtLeast(value), Claim::AtMost(value)], budget, merged)
    }

    pub(crate) fn prove(
        &mut self,
        position: &str,
        claims: &[Claim],
        budget: u64,
        merged: bool,
    ) -> Made<G::Position> {
        let header = Header {
            game: self.game.spec(),
            position: position.to_owned(),
            symmetries: if merged { self.game.symmetries() as u8 } else { 1 },
            leaf_budget: budget,
        };
        let root = self.position(position);
        let proofs = claims.iter().map(|&claim| {
            let mut maker = Maker {
                known: self,
                claim,
                budget,
                merged,
                order: Vec::new(),
                seen: HashMap::new(),
            };
            maker.proof_of(&root)
        });
        let proofs = proofs.collect();
        Made { header, proofs }
    }
}

/// All moves in ascending order of their codes, with what they lead to.
pub(crate) fn after_moves<G: Notation>(game: &G, p: &G::Position) -> Vec<(u32, G::Position)> {
    let after = |m| {
        let mut next = p.clone();
        game.make(&mut next, m);
        (game.code(m), next)
    };
    let mut all: Vec<_> = moves_of(game, p).into_iter().map(after).collect();
    all.sort_by_key(|&(code, _)| code);
    all
}

/// The whole position as text, or that of its image with the smallest text, and which image that is.
fn name<G: Game>(game: &G, p: &G::Position, merged: bool) -> (String, usize) {
    let images = if merged { game.symmetries() } else { 1 };
    (0..images).map(|s| (format!("{:?}", game.transform(p, s)), s)).min().unwrap()
}

/// A certificate that can be changed part by part.
#[derive(Clone, Debug)]
pub(crate) struct Made<P> {
    pub(crate) header: Header,
    pub(crate) proofs: Vec<MadeProof<P>>,
}

#[derive(Clone, Debug)]
pub(crate) struct MadeProof<P> {
    pub(crate) claim: Claim,
    pub(crate) nodes: Vec<Node>,
    /// What each node stands for.
    pub(crate) positions: Vec<P>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Node {
    Choice { code: u32, step: Step },
    All(Vec<Step>),
    Hopeless,
}

impl Node {
    pub(crate) fn steps(&mut self) -> &mut [Step] {
        match self {
            Node::Choice { step, .. } => std::slice::from_mut(step),
            Node::All(steps) => steps,
            Node::Hopeless => &mut [],
        }
    }
}

impl<P> Made<P> {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.bytes_with(&[])
    }
}

/// Reads and verifies.
pub(crate) fn judge<G: Notation + WinningSets>(
    game: &G,
    bytes: &[u8],
) -> Result<ProofVerdict, Refusal> {
    let certificate = Certificate::read(bytes)?;
    verify(game, &certificate, &VerifyOptions::default(), &mut |_| {})
}

/// Reads, verifies, and gives the line that says why not.
pub(crate) fn refusal<G: Notation + WinningSets>(game: &G, bytes: &[u8]) -> String {
    let line = judge(game, bytes).expect_err("this proves nothing").to_string();
    assert_eq!(line.lines().count(), 1, "{line:?}");
    line
}

/// Makes the proof of one claim.
struct Maker<'k, 'g, G: Game> {
    known: &'k mut Known<'g, G>,
    claim: Claim,
    budget: u64,
    merged: bool,
    /// Nodes in the reverse of their order in the file: each after all it leads to.
    order: Vec<Draft<G>>,
    /// The places of nodes in that list.
    seen: HashMap<String, usize>,
}

struct Draft<G: Game> {
    position: G::Position,
    /// The chosen move, or none if all are answered.
    code: Option<u32>,
    /// For each step its node's place in the list and a symmetry; `None` if it is settled.
    steps: Vec<Option<(usize, usize)>>,
}

impl<G: Notation> Maker<'_, '_, G> {
    fn proof_of(&mut self, root: &G::Position) -> MadeProof<G::Position> {
        if !self.is_settled(root) {
            self.visit(root);
        }
        let last = self.order.len().wrapping_sub(1);
        let step = |from: usize, step: &Option<(usize, usize)>| match *step {
            None => Step::Settled,
            Some((to, symmetry)) => {
                Step::To { ahead: (from - to) as u64, symmetry: symmetry as u8 }
            }
        };
        let nodes = (0..self.order.len()).map(|i| last - i).map(|at| {
            let draft = &self.order[at];
            let mut steps = draft.steps.iter().map(|s| step(at, s));
            match draft.code {
                Some(code) => Node::Choice { code, step: steps.next().unwrap() },
                None => Node::All(steps.collect()),
            }
        });
        let positions = self.order.iter().rev().map(|draft| draft.position.clone());
        MadeProof { claim: self.claim, nodes: nodes.collect(), positions: positions.collect() }
    }

    fn is_settled(&self, p: &G::Position) -> bool {
        settles(self.known.game, p, self.claim, self.budget) == Some(true)
    }

    /// Adds a node and all that follow, and gives its place.
    fn visit(&mut self, p: &G::Position) -> usize {
        let game = self.known.game;
        let chooses = game.to_move(p) == self.claim.hoping();
        let mut moves = after_moves(game, p);
        if chooses {
            let claim = self.claim;
            let good = moves.iter().position(|(_, next)| claim.holds(self.known.value(next)));
            moves = vec![moves.swap_remove(good.expect("a claim that is true"))];
        }
        let steps = moves.iter().map(|(_, next)| self.step_to(next)).collect();
        let code = chooses.then(|| moves[0].0);
        self.order.push(Draft { position: p.clone(), code, steps });
        self.order.len() - 1
    }

    fn step_to(&mut self, p: &G::Position) -> Option<(usize, usize)> {
        if self.is_settled(p) {
            return None;
        }
        let (name, symmetry) = name(self.known.game, p, self.merged);
        if let Some(&place) = self.seen.get(&name) {
            return Some((place, symmetry));
        }
        let place = self.visit(&self.known.game.transform(p, symmetry));
        self.seen.insert(name, place);
        Some((place, symmetry))
    }
}
