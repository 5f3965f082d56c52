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
use crate::refusal::Refusal;
use crate::table::Table;
use crate::wire::{Message, Request};
use serving::{Bucket, Rate};

pub(crate) const LARGEST_MESSAGE: usize = 16 * 1024;
pub(crate) const RATE: Rate = Rate { burst: 40.0, per_second: 10.0 };
/// Between two thoughts.
const PAUSE: Duration = Duration::from_millis(100);

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
        let Err(leaving) = self.follow(visit.table()).await;
        if let Leaving::Sent(why) = leaving {
            let frame = CloseFrame { code: close_code::POLICY, reason: why.into() };
            let _ = self.send(Frame::Close(Some(frame))).await;
        }
    }

    async fn follow(&mut self, table: &Arc<Table>) -> Result<std::convert::Infallible, Leaving> {
        let since = self.greet().await?;
        let (mut states, mut thoughts) = (table.states(), table.thoughts());
        let mut rights = table.rights(&self.tokens);
        self.tell(&Message::welcome(rights)).await?;
        let now = Arc::clone(&states.borrow_and_update());
        match since == Some(now.version) {
            true => {
                self.tell(&Message::current(&now)).await?;
            }
            false => self.tell(&Message::State(&now)).await?,
        }
        let (mut next_thought, mut heard) = (Instant::now(), Instant::now());
        let mut ping = interval(self.guest.door.patience.ping);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        thoughts.mark_changed();
        let (mut fresh_thought, mut showing) = (false, false);
        loop {
            tokio::select! {
                changed = states.changed() => {
                    changed.map_err(|_| Leaving::Lost)?;
                    let now = Arc::clone(&states.borrow_and_update());
                    // Players may have changed places.
                    let before = std::mem::replace(&mut rights, table.rights(&self.tokens));
                    if rights != before {
                        self.tell(&Message::welcome(rights)).await?;
                    }
                    self.tell(&Message::State(&now)).await?;
                }
                changed = thoughts.changed(), if !fresh_thought => {
                    changed.map_err(|_| Leaving::Lost)?;
                    fresh_thought = true;
                }
                () = sleep_until(next_thought), if fresh_thought => {
                    fresh_thought = false;
                    let thought = thoughts.borrow_and_update().clone();
                    match &thought {
                        Some(thought) => self.tell(&Message::Thinking(thought)).await?,
                        None if showing => self.tell(&Message::Quiet).await?,
                        None => continue,
                    }
                    showing = thought.is_some();
                    next_thought = Instant::now() + PAUSE;
                }
                frame = self.socket.recv() => {
                    heard = Instant::now();
                    let frame = frame.ok_or(Leaving::Lost)?.map_err(|_| Leaving::Lost)?;
                    self.hear(frame, table).await?;
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

    /// Waits for the first word: who it is, and the last version seen.
    async fn greet(&mut self) -> Result<Option<u64>, Leaving> {
        let waited = timeout(self.guest.door.patience.hello, self.socket.recv()).await;
        let frame = waited.map_err(|_| Leaving::Sent("nothing was said"))?;
        let frame = frame.ok_or(Leaving::Lost)?.map_err(|_| Leaving::Lost)?;
        let Frame::Text(text) = frame else { return Err(Leaving::Sent("hello comes first")) };
        match serde_json::from_str(&text) {
            Ok(Request::Hello { tokens, since }) if tokens.len() <= 3 => {
                self.tokens = tokens;
                Ok(since)
            }
            _ => Err(Leaving::Sent("hello comes first")),
        }
    }

    async fn hear(&mut self, frame: Frame, table: &Arc<Table>) -> Result<(), Leaving> {
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
            Ok(request) => {
                // Asked each time: players may have changed places.
                let (rights, table) = (table.rights(&self.tokens), Arc::clone(table));
                let from = self.guest.from;
                self.guest.work_in_turn(move |_| table.act(rights, from, request)).await
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
