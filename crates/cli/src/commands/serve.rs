//! `zermelo serve`, and `zermelo` alone: the web table.

use std::net::SocketAddr;

use anyhow::Result;
use serde::Serialize;
use web::{Server, ServerOptions};

use crate::again;
use crate::args;
use crate::complaint;
use crate::files;
use crate::opening::{Opening, admin_file};
use crate::output::{Answer, Console};

#[derive(Serialize)]
struct Serving<'a> {
    address: String,
    page: bool,
    store: Option<String>,
    /// If it was made just now.
    #[serde(skip_serializing_if = "Option::is_none")]
    admin_token: Option<&'a str>,
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
        address: arguments.listening.address(),
        port: arguments.listening.port(),
        names: arguments.name.clone(),
        proxies: arguments.proxy.clone(),
        store: store.clone(),
        engines: files::engines(),
        tables: files::tables(),
        guest_engines: arguments.guest_engines,
        ..usual
    };
    options.admin = admin_file(&arguments.admin);
    let is_open = !options.is_private();
    // On one's own machine old games are one's own.
    let age = arguments.keep_days.or((!options.is_private()).then_some(KEPT_DAYS));
    options.keep.days = age;
    options.keep.games = arguments.keep_games;
    if !options.address.is_loopback() {
        console.warn(
            "everybody who can reach this address can play here, and nothing is encrypted: send the \
             admin token through a proxy with TLS, or from this machine",
        );
    }
    let store = store.map(|file| file.display().to_string());
    let mut announced = Ok(Answer::Yes);
    web::serve(options, |server| {
        let opening = Opening::of(&arguments.admin, arguments.listening, is_open, console);
        // People play all the same.
        let opening = opening.unwrap_or_else(|error| {
            console.warn(&complaint::in_words(&error));
            Opening::default()
        });
        announced = announce(server, store, &opening, console);
    })?;
    announced
}

fn announce(
    server: &Server,
    store: Option<String>,
    opening: &Opening,
    console: &Console,
) -> Result<Answer> {
    let address = format!("http://{}/", reachable(server.address()?));
    let admin_token = opening.revealed();
    let serving = Serving { address, page: server.has_page(), store, admin_token };
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
        opening.show(out)?;
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
