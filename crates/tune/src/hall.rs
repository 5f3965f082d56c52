//! [`Hall`]: many duels at once.
//!
//! **Invariant:** what comes out is a function of what is to be played; how many threads play, and which of them plays what,
//! makes no difference.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use compiled::duels::{Decisions, Duel, DuelWeight, Duels, STACK_BYTES, Seeds, Terms};
use play::Stop;

use crate::error::TuneError;

/// One game to be played.
#[derive(Clone, Copy, Debug)]
pub struct Bout<'a> {
    /// Who moves first.
    pub first: &'a [i32],
    /// The opponent.
    pub second: &'a [i32],
    /// What chance decides.
    pub seeds: Seeds,
}

/// As many rings as there are threads.
pub struct Hall {
    rings: Vec<Box<dyn Duels>>,
}

impl Hall {
    /// For an evaluation of a game.
    ///
    /// # Errors
    /// If there is no such game or evaluation.
    pub fn open(game: &str, evaluation: &str, threads: usize) -> Result<Hall, TuneError> {
        let game = catalog::open(game).map_err(TuneError::Game)?;
        let decisions = Arc::new(Decisions::new());
        let rings = (0..threads.max(1))
            .map(|_| game.duels(evaluation, &decisions))
            .collect::<Result<_, _>>()?;
        Ok(Hall { rings })
    }

    /// The weights of the evaluation.
    #[must_use]
    pub fn weights(&self) -> &[DuelWeight] {
        self.rings[0].weights()
    }

    /// Reading and writing of weights.
    #[must_use]
    pub fn ring(&self) -> &dyn Duels {
        &*self.rings[0]
    }

    /// Plays all of them; `None` if it was stopped before the end. `tell` hears how many are done.
    pub fn play(
        &mut self,
        bouts: &[Bout<'_>],
        terms: &Terms,
        stop: &Stop,
        tell: &(dyn Fn(usize) + Sync),
    ) -> Option<Vec<Duel>> {
        let next = AtomicUsize::new(0);
        let all: Mutex<Vec<Option<Duel>>> = Mutex::new(vec![None; bouts.len()]);
        std::thread::scope(|scope| {
            for ring in &mut self.rings {
                let (next, all) = (&next, &all);
                let work = move || {
                    loop {
                        let i = next.fetch_add(1, Ordering::Relaxed);
                        let Some(bout) = bouts.get(i).filter(|_| !stop.is_stopped()) else { break };
                        let duel = ring.play(bout.first, bout.second, terms, bout.seeds);
                        if let Ok(mut all) = all.lock() {
                            all[i] = Some(duel);
                        }
                        tell(i + 1);
                    }
                };
                // What one thread fewer leaves undone the others do.
                let _ =
                    std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work);
            }
        });
        all.into_inner().ok()?.into_iter().collect()
    }
}

impl std::fmt::Debug for Hall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hall").field("rings", &self.rings.len()).finish()
    }
}
