//! [`Relay`]: a proxy between workers and doors that loses what it is told to lose, and the observer
//! who knows which deliveries were acknowledged.

use std::collections::{HashMap, HashSet};
use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use cluster::wire::{self, DeliverRequest, LeaseAnswer, ReceiptJson};
use game::Rng;
use solve::message::{UnitId, hash_of};

/// A door that is stopped takes connections and answers nothing.
const PATIENCE: Duration = Duration::from_secs(4);

/// A delivery as it went through.
#[derive(Clone, Debug)]
pub(crate) struct Delivery {
    pub(crate) user: String,
    pub(crate) unit: UnitId,
    pub(crate) attempt: u32,
    /// The hash under which the record keeps it.
    pub(crate) digest: u128,
    pub(crate) body: Vec<u8>,
}

/// What was seen.
#[derive(Default)]
pub(crate) struct Seen {
    /// Sent by somebody, whatever came of it.
    pub(crate) sent: Vec<Delivery>,
    /// Answered with "taken", whether or not the worker heard it.
    pub(crate) acknowledged: Vec<Delivery>,
    /// Units that are in somebody's hands, as the answers to leases said.
    pub(crate) leased: Vec<(String, Box<wire::UnitJson>, u32)>,
    /// Acknowledgements that the worker did not hear.
    pub(crate) lost: u64,
}

/// Somebody who comes in here.
#[derive(Clone)]
struct Known {
    user: String,
    network: usize,
}

pub(crate) struct Relay {
    pub(crate) address: SocketAddr,
    inside: Arc<Inside>,
}

struct Inside {
    doors: Mutex<HashMap<usize, SocketAddr>>,
    known: Mutex<HashMap<String, Known>>,
    cut: Mutex<HashSet<String>>,
    seen: Mutex<Seen>,
    lot: Mutex<Rng>,
    /// One of so many acknowledgements is lost on its way; 0 for none.
    loses: AtomicUsize,
    ends: AtomicBool,
}

impl Relay {
    pub(crate) fn start(seed: u64) -> Relay {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let inside = Arc::new(Inside {
            doors: Mutex::default(),
            known: Mutex::default(),
            cut: Mutex::default(),
            seen: Mutex::default(),
            lot: Mutex::new(Rng::new(seed)),
            loses: AtomicUsize::new(0),
            ends: AtomicBool::new(false),
        });
        let taken = Arc::clone(&inside);
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                if taken.ends.load(Relaxed) {
                    return;
                }
                let inside = Arc::clone(&taken);
                std::thread::spawn(move || drop(inside.attend(client)));
            }
        });
        Relay { address, inside }
    }

    /// A door that requests go to, in place of the one that had this number before.
    pub(crate) fn set_door(&self, number: usize, door: Option<SocketAddr>) {
        let mut doors = self.inside.doors.lock().unwrap();
        match door {
            Some(door) => doors.insert(number, door),
            None => doors.remove(&number),
        };
    }

    /// Whose token this is; each has a network of its own.
    pub(crate) fn know(&self, token: &str, user: &str) {
        let mut known = self.inside.known.lock().unwrap();
        let network = known.len() + 1;
        known.insert(token.to_owned(), Known { user: user.to_owned(), network });
    }

    /// Nothing of this user comes through any longer, or again.
    pub(crate) fn cut(&self, user: &str, is_cut: bool) {
        let mut cut = self.inside.cut.lock().unwrap();
        match is_cut {
            true => cut.insert(user.to_owned()),
            false => cut.remove(user),
        };
    }

    /// One of so many acknowledgements is lost on its way.
    pub(crate) fn lose(&self, one_of: usize) {
        self.inside.loses.store(one_of, Relaxed);
    }

    pub(crate) fn seen(&self) -> MutexGuard<'_, Seen> {
        self.inside.seen.lock().unwrap()
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.inside.ends.store(true, Relaxed);
        drop(TcpStream::connect(self.address));
    }
}

impl Inside {
    /// One connection of a worker, as long as all goes well.
    fn attend(&self, client: TcpStream) -> io::Result<()> {
        client.set_nodelay(true)?;
        let mut client = BufReader::new(client);
        while let Some(request) = Message::read(&mut client)? {
            let token = request.header("authorization").unwrap_or_default();
            let token = token.strip_prefix("Bearer ").unwrap_or_default().to_owned();
            let known = self.known.lock().unwrap().get(&token).cloned();
            let known = known.unwrap_or(Known { user: String::new(), network: 255 });
            self.wait_for_network(&known.user)?;
            let delivery = delivery(&request, &known.user);
            self.seen.lock().unwrap().sent.extend(delivery.clone());
            let answer = self.ask_a_door(&request, known.network)?;
            let is_lost = self.note(&known.user, delivery, &answer);
            self.wait_for_network(&known.user)?;
            if is_lost {
                return Err(io::ErrorKind::ConnectionReset.into());
            }
            answer.write(client.get_mut(), &["connection"], &[])?;
        }
        Ok(())
    }

    /// Whoever is cut off hears nothing as long as it lasts, and then finds the connection gone.
    fn wait_for_network(&self, user: &str) -> io::Result<()> {
        let is_cut = || self.cut.lock().unwrap().contains(user);
        if !is_cut() {
            return Ok(());
        }
        while is_cut() && !self.ends.load(Relaxed) {
            std::thread::sleep(Duration::from_millis(20));
        }
        Err(io::ErrorKind::ConnectionReset.into())
    }

    fn ask_a_door(&self, request: &Message, network: usize) -> io::Result<Message> {
        let mut doors: Vec<SocketAddr> = self.doors.lock().unwrap().values().copied().collect();
        while !doors.is_empty() {
            let door = doors.swap_remove(self.lot.lock().unwrap().below(doors.len()));
            let Ok(mut door) = TcpStream::connect_timeout(&door, PATIENCE) else { continue };
            door.set_read_timeout(Some(PATIENCE))?;
            let from = format!("X-Forwarded-For: 10.0.{network}.1");
            request.write(&mut door, &["connection"], &[&from, "Connection: close"])?;
            let answer = Message::read(&mut BufReader::new(door))?;
            return answer.ok_or_else(|| io::ErrorKind::UnexpectedEof.into());
        }
        Err(io::ErrorKind::ConnectionRefused.into())
    }

    /// Takes down what was answered; whether the answer gets lost.
    fn note(&self, user: &str, delivery: Option<Delivery>, answer: &Message) -> bool {
        let mut seen = self.seen.lock().unwrap();
        if let Ok(LeaseAnswer::Unit { unit, attempt, .. }) = wire::read(&answer.body) {
            seen.leased.push((user.to_owned(), unit, attempt));
        }
        let is_taken = matches!(wire::read(&answer.body), Ok(ReceiptJson::Taken));
        let Some(delivery) = delivery.filter(|_| is_taken && answer.status() == 200) else {
            return false;
        };
        seen.acknowledged.push(delivery);
        let one_of = self.loses.load(Relaxed);
        let is_lost = one_of > 0 && self.lot.lock().unwrap().below(one_of) == 0;
        seen.lost += u64::from(is_lost);
        is_lost
    }
}

fn delivery(request: &Message, user: &str) -> Option<Delivery> {
    request.head.first()?.starts_with("POST /api/v1/deliver ").then_some(())?;
    let sent: DeliverRequest = wire::read(&request.body).ok()?;
    let (report, _) = sent.check().ok()?;
    let digest = hash_of(&report.encode());
    let body = request.body.clone();
    Some(Delivery {
        user: user.to_owned(),
        unit: report.unit,
        attempt: report.attempt,
        digest,
        body,
    })
}

/// A request or an answer of HTTP, with a body of known length.
pub(crate) struct Message {
    head: Vec<String>,
    pub(crate) body: Vec<u8>,
}

impl Message {
    pub(crate) fn request(path: &str, headers: &[&str], body: Vec<u8>) -> Message {
        let length = format!("Content-Length: {}", body.len());
        let mut head = vec![format!("{path} HTTP/1.1"), "Host: relay".to_owned(), length];
        head.extend(headers.iter().map(|&line| line.to_owned()));
        Message { head, body }
    }

    /// `None` at the end of a connection.
    pub(crate) fn read(from: &mut impl BufRead) -> io::Result<Option<Message>> {
        let mut head = Vec::new();
        loop {
            let mut line = String::new();
            if from.read_line(&mut line)? == 0 {
                return Ok(None);
            }
            match line.trim_end() {
                "" => break,
                line => head.push(line.to_owned()),
            }
        }
        let mut message = Message { head, body: Vec::new() };
        let length = message.header("content-length").and_then(|text| text.parse().ok());
        message.body = vec![0; length.unwrap_or(0)];
        from.read_exact(&mut message.body)?;
        Ok(Some(message))
    }

    /// Sends it without some headers and with others.
    pub(crate) fn write(
        &self,
        to: &mut impl Write,
        without: &[&str],
        more: &[&str],
    ) -> io::Result<()> {
        let is_kept = |line: &&String| {
            let name = line.split(':').next().unwrap_or_default();
            !without.iter().any(|other| other.eq_ignore_ascii_case(name))
        };
        let lines = self.head.iter().filter(is_kept).map(String::as_str);
        let mut bytes = lines.chain(more.iter().copied()).collect::<Vec<_>>().join("\r\n");
        bytes.push_str("\r\n\r\n");
        let mut bytes = bytes.into_bytes();
        bytes.extend(&self.body);
        to.write_all(&bytes)
    }

    pub(crate) fn status(&self) -> u16 {
        let status = self.head.first().and_then(|line| line.split(' ').nth(1));
        status.and_then(|status| status.parse().ok()).unwrap_or(0)
    }

    fn header(&self, name: &str) -> Option<&str> {
        let found = self.head.iter().filter_map(|line| line.split_once(':'));
        let mut found = found.filter(|(found, _)| found.eq_ignore_ascii_case(name));
        found.next().map(|(_, value)| value.trim())
    }
}
