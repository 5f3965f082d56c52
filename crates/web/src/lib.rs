//! The web table: a server for the page in `ui/`, which it carries along, and for anything else that speaks its
//! JSON (`docs/web.md`).
//!
//! The server is the only judge of rules; what happens is stored before anybody hears of it; bots think on a bounded
//! number of threads and only while somebody waits. Modules, from the inside out: `sheet` is the game as events with the
//! `offers` of its players and their `clock`s, `store` keeps them, `history` lists them; `thinking` searches, with `players` who wait for their next
//! move and `engines` by name, and `review` looks at whole games, with what positions are `worth`; `exact` shows tables of solved games; `people` are who is there;
//! `table` brings these together, `house` holds all tables, the `timekeeper` counts turns by the server's `time`; `guard`, `limits`,
//! `guest`, `api`, `socket` and `page` are the ways in.

mod api;
mod board;
mod clock;
#[cfg(test)]
mod documents;
mod engines;
mod exact;
mod guard;
mod guest;
mod history;
mod house;
mod judgement;
mod limits;
mod offers;
mod openings;
mod page;
mod people;
mod permits;
mod players;
mod refusal;
mod review;
mod seats;
mod sheet;
mod socket;
mod store;
mod table;
mod thinking;
mod time;
mod timekeeper;
mod typescript;
mod wire;
mod worth;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;

use guard::Door;
use house::{House, Resources};
pub use limits::VisitorLimits;
pub use serving::Share;
use serving::{Admin, AdminOptions, Intake, Rate, Rates};
pub use store::{Keep, TableStoreError};
use thinking::{Crew, Pool};
pub use time::Time;
use timekeeper::Timekeeper;

/// The port that is tried first; the next ones follow.
pub const USUAL_PORT: u16 = 8600;
/// How many of them.
const PORTS_TRIED: u16 = 20;
/// How many games one address may set up.
const FOUNDING: Rate = Rate { burst: 100.0, per_second: 1.0 };
const JUDGING: Rate = Rate { burst: 20.0, per_second: 0.2 };
/// How many requests of any kind one address may make.
const ASKING: Rate = Rate { burst: 400.0, per_second: 50.0 };
/// How often it is looked for games that are kept no longer.
const SWEEPS: Duration = Duration::from_secs(60 * 60);

/// How to serve.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Where to listen.
    pub address: IpAddr,
    /// On which port; by default the first free one from [`USUAL_PORT`] on.
    pub port: Option<u16>,
    /// Names under which browsers may reach it beside its addresses, each with its port if it has one.
    pub names: Vec<String>,
    /// Where games are kept; by default they are forgotten with the program.
    pub store: Option<PathBuf>,
    /// How many searches run at once.
    pub searches: usize,
    /// The list of engines that have names ([`arena::Registry`]).
    pub engines: Option<PathBuf>,
    /// Where tables of solved games are.
    pub tables: Option<PathBuf>,
    /// How long visitors are waited for.
    pub patience: Timeouts,
    /// What visitors may take at once.
    pub limits: VisitorLimits,
    /// Servers in front of this one, whose header says for whom they ask.
    pub proxies: Vec<IpAddr>,
    /// Which games are kept.
    pub keep: Keep,
    /// Where the hash of the admin token is; without it nobody is the admin where others come in.
    pub admin: Option<PathBuf>,
    /// Where it has its time from.
    pub time: Time,
    /// Whether guests may play engines that have names, where others come in.
    pub guest_engines: bool,
}

impl ServerOptions {
    /// Whether nobody but the machine's own users can come in. With a name or a proxy, others may come in through a
    /// server in front of this one.
    #[must_use]
    pub fn is_private(&self) -> bool {
        self.address.is_loopback() && self.names.is_empty() && self.proxies.is_empty()
    }
}

/// How long visitors are waited for.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// For a whole request: its head, and then its body. As long as that a connection may stay unused.
    pub request: Duration,
    /// For the first word on a socket.
    pub hello: Duration,
    /// After so long a quiet socket is asked whether it is still there.
    pub ping: Duration,
    /// After so long without a word, not even an answer to that, it is closed.
    pub silence: Duration,
    /// So long a visitor may take to take what was written, or some 16 KB of it.
    pub stuck: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            request: Duration::from_secs(15),
            hello: Duration::from_secs(10),
            ping: Duration::from_secs(20),
            silence: Duration::from_secs(60),
            stuck: Duration::from_secs(15),
        }
    }
}

impl Default for ServerOptions {
    fn default() -> ServerOptions {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        ServerOptions {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: None,
            names: Vec::new(),
            store: None,
            searches: cores,
            engines: None,
            tables: None,
            patience: Timeouts::default(),
            limits: VisitorLimits::default(),
            proxies: Vec::new(),
            keep: Keep::default(),
            admin: None,
            time: Time::default(),
            guest_engines: false,
        }
    }
}

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address is taken, or not ours.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, io::Error),
    /// Where games should be kept, they cannot be.
    #[error("cannot keep games in {0}: {1}")]
    Folder(PathBuf, io::Error),
    /// Nor can they be read.
    #[error(transparent)]
    Store(#[from] TableStoreError),
    /// The system does not let it work.
    #[error("the server failed: {0}")]
    Failed(#[from] io::Error),
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    door: Door,
    damage: Vec<String>,
}

impl Server {
    /// Opens the store and begins to listen.
    ///
    /// # Errors
    /// If either cannot be done.
    pub async fn bind(options: ServerOptions) -> Result<Server, Error> {
        if let Some(folder) = options.store.as_deref().and_then(std::path::Path::parent) {
            let failed = |error| Error::Folder(folder.to_owned(), error);
            storage::make_private_folder(folder).map_err(failed)?;
        }
        if let Some(engines) = options.engines.as_deref().filter(|file| file.exists()) {
            let failed = |error| Error::Folder(engines.to_owned(), error);
            storage::keep_private(engines).map_err(failed)?;
        }
        let store = store::Store::open(options.store.as_deref())?;
        let damage = store.damage()?;
        let timekeeper = Timekeeper::new(options.time.clone());
        for (id, turn, used) in store.turns()? {
            timekeeper.follow(&id, Some(turn), used);
        }
        let listener = listen(&options).await?;
        let is_private = options.is_private();
        let admin = Admin::new(AdminOptions {
            file: options.admin,
            is_open: !is_private,
            // The table speaks no TLS; a proxy that is named does.
            is_encrypted: !options.proxies.is_empty(),
        });
        let pool = Pool::new(options.searches.max(1));
        let roster = engines::Roster::new(options.engines);
        let crew = Arc::new(Crew { roster, players: players::Players::default() });
        let door = Door {
            house: Arc::new(House::new(Resources {
                store,
                pool,
                crew,
                askers: Arc::default(),
                tables: exact::Tables::new(options.tables),
                timekeeper,
                keep: options.keep,
            })),
            is_private,
            admin: Arc::new(admin),
            guest_engines: options.guest_engines,
            patience: options.patience,
            names: options.names.into(),
            founding: Arc::new(Rates::new(FOUNDING)),
            judging: Arc::new(Rates::new(JUDGING)),
            asking: Arc::new(Rates::new(ASKING)),
            rooms: Arc::new(limits::Rooms::new(options.limits)),
            proxies: options.proxies.into_iter().collect(),
        };
        Ok(Server { listener, door, damage })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// If the system does not say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Whether it has a page to show.
    #[must_use]
    pub fn has_page(&self) -> bool {
        page::is_there()
    }

    /// What was found to be damaged in the store, a line each.
    #[must_use]
    pub fn damage(&self) -> &[String] {
        &self.damage
    }

    /// Serves until the program ends.
    pub async fn run(self) {
        let pass = axum::middleware::from_fn_with_state(self.door.clone(), guard::pass);
        let router = axum::Router::new()
            .nest("/api", api::routes())
            .merge(self.door.admin.routes())
            .fallback(axum::routing::get(page::get))
            .layer(pass)
            .with_state(self.door.clone());
        let sweeping = tokio::spawn(sweep(Arc::clone(&self.door.house)));
        let timing = tokio::spawn(keep_time(Arc::clone(&self.door.house)));
        let Door { rooms, proxies, patience, .. } = self.door;
        let intake = Intake {
            connections: Arc::clone(&rooms.connections),
            proxies,
            head: patience.request,
            stuck: patience.stuck,
            turned_away: |full| refusal::Refusal::from(full).json(),
            tls: None,
            grace: Duration::ZERO,
        };
        serving::serve(self.listener, router, intake, std::future::pending()).await;
        sweeping.abort();
        timing.abort();
    }
}

/// Removes old games now and then.
async fn sweep(house: Arc<House>) {
    let mut often = tokio::time::interval(SWEEPS);
    loop {
        often.tick().await;
        let house = Arc::clone(&house);
        let _ = tokio::task::spawn_blocking(move || house.sweep()).await;
    }
}

/// Has flags fall, whether or not somebody asks.
async fn keep_time(house: Arc<House>) {
    loop {
        let timekeeper = &house.resources().timekeeper;
        timekeeper.wait(timekeeper.now()).await;
        let house = Arc::clone(&house);
        let _ = tokio::task::spawn_blocking(move || house.keep_time()).await;
    }
}

async fn listen(options: &ServerOptions) -> Result<TcpListener, Error> {
    let tried = match options.port {
        Some(port) => port..=port,
        None => USUAL_PORT..=USUAL_PORT + PORTS_TRIED,
    };
    let last = *tried.end();
    for port in tried {
        let address = SocketAddr::new(options.address, port);
        match TcpListener::bind(address).await {
            Ok(listener) => return Ok(listener),
            Err(error) if error.kind() == io::ErrorKind::AddrInUse && port < last => {}
            Err(error) => return Err(Error::Listen(address, error)),
        }
    }
    unreachable!("the last port is answered for")
}

/// Serves until it is interrupted, on threads of its own. `announce` hears of the server once it listens.
///
/// # Errors
/// If there is no server to be had.
pub fn serve(options: ServerOptions, announce: impl FnOnce(&Server)) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let server = Server::bind(options).await?;
        announce(&server);
        let house = Arc::clone(&server.door.house);
        let served = tokio::select! {
            () = server.run() => Ok(()),
            wished = serving::wish_to_end() => wished,
        };
        // Programs that were started do not outlive this one.
        let _ = tokio::task::spawn_blocking(move || house.close()).await;
        Ok(served?)
    });
    // Searches end with the program.
    runtime.shutdown_background();
    served
}
