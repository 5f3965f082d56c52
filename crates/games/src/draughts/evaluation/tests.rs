use evaluation::{Evaluation, Tapered};
use game::{Game, Notation, Rng, Spec};

use super::*;
use crate::draughts::board::Size;
use crate::draughts::parameters::Parameters;
use crate::draughts::variant::Variant;

const ZERO: Tapered = Tapered::new(0, 0);
const ONE: Tapered = Tapered::new(1, 1);

/// Weighs nothing.
const NOTHING: Weights = Weights {
    man: ZERO,
    king: [ZERO; 2],
    advance: ZERO,
    home: ZERO,
    centre: ZERO,
    border: ZERO,
    king_centre: [ZERO; 2],
    long_diagonal: [ZERO; 2],
    trapped: ZERO,
    step: ZERO,
    king_step: ZERO,
    wings: ZERO,
    hanging: [ZERO; 2],
    trade: 0,
    shelter: 0,
    apart: 0,
    drawish: 100,
};

fn game(spec: &str) -> Draughts {
    Draughts::new(Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap()).unwrap()
}

fn score(mut evaluation: DraughtsEvaluation, spec: &str, fen: &str) -> i32 {
    let game = game(spec);
    evaluation.evaluate(&game, &Notation::read_position(&game, fen).unwrap())
}

/// The board after half a turn, with the colours swapped: the same to the side to move.
fn turned(size: Size, p: &Position) -> Position {
    let last = size.bit(size.side() - 1, size.half() - 1);
    let turn = |set: u64| set.reverse_bits() >> (63 - last);
    let (own, other, kings) = (turn(p.own), turn(p.other), turn(p.kings));
    Position { own, other, kings, colour: p.colour.other(), ..*p }
}

#[test]
fn turned_positions_score_the_same() {
    let mixes = ["draughts:english,6x6", "draughts:international,6x6", "draughts:italian,10x10"];
    let named = Variant::ALL.map(|variant| Draughts::new(variant.into()).unwrap());
    let mut rng = Rng::new(1);
    for game in named.into_iter().chain(mixes.map(game)) {
        let size = game.parameters().switches().size;
        assert_eq!(Classic::default().evaluate(&game, &game.start()), 0);
        for _ in 0..10 {
            let mut p = game.start();
            while let Some(m) = game.sample(&p, &mut rng).filter(|_| p.quiet() < 40) {
                game.make(&mut p, m);
                let other = turned(size, &p);
                let classic = |p| Classic::default().evaluate(&game, p);
                let zones = |p| Zones::default().evaluate(&game, p);
                assert_eq!(classic(&other), classic(&p), "{p:?}");
                assert_eq!(zones(&other), zones(&p), "{p:?}");
                assert!(classic(&p).abs() < 20_000);
                if game.margin(&p).is_some() {
                    break;
                }
            }
        }
    }
}

#[test]
fn terms_count_what_they_name() {
    type Case = (fn(&mut Weights), &'static str, i32);
    let cases: [Case; 21] = [
        (|w| w.man = ONE, "W:W30,31,K22:B1", 1),
        (|w| w.king[0] = ONE, "W:W30,31,K22:B1", 1),
        (|w| w.king[1] = ONE, "W:W30,31,K22:B1", 0),
        (|w| w.advance = ONE, "W:W9,30:B1", 5),
        (|w| w.advance = ONE, "B:W32:B1,18", 4),
        (|w| w.home = ONE, "W:W29,30,25:B5", 2),
        (|w| w.centre = ONE, "W:W18,21:B1", 1),
        (|w| w.border = ONE, "W:W12,13,18:B2", 2),
        (|w| w.king_centre[0] = ONE, "W:WK18,22:B1", 1),
        (|w| w.long_diagonal[0] = ONE, "W:WK4,K29,K32:B1", 2),
        (|w| w.trapped = ONE, "W:WK4:B8,K1", 1),
        (|w| w.step = ONE, "W:W29,30:B1", 1),
        (|w| w.king_step = ONE, "W:WK18:BK29", 3),
        (|w| w.wings = ONE, "W:W29,25,32:B1,21", 1 - 2),
        (|w| w.hanging = [ONE, ONE * 10], "W:W18:B14,1", 1 - 10),
        (|w| w.trade = 1, "W:W18,19:B14", 32 - 3),
        (|w| w.trade = 1, "B:W18,19:B14", 3 - 32),
        (|w| w.shelter = 1, "W:WK18,K19:BK1", -1),
        (|w| w.shelter = 1, "W:WK18,K19:BK4", 0),
        (|w| w.apart = 1, "W:WK18,K19,25:BK1", -4 - 4),
        (|w| w.apart = 1, "B:WK18,K19:B2,K1,K32", -4 - 3),
    ];
    for (set, fen, expected) in cases {
        let mut weights = NOTHING;
        set(&mut weights);
        assert_eq!(
            score(DraughtsEvaluation::Classic(Classic { weights }), "draughts:english", fen),
            expected,
            "{fen}"
        );
    }
}

#[test]
fn men_that_capture_backwards_threaten_more() {
    let weights = Weights { hanging: [ONE, ZERO], ..NOTHING };
    // Black's man stands behind White's.
    let hangs = |spec| score(DraughtsEvaluation::Classic(Classic { weights }), spec, "W:W14:B18");
    assert_eq!((hangs("draughts:english"), hangs("draughts:pool")), (0, 1));
}

#[test]
fn zones_lie_within_each_other() {
    let zones = Zones { man: 1_000, king: [3_000, 4_000], zones: [1, 10, 100] };
    let zones = DraughtsEvaluation::Zones(zones);
    assert_eq!(score(zones, "draughts:english", "W:W29,25:BK18"), 2_011 - 3_100);
    assert_eq!(score(zones, "draughts:pool", "W:W29,25:BK18"), 2_011 - 4_100);
    for size in Size::ALL {
        let [outer, next, inner] = Landmarks::of(size).zones;
        assert_eq!((outer | next | inner, outer & next, next & inner), (size.all(), 0, 0));
        let sides = size.side() as u32;
        assert_eq!([outer, next].map(u64::count_ones), [2 * sides - 2, 2 * (sides - 2) - 2]);
    }
}

/// Two flying kings do not catch one, nor do three on the largest board.
#[test]
fn lone_flying_kings_are_hard_to_catch() {
    let weights = Weights { king: [ONE * 100, ONE * 100], drawish: 10, ..NOTHING };
    let score = |spec, fen| score(DraughtsEvaluation::Classic(Classic { weights }), spec, fen);
    assert_eq!(score("draughts:english", "W:WK1,K2:BK32"), 100);
    assert_eq!(score("draughts:pool", "W:WK1,K2:BK32"), 10);
    assert_eq!(score("draughts:pool", "W:WK1,K2,K3:BK32"), 200);
    assert_eq!(score("draughts:international", "W:WK1,K2,K3:BK32"), 20);
    assert_eq!(score("draughts:international", "B:WK1,K2,K3:BK32"), -20);
    assert_eq!(score("draughts:international", "W:WK1,K2,40:BK32"), 100);
}
