//! `zermelo bench`: the same work on every machine. The node count is a signature: a change that was
//! meant to be only faster leaves it as it is.

use std::io::Write;
use std::time::Instant;

use anyhow::Result;
use compiled::CompiledSession;
use play::{Limits, Stop};
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
    /// So many random games.
    Trials(u64),
}

const PIECES: [Piece; 20] = [
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
    piece("chess", Work::Perft(5)),
    piece("draughts", Work::Perft(10)),
    piece("go:5x5", Work::Perft(5)),
    piece("chess", Work::Search(Algorithm::Playing, Some(13))),
    piece("draughts", Work::Search(Algorithm::Playing, Some(17))),
    piece("reversi", Work::Search(Algorithm::Playing, Some(14))),
    piece("gomoku", Work::Search(Algorithm::Playing, Some(8))),
    piece("connect6", Work::Search(Algorithm::Playing, Some(4))),
    piece("go:9x9", Work::Trials(20_000)),
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
        let session = catalog::open(self.game)?.session();
        let start = Instant::now();
        let (work, depth, nodes) = match self.work {
            Work::Perft(depth) => {
                ("perft", Some(depth), session.perft(depth, &mut |_, _| {}).leaves)
            }
            Work::Search(algorithm, depth) => {
                let limits = Limits { depth, ..Limits::default() };
                (algorithm.name(), depth, nodes_of(&*session, algorithm, limits)?)
            }
            Work::Trials(nodes) => {
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let algorithm = Algorithm::MonteCarlo;
                (algorithm.name(), None, nodes_of(&*session, algorithm, limits)?)
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

fn nodes_of(session: &dyn CompiledSession, algorithm: Algorithm, limits: Limits) -> Result<u64> {
    let settings = Settings { algorithm, limits, ..Settings::default() };
    let analysis = session.analyse(&settings, &Stop::new(), &mut |_| {});
    Ok(analysis?.nodes)
}
