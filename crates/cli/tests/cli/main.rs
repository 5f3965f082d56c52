//! The built program, run as a user runs it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod answers;
mod apps;
mod bad_input;
mod boinc;
mod book;
mod bundles;
mod draughts;
mod engine_files;
mod engines;
mod experiments;
mod extending;
mod external;
mod facts;
mod families;
mod generated;
mod golden;
mod help;
mod interrupted;
mod learning;
mod leftovers;
mod line_engines;
mod locks;
mod named_engines;
mod old_files;
mod play;
mod projects;
mod serve;
mod solving;
mod strong;
mod support;
mod tour;
mod tuning;
mod verifying;
mod weights;
mod workshop;
