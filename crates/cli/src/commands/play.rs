//! `zermelo play`: a game in the terminal, between people and searches. Works as well through pipes.

use std::io::{self, BufRead, Read, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use catalog::{Analysis, Workbench};
use game::{Limits, Mark, Side, Stop, mix, quote};
use search::Settings;
use serde::Serialize;
use serde_json::Number;

use crate::args::{self, Player, Searching};
use crate::files;
use crate::output::{
    Answer, Console, analysis_in_words, margin_of, result_in_words, side_name, value_name,
};
use crate::progress::Progress;

const HELP: &str = "\
a move, as the list shows it, or its number in the list
undo    take back to your previous turn      board   draw the board
moves   list the legal moves                 hint    what the machine would play
save F  write the game to the file F         claim   end the game by a claim the rules allow
help    this                                 quit    leave";

/// A longer list is shown only on request.
const LISTED_MOVES: usize = 64;

#[derive(Serialize)]
struct Played {
    game: String,
    position: String,
    moves: Vec<String>,
    over: bool,
    value: Option<&'static str>,
    margin: Option<Number>,
}

/// Plays a game to its end, or until somebody leaves.
pub(crate) fn run(arguments: &args::Play, console: &Console) -> Result<Answer> {
    let bench = console.open(&arguments.place)?;
    let out: Box<dyn Write> = match console.json {
        true => Box::new(io::stderr()),
        false => Box::new(io::stdout()),
    };
    let players = [arguments.first, arguments.second.unwrap_or(opponent_of(arguments.first))];
    for player in players {
        if let Player::Bot(limits) = player {
            arguments.searching.settings(limits, &*bench)?;
        }
    }
    let mut table = Table {
        bench,
        players,
        searching: &arguments.searching,
        seed: arguments.searching.seed.unwrap_or_else(any_seed),
        console,
        input: io::stdin().lock(),
        out,
    };
    table.play()?;
    if !console.json {
        return Ok(Answer::Yes);
    }
    let bench = table.bench;
    let outcome = bench.outcome();
    let played = Played {
        game: bench.spec(),
        position: bench.position(),
        moves: bench.played(),
        over: outcome.is_some(),
        value: outcome.map(|outcome| value_name(outcome.margin.signum())),
        margin: outcome.and_then(margin_of),
    };
    console.answer(&played, |_| Ok(()))
}

fn opponent_of(player: Player) -> Player {
    match player {
        Player::Human => Player::Bot(Player::USUAL_LIMITS),
        Player::Bot(_) => Player::Human,
    }
}

fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |since| mix(since.as_nanos() as u64))
}

/// A game under way and who sits at it.
struct Table<'c, R> {
    bench: Box<dyn Workbench>,
    players: [Player; 2],
    searching: &'c Searching,
    seed: u64,
    console: &'c Console,
    input: R,
    out: Box<dyn Write>,
}

/// Whether the game goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// Somebody moved, or took back.
    Turn,
    /// The same person is asked again.
    Again,
    /// Somebody left.
    Leave,
}

impl<R: BufRead> Table<'_, R> {
    fn play(&mut self) -> Result<()> {
        writeln!(self.out, "{}", self.bench.spec())?;
        if self.players.contains(&Player::Human) {
            writeln!(self.out, "Type a move, or help.")?;
        }
        self.draw()?;
        while self.bench.outcome().is_none() {
            let side = self.bench.to_move();
            let next = match self.players[side.index()] {
                Player::Bot(limits) => self.bot_turn(side, limits)?,
                Player::Human => self.human_turn(side)?,
            };
            match next {
                Next::Turn => self.draw()?,
                Next::Again => {}
                Next::Leave => return Ok(()),
            }
        }
        self.agree()?;
        self.announce()
    }

    /// Asks the people at the table what the rules leave to them. An empty line, or the end of the input,
    /// leaves the count as it is.
    fn agree(&mut self) -> Result<()> {
        if !self.players.contains(&Player::Human) {
            return Ok(());
        }
        while let (Some(question), Some(outcome)) =
            (self.bench.left_to_agree(), self.bench.outcome())
        {
            writeln!(self.out, "So far: {}. {question}", result_in_words(outcome))?;
            write!(self.out, "both players> ")?;
            self.out.flush()?;
            match read_line(&mut self.input)? {
                None => return Ok(()),
                Some(line) if line.is_empty() => return Ok(()),
                Some(line) => match self.bench.agree(&line) {
                    Ok(_) => return Ok(()),
                    Err(error) => writeln!(self.out, "{error}")?,
                },
            }
        }
        Ok(())
    }

    fn draw(&mut self) -> Result<()> {
        writeln!(self.out, "\n{}\n", self.bench.diagram())?;
        let side = self.bench.to_move();
        let is_over = self.bench.outcome().is_some();
        if let Some(outcome) = self.bench.claimable() {
            writeln!(self.out, "A {} can be claimed here.", result_in_words(outcome))?;
        }
        if !is_over && self.players[side.index()] == Player::Human {
            let moves = self.bench.moves();
            if moves.len() <= LISTED_MOVES {
                list_moves(&mut self.out, &moves)?;
            } else {
                writeln!(self.out, "{} legal moves; moves lists them", moves.len())?;
            }
        }
        Ok(())
    }

    fn announce(&mut self) -> Result<()> {
        let Some(outcome) = self.bench.outcome() else {
            return Ok(());
        };
        writeln!(self.out, "The game is over: {}.", result_in_words(outcome))?;
        let diagram = self.bench.diagram();
        let line: Vec<String> =
            diagram.marked(Mark::Line).map(|square| diagram.grid().name(square)).collect();
        if !line.is_empty() {
            writeln!(self.out, "The winning line: {}.", line.join(" "))?;
        }
        Ok(())
    }

    fn bot_turn(&mut self, side: Side, limits: Limits) -> Result<Next> {
        let analysis = self.think(limits)?;
        let best = analysis.best.as_ref().context("the search found no move")?;
        let text = self.bench.play(best).map_err(anyhow::Error::msg)?;
        let (side, words) = (side_name(side), analysis_in_words(&analysis));
        writeln!(self.out, "The {side} player, a bot, plays {text}: {words}.")?;
        Ok(Next::Turn)
    }

    /// Searches from here. The draw among equal moves depends on the seed and on how many moves were
    /// played, so that taking back and playing on repeats too.
    fn think(&mut self, limits: Limits) -> Result<Analysis> {
        let progress = Progress::of_search(self.console);
        let ply = self.bench.played().len() as u64;
        let settings = self.searching.settings(limits, &*self.bench)?;
        let settings = Settings { seed: Some(mix(self.seed.wrapping_add(ply))), ..settings };
        let found = self.bench.analyse(&settings, &Stop::new(), &mut |info| progress.show(info));
        found.map_err(anyhow::Error::msg)
    }

    fn human_turn(&mut self, side: Side) -> Result<Next> {
        write!(self.out, "{} player> ", side_name(side))?;
        self.out.flush()?;
        let Some(line) = read_line(&mut self.input)? else {
            writeln!(self.out, "\nThat was the end of the input. Goodbye.")?;
            return Ok(Next::Leave);
        };
        let moves = self.bench.moves();
        match Entry::read(&line, &moves) {
            Entry::Nothing => writeln!(self.out, "Type a move, or help.")?,
            Entry::Help => writeln!(self.out, "{HELP}")?,
            Entry::Moves => list_moves(&mut self.out, &moves)?,
            Entry::Board => writeln!(self.out, "\n{}\n", self.bench.diagram())?,
            Entry::Hint => return self.hint(),
            Entry::Claim if self.bench.claim() => return Ok(Next::Turn),
            Entry::Claim => writeln!(self.out, "There is nothing to claim here.")?,
            Entry::Save(file) => self.save(file)?,
            Entry::Undo if self.take_back() => return Ok(Next::Turn),
            Entry::Undo => writeln!(self.out, "There is nothing to take back.")?,
            Entry::Quit => {
                writeln!(self.out, "Goodbye.")?;
                return Ok(Next::Leave);
            }
            Entry::NoSuchNumber => {
                writeln!(self.out, "{line} is not in the list, which has 1 to {}.", moves.len())?;
            }
            Entry::Move(text) => match self.bench.play(text) {
                Ok(_) => return Ok(Next::Turn),
                Err(error) => writeln!(self.out, "{error}")?,
            },
        }
        Ok(Next::Again)
    }

    fn save(&mut self, file: &str) -> Result<()> {
        let text = self.bench.write_game(&self.bench.record()).map_err(anyhow::Error::msg)?;
        match files::write(file.as_ref(), &text) {
            Ok(()) => writeln!(self.out, "The game is in {}.", quote(file))?,
            Err(error) => writeln!(self.out, "{error:#}")?,
        }
        Ok(())
    }

    fn hint(&mut self) -> Result<Next> {
        let other = self.players[self.bench.to_move().other().index()];
        let analysis = self.think(match other {
            Player::Bot(limits) => limits,
            Player::Human => Player::USUAL_LIMITS,
        })?;
        let best = analysis.best.as_deref().unwrap_or("-");
        writeln!(self.out, "{best}: {}.", analysis_in_words(&analysis))?;
        Ok(Next::Again)
    }

    /// Back to the last position in which a person had to move; false, and nothing changed, if there
    /// is none.
    fn take_back(&mut self) -> bool {
        let mut taken = self.bench.played();
        let mut kept = taken.len();
        while self.bench.undo() {
            kept -= 1;
            if self.players[self.bench.to_move().index()] == Player::Human {
                return true;
            }
        }
        for text in taken.drain(kept..) {
            if self.bench.play(&text).is_err() {
                break;
            }
        }
        false
    }
}

/// A line without its end; `None` at the end of the input. What is not UTF-8 becomes text that is no
/// move.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    const LONGEST: u64 = 1 << 16;
    let mut line = Vec::new();
    let read = input.take(LONGEST).read_until(b'\n', &mut line)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
}

/// Numbered, in columns that fit a terminal.
fn list_moves(out: &mut dyn Write, moves: &[String]) -> io::Result<()> {
    const WIDTH: usize = 72;
    let widest = moves.iter().map(|text| text.chars().count()).max();
    let cell = widest.unwrap_or(0) + moves.len().to_string().len() + 4;
    let per_row = (WIDTH / cell).max(1);
    let digits = moves.len().to_string().len();
    for (row, texts) in moves.chunks(per_row).enumerate() {
        let number = |i: usize| row * per_row + i + 1;
        let cells = texts.iter().enumerate().map(|(i, text)| {
            let numbered = format!("{:>digits$}. {text}", number(i));
            format!("{numbered:<cell$}")
        });
        writeln!(out, "{}", cells.collect::<String>().trim_end())?;
    }
    Ok(())
}

/// What somebody typed.
#[derive(Debug, PartialEq, Eq)]
enum Entry<'t> {
    Nothing,
    Help,
    Moves,
    Board,
    Hint,
    Undo,
    Claim,
    Save(&'t str),
    Quit,
    NoSuchNumber,
    Move(&'t str),
}

impl<'t> Entry<'t> {
    /// A legal move comes first, then a word, then a number of the list; the rest is for the game to
    /// refuse.
    fn read(line: &'t str, moves: &'t [String]) -> Entry<'t> {
        if moves.iter().any(|text| text == line) {
            return Entry::Move(line);
        }
        match line {
            "" => Entry::Nothing,
            "help" | "?" => Entry::Help,
            "moves" => Entry::Moves,
            "board" => Entry::Board,
            "hint" => Entry::Hint,
            "undo" => Entry::Undo,
            "claim" => Entry::Claim,
            "quit" | "exit" => Entry::Quit,
            _ if line.bytes().all(|b| b.is_ascii_digit()) => {
                let index = line.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
                let chosen = index.and_then(|index| moves.get(index));
                chosen.map_or(Entry::NoSuchNumber, |text| Entry::Move(text))
            }
            _ => match line.strip_prefix("save ").map(str::trim) {
                Some(file) if !file.is_empty() => Entry::Save(file),
                _ => Entry::Move(line),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_moves_words_or_numbers() {
        let moves = ["a1", "b2", "3"].map(str::to_owned);
        for (line, entry) in [
            ("b2", Entry::Move("b2")),
            ("2", Entry::Move("b2")),
            ("3", Entry::Move("3")),
            ("0", Entry::NoSuchNumber),
            ("4", Entry::NoSuchNumber),
            ("99999999999999999999999", Entry::NoSuchNumber),
            ("undo", Entry::Undo),
            ("save a b.sgf", Entry::Save("a b.sgf")),
            ("save", Entry::Move("save")),
            ("", Entry::Nothing),
            ("z9", Entry::Move("z9")),
        ] {
            assert_eq!(Entry::read(line, &moves), entry, "{line}");
        }
    }

    #[test]
    fn lines_end_somewhere() {
        let mut input: &[u8] = b" a1 \r\n\n\xff\xfe\nlast";
        let mut next = || read_line(&mut input).unwrap();
        assert_eq!(next().as_deref(), Some("a1"));
        assert_eq!(next().as_deref(), Some(""));
        assert_eq!(next().as_deref(), Some("\u{fffd}\u{fffd}"));
        assert_eq!(next().as_deref(), Some("last"));
        assert_eq!(next(), None);
        let endless = vec![b'x'; 1 << 20];
        let line = read_line(&mut endless.as_slice()).unwrap();
        assert_eq!(line.map(|line| line.len()), Some(1 << 16));
    }

    #[test]
    fn lists_are_numbered_and_narrow() {
        let moves: Vec<String> = (1..=40).map(|n| format!("a{n}")).collect();
        let mut text = Vec::new();
        list_moves(&mut text, &moves).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.starts_with(" 1. a1"), "{text}");
        assert!(text.contains("40. a40"), "{text}");
        assert!(text.lines().all(|line| line.len() <= 80), "{text}");
    }
}
