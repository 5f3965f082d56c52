//! What a tree has to say: the move to play, its worth, the line.

use game::{Game, Value, allows, moves_of};

use super::Tree;
use super::arena::ROOT;
use super::node::{Index, Node};
use crate::driver::{Progress, Report};

/// What is known of a move at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics<M> {
    /// The move.
    pub m: M,
    /// How often it was tried.
    pub trials: u32,
    /// The mean reward for who makes it, from -1 to 1.
    pub mean: f32,
    /// Its value for who makes it, where that is proved.
    pub proved: Option<Value>,
}

impl<G: Game> Tree<G> {
    /// What is known of each legal move; nothing before the first trial.
    pub fn moves(&self, game: &G) -> impl Iterator<Item = Statistics<G::Move>> {
        let (mover, limit) = (self.arena[ROOT].mover, game.margin_limit());
        self.arena.children(ROOT).iter().filter_map(move |child| {
            let proved = proved_value(child, limit).map(Value::backed_up);
            Some(Statistics {
                m: child.m?,
                trials: child.tried.count,
                mean: child.tried.mean * mover.sign() as f32,
                proved: proved.map(|value| value.seen_by(mover)),
            })
        })
    }

    /// The state of a search after so many trials.
    pub(super) fn progress(&self, trials: u64) -> Progress<G::Move> {
        let children = self.arena.children(ROOT);
        let proved = children.iter().filter(|child| child.bounds.is_proved()).count();
        Progress {
            depth: Some(self.line().len() as u32),
            selective_depth: 0,
            nodes: trials,
            table_per_mille: self.arena.used_per_mille(),
            root_moves: (proved, children.len()),
            best: self.choice(ROOT).and_then(|at| self.arena[at].m),
            lines: Vec::new(),
        }
    }

    pub(super) fn report(&self, game: &G, trials: u64) -> Report<G::Move> {
        let root = &self.arena[ROOT];
        let proved = proved_value(root, game.margin_limit());
        let value = proved.or_else(|| self.score());
        let line = self.line();
        let any_move = || self.any_move(game).filter(|_| root.is_leaf() && proved.is_none());
        Report {
            value: value.map(|value| value.seen_by(root.mover)),
            exact: proved.is_some(),
            depth: proved.is_none().then_some(line.len() as u32),
            best: line.first().copied().or_else(any_move),
            selective_depth: 0,
            line,
            others: Vec::new(),
            nodes: trials,
        }
    }

    /// What the move to play has earned, for the first player: unlike the mean of the root it does not
    /// suffer from trials of worse moves.
    fn score(&self) -> Option<Value> {
        let chosen = &self.arena[self.choice(ROOT).unwrap_or(ROOT)];
        let mean = if chosen.bounds.is_proved() {
            self.rewards.of(chosen.bounds.lower)
        } else {
            chosen.tried.mean
        };
        let tried = self.arena[ROOT].tried.count > 0;
        tried.then(|| Value::score((mean * 1000.0).round() as i32))
    }

    /// The moves both sides would play, as far as they were tried or proved.
    fn line(&self) -> Vec<G::Move> {
        let mut line = Vec::new();
        let mut at = ROOT;
        while let Some(child) = self.choice(at) {
            line.extend(self.arena[child].m);
            at = child;
        }
        line
    }

    /// The child to play: in a proved node one that keeps the value, quickly if it is good and slowly if
    /// not; else the one tried most, unless something better is certain. None in a leaf, and where
    /// it is best to claim.
    fn choice(&self, parent: Index) -> Option<Index> {
        let node = &self.arena[parent];
        let bounds_of = |child: &Node<G::Move>| child.bounds.seen_by(node.mover);
        let children = || (node.first_child..).zip(self.arena.children(parent));
        let floor = bounds_of(node).lower;
        let certain = children()
            .filter(|(_, child)| bounds_of(child).lower == floor)
            .min_by_key(|(_, child)| i32::from(child.plies) * floor.signum());
        if node.bounds.is_proved() {
            return certain.map(|(at, _)| at);
        }
        let (tried, child) = children()
            .filter(|(_, child)| !child.bounds.is_proved() && bounds_of(child).upper > floor)
            .max_by_key(|(at, child)| (child.tried.count, std::cmp::Reverse(*at)))?;
        let mean = child.tried.mean * node.mover.sign() as f32;
        if self.rewards.of(floor) > mean {
            return certain.map(|(at, _)| at);
        }
        (child.tried.count > 0).then_some(tried)
    }

    /// The first legal move: better than none if nothing was tried yet.
    fn any_move(&self, game: &G) -> Option<G::Move> {
        let allowed = |m: &G::Move| allows(game, &self.root_position, &self.path, *m);
        moves_of(game, &self.root_position).into_iter().find(allowed)
    }
}

/// The first player's value of a node whose bounds have met.
fn proved_value<M>(node: &Node<M>, margin_limit: i32) -> Option<Value> {
    let margin = node.bounds.is_proved().then_some(node.bounds.lower)?;
    Some((0..node.plies).fold(Value::over(margin, margin_limit), |value, _| value.backed_up()))
}
