//! Files of whole games: PGN, PDN and SGF as they are found in the wild, and what is said about broken ones.

use game::Spec;
use games::chess::{self, Chess};
use games::draughts::{self, AnyRules, Draughts};
use games::go::{self, Go};
use play::record::{GameFile, Games, Record, Verdict};
use play::{GameSession, Session};

fn chess(spec: &str) -> Chess {
    Chess::new(chess::Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap())
}

fn draughts(spec: &str) -> Draughts<AnyRules> {
    let parameters = draughts::Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap();
    Draughts::new(parameters).unwrap()
}

fn small_go(spec: &str) -> Go<u64> {
    Go::new(go::Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap())
}

/// All games of a file that has nothing wrong with it. Written and read again they are the same.
fn good<G: GameFile>(game: &G, text: &str) -> Vec<Record> {
    let read = game.read_games(text);
    assert_eq!(read.bad().next(), None, "{text}");
    let games = read.clone().into_good();
    let written: String = games.iter().map(|record| game.write_game(record).unwrap()).collect();
    assert_eq!(game.read_games(&written), read, "{written}");
    games
}

/// How many games are good before the first bad one, and what is said of that.
fn bad<G: GameFile>(game: &G, text: &str) -> (usize, String) {
    let games = game.read_games(text).until_bad();
    let said = games.bad().next().unwrap().to_string();
    let place = said.strip_prefix(&format!("game {}, ", games.len()));
    (games.good().count(), place.unwrap().to_owned())
}

/// The numbers of the games that are good, and the numbers and lines of the others.
fn judged<G: GameFile>(game: &G, text: &str) -> (Vec<usize>, Vec<(usize, usize)>) {
    let games: Games = game.read_games(text);
    let bad = games.bad().map(|error| (error.game, error.line)).collect();
    (games.good().map(|(number, _)| number).collect(), bad)
}

fn moves(record: &Record) -> String {
    let texts: Vec<&str> = record.line.plies.iter().map(|ply| ply.text.as_str()).collect();
    texts.join(" ")
}

/// The position at the end of a record.
fn end<G: GameFile + Clone>(game: &G, record: &Record) -> String {
    let mut session = GameSession::new(game.clone());
    session.replay(record).unwrap();
    session.position()
}

const OPERA: &str = "\u{feff}% made by hand
[Event \"Paris Opera\"]
[Site \"Paris FRA\"]
[Date \"1858.??.??\"]
[Round \"?\"]
[White \"Morphy, Paul\"]
[Black \"Duke Karl / Count Isouard\"]
[Result \"1-0\"]
[Annotator \"a \\\"quoted\\\" \\\\ name\"]

1.e4 e5 2.Nf3 d6 3.d4 Bg4?! {This is a weak move
already.} 4.dxe5 Bxf3 (4...dxe5 5.Qxd8+ Kxd8 6.Nxe5 {wins a pawn} (6. Bg5+ f6)) 5.Qxf3 dxe5 6.Bc4 Nf6 7.Qb3 Qe7
8.Nc3 c6 9.Bg5 b5 10.Nxb5! cxb5 11.Bxb5+ Nbd7 12.O-O-O Rd8 ; the rest is famous } indeed
% a line nobody reads 13. Ke2
13.Rxd7 $3 Rxd7 14.Rd1 Qe6 15.Bxd7+ Nxd7 16.Qb8+!! Nxb8 17.Rd8# 1-0
";

#[test]
fn pgn_with_everything_in_it() {
    let game = chess("chess");
    let games = good(&game, OPERA);
    let [record] = games.as_slice() else { panic!("{games:?}") };
    assert_eq!(record.line.plies.len(), 33);
    assert_eq!(record.result, Some(Verdict::First));
    assert_eq!(record.tag("Annotator"), Some("a \"quoted\" \\ name"));
    assert_eq!(record.tag("Round"), None);
    assert_eq!(record.line.plies[5].glyphs, [6]);
    assert_eq!(record.line.plies[5].comment, "This is a weak move already.");
    let instead = &record.line.plies[7].variations;
    assert_eq!((instead.len(), instead[0].plies.len()), (1, 4));
    assert_eq!(instead[0].plies[3].variations[0].plies[0].text, "c1g5");
    assert_eq!(instead[0].plies[3].comment, "wins a pawn");
    assert!(end(&game, record).starts_with("1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5 b k - "));
    let written = game.write_game(record).unwrap();
    assert!(written.lines().all(|line| line.chars().count() <= 79), "{written}");
    assert!(written.contains("Bxf3\n(4... dxe5 5. Qxd8+ Kxd8"), "{written}");
}

#[test]
fn pgn_from_a_position() {
    let game = chess("chess");
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 41";
    let text = format!(
        "[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n41... Kd7 42. e4 *\n\n[White \"Second\"]\n1. d4 1/2-1/2"
    );
    let games = good(&game, &text);
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].start.as_deref(), Some(fen));
    assert_eq!((games[0].result, games[1].result), (None, Some(Verdict::Draw)));
    assert!(game.write_game(&games[0]).unwrap().contains("\n41... Kd7 42. e4 *\n"));
}

#[test]
fn pgn_of_fischers_chess() {
    let game = chess("chess:fischer=1");
    let text = "[Variant \"Chess960\"]\n\n1. g3 g6 *\n";
    assert_eq!(good(&game, text).len(), 1);
    let (_, said) = bad(&chess("chess"), text);
    assert_eq!(
        said,
        "line 1, column 11: \"Chess960\": this is Fischer's chess; open it as chess:fischer=N"
    );
}

#[test]
fn castling_with_zeros_is_no_forfeit() {
    let game = chess("chess");
    let games = good(&game, "1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0-0 0-0 0-0");
    assert_eq!(games.len(), 1);
    assert!(moves(&games[0]).ends_with("e1g1 e8g8"));
    assert_eq!(games[0].result, None);
}

#[test]
fn bad_pgn_names_the_place_and_keeps_the_games_before() {
    let game = chess("chess");
    let two = "1. e4 e5 1-0\n\n[Event \"x\"]\n1. d4 *\n";
    for (rest, place, why) in [
        ("1. e4 e5\n2. Ke3 *", "line 6, column 4: \"Ke3\"", ""),
        ("1. e4 {never closed\n2. d4", "line 5, column 7: \"{never closed\"", "} closes it"),
        ("1. e4 (1. d4 d5\n", "line 5, column 7: \"(1. d4 d5\"", ") closes it"),
        ("1. e4 ) e5", "line 5, column 7: \") e5\"", "no variation is open"),
        ("(1. e4)", "line 5, column 1: \"(1. e4)\"", "there is none"),
        ("[Event \"x]\n1. e4", "line 5, column 1: \"[Event \\\"x]\"", "closing quotation mark"),
        ("[Event x]\n1. e4", "line 5, column 1: \"[Event x]\"", "[Name \"value\"]"),
        ("1. e4 $", "line 5, column 7: \"$\"", "0 to 255"),
        ("1. e4 <e5", "line 5, column 7: \"<e5\"", "not open here"),
        ("1.e4 1...e9", "line 5, column 10: \"e9\"", ""),
        (
            "[FEN \"4k3/8/8/8/8/8/4P3/4X3 w - - 0 1\"]",
            "line 5, column 26: ",
            "\"4k3/8/8/8/8/8/4P3/4X3 w - - 0 1\" at character 20",
        ),
    ] {
        let (kept, said) = bad(&game, &format!("{two}{rest}"));
        assert_eq!(kept, 2, "{rest}: {said}");
        assert!(said.starts_with(place) && said.contains(why), "{rest}: {said}");
    }
}

#[test]
fn pdn_of_several_games() {
    let game = draughts("draughts:english");
    let text = "[Event \"Ballot\"]\n[Black \"Ann\"]\n[White \"Bob\"]\n[Result \"1-0\"]\n[GameType \"21\"]\n\n\
        1. 11-15 23-19! 2. 8-11(?) 22-17 {old faithful} 3. 4-8* (3. 11-16 24-20?? 4. 16x23 (4. 15x24)) 17-13 4. 15-18 1-0\n\n\
        [Result \"0-1\"]\n[FEN \"W:W27,K32:B10,23.\"]\n1. 27x18 *\n 1. 9-14 22-17 0-0 1. 9-13 *";
    let games = good(&game, text);
    assert_eq!(games.len(), 4);
    assert_eq!(moves(&games[0]), "11-15 23-19 8-11 22-17 4-8 17-13 15-18");
    let glyphs: Vec<&[u8]> = games[0].line.plies.iter().map(|ply| ply.glyphs.as_slice()).collect();
    assert_eq!(glyphs, [&[][..], &[1], &[2], &[], &[7], &[], &[]]);
    assert_eq!(games[0].result, Some(Verdict::First));
    assert_eq!((games[1].result, games[2].result), (Some(Verdict::Second), None));
    assert_eq!(games[1].start.as_deref(), Some("W:W27,K32:B10,23"));
    assert_eq!(games[0].line.plies[4].variations[0].plies[2].variations[0].plies[0].text, "15x24");
    let written = game.write_game(&games[0]).unwrap();
    assert!(written.contains("[GameType \"21,B,8,8,N1,0\"]") && written.contains("4. 15-18 1-0"));
    let (kept, said) = bad(&draughts("draughts:russian"), text);
    assert_eq!(
        (kept, said.as_str()),
        (0, "line 5, column 12: \"21\": draughts:russian is GameType \"25,W,8,8,A0,0\"")
    );
}

#[test]
fn pdn_in_letters_and_by_points() {
    let russian = draughts("draughts:russian");
    let games = good(
        &russian,
        "[GameType \"25,W,8,8,A0,0\"]\n1. c3-d4 d6-c5 2. b2-c3 f6-g5 3. c3-b4 g5-h4 4. b4:d6 c7:e5:c3 2-0",
    );
    assert_eq!(games[0].result, Some(Verdict::First));
    assert!(moves(&games[0]).ends_with("b4:d6 c7:c3"), "{}", moves(&games[0]));
    let international = draughts("draughts:international");
    let games = good(&international, "1. 32-28 19-23 2. 28x19 14x23 1-1");
    assert_eq!(games[0].result, Some(Verdict::Draw));
    assert!(
        international
            .write_game(&games[0])
            .unwrap()
            .ends_with("1. 32-28 19-23 2. 28x19 14x23 1-1\n\n")
    );
    let mix = draughts("draughts:polish,10x10");
    let written = mix.write_game(&good(&mix, "1. 32-28 *")[0]).unwrap();
    assert!(written.contains("[Variant \"draughts:polish,10x10\"]"), "{written}");
    assert_eq!(bad(&draughts("draughts:polish"), &written).0, 0);
}

#[test]
fn bad_pdn_names_the_place_and_keeps_the_games_before() {
    let game = draughts("draughts:english");
    for (rest, place) in [
        ("1. 11-15 23-19 2. 8-10 *", "line 3, column 19: \"8-10\""),
        ("1. 11-15 23x20 *", "line 3, column 10: \"23x20\""),
        ("1. 11-99 *", "line 3, column 7: \"11-99\" at character 4"),
        ("[FEN \"W:W27,K33:B18\"]", "line 3, column 14: \"W:W27,K33:B18\" at character 8"),
        ("1. 11-15 [Site\"]", "line 3, column 10: "),
    ] {
        let (kept, said) = bad(&game, &format!("[Event \"good\"]\n1. 11-15 23-19 1/2-1/2\n{rest}"));
        assert_eq!(kept, 1, "{rest}: {said}");
        assert!(said.starts_with(place), "{rest}: {said}");
    }
}

#[test]
fn sgf_with_variations_and_stones_set_up() {
    let game = small_go("go:5x5,komi=0.5");
    let text = "(;FF[4]GM[1]SZ[5]KM[0.5]PB[Ann]PW[Bob]DT[2026-01-02]RE[W+2.5]AB[bb][dd]AW[cc:cd]PL[W]C[A \\] comment\n\
        with \\\nlines];W[bc];B[];W[tt])\n\n(;SZ[5];B[cc](;W[bb];B[dd])(;W[dd]BM[1];B[bb]C[so](;W[aa])(;W[ee])))";
    let games = good(&game, text);
    assert_eq!(games.len(), 2);
    let [first, second] = games.as_slice() else { panic!("{games:?}") };
    assert_eq!(first.start.as_deref(), Some("...../.X.../..O../..OX./..... w"));
    assert_eq!(first.line.comment, "A ] comment with lines");
    assert_eq!(moves(first), "B3 pass pass");
    assert_eq!((first.tag("Black"), first.tag("Date")), (Some("Ann"), Some("2026-01-02")));
    assert_eq!((first.result, first.tag("RE")), (Some(Verdict::Second), Some("W+2.5")));
    assert_eq!(moves(second), "C3 B4 D2");
    let instead = &second.line.plies[1].variations[0];
    assert_eq!(
        (instead.plies[0].text.as_str(), instead.plies[0].glyphs.as_slice()),
        ("D2", &[2][..])
    );
    assert_eq!(instead.plies[2].variations[0].plies[0].text, "E1");
    assert_eq!(end(&game, second), "...../.O.../..X../...X./..... w");
}

#[test]
fn bad_sgf_names_the_place_and_keeps_the_games_before() {
    let game = small_go("go:5x5");
    for (rest, place, why) in [
        ("(;SZ[9];B[cc])", "line 2, column 6: \"9\"", "SZ[5]"),
        ("(;GM[2]SZ[5])", "line 2, column 6: \"2\"", "GM[1]"),
        ("(;B[cc];W[cc])", "line 2, column 11: \"cc\"", ""),
        ("(;B[zz])", "line 2, column 5: \"zz\"", "aa to ee"),
        ("(;B[cc]", "line 2, column 1: \"(;B[cc]\"", ") closes it"),
        ("(;B[cc", "line 2, column 4: \"[cc\"", "] closes it"),
        ("(;B)", "line 2, column 3: \"B)\"", "B[dd]"),
        (";B[cc]", "line 2, column 1: \";B[cc]\"", "(;"),
        ("(B[cc])", "line 2, column 2: \"B[cc])\"", "after ;"),
        ("(;B[];W[];B[cc])", "line 2, column 13: \"cc\"", "over"),
        ("(;B[cc];AB[dd])", "line 2, column 9: \"AB[dd])\"", "before the first move"),
        ("(;AB[aa]AW[ab][ba])", "line 2, column 9: ", ""),
        ("(;PL[x])", "line 2, column 6: \"x\"", "B or W"),
        ("?;", "line 2, column 1: \"?;\"", "a property"),
        ("(;B[aa](;W[bb]);B[cc])", "line 2, column 16: ", "before the trees"),
    ] {
        let (kept, said) = bad(&game, &format!("(;B[aa];W[bb])\n{rest}"));
        assert_eq!(kept, 1, "{rest}: {said}");
        assert!(said.starts_with(place) && said.contains(why), "{rest}: {said}");
    }
}

#[test]
fn a_bad_pgn_game_costs_none_behind_it() {
    let game = chess("chess");
    let good = "[Event \"good\"]\n[White \"Ann\"]\n\n1. e4 {fine} e5 1/2-1/2\n\n";
    for bad in [
        "[Event \"x\"]\n\n1. e4 e5 2. Ke3 Ke6 (2... d5 3. Kd3) 1-0\n\n",
        "[Event \"x\"]\n\n1. e4 e5 2. Ke3 Ke6\n\n",
        "[Event \"x\"]\n\n1. e4 {never closed e5 1-0\n\n",
        "[Event \"x\"]\n\n1. e4 (1. d4 d5 1-0\n\n",
        "[Event \"x\"]\n\n1. e4 ) e5 1-0\n\n",
        "[Event \"x]\n[White \"Bob\"]\n\n1. e4 e5 1-0\n\n",
        "[Event x]\n[White \"Bob\"]\n\n1. e4 e5 1-0\n\n",
        "[Event \"x\"]\n[FEN \"nonsense\"]\n[White \"Bob\"]\n\n1. e4 e5 1-0\n\n",
        "[Event \"x\"]\n[FEN \"nonsense\"]\n\n",
        "[Event \"x\"]\n[Variant \"Atomic\"]\n[White \"Bob\"]\n\n1. e4 <e5> } \" $ 1-0\n\n",
    ] {
        let text = format!("{good}{bad}{good}{good}");
        let (numbers, errors) = judged(&game, &text);
        assert_eq!(numbers, [1, 3, 4], "{text}");
        assert!(matches!(errors[..], [(2, 6..=9)]), "{errors:?}: {text}");
    }
    // Without tags a result ends a game, or an empty line before its first move.
    for text in ["1. e4 Ke7 *\n1. d4 *\n", "1. e4 (1. Ke3 *\n\n1. d4 d5 *\n"] {
        assert_eq!(judged(&game, text), (vec![2], vec![(1, 1)]), "{text}");
    }
}

#[test]
fn a_bad_sgf_game_costs_none_behind_it() {
    let game = small_go("go:5x5");
    let good = "(;GM[1]SZ[5];B[aa];W[bb])\n";
    for bad in [
        "(;GM[1]SZ[5];B[cc];W[cc];B[dd](;W[ee])(;W[ea]))\n",
        "(;GM[1]SZ[9];B[cc]C[with \\] and )])\n",
        "(;GM[1]SZ[5];B[cc\n",
        "(;GM[1]SZ[5];B[cc];W[dd](;B[ee]\n",
        "(;GM[1]SZ[5];B[cc]C[never closed\n",
        "(GM[1]SZ[5];B[cc])\n",
    ] {
        let text = format!("{good}{bad}{good}{good}");
        let (numbers, errors) = judged(&game, &text);
        assert_eq!(numbers, [1, 3, 4], "{text}: {errors:?}");
        assert!(matches!(errors[..], [(2, 2 | 3)]), "{errors:?}: {text}");
    }
}

#[test]
fn pgn_as_people_and_programs_write_it() {
    let game = chess("chess");
    for (text, same) in [
        // Comments in comments, and a brace without a partner.
        ("1. e4 {a {b} c} e5 *", "1. e4 {a (b) c} e5 *"),
        ("1. e4 {a { b} e5 {c} *", "1. e4 {a { b} e5 {c} *"),
        // Quotation marks that should have been escaped, and a backslash that should not.
        ("[Event \"The \"Big\" Open\"]\n1. e4 *", "[Event \"The \\\"Big\\\" Open\"]\n1. e4 *"),
        ("[Event \"Open \\\"]\n1. e4 *", "[Event \"Open \\\\\"]\n1. e4 *"),
        // A tag twice.
        (
            "[Event \"a\"]\n[White \"b\"]\n[Event \"c\"]\n1. e4 *",
            "[Event \"a\"]\n[White \"b\"]\n1. e4 *",
        ),
        // Glyphs that nobody knows, more marks than there are.
        ("1. e4 $902 e5!?!! *", "1. e4 e5!? *"),
        // The result of another game in a variation; a comment after the end.
        ("1. e4 (1. d4 d5 1-0) e5 *\n{the end}\n", "1. e4 (1. d4 d5) e5 *"),
        // Turns in which nobody moves.
        (
            "1. e4 e5 (1... d5 2. -- dxe4 (2... d4) {wins}) 2. d4 *",
            "1. e4 e5 (1... d5 {-- dxe4 ( 2... d4 ) wins}) 2. d4 *",
        ),
        // Moves for machines.
        (
            "1. e2e4 e7e5 2. g1f3 b8c6 3. f1c4 g8f6 4. e1g1 *",
            "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. O-O *",
        ),
        ("\u{feff}1. e4 *\n", "1. e4 *"),
    ] {
        assert_eq!(good(&game, text), good(&game, same), "{text}");
    }
    assert_eq!(good(&game, "1. e4 *\n\u{feff}[Event \"x\"]\n1. d4 *").len(), 2);
    // In the game itself somebody moves.
    assert!(bad(&game, "1. e4 -- 2. d4 *").1.starts_with("line 1, column 7: \"--\""));
}

/// Plain moves with an x, captures with a dash, remarks close behind a move, and what else is found in files of PDN.
#[test]
fn pdn_as_people_and_programs_write_it() {
    let english = draughts("draughts:english");
    for (text, same) in [
        (
            "1. 11-15 23-18 2. 8-11 27-23 3. 4-8 23-19 4. 10x14 19-10 5. 14-23 26x19 *",
            "1. 11-15 23-18 2. 8-11 27-23 3. 4-8 23-19 4. 10-14 19x10 5. 14x23 26x19 *",
        ),
        (
            "1. 11-15 23-18 2.  8-11 27-23 3.  4- 8 23-19 *",
            "1. 11-15 23-18 2. 8-11 27-23 3. 4-8 23-19 *",
        ),
        ("1. 11-15 23-18Redoverstepped. 0-1", "1. 11-15 23-18 {Redoverstepped.} 0-1"),
        ("01. 11-15  23-18 02. 08-11 1-0", "1. 11-15 23-18 2. 8-11 1-0"),
        ("[Result \"4-6\"]\n1. 11-15 23-18 4-6\n", "1. 11-15 23-18 *"),
        ("[FEN \"\"]\n[Setup \"1\"]\n[Date \"\"]\n1. 11-15 *", "1. 11-15 *"),
    ] {
        assert_eq!(good(&english, text), good(&english, same), "{text}");
    }
    let positions = "[FEN \"W:W32:B1\"]\n[FEN \"W:W31:B1\"]\n[FEN \"W:W30:B1\"] *\n";
    assert_eq!(good(&english, positions).len(), 3);
    let russian = draughts("draughts:russian");
    let games = good(&russian, "1. C3-B4 B6-A5 2. B4-C5 D6-B4 3. A3-C5 * 1. a3b4 *");
    assert_eq!((games.len(), moves(&games[0])), (2, "c3-b4 b6-a5 b4-c5 d6:b4 a3:c5".to_owned()));
    // Squares that tell captures with the same ends apart, though not all on the way.
    let international = draughts("draughts:international");
    let position = "[FEN \"W:WK4:B9,10,18,19,22,24,30,37,38\"]\n";
    let legal = bad(&international, &format!("{position}1. 4x5 *"));
    assert!(legal.1.contains("4x"), "{legal:?}");
}

#[test]
fn sgf_as_people_and_programs_write_it() {
    let game = small_go("go:5x5");
    for (text, same) in [
        // One side twice in a row: the other passes.
        ("(;SZ[5];B[cc];B[dd];W[bb])", "(;SZ[5];B[cc];W[];B[dd];W[bb])"),
        // A third pass, whose turn it is anyway, text around the game.
        ("(;SZ[5];B[cc];W[];B[tt];W[])", "(;SZ[5];B[cc];W[];B[])"),
        ("(;SZ[5];B[cc];PL[W];W[dd])", "(;SZ[5];B[cc];W[dd])"),
        ("(;SZ[5]AB[cc]PL[2];W[dd])", "(;SZ[5]AB[cc]PL[W];W[dd])"),
        ("From: Ann (hello)\n\n(;SZ[5];B[cc])\n--\nAnn\n\u{1a}", "(;SZ[5];B[cc])"),
        // Names spelt out, as in the first files of this kind.
        ("(;SiZe[5]PlayerBlack[Ann];Black[cc];White[dd])", "(;SZ[5]PB[Ann];B[cc];W[dd])"),
    ] {
        assert_eq!(good(&game, text), good(&game, same), "{text}");
    }
}
