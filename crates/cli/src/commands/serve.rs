//! `zermelo serve`, and `zermelo` alone: the web table.

use std::net::SocketAddr;

use anyhow::Result;
use serde::Serialize;
use web::{Server, ServerOptions};

use crate::again;
use crate::args;
use crate::files;
use crate::output::{Answer, Console};

#[derive(Serialize)]
struct Serving {
    address: String,
    page: bool,
    store: Option<String>,
}

/// For how long games are kept where others come in.
pub(crate) const KEPT_DAYS: u32 = 365;

/// Serves until it is interrupted.
pub(crate) fn run(arguments: &args::Serve, console: &Console) -> Result<Answer> {
    let store = files::private_home()?.map(|home| home.join("table.db"));
    if store.is_none() {
        console.warn("there is no home to keep games in; they are forgotten when the program ends");
    }
    let usual = ServerOptions::default();
    let mut options = ServerOptions {
        address: arguments.listen,
        port: arguments.port,
        names: arguments.name.clone(),
        proxies: arguments.proxy.clone(),
        store: store.clone(),
        engines: files::engines(),
        tables: files::tables(),
        ..usual
    };
    // On one's own machine old games are one's own.
    let age = arguments.keep_days.or((!options.is_private()).then_some(KEPT_DAYS));
    options.keep.days = age;
    options.keep.games = arguments.keep_games;
    if !options.address.is_loopback() {
        console
            .warn("everybody who can reach this address can play here, and nothing is encrypted");
    }
    let store = store.map(|file| file.display().to_string());
    let mut announced = Ok(Answer::Yes);
    web::serve(options, |server| announced = announce(server, store, console))?;
    announced
}

fn announce(server: &Server, store: Option<String>, console: &Console) -> Result<Answer> {
    let address = format!("http://{}/", reachable(server.address()?));
    let serving = Serving { address, page: server.has_page(), store };
    if !serving.page {
        console.warn(
            "the page was not built in; with Node.js 20 and npm, building the program again does it",
        );
    }
    for line in server.damage() {
        console.warn(line);
    }
    console.answer(&serving, |out| {
        writeln!(out, "Zermelo's table is at {}", serving.address)?;
        let program = again::program();
        writeln!(out, "Ctrl-C ends it; `{program} overview` tells what else there is.")
    })
}

/// An address that a browser on this machine can open.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        ip if !ip.is_unspecified() => ip,
        ip if ip.is_ipv4() => std::net::Ipv4Addr::LOCALHOST.into(),
        _ => std::net::Ipv6Addr::LOCALHOST.into(),
    };
    SocketAddr::new(ip, address.port())
}
