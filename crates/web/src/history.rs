//! The list of games: what it shows of each, and how it is searched.

use game::Spec;
use rusqlite::{Connection, params};
use serde::Serialize;

use crate::sheet::{Sheet, common_name, side_name};
use crate::store::TableStoreError;

/// How many games a page of the list has.
const PAGE: usize = 20;

/// What a list shows of a game.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Summary {
    family: String,
    name: String,
    seats: [String; 2],
    plies: usize,
    /// How many events it comes from.
    version: u64,
    ending: Option<(&'static str, Option<f64>, &'static str)>,
    /// Everything that a search may find, in small letters.
    words: String,
}

impl Summary {
    pub(crate) fn of(sheet: &Sheet) -> Summary {
        let game = &sheet.opening().game;
        let (family, name) = (Spec::family_of(game), common_name(game));
        let seats = sheet.seats().each_ref().map(ToString::to_string);
        let ending = sheet.outcome().map(|(outcome, reason)| {
            let margin = outcome.points().map(game::Points::as_f64);
            (outcome.winner().map_or("draw", side_name), margin, reason)
        });
        let words = format!("{family} {name} {game} {} {}", seats[0], seats[1]).to_lowercase();
        Summary {
            family: family.to_owned(),
            name: name.to_owned(),
            plies: sheet.ply(),
            version: sheet.version(),
            seats,
            ending,
            words,
        }
    }

    /// Writes it down in place of what was known of the game before.
    pub(crate) fn write(&self, to: &Connection, id: &str, at: i64) -> Result<(), TableStoreError> {
        let (value, margin, reason) = match self.ending {
            Some((value, margin, reason)) => (Some(value), margin, Some(reason)),
            None => (None, None, None),
        };
        let [first, second] = &self.seats;
        let (family, name, plies, words) =
            (&self.family, &self.name, self.plies as i64, &self.words);
        to.prepare_cached(
            "INSERT OR REPLACE INTO summaries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )?
        .execute(params![
            id,
            family,
            name,
            first,
            second,
            plies,
            value,
            margin,
            reason,
            words,
            at,
            self.version.cast_signed()
        ])?;
        Ok(())
    }
}

/// Which games to list; by default all that were begun to be played.
#[derive(Debug, Default)]
pub(crate) struct Query {
    /// None but these.
    pub(crate) ids: Option<Vec<String>>,
    pub(crate) family: Option<String>,
    /// Only finished, or only unfinished ones.
    pub(crate) finished: Option<bool>,
    /// For each word, what would do; each word must be found.
    pub(crate) words: Vec<Vec<String>>,
    pub(crate) page: usize,
}

/// A page of the list.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "ListedPage"))]
pub(crate) struct Listed {
    pub(crate) games: Vec<Entry>,
    /// How many there are on all pages.
    pub(crate) total: usize,
    pub(crate) pages: usize,
}

/// A game in the list.
#[derive(Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Listed"))]
pub(crate) struct Entry {
    id: String,
    family: String,
    name: String,
    game: String,
    seats: [String; 2],
    plies: usize,
    /// `first`, `draw` or `second`; null while it goes on.
    #[cfg_attr(test, ts(type = "SideName | \"draw\" | null"))]
    value: Option<String>,
    margin: Option<f64>,
    #[cfg_attr(test, ts(as = "Option<crate::typescript::Reason>"))]
    reason: Option<String>,
    /// In seconds since 1970, as `changed`.
    created: i64,
    changed: i64,
}

const MATCHING: &str = "
FROM summaries AS s JOIN games AS g ON g.id = s.game
WHERE (s.plies > 0 OR s.value IS NOT NULL)
  AND (?1 IS NULL OR s.game IN (SELECT value FROM json_each(?1)))
  AND (?2 IS NULL OR s.family = ?2)
  AND (?3 IS NULL OR (s.value IS NOT NULL) = ?3)
  AND NOT EXISTS (
      SELECT 1 FROM json_each(?4) AS word
      WHERE NOT EXISTS (SELECT 1 FROM json_each(word.value) AS way WHERE instr(s.words, way.value) > 0))";

impl Query {
    pub(crate) fn run(&self, on: &Connection) -> Result<Listed, TableStoreError> {
        let ids = self.ids.as_ref().map(|ids| serde_json::json!(ids).to_string());
        let small: Vec<Vec<String>> = self
            .words
            .iter()
            .map(|ways| ways.iter().map(|way| way.to_lowercase()).collect())
            .collect();
        let words = serde_json::json!(small).to_string();
        let matching = params![ids, self.family, self.finished, words];
        let count = format!("SELECT count(*) {MATCHING}");
        let total: usize = on
            .prepare_cached(&count)?
            .query_row(matching, |row| row.get::<_, i64>(0))?
            .try_into()
            .unwrap_or(0);
        let page = format!(
            "SELECT s.game, s.family, s.name, g.game, s.first, s.second, s.plies, s.value, s.margin, s.reason, \
             g.created, s.changed {MATCHING} ORDER BY s.changed DESC, s.game LIMIT {PAGE} OFFSET ?5"
        );
        let offset = self.page.saturating_mul(PAGE).min(i64::MAX as usize) as i64;
        let mut statement = on.prepare_cached(&page)?;
        let rows = statement.query_map(
            params![ids, self.family, self.finished, words, offset],
            |row| {
                Ok(Entry {
                    id: row.get(0)?,
                    family: row.get(1)?,
                    name: row.get(2)?,
                    game: row.get(3)?,
                    seats: [row.get(4)?, row.get(5)?],
                    plies: row.get::<_, i64>(6)?.try_into().unwrap_or(0),
                    value: row.get(7)?,
                    margin: row.get(8)?,
                    reason: row.get(9)?,
                    created: row.get(10)?,
                    changed: row.get(11)?,
                })
            },
        )?;
        let games = rows.collect::<Result<_, _>>()?;
        Ok(Listed { games, total, pages: total.div_ceil(PAGE) })
    }
}
