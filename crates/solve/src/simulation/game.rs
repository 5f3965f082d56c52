//! [`RandomGame`]: a game of any size whose value is known at every node, and which costs nothing to
//! search: how long a search would have taken is made up, too.

use game::{MarginStep, Side, TextError, mix};

use crate::goal::Bounds;
use crate::method::Method;
use crate::name::NodeName;
use crate::rules::{Child, Measures, Searched, SolverRules, With};
use crate::tree::{Manner, Sight};

/// A tree drawn by a seed. Who wins is drawn from the root down: where the side to move wins, one of
/// its moves does, and perhaps others; where it loses, all lose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomGame {
    /// Which.
    pub seed: u64,
    /// After so many plies the game is over.
    pub plies: u32,
    /// The binary logarithm of the nodes that the root takes.
    pub root_bits: f64,
    /// Of a search that came to nothing: how often its first move is a right one.
    pub first_is_right: f64,
}

/// What is drawn for a node.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    hash: u64,
    mover: Side,
    /// 1 if the first player wins, else -1.
    value: i32,
    bits: f64,
    plies: u32,
}

/// A number from 0 to 1.
fn share(hash: u64) -> f64 {
    (hash >> 11) as f64 / (1u64 << 53) as f64
}

impl RandomGame {
    /// Who wins from a node, as it was drawn.
    #[must_use]
    pub fn truth(&self, name: &NodeName) -> Option<i32> {
        self.find(name).ok().map(|drawn| drawn.value)
    }

    fn root_drawn(&self) -> Drawn {
        let hash = mix(self.seed ^ 0x7a65_726d);
        let value = if hash & 1 == 0 { 1 } else { -1 };
        Drawn { hash, mover: Side::First, value, bits: self.root_bits, plies: 0 }
    }

    fn moves(&self, drawn: Drawn) -> u16 {
        if drawn.plies == self.plies { 0 } else { 2 + (mix(drawn.hash ^ 1) % 7) as u16 }
    }

    fn after(&self, drawn: Drawn, place: u16) -> Drawn {
        let hash = mix(drawn.hash ^ mix(u64::from(place) + 2));
        let moves = self.moves(drawn);
        let wins = drawn.value == drawn.mover.sign();
        let right = (mix(drawn.hash ^ 3) % u64::from(moves.max(1))) as u16;
        let value = match wins && place != right && share(mix(hash ^ 4)) > 0.25 {
            true => -drawn.value,
            false => drawn.value,
        };
        // A child is a part of its parent, with luck a small one.
        let bits = drawn.bits - 0.7 * f64::from(moves).log2() - 2.0 * share(mix(hash ^ 5));
        let mover = drawn.mover.other();
        Drawn { hash, mover, value, bits: bits.max(4.0), plies: drawn.plies + 1 }
    }

    fn find(&self, name: &NodeName) -> Result<Drawn, TextError> {
        let mut here = self.root_drawn();
        for &place in name.as_bytes() {
            if u16::from(place) >= self.moves(here) {
                return Err(TextError::new(&name.to_string(), "no node of this game"));
            }
            here = self.after(here, place.into());
        }
        Ok(here)
    }

    fn seen(&self, name: NodeName, drawn: Drawn) -> Sight {
        let moves = self.moves(drawn);
        let bounds = match moves {
            0 => Bounds::exactly(drawn.value),
            _ => Bounds { lower: -1, upper: 1 },
        };
        Sight { name, mover: drawn.mover, bounds, moves, outlook: None }
    }
}

impl SolverRules for RandomGame {
    fn game(&self) -> String {
        "random".to_owned()
    }

    fn root_text(&self) -> String {
        self.seed.to_string()
    }

    fn root(&self) -> NodeName {
        NodeName::new([])
    }

    fn margin_limit(&self) -> i32 {
        1
    }

    fn manner(&self, _method: Method) -> Manner {
        Manner { ordered: true, step: MarginStep::ONE }
    }

    fn text(&self, name: &NodeName) -> Result<String, TextError> {
        self.find(name)?;
        let places: Vec<String> = name.as_bytes().iter().map(u8::to_string).collect();
        Ok(places.join(" "))
    }

    fn read(&self, text: &str) -> Result<NodeName, TextError> {
        let place = |text: &str| text.parse().map_err(|_| TextError::new(text, "not a move"));
        let places = text.split_whitespace().map(place).collect::<Result<Vec<u8>, _>>()?;
        let name = NodeName::new(places);
        self.find(&name).map(|_| name)
    }

    fn sight(&self, name: &NodeName) -> Result<Sight, TextError> {
        Ok(self.seen(name.clone(), self.find(name)?))
    }

    fn measures(&self, name: &NodeName) -> Result<Measures, TextError> {
        let drawn = self.find(name)?;
        Ok(Measures {
            plies_left: self.plies - drawn.plies,
            moves: self.moves(drawn).into(),
            lead: 0,
        })
    }

    fn children(&self, name: &NodeName, order: &[u16]) -> Result<Vec<Child>, TextError> {
        let drawn = self.find(name)?;
        let moves = self.moves(drawn);
        let mut places: Vec<u16> = Vec::new();
        for place in order.iter().copied().chain(0..moves).filter(|&place| place < moves) {
            if !places.contains(&place) {
                places.push(place);
            }
        }
        let child = |place: u16| {
            let mut bytes = name.as_bytes().to_vec();
            bytes.push(place as u8);
            let sight = self.seen(NodeName::new(bytes), self.after(drawn, place));
            Child { place, sight }
        };
        Ok(places.into_iter().map(child).collect())
    }

    fn search(
        &self,
        name: &NodeName,
        at_least: i32,
        budget: u64,
        _with: &mut With<'_>,
    ) -> Result<Searched, TextError> {
        let drawn = self.find(name)?;
        let nodes = drawn.bits.exp2() as u64;
        if nodes <= budget || self.moves(drawn) == 0 {
            let holds = Some(drawn.value >= at_least);
            return Ok(Searched { holds, nodes: nodes.max(1), ..Searched::default() });
        }
        let moves = self.moves(drawn);
        let mut order: Vec<u16> = (0..moves).collect();
        let wins = drawn.value == drawn.mover.sign();
        if wins && share(mix(drawn.hash ^ 6)) < self.first_is_right {
            order.sort_by_key(|&place| self.after(drawn, place).value != drawn.value);
        }
        Ok(Searched { holds: None, nodes: budget, order, refuted: Vec::new() })
    }
}
