//! Certificates made to do harm: they neither take what they like nor say what they like.

use crate::common::corridor::Corridor;
use crate::common::{line_game, refusal};
use certificate::{Certificate, Claim, Header, Limit, Step, VerifyOptions, Writer, verify};
use game::{Game, Notation, Spec};
use games::mnk::{self, LineBoard, Mnk, RunShape};

/// A file of a third of a megabyte that claims one position of a hundred kilobytes after the other:
/// no more memory is taken than was allowed, and the refusal says that this was the reason.
#[test]
fn a_small_file_does_not_take_much_memory() {
    let spec = Spec::parse("mnk:250x250,k=5").unwrap();
    let game: Mnk<RunShape, LineBoard> = Mnk::new(&mnk::Parameters::from_spec(&spec).unwrap());
    let header =
        Header { game: game.spec(), position: String::new(), symmetries: 1, leaf_budget: 1 };
    let mut writer = Writer::new(header);
    let mut proof = writer.proof(Claim::AtMost(0));
    let steps: Vec<Step> = (1..=62_500).map(|ahead| Step::To { ahead, symmetry: 0 }).collect();
    proof.all(&steps);
    (0..62_500).for_each(|_| proof.hopeless());
    writer.add(proof);
    let bytes = writer.finish();
    assert!(bytes.len() < 320_000, "{}", bytes.len());
    let certificate = Certificate::read(&bytes).unwrap();
    assert!(game.position_bytes(&game.start()) > 100_000);
    let options = VerifyOptions { most_bytes: 16 << 20, ..VerifyOptions::default() };
    let refusal = verify(&game, &certificate, &options, &mut |_| {}).unwrap_err();
    assert_eq!(refusal.limit(), Some(Limit::Memory));
    assert_eq!(
        refusal.to_string(),
        "node 0 of the proof of \"margin <= 0\" plays 161, but positions that wait for their turn \
         take more than 16 MB"
    );
}

/// What a file says of itself is shown as text that steers no terminal and is not long.
#[test]
fn what_a_file_says_is_escaped_and_cut() {
    let game = line_game("mnk:3x3,k=3");
    let lie = format!("\r\u{1b}[2Kproved: margin >= 1\n{}", "x".repeat(10_000));
    for (name, position) in [(lie.clone(), String::new()), (game.spec(), lie)] {
        let header = Header { game: name, position, symmetries: 1, leaf_budget: 1 };
        let mut writer = Writer::new(header);
        writer.add(writer.proof(Claim::AtLeast(1)));
        let line = refusal(&game, &writer.finish());
        assert!(line.contains(r"\r\u{1b}[2Kproved: margin >= 1\nxxx"), "{line}");
        assert!(line.chars().count() < 300, "{line}");
        assert!(!line.contains(char::is_control), "{line:?}");
    }
}

#[test]
fn moves_with_the_same_code_are_refused() {
    let game = Corridor { plies: 1, doors: 2 };
    let header =
        Header { game: game.spec(), position: String::new(), symmetries: 1, leaf_budget: 100 };
    let mut writer = Writer::new(header);
    let mut proof = writer.proof(Claim::AtLeast(1));
    proof.choice(7, Step::Settled);
    writer.add(proof);
    let bytes = writer.finish();
    let certificate = Certificate::read(&bytes).unwrap();
    let judged = verify(&game, &certificate, &VerifyOptions::default(), &mut |_| {});
    assert_eq!(
        judged.unwrap_err().to_string(),
        "node 0 of the proof of \"margin >= 1\" has two moves with the code 7"
    );
}
