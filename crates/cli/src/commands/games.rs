//! `zermelo games`: what can be played, all from the families' own declarations.

use std::io::{self, Write};

use anyhow::Result;
use game::Family;
use serde::Serialize;

use crate::output::{Answer, Console};

#[derive(Serialize)]
struct Games {
    families: Vec<FamilyEntry>,
}

#[derive(Serialize)]
struct FamilyEntry {
    name: &'static str,
    summary: &'static str,
    variants: Vec<VariantEntry>,
    parameters: Vec<ParameterEntry>,
    presets: Vec<PresetEntry>,
}

#[derive(Serialize)]
struct VariantEntry {
    name: &'static str,
    summary: &'static str,
}

#[derive(Serialize)]
struct ParameterEntry {
    name: &'static str,
    values: &'static str,
    default: Option<&'static str>,
    meaning: &'static str,
}

#[derive(Serialize)]
struct PresetEntry {
    name: &'static str,
    spec: &'static str,
    summary: &'static str,
}

/// Lists everything.
pub(crate) fn run(console: &Console) -> Result<Answer> {
    let families: Vec<FamilyEntry> = catalog::families().map(entry).collect();
    let games = Games { families };
    console.answer(&games, |out| {
        for (i, family) in games.families.iter().enumerate() {
            if i > 0 {
                writeln!(out)?;
            }
            write_family(out, family)?;
        }
        Ok(())
    })
}

fn entry(family: &Family) -> FamilyEntry {
    let variants =
        family.variants.iter().map(|v| VariantEntry { name: v.name, summary: v.summary });
    let parameters = family.parameters.iter().map(|p| ParameterEntry {
        name: p.name,
        values: p.values,
        default: (!p.default.is_empty()).then_some(p.default),
        meaning: p.meaning,
    });
    let presets = family.presets.iter().map(|p| PresetEntry {
        name: p.name,
        spec: p.spec,
        summary: p.summary,
    });
    FamilyEntry {
        name: family.name,
        summary: family.summary,
        variants: variants.collect(),
        parameters: parameters.collect(),
        presets: presets.collect(),
    }
}

/// Columns of text beyond which a terminal would break lines itself.
const WIDTH: usize = 100;

fn write_family(out: &mut dyn Write, family: &FamilyEntry) -> io::Result<()> {
    writeln!(out, "{}: {}", family.name, family.summary)?;
    let variants = family.variants.iter().map(|v| (v.name.to_owned(), v.summary.to_owned()));
    write_list(out, &variants.collect::<Vec<_>>())?;
    let parameters = family.parameters.iter().map(|p| {
        let default = p.default.map_or("must be given".to_owned(), |d| format!("usually {d}"));
        (p.name.to_owned(), format!("{}: {} ({default})", p.values, p.meaning))
    });
    write_list(out, &parameters.collect::<Vec<_>>())?;
    let presets =
        family.presets.iter().map(|p| (p.name.to_owned(), format!("{}: {}", p.spec, p.summary)));
    write_list(out, &presets.collect::<Vec<_>>())
}

/// Words and what they mean, in two columns.
fn write_list(out: &mut dyn Write, list: &[(String, String)]) -> io::Result<()> {
    let widest = list.iter().map(|(word, _)| word.chars().count()).max().unwrap_or(0);
    let indent = widest + 4;
    for (word, meaning) in list {
        let mut line = format!("  {word:<widest$} ");
        for part in meaning.split(' ') {
            let length = line.chars().count();
            if length + 1 + part.chars().count() > WIDTH && length > indent {
                writeln!(out, "{line}")?;
                line = " ".repeat(indent - 1);
            }
            line.push(' ');
            line.push_str(part);
        }
        writeln!(out, "{line}")?;
    }
    Ok(())
}
