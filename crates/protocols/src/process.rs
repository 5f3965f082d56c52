//! [`Process`]: a foreign program that speaks in lines, and may do anything else.
//!
//! It may be silent, slow, die, talk without end or in lines of a gigabyte, refuse to listen or to leave: none of that blocks
//! whoever drives it for longer than it is willing to wait, or takes more memory than a few lines.

use std::io::{BufReader, Write};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::fault::Fault;
use crate::kept::{Kept, Spare};
use crate::lines::next_line;

/// Lines that wait to be read. A program that says more waits itself.
const WAITING_LINES: usize = 1024;
/// Lines that wait to be sent to a program that does not listen.
const UNSENT_LINES: usize = 1024;
/// What a program may say before it answers.
const MOST_BYTES: usize = 64 << 20;
/// What a line may be; anything longer says nothing that a protocol knows.
const LONG_LINE: usize = 1 << 16;
/// How long a program that was told goodbye may take to go.
const FAREWELL: Duration = Duration::from_millis(500);

/// What to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// A path, or a name that is looked for on the search path.
    pub program: String,
    /// Handed over as they are: no shell sees them.
    pub arguments: Vec<String>,
    /// Where it runs, if not here.
    pub folder: Option<PathBuf>,
}

/// A program that runs. It ends, with everything it has started, when this is dropped.
#[derive(Debug)]
pub struct Process {
    child: Kept,
    to_child: Option<SyncSender<String>>,
    from_child: Receiver<String>,
    /// A longer line is no line.
    longest: usize,
    /// Bytes said since somebody last asked.
    said: Arc<AtomicUsize>,
}

impl Process {
    /// Starts a program.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(program: &Program) -> Result<Process, Fault> {
        Process::start_with(program, LONG_LINE)
    }

    /// Starts a program that may say lines of almost so many bytes.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start_with(program: &Program, longest: usize) -> Result<Process, Fault> {
        let cannot = |why: String| Fault::NotStarted { program: program.program.clone(), why };
        let started = Kept::start(&program.program, Spare::Errors, |command| {
            command.args(&program.arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
            if let Some(folder) = &program.folder {
                command.current_dir(folder);
            }
        });
        let mut child = started.map_err(|e| cannot(e.to_string()))?;
        let (Some(input), Some(output)) = (child.take_input(), child.take_output()) else {
            return Err(cannot("it has no input or output".to_owned()));
        };
        let (to_child, unsent) = sync_channel::<String>(UNSENT_LINES);
        thread::spawn(move || {
            let mut input = input;
            for line in unsent {
                if writeln!(input, "{line}").and_then(|()| input.flush()).is_err() {
                    return;
                }
            }
        });
        let said = Arc::new(AtomicUsize::new(0));
        let (heard, from_child) = sync_channel::<String>(WAITING_LINES);
        let counted = Arc::clone(&said);
        thread::spawn(move || {
            let mut output = BufReader::with_capacity(1 << 16, output);
            while let Ok(Some(line)) = next_line(&mut output, longest) {
                counted.fetch_add(line.bytes, Ordering::Relaxed);
                if heard.send(line.text).is_err() {
                    return;
                }
            }
        });
        Ok(Process { child, to_child: Some(to_child), from_child, longest, said })
    }

    /// Says a line, without waiting until it is heard.
    ///
    /// # Errors
    /// If the program has ended, or has not listened for long.
    pub fn send(&mut self, line: &str) -> Result<(), Fault> {
        let Some(to_child) = &self.to_child else { return Err(self.ended()) };
        match to_child.try_send(line.to_owned()) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => Err(Fault::DoesNotListen),
            Err(TrySendError::Disconnected(_)) => Err(self.ended()),
        }
    }

    /// The next line that the program says; `None` if it says nothing until then.
    ///
    /// # Errors
    /// If it has ended, or talks without end.
    pub fn receive(&mut self, until: Instant) -> Result<Option<String>, Fault> {
        if self.said.load(Ordering::Relaxed) > MOST_BYTES {
            return Err(Fault::TalksWithoutEnd);
        }
        match self.from_child.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(line) if line.len() >= self.longest => Err(Fault::TalksWithoutEnd),
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
        }
    }

    /// From now on its words are counted anew.
    pub fn count_anew(&mut self) {
        self.said.store(0, Ordering::Relaxed);
    }

    /// Hears what was said unasked.
    pub fn skip_waiting(&mut self) {
        for _ in 0..WAITING_LINES {
            if self.from_child.try_recv().is_err() {
                return;
            }
        }
    }

    /// Says goodbye, waits a moment, and ends the program if it is still there. Returns whether it went by itself.
    pub fn leave(mut self, goodbye: Option<&str>) -> bool {
        if let Some(goodbye) = goodbye {
            let _ = self.send(goodbye);
        }
        self.to_child = None;
        let deadline = Instant::now() + FAREWELL;
        while Instant::now() < deadline {
            match self.child.try_wait() {
                Ok(None) => self.skip_waiting(),
                Ok(Some(_)) => return true,
                Err(_) => return false,
            }
            thread::sleep(Duration::from_millis(5));
        }
        false
    }

    /// Its number, as the system counts processes.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    fn ended(&mut self) -> Fault {
        // Its last word may come a moment before its end.
        let deadline = Instant::now() + FAREWELL;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Fault::Ended(status.to_string()),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                _ => return Fault::Ended("it closed its output".to_owned()),
            }
        }
    }
}
