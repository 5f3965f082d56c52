//! `zermelo games`: what can be played, all from the families' own declarations.

use std::io::{self, Write};

use anyhow::Result;
use catalog::FamilyEntry;
use game::Family;
use serde::Serialize;

use crate::output::{Answer, Console};

#[derive(Serialize)]
struct Games {
    families: Vec<Listed>,
}

#[derive(Serialize)]
struct Listed {
    #[serde(flatten)]
    family: FamilyEntry,
    /// The version of its solver.
    solver: Option<String>,
}

/// Lists everything.
pub(crate) fn run(console: &Console) -> Result<Answer> {
    let listed = |family: &'static Family| Listed {
        family: FamilyEntry::from(family),
        solver: catalog::solver_version(family.name).map(|version| version.to_string()),
    };
    let games = Games { families: catalog::families().map(listed).collect() };
    console.answer(&games, |out| {
        for (i, family) in games.families.iter().enumerate() {
            if i > 0 {
                writeln!(out)?;
            }
            write_family(out, &family.family)?;
        }
        Ok(())
    })
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
