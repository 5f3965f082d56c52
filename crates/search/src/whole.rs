//! Strategies of games that are small enough to be looked at from end to end.

use std::collections::{BTreeMap, HashMap, HashSet};

use game::{Game, Side, moves_of};

use crate::strategy::RECORD;

/// A strategy for either side of a game that is just won, drawn or lost: it wins as fast as it can,
/// holds out as long as it can, and is given as bytes for [`Strategy`](crate::Strategy). `None` if
/// the game has more than so many positions, or its rules look back.
pub fn strategy_of<G: Game>(game: &G, most: usize) -> Option<Vec<u8>> {
    if game.looks_back() || game.margin_limit() > 1 {
        return None;
    }
    let mut whole = Whole { game, most, values: HashMap::new() };
    let mut p = game.start();
    whole.visit(&mut p)?;
    let mut chosen = BTreeMap::new();
    for side in [Side::First, Side::Second] {
        whole.choose_for(side, &mut p, &mut chosen, &mut HashSet::new());
    }
    let mut bytes = Vec::with_capacity(chosen.len() * RECORD);
    for (key, code) in chosen {
        bytes.extend(key.to_le_bytes());
        bytes.extend(u16::try_from(code).ok()?.to_le_bytes());
    }
    Some(bytes)
}

/// The value of every position: 0 for a draw, else the sooner the end the further from it; positive
/// if the first player wins.
struct Whole<'g, G> {
    game: &'g G,
    most: usize,
    values: HashMap<u64, i16>,
}

/// A game that is over and won. No small game has so many plies.
const WON: i16 = 10_000;

impl<G: Game> Whole<'_, G> {
    /// Looks at a position and all that follow; `None` if there are too many.
    fn visit(&mut self, p: &mut G::Position) -> Option<i16> {
        let (key, _) = self.game.table_key(p);
        if let Some(value) = self.known(p).or_else(|| self.values.get(&key).copied()) {
            return Some(value);
        }
        let sign = self.game.to_move(p).sign() as i16;
        let mut best = i16::MIN;
        for m in moves_of(self.game, p) {
            let undo = self.game.make(p, m);
            let value = self.visit(p);
            self.game.unmake(p, m, undo);
            best = best.max(sign * a_ply_before(value?));
        }
        self.values.insert(key, sign * best);
        (self.values.len() <= self.most).then_some(sign * best)
    }

    /// The value of a game that is over.
    fn known(&self, p: &G::Position) -> Option<i16> {
        let stuck = || G::GETS_STUCK && self.game.is_stuck(p);
        let margin = self.game.margin(p).or_else(|| stuck().then(|| self.game.stuck(p)));
        margin.map(|margin| margin.signum() as i16 * WON)
    }

    /// Chooses the best move wherever this side can get by such moves, whatever the other side
    /// does.
    fn choose_for(
        &self,
        side: Side,
        p: &mut G::Position,
        chosen: &mut BTreeMap<u64, u32>,
        seen: &mut HashSet<u64>,
    ) {
        let (key, symmetry) = self.game.table_key(p);
        if self.known(p).is_some() || !seen.insert(key) {
            return;
        }
        let own = self.game.to_move(p) == side;
        let mut best: Option<(i16, G::Move)> = None;
        for m in moves_of(self.game, p) {
            let undo = self.game.make(p, m);
            if own {
                let after = self.game.table_key(p).0;
                let value = self.known(p).or_else(|| self.values.get(&after).copied());
                let value = side.sign() as i16 * value.unwrap_or(0);
                if best.is_none_or(|(most, _)| value > most) {
                    best = Some((value, m));
                }
            } else {
                self.choose_for(side, p, chosen, seen);
            }
            self.game.unmake(p, m, undo);
        }
        if let Some((_, m)) = best {
            chosen.insert(key, self.game.table_code(p, m, symmetry));
            let undo = self.game.make(p, m);
            self.choose_for(side, p, chosen, seen);
            self.game.unmake(p, m, undo);
        }
    }
}

/// The same end is one ply further away.
fn a_ply_before(value: i16) -> i16 {
    value - value.signum()
}
