//! The admin of a server, over real connections.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod admin;
