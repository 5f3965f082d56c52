//! Line games: placing a stone with its win check, and random games, next to the plain twin.

use divan::Bencher;
use divan::counter::ItemsCount;
use game::{Game, Path, Rng, Spec, moves_of};
use games::mnk::reference::PlainMnk;
use games::mnk::{ConstShape, LineBoard, Mnk, Parameters, WordBoard};

fn parameters(spec: &str) -> Parameters {
    let spec = Spec::parse(spec).expect("a spec of this file");
    Parameters::from_spec(&spec).expect("parameters of this file")
}

type Gomoku15 = ConstShape<15, 15, 5, 1, 1, false, false>;
type Gomoku8 = ConstShape<8, 8, 5, 1, 1, false, false>;
type TicTacToe = ConstShape<3, 3, 3, 1, 1, false, false>;
type Connect4 = ConstShape<6, 7, 4, 1, 1, false, true>;

/// A position after some random moves, and the moves from there in random order.
fn some_position<G: Game>(game: &G, stones: usize) -> (G::Position, Vec<G::Move>) {
    for seed in 0.. {
        let (mut p, mut rng) = (game.start(), Rng::new(seed));
        for _ in 0..stones {
            if game.margin(&p).is_none()
                && let Some(m) = game.sample(&p, &mut rng)
            {
                game.make(&mut p, m);
            }
        }
        if game.margin(&p).is_none() {
            let mut moves = moves_of(game, &p);
            rng.shuffle(&mut moves);
            return (p, moves);
        }
    }
    unreachable!("some random game is not over by then")
}

/// One item is one stone placed, checked and taken back.
fn place<G: Game>(bencher: Bencher<'_, '_>, game: &G, stones: usize) {
    let (mut p, moves) = some_position(game, stones);
    bencher.counter(ItemsCount::new(moves.len())).bench_local(|| {
        let mut over = 0;
        for &m in &moves {
            let undo = game.make(&mut p, m);
            over += usize::from(game.margin(&p).is_some());
            game.unmake(&mut p, m, undo);
        }
        over
    });
}

/// The same for the twin, which looks at fewer moves since it takes long.
fn place_plain(bencher: Bencher<'_, '_>, spec: &str, stones: usize) {
    let game = PlainMnk::new(&parameters(spec));
    let (mut p, mut moves) = some_position(&game, stones);
    moves.truncate(20);
    bencher.counter(ItemsCount::new(moves.len())).bench_local(|| {
        for &m in &moves {
            let undo = game.make(&mut p, m);
            divan::black_box(game.margin(&p));
            game.unmake(&mut p, m, undo);
        }
    });
}

/// One item is one random game.
fn games<G: Game>(bencher: Bencher<'_, '_>, game: &G, number: usize) {
    let (start, mut rng) = (game.start(), Rng::new(1));
    let (mut p, mut path) = (start.clone(), Path::new());
    bencher.counter(ItemsCount::new(number)).bench_local(|| {
        let mut margins = 0;
        for _ in 0..number {
            p.clone_from(&start);
            margins += game.playout(&mut p, &mut path, &mut rng);
        }
        margins
    });
}

mod place_15x15 {
    use super::*;

    #[divan::bench]
    fn lines(bencher: Bencher<'_, '_>) {
        place(bencher, &Mnk::<_, LineBoard>::new(&parameters("mnk:15x15,k=5")), 60);
    }

    #[divan::bench]
    fn lines_compiled(bencher: Bencher<'_, '_>) {
        place(bencher, &Mnk::<Gomoku15, LineBoard>::from_shape(ConstShape), 60);
    }

    #[divan::bench]
    fn plain(bencher: Bencher<'_, '_>) {
        place_plain(bencher, "mnk:15x15,k=5", 60);
    }
}

mod place_8x8 {
    use super::*;

    #[divan::bench]
    fn words(bencher: Bencher<'_, '_>) {
        place(bencher, &Mnk::<_, WordBoard<u64>>::new(&parameters("mnk:8x8,k=5")), 24);
    }

    #[divan::bench]
    fn words_compiled(bencher: Bencher<'_, '_>) {
        place(bencher, &Mnk::<Gomoku8, WordBoard<u64>>::from_shape(ConstShape), 24);
    }

    #[divan::bench]
    fn plain(bencher: Bencher<'_, '_>) {
        place_plain(bencher, "mnk:8x8,k=5", 24);
    }
}

mod place_11x11 {
    use super::*;

    #[divan::bench]
    fn words(bencher: Bencher<'_, '_>) {
        place(bencher, &Mnk::<_, WordBoard<u128>>::new(&parameters("mnk:11x11,k=5")), 40);
    }

    #[divan::bench]
    fn lines(bencher: Bencher<'_, '_>) {
        place(bencher, &Mnk::<_, LineBoard>::new(&parameters("mnk:11x11,k=5")), 40);
    }
}

mod place_250x250 {
    use super::*;

    #[divan::bench]
    fn lines(bencher: Bencher<'_, '_>) {
        place(bencher, &Mnk::<_, LineBoard>::new(&parameters("mnk:250x250,k=5")), 4000);
    }

    #[divan::bench]
    fn plain(bencher: Bencher<'_, '_>) {
        place_plain(bencher, "mnk:250x250,k=5", 100);
    }
}

mod games_15x15 {
    use super::*;

    #[divan::bench]
    fn lines(bencher: Bencher<'_, '_>) {
        games(bencher, &Mnk::<_, LineBoard>::new(&parameters("mnk:15x15,k=5")), 200);
    }

    #[divan::bench]
    fn lines_compiled(bencher: Bencher<'_, '_>) {
        games(bencher, &Mnk::<Gomoku15, LineBoard>::from_shape(ConstShape), 200);
    }

    #[divan::bench]
    fn plain(bencher: Bencher<'_, '_>) {
        games(bencher, &PlainMnk::new(&parameters("mnk:15x15,k=5")), 1);
    }
}

mod games_3x3 {
    use super::*;

    #[divan::bench]
    fn words(bencher: Bencher<'_, '_>) {
        games(bencher, &Mnk::<_, WordBoard<u16>>::new(&parameters("mnk:3x3,k=3")), 1000);
    }

    #[divan::bench]
    fn words_compiled(bencher: Bencher<'_, '_>) {
        games(bencher, &Mnk::<TicTacToe, WordBoard<u16>>::from_shape(ConstShape), 1000);
    }

    #[divan::bench]
    fn plain(bencher: Bencher<'_, '_>) {
        games(bencher, &PlainMnk::new(&parameters("mnk:3x3,k=3")), 100);
    }
}

mod games_connect4 {
    use super::*;

    #[divan::bench]
    fn words(bencher: Bencher<'_, '_>) {
        games(bencher, &Mnk::<_, WordBoard<u64>>::new(&parameters("mnk:6x7,k=4,gravity")), 100);
    }

    #[divan::bench]
    fn words_compiled(bencher: Bencher<'_, '_>) {
        games(bencher, &Mnk::<Connect4, WordBoard<u64>>::from_shape(ConstShape), 100);
    }

    #[divan::bench]
    fn plain(bencher: Bencher<'_, '_>) {
        games(bencher, &PlainMnk::new(&parameters("mnk:6x7,k=4,gravity")), 10);
    }
}

mod canonical {
    use super::*;
    use game::Game;

    fn canonical<G: Game>(bencher: Bencher<'_, '_>, game: &G, stones: usize) {
        let (p, _) = some_position(game, stones);
        bencher
            .counter(ItemsCount::new(1usize))
            .bench_local(|| game.canonical(divan::black_box(&p)));
    }

    #[divan::bench]
    fn words_3x3(bencher: Bencher<'_, '_>) {
        canonical(bencher, &Mnk::<_, WordBoard<u16>>::new(&parameters("mnk:3x3,k=3")), 4);
    }

    #[divan::bench]
    fn words_5x5(bencher: Bencher<'_, '_>) {
        canonical(bencher, &Mnk::<_, WordBoard<u32>>::new(&parameters("mnk:5x5,k=4")), 10);
    }

    #[divan::bench]
    fn words_8x8(bencher: Bencher<'_, '_>) {
        canonical(bencher, &Mnk::<_, WordBoard<u64>>::new(&parameters("mnk:8x8,k=5")), 24);
    }

    #[divan::bench]
    fn words_11x11(bencher: Bencher<'_, '_>) {
        canonical(bencher, &Mnk::<_, WordBoard<u128>>::new(&parameters("mnk:11x11,k=5")), 40);
    }
}

mod rank {
    use super::*;
    use evaluation::{Evaluation, MoveOrder};
    use games::mnk::Lines;

    fn rank<G: Game>(bencher: Bencher<'_, '_>, game: &G, stones: usize)
    where
        Lines: MoveOrder<G>,
    {
        let (p, moves) = some_position(game, stones);
        let mut promise = vec![0; moves.len()];
        let mut lines = Lines::default();
        Evaluation::<G>::begin(&mut lines, game, &p);
        bencher
            .counter(ItemsCount::new(1usize))
            .bench_local(|| lines.rank(game, divan::black_box(&p), &moves, &mut promise));
    }

    #[divan::bench]
    fn words_3x3(bencher: Bencher<'_, '_>) {
        rank(bencher, &Mnk::<_, WordBoard<u16>>::new(&parameters("mnk:3x3,k=3")), 3);
    }

    #[divan::bench]
    fn words_5x5(bencher: Bencher<'_, '_>) {
        rank(bencher, &Mnk::<_, WordBoard<u32>>::new(&parameters("mnk:5x5,k=4")), 8);
    }

    #[divan::bench]
    fn words_8x8(bencher: Bencher<'_, '_>) {
        rank(bencher, &Mnk::<_, WordBoard<u64>>::new(&parameters("mnk:8x8,k=5")), 24);
    }

    #[divan::bench]
    fn lines_15x15(bencher: Bencher<'_, '_>) {
        rank(bencher, &Mnk::<_, LineBoard>::new(&parameters("mnk:15x15,k=5")), 60);
    }
}
