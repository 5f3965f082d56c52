//! How games of draughts end that nobody wins: every count, and repetition.

use game::{Game, Notation, Spec, moves_of};
use games::draughts::{Draughts, FAMILY, Parameters};
use play::{GameSession, Session};

fn session(spec: &str, fen: &str) -> GameSession<Draughts> {
    let game = Draughts::new(Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap()).unwrap();
    let mut session = GameSession::new(game);
    session.set_position(fen).unwrap();
    session
}

/// Plies until the game is drawn when these moves are played again and again.
fn plies(spec: &str, fen: &str, cycle: &[&str]) -> usize {
    let mut session = session(spec, fen);
    let mut played = 0;
    while session.outcome().is_none() {
        session.play(cycle[played % cycle.len()]).unwrap();
        played += 1;
        assert!(played < 1_000, "{spec} does not end");
    }
    assert_eq!(session.outcome().unwrap().winner(), None);
    played
}

/// Kings along the border, where nothing can be captured; Black's on the long diagonal.
const CYCLE_8: [&str; 4] = ["5-1", "4-29", "1-5", "29-4"];
const CYCLE_10: [&str; 4] = ["6-1", "5-46", "1-6", "46-5"];
/// Short kings.
const CYCLE_ENGLISH: [&str; 4] = ["5-1", "29-25", "1-5", "25-29"];

#[test]
fn repetition() {
    let fen = "W:WK5:BK29";
    assert_eq!(plies("draughts:english", fen, &CYCLE_ENGLISH), 8);
    assert_eq!(plies("draughts:english,draw=3-fold", fen, &CYCLE_ENGLISH), 8);
    assert_eq!(plies("draughts:english,draw=5-fold", fen, &CYCLE_ENGLISH), 16);
    assert_eq!(plies("draughts:international", "W:WK6,K36,K35,K26:BK5", &CYCLE_10), 8);
}

/// The same squares with the other side to move are another position, and so is what stood there
/// before a man moved.
#[test]
fn repetition_compares_whole_positions() {
    let mut game = session("draughts:english,draw=3-fold", "W:WK5,32:BK29,3");
    game.play_all("5-1 29-25 1-5 25-29 5-1 29-25 1-5").unwrap();
    assert!(game.outcome().is_none());
    game.play("3-7").unwrap();
    game.play_all("5-1 25-29 1-5 29-25 5-1 25-29").unwrap();
    assert!(game.outcome().is_none());
    game.play_all("1-5 29-25").unwrap();
    assert_eq!(game.outcome().unwrap().margin, 0);
}

#[test]
fn quiet_plies() {
    let fen = "W:WK5,32:BK29,3";
    assert_eq!(plies("draughts:english,draw=40-moves", fen, &CYCLE_ENGLISH), 80);
    assert_eq!(plies("draughts:english,draw=40-plies", fen, &CYCLE_ENGLISH), 40);
    assert_eq!(plies("draughts:english,draw=7-plies", fen, &CYCLE_ENGLISH), 7);
    assert_eq!(plies("draughts:english,draw=40-moves", &format!("{fen}:H79"), &CYCLE_ENGLISH), 1);
    assert_eq!(plies("draughts:english,draw=40-moves", &format!("{fen}:H80"), &CYCLE_ENGLISH), 0);
    assert_eq!(
        plies("draughts:international,draw=25-moves", "W:WK6,K36,K35,K26:BK5", &CYCLE_10),
        50
    );
}

/// A man's move begins the count anew only where the rules say so; a capture always does.
#[test]
fn what_begins_the_count_anew() {
    for (spec, after_man, after_capture) in [
        ("draughts:english,draw=40-moves", "", ""),
        ("draughts:english,draw=40-moves-captureless", ":H10", ""),
    ] {
        let mut game = session(spec, "W:WK5,30,22:BK29,18:H9");
        assert_eq!(game.moves(), ["22x15"]);
        game.play("22x15").unwrap();
        assert_eq!(game.position(), format!("B:WK5,15,30:BK29{after_capture}"));
        let mut game = session(spec, "W:WK5,32:BK29,3:H9");
        game.play("32-27").unwrap();
        assert_eq!(game.position(), format!("B:WK5,27:B3,K29{after_man}"));
    }
}

/// Both readings of "40 alternating moves of both players without a capture".
#[test]
fn forty_moves_without_a_capture() {
    let of = |name: &str| FAMILY.presets.iter().find(|p| p.name == name).unwrap().spec;
    let fen = "W:WK5,32:BK29,3";
    assert_eq!(plies(of("checkers-40-plies"), fen, &CYCLE_ENGLISH), 40);
    assert_eq!(plies(of("checkers-40-moves"), fen, &CYCLE_ENGLISH), 80);
}

#[test]
fn endings() {
    for (spec, fen, moves) in [
        ("international", "W:WK6,K36,K35:BK5", 16),
        ("international", "W:WK6,36,35:BK5", 16),
        ("international", "W:WK6,K36:BK5", 5),
        ("international", "W:WK6,36:BK5", 5),
        ("international", "W:WK6:BK5", 5),
        ("frisian", "W:WK6,K50:BK5", 7),
        ("frisian", "W:WK6:BK5", 2),
    ] {
        let cycle = CYCLE_10;
        let variant = format!("draughts:{spec},restless=no,draw={spec}");
        assert_eq!(plies(&variant, fen, &cycle), 2 * moves, "{spec} {fen}");
    }
    for (spec, fen, moves) in [
        ("brazilian", "W:WK5,K13,K12:BK4", 16),
        ("brazilian", "W:WK5:BK4", 5),
        ("russian", "W:WK5,K13,K12:BK4", 15),
        ("russian", "W:WK5,K13,12:BK4", 30),
        ("russian", "W:WK5,K13:BK4", 5),
        ("russian", "W:WK5:BK4", 5),
        ("russian", "W:WK5,K13:BK4,K20", 30),
        ("russian", "W:WK5,K13,K12:BK4,K20,K28", 60),
        ("pool", "W:WK5,K13,K12:BK4", 13),
        ("pool", "W:WK5,K13,K12,K21:BK4", 13),
    ] {
        let endings = if spec == "brazilian" { "international" } else { spec };
        let variant = format!("draughts:{spec},draw={endings}");
        assert_eq!(plies(&variant, fen, &CYCLE_8), 2 * moves, "{spec} {fen}");
    }
}

/// Without a count of their own these go on.
#[test]
fn other_endings_have_no_count() {
    for (spec, fen) in [
        ("international", "W:WK6,K36,K35,K26:BK5"),
        ("international", "W:WK6,K36:BK5,K45"),
        ("frisian", "W:WK6,K50,K49:BK5"),
    ] {
        let spec = format!("draughts:{spec},restless=no,draw={spec}");
        let mut game = session(&spec, fen);
        for m in CYCLE_10.iter().cycle().take(100) {
            game.play(m).unwrap();
        }
        assert!(game.outcome().is_none(), "{fen}");
    }
}

/// Crowning a man changes the ending in Russian draughts, not in International.
#[test]
fn crowning_and_the_count_of_an_ending() {
    let mut game = session("draughts:russian,draw=russian", "W:WK5,6,K13:BK4:E20");
    game.play("6-2").unwrap();
    assert_eq!(game.position(), "B:WKd8,Ka7,Ka5:BKh8");
    let mut game = session("draughts:brazilian,draw=international", "W:WK5,6,K13:BK4:E20");
    game.play("6-2").unwrap();
    assert_eq!(game.position(), "B:WK2,K5,K13:BK4:E21");
}

/// A move that leaves the other side none wins, whatever the clock says.
#[test]
fn who_cannot_move_has_lost_even_so() {
    let mut game = session("draughts:english,draw=4-plies", "W:WK23,K24,K27:BK32:H3");
    game.play("24-28").unwrap();
    assert_eq!(game.position(), "B:WK23,K27,K28:BK32:H4");
    // Black is the first player.
    assert_eq!(game.outcome().unwrap().margin, -1);
}

/// Three times in a row, then another piece must go; but only with men on one's side.
#[test]
fn frisian_kings_tire() {
    let mut game = session("draughts:frisian", "W:WK6,44:BK5,20");
    game.play_all("6-1 5-46 1-6 46-5 6-1").unwrap();
    assert_eq!(game.position(), "B:WK1,44:BK5,20:H5:+3(1)+2(5)");
    game.play("5-46").unwrap();
    assert_eq!(game.moves(), ["44-39", "44-40"]);
    assert!(game.play("1-6").is_err());
    game.play("44-40").unwrap();
    // Black's king has gone three times, too.
    assert_eq!(game.moves(), ["20-24", "20-25"]);
    game.play("20-25").unwrap();
    assert!(game.moves().contains(&"1-6".to_owned()));

    let mut free = session("draughts:frisian,draw=none", "W:WK6,K50:BK5");
    free.play_all("6-1 5-46 1-6 46-5 6-1 5-46 1-6 46-5 6-1 5-46 1-6").unwrap();
}

/// What is counted is no part of the key.
#[test]
fn clocks_are_not_in_the_key() {
    let game: Draughts = Draughts::new(Parameters::default()).unwrap();
    let read = |fen| Notation::read_position(&game, fen).unwrap();
    let (fresh, old) = (read("W:WK5,32:BK29,3"), read("W:WK5,32:BK29,3:H70"));
    assert_ne!(fresh, old);
    assert_eq!(game.key(&fresh), game.key(&old));
    assert_ne!(game.key(&fresh), game.key(&read("B:WK5,30:BK29,3")));
    assert_eq!(moves_of(&game, &fresh), moves_of(&game, &old));
}

#[test]
fn counts_are_told() {
    let counts = |spec: &str, fen: &str, moves: &str| {
        let mut session = session(spec, fen);
        session.play_all(moves).unwrap();
        session.draw_counts().iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    };
    let english = "draughts:english,draw=40-moves+3-fold";
    let fen = "W:WK5,32:BK29,3";
    let quiet = "plies without a capture or a move of a man";
    assert_eq!(counts(english, fen, ""), "");
    assert_eq!(counts(english, fen, "5-1 29-25"), format!("2 of 80 {quiet}"));
    let again = format!("4 of 80 {quiet}, 2 of 3 times the same position");
    assert_eq!(counts(english, fen, "5-1 29-25 1-5 25-29"), again);
    assert_eq!(counts(english, fen, "5-1 29-25 32-27"), "");
    let captures = counts("draughts:english,draw=20-moves-captureless", fen, "32-27");
    assert_eq!(captures, "1 of 40 plies without a capture");
    let lone = counts("draughts:international", "W:WK6,K36:BK5", "6-1 5-46");
    assert!(lone.contains("2 of 10 plies in an ending with few pieces"), "{lone}");
    assert_eq!(counts("draughts:english,draw=none", fen, "5-1 29-25 1-5 25-29"), "");
}
