//! The definitions of all commands and flags. Parsing, help, completions and the man page all come
//! from here.

mod apps;
mod breeding;
#[cfg(test)]
mod documents;
mod engines;
mod learning;
mod listening;
mod meeting;
mod project;
mod records;
mod solving;
mod tuning;
mod values;
mod volunteers;
mod weights;

use play::{BotSpec, Facts, Limits, algorithm_for, numbers};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use arena::Contestant;
use clap::{ArgAction, Args, Parser, Subcommand};
use game::Side;
use search::{Algorithm, Settings, Techniques};

use crate::commands::{dxp::MINUTES, serve::KEPT_DAYS};
pub(crate) use apps::{
    AppAdd, AppAttach, AppCommand, AppKeyCommand, AppKeyCreate, AppKeySet, AppSign, AppSupersede,
    ProjectApp,
};
pub(crate) use breeding::{Breeding, TuneDepths, TuneGenetic, TuneReport};
pub(crate) use engines::{Check, Engine, Engines, EnginesCommand, Generate, Measure, Talk};
pub(crate) use learning::{ByGames, Gate, Prediction, TuneCma, TuneData, TuneLogistic, TuneSpsa};
pub(crate) use listening::{AdminFlags, Listening};
pub(crate) use meeting::{Match, Meeting, Tournament};
pub(crate) use project::{
    Project, ProjectBackup, ProjectCommand, ProjectCreate, ProjectExport, ProjectLog, ProjectNamed,
    ProjectPlace, ProjectPurge, ProjectRestore, ProjectServe, ProjectTeam, ProjectUser,
    TokenCommand, TokenCreate, TokenRevoke, UnitAdd, UnitCommand, UnitList, Worker,
};
pub(crate) use records::{Book, BookBuild, BookCommand, BookShow, Record};
pub(crate) use solving::{Simulating, Solve, Verify};
pub(crate) use tuning::{Tune, TuneCommand};
use values::*;
pub(crate) use values::{NAMED, contestant};
pub(crate) use volunteers::{
    AccountCommand, AccountCreate, BoincServe, Feed, ProjectAccount, ProjectNotice,
};
pub(crate) use weights::{
    WeightForm, Weights, WeightsCommand, WeightsConvert, WeightsDiff, WeightsEdit, WeightsShow,
};

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("ZERMELO_COMMIT"), ")");

/// Generates, plays, tunes and solves two-player board games.
///
/// A game is written family[:argument,…], as in reversi:6x6 or mnk:15x15,k=5; `zermelo games` lists
/// them all. Without a command, the web table is served on this machine, and its address is printed.
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
    /// Serve the web table: play, watch and analyse in a browser
    ///
    /// By default the table is for this machine alone, on the first free port from 8600 on. Where others can come in,
    /// everybody plays and looks; anything else needs the admin token.
    Serve(Serve),
    /// Say what this program is and what to try first
    Overview,
    /// List the families of games, their parameters and presets
    Games,
    /// Show a position: board, who moves, legal moves, or the result
    Show(Show),
    /// Count the leaves of the game tree at a depth
    Perft(Perft),
    /// Search a position for its value and the best move
    ///
    /// With an algorithm and no limit, the search goes to the end of the game. Without either, it
    /// takes 5 seconds. Of several limits, the first one reached counts. With --branching it only counts moves.
    Analyse(Analyse),
    /// Solve a position: its value, for certain
    ///
    /// The work is cut into pieces of at most a minute. With --store, what each found out is kept: after Ctrl-C, a crash or a kill,
    /// --resume goes on from there.
    Solve(Solve),
    /// Check the proof in a certificate, trusting nobody
    ///
    /// The checker knows the rules and nothing else: it shares no code with the searches that made the proof.
    Verify(Verify),
    /// Solve on many machines: make projects, hand out their units, see how they stand
    ///
    /// A project asks one question about one game. Its record is an SQLite file, or a PostgreSQL database that several
    /// machines share; `zermelo worker` works at its units from anywhere.
    Project(Box<Project>),
    /// Work at units of somebody's project
    ///
    /// Ctrl-C gives leases back; after a kill the worker goes on from its last checkpoint. A file named pause in its
    /// folder makes it pause.
    Worker(Box<Worker>),
    /// Play in the terminal
    Play(Box<Play>),
    /// Be an engine that other programs drive, on standard input and output
    ///
    /// By default the first line that it reads decides which of the game's protocols is spoken: UCI for chess, GTP for Go, GTP or
    /// NBoard for Reversi, Hub for draughts, Gomocup or plain text for line games.
    Engine(Engine),
    /// Generate native engines from parameters
    ///
    /// Each engine is one program that needs nothing else, made for exactly this game: it speaks the game's protocols, the
    /// first line decides which, and thinks as well as this program does. A Rust compiler is needed; `zermelo engine`
    /// needs none.
    Generate(Generate),
    /// Check that an engine keeps to its protocol, and say where it does not
    ///
    /// Engines of the text protocol are asked which game they play, and are looked at for its rules: which moves there are, whose
    /// turn it is, what wins. With --game they are checked like engines of any other protocol.
    Check(Check),
    /// Measure how fast engines of line games are, and how that depends on their numbers
    ///
    /// Each engine plays games against itself and tells what its player's choice, a stone with the look whether it wins, and the list of
    /// moves took; ours also tell random games and nodes of the search. Engines that differ in one number only are a series, through
    /// which a line and a parabola are laid.
    Measure(Measure),
    /// Give engines names, to play them by name here and at the web table
    ///
    /// What is added can be chosen at the web table, and written engine:NAME wherever a contestant or player is named. No page
    /// ever learns or changes the command behind a name.
    Engines(Engines),
    /// Talk to an engine in its own language
    Talk(Talk),
    /// Play draughts against another program over the network, by the DamExchange Protocol
    ///
    /// By default who connects asks for games, and who listens takes them.
    Dxp(Dxp),
    /// Let two contestants play many games and say who is stronger
    ///
    /// Games come in pairs that begin with the same opening, colours swapped. A contestant is a bot
    /// or an engine. A bot is a level (beginner, easy, medium, hard, master), random, adjacent,
    /// threats, playing, alphabeta or montecarlo, or limits with what else it has, joined by commas:
    /// elo=N, depth=N, nodes=N, time=S, clock=S+I, algorithm=NAME, weights=NAME, noise=N, threads=N,
    /// hash=MB. An engine is its protocol and its command line, in quotation marks:
    /// "uci:/usr/games/stockfish option.Threads=1"; option.NAME=VALUE sets an option, limit.nodes=N
    /// and the like give it limits of its own. An engine that was given a name (`zermelo engines`)
    /// is engine:NAME.
    Match(Box<Match>),
    /// Let several contestants meet and rank them
    Tournament(Box<Tournament>),
    /// Show, compare, change and convert the numbers of evaluations
    Weights(Weights),
    /// Find better weights for an evaluation, and prove that they are
    Tune(Tune),
    /// Read a file of whole games: list them, check them, write them anew
    ///
    /// Games are read in the game's own format: PGN for chess, PDN for draughts, SGF for Go, Reversi and
    /// line games. Games that cannot be read are named on standard error and left out.
    Record(Record),
    /// Make a book of openings from games, or look into one
    Book(Book),
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

/// `zermelo serve`.
#[derive(Args, Debug)]
pub(crate) struct Serve {
    #[command(flatten)]
    pub(crate) listening: Listening,
    #[command(flatten)]
    pub(crate) admin: AdminFlags,
    /// Let everybody who comes in play engines that have names, not the admin alone
    #[arg(long)]
    pub(crate) guest_engines: bool,
    /// Answer to this name too, as browsers send it: games.example or games.example:8600; may be given several times
    #[arg(long, value_name = "HOST")]
    pub(crate) name: Vec<String>,
    /// Believe this proxy in front of the server when its X-Forwarded-For header says who asks; may be given several times
    #[arg(long, value_name = "ADDR")]
    pub(crate) proxy: Vec<std::net::IpAddr>,
    /// Keep at most this many games; of more, the oldest are removed
    #[arg(long, value_name = "N", default_value_t = Serve::default().keep_games,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) keep_games: u32,
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help = format!(
        "Remove games after this many days without a move [default: {KEPT_DAYS} where others can come in, else never]"))]
    pub(crate) keep_days: Option<u32>,
}

impl Default for Serve {
    fn default() -> Serve {
        let web::ServerOptions { keep, .. } = web::ServerOptions::default();
        Serve {
            listening: Listening::default(),
            admin: AdminFlags::default(),
            guest_engines: false,
            name: Vec::new(),
            proxy: Vec::new(),
            keep_games: keep.games,
            keep_days: None,
        }
    }
}

/// A game and a position in it.
#[derive(Args, Debug)]
pub(crate) struct Place {
    /// The game, as in tictactoe, reversi:6x6 or mnk:15x15,k=5
    pub(crate) game: String,
    #[command(flatten)]
    pub(crate) spot: Spot,
}

/// A position in a game.
#[derive(Args, Debug)]
pub(crate) struct Spot {
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
    /// The game, as in tictactoe, reversi:6x6 or mnk:15x15,k=5
    #[arg(required_unless_present = "unit")]
    pub(crate) game: Option<String>,
    #[command(flatten)]
    pub(crate) spot: Spot,
    /// The position that a unit of work is about, instead: a file `unit` in a slot of the BOINC client
    #[arg(long, value_name = "FILE", conflicts_with_all = ["game", "position", "file", "moves"])]
    pub(crate) unit: Option<PathBuf>,
    /// Write the position in the game's other texts too, where it has such
    #[arg(long)]
    pub(crate) texts: bool,
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
    /// Write the position in the game's other texts too, where it has such
    #[arg(long)]
    pub(crate) texts: bool,
    /// Stop after so many plies, 1 to 999
    #[arg(long, value_name = "N", value_parser = numbers::depth)]
    pub(crate) depth: Option<u32>,
    /// Stop after about so many nodes
    #[arg(long, value_name = "N", value_parser = numbers::node_count)]
    pub(crate) nodes: Option<u64>,
    /// Stop after about so many seconds
    #[arg(long, value_name = "S", value_parser = numbers::seconds)]
    pub(crate) time: Option<Duration>,
    /// How many of the best moves to show, each with its value and line
    #[arg(long, value_name = "N", default_value = "1", value_parser = line_count)]
    pub(crate) lines: usize,
    #[arg(long, value_name = "LIST", default_value = "all", value_parser = techniques,
          allow_hyphen_values = true, help = techniques_help())]
    pub(crate) techniques: Techniques,
    /// Do not search, but play random games: how many moves there are at each ply, and how large that makes the game
    #[arg(long, conflicts_with_all = ["depth", "nodes", "time", "lines", "techniques", "algorithm"])]
    pub(crate) branching: bool,
    /// How many random games, 1 to 1000000
    #[arg(long, value_name = "N", default_value = "1000", requires = "branching", value_parser = game_count)]
    pub(crate) games: usize,
    /// Draw what the random games say to this file, as SVG
    #[arg(long, value_name = "FILE", requires = "branching")]
    pub(crate) plot: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) searching: Searching,
}

/// `zermelo play`.
#[derive(Args, Debug)]
pub(crate) struct Play {
    #[command(flatten)]
    pub(crate) place: Place,
    /// Who plays first: human, a bot as in easy, random, depth=4 or hard,time=0.5 (bot: may stand before it), or an engine
    /// as PROTOCOL:COMMAND or engine:NAME
    #[arg(long, value_name = "WHO", default_value = "human", value_parser = player)]
    pub(crate) first: Player,
    /// Who plays second, written likewise [default: an easy bot against a human, a human against a bot]
    #[arg(long, value_name = "WHO", value_parser = player)]
    pub(crate) second: Option<Player>,
    /// Go on with the last unfinished game of this kind
    #[arg(long, conflicts_with_all = ["position", "file", "moves"])]
    pub(crate) resume: bool,
    #[command(flatten)]
    pub(crate) searching: Searching,
}

/// `zermelo dxp`.
#[derive(Args, Debug)]
#[command(group(clap::ArgGroup::new("wire").required(true).args(["listen", "connect"])))]
pub(crate) struct Dxp {
    /// The game, as in draughts:international or draughts:frisian
    pub(crate) game: String,
    #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = "", help = format!(
        "Wait for the other program here: an address, a port, or both [default: 127.0.0.1:{}]",
        protocols::dxp::PORT))]
    pub(crate) listen: Option<String>,
    /// Connect to the other program there
    #[arg(long, value_name = "ADDR")]
    pub(crate) connect: Option<String>,
    /// Whether to ask for games or to take them: initiator or follower [default: initiator with --connect, follower with --listen]
    #[arg(long, value_name = "ROLE", value_parser = role)]
    pub(crate) role: Option<Role>,
    /// The bot that plays for us, as in hard or depth=6; without a limit of its own it keeps to the clock
    #[arg(long, value_name = "BOT", value_parser = bot)]
    pub(crate) bot: Option<BotSpec>,
    /// The side we play: first or second [default: first, then in turns]
    #[arg(long, value_name = "SIDE", value_parser = side)]
    pub(crate) side: Option<Side>,
    #[arg(long, value_name = "MINUTES", value_parser = minutes, help = format!(
        "Minutes for each player and the whole game, 1 to 999 [default: {MINUTES}]"))]
    pub(crate) time: Option<u16>,
    /// End games after so many moves of each player, 1 to 999 [default: no limit]
    #[arg(long, value_name = "N", value_parser = move_count)]
    pub(crate) moves: Option<u16>,
    /// How many games to play [default: 1; a follower plays as many as are asked for]
    #[arg(long, value_name = "N", value_parser = game_count)]
    pub(crate) games: Option<usize>,
}

/// Who asks for games and who takes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Asks.
    Initiator,
    /// Takes.
    Follower,
}

/// How to search.
#[derive(Args, Debug)]
pub(crate) struct Searching {
    /// Which search to use [default: the one that plays the game best]
    #[arg(long, value_name = "NAME", value_parser = algorithm_names())]
    pub(crate) algorithm: Option<Algorithm>,
    /// Draw among equally good moves, repeatably
    #[arg(long, value_name = "N", value_parser = seed)]
    pub(crate) seed: Option<u64>,
    /// Megabytes for the transposition table or the tree of random games, 1 to 65536
    #[arg(long, value_name = "MB", default_value = "64", value_parser = numbers::hash_megabytes)]
    pub(crate) hash: usize,
    /// How many threads search, 1 to 256; only one gives the same answer every time
    #[arg(long, value_name = "N", default_value = "1", value_parser = numbers::thread_count)]
    pub(crate) threads: usize,
}

impl Searching {
    /// These flags and the limits that belong to them, for this game.
    pub(crate) fn settings(&self, limits: Limits, facts: &Facts) -> Result<Settings> {
        let algorithm = algorithm_for(self.algorithm, facts.algorithm, &limits);
        Ok(Settings {
            algorithm: algorithm?,
            limits,
            hash_megabytes: self.hash,
            threads: self.threads,
            seed: self.seed,
            ..Settings::default()
        })
    }

    /// A bot that has these flags where it says nothing itself.
    pub(crate) fn complete(&self, bot: &BotSpec) -> BotSpec {
        BotSpec {
            algorithm: bot.algorithm.or(self.algorithm),
            hash_megabytes: bot.hash_megabytes.or(Some(self.hash)),
            threads: bot.threads.or(Some(self.threads)),
            ..bot.clone()
        }
    }
}

/// Who decides for a side.
#[derive(Clone, Debug)]
pub(crate) enum Player {
    /// Somebody at the terminal.
    Human,
    /// A machine.
    Bot(BotSpec),
    /// A foreign engine.
    Engine(Box<Contestant>),
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
        let bot_of = |text: &str| match player(text) {
            Ok(Player::Bot(bot)) => Some(bot),
            _ => None,
        };
        assert!(matches!(player("human"), Ok(Player::Human)));
        assert!(matches!(player("uci:/bin/engine"), Ok(Player::Engine(_))));
        assert_eq!(bot_of("bot"), Some(BotSpec::at(play::Level::USUAL)));
        for text in ["easy", "random", "depth=3", "hard,time=0.5"] {
            assert_eq!(bot_of(text), bot_of(&format!("bot:{text}")), "{text}");
            assert!(bot_of(text).is_some(), "{text}");
            assert_eq!(contestant(&format!("bot:{text}")).unwrap().described(), text);
        }
        assert_eq!(bot_of("bot:easy"), Some(BotSpec::at(play::Level::Easy)));
        let limits = Limits { depth: Some(3), nodes: Some(100), ..Limits::default() };
        assert_eq!(bot_of("bot:nodes=100,depth=3"), Some(BotSpec { limits, ..BotSpec::default() }));
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
        assert_eq!(numbers::node_count("18446744073709551615"), Ok(u64::MAX));
        assert_eq!(numbers::seconds("2.5"), Ok(Duration::from_millis(2500)));
        for text in ["", "0", "-1", "nan", "inf", "1e300", "x"] {
            assert!(numbers::seconds(text).is_err(), "{text}");
        }
        assert!(numbers::hash_megabytes("65537").is_err() && numbers::hash_megabytes("0").is_err());
        assert!(numbers::thread_count("257").is_err() && numbers::thread_count("1").is_ok());
    }
}
