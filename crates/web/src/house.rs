//! [`House`]: all tables. Those that somebody looks at are kept at hand, the others wait in the store.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;

use crate::exact::Tables;
use crate::people::VisitorId;
use crate::refusal::Refusal;
use crate::review::Askers;
use crate::seats::{Secrets, Tokens, random_text};
use crate::sheet::{Event, Sheet};
use crate::store::{Keep, Store};
use crate::table::Table;
use crate::thinking::{Crew, Pool};
use crate::timekeeper::Timekeeper;

/// What all tables share.
#[derive(Debug)]
pub(crate) struct Resources {
    pub(crate) store: Store,
    pub(crate) pool: Pool,
    pub(crate) crew: Arc<Crew>,
    pub(crate) askers: Arc<Askers>,
    pub(crate) tables: Tables,
    pub(crate) timekeeper: Timekeeper,
    /// Which games are kept.
    pub(crate) keep: Keep,
}

impl Resources {
    /// Writes down a new game and gives its name.
    pub(crate) fn begin(
        &self,
        sheet: &Sheet,
        tokens: &Tokens,
        events: &[Event],
    ) -> Result<String, Refusal> {
        let id = random_text(ID_LENGTH);
        self.store.begin(&id, sheet, tokens, events)?;
        Ok(id)
    }
}

/// How many tables somebody may look at, all together.
const MOST_TABLES: usize = 10_000;
/// How much is kept at hand of tables at which nobody sits, in moves and squares, and of how many tables.
const MOST_AT_REST: usize = 100_000;
const MOST_TABLES_AT_REST: usize = 64;
const ID_LENGTH: usize = 16;

pub(crate) struct House {
    resources: Arc<Resources>,
    tables: Mutex<AtHand>,
}

/// The tables at hand: there is one [`Table`] of a game at a time, so that nobody sees an old one.
#[derive(Default)]
struct AtHand {
    by_id: HashMap<String, Slot>,
    /// Tables that were looked at and at which nobody sits, with what they weigh; the last one used comes last.
    at_rest: Vec<(String, usize)>,
}

#[derive(Default)]
struct Slot {
    /// Made by whoever comes first, while everybody else goes on; others who want the same one wait.
    table: Arc<OnceLock<Result<Arc<Table>, Refusal>>>,
    /// How many hold on to it.
    held: usize,
    /// Whether somebody sat here: then it is forgotten with the last one who leaves.
    visited: bool,
}

impl AtHand {
    /// Nobody holds on to a table any more.
    fn rest(&mut self, id: &str, weight: usize) {
        self.at_rest.push((id.to_owned(), weight));
        let mut sum: usize = self.at_rest.iter().map(|(_, weight)| weight).sum();
        while sum > MOST_AT_REST || self.at_rest.len() > MOST_TABLES_AT_REST {
            let (oldest, weight) = self.at_rest.remove(0);
            self.by_id.remove(&oldest);
            sum -= weight;
        }
    }
}

impl fmt::Debug for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("House").field("tables", &self.tables().by_id.len()).finish_non_exhaustive()
    }
}

impl House {
    pub(crate) fn new(resources: Resources) -> House {
        House { resources: Arc::new(resources), tables: Mutex::default() }
    }

    pub(crate) fn resources(&self) -> &Arc<Resources> {
        &self.resources
    }

    /// Ends all searches and lets all players go, programs too. Blocks until they have, or will not.
    pub(crate) fn close(&self) {
        let slots: Vec<_> =
            self.tables().by_id.values().map(|slot| Arc::clone(&slot.table)).collect();
        for table in slots.iter().filter_map(|slot| slot.get()?.as_ref().ok()) {
            table.close();
        }
        self.note_time(&self.resources.store);
        self.resources.pool.wait_until_idle();
        self.resources.crew.players.dismiss();
    }

    /// Sets up a table and gives its name and secrets. Blocks.
    pub(crate) fn found(
        &self,
        sheet: &Sheet,
        events: &[Event],
    ) -> Result<(String, Secrets), Refusal> {
        let secrets = Secrets::new(sheet.seats());
        let id = self.resources.begin(sheet, &Tokens::of(&secrets), events)?;
        if self.resources.store.count()? > i64::from(self.resources.keep.games) {
            self.sweep();
        }
        Ok((id, secrets))
    }

    /// Removes games that are kept no longer, but none at which somebody sits. Blocks.
    pub(crate) fn sweep(&self) {
        let used = self.tables().by_id.keys().cloned().collect();
        match self.resources.store.sweep(self.resources.keep, &used) {
            Ok(0) => {}
            Ok(removed) => tracing::info!(removed, "old games were removed"),
            Err(error) => tracing::error!(%error, "old games could not be removed"),
        }
    }

    /// A table to look at for a moment. Blocks.
    pub(crate) fn look(self: &Arc<Self>, id: &str) -> Result<Held, Refusal> {
        let table = {
            let mut tables = self.tables();
            tables.at_rest.retain(|(resting, _)| resting != id);
            let is_full = tables.by_id.len() >= MOST_TABLES && !tables.by_id.contains_key(id);
            if is_full {
                let why = "too many games are being played here; please come back later";
                return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, why));
            }
            let slot = tables.by_id.entry(id.to_owned()).or_default();
            slot.held += 1;
            Arc::clone(&slot.table)
        };
        let hold = Hold { house: Arc::clone(self), id: id.to_owned() };
        // A long game takes a while, and nobody else should have to wait for it.
        let table = table.get_or_init(|| self.load(id)).clone()?;
        Ok(Held { table, _hold: hold })
    }

    /// A table to sit down at: it stays until everybody has left. Blocks.
    pub(crate) fn enter(self: &Arc<Self>, id: &str) -> Result<Visit, Refusal> {
        let held = self.look(id)?;
        if let Some(slot) = self.tables().by_id.get_mut(id) {
            slot.visited = true;
        }
        let visitor = held.table.arrive();
        Ok(Visit { held, visitor })
    }

    /// Ends games whose time is over, and writes down what turns in progress have taken. Blocks.
    pub(crate) fn keep_time(self: &Arc<Self>) {
        let Resources { timekeeper, store, .. } = &*self.resources;
        for id in timekeeper.fallen() {
            let flagged = self.look(&id).and_then(|held| held.table.look_at_clock());
            if let Err(refusal) = flagged {
                // Whoever opens the game sees to it.
                tracing::warn!(id, %refusal, "a flag could not be written down");
                timekeeper.follow(&id, None, Duration::ZERO);
            }
        }
        self.note_time(store);
    }

    fn note_time(&self, store: &Store) {
        let taken = self.resources.timekeeper.to_note();
        if !taken.is_empty()
            && let Err(error) = store.note_turns(&taken)
        {
            tracing::error!(%error, "the time of turns could not be written down");
        }
    }

    fn load(&self, id: &str) -> Result<Arc<Table>, Refusal> {
        let stored = self.resources.store.load(id)?;
        let missing = || Refusal::new(StatusCode::NOT_FOUND, "there is no such game");
        Table::new(id, stored.ok_or_else(missing)?, Arc::clone(&self.resources))
    }

    fn tables(&self) -> MutexGuard<'_, AtHand> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A table, and the promise that it stays at hand.
pub(crate) struct Held {
    pub(crate) table: Arc<Table>,
    _hold: Hold,
}

/// Keeps a table at hand.
struct Hold {
    house: Arc<House>,
    id: String,
}

impl Drop for Hold {
    fn drop(&mut self) {
        let mut tables = self.house.tables();
        let Some(slot) = tables.by_id.get_mut(&self.id) else { return };
        slot.held -= 1;
        if slot.held > 0 {
            return;
        }
        let weight = match slot.table.get() {
            Some(Ok(table)) if !slot.visited => Some(table.weight()),
            _ => None,
        };
        match weight {
            Some(weight) => tables.rest(&self.id, weight),
            None => drop(tables.by_id.remove(&self.id)),
        }
    }
}

/// Somebody's presence at a table; dropping it is leaving.
pub(crate) struct Visit {
    held: Held,
    pub(crate) visitor: VisitorId,
}

impl Visit {
    pub(crate) fn table(&self) -> &Arc<Table> {
        &self.held.table
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.held.table.leave(self.visitor);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::Opening;
    use crate::{Server, ServerOptions};

    async fn house() -> Arc<House> {
        let options = ServerOptions { port: Some(0), ..ServerOptions::default() };
        Server::bind(options).await.unwrap().door.house
    }

    fn found(house: &House, game: &str) -> String {
        let seats = ["human".parse().unwrap(), "human".parse().unwrap()];
        let opening = Opening { game: game.to_owned(), position: None, seats, clock: None };
        house.found(&Sheet::new(opening).unwrap(), &[]).unwrap().0
    }

    #[tokio::test]
    async fn a_game_is_not_played_again_for_every_look() {
        let house = house().await;
        let id = found(&house, "tictactoe");
        let one = Arc::as_ptr(&house.look(&id).unwrap().table);
        assert_eq!(Arc::as_ptr(&house.look(&id).unwrap().table), one);
        let visit = house.enter(&id).unwrap();
        assert_eq!(Arc::as_ptr(visit.table()), one, "there is one table of a game");
        let looked = house.look(&id).unwrap();
        drop(visit);
        assert_eq!(Arc::as_ptr(&looked.table), one);
        drop(looked);
        assert!(house.tables().by_id.is_empty(), "where somebody sat, all is cleared away");
        assert!(house.look("nobody").is_err() && house.tables().by_id.is_empty());
    }

    #[tokio::test]
    async fn few_tables_are_kept_at_hand() {
        let house = house().await;
        let many: Vec<String> = (0..100).map(|_| found(&house, "tictactoe")).collect();
        for id in &many {
            house.look(id).unwrap();
        }
        assert_eq!(house.tables().by_id.len(), MOST_TABLES_AT_REST);
        let first = house.look(&many[0]).unwrap();
        house.look(&found(&house, "mnk:250x250,k=5")).unwrap();
        house.look(&found(&house, "mnk:250x250,k=6")).unwrap();
        let tables = house.tables();
        assert!(tables.at_rest.iter().map(|(_, weight)| weight).sum::<usize>() <= MOST_AT_REST);
        assert!(tables.by_id.contains_key(&many[0]), "what is held stays");
        assert_eq!(tables.by_id.len(), tables.at_rest.len() + 1);
        drop(tables);
        drop(first);
    }
}
