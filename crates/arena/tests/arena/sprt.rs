//! The sequential test: numbers others have published, a maximum found by trying, and how often it errs.

use arena::{Scale, Score, Sprt, SprtDecision};
use game::Rng;

fn pairs(pairs: [u32; 5]) -> Score {
    Score { pairs, ..Score::default() }
}

fn llr(scale: Scale, elo: [f64; 2], counts: [u32; 5]) -> f64 {
    let sprt = Sprt::new(elo[0], elo[1], 0.05, 0.05, scale).unwrap();
    sprt.log_likelihood_ratio(&pairs(counts))
}

/// From the tests of fastchess and its pull requests 426 and 783, and what fishtest's own code gave for a match in which
/// no pair was won or lost outright (rshogi, pull request 1065). Only the latter is known to be computed without approximation,
/// so it alone is compared to many digits.
#[test]
fn ratios_are_what_others_publish() {
    for (scale, elo, counts, published, digits) in [
        (Scale::Normalised, [0.0, 2.0], [365, 16_618, 36_229, 16_974, 390], 2.25, 0.005),
        (Scale::Normalised, [-1.75, 0.25], [127, 4_883, 10_712, 5_150, 104], 3.01, 0.005),
        (Scale::Normalised, [0.0, 2.0], [379, 10_170, 21_828, 10_640, 343], 2.945_98, 1e-3),
        (Scale::Normalised, [0.0, 10.0], [0, 84, 840, 126, 0], 2.960_172_391, 1e-7),
        (Scale::Logistic, [0.5, 2.5], [223, 9_863, 21_279, 10_037, 246], -3.07, 0.005),
        (Scale::Logistic, [0.0, 2.0], [871, 26_175, 55_983, 26_678, 821], -4.98, 0.01),
    ] {
        let found = llr(scale, elo, counts);
        assert!((found - published).abs() < digits, "{counts:?}: {found}, not {published}");
    }
}

#[test]
fn bounds_follow_from_the_errors() {
    let sprt = Sprt::new(0.0, 5.0, 0.05, 0.05, Scale::Logistic).unwrap();
    let (low, high) = sprt.bounds();
    assert!((high - 2.944_438_979).abs() < 1e-9 && low == -high, "{low} {high}");
    let (low, high) = Sprt::new(0.0, 5.0, 0.05, 0.1, Scale::Logistic).unwrap().bounds();
    assert!((low + 2.251_291_799).abs() < 1e-9 && (high - 2.890_371_758).abs() < 1e-9);
    for (elo0, elo1, alpha, beta, why) in [
        (5.0, 5.0, 0.05, 0.05, "the first must be the smaller"),
        (0.0, f64::NAN, 0.05, 0.05, "both must be from -1000 to 1000"),
        (0.0, f64::INFINITY, 0.05, 0.05, "both must be from -1000 to 1000"),
        (0.0, 5.0, 0.0, 0.05, "above 0 and below 0.5"),
        (0.0, 5.0, 0.05, 0.5, "above 0 and below 0.5"),
    ] {
        let error = Sprt::new(elo0, elo1, alpha, beta, Scale::Logistic).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn decisions_follow_the_bounds() {
    for scale in [Scale::Logistic, Scale::Normalised] {
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05, scale).unwrap();
        assert_eq!(sprt.decision(&Score::default()), SprtDecision::Continue);
        assert_eq!(sprt.log_likelihood_ratio(&Score::default()), 0.0);
        assert_eq!(sprt.decision(&pairs([0, 0, 0, 0, 1])), SprtDecision::Continue);
        assert_eq!(sprt.decision(&pairs([10, 200, 900, 400, 30])), SprtDecision::AcceptH1);
        assert_eq!(sprt.decision(&pairs([30, 400, 900, 200, 10])), SprtDecision::AcceptH0);
    }
}

/// Swapping the sides and the hypotheses changes the sign and nothing else; more points never speak for less strength.
#[test]
fn both_sides_see_the_same() {
    let mut rng = Rng::new(11);
    for _ in 0..500 {
        let counts: [u32; 5] = std::array::from_fn(|_| rng.below(300) as u32);
        let mut swapped = counts;
        swapped.reverse();
        let better =
            [counts[0] / 2, counts[1], counts[2], counts[3], counts[4] + counts[0].div_ceil(2)];
        for scale in [Scale::Logistic, Scale::Normalised] {
            let (one, other) = (llr(scale, [-2.0, 7.0], counts), llr(scale, [-7.0, 2.0], swapped));
            assert!((one + other).abs() < 1e-6 * (1.0 + one.abs()), "{counts:?} {one} {other}");
        }
        let [before, after] =
            [counts, better].map(|counts| llr(Scale::Logistic, [-2.0, 7.0], counts));
        assert!(after >= before - 1e-9, "{counts:?} {before} {after}");
    }
}

/// However lopsided the results and far the hypotheses, the ratio is a number.
#[test]
fn ratios_are_finite() {
    let mut rng = Rng::new(12);
    for _ in 0..3_000 {
        let counts: [u32; 5] = std::array::from_fn(|_| match rng.below(3) {
            0 => 0,
            1 => rng.below(5) as u32,
            _ => rng.below(100_000) as u32,
        });
        for scale in [Scale::Logistic, Scale::Normalised] {
            let furthest = scale.furthest() as usize;
            let elo0 = rng.below(2 * furthest) as f64 - furthest as f64;
            let elo1 = elo0 + 1.0 + rng.below((furthest as f64 - elo0) as usize) as f64;
            let found = llr(scale, [elo0, elo1], counts);
            assert!(found.is_finite(), "{scale:?} {elo0} {elo1} {counts:?}");
        }
    }
}

/// What has to be 0 for a distribution to have a strength.
type Constraint<'a> = &'a dyn Fn(&[f64; 5]) -> f64;

fn moments(p: &[f64; 5]) -> (f64, f64) {
    let share = |i: usize| i as f64 / 4.0;
    let mean: f64 = (0..5).map(|i| p[i] * share(i)).sum();
    let variance: f64 = (0..5).map(|i| p[i] * (share(i) - mean).powi(2)).sum();
    (mean, variance.sqrt())
}

/// The distribution with these three inner probabilities that satisfies the constraint, found by halving.
fn completed(inner: [f64; 3], constraint: Constraint<'_>) -> Option<[f64; 5]> {
    let left = 1.0 - inner.iter().sum::<f64>();
    if left <= 0.0 || inner.iter().any(|&p| p <= 0.0) {
        return None;
    }
    let whole = |upper: f64| [left * (1.0 - upper), inner[0], inner[1], inner[2], left * upper];
    let (mut low, mut high) = (0.0, 1.0);
    if constraint(&whole(low)) > 0.0 || constraint(&whole(high)) < 0.0 {
        return None;
    }
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if constraint(&whole(middle)) < 0.0 { low = middle } else { high = middle }
    }
    Some(whole((low + high) / 2.0))
}

/// The largest likelihood by trying steps in all directions, ever smaller ones.
fn best_likelihood(counts: [u32; 5], constraint: Constraint<'_>) -> f64 {
    let likelihood = |inner: [f64; 3]| {
        completed(inner, constraint)
            .map(|p| (0..5).map(|i| f64::from(counts[i]) * p[i].ln()).sum::<f64>())
    };
    let mut at = [0.2; 3];
    let mut best = likelihood(at).unwrap();
    let mut step = 0.02;
    while step > 1e-9 {
        let mut moved = false;
        for direction in 0..27 {
            let by = |i: u32| f64::from(direction / 3_i32.pow(i) % 3 - 1) * step;
            let next = [at[0] + by(0), at[1] + by(1), at[2] + by(2)];
            if let Some(better) = likelihood(next).filter(|&found| found > best) {
                (best, at, moved) = (better, next, true);
            }
        }
        if !moved {
            step /= 2.0;
        }
    }
    best
}

#[test]
fn ratios_are_those_of_maxima_found_by_trying() {
    for (counts, elo) in [
        ([12, 31, 40, 35, 18], [0.0, 30.0]),
        ([3, 10, 120, 22, 4], [-5.0, 20.0]),
        ([60, 20, 30, 10, 50], [-40.0, 10.0]),
        ([200, 1500, 4000, 1600, 230], [0.0, 5.0]),
    ] {
        for scale in [Scale::Logistic, Scale::Normalised] {
            let [worse, better] = elo.map(|elo: f64| {
                let share = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
                let deviations = elo * 10_f64.ln() / 800.0 * 2_f64.sqrt();
                best_likelihood(counts, &|p| match scale {
                    Scale::Logistic => moments(p).0 - share,
                    Scale::Normalised => moments(p).0 - 0.5 - deviations * moments(p).1,
                })
            });
            let found = llr(scale, elo, counts);
            let difference = (found - (better - worse)).abs();
            assert!(difference < 2e-4, "{scale:?} {counts:?}: {found}, tried {}", better - worse);
        }
    }
}

/// How often a test takes the larger of two strengths to be true, if pairs are distributed like this.
fn accepted(scale: Scale, elo: [f64; 2], distribution: [f64; 5], seed: u64) -> f64 {
    const TESTS: u32 = 2_000;
    let sprt = Sprt::new(elo[0], elo[1], 0.05, 0.05, scale).unwrap();
    let mut rng = Rng::new(seed);
    let mut accepted = 0;
    for _ in 0..TESTS {
        let mut score = Score::default();
        let decision = loop {
            let mut at = rng.below(1 << 40) as f64 / (1_u64 << 40) as f64;
            let cell = distribution.iter().position(|p| {
                at -= p;
                at < 0.0
            });
            score.pairs[cell.unwrap_or(2)] += 1;
            match sprt.decision(&score) {
                SprtDecision::Continue => {}
                decided => break decided,
            }
        };
        accepted += u32::from(decision == SprtDecision::AcceptH1);
    }
    f64::from(accepted) / f64::from(TESTS)
}

/// Pairs whose games are as often drawn as not and hang together a little, at this share of points.
fn pairs_at(share: f64) -> [f64; 5] {
    let even = [0.06, 0.24, 0.4, 0.24, 0.06];
    // Moving this much of each lower cell to its mirror image gives the share.
    let moved = (share - 0.5) / (even[0] + even[1] / 2.0);
    let [none, half, one, more, two] = even;
    [none * (1.0 - moved), half * (1.0 - moved), one, more + half * moved, two + none * moved]
}

/// Three standard errors of a chance of 5% over 2,000 tests are 1.5%.
#[test]
fn errors_are_as_rare_as_was_asked() {
    let share = |elo: f64| 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
    let elo = [0.0, 40.0];
    let [equal, better] = elo.map(|elo| pairs_at(share(elo)));
    assert!((moments(&better).0 - share(40.0)).abs() < 1e-12);
    let wrong = accepted(Scale::Logistic, elo, equal, 1);
    let right = accepted(Scale::Logistic, elo, better, 2);
    assert!(wrong <= 0.065 && right >= 0.935, "{wrong} {right}");

    let normalised =
        |p: &[f64; 5]| (moments(p).0 - 0.5) / moments(p).1 / 2_f64.sqrt() * 800.0 / 10_f64.ln();
    let elo = [normalised(&equal), normalised(&better)];
    let wrong = accepted(Scale::Normalised, elo, equal, 3);
    let right = accepted(Scale::Normalised, elo, better, 4);
    assert!(wrong <= 0.065 && right >= 0.935, "{wrong} {right}");
}
