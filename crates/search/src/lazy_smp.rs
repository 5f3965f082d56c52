//! Several threads at one search, by nothing but a shared table (lazy SMP): helpers search the same
//! position, each only to every other depth, so that they run ahead of the main thread, and what
//! they leave in the table spares it the work. (To the same depth the time of two threads was
//! shorter by 1.21 over nine positions, a ply ahead 1.33, every other depth 1.49.)

use std::sync::atomic::AtomicU64;
use std::thread;

use evaluation::{Proofs, Tactics};
use game::{Game, Value};
use play::{Limits, Stop};

use crate::context::{Context, Root};
use crate::deep_stack::STACK_BYTES;
use crate::driver::{Depths, SearchRoot, with_algorithm};
use crate::root_search::RootSearch;
use crate::settings::{Algorithm, Settings};
use crate::table::Table;

/// What a thread of a search shares with the others that work at it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LazySmp<'a> {
    pub(crate) table: &'a Table,
    /// The nodes of all helpers.
    pub(crate) helped: &'a AtomicU64,
    pub(crate) role: Role,
}

/// The main thread decides, and tells how far it has come. Helpers fill the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Main,
    Helper,
}

/// The threads beside the main one.
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

    pub(crate) fn shared<'a>(&'a self, table: &'a Table, role: Role) -> LazySmp<'a> {
        LazySmp { table, helped: &self.nodes, role }
    }

    /// Lets the main thread work, with help as long as it does. A helper that the system has no
    /// thread for is missed by nobody.
    pub(crate) fn work_beside<T, G: Game, H: Tactics<G> + Proofs<G>>(
        &self,
        from: &SearchRoot<'_, G>,
        heuristics: &H,
        settings: &Settings,
        table: &Table,
        main: impl FnOnce() -> T,
    ) -> T {
        let limits = Limits { depth: settings.limits.depth, ..Limits::default() };
        let settings = Settings { limits, ..*settings };
        thread::scope(|scope| {
            for number in 1..=self.number {
                let heuristics = heuristics.clone();
                let help = move || {
                    let shared = self.shared(table, Role::Helper);
                    let mut silent = |_: &_| {};
                    let context =
                        Context::new(from, heuristics, &settings, shared, &self.stop, &mut silent);
                    with_algorithm(context, &settings, |search| help(search, number, &settings));
                };
                let builder = thread::Builder::new().stack_size(STACK_BYTES);
                if builder.spawn_scoped(scope, help).is_err() {
                    break;
                }
            }
            let result = main();
            self.stop.stop();
            result
        })
    }
}

/// Searches ever deeper until told to stop: odd helpers to even depths, even ones to odd depths.
fn help<G: Game, H: Proofs<G>>(
    search: &mut dyn RootSearch<'_, G, H>,
    number: usize,
    settings: &Settings,
) {
    let mut depths = Depths::new(settings);
    if number % 2 == 1 {
        depths.advance();
    }
    let mut guess = Value::DRAW;
    loop {
        search.context().root = Root::new(depths.now);
        guess = search.value(depths.now, guess);
        let context = search.context();
        if context.expired() || context.guesses == 0 || depths.now == depths.target {
            context.budget.tell_nodes();
            break;
        }
        depths.advance();
        depths.advance();
    }
}
