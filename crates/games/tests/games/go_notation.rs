//! Go text: what is read, what is refused and why.

use game::{Game, Notation, Spec, TextError, moves_of, quote};
use games::go::{Go, Move, Parameters, PointSet, Position, Wide};
use play::{GameSession, Session};
use proptest::prelude::*;

fn go<S: PointSet>(spec: &str) -> Go<S> {
    Go::new(Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap())
}

fn read<S: PointSet>(game: &Go<S>, text: &str) -> Result<Position<S>, TextError> {
    Notation::read_position(game, text)
}

fn write<S: PointSet>(game: &Go<S>, p: &Position<S>) -> String {
    Notation::write_position(game, p)
}

fn read_move<S: PointSet>(game: &Go<S>, p: &Position<S>, text: &str) -> Result<Move, TextError> {
    Notation::read_move(game, p, text)
}

fn write_move<S: PointSet>(game: &Go<S>, p: &Position<S>, m: Move) -> String {
    Notation::write_move(game, p, m)
}

#[test]
fn points_skip_the_letter_i() {
    let game = go::<Wide>("go:19x19");
    let start = game.start();
    for text in ["A1", "H8", "J9", "T19", "Q4"] {
        let m = read_move(&game, &start, text).unwrap();
        assert_eq!(write_move(&game, &start, m), text);
        assert_eq!(read_move(&game, &start, &text.to_lowercase()), Ok(m));
    }
    let j9 = game.square(read_move(&game, &start, "j9").unwrap()).unwrap();
    assert_eq!((j9.row, j9.column), (8, 8));
    assert_eq!(read_move(&game, &start, " PASS\n"), Ok(Move::PASS));
    assert_eq!(write_move(&game, &start, Move::PASS), "pass");
}

#[test]
fn diagrams_are_named_like_points() {
    let mut session = GameSession::new(go::<u128>("go:3x10"));
    session.play_all("J2 b1").unwrap();
    assert_eq!(
        session.diagram().to_string(),
        "  A  B  C  D  E  F  G  H  J  K \n\
         3 .  .  .  .  .  .  .  .  .  . \n\
         2 .  .  .  .  .  .  .  .  X  . \n\
         1 . [O] .  .  .  .  .  .  .  . "
    );
}

#[test]
fn positions_are_read_in_several_hands() {
    let game = go::<u64>("go:3x4");
    let p = read(&game, "X.../.O../.... w").unwrap();
    for text in
        ["X3/1O2/4 w", "x.../-o--/4 W", " b3/.w2/.... \t O ", "*.../.O../.3 o", "X.1./.O../0004 w"]
    {
        assert_eq!(read(&game, text), Ok(p), "{text}");
    }
    assert_eq!(write(&game, &p), "X.../.O../.... w");
    let large = go::<Wide>("go:2x19");
    assert_eq!(read(&large, "19/19 b"), Ok(large.start()));
    assert_eq!(read(&large, "9X9/X18 b").map(|p| write(&large, &p)).unwrap().len(), 41);
}

#[test]
fn all_fields_round_trip() {
    let game = go::<u64>("go:3x4,ko=basic,scoring=territory,dead=stay");
    for text in [
        ".XO./XO.O/.XO. b ko=C2 prisoners=0:1",
        ".XO./XO.O/.XO. b pass prisoners=12:9999",
        ".XO./XO.O/.XO. w pass pass",
        "..../..../.... b",
    ] {
        let p = read(&game, text).unwrap();
        assert_eq!(write(&game, &p), text);
    }
    let other_order = read(&game, ".XO./XO.O/.XO. b prisoners=0:1 ko=c2").unwrap();
    assert_eq!(write(&game, &other_order), ".XO./XO.O/.XO. b ko=C2 prisoners=0:1");
}

#[test]
fn wrong_positions_say_where_and_what() {
    let area = go::<u64>("go:2x3");
    let basic = go::<u64>("go:3x4,ko=basic,scoring=territory");
    let fields = "after the side to move may come pass, at most twice";
    for (text, at, why) in [
        ("", 1, "a position begins with its 2 rows, as in X.O/.../... b"),
        (".../...", 8, "after the board comes b or w, the side to move"),
        (".../... z", 9, "after the board comes b or w, the side to move"),
        ("... b", 4, "1 rows are given; the board has 2"),
        (".../.../... b", 9, "the board has 2 rows"),
        ("..../... b", 4, "row 2 does not have 3 points, the columns of the board"),
        ("XXXX/... b", 4, "row 2 does not have 3 points, the columns of the board"),
        (".../.. b", 7, "row 1 does not have 3 points, the columns of the board"),
        (
            "3/99999999999999999999999 b",
            3,
            "row 1 does not have 3 points, the columns of the board",
        ),
        (
            ".99999999999999999999999/3 b",
            2,
            "row 2 does not have 3 points, the columns of the board",
        ),
        (".0../... b", 2, "row 2 does not have 3 points, the columns of the board"),
        (".\u{e9}./... b", 2, "'\u{e9}' cannot stand on a point; X, O or . can"),
        ("\u{661}../... b", 1, "'\u{661}' cannot stand on a point; X, O or . can"),
        ("XO./O.. b", 1, "the chain of A2 has no liberty; each chain needs one"),
        ("OXX/XXX b", 1, "the chain of A2 has no liberty; each chain needs one"),
        (".../... b pass pass pass", 21, fields),
        (".../... b Pass now", 16, fields),
        (".../... b ko=A1", 11, fields),
        (".../... b prisoners=1:1", 11, fields),
    ] {
        let error = read(&area, text).unwrap_err();
        assert_eq!(error.to_string(), format!("{} at character {at}: {why}", quote(text)));
    }
    let fields = format!("{fields}; ko=C3, once and without a pass; prisoners=3:2, once");
    let prisoners = "prisoners are Black's and White's, 0 to 9999, as in 3:2";
    let no_ko = "is no ko: a stone there would not take back just one";
    for (field, at, why) in [
        ("ko=C2 ko=C2", 24, fields.as_str()),
        ("pass ko=C2", 23, &fields),
        ("ko=C2 pass", 24, &fields),
        ("prisoners=1:1 prisoners=1:1", 32, &fields),
        ("ko=A1", 21, &format!("A1 {no_ko}")),
        ("ko=B2", 21, &format!("B2 {no_ko}")),
        ("ko=E9", 21, "not a point of this board, which has A1 to D3 without a column I"),
        ("prisoners=1", 28, prisoners),
        ("prisoners=1:10000", 28, prisoners),
        ("prisoners=-1:+1", 28, prisoners),
    ] {
        let text = format!(".XO./XO.O/.XO. b {field}");
        let error = read(&basic, &text).unwrap_err();
        assert_eq!(error.to_string(), format!("{} at character {at}: {why}", quote(&text)));
    }
}

#[test]
fn wrong_moves_say_what_would_be_right() {
    let game = go::<u64>("go:3x4,ko=basic");
    let p = read(&game, ".XO./XO.O/.XO. b ko=C2").unwrap();
    let point = "not a point of this board, which has A1 to D3 without a column I, or pass";
    for (text, why) in [
        ("B2", "taken; play on an empty point or pass"),
        ("c2", "the ko may not be retaken at once; play elsewhere first or pass"),
        ("I1", point),
        ("E1", point),
        ("A4", point),
        ("A0", point),
        ("A01", point),
        ("A+1", point),
        ("A", point),
        ("", point),
        ("\u{e9}1", point),
        ("A99999999999999999999999", point),
    ] {
        let error = read_move(&game, &p, text).unwrap_err();
        assert_eq!(error.to_string(), format!("{}: {why}", quote(text)));
    }
    let eye = read(&game, ".X../X.../.... w").unwrap();
    assert_eq!(
        read_move(&game, &eye, "A3").unwrap_err().why(),
        "suicide, which these rules forbid; play on another point or pass"
    );
    let over = read(&game, "..../..../.... b pass pass").unwrap();
    assert_eq!(read_move(&game, &over, "pass").unwrap_err().why(), "the game is over");
}

#[test]
fn dead_stones_are_listed_by_points() {
    let game = go::<u64>("go:3x4");
    let p = read(&game, "XX../.O../.O.X b").unwrap();
    let list = |text| game.read_chains(&p, text).map(|chains| game.write_points(chains));
    assert_eq!(list(""), Ok(String::new()));
    assert_eq!(list("a3,B1\tD1"), Ok("B1 D1 B2 A3 B3".to_owned()));
    for (text, line) in [
        ("A3 A1", r#""A3 A1" at character 4: A1 is empty; name stones"#),
        (
            "\u{e9}, A3",
            "\"\u{e9}, A3\" at character 1: not a point of this board, which has A1 to D3 without \
             a column I",
        ),
    ] {
        assert_eq!(list(text).unwrap_err().to_string(), line);
    }
}

proptest! {
    /// Whatever comes in, there is an answer or a line that names it; what is read is canonical
    /// when it is written again, and can be played on from.
    #[test]
    fn any_text_is_read_or_refused(
        text in "([XO.1-3]{1,4}/){2}[XO.1-3]{1,4} [bw]( pass| ko=[A-D][1-3]| prisoners=[0-9]:[0-9]){0,2}\
                 |[-XOxo.*bw0-9 /;pasko=:\n\u{e9}]{0,24}|.{0,24}",
    ) {
        let game = go::<u64>("go:3x3,ko=basic,scoring=territory,dead=stay");
        match read(&game, &text) {
            Ok(p) => {
                prop_assert_eq!(read(&game, &write(&game, &p)), Ok(p));
                if game.margin(&p).is_none() {
                    for m in moves_of(&game, &p) {
                        let mut next = p;
                        game.make(&mut next, m);
                        prop_assert_eq!(read(&game, &write(&game, &next)), Ok(next));
                    }
                }
            }
            Err(error) => {
                let line = error.to_string();
                prop_assert!(line.starts_with(&quote(&text)) && !line.contains('\n'), "{}", line);
            }
        }
        let start = game.start();
        let _ = read_move(&game, &start, &text);
        let _ = game.read_chains(&start, &text);
    }
}
