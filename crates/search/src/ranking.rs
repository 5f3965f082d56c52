//! Several best moves at once: each move of the root is searched on its own, and all that may be among the best
//! get an exact value.

use evaluation::{Proofs, Tactics};
use game::{Game, Value};

use crate::bounds::Depth;
use crate::settings::{STUDY, Settings};
use crate::worker::Worker;

/// The moves of the root, best first by what the last iteration found.
#[derive(Debug)]
pub(crate) struct Ranking<M> {
    /// How many of them are wanted.
    pub(crate) lines: usize,
    /// Whether a claim may be better than any of them: not for one who has to choose among moves.
    may_claim: bool,
    moves: Vec<Ranked<M>>,
    /// Some moves were left out.
    incomplete: bool,
}

/// A move and its value, which is only an upper bound for those that are not among the best.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked<M> {
    pub(crate) m: M,
    pub(crate) value: Value,
}

impl<M: Copy> Ranking<M> {
    /// None where one line of any move is enough: the usual searches find it faster.
    pub(crate) fn new(among: &[M], settings: &Settings) -> Option<Ranking<M>> {
        let moves = among.iter().map(|&m| Ranked { m, value: -Value::INFINITY }).collect();
        (settings.lines > 1 || !among.is_empty()).then(|| Ranking {
            lines: settings.lines.max(1),
            may_claim: among.is_empty(),
            moves,
            incomplete: false,
        })
    }

    /// The moves that were asked for, best first.
    pub(crate) fn best(&self) -> impl Iterator<Item = Ranked<M>> {
        self.moves.iter().take(self.lines).copied()
    }

    /// What a move must exceed to be among the best.
    fn floor(&self, found: &[Ranked<M>]) -> Value {
        found.get(self.lines - 1).map_or(-Value::INFINITY, |last| last.value)
    }
}

impl<G: Game, H: Tactics<G> + Proofs<G>> Worker<'_, G, H> {
    /// Searches all moves of the root and gives the value of the best; what may be claimed or has no move
    /// is worth what the plain search says.
    pub(crate) fn rank_moves(&mut self, ranking: &mut Ranking<G::Move>, depth: Depth) -> Value {
        self.guesses = 0;
        self.look_back();
        if self.playing {
            self.prepare(depth);
        }
        if ranking.moves.is_empty() {
            ranking.moves = self.root_moves();
            self.leave_out(ranking);
        }
        self.root.moves = ranking.moves.len();
        let mut found: Vec<Ranked<G::Move>> = Vec::with_capacity(ranking.moves.len());
        for i in 0..ranking.moves.len() {
            let m = ranking.moves[i].m;
            let floor = ranking.floor(&found);
            let Some(value) = self.value_above(m, depth, floor) else { continue };
            if self.expired() {
                return Value::DRAW;
            }
            let place = found.partition_point(|better| better.value >= value);
            found.insert(place, Ranked { m, value });
            self.root.best = found.first().map(|best| best.m);
            self.root.moves_done += 1;
            self.report(&[]);
        }
        self.look_back();
        let claim = self.claim().filter(|_| ranking.may_claim);
        let mut best = found.first().map(|best| best.value);
        if ranking.incomplete {
            self.guesses += 1;
            best = best.map(Value::with_hope);
        }
        if claim > best {
            self.root.best = None;
        }
        ranking.moves = found;
        let stuck = || self.over(self.game.stuck(&self.p));
        best.max(claim).unwrap_or_else(stuck)
    }

    fn root_moves(&mut self) -> Vec<Ranked<G::Move>> {
        let mut moves = self.open_moves(0, |_, _| false);
        let mut all = Vec::with_capacity(moves.len());
        while let Some((m, _)) = self.order.next(&mut moves) {
            all.push(Ranked { m, value: -Value::INFINITY });
        }
        self.order.close(&moves);
        all
    }

    /// Where there are enough moves worth a look, the playing search looks at no others here
    /// either.
    fn leave_out(&mut self, ranking: &mut Ranking<G::Move>) {
        if !self.playing {
            return;
        }
        let candidates = self.candidates();
        if candidates.len() < ranking.moves.len() && candidates.len() >= ranking.lines {
            ranking.moves.retain(|ranked| candidates.contains(&ranked.m));
            ranking.incomplete = true;
        }
    }

    /// The value of a move of the root if it exceeds the floor, else a bound below; `None` if a rule forbids
    /// the move.
    fn value_above(&mut self, m: G::Move, depth: Depth, floor: Value) -> Option<Value> {
        let within = |worker: &mut Self, beta| match !STUDY || worker.playing {
            true => worker.try_playing(m, depth, 0, floor, beta),
            false => worker.try_move::<true>(m, depth, 0, floor, beta),
        };
        if floor > -Value::INFINITY {
            let value = within(self, floor.succ())?;
            if value <= floor || self.expired() {
                return Some(value);
            }
        }
        within(self, Value::INFINITY)
    }
}
