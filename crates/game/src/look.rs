//! [`Look`]: what a board looks like to whoever draws it, as plain data.

/// How a game's board and pieces are drawn and touched. Who draws knows these few ways, and no game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// What pieces stand on.
    pub board: BoardStyle,
    /// What they are.
    pub pieces: PieceSet,
    /// The colours of the first and the second player's pieces.
    pub sides: [Tint; 2],
    /// Letters in the text of a move that tell a capture, in games in which who can capture must; else empty.
    pub must_capture: &'static str,
    /// Pieces turn over where they stand instead of going from square to square.
    pub turns_over: bool,
    /// Where a piece may be put is worth showing: it is not simply any empty square.
    pub shows_moves: bool,
}

/// What pieces stand on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardStyle {
    /// Squares divided by lines.
    Squares,
    /// Light and dark squares.
    Chequered,
    /// Squares on green felt.
    Felt,
    /// Points where lines cross.
    Points,
    /// A few squares drawn by hand.
    Paper,
    /// Upright: what is put into a column falls down in it.
    Rack,
}

/// What pieces are drawn as. What a square holds is a letter in the game's diagram.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceSet {
    /// A disc with the letter on it.
    Lettered,
    /// Stones, all alike.
    Stones,
    /// Flat discs with a ring, all alike.
    Discs,
    /// Cross and nought.
    Marks,
    /// Men, and kings where the letter is a capital.
    Draughtsmen,
    /// Pieces of chess by their English letters.
    Chessmen,
}

/// A colour of pieces; crosses and noughts have none, but are called so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tint {
    /// White.
    Light,
    /// Black.
    Dark,
    /// Red.
    Red,
    /// Yellow.
    Yellow,
    /// Crosses.
    Cross,
    /// Noughts.
    Nought,
}

/// Any game can be shown so.
impl Default for Look {
    fn default() -> Look {
        Look {
            board: BoardStyle::Squares,
            pieces: PieceSet::Lettered,
            sides: [Tint::Dark, Tint::Light],
            must_capture: "",
            turns_over: false,
            shows_moves: false,
        }
    }
}

impl Look {
    /// Black and white stones on points, Black first.
    pub const STONES: Look = Look {
        board: BoardStyle::Points,
        pieces: PieceSet::Stones,
        sides: [Tint::Dark, Tint::Light],
        must_capture: "",
        turns_over: false,
        shows_moves: false,
    };
}

impl BoardStyle {
    /// One word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            BoardStyle::Squares => "squares",
            BoardStyle::Chequered => "chequered",
            BoardStyle::Felt => "felt",
            BoardStyle::Points => "points",
            BoardStyle::Paper => "paper",
            BoardStyle::Rack => "rack",
        }
    }
}

impl PieceSet {
    /// One word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            PieceSet::Lettered => "lettered",
            PieceSet::Stones => "stones",
            PieceSet::Discs => "discs",
            PieceSet::Marks => "marks",
            PieceSet::Draughtsmen => "draughtsmen",
            PieceSet::Chessmen => "chessmen",
        }
    }
}

impl Tint {
    /// One word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Tint::Light => "light",
            Tint::Dark => "dark",
            Tint::Red => "red",
            Tint::Yellow => "yellow",
            Tint::Cross => "cross",
            Tint::Nought => "nought",
        }
    }
}
