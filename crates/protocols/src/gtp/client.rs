//! Drives GTP engines.

use std::time::{Duration, Instant};

use game::{Diagram, Grid, Side, Spec, shown};
use play::{Analysis, Choice, Clock, Info, Session, Stop, Turn};

use super::codec::{Answers, GtpAnswer, colour_name};
use crate::engine::{Driver, Link, Question};
use crate::fault::Fault;

/// What is known of the engine at the other end.
#[derive(Debug, Default)]
pub(crate) struct GtpDriver {
    commands: Vec<String>,
    /// The moves it knows of; the last one may be its own.
    known: Vec<String>,
    /// What it was last told about time.
    settings: Option<String>,
    /// Whether its clock is yet to be set for this game.
    clock_is_old: bool,
}

impl GtpDriver {
    fn knows(&self, command: &str) -> bool {
        self.commands.iter().any(|known| known == command)
    }

    /// Has something done that an engine which can play this game does.
    fn demand(link: &mut Link, command: &str) -> Result<String, Fault> {
        ask(link, command)?.map_err(|why| {
            Fault::CannotPlay(format!("it answered {command} with: {}", shown(&why.0)))
        })
    }

    /// Board and komi.
    fn set_up(&self, link: &mut Link, session: &dyn Session) -> Result<(), Fault> {
        let spec = Spec::parse(&session.spec()).map_err(|e| Fault::CannotPlay(e.to_string()))?;
        let Grid { rows, columns } = session.diagram().grid();
        let size = match rows == columns {
            true => format!("boardsize {rows}"),
            false if self.knows("rectangular_boardsize") => {
                format!("rectangular_boardsize {columns} {rows}")
            }
            false => format!("boardsize {columns} {rows}"),
        };
        Self::demand(link, &size)?;
        Self::demand(link, "clear_board")?;
        match spec.value("komi") {
            Some(komi) => drop(Self::demand(link, &format!("komi {komi}"))?),
            // Not every game has a komi, and not every engine takes one.
            None if self.knows("komi") => drop(ask(link, "komi 0")?),
            None => {}
        }
        if session.record().start.is_some() {
            let stones = stones_of(&session.first_position(), &session.diagram());
            let stones = stones.ok_or_else(|| {
                Fault::CannotPlay("this start cannot be told by placing stones".to_owned())
            })?;
            for (side, vertex) in stones {
                Self::demand(link, &format!("play {} {vertex}", colour_name(side)))?;
            }
        }
        Ok(())
    }

    /// Tells the moves that the engine has not heard of.
    fn tell_moves(&mut self, link: &mut Link, session: &dyn Session) -> Result<(), Fault> {
        let played = session.played();
        if !played.starts_with(&self.known) {
            self.begin(link, session)?;
        }
        for number in self.known.len()..played.len() {
            let own = (played.len() - number).is_multiple_of(2);
            let side = if own { session.to_move() } else { session.to_move().other() };
            let vertex = played[number].to_uppercase();
            let said = format!("play {} {vertex}", colour_name(side));
            ask(link, &said)?.map_err(|why| Fault::Nonsense {
                said: format!("? {why}"),
                right: format!("{said} was legal"),
            })?;
            self.known.push(played[number].clone());
        }
        Ok(())
    }

    /// Limits in the words of the protocol, which knows seconds only. An engine that is told none plays as it was set up.
    fn tell_time(&mut self, link: &mut Link, question: &Question<'_>) -> Result<(), Fault> {
        let limits = question.task.limits.unwrap_or_default();
        let Some(clock) = limits.clock else {
            let time = limits.time.map(|time| (Duration::ZERO, time, 1));
            return self.tell_settings(link, time);
        };
        if std::mem::take(&mut self.clock_is_old) {
            self.settings = None;
            let settings = match clock.moves {
                Some(moves) => (Duration::ZERO, clock.left, moves),
                // The nearest thing to an increment is a time for each stone when the rest is used up.
                None if !clock.increment.is_zero() => (clock.left, clock.increment, 1),
                None => (clock.left, Duration::ZERO, 0),
            };
            self.tell_settings(link, Some(settings))?;
        }
        let side = question.session.to_move();
        let other = question.task.other_clock.unwrap_or(clock);
        for (side, clock) in [(side, clock), (side.other(), other)] {
            if self.knows("time_left") {
                ask(link, &time_left(side, &clock))?.ok();
            }
        }
        Ok(())
    }

    fn tell_settings(
        &mut self,
        link: &mut Link,
        time: Option<(Duration, Duration, u32)>,
    ) -> Result<(), Fault> {
        let text = match time {
            Some((main, overtime, stones)) => {
                format!("{} {} {stones}", main.as_secs_f64(), overtime.as_secs_f64())
            }
            // An overtime for no stones: no limit.
            None if self.settings.is_some() => "0 1 0".to_owned(),
            None => return Ok(()),
        };
        if self.settings.as_ref() == Some(&text) || !self.knows("time_settings") {
            return Ok(());
        }
        let taken = ask(link, &format!("time_settings {text}"))?;
        if let (Err(_), Some((main, overtime, stones))) = (taken, time) {
            // Whole seconds, as the protocol has them.
            let whole = |time: Duration| time.as_secs_f64().ceil();
            let said = format!("time_settings {} {} {stones}", whole(main), whole(overtime));
            ask(link, &said)?.ok();
        }
        self.settings = Some(text);
        Ok(())
    }
}

impl Driver for GtpDriver {
    fn greet(
        &mut self,
        link: &mut Link,
        _: &dyn Session,
        options: &[(String, String)],
    ) -> Result<(), Fault> {
        *self = GtpDriver::default();
        let version = Self::demand(link, "protocol_version")?;
        if !matches!(version.trim(), "1" | "2") {
            return Err(Fault::CannotPlay(format!(
                "it speaks version {} of GTP, not 2",
                shown(&version)
            )));
        }
        let commands = Self::demand(link, "list_commands")?;
        self.commands = commands.split_whitespace().map(str::to_owned).collect();
        for (name, value) in options {
            Self::demand(link, format!("{name} {value}").trim_end())?;
        }
        Ok(())
    }

    fn begin(&mut self, link: &mut Link, session: &dyn Session) -> Result<(), Fault> {
        self.known.clear();
        self.clock_is_old = true;
        self.set_up(link, session)
    }

    fn ask(
        &mut self,
        link: &mut Link,
        question: &Question<'_>,
        _: &mut dyn FnMut(&Info),
    ) -> Result<Choice, Fault> {
        let Question { session, stop, deadline, .. } = question;
        self.tell_moves(link, *session)?;
        self.tell_time(link, question)?;
        let said = format!("genmove {}", colour_name(session.to_move()));
        let answer = exchange(link, &said, "move", *deadline, stop)?;
        let text = answer.map_err(|why| Fault::Nonsense {
            said: format!("? {why}"),
            right: format!("a move was due after {said}"),
        })?;
        let text = text.trim();
        if text.eq_ignore_ascii_case("resign") {
            return Ok(Choice { turn: Turn::Resign, analysis: None });
        }
        let nonsense = |right: String| Fault::Nonsense { said: format!("= {text}"), right };
        let legal = session.read_wire_move(text).map_err(|e| nonsense(e.why().to_owned()))?;
        if !session.moves().contains(&legal) {
            let why = "this would repeat an earlier position, which the rules forbid";
            return Err(nonsense(why.to_owned()));
        }
        self.known.push(legal.clone());
        Ok(Choice { turn: Turn::Play(legal), analysis: None::<Analysis> })
    }

    fn goodbye(&self) -> &'static str {
        "quit"
    }
}

fn ask(link: &mut Link, command: &str) -> Result<GtpAnswer, Fault> {
    link.say(command)?;
    let mut answers = Answers::default();
    link.expect("answer", &mut |line| answers.hear(line))
}

fn exchange(
    link: &mut Link,
    command: &str,
    expected: &'static str,
    until: Instant,
    stop: &Stop,
) -> Result<GtpAnswer, Fault> {
    link.say(command)?;
    let mut answers = Answers::default();
    link.listen(expected, until, stop, &mut |line| answers.hear(line))
}

/// What a clock says; in the last second what the next move brings, if anything.
fn time_left(side: Side, clock: &Clock) -> String {
    let (seconds, stones) = match (clock.left.as_secs(), clock.moves) {
        (seconds, Some(moves)) => (seconds, moves),
        (0, None) if clock.increment >= Duration::from_secs(1) => (clock.increment.as_secs(), 1),
        (seconds, None) => (seconds, 0),
    };
    format!("time_left {} {seconds} {stones}", colour_name(side))
}

/// The stones of a position, read from its rows; `None` where it says more than stones and the side to move.
fn stones_of(position: &str, diagram: &Diagram) -> Option<Vec<(Side, String)>> {
    let mut words = position.split_whitespace();
    let squares: Vec<char> = words.next()?.chars().filter(|&c| c != '/').collect();
    if words.skip(1).any(|word| word != "pass") {
        return None;
    }
    let Grid { rows, columns } = diagram.grid();
    if squares.len() != rows * columns {
        return None;
    }
    // Positions are written as they are drawn, and rows of drawings have numbers.
    let drawn = diagram.to_string();
    let numbers: Vec<&str> =
        drawn.lines().skip(1).filter_map(|row| row.split_whitespace().next()).collect();
    let mut stones = Vec::new();
    for (place, glyph) in squares.into_iter().enumerate() {
        let side = match glyph {
            'X' => Side::First,
            'O' => Side::Second,
            _ => continue,
        };
        let row = numbers.get(place / columns)?;
        stones.push((side, format!("{}{row}", diagram.columns()[place % columns].to_uppercase())));
    }
    Some(stones)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::RowOne;

    #[test]
    fn stones_have_their_places() {
        let grid = Grid { rows: 2, columns: 3 };
        let stones = |position: &str, one| {
            let diagram = Diagram::new(grid, one, |_| '.');
            let stones = stones_of(position, &diagram)?;
            let write =
                |(side, vertex): &(Side, String)| format!("{} {vertex}", colour_name(*side));
            Some(stones.iter().map(write).collect::<Vec<_>>().join(", "))
        };
        assert_eq!(stones("X.O/.X. b", RowOne::Bottom).unwrap(), "black A2, white C2, black B1");
        assert_eq!(stones("X-O-X- X", RowOne::Top).unwrap(), "black A1, white C1, black B2");
        assert_eq!(stones(".../... b pass", RowOne::Bottom).unwrap(), "");
        assert_eq!(stones(".../... b ko=A1", RowOne::Bottom), None);
        assert_eq!(stones("... b", RowOne::Bottom), None);
    }

    #[test]
    fn clocks_are_told_in_whole_seconds() {
        let clock = |millis, increment, moves| Clock {
            left: Duration::from_millis(millis),
            increment: Duration::from_secs(increment),
            moves,
        };
        assert_eq!(time_left(Side::First, &clock(12_700, 0, None)), "time_left black 12 0");
        assert_eq!(time_left(Side::Second, &clock(700, 2, None)), "time_left white 2 1");
        assert_eq!(time_left(Side::Second, &clock(5_000, 0, Some(7))), "time_left white 5 7");
    }
}
