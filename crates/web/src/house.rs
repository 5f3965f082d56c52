//! [`House`]: all tables. Those that somebody looks at are kept at hand, the others wait in the store.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::StatusCode;

use crate::exact::Tables;
use crate::refusal::Refusal;
use crate::review::Askers;
use crate::seats::{Tokens, random_text};
use crate::sheet::{Event, Sheet};
use crate::store::Store;
use crate::table::Table;
use crate::thinking::{Crew, Pool};

/// What all tables share.
#[derive(Debug)]
pub(crate) struct Resources {
    pub(crate) store: Store,
    pub(crate) pool: Pool,
    pub(crate) crew: Arc<Crew>,
    pub(crate) askers: Arc<Askers>,
    pub(crate) tables: Tables,
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
const ID_LENGTH: usize = 16;

pub(crate) struct House {
    resources: Arc<Resources>,
    tables: Mutex<HashMap<String, Arc<Table>>>,
}

impl fmt::Debug for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("House").field("tables", &self.tables().len()).finish_non_exhaustive()
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
        for table in self.tables().values() {
            table.close();
        }
        self.resources.pool.wait_until_idle();
        self.resources.crew.players.dismiss();
    }

    /// Sets up a table and gives its name and secrets. Blocks.
    pub(crate) fn found(
        &self,
        sheet: &Sheet,
        events: &[Event],
    ) -> Result<(String, Tokens), Refusal> {
        let tokens = Tokens::new(sheet.seats());
        Ok((self.resources.begin(sheet, &tokens, events)?, tokens))
    }

    /// A table to look at for a moment. Blocks.
    pub(crate) fn look(&self, id: &str) -> Result<Arc<Table>, Refusal> {
        let known = self.tables().get(id).cloned();
        known.map_or_else(|| self.load(id), Ok)
    }

    /// A table to sit down at: it stays until everybody has left. Blocks.
    pub(crate) fn enter(self: &Arc<Self>, id: &str) -> Result<Visit, Refusal> {
        let mut tables = self.tables();
        let table = match tables.get(id) {
            Some(table) => Arc::clone(table),
            None if tables.len() >= MOST_TABLES => {
                let why = "too many games are being played here; please come back later";
                return Err(Refusal::new(StatusCode::SERVICE_UNAVAILABLE, why));
            }
            None => {
                let table = self.load(id)?;
                tables.insert(id.to_owned(), Arc::clone(&table));
                table
            }
        };
        // Still under the lock, so that nobody takes the table away in between.
        table.arrive();
        drop(tables);
        Ok(Visit { house: Arc::clone(self), id: id.to_owned(), table })
    }

    fn load(&self, id: &str) -> Result<Arc<Table>, Refusal> {
        let stored = self.resources.store.load(id)?;
        let missing = || Refusal::new(StatusCode::NOT_FOUND, "there is no such game");
        Table::new(id, stored.ok_or_else(missing)?, Arc::clone(&self.resources))
    }

    fn tables(&self) -> MutexGuard<'_, HashMap<String, Arc<Table>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Somebody's presence at a table; dropping it is leaving.
pub(crate) struct Visit {
    house: Arc<House>,
    id: String,
    pub(crate) table: Arc<Table>,
}

impl Drop for Visit {
    fn drop(&mut self) {
        let mut tables = self.house.tables();
        self.table.leave();
        if self.table.is_deserted() {
            tables.remove(&self.id);
        }
    }
}
