//! Zermelo as an engine of the text protocol, both versions at once.
//!
//! One thing after the other: what is said while a stone is thought of waits for its turn, so that
//! a script is answered as somebody who types is. Only `isready` and `halt` are heard at once.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use game::{Side, Spec, TextError, Value};
use play::{Choice, Info, Limits, Session, Stop, Task, Turn};

use super::codec::{Command, GoCommand, HELP, Seat, Wrong, bot_named, write_point};
use super::replies::{CLASSIC_TIMES, NODE, PLAYOUT, Reply, Thought, ThoughtWorth, numbers};
use crate::bot::described;
use crate::command_error::CommandError;
use crate::desk::{Desk, Flow, Speaker};
use crate::host::HostError;
use crate::line_game::{LineGame, Point, considered, stones, think_within, winning_line};
use crate::polyglot::Identity;

/// The version spoken here.
const VERSION: u32 = 2;
/// No game is begun after so much thought, if games are only played to be measured.
const LONG_ENOUGH: Duration = Duration::from_secs(60);

/// What is thought over.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Thinking {
    /// A stone of the game under way.
    Stone,
    /// A question, which changes nothing.
    Question {
        /// The moves to choose among; all if there are none.
        among: Vec<String>,
    },
}

/// Speaks the text protocol for a line game.
pub struct Text {
    name: String,
    game: LineGame,
    session: Box<dyn Session>,
    /// Who plays, once a game was begun.
    seats: Option<[Seat; 2]>,
    ai: String,
    limits: Limits,
    /// Whether thoughts are told.
    tells: bool,
    thinking: Option<Thinking>,
    /// What was said meanwhile.
    waiting: VecDeque<Result<Command, Wrong>>,
    /// Whether the front has gone.
    front_left: bool,
    since: Instant,
    /// How long the player has searched, and over how many stones.
    thought: (Duration, u32),
}

impl Text {
    /// An engine for a line game; `None` if it is none.
    #[must_use]
    pub fn new(identity: &Identity, session: Box<dyn Session>) -> Option<Text> {
        Some(Text {
            name: format!("name {} version {}", identity.name, identity.version),
            game: LineGame::of(&session.spec())?,
            session,
            seats: None,
            ai: described(&identity.text_ai),
            limits: Limits::default(),
            tells: false,
            thinking: None,
            waiting: VecDeque::new(),
            front_left: false,
            since: Instant::now(),
            thought: (Duration::ZERO, 0),
        })
    }

    fn new_game(&mut self, seats: [Seat; 2], desk: &mut Desk<'_>) -> Result<(), CommandError> {
        let session = desk.host().open(&self.session.spec())?;
        desk.forget_player();
        (self.session, self.seats) = (session, Some(seats));
        desk.say(&Reply::Started.write());
        self.go_on(desk);
        Ok(())
    }

    fn seat(&self, side: Side) -> Option<Seat> {
        self.seats.map(|seats| seats[side.index()])
    }

    /// Lets the engine place its stone, if it is its turn.
    fn go_on(&mut self, desk: &mut Desk<'_>) {
        let over = self.session.outcome().is_some();
        if over || self.seat(self.session.to_move()) != Some(Seat::Ai) {
            return;
        }
        let limits = Some(self.limits).filter(|&limits| limits != Limits::default());
        let begun = think_within(desk, &*self.session, &self.ai, limits, Vec::new());
        (self.thinking, self.since) = (Some(Thinking::Stone), Instant::now());
        if let Err(why) = begun {
            desk.say(&Reply::Error(why.to_string()).write());
            self.thinking = None;
        }
    }

    /// The front's stone.
    fn make_move(&mut self, point: Point, desk: &mut Desk<'_>) {
        let side = self.session.to_move();
        let name = self.game.name(point).filter(|_| self.seat(side) == Some(Seat::Human));
        match name.and_then(|name| self.session.play(&name).ok()) {
            Some(_) => {
                self.announce(side, point, desk);
                self.go_on(desk);
            }
            None => desk.say(&Reply::InvalidMove.write()),
        }
    }

    /// Says that a stone was placed, and whether the game is over.
    fn announce(&self, side: Side, point: Point, desk: &mut Desk<'_>) {
        desk.say(&Reply::Move(side, point).write());
        let Some(outcome) = self.session.outcome() else { return };
        let Some(winner) = outcome.winner() else { return desk.say(&Reply::Draw.write()) };
        desk.say(&Reply::Winner(winner).write());
        if let Some((from, to)) = winning_line(&*self.session, &self.game, point) {
            desk.say(&Reply::WinningLine(from, to).write());
        }
    }

    /// The engine's stone. A player that gives up, or fails, still has to place one.
    fn place(&mut self, choice: &Choice, desk: &mut Desk<'_>) {
        let side = self.session.to_move();
        let chosen = match &choice.turn {
            Turn::Play(text) => self.session.play(text).ok(),
            Turn::Claim | Turn::Resign => None,
        };
        let any = |session: &mut dyn Session| {
            let first = session.moves().into_iter().next()?;
            session.play(&first).ok()
        };
        let played = chosen.or_else(|| any(&mut *self.session));
        if let Some(point) = played.and_then(|name| self.game.point(&name)) {
            self.announce(side, point, desk);
            // Nobody is left to see the next turn.
            let last_turn = self.is_alone() && self.session.to_move() != side;
            if !last_turn {
                self.go_on(desk);
            }
        }
    }

    /// Whether the front has gone and was answered to all it said.
    fn is_alone(&self) -> bool {
        self.front_left && self.waiting.is_empty()
    }

    fn print_board(&self, desk: &mut Desk<'_>) {
        let diagram = self.session.diagram();
        let grid = diagram.grid();
        for row in (0..grid.rows).rev() {
            let cells = (0..grid.columns).map(|column| {
                let cell = diagram.cell(game::Square { row, column });
                match cell.owner {
                    Some(Side::First) => 'X',
                    Some(Side::Second) => 'O',
                    None => cell.glyph,
                }
            });
            desk.say(&cells.collect::<String>());
        }
    }

    /// The game without the name of its family.
    fn game_text(&self) -> String {
        Spec::arguments_of(&self.session.spec()).to_owned()
    }

    fn set_game(&mut self, text: &str, desk: &mut Desk<'_>) -> Result<(), CommandError> {
        let spec = self.session.spec();
        let family = Spec::family_of(&spec);
        let session = desk.host().open(&format!("{family}:{text}"))?;
        self.game = LineGame::of(&session.spec()).ok_or("that is no line game")?;
        (self.session, self.seats) = (session, None);
        Ok(())
    }

    fn set_position(
        &mut self,
        start: Option<String>,
        moves: &[Point],
        desk: &mut Desk<'_>,
    ) -> Result<(), CommandError> {
        let mut session = desk.host().open(&self.session.spec())?;
        if let Some(text) = start {
            session.set_position(&text).map_err(|e| self.in_points(e))?;
        }
        for (number, &point) in (1..).zip(moves) {
            let name = self.game.name(point).ok_or_else(|| self.off_board(number, point))?;
            session.play(&name).map_err(|e| {
                let why = self.game.in_points(e.why(), write_point);
                format!("move {number}, {}: {why}", write_point(point))
            })?;
        }
        // Nobody moves by itself from here.
        (self.session, self.seats) = (session, Some([Seat::Human; 2]));
        Ok(())
    }

    fn off_board(&self, number: usize, point: Point) -> String {
        let game::Grid { rows, columns } = self.game.grid;
        format!(
            "move {number}, {}, is off the board: x is from 1 to {columns}, y from 1 to {rows}",
            write_point(point)
        )
    }

    /// What is wrong with the text of a position. Turns may look like squares.
    fn in_points(&self, error: TextError) -> TextError {
        let board = error.text().split(' ').next().unwrap_or_default().chars().count();
        if error.character().is_some_and(|at| at > board) {
            return error;
        }
        let why = self.game.in_points(error.why(), write_point);
        let translated = TextError::new(error.text(), why);
        match error.character() {
            Some(at) => translated.at(at),
            None => translated,
        }
    }

    fn set_ai(&mut self, name: &str, desk: &mut Desk<'_>) -> Result<(), CommandError> {
        let bot = bot_named(name);
        desk.host().player(&self.session.spec(), &bot)?;
        self.ai = bot;
        self.thought = (Duration::ZERO, 0);
        desk.say(&Reply::Ai(name.to_owned()).write());
        Ok(())
    }

    fn go(&mut self, go: &GoCommand, desk: &mut Desk<'_>) -> Result<(), CommandError> {
        if self.session.outcome().is_some() {
            return Err("the game is over".into());
        }
        let legal = self.session.moves();
        let names = go.among.iter().filter_map(|&point| self.game.name(point));
        let among: Vec<String> = names.filter(|name| legal.contains(name)).collect();
        if among.is_empty() && !go.among.is_empty() {
            return Err("there is no legal move among these".into());
        }
        let limits = [go.limits, self.limits].into_iter().find(|&l| l != Limits::default());
        think_within(desk, &*self.session, &self.ai, limits, among.clone())?;
        (self.thinking, self.since) = (Some(Thinking::Question { among }), Instant::now());
        Ok(())
    }

    fn answer(&self, choice: Choice, among: Vec<String>, desk: &mut Desk<'_>) {
        let choice = match among.is_empty() {
            true => considered(choice, &*self.session, desk),
            false => choice,
        };
        let allowed = if among.is_empty() { self.session.moves() } else { among };
        // Simple players do not hear what to choose among.
        let chosen = match choice.turn {
            Turn::Play(text) if allowed.contains(&text) => Some(text),
            _ => allowed.into_iter().next(),
        };
        match chosen.and_then(|name| self.game.point(&name)) {
            Some(point) => desk.say(&Reply::Best(point).write()),
            None => desk.say(&Reply::Error("there is no move".to_owned()).write()),
        }
    }

    /// How long the player and the rules take, measured here and now.
    fn measure(&self, games: Option<usize>, desk: &mut Desk<'_>) -> Result<(), CommandError> {
        let timing = desk.host().time(&self.session.spec(), &self.ai, games)?;
        let choose = match (timing.choose, self.thought) {
            (Some(choose), _) => choose,
            (None, (_, 0)) => self.time_of_a_stone(games, desk)?,
            (None, (total, count)) => total.as_nanos() as f64 / f64::from(count),
        };
        let [player, check, list] = CLASSIC_TIMES;
        let mut times = vec![(player, choose), (check, timing.make), (list, timing.list)];
        if games.is_some() {
            times.push((PLAYOUT, timing.playout));
            times.extend(timing.node.map(|node| (NODE, node)));
        }
        for (what, time) in times {
            desk.say(&Reply::Perf(what.to_owned(), time).write());
        }
        Ok(())
    }

    /// Nanoseconds for a stone of a player that searches, but has not yet: over so many whole games
    /// against itself, or its first stone alone. It takes what it takes in a game.
    fn time_of_a_stone(&self, games: Option<usize>, desk: &Desk<'_>) -> Result<f64, CommandError> {
        let spec = self.session.spec();
        let mut player = desk.host().player(&spec, &self.ai)?;
        let (mut spent, mut stones) = (Duration::ZERO, 0u32);
        for _ in 0..games.unwrap_or(1) {
            let mut session = desk.host().open(&spec)?;
            while session.outcome().is_none() {
                let start = Instant::now();
                let choice =
                    player.choose(&*session, &Task::default(), &Stop::new(), &mut |_| {})?;
                spent += start.elapsed();
                stones += 1;
                let Turn::Play(text) = choice.turn else { break };
                session.play(&text)?;
                if games.is_none() {
                    break;
                }
            }
            if spent >= LONG_ENOUGH {
                break;
            }
        }
        Ok(spent.as_nanos() as f64 / f64::from(stones.max(1)))
    }

    /// Whose stone is next; once the game is over, whose was last.
    fn player(&self) -> Side {
        match self.session.outcome() {
            None => self.session.to_move(),
            Some(_) => self.game.turn_after(self.moves_made().saturating_sub(1)).0,
        }
    }

    fn moves_left(&self) -> usize {
        let over = self.session.outcome().is_some();
        if over { 0 } else { self.game.turn_after(self.moves_made()).1 }
    }

    fn moves_made(&self) -> usize {
        stones(&*self.session, &self.game).len()
    }

    fn moves(&self) -> Vec<Point> {
        let mut points: Vec<Point> =
            self.session.moves().iter().filter_map(|name| self.game.point(name)).collect();
        points.sort_by_key(|point| (point.y, point.x));
        points
    }

    fn obey(&mut self, command: Command, desk: &mut Desk<'_>) -> Result<(), CommandError> {
        let reply = match command {
            Command::NewGame(seats) => return self.new_game(seats, desk),
            Command::PrintBoard => {
                self.print_board(desk);
                return Ok(());
            }
            Command::GetMoves => Reply::Moves(self.moves()),
            Command::GetPlayer => Reply::Player(self.player()),
            Command::MovesLeft => Reply::Number(self.moves_left() as u64),
            Command::MovesMade => Reply::Number(self.moves_made() as u64),
            Command::MakeMove(point) => {
                self.make_move(point, desk);
                return Ok(());
            }
            Command::Perf(games) => return self.measure(games, desk),
            Command::IsReady => Reply::ReadyOk,
            Command::Info => Reply::Info(self.game),
            Command::Help => {
                HELP.iter().for_each(|line| desk.say(line));
                return Ok(());
            }
            Command::Quit => {
                desk.say(&format!("{}{}", numbers(&self.game), Reply::Exited.write()));
                return Ok(());
            }
            Command::SetAi(name) => return self.set_ai(&name, desk),
            Command::Hello(_) => {
                desk.say(&Reply::Hello(VERSION, self.name.clone()).write());
                Reply::Ready
            }
            Command::Game(None) => Reply::Game(self.game_text()),
            Command::Game(Some(text)) => {
                self.set_game(&text, desk)?;
                Reply::Game(self.game_text())
            }
            Command::Position { start, moves } => {
                self.set_position(start, &moves, desk)?;
                Reply::Ok
            }
            Command::Go(go) => return self.go(&go, desk),
            Command::Limit(limits) => {
                self.limits = limits;
                Reply::Ok
            }
            Command::Think(on) => {
                self.tells = on;
                Reply::Ok
            }
            // Heard before anything waits for its turn.
            Command::Halt => return Ok(()),
        };
        desk.say(&reply.write());
        Ok(())
    }
}

impl Text {
    /// Answers what waits, until something has to be thought of.
    fn catch_up(&mut self, desk: &mut Desk<'_>) -> Flow {
        while self.thinking.is_none()
            && let Some(said) = self.waiting.pop_front()
        {
            if self.react(said, desk) == Flow::Leave {
                return Flow::Leave;
            }
        }
        if self.is_alone() {
            desk.stop();
        }
        Flow::On
    }

    fn react(&mut self, said: Result<Command, Wrong>, desk: &mut Desk<'_>) -> Flow {
        let leaves = said == Ok(Command::Quit);
        let refused = match said {
            Ok(command) => self.obey(command, desk).err().map(|why| Reply::Error(why.to_string())),
            Err(Wrong::Unknown) => Some(Reply::UnknownCommand),
            Err(Wrong::Move) => Some(Reply::InvalidMove),
            Err(Wrong::Text(why)) => Some(Reply::Error(why)),
        };
        if let Some(reply) = refused {
            desk.say(&reply.write());
        }
        if leaves { Flow::Leave } else { Flow::On }
    }
}

impl Speaker for Text {
    fn hear(&mut self, line: &str, desk: &mut Desk<'_>) -> Flow {
        let Some(said) = Command::read(line).transpose() else { return Flow::On };
        match said {
            Ok(Command::Halt) => desk.stop(),
            Ok(Command::IsReady) if self.waiting.is_empty() => {
                desk.say(&Reply::ReadyOk.write());
            }
            said => self.waiting.push_back(said),
        }
        self.catch_up(desk)
    }

    /// The thought under way ends at once, if nothing waits for it; its stone is told.
    fn hear_end(&mut self, desk: &mut Desk<'_>) {
        self.front_left = true;
        if self.waiting.is_empty() {
            desk.stop();
        }
    }

    fn hear_progress(&mut self, info: &Info, desk: &mut Desk<'_>) {
        if let Some(line) = info.lines.first().filter(|_| self.tells) {
            let value: Value = line.value.seen_by(self.session.to_move());
            let thought = Thought {
                depth: info.depth.unwrap_or(info.selective_depth),
                worth: ThoughtWorth::of(value),
                nodes: info.nodes,
                time: u64::try_from(info.elapsed.as_millis()).unwrap_or(u64::MAX),
                line: line.moves.iter().filter_map(|name| self.game.point(name)).collect(),
            };
            desk.say(&Reply::Thought(thought).write());
        }
    }

    fn hear_choice(&mut self, choice: Result<Choice, HostError>, desk: &mut Desk<'_>) -> Flow {
        let choice = choice.unwrap_or_else(|why| {
            desk.say(&Reply::Error(why.to_string()).write());
            Choice { turn: Turn::Resign, analysis: None }
        });
        // What others take is less than it takes to wake them.
        if choice.analysis.is_some() {
            self.thought.0 += self.since.elapsed();
            self.thought.1 = self.thought.1.saturating_add(1);
        }
        match self.thinking.take() {
            Some(Thinking::Stone) => {
                self.place(&considered(choice, &*self.session, desk), desk);
            }
            Some(Thinking::Question { among }) => self.answer(choice, among, desk),
            None => {}
        }
        self.catch_up(desk)
    }
}

impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Text")
            .field("game", &self.game)
            .field("seats", &self.seats)
            .field("ai", &self.ai)
            .finish_non_exhaustive()
    }
}
