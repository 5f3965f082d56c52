//! Drives CECP engines, of both versions of the protocol.

use std::time::{Duration, Instant};

use play::{Choice, Info, Limits, Session, Turn};

use super::codec::Reply;
use crate::engine::{Driver, Link, Question};
use crate::fault::Fault;
use crate::heard::Heard;

/// How long an engine that says nothing about itself is waited for: one of the first version.
const OLD_FASHIONED: Duration = Duration::from_secs(2);

/// What is known of the engine at the other end.
#[derive(Debug, Default)]
pub(crate) struct CecpDriver {
    features: Vec<(String, String)>,
    pings: u32,
    /// The moves it knows of; the last one may be its own.
    known: Vec<String>,
}

impl CecpDriver {
    fn has(&self, feature: &str) -> bool {
        self.features.iter().any(|(name, value)| name == feature && value == "1")
    }

    /// Waits until the engine has done what it was told, if it can say so.
    fn settle(&mut self, link: &mut Link) -> Result<(), Fault> {
        if !self.has("ping") {
            return Ok(());
        }
        self.pings += 1;
        let number = self.pings.to_string();
        link.say(&format!("ping {number}"))?;
        link.expect("pong", &mut |line| match Reply::read(line)? {
            Reply::Pong(said) => (said == number).then_some(()),
            _ => None,
        })
    }

    fn tell_move(&self, link: &mut Link, m: &str) -> Result<(), Fault> {
        let word = if self.has("usermove") { "usermove " } else { "" };
        link.say(&format!("{word}{m}"))
    }

    /// Limits in the words of the protocol. It knows no nodes: for those a second a move stands.
    fn tell_limits(&self, link: &mut Link, question: &Question<'_>) -> Result<(), Fault> {
        let limits = question.task.limits.unwrap_or_default();
        if let Some(depth) = limits.depth {
            link.say(&format!("sd {depth}"))?;
        }
        let hundredths = |time: Duration| (time.as_millis() / 10).max(1);
        if let Some(clock) = limits.clock {
            link.say(&format!("time {}", hundredths(clock.left)))?;
            let other = question.task.other_clock.unwrap_or(clock);
            return link.say(&format!("otim {}", hundredths(other.left)));
        }
        let default = (limits == Limits::default() || limits.nodes.is_some())
            .then_some(Duration::from_secs(1));
        match limits.time.or(default) {
            Some(time) if time >= Duration::from_secs(1) => {
                link.say(&format!("st {}", time.as_secs()))
            }
            // It counts whole seconds; a clock counts hundredths.
            Some(time) => link.say(&format!(
                "level 1 0:01 0\ntime {}\notim {}",
                hundredths(time),
                hundredths(time)
            )),
            None => Ok(()),
        }
    }

    /// How long a game takes, which this protocol is told at its beginning.
    fn tell_clock(link: &mut Link, question: &Question<'_>) -> Result<(), Fault> {
        let Some(clock) = question.task.limits.and_then(|limits| limits.clock) else {
            return Ok(());
        };
        let seconds = clock.left.as_secs().max(1);
        let (minutes, seconds) = (seconds / 60, seconds % 60);
        let moves = clock.moves.unwrap_or(0);
        let increment = clock.increment.as_secs_f64();
        link.say(&format!("level {moves} {minutes}:{seconds:02} {increment}"))
    }
}

impl Driver for CecpDriver {
    fn greet(
        &mut self,
        link: &mut Link,
        _: &dyn Session,
        options: &[(String, String)],
    ) -> Result<(), Fault> {
        self.features.clear();
        link.say("xboard")?;
        link.say("protover 2")?;
        let features = &mut self.features;
        let until = Instant::now() + OLD_FASHIONED;
        let heard = link.listen("features", until, &play::Stop::new(), &mut |line| {
            let Some(Reply::Features(more)) = Reply::read(line) else { return None };
            features.extend(more);
            features.iter().any(|(name, value)| name == "done" && value == "1").then_some(())
        });
        match heard {
            Ok(()) | Err(Fault::Silent { .. }) => {}
            Err(fault) => return Err(fault),
        }
        for (name, _) in self.features.clone() {
            link.say(&format!("accepted {name}"))?;
        }
        for (name, value) in options {
            link.say(&format!("option {name}={value}"))?;
        }
        Ok(())
    }

    fn begin(&mut self, link: &mut Link, session: &dyn Session) -> Result<(), Fault> {
        self.known.clear();
        link.say("new")?;
        link.say("force")?;
        link.say("easy")?;
        link.say("post")?;
        if session.record().start.is_some() || session.spec().contains("fischer") {
            if !self.has("setboard") {
                let why = "it takes no other start than the usual one".to_owned();
                return Err(Fault::CannotPlay(why));
            }
            link.say(&format!("setboard {}", session.first_position()))?;
        }
        self.settle(link)
    }

    fn ask(
        &mut self,
        link: &mut Link,
        question: &Question<'_>,
        tell: &mut dyn FnMut(&Info),
    ) -> Result<Choice, Fault> {
        let Question { session, stop, deadline, .. } = question;
        let (played, side) = (session.played(), session.to_move());
        if self.known.is_empty() {
            Self::tell_clock(link, question)?;
        }
        let last_is_new = played.len() == self.known.len() + 1 && !self.known.is_empty();
        if !last_is_new {
            link.say("force")?;
            for m in &played[self.known.len().min(played.len())..] {
                self.tell_move(link, m)?;
            }
            self.settle(link)?;
        }
        link.skip_waiting();
        self.tell_limits(link, question)?;
        match (last_is_new, played.last()) {
            // It answers by itself.
            (true, Some(last)) => self.tell_move(link, last)?,
            _ => link.say("go")?,
        }
        let start = Instant::now();
        let mut last = Heard::default();
        let turn =
            link.listen("move", *deadline, stop, &mut |line| match Reply::read(line)? {
                Reply::Move(text) => Some(Ok(Some(text))),
                Reply::Resign => Some(Ok(None)),
                Reply::Refused(said) => {
                    Some(Err(Fault::Nonsense { said, right: "the move was legal".to_owned() }))
                }
                Reply::Thought { depth, value, nodes, line } => {
                    let (depth, nodes) = (Some(depth), Some(nodes));
                    // Its line is in its own words, and for those who watch alone.
                    let heard =
                        Heard { depth, selective_depth: None, nodes, value: Some(value), pv: line };
                    if let Some(info) = heard.info(side, start.elapsed()) {
                        tell(&info);
                    }
                    last = Heard { pv: Vec::new(), ..heard };
                    None
                }
                _ => None,
            })??;
        let Some(text) = turn else {
            return Ok(Choice { turn: Turn::Resign, analysis: None });
        };
        let legal = question.legal(&text, &format!("move {text}"))?;
        self.known = played;
        self.known.push(legal.clone());
        Ok(last.choice(side, legal))
    }

    fn goodbye(&self) -> &'static str {
        "quit"
    }
}
