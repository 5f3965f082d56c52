//! [`PostgresPlace`]: where a server is, and how it is spoken to; and texts without their passwords.

use std::path::PathBuf;

use super::error::RecordError;

/// Where a PostgreSQL server is.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct PostgresPlace {
    /// As the client reads it.
    pub(super) url: String,
    /// Whether it must show a certificate of its name.
    pub(super) is_verified: bool,
    /// Certificates to know it by, instead of the system's.
    pub(super) roots: Option<PathBuf>,
}

/// Whether this names a server, not a file.
pub(super) fn is_postgres(place: &str) -> bool {
    ["postgres://", "postgresql://"].iter().any(|scheme| place.starts_with(scheme))
}

impl PostgresPlace {
    /// Takes out of a URL what the client does not know: `sslmode=verify-full` and `sslrootcert=FILE`.
    pub(super) fn read(url: &str) -> Result<PostgresPlace, RecordError> {
        let (bare, options) = url.split_once('?').unwrap_or((url, ""));
        let mut place = PostgresPlace { url: bare.to_owned(), is_verified: false, roots: None };
        let mut kept = Vec::new();
        for option in options.split('&').filter(|option| !option.is_empty()) {
            match option.split_once('=') {
                Some(("sslmode", "verify-full")) => place.is_verified = true,
                Some(("sslmode", mode)) if !["disable", "prefer", "require"].contains(&mode) => {
                    return Err(RecordError::SslMode(mode.to_owned()));
                }
                Some(("sslrootcert", "system")) => place.is_verified = true,
                Some(("sslrootcert", file)) => {
                    (place.is_verified, place.roots) = (true, Some(decoded(file).into()));
                }
                _ => kept.push(option),
            }
        }
        if place.is_verified {
            kept.retain(|option| !option.starts_with("sslmode="));
            kept.push("sslmode=require");
        }
        if !kept.is_empty() {
            place.url = format!("{bare}?{}", kept.join("&"));
        }
        Ok(place)
    }
}

/// `%2F` is a slash.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let code = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match code.filter(|_| *first == b'%') {
            Some(code) => {
                bytes.push(code);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// A text in which no URL has a password any longer.
#[must_use]
pub fn without_passwords(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, after) = rest.split_at(at + 3);
        out.push_str(before);
        // A password may hold anything but a space: all up to the last @ may belong to it.
        let end = after.find(char::is_whitespace).unwrap_or(after.len());
        let (url, behind) = after.split_at(end);
        let (login, host) = url.rsplit_once('@').map_or(("", url), |(login, host)| (login, host));
        if url.contains('@') {
            match login.split_once(':') {
                Some((user, _)) => out.push_str(&format!("{user}:…@")),
                None => out.push_str(&format!("{login}@")),
            }
        }
        out.push_str(&without_option(host));
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// Without the value of `password=`.
fn without_option(url: &str) -> String {
    const OPTION: &str = "password=";
    let Some(at) = url.find(OPTION) else { return url.to_owned() };
    let (before, value) = url.split_at(at + OPTION.len());
    let end = value.find('&').unwrap_or(value.len());
    format!("{before}…{}", &value[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_left_out() {
        for (text, shown) in [
            ("postgres://me:secret@host/db", "postgres://me:…@host/db"),
            ("postgres://me@host/db", "postgres://me@host/db"),
            ("postgres:///db?host=/tmp&user=a", "postgres:///db?host=/tmp&user=a"),
            ("cannot open postgress://a:b/c@d@h/x: no", "cannot open postgress://a:…@h/x: no"),
            ("postgres://h/d?password=b&user=a", "postgres://h/d?password=…&user=a"),
            ("x http://u:p@h y https://v:q@i", "x http://u:…@h y https://v:…@i"),
            ("no URL: a:b@c", "no URL: a:b@c"),
            ("://", "://"),
        ] {
            assert_eq!(without_passwords(text), shown);
        }
    }

    #[test]
    fn what_the_client_does_not_know_is_taken_out() {
        let read = |url: &str| PostgresPlace::read(url).map(|p| (p.url, p.is_verified, p.roots));
        let plain = "postgres://a@h/d";
        assert_eq!(read(plain).unwrap(), (plain.to_owned(), false, None));
        let require = format!("{plain}?sslmode=require&connect_timeout=3");
        assert_eq!(read(&require).unwrap(), (require.clone(), false, None));
        let full = format!("{plain}?sslmode=verify-full&sslrootcert=%2Fetc%2Fca.pem&user=b");
        let (url, is_verified, roots) = read(&full).unwrap();
        assert_eq!(url, format!("{plain}?user=b&sslmode=require"));
        assert!(is_verified && roots == Some("/etc/ca.pem".into()));
        let error = read(&format!("{plain}?sslmode=verify-ca")).unwrap_err().to_string();
        assert!(error.contains("verify-full") && error.lines().count() == 1, "{error}");
    }

    /// Whatever is written there, nothing panics, and a password in its usual place is not shown.
    #[test]
    fn odd_addresses_do_no_harm() {
        let parts = [
            "postgres://",
            "a",
            ":",
            "@",
            "/",
            "?",
            "&",
            "=",
            "%",
            "%2",
            "%2F",
            "%ff",
            "sslmode",
            "verify-full",
            "sslrootcert",
            "password",
            "ä",
            " ",
            "\u{1b}",
            "[::1]",
            "5432",
            "#",
        ];
        let mut rng = game::Rng::new(7);
        for _ in 0..20_000 {
            let length = rng.below(12);
            let text: String = (0..length).map(|_| parts[rng.below(parts.len())]).collect();
            let _ = PostgresPlace::read(&text);
            let _ = without_passwords(&text);
            let shown =
                without_passwords(&format!("x postgres://me:S3CRET{}@h/{text}", rng.below(9)));
            assert!(!shown.contains("S3CRET"), "{shown}");
        }
    }
}
