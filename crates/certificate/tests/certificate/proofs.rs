//! Certificates of small games verify, and say what they prove.

use std::time::{Duration, Instant};

use crate::common::corridor::Corridor;
use crate::common::{Known, judge, line_game, reversi};
use certificate::{
    Certificate, Claim, LARGEST_LEAF_BUDGET, LeafSample, Limit, PlainSearch, VerifyOptions,
    settles, verify,
};
use game::testkit::Asymmetric;
use game::{Game, Notation, Rng, Spec, WinningSets, moves_of};
use games::go;

/// Line games of at most 16 squares.
const LINE_GAMES: [&str; 6] = [
    "mnk:3x3,k=3",
    "mnk:4x3,k=3",
    "mnk:3x3,k=3,p=2",
    "mnk:4x4,k=3,gravity",
    "mnk:3x4,k=3,holes=b2",
    "mnk:2x2,k=3",
];

/// Both bounds from the start and from random positions, with leaves of several sizes.
fn proves_both_bounds<G: Notation + WinningSets>(game: &G) {
    let mut known = Known::new(game);
    let mut rng = Rng::new(1);
    let mut texts = vec![String::new()];
    for plies in [1, 2, 3, 4, 5, 7, 20] {
        let mut p = game.start();
        for _ in 0..plies {
            let moves = moves_of(game, &p);
            if !moves.is_empty() {
                game.make(&mut p, moves[rng.below(moves.len())]);
            }
        }
        texts.push(game.write_position(&p));
    }
    for text in texts {
        for (budget, merged) in [(1, true), (1, false), (30, true), (1000, true)] {
            let made = known.both_bounds(&text, budget, merged);
            let verdict = judge(game, &made.bytes());
            let verdict = verdict.unwrap_or_else(|e| panic!("{} {text}: {e}", game.spec()));
            assert!(verdict.is_proof());
            let value = known.value(&known.position(&text));
            assert_eq!(verdict.claims, [Claim::AtLeast(value), Claim::AtMost(value)]);
        }
    }
}

#[test]
fn line_games_are_proved() {
    for spec in LINE_GAMES {
        proves_both_bounds(&line_game(spec));
    }
}

#[test]
fn reversi_is_proved() {
    proves_both_bounds(&reversi("reversi:4x4"));
}

#[test]
fn values_are_the_known_ones() {
    let value = |spec: &str| {
        let game = line_game(spec);
        Known::new(&game).value(&game.start())
    };
    assert_eq!(value("mnk:3x3,k=3"), 0);
    assert_eq!(value("mnk:4x3,k=3"), 1);
    let small = reversi("reversi:4x4");
    assert_eq!(Known::new(&small).value(&small.start()), -10);
}

#[test]
fn a_weaker_bound_is_proved_alone() {
    let game = reversi("reversi:4x4");
    let mut known = Known::new(&game);
    for claim in [Claim::AtLeast(-16), Claim::AtLeast(-11), Claim::AtMost(-9), Claim::AtMost(16)] {
        let verdict = judge(&game, &known.prove("", &[claim], 5, true).bytes()).unwrap();
        assert_eq!(verdict.claims, [claim]);
    }
}

#[test]
fn mirror_images_and_leaves_save_nodes() {
    let game = line_game("mnk:3x3,k=3");
    let mut known = Known::new(&game);
    let mut nodes = |budget, merged| {
        let made = known.both_bounds("", budget, merged);
        judge(&game, &made.bytes()).unwrap().nodes
    };
    let (all, merged, leafy) = (nodes(1, false), nodes(1, true), nodes(50, true));
    assert!(leafy < merged && merged < all, "{leafy}, {merged}, {all}");
    assert_eq!(nodes(1_000_000, true), 0, "the checker settles a game of this size itself");
}

#[test]
fn a_sample_says_that_it_is_one() {
    let game = line_game("mnk:3x3,k=3");
    let made = Known::new(&game).both_bounds("", 10, true);
    let bytes = made.bytes();
    let certificate = Certificate::read(&bytes).unwrap();
    let judged = |leaves| {
        let options = VerifyOptions {
            sample: Some(LeafSample { leaves, seed: 3 }),
            ..VerifyOptions::default()
        };
        verify(&game, &certificate, &options, &mut |_| {}).unwrap()
    };
    let some = judged(10);
    assert!(!some.is_proof());
    assert_eq!((some.settled, some.nodes), (10, certificate.nodes()));
    assert!(some.to_string().starts_with("not refuted: margin >= 0, margin <= 0; "), "{some}");
    assert!(some.to_string().contains("only 10 of "), "{some}");
    assert_eq!(judged(10), some, "the same seed draws the same leaves");
    let all = judged(u64::MAX);
    assert!(all.is_proof() && all.visited > some.visited);
    assert!(all.to_string().starts_with("proved: margin >= 0, margin <= 0; "), "{all}");
}

#[test]
fn progress_is_told_at_every_node() {
    let game = line_game("mnk:3x3,k=3");
    let made = Known::new(&game).both_bounds("", 10, true);
    let bytes = made.bytes();
    let certificate = Certificate::read(&bytes).unwrap();
    let mut told = Vec::new();
    let mut tell = |progress: &certificate::VerifyProgress| told.push(*progress);
    let verdict = verify(&game, &certificate, &VerifyOptions::default(), &mut tell).unwrap();
    assert_eq!(told.len() as u64, verdict.nodes);
    assert!(told.iter().all(|progress| progress.all_nodes == verdict.nodes));
    assert!(told.windows(2).all(|pair| pair[0].nodes < pair[1].nodes));
    assert_eq!(told.iter().map(|progress| progress.held).max(), Some(verdict.most_held));
}

#[test]
fn the_frontier_can_be_bounded() {
    let game = line_game("mnk:3x3,k=3");
    let made = Known::new(&game).both_bounds("", 1, true);
    let bytes = made.bytes();
    let certificate = Certificate::read(&bytes).unwrap();
    let judged = |most_bytes| {
        let options = VerifyOptions { most_bytes, ..VerifyOptions::default() };
        verify(&game, &certificate, &options, &mut |_| {})
    };
    let free = judged(usize::MAX).unwrap();
    let each = game.position_bytes(&game.start()) + size_of_val(&(0u64, game.start()));
    let needed = free.most_bytes;
    assert_eq!(needed, free.most_held * each);
    assert_eq!(judged(needed), Ok(free));
    for too_little in [0, each - 1, 2 * each, needed - 1] {
        let refusal = judged(too_little).unwrap_err();
        assert_eq!(refusal.limit(), Some(Limit::Memory), "{refusal}");
        let line = refusal.to_string();
        assert!(line.contains("positions that wait for their turn take more than"), "{line}");
    }
}

/// A check that is out of time says so, wherever it is, and finds nothing proved.
#[test]
fn the_time_can_be_bounded() {
    let game = line_game("mnk:3x3,k=3");
    let mut known = Known::new(&game);
    for leaf_budget in [1, 1_000_000] {
        let bytes = known.both_bounds("", leaf_budget, true).bytes();
        let certificate = Certificate::read(&bytes).unwrap();
        let judged = |until| {
            let options = VerifyOptions { until: Some(until), ..VerifyOptions::default() };
            verify(&game, &certificate, &options, &mut |_| {})
        };
        let refusal = judged(Instant::now()).unwrap_err();
        assert_eq!(refusal.limit(), Some(Limit::Time), "{refusal}");
        assert!(refusal.to_string().ends_with("but the time for the check is over"), "{refusal}");
        assert!(judged(Instant::now() + Duration::from_secs(3600)).unwrap().is_proof());
    }
}

#[test]
fn a_checker_without_images_reads_certificates_without_symmetries() {
    let game = line_game("mnk:3x3,k=3");
    let mut known = Known::new(&game);
    let mut judged = |merged| {
        let bytes = known.both_bounds("", 5, merged).bytes();
        let certificate = Certificate::read(&bytes).unwrap();
        verify(
            &Asymmetric(line_game("mnk:3x3,k=3")),
            &certificate,
            &VerifyOptions::default(),
            &mut |_| {},
        )
    };
    assert!(judged(false).unwrap().is_proof());
    let line = judged(true).unwrap_err().to_string();
    assert_eq!(line, "the certificate uses 8 symmetries; the game has 1");
}

#[test]
fn rules_that_look_back_are_refused() {
    let game =
        go::Go::<u64>::new(go::Parameters::from_spec(&Spec::parse("go:2x2").unwrap()).unwrap());
    let header = certificate::Header {
        game: game.spec(),
        position: String::new(),
        symmetries: 1,
        leaf_budget: 1000,
    };
    let mut writer = certificate::Writer::new(header);
    writer.add(writer.proof(Claim::AtLeast(-8)));
    let bytes = writer.finish();
    let certificate = Certificate::read(&bytes).unwrap();
    let judged = verify(&game, &certificate, &VerifyOptions::default(), &mut |_| {});
    let line = judged.unwrap_err().to_string();
    assert!(line.contains("depends on earlier positions"), "{line}");
}

/// The answers of the plain search, and that it keeps to its budget.
fn searches_right<G: Notation>(game: &G, games: usize) {
    let mut known = Known::new(game);
    let mut rng = Rng::new(2);
    for _ in 0..games {
        let mut p = game.start();
        while game.margin(&p).is_none() {
            let value = known.value(&p);
            for claim in [-1, 0, 1].map(|d| value + d).map(Claim::AtLeast) {
                check_search(game, &p, claim, value);
            }
            for claim in [-1, 0, 1].map(|d| value + d).map(Claim::AtMost) {
                check_search(game, &p, claim, value);
            }
            let moves = moves_of(game, &p);
            game.make(&mut p, moves[rng.below(moves.len())]);
        }
        assert_eq!(settles(game, &p, Claim::AtLeast(-99), 1), Some(true));
        assert_eq!(settles(game, &p, Claim::AtLeast(99), 1), Some(false));
        assert_eq!(settles(game, &p, Claim::AtLeast(0), 0), None);
    }
}

fn check_search<G: Game>(game: &G, p: &G::Position, claim: Claim, value: i32) {
    let mut search = PlainSearch::new(game);
    assert_eq!(search.settles(p, claim, u64::MAX), Some(claim.holds(value)));
    let needed = search.visited();
    assert!(needed > 1, "this game is not over");
    assert_eq!(settles(game, p, claim, needed), Some(claim.holds(value)));
    assert_eq!(settles(game, p, claim, needed - 1), None);
    // The same search twice, after one that was cut short.
    let mut again = PlainSearch::new(game);
    assert_eq!(again.settles(p, claim, needed / 2), None);
    assert_eq!(again.visited(), needed / 2);
    assert_eq!(again.settles(p, claim, needed), Some(claim.holds(value)));
    assert_eq!(again.visited(), needed / 2 + needed);
}

#[test]
fn the_plain_search_is_right() {
    for spec in ["mnk:3x3,k=3", "mnk:3x3,k=3,p=2", "mnk:3x4,k=3,gravity", "mnk:3x4,k=3,holes=b2"] {
        searches_right(&line_game(spec), 5);
    }
    searches_right(&reversi("reversi:4x4"), 3);
}

#[test]
fn a_long_game_needs_no_deep_stack() {
    let game = Corridor { plies: 1_000_000, doors: 1 };
    assert_eq!(settles(&game, &0, Claim::AtLeast(1), LARGEST_LEAF_BUDGET), Some(true));
    assert_eq!(settles(&game, &0, Claim::AtMost(0), 1_000_001), Some(false));
    assert_eq!(settles(&game, &0, Claim::AtMost(0), 1_000_000), None);
}
