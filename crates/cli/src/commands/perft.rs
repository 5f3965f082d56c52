//! `zermelo perft`: the classic count of a game tree's leaves.

use std::time::Instant;

use anyhow::Result;
use indicatif::HumanCount;
use serde::Serialize;

use crate::args;
use crate::output::{Answer, Console, seconds_since, speed_in_words};
use crate::progress::Progress;

#[derive(Serialize)]
struct Counted {
    game: String,
    position: String,
    depth: u32,
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<Below>>,
}

#[derive(Serialize)]
struct Below {
    #[serde(rename = "move")]
    text: String,
    nodes: u64,
}

/// Counts. Ctrl-C just ends the program: half a count is no count.
pub(crate) fn run(arguments: &args::Perft, console: &Console) -> Result<Answer> {
    let session = console.open(&arguments.place)?.session;
    let progress = Progress::of_parts(console, "moves");
    let start = Instant::now();
    let perft = session.perft(arguments.depth, &mut |done, all| progress.parts(done, all));
    let seconds = seconds_since(start);
    drop(progress);
    let by_move = perft.by_move.into_iter();
    let divide = || by_move.map(|(text, nodes)| Below { text, nodes }).collect();
    let counted = Counted {
        game: session.spec(),
        position: session.position(),
        depth: arguments.depth,
        nodes: perft.leaves,
        seconds,
        divide: arguments.divide.then(divide),
    };
    console.answer(&counted, |out| {
        for below in counted.divide.iter().flatten() {
            writeln!(out, "{:<6} {:>16}", below.text, HumanCount(below.nodes).to_string())?;
        }
        writeln!(out, "depth {}: {}", counted.depth, speed_in_words(counted.nodes, seconds))
    })
}
