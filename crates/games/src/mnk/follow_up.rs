//! Follow-up: with gravity, to answer each stone with one on top of it (Allis 1988, "claimeven" and "baseinverse").

use super::shape::Shape;
use super::word::Word;

/// Whether the side that does not move keeps the mover from all these sets of empty squares.
///
/// The plan: in a column with an even number of empty squares, these are pairs of two on top of each other, and
/// whenever the mover takes the lower one the defender takes the upper one. Of a column with an odd number the lowest
/// empty square is left over; two such squares make a pair of which the defender takes the one that the mover
/// leaves, whereupon both columns are even. So the mover gets none of the upper squares, and of two that are left over only one. If all
/// empty squares together are even in number, the defender always has that answer.
pub(super) fn can_follow<S: Shape, W: Word>(needs: &mut [W], playable: W, shape: S) -> bool {
    let (rows, columns) = (shape.rows(), shape.columns());
    // An upper square has an even number of squares above it.
    let row = W::first(columns);
    let upper = (0..rows)
        .filter(|row| (rows - 1 - row).is_multiple_of(2))
        .fold(W::NONE, |word, r| word | row.shift_up(r * columns));
    let over = playable & upper;
    if over.count() % 2 != 0 {
        return false;
    }
    let upper = upper & !over;
    let mut left = 0;
    for i in 0..needs.len() {
        if needs[i] & upper == W::NONE {
            needs[left] = needs[i] & over;
            if needs[left].count() < 2 {
                return false;
            }
            left += 1;
        }
    }
    can_match(&needs[..left], over)
}

/// Whether these squares can be matched so that each of the sets holds a whole pair.
fn can_match<W: Word>(sets: &[W], squares: W) -> bool {
    if sets.is_empty() {
        return true;
    }
    let (first, mut others) = (W::square(squares.lowest()), squares.without_lowest());
    while others != W::NONE {
        let other = W::square(others.lowest());
        others = others.without_lowest();
        let rest = squares & !(first | other);
        // A set that is not served by this pair has to do with the rest.
        let pair = first | other;
        let open = sets.iter().filter(|&&set| pair & !set != W::NONE);
        if open.clone().all(|&set| (set & rest).count() >= 2) && can_match_all(open, rest) {
            return true;
        }
    }
    false
}

fn can_match_all<'a, W: Word>(sets: impl Iterator<Item = &'a W>, squares: W) -> bool {
    let mut copied = [W::NONE; 64];
    let mut count = 0;
    for &set in sets {
        let Some(place) = copied.get_mut(count) else { return false };
        *place = set;
        count += 1;
    }
    can_match(&copied[..count], squares)
}
