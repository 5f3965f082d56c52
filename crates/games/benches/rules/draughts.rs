//! Draughts in time: the rules beside their plain twin doing the same.

use ::evaluation::Evaluation;
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use game::{Game, Path, Perft, Rng};
use games::draughts::reference::Plain;
use games::draughts::{
    AnyRules, Draughts, DraughtsEvaluation, English, International, Rules, Russian, Variant, Zones,
};

const GAMES: u64 = 50;

/// # Panics
/// Where the rules are not the variant's.
fn fast<R: Rules>(variant: Variant) -> Draughts<R> {
    Draughts::new(variant.into()).expect("rules of this variant")
}

fn plain(variant: Variant) -> Plain {
    Plain::new(variant.into())
}

fn bench_perft<G: Game>(bencher: Bencher<'_, '_>, game: &G, depth: u32, leaves: u64) {
    bencher
        .counter(ItemsCount::new(leaves))
        .bench_local(|| Perft::new(game).count(&mut game.start(), black_box(depth)));
}

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

/// Leaves by the second.
mod english_perft {
    use super::*;

    #[divan::bench(sample_count = 20)]
    fn fast_9(bencher: Bencher<'_, '_>) {
        bench_perft(bencher, &fast::<English>(Variant::English), 9, 3_963_680);
    }

    #[divan::bench(sample_count = 20)]
    fn switches_at_run_time_9(bencher: Bencher<'_, '_>) {
        bench_perft(bencher, &fast::<AnyRules>(Variant::English), 9, 3_963_680);
    }

    #[divan::bench(sample_count = 5)]
    fn reference_6(bencher: Bencher<'_, '_>) {
        bench_perft(bencher, &plain(Variant::English), 6, 36_768);
    }
}

mod international_perft {
    use super::*;

    #[divan::bench(sample_count = 20)]
    fn fast_8(bencher: Bencher<'_, '_>) {
        bench_perft(bencher, &fast::<International>(Variant::International), 8, 6_483_961);
    }

    #[divan::bench(sample_count = 20)]
    fn switches_at_run_time_8(bencher: Bencher<'_, '_>) {
        bench_perft(bencher, &fast::<AnyRules>(Variant::International), 8, 6_483_961);
    }

    #[divan::bench(sample_count = 5)]
    fn reference_5(bencher: Bencher<'_, '_>) {
        bench_perft(bencher, &plain(Variant::International), 5, 27_117);
    }
}

mod russian_perft {
    use super::*;

    #[divan::bench(sample_count = 20)]
    fn fast_9(bencher: Bencher<'_, '_>) {
        bench_perft(bencher, &fast::<Russian>(Variant::Russian), 9, 4_570_586);
    }

    #[divan::bench(sample_count = 5)]
    fn reference_6(bencher: Bencher<'_, '_>) {
        bench_perft(bencher, &plain(Variant::Russian), 6, 37_986);
    }
}

/// What a search pays for each leaf.
mod evaluation {
    use super::*;

    /// Positions of random games, all of one length.
    fn bench<R: Rules>(
        bencher: Bencher<'_, '_>,
        variant: Variant,
        mut evaluation: DraughtsEvaluation,
    ) {
        let (game, mut rng) = (fast::<R>(variant), Rng::new(1));
        let positions = [10; 64].map(|plies| {
            let mut p = game.start();
            for _ in 0..plies {
                game.sample(&p, &mut rng).map(|m| game.make(&mut p, m));
            }
            p
        });
        bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
            black_box(&positions).iter().map(|p| evaluation.evaluate(&game, p)).sum::<i32>()
        });
    }

    #[divan::bench]
    fn english_classic(bencher: Bencher<'_, '_>) {
        bench::<English>(bencher, Variant::English, DraughtsEvaluation::default());
    }

    #[divan::bench]
    fn international_classic(bencher: Bencher<'_, '_>) {
        bench::<International>(bencher, Variant::International, DraughtsEvaluation::default());
    }

    #[divan::bench]
    fn switches_at_run_time_classic(bencher: Bencher<'_, '_>) {
        bench::<AnyRules>(bencher, Variant::International, DraughtsEvaluation::default());
    }

    #[divan::bench]
    fn international_zones(bencher: Bencher<'_, '_>) {
        bench::<International>(
            bencher,
            Variant::International,
            DraughtsEvaluation::Zones(Zones::default()),
        );
    }
}

mod random_games {
    use super::*;

    #[divan::bench]
    fn english_fast(bencher: Bencher<'_, '_>) {
        bench_games(bencher, &fast::<English>(Variant::English), GAMES);
    }

    #[divan::bench(sample_count = 10)]
    fn english_reference(bencher: Bencher<'_, '_>) {
        bench_games(bencher, &plain(Variant::English), 2);
    }

    #[divan::bench]
    fn international_fast(bencher: Bencher<'_, '_>) {
        bench_games(bencher, &fast::<International>(Variant::International), GAMES);
    }

    #[divan::bench(sample_count = 10)]
    fn international_reference(bencher: Bencher<'_, '_>) {
        bench_games(bencher, &plain(Variant::International), 2);
    }
}
