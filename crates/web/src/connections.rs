//! Connections: taken in as they come, and closed when whoever opened them does not say what they want.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ConnectInfo;
use axum::response::Response;
use axum::{Router, http};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tower_service::Service;

use crate::guard::Ends;

/// How many connections are open at once; more wait to be taken in.
const MOST: usize = 8192;
/// After the system could not take one in: it has no more of something that others will give back.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves whoever comes. The head of a request must be there within `patience`, also after the one before.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    patience: Duration,
) -> io::Result<()> {
    let room = Arc::new(Semaphore::new(MOST));
    loop {
        let place = Arc::clone(&room).acquire_owned().await.map_err(io::Error::other)?;
        let (stream, remote) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                tracing::warn!(%error, "a connection could not be taken in");
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        let ends = Ends::of(&stream, remote);
        let _ = stream.set_nodelay(true);
        let router = router.clone();
        tokio::spawn(async move {
            let service = hyper::service::service_fn(move |request| answer(&router, ends, request));
            let served = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(patience)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades()
                .await;
            if let Err(error) = served {
                tracing::debug!(%error, "a connection ended");
            }
            drop(place);
        });
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
