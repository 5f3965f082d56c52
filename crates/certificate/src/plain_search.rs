//! [`PlainSearch`]: what the checker itself finds out about the leaves of a proof.

use game::Game;

use crate::claim::Claim;

/// Whether a claim is true of a position, `None` if that takes more than `budget` positions. See [`PlainSearch::settles`].
pub fn settles<G: Game>(
    game: &G,
    position: &G::Position,
    claim: Claim,
    budget: u64,
) -> Option<bool> {
    PlainSearch::new(game).settles(position, claim, budget)
}

/// The alpha-beta search of a yes-or-no question, as plain as it can be: to the end of the game, moves in the order in which they are
/// generated, no table. Its one refinement: before it goes deeper it looks whether a move ends the game at once.
///
/// It keeps its path in a list rather than on the stack of the machine, since a game may have 62,500 plies.
#[derive(Debug)]
pub struct PlainSearch<'g, G: Game> {
    game: &'g G,
    /// The moves of all positions on the path that do not end the game, the last position's last.
    moves: Vec<G::Move>,
    path: Vec<Visit<G>>,
    visited: u64,
}

/// A position on the path.
#[derive(Debug)]
struct Visit<G: Game> {
    /// Whether the hoping side is to move: it needs one move that gets there, the other side one that does not.
    hoping: bool,
    /// Where its moves begin in the list, and the next one to try.
    first: usize,
    next: usize,
    /// The move on the path.
    made: Option<(G::Move, G::Undo)>,
}

impl<'g, G: Game> PlainSearch<'g, G> {
    /// For positions of this game.
    #[must_use]
    pub fn new(game: &'g G) -> PlainSearch<'g, G> {
        PlainSearch { game, moves: Vec::new(), path: Vec::new(), visited: 0 }
    }

    /// How many positions all searches came to.
    #[must_use]
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// Whether a claim is true of a position, `None` if that takes more than `budget` positions. The position itself counts as one, and so
    /// does every position that is reached by a move, once, when it is looked at for the end of the game.
    pub fn settles(&mut self, position: &G::Position, claim: Claim, budget: u64) -> Option<bool> {
        let until = self.visited.saturating_add(budget);
        self.moves.clear();
        self.path.clear();
        self.count(until)?;
        let mut p = position.clone();
        let mut answer = match self.game.margin(&p) {
            Some(margin) => Some(claim.holds(margin)),
            None => self.enter(&mut p, claim, until)?,
        };
        // With an answer for `p` the path goes back, without one it goes on from there.
        while let Some(visit) = self.path.last_mut() {
            if let Some((m, undo)) = visit.made.take() {
                self.game.unmake(&mut p, m, undo);
            }
            let (hoping, first) = (visit.hoping, visit.first);
            let decided = answer.filter(|&answer| answer == hoping);
            if decided.is_some() || visit.next == self.moves.len() {
                answer = decided.or(Some(!hoping));
                self.moves.truncate(first);
                self.path.pop();
                continue;
            }
            let m = self.moves[visit.next];
            visit.next += 1;
            visit.made = Some((m, self.game.make(&mut p, m)));
            answer = self.enter(&mut p, claim, until)?;
        }
        answer
    }

    /// Comes to an unfinished position: gives the answer if a move ends the game as its mover likes, or all moves end it; else puts the position on
    /// the path, with the moves that go on. `None` if the budget is used up.
    fn enter(&mut self, p: &mut G::Position, claim: Claim, until: u64) -> Option<Option<bool>> {
        let first = self.moves.len();
        self.game.generate(p, &mut self.moves);
        if self.moves.len() == first {
            return Some(Some(claim.holds(self.game.stuck(p))));
        }
        let hoping = self.game.to_move(p) == claim.hoping();
        let mut kept = first;
        for i in first..self.moves.len() {
            self.count(until)?;
            let m = self.moves[i];
            let undo = self.game.make(p, m);
            let margin = self.game.margin(p);
            self.game.unmake(p, m, undo);
            match margin {
                Some(margin) if claim.holds(margin) == hoping => {
                    self.moves.truncate(first);
                    return Some(Some(hoping));
                }
                Some(_) => {}
                None => {
                    self.moves[kept] = m;
                    kept += 1;
                }
            }
        }
        self.moves.truncate(kept);
        if kept == first {
            return Some(Some(!hoping));
        }
        self.path.push(Visit { hoping, first, next: first, made: None });
        Some(None)
    }

    fn count(&mut self, until: u64) -> Option<()> {
        if self.visited == until {
            return None;
        }
        self.visited += 1;
        Some(())
    }
}
