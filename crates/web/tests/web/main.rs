//! The server met from outside: over real connections, by well-behaved and by bad clients.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod admin;
mod bad_clients;
mod client;
mod clocks;
mod engines;
mod exact;
mod games;
mod history;
mod limits;
mod offers;
mod old_games;
mod people;
mod slow_clients;
mod thinking;
