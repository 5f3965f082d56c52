//! What `zermelo check` has found, as words, JSON and JUnit.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use forge::{CheckFailure, Checked as RuleChecked, RuleVerdict, Transcript, replay};
use game::escaped;
use protocols::Program;
use serde::Serialize;

use crate::complaint::in_words;
use crate::files;

/// How a file with a transcript ends.
const EXTENSION: &str = "transcript";
/// A dialogue of so many lines is shown, the end of a longer one.
const SHOWN: usize = 80;

#[derive(Serialize)]
pub(super) struct Checked {
    pub(super) engines: Vec<CheckedEngine>,
    /// What was named, but is no engine.
    pub(super) passed_over: Vec<PassedOver>,
    /// Whether all of them do everything right.
    pub(super) fine: bool,
}

#[derive(Serialize)]
pub(super) struct PassedOver {
    pub(super) file: String,
    pub(super) why: &'static str,
}

#[derive(Serialize)]
pub(super) struct CheckedEngine {
    pub(super) engine: String,
    /// `None` if it speaks none.
    pub(super) protocol: Option<&'static str>,
    /// `None` if that was not found out.
    pub(super) game: Option<String>,
    pub(super) fine: bool,
    pub(super) findings: Vec<Found>,
}

#[derive(Serialize)]
pub(super) struct Found {
    what: String,
    /// `None` where there was nothing to look at.
    pub(super) fine: Option<bool>,
    detail: String,
    seconds: f64,
    /// Lines that were said to the engine, where they are counted.
    commands: Option<usize>,
    /// How it can be seen again.
    failure: Option<Seen>,
}

/// A dialogue that shows a fault.
#[derive(Serialize)]
struct Seen {
    /// As a file for `--replay`.
    transcript: String,
    /// The board before the last line.
    board: Vec<String>,
    /// What the last answer should have been,
    expected: Vec<String>,
    /// and what it was.
    given: Vec<String>,
}

impl Found {
    pub(super) fn new(what: &str, fine: Option<bool>, detail: String) -> Found {
        let what = what.to_owned();
        Found { what, fine, detail, seconds: 0.0, commands: None, failure: None }
    }

    pub(super) fn of_rules(checked: &RuleChecked) -> Found {
        let RuleChecked { name, verdict, commands, time } = checked;
        let found = match verdict {
            RuleVerdict::Pass => Found::new(name, Some(true), String::new()),
            RuleVerdict::Idle(why) => Found::new(name, None, why.clone()),
            RuleVerdict::Fail(failure) => Found::of_failure(name, failure),
        };
        Found { seconds: time.as_secs_f64(), commands: Some(*commands), ..found }
    }

    fn of_failure(what: &str, failure: &CheckFailure) -> Found {
        let seen = (!failure.transcript.exchanges.is_empty()).then(|| Seen {
            transcript: failure.write(),
            board: failure.board.clone(),
            expected: failure.expected().to_vec(),
            given: failure.given().to_vec(),
        });
        Found { failure: seen, ..Found::new(what, Some(false), failure.why.clone()) }
    }

    /// In words: one line, and after a fault how it can be seen again.
    pub(super) fn lines(&self) -> Vec<String> {
        let word = match self.fine {
            Some(true) => "ok   ",
            Some(false) => "WRONG",
            None => "-    ",
        };
        let mut lines = vec![match (self.detail.as_str(), self.commands) {
            ("", Some(commands)) => format!("  {word} {} ({commands} commands)", self.what),
            ("", None) => format!("  {word} {}", self.what),
            (detail, _) => format!("  {word} {}: {detail}", self.what),
        }];
        if let Some(seen) = &self.failure {
            let dialogue: Vec<&str> = seen.transcript.lines().collect();
            let first = dialogue.len().saturating_sub(SHOWN);
            lines.extend(dialogue[first..].iter().map(|line| format!("        {line}")));
        }
        lines
    }
}

impl CheckedEngine {
    /// One that could not be looked at further.
    pub(super) fn broken(engine: &str, why: &anyhow::Error) -> CheckedEngine {
        let found = Found::new("starts and greets", Some(false), in_words(why));
        let engine = engine.to_owned();
        CheckedEngine { engine, protocol: None, game: None, fine: false, findings: vec![found] }
    }
}

impl Checked {
    /// Writes each dialogue that shows a fault into a file of its own.
    pub(super) fn save_failures(&self, folder: &Path) -> Result<()> {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("{} cannot be made", folder.display()))?;
        let findings = self.engines.iter().flat_map(|engine| &engine.findings);
        for (number, seen) in (1..).zip(findings.filter_map(|found| found.failure.as_ref())) {
            files::write(&folder.join(format!("{number:03}.{EXTENSION}")), &seen.transcript)?;
        }
        Ok(())
    }
}

/// A transcript that somebody wrote or kept as a test.
pub(super) struct OwnTranscript {
    name: String,
    transcript: Transcript,
}

impl OwnTranscript {
    /// That in a file, or all in a folder.
    pub(super) fn all_in(path: &Path) -> Result<Vec<OwnTranscript>> {
        let mut found: Vec<PathBuf> = vec![path.to_owned()];
        if path.is_dir() {
            let entries = std::fs::read_dir(path)
                .with_context(|| format!("{} cannot be read", path.display()))?;
            let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
            found = files.filter(|file| file.extension().is_some_and(|e| e == EXTENSION)).collect();
            found.sort();
            if found.is_empty() {
                bail!("{}: there is no file *.{EXTENSION} in it", path.display());
            }
        }
        let read = |file: &PathBuf| {
            let transcript = Transcript::read(&files::read(file)?)
                .map_err(|why| anyhow!("{}: {why}", file.display()))?;
            Ok(OwnTranscript { name: file.display().to_string(), transcript })
        };
        found.iter().map(read).collect()
    }

    /// Plays it with an engine of this game.
    pub(super) fn play(&self, program: &Program, game: &str, patience: Duration) -> Found {
        let start = Instant::now();
        let said = self.transcript.exchanges.len();
        let about = self.transcript.game.as_deref().map(|text| {
            catalog::open(text).map_or_else(|_| text.to_owned(), |game| game.facts().spec.clone())
        });
        let found = match about.filter(|about| about != game) {
            Some(other) => Found::new(&self.name, None, format!("it is about {other}")),
            None => match replay(program, &self.transcript, patience) {
                Ok(None) => Found::new(&self.name, Some(true), String::new()),
                Ok(Some(failure)) => Found::of_failure(&self.name, &failure),
                Err(why) => Found::new(&self.name, Some(false), why.to_string()),
            },
        };
        Found { seconds: start.elapsed().as_secs_f64(), commands: Some(said), ..found }
    }
}

/// The findings as build servers read them.
pub(super) fn junit(checked: &Checked) -> String {
    let escape = |text: &str| lab::html::escape(text).replace(|c: char| c.is_control(), " ");
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    for CheckedEngine { engine, findings, .. } in &checked.engines {
        let count = |fine: Option<bool>| findings.iter().filter(|found| found.fine == fine).count();
        let engine = escape(engine);
        let _ = writeln!(
            text,
            "  <testsuite name=\"{engine}\" tests=\"{}\" failures=\"{}\" skipped=\"{}\">",
            findings.len(),
            count(Some(false)),
            count(None)
        );
        for Found { what, fine, detail, seconds, failure, .. } in findings {
            let (what, detail) = (escape(what), escape(detail));
            let _ = write!(
                text,
                "    <testcase classname=\"{engine}\" name=\"{what}\" time=\"{seconds:.3}\">"
            );
            let seen = failure.as_ref().map_or(String::new(), |seen| {
                let lines = seen.transcript.lines().map(|line| escape(&escaped(line)));
                lines.collect::<Vec<_>>().join("\n")
            });
            let _ = match fine {
                Some(true) => Ok(()),
                Some(false) => write!(text, "<failure message=\"{detail}\">{seen}</failure>"),
                None => write!(text, "<skipped message=\"{detail}\"/>"),
            };
            text.push_str("</testcase>\n");
        }
        text.push_str("  </testsuite>\n");
    }
    for PassedOver { file, why } in &checked.passed_over {
        let file = escape(file);
        let _ = writeln!(
            text,
            "  <testsuite name=\"{file}\" tests=\"1\" failures=\"0\" skipped=\"1\">\n    \
             <testcase classname=\"{file}\" name=\"is an engine\"><skipped message=\"{why}\"/></testcase>\n  \
             </testsuite>"
        );
    }
    text + "</testsuites>\n"
}
