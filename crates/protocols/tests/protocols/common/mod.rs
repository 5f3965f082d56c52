//! A house for engines under test, and whole dialogues with them.
//!
//! A file in `dialogues/` is script and expectation in one:
//!
//! ```text
//! # a remark
//! game chess
//! > what the front says
//! < what the engine answers; % stands for anything within a line
//! << any lines until the one that comes next, or the end
//! end            the engine must leave now
//! ```
#![allow(clippy::missing_panics_doc, missing_docs, unreachable_pub)]

pub mod fuzz;

use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use game::testkit::mutated;
use game::{Rng, TextError};
use play::record::Games;
use play::{Player, PlayerError, Session, Timing};
use protocols::{Host, HostError, Speaker, serve};

/// The whole catalog.
pub struct House;

impl Host for House {
    fn open(&self, spec: &str) -> Result<Box<dyn Session>, TextError> {
        Ok(catalog::open(spec)?.session())
    }

    fn player(&self, spec: &str, bot: &str) -> Result<Box<dyn Player>, HostError> {
        let bot = bot.parse().map_err(PlayerError::Text)?;
        let bench = catalog::open(spec).map_err(PlayerError::Text)?;
        Ok(bench.player(&bot, 1)?)
    }

    fn elo_range(&self, spec: &str) -> Option<RangeInclusive<u32>> {
        catalog::open(spec).ok()?.facts().elo_range()
    }

    fn fitting_hash(&self, megabytes: u32) -> u32 {
        // A small machine.
        compiled::fitting_hash(megabytes.min(300))
    }

    fn time(&self, spec: &str, bot: &str, games: Option<usize>) -> Result<Timing, HostError> {
        let bot = bot.parse().map_err(PlayerError::Text)?;
        let bench = catalog::open(spec).map_err(PlayerError::Text)?;
        Ok(bench.time(&bot, games)?)
    }

    fn read_games(&self, spec: &str, text: &str) -> Result<Games, HostError> {
        Ok(catalog::open(spec).map_err(PlayerError::Text)?.files().read(text))
    }
}

/// Plays all dialogues whose file names begin with this word; `speaker` makes the engine for a game.
pub fn play_dialogues(prefix: &str, speaker: fn(Box<dyn Session>) -> Box<dyn Speaker>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dialogues");
    let mut played = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if name.starts_with(prefix) {
            play_dialogue(&name, &std::fs::read_to_string(&path).unwrap(), speaker);
            played += 1;
        }
    }
    assert!(played > 0, "no dialogue begins with {prefix}");
}

fn play_dialogue(name: &str, script: &str, speaker: fn(Box<dyn Session>) -> Box<dyn Speaker>) {
    let mut front: Option<Front> = None;
    let mut skipping = false;
    for (number, line) in (1..).zip(script.lines()) {
        let place = format!("{name}:{number}");
        if let Some(spec) = line.strip_prefix("game ") {
            front = Some(Front::of(spec, speaker));
        } else if line.starts_with('#') || line.trim().is_empty() {
        } else if line == "end" {
            front.as_mut().unwrap().expect_end(skipping, &place);
            skipping = false;
        } else if line == "<<" {
            skipping = true;
        } else if let Some(said) = line.strip_prefix('>') {
            front.as_mut().unwrap().say(said.strip_prefix(' ').unwrap_or(said));
        } else if let Some(expected) = line.strip_prefix('<') {
            let expected = expected.strip_prefix(' ').unwrap_or(expected);
            front.as_mut().unwrap().expect(expected, skipping, &place);
            skipping = false;
        } else {
            panic!("{place}: what does {line} mean?");
        }
    }
}

/// The other end of an engine that runs on a thread of its own.
pub struct Front {
    to_engine: Option<Sender<String>>,
    from_engine: Receiver<String>,
}

impl Front {
    pub fn of(spec: &str, speaker: fn(Box<dyn Session>) -> Box<dyn Speaker>) -> Front {
        let (to_engine, said) = channel();
        let (heard, from_engine) = channel();
        let spec = spec.to_owned();
        thread::spawn(move || {
            let mut speaker = speaker(House.open(&spec).unwrap());
            let input = Box::new(BufReader::new(Said { lines: said, rest: VecDeque::new() }));
            let mut output = Heard { lines: heard, rest: Vec::new() };
            let _ = serve(&mut *speaker, &House, input, &mut output);
        });
        Front { to_engine: Some(to_engine), from_engine }
    }

    pub fn say(&self, line: &str) {
        let _ = self.to_engine.as_ref().unwrap().send(line.to_owned());
    }

    pub fn hear(&self) -> Option<String> {
        self.from_engine.recv_timeout(Duration::from_secs(60)).ok()
    }

    fn expect(&self, expected: &str, skipping: bool, place: &str) {
        loop {
            let Some(heard) = self.hear() else { panic!("{place}: nothing came, not {expected}") };
            if matches(expected, &heard) {
                return;
            }
            assert!(skipping, "{place}: expected {expected}\n heard {heard}");
        }
    }

    fn expect_end(&mut self, skipping: bool, place: &str) {
        while let Some(last) = self.hear() {
            assert!(skipping, "{place}: the engine still talks: {last}");
        }
        self.to_engine = None;
    }
}

/// Whether a pattern, in which % stands for anything, fits.
fn matches(pattern: &str, text: &str) -> bool {
    let parts: Vec<&str> = pattern.split('%').collect();
    let (Some(first), Some(last)) = (parts.first(), parts.last()) else { return false };
    if parts.len() == 1 {
        return pattern == text;
    }
    let Some(mut rest) = text.strip_prefix(first).and_then(|rest| rest.strip_suffix(last)) else {
        return false;
    };
    for part in &parts[1..parts.len() - 1] {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    true
}

struct Said {
    lines: Receiver<String>,
    rest: VecDeque<u8>,
}

impl Read for Said {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty()
            && let Ok(line) = self.lines.recv()
        {
            self.rest.extend(line.bytes().chain([b'\n']));
        }
        self.rest.read(buffer)
    }
}

struct Heard {
    lines: Sender<String>,
    rest: Vec<u8>,
}

impl Write for Heard {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if byte == b'\n' {
                let line = String::from_utf8_lossy(&std::mem::take(&mut self.rest)).into_owned();
                self.lines.send(line).map_err(|_| io::ErrorKind::BrokenPipe)?;
            } else {
                self.rest.push(byte);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What is put into lines where it does not belong.
#[rustfmt::skip]
const PIECES: &[&str] = &[
    " ", ",", "1", "0", "-", "9999999999", "(", ")", "\"", "=", "\t", "é", "\0", ".", "e5", ":", "a1", "/",
    "x", "\u{202e}",
];

/// A line of a corpus, changed here and there; still one line.
pub fn mangle(rng: &mut Rng, corpus: &[&str]) -> String {
    mutated(rng, corpus, PIECES).replace(['\n', '\r'], " ")
}

/// What an engine answers to all this at once.
pub fn say_all(
    spec: &str,
    speaker: fn(Box<dyn Session>) -> Box<dyn Speaker>,
    lines: &[String],
) -> Vec<String> {
    let mut speaker = speaker(House.open(spec).unwrap());
    let input = Box::new(io::Cursor::new(format!("{}\n", lines.join("\n")).into_bytes()));
    let mut output = Vec::new();
    serve(&mut *speaker, &House, input, &mut output).unwrap();
    String::from_utf8(output).unwrap().lines().map(str::to_owned).collect()
}
