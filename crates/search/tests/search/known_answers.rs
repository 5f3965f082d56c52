//! Positions with known answers: the playing search finds them within few nodes.
//!
//! `data/known_answers.txt` lists them: game, position, the moves that are right, how that is known, how many
//! nodes may be spent, and what it is about. Most are proved here, by looking at everything that can happen:
//! `win 5` says that exactly these moves win within five plies, `end` that exactly these lead to the best
//! margin at the end of the game. The others (`book`) stand in endgame books or tables.

use evaluation::Heuristics;
use game::{Game, Notation, Path, Side, Spec, moves_of};
use games::{chess, draughts, reversi};
use play::{Limits, Stop};
use search::{Algorithm, SearchRoot, Settings, search};

#[derive(Clone, Copy)]
enum Proof {
    WinIn(u32),
    End,
    Book,
}

struct Known<'a> {
    game: &'a str,
    position: &'a str,
    moves: Vec<&'a str>,
    proof: Proof,
    nodes: u64,
    why: &'a str,
}

fn known_answers() -> impl Iterator<Item = Known<'static>> {
    let lines = include_str!("../data/known_answers.txt").lines();
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| {
        let parts: Vec<&str> = line.split('|').map(str::trim).collect();
        let [game, position, moves, proof, nodes, why] = parts[..] else {
            panic!("six parts are wanted: {line}")
        };
        let proof = match proof.split_once(' ') {
            Some(("win", plies)) => Proof::WinIn(plies.parse().unwrap()),
            None if proof == "end" => Proof::End,
            None if proof == "book" => Proof::Book,
            _ => panic!("{proof} is no proof: {line}"),
        };
        let moves = moves.split(' ').collect();
        Known { game, position, moves, proof, nodes: nodes.parse().unwrap(), why }
    })
}

#[test]
fn chess_answers() {
    let game = chess::Chess::default();
    check_all("chess", |_| game, chess::ChessEvaluation::default);
}

#[test]
fn draughts_answers() {
    let open = |spec: &Spec| {
        let parameters = draughts::Parameters::from_spec(spec).unwrap();
        draughts::Draughts::<draughts::AnyRules>::new(parameters).unwrap()
    };
    check_all("draughts", open, draughts::DraughtsEvaluation::default);
}

#[test]
fn reversi_answers() {
    let open = |spec: &Spec| reversi::Reversi::new(reversi::Parameters::from_spec(spec).unwrap());
    check_all("reversi", open, reversi::ReversiEvaluation::default);
}

/// Checks what is known of a family, and that the search knows it too.
fn check_all<G: Notation, H: Heuristics<G>>(
    family: &str,
    open: impl Fn(&Spec) -> G,
    heuristics: impl Fn() -> H,
) {
    let mut wrong = Vec::new();
    for known in known_answers() {
        let spec = Spec::parse(known.game).unwrap();
        if known.game.split(':').next() != Some(family) {
            continue;
        }
        let game = open(&spec);
        let p = game.read_position(known.position).unwrap();
        check_proof(&game, &p, &known);
        let found = answer(&game, &p, heuristics(), known.nodes);
        if !known.moves.contains(&found.as_str()) {
            let Known { game, position, moves, why, .. } = &known;
            wrong.push(format!("{game} {position}: {found}, not {moves:?} ({why})"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn answer<G: Notation>(
    game: &G,
    p: &G::Position,
    heuristics: impl Heuristics<G>,
    nodes: u64,
) -> String {
    let settings = Settings {
        algorithm: Algorithm::Playing,
        limits: Limits { nodes: Some(nodes), ..Limits::default() },
        hash_megabytes: 16,
        ..Settings::default()
    };
    let from = SearchRoot { game, position: p, path: &Path::new(), among: &[] };
    let report = search(&from, heuristics, &settings, &Stop::new(), &mut |_| {});
    game.write_move(p, report.best.unwrap())
}

/// The moves that are called right are the right ones.
fn check_proof<G: Notation>(game: &G, p: &G::Position, known: &Known<'_>) {
    let side = game.to_move(p);
    let after = |m| {
        let mut next = p.clone();
        game.make(&mut next, m);
        next
    };
    let moves = moves_of(game, p);
    let right: Vec<G::Move> = match known.proof {
        Proof::Book => return,
        Proof::WinIn(plies) => {
            let wins = |m: &G::Move| wins_in(game, &after(*m), side, plies - 1);
            moves.into_iter().filter(wins).collect()
        }
        Proof::End => {
            let margins: Vec<i32> = moves.iter().map(|&m| best_margin(game, &after(m))).collect();
            let best = margins.iter().map(|margin| margin * side.sign()).max();
            let is_best = |(_, margin): &(G::Move, i32)| Some(margin * side.sign()) == best;
            moves.into_iter().zip(margins).filter(is_best).map(|(m, _)| m).collect()
        }
    };
    let mut right: Vec<String> = right.into_iter().map(|m| game.write_move(p, m)).collect();
    let mut named: Vec<String> = known.moves.iter().map(|&m| m.to_owned()).collect();
    right.sort();
    named.sort();
    assert_eq!(right, named, "{} {} ({})", known.game, known.position, known.why);
}

/// Whether a side can force a win within so many plies. Draws by repetition and by counting take longer.
fn wins_in<G: Game>(game: &G, p: &G::Position, side: Side, plies: u32) -> bool {
    if let Some(margin) = game.margin(p) {
        return margin * side.sign() > 0;
    }
    let moves = moves_of(game, p);
    if moves.is_empty() {
        return game.stuck(p) * side.sign() > 0;
    }
    let wins = |&m: &G::Move| {
        let mut next = p.clone();
        game.make(&mut next, m);
        wins_in(game, &next, side, plies - 1)
    };
    plies > 0
        && if game.to_move(p) == side { moves.iter().any(wins) } else { moves.iter().all(wins) }
}

/// The first player's margin if both play their best to the end.
fn best_margin<G: Game>(game: &G, p: &G::Position) -> i32 {
    if let Some(margin) = game.margin(p) {
        return margin;
    }
    let margins = moves_of(game, p).into_iter().map(|m| {
        let mut next = p.clone();
        game.make(&mut next, m);
        best_margin(game, &next)
    });
    let best = if game.to_move(p) == Side::First { margins.max() } else { margins.min() };
    best.unwrap_or_else(|| game.stuck(p))
}
