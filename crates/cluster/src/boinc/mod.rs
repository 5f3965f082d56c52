//! The BOINC door: volunteers come in with the BOINC client that they have.

mod keys;

pub use keys::{BoincKey, BoincKeyError, BoincPublicKey, md5_text};
