//! [`SearchLine`]: the moves from the root to the node that is being searched.

use evaluation::{Evaluation, Tactics};
use game::{Game, Path, Recall, Value};

use crate::driver::SearchRoot;

/// The current position, how it came about, and the evaluation that follows it.
pub(crate) struct SearchLine<'a, G: Game, H> {
    pub(crate) game: &'a G,
    pub(crate) p: G::Position,
    pub(crate) heuristics: H,
    path: Path,
    looks_back: bool,
    margin_limit: i32,
    /// What the rules that look back say of the current position; fresh after `enter` and
    /// `look_back`.
    recall: Recall,
}

impl<'a, G: Game, H: Evaluation<G>> SearchLine<'a, G, H> {
    pub(crate) fn new(root: &SearchRoot<'a, G>, mut heuristics: H) -> Self {
        let (game, p, path) = (root.game, root.position.clone(), root.path.clone());
        heuristics.begin(game, &p);
        SearchLine {
            game,
            recall: game.recall(&p, &path),
            p,
            heuristics,
            path,
            looks_back: game.looks_back(),
            margin_limit: game.margin_limit(),
        }
    }

    /// Makes a move, unless a rule that looks back forbids it.
    #[inline]
    pub(crate) fn enter(&mut self, m: G::Move) -> Option<G::Undo> {
        if !self.looks_back {
            let undo = self.game.make(&mut self.p, m);
            self.heuristics.pushed(self.game, &self.p, m);
            return Some(undo);
        }
        self.path.push(self.game.path_key(&self.p));
        let undo = self.game.make(&mut self.p, m);
        self.recall = self.game.recall(&self.p, &self.path);
        if self.recall == Recall::Forbidden {
            self.game.unmake(&mut self.p, m, undo);
            self.path.pop();
            return None;
        }
        self.heuristics.pushed(self.game, &self.p, m);
        Some(undo)
    }

    /// Takes back what `enter` did.
    #[inline]
    pub(crate) fn leave(&mut self, m: G::Move, undo: G::Undo) {
        self.game.unmake(&mut self.p, m, undo);
        self.heuristics.popped(self.game, &self.p, m);
        if self.looks_back {
            self.path.pop();
        }
    }

    /// Makes a null move, which leads to this position; give what was there to `leave_null_move`.
    pub(crate) fn enter_null_move(&mut self, next: G::Position) -> G::Position {
        if self.looks_back {
            self.path.push(self.game.path_key(&self.p));
        }
        self.recall = Recall::Fresh;
        std::mem::replace(&mut self.p, next)
    }

    pub(crate) fn leave_null_move(&mut self, before: G::Position) {
        self.p = before;
        if self.looks_back {
            self.path.pop();
        }
        self.look_back();
    }

    /// Says afresh what the rules that look back think of the current position, after searching on
    /// from it.
    pub(crate) fn look_back(&mut self) {
        if self.looks_back {
            self.recall = self.game.recall(&self.p, &self.path);
        }
    }

    #[inline]
    pub(crate) fn looks_back(&self) -> bool {
        self.looks_back
    }

    /// What the rules that look back say of the current position.
    #[inline]
    pub(crate) fn recall(&self) -> Recall {
        if self.looks_back { self.recall } else { Recall::Fresh }
    }

    /// A first player's margin as a value for the side to move.
    #[inline]
    pub(crate) fn over(&self, margin: i32) -> Value {
        Value::over(margin, self.margin_limit).seen_by(self.game.to_move(&self.p))
    }

    /// The value of the current position if the game is over.
    #[inline]
    pub(crate) fn ended(&self) -> Option<Value> {
        if let Some(margin) = self.game.margin(&self.p) {
            return Some(self.over(margin));
        }
        match self.recall {
            Recall::Over(margin) if self.looks_back => Some(self.over(margin)),
            _ => None,
        }
    }

    /// What the side to move can have at once by claiming it.
    #[inline]
    pub(crate) fn claim(&self) -> Option<Value> {
        match self.recall {
            Recall::Claim(margin) if self.looks_back => Some(self.over(margin)),
            _ => None,
        }
    }

    /// The value of the current position where no move was generated.
    #[inline]
    pub(crate) fn stuck(&self) -> Value {
        self.over(self.game.stuck(&self.p))
    }

    /// The value of the current position if there is no move.
    #[inline]
    pub(crate) fn stuck_here(&self) -> Option<Value> {
        let stuck = G::GETS_STUCK && self.game.is_stuck(&self.p);
        stuck.then(|| self.claim().unwrap_or_else(|| self.stuck()))
    }
}

impl<G: Game, H: Tactics<G>> SearchLine<'_, G, H> {
    /// Whether the current position was there before, as the game's tactics see it.
    #[inline]
    pub(crate) fn repeats(&mut self) -> bool {
        self.looks_back && self.heuristics.repeats(self.game, &self.p, &self.path)
    }

    /// Whether the side to move must answer a threat.
    #[inline]
    pub(crate) fn must_answer(&mut self) -> bool {
        self.heuristics.must_answer(self.game, &self.p)
    }

    /// Whether a move makes a threat, if that is seen before it is made.
    #[inline]
    pub(crate) fn threatens(&mut self, m: G::Move) -> Option<bool> {
        self.heuristics.threatens(self.game, &self.p, m)
    }

    /// Static exchange evaluation of a move.
    #[inline]
    pub(crate) fn see_at_least(&mut self, m: G::Move, least: i32) -> bool {
        self.heuristics.see_at_least(self.game, &self.p, m, least)
    }
}
