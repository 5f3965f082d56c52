//! Zermelo as a UCI engine.

use std::time::Duration;

use game::{Spec, TextError, Value};
use play::record::{Line, Ply, Record};
use play::{Choice, Info, Outcome, Session, Task, Turn};

use super::codec::{Command, GoCommand, write_chances, write_score};
use super::options::{Options, switch};
use crate::command_error::{CommandError, PositionError};
use crate::desk::{Desk, Flow, Speaker};
use crate::host::HostError;

/// Speaks UCI for a game.
pub struct Uci {
    name: String,
    /// The game it was started for, and the bot that plays it.
    spec: String,
    bot: String,
    session: Box<dyn Session>,
    options: Options,
    /// Why the last position was refused, if it was.
    refused: Option<PositionError>,
    /// What was asked last, while it is thought over.
    going: Option<GoCommand>,
    /// What was chosen before anybody wanted to hear it.
    kept: Option<Choice>,
}

impl Uci {
    /// An engine of this name for a game at its start. The bot says what the player is beside what fronts set.
    #[must_use]
    pub fn new(name: &str, session: Box<dyn Session>, bot: &str) -> Uci {
        let options = Options::new(session.spec().contains("fischer"));
        let (name, spec, bot) = (name.to_owned(), session.spec(), bot.to_owned());
        Uci { name, spec, bot, session, options, refused: None, going: None, kept: None }
    }

    fn introduce(&mut self, desk: &mut Desk<'_>) {
        self.options.rate(desk.host().elo_range(&self.spec));
        desk.say(&format!("id name {}", self.name));
        desk.say("id author the Zermelo project");
        for option in self.options.lines() {
            desk.say(&option);
        }
        desk.say("uciok");
    }

    fn set_option(&mut self, name: &str, value: &str, desk: &mut Desk<'_>) {
        self.options.rate(desk.host().elo_range(&self.spec));
        let done = match name {
            "uci_chess960" => switch(name, value)
                .map_err(CommandError::from)
                .and_then(|on| Ok(self.set_fischer(on, desk)?)),
            "clear hash" => {
                desk.forget_player();
                Ok(())
            }
            _ => self.options.set(name, value).map_err(CommandError::from),
        };
        if let Err(why) = done {
            desk.say(&format!("info string {why}"));
        } else if name == "hash" {
            self.fit_table(desk);
        }
    }

    /// A table that does not fit would leave nobody to play: what fits is used instead.
    fn fit_table(&mut self, desk: &mut Desk<'_>) {
        if !desk.is_thinking() {
            // The old table makes room for the new one.
            desk.forget_player();
        }
        if let Some(remark) = self.options.means.fit(desk.host()) {
            desk.say(&format!("info string {remark}"));
        }
    }

    /// Fischer's chess writes castling in another way, even from the usual start.
    fn set_fischer(&mut self, fischer: bool, desk: &Desk<'_>) -> Result<(), TextError> {
        const USUAL_START: &str = "fischer=518";
        let spec = match fischer && !self.spec.contains("fischer") {
            true => Spec::parse(&self.spec).and_then(|spec| spec.changed(USUAL_START)),
            false => Ok(self.spec.clone()),
        };
        self.session = spec.and_then(|spec| desk.host().open(&spec))?;
        self.options.fischer = fischer;
        Ok(())
    }

    /// Goes to a position; where it cannot, it says so and knows no move until it hears of another.
    fn set_position(&mut self, fen: Option<&str>, moves: &[String], desk: &mut Desk<'_>) {
        self.refused = self.try_position(fen, moves, desk).err();
        if let Some(why) = &self.refused {
            desk.say(&format!("info string {why}"));
        }
    }

    fn try_position(
        &mut self,
        fen: Option<&str>,
        moves: &[String],
        desk: &Desk<'_>,
    ) -> Result<(), PositionError> {
        let opened = desk.host().open(&self.session.spec());
        let mut session = opened.map_err(PositionError::Game)?;
        // As a record: what ends a game by looking back is for the front to see.
        let ply = |m: &String| Ply { text: m.clone(), ..Ply::default() };
        let line = Line { plies: moves.iter().map(ply).collect(), ..Line::default() };
        let record = Record { start: fen.map(str::to_owned), line, ..Record::default() };
        session.replay(&record).map_err(PositionError::Position)?;
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

    fn go(&mut self, go: GoCommand, desk: &mut Desk<'_>) {
        if let Some(why) = &self.refused {
            desk.say(&format!("info string no move, since the position was refused: {why}"));
            desk.say("bestmove 0000");
            return;
        }
        if let Some(depth) = go.perft {
            self.count(depth, desk);
            return;
        }
        self.forget_path_if_over();
        if let Some(outcome) = self.session.outcome() {
            // There is nothing to play; fronts know that answer.
            let value = final_value(outcome);
            desk.say(&format!("info depth 0 score {}", self.write_worth(value)));
            desk.say("bestmove 0000");
            return;
        }
        let side = self.session.to_move();
        let limits = match go.ponder {
            true => GoCommand { infinite: true, ..go.clone() }.limits(side, Duration::ZERO),
            false => go.limits(side, self.options.overhead),
        };
        // Who says how far to think wants to hear of an only move, too; under a clock that would be
        // a waste.
        let lines = Some(self.options.lines).filter(|&lines| lines > 1 || limits.clock.is_none());
        let task =
            Task { limits: Some(limits), other_clock: None, lines, among: self.among(&go.among) };
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

    /// Counts the leaves of the game tree, as long as nobody says stop.
    fn count(&self, depth: u32, desk: &mut Desk<'_>) {
        let copied = desk.host().open(&self.session.spec()).and_then(|mut copy| {
            copy.follow(&*self.session)?;
            Ok(copy)
        });
        match copied {
            Err(why) => desk.say(&format!("info string {why}")),
            Ok(copy) => desk.work(move |stop, say| {
                let leaves =
                    copy.divide(depth, stop, &mut |text, leaves| say(format!("{text}: {leaves}")));
                match leaves {
                    Some(leaves) => say(format!("\nNodes searched: {leaves}\n")),
                    None => say("info string the count was stopped".to_owned()),
                }
            }),
        }
    }

    /// Shows the board and the position as text.
    fn display(&self, desk: &mut Desk<'_>) {
        desk.say(&format!("{}\n", self.session.diagram().to_string().trim_end()));
        desk.say(&format!("Fen: {}", self.session.position()));
    }

    /// A score, with chances if somebody wants to see them.
    fn write_worth(&self, value: Value) -> String {
        let side = self.session.to_move();
        let score = write_score(value, side);
        match self.options.show_chances {
            true => format!("{score} {}", write_chances(value, side)),
            false => score,
        }
    }

    /// One line for each line of play, or one that says how far it is.
    fn write_info(&self, info: &Info) -> Vec<String> {
        let time = info.elapsed.as_millis();
        let speed = (info.nodes as f64 / info.elapsed.as_secs_f64().max(1e-3)) as u64;
        let used = info.table_per_mille;
        let effort = format!("nodes {} nps {speed} hashfull {used} time {time}", info.nodes);
        let mut depth = info.depth.map_or_else(String::new, |depth| format!(" depth {depth}"));
        if info.lines.is_empty() {
            let number = info.root_moves.0.max(1);
            let current = info.best.as_ref();
            let current = current.map(|m| format!(" currmove {m} currmovenumber {number}"));
            return vec![format!("info{depth} {effort}{}", current.unwrap_or_default())];
        }
        depth += &format!(" seldepth {}", info.selective_depth);
        let several = info.lines.len() > 1;
        let lines = (1..).zip(&info.lines).map(|(number, line)| {
            let number = if several { format!(" multipv {number}") } else { String::new() };
            let score = self.write_worth(line.value);
            format!("info{depth}{number} score {score} {effort} pv {}", line.moves.join(" "))
        });
        lines.collect()
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
            Some(Command::Display) => self.display(desk),
            Some(Command::Stop) => self.hurry(desk),
            Some(Command::PonderHit) => self.ponder_hit(desk),
            Some(Command::Quit) => return Flow::Leave,
            None => {}
        }
        Flow::On
    }

    fn hear_progress(&mut self, info: &Info, desk: &mut Desk<'_>) {
        for line in self.write_info(info) {
            desk.say(&line);
        }
    }

    fn hear_choice(&mut self, choice: Result<Choice, HostError>, desk: &mut Desk<'_>) -> Flow {
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

/// What a finished game is worth to the first player.
fn final_value(outcome: Outcome) -> Value {
    Value::over(outcome.margin, outcome.margin_limit)
}

impl std::fmt::Debug for Uci {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Uci")
            .field("spec", &self.spec)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}
