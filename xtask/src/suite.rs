//! `cargo xtask test`: the steps in order, cheap ones first, all on the profile `ci`, so that code is
//! generated once.

use std::fmt;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::peers::{self, Ensured, Missing};
use crate::{audit, browser, cargo, newcomer, page, tidy, traces, volunteer};

/// How much is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Length {
    /// What must pass before a change goes in.
    Short,
    /// That, and the ignored tests; a vulnerability that became known fails it.
    Long,
}

/// One step: its name, and the cargo call it is or the function that does it.
struct Step {
    name: &'static str,
    work: Work,
}

enum Work {
    Cargo { arguments: &'static str, environment: &'static [(&'static str, &'static str)] },
    Tidy,
    Dependencies,
    Page,
    Browser,
    Newcomer,
    Traces,
    Volunteer,
}

const fn call(name: &'static str, arguments: &'static str) -> Step {
    Step { name, work: Work::Cargo { arguments, environment: &[] } }
}

const STEPS: [Step; 9] = [
    call("format", "fmt --all --check"),
    Step { name: "tidy", work: Work::Tidy },
    Step { name: "dependencies", work: Work::Dependencies },
    Step { name: "page", work: Work::Page },
    call("clippy", "clippy --workspace --all-targets --all-features --profile ci -- -D warnings"),
    Step {
        name: "docs",
        work: Work::Cargo {
            arguments: "doc --workspace --no-deps --all-features --profile ci",
            environment: &[("RUSTDOCFLAGS", "-D warnings")],
        },
    },
    call(
        "unit and integration tests",
        "nextest run --workspace --all-features --cargo-profile ci --profile ci",
    ),
    call("doc tests", "test --doc --workspace --all-features --profile ci"),
    Step { name: "browser", work: Work::Browser },
];

/// What `--long` adds: tests marked `#[ignore]`, each with the time it takes as its reason, and the
/// guide for newcomers followed word for word, and units of work compared between builds, those of
/// the volunteers' program among them.
const LONG_STEPS: [Step; 4] = [
    call(
        "ignored tests",
        "nextest run --workspace --all-features --cargo-profile ci --profile long --run-ignored only",
    ),
    Step { name: "newcomer", work: Work::Newcomer },
    Step { name: "traces", work: Work::Traces },
    Step { name: "volunteer", work: Work::Volunteer },
];

/// What takes a nightly compiler, and as long as one likes.
const BY_HAND: &str =
    "Not run: the fuzzers (fuzz/README.md) and Miri, which take a nightly compiler.";

/// Runs all steps and stops at the first that fails. What is missing is named before anything is done.
pub(crate) fn run(root: &Path, missing: Missing, length: Length) -> Result<()> {
    let mut took: Vec<(&str, Spent)> = Vec::new();
    let (nextest, peers) = (peers::ensure_nextest(missing), peers::ensure(missing));
    let peers = nextest.and(peers)?;
    let mut steps: Vec<&Step> = STEPS.iter().collect();
    if length == Length::Long {
        audit::ensure(missing)?;
        steps.extend(&LONG_STEPS);
    }
    for (number, step) in steps.iter().enumerate() {
        println!("\n=== {} of {}: {}", number + 1, steps.len(), step.name);
        let (start, before) = (Instant::now(), processor_time());
        let done = step.run(root, &peers, length);
        let processor =
            before.zip(processor_time()).map(|(before, after)| after.saturating_sub(before));
        let spent = Spent { wall: start.elapsed(), processor };
        took.push((step.name, spent));
        println!("=== {}: {spent}", step.name);
        if let Err(error) = done {
            print_table(&took);
            bail!("failed at {}: {error:#}", step.name);
        }
    }
    print_table(&took);
    println!("\nAll steps passed.");
    peers.announce_untested();
    if length == Length::Long {
        println!("{BY_HAND}");
    }
    Ok(())
}

impl Step {
    fn run(&self, root: &Path, peers: &Ensured, length: Length) -> Result<()> {
        let (arguments, environment) = match self.work {
            Work::Cargo { arguments, environment } => (arguments, environment),
            Work::Tidy => return tidy::run(root),
            Work::Dependencies => return audit::dependencies(root, length),
            Work::Page => return page::run(root, page::Format::Check),
            Work::Browser => return browser::run(root, length),
            Work::Newcomer => return newcomer::run(root),
            Work::Traces => return traces::run(root, traces::Task::CompareDebug),
            Work::Volunteer => return volunteer::run(root, None),
        };
        let status = cargo()
            .args(arguments.split(' '))
            .envs(environment.iter().copied())
            .envs(peers.environment())
            .env(browser::PAGE, "require")
            .current_dir(root)
            .status()
            .with_context(|| format!("cargo {arguments} did not start"))?;
        if !status.success() {
            bail!("`cargo {arguments}` ended with {status}");
        }
        Ok(())
    }
}

/// The time of a step.
#[derive(Clone, Copy, Debug)]
struct Spent {
    wall: Duration,
    /// Of all processors together, where the system tells.
    processor: Option<Duration>,
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let minutes = |time: Duration| time.as_secs_f64() / 60.0;
        write!(f, "{:>6.2} min", minutes(self.wall))?;
        match self.processor {
            Some(time) => write!(f, ", {:>6.2} of processor time", minutes(time)),
            None => Ok(()),
        }
    }
}

fn print_table(took: &[(&str, Spent)]) {
    let total = Spent {
        wall: took.iter().map(|(_, spent)| spent.wall).sum(),
        processor: took.iter().map(|(_, spent)| spent.processor).sum(),
    };
    println!();
    for (name, spent) in took.iter().chain([&("total", total)]) {
        println!("{name:<28} {spent}");
    }
}

/// What programs that were started here and have ended used, with all that they started.
fn processor_time() -> Option<Duration> {
    children_of(&fs::read_to_string("/proc/self/stat").ok()?)
}

/// The fields `cutime` and `cstime` of Linux's `stat` of a process, in hundredths of a second.
fn children_of(stat: &str) -> Option<Duration> {
    // The name, in brackets, may hold anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = |field: usize| fields.split_whitespace().nth(field - 3)?.parse::<u64>().ok();
    Some(Duration::from_millis(10 * (ticks(16)? + ticks(17)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_read() {
        let stat = "7 (a ) b) S 1 7 7 0 -1 4194304 1 2 3 4 11 22 150 25 20 0 1 0 99";
        assert_eq!(children_of(stat), Some(Duration::from_millis(1750)));
        assert_eq!(children_of("7 (a"), None);
        assert_eq!(children_of("7 (a) S 1"), None);
    }

    #[test]
    fn a_sum_without_processor_time_has_none() {
        let minute = Duration::from_secs(60);
        let spent = Spent { wall: minute, processor: None };
        assert_eq!(spent.to_string(), "  1.00 min");
        let spent = Spent { processor: Some(2 * minute), ..spent };
        assert_eq!(spent.to_string(), "  1.00 min,   2.00 of processor time");
    }
}
