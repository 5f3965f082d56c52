//! The web table: a server for the page in `ui/`, which it carries along, and for anything else that speaks its
//! JSON (`docs/web.md`).
//!
//! The server is the only judge of rules; what happens is stored before anybody hears of it; bots think on a bounded
//! number of threads and only while somebody waits. Modules, from the inside out: `sheet` is the game as events, `store`
//! keeps them, `thinking` searches, `table` brings these together, `house` holds all tables; `guard`, `api`,
//! `socket` and `page` are the ways in.

mod api;
mod board;
mod guard;
mod house;
mod page;
mod refusal;
mod seats;
mod sheet;
mod socket;
mod store;
mod table;
mod thinking;
mod wire;

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use guard::{Door, Ends, Rate, Rates};
use house::House;
pub use store::StoreError;
use thinking::Pool;

/// The port that is tried first; the next ones follow.
pub const USUAL_PORT: u16 = 8600;
/// How many of them.
const PORTS_TRIED: u16 = 20;
const MOST_SOCKETS: usize = 4096;

/// How to serve.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where to listen.
    pub address: IpAddr,
    /// On which port; unless told, the first free one from [`USUAL_PORT`] on.
    pub port: Option<u16>,
    /// Names under which browsers may reach it beside its addresses, each with its port if it has one.
    pub names: Vec<String>,
    /// Where games are kept; unless told, they are forgotten with the program.
    pub store: Option<PathBuf>,
    /// How many searches run at once.
    pub searches: usize,
}

impl Default for Options {
    fn default() -> Options {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Options {
            address: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: None,
            names: Vec::new(),
            store: None,
            searches: cores,
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
    Store(#[from] StoreError),
    /// The system does not let it work.
    #[error("the server failed: {0}")]
    Failed(#[from] io::Error),
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    door: Door,
}

impl Server {
    /// Opens the store and begins to listen.
    ///
    /// # Errors
    /// If either cannot be done.
    pub async fn bind(options: Options) -> Result<Server, Error> {
        if let Some(folder) = options.store.as_deref().and_then(std::path::Path::parent) {
            let failed = |error| Error::Folder(folder.to_owned(), error);
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        let store = store::Store::open(options.store.as_deref())?;
        let listener = listen(&options).await?;
        let door = Door {
            house: Arc::new(House::new(store, Pool::new(options.searches.max(1)))),
            names: options.names.into(),
            founding: Rates::new(Rate { burst: 100.0, per_second: 1.0 }),
            asking: Rates::new(Rate { burst: 400.0, per_second: 50.0 }),
            sockets: Arc::new(Semaphore::new(MOST_SOCKETS)),
        };
        Ok(Server { listener, door })
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

    /// Serves until the program ends.
    ///
    /// # Errors
    /// If the listener breaks.
    pub async fn run(self) -> io::Result<()> {
        let pass = axum::middleware::from_fn_with_state(self.door.clone(), guard::pass);
        let router = axum::Router::new()
            .nest("/api", api::routes())
            .fallback(axum::routing::get(page::get))
            .layer(pass)
            .with_state(self.door);
        axum::serve(self.listener, router.into_make_service_with_connect_info::<Ends>()).await
    }
}

async fn listen(options: &Options) -> Result<TcpListener, Error> {
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
pub fn serve(options: Options, announce: impl FnOnce(&Server)) -> Result<(), Error> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(async {
        let server = Server::bind(options).await?;
        announce(&server);
        tokio::select! {
            served = server.run() => Ok(served?),
            interrupted = tokio::signal::ctrl_c() => Ok(interrupted?),
        }
    });
    // Searches end with the program.
    runtime.shutdown_background();
    served
}
