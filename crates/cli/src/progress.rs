//! Progress and interruptions: both belong to work that takes a while.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use game::escaped;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use play::{Info, Stop};

use crate::output::Console;

/// A search that is over by then needs no progress; it would only flicker.
const QUICK: Duration = Duration::from_millis(300);

/// What is told of work under way: a line that changes on a terminal; elsewhere a line now and then, once the work has shown to be
/// long. Nothing with `--quiet`, and nothing but the answer with `--json`.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
    /// Where no terminal is.
    log: Option<Mutex<Log>>,
}

/// What the next line of a log would say, and when it is due.
#[derive(Debug)]
struct Log {
    due: Duration,
    /// What the parts are called, where there are parts.
    what: String,
    done: usize,
    all: usize,
    remark: String,
}

impl Log {
    /// Work that is over by then needs no log.
    const FIRST: Duration = Duration::from_secs(10);
    const EVERY: Duration = Duration::from_secs(30);

    fn new(what: &str) -> Log {
        Log { due: Log::FIRST, what: what.to_owned(), done: 0, all: 0, remark: String::new() }
    }

    /// The line for now, if one is due.
    fn line(&mut self, elapsed: Duration) -> Option<String> {
        if elapsed < self.due {
            return None;
        }
        self.due = elapsed + Log::EVERY;
        let mut line = format!("{} s", elapsed.as_secs());
        if self.all > 0 {
            line += &format!(", {} of {} {}", self.done, self.all, self.what);
        }
        if !self.remark.is_empty() {
            line += &format!(", {}", self.remark);
        }
        Some(line)
    }
}

impl Progress {
    /// For a search: how far it is cannot be said, only what it has done.
    pub(crate) fn of_search(console: &Console) -> Progress {
        Progress::new(console, "", "{spinner} {elapsed} {msg}")
    }

    /// For work that is cut into parts of this kind.
    pub(crate) fn of_parts(console: &Console, what: &str) -> Progress {
        let template =
            format!("{{spinner}} {{elapsed}} [{{bar:32}}] {{pos}} of {{len}} {what} {{msg}}");
        let progress = Progress::new(console, what, &template);
        // Parts can be long, and nothing is heard in between.
        progress.bar.enable_steady_tick(Duration::from_millis(100));
        progress
    }

    fn new(console: &Console, what: &str, template: &str) -> Progress {
        let bar = if console.shows_progress() {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style.progress_chars("=> "));
            }
            bar
        } else {
            ProgressBar::hidden()
        };
        let log = console.logs_progress().then(|| Mutex::new(Log::new(what)));
        Progress { bar, start: Instant::now(), log }
    }

    /// Changes what the log would say, and says it if it is time.
    fn note(&self, change: impl FnOnce(&mut Log)) {
        let Some(log) = &self.log else { return };
        let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut log);
        if let Some(line) = log.line(self.start.elapsed()) {
            // A closed standard error does not end the work.
            let _ = writeln!(io::stderr(), "zermelo: {line}");
        }
    }

    /// What the search reports.
    pub(crate) fn show(&self, info: &Info) {
        tracing::debug!(?info, "searching");
        let elapsed = self.start.elapsed();
        if (self.bar.is_hidden() && self.log.is_none()) || elapsed < QUICK {
            return;
        }
        let seconds = elapsed.as_secs_f64();
        let rate = (info.nodes as f64 / seconds) as u64;
        let depth = match info.depth {
            Some(depth) => format!("depth {depth}"),
            None => "to the end".to_owned(),
        };
        let (done, all) = info.root_moves;
        let best = info.best.as_deref().unwrap_or("-");
        self.say(&format!(
            "{depth}, {done} of {all} moves, best {best}, {} nodes, {} nodes/s",
            HumanCount(info.nodes),
            HumanCount(rate)
        ));
    }

    /// What to say of work that has no parts.
    pub(crate) fn say(&self, text: &str) {
        self.note(|log| text.clone_into(&mut log.remark));
        if !self.bar.is_hidden() && self.start.elapsed() >= QUICK {
            self.bar.set_message(escaped(text));
            self.bar.tick();
        }
    }

    /// Writes a line to standard output, above the one that changes. A reader that has seen enough does not
    /// end the work.
    pub(crate) fn line(&self, text: &str) {
        self.bar.suspend(|| drop(writeln!(io::stdout(), "{}", escaped(text))));
    }

    /// Parts done, and how many there are.
    pub(crate) fn parts(&self, done: usize, all: usize) {
        tracing::debug!(done, all, "counting");
        self.bar.set_length(all as u64);
        self.bar.set_position(done as u64);
        self.note(|log| (log.done, log.all) = (done, all));
    }

    /// The same, of parts that are alike, with how long the rest may take.
    pub(crate) fn like_parts(&self, done: usize, all: usize) {
        if let Some(left) = self.left(done, all - done) {
            self.remark(left);
        }
        self.parts(done, all);
    }

    /// How long parts that are left may take, if those that were done since the beginning are like them.
    pub(crate) fn left(&self, done: usize, left: usize) -> Option<String> {
        let elapsed = self.start.elapsed();
        let known = done > 0 && elapsed >= QUICK;
        let time = known.then(|| elapsed.mul_f64(left as f64 / done as f64))?;
        Some(format!("perhaps {} left", HumanDuration(time)))
    }

    /// What to say beside the parts.
    pub(crate) fn remark(&self, text: impl AsRef<str>) {
        let text = escaped(text.as_ref());
        self.note(|log| log.remark.clone_from(&text));
        self.bar.set_message(text);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A flag that Ctrl-C sets, and whatever else asks a program to end: SIGTERM, or a terminal that is closed. The second time it
/// ends the program at once.
pub(crate) fn stop_on_interrupt() -> Result<Stop> {
    const INTERRUPTED: i32 = 130;
    let stop = Stop::new();
    let (flag, pressed) = (stop.clone(), AtomicBool::new(false));
    ctrlc::set_handler(move || {
        if pressed.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
        flag.stop();
    })
    .context("signals cannot be watched for")?;
    tracing::debug!("signals are watched for");
    Ok(stop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_work_is_told_of_now_and_then() {
        let mut log = Log::new("pairs");
        (log.done, log.all) = (3, 50);
        let at = |log: &mut Log, seconds| log.line(Duration::from_secs(seconds));
        assert_eq!(at(&mut log, 9), None, "short work is not");
        assert_eq!(at(&mut log, 11).as_deref(), Some("11 s, 3 of 50 pairs"));
        log.remark = "+1 =1 -1".to_owned();
        assert_eq!(at(&mut log, 12), None, "not again at once");
        assert_eq!(at(&mut log, 41).as_deref(), Some("41 s, 3 of 50 pairs, +1 =1 -1"));
        let mut search = Log::new("");
        search.remark = "depth 9".to_owned();
        assert_eq!(at(&mut search, 10).as_deref(), Some("10 s, depth 9"));
    }

    #[test]
    fn only_terminals_have_bars_and_only_people_have_logs() {
        let progress =
            |json, quiet| Progress::of_parts(&Console { json, quiet, verbose: false }, "parts");
        for (json, quiet) in [(true, false), (false, true), (true, true)] {
            assert!(progress(json, quiet).log.is_none(), "{json} {quiet}");
        }
    }
}
