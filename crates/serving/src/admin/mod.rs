//! [`Admin`]: who may do more than play, work and look at a server that others can reach: whoever has
//! the admin token, sent as a bearer header, or a cookie that was given for it.
//!
//! The token has 256 random bits. Its SHA-256 stands in a file that only its owner can read, one for
//! all servers of a user; it is read anew each time, so that a token that was replaced is worth
//! nothing from then on, and neither are the cookies that were given for it. Tokens are neither
//! logged nor sent back. Where nobody but the machine's own users can come in, everything is granted
//! without one, but not to pages of other sites.

mod file;
mod routes;
mod sessions;

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Mutex;

use axum::Json;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::clients::{Client, single};
use crate::rates::{Rate, Rates, TooOften};
pub use file::{AdminError, AdminToken, make_admin_token};
use sessions::Sessions;

/// How a server knows its admin.
#[derive(Clone, Debug, Default)]
pub struct AdminOptions {
    /// Where the hash of the token is kept; without one nobody is the admin of an open server.
    pub file: Option<PathBuf>,
    /// Whether others than the machine's own users can come in.
    pub is_open: bool,
    /// Whether it speaks TLS, or a proxy in front of it does: then cookies are never sent without.
    pub is_encrypted: bool,
}

/// See the module.
#[derive(Debug)]
pub struct Admin {
    options: AdminOptions,
    wrong: Rates,
    sessions: Mutex<Sessions>,
}

/// How often an address may be wrong about the token, or sign in.
const ATTEMPTS: Rate = Rate { burst: 10.0, per_second: 0.1 };

/// Why somebody is not the admin. Prints as one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AdminRefusal {
    /// It has not said that it is.
    #[error(
        "this needs the admin token, which was shown at the first start with --listen: send it as \
         \"Authorization: Bearer TOKEN\", or sign in at /admin"
    )]
    Missing,
    /// What it says is wrong, or was right before.
    #[error("this is not the admin token; --new-admin-token makes another")]
    Wrong,
    /// A page of another site speaks through somebody's browser.
    #[error("requests of other pages are not answered")]
    OtherSite,
    /// It was wrong too often.
    #[error(transparent)]
    TooOften(#[from] TooOften),
}

impl AdminRefusal {
    /// What HTTP says to that.
    #[must_use]
    pub fn status(self) -> StatusCode {
        match self {
            AdminRefusal::Missing | AdminRefusal::Wrong => StatusCode::UNAUTHORIZED,
            AdminRefusal::OtherSite => StatusCode::FORBIDDEN,
            AdminRefusal::TooOften(_) => StatusCode::TOO_MANY_REQUESTS,
        }
    }
}

#[derive(serde::Serialize)]
struct RefusalJson {
    error: String,
}

impl IntoResponse for AdminRefusal {
    fn into_response(self) -> Response {
        let error = self.to_string();
        let mut response = (self.status(), Json(RefusalJson { error })).into_response();
        if self.status() == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
        }
        response
    }
}

/// Browsers say with this where a request comes from.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

impl Admin {
    /// Of a server like that.
    #[must_use]
    pub fn new(options: AdminOptions) -> Admin {
        Admin { options, wrong: Rates::new(ATTEMPTS), sessions: Mutex::default() }
    }

    /// Whether others than the machine's own users can come in.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.options.is_open
    }

    /// Whether whoever asks is the admin.
    ///
    /// # Errors
    /// Says why not.
    pub fn check(
        &self,
        method: &Method,
        headers: &HeaderMap,
        client: Client,
    ) -> Result<(), AdminRefusal> {
        if headers.contains_key(header::AUTHORIZATION) {
            // No page of another site can send this header.
            return self.check_token(bearer(headers).unwrap_or_default(), client.network);
        }
        if is_of_other_site(headers) {
            return Err(AdminRefusal::OtherSite);
        }
        if !self.options.is_open {
            let host = single(headers, &header::HOST).unwrap_or_default();
            // A name that somebody pointed at this machine would be theirs.
            return if is_this_machine(host) { Ok(()) } else { Err(AdminRefusal::OtherSite) };
        }
        let cookie = sessions::cookie(headers).ok_or(AdminRefusal::Missing)?;
        let hash = self.hash().ok_or(AdminRefusal::Missing)?;
        if !self.sessions().knows(&cookie, &hash) {
            return Err(AdminRefusal::Missing);
        }
        // A browser that does not say where a change comes from is too old to be trusted with one.
        let is_told = [header::ORIGIN, FETCH_SITE].iter().any(|name| headers.contains_key(name));
        match method.is_safe() || is_told {
            true => Ok(()),
            false => Err(AdminRefusal::OtherSite),
        }
    }

    /// Whether this is the token; who is wrong too often is told to wait.
    fn check_token(&self, token: &str, from: IpAddr) -> Result<(), AdminRefusal> {
        if self.hash().is_some_and(|hash| file::is_equal(&hash, &file::hash_of(token))) {
            return Ok(());
        }
        self.wrong.take(from)?;
        Err(AdminRefusal::Wrong)
    }

    fn hash(&self) -> Option<[u8; 32]> {
        self.options.file.as_deref().and_then(file::read_hash)
    }

    fn sessions(&self) -> std::sync::MutexGuard<'_, Sessions> {
        self.sessions.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = single(headers, &header::AUTHORIZATION)?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

/// Whether a browser says that another page has asked.
fn is_of_other_site(headers: &HeaderMap) -> bool {
    let host = single(headers, &header::HOST).unwrap_or_default();
    let is_own = |origin: &str| {
        let of = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
        let bare = |host: &str| {
            host.strip_suffix(":443")
                .or_else(|| host.strip_suffix(":80"))
                .unwrap_or(host)
                .to_owned()
        };
        of.map(bare) == Some(bare(host))
    };
    let foreign_origin = headers.contains_key(header::ORIGIN)
        && !single(headers, &header::ORIGIN).is_some_and(is_own);
    let foreign_fetch = headers.contains_key(FETCH_SITE)
        && !single(headers, &FETCH_SITE).is_some_and(|site| matches!(site, "same-origin" | "none"));
    foreign_origin || foreign_fetch
}

/// Whether a `Host` is an address of this machine alone.
fn is_this_machine(host: &str) -> bool {
    let is_port = |port: &str| !port.is_empty() && port.bytes().all(|digit| digit.is_ascii_digit());
    let name = match host.rsplit_once(':') {
        Some((name, port)) if is_port(port) && (!name.contains(':') || name.ends_with(']')) => name,
        _ => host,
    };
    let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
    let is_loopback = |ip: IpAddr| ip.to_canonical().is_loopback();
    name.eq_ignore_ascii_case("localhost") || bare.parse().is_ok_and(is_loopback)
}
