//! `cargo xtask test`: the steps in order, cheap ones first, all on the profile `ci`, so that code is
//! generated once.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::peers::{self, Missing};
use crate::{browser, cargo, tidy};

/// One step: its name, and the cargo call it is or the function that does it.
struct Step {
    name: &'static str,
    work: Work,
}

enum Work {
    Cargo { arguments: &'static str, environment: &'static [(&'static str, &'static str)] },
    Tidy,
    Browser,
}

const fn call(name: &'static str, arguments: &'static str) -> Step {
    Step { name, work: Work::Cargo { arguments, environment: &[] } }
}

const STEPS: [Step; 7] = [
    call("format", "fmt --all --check"),
    Step { name: "tidy", work: Work::Tidy },
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

/// Runs all steps and stops at the first that fails. What is missing is named before anything is done.
pub(crate) fn run(root: &Path, missing: Missing) -> Result<()> {
    let mut took: Vec<(&str, Duration)> = Vec::new();
    let (nextest, peers) = (peers::ensure_nextest(missing), peers::ensure(missing));
    let python = nextest.and(peers)?;
    for (number, step) in STEPS.iter().enumerate() {
        println!("\n=== {} of {}: {}", number + 1, STEPS.len(), step.name);
        let start = Instant::now();
        let done = step.run(root, &python);
        took.push((step.name, start.elapsed()));
        println!("=== {}: {}", step.name, minutes(start.elapsed()));
        if let Err(error) = done {
            print_table(&took);
            bail!("failed at {}: {error:#}", step.name);
        }
    }
    print_table(&took);
    println!("\nAll steps passed.");
    Ok(())
}

impl Step {
    fn run(&self, root: &Path, python: &Path) -> Result<()> {
        let (arguments, environment) = match self.work {
            Work::Cargo { arguments, environment } => (arguments, environment),
            Work::Tidy => return tidy::run(root),
            Work::Browser => return browser::run(root),
        };
        let status = cargo()
            .args(arguments.split(' '))
            .envs(environment.iter().copied())
            .env(peers::PYTHON_FOLDER, python)
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

fn print_table(took: &[(&str, Duration)]) {
    let total = took.iter().map(|(_, time)| *time).sum();
    println!();
    for (name, time) in took.iter().chain([&("total", total)]) {
        println!("{name:<28} {:>10}", minutes(*time));
    }
}

fn minutes(time: Duration) -> String {
    format!("{:.2} min", time.as_secs_f64() / 60.0)
}
