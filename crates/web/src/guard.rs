//! The door: who may speak to the server at all, how often, and what every answer says to browsers.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::net::TcpStream;

use crate::limits::Rooms;
use crate::refusal::Refusal;
use crate::{House, Timeouts};

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; \
                      frame-ancestors 'none'";

/// Where a proxy writes for whom it asks.
const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-for");

/// What every answer says.
const HEADERS: [(HeaderName, &str); 6] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()"),
];

/// Both ends of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ends {
    pub(crate) remote: SocketAddr,
    local: Option<SocketAddr>,
}

impl Ends {
    pub(crate) fn of(stream: &TcpStream, remote: SocketAddr) -> Ends {
        Ends { remote, local: stream.local_addr().ok() }
    }
}

/// What handlers share.
#[derive(Clone, Debug)]
pub(crate) struct Door {
    pub(crate) house: Arc<House>,
    /// Whether nobody but the machine's own users can come in.
    pub(crate) is_private: bool,
    /// How long visitors are waited for.
    pub(crate) patience: Timeouts,
    /// Names under which this server is known beside its addresses, each with its port if it has one.
    pub(crate) names: Arc<[String]>,
    /// New games, by where they are asked for from.
    pub(crate) founding: Arc<Rates>,
    /// Everything that is asked.
    pub(crate) asking: Arc<Rates>,
    /// What is open and under way.
    pub(crate) rooms: Arc<Rooms>,
    /// Servers in front of this one that say for whom they ask.
    pub(crate) proxies: Arc<[IpAddr]>,
}

/// Who asks: an address, or the network of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client(pub(crate) IpAddr);

/// An IPv6 network is one neighbour: whoever has one address there has them all.
pub(crate) fn network(ip: IpAddr) -> IpAddr {
    match ip.to_canonical() {
        IpAddr::V6(ip) => IpAddr::V6((ip.to_bits() & (u128::MAX << 64)).into()),
        ip @ IpAddr::V4(_) => ip,
    }
}

/// Lets a request in or not, and tells browsers what the page may do.
pub(crate) async fn pass(
    State(door): State<Door>,
    ConnectInfo(ends): ConnectInfo<Ends>,
    mut request: Request,
    next: Next,
) -> Response {
    let client = door.client(request.headers(), ends.remote.ip());
    request.extensions_mut().insert(door.patience);
    request.extensions_mut().insert(client);
    let admitted = door.admits(request.headers(), ends, client);
    let mut response = match admitted {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
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
        self.asking.take(client.0)
    }

    pub(crate) fn is_proxy(&self, ip: IpAddr) -> bool {
        self.proxies.contains(&ip.to_canonical())
    }

    /// Who asks: whoever is connected, or the last address in the header of a proxy that is none. Whatever stands
    /// before that came from outside and may be made up.
    fn client(&self, headers: &HeaderMap, remote: IpAddr) -> Client {
        let mut from = remote;
        if self.is_proxy(remote) {
            let lines = headers.get_all(&FORWARDED).iter().filter_map(|line| line.to_str().ok());
            let all: Vec<&str> = lines.flat_map(|line| line.split(',')).map(str::trim).collect();
            for text in all.into_iter().rev() {
                let Some(ip) = address(text) else { break };
                from = ip;
                if !self.is_proxy(ip) {
                    break;
                }
            }
        }
        Client(network(from))
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

/// An address as proxies write it, with or without a port.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let with_port = || text.parse().map(|address: SocketAddr| address.ip()).ok();
    bare.parse().ok().or_else(with_port)
}

/// A header that is there once.
pub(crate) fn single<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next().filter(|_| all.next().is_none())?;
    first.to_str().ok()
}

/// How often something may be done: at once so many times, and then so many a second.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    pub(crate) burst: f64,
    pub(crate) per_second: f64,
}

/// What is left of a rate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket {
    left: f64,
    at: Instant,
}

impl Bucket {
    pub(crate) fn full(rate: Rate) -> Bucket {
        Bucket { left: rate.burst, at: Instant::now() }
    }

    /// Whether once more is fine.
    pub(crate) fn take(&mut self, rate: Rate) -> bool {
        let now = Instant::now();
        let gained = now.duration_since(self.at).as_secs_f64() * rate.per_second;
        (self.left, self.at) = ((self.left + gained).min(rate.burst), now);
        let fine = self.left >= 1.0;
        if fine {
            self.left -= 1.0;
        }
        fine
    }
}

/// Rates by address.
#[derive(Debug)]
pub(crate) struct Rates {
    rate: Rate,
    buckets: Mutex<HashMap<IpAddr, Bucket>>,
}

/// With more addresses than this, those that have waited are forgotten.
const MOST_BUCKETS: usize = 4096;

impl Rates {
    pub(crate) fn new(rate: Rate) -> Arc<Rates> {
        Arc::new(Rates { rate, buckets: Mutex::default() })
    }

    pub(crate) fn take(&self, from: IpAddr) -> Result<(), Refusal> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() > MOST_BUCKETS {
            let full_again = self.rate.burst / self.rate.per_second;
            buckets.retain(|_, bucket| bucket.at.elapsed().as_secs_f64() < full_again);
        }
        match buckets.entry(from).or_insert_with(|| Bucket::full(self.rate)).take(self.rate) {
            true => Ok(()),
            false => {
                let status = axum::http::StatusCode::TOO_MANY_REQUESTS;
                Err(Refusal::new(status, "too many requests; please wait a little"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_run_out_for_one_and_not_for_others() {
        let rates = Rates::new(Rate { burst: 3.0, per_second: 0.001 });
        let (one, other) = (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        for _ in 0..3 {
            assert!(rates.take(one).is_ok());
        }
        assert!(rates.take(one).is_err());
        assert!(rates.take(other).is_ok());
    }

    #[test]
    fn a_network_is_one_neighbour() {
        let ip = |text: &str| network(text.parse().unwrap());
        assert_eq!(ip("::ffff:10.0.0.1"), ip("10.0.0.1"));
        assert_eq!(ip("fd00::1:0:0:0:7"), ip("fd00::1:0:0:0:9"));
        assert_ne!(ip("fd00::1:0:0:0:7"), ip("fd00::2:0:0:0:7"));
        assert_ne!(ip("10.0.0.1"), ip("10.0.0.2"));
    }

    #[test]
    fn addresses_are_read_as_proxies_write_them() {
        for text in ["10.1.2.3", "10.1.2.3:4567"] {
            assert_eq!(address(text), Some(IpAddr::from([10, 1, 2, 3])), "{text}");
        }
        for text in ["fd00::7", "[fd00::7]", "[fd00::7]:4567"] {
            assert_eq!(address(text), Some("fd00::7".parse().unwrap()), "{text}");
        }
        for text in ["", "unknown", "_hidden", "10.1.2", "[fd00::7"] {
            assert_eq!(address(text), None, "{text}");
        }
    }
    #[tokio::test]
    async fn browsers_leave_the_usual_port_out() {
        let options = crate::ServerOptions { port: Some(0), ..Default::default() };
        let door = crate::Server::bind(options).await.unwrap().door;
        let admits = |local: &str, host: &'static str, origin: Option<&'static str>| {
            let mut headers = HeaderMap::from_iter([(header::HOST, host.parse().unwrap())]);
            headers.extend(origin.map(|origin| (header::ORIGIN, origin.parse().unwrap())));
            let remote = SocketAddr::from(([10, 0, 0, 1], 5000));
            let ends = Ends { remote, local: Some(local.parse().unwrap()) };
            door.admits(&headers, ends, Client(remote.ip())).is_ok()
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
