//! Drives Hub engines.

use std::time::Instant;

use play::{Choice, Info, Session};

use super::codec::{Command, LevelLimits, Mode, Param, Reply};
use super::variant_word;
use crate::engine::{Driver, Link, Question};
use crate::fault::Fault;
use crate::heard::Heard;

/// What is known of the engine at the other end.
#[derive(Debug, Default)]
pub(crate) struct HubDriver {
    params: Vec<Param>,
}

impl HubDriver {
    /// The parameter that makes the engine play this game, if it does not do so by itself.
    fn variant(&self, spec: &str) -> Result<Option<(String, String)>, Fault> {
        let Some(param) = self.params.iter().find(|param| param.name == "variant") else {
            return Ok(None);
        };
        let whole = variant_word(spec);
        // What is changed about a variant an engine does not know; its moves will tell.
        let bare = spec.split(',').next().map_or(whole, variant_word);
        for word in [whole, bare] {
            if param.value == word {
                return Ok(None);
            }
            if param.values.iter().any(|value| value == word) {
                return Ok(Some((param.name.clone(), word.to_owned())));
            }
        }
        let known = if param.values.is_empty() { &param.value } else { &param.values.join(", ") };
        Err(Fault::CannotPlay(format!("it knows no variant {whole}; it knows {known}")))
    }
}

impl Driver for HubDriver {
    fn greet(
        &mut self,
        link: &mut Link,
        session: &dyn Session,
        options: &[(String, String)],
    ) -> Result<(), Fault> {
        link.say(&Command::Hub.write())?;
        let params = &mut self.params;
        params.clear();
        link.expect("wait", &mut |line| match Reply::read(line)? {
            Reply::Param(param) => {
                params.push(param);
                None
            }
            reply => (reply == Reply::Wait).then_some(()),
        })?;
        for (name, value) in self.variant(&session.spec())?.iter().chain(options) {
            let known = self.params.iter().find(|param| param.name.eq_ignore_ascii_case(name));
            let name = known.map(|param| param.name.clone()).ok_or_else(|| {
                let names: Vec<&str> =
                    self.params.iter().map(|param| param.name.as_str()).collect();
                Fault::CannotPlay(format!(
                    "it has no parameter {name}; it has {}",
                    names.join(", ")
                ))
            })?;
            link.say(&Command::SetParam { name, value: value.clone() }.write())?;
        }
        link.say(&Command::Init.write())?;
        link.expect("ready", &mut |line| match Reply::read(line)? {
            Reply::Ready => Some(Ok(())),
            Reply::Error(why) => Some(Err(Fault::refused(&why))),
            _ => None,
        })?
    }

    fn begin(&mut self, link: &mut Link, _: &dyn Session) -> Result<(), Fault> {
        link.say(&Command::NewGame.write())?;
        link.say(&Command::Ping.write())?;
        link.expect("pong", &mut |line| (Reply::read(line)? == Reply::Pong).then_some(()))
    }

    fn ask(
        &mut self,
        link: &mut Link,
        question: &Question<'_>,
        tell: &mut dyn FnMut(&Info),
    ) -> Result<Choice, Fault> {
        let Question { session, task, stop, deadline } = question;
        let (position, moves) = session.wire_game();
        link.skip_waiting();
        link.say(&Command::Position { position: Some(position), moves }.write())?;
        link.say(&Command::Level(LevelLimits::of(task.limits.unwrap_or_default())).write())?;
        link.say(&Command::Go(Mode::Think).write())?;
        let (side, start) = (session.to_move(), Instant::now());
        let mut last = Heard::default();
        let mut hear = |line: &str| match Reply::read(line)? {
            Reply::Info(heard) => {
                let pv = session.read_wire_line(&heard.pv);
                let heard = Heard { pv, ..heard };
                if !heard.pv.is_empty()
                    && let Some(info) = heard.info(side, start.elapsed())
                {
                    tell(&info);
                    last = heard;
                }
                None
            }
            Reply::Done(text) => Some(Ok(text)),
            Reply::Error(why) => Some(Err(Fault::refused(&why))),
            _ => None,
        };
        let best = match link.listen("move", *deadline, stop, &mut hear) {
            // Asked to stop, it still says what it thinks.
            Err(Fault::Stopped) => {
                link.say(&Command::Stop.write())?;
                link.hear_out("move", &mut hear)??
            }
            best => best??,
        };
        let legal = question.legal(&best, &format!("done move={best}"))?;
        Ok(last.choice(side, legal))
    }

    fn goodbye(&self) -> &'static str {
        "quit"
    }
}
