//! Covariance matrix adaptation (Hansen and Ostermeier 2001) in the form of Beyer and Sendhoff (2017), which adapts the square root of the matrix and needs no
//! decomposition: candidates are drawn around the mean, each plays the mean, and the mean goes to the better half; the shape of the cloud and its size
//! follow the steps that helped.

use arena::Score;
use game::{Rng, mix};

use crate::ground::Ground;
use crate::session::TuningSession;

/// How it goes about it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cma {
    /// Candidates of a step; 0 for what suits the number of weights.
    pub candidates: usize,
    /// Pairs of games of each candidate.
    pub pairs: usize,
    /// How far candidates are drawn at first, in units of the weights' scales.
    pub reach: f64,
}

/// More weights than this are taken one by one: a matrix would have too much to learn.
const WHOLE_MATRIX: usize = 400;

impl Cma {
    /// How many candidates there are for so many weights.
    #[must_use]
    pub fn candidates_for(&self, dimensions: usize) -> usize {
        match self.candidates {
            0 => 4 + (3.0 * (dimensions.max(1) as f64).ln()) as usize,
            candidates => candidates.max(2),
        }
    }
}

/// What it knows. All vectors are in units of the weights' scales.
struct Cloud {
    mean: Vec<f64>,
    /// The size of the cloud.
    reach: f64,
    /// Where it has gone of late.
    path: Vec<f64>,
    /// The square root of its covariance: whole, row by row, or its diagonal.
    matrix: Vec<f64>,
}

impl Cloud {
    fn of(session: &TuningSession, dimensions: usize, reach: f64) -> Cloud {
        let size = if dimensions > WHOLE_MATRIX { dimensions } else { dimensions * dimensions };
        let known = (
            session.get("mean", dimensions),
            session.get("reach", 1),
            session.get("path", dimensions),
            session.get("matrix", size),
        );
        if let (Some(mean), Some(reach), Some(path), Some(matrix)) = known {
            return Cloud { mean, reach: reach[0], path, matrix };
        }
        let one = |i: usize| f64::from(size == dimensions || i.is_multiple_of(dimensions + 1));
        let matrix = (0..size).map(one).collect();
        Cloud { mean: vec![0.0; dimensions], reach, path: vec![0.0; dimensions], matrix }
    }

    fn keep(self, session: &mut TuningSession) {
        let numbers = [
            ("mean", self.mean),
            ("reach", vec![self.reach]),
            ("path", self.path),
            ("matrix", self.matrix),
        ];
        session.numbers.extend(numbers.map(|(name, numbers)| (name.to_owned(), numbers)));
    }

    fn is_diagonal(&self) -> bool {
        self.matrix.len() == self.mean.len()
    }

    /// Where a draw leads from the mean.
    fn direction(&self, drawn: &[f64]) -> Vec<f64> {
        if self.is_diagonal() {
            return self.matrix.iter().zip(drawn).map(|(size, z)| size * z).collect();
        }
        let rows = self.matrix.chunks(drawn.len());
        rows.map(|row| row.iter().zip(drawn).map(|(m, z)| m * z).sum()).collect()
    }

    /// Goes to where the best candidates were, and takes on their shape.
    fn learn(&mut self, ranked: &[Vec<f64>]) {
        let n = self.mean.len() as f64;
        let weights = weights(ranked.len());
        let effective = 1.0 / weights.iter().map(|w| w * w).sum::<f64>();
        let path_rate = (effective + 2.0) / (n + effective + 5.0);
        let one_rate = 2.0 / ((n + 1.3).powi(2) + effective);
        let many_rate = (1.0 - one_rate)
            .min(2.0 * (effective - 2.0 + 1.0 / effective) / ((n + 2.0).powi(2) + effective));
        let damping =
            1.0 + path_rate + 2.0 * (((effective - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0);
        let mut drawn = vec![0.0; self.mean.len()];
        for (z, weight) in ranked.iter().zip(&weights) {
            drawn.iter_mut().zip(z).for_each(|(sum, z)| *sum += weight * z);
        }
        let step = self.direction(&drawn);
        self.mean.iter_mut().zip(step).for_each(|(mean, step)| *mean += self.reach * step);
        let kept = (path_rate * (2.0 - path_rate) * effective).sqrt();
        self.path
            .iter_mut()
            .zip(&drawn)
            .for_each(|(path, z)| *path += kept * z - path_rate * *path);
        self.reshape(&ranked[..weights.len()], &weights, one_rate, many_rate);
        let length = self.path.iter().map(|p| p * p).sum::<f64>().sqrt();
        let usual = n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
        let growth = path_rate / damping * (length / usual - 1.0);
        self.reach = (self.reach * growth.clamp(-1.0, 1.0).exp()).clamp(1e-6, 1e3);
    }

    /// Multiplies the matrix by what the path and the best draws say of its shape.
    fn reshape(&mut self, best: &[Vec<f64>], weights: &[f64], one_rate: f64, many_rate: f64) {
        let mut drawn: Vec<(f64, &[f64])> =
            best.iter().zip(weights).map(|(z, weight)| (many_rate / 2.0 * weight, &**z)).collect();
        let path = self.path.clone();
        drawn.push((one_rate / 2.0, &path));
        let shrink = 1.0 - (one_rate + many_rate) / 2.0;
        if self.is_diagonal() {
            for (i, size) in self.matrix.iter_mut().enumerate() {
                let grown: f64 = drawn.iter().map(|(rate, z)| rate * z[i] * z[i]).sum();
                *size *= shrink + grown;
            }
            return;
        }
        // M (shrink I + sum of rate z z') is shrink M + sum of rate (M z) z'.
        let images: Vec<Vec<f64>> = drawn.iter().map(|(_, z)| self.direction(z)).collect();
        for (i, row) in self.matrix.chunks_mut(path.len()).enumerate() {
            row.iter_mut().for_each(|m| *m *= shrink);
            for ((rate, z), image) in drawn.iter().zip(&images) {
                let rate = rate * image[i];
                row.iter_mut().zip(*z).for_each(|(m, z)| *m += rate * z);
            }
        }
    }
}

/// What the better half counts, the best most.
fn weights(candidates: usize) -> Vec<f64> {
    let half = (candidates / 2).max(1);
    let raw: Vec<f64> = (1..=half).map(|i| (half as f64 + 0.5).ln() - (i as f64).ln()).collect();
    let sum: f64 = raw.iter().sum();
    raw.into_iter().map(|weight| weight / sum).collect()
}

/// A number as the normal distribution has them (Box and Muller 1958).
fn normal(rng: &mut Rng) -> f64 {
    let uniform = |rng: &mut Rng| (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let (radius, angle) = (1.0 - uniform(rng), uniform(rng));
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

/// Takes a step, and says how all candidates did together.
pub fn step(session: &mut TuningSession, ground: &mut Ground, cma: &Cma, seed: u64) -> Score {
    let drawn = mix(seed ^ mix(session.step));
    let dimensions = ground.dimensions();
    let mut score = Score::default();
    advance(session, dimensions, cma, drawn, |mean, candidates| {
        let couples: Vec<[&[f64]; 2]> = candidates.iter().map(|one| [&**one, mean]).collect();
        let scores = ground.meet(&couples, cma.pairs, mix(drawn));
        scores.iter().for_each(|one| score.add(one));
        scores.iter().map(Score::share).collect()
    });
    session.step += 1;
    session.games += u64::from(score.games());
    score
}

/// Draws candidates, has them judged (more is better), and learns.
fn advance(
    session: &mut TuningSession,
    dimensions: usize,
    cma: &Cma,
    drawn: u64,
    judge: impl FnOnce(&[f64], &[Vec<f64>]) -> Vec<f64>,
) {
    let mut cloud = Cloud::of(session, dimensions, cma.reach);
    let mut rng = Rng::new(drawn);
    let draws: Vec<Vec<f64>> = (0..cma.candidates_for(dimensions))
        .map(|_| (0..dimensions).map(|_| normal(&mut rng)).collect())
        .collect();
    let place = |z: &Vec<f64>| -> Vec<f64> {
        let direction = cloud.direction(z);
        cloud.mean.iter().zip(direction).map(|(mean, d)| mean + cloud.reach * d).collect()
    };
    let candidates: Vec<Vec<f64>> = draws.iter().map(place).collect();
    let worths = judge(&cloud.mean, &candidates);
    let mut ranked: Vec<(f64, Vec<f64>)> = worths.into_iter().zip(draws).collect();
    ranked.sort_by(|one, other| other.0.total_cmp(&one.0));
    let ranked: Vec<Vec<f64>> = ranked.into_iter().map(|(_, z)| z).collect();
    cloud.learn(&ranked);
    cloud.keep(session);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A long narrow valley, turned: the shape must be learnt to get along it.
    fn depth(x: &[f64]) -> f64 {
        let centred: Vec<f64> = x.iter().map(|x| x - 3.0).collect();
        let n = x.len();
        let turned = (0..n).map(|i| (centred[i] + centred[(i + 1) % n]) / 2_f64.sqrt());
        turned.zip(0..).map(|(y, i)| 10_f64.powf(3.0 * f64::from(i) / n as f64) * y * y).sum()
    }

    #[test]
    fn the_bottom_of_a_valley_is_found() {
        for dimensions in [3, 7, 15] {
            let cma = Cma { candidates: 0, pairs: 1, reach: 1.0 };
            let mut session = TuningSession::new("valley");
            for step in 0..1_500 {
                advance(&mut session, dimensions, &cma, step, |_, candidates| {
                    candidates.iter().map(|x| -depth(x)).collect()
                });
                session.step += 1;
            }
            let mean = session.get("mean", dimensions).unwrap();
            assert!(depth(&mean) < 1e-6, "{dimensions}: {mean:?}");
        }
    }

    #[test]
    fn a_session_goes_on_as_if_it_had_not_stopped() {
        let cma = Cma { candidates: 6, pairs: 1, reach: 0.5 };
        let mut sessions = [TuningSession::new("x"), TuningSession::new("x")];
        for (i, session) in sessions.iter_mut().enumerate() {
            for step in 0..20 {
                advance(session, 4, &cma, step, |_, all| all.iter().map(|x| -depth(x)).collect());
                if i == 1 {
                    *session = TuningSession::read(&session.write()).unwrap();
                }
            }
        }
        assert_eq!(sessions[0], sessions[1]);
    }
}
