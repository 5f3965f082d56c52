//! [`Refusal`]: one line about why a certificate is not believed.

use std::fmt;

use crate::claim::Claim;

/// Why a certificate is not believed. Prints as one sentence on one line, whatever the bytes were: what is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    place: RefusalPlace,
    why: String,
    limit: Option<Limit>,
}

/// What a check may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Memory for positions.
    Memory,
    /// Seconds on the wall.
    Time,
    /// As long as nobody says stop.
    Stop,
}

/// What a refusal speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalPlace {
    /// The file as a whole.
    File,
    /// What stands at this byte, counted from 0.
    Byte(usize),
    /// What the table says of a lemma, counted from 0.
    Lemma(u32),
    /// The proof of this claim as a whole.
    Proof(Claim),
    /// A node of the proof of this claim, counted from 0.
    Node(Claim, u64),
}

impl Refusal {
    /// `why` goes on where the place ends: "node 17" "answers 6 of 7 moves".
    pub(crate) fn new(place: RefusalPlace, why: impl Into<String>) -> Refusal {
        Refusal { place, why: why.into(), limit: None }
    }

    /// The check was not finished, since it would take more than it may.
    pub(crate) fn over(limit: Limit, place: RefusalPlace, why: impl Into<String>) -> Refusal {
        Refusal { limit: Some(limit), ..Refusal::new(place, why) }
    }

    /// What there was not enough of, where nothing was found wrong but the check could not be
    /// finished.
    #[must_use]
    pub fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// Where it is.
    #[must_use]
    pub fn place(&self) -> RefusalPlace {
        self.place
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.place, self.why)
    }
}

impl std::error::Error for Refusal {}

impl fmt::Display for RefusalPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RefusalPlace::File => f.write_str("the certificate"),
            RefusalPlace::Byte(at) => write!(f, "byte {at} of the certificate"),
            RefusalPlace::Lemma(lemma) => write!(f, "lemma {lemma} of the certificate"),
            RefusalPlace::Proof(claim) => write!(f, "the proof of \"{claim}\""),
            RefusalPlace::Node(claim, node) => write!(f, "node {node} of the proof of \"{claim}\""),
        }
    }
}
