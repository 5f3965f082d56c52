//! Where servers listen, and who their admin is: the same flags for all of them.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use game::Expected;

/// What `--listen` says: an address, a port, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ListenAt {
    pub(crate) address: IpAddr,
    pub(crate) port: Option<u16>,
}

impl Default for ListenAt {
    fn default() -> ListenAt {
        ListenAt { address: IpAddr::V4(Ipv4Addr::LOCALHOST), port: None }
    }
}

impl FromStr for ListenAt {
    type Err = Expected;

    fn from_str(text: &str) -> Result<ListenAt, Expected> {
        let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
        if let Ok(address) = bare.parse() {
            return Ok(ListenAt { address, port: None });
        }
        let both = text
            .parse()
            .map(|both: SocketAddr| ListenAt { address: both.ip(), port: Some(both.port()) });
        both.map_err(|_| "write ADDR or ADDR:PORT, as in 0.0.0.0:8600 or [::]:8600".into())
    }
}

impl fmt::Display for ListenAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.port {
            Some(port) => SocketAddr::new(self.address, port).fmt(f),
            None => self.address.fmt(f),
        }
    }
}

/// Where a server listens.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct Listening {
    /// Listen on this address, and on this port if there is one; an address that is not of this machine alone lets
    /// others in [default: 127.0.0.1]
    #[arg(long, value_name = "ADDR[:PORT]")]
    pub(crate) listen: Option<ListenAt>,
    /// Listen on this port
    #[arg(long, value_name = "N")]
    pub(crate) port: Option<u16>,
}

impl Listening {
    pub(crate) fn address(self) -> IpAddr {
        self.listen.unwrap_or_default().address
    }

    /// The port, if one was given; `--port` is the last word.
    pub(crate) fn port(self) -> Option<u16> {
        self.port.or(self.listen.and_then(|listen| listen.port))
    }
}

/// Who the admin of a server is.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct AdminFlags {
    /// Replace the admin token, which is made at the first start with --listen and shown once
    #[arg(long)]
    pub(crate) new_admin_token: bool,
    /// Where the hash of the admin token is kept [default: admin-token in the data folder]
    #[arg(long, value_name = "FILE")]
    pub(crate) admin_file: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_and_ports_are_read() {
        for (text, address, port) in [
            ("127.0.0.1", "127.0.0.1", None),
            ("0.0.0.0:8610", "0.0.0.0", Some(8610)),
            ("::1", "::1", None),
            ("[::1]", "::1", None),
            ("[::]:0", "::", Some(0)),
        ] {
            let read: ListenAt = text.parse().unwrap();
            assert_eq!(read, ListenAt { address: address.parse().unwrap(), port }, "{text}");
            assert_eq!(read.to_string().parse(), Ok(read), "{text}");
        }
        for text in ["", "everywhere", ":8610", "127.0.0.1:", "127.0.0.1:99999", "::1:x", "[::1"] {
            let error = text.parse::<ListenAt>().unwrap_err().to_string();
            assert!(error.contains("0.0.0.0:8600"), "{text}: {error}");
        }
        let listen = Some("0.0.0.0:1".parse().unwrap());
        assert_eq!(Listening { listen, port: None }.port(), Some(1));
        assert_eq!(Listening { listen, port: Some(2) }.port(), Some(2));
        assert_eq!(Listening::default().address(), IpAddr::V4(Ipv4Addr::LOCALHOST));
    }
}
