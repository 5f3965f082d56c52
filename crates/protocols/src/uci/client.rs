//! Drives UCI engines.

use std::time::{Duration, Instant};

use game::Side;
use play::{Choice, Info, Limits, Session};

use super::codec::{GoCommand, Reply};
use crate::engine::{Driver, Link, Question};
use crate::fault::Fault;
use crate::heard::Heard;

/// What is known of the engine at the other end.
#[derive(Debug, Default)]
pub(crate) struct UciDriver {
    options: Vec<String>,
}

impl Driver for UciDriver {
    fn greet(
        &mut self,
        link: &mut Link,
        session: &dyn Session,
        options: &[(String, String)],
    ) -> Result<(), Fault> {
        link.say("uci")?;
        let known = &mut self.options;
        known.clear();
        link.expect("uciok", &mut |line| match Reply::read(line)? {
            Reply::Option { name } => {
                known.push(name);
                None
            }
            reply => (reply == Reply::UciOk).then_some(()),
        })?;
        let fischer = session.spec().contains("fischer");
        let fischer = fischer.then(|| ("UCI_Chess960".to_owned(), "true".to_owned()));
        for (name, value) in fischer.iter().chain(options) {
            let known = self.options.iter().find(|known| known.eq_ignore_ascii_case(name));
            let name = known.ok_or_else(|| {
                let names = self.options.join(", ");
                Fault::CannotPlay(format!("it has no option {name}; it has {names}"))
            })?;
            link.say(&format!("setoption name {name} value {value}"))?;
        }
        Ok(())
    }

    fn begin(&mut self, link: &mut Link, _: &dyn Session) -> Result<(), Fault> {
        link.say("ucinewgame")?;
        link.say("isready")?;
        link.expect("readyok", &mut |line| (Reply::read(line)? == Reply::ReadyOk).then_some(()))
    }

    fn ask(
        &mut self,
        link: &mut Link,
        question: &Question<'_>,
        tell: &mut dyn FnMut(&Info),
    ) -> Result<Choice, Fault> {
        let Question { session, stop, deadline, .. } = question;
        let side = session.to_move();
        link.say(&position(*session))?;
        link.say(&go(question).write())?;
        let start = Instant::now();
        let mut last = Heard::default();
        let mut hear = |line: &str| match Reply::read(line)? {
            Reply::Info(heard) => {
                if !heard.pv.is_empty()
                    && let Some(info) = heard.info(side, start.elapsed())
                {
                    tell(&info);
                    last = heard;
                }
                None
            }
            Reply::BestMove(text) => Some(text),
            _ => None,
        };
        let best = match link.listen("move", *deadline, stop, &mut hear) {
            // Asked to stop, it still says what it thinks.
            Err(Fault::Stopped) => {
                link.say("stop")?;
                link.hear_out("move", &mut hear)?
            }
            best => best?,
        };
        let legal = question.legal(&best, &format!("bestmove {best}"))?;
        Ok(last.choice(side, legal))
    }

    fn goodbye(&self) -> &'static str {
        "quit"
    }
}

/// The position with its moves, as the protocol writes it.
pub(crate) fn position(session: &dyn Session) -> String {
    let start = session.record().start;
    let mut text = match start {
        Some(fen) => format!("position fen {fen}"),
        // Fischer's chess has many starts, which engines do not know by number.
        None if session.spec().contains("fischer") => {
            format!("position fen {}", session.first_position())
        }
        None => "position startpos".to_owned(),
    };
    let moves = session.played();
    if !moves.is_empty() {
        text += " moves ";
        text += &moves.join(" ");
    }
    text
}

fn go(question: &Question<'_>) -> GoCommand {
    let Question { session, task, .. } = question;
    let limits = task.limits.unwrap_or_default();
    let side = session.to_move();
    let clock =
        |of: Side| if of == side { limits.clock } else { task.other_clock.or(limits.clock) };
    let clocks = [clock(Side::First), clock(Side::Second)];
    let mut go = GoCommand {
        depth: limits.depth,
        nodes: limits.nodes,
        move_time: limits.time,
        time: clocks.map(|clock| clock.map(|clock| clock.left)),
        increment: clocks.map(|clock| clock.map_or(Duration::ZERO, |clock| clock.increment)),
        moves_to_go: limits.clock.and_then(|clock| clock.moves),
        among: task.among.clone(),
        ..GoCommand::default()
    };
    // Without a limit an engine would think for ever.
    if limits == Limits::default() {
        go.move_time = Some(Duration::from_secs(1));
    }
    go
}
