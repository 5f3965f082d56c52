//! The sixty features written for being obviously right: pieces in rows and columns, every question asked of every
//! piece. Tests compare [`Sixty`](super::Sixty) with it; it rests on the plain twin of the rules.

use game::Game;

use crate::draughts::position::{Colour, Move};
use crate::draughts::reference::{Piece, Plain, Position};
use crate::draughts::switches::Switches;

/// A square by row from the top and column from the left.
type At = (isize, isize);

const DIAGONAL: [At; 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

/// All sixty, as a colour sees the position.
#[must_use]
pub fn features(game: &Plain, p: &Position, viewer: Colour) -> Vec<i32> {
    let own = Side::new(game, p, viewer);
    let opposing = Side::new(game, p, viewer.other());
    let mut all = Vec::new();
    let mut both = |one: &dyn Fn(&Side<'_>) -> Vec<i32>| {
        all.extend(one(&own));
        all.extend(one(&opposing));
    };
    both(&|side| side.kinds(|_, _| true));
    both(&|side| {
        side.kinds(|side, (row, column)| [row, column].iter().any(|&n| n == 0 || n == side.last))
    });
    both(&|side| side.kinds(|side, at| side.moves.iter().any(|&(from, _)| from == at)));
    both(&|side| vec![side.moves.len() as i32]);
    both(&|side| {
        let captures = side.moves.iter().filter(|(_, taken)| *taken > 0).count() as i32;
        let longest = side.moves.iter().map(|&(_, taken)| taken).max().unwrap_or(0);
        vec![captures.min(1), captures, longest]
    });
    both(&|side| vec![side.men().iter().map(|&at| side.to_promotion(at) as i32).sum()]);
    both(&|side| {
        let row = if side.colour == Colour::White { 0 } else { side.last };
        let free = side.squares.iter().filter(|at| at.0 == row && side.piece(**at).is_none());
        vec![free.count() as i32]
    });
    both(&|side| side.kinds(|side, at| side.last - side.to_promotion(at) <= 1));
    both(&|side| side.kinds(|side, at| at.0 == side.last / 2 || at.0 == side.last / 2 + 1));
    both(&|side| side.kinds(|side, at| side.to_promotion(at) <= 2));
    both(&|side| {
        side.kinds(|side, at| DIAGONAL.iter().all(|&step| side.piece(plus(at, step)).is_none()))
    });
    both(&|side| side.corners());
    both(&|side| side.patterns());
    both(&|side| side.blocks());
    all
}

/// What one colour has.
struct Side<'a> {
    p: &'a Position,
    switches: Switches,
    colour: Colour,
    /// The number of the last row and column.
    last: isize,
    /// The dark squares.
    squares: Vec<At>,
    /// Its moves if it were on the move: where from, and how many pieces each takes.
    moves: Vec<(At, i32)>,
}

impl<'a> Side<'a> {
    fn new(game: &Plain, p: &'a Position, colour: Colour) -> Side<'a> {
        let switches = game.switches();
        let last = switches.size.side() as isize - 1;
        let squares: Vec<At> = game.squares().collect();
        let mut turn = p.clone();
        turn.colour = colour;
        let square_of = |bit: usize| squares.iter().copied().find(|&at| game.bit(at) == bit);
        let moves = legal_moves(game, &turn)
            .into_iter()
            .filter_map(|m| Some((square_of(m.from())?, m.captured().count_ones() as i32)))
            .collect();
        Side { p, switches, colour, last, squares, moves }
    }

    fn piece(&self, (row, column): At) -> Option<Piece> {
        let inside = (0..=self.last).contains(&row) && (0..=self.last).contains(&column);
        if inside { self.p.pieces[row as usize][column as usize] } else { None }
    }

    fn is_own(&self, at: At) -> bool {
        self.piece(at).is_some_and(|piece| piece.colour == self.colour)
    }

    fn own(&self, king: bool) -> Vec<At> {
        let wanted = Some(Piece { colour: self.colour, king });
        self.squares.iter().copied().filter(|&at| self.piece(at) == wanted).collect()
    }

    fn men(&self) -> Vec<At> {
        self.own(false)
    }

    /// How many men, and how many kings.
    fn kinds(&self, which: impl Fn(&Side<'_>, At) -> bool) -> Vec<i32> {
        let count = |king| self.own(king).into_iter().filter(|&at| which(self, at)).count() as i32;
        vec![count(false), count(true)]
    }

    /// Rows to go.
    fn to_promotion(&self, at: At) -> isize {
        if self.colour == Colour::White { at.0 } else { self.last - at.0 }
    }

    fn corners(&self) -> Vec<i32> {
        let corners = [(0, self.last), (self.last, 0)];
        let any = |king| corners.iter().any(|at| self.own(king).contains(at));
        let both = corners.iter().all(|&at| self.is_own(at));
        vec![i32::from(any(false)), i32::from(any(true)), i32::from(both)]
    }

    /// Triangle, Oreo, Bridge, Dog.
    fn patterns(&self) -> Vec<i32> {
        // As White sees it: from the right and from the bottom, by columns of the whole board.
        let square = |up: isize, from_right: isize| match self.colour {
            Colour::White => (self.last - up, self.last - from_right),
            Colour::Black => (up, from_right),
        };
        let man = |at, colour| self.piece(at) == Some(Piece { colour, king: false });
        let own = |at| man(at, self.colour);
        let triangle = own(square(1, 2)) && own(square(0, 3)) && own(square(0, 1));
        let oreo = own(square(1, 4)) && own(square(0, 5)) && own(square(0, 3));
        let bridge = own(square(0, 5)) && own(square(0, 1));
        let dog = own(square(0, 1)) && man(square(1, 0), self.colour.other());
        [triangle, oreo, bridge, dog].map(i32::from).to_vec()
    }

    /// Blocking pieces, block lines, the longest.
    fn blocks(&self) -> Vec<i32> {
        let own: Vec<At> = self.squares.iter().copied().filter(|&at| self.is_own(at)).collect();
        let blocking =
            own.iter().filter(|&&at| DIAGONAL.iter().any(|&step| self.blocks_one(at, step)));
        let mut lines = Vec::new();
        for step in [(1, -1), (1, 1)] {
            for &at in &own {
                let mut length = 1;
                let mut next = plus(at, step);
                while self.is_own(next) {
                    length += 1;
                    next = plus(next, step);
                }
                let begins = !self.is_own((at.0 - step.0, at.1 - step.1));
                lines.extend(Some(length).filter(|&length| begins && length >= 2));
            }
        }
        let longest = lines.iter().copied().max().unwrap_or(0);
        vec![blocking.count() as i32, lines.len() as i32, longest]
    }

    /// Whether the own piece next to this one in a direction would be captured from there if this square were empty.
    fn blocks_one(&self, at: At, step: At) -> bool {
        let kept = plus(at, step);
        let Some(kept_piece) = self.piece(kept).filter(|piece| piece.colour == self.colour) else {
            return false;
        };
        let mut from = plus(kept, step);
        let mut far = false;
        let on_board =
            |(row, column): At| (0..=self.last).contains(&row) && (0..=self.last).contains(&column);
        while self.switches.flying && on_board(from) && self.piece(from).is_none() {
            from = plus(from, step);
            far = true;
        }
        let Some(hunter) = self.piece(from).filter(|piece| piece.colour != self.colour) else {
            return false;
        };
        if hunter.king {
            return true;
        }
        // The jump goes against the direction in which we looked.
        let ahead = (step.0 > 0) == (hunter.colour == Colour::White);
        !far && (ahead || self.switches.back) && !(self.switches.shielded && kept_piece.king)
    }
}

fn plus(at: At, step: At) -> At {
    (at.0 + step.0, at.1 + step.1)
}

fn legal_moves(game: &Plain, p: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    game.generate(p, &mut moves);
    moves
}
