//! [`Switches`]: what a variant may decide about moves, known at run time or when compiling.

use game::Specialised;

use super::board::Size;
use super::position::Colour;
use super::variant::Variant;

/// Everything that decides which moves there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Switches {
    /// The board.
    pub size: Size,
    /// Who begins.
    pub first: Colour,
    /// Men capture backwards too.
    pub back: bool,
    /// Kings go any distance.
    pub flying: bool,
    /// Captures go along rows and columns too, over every second square.
    pub straight: bool,
    /// Men may not capture kings.
    pub shielded: bool,
    /// Where a flying king may stop after a capture.
    pub landing: Landing,
    /// Which of several captures must be chosen.
    pub majority: Majority,
    /// When a man that reaches the last row in a capture becomes a king.
    pub promotion: Promotion,
    /// A king of a player who has men too may not go more than three times in a row without
    /// capturing.
    pub restless: bool,
}

/// Where a flying king may stop after a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Landing {
    /// Where the capture goes on, if there is such a square.
    Continue,
    /// Anywhere; it goes on only if it can from there.
    Free,
}

/// Which of several captures must be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Majority {
    /// Any.
    None,
    /// One of those that take the most pieces.
    Quantity,
    /// The most pieces, and among these the most kings.
    Quality,
    /// The most pieces if a king captures; men choose freely.
    Kings,
    /// With a king if one can.
    King,
    /// The most pieces; then with a king; then the most kings; then those that meet a king sooner.
    Italian,
    /// The highest value, where a king is worth nearly two men; then with a king.
    Frisian,
}

/// When a man that reaches the last row in a capture becomes a king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Promotion {
    /// If the capture ends there; else it goes on as a man.
    End,
    /// At once, and it goes on as a king.
    Pass,
    /// At once, and the move is over.
    Stop,
}

/// The switches of a game.
pub trait Rules: Specialised<Values = Switches> {
    /// The switches.
    #[inline(always)]
    fn switches(self) -> Switches {
        self.values()
    }
}

impl<R: Specialised<Values = Switches>> Rules for R {}

/// Any mix of switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AnyRules(Switches);

impl Specialised for AnyRules {
    type Values = Switches;
    const FIXED: Option<Switches> = None;

    fn with(values: Switches) -> Option<AnyRules> {
        Some(AnyRules(values))
    }

    #[inline]
    fn values(&self) -> Switches {
        self.0
    }
}

/// The switches of one variant, by its number in [`Variant::ALL`], which the compiler knows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Named<const VARIANT: usize>;

impl<const VARIANT: usize> Named<VARIANT> {
    const VALUES: Switches = Variant::ALL[VARIANT].switches();
}

impl<const VARIANT: usize> Specialised for Named<VARIANT> {
    type Values = Switches;
    const FIXED: Option<Switches> = Some(Self::VALUES);

    fn with(values: Switches) -> Option<Named<VARIANT>> {
        (values == Self::VALUES).then_some(Named)
    }

    #[inline(always)]
    fn values(&self) -> Switches {
        Self::VALUES
    }
}

/// American checkers.
pub type English = Named<{ Variant::English as usize }>;
/// International draughts.
pub type International = Named<{ Variant::International as usize }>;
/// Russian draughts.
pub type Russian = Named<{ Variant::Russian as usize }>;
/// Brazilian draughts: International on 8x8.
pub type Brazilian = Named<{ Variant::Brazilian as usize }>;
/// American pool checkers.
pub type Pool = Named<{ Variant::Pool as usize }>;
/// Kings land where they like.
pub type Polish = Named<{ Variant::Polish as usize }>;
/// Italian draughts.
pub type Italian = Named<{ Variant::Italian as usize }>;
/// Spanish draughts.
pub type Spanish = Named<{ Variant::Spanish as usize }>;
/// Czech draughts.
pub type Czech = Named<{ Variant::Czech as usize }>;
/// Frisian draughts.
pub type Frisian = Named<{ Variant::Frisian as usize }>;
