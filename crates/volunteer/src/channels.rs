//! [`Channels`]: what the client and this program say to each other while work goes on.
//!
//! Eight channels of 1024 bytes: the first byte says whether there is a message, the others are its
//! text up to a zero. Whoever reads a message clears the first byte; whoever writes waits for that.

use std::fmt;
use std::path::Path;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::time::Duration;

use crate::platform::{SharedBytes, share};

/// How many bytes a channel has.
pub const CHANNEL_BYTES: usize = 1024;
/// How many channels there are.
pub const CHANNELS: usize = 8;

/// The file that the client makes in the slot.
const FILE: &str = "boinc_mmap_file";

/// Where what is said, by the place of its channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Channel {
    Control = 0,
    Heartbeat = 4,
    Status = 5,
    TrickleUp = 6,
    TrickleDown = 7,
}

/// What the client wants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Wishes {
    pub(crate) suspend: bool,
    pub(crate) resume: bool,
    pub(crate) quit: bool,
    pub(crate) abort: bool,
}

/// How the work stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Status {
    /// Since the beginning, with all times that the program was started.
    pub(crate) processor: Duration,
    /// The same at the last checkpoint.
    pub(crate) at_checkpoint: Duration,
    /// From 0 to 1.
    pub(crate) fraction: f64,
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (now, kept) = (self.processor.as_secs_f64(), self.at_checkpoint.as_secs_f64());
        writeln!(f, "<current_cpu_time>{now:e}</current_cpu_time>")?;
        writeln!(f, "<checkpoint_cpu_time>{kept:e}</checkpoint_cpu_time>")?;
        writeln!(f, "<fraction_done>{:e}</fraction_done>", self.fraction)
    }
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Channels(SharedBytes);

impl Channels {
    /// Those of the client; `None` where there is no client.
    pub(crate) fn open(slot: &Path) -> Option<Channels> {
        share(&slot.join(FILE), CHANNELS * CHANNEL_BYTES).ok().map(Channels)
    }

    /// What the client wants, if it has said anything.
    pub(crate) fn wishes(&self) -> Option<Wishes> {
        self.take(Channel::Control).map(|text| read_wishes(&text))
    }

    /// Whether the client has shown that it lives.
    pub(crate) fn heartbeat(&self) -> bool {
        self.take(Channel::Heartbeat).is_some()
    }

    /// Whether something from the server has come into the slot.
    pub(crate) fn news(&self) -> bool {
        self.take(Channel::TrickleDown).is_some_and(|text| text.contains("<have_trickle_down/>"))
    }

    /// Says how the work stands; `false` if the client has not yet read what was said before.
    pub(crate) fn tell(&self, status: &Status) -> bool {
        self.put(Channel::Status, &status.to_string())
    }

    /// Says that there is something for the server in the slot.
    pub(crate) fn announce_trickle(&self) -> bool {
        self.put(Channel::TrickleUp, "<have_new_trickle_up/>\n")
    }

    /// Whether the client has read the last status.
    pub(crate) fn is_heard(&self) -> bool {
        self.channel(Channel::Status)[0].load(Acquire) == 0
    }

    fn channel(&self, channel: Channel) -> &[AtomicU8] {
        let start = channel as usize * CHANNEL_BYTES;
        &self.0.bytes()[start..start + CHANNEL_BYTES]
    }

    fn take(&self, channel: Channel) -> Option<String> {
        let (full, text) = self.channel(channel).split_first()?;
        if full.load(Acquire) == 0 {
            return None;
        }
        let bytes = text.iter().map(|byte| byte.load(Relaxed)).take_while(|&byte| byte != 0);
        let bytes: Vec<u8> = bytes.collect();
        full.store(0, Release);
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn put(&self, channel: Channel, message: &str) -> bool {
        let Some((full, text)) = self.channel(channel).split_first() else { return false };
        if full.load(Acquire) != 0 || message.len() >= text.len() {
            return false;
        }
        for (place, byte) in text.iter().zip(message.bytes().chain([0])) {
            place.store(byte, Relaxed);
        }
        full.store(1, Release);
        true
    }
}

fn read_wishes(text: &str) -> Wishes {
    Wishes {
        suspend: text.contains("<suspend/>"),
        resume: text.contains("<resume/>"),
        quit: text.contains("<quit/>"),
        abort: text.contains("<abort/>"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slot() -> (tempfile::TempDir, Channels) {
        let folder = tempfile::tempdir().unwrap();
        assert!(Channels::open(folder.path()).is_none());
        std::fs::write(folder.path().join(FILE), vec![0; CHANNELS * CHANNEL_BYTES]).unwrap();
        let channels = Channels::open(folder.path()).unwrap();
        (folder, channels)
    }

    #[test]
    fn a_message_is_read_once_and_written_when_there_is_room() {
        let (folder, ours) = slot();
        let client = Channels::open(folder.path()).unwrap();
        assert_eq!(ours.wishes(), None);
        assert!(client.put(Channel::Control, "<suspend/>\n"));
        assert!(!client.put(Channel::Control, "<quit/>\n"), "the first is not read yet");
        assert_eq!(ours.wishes(), Some(Wishes { suspend: true, ..Wishes::default() }));
        assert_eq!(ours.wishes(), None);
        let time = Duration::from_millis(1500);
        let status = Status { processor: time, at_checkpoint: Duration::ZERO, fraction: 0.25 };
        assert!(ours.is_heard() && ours.tell(&status) && !ours.tell(&status) && !ours.is_heard());
        let told = client.take(Channel::Status).unwrap();
        let right = "<current_cpu_time>1.5e0</current_cpu_time>\n\
            <checkpoint_cpu_time>0e0</checkpoint_cpu_time>\n<fraction_done>2.5e-1</fraction_done>\n";
        assert_eq!(told, right);
    }

    #[test]
    fn whatever_stands_in_a_channel_is_read() {
        let (_folder, channels) = slot();
        let mut rng = game::Rng::new(1);
        for _ in 0..2000 {
            for byte in channels.channel(Channel::Control) {
                byte.store(rng.next_u64() as u8 | 1, Relaxed);
            }
            let text = channels.take(Channel::Control).unwrap();
            assert!(text.chars().count() < CHANNEL_BYTES);
            assert_eq!(channels.take(Channel::Control), None);
        }
        let long = "x".repeat(CHANNEL_BYTES);
        assert!(!channels.put(Channel::Status, &long), "it would not end");
        assert!(channels.put(Channel::Status, &long[2..]));
        assert_eq!(channels.take(Channel::Status).unwrap(), &long[2..]);
    }
}
