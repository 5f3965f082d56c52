//! [`Method`]: how work is done, and [`Proof`]: how much is found out.

use std::fmt;
use std::str::FromStr;

use game::TextError;

/// How a unit is worked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Depth first with null windows, as MTD(f) asks, and one table for all threads.
    #[default]
    AlphaBeta,
    /// Depth-first proof-number search, with a table for each thread.
    ProofNumber,
    /// Not at all: every unit only looks where its moves lead, so that the tree in the store is searched best first.
    BestFirst,
    /// There are no units: all positions that can come up are found, tier by tier, and judged from the last to the first.
    Retrograde,
}

impl Method {
    /// All of them.
    pub const ALL: [Method; 4] =
        [Method::AlphaBeta, Method::ProofNumber, Method::BestFirst, Method::Retrograde];

    /// As the command line writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Method::AlphaBeta => "alphabeta",
            Method::ProofNumber => "proof",
            Method::BestFirst => "bestfirst",
            Method::Retrograde => "retrograde",
        }
    }

    /// The largest number of nodes of a unit: less than a minute of work.
    #[must_use]
    pub fn slice(self) -> u64 {
        match self {
            Method::AlphaBeta => 32_000_000,
            Method::ProofNumber => 2_000_000,
            Method::BestFirst | Method::Retrograde => 0,
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Method {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Method, TextError> {
        let names = Method::ALL.map(Method::name).join(", ");
        let known = Method::ALL.into_iter().find(|method| method.name() == text);
        known.ok_or_else(|| TextError::new(text, format!("there are the methods {names}")))
    }
}

/// How much is found out about a game (Allis 1994).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Proof {
    /// What the position asked about is worth, by an argument that may not tell how to get it.
    Ultraweak,
    /// What the position asked about is worth, and how to get it.
    #[default]
    Weak,
    /// The same for every position that can come up.
    Strong,
}

impl Proof {
    /// All of them.
    pub const ALL: [Proof; 3] = [Proof::Ultraweak, Proof::Weak, Proof::Strong];

    /// As the command line writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Proof::Ultraweak => "ultraweak",
            Proof::Weak => "weak",
            Proof::Strong => "strong",
        }
    }
}

impl fmt::Display for Proof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Proof {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Proof, TextError> {
        let names = Proof::ALL.map(Proof::name).join(", ");
        let known = Proof::ALL.into_iter().find(|proof| proof.name() == text);
        known.ok_or_else(|| TextError::new(text, format!("a proof is {names}")))
    }
}
