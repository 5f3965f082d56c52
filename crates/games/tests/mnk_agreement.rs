//! Line games: every board that can hold a game plays it like the plain twin, for random parameters
//! and random moves.

use game::{Game, Notation, Rng, Spec, moves_of};
use games::mnk::reference::PlainMnk;
use games::mnk::{Board, LineBoard, Mnk, Parameters, Shape, WordBoard};
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
