//! The rules in instructions, as Callgrind counts them: the same on every run, whatever else the
//! machine does, so that they can be compared between machines. The plain twins stand beside them.
//!
//! `cargo bench -p zermelo-games --bench rules_instructions`, with `gungraun-runner` of the same version and
//! Valgrind installed.

// The macros write public items without documentation, by their full paths.
#![allow(missing_docs, unused_qualifications)]

mod chess;
mod draughts;
mod go;
mod mnk;
mod reversi;

use chess::chess_rules;
use draughts::draughts_rules;
use go::go_rules;
use gungraun::main;
use mnk::mnk_rules;
use reversi::reversi_rules;

main!(library_benchmark_groups = [chess_rules, draughts_rules, go_rules, mnk_rules, reversi_rules]);
