//! What is said between those who hand out work and those who do it: [`Unit`] and [`UnitReport`].
//!
//! Both are complete in themselves, have a version, a largest size and a checksum, and one spelling:
//! what is read is written back byte for byte. Whatever bytes come in, nothing panics.

mod checkpoint;
mod codec;
mod lemmas;
mod report;
mod unit;

use game::Side;
use sha2::{Digest, Sha256};

use crate::goal::Bounds;
pub(crate) use checkpoint::{read_checkpoint, write_checkpoint};
pub(crate) use codec::{Sink, Source};
pub use lemmas::{LARGEST_LEMMAS, decode_lemmas, encode_lemmas};
pub use report::{Finding, LARGEST_REPORT, SubFact, UnitReport, WorkFailure};
pub(crate) use report::{
    LONG_TRACE, LONGEST_PATH, MOST_CERTIFIED, MOST_FACTS, MOST_SUB_JOBS, trace_bytes,
};
pub use unit::{CostFit, LARGEST_UNIT, Question, SolverVersion, Unit, UnitId, UnitTask};

/// Why bytes are no message. Prints as one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MessageError {
    /// It is something else.
    #[error("this is no {0} of zermelo")]
    Foreign(&'static str),
    /// It was written by a newer program.
    #[error("this {what} has version {version}, and this program reads version {known}")]
    OtherVersion {
        /// A unit or a report.
        what: &'static str,
        /// What it says.
        version: u8,
        /// What would be right.
        known: u8,
    },
    /// It has more bytes than any may have.
    #[error("this {what} has {bytes} bytes; at most {most} are allowed")]
    TooLarge {
        /// A unit or a report.
        what: &'static str,
        /// So many.
        bytes: usize,
        /// No more than this.
        most: usize,
    },
    /// Something was changed on the way.
    #[error("this {0} is damaged: its checksum is wrong")]
    Damaged(&'static str),
    /// It does not say what it should.
    #[error("byte {at}: {what} is not as it should be")]
    Wrong {
        /// Where it begins.
        at: usize,
        /// What should stand there.
        what: &'static str,
    },
}

/// The first 128 bits of the SHA-256 of bytes.
#[must_use]
pub fn hash_of(bytes: &[u8]) -> u128 {
    let digest: [u8; 32] = Sha256::digest(bytes).into();
    let (first, _) = digest.split_at(16);
    first.iter().fold(0, |hash, &byte| hash << 8 | u128::from(byte))
}

impl Question {
    /// What the prover wants to show as bounds, or the opposite.
    #[must_use]
    pub fn bounds(self, limit: i32, proved: bool) -> Bounds {
        let all = Bounds { lower: -limit, upper: limit };
        all.with(self.at_least, self.holds(proved))
    }

    /// Whether the first player's margin is at least what is asked, if the prover has shown what it
    /// wants, or the opposite was shown.
    #[must_use]
    pub fn holds(self, proved: bool) -> bool {
        proved == (self.prover == Side::First)
    }
}
