//! Nothing of an engine is left, however a match ends.
#![cfg(target_os = "linux")]

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use crate::support::command;

/// An engine that, when it is to move, starts a program in its group, one in a session of its own
/// and one whose parent is gone; and then does something. All of them have the mark among their
/// words.
fn engine(mark: &str, then: &str) -> String {
    let script = format!(
        "while read -r line; do case $line in uci) echo uciok;; isready) echo readyok;; \
         go*) sleep {mark} & setsid sleep {mark} & setsid sh -c 'sleep {mark} & sleep {mark}' & \
         {then};; quit) exit;; esac; done"
    );
    format!("uci:/bin/sh -c \"{script}\" limit.time=0.1")
}

/// A number of seconds that no other program sleeps.
fn mark(number: u32) -> String {
    format!("9{number}{}", 10_000_000 + std::process::id())
}

/// How many processes have the mark as a word of their own.
fn marked(mark: &str) -> usize {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter_map(|process| fs::read(process.path().join("cmdline")).ok())
        .filter(|line| String::from_utf8_lossy(line).split('\0').any(|word| word == mark))
        .count()
}

/// Waits for something that the system takes a moment to do.
fn eventually(what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..1200 {
        if is_so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(25));
    }
    panic!("{what}");
}

fn start(engine: &str) -> Child {
    let mut command = command();
    command.args(["match", "chess", engine, "random", "--games", "2"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
}

fn nothing_is_left_after(number: u32, end: impl Fn(&mut Child)) {
    let mark = mark(number);
    let mut child = start(&engine(&mark, "sleep 600"));
    eventually("the engine starts what it should", || marked(&mark) >= 4);
    end(&mut child);
    child.wait().unwrap();
    eventually("programs are left", || marked(&mark) == 0);
}

#[test]
fn nothing_is_left_after_signals() {
    for (number, signal) in (1..).zip(["-TERM", "-HUP", "-KILL"]) {
        nothing_is_left_after(number, |child| send(signal, child));
    }
}

#[test]
fn nothing_is_left_after_ctrl_c_twice() {
    nothing_is_left_after(11, |child| {
        while child.try_wait().unwrap().is_none() {
            send("-INT", child);
            std::thread::sleep(Duration::from_millis(50));
        }
    });
}

/// The match goes on; only this engine has ended, by itself or because it was too late.
#[test]
fn nothing_is_left_of_an_engine_that_failed() {
    for (number, then) in [(21, "exit 3"), (22, "kill -9 $$"), (23, "exec 1>&-; sleep 600")] {
        let mark = mark(number);
        let mut child = start(&engine(&mark, then));
        child.wait().unwrap();
        eventually(then, || marked(&mark) == 0);
    }
}
