//! [`Kept`]: a program that ends with us, and everything it has started with it.

use std::ffi::OsStr;
use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
#[cfg(target_os = "linux")]
use std::sync::atomic::{AtomicBool, Ordering};

use crate::platform;

/// Whether this program knows what a keeper has to do.
#[cfg(target_os = "linux")]
static CAN_KEEP: AtomicBool = AtomicBool::new(false);

/// Makes this program one that keeps what it starts; the first thing that `main` calls. On Linux it
/// may be started once more as the keeper of a program, and then this does not return.
///
/// Without this call the programs that are started here end when their [`Kept`] is dropped, as far
/// as they stay in their process group, and go on when this program is killed.
pub fn keep_programs() {
    #[cfg(target_os = "linux")]
    {
        let mut words = std::env::args_os().skip(1);
        if words.next().is_some_and(|word| word == crate::keeper::WORD) {
            let kept = crate::keeper::keep(words);
            std::process::exit(i32::from(kept.is_err()));
        }
        CAN_KEEP.store(true, Ordering::Relaxed);
    }
}

/// The standard stream that a program does not need: it finds nothing there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spare {
    /// Standard input.
    Input,
    /// Standard error.
    Errors,
}

impl Spare {
    #[cfg(target_os = "linux")]
    const ALL: [Spare; 2] = [Spare::Input, Spare::Errors];

    #[cfg(target_os = "linux")]
    fn name(self) -> &'static str {
        match self {
            Spare::Input => "input",
            Spare::Errors => "errors",
        }
    }

    /// By its name.
    #[cfg(target_os = "linux")]
    pub(crate) fn named(name: &str) -> Option<Spare> {
        Spare::ALL.into_iter().find(|spare| spare.name() == name)
    }

    fn set(self, command: &mut Command, stream: Stdio) {
        match self {
            Spare::Input => command.stdin(stream),
            Spare::Errors => command.stderr(stream),
        };
    }
}

/// A program that was started. It ends when this is dropped.
#[derive(Debug)]
pub struct Kept {
    /// The program, or its keeper.
    child: Child,
    #[cfg(target_os = "linux")]
    lifeline: Option<lifeline::Lifeline>,
    /// How it ended, once that is known. From then on its number may be another's.
    ended: Option<ExitStatus>,
}

impl Kept {
    /// Starts a program; `set_up` adds its arguments, folder, environment and the streams that it
    /// needs.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(
        program: impl AsRef<OsStr>,
        spare: Spare,
        set_up: impl FnOnce(&mut Command),
    ) -> io::Result<Kept> {
        #[cfg(target_os = "linux")]
        if CAN_KEEP.load(Ordering::Relaxed) && std::path::Path::new(lifeline::SELF).exists() {
            return Kept::with_keeper(program.as_ref(), spare, set_up);
        }
        let mut command = Command::new(program);
        set_up(&mut command);
        spare.set(&mut command, Stdio::null());
        platform::in_own_group(&mut command);
        Ok(Kept {
            child: command.spawn()?,
            #[cfg(target_os = "linux")]
            lifeline: None,
            ended: None,
        })
    }

    #[cfg(target_os = "linux")]
    fn with_keeper(
        program: &OsStr,
        spare: Spare,
        set_up: impl FnOnce(&mut Command),
    ) -> io::Result<Kept> {
        let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
        let mut command = Command::new(lifeline::SELF);
        // As it is listed.
        std::os::unix::process::CommandExt::arg0(&mut command, "zermelo-keeper");
        command.args([crate::keeper::WORD, spare.name()]).arg(program);
        set_up(&mut command);
        spare.set(&mut command, Stdio::from(std::os::fd::OwnedFd::from(theirs)));
        platform::in_own_group(&mut command);
        let mut child = command.spawn()?;
        // The command holds the keeper's end too: its end would not be heard.
        drop(command);
        match lifeline::Lifeline::begin(ours) {
            Ok(lifeline) => Ok(Kept { child, lifeline: Some(lifeline), ended: None }),
            Err(error) => {
                let _ = child.wait();
                Err(error)
            }
        }
    }

    /// The program's number, as the system counts processes.
    #[must_use]
    pub fn id(&self) -> u32 {
        #[cfg(target_os = "linux")]
        if let Some(lifeline) = &self.lifeline {
            return lifeline.program;
        }
        self.child.id()
    }

    /// Its standard input, once, if that was piped.
    pub fn take_input(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// Its standard output, once, if that was piped.
    pub fn take_output(&mut self) -> Option<ChildStdout> {
        self.child.stdout.take()
    }

    /// Its standard error, once, if that was piped.
    pub fn take_errors(&mut self) -> Option<ChildStderr> {
        self.child.stderr.take()
    }

    /// How it ended, if it has; then nothing that it had started is left.
    ///
    /// # Errors
    /// If the system does not tell.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.ended.is_none() {
            if !self.has_keeper() && platform::has_ended(&self.child) {
                platform::end_group(&mut self.child);
            }
            let status = self.child.try_wait()?;
            self.ended = status.map(|status| self.status_of_program(status));
        }
        Ok(self.ended)
    }

    /// Waits until it ends by itself.
    ///
    /// # Errors
    /// If the system does not tell.
    pub fn wait(&mut self) -> io::Result<ExitStatus> {
        if let Some(status) = self.ended {
            return Ok(status);
        }
        let status = self.child.wait()?;
        let status = self.status_of_program(status);
        self.ended = Some(status);
        Ok(status)
    }

    /// Ends it, unless it has ended.
    pub fn end(&mut self) {
        if self.ended.is_some() {
            return;
        }
        #[cfg(target_os = "linux")]
        if let Some(lifeline) = &mut self.lifeline {
            if lifeline.cut().is_none() {
                // A keeper that does not get rid of what it keeps is not waited for.
                let _ = self.child.kill();
            }
            let _ = self.wait();
            return;
        }
        platform::end_group(&mut self.child);
        let _ = self.wait();
    }

    fn has_keeper(&self) -> bool {
        #[cfg(target_os = "linux")]
        return self.lifeline.is_some();
        #[cfg(not(target_os = "linux"))]
        false
    }

    /// What the keeper says of the program, if there is a keeper and it says anything.
    fn status_of_program(&mut self, status: ExitStatus) -> ExitStatus {
        #[cfg(target_os = "linux")]
        if let Some(lifeline) = &mut self.lifeline {
            return lifeline.cut().unwrap_or(status);
        }
        status
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(target_os = "linux")]
mod lifeline {
    use std::io::{self, BufRead, BufReader};
    use std::net::Shutdown;
    use std::os::unix::net::UnixStream;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;
    use std::time::Duration;

    /// This program, also if its file was replaced meanwhile.
    pub(super) const SELF: &str = "/proc/self/exe";

    /// How long a keeper may take to end what it keeps.
    const FAREWELL: Duration = Duration::from_secs(5);

    /// Our end of the line to a keeper.
    #[derive(Debug)]
    pub(super) struct Lifeline {
        line: BufReader<UnixStream>,
        pub(super) program: u32,
        status: Option<ExitStatus>,
    }

    impl Lifeline {
        /// Hears whether the program was started.
        pub(super) fn begin(stream: UnixStream) -> io::Result<Lifeline> {
            let mut line = BufReader::new(stream);
            match heard(&mut line)? {
                ("started", program) => {
                    let program = program as u32;
                    Ok(Lifeline { line, program, status: None })
                }
                ("failed", error) => Err(io::Error::from_raw_os_error(error)),
                _ => Err(io::Error::other("its keeper could not be started")),
            }
        }

        /// Tells the keeper to end the program, and hears how it ended; `None` from a keeper that
        /// is gone or has not done so in time.
        pub(super) fn cut(&mut self) -> Option<ExitStatus> {
            if self.status.is_none() {
                // Of a keeper that is gone its last words are left.
                let _ = self.line.get_ref().shutdown(Shutdown::Write);
                self.line.get_ref().set_read_timeout(Some(FAREWELL)).ok()?;
                if let Ok(("ended", status)) = heard(&mut self.line) {
                    self.status = Some(ExitStatus::from_raw(status));
                }
            }
            self.status
        }
    }

    /// A word of the keeper's, and the number with it.
    fn heard(line: &mut BufReader<UnixStream>) -> io::Result<(&'static str, i32)> {
        let mut text = String::new();
        line.read_line(&mut text)?;
        let found = ["started", "failed", "ended"].into_iter().find_map(|word| {
            let number = text.strip_prefix(word)?.trim().parse().ok()?;
            Some((word, number))
        });
        Ok(found.unwrap_or(("", 0)))
    }
}
