//! No allocation per node, in perft and in every search.

use crate::common::{classic, run};
use crate::platform::allocations;
use game::{Game, Perft, Spec};
use games::mnk::{LineBoard, Lines, Mnk, Parameters, RunShape, WordBoard};
use games::reversi::Reversi;
use play::Limits;
use search::{Algorithm, Settings, Techniques};

fn line_game<B: games::mnk::Board>(spec: &str) -> Mnk<RunShape, B> {
    Mnk::new(&Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap())
}

#[test]
fn perft_allocates_only_its_list() {
    fn check<G: Game>(game: &G, depth: u32) {
        let (mut p, mut counter) = (game.start(), Perft::new(game));
        let (count, leaves) = allocations(|| counter.count(&mut p, depth));
        assert!(leaves > 10_000);
        assert_eq!(count, 0);
    }
    check(&Reversi::default(), 7);
    check(&line_game::<WordBoard<u64>>("mnk:6x7,k=4,gravity"), 6);
    check(&line_game::<LineBoard>("mnk:15x15,k=5"), 3);
}

#[test]
fn searches_allocate_per_search_and_not_per_node() {
    fn check<G: Game>(name: &str, run: impl Fn(&Settings) -> search::Report<G::Move>, depth: u32) {
        for algorithm in Algorithm::CLASSIC.into_iter().chain([Algorithm::Playing]) {
            for techniques in [Techniques::ALL, Techniques::NONE] {
                let settings = |depth| Settings {
                    algorithm,
                    techniques,
                    hash_megabytes: 1,
                    limits: Limits { depth: Some(depth), ..Limits::default() },
                    ..Settings::default()
                };
                let (few, small) = allocations(|| run(&settings(depth - 1)));
                let (more, large) = allocations(|| run(&settings(depth)));
                assert!(large.nodes > small.nodes);
                // One more depth: a handful for its line, nothing for its nodes.
                let allowed = few + 10 * u64::from(depth);
                assert!(more <= allowed, "{name} {algorithm} {techniques:?}: {few} then {more}");
            }
        }
    }
    let reversi = Reversi::default();
    check::<Reversi>("reversi", |s| run(&reversi, &reversi.start(), classic(), s), 5);
    let four = line_game::<WordBoard<u64>>("mnk:6x7,k=4,gravity");
    check::<Mnk<RunShape, WordBoard<u64>>>(
        "connect4",
        |s| run(&four, &four.start(), Lines::default(), s),
        6,
    );
    let gomoku = line_game::<LineBoard>("mnk:15x15,k=5");
    check::<Mnk<RunShape, LineBoard>>(
        "gomoku",
        |s| run(&gomoku, &gomoku.start(), Lines::default(), s),
        2,
    );
}
