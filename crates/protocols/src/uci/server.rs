//! Zermelo as a UCI engine.

use std::time::Duration;

use game::record::{Line, Ply, Record};
use game::{Choice, Info, Session, Side, Spec, Task, Turn};

use super::codec::{Command, Go, write_score};
use crate::bot::{MOST_MEGABYTES, MOST_THREADS, Means, SKILLS};
use crate::desk::{Desk, Flow, Speaker};

/// What fronts may set, beside the protocol's own defaults.
#[derive(Clone, Debug)]
struct Options {
    means: Means,
    lines: usize,
    overhead: Duration,
    fischer: bool,
}

/// Speaks UCI for a game.
pub struct Uci {
    name: String,
    /// The game it was started for, and the bot that plays it.
    spec: String,
    bot: String,
    session: Box<dyn Session>,
    options: Options,
    /// What was asked last, while it is thought over.
    going: Option<Go>,
    /// What was chosen before anybody wanted to hear it.
    kept: Option<Choice>,
}

impl Uci {
    /// An engine of this name for a game at its start. The bot says what the player is beside what fronts set.
    #[must_use]
    pub fn new(name: &str, session: Box<dyn Session>, bot: &str) -> Uci {
        let options = Options {
            means: Means::default(),
            lines: 1,
            overhead: Duration::from_millis(10),
            fischer: session.spec().contains("fischer"),
        };
        let (name, spec, bot) = (name.to_owned(), session.spec(), bot.to_owned());
        Uci { name, spec, bot, session, options, going: None, kept: None }
    }

    fn introduce(&self, desk: &mut Desk<'_>) {
        let Options { means, lines, overhead, fischer } = &self.options;
        let Means { hash_megabytes, threads, skill: _ } = means;
        desk.say(&format!("id name {}", self.name));
        desk.say("id author the Zermelo project");
        desk.say(&format!(
            "option name Hash type spin default {hash_megabytes} min 1 max {MOST_MEGABYTES}"
        ));
        desk.say(&format!(
            "option name Threads type spin default {threads} min 1 max {MOST_THREADS}"
        ));
        desk.say(&format!("option name MultiPV type spin default {lines} min 1 max 255"));
        desk.say("option name Ponder type check default false");
        let overhead = overhead.as_millis();
        desk.say(&format!("option name Move Overhead type spin default {overhead} min 0 max 5000"));
        desk.say(&format!("option name UCI_Chess960 type check default {fischer}"));
        let skills = SKILLS.map(|skill| format!("var {skill}")).join(" ");
        desk.say(&format!("option name Skill type combo default full {skills}"));
        desk.say("option name Clear Hash type button");
        desk.say("uciok");
    }

    fn set_option(&mut self, name: &str, value: &str, desk: &mut Desk<'_>) {
        let number = |low: u32, high: u32| {
            let number = value.parse().ok().filter(|n| (low..=high).contains(n));
            number.ok_or_else(|| format!("{name} is a number from {low} to {high}"))
        };
        let done = match name {
            "hash" => number(1, MOST_MEGABYTES).map(|n| self.options.means.hash_megabytes = n),
            "threads" => number(1, MOST_THREADS).map(|n| self.options.means.threads = n),
            "multipv" => number(1, 255).map(|n| self.options.lines = n as usize),
            "move overhead" => {
                number(0, 5000).map(|n| self.options.overhead = Duration::from_millis(n.into()))
            }
            "uci_chess960" => match value {
                "true" | "false" => self.set_fischer(value == "true", desk),
                _ => Err("uci_chess960 is true or false".to_owned()),
            },
            "skill" => self.options.means.set_skill(name, value),
            "clear hash" => {
                desk.forget_player();
                Ok(())
            }
            // Whether the front ponders is its own business.
            "ponder" => Ok(()),
            _ => Err(format!("there is no option {name}")),
        };
        if let Err(why) = done {
            desk.say(&format!("info string {why}"));
        }
    }

    /// Fischer's chess writes castling in another way, even from the usual start.
    fn set_fischer(&mut self, fischer: bool, desk: &Desk<'_>) -> Result<(), String> {
        const USUAL_START: &str = "fischer=518";
        let spec = match fischer && !self.spec.contains("fischer") {
            true => Spec::parse(&self.spec).and_then(|spec| spec.changed(USUAL_START)),
            false => Ok(self.spec.clone()),
        };
        let opened = spec.and_then(|spec| desk.host().open(&spec));
        self.session = opened.map_err(|e| e.to_string())?;
        self.options.fischer = fischer;
        Ok(())
    }

    /// Goes to a position; where it cannot, it says so and stays.
    fn set_position(&mut self, fen: Option<&str>, moves: &[String], desk: &mut Desk<'_>) {
        if let Err(why) = self.try_position(fen, moves, desk) {
            desk.say(&format!("info string {why}"));
        }
    }

    fn try_position(
        &mut self,
        fen: Option<&str>,
        moves: &[String],
        desk: &Desk<'_>,
    ) -> Result<(), String> {
        let opened = desk.host().open(&self.session.spec());
        let mut session = opened.map_err(|e| format!("game {e}"))?;
        // As a record: what ends a game by looking back is for the front to see.
        let ply = |m: &String| Ply { text: m.clone(), ..Ply::default() };
        let line = Line { plies: moves.iter().map(ply).collect(), ..Line::default() };
        let record = Record { start: fen.map(str::to_owned), line, ..Record::default() };
        session.replay(&record).map_err(|e| format!("position {e}"))?;
        self.session = session;
        Ok(())
    }

    /// A front that plays on where our rules see the end by looking back gets its answer from the position alone.
    fn forget_path_if_over(&mut self) {
        if self.session.outcome().is_some() {
            let position = self.session.position();
            // It was read before.
            let _ = self.session.set_position(&position);
        }
    }

    fn go(&mut self, go: Go, desk: &mut Desk<'_>) {
        self.forget_path_if_over();
        if self.session.outcome().is_some() {
            // There is nothing to play; fronts know that answer.
            desk.say("info depth 0 score cp 0");
            desk.say("bestmove 0000");
            return;
        }
        let side = self.session.to_move();
        let limits = match go.ponder {
            true => Go { infinite: true, ..go.clone() }.limits(side, Duration::ZERO),
            false => go.limits(side, self.options.overhead),
        };
        let task = Task {
            limits: Some(limits),
            other_clock: None,
            lines: Some(self.options.lines).filter(|&lines| lines > 1),
            among: self.among(&go.among),
        };
        let endless = go.ponder || go.is_endless();
        let bot = self.options.means.describe(&self.bot);
        if let Err(why) = desk.think(&*self.session, &bot, task) {
            desk.say(&format!("info string {why}"));
        }
        if endless {
            desk.until_told();
        }
        (self.going, self.kept) = (Some(go), None);
    }

    /// The moves to choose among, if they are legal. Nobody can claim a draw in this protocol: a side that could has to
    /// choose among all moves.
    fn among(&self, asked: &[String]) -> Vec<String> {
        let legal = self.session.moves();
        let written = |m: &String| self.session.read_wire_move(m).ok();
        let among: Vec<String> =
            asked.iter().filter_map(written).filter(|m| legal.contains(m)).collect();
        match among.is_empty() && self.session.claimable().is_some() {
            true => legal,
            false => among,
        }
    }

    /// Answers, if the front waits for it.
    fn answer(&mut self, choice: Choice, desk: &mut Desk<'_>) {
        if self.going.as_ref().is_some_and(|go| go.ponder || go.is_endless()) {
            self.kept = Some(choice);
            return;
        }
        self.going = None;
        let legal = self.session.moves();
        let any = || legal.first().cloned().unwrap_or_else(|| "0000".to_owned());
        let best = match &choice.turn {
            Turn::Play(text) => text.clone(),
            Turn::Claim | Turn::Resign => any(),
        };
        let mut line = format!("bestmove {best}");
        if let Some(expected) = choice.analysis.as_ref().and_then(|analysis| analysis.pv.get(1)) {
            line.extend([" ponder ", &**expected]);
        }
        desk.say(&line);
    }

    /// The front wants to hear an answer now.
    fn hurry(&mut self, desk: &mut Desk<'_>) {
        if let Some(go) = &mut self.going {
            (go.infinite, go.ponder) = (false, false);
            // Nothing but a stop ends it, and it has come.
            go.move_time.get_or_insert(Duration::ZERO);
        }
        desk.stop();
        if let Some(choice) = self.kept.take() {
            self.answer(choice, desk);
        }
    }

    /// From now on it is our own time.
    fn ponder_hit(&mut self, desk: &mut Desk<'_>) {
        let Some(go) = self.going.as_mut().filter(|go| go.ponder) else { return };
        go.ponder = false;
        if go.is_endless() {
            return;
        }
        let limits = go.limits(self.session.to_move(), self.options.overhead);
        if let Some(choice) = self.kept.take() {
            self.answer(choice, desk);
        } else {
            desk.stop_in(limits.usual_time().unwrap_or(Duration::ZERO));
        }
    }
}

impl Speaker for Uci {
    fn hear(&mut self, line: &str, desk: &mut Desk<'_>) -> Flow {
        match Command::read(line) {
            Some(Command::Uci) => self.introduce(desk),
            Some(Command::IsReady) => desk.say("readyok"),
            Some(Command::NewGame) => desk.forget_player(),
            Some(Command::SetOption { name, value }) => self.set_option(&name, &value, desk),
            Some(Command::Position { fen, moves }) => {
                self.set_position(fen.as_deref(), &moves, desk);
            }
            Some(Command::Go(go)) => {
                self.hurry(desk);
                self.go(go, desk);
            }
            Some(Command::Stop) => self.hurry(desk),
            Some(Command::PonderHit) => self.ponder_hit(desk),
            Some(Command::Quit) => return Flow::Leave,
            None => {}
        }
        Flow::On
    }

    fn hear_progress(&mut self, info: &Info, desk: &mut Desk<'_>) {
        for line in write_info(info, self.session.to_move()) {
            desk.say(&line);
        }
    }

    fn hear_choice(&mut self, choice: Result<Choice, String>, desk: &mut Desk<'_>) -> Flow {
        match choice {
            Ok(choice) => self.answer(choice, desk),
            Err(why) => {
                desk.say(&format!("info string {why}"));
                self.answer(Choice { turn: Turn::Resign, analysis: None }, desk);
            }
        }
        Flow::On
    }
}

/// One line for each line of play, or one that says how far it is.
fn write_info(info: &Info, side: Side) -> Vec<String> {
    let time = info.elapsed.as_millis();
    let speed = (info.nodes as f64 / info.elapsed.as_secs_f64().max(1e-3)) as u64;
    let effort =
        format!("nodes {} nps {speed} hashfull {} time {time}", info.nodes, info.table_per_mille);
    let mut depth = info.depth.map_or_else(String::new, |depth| format!(" depth {depth}"));
    if info.lines.is_empty() {
        let current = info
            .best
            .as_ref()
            .map(|best| format!(" currmove {best} currmovenumber {}", info.root_moves.0.max(1)));
        return vec![format!("info{depth} {effort}{}", current.unwrap_or_default())];
    }
    depth += &format!(" seldepth {}", info.selective_depth);
    let several = info.lines.len() > 1;
    let lines = (1..).zip(&info.lines).map(|(number, line)| {
        let number = if several { format!(" multipv {number}") } else { String::new() };
        let score = write_score(line.value, side);
        format!("info{depth}{number} score {score} {effort} pv {}", line.moves.join(" "))
    });
    lines.collect()
}

impl std::fmt::Debug for Uci {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Uci")
            .field("spec", &self.spec)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
