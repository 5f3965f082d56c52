//! [`House`]: the catalog as engines and their fronts see it.

use std::ops::RangeInclusive;

use game::TextError;
use play::record::Games;
use play::{Player, Session, Timing};
use protocols::{Host, HostError};

/// Lends every game and every bot.
#[derive(Clone, Copy, Debug, Default)]
pub struct House;

impl Host for House {
    fn open(&self, spec: &str) -> Result<Box<dyn Session>, TextError> {
        Ok(catalog::open(spec)?.session())
    }

    fn player(&self, spec: &str, bot: &str) -> Result<Box<dyn Player>, HostError> {
        let game = catalog::open(spec).map_err(HostError::Game)?;
        let bot = bot.parse().map_err(HostError::Bot)?;
        // Fronts want the same answer to the same question.
        Ok(game.player(&bot, 1)?)
    }

    fn elo_range(&self, spec: &str) -> Option<RangeInclusive<u32>> {
        catalog::open(spec).ok()?.facts().elo_range()
    }

    fn fitting_hash(&self, megabytes: u32) -> u32 {
        compiled::fitting_hash(megabytes)
    }

    fn time(&self, spec: &str, bot: &str, games: Option<usize>) -> Result<Timing, HostError> {
        let game = catalog::open(spec).map_err(HostError::Game)?;
        let bot = bot.parse().map_err(HostError::Bot)?;
        Ok(game.time(&bot, games)?)
    }

    fn read_games(&self, spec: &str, text: &str) -> Result<Games, HostError> {
        let game = catalog::open(spec).map_err(HostError::Game)?;
        Ok(game.files().read(text))
    }
}
