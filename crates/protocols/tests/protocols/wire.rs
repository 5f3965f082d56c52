//! Games as engines tell each other of them.

use crate::common::House;
use game::Rng;
use protocols::Host;

#[test]
fn games_are_told_and_understood() {
    let mut rng = Rng::new(7);
    for spec in [
        "draughts:international",
        "draughts:frisian",
        "draughts:russian",
        "checkers",
        "reversi:6x6",
        "go:5x5",
        "gomoku",
        "chess",
        "chess:fischer=100",
    ] {
        for from_the_start in [true, false] {
            let mut session = House.open(spec).unwrap();
            for ply in 0..60 {
                let moves = session.moves();
                if moves.is_empty() {
                    break;
                }
                let m = moves[rng.below(moves.len())].clone();
                let before =
                    (session.wire_move(&m).unwrap(), session.wire_line(std::slice::from_ref(&m)));
                assert_eq!(before.1, [before.0], "{spec}");
                session.play(&m).unwrap();
                if !from_the_start && ply == 20 {
                    let here = session.position();
                    session.set_position(&here).unwrap();
                }
            }
            let (first, moves) = session.wire_game();
            let mut other = House.open(spec).unwrap();
            let start = other.read_wire_position(&first).unwrap();
            other.set_position(&start).unwrap();
            assert_eq!(other.read_wire_line(&moves), session.played(), "{spec}");
            assert_eq!(other.wire_line(&session.played()), moves, "{spec}");
            // A line is cut where it goes wrong.
            let mut wrong: Vec<String> = moves.iter().take(2).cloned().collect();
            wrong.push("rubbish".to_owned());
            assert_eq!(other.read_wire_line(&wrong).len(), wrong.len() - 1, "{spec}");
        }
    }
}
