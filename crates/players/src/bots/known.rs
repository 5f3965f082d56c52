//! [`Known`]: one who has a strategy, and thinks only where it has none.

use games::Playable;
use play::{
    BotSpec, Choice, GameSession, Info, Player, PlayerError, Session, Stop, Task, Turn, Way,
};
use search::Strategy;

/// Plays by a strategy.
struct Known<G: Playable> {
    session: GameSession<G>,
    strategy: Strategy<'static>,
    /// Who thinks.
    player: Box<dyn Player>,
}

/// The same player with a strategy, if it is to play as well as it can: who is to be weak, or was told how far to look, is left alone.
pub fn with_strategy<G: Playable>(
    game: &G,
    bot: &BotSpec,
    strategy: Strategy<'static>,
    player: Box<dyn Player>,
) -> Box<dyn Player> {
    let best = bot.way == Way::Search(None)
        && (bot.noise, bot.elo) == (None, None)
        && (bot.limits.depth, bot.limits.nodes) == (None, None);
    match best && !strategy.0.is_empty() {
        true => Box::new(Known { session: GameSession::new(game.clone()), strategy, player }),
        false => player,
    }
}

impl<G: Playable> Known<G> {
    fn known_move(&self) -> Option<String> {
        let (game, p) = (self.session.game(), self.session.current());
        let (key, symmetry) = game.table_key(p);
        let code = self.strategy.find(key)?;
        let legal = self.session.legal();
        let m = legal.into_iter().find(|&m| game.table_code(p, m, symmetry) == code)?;
        Some(game.write_move(p, m))
    }
}

impl<G: Playable> Player for Known<G> {
    fn choose(
        &mut self,
        session: &dyn Session,
        task: &Task,
        stop: &Stop,
        tell: &mut (dyn FnMut(&Info) + Send),
    ) -> Result<Choice, PlayerError> {
        self.session.follow(session)?;
        let asked = task.lines.is_some() || !task.among.is_empty();
        match self.known_move().filter(|_| !asked) {
            Some(text) => Ok(Choice { turn: Turn::Play(text), analysis: None }),
            None => self.player.choose(session, task, stop, tell),
        }
    }
}
