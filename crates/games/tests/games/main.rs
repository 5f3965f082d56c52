//! The rules of every family: against plain twins, other programs and known numbers.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod chess;
mod chess_agreement;
mod chess_castling;
mod chess_notation;
mod chess_odd_starts;
mod chess_race;
mod draughts;
mod draughts_draws;
mod draughts_notation;
mod draughts_perft;
mod end_reasons;
mod features_page;
mod fixed_shapes;
mod go;
mod go_notation;
mod go_rules;
mod go_values;
mod mnk;
mod mnk_agreement;
mod packing;
mod plain_records;
mod records;
mod reversi;
mod reversi_notation;
mod weights;
mod why_not;
