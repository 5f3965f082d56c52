//! What small boards are worth, by brute force.

use evaluation::MoveOrder;
use game::{Game, Path, Recall, Side, Spec, moves_of};
use games::go::{Go, GoEvaluation, Move, Parameters, PointSet, Position};

fn go<S: PointSet>(spec: &str) -> Go<S> {
    Go::new(Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap())
}

/// The value between two bounds by plain alpha-beta, all that looks back included. Passes first: they
/// show soonest what there is to gain.
fn value<G: Game>(
    game: &G,
    p: &mut G::Position,
    path: &mut Path,
    mut alpha: i32,
    mut beta: i32,
) -> i32 {
    if let Some(margin) = game.margin(p) {
        return margin;
    }
    if let Recall::Over(margin) = game.recall(p, path) {
        return margin;
    }
    let maximise = game.to_move(p) == Side::First;
    let mut best = game.margin_limit() * if maximise { -1 } else { 1 };
    path.push(game.path_key(p));
    for m in moves_of(game, p).into_iter().rev() {
        let undo = game.make(p, m);
        if game.recall(p, path) != Recall::Forbidden {
            let value = value(game, p, path, alpha, beta);
            if maximise {
                best = best.max(value);
                alpha = alpha.max(value);
            } else {
                best = best.min(value);
                beta = beta.min(value);
            }
        }
        game.unmake(p, m, undo);
        if alpha >= beta {
            break;
        }
    }
    path.pop();
    best
}

fn solve(spec: &str) -> i32 {
    let game = go::<u64>(spec);
    let limit = game.margin_limit();
    value(&game, &mut game.start(), &mut Path::new(), -limit, limit)
}

/// In half points.
#[test]
fn values_of_small_boards() {
    for (size, points) in [("1x1", 0), ("1x2", 0), ("1x3", 3), ("1x4", 4)] {
        for ko in ["positional", "situational", "basic"] {
            assert_eq!(solve(&format!("go:{size},ko={ko}")), 2 * points, "{size} {ko}");
        }
    }
    assert_eq!(solve("go:1x3,komi=0.5"), 5);
    assert_eq!(solve("go:1x3,komi=-2"), 10);
}

#[test]
fn values_of_2x2() {
    assert_eq!(solve("go:2x2"), 2);
    assert_eq!(solve("go:2x2,ko=situational"), 2);
    assert_eq!(solve("go:2x2,ko=basic"), 0);
}

#[test]
fn values_of_1x5() {
    assert_eq!(solve("go:1x5"), 0);
    assert_eq!(solve("go:1x5,ko=situational"), 0);
    assert_eq!(solve("go:1x5,ko=basic"), 0);
}

/// Whether a side can be sure of a margin within so many plies, whatever the other does. Promising moves
/// first.
fn forces<S: PointSet>(
    game: &Go<S>,
    p: &mut Position<S>,
    path: &mut Path,
    (side, margin): (Side, i32),
    depth: u32,
) -> bool {
    let enough = |found: i32| found * side.sign() >= margin;
    match (game.margin(p), game.recall(p, path)) {
        (Some(found), _) | (None, Recall::Over(found)) => return enough(found),
        _ if depth == 0 => return false,
        _ => {}
    }
    let mut moves = moves_of(game, p);
    let mut promise = vec![0; moves.len()];
    GoEvaluation::default().rank(game, p, &moves, &mut promise);
    let ranks: Vec<(Move, i32)> = moves.iter().copied().zip(promise).collect();
    moves.sort_by_key(|m| ranks.iter().find(|(n, _)| n == m).map(|(_, rank)| -rank));
    let mine = game.to_move(p) == side;
    path.push(game.path_key(p));
    let decides = |m: &Move| {
        let undo = game.make(p, *m);
        let legal = game.recall(p, path) != Recall::Forbidden;
        let decides = legal && forces(game, p, path, (side, margin), depth - 1) == mine;
        game.unmake(p, *m, undo);
        decides
    };
    let decided = moves.iter().any(decides);
    path.pop();
    decided == mine
}

/// A repetition would be worth too little to Black, so the ko rule plays no part.
fn black_is_sure_of(size: &str, points: i32) {
    let game = go::<u64>(&format!("go:{size},ko=basic"));
    let goal = (Side::First, 2 * points);
    let sure = |depth| forces(&game, &mut game.start(), &mut Path::new(), goal, depth);
    assert!((6..=60).any(sure), "{size}");
}

#[test]
fn boards_that_black_wins_whole() {
    for (size, points) in [("2x4", 8), ("3x3", 9), ("2x5", 10)] {
        black_is_sure_of(size, points);
    }
}

#[test]
#[ignore = "a minute"]
fn four_points_on_3x4() {
    black_is_sure_of("3x4", 4);
}

#[test]
fn value_of_2x3() {
    for ko in ["basic", "positional"] {
        let game = go::<u64>(&format!("go:2x3,ko={ko}"));
        for side in [Side::First, Side::Second] {
            let sure = |depth| forces(&game, &mut game.start(), &mut Path::new(), (side, 0), depth);
            assert!((4..=60).any(sure), "{ko} {side:?}");
        }
    }
}

mod stealing {
    use super::*;
    use game::Notation;

    fn stolen(spec: &str) -> Option<i32> {
        let game = go::<u64>(spec);
        game.stolen_margin(&game.start(), &Path::new())
    }

    /// Whether Black can have at least this margin from the start, by brute force.
    fn is_sure(spec: &str, margin: i32) -> bool {
        let game = go::<u64>(spec);
        value(&game, &mut game.start(), &mut Path::new(), margin - 1, margin) >= margin
    }

    /// Whatever the argument says is so, under every rule that it is used for.
    #[test]
    fn what_is_stolen_is_there() {
        let mut found = 0;
        for size in ["1x1", "1x2", "1x3", "1x4", "2x2"] {
            for ko in ["positional", "situational", "basic"] {
                for more in ["", ",suicide=yes", ",scoring=territory,dead=stay"] {
                    for komi in ["0", "0.5", "-1", "3"] {
                        let spec = format!("go:{size},ko={ko}{more},komi={komi}");
                        if let Some(margin) = stolen(&spec) {
                            assert!(is_sure(&spec, margin), "{spec} {margin}");
                            found += 1;
                        }
                    }
                }
            }
        }
        assert_eq!(found, 5 * 4 * (3 + 1 + 3));
    }

    /// Komi counts, but not for Black where a repetition ends the game at 0.
    #[test]
    fn komi_is_taken_off() {
        assert_eq!(stolen("go:5x5"), Some(0));
        assert_eq!(stolen("go:5x5,komi=7"), Some(-14));
        assert_eq!(stolen("go:3x3,komi=-2.5"), Some(5));
        assert_eq!(stolen("go:3x3,ko=basic,komi=-2.5"), Some(0));
        assert_eq!(stolen("go:3x3,ko=basic,komi=2.5"), Some(-5));
        // No more than what boards are worth that others have solved.
        for (size, points) in [("1x5", 0), ("2x2", 1), ("2x3", 0), ("3x3", 9), ("4x4", 2)] {
            assert!(stolen(&format!("go:{size}")).is_some_and(|margin| margin <= 2 * points));
        }
    }

    #[test]
    fn elsewhere_nothing_is_stolen() {
        // The empty board may come back, and the pass makes a difference there.
        assert_eq!(stolen("go:3x3,suicide=yes"), Some(0));
        assert_eq!(stolen("go:3x3,suicide=yes,ko=situational"), None);
        assert_eq!(stolen("go:3x3,suicide=yes,ko=basic"), None);
        // Random games are not the same for both colours.
        assert_eq!(stolen("go:3x3,scoring=territory"), None);
        let game = go::<u64>("go:3x3");
        for position in ["X../.../... w", ".../.../... w", ".../.../X.. b"] {
            let p = game.read_position(position).unwrap();
            assert_eq!(game.stolen_margin(&p, &Path::new()), None, "{position}");
        }
        let mut path = Path::new();
        path.push(1);
        assert_eq!(game.stolen_margin(&game.start(), &path), None);
    }
}
