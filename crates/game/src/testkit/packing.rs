//! Positions as bytes.

use std::collections::BTreeMap;

use super::conformance::{check_end, check_position_text};
use super::{Effort, random_games};
use crate::notation::{Notation, moves_of};
use crate::path::Path;
use crate::rng::Rng;

/// Checks packed positions over random games, and so many seeded inputs that are none or nearly
/// some. [`conforms`](super::conforms) does the same with few inputs.
///
/// # Panics
/// With the game, the moves or the bytes, and the broken promise.
pub fn packing_conforms<G: Notation>(game: &G, effort: Effort, inputs: usize) {
    let mut corpus = Corpus::default();
    random_games(game, effort, |p, _, _, played| {
        corpus.check(game, p, &format!("{} after {played:?}", game.spec()));
    });
    corpus.mangle(game, &mut Rng::new(effort.seed), inputs);
}

/// Packed positions of random games, each with its text.
#[derive(Debug, Default)]
pub(super) struct Corpus {
    texts: BTreeMap<Vec<u8>, String>,
    letters: usize,
}

/// Texts are kept up to so many letters: those of the largest boards fill a page each.
const MOST_LETTERS: usize = 4_000_000;

impl Corpus {
    /// Packs a position, and unpacks it; its name is that of its images.
    pub(super) fn check<G: Notation>(&mut self, game: &G, p: &G::Position, at: &str) {
        let (bytes, text) = (game.pack(p), game.write_position(p));
        // Something that text keeps was left out, perhaps with an equality that leaves it out, too.
        let same = self.texts.get(&bytes);
        assert!(same.is_none_or(|same| *same == text), "{at}: packed as {same:?} is");
        let back = game
            .unpack(&bytes)
            .unwrap_or_else(|e| panic!("{at}: cannot unpack its own position: {e}"));
        assert_eq!(&back, p, "{at}: unpacks as another position");
        // What unpacking has to work out was forgotten: a key that moves keep up to date.
        assert_eq!(
            (game.key(&back), game.path_key(&back), game.to_move(&back)),
            (game.key(p), game.path_key(p), game.to_move(p)),
            "{at}: unpacks with another key or turn"
        );
        // How the position was reached was put in.
        let read = game.read_position(&text).map(|read| game.pack(&read));
        assert!(read.is_ok_and(|read| read == bytes), "{at}: packed otherwise when read");
        check_name(game, p, at);
        if self.letters < MOST_LETTERS {
            self.letters += text.len();
            self.texts.insert(bytes, text);
        }
    }

    /// Whatever the bytes, they are refused in one line, or are those of a position from which the
    /// rules go on.
    pub(super) fn mangle<G: Notation>(&self, game: &G, rng: &mut Rng, inputs: usize) {
        let corpus: Vec<&[u8]> = self.texts.keys().map(Vec::as_slice).collect();
        for _ in 0..inputs {
            let bytes = mangled(rng, &corpus);
            let at = || format!("{}, unpacking {bytes:?}", game.spec());
            match game.unpack(&bytes) {
                Ok(p) => check_unpacked(game, &p, &bytes, &at()),
                Err(error) => {
                    // Raw bytes were made text for people.
                    let line = error.to_string();
                    let is_clear = !line.contains(['\n', char::REPLACEMENT_CHARACTER]);
                    assert!(is_clear && line.len() < 1_000, "{}: {line}", at());
                }
            }
        }
    }
}

/// All images have one name, the smallest of theirs, and the symmetry leads there.
fn check_name<G: Notation>(game: &G, p: &G::Position, at: &str) {
    let (name, symmetry) = game.canonical_name(p);
    let images = if G::CANONICAL { game.symmetries() } else { 1 };
    for number in 0..images {
        let image = game.transform(p, number);
        let bytes = game.pack(&image);
        // Symmetries are not used, or some are left out.
        assert_eq!(game.canonical_name(&image).0, name, "{at}: image {number} has another name");
        assert!(bytes >= name, "{at}: image {number} has a smaller name");
        // The symmetry is another one, or of several that serve not always the same.
        assert_eq!(
            bytes == name && number <= symmetry,
            number == symmetry,
            "{at}: the symmetry of the name is {symmetry}, not the first that leads there"
        );
    }
    assert!(symmetry < images, "{at}: there is no symmetry {symmetry}");
}

/// Bytes that were taken are the only ones of their position, and nothing is wrong with it.
fn check_unpacked<G: Notation>(game: &G, p: &G::Position, bytes: &[u8], at: &str) {
    // Padding, leading zeros or bytes behind the end were passed over.
    assert_eq!(game.pack(p), bytes, "{at}: packs as other bytes");
    // Something that text would have to have right was not looked at.
    check_position_text(game, p, at);
    let moves = moves_of(game, p);
    check_end(game, p, &Path::new(), &moves, at);
    let mut next = p.clone();
    for m in moves {
        let undo = game.make(&mut next, m);
        game.unmake(&mut next, m, undo);
        assert_eq!(&next, p, "{at}: unmaking {m:?} does not bring the position back");
    }
}

/// Bytes of the corpus, changed in up to three places, and sometimes anything at all.
fn mangled(rng: &mut Rng, corpus: &[&[u8]]) -> Vec<u8> {
    let mut bytes = corpus[rng.below(corpus.len())].to_vec();
    if rng.below(4) == 0 {
        let length = rng.below(bytes.len() + 3);
        return (0..length).map(|_| rng.next_u64() as u8).collect();
    }
    for _ in 0..=rng.below(3) {
        let at = rng.below(bytes.len() + 1);
        match rng.below(6) {
            0 if at < bytes.len() => bytes[at] = rng.next_u64() as u8,
            1 if at < bytes.len() => bytes[at] ^= 1 << rng.below(8),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            3 => bytes.insert(at, 0),
            4 => bytes.truncate(at),
            _ => {
                let other = corpus[rng.below(corpus.len())];
                bytes.truncate(at);
                bytes.extend(other.iter().skip(at));
            }
        }
    }
    bytes
}
