//! `zermelo weights`: the numbers of evaluations.

use std::collections::BTreeMap;

use anyhow::{Result, anyhow};
use serde::Serialize;

use crate::args::{Weights, WeightsCommand};
use crate::output::{Answer, Console};

#[derive(Serialize)]
struct Shown {
    game: String,
    evaluation: String,
    weights: BTreeMap<String, i32>,
}

/// Writes an evaluation.
pub(crate) fn run(arguments: &Weights, console: &Console) -> Result<Answer> {
    let WeightsCommand::Show { game, weights, seed } = &arguments.command;
    let bench = catalog::open(game).map_err(|e| anyhow!("game {e}"))?;
    let weights = weights.clone().unwrap_or_default();
    let text = bench.weights(&weights, *seed).map_err(anyhow::Error::msg)?;
    console.answer(&shown(&text), |out| out.write_all(text.as_bytes()))
}

/// What the text says, for programs.
fn shown(text: &str) -> Shown {
    let mut shown =
        Shown { game: String::new(), evaluation: String::new(), weights: BTreeMap::new() };
    for (name, value) in text.lines().skip(1).filter_map(|line| line.split_once(' ')) {
        match (name, value.parse()) {
            ("game", _) => value.clone_into(&mut shown.game),
            ("evaluation", _) => value.clone_into(&mut shown.evaluation),
            (name, Ok(number)) => drop(shown.weights.insert(name.to_owned(), number)),
            (_, Err(_)) => {}
        }
    }
    shown
}
