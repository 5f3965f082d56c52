//! Reversi from outside: conformance on every board, known counts, and the plain twin of the rules.

use std::collections::HashSet;

use evaluation::testkit::evaluation_conforms;
use game::testkit::{Effort, perft_matches, symmetry_conforms};
use game::{Game, Grid, Notation, Side, moves_of, perft};
use games::reversi::reference::{self, Plain};
use games::reversi::{Classic, Move, Parameters, Reversi, ReversiEvaluation, Start};
use play::testkit::conforms;
use proptest::prelude::*;

fn parameters(rows: usize, columns: usize, start: Start) -> Parameters {
    Parameters::new(Grid { rows, columns }, start).expect("even sides from 4 to 8")
}

fn board(rows: usize, columns: usize) -> Reversi {
    Reversi::new(parameters(rows, columns, Start::Cross))
}

fn every_game() -> impl Iterator<Item = Reversi> {
    let sides = [4, 6, 8];
    let sizes = sides.into_iter().flat_map(move |m| sides.map(|n| (m, n)));
    sizes.flat_map(|(rows, columns)| {
        [Start::Cross, Start::Parallel].map(|start| Reversi::new(parameters(rows, columns, start)))
    })
}

const EFFORT: Effort = Effort { games: 20, longest: 130, plies: usize::MAX, seed: 1 };

#[test]
fn rules_conform() {
    for game in every_game() {
        conforms(&game, EFFORT);
    }
}

#[test]
fn symmetries_conform() {
    for game in every_game() {
        symmetry_conforms(&game, EFFORT);
    }
}

#[test]
fn evaluation_conforms_everywhere() {
    for game in every_game() {
        let classic = || ReversiEvaluation::Classic(Classic::default());
        evaluation_conforms(&game, classic, EFFORT);
        evaluation_conforms(&game, ReversiEvaluation::default, EFFORT);
    }
}

#[test]
fn perft_of_squares() {
    perft_matches(&board(8, 8), &[4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288]);
    perft_matches(&board(6, 6), &[4, 12, 56, 244, 1364, 7604, 47_740, 308_716, 2_114_912]);
    perft_matches(
        &board(4, 4),
        &[4, 12, 44, 128, 424, 1256, 3624, 9116, 20_044, 36_540, 50_704, 57_436, 59_564, 59_980],
    );
}

#[test]
fn perft_agrees_with_the_plain_rules() {
    for game in every_game() {
        let plain = Plain::new(game.parameters());
        for depth in 1..=5 {
            assert_eq!(
                perft(&game, &game.start(), depth),
                perft(&plain, &plain.start(), depth),
                "{} at depth {depth}",
                game.spec()
            );
        }
    }
}

/// A finished game stays one leaf, so far below the start every leaf is a complete game.
#[test]
fn complete_games_on_4x4() {
    let game = board(4, 4);
    assert_eq!(perft(&game, &game.start(), 40), 60_060);
}

/// Pairs of discs and side to move that some game passes through, the start and the end with it. A
/// game in which neither can move counts as over at once: what comes after a pass that can only
/// be answered by another is no pair of its own.
#[test]
fn reachable_pairs_on_4x4() {
    let game = board(4, 4);
    let (mut open, mut seen) = (vec![game.start()], HashSet::new());
    let mut pairs = HashSet::new();
    while let Some(p) = open.pop() {
        if seen.insert(p) {
            if p.passes() == 0 || game.placements(&p) != 0 {
                pairs.insert((p.own(), p.other(), game.to_move(&p)));
            }
            for m in moves_of(&game, &p) {
                let mut next = p;
                game.make(&mut next, m);
                open.push(next);
            }
        }
    }
    assert_eq!(pairs.len(), 62_789);
}

#[test]
fn starts_are_the_usual_ones() {
    let drawn = |text: &str| {
        let spec = game::Spec::parse(text).unwrap();
        let game = Reversi::new(Parameters::from_spec(&spec).unwrap());
        assert_eq!(game.to_move(&game.start()), Side::First);
        game.diagram(&game.start(), None).to_string()
    };
    assert_eq!(
        drawn("reversi:4x6"),
        "  a  b  c  d  e  f \n\
         1 .  .  .  .  .  . \n\
         2 .  .  O  X  .  . \n\
         3 .  .  X  O  .  . \n\
         4 .  .  .  .  .  . "
    );
    assert_eq!(
        drawn("reversi:4x4,start=parallel"),
        "  a  b  c  d \n\
         1 .  .  .  . \n\
         2 .  X  X  . \n\
         3 .  O  O  . \n\
         4 .  .  .  . "
    );
}

/// A board of the plain rules as the fast ones write it.
fn text_of(p: &reference::Position) -> String {
    let glyph = |disc: &Option<Side>| disc.map_or('-', letter);
    let letters: String = p.discs.iter().flatten().map(glyph).collect();
    let passes = " pass".repeat(p.passes.into());
    format!("{letters} {}{passes}", letter(p.side))
}

fn letter(side: Side) -> char {
    match side {
        Side::First => 'X',
        Side::Second => 'O',
    }
}

fn by_code(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort();
    moves
}

proptest! {
    #[test]
    fn random_games_agree_with_the_plain_rules(
        number in 0..18usize,
        choices in prop::collection::vec(any::<prop::sample::Index>(), 130),
    ) {
        let fast = every_game().nth(number).unwrap();
        let plain = Plain::new(fast.parameters());
        let (mut p, mut q) = (fast.start(), plain.start());
        for choice in choices {
            prop_assert_eq!(fast.write_position(&p), text_of(&q));
            prop_assert_eq!(fast.margin(&p), plain.margin(&q));
            let moves = by_code(moves_of(&fast, &p));
            prop_assert_eq!(&moves, &by_code(moves_of(&plain, &q)));
            if moves.is_empty() {
                break;
            }
            let m = moves[choice.index(moves.len())];
            fast.make(&mut p, m);
            plain.make(&mut q, m);
        }
        prop_assert!(fast.margin(&p).is_some());
    }

    /// Boards that no game reaches, full of long lines.
    #[test]
    fn random_boards_agree_with_the_plain_rules(
        number in 0..18usize,
        squares in prop::collection::vec(0..8u8, 64),
    ) {
        let fast = every_game().nth(number).unwrap();
        let plain = Plain::new(fast.parameters());
        let size = fast.parameters().size();
        let letter = |n: &u8| match n { 0..=1 => '-', 2..=3 => 'X', _ => 'O' };
        let text: String = squares[..size.squares()].iter().map(letter).collect();
        let p = fast.read_position(&format!("{text} X")).unwrap();
        let mut q = plain.start();
        for (square, c) in size.iter().zip(text.chars()) {
            q.discs[square.row][square.column] = match c {
                'X' => Some(Side::First),
                'O' => Some(Side::Second),
                _ => None,
            };
        }
        prop_assert_eq!(fast.margin(&p), plain.margin(&q));
        let moves = by_code(moves_of(&fast, &p));
        prop_assert_eq!(&moves, &by_code(moves_of(&plain, &q)));
        for m in moves {
            let (mut p, mut q) = (p, q.clone());
            fast.make(&mut p, m);
            plain.make(&mut q, m);
            prop_assert_eq!(fast.write_position(&p), text_of(&q));
        }
    }
}

/// Tables and proofs trust keys: no two positions of a whole game may share one.
#[test]
fn all_positions_of_the_small_board_have_different_keys() {
    let game = board(4, 4);
    let mut known = std::collections::HashMap::new();
    let mut open = vec![game.start()];
    while let Some(p) = open.pop() {
        let same = known.insert(game.key(&p), p);
        assert!(same.as_ref().is_none_or(|same| *same == p), "{p:?} is not {same:?}");
        if same.is_some() {
            continue;
        }
        for m in moves_of(&game, &p) {
            let mut next = p;
            game.make(&mut next, m);
            open.push(next);
        }
    }
    assert_eq!(known.len(), 66_313);
}
