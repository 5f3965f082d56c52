//! The keeper: a process that stands between this program and a foreign one.
//!
//! ```text
//!   this program ──lifeline──▶ keeper ──▶ foreign program ──▶ whatever it starts
//! ```
//!
//! The keeper is this program once more, started with [`WORD`]. It adopts whatever the foreign
//! program leaves behind, also what has left its group and session, and ends all of it as soon as
//! the foreign program ends or the lifeline closes. The system closes that when this program ends,
//! in whatever way: by itself, by a signal, killed or crashed. On the lifeline the keeper says one
//! line when the foreign program was started, or why not, and one when nothing is left of it.
//!
//! What is left out: systems other than Linux have no way to adopt orphans. There a program's group
//! is ended with it, and nothing is when this program is killed.

use std::ffi::OsString;
use std::fs;
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use crate::kept::Spare;
use crate::platform::{in_own_group, keeping};

/// The first argument of a keeper. Next come the stream that is the lifeline and the program's own
/// words.
pub(crate) const WORD: &str = "keep-a-program";

/// Keeps a program until nothing is left of it.
pub(crate) fn keep(mut words: impl Iterator<Item = OsString>) -> io::Result<()> {
    keeping::outlive_signals();
    keeping::adopt_orphans();
    // How it is listed; a name that cannot be set is no harm.
    drop(fs::write("/proc/self/comm", "zermelo-keeper"));
    let spare = words.next().and_then(|word| Spare::named(word.to_str()?));
    let (Some(spare), Some(program)) = (spare, words.next()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let mut lifeline = match spare {
        Spare::Input => UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?),
        Spare::Errors => UnixStream::from(io::stderr().as_fd().try_clone_to_owned()?),
    };
    let mut command = Command::new(program);
    command.args(words);
    match spare {
        Spare::Input => command.stdin(Stdio::null()),
        Spare::Errors => command.stderr(Stdio::null()),
    };
    in_own_group(&mut command);
    let child = match command.spawn() {
        Ok(child) => child.id(),
        Err(error) => return writeln!(lifeline, "failed {}", error.raw_os_error().unwrap_or(0)),
    };
    // Else nobody would hear that the program has closed them.
    (0..3).for_each(keeping::let_go);
    let told = writeln!(lifeline, "started {child}");
    let ending = Arc::new(Mutex::new(()));
    let watched = lifeline.try_clone()?;
    let watch = {
        let ending = Arc::clone(&ending);
        move || {
            wait_for_the_end_of(watched);
            let _reaps_nothing = ending.lock().unwrap_or_else(PoisonError::into_inner);
            end_children();
        }
    };
    match told {
        Ok(()) => drop(std::thread::spawn(watch)),
        // Whoever wanted it is gone already.
        Err(_) => watch(),
    }
    let status = see_to_the_end(child, &ending);
    writeln!(lifeline, "ended {status}")
}

fn wait_for_the_end_of(mut lifeline: UnixStream) {
    let mut byte = [0];
    loop {
        match lifeline.read(&mut byte) {
            Ok(1..) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => return,
        }
    }
}

/// Waits until the program has ended, and all the others with it; the program's status.
///
/// A number is a child's own until the child is reaped, which happens only here and with the lock
/// held; so whoever holds it ends children and nobody else.
fn see_to_the_end(program: u32, ending: &Mutex<()>) -> i32 {
    let mut ended = None;
    while keeping::wait_for_an_end() {
        let _alone = ending.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some((child, status)) = keeping::reap() {
            if child == program {
                ended = Some(status);
            }
        }
        // Children of those that end become ours, and it is their turn next time.
        if ended.is_some() {
            end_children();
        }
    }
    ended.unwrap_or(0)
}

/// Ends everything that is a child of this process now.
fn end_children() {
    let Ok(processes) = fs::read_dir("/proc") else { return };
    let numbers = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    for number in numbers.filter(|&number| parent_of(number) == Some(std::process::id())) {
        keeping::end_child(number);
    }
}

/// The parent of a process: the second number in a line that begins like `17 (any name) S 4`.
fn parent_of(process: u32) -> Option<u32> {
    let line = fs::read(format!("/proc/{process}/stat")).ok()?;
    let after_name = line.iter().rposition(|&byte| byte == b')')?;
    str::from_utf8(&line[after_name + 1..]).ok()?.split_ascii_whitespace().nth(1)?.parse().ok()
}
