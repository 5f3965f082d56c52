//! [`DoorClient`]: a door on another machine.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use game::shown;
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use serde::Serialize;
use serde::de::DeserializeOwned;
use ureq::http::header::{AUTHORIZATION, RETRY_AFTER};
use ureq::http::{Response, Uri};
use ureq::tls::{Certificate, RootCerts, TlsConfig};
use ureq::{Agent, Body};

use super::folder::Key;
use crate::wire::{self, ErrorCode, ErrorJson, LARGEST_JSON, ReceiptJson, UnitIdText, WORKER_NAME};

/// Why a door cannot be asked at all. Prints as one line.
#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    /// It is no address.
    #[error("{} is no address of a server, as https://example.org", game::quote(.0))]
    Unreadable(String),
    /// Anybody on the way could read the token.
    #[error(
        "{} would send the token in the clear: http is for this machine alone, https for others",
        shown(.0)
    )]
    Plain(String),
    /// A token or a name is not something that can be sent.
    #[error("the {0} has letters that cannot be sent, or too many of them")]
    Unsendable(&'static str),
    /// The certificates cannot be read.
    #[error("{0}: {1}")]
    Certificates(PathBuf, String),
    /// The system has none.
    #[error("this system has no certificates to know servers by: give a file of them")]
    NoCertificates,
}

/// Why a door gave no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum CallError {
    /// Worth trying again, after some time.
    #[error("{why}")]
    Away { why: String, after: Option<Duration> },
    /// Of no use before something changes.
    #[error("{why}")]
    Refused { why: String, code: ErrorCode },
}

/// A door on another machine.
pub(super) struct DoorClient {
    agent: Agent,
    base: String,
    authorization: String,
    name: String,
}

/// So long a server may take for anything.
const PATIENCE: Duration = Duration::from_secs(30);
const CONNECTING: Duration = Duration::from_secs(15);
/// So long a connection is kept: servers close it not much later.
const IDLE: Duration = Duration::from_secs(10);

impl DoorClient {
    pub(super) fn new(
        url: &str,
        token: &str,
        name: &str,
        certificates: Option<&Path>,
    ) -> Result<DoorClient, AddressError> {
        let unreadable = || AddressError::Unreadable(url.to_owned());
        let uri: Uri = url.parse().map_err(|_| unreadable())?;
        let (Some(scheme), Some(host)) = (uri.scheme_str(), uri.host()) else {
            return Err(unreadable());
        };
        let is_plain = match scheme {
            "https" => false,
            "http" => true,
            _ => return Err(unreadable()),
        };
        if uri.query().is_some() || uri.authority().is_some_and(|a| a.as_str().contains('@')) {
            return Err(unreadable());
        }
        if is_plain && !is_this_machine(host) {
            return Err(AddressError::Plain(url.to_owned()));
        }
        for (what, text) in [("token", token), ("name", name)] {
            let is_fine = |c: char| c == ' ' || c.is_ascii_graphic();
            if text.len() > wire::LONGEST_NAME || !text.chars().all(is_fine) {
                return Err(AddressError::Unsendable(what));
            }
        }
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .user_agent(concat!("zermelo/", env!("CARGO_PKG_VERSION")))
            .max_idle_age(IDLE)
            .timeout_connect(Some(CONNECTING))
            .timeout_global(Some(PATIENCE));
        let config = match is_plain {
            true => config.proxy(None),
            false => config.tls_config(tls(certificates)?),
        };
        Ok(DoorClient {
            agent: config.build().new_agent(),
            base: format!("{}/api/v{}", url.trim_end_matches('/'), wire::PROTOCOL),
            authorization: format!("Bearer {token}"),
            name: name.to_owned(),
        })
    }

    /// Asks for something.
    pub(super) fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        request: &impl Serialize,
    ) -> Result<T, CallError> {
        let body = serde_json::to_vec(request).unwrap_or_default();
        let asked = self
            .agent
            .post(format!("{}/{path}", self.base))
            .header(AUTHORIZATION, &self.authorization)
            .header(WORKER_NAME, &self.name)
            .content_type("application/json")
            .send(&body[..]);
        answer(asked.map_err(|error| CallError::away(shown(&error.to_string())))?)
    }
}

impl DoorClient {
    /// Sends the file of a lemma.
    pub(super) fn put_lemma(
        &self,
        (unit, attempt): Key,
        file: &[u8],
    ) -> Result<ReceiptJson, CallError> {
        let asked = self
            .agent
            .put(format!("{}/lemma/{}/{attempt}", self.base, UnitIdText(unit)))
            .header(AUTHORIZATION, &self.authorization)
            .header(WORKER_NAME, &self.name)
            .content_type("application/octet-stream")
            .send(file);
        answer(asked.map_err(|error| CallError::away(shown(&error.to_string())))?)
    }
}

impl CallError {
    fn away(why: String) -> CallError {
        CallError::Away { why, after: None }
    }
}

fn answer<T: DeserializeOwned>(mut response: Response<Body>) -> Result<T, CallError> {
    let status = response.status();
    let after = response.headers().get(RETRY_AFTER);
    let after = after.and_then(|after| after.to_str().ok()?.parse().ok());
    // Nobody has to wait for longer than a day.
    let after = after.map(|seconds: u64| Duration::from_secs(seconds.min(24 * 3600)));
    let mut bytes = Vec::new();
    let mut from = response.body_mut().as_reader().take(LARGEST_JSON as u64 + 1);
    let got = from.read_to_end(&mut bytes);
    got.map_err(|error| CallError::away(shown(&error.to_string())))?;
    if status.is_success() {
        // A page that a proxy made up is no answer.
        return wire::read(&bytes).map_err(|error| CallError::away(error.to_string()));
    }
    let told: Option<ErrorJson> = wire::read(&bytes).ok();
    let why = match &told {
        Some(told) => format!("{}: {}", status.as_u16(), game::escaped(&told.error)),
        None => format!("the server answers {}", status.as_u16()),
    };
    let is_passing = status.is_server_error() || matches!(status.as_u16(), 408 | 429);
    let code = told.map_or(ErrorCode::Other, |told| told.code);
    Err(match is_passing || code == ErrorCode::Other {
        true => CallError::Away { why, after },
        false => CallError::Refused { why, code },
    })
}

fn is_this_machine(host: &str) -> bool {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let address = bare.parse::<std::net::IpAddr>();
    host == "localhost" || address.is_ok_and(|address| address.is_loopback())
}

/// With the certificates of a file, or those of the system.
fn tls(certificates: Option<&Path>) -> Result<TlsConfig, AddressError> {
    let known: Vec<CertificateDer<'static>> = match certificates {
        Some(file) => {
            let failed = |why: String| AddressError::Certificates(file.to_owned(), why);
            let bytes = std::fs::read(file).map_err(|error| failed(error.to_string()))?;
            CertificateDer::pem_slice_iter(&bytes)
                .collect::<Result<_, _>>()
                .map_err(|error| failed(error.to_string()))?
        }
        None => rustls_native_certs::load_native_certs().certs,
    };
    if known.is_empty() {
        return Err(match certificates {
            Some(file) => {
                AddressError::Certificates(file.to_owned(), "no certificate in PEM".to_owned())
            }
            None => AddressError::NoCertificates,
        });
    }
    let known: Vec<_> = known.iter().map(|der| Certificate::from_der(der).to_owned()).collect();
    Ok(TlsConfig::builder()
        .root_certs(RootCerts::Specific(Arc::new(known)))
        .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
        .build())
}
