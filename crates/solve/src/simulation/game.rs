//! [`RandomGame`]: a game of any size whose value is known at every node, and which costs nothing to
//! search: how long a search would have taken is made up, too.

use game::{MarginStep, Side, TextError, mix};

use crate::goal::{Bounds, Goal};
use crate::message::SolverVersion;
use crate::method::Method;
use crate::name::NodeName;
use crate::rules::{Child, Measures, Searched, SolverRules, With};
use crate::tree::{Manner, Sight};

/// All simulated workers run the same program.
pub(super) const SIMULATED: SolverVersion = SolverVersion(1);

/// A tree drawn by a seed. What it is worth is drawn from the root down: one of the moves of a node
/// keeps its value, and perhaps others do; the rest are worse for the side to move, where there is
/// something worse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomGame {
    /// Which.
    pub seed: u64,
    /// After so many plies the game is over.
    pub plies: u32,
    /// The largest margin: all from its negative on come up.
    pub limit: i32,
    /// The binary logarithm of the nodes that the root takes.
    pub root_bits: f64,
    /// Of a search that came to nothing: how often its first move is a right one.
    pub first_is_right: f64,
}

/// What is drawn for a node. It is also what its name says, so that nothing is looked for.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    hash: u64,
    bits: f64,
    /// The first player's margin.
    value: i32,
    plies: u32,
}

impl Drawn {
    fn name(self) -> NodeName {
        let mut bytes = [0; NAME_BYTES];
        bytes[..8].copy_from_slice(&self.hash.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.bits.to_le_bytes());
        (bytes[16], bytes[17]) = (self.value as i8 as u8, self.plies as u8);
        NodeName::new(bytes)
    }

    fn mover(self) -> Side {
        if self.plies.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    /// How many nodes a search takes that answers a question about it.
    fn nodes(self) -> u64 {
        (self.bits.exp2() as u64).max(1)
    }
}

const NAME_BYTES: usize = 18;

/// The binary logarithm of the nodes that any node but the root takes at least.
const LEAST_BITS: f64 = 4.0;

/// A number from 0 to 1.
fn share(hash: u64) -> f64 {
    (hash >> 11) as f64 / (1u64 << 53) as f64
}

impl RandomGame {
    /// The largest game of this seed whose value can be found, by one machine without any detour but
    /// wrong moves, with so many nodes in searches of at most `budget`.
    #[must_use]
    pub fn sized(seed: u64, budget: u64, nodes: f64) -> RandomGame {
        const STEP_BITS: f64 = 0.25;
        const MOST_BITS: f64 = 120.0;
        let game =
            |root_bits| RandomGame { seed, plies: 60, limit: 2, root_bits, first_is_right: 0.7 };
        let mut bits = (budget as f64).log2();
        while bits < MOST_BITS && game(bits + STEP_BITS).takes_at_most(budget, nodes) {
            bits += STEP_BITS;
        }
        game(bits)
    }

    /// What a node is worth, as it was drawn.
    #[must_use]
    pub fn truth(&self, name: &NodeName) -> Option<i32> {
        self.find(name).ok().map(|drawn| drawn.value)
    }

    /// How many nodes a search takes that answers a question about a node.
    #[must_use]
    pub fn nodes(&self, name: &NodeName) -> Option<u64> {
        self.find(name).ok().map(Drawn::nodes)
    }

    /// What a search of so many nodes finds.
    pub(super) fn searched(
        &self,
        name: &NodeName,
        at_least: i32,
        budget: u64,
    ) -> Result<Searched, TextError> {
        let drawn = self.find(name)?;
        let nodes = drawn.nodes();
        if nodes <= budget || self.moves(drawn) == 0 {
            let holds = Some(drawn.value >= at_least);
            return Ok(Searched { holds, nodes, ..Searched::default() });
        }
        let order = self.order(drawn);
        Ok(Searched { holds: None, nodes: budget, order, refuted: Vec::new() })
    }

    /// All questions that finding the value asks, one after the other.
    fn takes_at_most(&self, budget: u64, nodes: f64) -> bool {
        let root = self.root_drawn();
        let mut known = Bounds { lower: -self.limit, upper: self.limit };
        let mut left = nodes;
        while let Some(asked) = Goal::Value.next(known, root.mover(), MarginStep::ONE) {
            self.spend(root, asked, budget, &mut left);
            known = known.with(asked, root.value >= asked);
        }
        left >= 0.0
    }

    /// Depth first, moves in their order, until it is answered or nothing is left.
    fn spend(&self, drawn: Drawn, at_least: i32, budget: u64, left: &mut f64) {
        *left -= drawn.nodes().min(budget) as f64;
        if drawn.nodes() <= budget || self.moves(drawn) == 0 {
            return;
        }
        let wanted = drawn.mover() == Side::First;
        for place in self.order(drawn) {
            let child = self.after(drawn, place);
            self.spend(child, at_least, budget, left);
            if *left < 0.0 || (child.value >= at_least) == wanted {
                return;
            }
        }
    }

    fn root_drawn(&self) -> Drawn {
        let hash = mix(self.seed ^ 0x7a65_726d);
        let value = (hash % (2 * self.limit as u64 + 1)) as i32 - self.limit;
        Drawn { hash, value, bits: self.root_bits, plies: 0 }
    }

    fn moves(&self, drawn: Drawn) -> u16 {
        if drawn.plies >= self.plies { 0 } else { 2 + (mix(drawn.hash ^ 1) % 7) as u16 }
    }

    fn after(&self, drawn: Drawn, place: u16) -> Drawn {
        let hash = mix(drawn.hash ^ mix(u64::from(place) + 2));
        let moves = self.moves(drawn);
        let right = (mix(drawn.hash ^ 3) % u64::from(moves.max(1))) as u16;
        let sign = drawn.mover().sign();
        // How many margins are worse for the side to move.
        let worse = (drawn.value * sign + self.limit) as u64;
        let value = match worse > 0 && place != right && share(mix(hash ^ 4)) > 0.25 {
            true => drawn.value - sign * (1 + (mix(hash ^ 7) % worse) as i32),
            false => drawn.value,
        };
        // A child is a part of its parent, with luck a small one.
        let bits = drawn.bits - 0.7 * f64::from(moves).log2() - 2.0 * share(mix(hash ^ 5));
        Drawn { hash, value, bits: bits.max(LEAST_BITS), plies: drawn.plies + 1 }
    }

    /// What a search that came to nothing thinks of the moves.
    fn order(&self, drawn: Drawn) -> Vec<u16> {
        let mut order: Vec<u16> = (0..self.moves(drawn)).collect();
        if share(mix(drawn.hash ^ 6)) < self.first_is_right {
            order.sort_by_key(|&place| self.after(drawn, place).value != drawn.value);
        }
        order
    }

    fn find(&self, name: &NodeName) -> Result<Drawn, TextError> {
        let none = || TextError::new(&name.to_string(), "no node of this game");
        let bytes: &[u8; NAME_BYTES] = name.as_bytes().try_into().map_err(|_| none())?;
        let eight = |from: usize| std::array::from_fn(|nth| bytes[from + nth]);
        let drawn = Drawn {
            hash: u64::from_le_bytes(eight(0)),
            bits: f64::from_le_bytes(eight(8)),
            value: i32::from(bytes[16] as i8),
            plies: bytes[17].into(),
        };
        let (least, most) = (self.root_bits.min(LEAST_BITS), self.root_bits.max(LEAST_BITS));
        let is_one = (least..=most).contains(&drawn.bits)
            && drawn.value.abs() <= self.limit
            && drawn.plies <= self.plies;
        is_one.then_some(drawn).ok_or_else(none)
    }

    fn seen(&self, drawn: Drawn) -> Sight {
        let moves = self.moves(drawn);
        let bounds = match moves {
            0 => Bounds::exactly(drawn.value),
            _ => Bounds { lower: -self.limit, upper: self.limit },
        };
        Sight { name: drawn.name(), mover: drawn.mover(), bounds, moves, outlook: None }
    }
}

impl SolverRules for RandomGame {
    fn game(&self) -> String {
        "random".to_owned()
    }

    fn root_text(&self) -> String {
        self.seed.to_string()
    }

    fn version(&self) -> SolverVersion {
        SIMULATED
    }

    fn root(&self) -> NodeName {
        self.root_drawn().name()
    }

    fn margin_limit(&self) -> i32 {
        self.limit
    }

    fn manner(&self, _method: Method) -> Manner {
        Manner { ordered: true, step: MarginStep::ONE }
    }

    fn text(&self, name: &NodeName) -> Result<String, TextError> {
        self.find(name).map(|_| name.to_string())
    }

    fn read(&self, text: &str) -> Result<NodeName, TextError> {
        let digits = |pair: &[u8]| {
            let pair = std::str::from_utf8(pair).ok()?;
            u8::from_str_radix(pair, 16).ok()
        };
        let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(digits).collect();
        let bytes = bytes.ok_or_else(|| TextError::new(text, "not a node of this game"))?;
        let name = NodeName::new(bytes);
        self.find(&name).map(|_| name)
    }

    fn sight(&self, name: &NodeName) -> Result<Sight, TextError> {
        Ok(self.seen(self.find(name)?))
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
        let child = |place: u16| Child { place, sight: self.seen(self.after(drawn, place)) };
        Ok(places.into_iter().map(child).collect())
    }

    fn search(
        &self,
        name: &NodeName,
        at_least: i32,
        budget: u64,
        _with: &mut With<'_>,
    ) -> Result<Searched, TextError> {
        self.searched(name, at_least, budget)
    }
}
