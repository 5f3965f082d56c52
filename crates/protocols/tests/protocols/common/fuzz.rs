//! Seeded fuzzing of codecs and of whole dialogues.

use std::io::{BufReader, Cursor};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use game::Rng;
use game::testkit::mutated;
use play::Session;
use protocols::{Host, Speaker, serve};

use super::House;

const INPUTS: usize = 20_000;
const DIALOGUES: usize = 500;

/// A player that never thinks for long.
pub const TINY: &str = "depth=1,nodes=50,hash=1";

#[rustfmt::skip]
const PIECES: &[&str] = &[
    " ", "\t", "\r", "\0", "\u{7}", "é", "\u{202e}", "#", "=", "?", "/", "-", "9999999999999999999999", "0",
    "1", "-1", "1e999", "nan", "b", "white", "A1", "T19", "pass", "PA", "[", "]", "(;", ";)", "*", "O", ".",
    ",", "=== ", "set ", "play ",
];

/// Hands every line of the corpus and many changed ones to a reader, which must not fail.
pub fn lines(corpus: &[&str], mut read: impl FnMut(&str)) {
    let mut rng = Rng::new(5);
    corpus.iter().for_each(|line| read(line));
    for _ in 0..INPUTS {
        read(&mutated(&mut rng, corpus, PIECES));
    }
}

/// Holds dialogues of lines from the corpus, some of them changed, that end with `quit`; `check` sees what was said and
/// heard. An engine that does not come to an end fails the test.
pub fn dialogues(
    corpus: &'static [&'static str],
    specs: &'static [&'static str],
    speaker: fn(Box<dyn Session>) -> Box<dyn Speaker>,
    check: fn(&[String], &[String]),
) {
    let (done, all_done) = channel();
    let work = thread::spawn(move || {
        let mut rng = Rng::new(6);
        for number in 0..DIALOGUES {
            let mut said: Vec<String> = (0..rng.below(30))
                .map(|_| match rng.below(3) {
                    0 => mutated(&mut rng, corpus, PIECES).replace('\n', " "),
                    _ => corpus[rng.below(corpus.len())].to_owned(),
                })
                .filter(|line| !line.contains("quit"))
                .collect();
            said.push("quit".to_owned());
            let mut engine = speaker(House.open(specs[number % specs.len()]).unwrap());
            let input = Box::new(BufReader::new(Cursor::new(said.join("\n"))));
            let mut output = Vec::new();
            serve(&mut *engine, &House, input, &mut output).unwrap();
            let heard = String::from_utf8(output).unwrap();
            check(&said, &heard.lines().map(str::to_owned).collect::<Vec<_>>());
            let _ = done.send(());
        }
    });
    for number in 0..DIALOGUES {
        if all_done.recv_timeout(Duration::from_secs(60)).is_err() {
            assert!(work.is_finished(), "dialogue {number} does not end");
            work.join().unwrap();
            return;
        }
    }
    work.join().unwrap();
}
