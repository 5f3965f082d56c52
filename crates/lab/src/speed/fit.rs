//! Curves through points, by least squares.

use serde::Serialize;

/// A curve, and how much of the variation it explains.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fit {
    /// From the constant up.
    pub coefficients: Vec<f64>,
    /// The standard error of each.
    pub errors: Vec<f64>,
    /// 1 where it goes through all points, 0 where it is no better than their mean.
    pub r_squared: f64,
}

impl Fit {
    /// The polynomial of this degree that is nearest to the points; `None` if there are too few
    /// different ones to tell.
    #[must_use]
    pub fn of(points: &[(f64, f64)], degree: usize) -> Option<Fit> {
        let mut different: Vec<f64> = points.iter().map(|&(x, _)| x).collect();
        different.sort_by(f64::total_cmp);
        different.dedup();
        if different.len() < degree + 2 {
            return None;
        }
        // Powers of numbers around 1 keep their digits.
        let scale = different.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let size = degree + 1;
        let mut rows = vec![vec![0.0; size + 1]; size];
        for &(x, y) in points {
            let powers: Vec<f64> = (0..size).map(|n| (x / scale).powi(n as i32)).collect();
            for (row, power) in rows.iter_mut().zip(&powers) {
                row.iter_mut().zip(&powers).for_each(|(cell, other)| *cell += power * other);
                row[size] += power * y;
            }
        }
        let scaled = solve(rows.clone())?;
        let coefficients =
            (0..).zip(scaled).map(|(n, coefficient)| coefficient / scale.powi(n)).collect();
        let mut fit = Fit { coefficients, errors: Vec::new(), r_squared: 1.0 };
        let mean = points.iter().map(|&(_, y)| y).sum::<f64>() / points.len() as f64;
        let squares = |from: &dyn Fn(f64) -> f64| {
            points.iter().map(|&(x, y)| (y - from(x)).powi(2)).sum::<f64>()
        };
        let (left, all) = (squares(&|x| fit.at(x)), squares(&|_| mean));
        if all > 0.0 {
            fit.r_squared = 1.0 - left / all;
        }
        // The variance of what is left over, times the inverse of the equations' matrix.
        let variance = left / (points.len() - size) as f64;
        for n in 0..size {
            let mut unit = rows.clone();
            (0..size).for_each(|row| unit[row][size] = f64::from(u8::from(row == n)));
            let error = (variance * solve(unit)?[n]).max(0.0).sqrt();
            fit.errors.push(error / scale.powi(n as i32));
        }
        Some(fit)
    }

    /// The height of the curve.
    #[must_use]
    pub fn at(&self, x: f64) -> f64 {
        self.coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * x + coefficient)
    }
}

/// Solves linear equations, each a row with its right side last (Gauss).
fn solve(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let size = rows.len();
    for column in 0..size {
        let largest = (column..size)
            .max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
        rows.swap(column, largest);
        if rows[column][column].abs() < 1e-12 {
            return None;
        }
        let pivot = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|&(n, _)| n != column) {
            let factor = row[column] / pivot[column];
            row.iter_mut().zip(&pivot).for_each(|(cell, other)| *cell -= factor * other);
        }
    }
    Some((0..size).map(|n| rows[n][size] / rows[n][n]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_are_found_again() {
        let points: Vec<(f64, f64)> =
            (50..=250).map(f64::from).map(|x| (x, 3.0 - 2.0 * x + 0.5 * x * x)).collect();
        let fit = Fit::of(&points, 2).unwrap();
        for (found, right) in fit.coefficients.iter().zip([3.0, -2.0, 0.5]) {
            assert!((found - right).abs() < 1e-6, "{fit:?}");
        }
        assert!((fit.r_squared - 1.0).abs() < 1e-12);
        assert!(Fit::of(&points, 1).unwrap().r_squared < 0.99);
    }

    /// Anscombe's first quartet (1973): y = 3.00 + 0.500 x, R² = 0.67, and the slope's error 0.118.
    #[test]
    fn a_published_example() {
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
        let points: Vec<(f64, f64)> = x.into_iter().zip(y).collect();
        let fit = Fit::of(&points, 1).unwrap();
        assert!((fit.coefficients[0] - 3.0).abs() < 0.005, "{fit:?}");
        assert!((fit.coefficients[1] - 0.5).abs() < 0.005, "{fit:?}");
        assert!((fit.r_squared - 0.6665).abs() < 0.0005, "{fit:?}");
        assert!((fit.errors[0] - 1.1247).abs() < 0.0005, "{fit:?}");
        assert!((fit.errors[1] - 0.1179).abs() < 0.0005, "{fit:?}");
    }

    #[test]
    fn too_few_points_tell_nothing() {
        assert_eq!(Fit::of(&[(1.0, 1.0), (2.0, 2.0)], 1), None);
        assert_eq!(Fit::of(&[(1.0, 1.0), (1.0, 2.0), (1.0, 3.0)], 1), None);
        assert_eq!(Fit::of(&[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0)], 2), None);
        assert_eq!(Fit::of(&[(1.0, 5.0), (2.0, 5.0), (3.0, 5.0)], 1).unwrap().r_squared, 1.0);
    }
}
