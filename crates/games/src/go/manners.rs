//! What players of Go know beside how to win: where one begins, and when one passes.

use game::{Game, Rng, moves_of};

use super::points::PointSet;
use super::position::{Go, Move, Position};
use super::shape::Shape;

/// Games are opened in a certain way on boards that have room for it,
const ROOMY: usize = 9;
/// as long as there are fewer stones than this,
const OPENING_STONES: usize = 4;
/// from this line to that.
const OPENING_LINES: [usize; 2] = [3, 5];

/// So many random games tell whether there is anything left to play for.
const GAMES: usize = 48;
/// The worst of them count as accidents, and the best.
const ACCIDENTS: usize = GAMES / 4;

impl<S: PointSet, R: Shape> Go<S, R> {
    /// Where to place the first stones; none once there are some, and on small boards.
    #[must_use]
    pub fn opening_moves(&self, p: &Position<S>) -> Vec<Move> {
        let size = self.parameters().size();
        if size.rows.min(size.columns) < ROOMY || (p.own | p.other).len() >= OPENING_STONES {
            return Vec::new();
        }
        let [lowest, highest] = OPENING_LINES;
        let mut moves = moves_of(self, p);
        moves.retain(|&m| {
            let line = |at: usize, size: usize| (at + 1).min(size - at);
            self.square(m).is_some_and(|at| {
                let line = line(at.row, size.rows).min(line(at.column, size.columns));
                (lowest..=highest).contains(&line)
            })
        });
        moves
    }

    /// Whether a pass loses nothing beside this move: if play stopped now the margin would be no
    /// worse than the move brings,
    /// and if the opponent plays on after the pass nothing is lost either.
    #[must_use]
    pub fn may_pass(&self, p: &Position<S>, best: Move, rng: &mut Rng) -> bool {
        if best == Move::PASS {
            return true;
        }
        let sign = p.side.sign();
        let now = sign * self.final_margin(p);
        let mut seldom = |m: Move, accident: &dyn Fn(i32) -> bool| {
            let mut count = 0;
            (0..GAMES).all(|_| {
                let mut after = *p;
                self.make(&mut after, m);
                let margin = self.margin(&after).unwrap_or_else(|| {
                    self.sensible_game(&mut after, Some(m), rng, &mut |_, _| {})
                });
                count += usize::from(accident(sign * margin));
                count <= ACCIDENTS
            })
        };
        seldom(best, &|margin| margin > now) && seldom(Move::PASS, &|margin| margin < now)
    }
}
