//! Certificates: true ones are accepted, false and damaged ones refused.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod bundle_mutations;
mod bundles;
mod common;
mod harm;
mod lies;
mod proofs;
mod worked_example;
