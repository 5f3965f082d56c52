//! What a tree has to say: the move to play, its worth, the line.

use std::time::Duration;

use evaluation::Playouts;
use game::{Game, Value, allows, moves_of};
use play::{Info, InfoLine};

use super::arena::{Arena, ROOT};
use super::node::{Index, Node};
use super::stem::Stem;
use super::{MonteCarloTree, Rewards};
use crate::driver::Report;

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

impl<G: Game, H: Playouts<G>> MonteCarloTree<G, H> {
    /// What is known of each legal move but for [twins](evaluation::TWIN); nothing before the first
    /// trial.
    #[must_use]
    pub fn moves(&self, game: &G) -> Vec<Statistics<G::Move>> {
        let top = self.top();
        let (mover, limit) = (top[ROOT].mover, game.margin_limit());
        let statistics = |child: &Node<G::Move>| {
            let proved = proved_value(child, limit).map(Value::backed_up);
            Some(Statistics {
                m: child.m?,
                trials: child.tried.count,
                mean: child.tried.mean * mover.sign() as f32,
                proved: proved.map(|value| value.seen_by(mover)),
            })
        };
        top.children(ROOT).iter().filter_map(statistics).collect()
    }

    pub(super) fn report(&self, game: &G, trials: u64) -> Report<G::Move> {
        let top = self.top();
        let root = &top[ROOT];
        let proved = proved_value(root, game.margin_limit());
        let value = proved.or_else(|| score(&top, self.rewards));
        let line = self.line(&top);
        let any_move = || self.any_move(game).filter(|_| root.is_leaf() && proved.is_none());
        Report {
            value: value.map(|value| value.seen_by(root.mover)),
            exact: proved.is_some(),
            depth: proved.is_none().then_some(line.len() as u32),
            best: line.first().copied().or_else(any_move),
            selective_depth: 0,
            others: self.others(&top, line.first().copied(), game.margin_limit()),
            line,
            nodes: trials,
        }
    }

    /// The moves tried most beside the best one.
    fn others(
        &self,
        top: &Arena<G::Move>,
        best: Option<G::Move>,
        margin_limit: i32,
    ) -> Vec<InfoLine<G::Move>> {
        let mover = top[ROOT].mover;
        let mut others: Vec<_> = top
            .children(ROOT)
            .iter()
            .filter(|child| child.m != best && child.m.is_some())
            .collect();
        // Few are wanted, and a sort would be compiled for every game.
        let wanted = self.lines.saturating_sub(1).min(others.len());
        for place in 0..wanted {
            let rest = others[place..].iter().enumerate();
            let most = rest.max_by_key(|(i, child)| (child.tried.count, std::cmp::Reverse(*i)));
            let most = most.map_or(place, |(i, _)| place + i);
            others[place..=most].rotate_right(1);
        }
        let line = |child: &Node<G::Move>| {
            let proved = proved_value(child, margin_limit).map(Value::backed_up);
            let mean = Value::score((child.tried.mean * 1000.0).round() as i32);
            InfoLine {
                value: proved.unwrap_or(mean).seen_by(mover),
                moves: Vec::from_iter(child.m),
            }
        };
        others.into_iter().take(wanted).map(line).collect()
    }

    /// The root and its moves as all stems together know them.
    fn top(&self) -> Arena<G::Move> {
        let mut stems = self.stems.iter();
        // A stem that had no trial yet has no moves to add to.
        let mut top = match stems.find(|stem| !stem.arena[ROOT].is_leaf()) {
            Some(stem) => stem.arena.top(),
            None => return self.stems[0].arena.top(),
        };
        for stem in stems.filter(|stem| !stem.arena[ROOT].is_leaf()) {
            top[ROOT].learn(&stem.arena[ROOT]);
            for (child, same) in top.children_mut(ROOT).iter_mut().zip(stem.arena.children(ROOT)) {
                child.learn(same);
            }
        }
        if !top[ROOT].bounds.is_proved() {
            top.tighten(ROOT);
        }
        top
    }

    /// The moves both sides would play, as far as they were tried or proved: the first by what all
    /// know, the others by the stem that knows it best.
    fn line(&self, top: &Arena<G::Move>) -> Vec<G::Move> {
        let Some(first) = choice(top, self.rewards, ROOT) else { return Vec::new() };
        let same = |stem: &Stem<G, H>| {
            let number = first - top[ROOT].first_child;
            stem.arena[ROOT].first_child + number
        };
        let best =
            self.stems.iter().filter(|stem| !stem.arena[ROOT].is_leaf()).max_by_key(|stem| {
                let child = &stem.arena[same(stem)];
                let proves = child.bounds == top[first].bounds && child.plies == top[first].plies;
                (proves, child.tried.count)
            });
        let mut line: Vec<G::Move> = top[first].m.into_iter().collect();
        line.extend(best.into_iter().flat_map(|stem| stem.line_below(same(stem))));
        line
    }

    /// The first legal move: better than none if nothing was tried yet.
    fn any_move(&self, game: &G) -> Option<G::Move> {
        let stem = &self.stems[0];
        let allowed = |m: &G::Move| allows(game, &stem.root_position, &stem.path, *m);
        moves_of(game, &stem.root_position).into_iter().find(allowed)
    }
}

impl<G: Game, H> Stem<G, H> {
    /// The state of a search after so many trials, as far as this stem can tell.
    pub(super) fn info(&self, trials: u64, elapsed: Duration) -> Info<G::Move> {
        let children = self.arena.children(ROOT);
        let proved = children.iter().filter(|child| child.bounds.is_proved()).count();
        Info {
            depth: Some(self.line_below(ROOT).len() as u32),
            selective_depth: 0,
            nodes: trials,
            elapsed,
            table_per_mille: self.arena.used_per_mille(),
            root_moves: (proved, children.len()),
            best: choice(&self.arena, self.rewards, ROOT).and_then(|at| self.arena[at].m),
            lines: Vec::new(),
            scores: None,
        }
    }

    fn line_below(&self, mut at: Index) -> Vec<G::Move> {
        let mut line = Vec::new();
        while let Some(child) = choice(&self.arena, self.rewards, at) {
            line.extend(self.arena[child].m);
            at = child;
        }
        line
    }
}

/// What the move to play has earned, for the first player: unlike the mean of the root it does not
/// suffer from trials of worse moves.
fn score<M: Copy>(top: &Arena<M>, rewards: Rewards) -> Option<Value> {
    let chosen = &top[choice(top, rewards, ROOT).unwrap_or(ROOT)];
    let mean =
        if chosen.bounds.is_proved() { rewards.of(chosen.bounds.lower) } else { chosen.tried.mean };
    let tried = top[ROOT].tried.count > 0;
    tried.then(|| Value::score((mean * 1000.0).round() as i32))
}

/// The child to play: in a proved node one that keeps the value, quickly if it is good and slowly
/// if not; else the one tried most, unless something better is certain. None in a leaf, and where
/// it is best to claim.
fn choice<M: Copy>(arena: &Arena<M>, rewards: Rewards, parent: Index) -> Option<Index> {
    let node = &arena[parent];
    let bounds_of = |child: &Node<M>| child.bounds.seen_by(node.mover);
    let children = || (node.first_child..).zip(arena.children(parent));
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
    if rewards.of(floor) > mean {
        return certain.map(|(at, _)| at);
    }
    (child.tried.count > 0).then_some(tried)
}

/// The first player's value of a node whose bounds have met.
fn proved_value<M>(node: &Node<M>, margin_limit: i32) -> Option<Value> {
    let margin = node.bounds.is_proved().then_some(node.bounds.lower)?;
    Some((0..node.plies).fold(Value::over(margin, margin_limit), |value, _| value.backed_up()))
}
