//! Drives NBoard engines.

use std::time::Instant;

use play::{Choice, Info, Session};

use super::codec::{Reply, read_discs};
use crate::engine::{Driver, Link, Question};
use crate::fault::Fault;
use crate::ggf;
use crate::heard::Heard;

/// How deep an engine searches that is not told. The protocol knows no time.
const USUAL_DEPTH: u32 = 12;

/// What is known of the engine at the other end.
#[derive(Debug, Default)]
pub(crate) struct NBoardDriver {
    depth: Option<u32>,
    /// What it was last told.
    told_depth: Option<u32>,
    pings: u32,
}

impl NBoardDriver {
    /// Waits until the engine has heard everything.
    fn settle(&mut self, link: &mut Link) -> Result<(), Fault> {
        self.pings += 1;
        let number = self.pings.to_string();
        link.say(&format!("ping {number}"))?;
        link.expect("pong", &mut |line| match Reply::read(line)? {
            Reply::Pong(said) => (said == number).then_some(()),
            _ => None,
        })
    }

    fn tell_depth(&mut self, link: &mut Link, depth: u32) -> Result<(), Fault> {
        if self.told_depth.replace(depth) == Some(depth) {
            return Ok(());
        }
        link.say(&format!("set depth {depth}"))
    }
}

impl Driver for NBoardDriver {
    fn greet(
        &mut self,
        link: &mut Link,
        _: &dyn Session,
        options: &[(String, String)],
    ) -> Result<(), Fault> {
        *self = NBoardDriver::default();
        link.say("nboard 2")?;
        for (name, value) in options {
            match (name.as_str(), value.parse()) {
                ("depth", Ok(depth)) => self.depth = Some(depth),
                _ => link.say(&format!("set {name} {value}"))?,
            }
        }
        self.tell_depth(link, self.depth.unwrap_or(USUAL_DEPTH))?;
        self.settle(link)
    }

    fn begin(&mut self, link: &mut Link, _: &dyn Session) -> Result<(), Fault> {
        self.settle(link)
    }

    fn ask(
        &mut self,
        link: &mut Link,
        question: &Question<'_>,
        tell: &mut dyn FnMut(&Info),
    ) -> Result<Choice, Fault> {
        let Question { session, task, stop, deadline } = question;
        let side = session.to_move();
        let asked = task.limits.and_then(|limits| limits.depth);
        self.tell_depth(link, asked.or(self.depth).unwrap_or(USUAL_DEPTH))?;
        let game = ggf::write(*session).map_err(|e| Fault::CannotPlay(e.to_string()))?;
        link.say(&format!("set game {game}"))?;
        self.settle(link)?;
        link.say("go")?;
        let start = Instant::now();
        let (mut last, mut nodes) = (Heard::default(), 0);
        let best = link.listen("move", *deadline, stop, &mut |line| match Reply::read(line)? {
            Reply::Move { text, value } => {
                last.value =
                    value.map(|discs| read_discs(discs, side).seen_by(side)).or(last.value);
                Some(text)
            }
            Reply::Nodes(count) => {
                nodes = count;
                None
            }
            Reply::Search { line: pv, value, depth } => {
                let value = Some(read_discs(value, side).seen_by(side));
                last = Heard { depth, selective_depth: None, nodes: Some(nodes), value, pv };
                if let Some(info) = last.info(side, start.elapsed()) {
                    tell(&info);
                }
                None
            }
            _ => None,
        })?;
        let legal = question.legal(&best, &format!("=== {best}"))?;
        last.nodes = Some(nodes);
        Ok(last.choice(side, legal))
    }

    fn goodbye(&self) -> &'static str {
        "quit"
    }
}
