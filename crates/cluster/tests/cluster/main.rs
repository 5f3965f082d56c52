//! Workers and doors over real connections, by well-behaved and by bad clients.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod foreign;
mod hall;
mod http;
mod wire;
mod worker;
