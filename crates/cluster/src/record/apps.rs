//! The programs that volunteers' machines run, and the keys that vouch for them.

use solve::message::SolverVersion;

use super::error::RecordError;
use super::link::{Link, Tuple, tuple};
use super::{ClusterRecord, log};
use crate::boinc::{BoincPublicKey, md5_text};

/// A version of a program for one platform, with the file itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewAppVersion {
    /// The program: letters, digits, dots and dashes.
    pub app: String,
    /// 100 times the major number and the minor one, as BOINC counts: 1.2 is 102.
    pub version: u32,
    /// As BOINC names it: `x86_64-pc-linux-gnu`.
    pub platform: String,
    /// Which machines of the platform can run it; empty for all.
    pub plan_class: String,
    /// The name of the file at volunteers' machines, unique for ever:
    /// `NAME_VERSION_PLATFORM[__PLAN-CLASS]`.
    pub file: String,
    /// Its signature by the code-signing key, as text.
    pub signature: String,
    /// The solver versions of the program by family.
    pub solvers: Vec<(String, SolverVersion)>,
    /// The file.
    pub bytes: Vec<u8>,
}

/// A version of a program in the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppVersionRow {
    /// Its number in the record.
    pub id: u64,
    /// As it was added.
    pub app: String,
    /// As it was added.
    pub version: u32,
    /// As it was added.
    pub platform: String,
    /// As it was added.
    pub plan_class: String,
    /// The name of its file.
    pub file: String,
    /// The size of its file.
    pub size: u64,
    /// The MD5 of its file.
    pub md5: String,
    /// As it was added; empty if nobody has signed it yet.
    pub signature: String,
    /// As they were added.
    pub solvers: Vec<(String, SolverVersion)>,
    /// Whether it is no longer handed out.
    pub superseded: bool,
    /// When it was added, in seconds since 1970.
    pub created: u64,
}

/// A code-signing key of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeKeyRow {
    /// The public part, as BOINC writes it.
    pub public: String,
    /// The signature of `public`, without space around it, by the key before this one; empty for
    /// the first.
    pub signature: String,
    /// Since when, in seconds since 1970.
    pub created: u64,
}

/// No program has more bytes.
const LARGEST_PROGRAM: usize = 512 << 20;

impl ClusterRecord {
    /// Adds a version of a program; its number. It is handed out once it has a signature by the
    /// newest code-signing key.
    ///
    /// # Errors
    /// If a name is none, a file of this name or the same version is there already, or the
    /// signature is wrong.
    pub fn add_app_version(&self, new: &NewAppVersion) -> Result<u64, RecordError> {
        for name in [&new.app, &new.platform, &new.file] {
            check_file_name(name)?;
        }
        if !new.plan_class.is_empty() {
            check_file_name(&new.plan_class)?;
        }
        if new.bytes.is_empty() || new.bytes.len() > LARGEST_PROGRAM {
            return Err(RecordError::BadProgram("its file is empty or too large".to_owned()));
        }
        let md5 = md5_text(&new.bytes);
        let solvers = solvers_text(&new.solvers);
        self.write(|link| {
            if !new.signature.is_empty() {
                check_signature(link, &md5, &new.signature)?;
            }
            let same = "SELECT 1 FROM app_versions WHERE file = $1
                        OR (app = $2 AND version = $3 AND platform = $4 AND plan_class = $5)";
            let known =
                tuple![&*new.file, &*new.app, new.version, &*new.platform, &*new.plan_class];
            if link.query_one(same, &known)?.is_some() {
                let why = format!("{} is there already; give it a higher version", new.file);
                return Err(RecordError::BadProgram(why));
            }
            let id = link.number(
                "INSERT INTO app_versions (app, version, platform, plan_class, file, size, md5,
                     signature, solvers, bytes, superseded, created)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, {now}) RETURNING id",
                &tuple![
                    &*new.app,
                    new.version,
                    &*new.platform,
                    &*new.plan_class,
                    &*new.file,
                    new.bytes.len() as u64,
                    &*md5,
                    &*new.signature,
                    &*solvers,
                    &*new.bytes
                ],
            )?;
            log(link, 0, &format!("program {} is added", new.file))?;
            Ok(id as u64)
        })
    }

    /// Gives a version the signature that was made elsewhere.
    ///
    /// # Errors
    /// If there is no such file, or the signature is not by the newest code-signing key.
    pub fn sign_app_version(&self, file: &str, signature: &str) -> Result<(), RecordError> {
        self.write(|link| {
            let known = "SELECT md5 FROM app_versions WHERE file = $1";
            let row = link.query_one(known, &tuple![file])?;
            let md5 = row.ok_or_else(|| no_program(file))?.text(0)?;
            check_signature(link, &md5, signature)?;
            let sign = "UPDATE app_versions SET signature = $2 WHERE file = $1";
            link.execute(sign, &tuple![file, signature])?;
            log(link, 0, &format!("program {file} is signed"))
        })
    }

    /// All versions, the newest first, with those that are superseded.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn app_versions(&self) -> Result<Vec<AppVersionRow>, RecordError> {
        self.read(|link| {
            let rows = link.query(
                "SELECT id, app, version, platform, plan_class, file, size, md5, signature,
                     solvers, superseded, created FROM app_versions
                 ORDER BY app, version DESC, platform, plan_class",
                &tuple![],
            )?;
            rows.into_iter().map(app_version).collect()
        })
    }

    /// The bytes of a program's file, if there is one of this name.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn app_file(&self, file: &str) -> Result<Option<Vec<u8>>, RecordError> {
        let select = "SELECT bytes FROM app_versions WHERE file = $1";
        self.read(|link| link.query_one(select, &tuple![file])?.map(|mut r| r.bytes(0)).transpose())
    }

    /// A version is not handed out any longer; what machines work at with it is still taken.
    ///
    /// # Errors
    /// If there is no such file.
    pub fn supersede(&self, file: &str) -> Result<(), RecordError> {
        self.write(|link| {
            let set = "UPDATE app_versions SET superseded = 1 WHERE file = $1";
            if link.execute(set, &tuple![file])? == 0 {
                return Err(no_program(file));
            }
            log(link, 0, &format!("program {file} is superseded"))
        })
    }

    /// From now on programs are signed by this key. If there was another one, `signature` is that
    /// of the new key's text, without space around it, by the old key: machines that know the old
    /// one believe the new one by it. Versions that the old key signed have to be signed anew.
    ///
    /// # Errors
    /// If the key is none, or there was another one and the signature is not by it.
    pub fn set_code_key(&self, public: &str, signature: &str) -> Result<(), RecordError> {
        let bad = |error: crate::boinc::BoincKeyError| RecordError::BadProgram(error.to_string());
        let key: BoincPublicKey = public.parse().map_err(bad)?;
        let text = key.to_string();
        self.write(|link| {
            if let Some(old) = newest_key(link)? {
                if old.public == text {
                    return Ok(());
                }
                let old_key: BoincPublicKey = old.public.parse().map_err(bad)?;
                if !old_key.verify(text.trim().as_bytes(), signature) {
                    let why = "the old key has not signed the new one".to_owned();
                    return Err(RecordError::BadProgram(why));
                }
                link.execute("UPDATE app_versions SET signature = ''", &tuple![])?;
            }
            link.execute(
                "INSERT INTO code_keys (public, signature, created) VALUES ($1, $2, {now})",
                &tuple![&*text, signature],
            )?;
            log(link, 0, "there is a new code-signing key")
        })
    }

    /// The code-signing keys, the newest first.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn code_keys(&self) -> Result<Vec<CodeKeyRow>, RecordError> {
        self.read(code_keys)
    }
}

pub(super) fn code_keys(link: &mut dyn Link) -> Result<Vec<CodeKeyRow>, RecordError> {
    let select = "SELECT public, signature, created FROM code_keys ORDER BY id DESC";
    let row = |mut row: Tuple| {
        let (public, signature) = (row.text(0)?, row.text(1)?);
        Ok(CodeKeyRow { public, signature, created: row.word(2)? })
    };
    link.query(select, &tuple![])?.into_iter().map(row).collect()
}

fn newest_key(link: &mut dyn Link) -> Result<Option<CodeKeyRow>, RecordError> {
    Ok(code_keys(link)?.into_iter().next())
}

fn check_signature(link: &mut dyn Link, md5: &str, signature: &str) -> Result<(), RecordError> {
    let key = newest_key(link)?.and_then(|key| key.public.parse::<BoincPublicKey>().ok());
    let Some(key) = key else {
        let why = "the project has no code-signing key yet".to_owned();
        return Err(RecordError::BadProgram(why));
    };
    match key.verify_md5(md5, signature) {
        true => Ok(()),
        false => Err(RecordError::BadProgram(
            "its signature is not by the project's code-signing key".to_owned(),
        )),
    }
}

fn app_version(mut row: Tuple) -> Result<AppVersionRow, RecordError> {
    Ok(AppVersionRow {
        id: row.word(0)?,
        app: row.text(1)?,
        version: row.small(2)?,
        platform: row.text(3)?,
        plan_class: row.text(4)?,
        file: row.text(5)?,
        size: row.word(6)?,
        md5: row.text(7)?,
        signature: row.text(8)?,
        solvers: read_solvers(&row.text(9)?),
        superseded: row.flag(10)?,
        created: row.word(11)?,
    })
}

/// `reversi=0123456789abcdef go=…`.
fn solvers_text(solvers: &[(String, SolverVersion)]) -> String {
    let one = |(family, version): &(String, SolverVersion)| format!("{family}={version}");
    solvers.iter().map(one).collect::<Vec<_>>().join(" ")
}

fn read_solvers(text: &str) -> Vec<(String, SolverVersion)> {
    let one = |word: &str| {
        let (family, version) = word.split_once('=')?;
        Some((family.to_owned(), SolverVersion(u64::from_str_radix(version, 16).ok()?)))
    };
    text.split(' ').filter_map(one).collect()
}

fn no_program(file: &str) -> RecordError {
    RecordError::BadProgram(format!("there is no file {}", game::shown(file)))
}

/// Names of files are the same at every machine, and no path.
pub(super) fn check_file_name(name: &str) -> Result<(), RecordError> {
    let is_fine = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    let starts = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    match starts && name.len() <= 200 && name.chars().all(is_fine) {
        true => Ok(()),
        false => Err(RecordError::BadProgram(format!(
            "{} is no name of a file: up to 200 letters, digits, dots, dashes and underscores",
            game::shown(name)
        ))),
    }
}
