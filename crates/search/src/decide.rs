//! Yes or no: alpha-beta to the end of the game, with a window that has room for nothing else.

use game::{Game, Heuristics, Side, Stop, Value};

use crate::bounds::Depth;
use crate::driver::{Position, Progress};
use crate::keys::Keys;
use crate::settings::Settings;
use crate::table::Table;
use crate::threads::Helpers;
use crate::worker::{Role, Worker};

/// What a question came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision<M> {
    /// Whether the first player's margin is at least what was asked; `None` if a limit came first.
    pub holds: Option<bool>,
    /// A move that leads there, if it is what the side to move hopes for.
    pub best: Option<M>,
    /// Positions visited.
    pub nodes: u64,
}

/// Whether the first player's margin is at least this. One thread searches; several may ask about the same game with one table. For
/// games whose rules do not look back a full table only costs time.
pub fn decide<G: Game, H: Heuristics<G>, K: Keys<G>>(
    table: &Table,
    from: &Position<'_, G>,
    at_least: i32,
    (heuristics, keys): (H, K),
    settings: &Settings,
    stop: &Stop,
    progress: &mut dyn FnMut(&Progress<G::Move>),
) -> Decision<G::Move> {
    let alone = Helpers::of(&Settings { threads: 1, ..*settings });
    let company = alone.company(table, Role::Leader);
    let mut worker = Worker::new(from, heuristics, keys, settings, company, stop, progress);
    let mover = from.game.to_move(from.position);
    let limit = from.game.margin_limit();
    let beta = match mover {
        Side::First => least_value(at_least, limit),
        Side::Second => least_value(1 - at_least, limit),
    };
    worker.wind_clock();
    worker.look_back();
    let value = worker.alpha_beta::<false>(Depth::END, 0, beta.pred(), beta);
    let reached = (!worker.expired()).then_some(value >= beta);
    Decision {
        holds: reached.map(|reached| reached == (mover == Side::First)),
        best: worker.root.best.filter(|_| reached == Some(true)),
        nodes: worker.nodes,
    }
}

/// The smallest value that means a margin of at least this: where games are just won, however late.
fn least_value(margin: i32, limit: i32) -> Value {
    match margin {
        1.. if limit == 1 => Value::DRAW.succ(),
        _ => Value::over(margin, limit),
    }
}
