//! The flags of the commands in which contestants meet.

use std::path::PathBuf;
use std::time::Duration;

use arena::{Agreement, Contestant, Sprt};
use clap::Args;
use clap::builder::PossibleValuesParser;
use play::{Limits, numbers};

use super::values::{
    agreement, contestant, game_count, limits, meeting_count, milliseconds, opening_plies, seed,
    sprt,
};

/// `zermelo match`.
#[derive(Args, Debug)]
pub(crate) struct Match {
    /// The game, as in reversi or draughts:english
    pub(crate) game: String,
    /// Who is judged: a bot, or an engine as PROTOCOL:COMMAND
    #[arg(value_name = "A", value_parser = contestant)]
    pub(crate) judged: Contestant,
    /// Who it is measured against
    #[arg(value_name = "B", value_parser = contestant)]
    pub(crate) measure: Contestant,
    #[command(flatten)]
    pub(crate) meeting: Meeting,
    /// End as soon as a sequential test knows whether A is stronger by ELO0 or by ELO1, as in 0,5 or
    /// 0,5,0.01,0.1; ALPHA and BETA, the chances of an error, are 0.05 by default
    #[arg(long, value_name = "ELO0,ELO1[,ALPHA,BETA]", value_parser = sprt, allow_hyphen_values = true)]
    pub(crate) sprt: Option<Sprt>,
    /// What the match has brought so far is kept in this file; with the same file it goes on after an interruption
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
}

/// `zermelo tournament`.
#[derive(Args, Debug)]
pub(crate) struct Tournament {
    /// The game, as in reversi or draughts:english
    pub(crate) game: String,
    /// Who takes part: bots and engines, as in a match; in a knockout the best first
    #[arg(value_name = "CONTESTANT", value_parser = contestant, num_args = 2..)]
    pub(crate) contestants: Vec<Contestant>,
    /// How it goes: everybody against everybody, the first against all others, or who loses is out
    #[arg(long, value_name = "FORMAT", default_value = "round-robin",
          value_parser = PossibleValuesParser::new(["round-robin", "gauntlet", "knockout"]))]
    pub(crate) format: String,
    /// How often those who meet do so; in a knockout, how often they play on if nobody has won
    #[arg(long, value_name = "N", default_value = "1", value_parser = meeting_count)]
    pub(crate) times: usize,
    #[command(flatten)]
    pub(crate) meeting: Meeting,
    /// What the tournament has brought so far is kept in this folder; with the same folder it goes on after an interruption
    #[arg(long, value_name = "FOLDER")]
    pub(crate) journal: Option<PathBuf>,
}

/// How contestants meet.
#[derive(Args, Debug)]
pub(crate) struct Meeting {
    /// How many games of two contestants; an odd number is rounded up
    #[arg(long, value_name = "N", default_value = "100", value_parser = game_count)]
    pub(crate) games: usize,
    /// The limits of contestants that have none of their own, as in clock=2+0.02, time=0.1 or nodes=1000
    #[arg(long, value_name = "LIMITS", value_parser = limits)]
    pub(crate) each: Option<Limits>,
    /// How far clocks may be overstepped, in milliseconds
    #[arg(long, value_name = "MS", default_value = "50", value_parser = milliseconds)]
    pub(crate) grace: Duration,
    /// How games begin: random, balanced (random, and even by a short search), or a file of games
    #[arg(long, value_name = "WHAT", default_value = "random")]
    pub(crate) openings: String,
    /// How many plies of an opening [default: as many as suit the game, or all of a recorded one]
    #[arg(long, value_name = "N", value_parser = opening_plies)]
    pub(crate) plies: Option<usize>,
    /// Call a game a draw when both think so: moves in a row, how far from even, from which move on, as in 8,10,40
    #[arg(long, value_name = "MOVES,SCORE,FROM", value_parser = agreement)]
    pub(crate) draw: Option<Agreement>,
    /// Call a game lost when both think so: moves in a row, and by how much, as in 4,600
    #[arg(long, value_name = "MOVES,SCORE", value_parser = agreement)]
    pub(crate) resign: Option<Agreement>,
    /// Draw openings and lots from here
    #[arg(long, value_name = "N", default_value = "1", value_parser = seed)]
    pub(crate) seed: u64,
    /// How many games are played at once [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = numbers::thread_count)]
    pub(crate) threads: Option<usize>,
    /// Write all games to this file: in the game's own format, or, by the end of its name, as GGF or as transcripts (.txt)
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
}
