//! `zermelo check`: whether engines keep to their protocols, and those of line games to the rules.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow, bail};
use arena::{CheckFinding, ContestantKind, check};
use forge::{CheckOptions, check_rules};
use game::escaped;
use protocols::{Engine, Protocol, Setup};

use super::findings::{Checked, CheckedEngine, Found, OwnTranscript, PassedOver, junit};
use crate::args;
use crate::meeting::processors;
use crate::output::{Answer, Console, counted};
use crate::progress::Progress;

/// Looks at each engine; any that does something wrong is a negative answer. Of several, one that
/// is no engine, or does not even start, does not keep the others from being looked at.
pub(crate) fn run(arguments: &args::Check, console: &Console) -> Result<Answer> {
    let (passed_over, engines) = sort_out(&arguments.engines);
    let wanted = Wanted::of(arguments)?;
    for PassedOver { file, why } in &passed_over {
        say(console, &format!("{file}: passed over, {why}"));
    }
    let engines = match &engines[..] {
        [] => bail!("there is no engine among these"),
        // Who waits for one engine wants to see what is going on.
        [one] if arguments.engines.len() == 1 => {
            vec![look_at(one, &wanted, &mut |line| say(console, line))?]
        }
        several => look_at_all(several, &wanted, console),
    };
    let fine = engines.iter().all(|engine| engine.fine);
    let checked = Checked { engines, passed_over, fine };
    if let Some(folder) = &arguments.failures {
        checked.save_failures(folder)?;
    }
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
fn look_at_all(engines: &[&str], wanted: &Wanted<'_>, console: &Console) -> Vec<CheckedEngine> {
    let progress = Progress::of_parts(console, "engines");
    progress.parts(0, engines.len());
    let (next, done) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let work = || {
        while let Some((number, engine)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|n| Some((n, engines.get(n)?)))
        {
            let mut lines = Vec::new();
            let looked = look_at(engine, wanted, &mut |line| lines.push(line.to_owned()))
                .unwrap_or_else(|why| {
                    let broken = CheckedEngine::broken(engine, &why);
                    lines.extend(broken.findings.iter().flat_map(Found::lines));
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

/// What is looked at.
struct Wanted<'a> {
    arguments: &'a args::Check,
    /// Transcripts that are tests.
    own: Vec<OwnTranscript>,
}

impl Wanted<'_> {
    fn of(arguments: &args::Check) -> Result<Wanted<'_>> {
        let files = arguments.replay.iter().chain(&arguments.transcript);
        let own = files.map(|path| OwnTranscript::all_in(path)).collect::<Result<Vec<_>>>()?;
        Ok(Wanted { arguments, own: own.into_iter().flatten().collect() })
    }
}

fn look_at(text: &str, wanted: &Wanted<'_>, say: &mut dyn FnMut(&str)) -> Result<CheckedEngine> {
    let arguments = wanted.arguments;
    let setup = setup_of(text, arguments.game.as_deref())?;
    let mut findings = Vec::new();
    let protocol = setup.protocol.name();
    let told = arguments.game.as_deref();
    let game = if setup.protocol == Protocol::Text {
        let game = forge::game_of(&setup.program, told, arguments.timeout)
            .map_err(|why| anyhow!("{text}: {why}"))?;
        say(&format!("{text}: {game} in {protocol}"));
        let mut found = |found: Found| {
            found.lines().iter().for_each(|line| say(line));
            findings.push(found);
        };
        if arguments.replay.is_none() {
            let patience = arguments.timeout;
            let options = CheckOptions { patience, shrink: true, first_fault: false };
            check_rules(&setup.program, &game, options, &mut |checked| {
                found(Found::of_rules(checked));
            });
        }
        for own in &wanted.own {
            found(own.play(&setup.program, &game, arguments.timeout));
        }
        game
    } else {
        if !wanted.own.is_empty() {
            bail!("{text}: transcripts are for engines of the text protocol");
        }
        let usual = || arena::usual_game(setup.protocol);
        let game = told.map_or_else(usual, Ok)?;
        let opened = catalog::open(game).map_err(|e| anyhow!("game {e}"))?;
        let game = opened.facts().spec.clone();
        say(&format!("{text}: {game} in {protocol}"));
        check(&setup, &game, arguments.games, &mut |finding| {
            let CheckFinding { what, fine, detail } = finding.clone();
            let found = Found::new(what, fine, detail);
            found.lines().iter().for_each(|line| say(line));
            findings.push(found);
        });
        game
    };
    let fine = findings.iter().all(|found| found.fine != Some(false));
    let (protocol, game) = (Some(protocol), Some(game));
    Ok(CheckedEngine { engine: text.to_owned(), protocol, game, fine, findings })
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
