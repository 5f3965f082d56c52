//! [`DoorCounters`]: what one door has done since it was opened.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use serving::Room;

use super::histogram::Histogram;
use super::text::MetricsText;
use crate::record::{PoolCounters, RecordCounters};

/// The paths of the protocol, and all others.
const PATHS: [&str; 7] = ["about", "lease", "renew", "release", "deliver", "lemma", "other"];
const OTHER: usize = PATHS.len() - 1;

/// What a door has done since it was opened.
#[derive(Debug, Default)]
pub struct DoorCounters {
    times: [Histogram; PATHS.len()],
    /// Answers by path and status.
    answers: Counts<(usize, u16)>,
    /// Refused requests by their code.
    refused: Counts<String>,
    /// What came of requests for work, and of deliveries.
    leases: Counts<&'static str>,
    deliveries: Counts<&'static str>,
    connections: OnceLock<Arc<Room>>,
}

#[derive(Debug)]
struct Counts<K>(Mutex<BTreeMap<K, u64>>);

impl<K> Default for Counts<K> {
    fn default() -> Counts<K> {
        Counts(Mutex::default())
    }
}

impl<K: Ord + Clone> Counts<K> {
    fn add(&self, key: K) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default() += 1;
    }

    fn read(&self) -> BTreeMap<K, u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl DoorCounters {
    pub(crate) fn watch_connections(&self, connections: &Arc<Room>) {
        let _ = self.connections.set(Arc::clone(connections));
    }

    pub(crate) fn answered(&self, path: &str, status: u16, code: Option<String>, took: Duration) {
        let path = path.strip_prefix("/api/v1/").and_then(|path| path.split('/').next());
        let found = PATHS[..OTHER].iter().position(|&known| Some(known) == path);
        let path = found.unwrap_or(OTHER);
        self.times[path].observe(took);
        self.answers.add((path, status));
        if let Some(code) = code {
            self.refused.add(code);
        }
    }

    pub(crate) fn leased(&self, answer: &'static str) {
        self.leases.add(answer);
    }

    pub(crate) fn delivered(&self, is_taken: bool) {
        self.deliveries.add(if is_taken { "taken" } else { "refused" });
    }

    pub(super) fn write(&self, page: &mut MetricsText) {
        let help = "Requests at this door by path and HTTP status.";
        let mut samples = page.counter("zermelo_door_requests_total", help);
        for ((path, status), count) in self.answers.read() {
            samples.add(&[("path", PATHS[path]), ("status", &status.to_string())], count);
        }
        let help = "Requests at this door that were refused, by the code of the protocol.";
        let mut samples = page.counter("zermelo_door_refused_total", help);
        for (code, count) in self.refused.read() {
            samples.add(&[("code", &code)], count);
        }
        let help = "What workers got at this door who asked for work.";
        let mut samples = page.counter("zermelo_door_leases_total", help);
        for (answer, count) in self.leases.read() {
            samples.add(&[("answer", answer)], count);
        }
        let help = "Reports and lemmas at this door.";
        let mut samples = page.counter("zermelo_door_deliveries_total", help);
        for (receipt, count) in self.deliveries.read() {
            samples.add(&[("receipt", receipt)], count);
        }
        let help = "How long requests at this door took, by path.";
        let mut samples = page.histogram("zermelo_door_request_seconds", help);
        for (path, times) in PATHS.iter().zip(&self.times) {
            samples.add_histogram(&[("path", path)], times);
        }
        let Some(connections) = self.connections.get() else { return };
        let (used, most) = connections.in_use();
        page.gauge("zermelo_door_connections", "Open connections.").add(&[], used as u64);
        let help = "How many connections may be open at once.";
        page.gauge("zermelo_door_connections_limit", help).add(&[], most as u64);
        let help = "Connections that were turned away because too many were open.";
        let refused = connections.refused();
        page.counter("zermelo_door_connections_refused_total", help).add(&[], refused);
    }
}

impl RecordCounters<'_> {
    pub(super) fn write(&self, page: &mut MetricsText) {
        let PoolCounters { reads, writes, errors, retries } = self.pool;
        let help = "How long transactions of the record took, with the wait for a connection.";
        page.histogram("zermelo_record_transaction_seconds", help)
            .add_histogram(&[("kind", "read")], reads)
            .add_histogram(&[("kind", "write")], writes);
        let help = "Transactions that the engine of the record refused, or did not answer.";
        page.counter("zermelo_record_errors_total", help).add(&[], errors.load(Relaxed));
        let help = "Transactions that collided with others and were begun again.";
        page.counter("zermelo_record_retries_total", help).add(&[], retries.load(Relaxed));
        let help = "Connections of this server to its record.";
        page.gauge("zermelo_record_connections", help)
            .add(&[("state", "used")], self.used as u64)
            .add(&[("state", "idle")], self.idle as u64);
    }
}
