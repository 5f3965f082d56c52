//! [`run`]: the life of the program, from its start by the client to its end.

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::thread;
use std::time::{Duration, Instant};

use search::STACK_BYTES;
use solve::message::{Unit, encode_lemmas};
use solve::{Attempted, CheckpointFile};

use crate::channels::{Channels, Status};
use crate::platform;
use crate::slot::{Slot, SlotError};
use crate::task::Task;

/// How patient the program is. Nothing in here decides what comes of a unit.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// After so long without a sign of the client the program ends.
    pub patience: Duration,
    /// How often the server hears how the work stands.
    pub trickle: Duration,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions { patience: Duration::from_secs(30), trickle: Duration::from_secs(6 * 3600) }
    }
}

/// How the program ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// There is a report.
    Done,
    /// The client wants to have the processor back, or is gone: work goes on another time.
    Quit,
    /// The client wants no more of this unit.
    Aborted,
    /// The server wants no more of it.
    Withdrawn,
    /// There was no room for the report, or somebody else works here: another time.
    PutOff,
}

impl Ended {
    /// What the client is told; numbers that have a meaning for it have its numbers.
    #[must_use]
    pub fn exit_code(self) -> u8 {
        match self {
            Ended::Done | Ended::Quit | Ended::PutOff => 0,
            Ended::Aborted => 194,
            Ended::Withdrawn => 203,
        }
    }
}

/// How often the channels are looked at.
const TICK: Duration = Duration::from_millis(100);
/// How often the client hears how the work stands, and is looked for.
const TELLING: Duration = Duration::from_secs(1);
/// So long the client may take to hear the last status.
const LAST_WORD: Duration = Duration::from_millis(2500);
/// So long an earlier start may take to end, once it knows that the client is gone.
const AN_END: Duration = Duration::from_secs(5);
/// After so many seconds a program that could not write is started again.
const ROOM_SECONDS: u32 = 300;
const BUSY_SECONDS: u32 = 60;

/// Works at the unit of a slot until it is done or the client says otherwise. `note` hears what the
/// volunteer may want to read.
///
/// # Errors
/// If there is no unit, or the system denies what is needed. A unit that cannot be worked at has a
/// report that says so.
pub fn run(folder: &Path, options: &RunOptions, note: fn(&str)) -> Result<Ended, SlotError> {
    let slot = Slot::new(folder);
    let _lock = match slot.lock(options.patience + AN_END) {
        Ok(lock) => lock,
        Err(error) => {
            note(&error.to_string());
            slot.put_off(BUSY_SECONDS, &error.to_string());
            return Ok(Ended::PutOff);
        }
    };
    let given = slot.init_data();
    let channels = given.as_ref().and_then(|_| Channels::open(folder));
    let init = given.unwrap_or_default();
    let (path, bytes) = slot.unit()?;
    let unit = Unit::decode(&bytes).map_err(|error| SlotError::WrongUnit(path, error))?;
    let checkpoint = slot.checkpoint();
    let client = if channels.is_some() { "a client" } else { "no client" };
    let begins = if checkpoint.is_some() { "goes on" } else { "begins" };
    note(&format!("unit {} of {} {begins}, {client}", unit.id, unit.game));
    let file = CheckpointFile::new(slot.checkpoint_file(), init.checkpoints);
    let task = Arc::new(Task::new(unit, init.attempt(), init.processor, file));
    let done = start(&task, checkpoint, note)?;
    let life = Life { slot, channels, task, options: *options, client: init.client, note };
    life.watch(&done)
}

/// Starts the thread of the unit.
fn start(
    task: &Arc<Task>,
    checkpoint: Option<Vec<u8>>,
    note: fn(&str),
) -> Result<Receiver<Attempted>, SlotError> {
    let (tell, done) = channel();
    let task = Arc::clone(task);
    let work = move || {
        if let Some(attempted) = task.work(checkpoint.as_deref(), &note) {
            let _ = tell.send(attempted);
        }
    };
    let builder = thread::Builder::new().stack_size(STACK_BYTES);
    builder.spawn(work).map_err(SlotError::Thread)?;
    Ok(done)
}

/// What the listening thread has.
struct Life {
    slot: Slot,
    channels: Option<Channels>,
    task: Arc<Task>,
    options: RunOptions,
    client: u32,
    note: fn(&str),
}

impl Life {
    fn watch(&self, done: &Receiver<Attempted>) -> Result<Ended, SlotError> {
        let now = Instant::now();
        let (mut heard, mut told, mut trickled) = (now, now, now);
        loop {
            match done.recv_timeout(TICK) {
                Ok(attempted) => return self.hand_in(&attempted),
                Err(_) if done.try_recv() == Err(TryRecvError::Disconnected) => {
                    return Err(SlotError::Broken);
                }
                Err(_) => {}
            }
            let Some(channels) = &self.channels else { continue };
            if let Some(ended) = self.listen(channels, &mut heard) {
                return Ok(ended);
            }
            if told.elapsed() >= TELLING {
                told = Instant::now();
                channels.tell(&self.status(self.task.fraction()));
                if self.client != 0 && !platform::is_alive(self.client) {
                    return Ok(self.leave("the client is gone"));
                }
            }
            if trickled.elapsed() >= self.options.trickle {
                trickled = Instant::now();
                self.trickle(channels);
            }
        }
    }

    /// Does what the client says.
    fn listen(&self, channels: &Channels, heard: &mut Instant) -> Option<Ended> {
        if channels.heartbeat() {
            *heard = Instant::now();
        }
        if heard.elapsed() >= self.options.patience {
            return Some(self.leave("there is no sign of the client"));
        }
        if channels.news() {
            let texts = self.slot.take_trickles();
            if texts.iter().any(|text| text.contains("<stop/>") || text.contains("<solved/>")) {
                (self.note)("the server wants no more of this unit");
                return Some(Ended::Withdrawn);
            }
        }
        let wishes = channels.wishes()?;
        *heard = Instant::now();
        if wishes.abort {
            (self.note)("the client wants no more of this unit");
            return Some(Ended::Aborted);
        }
        if wishes.quit {
            return Some(self.leave("the client wants the processor back"));
        }
        if wishes.suspend || wishes.resume {
            self.task.set_suspended(wishes.suspend && !wishes.resume);
            if self.task.is_suspended() {
                self.save();
            }
        }
        None
    }

    /// Ends, to go on another time.
    fn leave(&self, why: &str) -> Ended {
        self.save();
        (self.note)(&format!("{why}: work goes on another time"));
        Ended::Quit
    }

    fn save(&self) {
        if let Err(error) = self.task.save() {
            (self.note)(&error.to_string());
        }
    }

    fn status(&self, fraction: f64) -> Status {
        let Life { task, .. } = self;
        Status { processor: task.processor(), at_checkpoint: task.at_checkpoint(), fraction }
    }

    /// Tells the server how the work stands.
    fn trickle(&self, channels: &Channels) {
        let (nodes, fraction) = (self.task.nodes(), self.task.fraction());
        let unit = self.task.unit.id;
        let text = format!(
            "<unit>{unit}</unit>\n<nodes>{nodes}</nodes>\n<fraction>{fraction:.6}</fraction>\n"
        );
        match self.slot.write_trickle("progress", &text) {
            Ok(()) => {
                channels.announce_trickle();
            }
            Err(error) => (self.note)(&error.to_string()),
        }
    }

    /// Leaves the report where the client finds it.
    fn hand_in(&self, attempted: &Attempted) -> Result<Ended, SlotError> {
        let Attempted { report, lemmas, error } = attempted;
        if let Some(error) = error {
            (self.note)(error);
        }
        let written = match lemmas.is_empty() {
            true => Ok(()),
            false => self.slot.write_lemmas(&encode_lemmas(lemmas)),
        };
        let written = written.and_then(|()| self.slot.write_report(&report.encode()));
        if let Err(error) = written {
            (self.note)(&error.to_string());
            self.slot.put_off(ROOM_SECONDS, "there is no room for the report");
            return Ok(Ended::PutOff);
        }
        let (nodes, jobs) = (report.nodes, report.trace.len());
        (self.note)(&format!("done: {nodes} positions in {jobs} sub-jobs"));
        if let Some(channels) = &self.channels {
            let until = Instant::now() + LAST_WORD;
            let mut is_told = false;
            while Instant::now() < until && !(is_told && channels.is_heard()) {
                is_told = is_told || channels.tell(&self.status(1.0));
                thread::sleep(TICK);
            }
        }
        self.slot.finish()?;
        Ok(Ended::Done)
    }
}
