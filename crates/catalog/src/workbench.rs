//! [`Workbench`]: a session, and the work that needs rules and searches compiled together.

use game::record::{Games, Record};
use game::{GameSession, Info, Meaning, Points, Session, Stop, TextError, Value, moves_of};
use search::{Algorithm, Position, Progress, Report, Settings};

use crate::instances::Instance;

/// A search descends once per ply, and the longest game has 62,500: far more than a thread's usual
/// stack. The system hands out only what is used.
const STACK_BYTES: usize = 256 << 20;

/// A game under way with everything compiled for it.
pub trait Workbench: Session {
    /// Something the user should know about these parameters, though they are allowed.
    fn warning(&self) -> Option<String>;

    /// Leaves of the game tree at `depth`, for each move from here. A finished game is one leaf and has
    /// no moves. `progress` hears how many root moves are done, of how many.
    fn perft(&self, depth: u32, progress: &mut dyn FnMut(usize, usize)) -> Perft;

    /// The search that plays this game best.
    fn usual_algorithm(&self) -> Algorithm;

    /// Searches from here.
    ///
    /// # Errors
    /// If the system has no memory or thread for it.
    fn analyse(
        &self,
        settings: &Settings,
        stop: &Stop,
        progress: &mut (dyn FnMut(&Info) + Send),
    ) -> Result<Analysis, String>;

    /// How the names of this game's files end.
    fn extension(&self) -> &'static str;

    /// Reads a file of whole games up to the first thing that is wrong.
    fn read_games(&self, text: &str) -> Games;

    /// A whole game as it stands in a file.
    ///
    /// # Errors
    /// Names the first move or position of the record that this game does not allow.
    fn write_game(&self, record: &Record) -> Result<String, TextError>;
}

/// What perft found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Perft {
    /// All leaves.
    pub leaves: u64,
    /// Leaves below each move.
    pub by_move: Vec<(String, u64)>,
}

/// What a search found. Values are the **first player's**.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis {
    /// What the position is worth; `None` if the search was stopped before it knew anything.
    pub value: Option<Value>,
    /// Whether that is proved.
    pub exact: bool,
    /// The final margin, if it is proved and the game has margins.
    pub margin: Option<Points>,
    /// How many units of margin make a point, for values that are margins.
    pub margin_scale: i32,
    /// Plies to the end of the game, if a win or loss is proved and the game is just won or lost.
    pub distance: Option<u32>,
    /// The depth searched; `None` where it was searched to the end of the game.
    pub depth: Option<u32>,
    /// The move to play; `None` where the game is over.
    pub best: Option<String>,
    /// The moves both sides would play.
    pub pv: Vec<String>,
    /// Positions visited.
    pub nodes: u64,
}

impl<G: Instance> Workbench for GameSession<G> {
    fn warning(&self) -> Option<String> {
        self.game().warning()
    }

    fn perft(&self, depth: u32, progress: &mut dyn FnMut(usize, usize)) -> Perft {
        let (game, mut p) = (self.game(), self.current().clone());
        let moves = moves_of(game, &p);
        let mut counter = game::Perft::new(game);
        let mut by_move = Vec::new();
        for (done, &m) in moves.iter().enumerate() {
            progress(done, moves.len());
            let text = game.write_move(&p, m);
            let undo = game.make(&mut p, m);
            by_move.push((text, counter.count(&mut p, depth.saturating_sub(1))));
            game.unmake(&mut p, m, undo);
        }
        let leaves = match game.margin(&p) {
            Some(_) => 1,
            None => by_move.iter().map(|(_, leaves)| leaves).sum(),
        };
        Perft { leaves, by_move }
    }

    fn analyse(
        &self,
        settings: &Settings,
        stop: &Stop,
        progress: &mut (dyn FnMut(&Info) + Send),
    ) -> Result<Analysis, String> {
        if !search::table_fits(settings) {
            return Err(format!(
                "there is no memory for a table of {} MB; a smaller --hash is right",
                settings.hash_megabytes
            ));
        }
        let (game, start) = (self.game(), self.current());
        let mut tell = |now: &Progress<G::Move>| {
            let best = now.best.map(|m| game.write_move(start, m));
            progress(&Info {
                depth: now.depth,
                nodes: now.nodes,
                root_moves: now.root_moves,
                best,
            });
        };
        let from = Position { game, position: start, path: self.path() };
        let report = std::thread::scope(|scope| {
            let work = || {
                let heuristics = G::heuristics(settings.algorithm);
                search::search(&from, heuristics, G::KEYS, settings, stop, &mut tell)
            };
            let thread =
                std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
            let thread = thread.map_err(|e| format!("no thread to search with: {e}"))?;
            thread.join().map_err(|_| "the search failed".to_owned())
        })?;
        Ok(describe(self, report))
    }

    fn usual_algorithm(&self) -> Algorithm {
        G::ALGORITHM
    }

    fn extension(&self) -> &'static str {
        G::EXTENSION
    }

    fn read_games(&self, text: &str) -> Games {
        self.game().read_games(text)
    }

    fn write_game(&self, record: &Record) -> Result<String, TextError> {
        self.game().write_game(record)
    }
}

/// A report in text and from the first player's side.
fn describe<G: Instance>(session: &GameSession<G>, report: Report<G::Move>) -> Analysis {
    let (game, mut p) = (session.game(), session.current().clone());
    let side = game.to_move(&p);
    let value = report.value.map(|value| value.seen_by(side));
    let proved = value.filter(|_| report.exact).map(Value::meaning);
    let has_margins = game.margin_limit() > 1;
    let points = |margin| Some(Points::new(margin, game.margin_scale()));
    let best = report.best.map(|m| game.write_move(&p, m));
    let mut pv = Vec::new();
    for m in report.line {
        pv.push(game.write_move(&p, m));
        game.make(&mut p, m);
    }
    Analysis {
        value,
        exact: report.exact,
        margin: match proved {
            Some(Meaning::Margin(margin)) => points(margin),
            Some(Meaning::Score(_)) if has_margins => points(0),
            _ => None,
        },
        margin_scale: game.margin_scale(),
        distance: match proved {
            Some(Meaning::WonIn(plies) | Meaning::LostIn(plies)) => Some(plies),
            _ => None,
        },
        depth: report.depth,
        best,
        pv,
        nodes: report.nodes,
    }
}
