//! The traps of the rules of Go, played through sessions as people do.

use game::{Game, Notation, Spec};
use games::go::{Go, Parameters};
use play::{GameSession, Session};

fn go(spec: &str) -> Go<u64> {
    Go::new(Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap())
}

/// A game that goes on from a position.
fn session(spec: &str, position: &str) -> GameSession<Go<u64>> {
    let mut session = GameSession::new(go(spec));
    session.set_position(position).unwrap();
    session
}

fn read<G: Notation>(game: &G, text: &str) -> G::Position {
    game.read_position(text).unwrap()
}

/// The margin in half points if both pass now.
fn margin_of(spec: &str, position: &str) -> i32 {
    let mut session = session(spec, position);
    session.play_all("pass pass").unwrap();
    session.outcome().unwrap().margin
}

const KO: &str = ".XO./X.XO/.XO. w";

#[test]
fn a_basic_ko_is_not_retaken_at_once() {
    let mut game = session("go:3x4,ko=basic", KO);
    game.play("B2").unwrap();
    assert_eq!(game.position(), ".XO./XO.O/.XO. b ko=C2");
    let error = game.play("C2").unwrap_err();
    assert!(error.why().contains("ko"), "{error}");
    // A threat and its answer later it may be.
    game.play_all("A1 D1 C2").unwrap();
    assert_eq!(game.position(), ".XO./X.XO/XXOO w ko=B2");
}

#[test]
fn a_pass_lifts_the_basic_ko() {
    let mut game = session("go:3x4,ko=basic", KO);
    game.play_all("B2 pass").unwrap();
    assert_eq!(game.position(), ".XO./XO.O/.XO. w pass");
    game.play("D1").unwrap();
    game.play("C2").unwrap();
    assert_eq!(game.position(), ".XO./X.XO/.XOO w ko=B2");
}

#[test]
fn superko_forbids_the_plain_ko_too() {
    for ko in ["positional", "situational"] {
        let mut game = session(&format!("go:3x4,ko={ko}"), KO);
        game.play("B2").unwrap();
        assert_eq!(game.position(), ".XO./XO.O/.XO. b");
        assert!(game.play("C2").unwrap_err().why().contains("repeat"));
        assert!(!game.moves().contains(&"C2".to_owned()));
        game.play_all("A1 D1 C2").unwrap();
    }
}

#[test]
fn a_stone_that_takes_two_leaves_no_ko() {
    let mut game = session("go:1x5,ko=basic", "OO.O. b");
    game.play("C1").unwrap();
    assert_eq!(game.position(), "..XO. w");
}

/// Three kos in a column: W, B, W, B, W, B, and the same board again with White to move.
const TRIPLE_KO: &str = ".XO./X.XO/.XO./X.XO/.XO./XO.O/.XO. w";

#[test]
fn triple_ko() {
    let moves = "B6 C2 B4 C6 B2";
    let mut basic = session("go:7x4,ko=basic", TRIPLE_KO);
    basic.play_all(moves).unwrap();
    assert_eq!(basic.outcome(), None);
    basic.play("C4").unwrap();
    assert_eq!(basic.outcome().unwrap().margin, 0);
    assert!(basic.moves().is_empty());
    let mut komi = session("go:7x4,ko=basic,komi=6.5", TRIPLE_KO);
    komi.play_all(&format!("{moves} C4")).unwrap();
    assert_eq!(komi.outcome().unwrap().margin, 0);
    for ko in ["positional", "situational"] {
        let mut game = session(&format!("go:7x4,ko={ko}"), TRIPLE_KO);
        game.play_all(moves).unwrap();
        assert!(game.play("C4").unwrap_err().why().contains("repeat"), "{ko}");
        game.play("pass").unwrap();
    }
}

/// White takes one, Black takes two, and White's next stone brings the board back with the other side to
/// move: no cycle for situational superko until it has gone round twice.
#[test]
fn sending_two_returning_one() {
    const START: &str = "O.XO. w";
    let mut positional = session("go:1x5", START);
    positional.play_all("B1 C1").unwrap();
    assert!(positional.play("A1").unwrap_err().why().contains("repeat"));
    let mut situational = session("go:1x5,ko=situational", START);
    situational.play_all("B1 C1 A1").unwrap();
    assert_eq!(situational.position(), "O.XO. b");
    let mut basic = session("go:1x5,ko=basic,scoring=territory,dead=stay", START);
    basic.play_all("B1 C1 A1").unwrap();
    assert_eq!(basic.outcome(), None);
    assert_eq!(basic.position(), "O.XO. b prisoners=2:1");
    basic.play_all("pass B1 C1 A1").unwrap_err();
    // The pass brings White's turn back with the same board.
    assert_eq!(basic.outcome().unwrap().margin, 0);
}

#[test]
fn a_pass_inside_a_cycle_tells_the_superkos_apart() {
    const START: &str = "XX/O. w";
    let mut positional = session("go:2x2", START);
    positional.play_all("B1 B2 pass A2").unwrap();
    assert!(positional.play("A1").unwrap_err().why().contains("repeat"));
    let mut situational = session("go:2x2,ko=situational", START);
    situational.play_all("B1 B2 pass A2 A1").unwrap();
    assert_eq!(situational.position(), "XX/O. b");
}

#[test]
fn two_passes_end_the_game_and_superko_never_forbids_them() {
    for spec in ["go:2x2", "go:2x2,ko=situational", "go:2x2,ko=basic"] {
        let mut game = session(spec, "X./.. w");
        game.play("pass").unwrap();
        assert_eq!(game.outcome(), None);
        game.play("pass").unwrap();
        assert_eq!(game.outcome().unwrap().margin, 8, "{spec}");
        assert!(game.play("A1").unwrap_err().why().contains("over"));
    }
}

#[test]
fn suicide() {
    let mut no = session("go:1x3", "XX. b");
    assert!(no.play("C1").unwrap_err().why().contains("suicide"));
    let mut yes = session("go:1x3,suicide=yes,scoring=territory,dead=stay", "XX. b");
    yes.play("C1").unwrap();
    assert_eq!(yes.position(), "... w prisoners=0:3");
    // Capturing comes first: this is no suicide.
    let mut capture = session("go:1x4", "XX.O b");
    capture.play("C1").unwrap();
    assert_eq!(capture.position(), "XXX. w");
}

#[test]
fn suicide_of_a_single_stone() {
    const START: &str = "O.O/.OO/OOO b";
    let mut positional = session("go:3x3,suicide=yes", START);
    assert!(positional.play("B3").unwrap_err().why().contains("repeat"));
    // Nothing but a pass in other words, if only the side to move is compared.
    let mut situational = session("go:3x3,suicide=yes,ko=situational", START);
    situational.play("B3").unwrap();
    assert_eq!(situational.position(), "O.O/.OO/OOO w");
    let mut basic = session("go:3x3,suicide=yes,ko=basic", START);
    basic.play("B3").unwrap();
    assert_eq!(basic.outcome(), None);
    basic.play("pass").unwrap();
    assert_eq!(basic.outcome().unwrap().margin, 0, "the board came back with Black to move");
}

#[test]
fn snapback() {
    let mut game = session("go:3x4", "XXX./OOX./..X. b");
    game.play_all("A1 B1").unwrap();
    assert_eq!(game.position(), "XXX./OOX./.OX. b");
    game.play("A1").unwrap();
    assert_eq!(game.position(), "XXX./..X./X.X. w");
}

/// Who plays into the two shared liberties is taken; left alone they are nobody's.
#[test]
fn seki() {
    assert_eq!(margin_of("go:1x4", "X..O b"), 0);
    let mut game = session("go:1x4", "X..O b");
    game.play_all("B1 C1").unwrap();
    assert_eq!(game.position(), "..OO b");
    let both_ways = "XX.O/X.OO b";
    assert_eq!(margin_of("go:2x4", both_ways), 0);
    for (first, second) in [("C2", "B1"), ("B1", "C2")] {
        let mut game = session("go:2x4", both_ways);
        game.play_all(&format!("{first} {second}")).unwrap();
        game.play_all("pass pass").unwrap();
        assert_eq!(game.outcome().unwrap().margin, -16, "{first} {second}");
    }
}

#[test]
fn dead_stones_count_as_alive_under_area_scoring() {
    assert_eq!(margin_of("go:3x3", "X.X/XXX/..O b"), 2 * (6 - 1));
    assert_eq!(margin_of("go:3x3,komi=7.5", "X.X/XXX/..O b"), 2 * (6 - 1) - 15);
    assert_eq!(margin_of("go:3x3,komi=-2", "X.X/XXX/..O w"), 2 * (6 - 1) + 4);
    assert_eq!(margin_of("go:3x3", ".../.../... b"), 0);
    assert_eq!(margin_of("go:3x3,komi=0.5", ".../.../... b"), -1);
}

const INVADED: &str = ".XO../XXO.X/.XO.. b";

#[test]
fn territory_and_prisoners() {
    let spec = "go:3x5,ko=basic,scoring=territory,dead=stay,komi=0.5";
    let position = format!("{INVADED} prisoners=3:2");
    // White's side is spoilt by the stone in it.
    assert_eq!(margin_of(spec, &position), 2 * (2 + 3 - 2) - 1);
    let game = go(spec);
    let p = read(&game, &position);
    let dead = game.read_chains(&p, "e2").unwrap();
    assert_eq!(game.margin_without(&p, dead), 2 * (2 + 3 - (6 + 1 + 2)) - 1);
    assert_eq!(game.margin_without(&p, 0), 2 * (2 + 3 - 2) - 1);
    // Black's whole side by agreement, too.
    let both = game.read_chains(&p, "A2, C3").unwrap();
    assert_eq!(game.write_points(both), "B1 C1 A2 B2 C2 B3 C3");
    let black = 3 + 3 + 14;
    assert_eq!(game.margin_without(&p, both), 2 * (black - (2 + 4)) - 1);
    let area = go("go:3x5");
    let p = read(&area, INVADED);
    assert_eq!(area.margin_without(&p, area.read_chains(&p, "E2").unwrap()), 2 * (6 - 9));
}

#[test]
fn captured_stones_are_prisoners() {
    let mut game = session("go:1x4,scoring=territory,dead=stay", "X..O b");
    game.play_all("B1 C1").unwrap();
    assert_eq!(game.position(), "..OO b prisoners=0:2");
    game.play_all("pass pass").unwrap();
    assert_eq!(game.outcome().unwrap().margin, -2 * (2 + 2));
}

#[test]
fn random_games_find_the_dead() {
    let game = go("go:7x7,scoring=territory");
    for (board, dead) in [
        // A wall each, and a stone too many on either side.
        ("..XO.../..XO.../.OXO.../..XO.X./..XO.../..XO.../..XO... b", "F4 B5"),
        // Two eyes in the corner live.
        (".X.XO../XXXXO../OOOOO../......./......./......./....... w", ""),
        // One eye does not.
        (".XXXO../XXXXO../OOOOO../......./......./......./....... w", "A6 B6 C6 D6 B7 C7 D7"),
        ("......./......./......./......./......./......./....... w", ""),
    ] {
        let p = read(&game, board);
        assert_eq!(game.write_points(game.dead_stones(&p)), dead, "{board}");
    }
    // Black's fourteen points against White's twenty-one, and a prisoner each.
    let walls = "..XO.../..XO.../.OXO.../..XO.X./..XO.../..XO.../..XO... b";
    assert_eq!(margin_of("go:7x7,scoring=territory", walls), 2 * (14 + 1 - (21 + 1)));
    assert_eq!(margin_of("go:7x7,scoring=territory,dead=stay", walls), 0);
}

#[test]
fn margins_keep_to_their_limit() {
    let game = go("go:2x2,scoring=territory,dead=stay,komi=-361");
    let p = read(&game, "X./.. b pass pass prisoners=9999:0");
    assert_eq!(game.margin(&p), Some(2 * (9_999 + 3 + 361)));
    assert!(game.margin(&p).unwrap() <= game.margin_limit());
    assert_eq!(go("go:3x3,komi=7.5").margin_limit(), 18 + 15);
}
