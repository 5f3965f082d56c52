//! Certificates: proofs that a position is worth at least, or at most, so much, and a checker for
//! them.
//!
//! A certificate is a file. [`Certificate::read`] checks that it is well formed, [`verify`] that it
//! proves what it claims; [`Writer`] writes one. `docs/certificates.md` describes every byte, so
//! that others can write another checker.
//!
//! The side that the claim favours *hopes*. A proof is a graph: where the hoping side moves it
//! names one move, elsewhere it answers every legal move, and where it ends the game is over in the
//! claim's favour, or so nearly over that the checker settles it by a [`PlainSearch`] of its own,
//! or it is a draw by one of two arguments ([`is_hopeless`], [`are_paired`]).
//!
//! A certificate may also rest on *lemmas*, statements about single positions that certificates of
//! their own prove. A certificate with all lemmas that it rests on is a [`Bundle`];
//! [`BundleFolder`] is one in a folder.
//!
//! **Invariant:** the checker shares no code with any search, and knows the game by its rules
//! alone. It compares whole positions and never hashes, so no collision can make it believe
//! something; only which file proves a lemma is said by a hash (SHA-256). Edges only lead forward
//! in the file, so no proof rests on itself. Bytes are read as they stand: nothing of the size of
//! the file is built in memory but the positions of nodes that were reached and are still to be
//! visited, and these only up to a limit of bytes. Whatever the bytes are, nothing panics, and a
//! check ends when its time is over.

mod bundle;
mod bundle_folder;
mod bundle_refusal;
mod bundle_verify;
mod bytes;
mod certificate;
mod checksum;
mod claim;
mod lemma;
mod needs;
mod plain_search;
mod refusal;
mod sample;
mod sha256;
mod verify;
mod writer;

pub use bundle::{Bundle, BundleLimits, BundleProgress, BundleWatcher, LemmaSource};
pub use bundle_folder::BundleFolder;
pub use bundle_refusal::{BundleFault, BundleRefusal};
pub use bundle_verify::{BundleVerdict, CheckProof};
pub use certificate::{
    Certificate, Graph, Head, Header, LARGEST_LEAF_BUDGET, MAGIC, MOST_LEMMAS, ProofGraph, Step,
    VERSION, VERSION_WITH_LEMMAS,
};
pub use checksum::crc32;
pub use claim::Claim;
pub use lemma::{Lemma, LemmaHash};
pub use needs::{are_paired, is_hopeless};
pub use plain_search::{PlainSearch, settles};
pub use refusal::{Limit, Refusal, RefusalPlace};
pub use sample::LeafSample;
pub use verify::{ProofVerdict, VerifyOptions, VerifyProgress, verify};
pub use writer::{ProofWriter, Writer};
