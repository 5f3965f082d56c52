//! One node: its moves, and which of them to look at for how long.

use std::ops::Range;

use evaluation::{DOOMED, Proofs};
use game::{Game, Recall, Side};

use super::Prover;
use super::numbers::{NEVER, Numbers};
use super::table::Entry;

/// A move and what is known of where it leads.
#[derive(Clone, Copy, Debug)]
pub(super) struct Child<M> {
    pub(super) m: M,
    pub(super) mover: Side,
    pub(super) known: Entry,
}

/// What a search below a node found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Searched<M> {
    pub(super) numbers: Numbers,
    pub(super) plies: u16,
    /// The move that is nearest to what the mover hopes for.
    pub(super) best: Option<M>,
}

/// The moves of a node taken together, as the mover sees them.
struct Together {
    numbers: Numbers,
    best: usize,
    /// The second smallest hope.
    second: u32,
    /// How many moves but one are still to be denied.
    others: u32,
}

impl<G: Game, H: Proofs<G>> Prover<'_, G, H> {
    /// Searches below the current position, which is not settled, until a number reaches its
    /// threshold or a limit comes first. The thresholds are as the mover sees them.
    pub(super) fn search(&mut self, until: Numbers) -> Searched<G::Move> {
        self.nodes += 1;
        let nodes_before = self.nodes;
        let mover = self.game.to_move(&self.p);
        let children = self.expand();
        let searched = loop {
            let Some(now) = together(&self.children[children.clone()], mover) else {
                let numbers = Numbers::answer(self.stuck());
                break Searched { numbers, plies: 0, best: None };
            };
            let Child { m, mover: next_mover, .. } = self.children[children.start + now.best];
            let Numbers { proof: hope, disproof: fear } = now.numbers;
            if hope >= until.proof || fear >= until.disproof || self.expired() {
                let plies = self.plies(children.clone(), mover, now.numbers);
                break Searched { numbers: now.numbers.seen_by(mover), plies, best: Some(m) };
            }
            let below = Numbers {
                proof: until.proof.min(a_little_more(now.second)),
                disproof: match until.disproof {
                    NEVER => NEVER,
                    limit => limit - now.others,
                },
            };
            let below = below.seen_by(mover).seen_by(next_mover);
            let Some(step) = self.enter(m) else { unreachable!("the move was entered before") };
            self.depth += 1;
            // Round in circles.
            self.clock.expired |= self.depth > self.most_plies;
            let found = self.search(below);
            self.depth -= 1;
            self.leave(step);
            let known = Entry { numbers: found.numbers, plies: found.plies };
            self.children[children.start + now.best].known = known;
        };
        self.children.truncate(children.start);
        let entry = Entry { numbers: searched.numbers, plies: searched.plies };
        let name = self.name();
        self.table.put(name, entry, self.nodes - nodes_before + 1);
        searched
    }

    /// Puts the moves of the current position on the stack, with what is known of each, up to the
    /// first that gives the mover what it hopes for.
    fn expand(&mut self) -> Range<usize> {
        let first = self.children.len();
        let mover = self.game.to_move(&self.p);
        let mut moves = std::mem::take(&mut self.moves);
        self.game.generate(&self.p, &mut moves);
        let mut ranks = std::mem::take(&mut self.ranks);
        ranks.resize(moves.len(), 0);
        if self.sees_doom {
            self.heuristics.rank(self.game, &self.p, &moves, &mut ranks);
        }
        let path_key = self.path_key();
        for (&m, &rank) in moves.iter().zip(&ranks) {
            if rank == DOOMED {
                self.children.push(Child { m, mover: mover.other(), known: doom(mover) });
                continue;
            }
            let Some(step) = self.enter_from(path_key, m) else { continue };
            let child = Child { m, mover: self.game.to_move(&self.p), known: self.first_look() };
            self.leave(step);
            self.children.push(child);
            if child.known.numbers.seen_by(mover).proof == 0 {
                break;
            }
        }
        moves.clear();
        ranks.clear();
        (self.moves, self.ranks) = (moves, ranks);
        first..self.children.len()
    }

    /// What is known of the current position before it is searched.
    fn first_look(&mut self) -> Entry {
        if let Some(holds) = self.settled() {
            return Entry { numbers: Numbers::answer(holds), plies: 0 };
        }
        if let Some(entry) = self.table.get(self.name()) {
            return entry;
        }
        let moves = self.game.count(&self.p);
        let numbers = match moves {
            0 => Numbers::answer(self.stuck()),
            _ => Numbers::leaf(self.game.to_move(&self.p), moves),
        };
        Entry { numbers, plies: 0 }
    }

    /// The answer in the current position if there is no legal move: what can be claimed is
    /// claimed.
    fn stuck(&self) -> bool {
        let recall = match self.looks_back {
            true => self.game.recall(&self.p, &self.path),
            false => Recall::Fresh,
        };
        let margin = match recall {
            Recall::Claim(margin) => margin,
            _ => self.game.stuck(&self.p),
        };
        margin >= self.at_least
    }

    /// Plies to the end where the answer is known: quickly for the mover if it is good, slowly if
    /// not.
    fn plies(&self, children: Range<usize>, mover: Side, numbers: Numbers) -> u16 {
        let plies = self.children[children]
            .iter()
            .filter(|child| child.known.numbers.known() == numbers.seen_by(mover).known())
            .map(|child| child.known.plies.saturating_add(1));
        let plies = match (numbers.proof, numbers.disproof) {
            (0, _) => plies.min(),
            (_, 0) => plies.max(),
            _ => None,
        };
        plies.unwrap_or(0)
    }
}

/// What is known where the mover's opponent wins with its next move.
fn doom(mover: Side) -> Entry {
    Entry { numbers: Numbers::NO.seen_by(mover), plies: 1 }
}

/// `None` where there are no moves.
fn together<M>(children: &[Child<M>], mover: Side) -> Option<Together> {
    let (mut hope, mut second, mut best) = (u32::MAX, NEVER, None);
    let (mut worst, mut open) = (0, 0);
    for (i, child) in children.iter().enumerate() {
        let Numbers { proof, disproof } = child.known.numbers.seen_by(mover);
        if proof < hope {
            (second, hope, best) = (hope.min(NEVER), proof, Some(i));
        } else {
            second = second.min(proof);
        }
        worst = worst.max(disproof);
        open += u32::from(disproof > 0);
    }
    let others = open.saturating_sub(1);
    let numbers = match (hope, worst) {
        (0, _) => Numbers::YES,
        (_, 0) => Numbers::NO,
        _ => Numbers { proof: hope.min(NEVER - 1), disproof: (worst + others).min(NEVER - 1) },
    };
    Some(Together { numbers, best: best?, second, others })
}

/// What a move may cost before the next best is looked at again: a quarter more than that one.
fn a_little_more(second: u32) -> u32 {
    (second + second / 4 + 1).min(NEVER)
}
