//! [`Hall`]: many duels at once.
//!
//! **Invariant:** what comes out is a function of what is to be played; how many threads play, and which of them plays what,
//! makes no difference.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use catalog::duels::{Duel, DuelWeight, Duels, Seeds, Terms};
use game::Stop;

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
    pub fn open(game: &str, evaluation: &str, threads: usize) -> Result<Hall, String> {
        let bench = catalog::open(game).map_err(|e| format!("game {e}"))?;
        let rings =
            (0..threads.max(1)).map(|_| bench.duels(evaluation)).collect::<Result<_, _>>()?;
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
                scope.spawn(move || {
                    loop {
                        let i = next.fetch_add(1, Ordering::Relaxed);
                        let Some(bout) = bouts.get(i).filter(|_| !stop.is_stopped()) else { break };
                        let duel = ring.play(bout.first, bout.second, terms, bout.seeds);
                        if let Ok(mut all) = all.lock() {
                            all[i] = Some(duel);
                        }
                        tell(i + 1);
                    }
                });
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
