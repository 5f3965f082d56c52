//! [`Algorithm`]: the searches by name. What they do is for the crate that has them.

use std::fmt;

/// Which search. The classic ones all find the same value and differ in how much they look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Looks at everything: the reference for the others.
    Minimax,
    /// Leaves out what cannot change the result (Knuth and Moore 1975).
    AlphaBeta,
    /// Alpha-beta that tests all moves but the first with a null window (Reinefeld 1983).
    NegaScout,
    /// Null windows only, steered by a table (Plaat et al. 1996).
    MtdF,
    /// The playing search, which leaves out what hardly matters to look deeper elsewhere.
    Playing,
    /// Monte-Carlo tree search, which judges positions by random games.
    MonteCarlo,
    /// Proof-number search, which looks for a win or loss and nothing else (Nagai 2002).
    ProofNumber,
}

impl Algorithm {
    /// Those that find the same value.
    pub const CLASSIC: [Algorithm; 4] =
        [Algorithm::Minimax, Algorithm::AlphaBeta, Algorithm::NegaScout, Algorithm::MtdF];

    /// All that have a name. A program need not have them all compiled.
    pub const ALL: [Algorithm; 7] = [
        Algorithm::Minimax,
        Algorithm::AlphaBeta,
        Algorithm::NegaScout,
        Algorithm::MtdF,
        Algorithm::Playing,
        Algorithm::MonteCarlo,
        Algorithm::ProofNumber,
    ];

    /// The algorithm of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Algorithm> {
        Algorithm::ALL.into_iter().find(|algorithm| algorithm.name() == name)
    }

    /// As the command line writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Minimax => "minimax",
            Algorithm::AlphaBeta => "alphabeta",
            Algorithm::NegaScout => "negascout",
            Algorithm::MtdF => "mtdf",
            Algorithm::Playing => "playing",
            Algorithm::MonteCarlo => "montecarlo",
            Algorithm::ProofNumber => "proof",
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
