//! TLS to PostgreSQL, as its own clients do it: with `sslmode=require` nobody on the way can read,
//! with `verify-full` nobody can pretend to be the server either.

use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use tokio_postgres_rustls::MakeRustlsConnect;

use super::error::RecordError;
use super::place::PostgresPlace;

/// How a server is spoken to.
pub(super) fn connector(place: &PostgresPlace) -> Result<MakeRustlsConnect, RecordError> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| RecordError::Tls(error.to_string()))?;
    let config = match place.is_verified {
        true => builder.with_root_certificates(roots(place)?).with_no_client_auth(),
        false => builder
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(AnyServer(provider)))
            .with_no_client_auth(),
    };
    Ok(MakeRustlsConnect::new(config))
}

fn roots(place: &PostgresPlace) -> Result<RootCertStore, RecordError> {
    let mut roots = RootCertStore::empty();
    match &place.roots {
        None => {
            let found = rustls_native_certs::load_native_certs();
            roots.add_parsable_certificates(found.certs);
        }
        Some(file) => {
            let wrong = |error: &dyn std::fmt::Display| {
                RecordError::Tls(format!("{}: {error}", file.display()))
            };
            let all = CertificateDer::pem_file_iter(file).map_err(|error| wrong(&error))?;
            for certificate in all {
                let certificate = certificate.map_err(|error| wrong(&error))?;
                roots.add(certificate).map_err(|error| wrong(&error))?;
            }
        }
    }
    if roots.is_empty() {
        return Err(RecordError::Tls("there are no certificates to know the server by".to_owned()));
    }
    Ok(roots)
}

/// Whoever answers is believed to be the server, as `sslmode=require` says; what it signs must still
/// be signed.
#[derive(Debug)]
struct AnyServer(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyServer {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, cert, dss, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
