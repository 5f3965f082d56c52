//! [`Weights`]: every number the evaluation of chess knows, in one place.

use evaluation::Tapered;
use evaluation::weights::{Visit, Weight, show_all};
use game::Grid;

use super::tables::{DANGER, MOBILITY, SQUARES};
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
    /// Fitted to games, as `tables` tells; what is not blended was set by hand.
    pub const DEFAULT: Weights = Weights {
        tempo: Tapered::new(15, 7),
        material: [
            Tapered::new(78, 105),
            Tapered::new(325, 307),
            Tapered::new(344, 328),
            Tapered::new(476, 540),
            Tapered::new(974, 995),
        ],
        squares: SQUARES,
        mobility: MOBILITY,
        attack: [2, 2, 3, 4],
        danger: DANGER,
        shield: [Tapered::new(11, -3), Tapered::new(3, -2)],
        bare_column: Tapered::new(-11, -4),
        threatened: Tapered::new(-37, -28),
        by_minor: Tapered::new(-23, -18),
        by_rook: Tapered::new(-25, -15),
        hanging: Tapered::new(-16, -15),
        passed: [
            Tapered::new(0, 0),
            Tapered::new(3, 10),
            Tapered::new(1, 10),
            Tapered::new(7, 27),
            Tapered::new(21, 51),
            Tapered::new(45, 87),
            Tapered::new(70, 124),
            Tapered::new(0, 0),
        ],
        stopped: Tapered::new(-4, -4),
        escort: [Tapered::new(0, -1), Tapered::new(1, 2)],
        doubled: Tapered::new(-10, -13),
        isolated: Tapered::new(-8, -9),
        backward: Tapered::new(-9, -12),
        supported: [
            Tapered::new(6, 4),
            Tapered::new(6, 1),
            Tapered::new(6, 5),
            Tapered::new(7, 6),
            Tapered::new(8, 3),
            Tapered::new(6, 4),
            Tapered::new(6, 3),
            Tapered::new(6, 4),
        ],
        outpost: [Tapered::new(14, 7), Tapered::new(9, 6)],
        bishop_pawn: Tapered::new(-1, -4),
        bishop_pair: Tapered::new(25, 48),
        open_column: Tapered::new(24, 3),
        half_open_column: Tapered::new(11, 7),
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

impl Weights {
    /// Shows every number once.
    pub(super) fn each(&mut self, visit: &mut Visit<'_>) {
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
