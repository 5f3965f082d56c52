//! Chess in time: the rules beside their plain twin and beside cozy-chess doing the same.

use ::evaluation::{Evaluation, MoveOrder};
use cozy_chess::{Board, Move as CozyMove};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use game::{Game, Notation, Path, Perft, Rng, moves_of};
use games::chess::reference::Plain;
use games::chess::{Chess, ChessEvaluation, Parameters, Position};

const GAMES: u64 = 50;

/// The six standard positions, with a depth and the leaves there.
const POSITIONS: [(&str, u32, u64); 6] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4, 4_085_603),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15_833_292),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2_103_487),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4, 3_894_594),
];

fn read(text: &str) -> Position {
    Notation::read_position(&Chess::default(), text).expect("a FEN")
}

fn bench_games<G: Game>(bencher: Bencher<'_, '_>, game: &G, games: u64) {
    let mut rng = Rng::new(1);
    let mut path = Path::new();
    let mut game_of = || {
        path.clear();
        game.playout(&mut game.start(), &mut path, &mut rng)
    };
    bencher
        .counter(ItemsCount::new(games))
        .bench_local(|| (0..games).map(|_| game_of()).sum::<i32>());
}

/// Leaves as cozy-chess finds them, by its own advice: legal moves, counted in sets at the last
/// ply.
fn cozy_perft(board: &Board, depth: u32) -> u64 {
    let mut leaves = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            leaves += moves.len() as u64;
            false
        });
        return leaves;
    }
    board.generate_moves(|moves| {
        for m in moves {
            let m: CozyMove = m;
            let mut next = board.clone();
            next.play_unchecked(m);
            leaves += cozy_perft(&next, depth - 1);
        }
        false
    });
    leaves
}

mod perft {
    use super::*;

    #[divan::bench(args = 1..=6, sample_count = 10)]
    fn fast(bencher: Bencher<'_, '_>, number: usize) {
        let (text, depth, leaves) = POSITIONS[number - 1];
        let (game, mut p) = (Chess::default(), read(text));
        bencher.counter(ItemsCount::new(leaves)).bench_local(|| {
            assert_eq!(Perft::new(&game).count(&mut p, black_box(depth)), leaves);
        });
    }

    #[divan::bench(args = 1..=6, sample_count = 10)]
    fn cozy(bencher: Bencher<'_, '_>, number: usize) {
        let (text, depth, leaves) = POSITIONS[number - 1];
        let board = Board::from_fen(text, false).expect("a FEN");
        bencher.counter(ItemsCount::new(leaves)).bench_local(|| {
            assert_eq!(cozy_perft(&board, black_box(depth)), leaves);
        });
    }

    #[divan::bench(sample_count = 5)]
    fn reference(bencher: Bencher<'_, '_>) {
        let plain = Plain::new(Parameters::default());
        bencher
            .counter(ItemsCount::new(8_902_u64))
            .bench_local(|| Perft::new(&plain).count(&mut plain.start(), black_box(3)));
    }
}

/// What a table and a rule that looks back pay for each position.
mod keys {
    use super::*;

    #[divan::bench]
    fn fast(bencher: Bencher<'_, '_>) {
        let game = Chess::default();
        let positions = POSITIONS.map(|(text, _, _)| read(text));
        bencher
            .counter(ItemsCount::new(positions.len()))
            .bench_local(|| black_box(&positions).iter().fold(0, |all, p| all ^ game.key(p)));
    }
}

/// What a search pays for each leaf, and for the order of moves at each node.
mod evaluation {
    use super::*;

    #[divan::bench]
    fn classic(bencher: Bencher<'_, '_>) {
        let (game, mut classic) = (Chess::default(), ChessEvaluation::default());
        let positions = POSITIONS.map(|(text, _, _)| read(text));
        bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
            black_box(&positions).iter().map(|p| classic.evaluate(&game, p)).sum::<i32>()
        });
    }

    #[divan::bench]
    fn rank(bencher: Bencher<'_, '_>) {
        let (game, mut classic) = (Chess::default(), ChessEvaluation::default());
        let lists = POSITIONS.map(|(text, _, _)| (read(text), moves_of(&game, &read(text))));
        let moves = lists.iter().map(|(_, moves)| moves.len()).sum::<usize>();
        let mut promise = [0; 256];
        bencher.counter(ItemsCount::new(moves)).bench_local(|| {
            for (p, moves) in black_box(&lists) {
                classic.rank(&game, p, moves, black_box(&mut promise[..moves.len()]));
                promise = [0; 256];
            }
        });
    }
}

mod random_games {
    use super::*;

    #[divan::bench]
    fn fast(bencher: Bencher<'_, '_>) {
        bench_games(bencher, &Chess::default(), GAMES);
    }

    #[divan::bench(sample_count = 3)]
    fn reference(bencher: Bencher<'_, '_>) {
        bench_games(bencher, &Plain::new(Parameters::default()), 1);
    }
}
