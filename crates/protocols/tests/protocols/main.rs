//! Dialogues with every protocol, and whatever else a front may send.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod common;
mod dxp;
mod gomocup;
mod gtp;
mod hub;
mod huge_numbers;
mod nboard;
mod text;
mod uci;
mod wire;
