//! Several threads at one search, by nothing but a shared table (lazy SMP): helpers search the same position, each only to
//! every other depth, so that they run ahead of the leader, and what they leave in the table spares it the work. (To the
//! same depth the time of two threads was shorter by 1.21 over nine positions, a ply ahead 1.33, every other depth 1.49.)

use std::sync::atomic::AtomicU64;
use std::thread;

use evaluation::{Proofs, Tactics};
use game::{Game, Value};
use play::{Limits, Stop};

use crate::driver::{Depths, Position};
use crate::settings::{Algorithm, Settings};
use crate::table::Table;
use crate::worker::{Company, Role, Root, Worker};

/// A search descends once per ply, and the longest game has 62,500: far more than a thread's usual
/// stack. The system hands out only what is used.
pub const STACK_BYTES: usize = 256 << 20;

/// The threads beside the leader's.
#[derive(Debug)]
pub(crate) struct Helpers {
    number: usize,
    stop: Stop,
    nodes: AtomicU64,
}

impl Helpers {
    /// Without a table there is nothing to share.
    pub(crate) fn of(settings: &Settings) -> Helpers {
        let shares = settings.techniques.table && settings.algorithm != Algorithm::Minimax;
        let number = if shares { settings.threads.saturating_sub(1) } else { 0 };
        Helpers { number, stop: Stop::new(), nodes: AtomicU64::new(0) }
    }

    pub(crate) fn company<'a>(&'a self, table: &'a Table, role: Role) -> Company<'a> {
        Company { table, helped: &self.nodes, role }
    }

    /// Lets the leader work, with help as long as it does. A helper that the system has no thread for is
    /// missed by nobody.
    pub(crate) fn work_beside<T, G: Game, H: Tactics<G> + Proofs<G>>(
        &self,
        from: &Position<'_, G>,
        heuristics: &H,
        settings: &Settings,
        table: &Table,
        lead: impl FnOnce() -> T,
    ) -> T {
        let limits = Limits { depth: settings.limits.depth, ..Limits::default() };
        let settings = Settings { limits, ..*settings };
        thread::scope(|scope| {
            for number in 1..=self.number {
                let heuristics = heuristics.clone();
                let help = move || {
                    let company = self.company(table, Role::Helper);
                    let mut silent = |_: &_| {};
                    Worker::new(from, heuristics, &settings, company, &self.stop, &mut silent)
                        .help(number, &settings);
                };
                let builder = thread::Builder::new().stack_size(STACK_BYTES);
                if builder.spawn_scoped(scope, help).is_err() {
                    break;
                }
            }
            let led = lead();
            self.stop.stop();
            led
        })
    }
}

impl<G: Game, H: Tactics<G> + Proofs<G>> Worker<'_, G, H> {
    /// Searches ever deeper until told to stop: odd helpers to even depths, even ones to odd depths.
    fn help(&mut self, number: usize, settings: &Settings) {
        let mut depths = Depths::new(settings);
        if number % 2 == 1 {
            depths.advance();
        }
        let mut guess = Value::DRAW;
        loop {
            self.root = Root { depth: depths.now, best: None, moves_done: 0, moves: 0 };
            guess = self.value_at(depths.now, settings.algorithm, guess);
            if self.expired() || self.guesses == 0 || depths.now == depths.target {
                break;
            }
            depths.advance();
            depths.advance();
        }
        self.tell_nodes();
    }
}
