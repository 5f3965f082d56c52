//! Pairing strategies (Hales and Jewett 1963): a proof that a side cannot win any more.
//!
//! The *attacker* needs all squares of one of some sets of empty squares: what is missing of each window that the
//! other side, the *defender*, has no stone in. If each of these sets holds a whole *group* of p + 1 squares, and no
//! two groups meet, the attacker gets none of the sets. For in a turn of p stones the attacker touches p groups at
//! most and fills none of them; the defender, who has as many stones, answers each with one in the same group. A
//! group with a stone of the defender is done with. Stones that need not answer anything go anywhere. That holds if
//! the attacker is to move and has p stones left or fewer; if the defender is, each stone of this turn may be a
//! *gift* that stops all sets it is part of.
//!
//! It does not matter whether the defender could win on the way, nor whether more than k in a row count: without a
//! full window there is no line. But the defender must be free to go anywhere: there is no gravity.

use super::word::Word;

/// How many groups and gifts are tried before giving up. On 4x7 and 4x8, eight take twice as many nodes, and a
/// thousand save none.
const TRIES: u32 = 100;

/// Whether each of these sets holds a group of so many squares, no two of which meet, but for the sets that as many
/// squares as there are gifts are part of. `false` may also mean that it was not found.
pub(super) fn can_pair<W: Word>(sets: &mut [W], size: usize, gifts: usize) -> bool {
    Pairing { size, tries: TRIES }.cover(sets, gifts, W::NONE)
}

/// A search for groups.
struct Pairing {
    size: usize,
    tries: u32,
}

impl Pairing {
    /// Finds groups for these sets among the squares that are not used yet. The sets change places.
    fn cover<W: Word>(&mut self, sets: &mut [W], gifts: usize, used: W) -> bool {
        let Some(&tightest) = sets.iter().min_by_key(|&&set| (set & !used).count()) else {
            return true;
        };
        if self.tries == 0 {
            return false;
        }
        self.tries -= 1;
        let free = tightest & !used;
        if self.size == 2 {
            let mut firsts = free;
            while firsts != W::NONE {
                let first = W::square(firsts.lowest());
                firsts = firsts.without_lowest();
                let mut seconds = firsts;
                while seconds != W::NONE {
                    let group = first | W::square(seconds.lowest());
                    seconds = seconds.without_lowest();
                    let left = without(sets, |set| group & !set == W::NONE);
                    if self.cover(&mut sets[..left], gifts, used | group) {
                        return true;
                    }
                }
            }
        } else if free.count() >= self.size {
            // Of larger groups there are too many: one has to do.
            let mut group = free;
            while group.count() > self.size {
                group = group.without_lowest();
            }
            let left = without(sets, |set| group & !set == W::NONE);
            if self.cover(&mut sets[..left], gifts, used | group) {
                return true;
            }
        }
        let mut presents = if gifts > 0 { free } else { W::NONE };
        while presents != W::NONE {
            let gift = W::square(presents.lowest());
            presents = presents.without_lowest();
            let left = without(sets, |set| set & gift != W::NONE);
            if self.cover(&mut sets[..left], gifts - 1, used | gift) {
                return true;
            }
        }
        false
    }
}

/// Moves some sets to the end; how many others there are.
#[inline]
fn without<W: Word>(sets: &mut [W], is_done: impl Fn(W) -> bool) -> usize {
    let mut left = 0;
    for i in 0..sets.len() {
        if !is_done(sets[i]) {
            sets.swap(left, i);
            left += 1;
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_set_gets_a_pair_of_its_own() {
        assert!(can_pair::<u32>(&mut [], 2, 0));
        assert!(can_pair(&mut [0b11_u32, 0b111], 2, 0));
        assert!(can_pair(&mut [0b0011_u32, 0b1110, 0b11_0001], 2, 1));
        assert!(!can_pair(&mut [0b0011_u32, 0b0110], 2, 0));
        assert!(!can_pair(&mut [0b1_u32], 2, 0));
        assert!(can_pair(&mut [0b1_u32], 2, 1));
        assert!(!can_pair(&mut [0b1_u32, 0b10], 2, 1));
        assert!(can_pair(&mut [0b111_u32, 0b11_1000], 3, 0));
        assert!(!can_pair(&mut [0b111_u32, 0b1_1100], 3, 0));
    }

    /// The known pairing of 5x5 (Hales and Jewett): every row, column and diagonal has two squares of its own.
    #[test]
    fn five_by_five_is_a_draw_by_pairs() {
        let line = |from: usize, step: usize| (0..5).fold(0u32, |w, i| w | 1 << (from + i * step));
        let mut sets: Vec<u32> = (0..5).flat_map(|i| [line(5 * i, 1), line(i, 5)]).collect();
        sets.extend([line(0, 6), line(4, 4)]);
        let mut pairing = Pairing { size: 2, tries: 1_000_000 };
        assert!(pairing.cover(&mut sets, 0, 0));
    }
}
