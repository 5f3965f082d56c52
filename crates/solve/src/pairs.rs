//! Finds pairs of moves such that each of some sets holds one.

use certificate::is_hopeless;

/// Whether a side that has to make all moves of one of these sets is seen to be unable to: the other side has no such set left open, or
/// answers one of a pair by the other (Hales and Jewett 1963).
#[must_use]
pub fn cannot_win(needs: &[Vec<u32>], to_move: bool) -> bool {
    is_hopeless(needs, to_move) || pairs(needs).is_some()
}

/// How many pairs are tried before giving up.
const TRIES: u32 = 2_000;

/// Disjoint pairs, one in each set, if they are found; moves are numbered below 128.
pub(crate) fn pairs(sets: &[Vec<u32>]) -> Option<Vec<[u32; 2]>> {
    let word = |set: &Vec<u32>| {
        set.iter().try_fold(0, |word, &code| Some(word | 1u128.checked_shl(code)?))
    };
    let mut words = sets.iter().map(word).collect::<Option<Vec<u128>>>()?;
    let mut search = Search { tries: TRIES, found: Vec::new() };
    search.cover(&mut words, 0).then_some(search.found)
}

struct Search {
    tries: u32,
    found: Vec<[u32; 2]>,
}

impl Search {
    /// Finds pairs for these sets among the moves that are not used yet. The sets change places.
    fn cover(&mut self, sets: &mut [u128], used: u128) -> bool {
        let Some(&tightest) = sets.iter().min_by_key(|&&set| (set & !used).count_ones()) else {
            return true;
        };
        let free = bits(tightest & !used);
        for (i, &first) in free.iter().enumerate() {
            for &second in &free[i + 1..] {
                if self.tries == 0 {
                    return false;
                }
                self.tries -= 1;
                let pair = 1 << first | 1 << second;
                let left = without(sets, pair);
                if self.cover(&mut sets[..left], used | pair) {
                    self.found.push([first, second]);
                    return true;
                }
            }
        }
        false
    }
}

fn bits(word: u128) -> Vec<u32> {
    (0..128).filter(|&bit| word >> bit & 1 == 1).collect()
}

/// Moves the sets that hold a pair to the end; how many others there are.
fn without(sets: &mut [u128], pair: u128) -> usize {
    let mut left = 0;
    for i in 0..sets.len() {
        if pair & !sets[i] != 0 {
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
    fn what_is_found_holds() {
        let sets = [vec![1, 2, 3], vec![3, 4], vec![1, 2], vec![5, 6, 7]];
        let found = pairs(&sets).expect("there are pairs");
        assert!(certificate::are_paired(&sets, &found));
        assert_eq!(pairs(&[vec![1, 2], vec![2, 3]]), None);
        assert_eq!(pairs(&[vec![1]]), None);
        assert_eq!(pairs(&[]), Some(vec![]));
        assert_eq!(pairs(&[vec![1, 200]]), None);
    }
}
