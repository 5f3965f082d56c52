//! Files of plain moves, which games have that bring no format of their own.

use game::Rng;
use play::record::{GameFile, Games, Line, Ply, Record, Verdict};
use play::{GameSession, Session};

use crate::ring::Ring;

const FILE: &str = "\u{feff}[Game \"ring:5\"]
[Black \"Ann \\\"the Ring\\\"\"]
[White \"Bob\"]
[Result \"second\"]
[Position \"3 1\"]

{from the\nmiddle} + $1 $6 {forward} ( - {back} - ( {nothing} ) ) +
+

[Game \"ring:5\"]
[Result \"*\"]

[Game \"ring:5\"]
- -
";

#[test]
fn a_file_with_everything_in_it() {
    let game = Ring(5);
    let read = game.read_games(FILE);
    assert_eq!(read.bad().next(), None);
    let games = read.clone().into_good();
    let [first, empty, last] = games.as_slice() else { panic!("{games:?}") };
    assert_eq!(first.tag("Black"), Some("Ann \"the Ring\""));
    assert_eq!(first.tags.len(), 2);
    assert_eq!((first.start.as_deref(), first.result), (Some("3 1"), Some(Verdict::Second)));
    assert_eq!(first.line.comment, "from the middle");
    let texts: Vec<&str> = first.line.plies.iter().map(|ply| ply.text.as_str()).collect();
    assert_eq!(texts, ["+", "+", "+"]);
    let ply = &first.line.plies[0];
    assert_eq!((&ply.glyphs[..], ply.comment.as_str()), (&[1, 6][..], "forward"));
    assert_eq!(ply.variations[0].plies[0].comment, "back");
    assert_eq!(ply.variations[0].plies[1].variations[0].comment, "nothing");
    assert_eq!(*empty, Record::default());
    assert_eq!((last.line.plies.len(), last.result), (2, None));
    let written: String = games.iter().map(|record| game.write_game(record).unwrap()).collect();
    assert_eq!(game.read_games(&written), read, "{written}");
    assert!(written.contains("+ $1 $6 {forward} ( - {back} - ( {nothing} ) ) + +\n"));
    assert_eq!((Ring::EXTENSION, Ring::DATE_SIGN), ("moves", '-'));
}

#[test]
fn long_games_are_written_in_lines() {
    let game = Ring(100);
    let plies = vec![Ply { text: "+".to_owned(), ..Ply::default() }; 99];
    let record = Record { line: Line { plies, ..Line::default() }, ..Record::default() };
    let written = game.write_game(&record).unwrap();
    assert!(written.lines().all(|line| line.len() <= 76), "{written}");
    assert_eq!(game.read_games(&written).into_good(), [record]);
}

#[test]
fn a_bad_game_is_named_and_costs_none_behind_it() {
    let game = Ring(4);
    for (text, said) in [
        ("+ +\n+ x", "line 2, column 3: \"x\": write + or -"),
        (
            "+ -",
            "line 1, column 3: \"-\": this would repeat an earlier position, which the rules forbid",
        ),
        ("[Game \"ring:5\"]", "line 1, column 8: \"ring:5\": this is another game than ring:4"),
        ("[Result \"lost\"]\n+", "line 1, column 10: \"lost\": a result is first, draw or second"),
        ("[Position \"9 0\"]", "line 1, column 12: \"9 0\": write a square and 0 or 1"),
        (
            "[Black \"Ann]\n+",
            "line 1, column 1: \"[Black \\\"Ann]\": the value of this tag has no closing quotation mark",
        ),
        ("+ {so far", "line 1, column 3: \"{so far\": this comment is never closed; } closes it"),
        (
            "( +",
            "line 1, column 1: \"( +\": a variation replaces the move before it, and there is none",
        ),
        ("+ ( -", "line 1, column 3: \"( -\": this variation is never closed; ) closes it"),
        ("+ )", "line 1, column 3: \")\": no variation is open here that could be closed"),
    ] {
        let file = format!("[Game \"ring:4\"]\n+ +\n\n{text}\n\n[Game \"ring:4\"]\n-\n");
        let alone = game.read_games(text);
        let error = alone.bad().next().unwrap_or_else(|| panic!("{text:?}")).to_string();
        assert_eq!(error, format!("game 1, {said}"), "{text:?}");
        let games = game.read_games(&file);
        let good: Vec<usize> = games.good().map(|(number, _)| number).collect();
        // Moves without headers go on with the game before.
        let expected = if text.starts_with('[') { vec![1, 3] } else { vec![2] };
        assert_eq!(good, expected, "{file}");
    }
    let illegal =
        Line { plies: vec![Ply { text: "x".to_owned(), ..Ply::default() }], ..Line::default() };
    assert!(game.write_game(&Record { line: illegal, ..Record::default() }).is_err());
}

/// Random lines with comments, glyphs and variations.
fn random_line(session: &mut GameSession<Ring>, rng: &mut Rng, depth: usize) -> Line {
    let mut line = Line::default();
    for _ in 0..rng.below(12) {
        let legal = session.moves();
        if legal.is_empty() {
            break;
        }
        let mut ply = Ply { text: legal[rng.below(legal.len())].clone(), ..Ply::default() };
        if rng.below(4) == 0 {
            ply.glyphs.push(rng.next_u64() as u8);
            ply.comment = "100 % ] ) \\ [good \" { move".to_owned();
        }
        if depth > 0 && rng.below(3) == 0 {
            let variation = random_line(session, rng, depth - 1);
            ply.variations.extend(Some(variation).filter(|line| *line != Line::default()));
        }
        session.play(&ply.text).unwrap();
        line.plies.push(ply);
    }
    line.plies.iter().for_each(|_| assert!(session.undo()));
    line
}

fn random_record(rng: &mut Rng) -> Record {
    let mut session = GameSession::new(Ring(9));
    let start = (rng.below(2) == 0).then(|| format!("{} 1", rng.below(9)));
    if let Some(text) = &start {
        session.set_position(text).unwrap();
    }
    let result = [None, Some(Verdict::First), Some(Verdict::Draw), Some(Verdict::Second)];
    let tags = vec![("Event".to_owned(), "a \"quoted\" \\ ] event".to_owned())];
    let line = random_line(&mut session, rng, 2);
    Record { tags, start, line, result: result[rng.below(4)] }
}

#[test]
fn what_is_written_is_read() {
    let mut rng = Rng::new(22);
    let game = Ring(9);
    for _ in 0..500 {
        let records: Vec<Record> = (0..3).map(|_| random_record(&mut rng)).collect();
        let file: String = records.iter().map(|r| game.write_game(r).unwrap()).collect();
        let expected: Games = records.into_iter().map(Ok).collect();
        assert_eq!(game.read_games(&file), expected, "{file}");
    }
}

const PIECES: &[&str] = &[
    " ",
    "\n",
    "\n\n",
    "+",
    "-",
    "(",
    ")",
    "{",
    "}",
    "$1",
    "[",
    "]",
    "\"",
    "\\",
    "[Game \"ring:9\"]",
    "[Position \"1 1\"]",
    "[Result \"draw\"]",
    "\0",
    "é",
    "\u{202e}",
    "\r\n",
    "( + )",
    "{a}",
];

/// Whatever the text, games that come back are legal and are written as they were read; what is wrong has its place.
#[test]
fn any_text_is_read_or_refused() {
    let mut rng = Rng::new(23);
    let game = Ring(9);
    for _ in 0..20_000 {
        let mut bytes = game.write_game(&random_record(&mut rng)).unwrap().into_bytes();
        for _ in 0..rng.below(5) {
            let at = rng.below(bytes.len() + 1);
            match rng.below(4) {
                0 if at < bytes.len() => bytes[at] = rng.next_u64() as u8,
                1 if at < bytes.len() => drop(bytes.remove(at)),
                2 => bytes.truncate(at),
                _ => drop(bytes.splice(at..at, PIECES[rng.below(PIECES.len())].bytes())),
            }
        }
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let games = game.read_games(&text);
        for (_, record) in games.good() {
            let mut session = GameSession::new(Ring(9));
            session
                .replay(record)
                .unwrap_or_else(|e| panic!("{text:?} holds an illegal game: {e}"));
            let written = game.write_game(record).unwrap();
            let again: Games = [Ok(record.clone())].into_iter().collect();
            assert_eq!(game.read_games(&written), again, "{text:?} is written {written:?}");
        }
        for error in games.bad() {
            assert!(!error.to_string().contains(char::is_control), "{error}");
            let line = text.lines().nth(error.line - 1).unwrap_or_default();
            assert!(error.column <= line.chars().count() + 1, "{text:?}: {error}");
        }
    }
}
