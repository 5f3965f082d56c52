//! `zermelo bench`: the same work on every machine. The node count is a signature: a change that was
//! meant to be only faster leaves it as it is.

use std::io::Write;
use std::time::Instant;

use anyhow::Result;
use game::{Limits, Stop};
use search::{Algorithm, Settings};
use serde::Serialize;

use crate::output::{Answer, Console, per_second, seconds_since, speed_in_words};

/// One piece of work.
struct Piece {
    game: &'static str,
    work: Work,
}

#[derive(Clone, Copy)]
enum Work {
    Perft(u32),
    Search(Algorithm, Option<u32>),
}

const PIECES: [Piece; 11] = [
    piece("reversi", Work::Perft(11)),
    piece("connect4", Work::Perft(9)),
    piece("tictactoe", Work::Search(Algorithm::Minimax, None)),
    piece("mnk:4x4,k=4", Work::Search(Algorithm::Minimax, Some(6))),
    piece("mnk:4x4,k=4", Work::Search(Algorithm::AlphaBeta, None)),
    piece("connect4", Work::Search(Algorithm::NegaScout, Some(18))),
    piece("gomoku", Work::Search(Algorithm::NegaScout, Some(4))),
    piece("connect6", Work::Search(Algorithm::NegaScout, Some(3))),
    piece("reversi:4x6", Work::Search(Algorithm::MtdF, None)),
    piece("reversi", Work::Search(Algorithm::AlphaBeta, Some(12))),
    piece("reversi", Work::Search(Algorithm::NegaScout, Some(17))),
];

const fn piece(game: &'static str, work: Work) -> Piece {
    Piece { game, work }
}

#[derive(Serialize)]
struct Bench {
    signature: u64,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
    runs: Vec<Run>,
}

#[derive(Serialize)]
struct Run {
    game: &'static str,
    work: &'static str,
    depth: Option<u32>,
    nodes: u64,
    seconds: f64,
    nodes_per_second: u64,
}

/// Does all pieces, one after the other.
pub(crate) fn run(console: &Console) -> Result<Answer> {
    let mut runs = Vec::new();
    for piece in &PIECES {
        let run = piece.run()?;
        if !console.json {
            let depth = run.depth.map_or("end".to_owned(), |depth| depth.to_string());
            let speed = speed_in_words(run.nodes, run.seconds);
            let mut out = std::io::stdout().lock();
            writeln!(out, "{:<12} {:<10} {depth:>3}  {speed}", run.game, run.work)?;
        }
        runs.push(run);
    }
    let nodes = runs.iter().map(|run| run.nodes).sum();
    let seconds = runs.iter().map(|run| run.seconds).sum();
    let bench = Bench {
        signature: nodes,
        nodes,
        seconds,
        nodes_per_second: per_second(nodes, seconds),
        runs,
    };
    console.answer(&bench, |out| {
        writeln!(out, "\ntotal      {}", speed_in_words(nodes, seconds))?;
        writeln!(out, "signature  {}", bench.signature)
    })
}

impl Piece {
    fn run(&self) -> Result<Run> {
        let bench = catalog::open(self.game).map_err(anyhow::Error::msg)?;
        let start = Instant::now();
        let (work, depth, nodes) = match self.work {
            Work::Perft(depth) => ("perft", Some(depth), bench.perft(depth, &mut |_, _| {}).leaves),
            Work::Search(algorithm, depth) => {
                let limits = Limits { depth, ..Limits::default() };
                let settings = Settings { algorithm, limits, ..Settings::default() };
                let analysis = bench.analyse(&settings, &Stop::new(), &mut |_| {});
                let nodes = analysis.map_err(anyhow::Error::msg)?.nodes;
                (algorithm.name(), depth, nodes)
            }
        };
        let seconds = seconds_since(start);
        Ok(Run {
            game: self.game,
            work,
            depth,
            nodes,
            seconds,
            nodes_per_second: per_second(nodes, seconds),
        })
    }
}
