//! The operators: who meets whom, who becomes a parent, what children look like.
//!
//! Pure functions of a generation, its wins and a seeded generator.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use game::Rng;

use super::settings::{BreedingSettings, Crossover, Mutation, Selection};

/// The weights of one member.
pub(super) type Genotype = Vec<i32>;

/// What each weight may be; 0 alone for those that are switched off.
pub(super) type Ranges = [RangeInclusive<i32>];

/// Everybody once in each round, with another opponent every time, in an order drawn by lot (the circle method). The number of
/// members is even; 0 rounds are all there are.
pub(super) fn schedule(members: usize, rounds: usize, rng: &mut Rng) -> Vec<(usize, usize)> {
    let mut seats: Vec<usize> = (0..members).collect();
    rng.shuffle(&mut seats);
    let rounds = if rounds == 0 { members - 1 } else { rounds };
    let mut pairs = Vec::with_capacity(rounds * members / 2);
    for _ in 0..rounds {
        pairs.extend((0..members / 2).map(|i| (seats[i], seats[members - 1 - i])));
        seats[1..].rotate_right(1);
    }
    pairs
}

/// A member drawn from the whole range.
pub(super) fn fresh(ranges: &Ranges, rng: &mut Rng) -> Genotype {
    ranges.iter().map(|range| drawn(range, rng)).collect()
}

/// The members by how they did, the best first: wins plus a random number up to the noise.
pub(super) fn ranking(wins: &[u32], noise: u32, rng: &mut Rng) -> Vec<usize> {
    const PARTS: u64 = 1 << 20;
    let mut scored: Vec<(u64, usize)> = wins
        .iter()
        .enumerate()
        .map(|(i, &wins)| {
            let lot = rng.below((u64::from(noise) * PARTS + 1) as usize) as u64;
            (u64::from(wins) * PARTS + lot, i)
        })
        .collect();
    scored.sort_by_key(|&(score, i)| (std::cmp::Reverse(score), i));
    scored.into_iter().map(|(_, i)| i).collect()
}

/// The next generation: parents, their children, and fresh members where that would make two of a kind.
pub(super) fn breed(
    members: &[Genotype],
    ranking: &[usize],
    settings: &BreedingSettings,
    ranges: &Ranges,
    rng: &mut Rng,
) -> Vec<Genotype> {
    let mut parents = match settings.selection {
        Selection::Half => better_half(members, ranking),
        Selection::Tournament => tournament(members, ranking, rng),
    };
    let kept = parents.clone();
    rng.shuffle(&mut parents);
    let mut children = Vec::new();
    for pair in parents.chunks_exact(2) {
        for mut child in cross(&pair[0], &pair[1], settings.crossover, rng) {
            if rng.below(100) < settings.mutation as usize {
                mutate(&mut child, settings.change, ranges, rng);
            }
            children.push(child);
        }
    }
    let mut seen = BTreeSet::new();
    let mut next: Vec<Genotype> =
        kept.into_iter().chain(children).filter(|member| seen.insert(member.clone())).collect();
    next.resize_with(members.len(), || fresh(ranges, rng));
    next
}

/// The better half, distinct genotypes first.
fn better_half(members: &[Genotype], ranking: &[usize]) -> Vec<Genotype> {
    let mut seen = BTreeSet::new();
    let (distinct, others): (Vec<usize>, Vec<usize>) =
        ranking.iter().partition(|&&i| seen.insert(&members[i]));
    let chosen = distinct.into_iter().chain(others).take(members.len() / 2);
    chosen.map(|i| members[i].clone()).collect()
}

/// As many winners of small tournaments.
fn tournament(members: &[Genotype], ranking: &[usize], rng: &mut Rng) -> Vec<Genotype> {
    let half = members.len() / 2;
    // Of two places in the ranking the better one is the smaller.
    let mut winner = || rng.below(members.len()).min(rng.below(members.len()));
    (0..half).map(|_| members[ranking[winner()]].clone()).collect()
}

fn cross(one: &[i32], other: &[i32], how: Crossover, rng: &mut Rng) -> [Genotype; 2] {
    let (mut a, mut b) = (one.to_vec(), other.to_vec());
    match how {
        Crossover::OnePoint if a.len() > 1 => {
            let cut = 1 + rng.below(a.len() - 1);
            a[cut..].swap_with_slice(&mut b[cut..]);
        }
        Crossover::OnePoint => {}
        Crossover::Uniform => {
            for (a, b) in a.iter_mut().zip(&mut b).filter(|_| rng.below(2) == 1) {
                std::mem::swap(a, b);
            }
        }
    }
    [a, b]
}

fn mutate(child: &mut [i32], how: Mutation, ranges: &Ranges, rng: &mut Rng) {
    let free: Vec<usize> =
        (0..child.len()).filter(|&i| ranges[i].start() < ranges[i].end()).collect();
    if free.is_empty() {
        return;
    }
    let place = free[rng.below(free.len())];
    let (weight, range) = (&mut child[place], &ranges[place]);
    *weight = match how {
        Mutation::Redraw => drawn(range, rng),
        Mutation::Gaussian => {
            let deviation = (f64::from(*range.end()) - f64::from(*range.start())) / 8.0;
            let moved = f64::from(*weight) + deviation * normal(rng);
            moved.clamp(f64::from(*range.start()), f64::from(*range.end())).round() as i32
        }
    };
}

/// A standard normal number, nearly: the sum of twelve even ones (Irwin and Hall).
fn normal(rng: &mut Rng) -> f64 {
    const PARTS: usize = 1 << 30;
    (0..12).map(|_| rng.below(PARTS) as f64 / PARTS as f64).sum::<f64>() - 6.0
}

fn drawn(range: &RangeInclusive<i32>, rng: &mut Rng) -> i32 {
    let width = i64::from(*range.end()) - i64::from(*range.start()) + 1;
    (i64::from(*range.start()) + rng.below(width as usize) as i64) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_everybody_once() {
        for members in [4, 8, 48] {
            let pairs = schedule(members, 0, &mut Rng::new(3));
            assert_eq!(pairs.len(), members * (members - 1) / 2);
            let met: BTreeSet<_> = pairs.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
            assert_eq!(met.len(), pairs.len());
            let some = schedule(members, 3, &mut Rng::new(3));
            let games = |i| some.iter().filter(|&&(a, b)| a == i || b == i).count();
            assert!((0..members).all(|i| games(i) == 3));
        }
    }

    #[test]
    fn cuts_swap_what_lies_behind() {
        let mut rng = Rng::new(1);
        for _ in 0..100 {
            let [a, b] = cross(&[1; 10], &[2; 10], Crossover::OnePoint, &mut rng);
            let cut = a.iter().take_while(|&&n| n == 1).count();
            assert!((1..10).contains(&cut) && a[cut..].iter().all(|&n| n == 2));
            assert!(a.iter().zip(&b).all(|(a, b)| a + b == 3));
        }
    }

    #[test]
    fn twins_make_room_for_fresh_members() {
        let settings = crate::genetic::tests::settings(8);
        let ranges = vec![-100..=100; 5];
        let mut rng = Rng::new(1);
        let twins = vec![vec![1; 5]; 8];
        let ranking: Vec<usize> = (0..8).collect();
        let next = breed(&twins, &ranking, &settings, &ranges, &mut rng);
        let distinct: BTreeSet<_> = next.iter().collect();
        assert_eq!((next.len(), distinct.len()), (8, 8));
        assert_eq!(next[0], twins[0]);
    }

    /// The first half of the next generation are the better ones of this one, in their order.
    #[test]
    fn the_better_half_goes_on() {
        let settings = crate::genetic::tests::settings(8);
        let members: Vec<Genotype> = (0..8).map(|i| vec![i; 5]).collect();
        let ranking = ranking(&[0, 5, 1, 7, 2, 3, 4, 6], 0, &mut Rng::new(1));
        assert_eq!(ranking, [3, 7, 1, 6, 5, 4, 2, 0]);
        let next = breed(&members, &ranking, &settings, &vec![-9..=9; 5], &mut Rng::new(2));
        let firsts: Vec<i32> = next.iter().take(4).map(|member| member[0]).collect();
        assert_eq!(firsts, [3, 7, 1, 6]);
        // Children have nothing but what their parents had, and at most one new weight each.
        for child in &next[4..] {
            assert!(child.iter().filter(|weight| !firsts.contains(weight)).count() <= 1);
        }
    }

    #[test]
    fn what_is_switched_off_stays_so() {
        let settings = BreedingSettings { mutation: 100, ..crate::genetic::tests::settings(8) };
        let ranges = [-100..=100, 0..=0, -100..=100];
        let mut rng = Rng::new(5);
        let mut members: Vec<Genotype> = (0..8).map(|_| fresh(&ranges, &mut rng)).collect();
        for _ in 0..20 {
            let ranking: Vec<usize> = (0..8).collect();
            members = breed(&members, &ranking, &settings, &ranges, &mut rng);
            assert!(members.iter().all(|member| member[1] == 0 && member.len() == 3));
        }
    }
}
