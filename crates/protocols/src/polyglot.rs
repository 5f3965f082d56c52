//! [`Polyglot`]: an engine that speaks what it is spoken to.

use play::{Choice, Info, Session};

use crate::desk::{Desk, Flow, Speaker};
use crate::gomocup::Gomocup;
use crate::gtp::Gtp;
use crate::host::HostError;
use crate::hub::Hub;
use crate::nboard::NBoard;
use crate::protocol::Protocol;
use crate::text::{self, Text};
use crate::uci::Uci;

/// Who an engine is, whatever it speaks.
#[derive(Clone, Debug)]
pub struct Identity {
    /// What it calls itself.
    pub name: String,
    /// As protocols report it after the name.
    pub version: String,
    /// The player it speaks for, beside what fronts set; empty for the usual one.
    pub bot: String,
    /// The player of the text protocol; empty for one that plays as well as it can.
    pub text_ai: String,
}

/// Someone who speaks a protocol for a game at its start; `None` if nobody does.
#[must_use]
pub fn speaker(
    protocol: Protocol,
    identity: &Identity,
    session: Box<dyn Session>,
) -> Option<Box<dyn Speaker>> {
    let Identity { name, version, bot, .. } = identity;
    match protocol {
        Protocol::Uci => Some(Box::new(Uci::new(&format!("{name} {version}"), session, bot))),
        Protocol::Gtp => Some(Box::new(Gtp::new(name, version, session, bot))),
        Protocol::NBoard => Some(Box::new(NBoard::new(name, session, bot))),
        Protocol::Hub => Some(Box::new(Hub::new(name, version, session, bot))),
        Protocol::Gomocup => {
            Gomocup::new(identity, session).map(|s| Box::new(s) as Box<dyn Speaker>)
        }
        Protocol::Text => Text::new(identity, session).map(|s| Box::new(s) as Box<dyn Speaker>),
        Protocol::Cecp => None,
    }
}

/// What an engine of this game is and what may be said to it, for a person.
#[must_use]
pub fn help(identity: &Identity, spec: &str, spoken: &[Protocol]) -> Vec<String> {
    let Identity { name, version, .. } = identity;
    let mut lines = vec![
        format!("{name} {version} plays {spec}"),
        "Commands are read from standard input, a line each; the first decides which protocol is spoken."
            .to_owned(),
    ];
    for &protocol in spoken {
        let (which, commands) = match protocol {
            Protocol::Text => ("the plain text protocol", text::HELP),
            _ => (protocol.name(), protocol.suggestions()),
        };
        let example = if protocol == Protocol::Text { "" } else { ", for example" };
        lines.push(String::new());
        lines.push(format!("{which}{example}:"));
        lines.extend(commands.iter().map(|command| format!("  {command}")));
    }
    lines
}

/// Is silent until the first line tells what to speak; lines that tell nothing are passed over.
pub struct Polyglot {
    spoken: Vec<Protocol>,
    identity: Identity,
    waiting: Option<Box<dyn Session>>,
    speaker: Option<Box<dyn Speaker>>,
}

impl Polyglot {
    /// An engine for a game at its start that speaks one of these.
    #[must_use]
    pub fn new(spoken: Vec<Protocol>, identity: Identity, session: Box<dyn Session>) -> Polyglot {
        Polyglot { spoken, identity, waiting: Some(session), speaker: None }
    }
}

impl Speaker for Polyglot {
    fn hear(&mut self, line: &str, desk: &mut Desk<'_>) -> Flow {
        if let Some(session) = &self.waiting
            && ["help", "--help"].contains(&line.trim())
        {
            let lines = help(&self.identity, &session.spec(), &self.spoken);
            lines.iter().for_each(|line| desk.say(line));
            return Flow::On;
        }
        if self.speaker.is_none()
            && let Some(protocol) = Protocol::of_first_line(line, &self.spoken)
            && let Some(session) = self.waiting.take()
        {
            self.speaker = speaker(protocol, &self.identity, session);
        }
        match (&mut self.speaker, line.trim()) {
            (Some(speaker), _) => speaker.hear(line, desk),
            // Whatever it would have been, this means goodbye.
            (None, "quit" | "exit" | "END") => Flow::Leave,
            (None, _) => Flow::On,
        }
    }

    fn hear_end(&mut self, desk: &mut Desk<'_>) {
        if let Some(speaker) = &mut self.speaker {
            speaker.hear_end(desk);
        }
    }

    fn hear_progress(&mut self, info: &Info, desk: &mut Desk<'_>) {
        if let Some(speaker) = &mut self.speaker {
            speaker.hear_progress(info, desk);
        }
    }

    fn hear_choice(&mut self, choice: Result<Choice, HostError>, desk: &mut Desk<'_>) -> Flow {
        match &mut self.speaker {
            Some(speaker) => speaker.hear_choice(choice, desk),
            None => Flow::On,
        }
    }
}

impl std::fmt::Debug for Polyglot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Polyglot").field("spoken", &self.spoken).finish_non_exhaustive()
    }
}
