//! Who asks, and what is done for them: requests are read within limits, and the record is called
//! in turn.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes};
use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serving::{Client, Ends, Proxies, Rates, Room, Taken, single};
use tokio::sync::Semaphore;

use super::refusal::DoorRefusal;
use super::routes::other_version;
use crate::door::{DoorError, Visitor, WorkDoor};
use crate::metrics::DoorCounters;
use crate::problems::Problems;
use crate::wire::{AboutJson, ErrorCode, LONGEST_NAME, WORKER_NAME};

/// What handlers share.
#[derive(Clone)]
pub(super) struct Reception {
    pub(super) door: Arc<dyn WorkDoor>,
    pub(super) counters: Arc<DoorCounters>,
    pub(super) about: Arc<AboutJson>,
    pub(super) problems: Arc<Problems>,
    /// Whether nobody but proxies and this machine may come in.
    pub(super) only_proxies: bool,
    pub(super) proxies: Proxies,
    pub(super) requests: Arc<Rates>,
    pub(super) waiting: Arc<Room>,
    pub(super) calls: Arc<Semaphore>,
    pub(super) kilobytes: Arc<Room>,
    pub(super) body_time: Duration,
}

/// What every answer says.
const HEADERS: [(HeaderName, &str); 3] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
];

/// Lets a request in or not.
pub(super) async fn pass(
    State(reception): State<Reception>,
    ConnectInfo(ends): ConnectInfo<Ends>,
    mut request: Request,
    next: Next,
) -> Response {
    let began = Instant::now();
    let client = reception.proxies.client(request.headers(), ends.remote.ip());
    request.extensions_mut().insert(client);
    let path = request.uri().path().to_owned();
    let mut response = match reception.admits(ends, client, &path) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let code = response.extensions().get::<ErrorCode>().map(ErrorCode::name);
    let status = response.status().as_u16();
    reception.counters.answered(&path, status, code, began.elapsed());
    for (name, value) in HEADERS {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

impl Reception {
    fn admits(&self, ends: Ends, client: Client, path: &str) -> Result<(), DoorRefusal> {
        let remote = ends.remote.ip().to_canonical();
        if self.only_proxies && !remote.is_loopback() && !self.proxies.has(remote) {
            return Err(DoorRefusal::new(
                StatusCode::FORBIDDEN,
                ErrorCode::Forbidden,
                "this address is for the proxy in front of it; please ask there, with https",
            ));
        }
        self.requests.take(client.network)?;
        other_version(path).map_or(Ok(()), Err)
    }
}

/// Somebody with a token, whosever it is.
pub(super) struct Guest {
    reception: Reception,
    client: Client,
    token: String,
    name: String,
}

impl FromRequestParts<Reception> for Guest {
    type Rejection = DoorRefusal;

    async fn from_request_parts(
        parts: &mut Parts,
        reception: &Reception,
    ) -> Result<Guest, DoorRefusal> {
        let client = parts.extensions.get::<Client>().copied();
        let client = client.ok_or_else(|| DoorRefusal::busy("something went wrong here"))?;
        let token = token(&parts.headers).ok_or_else(|| {
            DoorRefusal::new(
                StatusCode::UNAUTHORIZED,
                ErrorCode::UnknownToken,
                "a header \"Authorization: Bearer TOKEN\" is missing; ask whoever runs the \
                 project for a token",
            )
        })?;
        let name = match parts.headers.contains_key(WORKER_NAME) {
            true => single(&parts.headers, &HeaderName::from_static(WORKER_NAME)),
            false => Some(""),
        };
        let name = name.filter(|name| name.len() <= LONGEST_NAME).ok_or_else(|| {
            DoorRefusal::new(
                StatusCode::BAD_REQUEST,
                ErrorCode::Malformed,
                "the header Worker-Name is one name of at most 200 letters",
            )
        })?;
        let (token, name) = (token.to_owned(), name.trim().to_owned());
        Ok(Guest { reception: reception.clone(), client, token, name })
    }
}

fn token(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = single(headers, &header::AUTHORIZATION)?.split_once(' ')?;
    let token = token.trim();
    let is_one = !token.is_empty() && token.len() <= LONGEST_NAME;
    (scheme.eq_ignore_ascii_case("bearer") && is_one).then_some(token)
}

/// What somebody sent, with the room that it takes.
pub(super) struct Sent {
    pub(super) bytes: Bytes,
    _room: Taken,
}

impl Guest {
    /// Reads what was sent, if it is not too large and does not take too long.
    pub(super) async fn read(
        &self,
        headers: &HeaderMap,
        body: Body,
        most: usize,
    ) -> Result<Sent, DoorRefusal> {
        let too_large = || DoorRefusal::too_large(format!("at most {most} bytes can be sent here"));
        let told = single(headers, &header::CONTENT_LENGTH);
        let told = told.and_then(|length| length.parse::<usize>().ok());
        let length = told.unwrap_or(most);
        if length > most {
            return Err(too_large());
        }
        let kilobytes = length.div_ceil(1024).max(1);
        let room = self.reception.kilobytes.try_take(self.client.network, kilobytes)?;
        let reading = axum::body::to_bytes(body, most);
        match tokio::time::timeout(self.reception.body_time, reading).await {
            Ok(Ok(bytes)) => Ok(Sent { bytes, _room: room }),
            Ok(Err(error)) if is_too_large(&error) => Err(too_large()),
            Ok(Err(_)) => Err(DoorRefusal::new(
                StatusCode::BAD_REQUEST,
                ErrorCode::Malformed,
                "the request was cut off",
            )),
            Err(_) => Err(DoorRefusal::new(
                StatusCode::REQUEST_TIMEOUT,
                ErrorCode::TooSlow,
                "the request took too long to come",
            )),
        }
    }

    /// Calls the record for whoever this is: in turn, or not at all where too many wait.
    pub(super) async fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn WorkDoor, &Visitor) -> Result<T, DoorError> + Send + 'static,
    ) -> Result<T, DoorRefusal> {
        let waiting = self.reception.waiting.try_take(self.client.network, 1)?;
        let turn = Arc::clone(&self.reception.calls).acquire_owned().await;
        let turn = turn.map_err(|_| DoorRefusal::busy("the server ends"))?;
        let door = Arc::clone(&self.reception.door);
        let (token, from, name) = (self.token.clone(), self.client.address, self.name.clone());
        // It goes on when nobody waits for it any more, and so does its turn.
        let called = tokio::task::spawn_blocking(move || {
            let _places = (waiting, turn);
            let visitor = door.admit(&token, from, &name)?;
            work(&*door, &visitor)
        });
        match called.await {
            Ok(answer) => Ok(answer?),
            Err(error) => {
                tracing::error!(%error, "a call of the record broke off");
                Err(DoorRefusal::busy("something went wrong here; please ask again later"))
            }
        }
    }

    /// What units are about.
    pub(super) fn problems(&self) -> Arc<Problems> {
        Arc::clone(&self.reception.problems)
    }

    /// What is counted.
    pub(super) fn counters(&self) -> &DoorCounters {
        &self.reception.counters
    }

    /// How to get a program of the right version.
    pub(super) fn upgrade(&self) -> &str {
        &self.reception.about.upgrade
    }
}

fn is_too_large(error: &axum::Error) -> bool {
    let mut source: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = source {
        if error.to_string().contains("length limit exceeded") {
            return true;
        }
        source = error.source();
    }
    false
}
