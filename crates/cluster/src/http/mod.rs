//! The HTTPS door: [`WorkDoor`] for workers on other machines, by the protocol of
//! [`wire`](crate::wire).
//!
//! Whoever asks is believed in nothing: connections, requests, bodies and calls of the record are
//! limited, by address and all together; tokens come in a header, and are neither logged nor sent
//! back. Without TLS it serves its own machine, or a proxy that is named.

mod guest;
mod refusal;
mod routes;

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use axum::Router;
use serving::{Intake, Proxies, Rate, Rates, Room, Share, Tls};
use solve::message::SolverVersion;
use tokio::sync::{Semaphore, watch};

use crate::door::WorkDoor;
use crate::metrics::DoorCounters;
use crate::wire::{AboutJson, ErrorJson, PROTOCOL, versions_json};
use guest::Reception;
pub(crate) use routes::nothing_here;

/// How a door is served.
#[derive(Debug)]
pub struct DoorOptions {
    /// Certificate and key, if not plain HTTP.
    pub tls: Option<Tls>,
    /// Servers in front of this one, whose header says for whom they ask.
    pub proxies: Vec<IpAddr>,
    /// The solver versions that units are made for, by family.
    pub versions: Vec<(String, SolverVersion)>,
    /// How to get a program of these versions, in one line.
    pub upgrade: String,
    /// How much is granted.
    pub limits: DoorLimits,
    /// Counts what is done here.
    pub counters: Arc<DoorCounters>,
}

/// How much a door grants.
#[derive(Clone, Copy, Debug)]
pub struct DoorLimits {
    /// Connections. Those of a named proxy have no limit of their own.
    pub connections: Share,
    /// Requests of one address.
    pub requests: Rate,
    /// Calls of the record that are under way or wait.
    pub waiting: Share,
    /// Calls of the record under way.
    pub calls: usize,
    /// Kilobytes of requests that are being read.
    pub kilobytes: Share,
    /// For the head of a request, and for its body.
    pub request: Duration,
    /// So long a visitor may take to take what was written.
    pub stuck: Duration,
    /// So long requests under way may take once the server is to end.
    pub grace: Duration,
}

/// With fewer open files than that, there are fewer connections.
const MOST_CONNECTIONS: usize = 4096;

impl Default for DoorLimits {
    fn default() -> DoorLimits {
        let files = serving::open_files().map_or(MOST_CONNECTIONS, |files| files / 4 * 3);
        let connections = files.clamp(8, MOST_CONNECTIONS);
        DoorLimits {
            connections: Share { each: connections / 4, all: connections },
            requests: Rate { burst: 1000.0, per_second: 100.0 },
            waiting: Share { each: 256, all: 1024 },
            calls: 16,
            kilobytes: Share { each: 32 << 10, all: 128 << 10 },
            request: Duration::from_secs(15),
            stuck: Duration::from_secs(15),
            grace: Duration::from_secs(20),
        }
    }
}

impl Default for DoorOptions {
    fn default() -> DoorOptions {
        DoorOptions {
            tls: None,
            proxies: Vec::new(),
            versions: Vec::new(),
            upgrade: "use the program of the version that the server has".to_owned(),
            limits: DoorLimits::default(),
            counters: Arc::default(),
        }
    }
}

/// Why a door cannot be served. Prints as one line.
#[derive(Debug, thiserror::Error)]
pub enum DoorServerError {
    /// Anybody on the way could read tokens.
    #[error(
        "{0} is open to other machines, and without TLS everybody on the way could read tokens: \
         give a certificate and its key, or name the proxy that has them with --proxy"
    )]
    Plain(SocketAddr),
    /// The system does not let it work.
    #[error("the door cannot be served: {0}")]
    Failed(#[from] io::Error),
}

/// A door that is served, on threads of its own, until it is stopped or dropped.
#[derive(Debug)]
pub struct DoorServer {
    addresses: Vec<SocketAddr>,
    end: watch::Sender<bool>,
    thread: Option<JoinHandle<()>>,
}

impl DoorServer {
    /// Serves on these listeners. Paths that the protocol does not have are answered by `more`.
    ///
    /// # Errors
    /// If others could come in without TLS, or the system does not let it work.
    pub fn start(
        listeners: Vec<TcpListener>,
        door: Arc<dyn WorkDoor>,
        options: DoorOptions,
        more: Router,
    ) -> Result<DoorServer, DoorServerError> {
        let addresses: Vec<SocketAddr> =
            listeners.iter().map(TcpListener::local_addr).collect::<Result<_, _>>()?;
        let is_plain = |address: &&SocketAddr| !address.ip().to_canonical().is_loopback();
        if options.tls.is_none()
            && options.proxies.is_empty()
            && let Some(&open) = addresses.iter().find(is_plain)
        {
            return Err(DoorServerError::Plain(open));
        }
        let (intake, reception) = limited(door, options);
        let router = routes::router(reception, more);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .worker_threads(2)
            .thread_name("door")
            .build()?;
        let (end, is_end) = watch::channel(false);
        let listeners = {
            let _inside = runtime.enter();
            let listen = |listener: TcpListener| {
                listener.set_nonblocking(true)?;
                tokio::net::TcpListener::from_std(listener)
            };
            listeners.into_iter().map(listen).collect::<io::Result<Vec<_>>>()?
        };
        let serve = move || {
            let serving: Vec<_> = listeners
                .into_iter()
                .map(|listener| {
                    let mut is_end = is_end.clone();
                    let (router, intake) = (router.clone(), intake.clone());
                    runtime.spawn(async move {
                        let end = async {
                            let _ = is_end.wait_for(|&end| end).await;
                        };
                        serving::serve(listener, router, intake, end).await;
                    })
                })
                .collect();
            for served in serving {
                let _ = runtime.block_on(served);
            }
            // What calls of the record are left is not waited for.
            runtime.shutdown_background();
        };
        let thread = std::thread::Builder::new().name("doors".to_owned()).spawn(serve)?;
        Ok(DoorServer { addresses, end, thread: Some(thread) })
    }

    /// Where it listens.
    #[must_use]
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    /// Takes nobody in any longer; returns when what is under way is answered.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.end.send_replace(true);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for DoorServer {
    fn drop(&mut self) {
        self.end();
    }
}

/// How connections are taken in, and who attends to them.
fn limited(door: Arc<dyn WorkDoor>, options: DoorOptions) -> (Intake, Reception) {
    let DoorOptions { tls, proxies, versions, upgrade, limits, counters } = options;
    let proxies: Proxies = proxies.into_iter().collect();
    let about = AboutJson {
        protocol: PROTOCOL,
        program: concat!("zermelo ", env!("CARGO_PKG_VERSION")).to_owned(),
        versions: versions_json(&versions),
        upgrade,
    };
    let intake = Intake {
        connections: Arc::new(Room::new(limits.connections)),
        proxies: proxies.clone(),
        head: limits.request,
        stuck: limits.stuck,
        turned_away: |full| {
            let (error, code) = (full.to_string(), refusal::code(full));
            serde_json::to_string(&ErrorJson { error, code }).unwrap_or_default()
        },
        tls: tls.map(Arc::new),
        grace: limits.grace,
    };
    counters.watch_connections(&intake.connections);
    let reception = Reception {
        door,
        counters,
        about: Arc::new(about),
        problems: Arc::default(),
        only_proxies: intake.tls.is_none(),
        proxies,
        requests: Arc::new(Rates::new(limits.requests)),
        waiting: Arc::new(Room::new(limits.waiting)),
        calls: Arc::new(Semaphore::new(limits.calls)),
        kilobytes: Arc::new(Room::new(limits.kilobytes)),
        body_time: limits.request,
    };
    (intake, reception)
}
