//! [`sort_by_rank`]: sorting that is compiled once for all types.

/// Sorts by a number, the lowest first; what shares a number stays in its order.
///
/// The standard library's sorts are compiled anew for each type and each closure, some 15 KB a time. Where
/// nobody waits for it, moves and positions of every game are sorted by this one.
///
/// ```
/// let mut words = ["draw", "win", "to", "loss"];
/// game::sort_by_rank(&mut words, |word| word.len() as u64);
/// assert_eq!(words, ["to", "win", "draw", "loss"]);
/// ```
pub fn sort_by_rank<T>(items: &mut [T], rank: impl FnMut(&T) -> u64) {
    let ranks: Vec<u64> = items.iter().map(rank).collect();
    let mut places = places(&ranks);
    // Follows each cycle of the permutation: the item that belongs here may have been moved on already.
    for here in 0..places.len() {
        let mut from = places[here];
        while from < here {
            from = places[from];
        }
        items.swap(here, from);
        places[here] = from;
    }
}

/// Where the items come from that belong to each place.
fn places(ranks: &[u64]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..ranks.len()).collect();
    places.sort_by_key(|&place| ranks[place]);
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn sorts_as_the_standard_library_does() {
        let mut rng = Rng::new(1);
        for length in 0..200 {
            let items: Vec<(u64, usize)> =
                (0..length).map(|place| (rng.below(1 + length / 3) as u64, place)).collect();
            let (mut ours, mut theirs) = (items.clone(), items);
            sort_by_rank(&mut ours, |item| item.0);
            theirs.sort_by_key(|item| item.0);
            assert_eq!(ours, theirs);
        }
    }
}
