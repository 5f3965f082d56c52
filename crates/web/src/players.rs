//! [`Players`]: bots and engines between two moves of a game, with what they remember: trees, tables, running
//! programs. So many and no more; whoever waited longest is let go first, and everybody when nobody looks on.

use std::collections::HashSet;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use game::Side;
use play::Player;

use crate::seats::Seat;

/// How many megabytes bots who wait may hold.
pub(crate) const MOST_MEGABYTES: usize = 512;
/// How many engines wait; each is a program that runs.
pub(crate) const MOST_ENGINES: usize = 8;

/// Whose player it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    pub(crate) table: String,
    pub(crate) side: Side,
    /// Whoever sits there: places may be changed.
    pub(crate) seat: Seat,
}

impl Place {
    fn is_engine(&self) -> bool {
        matches!(self.seat, Seat::Engine(_))
    }

    /// What it takes of the room for its kind.
    fn weight(&self) -> usize {
        if self.is_engine() { 1 } else { self.seat.megabytes() }
    }
}

/// Those who wait for their next move.
#[derive(Default)]
pub(crate) struct Players {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    /// Tables at which a game goes on and somebody looks on.
    open: HashSet<String>,
    /// Who waited longest comes first.
    waiting: Vec<(Place, Box<dyn Player>)>,
}

impl fmt::Debug for Players {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Players").field("waiting", &self.lock().waiting.len()).finish()
    }
}

impl Players {
    /// A game goes on at this table, and somebody looks on: its players may wait.
    pub(crate) fn open(&self, table: &str) {
        self.lock().open.insert(table.to_owned());
    }

    /// The game is over, or nobody looks at it any more. Its players go, on a thread of their own: programs take a while to leave.
    pub(crate) fn close(&self, table: &str) {
        let mut inner = self.lock();
        inner.open.remove(table);
        let gone: Vec<_> =
            inner.waiting.extract_if(.., |(place, _)| place.table == table).collect();
        drop(inner);
        if gone.iter().any(|(place, _)| place.is_engine()) {
            std::thread::spawn(move || drop(gone));
        }
    }

    /// Everybody goes. Blocks until they have.
    pub(crate) fn dismiss(&self) {
        let mut inner = self.lock();
        let gone = std::mem::take(&mut *inner);
        drop(inner);
        drop(gone);
    }

    /// Whoever waits for this place.
    pub(crate) fn take(&self, place: &Place) -> Option<Box<dyn Player>> {
        let mut inner = self.lock();
        let found = inner.waiting.iter().position(|(known, _)| known == place)?;
        Some(inner.waiting.remove(found).1)
    }

    /// Has a player wait for its next move, if somebody still looks on. Blocks while another one leaves for it.
    pub(crate) fn keep(&self, place: Place, player: Box<dyn Player>) {
        let mut inner = self.lock();
        if !inner.open.contains(&place.table) {
            drop(inner);
            return drop(player);
        }
        let same = |(known, _): &(Place, _)| known.table == place.table && known.side == place.side;
        let mut gone: Vec<_> = inner.waiting.extract_if(.., |waiting| same(waiting)).collect();
        let is_engine = place.is_engine();
        inner.waiting.push((place, player));
        let alike = |(known, _): &(Place, _)| known.is_engine() == is_engine;
        let most = if is_engine { MOST_ENGINES } else { MOST_MEGABYTES };
        let all = inner.waiting.iter().filter(|waiting| alike(waiting));
        let mut weight: usize = all.map(|(place, _)| place.weight()).sum();
        while weight > most
            && let Some(oldest) = inner.waiting.iter().position(alike)
        {
            let leaving = inner.waiting.remove(oldest);
            weight -= leaving.0.weight();
            gone.push(leaving);
        }
        // Programs that leave are waited for, but by nobody else.
        drop(inner);
        drop(gone);
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use play::{Choice, Info, PlayerError, Session, Stop, Task};

    use super::*;

    /// Counts those that are alive.
    struct Counted(Arc<AtomicUsize>);

    impl Counted {
        fn one(alive: &Arc<AtomicUsize>) -> Box<dyn Player> {
            alive.fetch_add(1, Ordering::SeqCst);
            Box::new(Counted(Arc::clone(alive)))
        }
    }

    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Ordering::SeqCst);
        }
    }

    impl Player for Counted {
        fn choose(
            &mut self,
            _: &dyn Session,
            _: &Task,
            _: &Stop,
            _: &mut (dyn FnMut(&Info) + Send),
        ) -> Result<Choice, PlayerError> {
            Err(PlayerError::GameOver)
        }
    }

    fn place(table: usize, seat: &str) -> Place {
        Place { table: table.to_string(), side: Side::First, seat: seat.parse().unwrap() }
    }

    #[test]
    fn so_many_wait_and_the_oldest_go() {
        let (players, alive) = (Players::default(), Arc::default());
        let most = MOST_MEGABYTES / place(0, "bot:hard").weight();
        for table in 0..most + 5 {
            players.open(&table.to_string());
            players.keep(place(table, "bot:hard"), Counted::one(&alive));
            players.keep(place(table, "engine:x"), Counted::one(&alive));
            players.keep(place(table, "bot:hard"), Counted::one(&alive));
        }
        // One player a seat; the engines have made room for bots.
        assert_eq!(alive.load(Ordering::SeqCst), most);
        assert!(players.take(&place(4, "bot:hard")).is_none());
        assert!(players.take(&place(5, "bot:easy")).is_none(), "another bot sits there");
        assert!(players.take(&place(5, "bot:hard")).is_some());
        assert!(players.take(&place(5, "bot:hard")).is_none(), "taken once");
        for table in 0..MOST_ENGINES + 5 {
            players.keep(place(table, "engine:x"), Counted::one(&alive));
        }
        let engines = |table| players.take(&place(table, "engine:x")).is_some();
        let waiting = (0..MOST_ENGINES + 5).filter(|&table| engines(table)).count();
        assert_eq!(waiting, MOST_ENGINES);
        players.dismiss();
        assert_eq!(alive.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn nobody_waits_where_nobody_looks_on() {
        let (players, alive) = (Players::default(), Arc::default());
        players.keep(place(1, "bot:easy"), Counted::one(&alive));
        assert_eq!(alive.load(Ordering::SeqCst), 0);
        players.open("1");
        players.keep(place(1, "bot:easy"), Counted::one(&alive));
        assert_eq!(alive.load(Ordering::SeqCst), 1);
        players.close("1");
        assert_eq!(alive.load(Ordering::SeqCst), 0);
        players.keep(place(1, "bot:easy"), Counted::one(&alive));
        assert_eq!(alive.load(Ordering::SeqCst), 0);
    }
}
