//! Drives engines of the text protocol: by positions where they know the second version, else by playing a game with them.

use std::time::Duration;

use game::{Side, Spec, shown};
use play::{Choice, Info, Session, Turn};

use super::codec::{Command, GoCommand, Seat};
use super::replies::{Reply, Thought};
use crate::engine::{Driver, Link, Question};
use crate::fault::Fault;
use crate::heard::Heard;
use crate::line_game::{LineGame, Point};

/// What is known of the engine at the other end.
#[derive(Debug, Default)]
pub(crate) struct TextDriver {
    version: u32,
    /// The game it plays with us, in the first version.
    game: Option<Table>,
}

/// A game with an engine that knows no positions.
#[derive(Debug)]
struct Table {
    /// The engine's colour.
    side: Side,
    /// All stones the engine knows of. It may be ahead of us: it places all stones of a turn at once.
    known: Vec<String>,
}

fn line_game(session: &dyn Session) -> Result<LineGame, Fault> {
    let spec = session.spec();
    LineGame::of(&spec).ok_or_else(|| Fault::CannotPlay(format!("{spec} is no line game")))
}

/// The game as `game` names it.
fn game_text(session: &dyn Session) -> String {
    Spec::arguments_of(&session.spec()).to_owned()
}

fn refused(line: &str) -> Fault {
    Fault::Nonsense { said: line.to_owned(), right: "a move was expected".to_owned() }
}

impl TextDriver {
    /// Waits until the engine has done what it was told; what it says meanwhile is heard.
    fn settle(link: &mut Link, hear: &mut dyn FnMut(Reply)) -> Result<(), Fault> {
        link.say(&Command::IsReady.write())?;
        link.expect("readyok", &mut |line| match Reply::read(line)? {
            Reply::ReadyOk => Some(()),
            reply => {
                hear(reply);
                None
            }
        })
    }

    /// Says something that may be refused.
    fn tell(link: &mut Link, line: &str) -> Result<(), Fault> {
        link.say(line)?;
        let mut wrong = None;
        Self::settle(link, &mut |reply| match reply {
            Reply::Error(why) => wrong = Some(shown(&why)),
            Reply::UnknownCommand => wrong = Some(format!("it does not know {line}")),
            _ => {}
        })?;
        wrong.map_or(Ok(()), |why| Err(Fault::CannotPlay(why)))
    }

    /// Makes sure that the engine plays this game.
    fn agree_on_game(&self, link: &mut Link, session: &dyn Session) -> Result<(), Fault> {
        if self.version >= 2 {
            return Self::tell(link, &Command::Game(Some(game_text(session))).write());
        }
        let game = line_game(session)?;
        let mut said = None;
        link.say(&Command::Info.write())?;
        Self::settle(link, &mut |reply| {
            if let Reply::Info(game) = reply {
                said = Some(game);
            }
        })?;
        match said {
            _ if !game.plain => Err(Fault::CannotPlay(format!(
                "the first version of its protocol has no words for {}",
                session.spec()
            ))),
            // One that does not say is taken at its word when it moves.
            None => Ok(()),
            Some(said) if said == game => Ok(()),
            Some(said) => Err(Fault::CannotPlay(format!(
                "it plays {}, not {}",
                Reply::Info(said).write(),
                Reply::Info(game).write()
            ))),
        }
    }

    fn ask_about_position(
        link: &mut Link,
        question: &Question<'_>,
        tell: &mut dyn FnMut(&Info),
    ) -> Result<Choice, Fault> {
        let Question { session, task, stop, deadline } = question;
        let (game, side) = (line_game(*session)?, session.to_move());
        let points = |names: &[String]| -> Vec<Point> {
            names.iter().filter_map(|name| game.point(name)).collect()
        };
        let position =
            Command::Position { start: session.record().start, moves: points(&session.played()) };
        Self::tell(link, &position.write())?;
        let go = GoCommand { limits: task.limits.unwrap_or_default(), among: points(&task.among) };
        link.say(&Command::Go(go).write())?;
        let mut last = Heard::default();
        let mut hear = |line: &str| match Reply::read(line)? {
            Reply::Thought(thought) => {
                last = heard_of(&thought, &game);
                if let Some(info) = last.info(side, Duration::from_millis(thought.time)) {
                    tell(&info);
                }
                None
            }
            Reply::Best(point) => Some(Ok(point)),
            Reply::Error(_) | Reply::UnknownCommand => Some(Err(refused(line))),
            _ => None,
        };
        let best = match link.listen("move", *deadline, stop, &mut hear) {
            // Asked to stop, it still says what it thinks.
            Err(Fault::Stopped) => {
                link.say(&Command::Halt.write())?;
                link.expect("move", &mut hear)?
            }
            best => best?,
        }?;
        let legal = legal(*session, &game, best)?;
        Ok(last.choice(side, legal))
    }

    /// Begins a game in which the engine has the side to move. All that was placed before must be the other side's.
    fn begin_game(link: &mut Link, session: &dyn Session) -> Result<Table, Fault> {
        if session.record().start.is_some() {
            let why = "the first version of its protocol begins with an empty board".to_owned();
            return Err(Fault::CannotPlay(why));
        }
        let side = session.to_move();
        let mut seats = [Seat::Human; 2];
        seats[side.index()] = Seat::Ai;
        link.say(&Command::NewGame(seats).write())?;
        link.expect("game started", &mut |line| match Reply::read(line)? {
            Reply::Started => Some(()),
            // What it still had to say about the last game.
            _ => None,
        })?;
        Ok(Table { side, known: Vec::new() })
    }

    fn ask_for_stone(&mut self, link: &mut Link, question: &Question<'_>) -> Result<Choice, Fault> {
        let Question { session, stop, deadline, .. } = question;
        let (game, played) = (line_game(*session)?, session.played());
        let mut table = match self.game.take() {
            Some(table) if table.side == session.to_move() => table,
            _ => Self::begin_game(link, *session)?,
        };
        let common = table.known.len().min(played.len());
        if table.known[..common] != played[..common] {
            let why = "its protocol cannot take back a stone".to_owned();
            return Err(Fault::CannotPlay(why));
        }
        for (i, name) in played.iter().enumerate().skip(table.known.len()) {
            if game.turn_after(i).0 == table.side {
                let why = "the first version of its protocol cannot place its stones for it";
                return Err(Fault::CannotPlay(why.to_owned()));
            }
            if let Some(point) = game.point(name) {
                link.say(&Command::MakeMove(point).write())?;
            }
            table.known.push(name.clone());
        }
        if table.known.len() == played.len() {
            let point =
                link.listen("move", *deadline, stop, &mut |line| match Reply::read(line)? {
                    Reply::Move(side, point) if side == table.side => Some(Ok(point)),
                    Reply::InvalidMove | Reply::Winner(_) | Reply::Draw => Some(Err(refused(line))),
                    _ => None,
                })??;
            table.known.push(legal(*session, &game, point)?);
        }
        let chosen = table.known[played.len()].clone();
        self.game = Some(table);
        Ok(Choice { turn: Turn::Play(chosen), analysis: None })
    }
}

fn legal(session: &dyn Session, game: &LineGame, point: Point) -> Result<String, Fault> {
    let nonsense = |right: &str| Fault::Nonsense {
        said: format!("{} {}", point.x.saturating_add(1), point.y.saturating_add(1)),
        right: right.to_owned(),
    };
    let name = game.name(point).ok_or_else(|| nonsense("that is off the board"))?;
    session.read_wire_move(&name).map_err(|e| nonsense(e.why()))
}

fn heard_of(thought: &Thought, game: &LineGame) -> Heard {
    Heard {
        depth: Some(thought.depth),
        selective_depth: None,
        nodes: Some(thought.nodes),
        value: Some(thought.worth.value()),
        pv: thought.line.iter().filter_map(|&point| game.name(point)).collect(),
    }
}

impl Driver for TextDriver {
    fn greet(
        &mut self,
        link: &mut Link,
        session: &dyn Session,
        options: &[(String, String)],
    ) -> Result<(), Fault> {
        (self.version, self.game) = (1, None);
        link.say(&Command::Hello(2).write())?;
        let version = &mut self.version;
        Self::settle(link, &mut |reply| {
            if let Reply::Hello(said, _) = reply {
                *version = said;
            }
        })?;
        self.agree_on_game(link, session)?;
        for (name, value) in options {
            let name = if name.eq_ignore_ascii_case("ai") { "setai" } else { name };
            Self::tell(link, &format!("{name} {value}"))?;
        }
        if self.version >= 2 {
            Self::tell(link, &Command::Think(true).write())?;
        }
        Ok(())
    }

    fn begin(&mut self, link: &mut Link, session: &dyn Session) -> Result<(), Fault> {
        self.game = None;
        self.agree_on_game(link, session)
    }

    fn ask(
        &mut self,
        link: &mut Link,
        question: &Question<'_>,
        tell: &mut dyn FnMut(&Info),
    ) -> Result<Choice, Fault> {
        match self.version {
            2.. => Self::ask_about_position(link, question, tell),
            _ => self.ask_for_stone(link, question),
        }
    }

    fn goodbye(&self) -> &'static str {
        "quit"
    }
}
