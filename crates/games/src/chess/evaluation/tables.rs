//! The larger tables of [`Weights`](super::Weights): squares, mobility and danger.
//!
//! Fitted, with all other numbers but the phases, to quiet positions of the program's games against itself: a logistic
//! regression of results and of what a search of 2,500 nodes said, held close to the numbers that were set by hand before.

use evaluation::Tapered;

use super::weights::MOST_STEPS;

/// Half a board: rows from the first to the last, in each columns a to d; e to h are their mirror.
type Half = [[i32; 4]; 8];

/// Pieces on squares, in the order pawn, knight, bishop, rook, queen, king.
pub(super) const SQUARES: [[Tapered; 64]; 6] = [
    squares(PAWN_OPENING, PAWN_ENDGAME),
    squares(KNIGHT_OPENING, KNIGHT_ENDGAME),
    squares(BISHOP_OPENING, BISHOP_ENDGAME),
    squares(ROOK_OPENING, ROOK_ENDGAME),
    squares(QUEEN_OPENING, QUEEN_ENDGAME),
    squares(KING_OPENING, KING_ENDGAME),
];

/// By the number of squares to go to; what no piece can have counts like the most.
pub(super) const MOBILITY: [[Tapered; MOST_STEPS]; 4] =
    [steps(&KNIGHT_STEPS), steps(&BISHOP_STEPS), steps(&ROOK_STEPS), steps(&QUEEN_STEPS)];

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

const fn steps(given: &[(i32, i32)]) -> [Tapered; MOST_STEPS] {
    let mut steps = [Tapered::new(0, 0); MOST_STEPS];
    let mut count = 0;
    while count < MOST_STEPS {
        let last = given.len() - 1;
        let (opening, endgame) = given[if count < last { count } else { last }];
        steps[count] = Tapered::new(opening, endgame);
        count += 1;
    }
    steps
}

#[rustfmt::skip]
const PAWN_OPENING: Half = [
    [0, 0, 0, 0],
    [-4, 8, 3, -11],
    [2, 2, 7, 2],
    [-2, 0, 10, 18],
    [4, 5, 14, 21],
    [10, 13, 23, 33],
    [40, 42, 43, 48],
    [0, 0, 0, 0],
];
#[rustfmt::skip]
const PAWN_ENDGAME: Half = [
    [0, 0, 0, 0],
    [4, 3, 3, 2],
    [-1, -3, 2, 0],
    [4, 5, 2, -2],
    [14, 9, 8, 4],
    [23, 23, 19, 18],
    [38, 34, 35, 36],
    [0, 0, 0, 0],
];
#[rustfmt::skip]
const KNIGHT_OPENING: Half = [
    [-54, -19, -21, -16],
    [-27, -17, 1, 5],
    [-19, 4, 7, 12],
    [-9, 6, 15, 19],
    [-4, 9, 19, 25],
    [-13, 7, 23, 26],
    [-27, -9, 7, 9],
    [-62, -32, -22, -16],
];
#[rustfmt::skip]
const KNIGHT_ENDGAME: Half = [
    [-40, -25, -18, -14],
    [-26, -12, -7, -1],
    [-16, -3, 6, 10],
    [-9, 2, 13, 19],
    [-10, 4, 13, 20],
    [-16, -4, 6, 10],
    [-26, -13, -6, -3],
    [-44, -28, -20, -14],
];
#[rustfmt::skip]
const BISHOP_OPENING: Half = [
    [-14, -7, -11, -11],
    [3, 15, 6, 6],
    [2, 9, 12, 2],
    [-3, 6, 7, 15],
    [-2, 4, 10, 18],
    [-4, 2, 7, 8],
    [-14, -6, -2, -1],
    [-15, -10, -12, -11],
];
#[rustfmt::skip]
const BISHOP_ENDGAME: Half = [
    [-14, -7, -5, -3],
    [-7, -2, -1, 2],
    [-3, 2, 8, 8],
    [-4, 4, 6, 11],
    [-2, 3, 9, 11],
    [-5, 2, 6, 8],
    [-8, -4, 0, 2],
    [-13, -7, -6, -4],
];
#[rustfmt::skip]
const ROOK_OPENING: Half = [
    [-7, -4, 7, 10],
    [-21, -7, -2, 0],
    [-17, -3, -2, -1],
    [-6, -4, -1, -1],
    [-5, 0, 1, 4],
    [-1, 2, 7, 9],
    [12, 13, 18, 20],
    [5, 3, 6, 7],
];
#[rustfmt::skip]
const ROOK_ENDGAME: Half = [
    [-3, -7, -1, -2],
    [-6, -5, -3, 0],
    [-5, -3, 0, 0],
    [2, 0, 1, 0],
    [4, 3, 1, 1],
    [5, 5, 5, 6],
    [7, 7, 7, 7],
    [8, 6, 6, 4],
];
#[rustfmt::skip]
const QUEEN_OPENING: Half = [
    [-8, -8, -6, 0],
    [-7, 0, 5, 7],
    [-4, 3, 3, 0],
    [-5, -2, 1, -1],
    [-5, 2, 2, 1],
    [0, 3, 5, 7],
    [-5, -8, 3, 4],
    [1, 4, 6, 5],
];
#[rustfmt::skip]
const QUEEN_ENDGAME: Half = [
    [-24, -18, -14, -11],
    [-16, -10, -6, -1],
    [-10, 1, 7, 9],
    [-4, 7, 15, 21],
    [-4, 9, 16, 25],
    [-8, 2, 10, 15],
    [-12, -2, 4, 8],
    [-16, -10, -5, -4],
];
#[rustfmt::skip]
const KING_OPENING: Half = [
    [18, 28, 7, -7],
    [9, 7, -14, -22],
    [-20, -23, -31, -36],
    [-36, -42, -50, -56],
    [-46, -52, -60, -64],
    [-52, -58, -64, -68],
    [-56, -62, -68, -70],
    [-60, -64, -70, -74],
];
#[rustfmt::skip]
const KING_ENDGAME: Half = [
    [-44, -33, -24, -16],
    [-26, -15, -3, 0],
    [-18, -1, 9, 14],
    [-12, 6, 19, 27],
    [-10, 10, 24, 29],
    [-13, 8, 20, 26],
    [-25, -8, 4, 10],
    [-48, -32, -22, -18],
];

#[rustfmt::skip]
const KNIGHT_STEPS: [(i32, i32); 9] = [
    (-24, -21), (-13, -16), (-7, -10), (-4, -3), (-1, 2), (2, 7), (8, 11),
    (16, 14), (18, 17),
];

#[rustfmt::skip]
const BISHOP_STEPS: [(i32, i32); 14] = [
    (-31, -30), (-21, -24), (-15, -18), (-13, -14), (-8, -8), (-4, -4), (-2, 1),
    (1, 5), (8, 11), (13, 12), (18, 19), (24, 22), (30, 30), (35, 34),
];

#[rustfmt::skip]
const ROOK_STEPS: [(i32, i32); 15] = [
    (-20, -29), (-15, -24), (-9, -20), (-6, -15), (-6, -9), (-3, -5), (-1, 1),
    (2, 7), (6, 12), (9, 16), (12, 21), (14, 24), (17, 28), (20, 33),
    (22, 36),
];

#[rustfmt::skip]
const QUEEN_STEPS: [(i32, i32); 28] = [
    (-20, -44), (-17, -40), (-18, -36), (-16, -33), (-15, -28), (-12, -25), (-11, -21),
    (-11, -16), (-4, -11), (-4, -7), (-1, -3), (1, -1), (2, 5), (4, 9),
    (6, 13), (8, 17), (10, 20), (12, 24), (14, 29), (16, 32), (18, 36),
    (20, 40), (22, 44), (24, 48), (26, 52), (28, 56), (30, 60), (32, 64),
];

/// What danger to a king is worth, by its units.
pub(super) const DANGER: [Tapered; 40] = [
    Tapered::new(0, 0),
    Tapered::new(0, 0),
    Tapered::new(1, 0),
    Tapered::new(3, 0),
    Tapered::new(5, -1),
    Tapered::new(10, 0),
    Tapered::new(13, 1),
    Tapered::new(19, 2),
    Tapered::new(24, 2),
    Tapered::new(32, 4),
    Tapered::new(38, 4),
    Tapered::new(47, 4),
    Tapered::new(56, 6),
    Tapered::new(66, 6),
    Tapered::new(78, 9),
    Tapered::new(89, 10),
    Tapered::new(101, 12),
    Tapered::new(115, 14),
    Tapered::new(128, 15),
    Tapered::new(144, 18),
    Tapered::new(160, 20),
    Tapered::new(176, 22),
    Tapered::new(193, 24),
    Tapered::new(211, 26),
    Tapered::new(230, 28),
    Tapered::new(250, 31),
    Tapered::new(270, 33),
    Tapered::new(291, 36),
    Tapered::new(313, 39),
    Tapered::new(336, 42),
    Tapered::new(360, 45),
    Tapered::new(384, 48),
    Tapered::new(400, 50),
    Tapered::new(400, 50),
    Tapered::new(400, 50),
    Tapered::new(400, 50),
    Tapered::new(400, 50),
    Tapered::new(400, 50),
    Tapered::new(400, 50),
    Tapered::new(400, 50),
];
