//! [`Thinker`]: a bot that searches, and keeps what it found for its next move.

use std::time::Instant;

use game::record::Record;
use game::{
    Analysis, Choice, Clock, GameSession, Info, InfoLine, Meaning, Player, Points, Session, Stop,
    Task, TextError, Turn, Value,
};
use search::{Algorithm, MonteCarlo, Position, Progress, Report, Settings, Table, Tree};

use crate::instances::Instance;

/// A table that is fuller than this, in thousandths, is emptied before the next move: its old entries would
/// only be in the way.
const FULL: u32 = 750;

/// Searches for its moves. It keeps a game of its own, which follows the one it is asked about.
pub(crate) struct Thinker<G: Instance> {
    session: GameSession<G>,
    heuristics: G::Heuristics,
    settings: Settings,
    memory: Memory<G>,
    /// What is left on its clock.
    clock: Option<Clock>,
}

/// What it remembers from move to move.
enum Memory<G: Instance> {
    Table(Table),
    Tree(Option<Box<Tree<G, G::Heuristics>>>),
}

impl<G: Instance> Thinker<G> {
    /// Memory is taken for granted.
    pub(crate) fn new(
        session: GameSession<G>,
        heuristics: G::Heuristics,
        settings: Settings,
    ) -> Thinker<G> {
        let memory = match settings.algorithm {
            Algorithm::MonteCarlo => Memory::Tree(None),
            _ => Memory::Table(Table::new(settings.hash_megabytes)),
        };
        Thinker { session, heuristics, settings, memory, clock: settings.limits.clock }
    }

    /// Goes to where the game is now. What was found before is kept if the game went on from there.
    fn follow(&mut self, record: &Record) -> Result<(), String> {
        let (start, before) = (self.session.record().start, self.session.made());
        self.session.replay(record).map_err(|e| e.to_string())?;
        let now = self.session.made();
        let went_on = record.start == start && now.starts_with(&before);
        if !went_on || now.is_empty() {
            self.clock = self.settings.limits.clock;
        }
        if let Memory::Tree(tree) = &mut self.memory {
            match tree.as_mut().filter(|_| went_on) {
                Some(tree) => {
                    now[before.len()..].iter().for_each(|&m| tree.advance(self.session.game(), m));
                }
                None => *tree = None,
            }
        }
        Ok(())
    }

    fn moves_named(&self, names: &[String]) -> Result<Vec<G::Move>, TextError> {
        let (game, p) = (self.session.game(), self.session.current());
        names.iter().map(|name| game.read_move(p, name)).collect()
    }

    fn think(
        &mut self,
        task: &Task,
        stop: &Stop,
        tell: &mut (dyn FnMut(&Info) + Send),
    ) -> Result<Analysis, String> {
        let mut settings = self.settings;
        settings.limits.clock = self.clock;
        settings.limits = task.limits.unwrap_or(settings.limits);
        settings.lines = task.lines.unwrap_or(settings.lines);
        let among = self.moves_named(&task.among).map_err(|e| e.to_string())?;
        let start = Instant::now();
        let analysis = match &mut self.memory {
            Memory::Tree(tree) => {
                let from = position_of(&self.session, &among);
                let tree = tree.get_or_insert_with(|| {
                    Box::new(Tree::new(&from, &self.heuristics, &MonteCarlo::of(&settings)))
                });
                let mut tell = told_by(&from, tell);
                let report = tree.search(from.game, &settings.limits, stop, &mut tell);
                describe(&from, &report)
            }
            Memory::Table(table) => {
                if table.used_per_mille() > FULL {
                    table.clear();
                }
                let from = position_of(&self.session, &among);
                let mut search = |settings: &Settings| {
                    search_position(&from, &self.heuristics, settings, table, stop, tell)
                };
                let analysis = search(&settings)?;
                // Who proves nothing still has to move.
                if settings.algorithm == Algorithm::ProofNumber && !analysis.exact {
                    search(&Settings { algorithm: Algorithm::Playing, ..settings })?
                } else {
                    analysis
                }
            }
        };
        if let Some(clock) = self.clock.as_mut().filter(|_| task.limits.is_none()) {
            clock.left = clock.left.saturating_sub(start.elapsed()) + clock.increment;
        }
        Ok(analysis)
    }
}

impl<G: Instance> Player for Thinker<G> {
    fn choose(
        &mut self,
        session: &dyn Session,
        task: &Task,
        stop: &Stop,
        tell: &mut (dyn FnMut(&Info) + Send),
    ) -> Result<Choice, String> {
        self.follow(&session.record())?;
        let legal = self.session.moves();
        // An only move needs no thought, unless somebody wants to hear one.
        let asked = task.lines.is_some() || !task.among.is_empty();
        if let ([only], None, false) = (legal.as_slice(), session.claimable(), asked) {
            return Ok(Choice { turn: Turn::Play(only.clone()), analysis: None });
        }
        let analysis = self.think(task, stop, tell)?;
        let turn = match &analysis.best {
            Some(best) => Turn::Play(best.clone()),
            None if session.claimable().is_some() => Turn::Claim,
            None => Turn::Play(legal.into_iter().next().ok_or("the game is over")?),
        };
        Ok(Choice { turn, analysis: Some(analysis) })
    }
}

/// Where a game is, for a search that chooses among these moves, or all if there are none.
pub(crate) fn position_of<'a, G: Instance>(
    session: &'a GameSession<G>,
    among: &'a [G::Move],
) -> Position<'a, G> {
    Position { game: session.game(), position: session.current(), path: session.path(), among }
}

/// Searches from where a game is, on a thread with room for the longest game.
pub(crate) fn search_position<G: Instance>(
    from: &Position<'_, G>,
    heuristics: &G::Heuristics,
    settings: &Settings,
    table: &Table,
    stop: &Stop,
    tell: &mut (dyn FnMut(&Info) + Send),
) -> Result<Analysis, String> {
    let mut tell = told_by(from, tell);
    let report = std::thread::scope(|scope| {
        let heuristics = heuristics.clone();
        let work =
            || search::search_with(table, from, heuristics, G::KEYS, settings, stop, &mut tell);
        let builder = std::thread::Builder::new().stack_size(search::STACK_BYTES);
        let thread = builder.spawn_scoped(scope, work);
        let thread = thread.map_err(|e| format!("no thread to search with: {e}"))?;
        thread.join().map_err(|_| "the search failed".to_owned())
    })?;
    Ok(describe(from, &report))
}

/// Progress as text and from the first player's side.
fn told_by<'a, G: Instance>(
    from: &'a Position<'a, G>,
    tell: &'a mut (dyn FnMut(&Info) + Send),
) -> impl FnMut(&Progress<G::Move>) + 'a {
    let start = Instant::now();
    move |now| {
        let line = |line: &search::Line<G::Move>| line_in_text(from, line.value, &line.moves);
        tell(&Info {
            depth: now.depth,
            selective_depth: now.selective_depth,
            nodes: now.nodes,
            elapsed: start.elapsed(),
            table_per_mille: now.table_per_mille,
            root_moves: now.root_moves,
            best: now.best.map(|m| from.game.write_move(from.position, m)),
            lines: now.lines.iter().map(line).collect(),
        });
    }
}

fn line_in_text<G: Instance>(from: &Position<'_, G>, value: Value, moves: &[G::Move]) -> InfoLine {
    let (game, mut p) = (from.game, from.position.clone());
    let value = value.seen_by(game.to_move(&p));
    let write = |&m: &G::Move| {
        let text = game.write_move(&p, m);
        game.make(&mut p, m);
        text
    };
    InfoLine { value, moves: moves.iter().map(write).collect() }
}

/// A report in text and from the first player's side.
fn describe<G: Instance>(from: &Position<'_, G>, report: &Report<G::Move>) -> Analysis {
    let (game, p) = (from.game, from.position);
    let value = report.value.map(|value| value.seen_by(game.to_move(p)));
    let proved = value.filter(|_| report.exact).map(Value::meaning);
    let has_margins = game.margin_limit() > 1;
    let points = |margin| Some(Points::new(margin, game.margin_scale()));
    let others = report.others.iter().map(|line| line_in_text(from, line.value, &line.moves));
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
        selective_depth: report.selective_depth,
        best: report.best.map(|m| game.write_move(p, m)),
        pv: line_in_text(from, Value::DRAW, &report.line).moves,
        others: others.collect(),
        nodes: report.nodes,
    }
}
