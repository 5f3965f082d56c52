//! The proof at the end of tuning: a match of the new weights against those before.

use play::{BotSpec, Facts, Stop, WeightsChoice};
use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;
use arena::{Adjudication, Contest, Contestant, Openings, Standing};

use crate::args::Gate;
use crate::commands::matches::{Matched, hold, write_words};
use crate::meeting::{Ledger, processors};
use crate::output::{Console, counted};

/// A match that was held.
pub(crate) struct Gated {
    contest: Contest,
    standing: Standing,
    /// For programs.
    pub(crate) matched: Matched,
}

/// Holds the match, if it is asked for. Weights are a name or a file.
pub(crate) fn hold_gate(
    gate: &Gate,
    facts: &Facts,
    new: &Path,
    old: &WeightsChoice,
    threads: Option<usize>,
    stop: &Stop,
    console: &Console,
) -> Result<Option<Gated>> {
    if !gate.gate {
        return Ok(None);
    }
    // What looks like a name is a file here.
    let here = Path::new(".").join(new);
    let new = if new.is_absolute() { new } else { &here };
    let weights = [WeightsChoice::File(new.display().to_string()), old.clone()];
    let contestants =
        weights.map(|weights| Contestant::from(BotSpec { weights, ..gate.gate_bot.clone() }));
    let contest = Contest {
        game: facts.spec.clone(),
        contestants,
        pairs: gate.gate_games.div_ceil(2),
        openings: Openings::Balanced { plies: facts.opening_plies + 2 },
        limits: None,
        grace: std::time::Duration::ZERO,
        adjudication: Adjudication::default(),
        at_once: threads.unwrap_or_else(processors),
        seed: gate.gate_seed,
    };
    let (mut ledger, earlier) = Ledger::open(None, "")?;
    let sprt = Some(&gate.gate_sprt);
    let (standing, matched) = hold(&contest, &mut ledger, &earlier, sprt, stop, console)?;
    Ok(Some(Gated { contest, standing, matched }))
}

impl Gated {
    /// Whether the new weights are stronger for certain.
    pub(crate) fn is_passed(&self) -> bool {
        self.matched.sprt.as_ref().is_some_and(|tested| tested.decision == "H1")
    }

    /// What the match says, and what that means.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        write_words(out, &self.contest, &self.standing, &self.matched)?;
        let games = self.matched.games;
        match (self.is_passed(), self.matched.is_undecided()) {
            (true, _) => writeln!(out, "gate   passed"),
            (false, false) => writeln!(out, "gate   not passed"),
            (false, true) => writeln!(
                out,
                "gate   not passed: undecided after {}; --gate-games {} plays more",
                counted(games, "game"),
                2 * games.max(1)
            ),
        }
    }
}
