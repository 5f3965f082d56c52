//! Line games: instructions that placing 100 stones with their win checks takes, and generating
//! moves once, next to the plain twin. Counted by Callgrind, so the numbers can be compared between
//! machines.

use std::hint::black_box;

use game::{Game, Rng, Spec, moves_of};
use games::mnk::reference::PlainMnk;
use games::mnk::{ConstShape, LineBoard, Mnk, Parameters, RunShape, WordBoard};
use gungraun::{library_benchmark, library_benchmark_group};

type Gomoku15 = ConstShape<15, 15, 5, 1, 1, false, false>;
type Gomoku8 = ConstShape<8, 8, 5, 1, 1, false, false>;
type TicTacToe = ConstShape<3, 3, 3, 1, 1, false, false>;

const STONES: usize = 100;

/// What is counted, with everything it needs set up. One virtual call is counted too.
type Task = Box<dyn FnMut()>;

/// A position after some random moves.
fn some_position<G: Game>(game: &G, stones: usize) -> (G::Position, Vec<G::Move>, Rng) {
    for seed in 0.. {
        let (mut p, mut rng) = (game.start(), Rng::new(seed));
        for _ in 0..stones {
            let moves = moves_of(game, &p);
            if !moves.is_empty() {
                game.make(&mut p, moves[rng.below(moves.len())]);
            }
        }
        let moves = moves_of(game, &p);
        if !moves.is_empty() {
            return (p, moves, rng);
        }
    }
    unreachable!("some random game is not over by then")
}

/// Places 100 stones, one after the other, and takes each back.
fn place<G: Game>(game: G, stones: usize) -> Task {
    let (mut p, legal, mut rng) = some_position(&game, stones);
    let moves: Vec<G::Move> = (0..STONES).map(|_| legal[rng.below(legal.len())]).collect();
    Box::new(move || {
        for &m in &moves {
            let undo = game.make(&mut p, m);
            black_box(game.margin(&p));
            game.unmake(&mut p, m, undo);
        }
    })
}

/// Generates all moves into a list that has room for them.
fn generate<G: Game>(game: G, stones: usize) -> Task {
    let (p, mut moves, _) = some_position(&game, stones);
    Box::new(move || {
        moves.clear();
        game.generate(&p, &mut moves);
        black_box(&moves);
    })
}

fn parameters(spec: &str) -> Parameters {
    let spec = Spec::parse(spec).expect("a spec of this file");
    Parameters::from_spec(&spec).expect("parameters of this file")
}

fn lines(spec: &str) -> Mnk<RunShape, LineBoard> {
    Mnk::new(&parameters(spec))
}

fn words(spec: &str) -> Mnk<RunShape, WordBoard<u64>> {
    Mnk::new(&parameters(spec))
}

fn plain(spec: &str) -> PlainMnk {
    PlainMnk::new(&parameters(spec))
}

fn compiled_3() -> Mnk<TicTacToe, WordBoard<u16>> {
    Mnk::from_shape(ConstShape)
}

fn compiled_8() -> Mnk<Gomoku8, WordBoard<u64>> {
    Mnk::from_shape(ConstShape)
}

fn compiled_15() -> Mnk<Gomoku15, LineBoard> {
    Mnk::from_shape(ConstShape)
}

#[library_benchmark]
#[bench::words_3x3_compiled(place(compiled_3(), 3))]
#[bench::words_8x8(place(words("mnk:8x8,k=5"), 24))]
#[bench::words_8x8_compiled(place(compiled_8(), 24))]
#[bench::plain_8x8(place(plain("mnk:8x8,k=5"), 24))]
#[bench::lines_15x15(place(lines("mnk:15x15,k=5"), 60))]
#[bench::lines_15x15_compiled(place(compiled_15(), 60))]
#[bench::plain_15x15(place(plain("mnk:15x15,k=5"), 60))]
#[bench::lines_250x250(place(lines("mnk:250x250,k=5"), 100))]
fn place_100_stones(mut task: Task) -> Task {
    task();
    task
}

#[library_benchmark]
#[bench::words_8x8(generate(words("mnk:8x8,k=5"), 24))]
#[bench::plain_8x8(generate(plain("mnk:8x8,k=5"), 24))]
#[bench::lines_15x15(generate(lines("mnk:15x15,k=5"), 60))]
#[bench::plain_15x15(generate(plain("mnk:15x15,k=5"), 60))]
fn generate_once(mut task: Task) -> Task {
    task();
    task
}

library_benchmark_group!(name = mnk_rules, benchmarks = [place_100_stones, generate_once]);
