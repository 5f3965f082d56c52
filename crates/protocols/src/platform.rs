//! Processes and signals, where the standard library has no words for them.
#![allow(unsafe_code)]

use std::process::{Child, Command};

/// Gives a program that is about to be started a group of its own, so that whatever it starts can
/// be ended with it, and an interrupt at the terminal is left to us.
#[cfg(unix)]
pub(crate) fn in_own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

/// Elsewhere there are no groups.
#[cfg(not(unix))]
pub(crate) fn in_own_group(_: &mut Command) {}

/// Ends a child that has not been waited for, and what it has started in its group.
#[cfg(unix)]
pub(crate) fn end_group(child: &mut Child) {
    if let Ok(group) = i32::try_from(child.id()) {
        // SAFETY: `kill` takes two numbers and touches no memory. The group was made for the child
        // and bears its number, which no other process or group gets before the child was waited
        // for; the caller has not done that.
        unsafe { kill(-group, SIGKILL) };
    }
    let _ = child.kill();
}

/// Elsewhere children of an engine are left alone.
#[cfg(not(unix))]
pub(crate) fn end_group(child: &mut Child) {
    let _ = child.kill();
}

/// Whether a child has ended. It is not waited for, so its number stays its own.
#[cfg(any(target_os = "linux", target_os = "macos"))]
pub(crate) fn has_ended(child: &Child) -> bool {
    const BY_NUMBER: u32 = 1;
    let mut info = SignalInfo([0; 16]);
    // SAFETY: the structure is large enough for what the system writes into it, and outlives the
    // call.
    let answer =
        unsafe { waitid(BY_NUMBER, child.id(), &raw mut info, WEXITED | WNOWAIT | WNOHANG) };
    // Its first number is that of a signal, and zero as long as the child runs.
    answer == 0 && info.0[0] != 0
}

/// Elsewhere that is known only once it was waited for.
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(crate) fn has_ended(_: &Child) -> bool {
    false
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
const WNOHANG: i32 = 1;
#[cfg(any(target_os = "linux", target_os = "macos"))]
const WEXITED: i32 = 4;
#[cfg(target_os = "linux")]
const WNOWAIT: i32 = 0x0100_0000;
#[cfg(target_os = "macos")]
const WNOWAIT: i32 = 0x20;
#[cfg(unix)]
const SIGKILL: i32 = 9;

/// What the system tells of a signal: 128 bytes on Linux, fewer on macOS.
#[cfg(any(target_os = "linux", target_os = "macos"))]
#[repr(C)]
struct SignalInfo([u64; 16]);

#[cfg(unix)]
unsafe extern "C" {
    fn kill(process: i32, signal: i32) -> i32;
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    fn waitid(kind: u32, number: u32, info: *mut SignalInfo, options: i32) -> i32;
}

/// What a keeper needs, see [`keeper`](crate::keeper).
#[cfg(target_os = "linux")]
pub(crate) mod keeping {
    use std::fs::File;
    use std::os::fd::AsRawFd;

    use super::{SIGKILL, SignalInfo, WEXITED, WNOHANG, WNOWAIT, kill, waitid};

    unsafe extern "C" {
        fn dup2(from: i32, to: i32) -> i32;
        fn prctl(option: i32, ...) -> i32;
        fn signal(number: i32, handler: extern "C" fn(i32)) -> usize;
        fn waitpid(process: i32, status: *mut i32, options: i32) -> i32;
    }

    /// From now on this process is the parent of every descendant that has lost its own, whatever
    /// group or session it is in (`prctl(2)`, PR_SET_CHILD_SUBREAPER, since Linux 3.4).
    pub(crate) fn adopt_orphans() {
        const PR_SET_CHILD_SUBREAPER: i32 = 36;
        let [yes, none] = [1u64, 0];
        // SAFETY: five numbers, as this option takes; no memory is touched.
        unsafe { prctl(PR_SET_CHILD_SUBREAPER, yes, none, none, none) };
    }

    /// Signals that end a program do nothing to this one. They are caught and not ignored: programs
    /// started from here begin with the usual meaning of a caught signal.
    pub(crate) fn outlive_signals() {
        const SIGHUP: i32 = 1;
        const SIGINT: i32 = 2;
        const SIGQUIT: i32 = 3;
        const SIGTERM: i32 = 15;
        extern "C" fn nothing(_: i32) {}
        for number in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
            // SAFETY: the handler does nothing, so it may run at any time.
            unsafe { signal(number, nothing) };
        }
    }

    /// Lets go of a standard stream: it reads nothing and says nothing from now on.
    pub(crate) fn let_go(stream: i32) {
        let Ok(nothing) = File::options().read(true).write(true).open("/dev/null") else { return };
        // SAFETY: two numbers of open files. Nobody here owns a standard stream, so no owner finds
        // it closed.
        unsafe { dup2(nothing.as_raw_fd(), stream) };
    }

    /// Waits until a child has ended, without taking note of it. Whether there is any child.
    pub(crate) fn wait_for_an_end() -> bool {
        const ANY: u32 = 0;
        let mut info = SignalInfo([0; 16]);
        loop {
            // SAFETY: the structure is as large as the system's, and outlives the call.
            let answer = unsafe { waitid(ANY, 0, &raw mut info, WEXITED | WNOWAIT) };
            if answer == 0 {
                return true;
            }
            if std::io::Error::last_os_error().kind() != std::io::ErrorKind::Interrupted {
                return false;
            }
        }
    }

    /// Takes note of a child that has ended: its number, which may be given to another process now,
    /// and its status.
    pub(crate) fn reap() -> Option<(u32, i32)> {
        let mut status = 0;
        // SAFETY: the number outlives the call.
        let child = unsafe { waitpid(-1, &raw mut status, WNOHANG) };
        u32::try_from(child).ok().filter(|&child| child > 0).map(|child| (child, status))
    }

    /// Ends a child that was not [reaped](reap).
    pub(crate) fn end_child(child: u32) {
        if let Ok(child) = i32::try_from(child) {
            // SAFETY: two numbers; the first is that of our own child, which keeps it until it is
            // reaped.
            unsafe { kill(child, SIGKILL) };
        }
    }
}
