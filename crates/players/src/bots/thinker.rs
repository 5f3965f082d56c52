//! [`Thinker`]: a bot that searches, and keeps what it found for its next move.

use std::time::Instant;

use game::{Meaning, Points, Rng, Side, TextError, Value, mix};
use games::{Playable, scores_of};
use play::{
    Analysis, Choice, Clock, GameSession, Info, InfoLine, Limits, Player, PlayerError, Scores,
    Session, Stop, Task, Turn,
};
use search::{Algorithm, DeepStackError, Report, SearchRoot, Settings, on_deep_stack};

use super::searcher::{PlaceInGame, Searcher};

/// A searcher for this game.
pub type SearcherOf<G> = Box<dyn Searcher<<G as game::Game>::Position, <G as game::Game>::Move>>;

/// Searches for its moves. It keeps a game of its own, which follows the one it is asked about.
pub(crate) struct Thinker<G: Playable> {
    session: GameSession<G>,
    searcher: SearcherOf<G>,
    settings: Settings,
    /// How far it looks at most, whatever it is asked.
    sight: Limits,
    /// What is left on its clock.
    clock: Option<Clock>,
}

/// What an only move is thought over, so that somebody who asked hears something of it.
const ONLY_MOVE_NODES: u64 = 200;

impl<G: Playable> Thinker<G> {
    pub(crate) fn new(
        session: GameSession<G>,
        searcher: SearcherOf<G>,
        settings: Settings,
        sight: Limits,
    ) -> Thinker<G> {
        Thinker { session, searcher, settings, sight, clock: settings.limits.clock }
    }

    /// Goes to where the game is now. What was found before is kept if the game went on from there.
    fn follow(&mut self, session: &dyn Session) -> Result<(), TextError> {
        let before = self.session.plies();
        let went_on = self.session.follow(session)?;
        if !went_on || self.session.plies() == 0 {
            self.clock = self.settings.limits.clock;
        }
        match went_on {
            true => self.searcher.follow(&self.session.made_after(before)),
            false => self.searcher.forget(),
        }
        Ok(())
    }

    fn moves_named(&self, names: &[String]) -> Result<Vec<G::Move>, TextError> {
        let (game, p) = (self.session.game(), self.session.current());
        names.iter().map(|name| game.read_move(p, name)).collect()
    }

    /// Those that no rule forbids.
    fn opening_moves(&self) -> Vec<G::Move> {
        let mut moves = self.session.game().opening_moves(self.session.current());
        moves.retain(|&m| self.session.allows(m));
        moves
    }

    /// Prefers a move that lets the game rest, if that is as good as the best one. What is proved
    /// is not
    /// put to random games.
    fn rest(&self, analysis: &mut Analysis) {
        let (game, p) = (self.session.game(), self.session.current());
        let best = analysis.best.as_ref().filter(|_| !analysis.exact);
        let Some(Ok(best)) = best.map(|best| game.read_move(p, best)) else { return };
        let mut rng = Rng::new(mix(self.settings.seed.unwrap_or(0) ^ game.key(p)));
        if let Some(m) = game.rest(p, best, &mut rng).filter(|&m| m != best) {
            let text = game.write_move(p, m);
            (analysis.pv, analysis.best) = (vec![text.clone()], Some(text));
        }
    }

    fn think(
        &mut self,
        task: &Task,
        stop: &Stop,
        tell: &mut (dyn FnMut(&Info) + Send),
    ) -> Result<Analysis, PlayerError> {
        let mut settings = self.settings;
        settings.limits.clock = self.clock;
        settings.limits = task.limits.map_or(settings.limits, |limits| limits.at_most(&self.sight));
        settings.lines = task.lines.unwrap_or(settings.lines);
        let mut among = self.moves_named(&task.among)?;
        let opens = among.is_empty();
        if opens {
            among = self.opening_moves();
        }
        let start = Instant::now();
        let searcher = &mut *self.searcher;
        let mut search = |settings: &Settings| {
            search_position(&self.session, &among, searcher, settings, stop, tell)
        };
        let mut analysis = search(&settings)?;
        let by_proof = settings.algorithm == Algorithm::ProofNumber;
        // Who proves nothing still has to move.
        if by_proof && !analysis.exact {
            analysis = search(&Settings { algorithm: Algorithm::Playing, ..settings })?;
        }
        if opens && !among.is_empty() && !by_proof {
            disclaim(&mut analysis, self.session.game().to_move(self.session.current()));
        }
        if let Some(clock) = self.clock.as_mut().filter(|_| task.limits.is_none()) {
            clock.left = clock.left.saturating_sub(start.elapsed()) + clock.increment;
        }
        Ok(analysis)
    }
}

impl<G: Playable> Player for Thinker<G> {
    fn choose(
        &mut self,
        session: &dyn Session,
        task: &Task,
        stop: &Stop,
        tell: &mut (dyn FnMut(&Info) + Send),
    ) -> Result<Choice, PlayerError> {
        self.follow(session)?;
        let legal = self.session.moves();
        // An only move needs no thought, unless somebody wants to hear one, and little of it under
        // a front's limits.
        let mut task = task.clone();
        let asked = task.lines.is_some() || !task.among.is_empty();
        if let ([only], None, false) = (legal.as_slice(), session.claimable(), asked) {
            let Some(limits) = &mut task.limits else {
                return Ok(Choice { turn: Turn::Play(only.clone()), analysis: None });
            };
            limits.nodes = Some(limits.nodes.map_or(ONLY_MOVE_NODES, |n| n.min(ONLY_MOVE_NODES)));
        }
        let mut analysis = self.think(&task, stop, tell)?;
        if !asked {
            self.rest(&mut analysis);
        }
        let turn = match &analysis.best {
            Some(best) => Turn::Play(best.clone()),
            None if session.claimable().is_some() => Turn::Claim,
            None => Turn::Play(legal.into_iter().next().ok_or(PlayerError::GameOver)?),
        };
        Ok(Choice { turn, analysis: Some(analysis) })
    }
}

/// What was found among some moves proves nothing of the position, unless one of them wins.
fn disclaim(analysis: &mut Analysis, mover: Side) {
    let wins = analysis.value.is_some_and(|value| value.signum() == mover.sign());
    if !wins {
        (analysis.exact, analysis.margin, analysis.distance) = (false, None, None);
    }
}

/// Searches from where a game is, among these moves or all, on a thread with room for the longest game.
pub(crate) fn search_position<G: Playable>(
    session: &GameSession<G>,
    among: &[G::Move],
    searcher: &mut dyn Searcher<G::Position, G::Move>,
    settings: &Settings,
    stop: &Stop,
    tell: &mut (dyn FnMut(&Info) + Send),
) -> Result<Analysis, PlayerError> {
    let (game, position, path) = (session.game(), session.current(), session.path());
    let from = SearchRoot { game, position, path, among };
    let scores = scores_of(game, settings.algorithm);
    let mut tell = told_by(&from, scores, tell);
    let place = PlaceInGame { position, path, among };
    let asked = Instant::now();
    let mut report = None;
    let searched = on_deep_stack(&mut || {
        // A busy machine may take its time to start a thread.
        let limits = settings.limits.after(asked.elapsed());
        let settings = Settings { limits, ..*settings };
        report = Some(searcher.search(&place, &settings, stop, &mut tell));
    });
    searched.map_err(|error| match error {
        DeepStackError::NoThread(error) => PlayerError::Thread(error),
        DeepStackError::Failed => PlayerError::Search,
    })?;
    let report = report.ok_or(PlayerError::Search)?;
    Ok(describe(&from, &report, scores))
}

/// Progress as text and from the first player's side.
fn told_by<'a, G: Playable>(
    from: &'a SearchRoot<'a, G>,
    scores: Scores,
    tell: &'a mut (dyn FnMut(&Info) + Send),
) -> impl FnMut(&Info<G::Move>) + 'a {
    let start = Instant::now();
    move |now| {
        let line = |line: &InfoLine<G::Move>| line_in_text(from, line.value, &line.moves);
        tell(&Info {
            depth: now.depth,
            selective_depth: now.selective_depth,
            nodes: now.nodes,
            elapsed: start.elapsed(),
            table_per_mille: now.table_per_mille,
            root_moves: now.root_moves,
            best: now.best.map(|m| from.game.write_move(from.position, m)),
            lines: now.lines.iter().map(line).collect(),
            scores: Some(scores),
        });
    }
}

fn line_in_text<G: Playable>(
    from: &SearchRoot<'_, G>,
    value: Value,
    moves: &[G::Move],
) -> InfoLine {
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
fn describe<G: Playable>(
    from: &SearchRoot<'_, G>,
    report: &Report<G::Move>,
    scores: Scores,
) -> Analysis {
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
        scores: Some(scores),
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
