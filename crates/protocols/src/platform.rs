//! Ending a program with everything it has started.
#![allow(unsafe_code)]

use std::process::{Child, Command};

/// Gives a program that is about to be started a group of its own, so that whatever it starts can be ended with it, and
/// an interrupt at the terminal is left to us.
#[cfg(unix)]
pub(crate) fn in_own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

/// Ends a program and its children.
#[cfg(unix)]
pub(crate) fn end_group(child: &mut Child) {
    unsafe extern "C" {
        fn kill(pid: i32, signal: i32) -> i32;
    }
    const SIGKILL: i32 = 9;
    if let Ok(group) = i32::try_from(child.id()) {
        // SAFETY: `kill` takes two numbers and touches no memory of ours. The group was made for the child and is named by
        // its number, which is not given to another process before the child has been waited for.
        unsafe { kill(-group, SIGKILL) };
    }
    let _ = child.kill();
}

/// Elsewhere there are no groups.
#[cfg(not(unix))]
pub(crate) fn in_own_group(_: &mut Command) {}

/// Elsewhere children of an engine are left alone.
#[cfg(not(unix))]
pub(crate) fn end_group(child: &mut Child) {
    let _ = child.kill();
}
