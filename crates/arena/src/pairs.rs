//! Distributions of what a pair of games brings, and the most likely ones of a given strength.

/// A pair brings 0, a half, 1, one and a half or 2 points.
pub(crate) const CELLS: usize = 5;

/// How likely each is.
pub(crate) type Distribution = [f64; CELLS];

/// What counts for a result never seen: not impossible, but no evidence either. Without it, a hypothesis that needs such a
/// result would be refuted by the first pair.
const UNSEEN: f64 = 1e-3;

/// How the pairs are distributed, and their number, results never seen filled in.
pub(crate) fn seen(pairs: &[u32; CELLS]) -> (Distribution, f64) {
    let counts = pairs.map(|n| if n == 0 { UNSEEN } else { f64::from(n) });
    let count: f64 = counts.iter().sum();
    (counts.map(|n| n / count), count)
}

/// The share of points that a pair brings.
fn share(cell: usize) -> f64 {
    cell as f64 / (CELLS - 1) as f64
}

/// Mean and standard deviation of the share of points.
fn moments(p: &Distribution) -> (f64, f64) {
    let mean: f64 = (0..CELLS).map(|i| p[i] * share(i)).sum();
    let variance: f64 = (0..CELLS).map(|i| p[i] * (share(i) - mean).powi(2)).sum();
    (mean, variance.sqrt())
}

/// Under which distribution of this mean the one seen is most likely.
pub(crate) fn with_mean(seen: &Distribution, mean: f64) -> Distribution {
    // All results were given some weight, so both signs occur.
    tilted(seen, &std::array::from_fn(|i| share(i) - mean)).unwrap_or(*seen)
}

/// How far [`with_deviations`] can be trusted to get; further away the steps it takes no longer settle.
pub(crate) const MOST_DEVIATIONS: f64 = 0.42;

/// Under which distribution the one seen is most likely, of those whose mean is so many standard deviations above a half,
/// at most [`MOST_DEVIATIONS`].
///
/// The constraint is not linear. Near a distribution with mean m and deviation s it is, in effect, that `lean` is 0 on
/// average; so each solution of that linear problem gives m and s for the next. A fixed point solves the
/// original problem, by its Lagrange equations.
pub(crate) fn with_deviations(seen: &Distribution, deviations: f64) -> Distribution {
    debug_assert!(deviations.abs() <= MOST_DEVIATIONS, "{deviations} is too far");
    // From the even distribution games of nearly all kinds get there at full pace. Where they do not, another start or
    // smaller steps do.
    let near = with_mean(seen, (0.5 + deviations * moments(seen).1).clamp(0.01, 0.99));
    let starts = [[1.0 / CELLS as f64; CELLS], near, *seen];
    let solution = [1.0, 0.3, 0.05].into_iter().find_map(|pace| {
        starts.iter().find_map(|start| settled(seen, moments(start), deviations, pace))
    });
    solution.unwrap_or(near)
}

/// Repeats the linear step until nothing moves, each time so far towards what it says; `None` if it moves on.
fn settled(
    seen: &Distribution,
    start: (f64, f64),
    deviations: f64,
    pace: f64,
) -> Option<Distribution> {
    const CLOSE: f64 = 1e-11;
    let (mut mean, mut deviation) = start;
    for _ in 0..(100.0 / pace) as usize {
        let lean = |i: usize| {
            let z = (share(i) - mean) / deviation;
            share(i) - 0.5 - deviations * deviation * (1.0 + z * z) / 2.0
        };
        let p = tilted(seen, &std::array::from_fn(lean))?;
        let (next_mean, next_deviation) = moments(&p);
        if (next_mean - mean).abs() + (next_deviation - deviation).abs() < CLOSE {
            return Some(p);
        }
        mean += pace * (next_mean - mean);
        deviation += pace * (next_deviation - deviation);
    }
    None
}

/// Under which distribution the one seen is most likely, of those in which `lean` is 0 on average; `None` if there is
/// none that gives every result a chance.
///
/// By Lagrange it is `seen / (1 + x lean)`, where x makes the average 0: the average falls as x grows, and
/// x is between the poles of the largest and the smallest lean. Newton's steps, halving the interval where they leave it.
fn tilted(seen: &Distribution, lean: &[f64; CELLS]) -> Option<Distribution> {
    const STEPS: usize = 100;
    let largest = lean.iter().copied().fold(f64::MIN, f64::max);
    let smallest = lean.iter().copied().fold(f64::MAX, f64::min);
    if !(smallest < 0.0 && largest > 0.0 && (largest - smallest).is_finite()) {
        return None;
    }
    let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
    let mut x = 0.0;
    for _ in 0..STEPS {
        let (mut average, mut slope) = (0.0, 0.0);
        for i in 0..CELLS {
            let part = lean[i] / (1.0 + x * lean[i]);
            average += seen[i] * part;
            slope -= seen[i] * part * part;
        }
        if average > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let newton = x - average / slope;
        let next = if low < newton && newton < high { newton } else { (low + high) / 2.0 };
        let moved = (next - x).abs();
        x = next;
        if moved <= f64::EPSILON * x.abs() {
            break;
        }
    }
    let p: Distribution = std::array::from_fn(|i| seen[i] / (1.0 + x * lean[i]));
    let total: f64 = p.iter().sum();
    (total.is_finite() && p.iter().all(|&p| p > 0.0)).then(|| p.map(|p| p / total))
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Rng;

    fn drawn(rng: &mut Rng) -> Distribution {
        let counts = std::array::from_fn(|_| match rng.below(4) {
            0 => 0,
            1 => 1,
            2 => rng.below(10) as u32,
            _ => rng.below(10_000) as u32,
        });
        seen(&counts).0
    }

    /// Lopsided results too, and all strengths that a test may ask about.
    #[test]
    fn the_most_likely_have_the_strength_asked_for() {
        let mut rng = Rng::new(5);
        for _ in 0..20_000 {
            let seen = drawn(&mut rng);
            let wanted = (rng.below(2_001) as f64 - 1_000.0) / 1_000.0;
            let mean = 0.5 + wanted * 0.497;
            let p = with_mean(&seen, mean);
            assert!((moments(&p).0 - mean).abs() < 1e-7, "{seen:?} {mean} {p:?}");
            let deviations = wanted * MOST_DEVIATIONS;
            let p = with_deviations(&seen, deviations);
            let (mean, deviation) = moments(&p);
            let off = (mean - 0.5 - deviations * deviation).abs();
            assert!(off < 1e-7, "{seen:?} {deviations} {off}");
        }
    }
}
