//! Projects on many machines, with real processes: `project serve`, front ends, `worker`, PostgreSQL.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "read by whoever runs it")]

mod faults;
mod judge;
mod liar;
mod load;
mod machines;
#[allow(dead_code, reason = "the tests of the record need the rest")]
#[path = "../../../../cluster/tests/cluster/server.rs"]
mod postgres;
mod processes;
mod relay;
mod room;
mod scene;
