//! Users, teams and tokens; taking back what somebody said.

use std::fmt;

use sha2::{Digest, Sha256};

use super::error::RecordError;
use super::link::{Link, tuple};
use super::projects::check_name;
use super::{ClusterRecord, attempt_state, count_waiting, log, random};

/// A token as its user has it. Only its hash is stored.
#[derive(Clone, PartialEq, Eq)]
pub struct TokenText(String);

impl TokenText {
    /// To be shown once.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

/// Secrets do not get into logs.
impl fmt::Debug for TokenText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TokenText(…)")
    }
}

/// What a token is stored as. It has 256 random bits, so that no salt is needed, nor a slow hash.
pub(super) fn token_hash(token: &str) -> Vec<u8> {
    Sha256::digest(token.as_bytes()).to_vec()
}

impl ClusterRecord {
    /// Makes a token for a user, who is made if there is none of this name.
    ///
    /// # Errors
    /// If the user was revoked, or is trusted where it should not be, or the other way round.
    pub fn create_token(&self, user: &str, trusted: bool) -> Result<TokenText, RecordError> {
        check_name(user)?;
        let digits = |byte: &u8| format!("{byte:02x}");
        let token: String = random::<32>()?.iter().map(digits).collect();
        let hash = token_hash(&token);
        self.write(|link| {
            let known = "SELECT id, trusted, revoked FROM users WHERE name = $1";
            let id = match link.query_one(known, &tuple![user])? {
                Some(row) if row.flag(2)? => return Err(RecordError::Revoked(user.to_owned())),
                Some(row) if row.flag(1)? != trusted => {
                    return Err(RecordError::OtherTrust(user.to_owned(), row.flag(1)?));
                }
                Some(row) => row.int(0)?,
                None => link.number(
                    "INSERT INTO users (name, trusted, revoked, created)
                     VALUES ($1, $2, 0, {now}) RETURNING id",
                    &tuple![user, trusted],
                )?,
            };
            link.execute(
                "INSERT INTO tokens (hash, user_id, created, revoked) VALUES ($1, $2, {now}, 0)",
                &tuple![&*hash, id],
            )?;
            log(link, 0, &format!("user {user} gets a token"))
        })?;
        Ok(TokenText(token))
    }

    /// A token is worth nothing from now on; whether there was such a one.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn revoke_token(&self, token: &str) -> Result<bool, RecordError> {
        let revoke = "UPDATE tokens SET revoked = 1 WHERE hash = $1 AND revoked = 0";
        self.write(|link| Ok(link.execute(revoke, &tuple![token_hash(token)])? > 0))
    }

    /// Puts a user into a team, which is made if there is none of this name.
    ///
    /// # Errors
    /// If there is no such user.
    pub fn set_team(&self, user: &str, team: &str) -> Result<(), RecordError> {
        check_name(team)?;
        self.write(|link| {
            link.execute(
                "INSERT INTO teams (name, created) VALUES ($1, {now}) ON CONFLICT DO NOTHING",
                &tuple![team],
            )?;
            let set = "UPDATE users SET team_id = (SELECT id FROM teams WHERE name = $1)
                       WHERE name = $2";
            match link.execute(set, &tuple![team, user])? {
                0 => Err(RecordError::NoUser(user.to_owned())),
                _ => Ok(()),
            }
        })
    }

    /// A user of this project counts no longer, though nothing it said is taken back.
    ///
    /// # Errors
    /// If the record does not answer.
    pub fn ban(&self, project: u32, user: u64) -> Result<(), RecordError> {
        self.write(|link| {
            link.execute(
                "INSERT INTO user_records
                 (project, user_id, valid, invalid, failed, since, banned, credit)
                 VALUES ($1, $2, 0, 0, 0, {now}, 1, 0)
                 ON CONFLICT (project, user_id) DO UPDATE SET banned = 1",
                &tuple![project, user],
            )?;
            log(link, project, &format!("user {user} is banned"))
        })
    }

    /// Takes back everything that a user has said: its tokens are forgotten, its votes no longer
    /// count, and facts that rest on too few others are deleted. Coordinators of the projects
    /// concerned are fenced off, so that they load again without them. How many facts were deleted.
    ///
    /// # Errors
    /// If there is no such user.
    pub fn revoke_user(&self, user: &str) -> Result<u64, RecordError> {
        self.write(|link| {
            let known = "SELECT id FROM users WHERE name = $1 {lock}";
            let row = link.query_one(known, &tuple![user])?;
            let id = row.ok_or_else(|| RecordError::NoUser(user.to_owned()))?.int(0)?;
            link.execute("UPDATE users SET revoked = 1 WHERE id = $1", &tuple![id])?;
            link.execute("DELETE FROM tokens WHERE user_id = $1", &tuple![id])?;
            let projects = link.query(
                "SELECT id FROM projects WHERE EXISTS
                     (SELECT 1 FROM votes WHERE project = id AND user_id = $1 AND revoked = 0)
                 OR EXISTS (SELECT 1 FROM attempts WHERE project = id AND user_id = $1
                            AND state IN (0, 1, 2, 4))
                 ORDER BY id {lock}",
                &tuple![id],
            )?;
            let mut deleted = 0;
            for project in projects {
                deleted += take_back(link, project.small(0)?, id, user)?;
            }
            log(link, 0, &format!("user {user} is revoked"))?;
            Ok(deleted)
        })
    }
}

/// Forgets what was backed up in a project, which is a cache, and whose row is locked: its coordinator
/// is fenced off, and whoever loads it again knows facts alone.
pub(super) fn forget_cache(
    link: &mut dyn Link,
    project: u32,
    why: &str,
) -> Result<(), RecordError> {
    forget_backed_up(link, project)?;
    fence_off(link, project)?;
    log(link, project, why)
}

/// What one user said is taken back within one project, whose row is locked.
fn take_back(link: &mut dyn Link, project: u32, user: i64, name: &str) -> Result<u64, RecordError> {
    end_attempts(link, project, user)?;
    link.execute(
        "UPDATE votes SET revoked = 1 WHERE user_id = $2 AND project = $1",
        &tuple![project, user],
    )?;
    let deleted = link.execute(
        "DELETE FROM facts WHERE project = $1
         AND unit IN (SELECT unit FROM votes
                      WHERE project = $1 AND user_id = $2 AND verdict = 0)
         AND NOT EXISTS (
             SELECT 1 FROM votes v JOIN projects p ON p.id = v.project
             WHERE v.project = facts.project AND v.unit = facts.unit
             AND v.verdict = 0 AND v.revoked = 0
             GROUP BY p.id, p.trusted_alone, p.quorum
             HAVING (max(v.trusted) = 1 AND p.trusted_alone = 1)
             OR (count(DISTINCT v.user_id) >= p.quorum AND count(DISTINCT v.network) >= p.quorum))",
        &tuple![project, user],
    )?;
    link.execute(
        "UPDATE facts SET users = (SELECT CASE WHEN count(DISTINCT v.user_id) < count(DISTINCT v.network)
             THEN count(DISTINCT v.user_id) ELSE count(DISTINCT v.network) END FROM votes v
             WHERE v.project = facts.project AND v.unit = facts.unit
             AND v.verdict = 0 AND v.revoked = 0)
         WHERE project = $1
         AND unit IN (SELECT unit FROM votes
                      WHERE project = $1 AND user_id = $2 AND verdict = 0)",
        &tuple![project, user],
    )?;
    if deleted > 0 {
        // What was backed up may rest on them.
        forget_backed_up(link, project)?;
    }
    fence_off(link, project)?;
    log(link, project, &format!("user {name} is revoked: {deleted} facts are taken back"))?;
    Ok(deleted)
}

/// The order of moves is advice and stays.
fn forget_backed_up(link: &mut dyn Link, project: u32) -> Result<(), RecordError> {
    link.execute("DELETE FROM nodes WHERE project = $1 AND moves IS NULL", &tuple![project])?;
    link.execute("UPDATE nodes SET state = {no bytes} WHERE project = $1", &tuple![project])?;
    Ok(())
}

/// Whoever drives the project has to load it again.
fn fence_off(link: &mut dyn Link, project: u32) -> Result<(), RecordError> {
    link.execute(
        "UPDATE projects SET epoch = epoch + 1, lower_bound = NULL, upper_bound = NULL
         WHERE id = $1",
        &tuple![project],
    )?;
    Ok(())
}

/// What a user works at is for others, and what it has delivered is not heard.
fn end_attempts(link: &mut dyn Link, project: u32, user: i64) -> Result<(), RecordError> {
    let units = link.query(
        "SELECT number FROM units WHERE project = $1 AND number IN
             (SELECT unit FROM attempts
              WHERE project = $1 AND user_id = $2 AND state IN (0, 1, 2, 4))
         ORDER BY number {lock}",
        &tuple![project, user],
    )?;
    link.execute(
        "UPDATE attempts SET state = $3, report = NULL
         WHERE project = $1 AND user_id = $2 AND state IN (0, 1, 2, 4)",
        &tuple![project, user, attempt_state::REVOKED],
    )?;
    let numbers = units.iter().map(|row| Ok((project, row.word(0)?)));
    count_waiting(link, &numbers.collect::<Result<Vec<_>, RecordError>>()?)
}
