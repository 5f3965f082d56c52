//! [`Tls`]: what is spoken below HTTP, with a certificate and a key from files.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

/// Why there is no TLS. Prints as one line.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read.
    #[error("{0} cannot be read: {1}")]
    Unreadable(PathBuf, io::Error),
    /// It holds something else.
    #[error("{0} holds no {1} in PEM: {2}")]
    Foreign(PathBuf, &'static str, rustls::pki_types::pem::Error),
    /// The two do not fit, or cannot be used.
    #[error("{0} and {1} cannot be used: {2}")]
    Unfit(PathBuf, PathBuf, rustls::Error),
}

/// Certificates and a key, read again when their files change.
#[derive(Debug)]
pub struct Tls {
    certificates: PathBuf,
    key: PathBuf,
    loaded: Mutex<Loaded>,
}

#[derive(Debug)]
struct Loaded {
    config: Arc<ServerConfig>,
    /// When the files were last written.
    written: Option<[SystemTime; 2]>,
    looked: Instant,
}

/// How often it is looked whether the files have changed.
const LOOKS: Duration = Duration::from_secs(1);

impl Tls {
    /// From a file of certificates, the server's own first, and a file with its key.
    ///
    /// # Errors
    /// If either cannot be used.
    pub fn from_files(certificates: &Path, key: &Path) -> Result<Tls, TlsError> {
        let written = written(certificates, key);
        let config = load(certificates, key)?;
        let loaded = Mutex::new(Loaded { config, written, looked: Instant::now() });
        Ok(Tls { certificates: certificates.to_owned(), key: key.to_owned(), loaded })
    }

    pub(crate) async fn accept<S>(&self, stream: S) -> io::Result<TlsStream<S>>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        TlsAcceptor::from(self.config()).accept(stream).await
    }

    /// What holds for the next connection. Files that cannot be used leave what was there before.
    fn config(&self) -> Arc<ServerConfig> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if loaded.looked.elapsed() >= LOOKS {
            loaded.looked = Instant::now();
            let written = written(&self.certificates, &self.key);
            if written.is_some() && written != loaded.written {
                loaded.written = written;
                match load(&self.certificates, &self.key) {
                    Ok(config) => {
                        loaded.config = config;
                        tracing::info!("the certificate was read again");
                    }
                    Err(error) => tracing::warn!(%error, "the old certificate stays in use"),
                }
            }
        }
        Arc::clone(&loaded.config)
    }
}

fn written(certificates: &Path, key: &Path) -> Option<[SystemTime; 2]> {
    let of = |path: &Path| fs::metadata(path).and_then(|about| about.modified()).ok();
    Some([of(certificates)?, of(key)?])
}

fn load(certificates: &Path, key: &Path) -> Result<Arc<ServerConfig>, TlsError> {
    let read =
        |path: &Path| fs::read(path).map_err(|error| TlsError::Unreadable(path.to_owned(), error));
    let foreign = |path: &Path, what| {
        let path = path.to_owned();
        move |error| TlsError::Foreign(path, what, error)
    };
    let (chain, secret) = (read(certificates)?, read(key)?);
    let chain = CertificateDer::pem_slice_iter(&chain)
        .collect::<Result<Vec<_>, _>>()
        .map_err(foreign(certificates, "certificate"))?;
    let secret = PrivateKeyDer::from_pem_slice(&secret).map_err(foreign(key, "private key"))?;
    let unfit = |error| TlsError::Unfit(certificates.to_owned(), key.to_owned(), error);
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(unfit)?
        .with_no_client_auth()
        .with_single_cert(chain, secret)
        .map_err(unfit)?;
    Ok(Arc::new(config))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write_pair(folder: &Path) -> (PathBuf, PathBuf) {
        let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let (certificate, key) = (folder.join("cert.pem"), folder.join("key.pem"));
        fs::write(&certificate, made.cert.pem()).unwrap();
        fs::write(&key, made.signing_key.serialize_pem()).unwrap();
        (certificate, key)
    }

    #[test]
    fn files_are_read_again_when_they_change_and_kept_when_they_are_broken() {
        let folder = tempfile::tempdir().unwrap();
        let (certificate, key) = write_pair(folder.path());
        let tls = Tls::from_files(&certificate, &key).unwrap();
        let first = tls.config();
        let look_again = || {
            let mut loaded = tls.loaded.lock().unwrap();
            loaded.looked -= LOOKS;
            loaded.written = Some([SystemTime::UNIX_EPOCH; 2]);
        };
        assert!(Arc::ptr_eq(&first, &tls.config()));
        write_pair(folder.path());
        look_again();
        let second = tls.config();
        assert!(!Arc::ptr_eq(&first, &second));
        fs::write(&key, "nothing").unwrap();
        look_again();
        assert!(Arc::ptr_eq(&second, &tls.config()));
    }

    #[test]
    fn what_is_wrong_with_the_files_is_told_in_one_line() {
        let folder = tempfile::tempdir().unwrap();
        let (certificate, key) = write_pair(folder.path());
        let told = |certificate: &Path, key: &Path| {
            let text = Tls::from_files(certificate, key).unwrap_err().to_string();
            assert_eq!(text.lines().count(), 1, "{text}");
            text
        };
        assert!(told(&folder.path().join("none.pem"), &key).contains("none.pem cannot be read"));
        assert!(told(&certificate, &certificate).contains("holds no private key"));
        fs::write(&certificate, "").unwrap();
        assert!(told(&certificate, &key).contains("cannot be used"));
    }
}
