//! What was solved can be certified, and the checker agrees.

use std::collections::HashMap;
use std::io;

use certificate::{
    Bundle, BundleLimits, BundleVerdict, Certificate, Claim, LemmaHash, LemmaSource, VerifyOptions,
    VerifyProgress, verify,
};
use evaluation::Proofs;
use game::{Game, Notation, Side, Spec, WinningSets, moves_of};
use games::mnk::{Lines, Mnk, RunShape, WordBoard};
use games::{draughts, mnk, reversi};
use play::Stop;
use search::Table;
use solve::{
    CertifyError, CertifyStage, Certifying, Goal, Method, Options, certify, certify_node, solve,
};

use crate::games::problem;

/// Solves, certifies, and gives what the checker says is proved; from one file and from a bundle of
/// small ones.
fn proved<G: Notation + WinningSets + Clone + Sync, H: Proofs<G> + Sync>(
    game: &G,
    heuristics: &H,
    start: &G::Position,
    (question, slice, leaf_budget): (Goal, Option<u64>, u64),
) -> Vec<Claim> {
    let method = Method::AlphaBeta;
    proved_by(game, heuristics, start, method, (question, slice, leaf_budget))
}

fn proved_by<G: Notation + WinningSets + Clone + Sync, H: Proofs<G> + Sync>(
    game: &G,
    heuristics: &H,
    start: &G::Position,
    method: Method,
    (question, slice, leaf_budget): (Goal, Option<u64>, u64),
) -> Vec<Claim> {
    let problem = problem(game, start, heuristics);
    let options = Options {
        question,
        method,
        slice,
        threads: 1,
        hash_megabytes: 4,
        nodes: None,
        memory: 64 << 20,
        repeatable: false,
    };
    let (table, stop) = (Table::new(4), Stop::new());
    let solution = solve(&problem, &options, &table, None, &stop, &mut |_| {}).unwrap();
    let known = |p: &G::Position| {
        let node = solution.tree.find(&game.canonical_name(p).0)?;
        Some(solution.tree.bounds(node))
    };
    let mut with = Certifying {
        leaf_budget,
        most_nodes: None,
        known: &known,
        lemmas: &|_, _| None,
        table: &table,
        stop: &stop,
    };
    let answer = (question, solution.bounds);
    let bytes = certify(&problem, answer, &with, &mut |stage| {
        assert!(matches!(stage, CertifyStage::Nodes(_)));
    });
    let bytes = bytes.unwrap();
    let certificate = Certificate::read(&bytes).unwrap();
    let verdict = verify(game, &certificate, &VerifyOptions::default(), &mut |_| {});
    let verdict = verdict.unwrap();
    assert!(verdict.is_proof());
    let grains: &[u64] = match certificate.nodes() {
        0..3_000 => &[1, 7, 60],
        3_000..20_000 => &[1000],
        // Those take longer than they tell more.
        _ => &[],
    };
    for &most_nodes in grains {
        with.most_nodes = Some(most_nodes);
        let mut files = Files::default();
        let root = certify(&problem, answer, &with, &mut |stage| files.hear(stage)).unwrap();
        let bundled = files.judge(game, &root);
        assert_eq!(bundled.claims, verdict.claims);
        assert_eq!(bundled.lemmas, files.0.len() as u64);
        let largest = files.0.values().map(|file| Certificate::read(file).unwrap().nodes()).max();
        assert!(largest.unwrap_or(0) <= most_nodes, "{largest:?}");
        let root = Certificate::read(&root).unwrap();
        assert!(root.proofs().iter().all(|proof| proof.nodes() <= most_nodes));
        // Whoever has few nodes needs no lemmas.
        let is_small = certificate.proofs().iter().all(|proof| proof.nodes() <= most_nodes);
        assert_eq!(files.0.is_empty(), is_small);
    }
    verdict.claims
}

/// The lemmas of a bundle.
#[derive(Default)]
pub(crate) struct Files(pub(crate) HashMap<LemmaHash, Vec<u8>>);

impl Files {
    fn hear(&mut self, stage: CertifyStage<'_>) {
        let CertifyStage::Lemma(lemma) = stage else { return };
        let certificate = Certificate::read(&lemma.bytes).unwrap();
        let refers_to = certificate.lemmas();
        assert!(refers_to.iter().all(|lemma| self.0.contains_key(&lemma.hash)), "forward");
        assert!(self.0.insert(lemma.hash, lemma.bytes.clone()).is_none(), "made once");
    }

    pub(crate) fn judge<G: Notation + WinningSets + Sync>(
        &self,
        game: &G,
        root: &[u8],
    ) -> BundleVerdict {
        let root = Certificate::read(root).unwrap();
        let limits = BundleLimits::default();
        let check = |certificate: &Certificate<'_>,
                     options: &VerifyOptions<'_>,
                     progress: &mut dyn FnMut(&VerifyProgress)| {
            verify(game, certificate, options, progress)
        };
        let bundle = Bundle::gather(&root, self, &limits, &());
        let judged = bundle.and_then(|bundle| bundle.verify(self, &check, 2, &limits, &()));
        judged.unwrap_or_else(|refusal| panic!("{refusal}"))
    }
}

impl LemmaSource for Files {
    fn read(&self, hash: &LemmaHash, _: usize) -> io::Result<Vec<u8>> {
        self.0.get(hash).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
    fn name(&self, hash: Option<&LemmaHash>) -> String {
        hash.map_or_else(|| "root".to_owned(), LemmaHash::to_string)
    }
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

/// Single positions are certified one by one, as workers would, and a root binds them together.
#[test]
fn positions_are_certified_one_by_one() {
    let spec = Spec::parse("reversi:4x4").unwrap();
    let game = reversi::Reversi::new(reversi::Parameters::from_spec(&spec).unwrap());
    let problem = problem(&game, &game.start(), &reversi::ReversiEvaluation::default());
    let (table, stop) = (Table::new(4), Stop::new());
    let alone = |most_nodes| Certifying {
        leaf_budget: 5,
        most_nodes,
        known: &|_| None,
        lemmas: &|_, _| None,
        table: &table,
        stop: &stop,
    };
    let mut files = Files::default();
    let mut made = HashMap::new();
    let mut untrue = 0;
    for claim in [Claim::AtLeast(-10), Claim::AtMost(-10)] {
        let mut positions = vec![problem.start];
        for _ in 0..2 {
            positions = positions
                .iter()
                .flat_map(|p| moves_of(&game, p).into_iter().map(|m| (*p, m)))
                .map(|(mut p, m)| {
                    game.make(&mut p, m);
                    p
                })
                .collect();
        }
        for position in positions {
            let mut below = Files::default();
            let hear = &mut |stage: CertifyStage<'_>| below.hear(stage);
            match certify_node(&problem, &position, claim, &alone(Some(20)), hear) {
                Err(error) => {
                    assert_eq!(error, CertifyError::Untrue);
                    untrue += 1;
                }
                Ok(lemma) => {
                    assert_eq!(below.judge(&game, &lemma.bytes).claims, [claim]);
                    let p = game.read_position(&lemma.position).unwrap();
                    made.insert((p, claim.hoping()), (lemma.hash, claim));
                    files.0.insert(lemma.hash, lemma.bytes);
                    files.0.extend(below.0);
                }
            }
        }
    }
    assert!(made.len() > 3 && untrue > 0, "{}, {untrue}", made.len());
    let bounds = solve::Bounds { lower: -10, upper: -10 };
    let find = |p: &reversi::Position, _: Claim| {
        let either = [Side::First, Side::Second].map(|side| made.get(&(*p, side)));
        either.into_iter().flatten().copied().next()
    };
    let bound = Certifying { lemmas: &find, ..alone(None) };
    let mut grown = 0;
    let root = certify(&problem, (Goal::Value, bounds), &bound, &mut |stage| match stage {
        CertifyStage::Nodes(_) => grown += 1,
        CertifyStage::Lemma(_) => panic!("nothing is cut"),
    });
    let root = root.unwrap();
    let certificate = Certificate::read(&root).unwrap();
    assert!(certificate.lemmas().len() > 1 && grown < 2000, "{grown}");
    let verdict = files.judge(&game, &root);
    assert_eq!(verdict.claims, [Claim::AtLeast(-10), Claim::AtMost(-10)]);
}

/// Where play may go round in circles for ever, no certificate rests on a circle.
#[test]
fn no_certificate_rests_on_a_circle() {
    search::on_deep_stack(&mut certify_circles).unwrap();
}

fn certify_circles() {
    let spec = Spec::parse("draughts:english,draw=none").unwrap();
    let parameters = draughts::Parameters::from_spec(&spec).unwrap();
    let game = draughts::Draughts::<draughts::English>::new(parameters).unwrap();
    let evaluation = draughts::DraughtsEvaluation::default();
    let (text, claim) = ("B:B13,14,9:W21,22,30,29", Claim::AtMost(-1));
    let start = game.read_position(text).unwrap();
    for leaf_budget in [1, 10, 1000] {
        let asked = (Goal::AtLeast(0), None, leaf_budget);
        let found = proved_by(&game, &evaluation, &start, Method::ProofNumber, asked);
        assert_eq!(found, [claim], "{text}");
    }
}
