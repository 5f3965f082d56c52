//! Draughts from outside: conformance of every variant and of mixes, the plain twin of the rules, and
//! what sets one variant apart from another.

use evaluation::testkit::evaluation_conforms;
use game::testkit::Effort;
use game::{Game, Notation, Rng, Spec, moves_of};
use games::draughts::reference::Plain;
use games::draughts::{
    Brazilian, Colour, Czech, Draughts, DraughtsEvaluation, English, FAMILY, Frisian,
    International, Italian, Move, Parameters, Polish, Pool, Position, Rules, Russian, Spanish,
    Variant, Zones,
};
use play::testkit::conforms;
use proptest::prelude::*;

fn parameters(spec: &str) -> Parameters {
    Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap()
}

fn game(spec: &str) -> Draughts {
    Draughts::new(parameters(spec)).unwrap()
}

fn read<R: Rules>(game: &Draughts<R>, fen: &str) -> Position {
    Notation::read_position(game, fen).unwrap()
}

/// The legal moves as people write them, in order.
fn moves(spec: &str, fen: &str) -> Vec<String> {
    let game = game(spec);
    let p = read(&game, fen);
    let write = |m| Notation::write_move(&game, &p, m);
    let mut moves: Vec<String> = moves_of(&game, &p).into_iter().map(write).collect();
    moves.sort();
    moves
}

const EFFORT: Effort = Effort { games: 40, longest: 10_000, plies: usize::MAX, seed: 1 };

/// Mixes that no variant has.
const MIXES: [&str; 12] = [
    "draughts:polish,10x10",
    "draughts:russian,majority=quantity",
    "draughts:english,6x6",
    "draughts:english,6x6,men=1,back,flying",
    "draughts:international,6x6,majority=kings",
    "draughts:english,back,promote=pass",
    "draughts:italian,10x10,flying,landing=free",
    "draughts:spanish,promote=pass,back",
    "draughts:czech,straight",
    "draughts:frisian,8x8,flying=no",
    "draughts:english,draw=40-plies-captureless",
    "draughts:pool,majority=italian,draw=30-moves+2-fold+russian",
];

fn variant<R: Rules>(variant: Variant) {
    let game: Draughts<R> = Draughts::new(variant.into()).unwrap();
    conforms(&game, EFFORT);
    evaluation_conforms(&game, DraughtsEvaluation::default, Effort { games: 3, ..EFFORT });
    let zones = || DraughtsEvaluation::Zones(Zones::default());
    evaluation_conforms(&game, zones, Effort { games: 1, ..EFFORT });
}

#[test]
fn variants_conform() {
    variant::<English>(Variant::English);
    variant::<International>(Variant::International);
    variant::<Russian>(Variant::Russian);
    variant::<Brazilian>(Variant::Brazilian);
    variant::<Pool>(Variant::Pool);
}

#[test]
fn other_variants_conform() {
    variant::<Polish>(Variant::Polish);
    variant::<Italian>(Variant::Italian);
    variant::<Spanish>(Variant::Spanish);
    variant::<Czech>(Variant::Czech);
    variant::<Frisian>(Variant::Frisian);
}

#[test]
fn mixes_conform() {
    for spec in MIXES {
        conforms(&game(spec), EFFORT);
    }
}

#[test]
fn compiled_rules_serve_their_variant_only() {
    assert!(Draughts::<English>::new(parameters("draughts:english,draw=none")).is_some());
    assert!(Draughts::<English>::new(parameters("draughts:english,back")).is_none());
    assert!(Draughts::<English>::new(parameters("draughts:russian")).is_none());
    assert!(Draughts::<International>::new(parameters("draughts:brazilian,10x10")).is_some());
    let of = |spec| parameters(spec).compiled();
    assert_eq!(of("draughts:brazilian,10x10"), Some(Variant::International));
    assert_eq!(of("draughts:english,men=2,draw=none"), Some(Variant::English));
    assert_eq!(of("draughts:polish,10x10"), None);
    for (name, variant) in FAMILY.variants.iter().zip(Variant::ALL) {
        let parameters = parameters(&format!("draughts:{}", name.name));
        assert_eq!(parameters, variant.into());
        assert_eq!(parameters.compiled(), Some(variant));
    }
}

/// A king that has captured may land short of a square from which it could go on; in pool it may not.
#[test]
fn polish_kings_land_where_they_like() {
    let fen = "W:WK29:B22,7";
    assert_eq!(moves("draughts:polish", fen), ["29x15", "29x18", "29x2", "29x4", "29x8"]);
    assert_eq!(moves("draughts:pool", fen), ["29x2"]);
}

/// What the side to move can reach, as text.
fn results(spec: &str, fen: &str) -> Vec<String> {
    let game = game(spec);
    let p = read(&game, fen);
    let after = |m| {
        let mut next = p;
        game.make(&mut next, m);
        Notation::write_position(&game, &next)
    };
    let mut results: Vec<String> = moves_of(&game, &p).into_iter().map(after).collect();
    results.sort();
    results
}

/// Over 7 to 2 on the last row, and perhaps on over 6.
#[test]
fn men_reach_the_last_row_in_three_ways() {
    let fen = "W:W11:B7,6";
    assert_eq!(results("draughts:pool", fen), ["B:W9:B"]);
    assert_eq!(results("draughts:pool,promote=stop", fen), ["B:WK2:B6"]);
    assert_eq!(results("draughts:pool,promote=pass", fen), ["B:WK13:B", "B:WK9:B"]);
    assert_eq!(moves("draughts:russian", fen), ["f6:a5", "f6:b6"]);
    assert_eq!(results("draughts:english", fen), ["B:WK2:B6"]);
}

/// Over 23, 13, 12 and 22 back to the diagonal where it began: there 23 is still in the way, so that
/// 14 behind it is safe.
#[test]
fn captured_pieces_stay_until_the_move_is_over() {
    let fen = "W:WK46:B23,13,12,22,14";
    let moves = moves("draughts:international", fen);
    assert_eq!(moves, ["46x28", "46x33", "46x39", "46x44", "46x50"]);
    assert!(results("draughts:international", fen).contains(&"B:WK28:B14".to_owned()));
}

/// Round and back to where it began: the square it left is empty.
#[test]
fn a_king_may_come_back_to_its_square() {
    assert_eq!(results("draughts:english", "W:WK22:B17,9,10,18"), ["B:WK22:B"]);
    assert_eq!(moves("draughts:english", "W:WK22:B17,9,10,18"), ["22x22"]);
}

fn agree<R: Rules>(
    fast: &Draughts<R>,
    plain: &Plain,
    p: &Position,
) -> Result<Vec<Move>, TestCaseError> {
    let q = plain.plain(p);
    prop_assert_eq!(&plain.fast(&q), p);
    let (mut moves, mut slow) = (moves_of(fast, p), moves_of(plain, &q));
    moves.sort();
    slow.sort();
    let text = Notation::write_position(fast, p);
    prop_assert_eq!(&moves, &slow, "{} {}", fast.parameters(), text);
    prop_assert_eq!(fast.count(p), moves.len());
    for &m in &moves {
        let (mut next, mut slow) = (*p, q.clone());
        fast.make(&mut next, m);
        plain.make(&mut slow, m);
        prop_assert_eq!(next, plain.fast(&slow), "{} {} {:?}", fast.parameters(), text, m);
    }
    Ok(moves)
}

/// A position that no game need lead to.
fn random_position(game: &Draughts, rng: &mut Rng) -> Position {
    let squares = game.parameters().switches().size.squares();
    let density = 2 + rng.below(6);
    let kings = rng.below(4);
    let mut lists = [Vec::new(), Vec::new()];
    for number in 1..=squares {
        if rng.below(10) < density {
            let king = if rng.below(6) < kings { "K" } else { "" };
            lists[rng.below(2)].push(format!("{king}{number}"));
        }
    }
    let turn = ["W", "B"][rng.below(2)];
    loop {
        let text = format!("{turn}:W{}:B{}", lists[0].join(","), lists[1].join(","));
        match Notation::read_position(game, &text) {
            Ok(p) => return p,
            // A man on its last row: crown everything that could be meant.
            Err(_) => lists.iter_mut().flatten().for_each(|piece| {
                if !piece.starts_with('K') {
                    piece.insert(0, 'K');
                }
            }),
        }
    }
}

/// Any mix of switches.
fn mix() -> impl Strategy<Value = String> {
    let variant = prop::sample::select(FAMILY.variants);
    let size = prop::sample::select(vec!["6x6", "8x8", "10x10"]);
    let yes = prop::sample::select(vec!["yes", "no"]);
    let landing = prop::sample::select(vec!["continue", "free"]);
    let majority = prop::sample::select(vec![
        "none", "quantity", "quality", "kings", "king", "italian", "frisian",
    ]);
    let promote = prop::sample::select(vec!["end", "pass", "stop"]);
    let switches = (yes.clone(), yes.clone(), yes.clone(), yes.clone(), yes);
    (variant, size, switches, landing, majority, promote).prop_map(|(v, size, s, landing, majority, promote)| {
        format!(
            "draughts:{},{size},back={},flying={},straight={},shielded={},restless={},landing={landing},majority={majority},promote={promote}",
            v.name, s.0, s.1, s.2, s.3, s.4
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn random_positions_agree_with_the_plain_rules(number in 0..10usize, seed: u64) {
        let parameters = Parameters::from(Variant::ALL[number]);
        let fast: Draughts = Draughts::new(parameters).unwrap();
        let plain = Plain::new(parameters);
        let mut rng = Rng::new(seed);
        for _ in 0..10 {
            agree(&fast, &plain, &random_position(&fast, &mut rng))?;
        }
    }

    #[test]
    fn random_mixes_agree_with_the_plain_rules(spec in mix(), seed: u64) {
        let fast = game(&spec);
        let plain = Plain::new(fast.parameters());
        let mut rng = Rng::new(seed);
        for _ in 0..4 {
            agree(&fast, &plain, &random_position(&fast, &mut rng))?;
        }
    }

    #[test]
    fn random_games_agree_with_the_plain_rules(number in 0..10usize, seed: u64) {
        let parameters = Parameters::from(Variant::ALL[number]);
        let fast: Draughts = Draughts::new(parameters).unwrap();
        let plain = Plain::new(parameters);
        let mut rng = Rng::new(seed);
        let mut p = fast.start();
        for _ in 0..60 {
            let moves = agree(&fast, &plain, &p)?;
            let Some(&m) = moves.get(rng.below(moves.len().max(1))) else { break };
            fast.make(&mut p, m);
        }
    }
}

/// Many thousands, and how often the two differ.
#[test]
fn polish_agrees_with_the_plain_rules_and_differs_from_pool() {
    let polish = parameters("draughts:polish");
    let (fast, plain) = (Draughts::<Polish>::new(polish).unwrap(), Plain::new(polish));
    let (any, pool) = (game("draughts:polish"), game("draughts:pool"));
    let mut rng = Rng::new(1);
    let mut differ = 0;
    for _ in 0..20_000 {
        let p = random_position(&any, &mut rng);
        let moves = agree(&fast, &plain, &p).unwrap();
        differ += usize::from(moves.len() != pool.count(&p));
    }
    assert!(differ > 500, "{differ}");
}

#[test]
fn black_begins_where_the_rules_say_so() {
    for (spec, colour) in [
        ("draughts:english", Colour::Black),
        ("draughts:pool", Colour::Black),
        ("draughts:polish", Colour::White),
        ("draughts:international", Colour::White),
    ] {
        let game = game(spec);
        assert_eq!(game.start().colour(), colour, "{spec}");
        assert_eq!(game.to_move(&game.start()), game::Side::First);
    }
}

/// Billions of ways, but few points they come to: who sets up such a position must not have to wait.
#[test]
fn positions_with_countless_ways_are_counted() {
    for fen in [
        "W:WK49:B3,6,10,12,13,18,20,21,22,25,27,29,30,32,34,36,38,39,40,43,45,K48",
        "W:WK46:B2,4,5,7,10,11,13,14,19,21,23,26,31,32,33,34,37,40,41,42,43,44,K48",
    ] {
        for spec in ["draughts:frisian", "draughts:international", "draughts:polish,10x10"] {
            let game = game(spec);
            let p = read(&game, fen);
            assert_eq!(game.count(&p), moves_of(&game, &p).len(), "{spec}");
        }
    }
}
