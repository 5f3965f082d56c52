//! The BOINC door: volunteers come in with the BOINC client that they have.
//!
//! It is a second door to the same record, not a second system: a result is a lease, a report goes
//! through [`WorkDoor::deliver`](crate::WorkDoor::deliver), and who is believed and paid is decided
//! by the coordinator. What the client's protocol adds stands here: accounts and identities of
//! machines, programs and their signatures, files, and messages in XML.
//!
//! Whoever asks is believed in nothing. What is uploaded needs a certificate of ours for its very
//! name; names are looked up in the record and never become paths.

mod accounts;
mod door;
mod downloads;
mod keys;
mod program;
mod reply;
mod reports;
mod request;
mod scheduler;
mod statistics;
mod upload;
mod volunteer_api;
mod xml;

use std::time::Duration;

use serving::{Rate, Share};

pub use door::BoincDoor;
pub(crate) use keys::hexadecimal;
pub use keys::{BoincKey, BoincKeyError, BoincPublicKey, md5_text};
pub use request::{LARGEST_REQUEST, ReportedResult, SchedulerRequest, TrickleUp};
pub use scheduler::Scheduler;
pub use upload::{UploadHeader, UploadRequest};
pub use xml::{XmlElement, XmlError};

/// No file of lemmas has more bytes.
pub(crate) const LARGEST_LEMMA_FILE: u64 = 32 << 20;

/// How a BOINC project presents itself, and what its machines may have.
#[derive(Clone, Debug)]
pub struct BoincOptions {
    /// Where everybody finds it, with a slash at the end.
    pub url: String,
    /// What it is called.
    pub name: String,
    /// So many seconds after it was sent a result should be back.
    pub deadline: u64,
    /// So much longer the unit waits before somebody else gets it.
    pub grace: u64,
    /// So many seconds a client waits at least before it asks again.
    pub request_delay: u32,
    /// After so many seconds a client asks although it needs nothing; 0 for whenever it likes.
    pub next_contact: u32,
    /// Programs tell after so many seconds how far they are; 0 for as often as they usually do.
    pub trickle: u32,
    /// A machine gets new work no sooner than so many seconds after the last.
    pub min_interval: u64,
    /// Results in one reply.
    pub per_request: u32,
    /// Results that a machine may have.
    pub in_progress: u32,
    /// Results that a machine may have on one day, if it makes no errors.
    pub daily: u32,
    /// The oldest client that gets work.
    pub min_client: (u32, u32, u32),
    /// Nothing is taken in or handed out.
    pub maintenance: bool,
    /// Nobody new may open an account.
    pub closed: bool,
    /// How much is granted.
    pub limits: BoincLimits,
}

/// How much the BOINC door grants.
#[derive(Clone, Copy, Debug)]
pub struct BoincLimits {
    /// Calls of the record that are under way or wait.
    pub waiting: Share,
    /// Calls of the record under way.
    pub calls: usize,
    /// Kilobytes of requests that are being read.
    pub kilobytes: Share,
    /// Accounts that one address may open.
    pub creations: Rate,
    /// Passwords and account keys that one address may try in vain.
    pub guesses: Rate,
    /// For the body of a request.
    pub body: Duration,
    /// Statistics are made anew so often.
    pub statistics: Duration,
}

impl Default for BoincLimits {
    fn default() -> BoincLimits {
        BoincLimits {
            waiting: Share { each: 256, all: 1024 },
            calls: 12,
            kilobytes: Share { each: 64 << 10, all: 256 << 10 },
            creations: Rate { burst: 20.0, per_second: 1.0 / 60.0 },
            guesses: Rate { burst: 30.0, per_second: 0.1 },
            body: Duration::from_secs(120),
            statistics: Duration::from_secs(3600),
        }
    }
}

impl BoincOptions {
    /// The usual ones for a project at this address.
    #[must_use]
    pub fn new(url: &str, name: &str) -> BoincOptions {
        let slash = if url.ends_with('/') { "" } else { "/" };
        BoincOptions {
            url: format!("{url}{slash}"),
            name: name.to_owned(),
            deadline: 3 * 86_400,
            grace: 86_400 / 2,
            request_delay: 10,
            next_contact: 0,
            trickle: 0,
            min_interval: 5,
            per_request: 16,
            in_progress: 64,
            daily: 2000,
            min_client: (7, 0, 0),
            maintenance: false,
            closed: false,
            limits: BoincLimits::default(),
        }
    }
}
