//! Cookies that were given for the token.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use axum::http::{HeaderMap, header};

use super::file::{hash_of, is_equal};

/// How long a cookie is good for.
const LIFE: Duration = Duration::from_secs(12 * 3600);
/// More than that are not known at once; the oldest goes.
const MOST: usize = 64;
/// Where TLS is spoken, browsers keep the second to this host and to TLS.
const NAMES: [&str; 2] = ["zermelo-admin", "__Host-zermelo-admin"];

/// Which cookies are known, by their hashes.
#[derive(Debug, Default)]
pub(super) struct Sessions(HashMap<[u8; 32], Session>);

#[derive(Debug)]
struct Session {
    until: Instant,
    /// The hash of the token that it was given for.
    token: [u8; 32],
}

impl Sessions {
    pub(super) fn enter(&mut self, cookie: &str, token: [u8; 32]) {
        let now = Instant::now();
        self.0.retain(|_, session| session.until > now);
        if self.0.len() >= MOST {
            let oldest = self.0.iter().min_by_key(|(_, session)| session.until);
            if let Some(oldest) = oldest.map(|(hash, _)| *hash) {
                self.0.remove(&oldest);
            }
        }
        self.0.insert(hash_of(cookie), Session { until: now + LIFE, token });
    }

    /// Whether it was given for this token, and not too long ago.
    pub(super) fn knows(&self, cookie: &str, token: &[u8; 32]) -> bool {
        let session = self.0.get(&hash_of(cookie));
        session.is_some_and(|known| known.until > Instant::now() && is_equal(&known.token, token))
    }

    pub(super) fn forget(&mut self, cookie: &str) {
        self.0.remove(&hash_of(cookie));
    }
}

/// The cookie of a request.
pub(super) fn cookie(headers: &HeaderMap) -> Option<String> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.split_once('='));
    let found = pairs.find(|(name, _)| NAMES.contains(&name.trim()))?;
    Some(found.1.trim().to_owned())
}

/// As it is given to a browser; without a value it is taken back.
pub(super) fn set_cookie(value: Option<&str>, is_encrypted: bool) -> String {
    let name = NAMES[usize::from(is_encrypted)];
    let secure = if is_encrypted { "; Secure" } else { "" };
    let (value, age) = value.map_or(("", 0), |value| (value, LIFE.as_secs()));
    format!("{name}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{secure}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_so_many_are_known_and_the_newest_is() {
        let (mut sessions, token) = (Sessions::default(), [7; 32]);
        for number in 0..10 * MOST {
            sessions.enter(&number.to_string(), token);
            assert!(sessions.knows(&number.to_string(), &token));
            assert!(!sessions.knows(&number.to_string(), &[8; 32]));
        }
        assert!(sessions.0.len() <= MOST);
        sessions.forget(&(10 * MOST - 1).to_string());
        assert!(!sessions.knows(&(10 * MOST - 1).to_string(), &token));
    }
}
