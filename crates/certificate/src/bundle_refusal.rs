//! [`BundleRefusal`]: one line about why a bundle is not believed.

use std::fmt;
use std::io;

use game::{escaped, shown};

use crate::claim::Claim;
use crate::lemma::LemmaHash;
use crate::refusal::{Limit, Refusal};

/// Why a bundle is not believed. Prints as one line, whatever is in the files.
#[derive(Debug)]
pub struct BundleRefusal {
    /// The lemma that is wrong; `None` if it is the root.
    pub lemma: Option<LemmaHash>,
    /// Its file.
    pub file: String,
    /// What is wrong.
    pub fault: BundleFault,
}

/// What is wrong with a file of a bundle.
#[derive(Debug)]
pub enum BundleFault {
    /// There is no such file.
    Missing {
        /// The file that refers to it.
        named_by: String,
    },
    /// It cannot be read.
    Unreadable(io::Error),
    /// It has another hash.
    Changed {
        /// Which one.
        found: LemmaHash,
    },
    /// It is not well formed, or its proof is none.
    Refused(Refusal),
    /// It is about another game.
    OtherGame {
        /// Which one.
        found: String,
        /// Which one it should be.
        wanted: String,
    },
    /// It is about another position.
    OtherPosition {
        /// Which one.
        found: String,
        /// Which one it should be.
        wanted: String,
    },
    /// It proves something else.
    OtherClaim {
        /// What.
        found: Claim,
        /// What it should prove.
        wanted: Claim,
    },
    /// It proves two claims, and a lemma is one.
    TwoClaims,
    /// Two certificates that refer to it say different things of it.
    Disagreement {
        /// Their files.
        named_by: [String; 2],
    },
    /// It rests on itself.
    Circle,
    /// It is not what it was when it was first read, though its hash is.
    Moved,
    /// That it was verified cannot be written down.
    NotKept(io::Error),
    /// Nothing is wrong, but the check could not be finished.
    Over(Limit),
}

impl BundleRefusal {
    /// What there was not enough of, where nothing was found wrong but the check could not be
    /// finished.
    #[must_use]
    pub fn limit(&self) -> Option<Limit> {
        match &self.fault {
            BundleFault::Over(limit) => Some(*limit),
            BundleFault::Refused(refusal) => refusal.limit(),
            _ => None,
        }
    }
}

impl fmt::Display for BundleRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = escaped(&self.file);
        match &self.lemma {
            Some(hash) => write!(f, "lemma {hash} (file {file}) ")?,
            None => write!(f, "the root (file {file}) ")?,
        }
        match &self.fault {
            BundleFault::Missing { named_by } => {
                write!(f, "is missing; {} refers to it", escaped(named_by))
            }
            BundleFault::Unreadable(error) => write!(f, "cannot be read: {error}"),
            BundleFault::Changed { found } => write!(f, "was changed: its hash is {found}"),
            BundleFault::Refused(refusal) if refusal.limit().is_some() => {
                write!(f, "is not checked to its end: {refusal}")
            }
            BundleFault::Refused(refusal) => write!(f, "is refused: {refusal}"),
            BundleFault::OtherGame { found, wanted } => {
                write!(f, "is about the game {}, not {}", text(found), text(wanted))
            }
            BundleFault::OtherPosition { found, wanted } => {
                write!(f, "is about the position {}, not {}", text(found), text(wanted))
            }
            BundleFault::OtherClaim { found, wanted } => {
                write!(f, "proves \"{found}\", not \"{wanted}\"")
            }
            BundleFault::TwoClaims => f.write_str("has two claims; a lemma has one"),
            BundleFault::Disagreement { named_by: [one, other] } => {
                let (one, other) = (escaped(one), escaped(other));
                write!(f, "is said to be about different things, by {one} and {other}")
            }
            BundleFault::Circle => f.write_str("rests on itself: its lemmas refer back to it"),
            BundleFault::Moved => f.write_str("refers to other lemmas than when it was first read"),
            BundleFault::NotKept(error) => {
                write!(f, "is verified, but that cannot be written down: {error}")
            }
            BundleFault::Over(Limit::Memory) => f.write_str("does not fit into memory"),
            BundleFault::Over(Limit::Time) => {
                f.write_str("is reached, but the time for the check is over")
            }
            BundleFault::Over(Limit::Stop) => {
                f.write_str("is reached, but somebody stopped the check")
            }
        }
    }
}

// The line holds the words of its cause, so there is no `source` to print them a second time.
impl std::error::Error for BundleRefusal {}

/// A text from a file, in quotation marks; nothing is the start of the game.
fn text(text: &str) -> String {
    if text.is_empty() { "of the start".to_owned() } else { format!("\"{}\"", shown(text)) }
}
