//! Who sits at the table.

use anyhow::Result;
use compiled::CompiledGame;
use play::{BotSpec, Limits, Task};

use crate::args::{Player, Searching};

/// Who sits at the table.
pub(super) enum Seat {
    Human,
    Bot(Machine),
}

/// A bot or an engine.
pub(super) struct Machine {
    pub(super) player: Box<dyn play::Player>,
    /// What it is asked beside the position.
    pub(super) task: Task,
    /// As it was described.
    pub(super) name: String,
}

impl Seat {
    pub(super) fn new(
        player: &Player,
        game: &dyn CompiledGame,
        searching: &Searching,
        seed: u64,
    ) -> Result<Seat> {
        match player {
            Player::Human => Ok(Seat::Human),
            Player::Bot(bot) => {
                let player = game.player(&searching.complete(bot), seed);
                let player = player?;
                Ok(Seat::Bot(Machine { player, task: Task::default(), name: bot.to_string() }))
            }
            Player::Engine(engine) => {
                let player = engine.player(game, seed)?;
                let usual = Limits { time: Some(BotSpec::USUAL_TIME), ..Limits::default() };
                let limits = Some(engine.limits().unwrap_or(usual));
                let task = Task { limits, ..Task::default() };
                Ok(Seat::Bot(Machine { player, task, name: engine.to_string() }))
            }
        }
    }

    pub(super) fn is_human(&self) -> bool {
        matches!(self, Seat::Human)
    }
}
