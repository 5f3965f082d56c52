//! Connections: taken in as they come, so many and no more, and closed when whoever opened them does not say what
//! they want, or does not take what they asked for.

use std::convert::Infallible;
use std::future::Future;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::extract::ConnectInfo;
use axum::response::Response;
use axum::{Router, http};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Sleep, sleep, timeout};
use tower_service::Service;

use crate::Timeouts;
use crate::guard::{Door, Ends, network};
use crate::limits::{Full, Taken};
use crate::refusal::Refusal;

/// After the system could not take one in: it has no more of something that others will give back.
const PAUSE: Duration = Duration::from_millis(100);
/// What is kept of a connection's requests and small answers.
const BUFFER: usize = 64 * 1024;
/// So much of what waits must be taken at a time, or all of it, for a connection to be still in use.
const LEAST_TAKEN: usize = 16 * 1024;
/// How many are told at once why they are not taken in, and how long that may take.
const TURNED_AWAY: usize = 64;
const FAREWELL: Duration = Duration::from_secs(1);

/// Serves whoever comes. The head of a request must be there within [`Timeouts::request`], also after the one before.
pub(crate) async fn serve(listener: TcpListener, router: Router, door: Door) -> io::Result<()> {
    let farewells = Arc::new(Semaphore::new(TURNED_AWAY));
    loop {
        let (stream, remote) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "a connection could not be taken in");
                sleep(PAUSE).await;
                continue;
            }
        };
        let rooms = &door.rooms.connections;
        let place = match door.is_proxy(remote.ip()) {
            true => rooms.try_take_for_many(1),
            false => rooms.try_take(network(remote.ip()), 1),
        };
        match place {
            Ok(place) => {
                let ends = Ends::of(&stream, remote);
                tokio::spawn(attend(stream, ends, router.clone(), door.patience, place));
            }
            Err(full) => {
                if let Ok(farewell) = Arc::clone(&farewells).try_acquire_owned() {
                    tokio::spawn(async move {
                        let _ = timeout(FAREWELL, turn_away(stream, full)).await;
                        drop(farewell);
                    });
                }
            }
        }
    }
}

async fn attend(stream: TcpStream, ends: Ends, router: Router, patience: Timeouts, place: Taken) {
    let _ = stream.set_nodelay(true);
    let stream = Impatient::new(stream, patience.stuck, place);
    let service = hyper::service::service_fn(move |request| answer(&router, ends, request));
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(patience.request)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades()
        .await;
    if let Err(error) = served {
        tracing::debug!(%error, "a connection ended");
    }
}

fn answer(
    router: &Router,
    ends: Ends,
    mut request: http::Request<Incoming>,
) -> impl Future<Output = Result<Response, Infallible>> + use<> {
    request.extensions_mut().insert(ConnectInfo(ends));
    // A router is always ready.
    router.clone().call(request)
}

/// Says why somebody is not taken in.
async fn turn_away(mut stream: TcpStream, full: Full) -> io::Result<()> {
    let refusal = Refusal::from(full);
    let (status, body) = (refusal.status(), refusal.json());
    let length = body.len();
    let text = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
         Connection: close\r\n\r\n{body}"
    );
    stream.write_all(text.as_bytes()).await?;
    stream.shutdown().await?;
    // To close before what was sent is read would take the answer away again.
    let mut rest = [0; 1024];
    while stream.read(&mut rest).await? > 0 {}
    Ok(())
}

/// A connection that is broken off when what is written to it is not taken.
struct Impatient {
    stream: TcpStream,
    patience: Duration,
    /// Since it had to wait, if it has.
    waiting: Option<Pin<Box<Sleep>>>,
    /// What was taken since.
    taken: usize,
    /// Its place among all connections; a WebSocket keeps it.
    _place: Taken,
}

impl Impatient {
    fn new(stream: TcpStream, patience: Duration, place: Taken) -> Impatient {
        Impatient { stream, patience, waiting: None, taken: 0, _place: place }
    }

    /// What became of `length` bytes to write; an error if too little was taken for too long.
    fn judge(
        &mut self,
        context: &mut Context<'_>,
        length: usize,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        if let Poll::Ready(Ok(count)) = written {
            self.taken += count;
            if count == length || self.taken >= LEAST_TAKEN {
                self.waiting = None;
            }
        }
        if written.is_pending() {
            let waiting = self.waiting.get_or_insert_with(|| {
                self.taken = 0;
                Box::pin(sleep(self.patience))
            });
            if waiting.as_mut().poll(context).is_ready() {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
        }
        written
    }
}

impl AsyncRead for Impatient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Impatient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, bytes.len(), written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let length = slices.iter().map(|slice| slice.len()).sum();
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.judge(context, length, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
