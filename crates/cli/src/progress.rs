//! Progress on a terminal, and Ctrl-C: both belong to work that takes a while.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use game::{Info, Stop, escaped};
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};

use crate::output::Console;

/// A search that is over by then needs no progress; it would only flicker.
const QUICK: Duration = Duration::from_millis(300);

/// A line on standard error while work is under way; nothing where nobody watches.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    start: Instant,
}

impl Progress {
    /// For a search: how far it is cannot be said, only what it has done.
    pub(crate) fn of_search(console: &Console) -> Progress {
        Progress::new(console, "{spinner} {elapsed} {msg}")
    }

    /// For work that is cut into parts of this kind.
    pub(crate) fn of_parts(console: &Console, what: &str) -> Progress {
        let template =
            format!("{{spinner}} {{elapsed}} [{{bar:32}}] {{pos}} of {{len}} {what} {{msg}}");
        let progress = Progress::new(console, &template);
        // Parts can be long, and nothing is heard in between.
        progress.bar.enable_steady_tick(Duration::from_millis(100));
        progress
    }

    fn new(console: &Console, template: &str) -> Progress {
        let bar = if console.shows_progress() {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style.progress_chars("=> "));
            }
            bar
        } else {
            ProgressBar::hidden()
        };
        Progress { bar, start: Instant::now() }
    }

    /// What the search reports.
    pub(crate) fn show(&self, info: &Info) {
        tracing::debug!(?info, "searching");
        let elapsed = self.start.elapsed();
        if self.bar.is_hidden() || elapsed < QUICK {
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
    }

    /// The same, of parts that are alike, with how long the rest may take.
    pub(crate) fn like_parts(&self, done: usize, all: usize) {
        self.parts(done, all);
        if done > 0 && self.start.elapsed() >= QUICK {
            let left = self.start.elapsed().mul_f64((all - done) as f64 / done as f64);
            self.remark(format!("perhaps {} left", HumanDuration(left)));
        }
    }

    /// What to say beside the parts.
    pub(crate) fn remark(&self, text: impl AsRef<str>) {
        self.bar.set_message(escaped(text.as_ref()));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A flag that Ctrl-C sets. Pressed again, it ends the program as usual.
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
    .context("Ctrl-C cannot be watched for")?;
    tracing::debug!("Ctrl-C is watched for");
    Ok(stop)
}
