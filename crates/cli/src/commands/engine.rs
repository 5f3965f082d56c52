//! `zermelo engine`: an engine that other programs drive.

use std::io::{self, BufReader, IsTerminal};

use anyhow::{Result, anyhow, bail};
use arena::House;
use catalog::families;
use game::{Spec, quote};
use play::{Choice, Info};
use protocols::{Desk, Flow, HostError, Identity, Polyglot, Protocol, Speaker, serve, speaker};

use crate::args;
use crate::output::{Answer, Console};

static HOUSE: House = House;

/// Speaks until the front leaves. What a front could not know by itself is said on standard error.
pub(crate) fn run(arguments: &args::Engine, console: &Console) -> Result<Answer> {
    let game = catalog::open(&arguments.game).map_err(|e| anyhow!("game {e}"))?;
    let spec = game.facts().spec.clone();
    let spoken = match (arguments.protocol, spoken_by(&spec)) {
        (_, all) if all.is_empty() => bail!("no protocol is spoken about {spec}"),
        (None, all) => all,
        (Some(protocol), all) if all.contains(&protocol) => vec![protocol],
        (Some(protocol), all) => {
            bail!("{spec} is not spoken of in {protocol}; its protocol is {}", names_of(&all))
        }
    };
    let bot = arguments.ai.as_ref().map(ToString::to_string).unwrap_or_default();
    let identity = Identity {
        name: "Zermelo".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        text_ai: bot.clone(),
        bot,
    };
    let names = names_of(&spoken);
    if !spoken.iter().any(|protocol| protocol.has_words_for(&spec)) {
        console.warn(&format!(
            "{names} has no words for {spec}: whoever drives this engine must know its rules by other means"
        ));
    }
    if io::stdin().is_terminal() {
        console.note(&format!("{spec}, waiting for a front that speaks {names}; quit leaves"));
    }
    let mut engine: Box<dyn Speaker + '_> = match arguments.protocol {
        Some(protocol) => speaker(protocol, &identity, game.session())
            .ok_or_else(|| anyhow!("{protocol} is only spoken with other engines"))?,
        None => {
            let engine = Polyglot::new(spoken.clone(), identity, game.session());
            Box::new(Waiting { engine, spoken, console })
        }
    };
    let input = Box::new(BufReader::new(io::stdin()));
    serve(&mut *engine, &HOUSE, input, &mut io::stdout().lock())?;
    Ok(Answer::Yes)
}

fn names_of(protocols: &[Protocol]) -> String {
    protocols.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
}

/// The protocols of a game's family.
fn spoken_by(spec: &str) -> Vec<Protocol> {
    let family = families().find(|family| Spec::family_of(spec) == family.name);
    let names = family.map_or(&[][..], |family| family.protocols);
    names.iter().filter_map(|name| name.parse().ok()).collect()
}

/// An engine that waits for a line that tells what to speak, and says of the first if it does not.
struct Waiting<'c> {
    engine: Polyglot,
    /// What may come; none once somebody has spoken.
    spoken: Vec<Protocol>,
    console: &'c Console,
}

impl Speaker for Waiting<'_> {
    fn hear(&mut self, line: &str, desk: &mut Desk<'_>) -> Flow {
        if !matches!(line.trim(), "" | "quit" | "exit" | "END") {
            let spoken = std::mem::take(&mut self.spoken);
            if !spoken.is_empty() && Protocol::of_first_line(line, &spoken).is_none() {
                self.console.warn(&format!(
                    "{} begins no protocol that is spoken here; {} is",
                    quote(line.trim()),
                    names_of(&spoken)
                ));
            }
        }
        self.engine.hear(line, desk)
    }

    fn hear_progress(&mut self, info: &Info, desk: &mut Desk<'_>) {
        self.engine.hear_progress(info, desk);
    }

    fn hear_choice(&mut self, choice: Result<Choice, HostError>, desk: &mut Desk<'_>) -> Flow {
        self.engine.hear_choice(choice, desk)
    }
}
