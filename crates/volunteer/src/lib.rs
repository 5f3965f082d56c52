//! The program that the BOINC client runs: it works at one unit and leaves a report.
//!
//! The client starts it in a folder of its own, the *slot*, with the unit as a file, talks to it by
//! eight small channels in shared memory, and takes the report away when it has ended. Nothing of
//! that decides what is found out: the client says when work goes on, pauses and ends, the unit says
//! what comes of it. Without a client it does the same with plain files.
//!
//! Two threads: one works, the other one listens. There is no libboinc in here; what is followed is
//! the contract between client and application that BOINC's documentation describes.

mod channels;
mod init_data;
mod platform;
mod run;
mod slot;
mod task;

pub use channels::{CHANNEL_BYTES, CHANNELS};
pub use run::{Ended, RunOptions, run};
pub use slot::SlotError;
