//! An engine of the text protocol by the plainest rules, with one fault on demand: what
//! `zermelo check` must find. It shares no code with anything else.
//!
//! `mutant-engine M N K P Q more|exact [FAULT]`;
//! `mutant-engine faults M N K P Q RULE` lists those that can be
//! seen in a game.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that speaks")]

mod faults;
mod rules;

use std::io::{self, BufRead, Write};
use std::process::ExitCode;

use faults::{FAULTS, Fault};
use rules::{Board, Colour, Numbers};

/// A game under way, or none.
struct Engine {
    numbers: Numbers,
    fault: Fault,
    board: Board,
    /// Who plays Black and White: whether it is the engine.
    seats: Option<[bool; 2]>,
    random: u32,
    games: u32,
    out: Vec<String>,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let listing = words.first().map(String::as_str) == Some("faults");
    let Some((numbers, fault)) = read(&words[usize::from(listing)..]) else {
        eprintln!("mutant-engine M N K P Q more|exact [FAULT]");
        return ExitCode::from(2);
    };
    if listing {
        let visible = FAULTS.iter().filter(|(.., visible)| visible(&numbers));
        visible.for_each(|(name, ..)| println!("{name}"));
        return ExitCode::SUCCESS;
    }
    let board = Board::new(numbers);
    let mut engine =
        Engine { numbers, fault, board, seats: None, random: 1, games: 0, out: Vec::new() };
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let go_on = engine.hear(&line);
        let text: String = engine.out.drain(..).map(|line| line + "\n").collect();
        let mut out = io::stdout().lock();
        if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() || !go_on {
            break;
        }
    }
    ExitCode::SUCCESS
}

fn read(words: &[String]) -> Option<(Numbers, Fault)> {
    let number = |n: usize| words.get(n)?.parse::<usize>().ok().filter(|&n| n > 0);
    let exact = match words.get(5)?.as_str() {
        "more" => false,
        "exact" => true,
        _ => return None,
    };
    let numbers = Numbers {
        m: number(0)?,
        n: number(1)?,
        k: number(2)?,
        p: number(3)?,
        q: number(4)?,
        exact,
    };
    let name = words.get(6).map_or("None", String::as_str);
    let (_, fault, _) = FAULTS.iter().find(|(fault, ..)| *fault == name)?;
    Some((numbers, *fault))
}

impl Engine {
    /// Answers to a line; whether it goes on.
    fn hear(&mut self, line: &str) -> bool {
        let lower = line.to_lowercase();
        let words: Vec<&str> = lower.split_whitespace().collect();
        let over = self.board.is_over();
        match words[..] {
            [] if self.fault == Fault::DiesOfEmptyLine => return false,
            [] => {}
            ["info"] => self.info(),
            ["isready"] => self.say("readyok"),
            ["setai", "adjacent"] => self.say("ai is adjacent"),
            ["newgame", ref seats @ ..] => self.new_game(seats),
            ["makemove", ref at @ ..] => self.make_move(at),
            ["quit" | "exit" | "stop"] => {
                self.say("GameEngine has exited");
                return false;
            }
            ["getplayer"] => {
                let player = self.player();
                self.say(player.name());
            }
            ["movesleft"] => {
                let left = match self.fault {
                    Fault::MovesLeftAfterEnd if over => 1,
                    Fault::MovesLeftCountsUp if !over => {
                        self.numbers.p.max(self.numbers.q) + 1 - self.board.left.max(1)
                    }
                    _ if over => 0,
                    _ => self.board.left,
                };
                self.say(left.to_string());
            }
            ["movesmade"] => {
                let made = match self.fault {
                    Fault::MovesMadeByte => self.board.made & 0xFF,
                    Fault::MovesMadeWithoutLast if over => self.board.made - 1,
                    _ => self.board.made,
                };
                self.say(made.to_string());
            }
            ["getmoves"] => self.get_moves(),
            ["printboard"] => self.print_board(),
            ["game"] => self.say("unknown command"),
            _ if self.fault == Fault::DiesOfNonsense => return false,
            _ => self.say("unknown command"),
        }
        true
    }

    fn say(&mut self, line: impl Into<String>) {
        self.out.push(line.into());
    }

    fn info(&mut self) {
        let Numbers { m, n, k, p, q, exact } = self.numbers;
        let rule = if exact { "EXACTLY_K_TO_WIN" } else { "K_OR_MORE_TO_WIN" };
        self.say(format!("({m},{n},{k},{p},{q}) {rule}"));
    }

    fn player(&self) -> Colour {
        let over = self.board.is_over();
        match self.fault {
            Fault::LoserAfterEnd if over => self.board.turn.other(),
            Fault::BlackInMidTurn if self.board.left == 1 && self.numbers.p > 1 => Colour::Black,
            _ => self.board.turn,
        }
    }

    fn new_game(&mut self, seats: &[&str]) {
        let kinds: Option<[bool; 2]> = match *seats {
            ["black", black, "white", white] => Some([black == "ai", white == "ai"]),
            ["white", white, "black", black] => Some([black == "ai", white == "ai"]),
            [] => Some([false, true]),
            _ => None,
        };
        let Some(kinds) = kinds else { return self.say("unknown command") };
        let old = std::mem::replace(&mut self.board, Board::new(self.numbers));
        self.games += 1;
        match self.fault {
            Fault::CornerStays => {
                let corner = self.board.cells.len() - 1;
                self.board.cells[corner] = old.cells[corner];
            }
            Fault::CountStays => self.board.made = old.made,
            Fault::TurnStays if old.made > 0 => {
                (self.board.turn, self.board.left) = (old.turn, old.left.max(1));
            }
            Fault::EndStays => self.board.winner = old.winner,
            Fault::HundredthGame if self.games == 100 => self.board.made = 1,
            _ => {}
        }
        self.seats = Some(kinds);
        self.say("game started");
        self.play();
    }

    /// The front's stone.
    fn make_move(&mut self, at: &[&str]) {
        let (m, n) = (self.numbers.m as i64, self.numbers.n as i64);
        let point = match *at {
            [x, y] => x.parse::<i64>().ok().zip(y.parse::<i64>().ok()),
            [x, y, ..] if self.fault == Fault::ThirdNumberIgnored => {
                x.parse::<i64>().ok().zip(y.parse::<i64>().ok())
            }
            _ => None,
        };
        if self.fault == Fault::NonsenseMoves && point.is_none() && self.seats.is_some() {
            return self.place(0, 0);
        }
        let Some((x, y)) = point else { return self.say("invalid move") };
        let (mut x, mut y) = (x - 1, y - 1);
        match self.fault {
            Fault::Swapped => (x, y) = (y, x),
            Fault::RowWraps if x == n && y + 1 < m => (x, y) = (0, y + 1),
            Fault::ColumnWraps if y == m && x + 1 < n => (x, y) = (x + 1, 0),
            Fault::ByteCoordinates if x >= 0 && y >= 0 => (x, y) = (x & 0xFF, y & 0xFFFF),
            Fault::NegativeIsOne if x < 0 => x = 0,
            _ => {}
        }
        let human = self.seats.is_some_and(|seats| !seats[self.board.turn as usize]);
        let on_board = (0..n).contains(&x) && (0..m).contains(&y);
        let over = self.board.is_over() && self.fault != Fault::GoesOnAfterEnd;
        let index = |x: i64, y: i64| (y * n + x) as usize;
        let taken = on_board && self.board.cells[index(x, y)].is_some();
        let may_take = self.fault == Fault::OverTaken
            || (self.fault == Fault::OverOwn
                && on_board
                && self.board.cells[index(x, y)] == Some(self.board.turn));
        if human && on_board && (!taken || may_take) && !over {
            self.place(x as usize, y as usize);
            return self.play();
        }
        self.refuse(on_board.then(|| index(x, y)), taken);
    }

    /// A move that is none; what some engines do all the same.
    fn refuse(&mut self, at: Option<usize>, taken: bool) {
        let over = self.board.is_over() || self.seats.is_none();
        match self.fault {
            Fault::RefusedUsesStone if !over => self.board.next_turn(),
            Fault::RefusedOffBoardUsesStone if at.is_none() && !over => self.board.next_turn(),
            Fault::RefusedChangesPlayer if !over => self.board.turn = self.board.turn.other(),
            Fault::RefusedCounts => self.board.made += 1,
            Fault::RefusedPaints => {
                if let (Some(at), true) = (at, taken && !over) {
                    self.board.cells[at] = Some(self.board.turn);
                }
            }
            Fault::RefusedRemoves => {
                if let (Some(at), true) = (at, taken && !over) {
                    self.board.cells[at] = None;
                }
            }
            Fault::SilentOffBoard if at.is_none() => return,
            Fault::OkWhenTaken if taken => return self.say("move black 1 1"),
            Fault::WinsAgainAfterEnd if self.board.winner.is_some() => {
                return self.say("winner is black");
            }
            Fault::RefusedForgetsEnd if self.board.winner.is_some() => self.board.winner = None,
            _ => {}
        }
        self.say("invalid move");
    }

    /// Places a stone of the side to move, and tells of it.
    fn place(&mut self, x: usize, y: usize) {
        let side = self.board.turn;
        let line = self.board.place(x, y, self.fault);
        let named = if self.fault == Fault::AnnouncesOther { side.other() } else { side };
        match self.fault {
            Fault::AnnouncesSwapped => {
                self.say(format!("move {} {} {}", named.name(), y + 1, x + 1));
            }
            _ => self.say(format!("move {} {} {}", named.name(), x + 1, y + 1)),
        }
        if let (Some(winner), Some((a, b))) = (self.board.winner, line) {
            let engine = self.seats.is_some_and(|seats| seats[side as usize]);
            if self.fault == Fault::AiWinsSilently && engine {
                return;
            }
            let winner = match self.fault {
                Fault::BlackAlwaysWins => Colour::Black,
                Fault::WinnerIsNext => winner.other(),
                _ => winner,
            };
            let (a, b) = match self.fault {
                Fault::LineBackwards => (b, a),
                Fault::LineIsStone => ((x, y), (x, y)),
                Fault::LineTooShort if a != b => (a, (x, y)),
                _ => (a, b),
            };
            self.say(format!("winner is {}", winner.name()));
            if self.fault != Fault::NoLine {
                self.say(format!(
                    "wining line is from {} {} to {} {}",
                    a.0 + 1,
                    a.1 + 1,
                    b.0 + 1,
                    b.1 + 1
                ));
            }
        } else {
            let nearly = self.board.made + 1 == self.board.cells.len();
            let full = self.board.is_full() && self.fault != Fault::NoDraw;
            if full || (self.fault == Fault::EarlyDraw && nearly) {
                self.say("draw");
            }
        }
    }

    /// The engine's own stones, as long as it is its turn.
    fn play(&mut self) {
        let mut stones = 0;
        while let Some(seats) = self.seats {
            let asleep = self.fault == Fault::WhiteAiSleeps && self.board.turn == Colour::White;
            if self.board.is_over() || !seats[self.board.turn as usize] || asleep {
                break;
            }
            let (x, y) = self.choose();
            if self.fault == Fault::AiWrongColour && self.board.made == 7 {
                let name = self.board.turn.other().name();
                self.say(format!("move {name} {} {}", x + 1, y + 1));
                let turn = self.board.turn;
                self.board.place(x, y, self.fault);
                if self.board.is_over() {
                    self.board.turn = turn;
                }
            } else {
                self.place(x, y);
            }
            stones += 1;
            if self.fault == Fault::AiOneStone && stones == 1 && self.numbers.p > 1 {
                break;
            }
        }
    }

    /// A square next to another stone, at random.
    fn choose(&mut self) -> (usize, usize) {
        let Numbers { m, n, .. } = self.numbers;
        let draw = |random: &mut u32, below: usize| {
            *random = random.wrapping_mul(214_013).wrapping_add(2_531_011);
            ((*random >> 16) & 0x7FFF) as usize % below.max(1)
        };
        let free: Vec<usize> = (0..m * n).filter(|&i| self.board.cells[i].is_none()).collect();
        let near: Vec<usize> =
            free.iter().copied().filter(|&i| self.board.touches(i % n, i / n)).collect();
        let at = match self.fault {
            Fault::AiAnywhere => free[draw(&mut self.random, free.len())],
            Fault::AiTakesTaken if self.board.made == 6 && self.games % 20 == 7 => {
                (0..m * n).find(|&i| self.board.cells[i].is_some()).unwrap_or(0)
            }
            Fault::AiOffBoard if self.board.made == 6 && self.games % 20 == 8 => return (n, 0),
            _ if near.is_empty() && self.board.made == 0 => m / 2 * n + n / 2,
            _ if near.is_empty() => free[draw(&mut self.random, free.len())],
            _ => near[draw(&mut self.random, near.len())],
        };
        (at % n, at / n)
    }

    fn get_moves(&mut self) {
        let n = self.numbers.n;
        let over = self.board.is_over() && self.fault != Fault::MovesAfterEnd;
        let last = self.board.cells.len() - 1;
        let listed = |&i: &usize| match self.fault {
            Fault::NoLastSquare if i == last => false,
            Fault::NoFirstSquare if i == 0 => false,
            Fault::LastStoneListed if self.board.last == Some(i) => true,
            Fault::LateSquareMissing if self.board.made > last / 2 && i % 7 == 3 => false,
            _ => self.board.cells[i].is_none(),
        };
        let mut all: Vec<usize> = match over {
            true => Vec::new(),
            false => (0..=last).filter(listed).collect(),
        };
        if let (Fault::FirstTwice, Some(&first)) = (self.fault, all.first()) {
            all.push(first);
        }
        let text: String = all.iter().map(|i| format!(" ({} {})", i % n + 1, i / n + 1)).collect();
        self.say(format!("moves:{text}"));
    }

    fn print_board(&mut self) {
        let Numbers { m, n, .. } = self.numbers;
        for y in 0..m {
            let row = if self.fault == Fault::BoardUpsideDown { m - 1 - y } else { y };
            let sign = |x: usize| match self.board.cells[row * n + x] {
                None => '.',
                Some(colour) => {
                    let black = (colour == Colour::Black) != (self.fault == Fault::ColoursSwapped);
                    if black { 'X' } else { 'O' }
                }
            };
            let line = (0..n).map(sign).collect::<String>();
            self.say(line);
        }
    }
}
