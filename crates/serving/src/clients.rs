//! Who asks: whoever is connected, or for whom a proxy says that it asks.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::http::header::{HeaderMap, HeaderName};
use tokio::net::TcpStream;

/// Where a proxy writes for whom it asks.
const FORWARDED: HeaderName = HeaderName::from_static("x-forwarded-for");

/// Both ends of a connection; requests have them as `ConnectInfo`.
#[derive(Clone, Copy, Debug)]
pub struct Ends {
    /// Theirs.
    pub remote: SocketAddr,
    /// Ours, if the system says.
    pub local: Option<SocketAddr>,
}

impl Ends {
    pub(crate) fn of(stream: &TcpStream, remote: SocketAddr) -> Ends {
        Ends { remote, local: stream.local_addr().ok() }
    }
}

/// Who asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client {
    /// From where.
    pub address: IpAddr,
    /// The [`network`] of it, which limits are for.
    pub network: IpAddr,
}

/// An IPv6 network is one neighbour: whoever has one address there has them all.
#[must_use]
pub fn network(ip: IpAddr) -> IpAddr {
    match ip.to_canonical() {
        IpAddr::V6(ip) => IpAddr::V6((ip.to_bits() & (u128::MAX << 64)).into()),
        ip @ IpAddr::V4(_) => ip,
    }
}

/// Servers in front of this one, which say for whom they ask.
#[derive(Clone, Debug, Default)]
pub struct Proxies(Arc<[IpAddr]>);

impl FromIterator<IpAddr> for Proxies {
    fn from_iter<I: IntoIterator<Item = IpAddr>>(all: I) -> Proxies {
        Proxies(all.into_iter().map(|ip| ip.to_canonical()).collect())
    }
}

impl Proxies {
    /// Whether this is one.
    #[must_use]
    pub fn has(&self, ip: IpAddr) -> bool {
        self.0.contains(&ip.to_canonical())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Who asks: whoever is connected, or the last address in the header of a proxy that is none.
    /// Whatever stands before that came from outside and may be made up.
    #[must_use]
    pub fn client(&self, headers: &HeaderMap, remote: IpAddr) -> Client {
        let mut from = remote;
        if self.has(remote) {
            let lines = headers.get_all(&FORWARDED).iter().filter_map(|line| line.to_str().ok());
            let all: Vec<&str> = lines.flat_map(|line| line.split(',')).map(str::trim).collect();
            for text in all.into_iter().rev() {
                let Some(ip) = address(text) else { break };
                from = ip;
                if !self.has(ip) {
                    break;
                }
            }
        }
        Client { address: from.to_canonical(), network: network(from) }
    }
}

/// An address as proxies write it, with or without a port.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let with_port = || text.parse().map(|address: SocketAddr| address.ip()).ok();
    bare.parse().ok().or_else(with_port)
}

/// A header that is there once.
#[must_use]
pub fn single<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut all = headers.get_all(name).iter();
    let first = all.next().filter(|_| all.next().is_none())?;
    first.to_str().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
