//! `zermelo play`: a game in the terminal, between people and searches. Works as well through pipes.

use std::io::{self, BufRead, Read, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail};
use catalog::{Bot, Workbench};
use game::record::{Record, Verdict};
use game::{Analysis, Cell, Choice, Limits, Mark, Side, Stop, Task, Turn, mix, quote};
use serde::Serialize;
use serde_json::Number;

use crate::args::{self, Player, Searching};
use crate::complaint::on_one_line;
use crate::files;
use crate::output::{
    Answer, Console, analysis_in_words, margin_of, result_in_words, side_name, value_name,
};
use crate::progress::Progress;
use crate::unfinished::Unfinished;

const HELP: &str = "\
a move, as the list shows it, or its number in the list
undo    take back to your previous turn      board   draw the board
moves   list the legal moves                 hint    what the machine would play
save F  write the game to the file F         load F  go on with the game in the file F
claim   end the game by a claim              resign  give up
help    this                                 quit    leave; --resume goes on another time";

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
    let (bench, loaded) = console.open_recorded(&arguments.place)?;
    let out: Box<dyn Write> = match console.json {
        true => Box::new(io::stderr()),
        false => Box::new(io::stdout()),
    };
    let second = arguments.second.clone();
    let second = second.unwrap_or_else(|| opponent_of(&arguments.first));
    let seed = arguments.searching.seed.unwrap_or_else(any_seed);
    let seat = |player: &Player, side: Side| {
        Seat::new(player, &*bench, &arguments.searching, mix(seed ^ side.index() as u64))
    };
    let seats = [seat(&arguments.first, Side::First)?, seat(&second, Side::Second)?];
    let seats_people = seats.iter().any(Seat::is_human);
    let mut table = Table {
        unfinished: seats_people.then(|| Unfinished::of(&*bench)),
        bench,
        seats,
        searching: &arguments.searching,
        seed,
        console,
        input: io::stdin().lock(),
        out,
        resigned: None,
        names: [name_of(&arguments.first), name_of(&second)],
        loaded,
    };
    if arguments.resume {
        table.resume()?;
    }
    table.play()?;
    if !console.json {
        return Ok(Answer::Yes);
    }
    let (bench, resigned) = (table.bench, table.resigned);
    let outcome = bench.outcome();
    let given_up = resigned.map(|side| value_name(side.other().sign()));
    let played = Played {
        game: bench.spec(),
        position: bench.position(),
        moves: bench.played(),
        over: outcome.is_some() || resigned.is_some(),
        value: outcome.map(|outcome| value_name(outcome.margin.signum())).or(given_up),
        margin: outcome.and_then(margin_of),
    };
    console.answer(&played, |_| Ok(()))
}

fn opponent_of(player: &Player) -> Player {
    match player {
        Player::Human => Player::Bot(Bot::default()),
        Player::Bot(_) | Player::Engine(_) => Player::Human,
    }
}

/// As files call whoever sits there.
fn name_of(player: &Player) -> String {
    match player {
        Player::Human => "Human".to_owned(),
        Player::Bot(bot) => format!("Zermelo {bot}"),
        Player::Engine(engine) => engine.to_string(),
    }
}

fn any_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |since| mix(since.as_nanos() as u64))
}

/// Who sits at the table.
enum Seat {
    Human,
    /// A bot or an engine, and what it is asked beside the position.
    Bot(Box<dyn game::Player>, Task),
}

impl Seat {
    fn new(
        player: &Player,
        bench: &dyn Workbench,
        searching: &Searching,
        seed: u64,
    ) -> Result<Seat> {
        match player {
            Player::Human => Ok(Seat::Human),
            Player::Bot(bot) => {
                let bot = bench.player(&searching.complete(bot), seed);
                Ok(Seat::Bot(bot.map_err(anyhow::Error::msg)?, Task::default()))
            }
            Player::Engine(engine) => {
                let player = engine.player(bench, seed).map_err(anyhow::Error::msg)?;
                let usual = Limits { time: Some(Bot::USUAL_TIME), ..Limits::default() };
                let limits = Some(engine.limits().unwrap_or(usual));
                Ok(Seat::Bot(player, Task { limits, ..Task::default() }))
            }
        }
    }

    fn is_human(&self) -> bool {
        matches!(self, Seat::Human)
    }
}

/// A game under way and who sits at it.
struct Table<'c, R> {
    bench: Box<dyn Workbench>,
    seats: [Seat; 2],
    searching: &'c Searching,
    seed: u64,
    console: &'c Console,
    input: R,
    out: Box<dyn Write>,
    /// Where the game is kept for another time, if people play it.
    unfinished: Option<Unfinished>,
    /// Who gave up.
    resigned: Option<Side>,
    /// As files call the players.
    names: [String; 2],
    /// The record that the game was taken from.
    loaded: Option<Record>,
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
        if self.seats.iter().any(Seat::is_human) {
            writeln!(self.out, "Type a move, or help.")?;
        }
        self.draw()?;
        while self.bench.outcome().is_none() && self.resigned.is_none() {
            let side = self.bench.to_move();
            let next = match self.seats[side.index()] {
                Seat::Bot(..) => self.bot_turn(side)?,
                Seat::Human => self.human_turn(side)?,
            };
            match next {
                Next::Turn => {
                    self.keep()?;
                    self.draw()?;
                }
                Next::Again => {}
                Next::Leave => return Ok(()),
            }
        }
        self.agree()?;
        if let Some(unfinished) = &self.unfinished {
            unfinished.forget();
        }
        self.announce()
    }

    /// Keeps the game for another time.
    fn keep(&self) -> Result<()> {
        match &self.unfinished {
            Some(unfinished) => unfinished.keep(&*self.bench, &self.record()),
            None => Ok(()),
        }
    }

    fn resume(&mut self) -> Result<()> {
        let Some(file) = self.unfinished.as_ref().and_then(Unfinished::file) else {
            bail!("there is no unfinished game of {}", self.bench.spec());
        };
        self.loaded = Some(files::replay(&mut *self.bench, file, 1)?);
        Ok(())
    }

    /// The game as files tell it: with what a file that it was taken from says, else with who plays here and when.
    fn record(&self) -> Record {
        let mut record = self.bench.record();
        if let Some(loser) = self.resigned {
            record.result = Some(Verdict::of_margin(loser.other().sign()));
        }
        if let Some(loaded) = &self.loaded {
            record.go_on_from(loaded);
        }
        for (colour, name) in self.bench.colours().iter().zip(&self.names) {
            record.add_tag(colour, name.clone());
        }
        record.add_tag("Date", files::today(&*self.bench));
        record
    }

    /// Asks the people at the table what the rules leave to them. An empty line, or the end of the input,
    /// leaves the count as it is.
    fn agree(&mut self) -> Result<()> {
        if !self.seats.iter().any(Seat::is_human) {
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
        writeln!(self.out, "\n{}\n", self.board())?;
        let side = self.bench.to_move();
        let is_over = self.bench.outcome().is_some();
        if let Some(outcome) = self.bench.claimable() {
            writeln!(self.out, "A {} can be claimed here.", result_in_words(outcome))?;
        }
        if !is_over && self.seats[side.index()].is_human() {
            let moves = self.bench.moves();
            if moves.len() <= LISTED_MOVES {
                list_moves(&mut self.out, &moves)?;
            } else {
                writeln!(self.out, "{} legal moves; moves lists them", moves.len())?;
            }
        }
        Ok(())
    }

    /// The board, in colour where somebody sees it.
    fn board(&self) -> String {
        let diagram = self.bench.diagram();
        if self.console.in_colour() { diagram.draw(coloured) } else { diagram.to_string() }
    }

    fn announce(&mut self) -> Result<()> {
        if let Some(side) = self.resigned {
            let (loser, winner) = (side_name(side), side_name(side.other()));
            writeln!(self.out, "The {loser} player gives up: {winner} player wins.")?;
            return Ok(());
        }
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

    fn bot_turn(&mut self, side: Side) -> Result<Next> {
        let progress = Progress::of_search(self.console);
        let Seat::Bot(bot, task) = &mut self.seats[side.index()] else { return Ok(Next::Again) };
        let chosen = bot.choose(&*self.bench, task, &Stop::new(), &mut |info| progress.show(info));
        drop(progress);
        let Choice { turn, analysis } = chosen.map_err(anyhow::Error::msg)?;
        let name = side_name(side);
        let thought = analysis.map_or_else(String::new, |analysis| {
            format!(": {}{}", analysis_in_words(&analysis), effort(&analysis))
        });
        match turn {
            Turn::Play(text) => {
                let text = self.bench.play(&text).map_err(anyhow::Error::msg)?;
                writeln!(self.out, "The {name} player, a bot, plays {text}{thought}.")?;
            }
            Turn::Claim => {
                self.bench.claim();
                writeln!(self.out, "The {name} player, a bot, claims what the rules allow.")?;
            }
            Turn::Resign => {
                self.resigned = Some(side);
                writeln!(self.out, "The {name} player, a bot, resigns.")?;
            }
        }
        Ok(Next::Turn)
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
            Entry::Board => writeln!(self.out, "\n{}\n", self.board())?,
            Entry::Hint => return self.hint(),
            Entry::Claim if self.bench.claim() => return Ok(Next::Turn),
            Entry::Claim => writeln!(self.out, "There is nothing to claim here.")?,
            Entry::Save(file) => self.save(file)?,
            Entry::Load(file) => return self.load(file),
            Entry::Resign => {
                self.resigned = Some(side);
                return Ok(Next::Turn);
            }
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
        let text = self.bench.write_game(&self.record()).map_err(anyhow::Error::msg)?;
        match files::write(file.as_ref(), &text) {
            Ok(()) => writeln!(self.out, "The game is in {}.", quote(file))?,
            Err(error) => writeln!(self.out, "{}", on_one_line(&format!("{error:#}")))?,
        }
        Ok(())
    }

    fn load(&mut self, file: &str) -> Result<Next> {
        match files::replay(&mut *self.bench, file.as_ref(), 1) {
            Ok(record) => {
                self.loaded = Some(record);
                Ok(Next::Turn)
            }
            Err(error) => {
                writeln!(self.out, "{}", on_one_line(&format!("{error:#}")))?;
                Ok(Next::Again)
            }
        }
    }

    /// What a bot would play that takes as long as usual.
    fn hint(&mut self) -> Result<Next> {
        let progress = Progress::of_search(self.console);
        let bot = self.searching.complete(&Bot::default());
        let mut adviser = self.bench.player(&bot, self.seed).map_err(anyhow::Error::msg)?;
        let advice = adviser
            .choose(&*self.bench, &Task::default(), &Stop::new(), &mut |info| progress.show(info));
        drop(progress);
        let Choice { turn, analysis } = advice.map_err(anyhow::Error::msg)?;
        let best = match turn {
            Turn::Play(text) => text,
            Turn::Claim => "claim".to_owned(),
            Turn::Resign => "resign".to_owned(),
        };
        match analysis {
            Some(analysis) => writeln!(self.out, "{best}: {}.", analysis_in_words(&analysis))?,
            None => writeln!(self.out, "{best} is the only move.")?,
        }
        Ok(Next::Again)
    }

    /// Back to the last position in which a person had to move; false, and nothing changed, if there
    /// is none.
    fn take_back(&mut self) -> bool {
        let mut taken = self.bench.played();
        let mut kept = taken.len();
        while self.bench.undo() {
            kept -= 1;
            if self.seats[self.bench.to_move().index()].is_human() {
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

/// What a bot did to know it.
fn effort(analysis: &Analysis) -> String {
    match analysis.depth {
        Some(depth) if depth > 0 => {
            format!(", depth {depth}, {} nodes", indicatif::HumanCount(analysis.nodes))
        }
        _ => String::new(),
    }
}

/// The first player's pieces bold, the second's in cyan, the last move and the winning line on a ground of their
/// own.
fn coloured(cell: Cell, text: &str) -> String {
    let ground = match cell.mark {
        Mark::None => "",
        Mark::Last => ";43",
        Mark::Line => ";42",
    };
    match cell.owner {
        Some(Side::First) => format!("\x1b[1{ground}m{text}\x1b[0m"),
        Some(Side::Second) => format!("\x1b[1;36{ground}m{text}\x1b[0m"),
        None => format!("\x1b[2{ground}m{text}\x1b[0m"),
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
    Load(&'t str),
    Resign,
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
            "resign" => Entry::Resign,
            "quit" | "exit" => Entry::Quit,
            _ if line.bytes().all(|b| b.is_ascii_digit()) => {
                let index = line.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
                let chosen = index.and_then(|index| moves.get(index));
                chosen.map_or(Entry::NoSuchNumber, |text| Entry::Move(text))
            }
            _ => match line.split_once(' ').map(|(word, file)| (word, file.trim())) {
                Some(("save", file)) if !file.is_empty() => Entry::Save(file),
                Some(("load", file)) if !file.is_empty() => Entry::Load(file),
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
            ("load  x", Entry::Load("x")),
            ("load ", Entry::Move("load ")),
            ("resign", Entry::Resign),
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
