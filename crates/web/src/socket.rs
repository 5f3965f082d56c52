//! One WebSocket a visitor and game: the newest state whenever there is one, the newest thought at most ten times
//! a second, and requests the other way.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::Path;
use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket, WebSocketUpgrade, close_code};
use axum::http::{HeaderMap, header};
use axum::response::Response;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout};

use crate::guest::{Guest, kilobytes};
use crate::house::Visit;
use crate::people::PersonName;
use crate::refusal::Refusal;
use crate::seats::Key;
use crate::table::{Asker, Table};
use crate::wire::{Message, Request, State, Told};
use serving::{Bucket, Rate};

pub(crate) const LARGEST_MESSAGE: usize = 16 * 1024;
pub(crate) const RATE: Rate = Rate { burst: 40.0, per_second: 10.0 };
/// Between two thoughts.
const PAUSE: Duration = Duration::from_millis(100);
/// Between two lists of who is here: a crowd that comes and goes is told of together.
const PEOPLE_PAUSE: Duration = Duration::from_millis(500);
/// The host's, both players', and a key.
const MOST_TOKENS: usize = 4;

/// The last version that somebody has seen, and their name.
type Greeting = (Option<u64>, Option<PersonName>);

/// Something of which only the newest is told, and not too often.
struct Paced {
    pause: Duration,
    /// Whether there is something new.
    is_fresh: bool,
    next: Instant,
}

impl Paced {
    fn every(pause: Duration) -> Paced {
        Paced { pause, is_fresh: false, next: Instant::now() }
    }

    fn told(&mut self) {
        (self.is_fresh, self.next) = (false, Instant::now() + self.pause);
    }
}

pub(crate) async fn open(
    guest: Guest,
    Path(id): Path<String>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    // Browsers always send it here; that it is ours has been checked at the door.
    if !headers.contains_key(header::ORIGIN) {
        return Err(Refusal::forbidden("a socket needs the Origin of its page"));
    }
    let place = guest.door.rooms.sockets.try_take(guest.from, 1)?;
    // Whoever asks for a game that is not there hears so before the socket opens.
    let visit = guest.work(move |house| house.enter(&id)).await?;
    let upgrade = upgrade.max_message_size(LARGEST_MESSAGE).max_frame_size(LARGEST_MESSAGE);
    Ok(upgrade.on_upgrade(async move |socket| {
        let visitor = Visitor { socket, guest, rate: Bucket::full(RATE), tokens: Vec::new() };
        visitor.attend(visit).await;
        drop(place);
    }))
}

/// Why a visitor leaves.
enum Leaving {
    /// The connection is gone.
    Lost,
    /// They are shown the door, and told why.
    Sent(&'static str),
}

struct Visitor {
    socket: WebSocket,
    guest: Guest,
    rate: Bucket,
    tokens: Vec<String>,
}

impl Visitor {
    async fn attend(mut self, visit: Visit) {
        let Err(leaving) = self.follow(&visit).await;
        if let Leaving::Sent(why) = leaving {
            let frame = CloseFrame { code: close_code::POLICY, reason: why.into() };
            let _ = self.send(Frame::Close(Some(frame))).await;
        }
    }

    async fn follow(&mut self, visit: &Visit) -> Result<std::convert::Infallible, Leaving> {
        let table = visit.table();
        let (since, name) = self.greet(table).await?;
        let (mut states, mut thoughts) = (table.states(), table.thoughts());
        let mut presences = table.presences();
        let mut rights = table.rights(&self.tokens);
        table.greet(visit.visitor, rights, name);
        self.tell(&Message::welcome(rights)).await?;
        let now = Arc::clone(&states.borrow_and_update());
        self.update(table, &now, since).await?;
        let mut heard = Instant::now();
        let mut ping = interval(self.guest.door.patience.ping);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        thoughts.mark_changed();
        presences.mark_changed();
        let (mut thought_pace, mut people_pace) = (Paced::every(PAUSE), Paced::every(PEOPLE_PAUSE));
        let mut showing = false;
        loop {
            tokio::select! {
                changed = states.changed() => {
                    changed.map_err(|_| Leaving::Lost)?;
                    let now = Arc::clone(&states.borrow_and_update());
                    // Players may have changed places.
                    let before = std::mem::replace(&mut rights, table.rights(&self.tokens));
                    if rights != before {
                        table.greet(visit.visitor, rights, None);
                        self.tell(&Message::welcome(rights)).await?;
                    }
                    self.update(table, &now, None).await?;
                }
                changed = presences.changed(), if !people_pace.is_fresh => {
                    changed.map_err(|_| Leaving::Lost)?;
                    people_pace.is_fresh = true;
                }
                () = sleep_until(people_pace.next), if people_pace.is_fresh => {
                    let now = Arc::clone(&presences.borrow_and_update());
                    let at = self.guest.door.house.resources().timekeeper.now();
                    self.tell(&Message::People(now.entry(at))).await?;
                    people_pace.told();
                }
                changed = thoughts.changed(), if !thought_pace.is_fresh => {
                    changed.map_err(|_| Leaving::Lost)?;
                    thought_pace.is_fresh = true;
                }
                () = sleep_until(thought_pace.next), if thought_pace.is_fresh => {
                    thought_pace.is_fresh = false;
                    let thought = thoughts.borrow_and_update().clone();
                    match &thought {
                        Some(thought) => self.tell(&Message::Thinking(thought)).await?,
                        None if showing => self.tell(&Message::Quiet).await?,
                        None => continue,
                    }
                    showing = thought.is_some();
                    thought_pace.told();
                }
                frame = self.socket.recv() => {
                    heard = Instant::now();
                    let frame = frame.ok_or(Leaving::Lost)?.map_err(|_| Leaving::Lost)?;
                    self.hear(frame, visit).await?;
                }
                _ = ping.tick() => {
                    if heard.elapsed() > self.guest.door.patience.silence {
                        return Err(Leaving::Lost);
                    }
                    self.send(Frame::Ping(Default::default())).await?;
                }
            }
        }
    }

    /// Tells how the table stands, in short if that is known.
    async fn update(
        &mut self,
        table: &Table,
        now: &State,
        since: Option<u64>,
    ) -> Result<(), Leaving> {
        let clock = table.clock();
        match since == Some(now.version) {
            true => self.tell(&Message::current(now, clock)).await,
            false => self.tell(&Message::State(Told { state: now, clock })).await,
        }
    }

    /// Waits for the first word: who it is, and the last version seen. Whoever brings a key takes a
    /// seat that is free.
    async fn greet(&mut self, table: &Arc<Table>) -> Result<Greeting, Leaving> {
        let waited = timeout(self.guest.door.patience.hello, self.socket.recv()).await;
        let frame = waited.map_err(|_| Leaving::Sent("nothing was said"))?;
        let frame = frame.ok_or(Leaving::Lost)?.map_err(|_| Leaving::Lost)?;
        let Frame::Text(text) = frame else { return Err(Leaving::Sent("hello comes first")) };
        let Ok(Request::Hello { tokens, since, name, claim }) = serde_json::from_str(&text) else {
            return Err(Leaving::Sent("hello comes first"));
        };
        if tokens.len() > MOST_TOKENS {
            return Err(Leaving::Sent("too many tokens"));
        }
        self.tokens = tokens;
        let name = name.map(|name| name.parse()).transpose();
        let name = name.map_err(|_| Leaving::Sent("no such name"))?;
        if let Some(claim) = claim {
            let key = Key::new(claim).ok_or(Leaving::Sent("no such key"))?;
            let (shown, table) = (self.tokens.clone(), Arc::clone(table));
            self.tokens.push(key.secret().to_owned());
            let sat = self.guest.work_in_turn(move |_| table.sit(&shown, &key)).await;
            sat.map_err(|_| Leaving::Lost)?;
        }
        Ok((since, name))
    }

    async fn hear(&mut self, frame: Frame, visit: &Visit) -> Result<(), Leaving> {
        let (table, at) = (visit.table(), self.guest.door.house.resources().timekeeper.now());
        if !self.rate.take(RATE) {
            return Err(Leaving::Sent("too many messages"));
        }
        let text = match frame {
            Frame::Text(text) => text,
            Frame::Binary(_) => return Err(Leaving::Sent("messages are text")),
            Frame::Close(_) => return Err(Leaving::Lost),
            Frame::Ping(_) | Frame::Pong(_) => return Ok(()),
        };
        let done = match serde_json::from_str::<Request>(&text) {
            Ok(Request::Sync { version }) => {
                let now = table.state();
                return self.update(table, &now, Some(version)).await;
            }
            Ok(Request::Name { name }) => {
                let rights = table.rights(&self.tokens);
                name.parse().map(|name| table.greet(visit.visitor, rights, Some(name)))
            }
            Ok(request) => {
                // Asked each time: players may have changed places.
                let (rights, table) = (table.rights(&self.tokens), Arc::clone(table));
                let asker = Asker { rights, from: self.guest.from, at };
                self.guest.work_in_turn(move |_| table.act(asker, request)).await
            }
            Err(error) => Err(Refusal::bad(format!("this message makes no sense: {error}"))),
        };
        if let Err(refusal) = done {
            self.tell(&Message::refused(&refusal)).await?;
        }
        Ok(())
    }

    async fn tell(&mut self, message: &Message<'_>) -> Result<(), Leaving> {
        self.send(Frame::Text(message.text().into())).await
    }

    /// Waits until there is room for it among all that waits to be taken by this address, and until it is.
    async fn send(&mut self, frame: Frame) -> Result<(), Leaving> {
        let Guest { door, from, .. } = &self.guest;
        let length = match &frame {
            Frame::Text(text) => text.len(),
            _ => 0,
        };
        let sending = async {
            let _room = door.rooms.kilobytes.take(*from, kilobytes(length)).await;
            self.socket.send(frame).await
        };
        match timeout(door.patience.stuck, sending).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Leaving::Lost),
        }
    }
}
