//! The BOINC door: volunteers come in with the BOINC client that they have.

mod keys;
mod xml;

pub(crate) use keys::hexadecimal;
pub use keys::{BoincKey, BoincKeyError, BoincPublicKey, md5_text};
pub use xml::{XmlElement, XmlError};
