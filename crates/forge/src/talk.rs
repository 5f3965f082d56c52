//! [`Talk`]: a dialogue with an engine of the text protocol, with a referee who follows.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{Rng, Side, TextError, shown};
use protocols::text::{Command, Reply, Seat};
use protocols::{Fault, LineGame, Point, Process, Program};
use thiserror::Error;

use crate::referee::{Ground, Referee};

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
    #[error("{0}")]
    Said(String),
}

/// What was expected, and what was said instead.
pub(crate) fn wrong<T>(
    expected: impl fmt::Display,
    said: impl fmt::Display,
) -> Result<T, TalkError> {
    let said = shown(&said.to_string());
    Err(TalkError::Said(format!("expected {expected}, but the engine said {said}")))
}

/// The longest line an engine may say: all moves of the largest board.
const LONGEST: usize = 1 << 21;

/// A dialogue with one engine.
#[derive(Debug)]
pub(crate) struct Talk {
    process: Process,
    patience: Duration,
    pub(crate) game: LineGame,
    /// The name of the game.
    pub(crate) spec: String,
    ground: Arc<Ground>,
    pub(crate) referee: Referee,
    pub(crate) rng: Rng,
    /// Whether its player places stones next to others: it was told to, or has always been the
    /// simple one.
    pub(crate) stays_near: bool,
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
        let referee = Referee::new(game, &ground);
        let (spec, rng) = (spec_of(&game), Rng::new(1));
        let stays_near = true;
        let mut talk = Talk { process, patience, game, spec, ground, referee, rng, stays_near };
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
        let says = |e: TextError| TalkError::Said(format!("it says it plays {e}"));
        talk.ground = Arc::new(Ground::of(&talk.spec).map_err(says)?);
        talk.referee = Referee::new(game, &talk.ground);
        Ok(talk)
    }

    /// Takes somebody's word for the game, if the engine does not say otherwise.
    fn is_told(&mut self, told: &str) -> Result<(), TalkError> {
        let told = usual(told)?;
        let numbers = LineGame::of(&told).map(|game| LineGame { plain: true, ..game });
        let silent = self.spec == usual(&spec_of(&self.game))?;
        if self.spec != told && !(silent && numbers == Some(self.game)) {
            return Err(TalkError::Said(format!("it says it plays {}, not {told}", self.spec)));
        }
        self.spec = told;
        Ok(())
    }

    /// What there is to its board.
    pub(crate) fn ground(&self) -> &Arc<Ground> {
        &self.ground
    }

    /// From now on every answer has so much time.
    pub(crate) fn wait(&mut self, patience: Duration) {
        self.patience = patience;
    }

    pub(crate) fn say(&mut self, command: &Command) -> Result<(), TalkError> {
        Ok(self.process.send(&command.write())?)
    }

    pub(crate) fn say_anything(&mut self, line: &str) -> Result<(), TalkError> {
        Ok(self.process.send(line)?)
    }

    /// The next thing it says that means something.
    pub(crate) fn hear(&mut self, expected: &'static str) -> Result<Reply, TalkError> {
        let until = Instant::now() + self.patience;
        loop {
            let Some(line) = self.process.receive(until)? else {
                return Err(Fault::Silent { expected, waited: self.patience }.into());
            };
            if let Some(reply) = Reply::read(&line) {
                self.process.count_anew();
                return Ok(reply);
            }
        }
    }

    /// Hears out what it still has to say.
    pub(crate) fn settle(&mut self) -> Result<(), TalkError> {
        self.say(&Command::IsReady)?;
        while self.hear("readyok")? != Reply::ReadyOk {}
        Ok(())
    }

    /// Begins a game.
    pub(crate) fn new_game(&mut self, seats: [Seat; 2]) -> Result<(), TalkError> {
        self.referee = Referee::new(self.game, &self.ground);
        self.say(&Command::NewGame(seats))?;
        match self.hear("game started")? {
            Reply::Started => Ok(()),
            other => wrong("game started", other.write()),
        }
    }

    /// Places a stone for the human and hears what becomes of it.
    pub(crate) fn make(&mut self, point: Point) -> Result<(), TalkError> {
        let (side, _) = self.referee.turn();
        self.say(&Command::MakeMove(point))?;
        self.hear_stone(side, Some(point))?;
        Ok(())
    }

    /// Hears of a stone, of this side and on this square if it is known; the referee places it.
    pub(crate) fn hear_stone(&mut self, side: Side, at: Option<Point>) -> Result<Point, TalkError> {
        let reply = self.hear("move")?;
        let expected = |at: Option<Point>| match at {
            Some(point) => Reply::Move(side, point).write(),
            None => format!("a move of {}", Reply::Player(side).write()),
        };
        let Reply::Move(mover, point) = reply else { return wrong(expected(at), reply.write()) };
        if mover != side || at.is_some_and(|at| at != point) {
            return wrong(expected(at), reply.write());
        }
        if !self.referee.is_free(point) {
            return wrong("a free square", reply.write());
        }
        self.referee.place(point);
        self.hear_end(point)?;
        Ok(point)
    }

    /// Hears that the game is over, if it is.
    fn hear_end(&mut self, last: Point) -> Result<(), TalkError> {
        if !self.referee.is_over() {
            return Ok(());
        }
        let expected = self.referee.winner().map_or(Reply::Draw, Reply::Winner);
        let reply = self.hear("end of the game")?;
        if reply != expected {
            return wrong(expected.write(), reply.write());
        }
        let Some(winner) = self.referee.winner() else { return Ok(()) };
        let reply = self.hear("winning line")?;
        let Reply::WinningLine(from, to) = reply else {
            return wrong("the winning line", reply.write());
        };
        if !self.is_line(from, to, last, winner) {
            return wrong(
                "the ends of a line of the winner that holds the last stone",
                reply.write(),
            );
        }
        Ok(())
    }

    /// Whether these are the ends of a line of one colour through a square, long enough to win.
    fn is_line(&self, from: Point, to: Point, through: Point, side: Side) -> bool {
        let (dx, dy) = (to.x as isize - from.x as isize, to.y as isize - from.y as isize);
        let steps = dx.abs().max(dy.abs());
        let straight = dx == 0 || dy == 0 || dx.abs() == dy.abs();
        let at = |n: isize| Point {
            x: (from.x as isize + dx.signum() * n) as usize,
            y: (from.y as isize + dy.signum() * n) as usize,
        };
        let length = steps as usize + 1;
        let enough = if self.game.exact { length == self.game.k } else { length >= self.game.k };
        straight
            && enough
            && (0..=steps).all(|n| {
                let point = at(n);
                point.x < self.game.grid.columns
                    && point.y < self.game.grid.rows
                    && self.referee.stone(point) == Some(side)
            })
            && (0..=steps).any(|n| at(n) == through)
    }

    /// A question with one answer.
    pub(crate) fn ask(&mut self, command: &Command, expected: &Reply) -> Result<(), TalkError> {
        self.say(command)?;
        let reply = self.hear("answer")?;
        if reply == *expected { Ok(()) } else { wrong(expected.write(), reply.write()) }
    }

    /// Its list of moves is the set of free squares.
    pub(crate) fn compare_moves(&mut self) -> Result<(), TalkError> {
        self.say(&Command::GetMoves)?;
        let reply = self.hear("moves")?;
        let Reply::Moves(mut moves) = reply else { return wrong("moves", reply.write()) };
        moves.sort_by_key(|point| (point.y, point.x));
        let free = if self.referee.is_over() { Vec::new() } else { self.referee.moves() };
        if moves == free {
            return Ok(());
        }
        let placed = self.referee.placed();
        let missing = free.iter().find(|point| !moves.contains(point));
        let more = moves.iter().find(|point| !free.contains(point));
        let show = |point: &Point| format!("{} {}", point.x + 1, point.y + 1);
        Err(TalkError::Said(match (missing, more) {
            (Some(point), _) => {
                format!("after {placed} stones {} is missing in its moves", show(point))
            }
            (_, Some(point)) => format!("after {placed} stones {} is no move", show(point)),
            _ => format!("after {placed} stones a move is listed twice"),
        }))
    }

    /// One of all empty squares at random, as [`draw_any`](Talk::draw_any); one that does not end the game, if that can be found soon.
    pub(crate) fn draw(&mut self, free: &mut Vec<Point>) -> Option<Point> {
        draw(&self.referee, free, &mut self.rng)
    }

    /// Any of these at random, or rather where a stone placed there comes to rest.
    pub(crate) fn draw_any(&mut self, free: &mut Vec<Point>) -> Option<Point> {
        let i = self.rng.below(free.len().max(1));
        (!free.is_empty()).then(|| take(&self.referee, free, i))
    }

    /// Places a stone for the human on free squares at random, as many as there are or fewer, and hears what becomes of them. It
    /// is told of some before it has answered to the first, so that nobody waits for the other all the time.
    pub(crate) fn make_some(
        &mut self,
        free: &mut Vec<Point>,
        most: usize,
    ) -> Result<(), TalkError> {
        const AHEAD: usize = 256;
        let mut left = most;
        while left > 0 && !self.referee.is_over() {
            let mut ahead = self.referee.clone();
            let mut told = Vec::new();
            while told.len() < left.min(AHEAD) && !ahead.is_over() {
                let Some(point) = draw(&ahead, free, &mut self.rng) else { break };
                told.push((ahead.turn().0, point));
                ahead.place(point);
                self.say(&Command::MakeMove(point))?;
            }
            for &(side, point) in &told {
                self.hear_stone(side, Some(point))?;
            }
            left -= told.len();
            if told.is_empty() {
                break;
            }
        }
        Ok(())
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
        .map_err(|e| TalkError::Said(format!("it says it plays {e}")))
}
