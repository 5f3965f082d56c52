//! Draws that are seen from afar: what one side still needs to win, and that the other one can prevent it.
//!
//! Both arguments speak of *sets*: to win, the attacker has to make all moves of one of them. The defender makes as many moves as the attacker and may make
//! any that is left, so a set is done with as soon as one of its moves is the defender's.

/// Whether the attacker gets no set, because they are few and large (Erdős and Selfridge 1973).
///
/// A set that lacks n moves weighs 2^-n. The defender always takes the move whose sets weigh most together. Then a move of the defender and the attacker's answer
/// do not add weight: what the answer doubles weighed no more than what the move took away. So if all sets together weigh less than 1 when the defender moves, they
/// always do, and a set that is complete would weigh 1. If the attacker moves first, that at most doubles them: less than 1/2 is enough.
#[must_use]
pub fn is_hopeless(needs: &[Vec<u32>], attacker_moves: bool) -> bool {
    /// Weights in units of 2^-96; smaller ones are taken for that much.
    const ONE: u128 = 1 << 96;
    let weight = |set: &Vec<u32>| ONE >> set.len().min(96);
    let all = needs.iter().map(weight).sum::<u128>();
    all < if attacker_moves { ONE / 2 } else { ONE }
}

/// Whether every set holds one of these pairs, no two of which share a move (Hales and Jewett 1963): whenever the attacker makes one move of a pair, the defender makes
/// the other, and so has a move in every set. A defender who is to move without such a need makes any move: if that is one of a pair, the pair is done with.
#[must_use]
pub fn are_paired(needs: &[Vec<u32>], pairs: &[[u32; 2]]) -> bool {
    let both_ways = |&[one, other]: &[u32; 2]| [(one, other), (other, one)];
    let mut partners: Vec<(u32, u32)> = pairs.iter().flat_map(both_ways).collect();
    partners.sort_unstable();
    let disjoint = partners.windows(2).all(|two| two[0].0 != two[1].0);
    let mut sorted = Vec::new();
    disjoint
        && needs.iter().all(|set| {
            sorted.clone_from(set);
            sorted.sort_unstable();
            sorted.iter().any(|code| {
                let at = partners.binary_search_by_key(code, |&(code, _)| code);
                at.is_ok_and(|at| sorted.binary_search(&partners[at].1).is_ok())
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_exact() {
        let sets = |sizes: &[usize]| -> Vec<Vec<u32>> {
            sizes.iter().map(|&size| (0..size as u32).collect()).collect()
        };
        assert!(is_hopeless(&[], true));
        assert!(!is_hopeless(&sets(&[1]), true) && is_hopeless(&sets(&[1]), false));
        assert!(!is_hopeless(&sets(&[2, 2]), true) && is_hopeless(&sets(&[2, 3]), true));
        assert!(!is_hopeless(&sets(&[1, 1]), false) && is_hopeless(&sets(&[1, 2, 3]), false));
        assert!(!is_hopeless(&sets(&[0]), false));
    }

    #[test]
    fn pairs_are_disjoint_and_everywhere() {
        let needs = [vec![1, 2, 3], vec![3, 4], vec![1, 2]];
        assert!(are_paired(&needs, &[[1, 2], [4, 3]]));
        assert!(!are_paired(&needs, &[[1, 2]]));
        assert!(!are_paired(&needs, &[[1, 2], [3, 4], [2, 5]]));
        assert!(!are_paired(&needs, &[[1, 1], [3, 4]]));
        assert!(!are_paired(&[vec![]], &[[1, 2]]) && are_paired(&[], &[]));
    }
}
