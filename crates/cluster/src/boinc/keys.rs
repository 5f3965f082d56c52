//! [`BoincKey`] and [`BoincPublicKey`]: the signatures that the BOINC client checks.
//!
//! The client's protocol fixes what they are: RSA of 1024 bits, and PKCS#1 padding of type 1 over
//! the 32 hexadecimal digits of an MD5, with no `DigestInfo` around them. Neither is what one would
//! choose today. Serve a project behind TLS, and keep the key that signs programs off the server.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use md5::{Digest, Md5};
use rsa::pkcs8::{DecodePrivateKey, EncodePrivateKey, LineEnding};
use rsa::rand_core::OsRng;
use rsa::traits::PublicKeyParts;
use rsa::{BigUint, Pkcs1v15Sign, RsaPrivateKey, RsaPublicKey};
use storage::WriteError;

/// What the client's protocol has.
const BITS: usize = 1024;
const BYTES: usize = BITS / 8;
/// Hexadecimal digits in a line.
const LINE: usize = 64;
/// No key file has more bytes.
const LARGEST_FILE: u64 = 16 << 10;

/// A private key, in a PEM file (PKCS#8) that nobody but its owner may read.
#[derive(Clone)]
pub struct BoincKey(RsaPrivateKey);

/// A public key. [`Display`](fmt::Display) and [`FromStr`](std::str::FromStr) are BOINC's text: the
/// number of bits, modulus and exponent in hexadecimal digits, 64 to a line, and a dot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoincPublicKey(RsaPublicKey);

/// Why a key cannot be had. Prints as one line.
#[derive(Debug, thiserror::Error)]
pub enum BoincKeyError {
    /// The file cannot be read.
    #[error("the key {0} cannot be read: {1}")]
    Read(PathBuf, #[source] io::Error),
    /// The file cannot be written.
    #[error("{0}")]
    Write(#[from] WriteError),
    /// A key is never written over another one.
    #[error("{0} is there already; a key is not written over")]
    Exists(PathBuf),
    /// The file holds something else.
    #[error("{0} is no private key of {BITS} bits in PEM; `openssl genpkey` makes one")]
    Foreign(PathBuf),
    /// The text of a public key.
    #[error("this is no public key of BOINC: {BITS}, hexadecimal digits, and a dot are right")]
    Text,
    /// No key could be made, or nothing signed.
    #[error("the key does not work: {0}")]
    Failed(#[from] rsa::Error),
}

impl BoincKey {
    /// A new one.
    ///
    /// # Errors
    /// If none could be found.
    pub fn generate() -> Result<BoincKey, BoincKeyError> {
        Ok(BoincKey(RsaPrivateKey::new(&mut OsRng, BITS)?))
    }

    /// Reads a PEM file.
    ///
    /// # Errors
    /// If it is not there or holds something else.
    pub fn read(file: &Path) -> Result<BoincKey, BoincKeyError> {
        let failed = |error| BoincKeyError::Read(file.to_owned(), error);
        let size = std::fs::metadata(file).map_err(failed)?.len();
        let foreign = || BoincKeyError::Foreign(file.to_owned());
        if size > LARGEST_FILE {
            return Err(foreign());
        }
        let text = std::fs::read_to_string(file).map_err(failed)?;
        let key = RsaPrivateKey::from_pkcs8_pem(&text).map_err(|_| foreign())?;
        if key.n().bits() == BITS { Ok(BoincKey(key)) } else { Err(foreign()) }
    }

    /// Writes a PEM file of mode 0600, where there is none.
    ///
    /// # Errors
    /// If there is one, or it cannot be written.
    pub fn write(&self, file: &Path) -> Result<(), BoincKeyError> {
        if file.exists() {
            return Err(BoincKeyError::Exists(file.to_owned()));
        }
        let pem = self.0.to_pkcs8_pem(LineEnding::LF);
        let pem = pem.map_err(|_| BoincKeyError::Foreign(file.to_owned()))?;
        Ok(storage::write_private(file, pem.as_bytes())?)
    }

    /// Reads a PEM file, or makes one with a new key where there is none.
    ///
    /// # Errors
    /// As [`read`](BoincKey::read) and [`write`](BoincKey::write).
    pub fn read_or_generate(file: &Path) -> Result<BoincKey, BoincKeyError> {
        if file.exists() {
            return BoincKey::read(file);
        }
        let key = BoincKey::generate()?;
        key.write(file)?;
        Ok(key)
    }

    /// What everybody may know of it.
    #[must_use]
    pub fn public(&self) -> BoincPublicKey {
        BoincPublicKey(self.0.to_public_key())
    }

    /// The signature of bytes as text: lines of hexadecimal digits, and a dot.
    ///
    /// # Errors
    /// If the system gives no random numbers: the secret exponent is blinded.
    pub fn sign(&self, bytes: &[u8]) -> Result<String, BoincKeyError> {
        self.sign_md5(&md5_text(bytes))
    }

    /// The same where the MD5 is known.
    ///
    /// # Errors
    /// As [`sign`](BoincKey::sign).
    pub fn sign_md5(&self, md5: &str) -> Result<String, BoincKeyError> {
        let padding = Pkcs1v15Sign::new_unprefixed();
        let signature = self.0.sign_with_rng(&mut OsRng, padding, md5.as_bytes())?;
        Ok(hexadecimal_lines(&signature))
    }
}

/// Secrets do not get into logs.
impl fmt::Debug for BoincKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BoincKey(…)")
    }
}

impl BoincPublicKey {
    /// Whether this is the signature of these bytes.
    #[must_use]
    pub fn verify(&self, bytes: &[u8], signature: &str) -> bool {
        self.verify_md5(&md5_text(bytes), signature)
    }

    /// The same where the MD5 is known.
    #[must_use]
    pub fn verify_md5(&self, md5: &str, signature: &str) -> bool {
        let Some(signature) = from_hexadecimal_lines(signature, BYTES) else { return false };
        let padding = Pkcs1v15Sign::new_unprefixed();
        self.0.verify(padding, md5.as_bytes(), &signature).is_ok()
    }
}

impl fmt::Display for BoincPublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut bytes = [0; 2 * BYTES];
        let (modulus, exponent) = bytes.split_at_mut(BYTES);
        for (out, number) in [(modulus, self.0.n()), (exponent, self.0.e())] {
            let digits = number.to_bytes_be();
            if let Some(start) = out.len().checked_sub(digits.len()) {
                out[start..].copy_from_slice(&digits);
            }
        }
        write!(f, "{BITS}\n{}", hexadecimal_lines(&bytes))
    }
}

impl std::str::FromStr for BoincPublicKey {
    type Err = BoincKeyError;

    fn from_str(text: &str) -> Result<BoincPublicKey, BoincKeyError> {
        let rest = text.trim_start().strip_prefix("1024").ok_or(BoincKeyError::Text)?;
        if !rest.starts_with(char::is_whitespace) {
            return Err(BoincKeyError::Text);
        }
        let bytes = from_hexadecimal_lines(rest, 2 * BYTES).ok_or(BoincKeyError::Text)?;
        let (modulus, exponent) = bytes.split_at(BYTES);
        let (modulus, exponent) =
            (BigUint::from_bytes_be(modulus), BigUint::from_bytes_be(exponent));
        if modulus.bits() != BITS {
            return Err(BoincKeyError::Text);
        }
        RsaPublicKey::new(modulus, exponent).map(BoincPublicKey).map_err(|_| BoincKeyError::Text)
    }
}

/// The MD5 of bytes as 32 hexadecimal digits, which is what files and passwords are known by.
#[must_use]
pub fn md5_text(bytes: &[u8]) -> String {
    hexadecimal(&Md5::digest(bytes))
}

/// Two small digits for each byte.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = |&byte: &u8| [byte >> 4, byte & 15].map(|d| char::from(DIGITS[usize::from(d)]));
    bytes.iter().flat_map(digits).collect()
}

fn hexadecimal_lines(bytes: &[u8]) -> String {
    let mut text = String::new();
    for line in bytes.chunks(LINE / 2) {
        text.push_str(&hexadecimal(line));
        text.push('\n');
    }
    text.push_str(".\n");
    text
}

/// Exactly so many bytes, whatever space is between their digits; a dot ends them.
fn from_hexadecimal_lines(text: &str, bytes: usize) -> Option<Vec<u8>> {
    let text = text.split('.').next()?;
    let mut digits = text.chars().filter(|c| !c.is_whitespace());
    let mut digit = || Some(digits.next()?.to_digit(16)? as u8);
    let found = (0..bytes).map(|_| Some(digit()? << 4 | digit()?)).collect::<Option<Vec<u8>>>()?;
    digits.next().is_none().then_some(found)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn openssl(folder: &Path, arguments: &[&str]) -> Vec<u8> {
        let ran = Command::new("openssl").args(arguments).current_dir(folder).output().unwrap();
        assert!(ran.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ran.stderr));
        ran.stdout
    }

    #[test]
    fn openssl_reads_our_key_and_recovers_what_was_signed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("key.pem");
        let key = BoincKey::generate().unwrap();
        key.write(&file).unwrap();
        let modulus = openssl(folder.path(), &["rsa", "-in", "key.pem", "-noout", "-modulus"]);
        let modulus = String::from_utf8(modulus).unwrap().to_lowercase();
        let ours: String = key.public().to_string().lines().skip(1).take(4).collect();
        assert_eq!(modulus.trim(), format!("modulus={ours}"));

        let signature = from_hexadecimal_lines(&key.sign(b"a program").unwrap(), BYTES).unwrap();
        std::fs::write(folder.path().join("signature"), signature).unwrap();
        let arguments = ["pkeyutl", "-verifyrecover", "-in", "signature", "-inkey", "key.pem"];
        let recovered = openssl(folder.path(), &arguments);
        std::fs::write(folder.path().join("program"), b"a program").unwrap();
        let md5 = openssl(folder.path(), &["dgst", "-md5", "-r", "program"]);
        assert_eq!(recovered, &md5[..32]);
    }

    #[test]
    fn what_openssl_signs_is_verified() {
        let folder = tempfile::tempdir().unwrap();
        let make = "genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:1024 -out key.pem";
        openssl(folder.path(), &make.split(' ').collect::<Vec<_>>());
        let key = BoincKey::read(&folder.path().join("key.pem")).unwrap();
        std::fs::write(folder.path().join("md5"), md5_text(b"a program")).unwrap();
        let signature =
            openssl(folder.path(), &["pkeyutl", "-sign", "-in", "md5", "-inkey", "key.pem"]);
        let text = hexadecimal_lines(&signature);
        assert!(key.public().verify(b"a program", &text));
        assert_eq!(text, key.sign(b"a program").unwrap(), "this padding has no random part");
        assert!(!key.public().verify(b"another program", &text));
        for at in [0, 100, text.len() - 4] {
            let mut changed = text.clone().into_bytes();
            changed[at] = if changed[at] == b'0' { b'1' } else { b'0' };
            let changed = String::from_utf8(changed).unwrap();
            assert!(!key.public().verify(b"a program", &changed), "{changed}");
        }
        for wrong in ["", ".", "00", &text[..text.len() - 4], &format!("00{text}"), "é"] {
            assert!(!key.public().verify(b"a program", wrong), "{wrong}");
        }
    }

    #[test]
    fn texts_of_public_keys_are_read_back_and_others_refused() {
        let key = BoincKey::generate().unwrap().public();
        let text = key.to_string();
        let widths: Vec<usize> = text.lines().map(str::len).collect();
        assert_eq!(widths, [4, 64, 64, 64, 64, 64, 64, 64, 64, 1]);
        assert_eq!(text.parse::<BoincPublicKey>().unwrap(), key);
        assert_eq!(
            format!("\n{}", text.replace('\n', "\r\n")).parse::<BoincPublicKey>().unwrap(),
            key
        );
        for wrong in ["", "1024", "2048\n", &text[5..], &text[..300], &text.replace('.', "0")] {
            assert!(wrong.parse::<BoincPublicKey>().is_err(), "{wrong}");
        }
        let zeros = format!("1024\n{}", hexadecimal_lines(&[0; 256]));
        assert!(zeros.parse::<BoincPublicKey>().is_err());
    }

    #[test]
    fn key_files_are_for_their_owner_and_not_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("keys/upload.pem");
        let key = BoincKey::read_or_generate(&file).unwrap();
        assert_eq!(BoincKey::read_or_generate(&file).unwrap().public(), key.public());
        assert!(matches!(key.write(&file), Err(BoincKeyError::Exists(_))));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&file).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
        assert!(!format!("{key:?}").contains(char::is_numeric));
        std::fs::write(&file, "no key").unwrap();
        assert!(matches!(BoincKey::read(&file), Err(BoincKeyError::Foreign(_))));
    }
}
