//! How much visitors may take at once: each address, and all of them together. No address gets more than its share,
//! so that none can keep the others out.

use std::sync::Arc;

use serving::{Room, Share, open_files};

/// What visitors may take at once.
#[derive(Clone, Copy, Debug)]
pub struct VisitorLimits {
    /// Connections. Those of a named proxy have no limit of their own.
    pub connections: Share,
    /// WebSockets.
    pub sockets: Share,
    /// Requests that are worked at, whoever asks by a WebSocket counted too.
    pub work: Share,
    /// Requests that wait for that; more are refused.
    pub waiting: Share,
    /// Kilobytes of answers that were not taken yet.
    pub kilobytes: Share,
}

/// With fewer open files than that, there are fewer connections.
pub(crate) const MOST_CONNECTIONS: usize = 4096;
/// Of one address, however many connections there may be.
pub(crate) const MOST_SOCKETS: usize = 64;

/// Each takes a search for some seconds.
const JUDGING: Share = Share { each: 1, all: 16 };

impl Default for VisitorLimits {
    fn default() -> VisitorLimits {
        // What is left is for files, engines and their pipes.
        let files = open_files().map_or(MOST_CONNECTIONS, |files| files / 4 * 3);
        let connections = files.clamp(8, MOST_CONNECTIONS);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        VisitorLimits {
            connections: Share { each: connections / 8, all: connections },
            sockets: Share { each: (connections / 8).min(MOST_SOCKETS), all: connections },
            work: Share { each: cores, all: 2 * cores },
            waiting: Share { each: 32, all: 1024 },
            kilobytes: Share { each: 16 << 10, all: 256 << 10 },
        }
    }
}

/// The limits, with what has been taken.
#[derive(Debug)]
pub(crate) struct Rooms {
    pub(crate) connections: Arc<Room>,
    pub(crate) sockets: Room,
    pub(crate) work: Room,
    pub(crate) waiting: Room,
    pub(crate) kilobytes: Room,
    /// Games that are judged.
    pub(crate) judging: Room,
}

impl Rooms {
    pub(crate) fn new(limits: VisitorLimits) -> Rooms {
        Rooms {
            connections: Arc::new(Room::new(limits.connections)),
            sockets: Room::new(limits.sockets),
            work: Room::new(limits.work),
            waiting: Room::new(limits.waiting),
            kilobytes: Room::new(limits.kilobytes),
            judging: Room::new(JUDGING),
        }
    }
}
