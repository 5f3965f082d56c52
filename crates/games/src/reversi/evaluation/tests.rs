use game::{Game, Grid, Notation, Rng, moves_of};

use super::stability::{safe, stable};
use super::*;
use crate::reversi::parameters::{Parameters, Start};

const NONE: Stages = Stages([0; 3]);

/// Weighs nothing.
const NOTHING: Weights = Weights {
    tempo: NONE,
    mobility: NONE,
    potential: NONE,
    frontier: NONE,
    corner: NONE,
    corner_reach: NONE,
    x_square: NONE,
    c_square: NONE,
    stable: NONE,
    disc: NONE,
    parity: NONE,
    odd_region: NONE,
};

fn game(rows: usize, columns: usize) -> Reversi {
    let size = Grid { rows, columns };
    Reversi::new(Parameters::new(size, Start::Cross).unwrap())
}

fn every_size() -> impl Iterator<Item = Reversi> {
    let sides = [4, 6, 8];
    sides.into_iter().flat_map(move |rows| sides.map(|columns| game(rows, columns)))
}

fn read(game: &Reversi, rows: &[&str], side: char) -> Position {
    game.read_position(&format!("{} {side}", rows.concat())).unwrap()
}

/// Shows every position of some random games.
fn random_positions(game: &Reversi, mut look: impl FnMut(&Position, &mut Rng)) {
    for seed in 0..20 {
        let mut rng = Rng::new(seed);
        let mut p = game.start();
        while game.margin(&p).is_none() {
            look(&p, &mut rng);
            let m = game.sample(&p, &mut rng).unwrap();
            game.make(&mut p, m);
        }
    }
}

#[test]
fn corners_come_first_and_few_replies_next() {
    let eight = game(8, 8);
    let rows = [
        "-OX-----", "--------", "--------", "---OX---", "---XO---", "--------", "--------",
        "--------",
    ];
    let p = read(&eight, &rows, 'X');
    let moves = moves_of(&eight, &p);
    let mut promise = vec![0; moves.len()];
    rank(&eight, &p, &moves, &mut promise);
    let best = moves.iter().zip(&promise).max_by_key(|(_, promise)| **promise);
    assert_eq!(eight.write_move(&p, *best.unwrap().0), "a1");
    for (&m, &promise) in moves.iter().zip(&promise).skip(1) {
        let mut next = p;
        eight.make(&mut next, m);
        let corners = eight.placements(&next) & eight.board().corners;
        let replies = eight.count(&next) as i32 + corners.count_ones() as i32;
        assert_eq!(promise, -REPLY * replies);
    }
}

#[test]
fn mirror_images_score_the_same() {
    for game in every_size() {
        let score = |p: &Position| Stable::default().evaluate(&game, p);
        random_positions(&game, |p, _| {
            for symmetry in 0..game.symmetries() {
                assert_eq!(score(&game.transform(p, symmetry)), score(p), "{p:?}");
            }
            let swapped = Position { side: p.side.other(), ..*p };
            assert_eq!(score(&swapped), score(p), "{p:?}");
        });
    }
}

/// What no move turned until the end of ten random games was called stable rightly, at least so far.
#[test]
fn stable_discs_stay() {
    for game in every_size() {
        let mut found = 0;
        random_positions(&game, |p, rng| {
            let safe = safe(game.board(), game.empties(p));
            let [own, other] = [p.own, p.other].map(|discs| stable(&safe, discs));
            found += (own | other).count_ones();
            for _ in 0..10 {
                let mut end = *p;
                while game.margin(&end).is_none() {
                    let m = game.sample(&end, rng).unwrap();
                    game.make(&mut end, m);
                }
                let kept = (own & !end.discs(p.side)) | (other & !end.discs(p.side.other()));
                assert_eq!(kept, 0, "{p:?}");
            }
        });
        assert!(found > 0);
    }
}

#[test]
fn stability_grows_from_corners_and_full_lines() {
    let six = game(6, 6);
    let stable_discs = |rows: &[&str]| {
        let p = read(&six, rows, 'X');
        let safe = safe(six.board(), six.empties(&p));
        [p.own, p.other].map(|discs| stable(&safe, discs).count_ones())
    };
    let corner = ["XXX-O-", "XX----", "X-X---", "--OO--", "------", "-----O"];
    assert_eq!(stable_discs(&corner), [6, 1]);
    let no_corner = ["-XXXX-", "-XXXX-", "-XXXX-", "-XXXO-", "-XXXX-", "------"];
    assert_eq!(stable_discs(&no_corner), [0, 0]);
    let edge = ["XOXXOX", "------", "--XO--", "--OX--", "------", "------"];
    assert_eq!(stable_discs(&edge), [4, 2]);
    let full = ["XOXOXO"; 6];
    assert_eq!(stable_discs(&full), [18, 18]);
}

#[test]
fn terms_count_what_they_name() {
    const ONE: Stages = Stages([1; 3]);
    let six = game(6, 6);
    let rows = ["XX--O-", "-XO---", "--XO--", "--OX-X", "----X-", "------"];
    type Case = (fn(&mut Weights), i32);
    let cases: [Case; 12] = [
        (|w| w.tempo = ONE, 1),
        (|w| w.mobility = ONE, 6 - 4),
        (|w| w.potential = ONE, 13 - 15),
        (|w| w.frontier = ONE, 7 - 4),
        (|w| w.corner = ONE, 1),
        (|w| w.corner_reach = ONE, 0),
        (|w| w.x_square = ONE, 1),
        (|w| w.c_square = ONE, -1),
        (|w| w.stable = ONE, 2),
        (|w| w.disc = ONE, 7 - 4),
        (|w| w.parity = ONE, 1),
        (|w| w.odd_region = ONE, 0),
    ];
    for (number, (set, expected)) in cases.into_iter().enumerate() {
        let mut weights = NOTHING;
        set(&mut weights);
        let p = read(&six, &rows, 'X');
        assert_eq!(Stable { weights }.evaluate(&six, &p), expected, "term {number}");
    }
}

#[test]
fn stages_follow_one_another() {
    let four = game(4, 4);
    let weights = Weights { tempo: Stages([1_600, 800, 0]), ..NOTHING };
    let mut scores = Vec::new();
    let mut rng = Rng::new(3);
    let mut p = four.start();
    while four.margin(&p).is_none() {
        let empties = four.empties(&p).count_ones() as i32;
        scores.push((empties, Stable { weights }.evaluate(&four, &p)));
        let m = four.sample(&p, &mut rng).unwrap();
        four.make(&mut p, m);
    }
    assert!(scores.len() > 8);
    assert!(scores.iter().all(|&(empties, score)| score == 100 * empties), "{scores:?}");
}

#[test]
fn odd_regions_count_late() {
    let four = game(4, 4);
    let weights = Weights { odd_region: Stages([1; 3]), ..NOTHING };
    let score = |rows: [&str; 4]| Stable { weights }.evaluate(&four, &read(&four, &rows, 'X'));
    assert_eq!(score(["-XX-", "OXXO", "OOOO", "--OO"]), 2);
    // A corner is next to what it touches diagonally: d3 and a4 to c4 are one region of four.
    assert_eq!(score(["--X-", "OXXO", "OOO-", "---O"]), 1);
    assert_eq!(score(["--X-", "OXX-", "OOO-", "---O"]), 0);
}

#[test]
fn a_player_without_discs_has_lost() {
    let four = game(4, 4);
    let x = ["----", "-X--", "----", "----"];
    let score = |side| Stable::default().evaluate(&four, &read(&four, &x, side));
    assert_eq!((score('X'), score('O')), (WIPED_OUT, -WIPED_OUT));
}
