//! [`Talk`]: a dialogue with an engine of the text protocol, with a judge who follows.
//!
//! Whatever is said goes through [`Talk::tell`]. The judge knows what must be answered before the
//! engine has answered, so many lines are said ahead and their answers compared as they come.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{Rng, TextError, shown};
use protocols::text::{Command, Reply, Seat};
use protocols::{Fault, LineGame, Point, Process, Program};
use thiserror::Error;

use crate::judge::{Expected, Judge};
use crate::referee::{Ground, Referee};
use crate::transcript::{Exchange, Transcript};

/// Why a test did not pass.
#[derive(Debug, Error)]
pub enum TalkError {
    /// The game has nothing to look at.
    #[error("{0}")]
    Idle(String),
    /// The engine failed.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// The engine said something wrong.
    #[error("{why}")]
    Said {
        /// In one line.
        why: String,
        /// What should have been said.
        expected: Vec<String>,
        /// What was said.
        given: Vec<String>,
    },
}

impl TalkError {
    fn said(why: impl Into<String>) -> TalkError {
        TalkError::Said { why: why.into(), expected: Vec::new(), given: Vec::new() }
    }
}

/// What was expected, and what was said instead.
pub(crate) fn wrong<T>(expected: Vec<String>, given: Vec<String>) -> Result<T, TalkError> {
    // The first line that differs says most.
    let pairs = expected.iter().zip(&given);
    let same = pairs.take_while(|(right, said)| right == said).count();
    let one = |lines: &[String]| lines.get(same).or(lines.last()).cloned().unwrap_or_default();
    let (right, said) = (shown(&one(&expected)), shown(&one(&given)));
    let why = format!("expected {right}, but the engine said {said}");
    Err(TalkError::Said { why, expected, given })
}

/// The longest line an engine may say: all moves of the largest board.
const LONGEST: usize = 1 << 21;
/// So many lines may be said before the first of them was answered,
const AHEAD: usize = 256;
/// and so many are written at once.
const AT_ONCE: usize = 64;

/// What happened, in order.
#[derive(Clone, Debug)]
enum Event {
    /// The front said a line.
    Said(String),
    /// The engine placed a stone of its own.
    Stone(Reply),
}

/// A dialogue with one engine.
#[derive(Debug)]
pub(crate) struct Talk {
    process: Process,
    patience: Duration,
    pub(crate) game: LineGame,
    /// The name of the game.
    pub(crate) spec: String,
    pub(crate) judge: Judge,
    pub(crate) rng: Rng,
    /// Whether its player places stones next to others: it was told to, or has always been the
    /// simple one.
    pub(crate) stays_near: bool,
    /// So many lines may be said ahead.
    ahead: usize,
    events: Vec<Event>,
    /// Lines whose answers were not heard yet: which event it was, and what is right.
    pending: VecDeque<(usize, Expected)>,
    /// Lines that are not yet written.
    unsent: Vec<String>,
    /// The event whose answer is being heard, and the answer so far.
    answering: usize,
    heard: Vec<String>,
    /// Lines said.
    pub(crate) commands: usize,
}

impl Talk {
    /// Starts an engine and asks which game it plays, unless that is said here. Engines of the first version know only numbers.
    pub(crate) fn start(
        program: &Program,
        told: Option<&str>,
        patience: Duration,
    ) -> Result<Talk, TalkError> {
        let mut process = Process::start_with(program, LONGEST)?;
        process.send(&Command::Info.write())?;
        let until = Instant::now() + patience;
        let game = loop {
            let Some(line) = process.receive(until)? else {
                return Err(Fault::Silent { expected: "answer to info", waited: patience }.into());
            };
            if let Some(Reply::Info(game)) = Reply::read(&line) {
                break game;
            }
        };
        let ground = Arc::new(Ground::plain(game));
        let mut talk = Talk {
            process,
            patience,
            game,
            spec: spec_of(&game),
            judge: Judge::new(game, &ground),
            rng: Rng::new(1),
            stays_near: true,
            ahead: AHEAD,
            events: Vec::new(),
            pending: VecDeque::new(),
            unsent: Vec::new(),
            answering: 0,
            heard: Vec::new(),
            commands: 0,
        };
        // Engines of the first version have no other player and no other rules, and do not know the
        // words: they are taken as they stand.
        talk.say(&Command::SetAi("adjacent".to_owned()))?;
        talk.say(&Command::Game(None))?;
        talk.say(&Command::IsReady)?;
        let mut chosen = false;
        loop {
            match talk.hear("readyok")? {
                Reply::ReadyOk => break,
                Reply::Game(rules) => talk.spec = format!("mnk:{rules}"),
                Reply::Ai(_) | Reply::UnknownCommand => chosen = true,
                // It has players, but not this one.
                Reply::Error(_) if !chosen => talk.stays_near = false,
                _ => {}
            }
        }
        talk.spec = usual(&talk.spec)?;
        if let Some(told) = told {
            talk.is_told(told)?;
        }
        let says = |e: TextError| TalkError::said(format!("it says it plays {e}"));
        let ground = Arc::new(Ground::of(&talk.spec).map_err(says)?);
        talk.judge = Judge::new(game, &ground);
        Ok(talk)
    }

    /// Takes somebody's word for the game, if the engine does not say otherwise.
    fn is_told(&mut self, told: &str) -> Result<(), TalkError> {
        let told = usual(told)?;
        let numbers = LineGame::of(&told).map(|game| LineGame { plain: true, ..game });
        let silent = self.spec == usual(&spec_of(&self.game))?;
        if self.spec != told && !(silent && numbers == Some(self.game)) {
            return Err(TalkError::said(format!("it says it plays {}, not {told}", self.spec)));
        }
        self.spec = told;
        Ok(())
    }

    /// What there is to its board.
    pub(crate) fn ground(&self) -> &Arc<Ground> {
        self.judge.ground()
    }

    pub(crate) fn referee(&self) -> &Referee {
        &self.judge.referee
    }

    /// From now on every answer has so much time.
    pub(crate) fn wait(&mut self, patience: Duration) {
        self.patience = patience;
    }

    /// From now on nothing is said before everything was answered.
    pub(crate) fn take_turns(&mut self) {
        self.ahead = 0;
    }

    /// Says something outside of the game, whose answer the caller hears.
    pub(crate) fn say(&mut self, command: &Command) -> Result<(), TalkError> {
        Ok(self.process.send(&command.write())?)
    }

    /// The next line.
    fn hear_line(&mut self, expected: &'static str) -> Result<String, TalkError> {
        let until = Instant::now() + self.patience;
        let Some(line) = self.process.receive(until)? else {
            return Err(Fault::Silent { expected, waited: self.patience }.into());
        };
        self.process.count_anew();
        self.heard.push(line.clone());
        Ok(line)
    }

    /// The next thing it says that means something.
    pub(crate) fn hear(&mut self, expected: &'static str) -> Result<Reply, TalkError> {
        let until = Instant::now() + self.patience;
        loop {
            let Some(line) = self.process.receive(until)? else {
                return Err(Fault::Silent { expected, waited: self.patience }.into());
            };
            let reply = Reply::read(&line);
            self.heard.push(line);
            if let Some(reply) = reply {
                self.process.count_anew();
                return Ok(reply);
            }
        }
    }

    /// Says a line. Its answer is compared now or later, the engine's own stones at once.
    pub(crate) fn tell(&mut self, line: impl Into<String>) -> Result<(), TalkError> {
        let line = line.into();
        let expected = self.judge.answer(&line);
        self.commands += 1;
        self.events.push(Event::Said(line.clone()));
        if expected == Expected::Anything {
            self.hear_out()?;
            self.begin(self.events.len() - 1);
            self.process.send(&line)?;
            self.drain()?;
            return Ok(());
        }
        self.unsent.push(line);
        self.pending.push_back((self.events.len() - 1, expected));
        if self.unsent.len() >= AT_ONCE {
            self.write()?;
        }
        if self.judge.awaits().is_some() {
            self.hear_out()?;
            self.hear_stones()?;
        } else if self.pending.len() > self.ahead {
            self.write()?;
            while self.pending.len() > self.ahead / 2 {
                self.compare_next()?;
            }
        }
        Ok(())
    }

    /// Hears the answers to all that was said, and compares them.
    pub(crate) fn hear_out(&mut self) -> Result<(), TalkError> {
        self.write()?;
        while !self.pending.is_empty() {
            self.compare_next()?;
        }
        Ok(())
    }

    fn write(&mut self) -> Result<(), TalkError> {
        if !self.unsent.is_empty() {
            self.process.send(&self.unsent.join("\n"))?;
            self.unsent.clear();
        }
        Ok(())
    }

    /// Hears what it still has to say.
    fn drain(&mut self) -> Result<(), TalkError> {
        self.say(&Command::IsReady)?;
        while self.hear("readyok")? != Reply::ReadyOk {}
        self.heard.pop();
        Ok(())
    }

    fn begin(&mut self, event: usize) {
        self.answering = event;
        self.heard.clear();
    }

    fn compare_next(&mut self) -> Result<(), TalkError> {
        let Some((event, expected)) = self.pending.pop_front() else { return Ok(()) };
        self.begin(event);
        let ends = self.ahead == 0 && self.judge.awaits().is_none();
        if ends {
            self.say(&Command::IsReady)?;
        }
        let lines = expected.lines();
        match expected {
            Expected::Replies(replies) => self.compare(&replies, 0),
            Expected::Moves(moves) => self.compare_moves(&moves),
            Expected::Board(rows) => self.compare_board(rows),
            Expected::Anything => Ok(()),
        }?;
        if ends && self.hear("readyok")? != Reply::ReadyOk {
            return wrong(lines, self.heard.clone());
        }
        if ends {
            self.heard.pop();
        }
        Ok(())
    }

    /// What was heard before is the answer to something else.
    fn compare(&mut self, expected: &[Reply], before: usize) -> Result<(), TalkError> {
        for right in expected {
            if self.hear("answer")? != *right {
                let lines = expected.iter().map(Reply::write).collect();
                return wrong(lines, self.heard[before..].to_vec());
            }
        }
        Ok(())
    }

    /// Its list of moves is the set of free squares.
    fn compare_moves(&mut self, free: &[Point]) -> Result<(), TalkError> {
        let expected = vec![Reply::Moves(free.to_vec()).write()];
        let Reply::Moves(mut moves) = self.hear("moves")? else {
            return wrong(expected, self.heard.clone());
        };
        moves.sort_by_key(|point| (point.y, point.x));
        if moves == free {
            return Ok(());
        }
        let missing = free.iter().find(|point| !moves.contains(point));
        let more = moves.iter().find(|point| !free.contains(point));
        let show = |point: &Point| format!("{} {}", point.x + 1, point.y + 1);
        let why = match (missing, more) {
            (Some(point), _) => format!("{} is missing in its moves", show(point)),
            (_, Some(point)) => format!("{} is no move", show(point)),
            _ => "a move is listed twice".to_owned(),
        };
        Err(TalkError::Said { why, expected, given: self.heard.clone() })
    }

    /// Its board is the one that there is. Which sign an empty square has is its own affair.
    fn compare_board(&mut self, rows: Vec<String>) -> Result<(), TalkError> {
        let stone = |sign: char| Some(sign.to_ascii_uppercase()).filter(|c| "XO".contains(*c));
        for right in &rows {
            let line = self.hear_line("row of the board")?;
            let signs = line.chars().filter(|c| !c.is_whitespace()).map(stone);
            if !signs.eq(right.chars().map(stone)) {
                return wrong(rows, self.heard.clone());
            }
        }
        Ok(())
    }

    /// Hears the engine's own stones, as many as there must be now.
    fn hear_stones(&mut self) -> Result<(), TalkError> {
        while self.judge.awaits().is_some() {
            let before = self.heard.len();
            let reply = self.hear("move")?;
            match self.judge.stone(&reply, self.stays_near) {
                Ok(end) => {
                    self.events.push(Event::Stone(reply));
                    let before = self.heard.len();
                    self.compare(&end, before)?;
                }
                Err(right) => return wrong(vec![right], self.heard[before..].to_vec()),
            }
        }
        Ok(())
    }

    /// Begins a game; the engine's stones are heard.
    pub(crate) fn new_game(&mut self, seats: [Seat; 2]) -> Result<(), TalkError> {
        self.tell(Command::NewGame(seats).write())
    }

    /// Places a stone for the human.
    pub(crate) fn make(&mut self, point: Point) -> Result<(), TalkError> {
        self.tell(Command::MakeMove(point).write())
    }

    pub(crate) fn ask(&mut self, command: &Command) -> Result<(), TalkError> {
        self.tell(command.write())
    }

    /// Asks for everything that can be asked about a position.
    pub(crate) fn ask_all(&mut self) -> Result<(), TalkError> {
        for command in [
            Command::GetPlayer,
            Command::MovesLeft,
            Command::MovesMade,
            Command::GetMoves,
            Command::PrintBoard,
        ] {
            self.ask(&command)?;
        }
        Ok(())
    }

    /// One of all empty squares at random, as [`draw_any`](Talk::draw_any); one that does not end the game, if that can be found soon.
    pub(crate) fn draw(&mut self, free: &mut Vec<Point>) -> Option<Point> {
        draw(&self.judge.referee, free, &mut self.rng)
    }

    /// Any of these at random, or rather where a stone placed there comes to rest.
    pub(crate) fn draw_any(&mut self, free: &mut Vec<Point>) -> Option<Point> {
        let i = self.rng.below(free.len().max(1));
        (!free.is_empty()).then(|| take(&self.judge.referee, free, i))
    }

    /// Places so many stones for the human on free squares at random, fewer if the game ends.
    pub(crate) fn make_some(
        &mut self,
        free: &mut Vec<Point>,
        most: usize,
    ) -> Result<(), TalkError> {
        for _ in 0..most {
            if self.referee().is_over() {
                break;
            }
            let Some(point) = self.draw(free) else { break };
            self.make(point)?;
        }
        Ok(())
    }

    /// Takes down how it came to what went wrong: all that was said, with what the judge expected.
    /// With it the board as it was before the last line.
    pub(crate) fn take_down(&self, error: &TalkError) -> (Transcript, Vec<String>) {
        let mut judge = Judge::new(self.game, self.judge.ground());
        let mut exchanges: Vec<Exchange> = Vec::new();
        let mut board = judge.referee.rows();
        for (number, event) in self.events.iter().enumerate() {
            match event {
                Event::Said(_) if number > self.answering => break,
                Event::Said(said) => {
                    board = judge.referee.rows();
                    let expected = judge.answer(said).lines();
                    exchanges.push(Exchange { said: said.clone(), expected, given: Vec::new() });
                }
                Event::Stone(reply) => {
                    board = judge.referee.rows();
                    let end = judge.stone(reply, false).unwrap_or_default();
                    if let Some(last) = exchanges.last_mut() {
                        last.expected.clear();
                        last.given.extend([reply].into_iter().chain(&end).map(Reply::write));
                    }
                }
            }
        }
        if let Some(last) = exchanges.last_mut() {
            match error {
                TalkError::Said { given, .. } => last.given.extend(given.iter().cloned()),
                other => last.given.push(other.to_string()),
            }
        }
        (Transcript { game: Some(self.spec.clone()), exchanges }, board)
    }

    /// What was answered last so far.
    pub(crate) fn heard_all(&self) -> &[String] {
        &self.heard
    }

    /// What was answered last, once it has nothing more to say.
    pub(crate) fn whole_answer(&mut self) -> Vec<String> {
        let is_end = |line: &String| Reply::read(line) == Some(Reply::ReadyOk);
        self.patience = self.patience.min(Duration::from_secs(1));
        while !self.heard.last().is_some_and(is_end) && self.hear("readyok").is_ok() {}
        self.heard.iter().filter(|line| !is_end(line)).cloned().collect()
    }
}

/// As [`Talk::draw`] for any referee.
fn draw(referee: &Referee, free: &mut Vec<Point>, rng: &mut Rng) -> Option<Point> {
    const TRIES: usize = 40;
    let (side, _) = referee.turn();
    let harmless = |&point: &Point| !referee.would_win(referee.landing(point), side);
    for _ in 0..TRIES {
        let i = rng.below(free.len().max(1));
        if free.get(i).is_some_and(harmless) {
            return Some(take(referee, free, i));
        }
    }
    let found = free.iter().position(harmless);
    (!free.is_empty()).then(|| take(referee, free, found.unwrap_or(0)))
}

/// Takes the square out of a list of all empty ones where a stone comes to rest that is placed on one of them.
fn take(referee: &Referee, free: &mut Vec<Point>, i: usize) -> Point {
    let point = referee.landing(free[i]);
    let at = if free[i] == point { i } else { free.iter().position(|&p| p == point).unwrap_or(i) };
    free.swap_remove(at);
    point
}

/// The numbers of a game as its name.
fn spec_of(game: &LineGame) -> String {
    let LineGame { grid, k, p, q, exact, .. } = game;
    let win = if *exact { ",win=exact" } else { "" };
    format!("mnk:{}x{},k={k},p={p},q={q}{win}", grid.rows, grid.columns)
}

/// The usual name of a game.
fn usual(spec: &str) -> Result<String, TalkError> {
    let game = catalog::open(spec);
    game.map(|game| game.facts().spec.clone())
        .map_err(|e| TalkError::said(format!("it says it plays {e}")))
}
