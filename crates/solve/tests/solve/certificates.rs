//! What was solved can be certified, and the checker agrees.

use certificate::{Certificate, Claim, VerifyOptions as Checking, verify};
use evaluation::Proofs;
use game::{Game, Notation, Path, Spec, WinningSets};
use games::mnk::{Lines, Mnk, RunShape, WordBoard};
use games::{mnk, reversi};
use play::Stop;
use search::Table;
use solve::{Certifying, Goal, Method, Options, Problem, certify, solve};

/// Solves, certifies, and gives what the checker says is proved.
fn proved<G: Notation + WinningSets, H: Proofs<G> + Sync>(
    game: &G,
    heuristics: &H,
    start: &G::Position,
    (question, slice, leaf_budget): (Goal, Option<u64>, u64),
) -> Vec<Claim> {
    let path = Path::new();
    let problem = Problem { game, start, path: &path, heuristics };
    let options = Options {
        question,
        method: Method::AlphaBeta,
        slice,
        threads: 1,
        hash_megabytes: 4,
        nodes: None,
        memory: 64 << 20,
        repeatable: false,
    };
    let (table, stop) = (Table::new(4), Stop::new());
    let solution = solve(&problem, &options, &table, None, &stop, &mut |_| {}).unwrap();
    let certifying = Certifying { leaf_budget, question, bounds: solution.bounds };
    let bytes = certify(&problem, &certifying, &solution.tree, &table, &stop, &mut |_| {});
    let bytes = bytes.unwrap();
    let certificate = Certificate::read(&bytes).unwrap();
    let verdict = verify(game, &certificate, &Checking::default(), &mut |_| {});
    let verdict = verdict.unwrap();
    assert!(verdict.is_proof());
    verdict.claims
}

type LineGame = Mnk<RunShape, WordBoard<u32>>;

fn line_game(text: &str) -> LineGame {
    Mnk::new(&mnk::Parameters::from_spec(&Spec::parse(text).unwrap()).unwrap())
}

#[test]
fn line_games() {
    let [least, most] = [Claim::AtLeast, Claim::AtMost];
    for (text, claims) in [
        ("mnk:2x2,k=2", vec![least(1)]),
        ("mnk:3x3,k=3", vec![least(0), most(0)]),
        ("mnk:3x3,k=3,win=exact", vec![least(0), most(0)]),
        ("mnk:3x4,k=3,gravity", vec![least(1)]),
        ("mnk:3x3,k=3,p=2,q=1", vec![least(1)]),
        ("mnk:4x4,k=4", vec![least(0), most(0)]),
        ("mnk:4x4,k=4,gravity", vec![least(0), most(0)]),
        ("mnk:4x4,k=4,p=2,q=2", vec![least(0), most(0)]),
        ("mnk:4x4,k=4,holes=b2", vec![least(0), most(0)]),
        ("mnk:5x5,k=5", vec![least(0), most(0)]),
        ("mnk:5x6,k=5,win=exact", vec![least(0), most(0)]),
        ("mnk:4x6,k=4", vec![least(0), most(0)]),
    ] {
        let game = line_game(text);
        for (slice, leaf) in [(None, 1), (None, 1_000), (Some(500), 100)] {
            let asked = (Goal::Value, slice, leaf);
            let proved = proved(&game, &Lines::default(), &game.start(), asked);
            assert_eq!(proved, claims, "{text} {leaf}");
        }
    }
}

/// A position that is not its own representative among its images, and one that is over.
#[test]
fn other_positions() {
    let game = line_game("mnk:3x3,k=3");
    let mut p = game.start();
    for (text, expected) in
        [("c3", Claim::AtLeast(0)), ("c2", Claim::AtLeast(1)), ("b2", Claim::AtLeast(1))]
    {
        let m = game.read_move(&p, text).unwrap();
        game.make(&mut p, m);
        let claims = proved(&game, &Lines::default(), &p, (Goal::Value, None, 1));
        assert_eq!(claims[0], expected, "{text}");
    }
    for text in ["a1", "c1", "b1", "b3"] {
        let m = game.read_move(&p, text).unwrap();
        game.make(&mut p, m);
    }
}

#[test]
fn margins() {
    let spec = Spec::parse("reversi:4x4").unwrap();
    let game = reversi::Reversi::new(reversi::Parameters::from_spec(&spec).unwrap());
    let evaluation = reversi::ReversiEvaluation::default();
    for (question, claims) in [
        (Goal::Value, vec![Claim::AtLeast(-10), Claim::AtMost(-10)]),
        (Goal::Outcome, vec![Claim::AtMost(-1)]),
        (Goal::AtLeast(-12), vec![Claim::AtLeast(-12)]),
        (Goal::AtLeast(4), vec![Claim::AtMost(3)]),
    ] {
        let proved = proved(&game, &evaluation, &game.start(), (question, Some(100), 50));
        assert_eq!(proved, claims);
    }
}

/// Four rows of six columns: 20 to 4.
#[test]
fn a_longer_game_with_margins() {
    let spec = Spec::parse("reversi:4x6").unwrap();
    let game = reversi::Reversi::new(reversi::Parameters::from_spec(&spec).unwrap());
    let how = (Goal::Value, Some(200_000), 500);
    let proved = proved(&game, &reversi::ReversiEvaluation::default(), &game.start(), how);
    assert_eq!(proved, [Claim::AtLeast(16), Claim::AtMost(16)]);
}
