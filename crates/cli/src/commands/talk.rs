//! `zermelo talk`: a console for an engine, in its own language.

use std::io::{self, BufRead, Write};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use game::escaped;
use play::BotSpec;
use protocols::{Fault, Process, Protocol};

use super::check::{foreign, with_protocol};
use crate::args;
use crate::output::Answer;

/// What is typed to see the suggestions again.
const HELP: &str = "?";
/// How often the engine is listened to while nobody types.
const GLANCE: Duration = Duration::from_millis(20);
/// How long a talk whose input has ended goes on for answers that are still to come.
const PATIENCE: Duration = Duration::from_secs(2);

/// Passes lines on, both ways, until either side leaves.
pub(crate) fn run(arguments: &args::Talk) -> Result<Answer> {
    if arguments.engine.parse::<BotSpec>().is_ok() {
        bail!(
            "a bot of this program has no language of its own; uci:/usr/games/stockfish is right"
        );
    }
    let setup = foreign(&with_protocol(&arguments.engine, None)?)?;
    let mut process = Process::start(&setup.program)?;
    let mut out = io::stdout().lock();
    suggest(&mut out, setup.protocol)?;
    let (typed, lines) = channel();
    thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            if !line.is_ok_and(|line| typed.send(line).is_ok()) {
                return;
            }
        }
    });
    let mut closing = None;
    loop {
        match lines.recv_timeout(GLANCE) {
            Ok(line) if line.trim() == HELP && setup.protocol != Protocol::Cecp => {
                suggest(&mut out, setup.protocol)?;
            }
            Ok(line) => process.send(&line)?,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                thread::sleep(GLANCE);
                closing.get_or_insert_with(|| Instant::now() + PATIENCE);
            }
        }
        loop {
            match process.receive(Instant::now()) {
                Ok(Some(line)) => {
                    // In full: it is what somebody asked for.
                    writeln!(out, "{}", escaped(&line))?;
                    process.count_anew();
                    closing = closing.map(|_| Instant::now() + PATIENCE);
                }
                Ok(None) => break,
                Err(Fault::Ended(how)) => {
                    writeln!(out, "(the engine has left: {how})")?;
                    return Ok(Answer::Yes);
                }
                Err(fault) => return Err(fault.into()),
            }
        }
        out.flush()?;
        if closing.is_some_and(|end| Instant::now() > end) {
            process.leave(None);
            return Ok(Answer::Yes);
        }
    }
}

fn suggest(out: &mut dyn Write, protocol: Protocol) -> io::Result<()> {
    writeln!(out, "({protocol}; {HELP} shows this again; you may say, for example)")?;
    for line in protocol.suggestions() {
        writeln!(out, "    {line}")?;
    }
    out.flush()
}
