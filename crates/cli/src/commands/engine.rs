//! `zermelo engine`: an engine that other programs drive.

use std::io::{self, BufReader};

use anyhow::{Result, anyhow, bail};
use arena::House;
use catalog::families;
use game::Spec;
use protocols::{Identity, Polyglot, Protocol, serve, speaker};

use crate::args;
use crate::output::Answer;

static HOUSE: House = House;

/// Speaks until the front leaves.
pub(crate) fn run(arguments: &args::Engine) -> Result<Answer> {
    let bench = catalog::open(&arguments.game).map_err(|e| anyhow!("game {e}"))?;
    let spec = bench.spec();
    let spoken = spoken_by(&spec);
    let bot = arguments.ai.as_ref().map(ToString::to_string).unwrap_or_default();
    let identity = Identity {
        name: "Zermelo".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        text_ai: bot.clone(),
        bot,
    };
    let mut engine = match arguments.protocol {
        None => Box::new(Polyglot::new(spoken, identity, bench)),
        Some(protocol) if spoken.contains(&protocol) => speaker(protocol, &identity, bench)
            .ok_or_else(|| anyhow!("{protocol} is only spoken with other engines"))?,
        Some(protocol) => {
            let names = spoken.iter().map(ToString::to_string).collect::<Vec<_>>();
            bail!("{spec} is not spoken of in {protocol}; its protocol is {}", names.join(" or "));
        }
    };
    let input = Box::new(BufReader::new(io::stdin()));
    serve(&mut *engine, &HOUSE, input, &mut io::stdout().lock())?;
    Ok(Answer::Yes)
}

/// The protocols of a game's family.
fn spoken_by(spec: &str) -> Vec<Protocol> {
    let family = families().find(|family| Spec::family_of(spec) == family.name);
    let names = family.map_or(&[][..], |family| family.protocols);
    names.iter().filter_map(|name| name.parse().ok()).collect()
}
