//! `zermelo overview`: what it is and what to try.

use anyhow::Result;
use serde::Serialize;

use crate::again;
use crate::output::{Answer, Console};

const INTRODUCTION: &str = "\
Zermelo generates, plays, tunes and solves two-player board games.

zermelo alone serves the web table and prints its address. In the terminal, try:
  zermelo play tictactoe                        play in the terminal; help is a word you can type
  zermelo play reversi --first bot              let the machine begin
  zermelo show connect4 --moves \"d c d\"         look at a position
  zermelo analyse reversi:4x4 --algorithm mtdf  find the value of a game
  zermelo perft reversi --depth 9               count the ways a game can go
";

#[derive(Serialize)]
struct Overview {
    name: &'static str,
    version: &'static str,
    commit: &'static str,
    families: Vec<&'static str>,
}

/// Shows the way in.
pub(crate) fn run(console: &Console) -> Result<Answer> {
    let overview = Overview {
        name: "zermelo",
        version: env!("CARGO_PKG_VERSION"),
        commit: env!("ZERMELO_COMMIT"),
        families: catalog::families().map(|f| f.name).collect(),
    };
    console.answer(&overview, |out| {
        let program = again::program();
        let calls = INTRODUCTION.replace("  zermelo ", &format!("  {program} "));
        writeln!(out, "{calls}\nGames:")?;
        for family in catalog::families() {
            writeln!(out, "  {:<10} {}", family.name, family.summary)?;
        }
        writeln!(
            out,
            "\n`{program} games` lists their parameters and well-known names, `{program} help` all commands."
        )
    })
}
