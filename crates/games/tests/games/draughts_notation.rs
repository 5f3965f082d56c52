//! Draughts text: what is read, what is refused and why.

use game::{Dialect, Game, Notation, Rng, Spec, TextError, moves_of, quote};
use games::draughts::{Draughts, HubDialect, Move, Parameters, Position};
use play::{GameSession, Session};
use proptest::prelude::*;

fn game(spec: &str) -> Draughts {
    Draughts::new(Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap()).unwrap()
}

fn read(game: &Draughts, text: &str) -> Result<Position, TextError> {
    Notation::read_position(game, text)
}

fn write(game: &Draughts, p: &Position) -> String {
    Notation::write_position(game, p)
}

fn read_move(game: &Draughts, p: &Position, text: &str) -> Result<Move, TextError> {
    Notation::read_move(game, p, text)
}

fn written(game: &Draughts, p: &Position) -> Vec<String> {
    let write = |m| Notation::write_move(game, p, m);
    let mut moves: Vec<String> = moves_of(game, p).into_iter().map(write).collect();
    moves.sort();
    moves
}

#[test]
fn starts_in_many_spellings() {
    for (spec, texts) in [
        (
            "draughts:international",
            [
                "W:W31-50:B1-20",
                "W:B1-20:W31-50.",
                " [FEN \"W:W31-50:B1-20\"] ",
                "\"w:w31-40,41-50:b1-20:H0:F1\"",
            ],
        ),
        (
            "draughts:english",
            [
                "B:W21-32:B1-12",
                "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12.",
                "B:B1-12:W21-32:H0",
                "B:B1-12:W21-31,32",
            ],
        ),
        (
            "draughts:russian",
            [
                "W:W21-32:B1-12",
                "W:Wa1,c1,e1,g1,b2,d2,f2,h2,a3,c3,e3,g3:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6",
                "W:WA1,C1,E1,G1,B2,D2,F2,H2,A3,C3,E3,G3:B1-12",
                "W:Wa3-g1:Bb8-h6",
            ],
        ),
        (
            "draughts:spanish",
            ["W:W1-12:B21-32", "W:B21-32:W1-12", "W:W1-12:B21-32.", "W:W1,2-12:B21-32:F3"],
        ),
        (
            "draughts:italian",
            ["W:W21-32:B1-12", "W:B1-12:W21-32", "W:W21-32:B1-12.", "W:W21-32:B1-12:F12:H0."],
        ),
    ] {
        let game = game(spec);
        for text in texts {
            assert_eq!(read(&game, text), Ok(game.start()), "{spec} {text}");
        }
        assert_eq!(read(&game, &write(&game, &game.start())), Ok(game.start()));
    }
}

#[test]
fn positions_are_written_in_order() {
    let english = game("draughts:english");
    let p = read(&english, "W:BK30,1:WK5-K7,32:H12:F30").unwrap();
    assert_eq!(write(&english, &p), "W:WK5,K6,K7,32:B1,K30:H12");
    let empty = read(&english, "B:W:B").unwrap();
    assert_eq!(write(&english, &empty), "B:W:B");
    assert_eq!(moves_of(&english, &empty), []);
    let russian = game("draughts:russian");
    let p = read(&russian, "W:WK29:B22,K7:E3").unwrap();
    assert_eq!(write(&russian, &p), "W:WKa1:BKe7,c3:E3");
}

#[test]
fn captures_show_their_way_only_if_they_must() {
    let english = game("draughts:english");
    let p = read(&english, "W:WK22:B18,10,17,9").unwrap();
    assert_eq!(written(&english, &p), ["22x22"]);
    let p = read(&english, "W:W22:B18,10,17,9").unwrap();
    assert_eq!(written(&english, &p), ["22x13x6", "22x15x6"]);
    assert_eq!(
        read_move(&english, &p, "22x6").unwrap_err().why(),
        "several captures have these ends: 22x15x6 22x13x6"
    );
    let p = read(&english, "W:W22:B10,17,9,18,1").unwrap();
    assert_eq!(written(&english, &p), ["22x13x6", "22x15x6"]);
    let p = read(&english, "W:W22:B17,9").unwrap();
    assert_eq!(written(&english, &p), ["22x6"]);
}

#[test]
fn moves_are_read_in_any_clear_form() {
    let game = game("draughts:international");
    let p = read(&game, "W:WK46:B23,13,12,22,14").unwrap();
    let short = read_move(&game, &p, "46x28").unwrap();
    for text in ["46x19x8x17x28", "46:28", " 46 x 28 ", "46X28", "a1xe5", "A1:E5", "46×28"] {
        assert_eq!(read_move(&game, &p, text), Ok(short), "{text}");
    }
    for text in
        ["46-28", "46x19x2x17x28", "46x28x33", "46x10", "46x19", "28", "46x", "x28", "46-28-33"]
    {
        assert!(read_move(&game, &p, text).is_err(), "{text}");
    }
}

#[test]
fn wrong_positions_say_where_and_what() {
    let english = game("draughts:english");
    for (text, why) in [
        ("", " at character 1: a position begins with W or B, the side to move, not the end"),
        ("x", " at character 1: a position begins with W or B, the side to move, not 'x'"),
        ("W", " at character 2: both colours are needed, as in W:W31-50:B1-20; one may be empty"),
        (
            "W:W5",
            " at character 5: both colours are needed, as in W:W31-50:B1-20; one may be empty",
        ),
        ("W:W5:W6", " at character 6: the white pieces are given twice; once is right"),
        ("W:W5:B5", " at character 7: two pieces stand on 5; one is right"),
        ("W:W5,5:B6", " at character 6: two pieces stand on 5; one is right"),
        ("W:W33:B1", " at character 4: not a dark square; these are 1 to 32 or a1 to h8"),
        ("W:W0:B1", " at character 4: not a dark square; these are 1 to 32 or a1 to h8"),
        ("W:Wb1:B1", " at character 4: not a dark square; these are 1 to 32 or a1 to h8"),
        (
            "W:W99999999999999999999999:B1",
            " at character 4: not a dark square; these are 1 to 32 or a1 to h8",
        ),
        ("W:W9-5:B1", " at character 4: a range goes from a smaller number to a larger one"),
        ("W:W3:B1", " at character 4: a white man on 3 would be a king; K3 is right"),
        ("W:W9:B30", " at character 7: a black man on 30 would be a king; K30 is right"),
        ("W:W9,:B1", " at character 6: here comes a number, not ':'"),
        (
            "W:W9:B1:Q",
            " at character 9: after a colon come W or B and squares, or H, E or F and a number",
        ),
        ("W:W9:B1:H", " at character 10: here comes a number, not the end"),
        ("W:W9:B1:H70000", " at character 10: this number is too large; 65535 is the largest"),
        (
            "W:W9:B1:E3",
            " at character 9: E counts plies of an ending with few pieces, which this is not; leave it out",
        ),
        ("W:W9:B1 é", " at character 9: here comes a colon or the end, not 'é'"),
        ("W:Wé:B1", " at character 4: here comes a number, not 'é'"),
    ] {
        let error = read(&english, text).unwrap_err();
        assert_eq!(error.to_string(), format!("{}{why}", quote(text)));
    }
    let frisian = game("draughts:frisian");
    for text in
        ["W:WK6:BK5:+2+0", "W:WK6,K7,44:BK5:+2+0", "W:WK6,44:BK5:+2(7)+0", "W:WK6,44:BK5:+4+0"]
    {
        assert!(read(&frisian, text).is_err(), "{text}");
    }
    let p = read(&frisian, "W:WK6,44:BK5:+2+0").unwrap();
    assert_eq!(write(&frisian, &p), "W:WK6,44:BK5:+2(6)+0");
}

#[test]
fn wrong_moves_say_what_would_be_right() {
    let english = game("draughts:english");
    let start = english.start();
    for (text, why) in [
        (
            "11-17",
            ": the piece on 11 does not go to 17; the moves are 9-13 10-14 11-15 12-16 9-14 10-15 11-16",
        ),
        (
            "22-18",
            ": no black piece stands on 22; the moves are 9-13 10-14 11-15 12-16 9-14 10-15 11-16",
        ),
        ("", " at character 1: here comes a number, not the end"),
        ("11", " at character 3: a move is written 11-15 or 25x14, and the end does not fit"),
        ("11-15-19", " at character 6: a move is written 11-15 or 25x14, and '-' does not fit"),
        ("11-40", " at character 4: not a dark square; these are 1 to 32 or a1 to h8"),
    ] {
        let error = read_move(&english, &start, text).unwrap_err();
        assert_eq!(error.to_string(), format!("{}{why}", quote(text)));
    }
    let p = read(&english, "W:W22:B18,1").unwrap();
    assert_eq!(
        read_move(&english, &p, "22-17").unwrap_err().why(),
        "a capture is compulsory, and this is none that may be chosen; the moves are 22x15"
    );
    let over = read(&english, "W:W:B1").unwrap();
    assert_eq!(
        read_move(&english, &over, "22-17").unwrap_err().why(),
        "white has no move: the game is over"
    );
}

#[test]
fn hub_lists_what_is_captured() {
    let game = game("draughts:international");
    let start = HubDialect::write_position(&game, &game.start());
    assert_eq!(start, format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20)));
    assert_eq!(HubDialect::read_position(&game, &start), Ok(game.start()));
    let p = read(&game, "W:WK46:B23,13,12,22,14").unwrap();
    let m = HubDialect::read_move(&game, &p, "46x28x12x13x22x23").unwrap();
    assert_eq!(HubDialect::write_move(&game, &p, m), "46x28x12x13x22x23");
    assert_eq!(HubDialect::read_move(&game, &p, "46x28x23x22x13x12"), Ok(m));
    assert_eq!(HubDialect::read_move(&game, &p, "46x28"), Ok(m));
    assert!(HubDialect::read_move(&game, &p, "46x28x14").is_err());
    for (text, why) in [
        ("", " at character 1: here comes W or B, the side to move, not the end"),
        ("We", " at character 3: the end cannot stand on 2; w, b, W, B or e can"),
        ("Ww", " at character 2: a white man on 1 would be a king; W is right"),
    ] {
        let error = HubDialect::read_position(&game, text).unwrap_err();
        assert_eq!(error.to_string(), format!("{}{why}", quote(text)));
    }
    assert!(HubDialect::read_position(&game, &format!("{start}e")).is_err());
}

/// Both dialects tell every position and move of random games apart.
#[test]
fn hub_round_trips() {
    for spec in
        ["draughts:international", "draughts:russian", "draughts:italian", "draughts:spanish"]
    {
        let game = game(&format!("{spec},draw=none"));
        let mut rng = Rng::new(1);
        let mut p = game.start();
        for _ in 0..200 {
            let hub = HubDialect::write_position(&game, &p);
            assert_eq!(HubDialect::read_position(&game, &hub), Ok(p));
            for m in moves_of(&game, &p) {
                let text = HubDialect::write_move(&game, &p, m);
                assert_eq!(HubDialect::read_move(&game, &p, &text), Ok(m), "{hub} {text}");
            }
            match game.sample(&p, &mut rng) {
                Some(m) => drop(game.make(&mut p, m)),
                None => p = game.start(),
            }
        }
    }
}

#[test]
fn boards_are_drawn_from_whites_side() {
    let mut session = GameSession::new(game("draughts:english,6x6"));
    session.play_all("5-8").unwrap();
    assert_eq!(
        session.diagram().to_string(),
        "  a  b  c  d  e  f \n\
         6    b     b     b        1     2     3\n\
         5 b     .     b        4     5     6   \n\
         4    .    [b]    .        7     8     9\n\
         3 .     .     .       10    11    12   \n\
         2    w     w     w       13    14    15\n\
         1 w     w     w       16    17    18   "
    );
    let italian = game("draughts:italian,6x6,men=1");
    let p = read(&italian, "W:WK1,16:BK18,2").unwrap();
    assert_eq!(
        Notation::diagram(&italian, &p, None).to_string(),
        "  a  b  c  d  e  f \n\
         6 W     b     .        1     2     3   \n\
         5    .     .     .        4     5     6\n\
         4 .     .     .        7     8     9   \n\
         3    .     .     .       10    11    12\n\
         2 .     .     .       13    14    15   \n\
         1    w     .     B       16    17    18"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    /// Whatever comes in, there is an answer or a line that names it; what is read can be played
    /// on from and is canonical when it is written again.
    #[test]
    fn any_text_is_read_or_refused(
        number in 0..10usize,
        text in "[WB]:W[K0-9a-j,-]{0,12}:B[K0-9a-j,-]{0,12}(:[HEF+][0-9()+]{0,6})?|[WB:KHEF+0-9a-j,.()\"é-]{0,30}|.{0,30}",
        said in "[0-9a-j]{1,2}[x:-][0-9a-j]{1,2}([x:-][0-9a-j]{1,2})?|.{0,12}",
    ) {
        let game: Draughts = Draughts::new(games::draughts::Variant::ALL[number].into()).unwrap();
        let mut p = game.start();
        match read(&game, &text) {
            Ok(found) => {
                prop_assert_eq!(read(&game, &write(&game, &found)), Ok(found));
                p = found;
                for m in moves_of(&game, &p) {
                    let mut next = p;
                    game.make(&mut next, m);
                    let _ = moves_of(&game, &next);
                }
            }
            Err(error) => {
                let line = error.to_string();
                prop_assert!(line.starts_with(&quote(&text)) && !line.contains('\n'), "{}", line);
            }
        }
        let _ = HubDialect::read_position(&game, &text);
        for text in [&said, &text] {
            if let Ok(m) = read_move(&game, &p, text) {
                prop_assert!(moves_of(&game, &p).contains(&m));
            }
            let _ = HubDialect::read_move(&game, &p, text);
        }
    }
}

fn typed(game: &Draughts, p: &Position, text: &str) -> Result<String, String> {
    let m = Notation::read_typed_move(game, p, text).map_err(|e| e.to_string())?;
    Ok(Notation::write_move(game, p, m))
}

#[test]
fn people_type_moves_with_any_sign_or_none() {
    let english = game("draughts:english");
    let start = english.start();
    for text in ["11-15", "11 15", " 11  15 ", "11 - 15", "f6e5", "F6 e5", "11e5"] {
        assert_eq!(typed(&english, &start, text), Ok("11-15".to_owned()), "{text}");
    }
    let russian = game("draughts:russian");
    for text in ["c3-d4", "c3d4", "c3 d4", "C3D4"] {
        assert_eq!(typed(&russian, &russian.start(), text), Ok("c3-d4".to_owned()), "{text}");
    }
    // Files are read by the strict way.
    for text in ["11 15", "c3d4"] {
        assert!(read_move(&english, &start, text).is_err(), "{text}");
        assert!(read_move(&russian, &russian.start(), text).is_err(), "{text}");
    }
    // What cannot be played is refused with what can be.
    for text in ["11 16 20", "11x15", "11", "11 11", "1115", "11-15-", "", " ", "99 1", "-"] {
        assert!(typed(&english, &start, text).is_err(), "{text}");
    }
    let why = typed(&english, &start, "11 18").unwrap_err();
    assert!(why.contains("11-15"), "{why}");
}

#[test]
fn a_capture_may_be_typed_as_a_move_where_no_other_has_its_ends() {
    let english = game("draughts:english");
    let p = read(&english, "B:B11:W15,24").unwrap();
    assert_eq!(written(&english, &p), ["11x18"]);
    for text in ["11-18", "11 18", "11x18", "11:18"] {
        assert_eq!(typed(&english, &p, text), Ok("11x18".to_owned()), "{text}");
    }
    assert!(read_move(&english, &p, "11-18").is_err());
}

#[test]
fn a_capture_may_be_typed_step_by_step() {
    let english = game("draughts:english");
    let p = read(&english, "B:B11:W15,22,23").unwrap();
    assert_eq!(written(&english, &p), ["11x25", "11x27"]);
    let beginning = |text: &str| {
        let moves = Notation::moves_beginning(&english, &p, text);
        moves.into_iter().map(|m| Notation::write_move(&english, &p, m)).collect::<Vec<_>>()
    };
    for text in ["11x18", "11-18", "11 18"] {
        let mut moves = beginning(text);
        moves.sort();
        assert_eq!(moves, ["11x25", "11x27"], "{text}");
        assert!(typed(&english, &p, text).is_err(), "{text}");
    }
    for text in ["11x18 18x25", "11x18 25", "11x18x25", "11 18 25", "11x25"] {
        assert_eq!(typed(&english, &p, text), Ok("11x25".to_owned()), "{text}");
    }
    for text in ["11x25", "11", "11x17", "12x18", "18x25", "x", ""] {
        assert!(beginning(text).is_empty(), "{text}");
    }
    // A man that is crowned on its way goes on as a king, in Russian draughts.
    let russian = game("draughts:russian");
    let p = read(&russian, "W:Wc5:Bd6,f6,c3").unwrap();
    let moves = Notation::moves_beginning(&russian, &p, "c5:e7");
    assert_eq!(moves, moves_of(&russian, &p), "{:?}", written(&russian, &p));
}
