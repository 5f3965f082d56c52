//! Zermelo as a GTP engine.
//!
//! GTP is strictly one thing after the other: what comes while a move is thought of waits for its turn. Colours may play
//! out of turn; where the rules know a free pass, the other side passes in between.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use game::{Diagram, Grid, Side, Spec, Square};
use play::record::Record;
use play::{Choice, Info, Outcome, Session, Task, Turn};

use super::clock::{Clocks, TimeSettings, read_seconds};
use super::codec::{Failure, Request, looks_like_vertex, read_colour, write_answer};
use super::{SYNTAX, handicap, load};
use crate::bot::{described, has_limits};
use crate::command_error::CommandError;
use crate::desk::{Desk, Flow, Speaker};
use crate::host::{Host, HostError};

const PASS: &str = "pass";

/// How long a front that says goodbye waits for the answers before it.
const FAREWELL: Duration = Duration::from_secs(2);

/// A remark, and yet a command to those who know it: choose now.
const INTERRUPT: &str = "# interrupt";

/// What every game has.
const COMMANDS: [&str; 21] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "rectangular_boardsize",
    "clear_board",
    "play",
    "genmove",
    "reg_genmove",
    "kgs-genmove_cleanup",
    "undo",
    "loadsgf",
    "showboard",
    "final_score",
    "final_status_list",
    "time_settings",
    "time_left",
    "gogui-interrupt",
];
/// What games have in which points are given for moving second.
const KOMI_COMMANDS: [&str; 4] =
    ["komi", "fixed_handicap", "place_free_handicap", "set_free_handicap"];

/// Speaks GTP for a game.
pub struct Gtp {
    name: String,
    version: String,
    bot: String,
    session: Box<dyn Session>,
    /// What was done since the board was cleared, to be undone one by one.
    steps: Vec<Step>,
    clocks: Clocks,
    /// What is thought about.
    question: Option<Question>,
    /// What was asked meanwhile.
    waiting: VecDeque<Request>,
    /// When the last thought has to end, if a goodbye waits.
    leave_by: Option<Instant>,
}

/// What one command did to the game.
#[derive(Debug, Default)]
struct Step {
    plies: usize,
    /// The whole game before it, where more was done than to play on.
    before: Option<Box<Record>>,
}

#[derive(Debug)]
struct Question {
    id: String,
    side: Side,
    /// Whether the answer is played.
    plays: bool,
    since: Instant,
    /// What was done so that the side could move.
    step: Step,
}

/// What a command is answered with.
type Answer = Result<String, CommandError>;

/// What a command leads to.
enum Reaction {
    Answer(Answer),
    /// The answer comes later.
    Think,
    Leave,
}

impl Gtp {
    /// An engine for a game at its start. The bot says what the player is.
    #[must_use]
    pub fn new(name: &str, version: &str, session: Box<dyn Session>, bot: &str) -> Gtp {
        Gtp {
            name: name.to_owned(),
            version: version.to_owned(),
            bot: described(bot),
            session,
            steps: Vec::new(),
            clocks: Clocks::default(),
            question: None,
            waiting: VecDeque::new(),
            leave_by: None,
        }
    }

    /// Answers what waits, until something has to be thought about.
    fn answer_waiting(&mut self, desk: &mut Desk<'_>) -> Flow {
        while self.question.is_none()
            && let Some(request) = self.waiting.pop_front()
        {
            match self.react(&request, desk) {
                Reaction::Answer(answer) => say(desk, &request.id, answer),
                Reaction::Think => {}
                Reaction::Leave => {
                    desk.say(&write_answer(&request.id, &Ok(String::new())));
                    return Flow::Leave;
                }
            }
        }
        Flow::On
    }

    fn react(&mut self, request: &Request, desk: &mut Desk<'_>) -> Reaction {
        let Request { command, arguments, .. } = request;
        let ok = |text: &str| Ok(text.to_owned());
        Reaction::Answer(match command.as_str() {
            "protocol_version" => ok("2"),
            "name" => ok(&self.name),
            "version" => ok(&self.version),
            "list_commands" => Ok(self.commands(desk).join("\n")),
            "known_command" => match arguments.first() {
                Some(command) => Ok(self.commands(desk).contains(&&**command).to_string()),
                None => Err(SYNTAX.into()),
            },
            "quit" => return Reaction::Leave,
            "boardsize" | "rectangular_boardsize" => self.resize(arguments, desk),
            "clear_board" => self.clear(desk),
            "komi" if self.has_komi(desk) => self.set_komi(arguments, desk),
            "fixed_handicap" | "place_free_handicap" if self.has_komi(desk) => {
                self.choose_handicap(arguments, command == "fixed_handicap")
            }
            "set_free_handicap" if self.has_komi(desk) => {
                self.place_handicap(arguments).map(|()| String::new())
            }
            "play" => self.play(arguments),
            "genmove" | "reg_genmove" | "kgs-genmove_cleanup" => {
                return self.think(request, command != "reg_genmove", desk);
            }
            "undo" => match self.steps.pop() {
                Some(step) => {
                    self.undo(&step);
                    ok("")
                }
                None => Err("cannot undo".into()),
            },
            "loadsgf" => self.load(arguments, desk),
            "showboard" => Ok(format!("\n{}", self.session.diagram())),
            "final_score" => self.score(desk),
            "final_status_list" => self.status_list(arguments),
            "time_settings" => match TimeSettings::read(arguments) {
                Some(settings) => {
                    self.clocks.set(settings);
                    ok("")
                }
                None => Err(SYNTAX.into()),
            },
            "time_left" => self.correct_clock(arguments),
            // That it is known says it all: INTERRUPT is heeded.
            "gogui-interrupt" => ok(""),
            _ => Err("unknown command".into()),
        })
    }

    fn commands(&self, desk: &Desk<'_>) -> Vec<&'static str> {
        let more = if self.has_komi(desk) { &KOMI_COMMANDS[..] } else { &[] };
        COMMANDS.iter().chain(more).copied().collect()
    }

    fn changed(&self, argument: &str, desk: &Desk<'_>) -> Option<Box<dyn Session>> {
        changed(&*self.session, argument, desk.host())
    }

    fn has_komi(&self, desk: &Desk<'_>) -> bool {
        self.changed("komi=0", desk).is_some()
    }

    /// `boardsize 9`, and for boards that are not square columns before rows, as other engines have it.
    fn resize(&mut self, arguments: &[String], desk: &mut Desk<'_>) -> Answer {
        let sides: Option<Vec<u32>> = arguments.iter().map(|side| side.parse().ok()).collect();
        let (rows, columns) = match sides.as_deref() {
            Some(&[size]) => (size, size),
            Some(&[columns, rows]) => (rows, columns),
            _ => return Err(SYNTAX.into()),
        };
        let size = format!("{rows}x{columns}");
        self.session = self.changed(&size, desk).ok_or("unacceptable size")?;
        self.clear(desk)
    }

    fn clear(&mut self, desk: &mut Desk<'_>) -> Answer {
        let opened = desk.host().open(&self.session.spec());
        self.begin(opened?, desk)
    }

    /// Moves that were loaded can be undone one by one.
    fn load(&mut self, arguments: &[String], desk: &mut Desk<'_>) -> Answer {
        let host = desk.host();
        let changed = |session: &dyn Session, argument: &str| changed(session, argument, host);
        let loaded = load::load(arguments, host, changed, &*self.session)?;
        self.begin(loaded, desk)?;
        self.steps.resize_with(self.session.plies(), || Step { plies: 1, before: None });
        Ok(String::new())
    }

    /// Another game from here on.
    fn begin(&mut self, session: Box<dyn Session>, desk: &mut Desk<'_>) -> Answer {
        self.session = session;
        self.steps.clear();
        self.clocks.restart();
        desk.forget_player();
        Ok(String::new())
    }

    /// The game goes on with another komi.
    fn set_komi(&mut self, arguments: &[String], desk: &Desk<'_>) -> Answer {
        let number = arguments.first().and_then(|komi| komi.parse::<f64>().ok());
        let komi = number.filter(|komi| komi.is_finite()).ok_or(SYNTAX)?;
        let mut session = self.changed(&format!("komi={komi}"), desk).ok_or("unacceptable komi")?;
        session.replay(&self.session.record())?;
        self.session = session;
        Ok(String::new())
    }

    fn play(&mut self, arguments: &[String]) -> Answer {
        let [colour, vertex] = arguments else { return Err(SYNTAX.into()) };
        let side = read_colour(colour).ok_or("invalid color")?;
        if !looks_like_vertex(vertex) {
            return Err("invalid coordinate".into());
        }
        let mut step = Step::default();
        if self.turn_to(side, &mut step) && self.session.play(vertex).is_ok() {
            step.plies += 1;
            self.steps.push(step);
            return Ok(String::new());
        }
        self.undo(&step);
        Err("illegal move".into())
    }

    /// Lets the other side pass if it is its turn; false where it may not.
    fn turn_to(&mut self, side: Side, step: &mut Step) -> bool {
        // A pass may end the game, and then somebody plays on.
        for _ in 0..2 {
            if self.session.outcome().is_some() && !self.play_on(step) {
                return false;
            }
            if self.session.to_move() == side {
                return true;
            }
            if self.session.play(PASS).is_err() {
                return false;
            }
            step.plies += 1;
        }
        self.session.to_move() == side && (self.session.outcome().is_none() || self.play_on(step))
    }

    /// Goes on after passes have ended the game; false if something else has.
    fn play_on(&mut self, step: &mut Step) -> bool {
        let (before, position) = (self.session.record(), self.session.position());
        let words = position.split_whitespace().filter(|&word| word != PASS);
        let going_on = words.collect::<Vec<_>>().join(" ");
        if going_on == position || self.session.set_position(&going_on).is_err() {
            return false;
        }
        step.remember(before);
        self.session.outcome().is_none()
    }

    fn undo(&mut self, step: &Step) {
        match &step.before {
            Some(record) => {
                // It was played before.
                let _ = self.session.replay(record);
            }
            None => {
                for _ in 0..step.plies {
                    self.session.undo();
                }
            }
        }
    }

    /// The engine's choice is the table of the fixed handicap too, as far as that goes.
    fn choose_handicap(&mut self, arguments: &[String], fixed: bool) -> Answer {
        let stones = match arguments {
            [stones] => stones.parse::<usize>().map_err(|_| SYNTAX)?,
            _ => return Err(SYNTAX.into()),
        };
        let diagram = self.session.diagram();
        let most = handicap::most(diagram.grid().rows);
        let stones = if fixed { stones } else { stones.min(most) };
        let points = handicap::fixed_points(&diagram, stones);
        let points = points.ok_or("invalid number of stones")?;
        self.place_handicap(&points)?;
        Ok(points.join(" "))
    }

    /// Stones of the first player on an empty board, upon which the other one moves.
    fn place_handicap(&mut self, points: &[String]) -> Result<(), CommandError> {
        if chains(&self.session.diagram()).next().is_some() {
            return Err("board not empty".into());
        }
        let mut step = Step::default();
        step.remember(self.session.record());
        let mut place = |point: &String| {
            let passes = self.session.to_move() == Side::First || self.session.play(PASS).is_ok();
            let is_point = !point.eq_ignore_ascii_case(PASS);
            passes && is_point && self.session.play(point).is_ok()
        };
        let placed = points.len() >= 2 && points.iter().all(&mut place);
        let position = self.session.position();
        if placed && self.session.set_position(&position).is_ok() {
            self.steps.push(step);
            return Ok(());
        }
        self.undo(&step);
        Err("bad vertex list".into())
    }

    fn think(&mut self, request: &Request, plays: bool, desk: &mut Desk<'_>) -> Reaction {
        let refuse = |why: &'static str| Reaction::Answer(Err(why.into()));
        let Some(colour) = request.arguments.first() else { return refuse(SYNTAX) };
        let Some(side) = read_colour(colour) else { return refuse("invalid color") };
        let mut step = Step::default();
        if !self.turn_to(side, &mut step) {
            self.undo(&step);
            // Whoever asks after the end hears that nothing is left to do.
            return match self.session.outcome() {
                Some(_) => Reaction::Answer(Ok(PASS.to_uppercase())),
                None => refuse("it is the other color's turn, which may not pass"),
            };
        }
        let limits = self.clocks.limits(side, has_limits(&self.bot));
        let task = Task { limits, ..Task::default() };
        if let Err(why) = desk.think(&*self.session, &self.bot, task) {
            self.undo(&step);
            return Reaction::Answer(Err(why.into()));
        }
        self.hurry(desk);
        let id = request.id.clone();
        self.question = Some(Question { id, side, plays, since: Instant::now(), step });
        Reaction::Think
    }

    /// Whoever has said goodbye does not want to wait for long.
    fn hurry(&self, desk: &mut Desk<'_>) {
        if let Some(leave_by) = self.leave_by {
            desk.stop_in(leave_by.saturating_duration_since(Instant::now()));
        }
    }

    /// Plays what was chosen, if that was asked for, and says it.
    fn settle(&mut self, question: Question, choice: Result<Choice, HostError>) -> Answer {
        let Question { side, plays, since, mut step, .. } = question;
        self.clocks.spend(side, since.elapsed());
        let chosen = choice.map_err(CommandError::Host).and_then(|choice| match choice.turn {
            Turn::Play(text) => Ok(text),
            Turn::Resign => Ok("resign".to_owned()),
            Turn::Claim => self.session.moves().pop().ok_or_else(|| "no move".into()),
        });
        let played = match &chosen {
            Ok(text) if plays && text != "resign" => self.session.play(text).map(|_| true),
            _ => Ok(false),
        };
        match played {
            Ok(true) => {
                step.plies += 1;
                self.steps.push(step);
            }
            _ => self.undo(&step),
        }
        played?;
        chosen.map(|text| if text == "resign" { text } else { text.to_uppercase() })
    }

    /// The score of a game that is over, or would be if both passed now.
    fn score(&self, desk: &Desk<'_>) -> Answer {
        let outcome = match self.session.outcome() {
            Some(outcome) => outcome,
            None => self.score_of_passes(desk).ok_or("cannot score")?,
        };
        let points = outcome.points().map_or_else(|| "1".to_owned(), |p| p.abs().to_string());
        Ok(match outcome.winner() {
            Some(Side::First) => format!("B+{points}"),
            Some(Side::Second) => format!("W+{points}"),
            None => "0".to_owned(),
        })
    }

    fn score_of_passes(&self, desk: &Desk<'_>) -> Option<Outcome> {
        let mut session = desk.host().open(&self.session.spec()).ok()?;
        session.replay(&self.session.record()).ok()?;
        for _ in 0..2 {
            if session.outcome().is_none() {
                session.play(PASS).ok()?;
            }
        }
        session.outcome()
    }

    /// All stones are alive: what is dead is taken off before the end.
    fn status_list(&self, arguments: &[String]) -> Answer {
        match arguments.first().map(String::as_str) {
            Some("alive") => Ok(chains(&self.session.diagram()).collect::<Vec<_>>().join("\n")),
            Some("dead" | "seki") => Ok(String::new()),
            _ => Err(SYNTAX.into()),
        }
    }

    fn correct_clock(&mut self, arguments: &[String]) -> Answer {
        let [colour, time, stones] = arguments else { return Err(SYNTAX.into()) };
        let side = read_colour(colour).ok_or("invalid color")?;
        // Fronts tell of clocks that have run out.
        let time =
            time.strip_prefix('-').map_or_else(|| read_seconds(time), |_| Some(Duration::ZERO));
        let stones = stones.parse().ok();
        let (time, stones) = time.zip(stones).ok_or(SYNTAX)?;
        self.clocks.correct(side, time, stones);
        Ok(String::new())
    }
}

impl Step {
    /// The game before everything that the step did.
    fn remember(&mut self, mut before: Record) {
        if self.before.is_none() {
            let plies = &mut before.line.plies;
            plies.truncate(plies.len().saturating_sub(self.plies));
            self.before = Some(Box::new(before));
        }
    }
}

impl Speaker for Gtp {
    fn hear(&mut self, line: &str, desk: &mut Desk<'_>) -> Flow {
        let Some(request) = Request::read(line) else {
            if line.trim() == INTERRUPT {
                desk.stop();
            }
            return Flow::On;
        };
        if request.command == "quit" {
            self.leave_by.get_or_insert_with(|| Instant::now() + FAREWELL);
            self.hurry(desk);
        }
        self.waiting.push_back(request);
        self.answer_waiting(desk)
    }

    fn hear_progress(&mut self, _: &Info, _: &mut Desk<'_>) {}

    fn hear_choice(&mut self, choice: Result<Choice, HostError>, desk: &mut Desk<'_>) -> Flow {
        if let Some(question) = self.question.take() {
            let id = question.id.clone();
            let answer = self.settle(question, choice);
            say(desk, &id, answer);
        }
        self.answer_waiting(desk)
    }
}

/// Says the answer to the request of this number.
fn say(desk: &mut Desk<'_>, id: &str, answer: Answer) {
    desk.say(&write_answer(id, &answer.map_err(|why| Failure(why.to_string()))));
}

/// The same game with another board or komi, from its start.
fn changed(session: &dyn Session, argument: &str, host: &dyn Host) -> Option<Box<dyn Session>> {
    let spec = Spec::parse(&session.spec()).and_then(|spec| spec.changed(argument));
    host.open(&spec.ok()?).ok()
}

/// The stones on the board, each line those of one colour that hang together.
fn chains(diagram: &Diagram) -> impl Iterator<Item = String> {
    let grid = diagram.grid();
    let mut seen = vec![false; grid.squares()];
    grid.iter().filter_map(move |first| {
        let owner = diagram.cell(first).owner?;
        let mut names = Vec::new();
        let mut to_see = vec![first];
        while let Some(square) = to_see.pop() {
            let is_new = !std::mem::replace(&mut seen[grid.index(square)], true);
            if is_new {
                names.push(format!("{}{}", diagram.columns()[square.column], square.row + 1));
                let own = |square: &Square| diagram.cell(*square).owner == Some(owner);
                to_see.extend(neighbours(grid, square).filter(own));
            }
        }
        (!names.is_empty()).then(|| names.join(" ").to_uppercase())
    })
}

fn neighbours(grid: Grid, Square { row, column }: Square) -> impl Iterator<Item = Square> {
    let places = [
        (row.wrapping_sub(1), column),
        (row + 1, column),
        (row, column.wrapping_sub(1)),
        (row, column + 1),
    ];
    let inside = move |&(row, column): &(usize, usize)| row < grid.rows && column < grid.columns;
    places.into_iter().filter(inside).map(|(row, column)| Square { row, column })
}

impl std::fmt::Debug for Gtp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gtp")
            .field("spec", &self.session.spec())
            .field("bot", &self.bot)
            .finish_non_exhaustive()
    }
}
