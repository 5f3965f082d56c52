//! The definitions of all commands and flags. Parsing, help, completions and the man page all come
//! from here.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use catalog::Workbench;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args, Parser, Subcommand};
use game::Limits;
use search::{Algorithm, Settings, Techniques};

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("ZERMELO_COMMIT"), ")");

/// Generates, plays, tunes and solves two-player board games.
///
/// A game is written family[:argument,…], as in reversi:6x6 or mnk:15x15,k=5; `zermelo games` lists
/// them all. Without a command, an overview is shown.
#[derive(Debug, Parser)]
#[command(name = "zermelo", version = VERSION)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// How to talk. Listed after what a command has of its own.
#[derive(Args, Debug)]
pub(crate) struct Common {
    /// Answer with one JSON object on standard output and nothing else
    #[arg(long, global = true, display_order = 101)]
    pub(crate) json: bool,
    /// No progress and no warnings
    #[arg(long, short, global = true, display_order = 102)]
    pub(crate) quiet: bool,
    /// Say on standard error what is going on; twice or thrice for more
    #[arg(long, short, global = true, display_order = 103, action = ArgAction::Count)]
    pub(crate) verbose: u8,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the families of games, their parameters and presets
    Games,
    /// Show a position: board, who moves, legal moves, or the result
    Show(Show),
    /// Count the leaves of the game tree at a depth
    Perft(Perft),
    /// Search a position for its value and the best move
    ///
    /// With an algorithm and no limit, the search goes to the end of the game. Without either, it
    /// takes 5 seconds. Of several limits, the first one reached counts.
    Analyse(Analyse),
    /// Play in the terminal
    Play(Play),
    /// Read a file of whole games: list them, check them, write them anew
    ///
    /// Games are read in the game's own format: PGN for chess, PDN for draughts, SGF for Go, Reversi and
    /// line games. Where something cannot be read, the games before it are kept.
    Record(Record),
    /// Do fixed work: node signature, nodes per second
    Bench,
    /// Write the completions of a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Write the man page
    Man,
}

/// A game and a position in it.
#[derive(Args, Debug)]
pub(crate) struct Place {
    /// The game, as in tictactoe, reversi:6x6 or mnk:15x15,k=5
    pub(crate) game: String,
    /// The position to begin with, instead of the start of the game
    #[arg(long, value_name = "P", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,
    /// Begin where a recorded game ended, in a file of the game's own format
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub(crate) file: Option<PathBuf>,
    /// Which game of the file, counted from 1
    #[arg(long, value_name = "N", default_value = "1", requires = "file", value_parser = game_number)]
    pub(crate) number: usize,
    /// Moves to play first, as the game writes them
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,
}

/// `zermelo show`.
#[derive(Args, Debug)]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) place: Place,
}

/// `zermelo perft`.
#[derive(Args, Debug)]
pub(crate) struct Perft {
    #[command(flatten)]
    pub(crate) place: Place,
    /// How many plies deep, 1 to 99
    #[arg(long, value_name = "N", value_parser = perft_depth)]
    pub(crate) depth: u32,
    /// Count below each move too
    #[arg(long)]
    pub(crate) divide: bool,
}

/// `zermelo analyse`.
#[derive(Args, Debug)]
pub(crate) struct Analyse {
    #[command(flatten)]
    pub(crate) place: Place,
    /// Stop after so many plies, 1 to 999
    #[arg(long, value_name = "N", value_parser = search_depth)]
    pub(crate) depth: Option<u32>,
    /// Stop after about so many nodes
    #[arg(long, value_name = "N", value_parser = node_count)]
    pub(crate) nodes: Option<u64>,
    /// Stop after about so many seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    pub(crate) time: Option<Duration>,
    #[command(flatten)]
    pub(crate) searching: Searching,
}

/// `zermelo play`.
#[derive(Args, Debug)]
pub(crate) struct Play {
    #[command(flatten)]
    pub(crate) place: Place,
    /// Who plays first: human, bot, or bot:LIMITS as in bot:depth=4 or bot:time=0.5,nodes=100000
    #[arg(long, value_name = "WHO", default_value = "human", value_parser = player)]
    pub(crate) first: Player,
    /// Who plays second, written likewise; a bot against a human, and a human against a bot, unless told
    #[arg(long, value_name = "WHO", value_parser = player)]
    pub(crate) second: Option<Player>,
    #[command(flatten)]
    pub(crate) searching: Searching,
}

/// `zermelo record`.
#[derive(Args, Debug)]
pub(crate) struct Record {
    /// The game, as in chess, draughts:russian or go:9x9
    pub(crate) game: String,
    /// The file to read; - is standard input
    pub(crate) file: PathBuf,
    /// Write the games that could be read to this file; - is standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// How to search.
#[derive(Args, Debug)]
pub(crate) struct Searching {
    /// Which search to use; unless told, what plays the game best: playing, or montecarlo in Go
    #[arg(long, value_name = "NAME", value_parser = algorithm_names())]
    pub(crate) algorithm: Option<Algorithm>,
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = techniques,
          allow_hyphen_values = true, help = techniques_help())]
    pub(crate) techniques: Techniques,
    /// Draw among equally good moves, repeatably
    #[arg(long, value_name = "N", value_parser = seed)]
    pub(crate) seed: Option<u64>,
    /// Megabytes for the transposition table or the tree of random games, 1 to 65536
    #[arg(long, value_name = "MB", default_value = "64", value_parser = hash_size)]
    pub(crate) hash: usize,
    /// How many threads search; one, so far
    #[arg(long, value_name = "N", default_value = "1", value_parser = thread_count)]
    pub(crate) threads: u32,
}

impl Searching {
    /// These flags and the limits that belong to them, for this game. A depth alone is nothing to random
    /// games, which know none.
    pub(crate) fn settings(&self, limits: Limits, bench: &dyn Workbench) -> Result<Settings> {
        tracing::debug!(threads = self.threads, "searching");
        let depth_alone = limits == Limits { depth: limits.depth, ..Limits::default() };
        let depth_alone = depth_alone && limits.depth.is_some();
        let algorithm = match (self.algorithm, bench.usual_algorithm()) {
            (Some(Algorithm::MonteCarlo), _) if depth_alone => {
                bail!("montecarlo knows no depth; a limit of nodes (random games) or time is right")
            }
            (Some(algorithm), _) => algorithm,
            (None, Algorithm::MonteCarlo) if depth_alone => Algorithm::Playing,
            (None, usual) => usual,
        };
        Ok(Settings {
            algorithm,
            techniques: self.techniques,
            limits,
            hash_megabytes: self.hash,
            seed: self.seed,
        })
    }
}

/// Who decides for a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Player {
    /// Somebody at the terminal.
    Human,
    /// A search with these limits.
    Bot(Limits),
}

impl Player {
    /// What a bot takes unless it is told.
    pub(crate) const USUAL_LIMITS: Limits =
        Limits { depth: None, nodes: None, time: Some(Duration::from_secs(1)) };
}

fn algorithm_names() -> impl TypedValueParser<Value = Algorithm> {
    PossibleValuesParser::new(Algorithm::ALL.map(Algorithm::name)).try_map(|name| {
        let mut all = Algorithm::ALL.into_iter();
        all.find(|algorithm| algorithm.name() == name).ok_or("there is no such algorithm")
    })
}

/// A number in plain digits within a range.
fn number(text: &str, low: u64, high: u64, what: &str) -> Result<u64, String> {
    let is_plain = text.bytes().all(|b| b.is_ascii_digit());
    let number = text.parse().ok().filter(|n| is_plain && (low..=high).contains(n));
    number.ok_or_else(|| match high {
        u64::MAX => format!("{what} is a number from {low} up"),
        _ => format!("{what} is a number from {low} to {high}"),
    })
}

fn perft_depth(text: &str) -> Result<u32, String> {
    number(text, 1, 99, "a depth").map(|n| n as u32)
}

fn game_number(text: &str) -> Result<usize, String> {
    number(text, 1, u32::MAX.into(), "the number of a game").map(|n| n as usize)
}

fn search_depth(text: &str) -> Result<u32, String> {
    number(text, 1, 999, "a depth").map(|n| n as u32)
}

fn node_count(text: &str) -> Result<u64, String> {
    number(text, 1, u64::MAX, "a node count")
}

fn seed(text: &str) -> Result<u64, String> {
    number(text, 0, u64::MAX, "a seed")
}

fn hash_size(text: &str) -> Result<usize, String> {
    number(text, 1, 65536, "a table size").map(|n| n as usize)
}

fn thread_count(text: &str) -> Result<u32, String> {
    match number(text, 1, 1, "") {
        Ok(_) => Ok(1),
        Err(_) => Err("searches use 1 thread so far".to_owned()),
    }
}

/// A clock cannot be set further ahead than it can count, hence the upper end.
fn seconds(text: &str) -> Result<Duration, String> {
    const LONGEST: f64 = 1e9;
    let seconds = text.parse().ok().filter(|&s: &f64| s > 0.0 && s <= LONGEST);
    let time = seconds.and_then(|s| Duration::try_from_secs_f64(s).ok());
    time.ok_or_else(|| format!("a time is a number of seconds above 0, at most {LONGEST}"))
}

fn techniques_help() -> String {
    let names = Techniques::NAMES.join(", ");
    format!(
        "What the search may use: all, none, or a list of {names}; a leading minus removes one, as in \
         all,-killers; minimax uses none"
    )
}

fn techniques(text: &str) -> Result<Techniques, String> {
    let words: Vec<&str> = text.split(',').collect();
    let mut chosen = match words[0] {
        first if first.starts_with('-') => Techniques::ALL,
        _ => Techniques::NONE,
    };
    for (i, &word) in words.iter().enumerate() {
        match (i, word) {
            (0, "all") => chosen = Techniques::ALL,
            (0, "none") => chosen = Techniques::NONE,
            _ => {
                let (name, on) = match word.strip_prefix('-') {
                    Some(name) => (name, false),
                    None => (word, true),
                };
                let switch = chosen.switch(name).ok_or_else(|| {
                    let names = Techniques::NAMES.join(", ");
                    format!("write all, none or names of {names}, as in all,-killers")
                })?;
                *switch = on;
            }
        }
    }
    Ok(chosen)
}

fn player(text: &str) -> Result<Player, String> {
    match text.split_once(':') {
        None if text == "human" => Ok(Player::Human),
        None if text == "bot" => Ok(Player::Bot(Player::USUAL_LIMITS)),
        Some(("bot", limits)) => limits_of(limits).map(Player::Bot),
        _ => Err("a player is human, bot or bot:LIMITS, as in bot:depth=4".to_owned()),
    }
}

fn limits_of(text: &str) -> Result<Limits, String> {
    let mut limits = Limits::default();
    for part in text.split(',') {
        let twice = || format!("{part} comes after a limit of the same kind");
        match part.split_once('=') {
            Some(("depth", n)) if limits.depth.is_none() => limits.depth = Some(search_depth(n)?),
            Some(("nodes", n)) if limits.nodes.is_none() => limits.nodes = Some(node_count(n)?),
            Some(("time", s)) if limits.time.is_none() => limits.time = Some(seconds(s)?),
            Some(("depth" | "nodes" | "time", _)) => return Err(twice()),
            _ => return Err("limits are depth=N, nodes=N and time=S, joined by commas".to_owned()),
        }
    }
    Ok(limits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn definitions_are_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn technique_lists_add_and_remove() {
        let without_killers = Techniques { killers: false, ..Techniques::ALL };
        let only_table = Techniques { table: true, ..Techniques::NONE };
        for (text, expected) in [
            ("all", Techniques::ALL),
            ("none", Techniques::NONE),
            ("all,-killers", without_killers),
            ("-killers", without_killers),
            ("table", only_table),
            ("none,table", only_table),
            ("table,killers,-killers", only_table),
            (&Techniques::NAMES.join(","), Techniques::ALL),
        ] {
            assert_eq!(techniques(text), Ok(expected), "{text}");
        }
        for text in ["", "-", ",", "all,", "table,none", "Table", "-all", "all -killers"] {
            assert!(techniques(text).is_err(), "{text}");
        }
    }

    #[test]
    fn players_have_limits() {
        assert_eq!(player("human"), Ok(Player::Human));
        assert_eq!(player("bot"), Ok(Player::Bot(Player::USUAL_LIMITS)));
        let limits =
            Limits { depth: Some(3), nodes: Some(100), time: Some(Duration::from_millis(500)) };
        assert_eq!(player("bot:nodes=100,depth=3,time=.5"), Ok(Player::Bot(limits)));
        for text in [
            "",
            "bots",
            "human:depth=3",
            "bot:",
            "bot:depth",
            "bot:depth=0",
            "bot:depth=3,depth=4",
            "bot:time=0",
            "bot:time=-1",
            "bot:time=inf",
            "bot:level=3",
            "bot:depth=3,",
        ] {
            assert!(player(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_keep_to_their_ranges() {
        assert_eq!(perft_depth("99"), Ok(99));
        for text in ["", "0", "100", "1000000000", "+5", "-5", "5.0", "x", "99999999999999999999"] {
            assert!(perft_depth(text).is_err(), "{text}");
        }
        assert_eq!(node_count("18446744073709551615"), Ok(u64::MAX));
        assert_eq!(seconds("2.5"), Ok(Duration::from_millis(2500)));
        for text in ["", "0", "-1", "nan", "inf", "1e300", "x"] {
            assert!(seconds(text).is_err(), "{text}");
        }
        assert!(hash_size("65537").is_err() && hash_size("0").is_err());
        assert!(thread_count("2").is_err() && thread_count("1").is_ok());
    }
}
