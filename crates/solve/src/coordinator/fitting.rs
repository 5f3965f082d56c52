//! [`CostModel`]: what nodes cost, learnt from units that were answered.

use crate::message::CostFit;
use crate::plan::estimate;
use crate::rules::Measures;

const NUMBERS: usize = 4;

/// Least squares of the binary logarithm of nodes over what is seen of a node.
#[derive(Clone, Debug, Default)]
pub struct CostModel {
    /// Sums of products of measures.
    products: [[f64; NUMBERS]; NUMBERS],
    /// Sums of products of measures and logarithms.
    targets: [f64; NUMBERS],
    /// The sum of the squares of logarithms.
    squares: f64,
    /// The sum of nodes.
    nodes: f64,
    count: u32,
}

/// Fewer answers than this say little.
const FEW: u32 = 64;

impl CostModel {
    /// A unit at such a node took so many nodes to answer.
    pub fn learn(&mut self, measures: &Measures, nodes: u64) {
        let seen = numbers(measures);
        let target = (nodes.max(1) as f64).log2() * 256.0;
        for (i, a) in seen.into_iter().enumerate() {
            for (j, b) in seen.into_iter().enumerate() {
                self.products[i][j] += a * b;
            }
            self.targets[i] += a * target;
        }
        self.squares += target * target;
        self.nodes += nodes as f64;
        self.count += 1;
    }

    /// What follows, in whole numbers; nothing before enough is known.
    #[must_use]
    pub fn fit(&self) -> CostFit {
        if self.count < FEW {
            return CostFit::default();
        }
        let Some([base, plies_left, moves, lead]) = solved(self.products, self.targets) else {
            return CostFit::default();
        };
        let whole = |number: f64| number.clamp(-65_536.0, 65_536.0).round() as i32;
        CostFit {
            base: whole(base),
            plies_left: whole(plies_left),
            moves: whole(moves),
            lead: whole(-lead),
        }
    }

    /// How many answers it has learnt from.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// How many nodes an answer took on average.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.nodes / f64::from(self.count.max(1))
    }

    /// How many nodes such a node takes on average, if costs are spread about the fit as logarithms
    /// of a normal distribution are; nothing before enough is known.
    #[must_use]
    pub fn nodes(&self, measures: &Measures) -> Option<f64> {
        let fit = self.fit();
        let known = fit != CostFit::default();
        known.then(|| (f64::from(estimate(&fit, measures)) / 256.0 + self.spread()).exp2())
    }

    /// By how many bits the mean is above the median: half the variance, in natural logarithms.
    fn spread(&self) -> f64 {
        let Some(x) = solved(self.products, self.targets) else { return 0.0 };
        let explained: f64 = x.iter().zip(self.targets).map(|(x, target)| x * target).sum();
        let variance = (self.squares - explained).max(0.0) / f64::from(self.count.max(1));
        variance / (256.0 * 256.0) * std::f64::consts::LN_2 / 2.0
    }
}

fn numbers(measures: &Measures) -> [f64; NUMBERS] {
    let &Measures { plies_left, moves, lead } = measures;
    [1.0, plies_left.into(), moves.into(), lead.into()]
}

/// Gauss's elimination, with a little on the diagonal for what never varies.
fn solved(mut a: [[f64; NUMBERS]; NUMBERS], mut b: [f64; NUMBERS]) -> Option<[f64; NUMBERS]> {
    for (i, row) in a.iter_mut().enumerate() {
        row[i] += 1e-3;
    }
    for i in 0..NUMBERS {
        let (row, right) = (a[i], b[i]);
        if row[i].abs() < 1e-9 {
            return None;
        }
        for j in i + 1..NUMBERS {
            let factor = a[j][i] / row[i];
            a[j].iter_mut().zip(row).for_each(|(number, above)| *number -= factor * above);
            b[j] -= factor * right;
        }
    }
    let mut x = [0.0; NUMBERS];
    for i in (0..NUMBERS).rev() {
        let known: f64 = (i + 1..NUMBERS).map(|j| a[i][j] * x[j]).sum();
        x[i] = (b[i] - known) / a[i][i];
    }
    Some(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_law_is_found() {
        let mut fitting = CostModel::default();
        for plies_left in 4..20 {
            for moves in 1..8 {
                let bits = plies_left + moves / 2;
                fitting.learn(&Measures { plies_left, moves, lead: moves % 3 }, 1 << bits);
            }
        }
        let nodes = fitting.nodes(&Measures { plies_left: 24, moves: 4, lead: 1 });
        let bits = nodes.map_or(0.0, f64::log2);
        assert!((25.0..27.0).contains(&bits), "{bits}");
    }
}
