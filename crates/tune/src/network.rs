//! [`Network`]: whether there is more to learn from the same features than weights can hold.
//!
//! Features go to 32 neurons, and these to a number that is added to the score of the evaluation as it was; trained by Adam (Kingma and Ba 2015) in small
//! batches. What features interact in, weights cannot say and this can: its loss on positions held out, beside that of the weights, says how much that is.

use game::Rng;

use crate::positions::{Positions, Split, Target};

/// Neurons.
const HIDDEN: usize = 32;
/// Positions of a step.
const BATCH: usize = 256;
/// How often all positions are gone through at most.
const EPOCHS: usize = 12;
const RATE: f64 = 1e-3;
/// How fast Adam forgets slopes and their squares.
const FORGET: [f64; 2] = [0.9, 0.999];

/// A trained network.
#[derive(Clone, Debug)]
pub struct Network {
    /// From each feature to each neuron.
    inner: Vec<f64>,
    /// What each neuron has by itself.
    bias: Vec<f64>,
    /// From each neuron to the result.
    outer: Vec<f64>,
    /// What features are multiplied with, so that all are about as large.
    scale: Vec<f64>,
    steepness: f64,
    target: Target,
    /// Mean loss of positions learnt from, and of those held out.
    pub losses: [f64; 2],
}

impl Network {
    /// Learns until positions held out are predicted no better.
    #[must_use]
    pub fn train(split: &Split, steepness: f64, target: Target, seed: u64) -> Network {
        let mut rng = Rng::new(seed);
        let mut network = Network::new(&split.training, steepness, target, &mut rng);
        network.see(split);
        let mut best = network.clone();
        let mut adam = Adam::new(network.parameters());
        let mut order: Vec<usize> = (0..split.training.len()).collect();
        for _ in 0..EPOCHS {
            rng.shuffle(&mut order);
            for batch in order.chunks(BATCH) {
                let slope = network.slope(&split.training, batch);
                adam.step(&slope, |i, change| *network.parameter(i) += change);
            }
            network.see(split);
            if network.losses[1] >= best.losses[1] {
                break;
            }
            best = network.clone();
        }
        best
    }

    /// Says nothing yet: the way from neurons to the result begins at 0.
    fn new(positions: &Positions, steepness: f64, target: Target, rng: &mut Rng) -> Network {
        let mut squares: Vec<f64> = Vec::new();
        for row in 0..positions.len() {
            for (place, factor) in positions.row(row) {
                squares.resize(squares.len().max(place + 1), 0.0);
                squares[place] += f64::from(factor).powi(2);
            }
        }
        let count = positions.len().max(1) as f64;
        let scale: Vec<f64> = squares
            .iter()
            .map(|&sum| if sum > 0.0 { (count / sum).sqrt().min(30.0) } else { 0.0 })
            .collect();
        let mut drawn =
            || (rng.below(2_000_001) as f64 / 1e6 - 1.0) / (scale.len().max(1) as f64).sqrt();
        let inner = (0..scale.len() * HIDDEN).map(|_| drawn()).collect();
        Network {
            inner,
            bias: vec![0.1; HIDDEN],
            outer: vec![0.0; HIDDEN],
            scale,
            steepness,
            target,
            losses: [f64::INFINITY; 2],
        }
    }

    fn parameters(&self) -> usize {
        self.inner.len() + self.bias.len() + self.outer.len()
    }

    fn parameter(&mut self, i: usize) -> &mut f64 {
        let (inner, bias) = (self.inner.len(), self.bias.len());
        match i {
            i if i < inner => &mut self.inner[i],
            i if i < inner + bias => &mut self.bias[i - inner],
            i => &mut self.outer[i - inner - bias],
        }
    }

    /// What the neurons hold, and the prediction.
    fn predict(&self, positions: &Positions, row: usize) -> ([f64; HIDDEN], f64) {
        let mut neurons = [0.0; HIDDEN];
        neurons.copy_from_slice(&self.bias);
        for (place, factor) in positions.row(row) {
            // Held-out positions may show features that were never seen.
            let Some(scale) = self.scale.get(place) else { continue };
            let input = f64::from(factor) * scale;
            let weights = &self.inner[place * HIDDEN..][..HIDDEN];
            neurons.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight * input);
        }
        neurons.iter_mut().for_each(|sum| *sum = sum.max(0.0));
        let correction: f64 = neurons.iter().zip(&self.outer).map(|(n, weight)| n * weight).sum();
        (neurons, self.steepness * f64::from(positions.scores[row]) + correction)
    }

    /// How the mean loss of a batch changes with each parameter.
    fn slope(&self, positions: &Positions, batch: &[usize]) -> Vec<f64> {
        let (inner, bias) = (self.inner.len(), self.bias.len());
        let mut slope = vec![0.0; self.parameters()];
        for &row in batch {
            let (neurons, z) = self.predict(positions, row);
            let (_, steep) = self.target.loss(z, f64::from(positions.targets[row]));
            let steep = steep / batch.len() as f64;
            let mut back = [0.0; HIDDEN];
            for (n, neuron) in neurons.iter().enumerate() {
                slope[inner + bias + n] += steep * neuron;
                back[n] = if *neuron > 0.0 { steep * self.outer[n] } else { 0.0 };
                slope[inner + n] += back[n];
            }
            for (place, factor) in positions.row(row) {
                let input = f64::from(factor) * self.scale[place];
                let slopes = &mut slope[place * HIDDEN..][..HIDDEN];
                slopes.iter_mut().zip(back).for_each(|(slope, back)| *slope += back * input);
            }
        }
        slope
    }

    fn see(&mut self, split: &Split) {
        self.losses = [&split.training, &split.held_out].map(|positions| {
            let losses = (0..positions.len()).map(|row| {
                let (_, z) = self.predict(positions, row);
                self.target.loss(z, f64::from(positions.targets[row])).0
            });
            losses.sum::<f64>() / positions.len().max(1) as f64
        });
    }
}

/// Steps whose length follows how large slopes have been of late.
struct Adam {
    mean: Vec<f64>,
    square: Vec<f64>,
    steps: i32,
}

impl Adam {
    fn new(parameters: usize) -> Adam {
        Adam { mean: vec![0.0; parameters], square: vec![0.0; parameters], steps: 0 }
    }

    fn step(&mut self, slope: &[f64], mut change: impl FnMut(usize, f64)) {
        self.steps += 1;
        let [one, other] = FORGET.map(|forget| 1.0 - forget.powi(self.steps));
        for (i, slope) in slope.iter().enumerate() {
            self.mean[i] += (1.0 - FORGET[0]) * (slope - self.mean[i]);
            self.square[i] += (1.0 - FORGET[1]) * (slope * slope - self.square[i]);
            let (mean, square) = (self.mean[i] / one, self.square[i] / other);
            change(i, -RATE * mean / (square.sqrt() + 1e-8));
        }
    }
}
