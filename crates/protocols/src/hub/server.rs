//! Zermelo as a Hub engine.

use std::collections::VecDeque;
use std::time::Duration;

use game::{Expected, Spec, quote};
use play::record::{Line, Ply, Record};
use play::{Choice, Info, Limits, Session, Task, Turn};

use super::codec::{Command, LevelLimits, Mode, write_score};
use super::sentence::{LONGEST, Sentence};
use super::{NORMAL, variant_word};
use crate::bot::{MOST_MEGABYTES, MOST_THREADS, Means, SKILLS};
use crate::command_error::PositionError;
use crate::desk::{Desk, Flow, Speaker};
use crate::host::HostError;

/// A table of 2^16 entries of 16 bytes, as Scan counts them, is a megabyte.
const ENTRIES_PER_MEGABYTE: u32 = 16;
/// The variants that the protocol has words for; those that the house has are offered.
const VARIANTS: [&str; 5] = [NORMAL.0, "killer", "bt", "frisian", "losing"];

/// Speaks Hub for a game.
pub struct Hub {
    name: String,
    version: String,
    /// The game it was started for, and the bot that plays it.
    spec: String,
    bot: String,
    session: Box<dyn Session>,
    means: Means,
    level: LevelLimits,
    /// What is thought for, while it is.
    mode: Option<Mode>,
    /// Why the last position could not be taken: thinking about the one before it would answer another question.
    lost: Option<PositionError>,
    /// What the front says before it has heard the answer to what it asked before. A front that says `stop` may go on at
    /// once, and still gets that answer first.
    queue: VecDeque<Command>,
}

impl Hub {
    /// An engine of this name for a game at its start. The bot says what the player is beside what fronts set.
    #[must_use]
    pub fn new(name: &str, version: &str, session: Box<dyn Session>, bot: &str) -> Hub {
        Hub {
            name: name.to_owned(),
            version: version.to_owned(),
            spec: session.spec(),
            bot: bot.to_owned(),
            session,
            means: Means::default(),
            level: LevelLimits::default(),
            mode: None,
            lost: None,
            queue: VecDeque::new(),
        }
    }

    fn introduce(&self, desk: &mut Desk<'_>) {
        let id = Sentence::new("id").with("name", &self.name).with("version", &self.version);
        desk.say(&id.with("author", "the Zermelo project").write());
        let Means { hash_megabytes, threads, skill, .. } = &self.means;
        let param = |name: &str, value: String, kind: &str| {
            Sentence::new("param").with("name", name).with("value", value).with("type", kind)
        };
        let number = |name: &str, value: u32, low: u32, high: u32| {
            let param = param(name, value.to_string(), "int");
            param.with("min", low.to_string()).with("max", high.to_string())
        };
        let choice = |name: &str, value: &str, values: &[&str]| {
            param(name, value.to_owned(), "enum").with("values", values.join(" "))
        };
        let now = self.session.spec();
        let entries = ENTRIES_PER_MEGABYTE + hash_megabytes.ilog2();
        let most_entries = ENTRIES_PER_MEGABYTE + MOST_MEGABYTES.ilog2();
        let skill = skill.as_deref().unwrap_or(SKILLS[0]);
        for param in [
            choice("variant", variant_word(&now), &self.variants(desk)),
            number("hash", *hash_megabytes, 1, MOST_MEGABYTES),
            number("tt-size", entries, ENTRIES_PER_MEGABYTE, most_entries),
            number("threads", *threads, 1, MOST_THREADS),
            choice("level", skill, &SKILLS),
            param("book", "false".to_owned(), "bool"),
            param("ponder", "false".to_owned(), "bool"),
        ] {
            desk.say(&param.write());
        }
        desk.say("wait");
    }

    /// Its own variant, and those of the protocol's that can be played here.
    fn variants(&self, desk: &Desk<'_>) -> Vec<&str> {
        let own = variant_word(&self.spec);
        let others = VARIANTS.into_iter().filter(|&word| word != own);
        let known = others.filter(|word| self.open_variant(word, desk).is_some());
        std::iter::once(own).chain(known).collect()
    }

    /// The game of this family that the protocol means by a word.
    fn open_variant(&self, word: &str, desk: &Desk<'_>) -> Option<Box<dyn Session>> {
        if word == variant_word(&self.spec) {
            return desk.host().open(&self.spec).ok();
        }
        let family = Spec::family_of(&self.spec);
        let variant = if word == NORMAL.0 { NORMAL.1 } else { word };
        let spec = format!("{family}:{variant}");
        let is_word = variant.bytes().all(|b| b.is_ascii_lowercase());
        let opened = is_word.then(|| desk.host().open(&spec))?.ok();
        // A switch may be a word too, but is no name of a game.
        opened.filter(|session| session.spec() == spec)
    }

    fn set_param(&mut self, name: &str, value: &str, desk: &mut Desk<'_>) {
        let number = |low: u32, high: u32| {
            let number = value.parse().ok().filter(|n| (low..=high).contains(n));
            number.ok_or_else(|| Expected::from(format!("{name} is a number from {low} to {high}")))
        };
        let means = &mut self.means;
        let done = match name {
            "hash" => number(1, MOST_MEGABYTES).map(|n| means.hash_megabytes = n),
            "tt-size" => {
                let (low, high) = (ENTRIES_PER_MEGABYTE, MOST_MEGABYTES.ilog2());
                number(low, low + high).map(|n| means.hash_megabytes = 1 << (n - low))
            }
            "threads" => number(1, MOST_THREADS).map(|n| means.threads = n),
            "level" | "skill" => means.set_skill(name, value),
            "variant" => self.set_variant(value, desk),
            // There is no book, and whether the front ponders is its own business.
            "book" | "book-ply" | "book-margin" | "bb-size" | "ponder" => Ok(()),
            _ => Err(format!("there is no parameter {}", quote(name)).into()),
        };
        if let Err(why) = done {
            complain(desk, &why.to_string());
        } else if ["hash", "tt-size"].contains(&name)
            && let Some(remark) = self.means.fit(desk.host())
        {
            complain(desk, &remark);
        }
    }

    fn set_variant(&mut self, word: &str, desk: &Desk<'_>) -> Result<(), Expected> {
        match self.open_variant(word, desk) {
            Some(session) if session.spec() == self.session.spec() => Ok(()),
            Some(session) => {
                (self.session, self.lost) = (session, None);
                Ok(())
            }
            None => {
                let known = self.variants(desk).join(", ");
                Err(format!("there is no variant {}; there are {known}", quote(word)).into())
            }
        }
    }

    fn set_position(&mut self, position: Option<&str>, moves: &[String], desk: &mut Desk<'_>) {
        self.lost = self.try_position(position, moves, desk).err();
        if let Some(why) = &self.lost {
            complain(desk, &why.to_string());
        }
    }

    fn try_position(
        &mut self,
        position: Option<&str>,
        moves: &[String],
        desk: &Desk<'_>,
    ) -> Result<(), PositionError> {
        let opened = desk.host().open(&self.session.spec());
        let mut session = opened.map_err(PositionError::Game)?;
        let start = position.map(|text| session.read_wire_position(text)).transpose();
        let start = start.map_err(PositionError::Position)?;
        if let Some(start) = &start {
            session.set_position(start).map_err(PositionError::Position)?;
        }
        let played = session.read_wire_line(moves);
        if let Some(wrong) = moves.get(played.len()) {
            let (number, said) = (played.len() + 1, wrong.clone());
            return Err(PositionError::Illegal { number, said });
        }
        // As a record: what ends a game by looking back is for the front to see.
        let ply = |text: String| Ply { text, ..Ply::default() };
        let line = Line { plies: played.into_iter().map(ply).collect(), ..Line::default() };
        let record = Record { start, line, ..Record::default() };
        session.replay(&record).map_err(PositionError::Position)?;
        // A front that plays on where our rules see the end by looking back gets its answer from the board alone: what the
        // protocol says of a position has no counts.
        if session.outcome().is_some() {
            let board = session.read_wire_position(&session.wire_position());
            let board = board.map_err(PositionError::Position)?;
            session.set_position(&board).map_err(PositionError::Position)?;
        }
        self.session = session;
        Ok(())
    }

    fn go(&mut self, mode: Mode, desk: &mut Desk<'_>) {
        if let Some(why) = &self.lost {
            complain(desk, &format!("there is no position: {why}"));
            return;
        }
        if self.session.outcome().is_some() {
            complain(desk, "the game is over");
            return;
        }
        let (limits, endless) = match (mode, self.level.limits()) {
            (Mode::Think, limits) => (limits, self.level.infinite),
            (Mode::Analyze, Some(limits)) => (Some(limits), self.level.infinite),
            // No clock runs until the other side has moved, and none for who just wants to know.
            (Mode::Ponder | Mode::Analyze, limits) => {
                let all = Limits { time: Some(LONGEST), clock: None, ..limits.unwrap_or_default() };
                (Some(all), true)
            }
        };
        // Nobody can claim a draw in this protocol: a side that could has to choose among all moves.
        let claimable = self.session.claimable().is_some();
        let among = if claimable { self.session.moves() } else { Vec::new() };
        let task = Task { limits, other_clock: None, lines: None, among };
        match desk.think(&*self.session, &self.means.describe(&self.bot), task) {
            Ok(()) => self.mode = Some(mode),
            Err(why) => complain(desk, &why.to_string()),
        }
        if endless {
            desk.until_told();
        }
    }

    /// From now on it is our own time.
    fn ponder_hit(&mut self, desk: &mut Desk<'_>) {
        if self.mode != Some(Mode::Ponder) {
            return;
        }
        self.mode = Some(Mode::Think);
        if self.level.infinite {
            return;
        }
        match self.level.limits().map(|limits| (limits.usual_time(), limits)) {
            Some((Some(time), _)) => desk.stop_in(time),
            // It ends by itself.
            Some((None, _)) => {}
            None => desk.stop_in(Duration::from_secs(1)),
        }
    }

    fn answer(&mut self, choice: &Choice, desk: &mut Desk<'_>) {
        self.mode = None;
        let first = match &choice.turn {
            Turn::Play(text) => Some(text.clone()),
            // The protocol knows nothing but moves.
            Turn::Claim | Turn::Resign => self.session.moves().first().cloned(),
        };
        let Some(first) = first else { return complain(desk, "the game is over") };
        let expected = choice.analysis.as_ref().and_then(|analysis| {
            let [best, expected, ..] = &analysis.pv[..] else { return None };
            (*best == first).then(|| expected.clone())
        });
        let line: Vec<String> = std::iter::once(first).chain(expected).collect();
        let line = self.session.wire_line(&line);
        let [best, expected @ ..] = &line[..] else {
            return complain(desk, "a move was chosen that is not legal");
        };
        let mut done = Sentence::new("done").with("move", best);
        if let Some(expected) = expected.first() {
            done = done.with("ponder", expected);
        }
        desk.say(&done.write());
    }

    /// Does what a front may ask for while nobody thinks.
    fn obey(&mut self, command: Command, desk: &mut Desk<'_>) {
        match command {
            Command::Hub => self.introduce(desk),
            Command::SetParam { name, value } => self.set_param(&name, &value, desk),
            Command::Init => desk.say("ready"),
            Command::Position { position, moves } => {
                self.set_position(position.as_deref(), &moves, desk);
            }
            Command::Level(level) => self.level = level,
            Command::Go(mode) => self.go(mode, desk),
            Command::NewGame => desk.forget_player(),
            Command::Ping => desk.say("pong"),
            Command::PonderHit | Command::Stop | Command::Quit => {}
        }
    }

    /// Hears a command while somebody thinks.
    fn interrupt(&mut self, command: Command, desk: &mut Desk<'_>) {
        let asked_again = self.queue.iter().any(|waiting| matches!(waiting, Command::Go(_)));
        match command {
            Command::Ping => desk.say("pong"),
            Command::Stop if !asked_again => desk.stop(),
            Command::PonderHit if !asked_again => self.ponder_hit(desk),
            command => {
                // Whoever asks anew does not want to wait for what it asked before.
                if matches!(command, Command::Go(_) | Command::NewGame | Command::Init) {
                    desk.stop();
                }
                self.queue.push_back(command);
            }
        }
    }

    /// Catches up with what was said while somebody thought.
    fn catch_up(&mut self, desk: &mut Desk<'_>) {
        while !desk.is_thinking()
            && let Some(command) = self.queue.pop_front()
        {
            self.obey(command, desk);
        }
        // What was said after the question that is thought about now may concern it.
        if desk.is_thinking() {
            let later: Vec<Command> = self.queue.drain(..).collect();
            for command in later {
                self.interrupt(command, desk);
            }
        }
    }
}

impl Speaker for Hub {
    fn hear(&mut self, line: &str, desk: &mut Desk<'_>) -> Flow {
        match Command::read(line) {
            Some(Command::Quit) => return Flow::Leave,
            Some(command) if desk.is_thinking() => self.interrupt(command, desk),
            Some(command) => self.obey(command, desk),
            // As the protocol asks: what is not known is passed over.
            None => {}
        }
        Flow::On
    }

    fn hear_progress(&mut self, info: &Info, desk: &mut Desk<'_>) {
        desk.say(&write_info(info, &*self.session).write());
    }

    fn hear_choice(&mut self, choice: Result<Choice, HostError>, desk: &mut Desk<'_>) -> Flow {
        match choice {
            Ok(choice) => self.answer(&choice, desk),
            Err(why) => {
                complain(desk, &why.to_string());
                self.answer(&Choice { turn: Turn::Resign, analysis: None }, desk);
            }
        }
        self.catch_up(desk);
        Flow::On
    }
}

fn complain(desk: &mut Desk<'_>, why: &str) {
    desk.say(&Sentence::new("error").with("message", why).write());
}

fn write_info(info: &Info, session: &dyn Session) -> Sentence {
    let mut said = Sentence::new("info");
    if let Some(depth) = info.depth {
        said = said.with("depth", depth.to_string());
    }
    let line = info.lines.first();
    if let Some(line) = line {
        said = said.with("score", write_score(line.value, session.to_move()));
    }
    let seconds = info.elapsed.as_secs_f64();
    let millions = info.nodes as f64 / seconds.max(1e-3) / 1e6;
    said = said
        .with("nodes", info.nodes.to_string())
        .with("time", format!("{seconds:.3}"))
        .with("nps", format!("{millions:.3}"));
    match line.map(|line| session.wire_line(&line.moves)) {
        Some(pv) if !pv.is_empty() => said.with("pv", pv.join(" ")),
        _ => said,
    }
}

impl std::fmt::Debug for Hub {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hub")
            .field("spec", &self.spec)
            .field("means", &self.means)
            .finish_non_exhaustive()
    }
}
