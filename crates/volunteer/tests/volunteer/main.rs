//! The program as a client sees it: started in a slot, spoken to by channels, killed and started
//! again. The client here is a small one of our own; the real one is met in the tests of the cluster.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod builds;
mod client;
mod contract;
mod units;
