//! One trial: down the tree, a playout, and up again.

use evaluation::{Playouts, TWIN};
use game::{Game, Path, Recall};

use super::arena::ROOT;
use super::node::{Bounds, Index, Node};
use super::stem::Stem;

impl<G: Game, H: Playouts<G>> Stem<G, H> {
    /// Tries one line of play from the root, which is not proved. What it learns goes into every
    /// node on its way.
    pub(super) fn try_once(&mut self, game: &G) {
        self.go_to_root();
        self.amaf.begin();
        let mut at = ROOT;
        let mut grown = None;
        loop {
            if self.arena[at].is_leaf() {
                if grown.is_some() || !self.is_ripe(at) || !self.expand(game, at) {
                    break;
                }
                grown = Some(at);
                if self.arena[at].bounds.is_proved() {
                    break;
                }
            }
            at = self.select(at);
            self.descend(game, at);
        }
        let node = &self.arena[at];
        let margin = if node.bounds.is_proved() { node.bounds.lower } else { self.playout(game) };
        self.back_up(game, margin, grown);
    }

    fn go_to_root(&mut self) {
        self.p.clone_from(&self.root_position);
        self.path_to_root();
        self.trail.clear();
        self.trail.push(ROOT);
    }

    /// Whether a leaf was tried often enough to be worth its children, and they may fit. The less
    /// room there is, the more it takes: otherwise the last leaves to come would be left out, good
    /// as they may be.
    fn is_ripe(&self, at: Index) -> bool {
        let enough = self.settings.expand_after.saturating_mul(1 << self.arena.scarcity());
        !self.full && (at == ROOT || self.arena[at].tried.count >= enough)
    }

    fn descend(&mut self, game: &G, child: Index) {
        if self.looks_back {
            self.path.push(game.path_key(&self.p));
        }
        let m = self.arena[child].m.expect("only a root has no move");
        game.make(&mut self.p, m);
        self.trail.push(child);
    }

    /// Gives the current position, a leaf, its children; where there is no legal move the leaf is
    /// proved instead. False if there is no room.
    ///
    /// Every child is looked at once, so that a move that ends the game is proved before any
    /// playout.
    fn expand(&mut self, game: &G, at: Index) -> bool {
        let mut moves = std::mem::take(&mut self.moves);
        game.generate(&self.p, &mut moves);
        if at == ROOT && !self.among.is_empty() {
            moves.retain(|m| self.among.contains(m));
        }
        self.priors.clear();
        self.priors.resize(moves.len(), 0.0);
        let last = self.arena[at].m;
        self.heuristics.prior(game, &self.p, last, &moves, &mut self.priors);
        if self.looks_back {
            self.path.push(game.path_key(&self.p));
        }
        let (p, path) = (&mut self.p, &self.path);
        let looked_at = moves.drain(..).zip(&self.priors).filter(|&(_, &prior)| prior != TWIN);
        let children = looked_at.filter_map(|(m, &prior)| {
            let undo = game.make(p, m);
            let bounds = bounds_at(game, p, path);
            let mover = game.to_move(p);
            game.unmake(p, m, undo);
            bounds.map(|bounds| Node { prior, ..Node::new(Some(m), mover, bounds) })
        });
        let fits = self.arena.adopt(at, children);
        self.full = !fits;
        if self.looks_back {
            self.path.pop();
        }
        self.moves = moves;
        if !fits {
            return false;
        }
        if self.arena[at].is_leaf() {
            self.prove_stuck(game, at);
        } else {
            self.arena.tighten(at);
        }
        true
    }

    /// There is no legal move: what can be claimed is claimed.
    fn prove_stuck(&mut self, game: &G, at: Index) {
        let claim = match self.looks_back.then(|| game.recall(&self.p, &self.path)) {
            Some(Recall::Claim(margin)) => Some(margin),
            _ => None,
        };
        let margin = claim.unwrap_or_else(|| game.stuck(&self.p));
        self.arena[at].bounds = Bounds::exactly(margin);
    }

    /// The child to try next: UCT (Kocsis and Szepesvári 2006), its mean blended with that of all
    /// moves as first by how little it was tried itself (RAVE, Gelly and Silver 2007), and favoured
    /// by its first look as long as little else is known (progressive bias, Chaslot et al. 2008).
    /// Children that are proved, or that cannot be better than what the mover has already, are left
    /// alone.
    fn select(&self, parent: Index) -> Index {
        let node = &self.arena[parent];
        let (mover, floor) = (node.mover, node.bounds.seen_by(node.mover).lower);
        let sign = mover.sign() as f32;
        let (exploration, bias) = (self.settings.exploration, self.settings.bias);
        let log = (node.tried.count as f32 + 1.0).ln();
        let (mut best, mut highest) = (None, f32::NEG_INFINITY);
        for (i, child) in self.arena.children(parent).iter().enumerate() {
            if child.bounds.is_proved() || child.bounds.seen_by(mover).upper <= floor {
                continue;
            }
            let count = child.tried.count as f32;
            // What was never tried is taken to be as good as its parent.
            let own = if child.tried.count == 0 { node.tried.mean } else { child.tried.mean };
            let blended = own + self.trust_in_amaf(child) * (child.amaf.mean - own);
            let curiosity = exploration * (log / (count + 1.0)).sqrt();
            let score = sign * blended + curiosity + bias * child.prior / (count + 1.0);
            if best.is_none() || score > highest {
                (best, highest) = (Some(i), score);
            }
        }
        let i = best.expect("a node that is not proved has a child that is not");
        node.first_child + i as Index
    }

    /// How much all moves as first count beside the trials of the move itself: from 1, as long as
    /// there are none of those, down to 0.
    #[inline]
    fn trust_in_amaf(&self, child: &Node<G::Move>) -> f32 {
        let Some(equivalence) = self.settings.rave else { return 0.0 };
        let (own, amaf) = (child.tried.count as f32, child.amaf.count as f32);
        if amaf == 0.0 { 0.0 } else { amaf / (own + amaf + own * amaf / equivalence) }
    }

    /// Plays the current position to its end at random and gives the margin there.
    fn playout(&mut self, game: &G) -> i32 {
        let (p, path, rng) = (&mut self.p, &mut self.path, &mut self.rng);
        let rave = self.settings.rave.is_some();
        if !rave && !H::PLAYS_OUT {
            return game.playout(p, path, rng);
        }
        let last = self.trail.last().and_then(|&at| self.arena[at].m);
        let amaf = &mut self.amaf;
        self.heuristics.playout(game, p, path, last, rng, &mut |mover, m| {
            if rave {
                amaf.mark(game, mover, m);
            }
        })
    }

    /// Tells all nodes of the trail how the trial ended, and those above the grown one what its
    /// bounds mean for theirs.
    fn back_up(&mut self, game: &G, mut margin: i32, grown: Option<Index>) {
        let trail = std::mem::take(&mut self.trail);
        let (mut played, mut changed) = (None, false);
        for &at in trail.iter().rev() {
            changed = (changed && self.arena.tighten(at)) || grown == Some(at);
            let node = &mut self.arena[at];
            // What is proved is known better than any trial tells.
            margin = margin.clamp(node.bounds.lower, node.bounds.upper);
            let reward = self.rewards.of(margin);
            node.tried.add(reward);
            let (mover, m) = (node.mover, node.m);
            if let Some(m) = played
                && self.settings.rave.is_some()
            {
                self.amaf.mark(game, mover, m);
                for child in self.arena.children_mut(at) {
                    if child.m.is_some_and(|m| self.amaf.is_marked(game, mover, m)) {
                        child.amaf.add(reward);
                    }
                }
            }
            played = m;
        }
        self.trail = trail;
    }
}

/// What can be said of a position just reached; `None` if a rule that looks back forbids the move.
pub(super) fn bounds_at<G: Game>(game: &G, p: &G::Position, path: &Path) -> Option<Bounds> {
    let recall = if game.looks_back() { game.recall(p, path) } else { Recall::Fresh };
    if recall == Recall::Forbidden {
        return None;
    }
    let open = Bounds::open(game.margin_limit());
    let bounds = match (game.margin(p), recall) {
        (Some(margin), _) | (None, Recall::Over(margin)) => Bounds::exactly(margin),
        (None, Recall::Claim(margin)) => {
            let mover = game.to_move(p);
            let lower = Bounds::exactly(margin).seen_by(mover).lower;
            Bounds { lower, ..open.seen_by(mover) }.seen_by(mover)
        }
        _ => open,
    };
    Some(bounds)
}
