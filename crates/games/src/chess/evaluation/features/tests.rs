use game::{Game, Notation, Rng, moves_of};

use super::super::tests::{mirrored, swapped};
use super::*;
use crate::chess::Parameters;
use crate::chess::board::Board;

fn features(p: &Position, viewer: Side) -> [i32; COUNT] {
    let mut out = [0; COUNT];
    Pieces::write(&Chess::default(), p, viewer, &mut out);
    out
}

/// A board of squares by row and column, as one side sees it: its own pieces move towards higher rows.
struct Plain {
    squares: [[Option<(bool, Kind)>; 8]; 8],
}

type Place = (i32, i32);

const STRAIGHT: [Place; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONAL: [Place; 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const LEAPS: [Place; 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

impl Plain {
    fn new(board: &Board, side: Side) -> Plain {
        let mut squares = [[None; 8]; 8];
        for bit in 0..64 {
            let row = if side == Side::First { bit / 8 } else { 7 - bit / 8 };
            squares[row][bit % 8] = board.piece_at(bit).map(|(owner, kind)| (owner == side, kind));
        }
        Plain { squares }
    }

    fn at(&self, (row, column): Place) -> Option<(bool, Kind)> {
        let on_board = (0..8).contains(&row) && (0..8).contains(&column);
        if on_board { self.squares[row as usize][column as usize] } else { None }
    }

    fn all() -> impl Iterator<Item = Place> {
        (0..8).flat_map(|row| (0..8).map(move |column| (row, column)))
    }

    fn places(&self, own: bool, kind: Kind) -> Vec<Place> {
        Plain::all().filter(|&place| self.at(place) == Some((own, kind))).collect()
    }

    /// What the piece on a square attacks.
    fn attacked_from(&self, from: Place) -> Vec<Place> {
        let Some((own, kind)) = self.at(from) else { return Vec::new() };
        let ahead = if own { 1 } else { -1 };
        let (steps, reach): (Vec<Place>, i32) = match kind {
            Kind::Pawn => (vec![(ahead, 1), (ahead, -1)], 1),
            Kind::Knight => (LEAPS.to_vec(), 1),
            Kind::King => ([STRAIGHT, DIAGONAL].concat(), 1),
            Kind::Bishop => (DIAGONAL.to_vec(), 7),
            Kind::Rook => (STRAIGHT.to_vec(), 7),
            Kind::Queen => ([STRAIGHT, DIAGONAL].concat(), 7),
        };
        let mut found = Vec::new();
        for (down, right) in steps {
            for n in 1..=reach {
                let to = (from.0 + n * down, from.1 + n * right);
                if !(0..8).contains(&to.0) || !(0..8).contains(&to.1) {
                    break;
                }
                found.push(to);
                if self.at(to).is_some() {
                    break;
                }
            }
        }
        found
    }

    fn is_attacked(&self, place: Place, by_own: bool) -> bool {
        Plain::all().any(|from| {
            self.at(from).is_some_and(|(own, _)| own == by_own)
                && self.attacked_from(from).contains(&place)
        })
    }

    /// Squares that the pieces of a kind attack, if they may go there without being taken by a pawn.
    fn mobility(&self, kind: Kind) -> i32 {
        let by_pawn = |to: &Place| {
            [1, -1].iter().any(|side| self.at((to.0 + 1, to.1 + side)) == Some((false, Kind::Pawn)))
        };
        let is_own = |to: &Place| self.at(*to).is_some_and(|(own, _)| own);
        let goals = self.places(true, kind).into_iter().flat_map(|from| self.attacked_from(from));
        goals.filter(|to| !is_own(to) && !by_pawn(to)).count() as i32
    }

    /// The numbers of the side that sees the board so.
    fn numbers(&self, castling: usize) -> Vec<i32> {
        let count = |kind| self.places(true, kind).len() as i32;
        let pawns = self.places(true, Kind::Pawn);
        let enemies = self.places(false, Kind::Pawn);
        let number =
            |what: &dyn Fn(&Place) -> bool| pawns.iter().filter(|pawn| what(pawn)).count() as i32;
        let doubled = |pawn: &Place| pawns.iter().any(|p| p.1 == pawn.1 && p.0 < pawn.0);
        let isolated = |pawn: &Place| !pawns.iter().any(|p| (p.1 - pawn.1).abs() == 1);
        let passed = |pawn: &Place| {
            !pawns.iter().any(|p| p.1 == pawn.1 && p.0 > pawn.0)
                && !enemies.iter().any(|p| (p.1 - pawn.1).abs() <= 1 && p.0 > pawn.0)
        };
        let rooks = self.places(true, Kind::Rook);
        let on_column = |pawns: &[Place], rook: &Place| pawns.iter().any(|p| p.1 == rook.1);
        let (king, prey) = (self.places(true, Kind::King)[0], self.places(false, Kind::King)[0]);
        let near =
            |to: &Place| (to.0 - prey.0).abs() <= 1 && (to.1 - prey.1).abs() <= 1 && *to != prey;
        let officers = OFFICERS.iter().flat_map(|&kind| self.places(true, kind));
        let siege = officers.flat_map(|from| self.attacked_from(from)).filter(near).count();
        let centre = [(3, 3), (3, 4), (4, 3), (4, 4)];
        let hanging = Plain::all().filter(|&place| {
            self.at(place).is_some_and(|(own, kind)| own && kind != Kind::King)
                && self.is_attacked(place, false)
                && !self.is_attacked(place, true)
        });
        vec![
            pawns.len() as i32,
            count(Kind::Knight),
            count(Kind::Bishop),
            count(Kind::Rook),
            count(Kind::Queen),
            i32::from(count(Kind::Bishop) >= 2),
            self.mobility(Kind::Knight),
            self.mobility(Kind::Bishop),
            self.mobility(Kind::Rook),
            self.mobility(Kind::Queen),
            number(&doubled),
            number(&isolated),
            number(&passed),
            pawns.iter().filter(|pawn| passed(pawn)).map(|pawn| pawn.0 - 1).sum(),
            rooks.iter().filter(|r| !on_column(&pawns, r) && !on_column(&enemies, r)).count()
                as i32,
            rooks.iter().filter(|r| !on_column(&pawns, r) && on_column(&enemies, r)).count() as i32,
            number(&|p| (1..=2).contains(&(p.0 - king.0)) && (p.1 - king.1).abs() <= 1),
            siege as i32,
            centre.iter().filter(|&&place| self.is_attacked(place, true)).count() as i32,
            hanging.count() as i32,
            castling as i32,
            i32::from(self.is_attacked(king, false)),
        ]
    }
}

fn plainly(p: &Position, side: Side) -> Vec<i32> {
    let rights = (0..64).filter(|&bit| p.castling() >> bit & 1 == 1);
    let own = rights.filter(|&bit| p.board().piece_at(bit).is_some_and(|(owner, _)| owner == side));
    Plain::new(p.board(), side).numbers(own.count())
}

/// From games, and with pieces thrown on the board.
fn random_positions(rng: &mut Rng, each: &mut impl FnMut(&Position)) {
    for number in 0..150 {
        let game = Chess::new(Parameters::fischer(6 * number).unwrap());
        let mut p = game.start();
        for _ in 0..120 {
            each(&p);
            let Some(m) = game.sample(&p, rng) else { break };
            game.make(&mut p, m);
        }
    }
    for _ in 0..15_000 {
        let mut p = Chess::default().start();
        p.board = Board::default();
        p.castling = 0;
        let mut free: Vec<u64> = (0..64).collect();
        let kinds = [Kind::Pawn, Kind::Pawn, Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];
        for side in [Side::First, Side::Second] {
            let place = free.swap_remove(rng.below(free.len()));
            p.board.put(side, Kind::King, 1 << place);
            for _ in 0..rng.below(14) {
                let (place, kind) = (free[rng.below(free.len())], kinds[rng.below(kinds.len())]);
                if kind != Kind::Pawn || (8..56).contains(&place) {
                    free.retain(|&other| other != place);
                    p.board.put(side, kind, 1 << place);
                }
            }
        }
        each(&p);
    }
}

#[test]
fn features_are_what_looking_at_squares_says_and_mirror() {
    let mut positions = 0;
    random_positions(&mut Rng::new(5), &mut |p| {
        positions += 1;
        for viewer in [Side::First, Side::Second] {
            let found = features(p, viewer);
            let (own, opposing) = found.split_at(HALF);
            assert_eq!(own, plainly(p, viewer), "{viewer:?} {p:?}");
            assert_eq!(features(p, viewer.other()), [opposing, own].concat()[..], "{p:?}");
            assert_eq!(features(&swapped(p), viewer.other()), found, "{p:?}");
            let mut mirror = features(&mirrored(p), viewer);
            // A mirrored position has no castling.
            for half in [0, HALF] {
                mirror[half + HALF - 2] = found[half + HALF - 2];
            }
            assert_eq!(mirror, found, "{p:?}");
        }
    });
    assert!(positions > 25_000, "only {positions}");
}

#[test]
fn known_positions() {
    let game = Chess::default();
    let seen = |text: &str, wanted: &[(&str, i32)]| {
        let found = features(&game.read_position(text).unwrap(), Side::First);
        for (name, number) in wanted {
            let at = NAMES.iter().position(|known| known == name).unwrap();
            assert_eq!(found[at], *number, "{name} of {text}");
        }
    };
    seen(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[
            ("own.pawns", 8),
            ("own.mobility.knights", 4),
            ("opposing.mobility.rooks", 0),
            ("own.bishop_pair", 1),
            ("own.shield", 3),
            ("own.castling", 2),
            ("opposing.hanging", 0),
            ("own.in_check", 0),
        ],
    );
    // A passed and isolated pawn on a6, doubled black ones on g, and a rook that the bishop attacks and nothing guards.
    seen(
        "4k3/6p1/P5p1/8/8/8/1b6/R3K3 w Q - 0 1",
        &[
            ("own.passed", 1),
            ("own.passed.way", 4),
            ("own.isolated", 1),
            ("own.rooks.half_open", 0),
            ("opposing.doubled", 1),
            ("opposing.isolated", 2),
            ("opposing.hanging", 0),
            ("own.hanging", 1),
            ("own.castling", 1),
            ("opposing.castling", 0),
        ],
    );
    // The queen gives check from e7, where the bishop guards her: five squares by the king, and one of them is hers.
    seen(
        "4k3/4Q3/8/6B1/8/8/8/4K3 b - - 0 1",
        &[
            ("opposing.in_check", 1),
            ("own.hanging", 0),
            ("own.siege", 5),
            ("own.centre", 2),
            ("opposing.centre", 0),
        ],
    );
}

/// What tests call quiet play is still play: every move leads to a position whose numbers fit the evaluation.
#[test]
fn usual_weights_see_a_queen_more() {
    let game = Chess::default();
    let p = game.read_position("4k3/8/8/8/8/8/3q4/3QK3 w - - 0 1").unwrap();
    let mut linear = evaluation::Linear::<Pieces, COUNT>::new(USUAL);
    let best = moves_of(&game, &p).into_iter().max_by_key(|&m| {
        let mut next = p;
        game.make(&mut next, m);
        linear.begin(&game, &p);
        -linear.evaluate(&game, &next)
    });
    assert_eq!(game.write_move(&p, best.unwrap()), "d1d2");
}
