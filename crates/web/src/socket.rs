//! One WebSocket a visitor and game: the newest state whenever there is one, the newest thought at most ten times
//! a second, and requests the other way.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message as Frame, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{ConnectInfo, Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until, timeout};

use crate::Patience;
use crate::api::blocking;
use crate::guard::{Bucket, Door, Ends, Rate};
use crate::house::Visit;
use crate::refusal::Refusal;
use crate::table::Table;
use crate::wire::{Message, Request};

const LARGEST_MESSAGE: usize = 16 * 1024;
const RATE: Rate = Rate { burst: 40.0, per_second: 10.0 };
/// Between two thoughts.
const PAUSE: Duration = Duration::from_millis(100);

pub(crate) async fn open(
    State(door): State<Door>,
    ConnectInfo(ends): ConnectInfo<Ends>,
    Path(id): Path<String>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Result<Response, Refusal> {
    // Browsers always send it here; that it is ours has been checked at the door.
    if !headers.contains_key(header::ORIGIN) {
        return Err(Refusal::forbidden("a socket needs the Origin of its page"));
    }
    let full = |_| Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "too many visitors at once");
    let place = Arc::clone(&door.sockets).try_acquire_owned().map_err(full)?;
    let house = Arc::clone(&door.house);
    // Whoever asks for a game that is not there hears so before the socket opens.
    let visit = blocking(move || house.enter(&id)).await?;
    let upgrade = upgrade.max_message_size(LARGEST_MESSAGE).max_frame_size(LARGEST_MESSAGE);
    Ok(upgrade.on_upgrade(async move |socket| {
        let (rate, tokens, patience) = (Bucket::full(RATE), Vec::new(), door.patience);
        let from = ends.remote.ip().to_canonical();
        let visitor = Visitor { socket, from, rate, tokens, patience };
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
    from: IpAddr,
    rate: Bucket,
    tokens: Vec<String>,
    patience: Patience,
}

impl Visitor {
    async fn attend(mut self, visit: Visit) {
        let Err(leaving) = self.follow(&visit.table).await;
        if let Leaving::Sent(why) = leaving {
            let frame = CloseFrame { code: close_code::POLICY, reason: why.into() };
            let _ = timeout(self.patience.stuck, self.socket.send(Frame::Close(Some(frame)))).await;
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
        let mut ping = interval(self.patience.ping);
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
                    if heard.elapsed() > self.patience.silence {
                        return Err(Leaving::Lost);
                    }
                    self.send(Frame::Ping(Default::default())).await?;
                }
            }
        }
    }

    /// Waits for the first word: who it is, and the last version seen.
    async fn greet(&mut self) -> Result<Option<u64>, Leaving> {
        let waited = timeout(self.patience.hello, self.socket.recv()).await;
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
                let from = self.from;
                blocking(move || table.act(rights, from, request)).await
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

    async fn send(&mut self, frame: Frame) -> Result<(), Leaving> {
        match timeout(self.patience.stuck, self.socket.send(frame)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(Leaving::Lost),
        }
    }
}
