//! [`BoincDoor`]: the paths that clients and managers ask for.

use std::sync::{Arc, Weak};
use std::thread;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post, put};
use axum::{Extension, Router};
use serving::{Client, Full, Rates, Room, Taken, single};
use tokio::sync::Semaphore;

use super::downloads::FileCache;
use super::request::LARGEST_REQUEST;
use super::scheduler::Scheduler;
use super::statistics::StatisticsCache;
use super::{accounts, downloads, statistics, upload, volunteer_api};

/// See the module. Cheap to clone.
#[derive(Clone, Debug)]
pub struct BoincDoor(pub(super) Arc<Inside>);

#[derive(Debug)]
pub(super) struct Inside {
    pub(super) scheduler: Scheduler,
    pub(super) creations: Rates,
    pub(super) guesses: Rates,
    pub(super) files: FileCache,
    pub(super) statistics: StatisticsCache,
    waiting: Room,
    all_waiting: usize,
    calls: Arc<Semaphore>,
    kilobytes: Room,
    body: Duration,
}

/// Credit is counted so often.
const COUNTING: Duration = Duration::from_secs(2);

impl BoincDoor {
    /// Serves this scheduler, and counts credit for as long as it is there.
    #[must_use]
    pub fn new(scheduler: Scheduler) -> BoincDoor {
        let limits = scheduler.options.limits;
        let inside = Arc::new(Inside {
            scheduler,
            creations: Rates::new(limits.creations),
            guesses: Rates::new(limits.guesses),
            files: FileCache::default(),
            statistics: StatisticsCache::new(limits.statistics),
            waiting: Room::new(limits.waiting),
            all_waiting: limits.waiting.all,
            calls: Arc::new(Semaphore::new(limits.calls)),
            kilobytes: Room::new(limits.kilobytes),
            body: limits.body,
        });
        let watched = Arc::downgrade(&inside);
        let counting = thread::Builder::new().name("credit".to_owned());
        if let Err(error) = counting.spawn(move || count(&watched)) {
            tracing::error!(%error, "credit is not counted");
        }
        BoincDoor(inside)
    }

    /// All paths.
    pub fn router(&self) -> Router {
        Router::new()
            .route("/", get(accounts::master))
            .route("/index.php", get(accounts::master))
            .route("/get_project_config.php", get(accounts::project_config))
            .route("/create_account.php", get(accounts::create).post(accounts::create))
            .route("/lookup_account.php", get(accounts::look_up).post(accounts::look_up))
            .route("/cgi", post(schedule))
            .route("/file_upload_handler", post(upload::handle))
            .route("/download/{file}", get(downloads::download))
            .route("/stats/{file}", get(statistics::serve))
            .route("/notices.rss", get(volunteer_api::notices))
            .route(
                "/volunteer/v1/account",
                get(volunteer_api::account)
                    .patch(volunteer_api::change)
                    .delete(volunteer_api::delete),
            )
            .route("/volunteer/v1/hosts", get(volunteer_api::hosts))
            .route("/volunteer/v1/results", get(volunteer_api::results))
            .route("/volunteer/v1/export", get(volunteer_api::export))
            .route(
                "/volunteer/v1/teams",
                get(volunteer_api::teams).post(volunteer_api::create_team),
            )
            .route("/volunteer/v1/team", put(volunteer_api::join_team))
            .fallback(nothing_here)
            .with_state(self.clone())
    }

    /// Calls the record in turn; `None` where too many wait.
    pub(super) async fn call<T: Send + 'static>(
        &self,
        client: Client,
        work: impl FnOnce(&Inside, f64) -> T + Send + 'static,
    ) -> Option<T> {
        let waiting = self.0.waiting.try_take(client.network, 1).ok()?;
        let load = 1.0 - self.0.waiting.left() as f64 / self.0.all_waiting.max(1) as f64;
        let turn = Arc::clone(&self.0.calls).acquire_owned().await.ok()?;
        let inside = Arc::clone(&self.0);
        let called = tokio::task::spawn_blocking(move || {
            let _places = (waiting, turn);
            work(&inside, load)
        });
        match called.await {
            Ok(answer) => Some(answer),
            Err(error) => {
                tracing::error!(%error, "a call of the record broke off");
                None
            }
        }
    }

    /// Reads what was sent, if it is not too large and does not take too long.
    pub(super) async fn read(
        &self,
        client: Client,
        headers: &HeaderMap,
        body: Body,
        most: usize,
    ) -> Result<(Bytes, Taken), Response> {
        let room = self.room(client, headers, most).map_err(NoRoom::into_response)?;
        let reading = axum::body::to_bytes(body, most);
        match tokio::time::timeout(self.0.body, reading).await {
            Ok(Ok(bytes)) => Ok((bytes, room)),
            Ok(Err(_)) => Err(plain(StatusCode::PAYLOAD_TOO_LARGE, "too large, or cut off")),
            Err(_) => Err(plain(StatusCode::REQUEST_TIMEOUT, "the request took too long to come")),
        }
    }

    /// Room for what somebody is about to send.
    pub(super) fn room(
        &self,
        client: Client,
        headers: &HeaderMap,
        most: usize,
    ) -> Result<Taken, NoRoom> {
        let told = single(headers, &header::CONTENT_LENGTH);
        let length = told.and_then(|length| length.parse::<usize>().ok()).unwrap_or(most);
        if length > most {
            return Err(NoRoom::TooLarge);
        }
        let kilobytes = length.div_ceil(1024).max(1);
        self.0.kilobytes.try_take(client.network, kilobytes).map_err(NoRoom::Full)
    }

    pub(super) fn body_time(&self) -> Duration {
        self.0.body
    }
}

/// Why there is no room for what somebody is about to send.
#[derive(Clone, Copy, Debug)]
pub(super) enum NoRoom {
    TooLarge,
    Full(Full),
}

impl IntoResponse for NoRoom {
    fn into_response(self) -> Response {
        match self {
            NoRoom::TooLarge => plain(StatusCode::PAYLOAD_TOO_LARGE, "too large"),
            NoRoom::Full(full) => plain(full.status(), &full.to_string()),
        }
    }
}

fn count(watched: &Weak<Inside>) {
    while let Some(inside) = watched.upgrade() {
        if let Err(error) = inside.scheduler.record.count_credit() {
            tracing::warn!(%error, "credit is not counted yet");
        }
        drop(inside);
        thread::sleep(COUNTING);
    }
}

async fn schedule(
    State(door): State<BoincDoor>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let (bytes, room) = match door.read(client, &headers, body, LARGEST_REQUEST).await {
        Ok(read) => read,
        Err(refusal) => return refusal,
    };
    let from = client.address;
    let replied = door.call(client, move |inside, load| {
        let _room = room;
        inside.scheduler.reply(&bytes, from, load)
    });
    match replied.await {
        Some(reply) => xml(reply),
        None => plain(StatusCode::SERVICE_UNAVAILABLE, "too many ask at once; please come back"),
    }
}

async fn nothing_here() -> Response {
    plain(StatusCode::NOT_FOUND, "there is nothing here")
}

pub(super) fn xml(text: String) -> Response {
    ([(header::CONTENT_TYPE, "text/xml; charset=utf-8")], text).into_response()
}

pub(super) fn plain(status: StatusCode, words: &str) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    (status, kind, format!("{words}\n")).into_response()
}
