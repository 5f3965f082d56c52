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

fn write_family(out: &mut dyn Write, family: &FamilyEntry) -> io::Result<()> {
    writeln!(out, "{}: {}", family.name, family.summary)?;
    let widest = |texts: &mut dyn Iterator<Item = &str>| {
        texts.map(|text| text.chars().count()).max().unwrap_or(0)
    };
    let words = widest(&mut family.variants.iter().map(|v| v.name));
    for VariantEntry { name, summary } in &family.variants {
        writeln!(out, "  {name:<words$}  {summary}")?;
    }
    let keys = widest(&mut family.parameters.iter().map(|p| p.name));
    let values = widest(&mut family.parameters.iter().map(|p| p.values));
    for parameter in &family.parameters {
        let default = match parameter.default {
            Some(default) => format!("; {default} unless told"),
            None => "; must be given".to_owned(),
        };
        let ParameterEntry { name, values: range, meaning, .. } = parameter;
        writeln!(out, "  {name:<keys$}  {range:<values$}  {meaning}{default}")?;
    }
    let names = widest(&mut family.presets.iter().map(|p| p.name));
    let specs = widest(&mut family.presets.iter().map(|p| p.spec));
    for preset in &family.presets {
        let PresetEntry { name, spec, summary } = preset;
        writeln!(out, "  {name:<names$} = {spec:<specs$}  {summary}")?;
    }
    Ok(())
}
