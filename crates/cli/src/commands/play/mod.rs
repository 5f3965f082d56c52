//! `zermelo play`: a game in the terminal, between people and searches. Works as well through pipes.

mod entry;
mod seats;
mod view;

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, bail};
use compiled::{CompiledGame, CompiledSession};
use game::{Mark, Side, mix, quote};
use play::record::{Record, Verdict};
use play::{Analysis, BotSpec, Choice, Level, Stop, Task, Turn};
use serde::Serialize;
use serde_json::Number;

use self::entry::{COMMANDS, Entry, HELP, is_word, list_moves, read_line};
use self::seats::{Machine, Seat};
use self::view::{View, draw_counts};
use crate::args::{self, Player, Searching};
use crate::complaint::{in_words, on_one_line};
use crate::files;
use crate::output::{
    Answer, Console, Opened, analysis_for, is_proved, margin_of, result_of, value_name,
};
use crate::progress::Progress;
use crate::unfinished::Unfinished;

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
    let (Opened { game, session }, loaded) = console.open_recorded(&arguments.place)?;
    let out: Box<dyn Write> = match console.json {
        true => Box::new(io::stderr()),
        false => Box::new(io::stdout()),
    };
    let second = arguments.second.clone();
    let second = second.unwrap_or_else(|| opponent_of(&arguments.first));
    let seed = arguments.searching.seed.unwrap_or_else(any_seed);
    let seat = |player: &Player, side: Side| {
        Seat::new(player, &*game, &arguments.searching, mix(seed ^ side.index() as u64))
    };
    let seats = [seat(&arguments.first, Side::First)?, seat(&second, Side::Second)?];
    let people: Vec<Side> =
        [Side::First, Side::Second].into_iter().filter(|s| seats[s.index()].is_human()).collect();
    let below = match *people {
        [one] => Some(one),
        _ => None,
    };
    let mut table = Table {
        unfinished: (!people.is_empty()).then(|| Unfinished::of(game.facts())),
        view: View::new(&*game, below)?,
        game,
        session,
        seats,
        searching: &arguments.searching,
        seed,
        console,
        input: io::stdin().lock(),
        out,
        names: [name_of(&arguments.first), name_of(&second)],
        loaded,
        settled: None,
        begun: String::new(),
    };
    if arguments.resume {
        table.resume()?;
    }
    table.play()?;
    if !console.json {
        return Ok(Answer::Yes);
    }
    let (session, settled) = (table.session, table.settled);
    let outcome = session.outcome();
    let by_players = settled.map(|settled| match settled {
        Settled::Resigned(side) => value_name(side.other().sign()),
        Settled::Agreed => value_name(0),
    });
    let played = Played {
        game: session.spec(),
        position: session.position(),
        moves: session.played(),
        over: outcome.is_some() || settled.is_some(),
        value: outcome.map(|outcome| value_name(outcome.margin.signum())).or(by_players),
        margin: outcome.and_then(margin_of),
    };
    console.answer(&played, |_| Ok(()))
}

fn opponent_of(player: &Player) -> Player {
    match player {
        Player::Human => Player::Bot(BotSpec::at(Level::USUAL)),
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

/// A game under way and who sits at it.
struct Table<'c, R> {
    game: Arc<dyn CompiledGame>,
    session: Box<dyn CompiledSession>,
    seats: [Seat; 2],
    searching: &'c Searching,
    seed: u64,
    console: &'c Console,
    input: R,
    out: Box<dyn Write>,
    /// Where the game is kept for another time, if people play it.
    unfinished: Option<Unfinished>,
    /// As files call the players.
    names: [String; 2],
    /// The record that the game was taken from.
    loaded: Option<Record>,
    view: View,
    /// How the players ended the game themselves.
    settled: Option<Settled>,
    /// The first steps of a capture that goes on.
    begun: String,
}

/// An end that no rule knows of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Settled {
    /// Somebody gave up.
    Resigned(Side),
    /// Both wanted a draw.
    Agreed,
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
        self.introduce()?;
        self.draw()?;
        while self.session.outcome().is_none() && self.settled.is_none() {
            let side = self.session.to_move();
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

    fn introduce(&mut self) -> Result<()> {
        writeln!(self.out, "{}", self.session.spec())?;
        let people = self.seats.iter().filter(|seat| seat.is_human()).count();
        for (seat, side) in self.seats.iter().zip([Side::First, Side::Second]) {
            let who = match seat {
                Seat::Human if people == 1 => "you",
                Seat::Human => "a person",
                Seat::Bot(machine) => &machine.name,
            };
            writeln!(self.out, "{}: {who}", self.view.described(side))?;
        }
        if people > 0 {
            writeln!(self.out, "Type a move, or help.")?;
        }
        Ok(())
    }

    /// Keeps the game for another time.
    fn keep(&self) -> Result<()> {
        match &self.unfinished {
            Some(unfinished) => unfinished.keep(&*self.game, &self.record()),
            None => Ok(()),
        }
    }

    fn resume(&mut self) -> Result<()> {
        let Some(file) = self.unfinished.as_ref().and_then(Unfinished::file) else {
            bail!("there is no unfinished game of {}", self.session.spec());
        };
        self.loaded = Some(files::replay(&*self.game, &mut *self.session, file, 1)?);
        Ok(())
    }

    /// The game as files tell it: with what a file that it was taken from says, else with who plays here and when.
    fn record(&self) -> Record {
        let mut record = self.session.record();
        record.result = match self.settled {
            Some(Settled::Resigned(loser)) => Some(Verdict::of_margin(loser.other().sign())),
            Some(Settled::Agreed) => Some(Verdict::Draw),
            None => record.result,
        };
        if let Some(loaded) = &self.loaded {
            record.go_on_from(loaded);
        }
        for (colour, name) in self.game.facts().colours.iter().zip(&self.names) {
            record.add_tag(colour, name.clone());
        }
        record.add_tag("Date", files::today(self.game.facts()));
        record
    }

    /// Asks the people at the table what the rules leave to them. An empty line, or the end of the input,
    /// leaves the count as it is.
    fn agree(&mut self) -> Result<()> {
        if !self.seats.iter().any(Seat::is_human) {
            return Ok(());
        }
        while let (Some(question), Some(outcome)) =
            (self.session.left_to_agree(), self.session.outcome())
        {
            let so_far = result_of(outcome, self.view.names);
            writeln!(self.out, "So far: {so_far}. {question}")?;
            match self.ask("both players")? {
                None => return Ok(()),
                Some(line) if line.is_empty() => return Ok(()),
                Some(line) => match self.session.agree(&line) {
                    Ok(_) => return Ok(()),
                    Err(error) => writeln!(self.out, "{error}")?,
                },
            }
        }
        Ok(())
    }

    /// A line that somebody types; `None` at the end of the input.
    fn ask(&mut self, whom: &str) -> Result<Option<String>> {
        write!(self.out, "{whom}> ")?;
        self.out.flush()?;
        Ok(read_line(&mut self.input)?)
    }

    /// Whether somebody says yes; who says nothing does not.
    fn asks(&mut self, whom: &str) -> Result<bool> {
        let answer = self.ask(whom)?.unwrap_or_default().to_lowercase();
        Ok(matches!(&*answer, "y" | "yes"))
    }

    fn draw(&mut self) -> Result<()> {
        self.show_board()?;
        let side = self.session.to_move();
        let is_over = self.session.outcome().is_some() || self.settled.is_some();
        if let Some(counts) = draw_counts(&*self.session).filter(|_| !is_over) {
            writeln!(self.out, "{counts}")?;
        }
        if let Some(outcome) = self.session.claimable().filter(|_| !is_over) {
            let what = result_of(outcome, self.view.names);
            writeln!(self.out, "A {what} can be claimed here.")?;
        }
        if !is_over && self.seats[side.index()].is_human() {
            let moves = self.moves();
            if moves.len() <= LISTED_MOVES {
                list_moves(&mut self.out, &moves)?;
            } else {
                writeln!(self.out, "{} legal moves; moves lists them", moves.len())?;
            }
        }
        Ok(())
    }

    fn show_board(&mut self) -> Result<()> {
        let board = self.view.board(&*self.session, self.console.in_colour());
        Ok(writeln!(self.out, "\n{board}\n")?)
    }

    /// The legal moves as people write them.
    fn moves(&self) -> Vec<String> {
        self.session.moves().into_iter().map(|text| self.for_people(text)).collect()
    }

    fn for_people(&self, text: String) -> String {
        self.session.for_people(&text).unwrap_or(text)
    }

    fn announce(&mut self) -> Result<()> {
        if let Some(settled) = self.settled {
            match settled {
                Settled::Agreed => writeln!(self.out, "The game is over: draw by agreement.")?,
                Settled::Resigned(side) => {
                    let [loser, winner] = [side, side.other()].map(|side| self.view.name(side));
                    writeln!(self.out, "The game is over: {winner} wins, {loser} resigned.")?;
                }
            }
            return Ok(());
        }
        let Some(outcome) = self.session.outcome() else {
            return Ok(());
        };
        let reason = self.session.end_reason().map_or_else(String::new, |why| format!(", {why}"));
        let result = result_of(outcome, self.view.names);
        writeln!(self.out, "The game is over: {result}{reason}.")?;
        let diagram = self.session.diagram();
        let line: Vec<String> =
            diagram.marked(Mark::Line).map(|square| diagram.grid().name(square)).collect();
        if !line.is_empty() {
            writeln!(self.out, "The winning line: {}.", line.join(" "))?;
        }
        Ok(())
    }

    fn bot_turn(&mut self, side: Side) -> Result<Next> {
        let Choice { turn, analysis } = self.thought_of(side)?;
        let name = self.view.name(side);
        let thought = analysis.map_or_else(String::new, |analysis| {
            format!(": {}{}", analysis_for(&analysis, self.view.names), effort(&analysis))
        });
        match turn {
            Turn::Play(text) => {
                let written = self.for_people(text.clone());
                self.session.play(&text)?;
                writeln!(self.out, "{name}, a bot, plays {written}{thought}.")?;
            }
            Turn::Claim => {
                self.session.claim();
                writeln!(self.out, "{name}, a bot, claims what the rules allow.")?;
            }
            Turn::Resign => {
                self.settled = Some(Settled::Resigned(side));
                writeln!(self.out, "{name}, a bot, resigns.")?;
            }
        }
        Ok(Next::Turn)
    }

    /// What the machine on this side would do now.
    fn thought_of(&mut self, side: Side) -> Result<Choice> {
        let progress = Progress::of_search(self.console);
        let Seat::Bot(Machine { player, task, .. }) = &mut self.seats[side.index()] else {
            bail!("no machine sits there");
        };
        Ok(player.choose(&*self.session, task, &Stop::new(), &mut |info| progress.show(info))?)
    }

    fn human_turn(&mut self, side: Side) -> Result<Next> {
        let name = self.view.name(side);
        let whom = match &*self.begun {
            "" => name.to_owned(),
            begun => format!("{name}, after {begun}"),
        };
        let Some(line) = self.ask(&whom)? else {
            writeln!(self.out, "\nThat was the end of the input. Goodbye.")?;
            return Ok(Next::Leave);
        };
        let begun = std::mem::take(&mut self.begun);
        if !begun.is_empty() && self.goes_on(&format!("{begun} {line}"))? {
            return Ok(if self.begun.is_empty() { Next::Turn } else { Next::Again });
        }
        let moves = self.moves();
        match Entry::read(&line, &moves) {
            Entry::Nothing => writeln!(self.out, "Type a move, or help.")?,
            Entry::Help => writeln!(self.out, "{HELP}")?,
            Entry::Moves => list_moves(&mut self.out, &moves)?,
            Entry::Board => self.show_board()?,
            Entry::Turn => {
                self.view.turned = !self.view.turned;
                self.show_board()?;
            }
            Entry::Hint => return self.hint(),
            Entry::Claim if self.session.claim() => return Ok(Next::Turn),
            Entry::Claim => writeln!(self.out, "There is nothing to claim here.")?,
            Entry::Draw => return self.offer_draw(side),
            Entry::Save(file) => self.save(file)?,
            Entry::Load(file) => return self.load(file),
            Entry::NoFile(word) => {
                let extension = self.game.facts().extension;
                writeln!(self.out, "{word} needs a file, as in {word} game.{extension}.")?;
            }
            Entry::Resign => {
                self.settled = Some(Settled::Resigned(side));
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
            Entry::Move(text) => return self.human_move(text),
        }
        Ok(Next::Again)
    }

    /// Plays what was typed, or says what is wrong with it.
    fn human_move(&mut self, text: &str) -> Result<Next> {
        let Err(error) = self.session.play(text) else { return Ok(Next::Turn) };
        if self.goes_on(text)? {
            return Ok(Next::Again);
        }
        match is_word(text) {
            true => writeln!(
                self.out,
                "{} is an unknown word, and no move here. The commands are {}.",
                quote(text),
                COMMANDS.join(", ")
            )?,
            false => writeln!(self.out, "{error}")?,
        }
        Ok(Next::Again)
    }

    /// Plays a move that was typed in steps, or keeps its first steps; false if this is neither.
    fn goes_on(&mut self, steps: &str) -> Result<bool> {
        if self.session.play(steps).is_ok() {
            return Ok(true);
        }
        let moves = self.session.moves_beginning(steps);
        if !moves.is_empty() {
            writeln!(self.out, "It goes on, as {}: where to next?", moves.join(" or "))?;
            steps.clone_into(&mut self.begun);
        }
        Ok(!moves.is_empty())
    }

    /// A draw that the rules grant, or else one that the other side agrees to.
    fn offer_draw(&mut self, side: Side) -> Result<Next> {
        if self.session.claimable().is_some_and(|outcome| outcome.winner().is_none()) {
            self.session.claim();
            return Ok(Next::Turn);
        }
        let [name, other] = [side, side.other()].map(|side| self.view.name(side));
        let agrees = match &self.seats[side.other().index()] {
            Seat::Bot(_) => self.bot_agrees(side.other())?,
            Seat::Human => {
                writeln!(self.out, "{name} offers a draw. Does {other} agree, yes or no?")?;
                self.asks(other)?
            }
        };
        if agrees {
            self.settled = Some(Settled::Agreed);
            return Ok(Next::Turn);
        }
        writeln!(self.out, "{other} declines the draw.")?;
        Ok(Next::Again)
    }

    /// Whether a machine takes a draw: where it does not think to be ahead, and not in the opening unless that is proved.
    /// Who does not think does not agree.
    fn bot_agrees(&mut self, side: Side) -> Result<bool> {
        const OPENING: usize = 20;
        let thought = self.thought_of(side)?.analysis;
        Ok(thought.is_some_and(|analysis| {
            let ahead = analysis.value.is_none_or(|value| value.signum() * side.sign() > 0);
            !ahead && (is_proved(&analysis) || self.session.plies() >= OPENING)
        }))
    }

    fn save(&mut self, file: &str) -> Result<()> {
        if Path::new(file).exists() {
            writeln!(self.out, "{} is there already. Write over it, yes or no?", quote(file))?;
            if !self.asks("save")? {
                writeln!(self.out, "Nothing was written.")?;
                return Ok(());
            }
        }
        let text = self.game.files().write(&self.record())?;
        match files::write(file.as_ref(), &text) {
            Ok(()) => writeln!(self.out, "The game is in {}.", quote(file))?,
            Err(error) => writeln!(self.out, "{}", on_one_line(&in_words(&error)))?,
        }
        Ok(())
    }

    fn load(&mut self, file: &str) -> Result<Next> {
        match files::replay(&*self.game, &mut *self.session, file.as_ref(), 1) {
            Ok(record) => {
                self.loaded = Some(record);
                Ok(Next::Turn)
            }
            Err(error) => {
                writeln!(self.out, "{}", on_one_line(&in_words(&error)))?;
                Ok(Next::Again)
            }
        }
    }

    /// What a bot would play that takes as long as usual.
    fn hint(&mut self) -> Result<Next> {
        let progress = Progress::of_search(self.console);
        let bot = self.searching.complete(&BotSpec::default());
        let mut adviser = self.game.player(&bot, self.seed)?;
        let advice = adviser.choose(&*self.session, &Task::default(), &Stop::new(), &mut |info| {
            progress.show(info);
        });
        drop(progress);
        let Choice { turn, analysis } = advice?;
        let best = match turn {
            Turn::Play(text) => self.for_people(text),
            Turn::Claim => "claim".to_owned(),
            Turn::Resign => "resign".to_owned(),
        };
        match analysis {
            Some(analysis) => {
                let line = self.session.line_for_people(&analysis.pv);
                let worth = analysis_for(&analysis, self.view.names);
                writeln!(self.out, "{best}: {worth}; {}.", line.join(" "))?;
            }
            None => writeln!(self.out, "{best} is the only move.")?,
        }
        Ok(Next::Again)
    }

    /// Back to the last position in which a person had to move; false, and nothing changed, if there
    /// is none.
    fn take_back(&mut self) -> bool {
        let mut taken = self.session.played();
        let mut kept = taken.len();
        while self.session.undo() {
            kept -= 1;
            if self.seats[self.session.to_move().index()].is_human() {
                return true;
            }
        }
        for text in taken.drain(kept..) {
            if self.session.play(&text).is_err() {
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
