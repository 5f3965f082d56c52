//! [`Instance`]: a playable game with the keys that its searches are compiled with.

use games::mnk::Shape;
use games::{Playable, chess, draughts, go, mnk, reversi};
use search::{CanonicalKeys, Keys, PlainKeys};

/// A game with the keys that its searches are compiled with.
pub trait Instance: Playable {
    /// How its positions are named in tables.
    type Keys: Keys<Self> + Sync;

    /// The same as a value.
    const KEYS: Self::Keys;
}

impl<S: reversi::Shape> Instance for reversi::Reversi<S> {
    type Keys = CanonicalKeys;
    const KEYS: CanonicalKeys = CanonicalKeys;
}

/// How positions of line games are named, by their board.
pub trait BoardKeys<S: Shape>: mnk::WindowBoard {
    /// Their type.
    type Keys: Keys<mnk::Mnk<S, Self>> + Sync;
    /// And value.
    const KEYS: Self::Keys;
}

impl<S: Shape, W: mnk::Word> BoardKeys<S> for mnk::WordBoard<W> {
    type Keys = CanonicalKeys;
    const KEYS: CanonicalKeys = CanonicalKeys;
}

/// On boards this large mirror images are hardly ever met again, and finding them costs more than
/// it brings.
impl<S: Shape> BoardKeys<S> for mnk::LineBoard {
    type Keys = PlainKeys;
    const KEYS: PlainKeys = PlainKeys;
}

impl<S: Shape, B: BoardKeys<S>> Instance for mnk::Mnk<S, B> {
    type Keys = B::Keys;
    const KEYS: B::Keys = B::KEYS;
}

impl Instance for chess::Chess {
    type Keys = PlainKeys;
    const KEYS: PlainKeys = PlainKeys;
}

impl<R: draughts::Rules> Instance for draughts::Draughts<R> {
    type Keys = PlainKeys;
    const KEYS: PlainKeys = PlainKeys;
}

impl<S: go::Points, R: go::Shape> Instance for go::Go<S, R> {
    type Keys = CanonicalKeys;
    const KEYS: CanonicalKeys = CanonicalKeys;
}
