//! The last few squares of a game, counted out: whether the side to move gets at least so much.
//!
//! Everything is two words and the empty squares. Near the end it pays to look at little: moves after which the opponent has few come first while
//! there are some squares left, then those into regions with an odd number of empty squares, where one may hope to have the last move (Andersson's `endgame`
//! has the idea from human play).

use super::board::{Board, neighbours};
use super::evaluation::{safe, stable};
use super::moves::{flips, mobility};

/// With more empty squares than this a table is worth its while.
pub(super) const MOST_EMPTIES: u32 = 9;
/// With at least so many, moves are ordered by the replies they leave.
const RANKED_FROM: u32 = 5;

/// Counts an ending out.
pub(super) struct Ending<'a> {
    board: &'a Board,
    /// Positions visited.
    pub(super) nodes: u64,
}

/// A move with how many replies it leaves, and where they are.
#[derive(Clone, Copy, Default)]
struct Ranked {
    rank: u32,
    own: u64,
    other: u64,
    placements: u64,
}

impl Ending<'_> {
    pub(super) fn new(board: &Board) -> Ending<'_> {
        Ending { board, nodes: 0 }
    }

    /// Whether `own`, who is to move, ends with a margin of at least this, empty squares to the winner.
    pub(super) fn reaches(&mut self, own: u64, other: u64, least: i32, passed: bool) -> bool {
        let placements = mobility(own, other) & self.empties(own, other);
        self.reaches_by(placements, own, other, least, passed)
    }

    fn empties(&self, own: u64, other: u64) -> u64 {
        self.board.squares & !(own | other)
    }

    /// The same, where it is known which squares can be taken.
    fn reaches_by(
        &mut self,
        placements: u64,
        own: u64,
        other: u64,
        least: i32,
        passed: bool,
    ) -> bool {
        let empties = self.empties(own, other);
        let left = empties.count_ones();
        if left < RANKED_FROM {
            return self.last_squares(own, other, least, passed);
        }
        self.nodes += 1;
        if placements == 0 {
            return match passed {
                true => with_empties(count(own) - count(other), left) >= least,
                // Who gets at least -least + 1 denies it.
                false => !self.reaches(other, own, 1 - least, true),
            };
        }
        !self.is_out_of_reach(other, empties, least) && self.ranked(own, other, least, placements)
    }

    /// Discs that stay bound what is left to win.
    fn is_out_of_reach(&self, other: u64, empties: u64, least: i32) -> bool {
        let all = count(self.board.squares);
        let could_be = all - 2 * count(other) < least;
        could_be && all - 2 * count(stable(&safe(self.board, empties), other)) < least
    }

    fn ranked(&mut self, own: u64, other: u64, least: i32, placements: u64) -> bool {
        let empties = self.empties(own, other);
        let odd = odd_regions(empties);
        let mut moves = [Ranked::default(); MOST_EMPTIES as usize];
        let mut number = 0;
        for bit in bits(placements) {
            let (flipped, placed) = (flips(bit, own, other), 1 << bit);
            let (next_own, next_other) = (other ^ flipped, own ^ flipped ^ placed);
            let replies = mobility(next_own, next_other) & empties & !placed;
            let rank = 2 * (replies.count_ones() + (replies & self.board.corners).count_ones());
            let rank = rank + u32::from(odd & placed == 0);
            moves[number] = Ranked { rank, own: next_own, other: next_other, placements: replies };
            number += 1;
        }
        moves[..number].sort_unstable_by_key(|next| next.rank);
        moves[..number]
            .iter()
            .any(|next| !self.reaches_by(next.placements, next.own, next.other, 1 - least, false))
    }

    /// So near the end it is quickest to try every empty square, those first that stand alone.
    fn last_squares(&mut self, own: u64, other: u64, least: i32, passed: bool) -> bool {
        self.nodes += 1;
        let empties = self.empties(own, other);
        if empties & empties.wrapping_sub(1) == 0 {
            return last_square(empties, own, other) >= least;
        }
        let alone = empties & !neighbours(empties);
        let mut can_move = false;
        for bit in bits(alone).chain(bits(empties & !alone)) {
            let (flipped, placed) = (flips(bit, own, other), 1 << bit);
            if flipped != 0 {
                can_move = true;
                if !self.last_squares(other ^ flipped, own ^ flipped ^ placed, 1 - least, false) {
                    return true;
                }
            }
        }
        match (can_move, passed) {
            (true, _) => false,
            (false, true) => with_empties(count(own) - count(other), empties.count_ones()) >= least,
            (false, false) => !self.last_squares(other, own, 1 - least, true),
        }
    }
}

/// The margin for `own`, who is to move, with at most one square left.
fn last_square(empties: u64, own: u64, other: u64) -> i32 {
    let difference = count(own) - count(other);
    if empties == 0 {
        return difference;
    }
    let bit = empties.trailing_zeros() as usize;
    let [gained, lost] = [flips(bit, own, other), flips(bit, other, own)].map(count);
    match (gained, lost) {
        (0, 0) => with_empties(difference, 1),
        (0, _) => difference - 2 * lost - 1,
        (_, _) => difference + 2 * gained + 1,
    }
}

fn count(set: u64) -> i32 {
    set.count_ones() as i32
}

fn with_empties(difference: i32, left: u32) -> i32 {
    difference + difference.signum() * left as i32
}

fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

/// The empty squares of which an odd number hang together, corners included.
fn odd_regions(empties: u64) -> u64 {
    let (mut odd, mut left) = (0, empties);
    while left != 0 {
        let mut region = left & left.wrapping_neg();
        loop {
            let grown = (neighbours(region) | region) & empties;
            if grown == region {
                break;
            }
            region = grown;
        }
        if region.count_ones() & 1 == 1 {
            odd |= region;
        }
        left &= !region;
    }
    odd
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use game::{Game, Rng, Side, Spec};

    use super::*;
    use crate::reversi::{Parameters, Position, Reversi};

    fn value(game: &Reversi, p: &mut Position) -> i32 {
        if let Some(margin) = game.margin(p) {
            return margin;
        }
        let mut moves = Vec::new();
        game.generate(p, &mut moves);
        let values = moves.into_iter().map(|m| {
            let undo = game.make(p, m);
            let value = value(game, p);
            game.unmake(p, m, undo);
            value
        });
        let values = values.collect::<Vec<_>>().into_iter();
        if p.side == Side::First { values.max() } else { values.min() }.unwrap_or(0)
    }

    /// Every question about the ends of random games gets minimax's answer.
    #[test]
    fn endings_are_counted_out() {
        let mut rng = Rng::new(9);
        for (text, rounds) in
            [("reversi:4x4", 100), ("reversi:6x6", 60), ("reversi:8x6", 60), ("reversi", 60)]
        {
            let spec = Spec::parse(text).unwrap();
            let game = Reversi::new(Parameters::from_spec(&spec).unwrap());
            for round in 0..rounds {
                let mut p = game.start();
                let left = 1 + round % 7;
                while game.margin(&p).is_none() && game.empties(&p).count_ones() > left {
                    let m = game.sample(&p, &mut rng).unwrap();
                    game.make(&mut p, m);
                }
                if game.margin(&p).is_some() {
                    continue;
                }
                let margin = value(&game, &mut p) * p.side.sign();
                for least in [margin - 2, margin - 1, margin, margin + 1, margin + 2, 1, 0, -1] {
                    let mut ending = Ending::new(game.board());
                    let reached = ending.reaches(p.own, p.other, least, p.passes > 0);
                    assert_eq!(reached, margin >= least, "{text} {p:?} {least}");
                }
            }
        }
    }
}
