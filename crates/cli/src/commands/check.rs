//! `zermelo check`: whether engines keep to their protocols, and those of line games to the rules.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use arena::{CheckFinding, ContestantKind, check};
use forge::{Checked as RuleChecked, RuleVerdict, check_rules};
use game::escaped;
use protocols::{Engine, Protocol, Setup};
use serde::Serialize;

use crate::args;
use crate::complaint::in_words;
use crate::meeting::processors;
use crate::output::{Answer, Console, counted};
use crate::progress::Progress;

#[derive(Serialize)]
struct Checked {
    engines: Vec<CheckedEngine>,
    /// What was named, but is no engine.
    passed_over: Vec<PassedOver>,
    /// Whether all of them do everything right.
    fine: bool,
}

#[derive(Serialize)]
struct PassedOver {
    file: String,
    why: &'static str,
}

#[derive(Serialize)]
struct CheckedEngine {
    engine: String,
    /// `None` if it speaks none.
    protocol: Option<&'static str>,
    /// `None` if that was not found out.
    game: Option<String>,
    fine: bool,
    findings: Vec<Found>,
}

#[derive(Serialize)]
struct Found {
    what: &'static str,
    /// `None` where there was nothing to look at.
    fine: Option<bool>,
    detail: String,
    seconds: f64,
}

impl Found {
    fn of_rules(RuleChecked { name, verdict, time }: &RuleChecked) -> Found {
        let (fine, detail) = match verdict {
            RuleVerdict::Pass => (Some(true), String::new()),
            RuleVerdict::Idle(why) => (None, why.clone()),
            RuleVerdict::Fail(why) => (Some(false), why.clone()),
        };
        Found { what: name, fine, detail, seconds: time.as_secs_f64() }
    }

    fn show(&self) -> String {
        let word = match self.fine {
            Some(true) => "ok   ",
            Some(false) => "WRONG",
            None => "-    ",
        };
        match self.detail.is_empty() {
            true => format!("  {word} {}", self.what),
            false => format!("  {word} {}: {}", self.what, self.detail),
        }
    }
}

/// Looks at each engine; any that does something wrong is a negative answer. Of several, one that
/// is no engine, or does not even start, does not keep the others from being looked at.
pub(crate) fn run(arguments: &args::Check, console: &Console) -> Result<Answer> {
    let (passed_over, engines) = sort_out(&arguments.engines);
    for PassedOver { file, why } in &passed_over {
        say(console, &format!("{file}: passed over, {why}"));
    }
    let engines = match &engines[..] {
        [] => bail!("there is no engine among these"),
        // Who waits for one engine wants to see what is going on.
        [one] if arguments.engines.len() == 1 => {
            vec![look_at(one, arguments, &mut |line| say(console, line))?]
        }
        several => look_at_all(several, arguments, console),
    };
    let fine = engines.iter().all(|engine| engine.fine);
    let checked = Checked { engines, passed_over, fine };
    if let Some(file) = &arguments.junit {
        crate::files::write(file, &junit(&checked))?;
    }
    console.answer(&checked, |out| {
        let findings = || checked.engines.iter().flat_map(|engine| &engine.findings);
        let count = |fine: Option<bool>| findings().filter(|found| found.fine == fine).count();
        let [passed, wrong, idle] = [Some(true), Some(false), None].map(count);
        let (engines, over) = (checked.engines.len(), checked.passed_over.len());
        if engines + over > 1 {
            writeln!(
                out,
                "{}: {} passed, {wrong} failed, {idle} had nothing to look at",
                counted(engines, "engine"),
                counted(passed, "check")
            )?;
        }
        if over > 0 {
            writeln!(out, "{over} passed over")?;
        }
        Ok(())
    })?;
    Ok(if fine { Answer::Yes } else { Answer::No })
}

/// What is no program, and what may be an engine. Whoever names one thing alone means it.
fn sort_out(all: &[String]) -> (Vec<PassedOver>, Vec<&str>) {
    let (mut passed_over, mut engines) = (Vec::new(), Vec::new());
    for text in all {
        match no_program(text).filter(|_| all.len() > 1) {
            Some(why) => passed_over.push(PassedOver { file: text.clone(), why }),
            None => engines.push(text.as_str()),
        }
    }
    (passed_over, engines)
}

/// Why a file or folder is no program; `None` if it may be one, or is no path.
pub(super) fn no_program(text: &str) -> Option<&'static str> {
    let found = Path::new(text).metadata().ok()?;
    if found.is_dir() {
        return Some("it is a folder");
    }
    #[cfg(unix)]
    if std::os::unix::fs::PermissionsExt::mode(&found.permissions()) & 0o111 == 0 {
        return Some("it is not a program");
    }
    None
}

/// Who does not want to see it may look at the exit code.
fn say(console: &Console, line: &str) {
    if !console.json {
        let mut out = io::stdout().lock();
        let _ = writeln!(out, "{}", escaped(line)).and_then(|()| out.flush());
    }
}

/// Several at a time; each is told of when it is done.
fn look_at_all(engines: &[&str], arguments: &args::Check, console: &Console) -> Vec<CheckedEngine> {
    let progress = Progress::of_parts(console, "engines");
    progress.parts(0, engines.len());
    let (next, done) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let work = || {
        while let Some((number, engine)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|n| Some((n, engines.get(n)?)))
        {
            let mut lines = Vec::new();
            let looked = look_at(engine, arguments, &mut |line| lines.push(line.to_owned()))
                .unwrap_or_else(|why| {
                    let broken = CheckedEngine::broken(engine, &why);
                    lines.extend(broken.findings.iter().map(Found::show));
                    broken
                });
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            if !console.json {
                lines.iter().for_each(|line| progress.line(line));
            }
            done.insert(number, looked);
            progress.parts(done.len(), engines.len());
        }
    };
    let threads = processors().min(engines.len());
    thread::scope(|scope| {
        (0..threads).for_each(|_| drop(scope.spawn(work)));
    });
    drop(progress);
    let done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.into_values().collect()
}

impl CheckedEngine {
    /// One that could not be looked at further.
    fn broken(engine: &str, why: &anyhow::Error) -> CheckedEngine {
        let detail = in_words(why);
        let found = Found { what: "starts and greets", fine: Some(false), detail, seconds: 0.0 };
        let engine = engine.to_owned();
        CheckedEngine { engine, protocol: None, game: None, fine: false, findings: vec![found] }
    }
}

fn look_at(
    text: &str,
    arguments: &args::Check,
    say: &mut dyn FnMut(&str),
) -> Result<CheckedEngine> {
    let setup = setup_of(text, arguments.game.as_deref())?;
    let mut findings = Vec::new();
    let protocol = setup.protocol.name();
    let told = arguments.game.as_deref();
    let game = if setup.protocol == Protocol::Text {
        let game = forge::game_of(&setup.program, told, arguments.timeout)
            .map_err(|why| anyhow!("{text}: {why}"))?;
        say(&format!("{text}: {game} in {protocol}"));
        check_rules(&setup.program, &game, arguments.timeout, &mut |checked| {
            let found = Found::of_rules(checked);
            say(&found.show());
            findings.push(found);
        });
        game
    } else {
        let usual = || arena::usual_game(setup.protocol);
        let game = told.map_or_else(usual, Ok)?;
        let opened = catalog::open(game).map_err(|e| anyhow!("game {e}"))?;
        let game = opened.facts().spec.clone();
        say(&format!("{text}: {game} in {protocol}"));
        check(&setup, &game, arguments.games, &mut |finding| {
            let CheckFinding { what, fine, detail } = finding.clone();
            let found = Found { what, fine, detail, seconds: 0.0 };
            say(&found.show());
            findings.push(found);
        });
        game
    };
    let fine = findings.iter().all(|found| found.fine != Some(false));
    let (protocol, game) = (Some(protocol), Some(game));
    Ok(CheckedEngine { engine: text.to_owned(), protocol, game, fine, findings })
}

/// The findings as build servers read them.
fn junit(checked: &Checked) -> String {
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
        for Found { what, fine, detail, seconds } in findings {
            let (what, detail) = (escape(what), escape(detail));
            let _ = write!(
                text,
                "    <testcase classname=\"{engine}\" name=\"{what}\" time=\"{seconds:.3}\">"
            );
            let _ = match fine {
                Some(true) => Ok(()),
                Some(false) => write!(text, "<failure message=\"{detail}\"/>"),
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

/// The engine as it is described; a command alone is tried in every protocol.
fn setup_of(text: &str, game: Option<&str>) -> Result<Setup> {
    foreign(&with_protocol(text, game)?)
}

/// An engine with its protocol: a command alone is tried in all of them.
pub(super) fn with_protocol(text: &str, game: Option<&str>) -> Result<String> {
    let named = text.split_once(':').is_some_and(|(name, _)| name.parse::<Protocol>().is_ok());
    if named || text.starts_with(args::NAMED) {
        return Ok(text.to_owned());
    }
    if let Some(why) = no_program(text) {
        bail!("{text} is no engine: {why}");
    }
    // The text protocol is asked first: its engines play many games, and say which.
    let described = format!("text:{text}");
    let program = foreign(&described)?.program;
    if program.program.contains('/') && !Path::new(&program.program).exists() {
        bail!("{} is no engine: there is no such file", program.program);
    }
    if forge::game_of(&program, game, GREETING).is_ok() {
        return Ok(described);
    }
    // The others all at once, since each may wait in vain; the first of them that it speaks counts.
    let trials = Protocol::ALL.map(|protocol| {
        let (text, game) = (format!("{protocol}:{text}"), game.map(str::to_owned));
        let (told, heard) = channel();
        thread::spawn(move || told.send(greets(&text, protocol, game.as_deref())));
        heard
    });
    for (protocol, heard) in Protocol::ALL.into_iter().zip(trials) {
        if heard.recv()?? {
            return Ok(format!("{protocol}:{text}"));
        }
    }
    bail!("{text:?} does not greet in any protocol; uci:{text} names one")
}

/// Whether an engine speaks its protocol.
fn greets(text: &str, protocol: Protocol, game: Option<&str>) -> Result<bool> {
    let setup = foreign(text)?;
    let usual = || arena::usual_game(protocol);
    let game = game.map_or_else(usual, Ok)?;
    let game = catalog::open(game).map_err(|e| anyhow!("game {e}"))?;
    Ok(Engine::new(setup).start(&*game.session()).is_ok())
}

/// How long an engine may take to say that it speaks the text protocol.
pub(super) const GREETING: Duration = Duration::from_secs(2);

pub(super) fn foreign(text: &str) -> Result<Setup> {
    let contestant = args::contestant(text).map_err(|why| anyhow!("engine {text:?}: {why}"))?;
    match contestant.kind {
        ContestantKind::Engine(engine) => Ok(engine.setup),
        ContestantKind::Bot(_) => {
            bail!("{text:?} is a bot of this program, which `zermelo engine` speaks for")
        }
    }
}
