//! Drives engines of the Gomocup tournaments.

use std::time::Duration;

use play::{Choice, Info, Limits, Session, Turn};

use super::codec::{Command, Reply, write_point};
use crate::engine::{Driver, Link, Question};
use crate::fault::Fault;
use crate::line_game::{LineGame, Point, stones};

/// For a move, where a limit is none of time.
const USUAL_TURN: Duration = Duration::from_secs(1);
/// What stands for no limit.
const ENDLESS: u128 = i32::MAX as u128;

/// What is known of the engine at the other end.
#[derive(Debug, Default)]
pub(crate) struct GomocupDriver {
    /// Whether it has an empty board in front of it.
    fresh: bool,
    /// The moves it knows of; the last one is its own.
    known: Vec<String>,
}

/// The numbers of a game that this protocol can speak of.
fn speakable(session: &dyn Session) -> Result<LineGame, Fault> {
    let spec = session.spec();
    let cannot = |why: &str| Fault::CannotPlay(format!("{why} in {spec}"));
    let game = LineGame::of(&spec).ok_or_else(|| cannot("there are no lines"))?;
    match game {
        LineGame { plain: false, .. } => Err(cannot("Gomocup has no words for the rules")),
        LineGame { p: 1, q: 1, k: 5, .. } => Ok(game),
        LineGame { p: 1, q: 1, .. } => Err(cannot("Gomocup engines want five in a row, not as")),
        _ => Err(cannot("Gomocup has no words for the number of stones in a turn")),
    }
}

impl GomocupDriver {
    fn info(link: &mut Link, key: &str, value: &impl ToString) -> Result<(), Fault> {
        link.say(&Command::Info { key: key.to_owned(), value: value.to_string() }.write())
    }

    /// An empty board.
    fn start(&mut self, link: &mut Link, game: &LineGame) -> Result<(), Fault> {
        let (columns, rows) = (game.grid.columns, game.grid.rows);
        link.say(&Command::Start { columns, rows }.write())?;
        link.expect("OK", &mut |line| match Reply::read(line)? {
            Reply::Ok => Some(Ok(())),
            Reply::Error(why) | Reply::Unknown(why) => Some(Err(Fault::refused(&why))),
            _ => None,
        })??;
        self.fresh = true;
        Self::info(link, "rule", &u8::from(game.exact))
    }

    /// An empty board again.
    fn restart(&mut self, link: &mut Link, game: &LineGame) -> Result<(), Fault> {
        if self.fresh {
            return Ok(());
        }
        link.skip_waiting();
        link.say(&Command::Restart.write())?;
        let restarted = link.expect("OK", &mut |line| match Reply::read(line)? {
            Reply::Ok => Some(true),
            Reply::Error(_) | Reply::Unknown(_) => Some(false),
            _ => None,
        })?;
        match restarted {
            true => self.fresh = true,
            // Not every engine knows how to.
            false => self.start(link, game)?,
        }
        Ok(())
    }

    fn tell_limits(link: &mut Link, limits: Limits) -> Result<(), Fault> {
        let turn = match (limits.time, limits.clock) {
            (Some(time), _) => time,
            (None, Some(clock)) => clock.left,
            // Depths and nodes have no words.
            (None, None) => USUAL_TURN,
        };
        Self::info(link, "timeout_turn", &turn.as_millis().min(ENDLESS))?;
        let left = limits.clock.map(|clock| clock.left.as_millis().clamp(1, ENDLESS));
        Self::info(link, "timeout_match", &left.unwrap_or(0))?;
        Self::info(link, "time_left", &left.unwrap_or(ENDLESS))
    }

    /// The whole board.
    fn tell_board(link: &mut Link, session: &dyn Session, game: &LineGame) -> Result<(), Fault> {
        let mover = session.to_move();
        // In the order in which they were placed, if that is known.
        let placed: Vec<(Point, game::Side)> = match session.record().start {
            Some(_) => stones(session, game),
            None => {
                let points = session.played();
                let points = points.iter().filter_map(|name| game.point(name));
                points.enumerate().map(|(i, point)| (point, game.turn_after(i).0)).collect()
            }
        };
        let mut lines = vec![Command::Board.write()];
        lines.extend(placed.into_iter().map(|(point, side)| {
            let whose = if side == mover { 1 } else { 2 };
            Command::Stone(point, Some(whose)).write()
        }));
        lines.push(Command::Done.write());
        // In one piece, however many stones there are: an engine may be slow to listen.
        link.say(&lines.join("\n"))
    }

    fn tell_position(
        &mut self,
        link: &mut Link,
        session: &dyn Session,
        game: &LineGame,
    ) -> Result<(), Fault> {
        let played = session.played();
        let usual_start = session.record().start.is_none();
        let one_more = played.len() == self.known.len() + 1 && played.starts_with(&self.known);
        match played.last().and_then(|name| game.point(name)) {
            None if usual_start => {
                self.restart(link, game)?;
                link.say(&Command::Begin.write())?;
            }
            // The first move on an empty board, or the next one of a game that it knows.
            Some(last) if one_more && (!self.fresh || usual_start) => {
                link.say(&Command::Turn(last).write())?;
            }
            _ => {
                self.restart(link, game)?;
                Self::tell_board(link, session, game)?;
            }
        }
        self.fresh = false;
        Ok(())
    }
}

/// What an engine says that ends a wait for its move.
enum Said {
    Move(Point),
    Suggestion(Point),
}

impl Driver for GomocupDriver {
    fn greet(
        &mut self,
        link: &mut Link,
        session: &dyn Session,
        options: &[(String, String)],
    ) -> Result<(), Fault> {
        let game = speakable(session)?;
        self.start(link, &game)?;
        Self::info(link, "game_type", &1)?;
        for (name, value) in options {
            Self::info(link, name, value)?;
        }
        Ok(())
    }

    fn begin(&mut self, link: &mut Link, session: &dyn Session) -> Result<(), Fault> {
        self.known.clear();
        self.restart(link, &speakable(session)?)
    }

    fn ask(
        &mut self,
        link: &mut Link,
        question: &Question<'_>,
        _: &mut dyn FnMut(&Info),
    ) -> Result<Choice, Fault> {
        let Question { session, task, stop, deadline } = question;
        let game = speakable(*session)?;
        link.skip_waiting();
        Self::tell_limits(link, task.limits.unwrap_or_default())?;
        self.tell_position(link, *session, &game)?;
        let point = loop {
            let said = link.listen("move", *deadline, stop, &mut |line| {
                let refused = |said: String| {
                    Some(Err(Fault::Nonsense { said, right: "a move was expected".to_owned() }))
                };
                match Reply::read(line)? {
                    Reply::Stones(points) => match *points {
                        [point] => Some(Ok(Said::Move(point))),
                        _ => refused(line.to_owned()),
                    },
                    Reply::Suggest(point) => Some(Ok(Said::Suggestion(point))),
                    Reply::Error(_) | Reply::Unknown(_) => refused(line.to_owned()),
                    _ => None,
                }
            })??;
            match said {
                Said::Move(point) => break point,
                Said::Suggestion(point) => link.say(&format!("PLAY {}", write_point(point)))?,
            }
        };
        let nonsense =
            |right: &str| Fault::Nonsense { said: write_point(point), right: right.to_owned() };
        let name = game.name(point).ok_or_else(|| nonsense("that is off the board"))?;
        let legal = session.read_wire_move(&name).map_err(|e| nonsense(e.why()))?;
        self.known = session.played();
        self.known.push(legal.clone());
        Ok(Choice { turn: Turn::Play(legal), analysis: None })
    }

    fn goodbye(&self) -> &'static str {
        "END"
    }
}
