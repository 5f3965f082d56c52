//! Series: engines that differ in one number, found among all that were measured.

use forge::{Measured, Times};
use protocols::LineGame;
use serde::Serialize;

use super::fit::Fit;

/// The number in which the engines of a series differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Varied {
    /// m, the height of the board.
    #[serde(rename = "m")]
    Rows,
    /// n, its width.
    #[serde(rename = "n")]
    Columns,
    /// Rows and columns of a square.
    #[serde(rename = "m=n")]
    Size,
    /// Stones in a row.
    #[serde(rename = "k")]
    InARow,
    /// Stones in a turn.
    #[serde(rename = "p")]
    Stones,
    /// Stones in the first turn.
    #[serde(rename = "q")]
    FirstStones,
}

use Varied::{Columns, FirstStones, InARow, Rows, Size, Stones};

impl Varied {
    const ALL: [Varied; 6] = [Rows, Columns, Size, InARow, Stones, FirstStones];

    /// As people write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Rows => "m",
            Columns => "n",
            Size => "m = n",
            InARow => "k",
            Stones => "p",
            FirstStones => "q",
        }
    }

    /// Its value in a game, and the game without it; `None` if it has none there.
    fn split(self, game: &LineGame) -> Option<(usize, String)> {
        let LineGame { grid, k, p, q, exact, .. } = *game;
        let (m, n) = (grid.rows, grid.columns);
        let win = if exact { "exactly k" } else { "k or more" };
        let others = |names: &[(&str, usize)]| {
            let numbers = names.iter().map(|(name, number)| format!("{name} = {number}"));
            numbers.chain([win.to_owned()]).collect::<Vec<_>>().join(", ")
        };
        Some(match self {
            Rows => (m, others(&[("n", n), ("k", k), ("p", p), ("q", q)])),
            Columns => (n, others(&[("m", m), ("k", k), ("p", p), ("q", q)])),
            Size if m == n => (m, others(&[("k", k), ("p", p), ("q", q)])),
            Size => return None,
            InARow => (k, others(&[("m", m), ("n", n), ("p", p), ("q", q)])),
            Stones => (p, others(&[("m", m), ("n", n), ("k", k), ("q", q)])),
            FirstStones => (q, others(&[("m", m), ("n", n), ("k", k), ("p", p)])),
        })
    }
}

/// One of the times of an engine.
type Pick = fn(&Times) -> f64;

/// The times that are fitted.
pub(super) const FITTED: [(&str, Pick); 3] = [
    ("AI move", |times| times.ai_move),
    ("win check", |times| times.win_check),
    ("move list", |times| times.move_list),
];

/// Engines that differ in one number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Series {
    /// Which one.
    pub parameter: Varied,
    /// What they have in common.
    pub fixed: String,
    /// The number, and which engine has it.
    pub points: Vec<(usize, usize)>,
    /// For each time.
    pub curves: Vec<Curves>,
}

/// How a time depends on the number.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Curves {
    /// Which time.
    pub what: String,
    /// As a line.
    pub linear: Option<Fit>,
    /// As a parabola.
    pub quadratic: Option<Fit>,
}

/// All series of three engines or more.
pub(super) fn find(engines: &[Measured]) -> Vec<Series> {
    let mut all: Vec<Series> = Vec::new();
    for parameter in Varied::ALL {
        let first = all.len();
        for (number, engine) in engines.iter().enumerate() {
            let game = LineGame::of(&engine.game);
            let Some((value, fixed)) = game.and_then(|game| parameter.split(&game)) else {
                continue;
            };
            match all[first..].iter_mut().find(|series| series.fixed == fixed) {
                // Of engines of the same game the first one counts.
                Some(series) if series.points.iter().any(|&(other, _)| other == value) => {}
                Some(series) => series.points.push((value, number)),
                None => {
                    let points = vec![(value, number)];
                    all.push(Series { parameter, fixed, points, curves: Vec::new() });
                }
            }
        }
    }
    all.retain(|series| series.points.len() >= 3);
    for series in &mut all {
        series.points.sort_unstable();
        series.curves =
            FITTED.iter().map(|&(what, time)| curves(series, engines, what, time)).collect();
    }
    all
}

fn curves(series: &Series, engines: &[Measured], what: &str, time: Pick) -> Curves {
    let points = series.in_plane(engines, time);
    Curves { what: what.to_owned(), linear: Fit::of(&points, 1), quadratic: Fit::of(&points, 2) }
}

impl Series {
    /// Its points with the number to the right and a time up.
    pub(super) fn in_plane(&self, engines: &[Measured], time: Pick) -> Vec<(f64, f64)> {
        let at = |&(value, engine): &(usize, usize)| {
            engines.get(engine).map(|engine| (value as f64, time(&engine.times)))
        };
        self.points.iter().filter_map(at).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use forge::PlainTimes;

    #[test]
    fn series_differ_in_one_number() {
        let games = ["5x4,k=4", "6x4,k=4", "8x4,k=4", "5x5,k=4", "6x6,k=4", "8x8,k=4", "8x8,k=5"];
        let engines: Vec<Measured> = (1..)
            .zip(games)
            .map(|(n, game)| Measured {
                engine: format!("{n}"),
                game: format!("mnk:{game}"),
                games: 1,
                times: Times { ai_move: f64::from(n), ..Times::default() },
                plain: PlainTimes::default(),
            })
            .collect();
        let found = find(&engines);
        let names: Vec<_> = found.iter().map(|s| (s.parameter, &s.points[..])).collect();
        assert_eq!(
            names,
            [(Rows, &[(5, 0), (6, 1), (8, 2)][..]), (Size, &[(5, 3), (6, 4), (8, 5)][..])]
        );
        assert!(found[0].curves[0].linear.is_some() && found[0].curves[0].quadratic.is_none());
    }
}
