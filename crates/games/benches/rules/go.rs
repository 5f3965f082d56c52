//! Go in time: the rules beside their plain twin doing the same.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use game::{Game, Grid, Path, Perft, Rng};
use games::go::reference::Plain;
use games::go::{Go, Parameters, PointSet, Position, Wide};

fn parameters(side: usize) -> Parameters {
    Parameters::new(Grid { rows: side, columns: side }).expect("a side from 1 to 19")
}

fn fast<S: PointSet>(side: usize) -> Go<S> {
    Go::new(parameters(side))
}

fn plain(side: usize) -> Plain {
    Plain::new(parameters(side))
}

/// Complete random games, positional superko and all.
fn bench_games<G: Game>(bencher: Bencher<'_, '_>, game: &G, games: u64) {
    let (mut path, mut rng) = (Path::new(), Rng::new(1));
    let mut game_of = || {
        path.clear();
        game.playout(&mut game.start(), &mut path, &mut rng)
    };
    bencher
        .counter(ItemsCount::new(games))
        .bench_local(|| (0..games).map(|_| game_of()).sum::<i32>());
}

fn bench_perft<G: Game>(bencher: Bencher<'_, '_>, game: &G, depth: u32) {
    let leaves = Perft::new(game).count(&mut game.start(), depth);
    bencher
        .counter(ItemsCount::new(leaves))
        .bench_local(|| Perft::new(game).count(&mut game.start(), black_box(depth)));
}

/// Positions from the first moves of a few random games.
fn positions<G: Game>(game: &G) -> Vec<G::Position> {
    let mut rng = Rng::new(1);
    let mut positions = Vec::new();
    for _ in 0..20 {
        let mut p = game.start();
        for _ in 0..60 {
            if game.margin(&p).is_some() {
                break;
            }
            positions.push(p.clone());
            if let Some(m) = game.sample(&p, &mut rng) {
                game.make(&mut p, m);
            }
        }
    }
    positions
}

fn bench_counting<G: Game>(bencher: Bencher<'_, '_>, game: &G) {
    let positions = positions(game);
    bencher
        .counter(ItemsCount::new(positions.len()))
        .bench_local(|| black_box(&positions).iter().map(|p| game.count(p)).sum::<usize>());
}

mod random_games_7x7 {
    use super::*;

    #[divan::bench]
    fn fast(bencher: Bencher<'_, '_>) {
        bench_games(bencher, &super::fast::<u64>(7), 100);
    }

    #[divan::bench(sample_count = 5)]
    fn reference(bencher: Bencher<'_, '_>) {
        bench_games(bencher, &plain(7), 5);
    }
}

mod random_games_9x9 {
    use super::*;

    #[divan::bench]
    fn fast(bencher: Bencher<'_, '_>) {
        bench_games(bencher, &super::fast::<u128>(9), 50);
    }

    #[divan::bench(sample_count = 5)]
    fn reference(bencher: Bencher<'_, '_>) {
        bench_games(bencher, &plain(9), 2);
    }
}

mod random_games_19x19 {
    use super::*;

    #[divan::bench]
    fn fast(bencher: Bencher<'_, '_>) {
        bench_games(bencher, &super::fast::<Wide>(19), 5);
    }

    #[divan::bench(sample_count = 1)]
    fn reference(bencher: Bencher<'_, '_>) {
        bench_games(bencher, &plain(19), 1);
    }
}

mod perft_4_of_5x5 {
    use super::*;

    #[divan::bench]
    fn fast(bencher: Bencher<'_, '_>) {
        bench_perft(bencher, &super::fast::<u64>(5), 4);
    }

    #[divan::bench(sample_count = 2)]
    fn reference(bencher: Bencher<'_, '_>) {
        bench_perft(bencher, &plain(5), 4);
    }
}

mod moves_of_a_position_7x7 {
    use super::*;

    #[divan::bench]
    fn fast(bencher: Bencher<'_, '_>) {
        bench_counting(bencher, &super::fast::<u64>(7));
    }

    #[divan::bench(sample_count = 10)]
    fn reference(bencher: Bencher<'_, '_>) {
        bench_counting(bencher, &plain(7));
    }
}

/// What an end costs under territory scoring, where random games find the dead.
mod dead_stones {
    use super::*;

    fn bench_dead<S: PointSet>(bencher: Bencher<'_, '_>, side: usize) {
        let game = fast::<S>(side);
        let positions = positions(&game);
        let mut next = positions.iter().step_by(7).cycle();
        bencher.bench_local(|| next.next().map(|p| game.dead_stones(p).len()));
    }

    #[divan::bench]
    fn on_7x7(bencher: Bencher<'_, '_>) {
        bench_dead::<u64>(bencher, 7);
    }

    #[divan::bench]
    fn on_19x19(bencher: Bencher<'_, '_>) {
        bench_dead::<Wide>(bencher, 19);
    }
}

/// What a search pays for a table that knows symmetries.
mod keys {
    use super::*;

    fn bench_keys<S: PointSet>(
        bencher: Bencher<'_, '_>,
        side: usize,
        key: impl Fn(&Go<S>, &Position<S>) -> u64,
    ) {
        let game = fast::<S>(side);
        let positions = positions(&game);
        bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
            let keys = black_box(&positions).iter().map(|p| key(&game, p));
            keys.fold(0, |all, key| all ^ key)
        });
    }

    #[divan::bench]
    fn key_7x7(bencher: Bencher<'_, '_>) {
        bench_keys::<u64>(bencher, 7, Game::key);
    }

    #[divan::bench]
    fn canonical_7x7(bencher: Bencher<'_, '_>) {
        bench_keys::<u64>(bencher, 7, |game, p| game.canonical(p).0);
    }

    #[divan::bench]
    fn key_9x9(bencher: Bencher<'_, '_>) {
        bench_keys::<u128>(bencher, 9, Game::key);
    }

    #[divan::bench]
    fn canonical_9x9(bencher: Bencher<'_, '_>) {
        bench_keys::<u128>(bencher, 9, |game, p| game.canonical(p).0);
    }
}
