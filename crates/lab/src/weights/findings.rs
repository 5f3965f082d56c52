//! What several sessions agree on: averages, the five words, and whether two ways of tuning differ
//! more than two runs of the same way.

use game::Rng;

use super::Priority;

/// Why sessions cannot be compared. Prints as one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FindingsError {
    /// There are none.
    #[error("there is no session to report")]
    NoSession,
    /// They did not look for the same.
    #[error("the sessions have weights of different names")]
    OtherWeights,
    /// A group of one session has no spread.
    #[error("two runs of each kind are needed to tell how far two of the same are apart")]
    TooFew,
}

/// What sessions found, one list of weights each, by the same names.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    names: Vec<String>,
    runs: Vec<Vec<i32>>,
}

/// A weight over all sessions.
#[derive(Clone, Debug, PartialEq)]
pub struct Average {
    /// As in the weight file.
    pub name: String,
    /// Over the champions of all sessions.
    pub mean: f64,
    /// The smallest and the largest.
    pub range: (i32, i32),
    /// How many of the sessions give it the sign of the mean.
    pub agree: usize,
    /// The word for the mean.
    pub priority: Priority,
}

impl Findings {
    /// Of these sessions, one at least.
    ///
    /// # Errors
    /// If they have other weights than the first.
    pub fn new(sessions: Vec<(Vec<String>, Vec<i32>)>) -> Result<Findings, FindingsError> {
        let mut sessions = sessions.into_iter();
        let (names, first) = sessions.next().ok_or(FindingsError::NoSession)?;
        let mut runs = vec![first];
        for (others, run) in sessions {
            if others != names {
                return Err(FindingsError::OtherWeights);
            }
            runs.push(run);
        }
        Ok(Findings { names, runs })
    }

    /// The mean of every weight.
    #[must_use]
    pub fn means(&self) -> Vec<f64> {
        means(&self.runs.iter().collect::<Vec<_>>())
    }

    /// Every weight over all sessions; words compare with `largest`, the size that a weight can
    /// have at most.
    #[must_use]
    pub fn averages(&self, largest: f64) -> Vec<Average> {
        let average = |(i, mean): (usize, f64)| {
            let values = self.runs.iter().map(|run| run[i]);
            let agree = values.clone().filter(|&value| f64::from(value) * mean > 0.0).count();
            let range = (values.clone().min().unwrap_or(0), values.max().unwrap_or(0));
            let name = self.names[i].clone();
            Average { name, mean, range, agree, priority: Priority::of(mean, largest) }
        };
        self.means().into_iter().enumerate().map(average).collect()
    }
}

/// A permutation test: whether two groups of sessions are further apart than chance would put them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Apartness {
    /// How far two sessions of the same group are apart on average, as a share of the widest there
    /// can be.
    pub within: f64,
    /// How far two of different groups are apart.
    pub between: f64,
    /// The share of ways to deal the sessions into such groups in which `between - within` is as
    /// large or larger: the chance of such a difference if the groups mean nothing.
    pub chance: f64,
    /// How many ways were looked at.
    pub ways: usize,
}

/// Compares two groups of sessions; there are two in each at least.
///
/// # Errors
/// If there are fewer.
pub fn apart(
    groups: [&[Vec<i32>]; 2],
    largest: f64,
    seed: u64,
) -> Result<Apartness, FindingsError> {
    let [one, other] = groups.map(<[_]>::len);
    if one < 2 || other < 2 {
        return Err(FindingsError::TooFew);
    }
    let runs: Vec<&Vec<i32>> = groups.into_iter().flatten().collect();
    let distances: Vec<Vec<f64>> =
        runs.iter().map(|a| runs.iter().map(|b| distance(a, b, largest)).collect()).collect();
    let truth = contrast(&distances, &(0..one).collect::<Vec<_>>());
    let deals = deals(one + other, one, seed);
    // Rounding must not tell equal ways apart.
    let as_far = |deal: &&Vec<usize>| {
        let (within, between) = contrast(&distances, deal);
        between - within >= truth.1 - truth.0 - 1e-12
    };
    let chance = deals.iter().filter(as_far).count() as f64 / deals.len() as f64;
    Ok(Apartness { within: truth.0, between: truth.1, chance, ways: deals.len() })
}

/// The mean difference of their weights.
fn distance(a: &[i32], b: &[i32], largest: f64) -> f64 {
    let sum: f64 = a.iter().zip(b).map(|(&a, &b)| (f64::from(a) - f64::from(b)).abs()).sum();
    sum / (2.0 * largest * a.len().max(1) as f64)
}

/// The mean distance within groups and between them, if the first group is this.
fn contrast(distances: &[Vec<f64>], group: &[usize]) -> (f64, f64) {
    let (mut within, mut between) = ((0.0, 0), (0.0, 0));
    for (a, row) in distances.iter().enumerate() {
        for (b, distance) in row.iter().enumerate().take(a) {
            let same = group.contains(&a) == group.contains(&b);
            let sum = if same { &mut within } else { &mut between };
            *sum = (sum.0 + distance, sum.1 + 1);
        }
    }
    (within.0 / f64::from(within.1.max(1)), between.0 / f64::from(between.1.max(1)))
}

/// All ways to choose so many, or a sample with the truth in it where there are very many.
fn deals(all: usize, chosen: usize, seed: u64) -> Vec<Vec<usize>> {
    const MOST: usize = 20_000;
    const FEW: usize = 16;
    if all <= FEW {
        let sets = (0..1_usize << all).filter(|set| set.count_ones() as usize == chosen);
        return sets.map(|set| (0..all).filter(|i| set >> i & 1 == 1).collect()).collect();
    }
    let mut rng = Rng::new(seed);
    let mut sample = vec![(0..chosen).collect()];
    while sample.len() < MOST {
        let mut order: Vec<usize> = (0..all).collect();
        rng.shuffle(&mut order);
        order.truncate(chosen);
        sample.push(order);
    }
    sample
}

fn means(runs: &[&Vec<i32>]) -> Vec<f64> {
    let count = runs.len().max(1) as f64;
    let width = runs.first().map_or(0, |run| run.len());
    (0..width).map(|i| runs.iter().map(|run| f64::from(run[i])).sum::<f64>() / count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noisy(centre: i32, rng: &mut Rng) -> Vec<i32> {
        (0..60).map(|_| centre + rng.below(2001) as i32 - 1000).collect()
    }

    #[test]
    fn groups_that_differ_are_told_apart() {
        let mut rng = Rng::new(1);
        let one: Vec<_> = (0..4).map(|_| noisy(500, &mut rng)).collect();
        let other: Vec<_> = (0..4).map(|_| noisy(-500, &mut rng)).collect();
        let found = apart([&one, &other], 1500.0, 1).unwrap();
        // Only the truth and its mirror image are so far apart, of 70 ways.
        assert_eq!((found.ways, found.chance), (70, 2.0 / 70.0));
        assert!(found.between > found.within);
    }

    /// Where there is no difference, small chances are as rare as they should be.
    #[test]
    fn chance_is_even_where_groups_mean_nothing() {
        let mut rng = Rng::new(2);
        let mut small = 0;
        for _ in 0..400 {
            let mut draw = || (0..4).map(|_| noisy(0, &mut rng)).collect::<Vec<_>>();
            let (one, other) = (draw(), draw());
            small += usize::from(apart([&one, &other], 1000.0, 1).unwrap().chance <= 0.1);
        }
        assert!((20..=60).contains(&small), "{small} of 400 at 10%");
    }

    #[test]
    fn many_sessions_are_sampled() {
        let deals = deals(20, 10, 1);
        assert_eq!((deals.len(), &deals[0]), (20_000, &(0..10).collect()));
        assert!(deals.iter().all(|deal| deal.len() == 10));
    }

    #[test]
    fn averages_say_who_agrees() {
        let names = vec!["a".to_owned(), "b".to_owned()];
        let sessions = [[90, -10], [70, 20], [80, -40]].map(|run| (names.clone(), run.to_vec()));
        let findings = Findings::new(sessions.to_vec()).unwrap();
        let averages = findings.averages(100.0);
        assert_eq!((averages[0].mean, averages[0].agree, averages[0].range), (80.0, 3, (70, 90)));
        assert_eq!(
            (averages[0].priority, averages[1].priority),
            (Priority::HighPositive, Priority::Low)
        );
        assert_eq!(averages[1].agree, 2);
        let foreign = (vec!["c".to_owned()], vec![1]);
        assert!(Findings::new(vec![sessions[0].clone(), foreign]).is_err());
    }
}
