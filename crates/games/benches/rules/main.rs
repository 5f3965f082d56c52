//! The rules in time, beside their plain twins.
//!
//! `cargo bench -p zermelo-games --bench rules`, or one family with its name behind: `-- chess`.

mod chess;
mod draughts;
mod go;
mod mnk;
mod reversi;

fn main() {
    divan::main();
}
