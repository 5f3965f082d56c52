//! `cargo xtask …`: everything that is done to this workspace, so that a person and a continuous
//! integration run do the same.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod audit;
mod browser;
mod golden;
mod newcomer;
mod page;
mod peers;
mod suite;
mod tidy;
mod traces;
mod volunteer;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use peers::Missing;
use suite::Length;

const USAGE: &str = "\
usage: cargo xtask test     format, tidy, clippy, docs, tests: what must pass before a change goes in;
                            what they need and is missing is named and then installed,
                            with --no-install only named;
                            with --long also the ignored tests, and known vulnerabilities fail it
       cargo xtask tidy     crate edges, licences, where unsafe may stand, long files
       cargo xtask page     format, lint and unit tests of the page; --write formats it
       cargo xtask browser  the page in a real browser
       cargo xtask golden   whether the release build does what it did, in as many instructions
                            (needs valgrind); --write renews what it is compared with,
                            --program FILE takes a release build that is there
       cargo xtask traces   whether units of work come to the same on x86-64, x86-64-v3 and linked
                            statically, with --debug also without optimisation;
                            --renew writes the versions of the solver into the families
       cargo xtask volunteer [N]
                            the program of BOINC clients, linked statically, for x86-64 and
                            x86-64-v3, as version N (100 times major and minor); both compared
       cargo xtask newcomer docs/extending.md followed word for word in a copy of the workspace";

/// What is missing is only named.
const NO_INSTALL: &str = "--no-install";
/// The ignored tests, too.
const LONG: &str = "--long";

fn main() -> ExitCode {
    let words: Vec<String> =
        std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["test"] => suite::run(&root(), Missing::Install, Length::Short),
        ["test", NO_INSTALL] => suite::run(&root(), Missing::Name, Length::Short),
        ["test", LONG] => suite::run(&root(), Missing::Install, Length::Long),
        ["test", LONG, NO_INSTALL] | ["test", NO_INSTALL, LONG] => {
            suite::run(&root(), Missing::Name, Length::Long)
        }
        ["tidy"] => tidy::run(&root()),
        ["page"] => page::run(&root(), page::Format::Check),
        ["page", "--write"] => page::run(&root(), page::Format::Write),
        ["browser"] => in_browser(Missing::Install),
        ["browser", NO_INSTALL] => in_browser(Missing::Name),
        ["newcomer"] => newcomer::run(&root()),
        ["golden", rest @ ..] => match golden::Options::read(rest) {
            Ok(options) => golden::run(&root(), &options),
            Err(word) => return misused(&format!("{word:?} is not understood")),
        },
        ["traces", rest @ ..] => match traces::Task::read(rest) {
            Ok(task) => traces::run(&root(), task),
            Err(word) => return misused(&format!("{word:?} is not understood")),
        },
        ["volunteer"] => volunteer::run(&root(), None),
        ["volunteer", number] => match number.parse() {
            Ok(number) => volunteer::run(&root(), Some(number)),
            Err(_) => return misused(&format!("{number:?} is no number of a version")),
        },
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        [] => return misused("a word is missing"),
        [first, ..] => {
            return misused(&format!("{:?} is not understood", wrong_word(first, &words)));
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn in_browser(missing: Missing) -> anyhow::Result<()> {
    peers::ensure(missing).and_then(|_| browser::run(&root(), Length::Short))
}

/// The word that does not belong: the first, or what follows right ones.
fn wrong_word<'w>(first: &'w str, words: &[&'w str]) -> &'w str {
    match (first, words) {
        ("test", [_, LONG | NO_INSTALL, third, ..]) => third,
        ("test" | "tidy" | "page" | "browser" | "newcomer", [_, second, ..]) => second,
        _ => first,
    }
}

fn misused(why: &str) -> ExitCode {
    eprintln!("xtask: {why}\n{USAGE}");
    ExitCode::from(2)
}

/// The folder of the workspace. `cargo run` says where it is now; it may have moved since this was
/// built.
fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR");
    let here = here.map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.parent().map_or_else(|| here.clone(), Path::to_path_buf)
}

/// The cargo that runs this, so that its toolchain is used throughout.
fn cargo() -> std::process::Command {
    std::process::Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}
