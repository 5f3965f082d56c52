//! Connections: taken in as they come, so many and no more, and closed when whoever opened them
//! does not say what they want, or does not take what they asked for.

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::{self, StatusCode};
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};
use tower_service::Service;

use crate::clients::{Ends, Proxies, network};
use crate::impatient::Impatient;
use crate::shares::{Full, Room, Taken};
use crate::tls::Tls;

/// After the system could not take one in: it has no more of something that others will give back.
const PAUSE: Duration = Duration::from_millis(100);
/// What is kept of a connection's requests and small answers.
const BUFFER: usize = 64 * 1024;
/// How many are told at once why they are not taken in, and how long that may take.
const TURNED_AWAY: usize = 64;
const FAREWELL: Duration = Duration::from_secs(1);

/// How connections are taken in.
#[derive(Clone, Debug)]
pub struct Intake {
    /// How many; those of a proxy have no limit of their own.
    pub connections: Arc<Room>,
    /// Servers in front of this one.
    pub proxies: Proxies,
    /// The head of a request must be there within this time, also after the one before, and so must
    /// the handshake of TLS.
    pub head: Duration,
    /// So long a visitor may take to take what was written, or some 16 KB of it.
    pub stuck: Duration,
    /// The JSON for those who are not taken in.
    pub turned_away: fn(Full) -> String,
    /// What is spoken below HTTP, if not the bare connection.
    pub tls: Option<Arc<Tls>>,
    /// So long requests under way may take once the server is to end.
    pub grace: Duration,
}

/// Serves whoever comes until `end` is there; then takes nobody in, and returns when all requests
/// under way are answered, or after [`Intake::grace`].
pub async fn serve(
    listener: TcpListener,
    router: Router,
    intake: Intake,
    end: impl Future<Output = ()>,
) {
    let farewells = Arc::new(Semaphore::new(TURNED_AWAY));
    let (ending, is_ending) = watch::channel(false);
    let mut end = pin!(end);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut end => break,
        };
        let (stream, remote) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "a connection could not be taken in");
                sleep(PAUSE).await;
                continue;
            }
        };
        let rooms = &intake.connections;
        let place = match intake.proxies.has(remote.ip()) {
            true => rooms.try_take_for_many(1),
            false => rooms.try_take(network(remote.ip()), 1),
        };
        match place {
            Ok(place) => {
                let ends = Ends::of(&stream, remote);
                let (router, intake) = (router.clone(), intake.clone());
                tokio::spawn(attend(stream, ends, router, intake, place, is_ending.clone()));
            }
            // Who expects TLS would not understand.
            Err(_) if intake.tls.is_some() => {}
            Err(full) => {
                if let Ok(farewell) = Arc::clone(&farewells).try_acquire_owned() {
                    let body = (intake.turned_away)(full);
                    tokio::spawn(async move {
                        let _ = timeout(FAREWELL, turn_away(stream, full.status(), &body)).await;
                        drop(farewell);
                    });
                }
            }
        }
    }
    drop(listener);
    drop(is_ending);
    ending.send_replace(true);
    // Every connection holds a receiver.
    let _ = timeout(intake.grace, ending.closed()).await;
}

async fn attend(
    stream: TcpStream,
    ends: Ends,
    router: Router,
    intake: Intake,
    place: Taken,
    is_ending: watch::Receiver<bool>,
) {
    let _ = stream.set_nodelay(true);
    let stream = Impatient::new(stream, intake.stuck, place);
    match &intake.tls {
        None => converse(stream, ends, router, intake.head, is_ending).await,
        Some(tls) => match timeout(intake.head, tls.accept(stream)).await {
            Ok(Ok(stream)) => converse(stream, ends, router, intake.head, is_ending).await,
            Ok(Err(error)) => tracing::debug!(%error, "a handshake failed"),
            Err(_) => tracing::debug!("a handshake took too long"),
        },
    }
}

/// Answers the requests of a connection, and after `is_ending` only the one under way.
async fn converse(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    ends: Ends,
    router: Router,
    head: Duration,
    mut is_ending: watch::Receiver<bool>,
) {
    let service = hyper::service::service_fn(move |request| answer(&router, ends, request));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(head)
        .max_buf_size(BUFFER)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    let ending = async {
        let _ = is_ending.wait_for(|&ending| ending).await;
    };
    let served = tokio::select! {
        served = &mut connection => served,
        () = ending => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
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
async fn turn_away(mut stream: TcpStream, status: StatusCode, body: &str) -> io::Result<()> {
    let length = body.len();
    let text = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
         Retry-After: 5\r\nConnection: close\r\n\r\n{body}"
    );
    stream.write_all(text.as_bytes()).await?;
    stream.shutdown().await?;
    // To close before what was sent is read would take the answer away again.
    let mut rest = [0; 1024];
    while stream.read(&mut rest).await? > 0 {}
    Ok(())
}
