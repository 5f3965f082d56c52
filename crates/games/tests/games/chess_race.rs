//! Perft beside cozy-chess, both counting the last ply in sets: a measurement, not a test.
//! docs/benchmarks.md has the command and what came of it.
#![allow(clippy::print_stdout)]

use std::time::{Duration, Instant};

use cozy_chess::Board;
use game::{Notation, Perft};
use games::chess::Chess;

/// The six standard positions, with a depth.
const POSITIONS: [(&str, u32); 6] = [
    ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 4),
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", 4),
];
const ROUNDS: usize = 20;

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
            let mut next = board.clone();
            next.play_unchecked(m);
            leaves += cozy_perft(&next, depth - 1);
        }
        false
    });
    leaves
}

/// The least time of a few rounds: what the machine can do when nothing disturbs it.
fn timed(best: &mut Duration, work: impl FnOnce() -> u64) -> u64 {
    let begin = Instant::now();
    let leaves = work();
    *best = begin.elapsed().min(*best);
    leaves
}

#[test]
#[ignore = "a measurement"]
fn race_against_cozy_chess() {
    let game = Chess::default();
    let mut product = 1.0;
    for (number, (text, depth)) in (1..).zip(POSITIONS) {
        let mut p = Notation::read_position(&game, text).unwrap();
        let board = Board::from_fen(text, false).unwrap();
        let mut best = [Duration::MAX; 2];
        let mut leaves = 0;
        for _ in 0..ROUNDS {
            leaves = timed(&mut best[0], || Perft::new(&game).count(&mut p, depth));
            assert_eq!(timed(&mut best[1], || cozy_perft(&board, depth)), leaves);
        }
        let [ours, theirs] = best.map(|time| leaves as f64 / time.as_secs_f64() / 1e6);
        println!("{number}: {ours:.0} beside {theirs:.0} million leaves/s, {:.2}", ours / theirs);
        product *= ours / theirs;
    }
    println!("geometric mean {:.3}", product.powf(1.0 / POSITIONS.len() as f64));
}
