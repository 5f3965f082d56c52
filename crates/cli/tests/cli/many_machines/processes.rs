//! [`Program`]: `zermelo` as a process of its own, its log, its processor time, and its end.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::postgres::Server;

/// Ended when it is dropped, also by a test that fails.
pub(crate) struct Program {
    child: Child,
    log: PathBuf,
}

/// The program that is tested; another one where a variable says so.
pub(crate) fn zermelo() -> Command {
    let program = std::env::var_os("ZERMELO_TEST_PROGRAM");
    Command::new(program.unwrap_or_else(|| env!("CARGO_BIN_EXE_zermelo").into()))
}

impl Program {
    /// Starts it; what it says about itself is added to `log`.
    pub(crate) fn start(mut command: Command, log: &Path) -> Program {
        let said = File::options().create(true).append(true).open(log).unwrap();
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(said);
        Program { child: command.spawn().unwrap(), log: log.to_owned() }
    }

    /// What it answers first, with `--json`; `None` if it ended before.
    pub(crate) fn first_answer(&mut self) -> Option<Value> {
        let mut line = String::new();
        BufReader::new(self.child.stdout.take()?).read_line(&mut line).ok()?;
        serde_json::from_str(&line).ok()
    }

    pub(crate) fn log(&self) -> String {
        fs::read_to_string(&self.log).unwrap()
    }

    /// Sends a signal: KILL, STOP, CONT or TERM.
    pub(crate) fn signal(&self, name: &str) {
        let (signal, process) = (format!("-{name}"), self.child.id().to_string());
        assert!(Command::new("kill").args([&*signal, &*process]).status().unwrap().success());
    }

    /// `kill -9`, and it is gone.
    pub(crate) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Seconds of processor time until now.
    pub(crate) fn processor_seconds(&self) -> f64 {
        processor_ticks(self.child.id()).map_or(0.0, |[own, _]| own as f64 / 100.0)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Hundredths of a second of a process, and of its children that have ended.
fn processor_ticks(process: u32) -> Option<[u64; 2]> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, in brackets, may hold anything.
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = |field: usize| fields.split_whitespace().nth(field - 3)?.parse::<u64>().ok();
    Some([ticks(14)? + ticks(15)?, ticks(16)? + ticks(17)?])
}

/// Seconds of processor time of a PostgreSQL with all its processes.
pub(crate) fn processor_seconds_of(server: &Server) -> f64 {
    let Some(main) = server.process() else { return 0.0 };
    let listed = Command::new("pgrep").args(["-P", &main.to_string()]).output().unwrap().stdout;
    let children = String::from_utf8(listed).unwrap();
    let children = children.lines().filter_map(|line| line.parse().ok());
    let living: u64 = children.filter_map(processor_ticks).map(|[own, _]| own).sum();
    let [own, ended] = processor_ticks(main).unwrap_or_default();
    (living + own + ended) as f64 / 100.0
}

/// Seconds of processor time of programs that were started here and have ended.
pub(crate) fn ended_children_seconds() -> f64 {
    processor_ticks(std::process::id()).map_or(0.0, |[_, ended]| ended as f64 / 100.0)
}

/// Runs it with `--json` to its end, and gives its one answer.
pub(crate) fn answer(arguments: &[&str]) -> Value {
    let output = zermelo().args(arguments).arg("--json").output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {told}");
    serde_json::from_slice(&output.stdout).unwrap()
}
