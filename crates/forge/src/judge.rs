//! [`Judge`]: what an engine must answer, line by line, as a referee sees it.

use std::sync::Arc;

use game::Side;
use protocols::text::{Command, Reply, Seat};
use protocols::{LineGame, Point};

use crate::referee::{Ground, Referee};

/// What an engine must answer to a line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Expected {
    /// These, one after the other.
    Replies(Vec<Reply>),
    /// These moves, in any order.
    Moves(Vec<Point>),
    /// The board, row by row.
    Board(Vec<String>),
    /// What the protocol does not say, or nothing.
    Anything,
}

impl Expected {
    fn one(reply: Reply) -> Expected {
        Expected::Replies(vec![reply])
    }

    /// As an engine would write it.
    pub(crate) fn lines(&self) -> Vec<String> {
        match self {
            Expected::Replies(replies) => replies.iter().map(Reply::write).collect(),
            Expected::Moves(moves) => vec![Reply::Moves(moves.clone()).write()],
            Expected::Board(rows) => rows.clone(),
            Expected::Anything => Vec::new(),
        }
    }
}

/// Follows a dialogue from the front's lines and the engine's stones.
#[derive(Clone, Debug)]
pub(crate) struct Judge {
    pub(crate) game: LineGame,
    ground: Arc<Ground>,
    pub(crate) referee: Referee,
    /// Who plays; `None` before the first game, and where the judge could not follow.
    seats: Option<[Seat; 2]>,
    /// Whether a position was set up that the judge does not know.
    lost: bool,
}

impl Judge {
    pub(crate) fn new(game: LineGame, ground: &Arc<Ground>) -> Judge {
        let referee = Referee::new(game, ground);
        Judge { game, ground: Arc::clone(ground), referee, seats: None, lost: false }
    }

    pub(crate) fn ground(&self) -> &Arc<Ground> {
        &self.ground
    }

    /// The side for which the engine has to place a stone now, before it hears anything else.
    pub(crate) fn awaits(&self) -> Option<Side> {
        let (side, _) = self.referee.turn();
        let playing = !self.referee.is_over() && self.seats?[side.index()] == Seat::Ai;
        playing.then_some(side)
    }

    /// What must be said to a line; the board is as it is then.
    pub(crate) fn answer(&mut self, line: &str) -> Expected {
        let command = match Command::read(line) {
            Ok(Some(command)) => command,
            // A move it is, but off the board.
            _ if is_move(line) && !self.lost => return Expected::one(Reply::InvalidMove),
            _ => return Expected::Anything,
        };
        let over = self.referee.is_over();
        match command {
            Command::NewGame(seats) => {
                *self = Judge::new(self.game, &self.ground);
                self.seats = Some(seats);
                Expected::one(Reply::Started)
            }
            Command::Info => Expected::one(Reply::Info(self.game)),
            Command::IsReady => Expected::one(Reply::ReadyOk),
            Command::Position { start, moves } => self.position(start.is_some(), &moves),
            _ if self.lost => Expected::Anything,
            Command::MakeMove(point) => match self.seats {
                Some(_) if !over && self.referee.is_free(point) => {
                    Expected::Replies(self.place(point))
                }
                _ => Expected::one(Reply::InvalidMove),
            },
            _ if self.seats.is_none() => Expected::Anything,
            Command::GetMoves if over => Expected::Moves(Vec::new()),
            Command::GetMoves => Expected::Moves(self.referee.moves()),
            Command::GetPlayer => Expected::one(Reply::Player(self.referee.player())),
            Command::MovesLeft => {
                let left = if over { 0 } else { self.referee.turn().1 };
                Expected::one(Reply::Number(left as u64))
            }
            Command::MovesMade => Expected::one(Reply::Number(self.referee.placed() as u64)),
            Command::PrintBoard => Expected::Board(self.referee.rows()),
            _ => Expected::Anything,
        }
    }

    /// Positions that are set up are not followed, openings are.
    fn position(&mut self, set_up: bool, moves: &[Point]) -> Expected {
        *self = Judge::new(self.game, &self.ground);
        self.lost = set_up;
        for &point in moves {
            if self.lost || self.referee.is_over() || !self.referee.is_free(point) {
                self.lost = true;
                return Expected::Anything;
            }
            self.referee.place(point);
        }
        self.seats = (!self.lost).then_some([Seat::Human; 2]);
        if self.lost { Expected::Anything } else { Expected::one(Reply::Ok) }
    }

    /// Places a stone, and says what is announced.
    fn place(&mut self, point: Point) -> Vec<Reply> {
        let (side, _) = self.referee.turn();
        self.referee.place(point);
        let mut said = vec![Reply::Move(side, point)];
        said.extend(self.end());
        said
    }

    /// What the end of the game is announced with.
    fn end(&self) -> Vec<Reply> {
        match (self.referee.winner(), self.referee.winning_line()) {
            (Some(side), Some((from, to))) => {
                vec![Reply::Winner(side), Reply::WinningLine(from, to)]
            }
            _ if self.referee.is_over() => vec![Reply::Draw],
            _ => Vec::new(),
        }
    }

    /// Takes the engine's own stone and says what must follow it, or what would have been right.
    /// Simple players stay near other stones.
    pub(crate) fn stone(&mut self, reply: &Reply, near: bool) -> Result<Vec<Reply>, String> {
        let Some(side) = self.awaits() else { return Err("nothing".to_owned()) };
        let right = || format!("a move of {}", Reply::Player(side).write());
        let &Reply::Move(mover, point) = reply else { return Err(right()) };
        if mover != side {
            return Err(right());
        }
        if !self.referee.is_free(point) {
            return Err(format!("{} to a free square", right()));
        }
        // Where stones fall, or between holes, there may be no such square.
        let could = || self.referee.moves().iter().any(|&point| self.referee.touches(point));
        if near && self.referee.placed() > 0 && !self.referee.touches(point) && could() {
            return Err(format!("{} next to another stone", right()));
        }
        self.referee.place(point);
        Ok(self.end())
    }
}

/// Whether a line is a move with two whole numbers, on the board or not.
fn is_move(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let number = |word: &str| {
        let digits = word.strip_prefix('-').unwrap_or(word);
        !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
    };
    match words[..] {
        [first, x, y] => first.eq_ignore_ascii_case("makemove") && number(x) && number(y),
        _ => false,
    }
}
