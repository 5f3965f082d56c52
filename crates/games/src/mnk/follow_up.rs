//! Follow-up: with gravity and one stone a turn, to answer each stone with one on top of it (Allis 1988: "claimeven",
//! "baseinverse" and the use of zugzwang).
//!
//! The *follower* is the side that does not move. It looks at the empty squares of each column as pairs of two on
//! top of each other, from the top down: whenever the mover takes the lower one, the follower takes the *upper* one.
//!
//! - In a column with an odd number of empty squares the lowest one is left *over*. Two of these are a pair of which
//!   the follower takes the one that the mover leaves, whereupon both columns are even. So they must be even in
//!   number.
//! - A column is *capped* by a square on which the follower completes a line, if an odd number of empty squares is
//!   below it: there pairs are counted from the bottom up, the cap is the upper one of its pair, and nothing is left
//!   over.
//!
//! As long as no cap is reached the follower has an answer to every stone. So the mover gets no upper square, no square
//! above a cap, and only one of two that are left over; and if there is a cap, in the end the mover has to place a
//! stone below one.

use super::shape::Shape;
use super::word::Word;

/// What comes of following.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FollowUp {
    /// Nothing.
    Fails,
    /// The mover does not win.
    Stops,
    /// The follower wins.
    Wins,
}

/// The board as the follower sees it: no holes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns<W> {
    /// Where a stone may be placed.
    pub(super) playable: W,
    /// Where the follower completes a line.
    pub(super) caps: W,
    /// The squares of the first column.
    pub(super) first: W,
}

/// What comes of following if the mover needs all squares of one of these sets, which are put to use.
pub(super) fn follow<S: Shape, W: Word>(
    needs: &mut [W],
    columns: Columns<W>,
    shape: S,
) -> FollowUp {
    let Columns { playable, caps, first } = columns;
    let (rows, width) = (shape.rows(), shape.columns());
    // Squares with an even number of squares above them.
    let upper = (0..rows)
        .filter(|row| (rows - 1 - row).is_multiple_of(2))
        .fold(W::NONE, |word, row| word | W::first(width).shift_up(row * width));
    let mut over = playable & upper;
    let mut denied = upper & !over;
    let mut outcome = FollowUp::Stops;
    caps.for_each(|cap| {
        let column = first.shift_up(cap % width);
        let above = column & !W::first(cap + 1);
        let (is_odd, is_upper) = (over & column != W::NONE, upper & W::square(cap) != W::NONE);
        if is_odd && !is_upper {
            denied = denied & !column | column & !upper | above;
            over &= !column;
            outcome = FollowUp::Wins;
        } else if !is_odd && denied & W::square(cap) != W::NONE {
            denied |= above;
            outcome = FollowUp::Wins;
        }
    });
    if over.count() % 2 != 0 {
        return FollowUp::Fails;
    }
    let mut left = 0;
    for i in 0..needs.len() {
        if needs[i] & denied == W::NONE {
            needs[left] = needs[i] & over;
            if needs[left].without_lowest() == W::NONE {
                return FollowUp::Fails;
            }
            left += 1;
        }
    }
    if can_match(&mut needs[..left], over) { outcome } else { FollowUp::Fails }
}

/// Whether these squares can be matched so that each of the sets holds a whole pair.
fn can_match<W: Word>(sets: &mut [W], squares: W) -> bool {
    if sets.is_empty() {
        return true;
    }
    let (first, mut others) = (W::square(squares.lowest()), squares.without_lowest());
    while others != W::NONE {
        let other = W::square(others.lowest());
        others = others.without_lowest();
        let (pair, rest) = (first | other, squares & !(first | other));
        // What this pair does not serve has to do with the rest.
        let mut left = 0;
        for i in 0..sets.len() {
            if pair & !sets[i] != W::NONE {
                sets.swap(left, i);
                left += 1;
            }
        }
        let enough = |set: &W| (*set & rest).without_lowest() != W::NONE;
        if sets[..left].iter().all(enough) && can_match(&mut sets[..left], rest) {
            return true;
        }
    }
    false
}
