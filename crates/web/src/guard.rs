//! The door: who may speak to the server at all, how often, and what every answer says to browsers.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use serving::{Admin, Client, Ends, Proxies, Rates, single};

use crate::limits::Rooms;
use crate::refusal::Refusal;
use crate::{House, Timeouts};

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; manifest-src 'self'; \
                      connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// What every answer says.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()"),
];

/// What handlers share.
#[derive(Clone, Debug)]
pub(crate) struct Door {
    pub(crate) house: Arc<House>,
    /// Whether nobody but the machine's own users can come in.
    pub(crate) is_private: bool,
    /// Who may do more than play and look.
    pub(crate) admin: Arc<Admin>,
    /// Whether everybody may play engines that have names.
    pub(crate) guest_engines: bool,
    /// How long visitors are waited for.
    pub(crate) patience: Timeouts,
    /// Names under which this server is known beside its addresses, each with its port if it has one.
    pub(crate) names: Arc<[String]>,
    /// New games, by where they are asked for from.
    pub(crate) founding: Arc<Rates>,
    pub(crate) judging: Arc<Rates>,
    /// Everything that is asked.
    pub(crate) asking: Arc<Rates>,
    /// What is open and under way.
    pub(crate) rooms: Arc<Rooms>,
    /// Servers in front of this one that say for whom they ask.
    pub(crate) proxies: Proxies,
}

/// Lets a request in or not, and tells browsers what the page may do.
pub(crate) async fn pass(
    State(door): State<Door>,
    ConnectInfo(ends): ConnectInfo<Ends>,
    mut request: Request,
    next: Next,
) -> Response {
    let client = door.proxies.client(request.headers(), ends.remote.ip());
    request.extensions_mut().insert(door.patience);
    request.extensions_mut().insert(client);
    let admitted = door.admits(request.headers(), ends, client);
    let mut response = match admitted {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in HEADERS {
        // The page of the admin has a policy of its own.
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

impl Door {
    /// A page elsewhere must not speak through its visitor's browser: the request must name this server, and the
    /// page that it comes from, if it comes from one, must be ours. That also holds off names that somebody
    /// pointed at 127.0.0.1.
    fn admits(&self, headers: &HeaderMap, ends: Ends, client: Client) -> Result<(), Refusal> {
        let host = single(headers, &header::HOST).unwrap_or_default();
        if !self.is_ours(host, ends) {
            return Err(Refusal::forbidden(
                "this server has another name; the address it printed is right",
            ));
        }
        let is_own = |origin: &str| {
            let of = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
            of.map(without_usual_port) == Some(without_usual_port(host))
        };
        if headers.contains_key(header::ORIGIN)
            && !single(headers, &header::ORIGIN).is_some_and(is_own)
        {
            return Err(Refusal::forbidden("requests of other pages are not answered"));
        }
        Ok(self.asking.take(client.network)?)
    }

    fn is_ours(&self, host: &str, ends: Ends) -> bool {
        if self.names.iter().any(|name| name.eq_ignore_ascii_case(host)) {
            return true;
        }
        let Some(local) = ends.local else { return false };
        let own = SocketAddr::new(local.ip().to_canonical(), local.port());
        let localhost = format!("localhost:{}", own.port());
        [Some(own.to_string()), own.ip().is_loopback().then_some(localhost)]
            .into_iter()
            .flatten()
            .any(|name| without_usual_port(host) == without_usual_port(&name))
    }
}

/// A host without the port that browsers leave out.
fn without_usual_port(host: &str) -> &str {
    host.strip_suffix(":80").unwrap_or(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn browsers_leave_the_usual_port_out() {
        let options = crate::ServerOptions { port: Some(0), ..Default::default() };
        let door = crate::Server::bind(options).await.unwrap().door;
        let admits = |local: &str, host: &'static str, origin: Option<&'static str>| {
            let mut headers = HeaderMap::from_iter([(header::HOST, host.parse().unwrap())]);
            headers.extend(origin.map(|origin| (header::ORIGIN, origin.parse().unwrap())));
            let remote = SocketAddr::from(([10, 0, 0, 1], 5000));
            let ends = Ends { remote, local: Some(local.parse().unwrap()) };
            door.admits(&headers, ends, Proxies::default().client(&headers, remote.ip())).is_ok()
        };
        for host in ["127.0.0.1", "127.0.0.1:80", "localhost", "localhost:80"] {
            assert!(admits("127.0.0.1:80", host, None), "{host}");
        }
        assert!(admits("[::1]:80", "[::1]", Some("http://[::1]")));
        assert!(admits("127.0.0.1:80", "localhost", Some("http://localhost")));
        assert!(admits("127.0.0.1:80", "localhost:80", Some("http://localhost")));
        for (local, host) in [
            ("127.0.0.1:8600", "127.0.0.1"),
            ("127.0.0.1:8600", "localhost:80"),
            ("127.0.0.1:80", "127.0.0.1:8080"),
            ("127.0.0.1:80", "evil.example"),
            ("10.0.0.9:80", "localhost"),
        ] {
            assert!(!admits(local, host, None), "{local} {host}");
        }
        assert!(!admits("127.0.0.1:80", "127.0.0.1", Some("http://localhost")));
    }
}
