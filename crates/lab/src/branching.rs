//! [`Branching`]: how large a game tree is, estimated from random games where it cannot be counted.
//!
//! A random game that had b₀, b₁, b₂, … moves to choose from says that there may be b₀·b₁·…·bₙ
//! positions after n + 1 plies. That is right on average (Knuth 1975), for every depth and for the
//! number of whole games, though a few games may carry most of the sum: so each estimate tells its
//! own error. Numbers of this size are kept as decimal logarithms.

use std::time::Instant;

use compiled::CompiledSession;
use game::Rng;
use play::Stop;
use serde::Serialize;

use crate::plot::{COLOURS, Chart, Curve};

/// What random games from a position say of the game.
#[derive(Clone, Debug, Serialize)]
pub struct GameSize {
    /// Which game.
    pub game: String,
    /// Where they began.
    pub position: String,
    /// How many were played.
    pub games: usize,
    /// With it they are played again.
    pub seed: u64,
    /// Plies of the shortest game,
    pub shortest: usize,
    /// on average,
    pub mean_length: f64,
    /// and of the longest.
    pub longest: usize,
    /// Moves to choose from, over all plies.
    pub mean_branching: Option<f64>,
    /// One after the other.
    pub plies: Vec<AtPly>,
    /// Decimal logarithm of the product of the mean numbers of moves.
    pub product: Option<f64>,
    /// How many games can be played.
    pub leaves: Estimate,
    /// How many positions the tree has.
    pub positions: Estimate,
    /// How long it took, to a millionth.
    pub seconds: f64,
}

/// A ply with its number, from 1.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct AtPly {
    /// How many plies were played with it.
    pub ply: usize,
    /// What the games say of it.
    #[serde(flatten)]
    pub at: BranchingAt,
}

/// Plays random games from where a session stands, until there are enough or somebody stops it;
/// `told` hears how many there are. `None` if none was played.
pub fn sample(
    session: &dyn CompiledSession,
    games: usize,
    seed: u64,
    stop: &Stop,
    told: &mut dyn FnMut(usize),
) -> Option<GameSize> {
    let start = Instant::now();
    let (mut rng, mut branching) = (Rng::new(seed), Branching::default());
    while branching.games() < games && !stop.is_stopped() {
        branching.add(session.random_branching(&mut rng));
        told(branching.games());
    }
    let (shortest, mean_length, longest) = branching.lengths()?;
    let plies = branching.plies();
    let moves: f64 = plies.iter().map(|ply| ply.mean * ply.games as f64).sum();
    let choices: usize = plies.iter().map(|ply| ply.games).sum();
    Some(GameSize {
        game: session.spec(),
        position: session.position(),
        games: branching.games(),
        seed,
        shortest,
        mean_length,
        longest,
        mean_branching: (choices > 0).then(|| moves / choices as f64),
        product: plies.last().map(|last| last.product),
        leaves: branching.leaves(),
        positions: branching.nodes(),
        plies: (1..).zip(plies).map(|(ply, at)| AtPly { ply, at }).collect(),
        seconds: (start.elapsed().as_secs_f64() * 1e6).round() / 1e6,
    })
}

impl GameSize {
    /// The means, and what grows from them.
    #[must_use]
    pub fn charts(&self) -> [Chart; 2] {
        let curve = |name: &str, colour: usize, of: &dyn Fn(&BranchingAt) -> f64| Curve {
            name: name.to_owned(),
            points: self.plies.iter().map(|AtPly { ply, at }| (*ply as f64, of(at))).collect(),
            colour: COLOURS[colour],
            line: true,
            dots: false,
        };
        let chart = |title: &str, y_name: &str, logarithms, curves| Chart {
            title: format!("{}: {title}", self.game),
            x_name: "ply".to_owned(),
            y_name: y_name.to_owned(),
            logarithms,
            curves,
        };
        [
            chart("moves to choose from", "moves", false, vec![curve("", 0, &|at| at.mean)]),
            chart(
                "size of the tree",
                "positions",
                true,
                vec![
                    curve("product of the means", 1, &|at| at.product),
                    curve("estimate by Knuth", 0, &|at| at.positions.log10),
                ],
            ),
        ]
    }
}

/// Random games, as the numbers of moves at their plies.
#[derive(Clone, Debug, Default)]
pub struct Branching {
    games: Vec<Vec<u32>>,
}

/// A number too large to write down, and how far it may be off.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Its decimal logarithm; minus infinity for none at all.
    pub log10: f64,
    /// The standard error, as a share of the number; `None` if there is too little to tell.
    pub error: Option<f64>,
}

/// What random games say of a ply.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BranchingAt {
    /// How many games had a move to make there.
    pub games: usize,
    /// How many moves they had on average.
    pub mean: f64,
    /// How much they differed: the standard deviation.
    pub deviation: f64,
    /// Decimal logarithm of the product of the means up to here; a game that is over counts as one
    /// move, as in perft.
    pub product: f64,
    /// Positions of the tree after this ply.
    pub positions: Estimate,
}

impl Branching {
    /// Takes in a game.
    pub fn add(&mut self, counts: Vec<u32>) {
        self.games.push(counts);
    }

    /// How many games there are.
    #[must_use]
    pub fn games(&self) -> usize {
        self.games.len()
    }

    /// The shortest game, the mean and the longest, in plies.
    #[must_use]
    pub fn lengths(&self) -> Option<(usize, f64, usize)> {
        let lengths = || self.games.iter().map(Vec::len);
        let mean = lengths().sum::<usize>() as f64 / self.games() as f64;
        Some((lengths().min()?, mean, lengths().max()?))
    }

    /// Every ply that some game reached, in order.
    #[must_use]
    pub fn plies(&self) -> Vec<BranchingAt> {
        let longest = self.games.iter().map(Vec::len).max().unwrap_or(0);
        let all = self.games() as f64;
        let mut weights = vec![0.0; self.games()];
        let mut product = 0.0;
        let mut plies = Vec::with_capacity(longest);
        for ply in 0..longest {
            let (mut games, mut sum, mut squares) = (0, 0.0, 0.0);
            for (counts, weight) in self.games.iter().zip(&mut weights) {
                match counts.get(ply) {
                    Some(&count) => {
                        let count = f64::from(count);
                        games += 1;
                        sum += count;
                        squares += count * count;
                        *weight += count.log10();
                    }
                    None => *weight = f64::NEG_INFINITY,
                }
            }
            let under_way = f64::from(games);
            let mean = sum / under_way;
            product += ((sum + all - under_way) / all).log10();
            plies.push(BranchingAt {
                games: games as usize,
                mean,
                deviation: (squares / under_way - mean * mean).max(0.0).sqrt(),
                product,
                positions: Estimate::of(&weights),
            });
        }
        plies
    }

    /// How many games can be played.
    #[must_use]
    pub fn leaves(&self) -> Estimate {
        let weigh = |counts: &Vec<u32>| counts.iter().map(|&count| f64::from(count).log10()).sum();
        Estimate::of(&self.games.iter().map(weigh).collect::<Vec<f64>>())
    }

    /// How many positions the whole tree has, the first one included.
    #[must_use]
    pub fn nodes(&self) -> Estimate {
        let weigh = |counts: &Vec<u32>| {
            let mut weight = 0.0;
            let terms = counts.iter().map(|&count| {
                weight += f64::from(count).log10();
                weight
            });
            log_of_sum(&[0.0].into_iter().chain(terms).collect::<Vec<f64>>())
        };
        Estimate::of(&self.games.iter().map(weigh).collect::<Vec<f64>>())
    }
}

impl Estimate {
    /// The mean of numbers that are given by their logarithms.
    fn of(logarithms: &[f64]) -> Estimate {
        let n = logarithms.len() as f64;
        let log10 = log_of_sum(logarithms) - n.log10();
        let squares: f64 = logarithms.iter().map(|log| 10f64.powf(2.0 * (log - log10))).sum();
        // Of numbers whose mean is 1.
        let variance = (squares - n) / (n - 1.0);
        let error = (n > 1.0).then(|| (variance / n).max(0.0).sqrt());
        Estimate { log10, error: error.filter(|error| error.is_finite()) }
    }
}

/// The logarithm of a sum, without ever forming a number that does not fit.
fn log_of_sum(logarithms: &[f64]) -> f64 {
    let most = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return most;
    }
    let sum: f64 = logarithms.iter().map(|log| 10f64.powf(log - most)).sum();
    most + sum.log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(games: &[&[u32]]) -> Branching {
        let mut branching = Branching::default();
        games.iter().for_each(|counts| branching.add(counts.to_vec()));
        branching
    }

    fn is_close(log10: f64, number: f64) -> bool {
        (10f64.powf(log10) / number - 1.0).abs() < 1e-9
    }

    /// A root with two moves; the first ends the game, the second leads to three ends: four games,
    /// six positions.
    #[test]
    fn both_halves_of_a_small_tree_give_its_size() {
        let tree = of(&[&[2], &[2, 3]]);
        assert!(is_close(tree.leaves().log10, 4.0) && is_close(tree.nodes().log10, 6.0));
        let plies = tree.plies();
        assert!(is_close(plies[0].positions.log10, 2.0) && is_close(plies[1].positions.log10, 3.0));
        assert_eq!((plies[0].games, plies[1].games, plies[1].mean), (2, 1, 3.0));
        // 2 · (1 + 3) / 2
        assert!(is_close(plies[1].product, 4.0));
        // 2 and 6: one standard deviation is the root of 8, of the mean of two 2, of a 4 a half.
        assert!((tree.leaves().error.unwrap() - 0.5).abs() < 1e-9);
        assert_eq!(tree.lengths(), Some((1, 1.5, 2)));
    }

    #[test]
    fn numbers_may_be_larger_than_any_float() {
        let long = vec![1000; 1000];
        let tree = of(&[&long, &long]);
        assert!((tree.leaves().log10 - 3000.0).abs() < 1e-6);
        assert!(tree.leaves().error.unwrap() < 1e-6);
        assert!((tree.plies()[999].product - 3000.0).abs() < 1e-6);
    }

    #[test]
    fn little_says_little() {
        assert_eq!(of(&[]).plies(), []);
        assert_eq!(of(&[]).lengths(), None);
        assert_eq!(of(&[&[3]]).leaves().error, None);
        // A game that is over at once has one position.
        let over = of(&[&[], &[]]);
        assert_eq!((over.leaves().log10, over.nodes().log10), (0.0, 0.0));
    }
}
