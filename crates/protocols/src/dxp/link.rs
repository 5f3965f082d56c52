//! [`Connection`]: messages over a wire, and [`Trouble`]: what can go wrong there.

use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use game::{TextError, quote};
use play::{PlayerError, Stop};

use super::codec::{LONGEST, Message};

/// How often a wait is interrupted to see whether somebody said stop.
const GLANCE: Duration = Duration::from_millis(100);
/// How long the other program may take to hear a message.
const DEAFNESS: Duration = Duration::from_secs(10);

/// A wire that can be waited at for a while.
pub trait Stream: Read + Write {
    /// How long a read and a write may take from now on.
    ///
    /// # Errors
    /// If the wire cannot do that.
    fn wait_at_most(&mut self, read: Duration, write: Duration) -> io::Result<()>;
}

impl Stream for TcpStream {
    fn wait_at_most(&mut self, read: Duration, write: Duration) -> io::Result<()> {
        self.set_read_timeout(Some(read))?;
        self.set_write_timeout(Some(write))
    }
}

/// Why a game was broken off, in one line.
#[derive(Debug)]
pub enum Trouble {
    /// The wire broke.
    Broken(io::Error),
    /// The other program has gone.
    Gone,
    /// It said nothing for so long.
    Silent(Duration),
    /// What it said means nothing.
    Nonsense(TextError),
    /// What it said means nothing here.
    OutOfPlace(String),
    /// It talks about anything but the game.
    TalksWithoutEnd,
    /// Its move is not legal.
    Illegal {
        /// The move.
        said: String,
        /// What is wrong with it.
        why: String,
    },
    /// It does not want to play.
    Refused(&'static str),
    /// This game cannot be played over this protocol.
    Unsuitable(String),
    /// Our own player failed.
    Player(PlayerError),
    /// What our own player did is not possible.
    OwnTurn(String),
    /// Somebody said stop.
    Stopped,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Broken(why) => write!(f, "the connection broke: {why}"),
            Trouble::Gone => write!(f, "the other program closed the connection"),
            Trouble::Silent(time) => {
                write!(f, "the other program said nothing for {:.1} s", time.as_secs_f64())
            }
            Trouble::Nonsense(what) => write!(f, "the other program said {what}"),
            Trouble::OutOfPlace(what) => write!(f, "the other program said {what}"),
            Trouble::TalksWithoutEnd => write!(f, "the other program talks without end"),
            Trouble::Illegal { said, why } => {
                write!(f, "the other program played {}: {why}", quote(said))
            }
            Trouble::Refused(why) => write!(f, "the other program does not play: {why}"),
            Trouble::Unsuitable(why) => write!(f, "{why}"),
            Trouble::Player(why) => write!(f, "our own player failed: {why}"),
            Trouble::OwnTurn(what) => write!(f, "our own player failed: {what}"),
            Trouble::Stopped => write!(f, "stopped"),
        }
    }
}

impl std::error::Error for Trouble {}

/// Both ends of a wire exchange messages; each ends with a zero byte.
#[derive(Debug)]
pub struct Connection<S> {
    stream: S,
    /// Bytes that have come and are not read yet.
    pending: Vec<u8>,
}

impl<S: Stream> Connection<S> {
    /// Takes over a wire.
    ///
    /// # Errors
    /// If it cannot be waited at for a while.
    pub fn new(mut stream: S) -> Result<Connection<S>, Trouble> {
        stream.wait_at_most(GLANCE, DEAFNESS).map_err(Trouble::Broken)?;
        Ok(Connection { stream, pending: Vec::new() })
    }

    /// Says something.
    ///
    /// # Errors
    /// If nobody listens.
    pub fn send(&mut self, message: &Message) -> Result<(), Trouble> {
        let mut bytes = message.write().into_bytes();
        bytes.push(0);
        self.stream.write_all(&bytes).and_then(|()| self.stream.flush()).map_err(trouble_of)
    }

    /// Hears the next message.
    ///
    /// # Errors
    /// If none comes until then, it cannot be read, or somebody says stop.
    pub fn receive(&mut self, until: Instant, stop: &Stop) -> Result<Message, Trouble> {
        let start = Instant::now();
        loop {
            if let Some(end) = self.pending.iter().position(|&b| b == 0) {
                let bytes: Vec<u8> = self.pending.drain(..=end).collect();
                // Nothing at all says nothing.
                if end > 0 {
                    return Message::read(&bytes[..end]).map_err(Trouble::Nonsense);
                }
                continue;
            }
            if self.pending.len() > LONGEST {
                return Message::read(&self.pending).map_err(Trouble::Nonsense);
            }
            if stop.is_stopped() {
                return Err(Trouble::Stopped);
            }
            if Instant::now() >= until {
                return Err(Trouble::Silent(start.elapsed()));
            }
            self.read_more()?;
        }
    }

    fn read_more(&mut self) -> Result<(), Trouble> {
        let mut buffer = [0; 512];
        match self.stream.read(&mut buffer) {
            Ok(0) => Err(Trouble::Gone),
            Ok(count) => {
                self.pending.extend_from_slice(&buffer[..count]);
                Ok(())
            }
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => Ok(()),
            Err(e) if e.kind() == ErrorKind::Interrupted => Ok(()),
            Err(e) => Err(trouble_of(e)),
        }
    }
}

fn trouble_of(error: io::Error) -> Trouble {
    match error.kind() {
        ErrorKind::BrokenPipe | ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted => {
            Trouble::Gone
        }
        _ => Trouble::Broken(error),
    }
}
