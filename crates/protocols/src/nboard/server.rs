//! Zermelo as an NBoard engine.

use std::time::{Duration, Instant};

use game::{Expected, Side, Spec, TextError, Value};
use play::{Analysis, Choice, Info, Limits, Session, Task, Turn};

use super::codec::{Command, write_discs, write_line};
use crate::bot::{described, has_limits};
use crate::desk::{Desk, Flow, Speaker};
use crate::ggf::{self, write_square};
use crate::host::HostError;

/// A move where nobody said how deep or how long.
const USUAL: Duration = Duration::from_secs(1);

/// Speaks NBoard for a game.
pub struct NBoard {
    name: String,
    bot: String,
    session: Box<dyn Session>,
    depth: Option<u32>,
    work: Option<Work>,
}

/// What is thought about.
enum Work {
    /// A move, since then.
    Move(Instant),
    /// The best lines.
    Hint,
    /// A game from its end to its beginning: what is left of it.
    Game(Box<dyn Session>),
}

impl NBoard {
    /// An engine of this name for a game at its start. The bot says what the player is beside what fronts set.
    #[must_use]
    pub fn new(name: &str, session: Box<dyn Session>, bot: &str) -> NBoard {
        let bot = described(bot);
        NBoard { name: name.to_owned(), bot, session, depth: None, work: None }
    }

    /// Goes to the end of a game; where it cannot, it says so and stays.
    fn set_game(&mut self, text: &str, desk: &mut Desk<'_>) {
        self.drop_work(desk);
        match self.try_game(text, desk) {
            Ok(session) => self.session = session,
            Err(why) => desk.say(&format!("status {why}")),
        }
    }

    fn try_game(&self, text: &str, desk: &Desk<'_>) -> Result<Box<dyn Session>, Expected> {
        // Fronts have little room for a status: the text itself is left out.
        let why = |e: TextError| Expected::from(e.why().to_owned());
        let game = ggf::read(text).map_err(why)?;
        let size = format!("{0}x{0}", game.size);
        let spec = Spec::parse(&self.session.spec()).and_then(|spec| spec.changed(&size));
        let opened = spec.and_then(|spec| desk.host().open(&spec));
        let mut session = opened.map_err(why)?;
        session.set_position(&game.start).map_err(why)?;
        for m in &game.moves {
            // Some programs leave out passes.
            if m.side.is_some_and(|side| side != session.to_move()) {
                session.play("pass").map_err(|e| format!("before {}: {}", m.text, e.why()))?;
            }
            session.play(&m.text).map_err(|e| format!("{}: {}", m.text, e.why()))?;
        }
        Ok(session)
    }

    fn play(&mut self, text: &str, desk: &mut Desk<'_>) {
        self.drop_work(desk);
        if let Err(error) = self.session.play(text) {
            desk.say(&format!("status {error}"));
        }
    }

    fn drop_work(&mut self, desk: &mut Desk<'_>) {
        desk.drop_thought();
        self.work = None;
    }

    /// Lets the player think about the last position of a session, and says so.
    fn think(&self, session: &dyn Session, lines: Option<usize>, desk: &mut Desk<'_>) -> bool {
        let limits = match self.depth {
            Some(depth) => Some(Limits { depth: Some(depth), ..Limits::default() }),
            None if has_limits(&self.bot) => None,
            None => Some(Limits { time: Some(USUAL), ..Limits::default() }),
        };
        let task = Task { limits, lines, ..Task::default() };
        match desk.think(session, &self.bot, task) {
            Ok(()) => true,
            Err(why) => {
                desk.say(&format!("status {why}"));
                false
            }
        }
    }

    fn choose(&mut self, desk: &mut Desk<'_>) {
        self.drop_work(desk);
        if self.session.outcome().is_some() {
            desk.say("=== PA");
        } else if self.think(&*self.session, None, desk) {
            desk.say(&format!("status {} is thinking", self.name));
            self.work = Some(Work::Move(Instant::now()));
        }
    }

    fn hint(&mut self, lines: usize, desk: &mut Desk<'_>) {
        self.drop_work(desk);
        if self.session.outcome().is_some() {
            desk.say("status the game is over");
        } else if self.think(&*self.session, Some(lines), desk) {
            desk.say(&format!("status {} is analysing", self.name));
            self.work = Some(Work::Hint);
        }
    }

    fn analyze(&mut self, desk: &mut Desk<'_>) {
        self.drop_work(desk);
        let copied = desk.host().open(&self.session.spec()).and_then(|mut copy| {
            copy.replay(&self.session.record())?;
            Ok(copy)
        });
        match copied {
            Ok(copy) => {
                desk.say(&format!("status {} is analysing", self.name));
                self.analyze_on(copy, desk);
            }
            Err(error) => desk.say(&format!("status {error}")),
        }
    }

    /// Looks at the last position of what is left of a game.
    fn analyze_on(&mut self, mut session: Box<dyn Session>, desk: &mut Desk<'_>) {
        while let Some(outcome) = session.outcome() {
            let value = Value::over(outcome.margin, outcome.margin_limit);
            say_analysis(&*session, value, desk);
            if !session.undo() {
                desk.say("status");
                return;
            }
        }
        if self.think(&*session, Some(1), desk) {
            self.work = Some(Work::Game(session));
        }
    }

    fn answer(&self, choice: &Choice, since: Instant, desk: &mut Desk<'_>) {
        let any = || self.session.moves().into_iter().next();
        let best = match &choice.turn {
            Turn::Play(text) => Some(text.clone()),
            Turn::Claim | Turn::Resign => any(),
        };
        let best = best.map_or_else(|| "PA".to_owned(), |best| write_square(&best));
        let side = self.session.to_move();
        let value = choice.analysis.as_ref().and_then(|analysis| analysis.value);
        let value = value.map_or_else(String::new, |v| format!("{:.2}", write_discs(v, side)));
        let seconds = since.elapsed().as_secs_f64();
        desk.say(&format!("=== {best}/{value}/{seconds:.2}"));
        desk.say("status");
    }
}

fn say_analysis(session: &dyn Session, value: Value, desk: &mut Desk<'_>) {
    let discs = write_discs(value, session.to_move());
    desk.say(&format!("analysis {} {discs:.2}", session.played().len()));
}

/// A line of play as a front wants to see it.
fn write_search(moves: &[String], value: Value, side: Side, depth: Option<u32>) -> String {
    let depth = depth.map_or_else(|| "100%".to_owned(), |depth| depth.to_string());
    format!("search {} {:.2} 0 {depth}", write_line(moves), write_discs(value, side))
}

/// What was found in the end, the best line first.
fn say_lines(found: &Analysis, side: Side, desk: &mut Desk<'_>) {
    let depth = found.depth.filter(|_| !found.exact);
    let best = found.value.map(|value| (&found.pv, value));
    let others = found.others.iter().map(|line| (&line.moves, line.value));
    for (moves, value) in best.into_iter().chain(others).filter(|(moves, _)| !moves.is_empty()) {
        desk.say(&write_search(moves, value, side, depth));
    }
}

impl Speaker for NBoard {
    fn hear(&mut self, line: &str, desk: &mut Desk<'_>) -> Flow {
        match Command::read(line) {
            Some(Command::Hello(_)) => desk.say(&format!("set myname {}", self.name)),
            Some(Command::Depth(depth)) => {
                self.depth = Some(depth);
                desk.say(&format!("set myname {}{depth}", self.name));
            }
            Some(Command::Game(text)) => self.set_game(&text, desk),
            Some(Command::Move(text)) => self.play(&text, desk),
            Some(Command::Hint(lines)) => self.hint(lines, desk),
            Some(Command::Go) => self.choose(desk),
            Some(Command::Ping(text)) => {
                self.drop_work(desk);
                desk.say(&format!("pong {text}"));
            }
            // There is no book to add it to.
            Some(Command::Learn) => desk.say("learned"),
            Some(Command::Analyze) => self.analyze(desk),
            Some(Command::Quit) => return Flow::Leave,
            None => {}
        }
        Flow::On
    }

    fn hear_progress(&mut self, info: &Info, desk: &mut Desk<'_>) {
        let side = self.session.to_move();
        if matches!(self.work, Some(Work::Move(_) | Work::Hint)) {
            for line in info.lines.iter().filter(|line| !line.moves.is_empty()) {
                desk.say(&write_search(&line.moves, line.value, side, info.depth));
            }
        }
        desk.say(&format!("nodestats {} {:.2}", info.nodes, info.elapsed.as_secs_f64()));
    }

    fn hear_choice(&mut self, choice: Result<Choice, HostError>, desk: &mut Desk<'_>) -> Flow {
        let work = self.work.take();
        let choice = choice.unwrap_or_else(|why| {
            desk.say(&format!("status {why}"));
            Choice { turn: Turn::Resign, analysis: None }
        });
        match work {
            Some(Work::Move(since)) => self.answer(&choice, since, desk),
            Some(Work::Hint) => {
                if let Some(found) = &choice.analysis {
                    say_lines(found, self.session.to_move(), desk);
                }
                desk.say("status");
            }
            Some(Work::Game(mut session)) => {
                if let Some(value) = choice.analysis.and_then(|found| found.value) {
                    say_analysis(&*session, value, desk);
                }
                match session.undo() {
                    true => self.analyze_on(session, desk),
                    false => desk.say("status"),
                }
            }
            None => {}
        }
        Flow::On
    }
}

impl std::fmt::Debug for NBoard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NBoard")
            .field("spec", &self.session.spec())
            .field("bot", &self.bot)
            .finish_non_exhaustive()
    }
}
