//! Reversi in time: the rules beside their plain twin doing the same.

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use game::{Game, Path, Perft, Rng};
use games::reversi::reference::{self, Plain};
use games::reversi::{Move, Parameters, Position, Reversi, flips, mobility};

const PERFT_DEPTH: u32 = 8;
const PERFT_LEAVES: u64 = 390_216;
const GAMES: u64 = 50;

fn fast() -> Reversi {
    Reversi::default()
}

fn plain() -> Plain {
    Plain::new(Parameters::default())
}

/// Positions with a disc to place, from a few random games.
fn positions<G: Game<Move = Move>>(game: &G) -> Vec<(G::Position, Move)> {
    let mut rng = Rng::new(1);
    let mut positions = Vec::new();
    for _ in 0..20 {
        let mut p = game.start();
        while game.margin(&p).is_none() {
            let Some(m) = game.sample(&p, &mut rng) else {
                break;
            };
            if m != Move::PASS {
                positions.push((p.clone(), m));
            }
            game.make(&mut p, m);
        }
    }
    positions
}

fn bench_perft<G: Game>(bencher: Bencher<'_, '_>, game: &G) {
    bencher
        .counter(ItemsCount::new(PERFT_LEAVES))
        .bench_local(|| Perft::new(game).count(&mut game.start(), black_box(PERFT_DEPTH)));
}

fn bench_games<G: Game>(bencher: Bencher<'_, '_>, game: &G) {
    let (mut path, mut rng) = (Path::new(), Rng::new(1));
    let mut game_of = || game.playout(&mut game.start(), &mut path, &mut rng);
    bencher
        .counter(ItemsCount::new(GAMES))
        .bench_local(|| (0..GAMES).map(|_| game_of()).sum::<i32>());
}

mod perft_8 {
    use super::*;

    #[divan::bench]
    fn fast(bencher: Bencher<'_, '_>) {
        bench_perft(bencher, &super::fast());
    }

    #[divan::bench(sample_count = 5)]
    fn reference(bencher: Bencher<'_, '_>) {
        bench_perft(bencher, &plain());
    }
}

mod random_games {
    use super::*;

    #[divan::bench]
    fn fast(bencher: Bencher<'_, '_>) {
        bench_games(bencher, &super::fast());
    }

    #[divan::bench(sample_count = 10)]
    fn reference(bencher: Bencher<'_, '_>) {
        bench_games(bencher, &plain());
    }
}

mod mobility_of_a_position {
    use super::*;

    #[divan::bench]
    fn fast(bencher: Bencher<'_, '_>) {
        let positions = positions(&super::fast());
        let one = |(p, _): &(Position, Move)| mobility(p.own(), p.other());
        bencher
            .counter(ItemsCount::new(positions.len()))
            .bench_local(|| black_box(&positions).iter().fold(0, |all, p| all ^ one(p)));
    }

    #[divan::bench(sample_count = 20)]
    fn reference(bencher: Bencher<'_, '_>) {
        let (game, positions) = (plain(), positions(&plain()));
        let one = |(p, _): &(reference::Position, Move)| game.placements(p).len();
        bencher
            .counter(ItemsCount::new(positions.len()))
            .bench_local(|| black_box(&positions).iter().map(one).sum::<usize>());
    }
}

mod flips_of_a_move {
    use super::*;

    #[divan::bench]
    fn fast(bencher: Bencher<'_, '_>) {
        let positions = positions(&super::fast());
        let one = |(p, m): &(Position, Move)| m.bit().map_or(0, |b| flips(b, p.own(), p.other()));
        bencher
            .counter(ItemsCount::new(positions.len()))
            .bench_local(|| black_box(&positions).iter().fold(0, |all, p| all ^ one(p)));
    }

    #[divan::bench(sample_count = 20)]
    fn reference(bencher: Bencher<'_, '_>) {
        let (game, positions) = (plain(), positions(&plain()));
        let one = |(p, m): &(reference::Position, Move)| {
            let turned = m.square().map(|square| game.turned(p, square));
            turned.map_or(0, |discs| discs.len())
        };
        bencher
            .counter(ItemsCount::new(positions.len()))
            .bench_local(|| black_box(&positions).iter().map(one).sum::<usize>());
    }
}

/// What a search pays for a table that knows symmetries.
mod keys {
    use super::*;

    #[divan::bench]
    fn key(bencher: Bencher<'_, '_>) {
        let (game, positions) = (fast(), positions(&fast()));
        bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
            let keys = black_box(&positions).iter().map(|(p, _)| game.key(p));
            keys.fold(0, |all, key| all ^ key)
        });
    }

    #[divan::bench]
    fn canonical(bencher: Bencher<'_, '_>) {
        let (game, positions) = (fast(), positions(&fast()));
        bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
            let keys = black_box(&positions).iter().map(|(p, _)| game.canonical(p).0);
            keys.fold(0, |all, key| all ^ key)
        });
    }
}
