//! Line games: every board that can hold a game plays it like the plain twin, for random parameters
//! and random moves.

use game::{Game, Notation, Rng, Spec, moves_of};
use games::mnk::reference::{PlainCell, PlainMnk, PlainPosition};
use games::mnk::{Board, LineBoard, Mnk, Parameters, Shape, Stone, WordBoard};
use play::Stones;
use proptest::prelude::*;

/// Sizes around the limits of each word, and shapes of all kinds.
fn any_spec() -> impl Strategy<Value = String> {
    let side = prop_oneof![4 => 1..=6usize, 2 => 5..=12usize, 1 => 60..=70usize];
    let short = prop_oneof![3 => 1..=6usize, 1 => 5..=12usize];
    let sides =
        (side, short, any::<bool>()).prop_map(|(a, b, swap)| if swap { (b, a) } else { (a, b) });
    let numbers = (
        prop_oneof![6 => 1..=5usize, 1 => 6..=66usize],
        prop_oneof![2 => Just(1usize), 1 => 1..=9usize],
        prop_oneof![2 => Just(1usize), 1 => 1..=9usize],
    );
    let flags = (any::<bool>(), any::<bool>());
    let holes = prop::collection::btree_set((0..250usize, 0..250usize), 0..4);
    (sides, numbers, flags, holes).prop_map(|((m, n), (k, p, q), (exact, gravity), holes)| {
        let mut spec = format!("mnk:{m}x{n},k={k},p={p},q={q}");
        if exact {
            spec += ",win=exact";
        }
        if gravity {
            spec += ",gravity";
        }
        let grid = game::Grid { rows: m, columns: n };
        let names: std::collections::BTreeSet<String> = holes
            .into_iter()
            .map(|(row, column)| grid.name(game::Square { row: row % m, column: column % n }))
            .collect();
        if !names.is_empty() && names.len() < m * n {
            let names: Vec<String> = names.into_iter().collect();
            spec += &format!(",holes={}", names.join("+"));
        }
        spec
    })
}

/// Whether there is a stone on one of the squares around this one.
fn is_near(q: &PlainPosition, square: game::Square) -> bool {
    let close = |a: usize, b: usize| a.abs_diff(b) <= 1;
    (0..).zip(&q.cells).any(|(row, cells)| {
        let stone = |(column, cell): (usize, &PlainCell)| {
            close(column, square.column) && matches!(cell, PlainCell::Stone(_))
        };
        close(row, square.row) && (0..).zip(cells).any(stone)
    })
}

/// Draws moves next to stones until each should have come up 500 times.
fn draws_fairly(spec: &str, stones: &str) {
    fn draw<B: Board>(parameters: &Parameters, stones: &str) {
        let game = Mnk::<_, B>::new(parameters);
        let (mut p, mut rng) = (game.start(), Rng::new(7));
        for name in stones.split(' ') {
            let m = game.read_move(&p, name).expect("a legal move");
            game.make(&mut p, m);
        }
        let mut counts = std::collections::BTreeMap::new();
        let grid = parameters.shape().grid();
        let taken: Vec<game::Square> =
            stones.split(' ').map(|name| grid.read(name).expect("a square")).collect();
        let near = |s: &game::Square| {
            let close =
                |t: &game::Square| t.row.abs_diff(s.row) <= 1 && t.column.abs_diff(s.column) <= 1;
            !taken.contains(s) && taken.iter().any(close)
        };
        let all = grid.iter().filter(near).count();
        for _ in 0..all * 500 {
            *counts.entry(game.sample_near(&p, &mut rng).expect("a move").index()).or_insert(0) +=
                1;
        }
        assert_eq!(counts.len(), all, "{parameters}");
        // Five standard deviations.
        assert!(counts.values().all(|count| (390..610).contains(count)), "{parameters} {counts:?}");
    }
    let parameters = Parameters::from_spec(&Spec::parse(spec).expect("a game")).expect("a game");
    if parameters.shape().grid().squares() <= 64 {
        draw::<WordBoard<u64>>(&parameters, stones);
    }
    draw::<LineBoard>(&parameters, stones);
}

#[test]
fn squares_next_to_stones_have_the_same_chance() {
    draws_fairly("mnk:8x8,k=5", "a1 h8 d4 d5");
    draws_fairly("mnk:8x8,k=5", "h4 a5 b5");
    draws_fairly("mnk:70x250,k=5", "a1 bl3 bm3 ip70 ip1 dx40");
    // Full but for a corner, so that nearly every guess is near a stone.
    let rows = (1..=9).flat_map(|row| (0..65).map(move |column| (row, column)));
    let grid = game::Grid { rows: 9, columns: 65 };
    let names: Vec<String> = rows
        .filter(|&(row, column)| !(row <= 3 && column <= 3) && (row + column / 2) % 2 == 0)
        .map(|(row, column)| grid.name(game::Square { row: row - 1, column }))
        .collect();
    draws_fairly("mnk:9x65,k=9", &names.join(" "));
}

fn plays_like_the_twin<B: Board>(parameters: &Parameters, seed: u64) {
    let (game, plain) = (Mnk::<_, B>::new(parameters), PlainMnk::new(parameters));
    let (mut p, mut q) = (game.start(), plain.start());
    let mut rng = Rng::new(seed);
    let grid = parameters.shape().grid();
    loop {
        assert_eq!(game.margin(&p), plain.margin(&q), "{parameters}");
        assert_eq!(game.to_move(&p), plain.to_move(&q), "{parameters}");
        assert_eq!(game.stones_left(&p), q.left, "{parameters}");
        let mut here: Vec<usize> = moves_of(&game, &p).iter().map(|m| m.index()).collect();
        here.sort_unstable();
        let there: Vec<usize> = moves_of(&plain, &q).into_iter().map(|s| grid.index(s)).collect();
        assert_eq!(here, there, "{parameters}");
        if here.is_empty() {
            break;
        }
        assert_eq!(game.count(&p), here.len());
        let near: Vec<usize> = there.into_iter().filter(|&s| is_near(&q, grid.square(s))).collect();
        let drawn = game.sample_near(&p, &mut rng).map(Stone::index);
        assert_eq!(drawn.is_some(), !near.is_empty(), "{parameters}");
        assert!(drawn.is_none_or(|square| near.contains(&square)), "{parameters}: {drawn:?}");
        let index = here[rng.below(here.len())];
        let square = grid.square(index);
        let m = game.read_move(&p, &grid.name(square)).expect("a legal move");
        game.make(&mut p, m);
        plain.make(&mut q, square);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn all_boards_play_like_the_twin(spec in any_spec(), seed in any::<u64>()) {
        let parameters = Parameters::from_spec(&Spec::parse(&spec).unwrap()).unwrap();
        let squares = parameters.shape().grid().squares();
        if squares <= 16 {
            plays_like_the_twin::<WordBoard<u16>>(&parameters, seed);
        }
        if squares <= 32 {
            plays_like_the_twin::<WordBoard<u32>>(&parameters, seed);
        }
        if squares <= 64 {
            plays_like_the_twin::<WordBoard<u64>>(&parameters, seed);
        }
        if squares <= 128 {
            plays_like_the_twin::<WordBoard<u128>>(&parameters, seed);
        }
        plays_like_the_twin::<LineBoard>(&parameters, seed);
    }

    #[test]
    fn specs_round_trip(spec in any_spec()) {
        let read = |text: &str| Parameters::from_spec(&Spec::parse(text).unwrap()).unwrap();
        let parameters = read(&spec);
        prop_assert_eq!(read(&parameters.to_string()), parameters);
    }
}
