//! [`Weights`]: every number the evaluation of chess knows, in one place.

use std::ops::RangeInclusive;

use game::weights::{LIMIT, Tunable, Visit, Weight, show_all};
use game::{Grid, Tapered};

use super::Classic;
use crate::chess::board::Kind;

/// A queen has at most so many squares to go to, and none is a number too.
pub(super) const MOST_STEPS: usize = 28;

/// Hundredths of a pawn, each for the opening and the endgame. What is counted is told in `terms`;
/// arrays over pieces follow the order of [`Kind::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// To be the one who moves.
    pub tempo: Tapered,
    /// Pieces, without the king.
    pub material: [Tapered; 5],
    /// Pieces on squares, a1 first, as White sees them.
    pub squares: [[Tapered; 64]; 6],
    /// By the number of squares to go to, for knights, bishops, rooks and queens.
    pub mobility: [[Tapered; MOST_STEPS]; 4],
    /// What an attack by a knight, bishop, rook or queen on a square by the king adds to its danger.
    pub attack: [i32; 4],
    /// What that danger is worth to the attackers, once there are two of them.
    pub danger: [Tapered; 40],
    /// Pawns one row and two rows ahead of the king, on its column and those beside it.
    pub shield: [Tapered; 2],
    /// A column without own pawns where the king stands or beside it.
    pub bare_column: Tapered,
    /// A piece that a pawn could capture.
    pub threatened: Tapered,
    /// A rook or queen that a knight or bishop attacks.
    pub by_minor: Tapered,
    /// A queen that a rook attacks.
    pub by_rook: Tapered,
    /// A piece or pawn that is attacked, and guarded by nothing.
    pub hanging: Tapered,
    /// A pawn that no pawn can stop, by its row.
    pub passed: [Tapered; 8],
    /// A passed pawn with something on the square ahead, for each row from the third on.
    pub stopped: Tapered,
    /// A step of the own and of the other king away from the square ahead of a passed pawn, for each row from the third on.
    pub escort: [Tapered; 2],
    /// A pawn behind another on its column.
    pub doubled: Tapered,
    /// A pawn with none on the columns beside it.
    pub isolated: Tapered,
    /// A pawn that none of its own can ever guard, with the square ahead guarded by a pawn.
    pub backward: Tapered,
    /// A pawn that is guarded by another, or stands beside one, by its row.
    pub supported: [Tapered; 8],
    /// A knight and a bishop in the other half, guarded by a pawn, where no pawn can ever attack it.
    pub outpost: [Tapered; 2],
    /// A pawn on the colour of the own bishop.
    pub bishop_pawn: Tapered,
    /// Two bishops or more.
    pub bishop_pair: Tapered,
    /// A rook on a column without pawns.
    pub open_column: Tapered,
    /// A rook on a column with none but the other side's.
    pub half_open_column: Tapered,
    /// What is left, in 64ths, of the score of who has no pawns and too little else to mate with.
    pub barren: i32,
    /// A lone king's step towards the border or the right corner, and one of the other king towards it.
    pub lone_king: [i32; 2],
    /// What a knight, bishop, rook and queen count for the phase of the game.
    pub phase: [i32; 4],
    /// The phase from which on it is the opening: what the start has.
    pub opening_phase: i32,
}

impl Weights {
    /// Set by hand.
    pub const DEFAULT: Weights = Weights {
        tempo: Tapered::new(14, 8),
        material: [
            Tapered::new(85, 110),
            Tapered::new(330, 305),
            Tapered::new(345, 325),
            Tapered::new(480, 540),
            Tapered::new(970, 990),
        ],
        squares: [
            squares(PAWN_OPENING, PAWN_ENDGAME),
            squares(KNIGHT_OPENING, KNIGHT_ENDGAME),
            squares(BISHOP_OPENING, BISHOP_ENDGAME),
            squares(ROOK_OPENING, ROOK_ENDGAME),
            squares(QUEEN_OPENING, QUEEN_ENDGAME),
            squares(KING_OPENING, KING_ENDGAME),
        ],
        mobility: [steps(4, 5, 5), steps(6, 5, 5), steps(6, 3, 5), steps(11, 2, 4)],
        attack: [2, 2, 3, 4],
        danger: dangers(),
        shield: [Tapered::new(14, 0), Tapered::new(7, 0)],
        bare_column: Tapered::new(-10, 0),
        threatened: Tapered::new(-40, -30),
        by_minor: Tapered::new(-25, -20),
        by_rook: Tapered::new(-25, -15),
        hanging: Tapered::new(-15, -10),
        passed: [
            Tapered::new(0, 0),
            Tapered::new(0, 8),
            Tapered::new(2, 12),
            Tapered::new(8, 26),
            Tapered::new(22, 48),
            Tapered::new(44, 84),
            Tapered::new(70, 130),
            Tapered::new(0, 0),
        ],
        stopped: Tapered::new(-2, -6),
        escort: [Tapered::new(0, -2), Tapered::new(0, 3)],
        doubled: Tapered::new(-8, -18),
        isolated: Tapered::new(-12, -10),
        backward: Tapered::new(-8, -8),
        supported: [Tapered::new(6, 4); 8],
        outpost: [Tapered::new(15, 10), Tapered::new(8, 5)],
        bishop_pawn: Tapered::new(-3, -4),
        bishop_pair: Tapered::new(26, 44),
        open_column: Tapered::new(26, 10),
        half_open_column: Tapered::new(12, 8),
        barren: 12,
        lone_king: [24, 12],
        phase: [1, 1, 2, 4],
        opening_phase: 24,
    };

    /// The place of a kind of piece in arrays over pieces.
    #[inline]
    pub(super) const fn place(kind: Kind) -> usize {
        match kind {
            Kind::Pawn => 0,
            Kind::Knight => 1,
            Kind::Bishop => 2,
            Kind::Rook => 3,
            Kind::Queen => 4,
            Kind::King => 5,
        }
    }
}

impl Default for Weights {
    fn default() -> Weights {
        Weights::DEFAULT
    }
}

impl Tunable for Classic {
    const NAMES: &'static [&'static str] = &["classic"];

    fn named(name: &str) -> Option<Classic> {
        (name == "classic").then(Classic::default)
    }

    fn name(&self) -> &'static str {
        "classic"
    }

    fn each_weight(&mut self, visit: &mut Visit<'_>) {
        self.weights.each(visit);
    }

    /// What others are multiplied with is kept small, and a phase is what the blend is divided by.
    fn range(name: &str) -> RangeInclusive<i32> {
        match name.split('.').next() {
            Some("opening_phase") => 1..=100,
            Some("phase" | "attack") => 0..=50,
            _ => -LIMIT..=LIMIT,
        }
    }
}

impl Weights {
    /// Shows every number once.
    fn each(&mut self, visit: &mut Visit<'_>) {
        const PIECES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
        const OFFICERS: [&str; 4] = ["knight", "bishop", "rook", "queen"];
        const BOARD: Grid = Grid { rows: 8, columns: 8 };
        self.tempo.show("tempo", visit);
        show_all("material", &PIECES[..5], &mut self.material, visit);
        for (piece, squares) in PIECES.iter().zip(&mut self.squares) {
            let names = BOARD.iter().map(|square| BOARD.name(square));
            show_all(&format!("squares.{piece}"), names, squares, visit);
        }
        for (officer, mobility) in OFFICERS.iter().zip(&mut self.mobility) {
            show_all(&format!("mobility.{officer}"), 0.., mobility, visit);
        }
        show_all("attack", OFFICERS, &mut self.attack, visit);
        show_all("danger", 0..40, &mut self.danger, visit);
        show_all("shield", ["near", "far"], &mut self.shield, visit);
        self.bare_column.show("bare_column", visit);
        self.threatened.show("threatened", visit);
        self.by_minor.show("by_minor", visit);
        self.by_rook.show("by_rook", visit);
        self.hanging.show("hanging", visit);
        show_all("passed", 1..=8, &mut self.passed, visit);
        self.stopped.show("stopped", visit);
        show_all("escort", ["own", "other"], &mut self.escort, visit);
        self.doubled.show("doubled", visit);
        self.isolated.show("isolated", visit);
        self.backward.show("backward", visit);
        show_all("supported", 1..=8, &mut self.supported, visit);
        show_all("outpost", &OFFICERS[..2], &mut self.outpost, visit);
        self.bishop_pawn.show("bishop_pawn", visit);
        self.bishop_pair.show("bishop_pair", visit);
        self.open_column.show("open_column", visit);
        self.half_open_column.show("half_open_column", visit);
        show_all("phase", OFFICERS, &mut self.phase, visit);
        self.opening_phase.show("opening_phase", visit);
    }
}

/// Half a board: rows from the first to the last, in each columns a to d; e to h are their mirror.
type Half = [[i32; 4]; 8];

const fn squares(opening: Half, endgame: Half) -> [Tapered; 64] {
    let mut squares = [Tapered::new(0, 0); 64];
    let mut bit = 0;
    while bit < 64 {
        let (row, column) = (bit / 8, bit % 8);
        let column = if column < 4 { column } else { 7 - column };
        squares[bit] = Tapered::new(opening[row][column], endgame[row][column]);
        bit += 1;
    }
    squares
}

/// So much for every square more or less than usual.
const fn steps(usual: i32, opening: i32, endgame: i32) -> [Tapered; MOST_STEPS] {
    let mut steps = [Tapered::new(0, 0); MOST_STEPS];
    let mut count = 0;
    while count < MOST_STEPS {
        let more = count as i32 - usual;
        steps[count] = Tapered::new(more * opening, more * endgame);
        count += 1;
    }
    steps
}

/// Attackers help one another: danger grows with the square of their attacks, up to a piece's worth.
const fn dangers() -> [Tapered; 40] {
    let mut dangers = [Tapered::new(0, 0); 40];
    let mut units = 0;
    while units < dangers.len() {
        let squared = (units * units) as i32;
        let opening = if squared < 1_000 { squared * 2 / 5 } else { 400 };
        dangers[units] = Tapered::new(opening, opening / 8);
        units += 1;
    }
    dangers
}

const PAWN_OPENING: Half = [
    [0, 0, 0, 0],
    [0, 6, 0, -12],
    [2, 2, 4, 2],
    [-2, 0, 10, 24],
    [2, 4, 12, 28],
    [10, 14, 24, 34],
    [40, 42, 44, 48],
    [0, 0, 0, 0],
];
const PAWN_ENDGAME: Half = [
    [0, 0, 0, 0],
    [0, 0, 0, 0],
    [0, 0, 0, 0],
    [4, 4, 2, 2],
    [12, 10, 8, 8],
    [24, 22, 20, 18],
    [40, 38, 36, 34],
    [0, 0, 0, 0],
];
const KNIGHT_OPENING: Half = [
    [-54, -28, -22, -18],
    [-28, -16, -2, 4],
    [-16, 2, 12, 14],
    [-10, 6, 18, 22],
    [-6, 10, 22, 28],
    [-12, 8, 22, 26],
    [-26, -10, 8, 10],
    [-62, -32, -22, -16],
];
const KNIGHT_ENDGAME: Half = [
    [-40, -28, -18, -14],
    [-26, -12, -6, 0],
    [-16, -4, 6, 12],
    [-10, 2, 14, 20],
    [-10, 2, 14, 20],
    [-16, -4, 6, 10],
    [-26, -14, -6, -2],
    [-44, -28, -20, -14],
];
const BISHOP_OPENING: Half = [
    [-14, -8, -14, -12],
    [2, 14, 6, 4],
    [0, 8, 10, 8],
    [-2, 4, 10, 16],
    [-2, 8, 10, 18],
    [-6, 4, 8, 8],
    [-14, -6, -2, -2],
    [-16, -10, -12, -12],
];
const BISHOP_ENDGAME: Half = [
    [-14, -8, -6, -4],
    [-8, -4, 0, 2],
    [-4, 2, 6, 8],
    [-2, 4, 8, 12],
    [-2, 4, 8, 12],
    [-4, 2, 6, 8],
    [-8, -4, 0, 2],
    [-14, -8, -6, -4],
];
const ROOK_OPENING: Half = [
    [-8, -4, 4, 10],
    [-16, -6, -2, 0],
    [-12, -4, 0, 0],
    [-10, -4, 0, 0],
    [-6, 0, 2, 4],
    [-2, 2, 6, 8],
    [12, 14, 18, 20],
    [4, 4, 6, 8],
];
const ROOK_ENDGAME: Half = [
    [-6, -4, -2, 0],
    [-6, -4, -2, 0],
    [-4, -2, 0, 0],
    [0, 0, 0, 0],
    [2, 2, 2, 2],
    [4, 4, 4, 4],
    [8, 8, 8, 8],
    [6, 6, 6, 6],
];
const QUEEN_OPENING: Half = [
    [-8, -8, -6, 2],
    [-6, 0, 4, 2],
    [-4, 2, 2, 0],
    [-4, -2, 0, 0],
    [-4, 0, 2, 2],
    [0, 4, 6, 6],
    [-4, -8, 4, 4],
    [0, 4, 6, 6],
];
const QUEEN_ENDGAME: Half = [
    [-24, -18, -14, -10],
    [-16, -10, -4, 0],
    [-10, 0, 6, 8],
    [-4, 6, 14, 20],
    [-4, 8, 16, 24],
    [-8, 2, 10, 14],
    [-12, -2, 4, 8],
    [-16, -10, -6, -4],
];
const KING_OPENING: Half = [
    [18, 30, 8, -8],
    [8, 6, -14, -22],
    [-20, -24, -32, -36],
    [-36, -42, -50, -56],
    [-46, -52, -60, -64],
    [-52, -58, -64, -68],
    [-56, -62, -68, -70],
    [-60, -64, -70, -74],
];
const KING_ENDGAME: Half = [
    [-46, -32, -22, -18],
    [-28, -14, -4, 2],
    [-18, -2, 10, 16],
    [-12, 6, 20, 26],
    [-10, 10, 24, 30],
    [-14, 8, 20, 26],
    [-26, -8, 4, 10],
    [-48, -32, -22, -18],
];
