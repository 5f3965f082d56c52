//! Circles of references, which take forged hashes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use super::*;
use crate::certificate::{Header, Step};
use crate::writer::Writer;

/// As many times the same byte as the position has letters: whoever refers to a lemma may do so
/// before its file is written.
fn forged(_: &str, position: &str, _: Claim, _: &[u8]) -> LemmaHash {
    LemmaHash([position.len() as u8; 32])
}

/// A certificate about a position that refers to others.
fn file(position: &str, refers_to: &[&str]) -> Vec<u8> {
    let claim = Claim::AtLeast(1);
    let lemmas: Vec<Lemma<'_>> = refers_to
        .iter()
        .map(|&position| Lemma { hash: forged("", position, claim, b""), position, claim })
        .collect();
    let header = Header {
        game: "game".to_owned(),
        position: position.to_owned(),
        symmetries: 1,
        leaf_budget: 1,
    };
    let mut writer = Writer::with_lemmas(header, &lemmas);
    let mut proof = writer.proof(claim);
    let steps: Vec<Step> =
        (0..lemmas.len() as u32).map(|lemma| Step::Lemma { lemma, symmetry: 0 }).collect();
    // A node without steps would be something else.
    if !steps.is_empty() {
        proof.all(&steps);
    }
    writer.add(proof);
    writer.finish()
}

struct Files(HashMap<LemmaHash, Vec<u8>>);

impl LemmaSource for Files {
    fn read(&self, hash: &LemmaHash, _: usize) -> io::Result<Vec<u8>> {
        self.0.get(hash).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
    fn name(&self, hash: Option<&LemmaHash>) -> String {
        hash.map_or_else(|| "root".to_owned(), |hash| format!("file {}", hash.0[0]))
    }
}

/// How many lemmas are gathered, or what is wrong; the first file is the root.
fn gathered(files: &[(&str, &[&str])], hash: HashLemma) -> Result<usize, String> {
    let root = file(files[0].0, files[0].1);
    let lemmas = files[1..].iter().map(|(position, refers_to)| {
        (forged("", position, Claim::AtLeast(1), b""), file(position, refers_to))
    });
    let source = Files(lemmas.collect());
    let root = Certificate::read(&root).unwrap();
    let bundle = Bundle::gather_by(hash, &root, &source, &BundleLimits::default(), &());
    bundle.map(|bundle| bundle.lemmas()).map_err(|refusal| {
        let line = refusal.to_string();
        assert_eq!(line.lines().count(), 1, "{line}");
        line
    })
}

#[test]
fn lemmas_in_a_circle_are_refused() {
    let circle = |files: &[(&str, &[&str])]| {
        let line = gathered(files, forged).unwrap_err();
        assert!(line.ends_with("rests on itself: its lemmas refer back to it"), "{line}");
        line
    };
    let itself = circle(&[("r", &["a"]), ("a", &["a"])]);
    assert!(itself.starts_with("lemma 0101") && itself.contains("(file file 1)"), "{itself}");
    circle(&[("r", &["a"]), ("a", &["bb"]), ("bb", &["a"])]);
    circle(&[("r", &["a", "bb"]), ("a", &["ccc"]), ("bb", &["a"]), ("ccc", &["bb"])]);
    // Far from the root, behind one that is shared.
    circle(&[
        ("r", &["a", "bb"]),
        ("a", &["ccc"]),
        ("bb", &["ccc"]),
        ("ccc", &["dddd"]),
        ("dddd", &["eeeee"]),
        ("eeeee", &["dddd"]),
    ]);
    // With hashes as they should be such files do not even begin to be one.
    let line = gathered(&[("r", &["a"]), ("a", &["a"])], LemmaHash::of).unwrap_err();
    assert!(line.contains("was changed: its hash is "), "{line}");
}

#[test]
fn lemmas_that_are_shared_are_no_circle() {
    let files: [(&str, &[&str]); 5] = [
        ("r", &["a", "bb", "ccc"]),
        ("a", &["bb", "ccc", "dddd"]),
        ("bb", &["ccc", "dddd"]),
        ("ccc", &["dddd"]),
        ("dddd", &[]),
    ];
    assert_eq!(gathered(&files, forged), Ok(4));
    let line = gathered(&files[..4], forged).unwrap_err();
    assert!(line.ends_with("(file file 4) is missing; file 1 refers to it"), "{line}");
}

/// A long chain needs no deep stack.
#[test]
fn a_long_chain_is_followed() {
    let lemma = |number: u32, refers_to: &[u32]| BundleLemma {
        hash: LemmaHash([0; 32]),
        position: "".into(),
        claim: Claim::AtLeast(1),
        wanted_by: None,
        contents: Contents {
            refers_to: refers_to.into(),
            nodes: u64::from(number),
            ..Contents::default()
        },
    };
    const LONG: u32 = 300_000;
    let mut chain: Vec<BundleLemma> = (0..LONG).map(|i| lemma(i, &[i + 1])).collect();
    chain.push(lemma(LONG, &[]));
    assert_eq!(circle(&chain), None);
    chain[LONG as usize].contents.refers_to = [7].into();
    assert_eq!(circle(&chain), Some(7));
}

/// A certificate that says two things of one lemma, by a forged hash.
#[test]
fn all_must_say_the_same_of_a_lemma() {
    let files: [(&str, &[&str]); 4] =
        [("r", &["a", "bb"]), ("a", &["ccc"]), ("bb", &["CCC"]), ("ccc", &[])];
    let line = gathered(&files, forged).unwrap_err();
    assert!(line.ends_with("is said to be about different things, by file 1 and file 2"), "{line}");
}
