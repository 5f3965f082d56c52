//! The players that do not think.

use game::Rng;
use games::Playable;
use play::{Choice, GameSession, Info, Player, PlayerError, Session, Stop, Task, Turn, Way};

/// Draws its moves.
pub(crate) struct Simple<G: Playable> {
    session: GameSession<G>,
    way: Way,
    rng: Rng,
}

impl<G: Playable> Simple<G> {
    pub(crate) fn new(session: GameSession<G>, way: Way, seed: u64) -> Simple<G> {
        Simple { session, way, rng: Rng::new(seed) }
    }
}

impl<G: Playable> Player for Simple<G> {
    fn choose(
        &mut self,
        session: &dyn Session,
        _: &Task,
        _: &Stop,
        _: &mut (dyn FnMut(&Info) + Send),
    ) -> Result<Choice, PlayerError> {
        self.session.follow(session)?;
        let (game, p) = (self.session.game(), self.session.current());
        // What rules that look back forbid is drawn again.
        let near = match self.way {
            Way::Adjacent => game.adjacent(p, &mut self.rng).filter(|&m| self.session.allows(m)),
            _ => None,
        };
        let any = || {
            let legal = self.session.legal();
            legal.get(self.rng.below(legal.len().max(1))).copied()
        };
        let m = near.or_else(any).ok_or(PlayerError::GameOver)?;
        Ok(Choice { turn: Turn::Play(game.write_move(p, m)), analysis: None })
    }
}
