//! Weights as text, JSON and CSV. What is read becomes text, which the one reader of weights checks.

use std::fmt::Write as _;

use anyhow::{Context, Result, anyhow, bail};
use evaluation::weights::Sheet;
use game::quote;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::args::WeightForm;

const COLUMNS: &str = "game,evaluation,name,value";

/// Weights as JSON has them, by name.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Object {
    game: String,
    evaluation: String,
    weights: Map<String, Value>,
}

impl Object {
    pub(crate) fn of(sheet: &Sheet) -> Object {
        let weights = sheet.entries.iter().map(|entry| (entry.name.clone(), entry.value.into()));
        Object {
            game: sheet.game.clone(),
            evaluation: sheet.evaluation.clone(),
            weights: weights.collect(),
        }
    }
}

/// A sheet in that form.
pub(crate) fn write(sheet: &Sheet, form: WeightForm) -> Result<String> {
    Ok(match form {
        WeightForm::Text => sheet.write(),
        WeightForm::Json => serde_json::to_string_pretty(&Object::of(sheet))? + "\n",
        WeightForm::Csv => {
            let mut text = format!("{COLUMNS}\n");
            for entry in &sheet.entries {
                let (game, evaluation) = (&sheet.game, &sheet.evaluation);
                writeln!(text, "{game},{evaluation},{},{}", entry.name, entry.value)?;
            }
            text
        }
    })
}

/// Whatever form it comes in, as the text that bots load.
pub(crate) fn as_text(text: &str) -> Result<String> {
    if text.trim_start().starts_with('{') {
        return of_json(text);
    }
    match text.lines().next().map(str::trim_end) {
        Some(COLUMNS) => of_csv(text),
        _ => Ok(text.to_owned()),
    }
}

fn of_json(text: &str) -> Result<String> {
    let object: Object = serde_json::from_str(text)
        .context("not weights as `weights convert --to json` writes them")?;
    let weights = object.weights.iter().map(|(name, value)| (&**name, value.to_string()));
    in_text(&object.game, &object.evaluation, weights)
}

fn of_csv(text: &str) -> Result<String> {
    let mut kind = None;
    let mut weights = Vec::new();
    for (number, line) in
        (1..).zip(text.lines()).skip(1).filter(|(_, line)| !line.trim().is_empty())
    {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let &[game, evaluation, name, value] = cells.as_slice() else {
            bail!("line {number} is {}; {COLUMNS} would be right", quote(line));
        };
        if *kind.get_or_insert((game, evaluation)) != (game, evaluation) {
            bail!("line {number} is {}; all lines are of one game and evaluation", quote(line));
        }
        weights.push((name, value.to_owned()));
    }
    let (game, evaluation) = kind.ok_or_else(|| anyhow!("the table is empty"))?;
    in_text(game, evaluation, weights.into_iter())
}

fn in_text<'a>(
    game: &str,
    evaluation: &str,
    weights: impl Iterator<Item = (&'a str, String)>,
) -> Result<String> {
    let mut text = format!("zermelo weights 1\ngame {game}\nevaluation {evaluation}\n");
    for (name, value) in weights {
        // Else a name could bring lines of its own.
        if [name, &*value].iter().any(|part| part.contains(['\n', '\r', '#', ' ', '\t'])) {
            bail!("{} is not the name and number of a weight", quote(&format!("{name} {value}")));
        }
        writeln!(text, "{name} {value}")?;
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Rng;

    fn sheet() -> Sheet {
        let bench = catalog::open("draughts").unwrap();
        bench.weights().sheet(&play::WeightsChoice::read("zones").unwrap(), 1).unwrap()
    }

    #[test]
    fn forms_round_trip() {
        let (sheet, bench) = (sheet(), catalog::open("draughts").unwrap());
        for form in [WeightForm::Text, WeightForm::Json, WeightForm::Csv] {
            let text = as_text(&write(&sheet, form).unwrap()).unwrap();
            assert_eq!(bench.weights().older(&text).unwrap(), (sheet.clone(), vec![]), "{form:?}");
        }
    }

    /// Whatever was damaged, it is read as text that is checked, or refused in a line.
    #[test]
    fn any_json_or_csv_is_read_or_refused() {
        let mut rng = Rng::new(9);
        let bench = catalog::open("draughts").unwrap();
        let texts = [WeightForm::Json, WeightForm::Csv].map(|form| write(&sheet(), form).unwrap());
        let (mut taken, mut refused) = (0, 0);
        for round in 0..20_000 {
            let mut bytes = texts[round % 2].as_bytes().to_vec();
            for _ in 0..=rng.below(2) {
                let at = rng.below(bytes.len());
                match rng.below(4) {
                    0 => bytes[at] = rng.below(256) as u8,
                    1 => bytes[at] = b"0123456789-,:\"{}\n .e"[rng.below(20)],
                    2 => drop(bytes.remove(at)),
                    _ => bytes.truncate(at.max(1)),
                }
            }
            let text = String::from_utf8_lossy(&bytes);
            match as_text(&text).map(|text| bench.weights().older(&text)) {
                Ok(Ok(_)) => taken += 1,
                Ok(Err(error)) => {
                    assert_eq!(error.to_string().lines().count(), 1, "{error}");
                    refused += 1;
                }
                Err(_) => refused += 1,
            }
        }
        assert!(taken > 300 && refused > 3_000, "{taken} {refused}");
    }
}
