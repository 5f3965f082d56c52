//! The program itself: `zermelo-volunteer`, in the folder that it is started in.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use volunteer::{RunOptions, run};

const USAGE: &str = "\
zermelo-volunteer works at the unit in the file `unit` of the folder it is started in, and leaves
a report in `report`. The BOINC client starts it; it works without one, too.

  --trickle N   tell the server every N seconds how the work stands
  --patience N  end after N seconds without a sign of the client
  --solvers     list the versions of its solvers
  --version     say which program this is";

fn main() -> ExitCode {
    let mut options = RunOptions::default();
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let seconds = |given: Option<String>| given?.parse().ok().map(Duration::from_secs);
        match word.as_str() {
            "--trickle" => options.trickle = seconds(words.next()).unwrap_or(options.trickle),
            "--patience" => options.patience = seconds(words.next()).unwrap_or(options.patience),
            "--solvers" => return say(&solvers()),
            "--version" => return say(concat!("zermelo-volunteer ", env!("CARGO_PKG_VERSION"))),
            "--help" | "-h" => return say(USAGE),
            // The command line comes from the server, and may be for a newer program.
            other => note(&format!("{} is not understood", other.escape_debug())),
        }
    }
    match run(Path::new("."), &options, note) {
        Ok(ended) => ExitCode::from(ended.exit_code()),
        Err(error) => {
            note(&error.to_string());
            ExitCode::FAILURE
        }
    }
}

/// What the volunteer finds on the page of the result.
fn note(line: &str) {
    let _ = writeln!(std::io::stderr(), "zermelo: {line}");
}

fn say(text: &str) -> ExitCode {
    match writeln!(std::io::stdout(), "{text}") {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

fn solvers() -> String {
    let version = |name: &str| Some(format!("{name} {}", catalog::solver_version(name)?));
    let lines = catalog::families().filter_map(|family| version(family.name));
    lines.collect::<Vec<_>>().join("\n")
}
