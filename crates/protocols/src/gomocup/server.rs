//! Zermelo as an engine of the Gomocup protocol.

use std::time::{Duration, Instant};

use game::{Meaning, Side, Spec};
use play::record::{Line, Ply, Record};
use play::{Choice, Clock, Info, Limits, Session, Turn};

use super::codec::{Command, Reply, Wrong, write_point};
use super::swap2::{Asked, Next};
use crate::clock::limit;
use crate::command_error::CommandError;
use crate::desk::{Desk, Flow, Speaker};
use crate::host::HostError;
use crate::line_game::{LineGame, Point, considered, think_within};
use crate::polyglot::Identity;

/// For a move, if nobody says anything else.
const USUAL_TURN: Duration = Duration::from_secs(1);
/// For a move that shall come as fast as it can; the time is only for machines that are busy.
const AT_ONCE: Limits =
    Limits { depth: Some(1), nodes: None, time: Some(Duration::from_millis(300)), clock: None };
/// What managers send for a game without a limit.
const ENDLESS: i64 = i32::MAX as i64;
/// The most that a table takes, whatever the manager allows.
const MOST_MEGABYTES: u64 = 64;
const MEGABYTE: u64 = 1 << 20;
const MOST_THREADS: u64 = 256;

/// What the manager allows.
#[derive(Clone, Debug, Default)]
struct Allowed {
    turn: Option<Duration>,
    /// For the whole game; `None` for as long as it takes.
    game: Option<Duration>,
    /// What is left of it, as told before every move.
    left: Option<Duration>,
    bytes: Option<u64>,
    // Of the Yixin extension.
    depth: Option<u32>,
    nodes: Option<u64>,
    threads: Option<u64>,
}

/// Stones that a manager is listing.
struct Gathering {
    swap2: bool,
    stones: Vec<(Point, Option<u32>)>,
    /// What was wrong with them.
    wrong: Option<&'static str>,
}

/// What is thought over.
enum Thinking {
    Move,
    Opening(Asked),
}

/// Speaks the Gomocup protocol for a line game.
pub struct Gomocup {
    identity: Identity,
    /// The game as the manager wants it, the rule aside.
    spec: String,
    game: LineGame,
    session: Box<dyn Session>,
    started: bool,
    allowed: Allowed,
    /// The rule, if the manager named one, and whether the session does not know of it yet.
    rule: Option<String>,
    rule_is_new: bool,
    gathering: Option<Gathering>,
    thinking: Option<Thinking>,
    since: Instant,
    /// Time used in this game.
    used: Duration,
}

impl Gomocup {
    /// An engine for a line game; `None` if it is none.
    #[must_use]
    pub fn new(identity: &Identity, session: Box<dyn Session>) -> Option<Gomocup> {
        let spec = session.spec();
        Some(Gomocup {
            identity: identity.clone(),
            game: LineGame::of(&spec)?,
            spec,
            session,
            started: false,
            allowed: Allowed::default(),
            rule: None,
            rule_is_new: false,
            gathering: None,
            thinking: None,
            since: Instant::now(),
            used: Duration::ZERO,
        })
    }

    fn about(&self) -> Reply {
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        Reply::About(vec![
            pair("name", &self.identity.name),
            pair("version", &self.identity.version),
            pair("author", "the Zermelo project"),
            pair("country", "international"),
        ])
    }

    /// The game with the rule that the manager named.
    fn wanted(&self) -> Result<String, CommandError> {
        let win = match self.rule.as_deref() {
            None => return Ok(self.spec.clone()),
            Some("0") => "win=more",
            Some("1") => "win=exact",
            Some(other) => {
                return Err(format!(
                    "rule {other} is not played here; 0 is {0} or more in a row, 1 exactly {0}",
                    self.game.k
                )
                .into());
            }
        };
        Ok(Spec::parse(&self.spec).and_then(|spec| spec.changed(win))?)
    }

    fn start(
        &mut self,
        columns: usize,
        rows: usize,
        desk: &mut Desk<'_>,
    ) -> Result<(), CommandError> {
        if (self.game.p, self.game.q) != (1, 1) || !self.game.plain {
            return Err(format!(
                "this protocol has no words for {}; the text protocol has",
                self.spec
            )
            .into());
        }
        let size = format!("{rows}x{columns}");
        let spec = Spec::parse(&self.spec).and_then(|spec| spec.changed(&size))?;
        let before = std::mem::replace(&mut self.spec, spec);
        self.begin_anew(desk).inspect_err(|_| self.spec = before)?;
        self.started = true;
        Ok(())
    }

    /// An empty board.
    fn begin_anew(&mut self, desk: &mut Desk<'_>) -> Result<(), CommandError> {
        let session = desk.host().open(&self.wanted()?)?;
        self.game = LineGame::of(&session.spec()).unwrap_or(self.game);
        (self.session, self.rule_is_new, self.used) = (session, false, Duration::ZERO);
        self.allowed.left = None;
        desk.forget_player();
        self.thinking = None;
        Ok(())
    }

    /// Makes sure that there is a board, with the rule that the manager named.
    fn prepare(&mut self, desk: &Desk<'_>) -> Result<(), CommandError> {
        if !self.started {
            return Err("there is no board yet; START makes one".into());
        }
        if self.rule_is_new {
            let mut session = desk.host().open(&self.wanted()?)?;
            session.replay(&self.session.record())?;
            (self.session, self.rule_is_new) = (session, false);
        }
        Ok(())
    }

    fn hear_turn(&mut self, point: Option<Point>, desk: &mut Desk<'_>) -> Result<(), CommandError> {
        self.prepare(desk)?;
        if self.thinking.is_some() {
            return Err("I am thinking about my move".into());
        }
        match point {
            Some(point) => {
                let name = self.name(point)?;
                self.session.play(&name)?;
            }
            None if self.session.played().is_empty() => {}
            None => return Err("the board is not empty; TURN is right".into()),
        }
        self.think(desk)
    }

    fn name(&self, point: Point) -> Result<String, CommandError> {
        let off = || format!("{} is off the board", write_point(point)).into();
        self.game.name(point).ok_or_else(off)
    }

    fn think(&mut self, desk: &mut Desk<'_>) -> Result<(), CommandError> {
        if self.session.outcome().is_some() {
            return Err("the game is over".into());
        }
        let limits = self.limits();
        think_within(desk, &*self.session, &self.bot(), Some(limits), Vec::new())?;
        (self.thinking, self.since) = (Some(Thinking::Move), Instant::now());
        Ok(())
    }

    fn ask(&mut self, asked: Asked, desk: &mut Desk<'_>) -> Result<(), CommandError> {
        let mut limits = self.limits();
        limits.clock = None;
        let most = Duration::from_millis(if asked.thoughts() > 1 { 200 } else { 2000 });
        limits.time = limits.time.map(|time| (time / asked.thoughts()).min(most));
        think_within(desk, &*asked.session, &self.bot(), Some(limits), Vec::new())?;
        (self.thinking, self.since) = (Some(Thinking::Opening(asked)), Instant::now());
        Ok(())
    }

    /// What the manager allows for a move, with a little time to hand it over.
    fn limits(&self) -> Limits {
        let turn = self.allowed.turn.and_then(limit).unwrap_or(USUAL_TURN);
        if turn.is_zero() {
            return AT_ONCE;
        }
        let overhead = (turn / 10).clamp(Duration::from_millis(5), Duration::from_millis(100));
        let time = turn.saturating_sub(overhead).max(Duration::from_millis(1));
        let left = self.allowed.left;
        let left = left.or_else(|| Some(self.allowed.game?.saturating_sub(self.used)));
        let clock = left.map(|left| Clock { left, increment: Duration::ZERO, moves: None });
        let Allowed { depth, nodes, .. } = self.allowed;
        Limits { depth, nodes, time: Some(time), clock }
    }

    /// The player, with a table and threads as the manager allows.
    fn bot(&self) -> String {
        let bot = &self.identity.bot;
        // Half of it: there is more to a program than its table.
        let megabytes = self.allowed.bytes.map_or(MOST_MEGABYTES, |bytes| bytes / 2 / MEGABYTE);
        let megabytes = Some(megabytes.clamp(1, MOST_MEGABYTES));
        let mut parts: Vec<String> =
            bot.split(',').filter(|part| !part.is_empty()).map(str::to_owned).collect();
        for (key, value) in [("hash=", megabytes), ("threads=", self.allowed.threads)] {
            let said = parts.iter().any(|part| part.starts_with(key));
            parts.extend(value.filter(|_| !said).map(|value| format!("{key}{value}")));
        }
        parts.join(",")
    }

    /// Limits and rules; what is not known is not important.
    fn hear_info(&mut self, key: &str, value: &str, desk: &mut Desk<'_>) {
        let number = value.parse::<i64>().ok();
        let positive = number.and_then(|n| u64::try_from(n).ok()).filter(|&n| n > 0);
        let millis = number.map(|n| Duration::from_millis(n.max(0) as u64));
        match key {
            "timeout_turn" if millis.is_some() => {
                self.allowed.turn = millis;
                if matches!(self.thinking, Some(Thinking::Move)) {
                    let time = self.limits().usual_time().unwrap_or(USUAL_TURN);
                    desk.stop_in(time.saturating_sub(self.since.elapsed()));
                }
            }
            "timeout_match" => {
                self.allowed.game = millis.filter(|time| !time.is_zero()).and_then(limit);
            }
            "time_left" => {
                self.allowed.left = millis.filter(|_| number < Some(ENDLESS)).and_then(limit);
            }
            "max_memory" => self.allowed.bytes = positive,
            "max_depth" => self.allowed.depth = positive.and_then(|n| u32::try_from(n).ok()),
            "max_node" => self.allowed.nodes = positive,
            "thread_num" => self.allowed.threads = positive.map(|n| n.min(MOST_THREADS)),
            "rule" if self.rule.as_deref() != Some(value) => {
                (self.rule, self.rule_is_new) = (Some(value.to_owned()), true);
            }
            _ => {}
        }
    }

    fn take_back(&mut self, point: Point, desk: &mut Desk<'_>) -> Result<(), CommandError> {
        self.prepare(desk)?;
        let name = self.name(point)?;
        match self.session.played().last() {
            Some(last) if *last == name => {}
            Some(last) => {
                let last = self.game.point(last).map(write_point).unwrap_or_default();
                return Err(format!("the last move was {last}").into());
            }
            None => return Err("no move was made yet".into()),
        }
        self.cancel(desk);
        self.session.undo();
        Ok(())
    }

    fn cancel(&mut self, desk: &mut Desk<'_>) {
        desk.drop_thought();
        self.thinking = None;
    }

    fn gather(&mut self, stone: Point, whose: Option<u32>) -> Result<(), Wrong> {
        let Some(gathering) = &mut self.gathering else {
            return Err(Wrong::Unknown("stones without BOARD".to_owned()));
        };
        // No board has more.
        if gathering.stones.len() <= self.game.grid.squares() {
            gathering.stones.push((stone, whose));
        }
        Ok(())
    }

    fn hear_done(
        &mut self,
        gathering: &Gathering,
        desk: &mut Desk<'_>,
    ) -> Result<(), CommandError> {
        self.prepare(desk)?;
        self.cancel(desk);
        if let Some(wrong) = gathering.wrong {
            return Err(wrong.into());
        }
        if gathering.swap2 {
            let stones: Vec<Point> = gathering.stones.iter().map(|&(point, _)| point).collect();
            let spec = self.session.spec();
            let asked = Asked::with_stones(&stones, &self.game, &spec, desk)?;
            return self.ask(asked, desk);
        }
        self.set_board(&gathering.stones, desk)?;
        self.think(desk)
    }

    /// Goes to a position that is given by its stones, in the order in which they were placed or any other.
    fn set_board(
        &mut self,
        stones: &[(Point, Option<u32>)],
        desk: &Desk<'_>,
    ) -> Result<(), CommandError> {
        let mut sides: [Vec<String>; 2] = Default::default();
        let mut in_order = Vec::new();
        for &(point, whose) in stones {
            let name = self.name(point)?;
            let own = match whose {
                Some(1) => true,
                Some(2) => false,
                _ => return Err("a stone is X,Y,1 if it is mine and X,Y,2 if not".into()),
            };
            sides[usize::from(!own)].push(name.clone());
            in_order.push((name, own));
        }
        let [mine, theirs] = &sides;
        let i_began = match theirs.len().checked_sub(mine.len()) {
            Some(0) => true,
            Some(1) => false,
            _ => {
                let (mine, theirs) = (mine.len(), theirs.len());
                return Err(format!(
                    "{mine} of my stones and {theirs} of theirs make no turn of mine"
                )
                .into());
            }
        };
        let alternate = in_order.iter().zip([i_began, !i_began].into_iter().cycle());
        let as_told = alternate.clone().all(|((_, own), turn)| *own == turn);
        let told = in_order.iter().map(|(name, _)| name);
        let (first, second) = if i_began { (mine, theirs) } else { (theirs, mine) };
        let woven = (0..first.len()).flat_map(|i| first.get(i).into_iter().chain(second.get(i)));
        let moves: Vec<&String> = if as_told { told.collect() } else { woven.collect() };
        let plies = moves.into_iter().map(|m| Ply { text: m.clone(), ..Ply::default() });
        let line = Line { plies: plies.collect(), ..Line::default() };
        let record = Record { line, ..Record::default() };
        let mut session = desk.host().open(&self.session.spec())?;
        session.replay(&record)?;
        self.session = session;
        Ok(())
    }

    /// Makes the chosen move and says it.
    fn answer(&mut self, choice: &Choice, desk: &mut Desk<'_>) {
        let chosen = match &choice.turn {
            Turn::Play(text) => self.session.play(text).ok(),
            Turn::Claim | Turn::Resign => None,
        };
        // This protocol knows neither.
        let any = |session: &mut dyn Session| {
            let first = session.moves().into_iter().next()?;
            session.play(&first).ok()
        };
        let played = chosen.or_else(|| any(&mut *self.session));
        match played.and_then(|name| self.game.point(&name)) {
            Some(point) => desk.say(&write_point(point)),
            None => desk.say("ERROR there is no move"),
        }
    }

    fn answer_opening(&mut self, asked: Asked, choice: &Choice, desk: &mut Desk<'_>) {
        let names = match asked.answered(choice.analysis.as_ref(), desk) {
            Next::Ask(next) => {
                if let Err(why) = self.ask(next, desk) {
                    desk.say(&Reply::Error(why.to_string()).write());
                }
                return;
            }
            Next::Swap => return desk.say(&Reply::Swap.write()),
            Next::Place(names) if names.is_empty() => match &choice.turn {
                Turn::Play(text) => vec![text.clone()],
                Turn::Claim | Turn::Resign => return desk.say(&Reply::Swap.write()),
            },
            Next::Place(names) => names,
        };
        let points = names.iter().filter_map(|name| self.game.point(name)).collect();
        desk.say(&Reply::Stones(points).write());
    }

    fn obey(&mut self, command: Command, desk: &mut Desk<'_>) -> Result<(), Wrong> {
        let gathering = match command {
            // These may come between the stones of a board; anything else ends their list.
            Command::Stone(..) | Command::Info { .. } | Command::Stop => None,
            _ => self.gathering.take(),
        };
        let done = match command {
            Command::Start { columns, rows } => self.start(columns, rows, desk).map(|()| true),
            Command::Restart => match self.started {
                true => self.begin_anew(desk).map(|()| true),
                false => self.prepare(desk).map(|()| true),
            },
            Command::Begin => self.hear_turn(None, desk).map(|()| false),
            Command::Turn(point) => self.hear_turn(Some(point), desk).map(|()| false),
            Command::Board | Command::Swap2Board => {
                let swap2 = command == Command::Swap2Board;
                self.gathering = Some(Gathering { swap2, stones: Vec::new(), wrong: None });
                Ok(false)
            }
            Command::Stone(point, whose) => return self.gather(point, whose),
            Command::Done => match gathering {
                Some(gathering) => self.hear_done(&gathering, desk).map(|()| false),
                None => return Err(Wrong::Unknown("DONE without BOARD".to_owned())),
            },
            Command::Info { key, value } => {
                self.hear_info(&key, &value, desk);
                Ok(false)
            }
            Command::TakeBack(point) => self.take_back(point, desk).map(|()| true),
            Command::About => {
                desk.say(&self.about().write());
                Ok(false)
            }
            Command::Stop => {
                desk.stop();
                Ok(false)
            }
            Command::End => Ok(false),
        };
        if done.map_err(|why| Wrong::Bad(why.to_string()))? {
            desk.say(&Reply::Ok.write());
        }
        Ok(())
    }
}

impl Speaker for Gomocup {
    fn hear(&mut self, line: &str, desk: &mut Desk<'_>) -> Flow {
        let command = match (Command::read(line), &mut self.gathering) {
            (Ok(None), _) => return Flow::On,
            (Ok(Some(Command::End)), _) => return Flow::Leave,
            (Ok(Some(command)), _) => Ok(command),
            // Nobody waits for an answer until the list is done.
            (Err(Wrong::Unknown(_)), Some(gathering)) => {
                gathering.wrong.get_or_insert("a stone is X,Y,WHOSE");
                return Flow::On;
            }
            (Err(wrong), _) => Err(wrong),
        };
        match command.and_then(|command| self.obey(command, desk)) {
            Ok(()) => {}
            Err(Wrong::Bad(why)) => desk.say(&Reply::Error(why).write()),
            Err(Wrong::Unknown(what)) => desk.say(&Reply::Unknown(what).write()),
        }
        Flow::On
    }

    fn hear_progress(&mut self, info: &Info, desk: &mut Desk<'_>) {
        if let (Some(Thinking::Move), Some(line)) = (&self.thinking, info.lines.first()) {
            let value = value_text(line.value, self.session.to_move());
            let points = line.moves.iter().filter_map(|name| self.game.point(name));
            let points: Vec<String> = points.map(write_point).collect();
            let depth = info.depth.unwrap_or(info.selective_depth);
            let text =
                format!("depth {depth}, {value}, {} nodes, {}", info.nodes, points.join(" "));
            desk.say(&Reply::Message(text).write());
        }
    }

    fn hear_choice(&mut self, choice: Result<Choice, HostError>, desk: &mut Desk<'_>) -> Flow {
        self.used += self.since.elapsed();
        let choice = choice.unwrap_or_else(|why| {
            desk.say(&Reply::Message(why.to_string()).write());
            Choice { turn: Turn::Resign, analysis: None }
        });
        match self.thinking.take() {
            Some(Thinking::Move) => self.answer(&considered(choice, &*self.session, desk), desk),
            Some(Thinking::Opening(asked)) => self.answer_opening(asked, &choice, desk),
            None => {}
        }
        Flow::On
    }
}

/// What a position is worth to a side, in words.
fn value_text(value: game::Value, side: Side) -> String {
    match value.seen_by(side).meaning() {
        Meaning::WonIn(plies) => format!("won in {plies}"),
        Meaning::LostIn(plies) => format!("lost in {plies}"),
        Meaning::Margin(number) | Meaning::Score(number) => format!("value {number}"),
    }
}

impl std::fmt::Debug for Gomocup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gomocup")
            .field("spec", &self.spec)
            .field("allowed", &self.allowed)
            .finish_non_exhaustive()
    }
}
