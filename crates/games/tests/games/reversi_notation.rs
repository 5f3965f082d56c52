//! Reversi text: what is read, what is refused and why.

use game::{Game, Grid, Notation, Rng, moves_of, quote};
use games::reversi::{Move, Parameters, Reversi, Start};
use play::{GameSession, Session};
use proptest::prelude::*;

fn small() -> Reversi {
    let size = Grid { rows: 4, columns: 4 };
    Reversi::new(Parameters::new(size, Start::Cross).expect("4x4 is a board"))
}

/// Lines 40 to 42 of the FFO endgame suite.
const FFO: [&str; 3] = [
    "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38; C7:+36;",
    "-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X; H4:+0; H3:-2; F8:-2;",
    "--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X; G2:+6; A4:+0; C6:-2;",
];

#[test]
fn reads_ffo_lines() {
    let game = Reversi::default();
    for (line, moves) in FFO.into_iter().zip([10, 10, 9]) {
        let p = game.read_position(line).unwrap();
        assert_eq!(game.write_position(&p), line[..66]);
        assert_eq!(game.count(&p), moves, "{line}");
        let best = line[68..70].to_owned();
        assert!(game.read_move(&p, &best).is_ok(), "{best}");
    }
}

#[test]
fn reads_other_letters() {
    let game = small();
    let start = game.start();
    for text in [
        "-----OX--XO----- X",
        "-----OX--XO-----X",
        "-----OX--XO-----   X;",
        "  .....ox..xo.....\tx ; notes",
        ".....wb..bw..... b",
        ".....WB..BW..... B",
        ".....0*..*0..... *",
    ] {
        assert_eq!(game.read_position(text), Ok(start), "{text}");
    }
    assert_eq!(game.write_position(&start), "-----OX--XO----- X");
}

#[test]
fn passes_are_part_of_the_text() {
    let game = small();
    let p = game.read_position("XXXXXXXXXXXX---O O").unwrap();
    assert_eq!(moves_of(&game, &p), [Move::PASS]);
    let mut session = GameSession::new(game);
    session.set_position("XXXXXXXXXXXX---O O").unwrap();
    session.play("PA").unwrap();
    assert_eq!(session.position(), "XXXXXXXXXXXX---O X pass");
    session.play("pass").unwrap();
    assert_eq!(session.position(), "XXXXXXXXXXXX---O O pass pass");
    assert_eq!(session.outcome().unwrap().margin, 14);
    assert_eq!(session.play("d4").unwrap_err().to_string(), r#""d4": the game is over"#);
}

#[test]
fn empties_go_to_the_winner() {
    let game = small();
    for (text, margin) in [
        ("---------------- X pass pass", 0),
        ("X--------------- X pass pass", 16),
        ("O--------------- O pass pass", -16),
        ("XX----------OOO- X pass pass", -12),
        ("X--------------O X pass pass", 0),
        ("XXXXXXXXXOOOOOOO X", 2),
        ("XXXXXXXXOOOOOOOO O", 0),
    ] {
        let p = game.read_position(text).unwrap();
        assert_eq!(game.margin(&p), Some(margin), "{text}");
        assert_eq!(game.write_position(&p), text);
    }
}

#[test]
fn wrong_positions_say_where_and_what() {
    for (text, why) in [
        ("", " at character 1: 0 squares are given; there are 16"),
        ("XO-- X", " at character 5: 4 squares are given; there are 16"),
        ("-----OX--XO----;- X", " at character 16: 15 squares are given; there are 16"),
        ("-----OX-?XO----- X", " at character 9: '?' cannot stand on a3; X, O or - can"),
        ("-----OX-\u{e9}XO----- X", " at character 9: '\u{e9}' cannot stand on a3; X, O or - can"),
        ("-----OX--XO-----", " at character 17: after 16 squares comes X or O, the side to move"),
        (
            "-----OX--XO------ X",
            " at character 17: after 16 squares comes X or O, the side to move, not '-'",
        ),
        (
            "-----OX--XO----- X X",
            " at character 20: after 16 squares and the side to move comes pass, at most twice",
        ),
        (
            "-----OX--XO----- Xpass",
            " at character 19: after 16 squares and the side to move comes pass, at most twice",
        ),
        (
            "---------------- X pass pass pass",
            " at character 20: after 16 squares and the side to move comes pass, at most twice",
        ),
        ("-----OX--XO----- X pass", ": O can go to c1 and so did not pass"),
        ("OX-------------- O pass pass", ": O can go to c1 and so did not pass"),
        ("XXXXXXXXXXXXXXXX X pass", ": the board is full, so nobody can pass"),
    ] {
        let error = small().read_position(text).unwrap_err();
        assert_eq!(error.to_string(), format!("{}{why}", quote(text)));
    }
}

#[test]
fn wrong_moves_say_what_would_be_right() {
    let game = small();
    let start = game.start();
    for (text, why) in [
        ("a1", "turns no disc; the moves are b1 a2 d3 c4"),
        ("B2", "taken; the moves are b1 a2 d3 c4"),
        ("pass", "only who can place no disc passes; the moves are b1 a2 d3 c4"),
        ("e1", "not a square of this board, which has a1 to d4"),
        ("", "not a square of this board, which has a1 to d4"),
        ("b1\n", ""),
    ] {
        match game.read_move(&start, text) {
            Ok(m) => assert_eq!(game.write_move(&start, m), text.trim()),
            Err(error) => {
                assert_eq!(error.to_string(), format!("{}: {why}", quote(text)));
            }
        }
    }
    let stuck = game.read_position("XXXXXXXXXXXX---O O").unwrap();
    assert_eq!(
        game.read_move(&stuck, "a4").unwrap_err().why(),
        "no disc can be placed; pass is the only move"
    );
}

#[test]
fn transcripts_are_cut_into_moves() {
    let game = Reversi::default();
    for (text, moves) in [
        ("f5d6c3", vec!["f5", "d6", "c3"]),
        (" f5 d6\tpass\n", vec!["f5", "d6", "pass"]),
        ("F5D6PASSc3Pass", vec!["F5", "D6", "PASS", "c3", "Pass"]),
        ("f5pad6ps", vec!["f5", "pa", "d6", "ps"]),
        ("f5d", vec!["f5", "d"]),
        ("\u{e9}5\u{1f600}", vec!["\u{e9}5", "\u{1f600}"]),
        ("", vec![]),
    ] {
        assert_eq!(game.split_moves(text), moves, "{text}");
    }
    let mut session = GameSession::new(game);
    session.play_all("f5d6c3d3c4 f4 f6").unwrap();
    assert_eq!(session.played().join(""), "f5d6c3d3c4f4f6");
    assert_eq!(
        session.diagram().to_string(),
        "  a  b  c  d  e  f  g  h \n\
         1 .  .  .  .  .  .  .  . \n\
         2 .  .  .  .  .  .  .  . \n\
         3 .  .  X  O  .  .  .  . \n\
         4 .  .  X  X  X  O  .  . \n\
         5 .  .  .  O  X  X  .  . \n\
         6 .  .  .  O  . [X] .  . \n\
         7 .  .  .  .  .  .  .  . \n\
         8 .  .  .  .  .  .  .  . "
    );
}

proptest! {
    /// Whatever comes in, there is an answer or a line that names it; what is read is canonical
    /// when it is written again.
    #[test]
    fn any_text_is_read_or_refused(text in "[-XOxo.*bw0 ;pas\n\u{e9}]{0,24}|.{0,24}") {
        let game = small();
        match game.read_position(&text) {
            Ok(p) => {
                let canonical = game.write_position(&p);
                prop_assert_eq!(game.read_position(&canonical), Ok(p));
            }
            Err(error) => {
                let line = error.to_string();
                prop_assert!(line.starts_with(&quote(&text)) && !line.contains('\n'), "{}", line);
            }
        }
        for part in game.split_moves(&text) {
            let _ = game.read_move(&game.start(), part);
        }
        let kept: String = game.split_moves(&text).concat();
        let spaceless: String = text.split_whitespace().collect();
        prop_assert_eq!(kept, spaceless);
    }
}

/// Transcripts of other programs leave forced passes out.
#[test]
fn passes_may_be_left_out_of_transcripts() {
    let mut with_passes = 0;
    for seed in 0..50 {
        let mut session = GameSession::new(Reversi::default());
        let mut rng = Rng::new(seed);
        while session.outcome().is_none() {
            let moves = session.moves();
            session.play(&moves[rng.below(moves.len())]).unwrap();
        }
        let mut played = session.played();
        // Passes at the very end lead to no further move that would imply them.
        while played.last().is_some_and(|text| text == "pass") {
            played.pop();
            session.undo();
        }
        with_passes += usize::from(played.iter().any(|text| text == "pass"));
        played.retain(|text| text != "pass");
        let mut other = GameSession::new(Reversi::default());
        other.play_all(&played.concat()).unwrap();
        assert_eq!(other.position(), session.position());
        assert_eq!(other.played(), session.played());
    }
    assert!(with_passes > 10, "{with_passes}");
}
