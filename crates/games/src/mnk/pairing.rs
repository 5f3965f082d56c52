//! Pairing strategies (Hales and Jewett 1963): a proof that a side cannot win any more.

use super::word::Word;

/// How many groups are tried before giving up.
const TRIES: u32 = 100;

/// A search for groups.
struct Pairing<W> {
    size: usize,
    tries: u32,
    _word: std::marker::PhantomData<W>,
}

/// Whether every one of these sets of empty squares can be given `size` squares of its own, or shared with others that
/// hold all of them, so that no two groups meet; all but those that `gifts` squares are part of.
pub(super) fn can_pair<W: Word>(sets: &mut [W], size: usize, gifts: usize) -> bool {
    let mut pairing = Pairing {
        size,
        tries: super::knob(0, TRIES as i64) as u32,
        _word: std::marker::PhantomData,
    };
    pairing.cover(sets, gifts, W::NONE)
}

impl<W: Word> Pairing<W> {
    fn cover(&mut self, sets: &mut [W], gifts: usize, used: W) -> bool {
        // The set with the least choice.
        let Some(tightest) = (0..sets.len()).min_by_key(|&i| (sets[i] & !used).count()) else {
            return true;
        };
        let free = sets[tightest] & !used;
        if self.tries == 0 {
            return false;
        }
        self.tries -= 1;
        if free.count() >= self.size {
            if self.size == 2 {
                let mut a = free;
                while a != W::NONE {
                    let first = W::square(a.lowest());
                    a = a.without_lowest();
                    let mut b = a;
                    while b != W::NONE {
                        let second = W::square(b.lowest());
                        b = b.without_lowest();
                        if self.with(sets, first | second, gifts, used) {
                            return true;
                        }
                    }
                }
            } else {
                let mut group = free;
                while group.count() > self.size {
                    group = group.without_lowest();
                }
                if self.with(sets, group, gifts, used) {
                    return true;
                }
            }
        }
        if gifts > 0 {
            let mut a = free;
            while a != W::NONE {
                let gift = W::square(a.lowest());
                a = a.without_lowest();
                let left = without(sets, |set| set & gift != W::NONE);
                if self.cover(&mut sets[..left], gifts - 1, used | gift) {
                    return true;
                }
            }
        }
        false
    }

    fn with(&mut self, sets: &mut [W], group: W, gifts: usize, used: W) -> bool {
        let left = without(sets, |set| group & !set == W::NONE);
        self.cover(&mut sets[..left], gifts, used | group)
    }
}

/// Moves those sets to the end; how many others there are.
fn without<W: Word>(sets: &mut [W], gone: impl Fn(W) -> bool) -> usize {
    let mut left = 0;
    for i in 0..sets.len() {
        if !gone(sets[i]) {
            sets.swap(left, i);
            left += 1;
        }
    }
    left
}
