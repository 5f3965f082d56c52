//! [`Metrics`]: one page for operators, in Prometheus' text format: how projects stand, what the
//! record and this door do, and what somebody would want to be woken up for.

mod counters;
mod histogram;
mod platform;
mod projects;
mod text;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serving::{Admin, AdminRefusal, Client};

use crate::record::{ClusterRecord, RecordError, RecordOverview};
pub use counters::DoorCounters;
pub(crate) use histogram::Histogram;
pub use text::METRICS_TYPE;
use text::MetricsText;

/// See the module.
#[derive(Debug)]
pub struct Metrics {
    record: ClusterRecord,
    door: Arc<DoorCounters>,
    began: SystemTime,
    seen: Mutex<Option<(Instant, RecordOverview)>>,
}

/// So long what the record said is told again: who asks more often does not burden it.
const FRESH: Duration = Duration::from_secs(5);

impl Metrics {
    /// Of a record, and of the door that counts here.
    #[must_use]
    pub fn new(record: &ClusterRecord, door: &Arc<DoorCounters>) -> Metrics {
        let (record, door) = (record.clone(), Arc::clone(door));
        Metrics { record, door, began: SystemTime::now(), seen: Mutex::default() }
    }

    /// The page as it is now. If the record does not answer it says so, with all the rest.
    #[must_use]
    pub fn page(&self) -> String {
        let mut page = MetricsText::default();
        let overview = self.overview();
        if let Err(error) = &overview {
            tracing::warn!(%error, "the record does not answer for the page of metrics");
        }
        let help = "Whether the record answers.";
        page.gauge("zermelo_record_up", help).add(&[], overview.is_ok());
        if let Ok(overview) = overview {
            projects::write(&overview, &mut page);
        }
        self.record.counters().write(&mut page);
        self.door.write(&mut page);
        self.write_process(&mut page);
        page.finish()
    }

    fn overview(&self) -> Result<RecordOverview, RecordError> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, overview)) = &*seen
            && at.elapsed() < FRESH
        {
            return Ok(overview.clone());
        }
        let overview = self.record.overview()?;
        *seen = Some((Instant::now(), overview.clone()));
        Ok(overview)
    }

    fn write_process(&self, page: &mut MetricsText) {
        let version = env!("CARGO_PKG_VERSION");
        let engine = if self.record.is_shared() { "postgresql" } else { "sqlite" };
        let help = "The program and the engine of its record.";
        page.gauge("zermelo_build_info", help)
            .add(&[("version", version), ("record", engine)], 1_u64);
        let began = self.began.duration_since(UNIX_EPOCH).unwrap_or_default();
        let help = "When this server was started, in seconds since 1970.";
        page.gauge("process_start_time_seconds", help).add(&[], began);
        let used = platform::process_use();
        if let Some(seconds) = used.cpu_seconds {
            let help = "Processor time of this server.";
            page.counter("process_cpu_seconds_total", help).add(&[], seconds);
        }
        if let Some(bytes) = used.memory {
            page.gauge("process_resident_memory_bytes", "Memory of this server.").add(&[], bytes);
        }
        if let Some(files) = used.files {
            page.gauge("process_open_fds", "Open files of this server.").add(&[], files);
        }
    }
}

/// `GET /metrics`, for the admin, and where the admin signs in.
pub fn metrics_router(metrics: Metrics, admin: &Arc<Admin>) -> Router {
    Router::new()
        .route("/metrics", get(answer))
        .with_state((Arc::new(metrics), Arc::clone(admin)))
        .merge(admin.routes())
        .fallback(crate::http::nothing_here)
}

async fn answer(
    State((metrics, admin)): State<(Arc<Metrics>, Arc<Admin>)>,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
) -> Result<Response, AdminRefusal> {
    admin.check(&Method::GET, &headers, client)?;
    let page = tokio::task::spawn_blocking(move || metrics.page()).await;
    Ok(match page {
        Ok(page) => ([(header::CONTENT_TYPE, METRICS_TYPE)], page).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    })
}
