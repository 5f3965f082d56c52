//! Accounts of volunteers: who they are as far as they say, what they wish, and their teams.
//!
//! Of the e-mail address only the MD5 is kept, by which BOINC's managers ask for it. The
//! authenticator is what a client proves itself by; the protocol has it given out again to whoever
//! knows the password, so that it cannot be stored as a hash.

use sha2::Sha256;

use super::error::{AccountError, RecordError};
use super::link::{Link, Tuple, tuple};
use super::{ClusterRecord, log, random};
use crate::boinc::{hexadecimal, md5_text};

/// What a client proves itself by. Secrets do not get into logs.
#[derive(Clone, PartialEq, Eq)]
pub struct Authenticator(String);

impl Authenticator {
    /// To be shown to its owner.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Debug for Authenticator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Authenticator(…)")
    }
}

/// Credit as positions visited, and what comes of it by the day lately.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CreditRow {
    /// All there is.
    pub total: u64,
    /// By the day, with a half-life of a week, at the time `at`.
    pub average: f64,
    /// When the average was counted, in seconds since 1970.
    pub at: u64,
}

/// An account.
#[derive(Clone, Debug, PartialEq)]
pub struct AccountRow {
    /// Which user of the record.
    pub user: u64,
    /// The MD5 of the e-mail address.
    pub email_hash: String,
    /// What the volunteer calls itself.
    pub shown: String,
    /// The same in all projects of BOINC.
    pub cpid: String,
    /// Whether name and credit may be published.
    pub exports: bool,
    /// How much of its machines' time the project gets, beside other projects.
    pub share: f64,
    /// What the volunteer wishes for this project, as text.
    pub preferences: String,
    /// When wishes were changed.
    pub changed: u64,
    /// Which team it belongs to.
    pub team: Option<u64>,
    /// What was earned.
    pub credit: CreditRow,
    /// When it was made.
    pub created: u64,
}

/// What a volunteer changes; `None` stays as it is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AccountChange {
    /// See [`AccountRow`].
    pub shown: Option<String>,
    /// See [`AccountRow`].
    pub exports: Option<bool>,
    /// See [`AccountRow`].
    pub share: Option<f64>,
    /// See [`AccountRow`].
    pub preferences: Option<String>,
}

/// A team of volunteers.
#[derive(Clone, Debug, PartialEq)]
pub struct TeamAccount {
    /// Its number.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Who made it.
    pub founder: Option<u64>,
    /// Where it is at home.
    pub url: String,
    /// What it says of itself.
    pub about: String,
    /// How many users it has.
    pub users: u64,
    /// What it has earned.
    pub credit: CreditRow,
    /// When it was made.
    pub created: u64,
}

/// News for volunteers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoticeRow {
    /// Its number.
    pub id: u64,
    /// In a few words.
    pub title: String,
    /// In full.
    pub words: String,
    /// When, in seconds since 1970.
    pub made: u64,
}

/// No text about a volunteer or a team is longer, in bytes.
const LONGEST_TEXT: usize = 4000;

macro_rules! select_accounts {
    ($rest:literal) => {
        concat!(
            "SELECT a.user_id, a.email_hash, a.shown, a.cpid, a.exports, a.share, a.preferences,
                 a.changed, u.team_id, a.credit, a.average, a.average_at, a.created
             FROM accounts a JOIN users u ON u.id = a.user_id ",
            $rest
        )
    };
}

impl ClusterRecord {
    /// Makes an account, or gives the one that is there to whoever has its password.
    /// `password` is what BOINC's managers send: the MD5 of password and address.
    ///
    /// # Errors
    /// If there is one with another password, or address or name are none.
    pub fn create_account(
        &self,
        email: &str,
        password: Option<&str>,
        shown: &str,
    ) -> Result<Authenticator, RecordError> {
        let email = checked_email(email)?;
        check_shown(shown)?;
        let email_hash = md5_text(email.as_bytes());
        if let Some((_, known)) = self.find_account(&email_hash)? {
            let same = match (&known.password, password) {
                (Some(stored), Some(given)) => is_password(stored, given),
                (None, None) => true,
                _ => false,
            };
            return if same { Ok(known.authenticator) } else { Err(AccountError::Exists.into()) };
        }
        let authenticator = hexadecimal(&random::<16>()?);
        let cpid = md5_text(format!("{}{email}", hexadecimal(&random::<16>()?)).as_bytes());
        let password = password.map(stored_password).transpose()?;
        let name = format!("volunteer-{}", hexadecimal(&random::<6>()?));
        self.write(|link| {
            let user = link.number(
                "INSERT INTO users (name, trusted, revoked, created)
                 VALUES ($1, 0, 0, {now}) RETURNING id",
                &tuple![&*name],
            )?;
            link.execute(
                "INSERT INTO accounts (user_id, email_hash, authenticator, password, shown, cpid,
                     exports, share, preferences, changed, credit, average, average_at, created)
                 VALUES ($1, $2, $3, $4, $5, $6, 0, 100.0, '', 0, 0, 0.0, {now}, {now})",
                &tuple![
                    user,
                    &*email_hash,
                    &*authenticator,
                    password.as_deref(),
                    shown.trim(),
                    &*cpid
                ],
            )?;
            log(link, 0, &format!("user {name} opens an account"))
        })?;
        Ok(Authenticator(authenticator))
    }

    /// The authenticator of an account, for whoever has its password.
    ///
    /// # Errors
    /// If there is none, or the password is another one.
    pub fn look_up_account(
        &self,
        email: &str,
        password: &str,
    ) -> Result<Authenticator, RecordError> {
        let email_hash = md5_text(checked_email(email)?.as_bytes());
        let (_, known) = self.find_account(&email_hash)?.ok_or(AccountError::Unknown)?;
        match known.password.is_some_and(|stored| is_password(&stored, password)) {
            true => Ok(known.authenticator),
            false => Err(AccountError::Password.into()),
        }
    }

    fn find_account(&self, email_hash: &str) -> Result<Option<(u64, Known)>, RecordError> {
        let select = "SELECT user_id, authenticator, password FROM accounts WHERE email_hash = $1";
        let row = self.read(|link| link.query_one(select, &tuple![email_hash]))?;
        let known = |mut row: Tuple| {
            let authenticator = Authenticator(row.text(1)?);
            Ok((row.word(0)?, Known { authenticator, password: row.optional_bytes(2) }))
        };
        row.map(known).transpose()
    }

    /// Whose authenticator this is; nobody's if its user was revoked.
    ///
    /// # Errors
    /// If the record does not answer, as everywhere here.
    pub fn account(&self, authenticator: &str) -> Result<Option<AccountRow>, RecordError> {
        if authenticator.len() != 32 {
            return Ok(None);
        }
        self.read(|link| account(link, authenticator))
    }

    /// Changes what a volunteer says or wishes.
    ///
    /// # Errors
    /// If a name is none.
    pub fn change_account(&self, user: u64, change: &AccountChange) -> Result<(), RecordError> {
        if let Some(shown) = &change.shown {
            check_shown(shown)?;
        }
        let cut = |text: &String| text.chars().take(LONGEST_TEXT / 4).collect::<String>();
        self.write(|link| {
            link.execute(
                "UPDATE accounts SET shown = coalesce($2, shown), exports = coalesce($3, exports),
                     share = coalesce($4, share), preferences = coalesce($5, preferences),
                     changed = {now} WHERE user_id = $1",
                &tuple![
                    user,
                    change.shown.as_ref().map(|shown| shown.trim().to_owned()),
                    change.exports,
                    change.share.map(|share| share.clamp(0.0, 1e6)),
                    change.preferences.as_ref().map(cut)
                ],
            )
            .map(drop)
        })
    }

    /// Forgets who a volunteer is: account, machines and results. What was found stays, under a
    /// name that says nothing.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn delete_account(&self, user: u64) -> Result<(), RecordError> {
        self.write(|link| {
            let user = &tuple![user];
            for forget in [
                "DELETE FROM accounts WHERE user_id = $1",
                "DELETE FROM uploads WHERE result IN
                     (SELECT name FROM volunteer_results WHERE user_id = $1)",
                "DELETE FROM volunteer_results WHERE user_id = $1",
                "DELETE FROM volunteer_hosts WHERE user_id = $1",
                "UPDATE teams SET founder = NULL WHERE founder = $1",
                "UPDATE users SET team_id = NULL WHERE id = $1",
            ] {
                link.execute(forget, user)?;
            }
            log(link, 0, "an account is deleted by its owner")
        })
    }

    /// All accounts whose owners want to be shown, or all.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn accounts(&self, only_exported: bool) -> Result<Vec<AccountRow>, RecordError> {
        self.read(|link| {
            let select = select_accounts!(
                "WHERE u.revoked = 0 AND (a.exports = 1 OR $1 = 0) ORDER BY a.user_id"
            );
            link.query(select, &tuple![i64::from(only_exported)])?
                .into_iter()
                .map(account_row)
                .collect()
        })
    }

    /// Makes a team, and puts whoever made it there; its number.
    ///
    /// # Errors
    /// If there is one of this name, or it is no name.
    pub fn create_team(
        &self,
        founder: u64,
        name: &str,
        url: &str,
        about: &str,
    ) -> Result<u64, RecordError> {
        check_shown(name)?;
        let cut = |text: &str| text.chars().take(LONGEST_TEXT / 4).collect::<String>();
        self.write(|link| {
            let same = "SELECT 1 FROM teams WHERE name = $1";
            if link.query_one(same, &tuple![name.trim()])?.is_some() {
                return Err(AccountError::TeamExists.into());
            }
            let team = link.number(
                "INSERT INTO teams (name, created, founder, url, about)
                 VALUES ($1, {now}, $2, $3, $4) RETURNING id",
                &tuple![name.trim(), founder, cut(url), cut(about)],
            )?;
            let join = "UPDATE users SET team_id = $2 WHERE id = $1";
            link.execute(join, &tuple![founder, team])?;
            Ok(team as u64)
        })
    }

    /// Puts a user into a team, or into none.
    ///
    /// # Errors
    /// If there is no such team.
    pub fn join_team(&self, user: u64, team: Option<u64>) -> Result<(), RecordError> {
        self.write(|link| {
            if let Some(team) = team {
                let known = "SELECT 1 FROM teams WHERE id = $1";
                link.query_one(known, &tuple![team])?.ok_or(AccountError::Team)?;
            }
            let join = "UPDATE users SET team_id = $2 WHERE id = $1";
            link.execute(join, &tuple![user, team]).map(drop)
        })
    }

    /// All teams as BOINC's statistics have them.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn team_accounts(&self) -> Result<Vec<TeamAccount>, RecordError> {
        self.read(|link| {
            let rows = link.query(
                "SELECT t.id, t.name, t.founder, t.url, t.about, t.credit, t.average, t.average_at,
                     t.created, (SELECT count(*) FROM users WHERE team_id = t.id)
                 FROM teams t ORDER BY t.id",
                &tuple![],
            )?;
            let team = |mut row: Tuple| {
                Ok(TeamAccount {
                    id: row.word(0)?,
                    name: row.text(1)?,
                    founder: row.optional_int(2).map(|founder| founder as u64),
                    url: row.text(3)?,
                    about: row.text(4)?,
                    credit: credit(&row, 5)?,
                    created: row.word(8)?,
                    users: row.word(9)?,
                })
            };
            rows.into_iter().map(team).collect()
        })
    }

    /// Tells volunteers something.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn add_notice(&self, title: &str, words: &str) -> Result<u64, RecordError> {
        let add = "INSERT INTO notices (title, words, made) VALUES ($1, $2, {now}) RETURNING id";
        self.write(|link| link.number(add, &tuple![title, words]).map(|id| id as u64))
    }

    /// The newest notices first.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn notices(&self, most: u32) -> Result<Vec<NoticeRow>, RecordError> {
        let select = "SELECT id, title, words, made FROM notices ORDER BY id DESC LIMIT $1";
        let notice = |mut row: Tuple| {
            let (title, words) = (row.text(1)?, row.text(2)?);
            Ok(NoticeRow { id: row.word(0)?, title, words, made: row.word(3)? })
        };
        self.read(|link| {
            link.query(select, &tuple![i64::from(most)])?.into_iter().map(notice).collect()
        })
    }
}

struct Known {
    authenticator: Authenticator,
    password: Option<Vec<u8>>,
}

pub(super) fn account(
    link: &mut dyn Link,
    authenticator: &str,
) -> Result<Option<AccountRow>, RecordError> {
    let select = select_accounts!("WHERE a.authenticator = $1 AND u.revoked = 0");
    link.query_one(select, &tuple![authenticator])?.map(account_row).transpose()
}

fn account_row(mut row: Tuple) -> Result<AccountRow, RecordError> {
    Ok(AccountRow {
        user: row.word(0)?,
        email_hash: row.text(1)?,
        shown: row.text(2)?,
        cpid: row.text(3)?,
        exports: row.flag(4)?,
        share: row.real(5)?,
        preferences: row.text(6)?,
        changed: row.word(7)?,
        team: row.optional_int(8).map(|team| team as u64),
        credit: credit(&row, 9)?,
        created: row.word(12)?,
    })
}

/// The three columns from this one on.
pub(super) fn credit(row: &Tuple, first: usize) -> Result<CreditRow, RecordError> {
    let (total, average) = (row.word(first)?, row.real(first + 1)?);
    Ok(CreditRow { total, average, at: row.word(first + 2)? })
}

/// Addresses are compared in small letters, as BOINC does.
fn checked_email(email: &str) -> Result<String, RecordError> {
    let email = email.trim().to_lowercase();
    let is_fine = |c: char| !c.is_control() && !c.is_whitespace() && c != '<' && c != '>';
    let parts = email.split_once('@');
    let whole = parts.is_some_and(|(name, place)| !name.is_empty() && !place.is_empty());
    match whole && email.len() <= 254 && email.chars().all(is_fine) {
        true => Ok(email),
        false => Err(AccountError::Address.into()),
    }
}

fn check_shown(name: &str) -> Result<(), RecordError> {
    let name = name.trim();
    let fine = !name.is_empty() && name.chars().count() <= 60;
    match fine && !name.chars().any(char::is_control) {
        true => Ok(()),
        false => Err(AccountError::Name.into()),
    }
}

const SALT: usize = 16;
/// Slow enough for whoever stole the record, quick enough for the server.
const ROUNDS: u32 = 20_000;

fn stored_password(given: &str) -> Result<Vec<u8>, RecordError> {
    let salt = random::<SALT>()?;
    Ok([&salt[..], &derived(given, &salt)].concat())
}

fn is_password(stored: &[u8], given: &str) -> bool {
    let Some((salt, hash)) = stored.split_at_checked(SALT) else { return false };
    // What differs is not told by the time it takes.
    let differs = hash.iter().zip(derived(given, salt)).fold(0, |or, (a, b)| or | (a ^ b));
    hash.len() == 32 && differs == 0
}

fn derived(given: &str, salt: &[u8]) -> [u8; 32] {
    pbkdf2::pbkdf2_hmac_array::<Sha256, 32>(given.as_bytes(), salt, ROUNDS)
}
