//! Chess text: what is read, what is refused and why.

use game::{Dialect, Game, Notation, Rng, TextError, moves_of, quote};
use games::chess::{Chess, Move, Parameters, Position, San};
use play::{GameSession, Session};
use proptest::prelude::*;

fn fischer(number: usize) -> Chess {
    Chess::new(Parameters::fischer(number).unwrap())
}

fn read_by(game: &Chess, text: &str) -> Result<Position, TextError> {
    Notation::read_position(game, text)
}

fn read(text: &str) -> Position {
    read_by(&Chess::default(), text).unwrap()
}

fn write_by(game: &Chess, p: &Position) -> String {
    Notation::write_position(game, p)
}

fn uci(p: &Position, m: Move) -> String {
    Notation::write_move(&Chess::default(), p, m)
}

fn read_uci(p: &Position, text: &str) -> Result<Move, TextError> {
    Notation::read_move(&Chess::default(), p, text)
}

fn san(p: &Position, m: Move) -> String {
    San::write_move(&Chess::default(), p, m)
}

fn read_san(p: &Position, text: &str) -> Result<Move, TextError> {
    San::read_move(&Chess::default(), p, text)
}

/// The SAN of a move given by its squares.
fn san_of(fen: &str, m: &str) -> String {
    let p = read(fen);
    san(&p, read_uci(&p, m).unwrap())
}

/// The squares of a move given in SAN.
fn uci_of(fen: &str, m: &str) -> Result<String, String> {
    let p = read(fen);
    read_san(&p, m).map(|m| uci(&p, m)).map_err(|error| error.why().to_owned())
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn positions_are_canonical() {
    for (text, canonical) in [
        (START, START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -", START),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0", START),
        (" rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\tw qkQK - 00 01\n", START),
        ("4k3/8/8/8/8/8/8/4K3 w - - 3 0", "4k3/8/8/8/8/8/8/4K3 w - - 3 0"),
        ("4k3/8/8/8/8/8/8/2112K1 b - - 3 4", "4k3/8/8/8/8/8/8/6K1 b - - 3 4"),
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1"),
        // Nobody can capture there, but the pawn has passed.
        ("4k3/8/8/8/3P1p2/8/8/4K3 b - d3 0 1", "4k3/8/8/8/3P1p2/8/8/4K3 b - d3 0 1"),
        ("4k3/8/8/8/3P1p2/8/8/4K3 B - d3 0 1", "4k3/8/8/8/3P1p2/8/8/4K3 b - d3 0 1"),
        ("4k3/8/8/8/8/8/8/4K3 W - - 3 4", "4k3/8/8/8/8/8/8/4K3 w - - 3 4"),
        ("4k3/8/8/8/8/8/8/4K2R w K", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("4k3/8/8/8/8/8/8/4K2R b", "4k3/8/8/8/8/8/8/4K2R b - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K2R", "4k3/8/8/8/8/8/8/4K2R w - - 0 1"),
    ] {
        assert_eq!(write_by(&Chess::default(), &read(text)), canonical, "{text}");
    }
}

/// The square behind a pawn is told after every double step; what a repetition compares has it only
/// where a pawn can be captured there.
#[test]
fn double_steps_are_told() {
    let mut session = GameSession::new(Chess::default());
    for (m, whole, repeatable) in [
        (
            "e2e4",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -",
        ),
        (
            "c7c5",
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2",
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -",
        ),
        (
            "g1f3",
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2",
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -",
        ),
        (
            "c5c4",
            "rnbqkbnr/pp1ppppp/8/8/2p1P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3",
            "rnbqkbnr/pp1ppppp/8/8/2p1P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -",
        ),
        (
            "d2d4",
            "rnbqkbnr/pp1ppppp/8/8/2pPP3/5N2/PPP2PPP/RNBQKB1R b KQkq d3 0 3",
            "rnbqkbnr/pp1ppppp/8/8/2pPP3/5N2/PPP2PPP/RNBQKB1R b KQkq d3",
        ),
    ] {
        session.play(m).unwrap();
        assert_eq!(session.position(), whole);
        assert_eq!(session.repeatable_position(), repeatable);
        assert_eq!(read(whole), *session.current());
    }
}

#[test]
fn fischer_castling_round_trips() {
    let game = fischer(0);
    for (text, canonical) in [
        ("4k3/8/8/8/8/8/8/R1R1K1RR w GA - 0 1", "4k3/8/8/8/8/8/8/R1R1K1RR w GA - 0 1"),
        ("4k3/8/8/8/8/8/8/R1R1K1RR w KQ - 0 1", "4k3/8/8/8/8/8/8/R1R1K1RR w HA - 0 1"),
        ("4k3/8/8/8/8/8/8/R1R1K1RR w CH - 0 1", "4k3/8/8/8/8/8/8/R1R1K1RR w HC - 0 1"),
        ("r3k1r1/8/8/8/8/8/8/1RK5 b Qkq - 0 1", "r3k1r1/8/8/8/8/8/8/1RK5 b Bga - 0 1"),
    ] {
        assert_eq!(write_by(&game, &read_by(&game, text).unwrap()), canonical, "{text}");
    }
    for number in 0..960 {
        let game = fischer(number);
        let text = write_by(&game, &game.start());
        assert_eq!(read_by(&game, &text), Ok(game.start()));
        let usual_letters =
            text.split(' ').enumerate().map(|(i, f)| if i == 2 { "KQkq" } else { f });
        let text = usual_letters.collect::<Vec<_>>().join(" ");
        assert_eq!(read_by(&game, &text), Ok(game.start()));
    }
}

#[test]
fn wrong_positions_say_where_and_what() {
    for (text, why) in [
        ("", " at character 1: the pieces are missing, as in 8/8/4k3/8/8/3QK3/8/8"),
        (
            "3rk3/8/8/8/8/8/8/3K4 b",
            " at character 22: Black cannot be to move and attack the king on d1 already",
        ),
        (
            "4k3/8/8/8/8/8/8/K3R3",
            " at character 21: White cannot be to move and attack the king on e8 already",
        ),
        (
            "4x3/8/8/8/8/8/8/4K3 w - -",
            " at character 2: 'x' cannot stand on e8; PNBRQK, pnbrqk and numbers of empty squares can",
        ),
        (
            "4\u{e9}3/8/8/8/8/8/8/4K3 w - -",
            " at character 2: '\u{e9}' cannot stand on e8; PNBRQK, pnbrqk and numbers of empty squares can",
        ),
        (
            "9/8/8/8/8/8/8/4K3 w - -",
            " at character 1: '9' cannot stand on a8; PNBRQK, pnbrqk and numbers of empty squares can",
        ),
        (
            "4k4/8/8/8/8/8/8/4K3 w - -",
            " at character 3: row 8 has more than 8 squares; 8 are right",
        ),
        ("4k2/8/8/8/8/8/8/4K3 w - -", " at character 4: row 8 has 7 squares; 8 are right"),
        (
            "rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            " at character 42: there are 7 rows; 8 are right, with / between them",
        ),
        ("startpos", " at character 9: there is 1 row; 8 are right, with / between them"),
        ("4k3/8/8/8/8/8/8/4K2 w - -", " at character 20: row 1 has 7 squares; 8 are right"),
        ("4k3/8/8/1/8/8/8/4K3 w - -", " at character 10: row 5 has 1 square; 8 are right"),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            " at character 1: there are 9 rows; 8 are right, with / between them",
        ),
        ("4k3/8/8/8/8/8/8/8 w - -", " at character 1: White has no king; one is right"),
        ("8/8/8/8/8/8/8/4K3 w - -", " at character 1: Black has no king; one is right"),
        ("4k3/8/8/8/8/8/8/K3K3 w - -", " at character 19: White has a second king; one is right"),
        (
            "4k2P/8/8/8/8/8/8/4K3 w - -",
            " at character 4: a pawn cannot stand on h8; rows 2 to 7 are right",
        ),
        (
            "4k3/8/8/8/8/8/8/p3K3 w - -",
            " at character 17: a pawn cannot stand on a1; rows 2 to 7 are right",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 x - -",
            " at character 21: after the pieces comes the side to move, w or b",
        ),
        (
            "4k3/8/8/8/8/8/8/4R1K1 w - -",
            " at character 23: White cannot be to move and attack the king on e8 already",
        ),
        (
            "8/8/8/8/8/8/4k3/4K3 b - -",
            " at character 21: Black cannot be to move and attack the king on e1 already",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w KQ -",
            " at character 25: 'Q' needs the king on e1 and a rook on a1",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K3 w K -",
            " at character 24: 'K' needs the king on e1 and a rook on h1",
        ),
        (
            "r2k3r/8/8/8/8/8/8/4K3 w k -",
            " at character 25: 'k' needs the king on e8 and a rook on h8",
        ),
        (
            "4k3/8/8/8/8/8/8/4K1R1 w G -",
            " at character 25: 'G' needs the king on e1 and a rook on a1",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w x -",
            " at character 24: 'x' is no castling; KQkq, the column of a rook or - is right",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w KH -",
            " at character 25: 'H' gives a second rook on this side of the king; one can castle",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e",
            " at character 25: after castling comes the en passant square, as in e3, or - for none",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e6",
            " at character 25: no pawn can just have passed e6; - is right where none has",
        ),
        (
            "4k3/8/8/3pP3/8/8/8/4K3 w - d5",
            " at character 28: no pawn can just have passed d5; - is right where none has",
        ),
        (
            "4k3/3n4/8/3pP3/8/8/8/4K3 w - d6",
            " at character 30: no pawn can just have passed d6; - is right where none has",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - x 1",
            " at character 27: here comes a number of moves, from 0 to 65535",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 65536",
            " at character 29: here comes a number of moves, from 0 to 65535",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - +1 1",
            " at character 27: here comes a number of moves, from 0 to 65535",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1 x",
            " at character 31: nothing comes after the number of the move",
        ),
    ] {
        let error = read_by(&Chess::default(), text).unwrap_err();
        assert_eq!(error.to_string(), format!("{}{why}", quote(text)));
    }
    for (text, why) in [
        (
            "3k4/8/8/8/8/8/8/K3R2R w K -",
            " at character 25: 'K' needs the king on b1 to g1 and such a rook on its row",
        ),
        (
            "4k3/8/8/8/8/8/4K3/R6R w A -",
            " at character 25: 'A' needs the king on b1 to g1 and such a rook on its row",
        ),
        (
            "4k3/8/8/8/8/8/8/4K1RR w GH -",
            " at character 26: 'H' gives a second rook on this side of the king; one can castle",
        ),
    ] {
        let error = read_by(&fischer(0), text).unwrap_err();
        assert_eq!(error.to_string(), format!("{}{why}", quote(text)));
    }
}

#[test]
fn castling_is_read_in_both_forms() {
    let text = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let p = read(text);
    for (said, written) in [("e1g1", "e1g1"), ("e1h1", "e1g1"), ("E1C1", "e1c1"), ("e1a1", "e1c1")]
    {
        assert_eq!(uci(&p, read_uci(&p, said).unwrap()), written);
    }
    let game = fischer(518);
    for (said, written) in [("e1g1", "e1h1"), ("e1h1", "e1h1"), ("O-O-O", "e1a1"), ("e1d1", "e1d1")]
    {
        let p = read_by(&game, text).unwrap();
        let m = Notation::read_move(&game, &p, said).unwrap();
        assert_eq!(Notation::write_move(&game, &p, m), written);
    }
    // As people write squares, too.
    for said in ["e1-g1", "Ke1g1", "Kg1", "Ke1-h1", "Kxh1", "O-O"] {
        assert_eq!(uci(&p, read_uci(&p, said).unwrap()), "e1g1", "{said}");
        let p = read_by(&game, text).unwrap();
        let m = Notation::read_move(&game, &p, said).unwrap();
        assert_eq!(Notation::write_move(&game, &p, m), "e1h1", "{said}");
    }
    // A king's step that looks like castling is a step.
    let p = read_by(&game, "4k3/8/8/8/8/8/8/5K1R w H - 0 1").unwrap();
    let m = Notation::read_move(&game, &p, "f1g1").unwrap();
    assert_eq!(San::write_move(&game, &p, m), "Kg1");
    assert_eq!(San::write_move(&game, &p, San::read_move(&game, &p, "Kg1").unwrap()), "Kg1");
    assert_eq!(San::write_move(&game, &p, San::read_move(&game, &p, "Kxh1").unwrap()), "O-O");
}

#[test]
fn wrong_moves_say_what_would_be_right() {
    let p = read("4k3/P7/8/8/8/8/5PPP/R3K1N1 w Q - 0 1");
    for (text, why) in [
        (
            "e1e3",
            "the king on e1 does not go to e3; the moves of the king on e1 are e1d1 e1f1 e1d2 e1e2 e1c1",
        ),
        ("e1g1", "castling is not possible here; the moves of the king on e1 are "),
        (
            "a7a8",
            "say what the pawn becomes; the moves of the pawn on a7 are a7a8n a7a8b a7a8r a7a8q",
        ),
        ("f2f4q", "nothing is promoted here; the moves of the pawn on f2 are f2f3 f2f4"),
        ("e8e7", "the king on e8 is Black's, and White is to move"),
        (
            "g1e3",
            "the knight on g1 does not go to e3; the moves of the knight on g1 are g1e2 g1f3 g1h3",
        ),
        ("Nd5", "not legal here; the knight moves are Ne2 Nf3 Nh3"),
        ("O-O", "castling is not legal here; the moves are "),
        ("a8", "this may be a8=N a8=B a8=R a8=Q; say which"),
        ("hello", "not a move; as in e2e4, Nf3, exd5, e8=Q or O-O it would be"),
        ("", "not a move; as in e2e4, Nf3, exd5, e8=Q or O-O it would be"),
        ("e2\u{e9}4", "not a move; as in e2e4, Nf3, exd5, e8=Q or O-O it would be"),
        ("0000", "not a move; as in e2e4, Nf3, exd5, e8=Q or O-O it would be"),
        ("a7a8k", "not a move; as in e2e4, Nf3, exd5, e8=Q or O-O it would be"),
        ("d4d5", "no piece stands on d4; the moves are "),
    ] {
        let error = read_uci(&p, text).unwrap_err();
        assert_eq!(error.text(), text);
        assert!(error.why().starts_with(why), "{error}");
    }
    let checked = read("4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1");
    assert_eq!(
        read_uci(&checked, "a1a2").unwrap_err().why(),
        "White is in check, and this does not answer it; the moves are e1d1 e1f1 e1e2"
    );
    let over = read("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    for text in ["h8g8", "Kg8", "hello"] {
        assert_eq!(read_uci(&over, text).unwrap_err().why(), "the game is over");
    }
}

#[test]
fn san_tells_pieces_apart() {
    for (fen, m, text) in [
        // By column, by row, by both.
        ("4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1", "b1d2", "Nbd2"),
        ("4k3/8/8/1N6/8/8/8/1N1K4 w - - 0 1", "b1c3", "N1c3"),
        ("6k1/8/8/8/8/Q7/8/Q1QK4 w - - 0 1", "a1b2", "Qa1b2"),
        ("6k1/8/8/8/8/Q7/8/Q1QK4 w - - 0 1", "a3b2", "Q3b2"),
        ("6k1/8/8/8/8/Q7/8/Q1QK4 w - - 0 1", "c1b2", "Qcb2"),
        ("7k/8/8/R7/8/8/8/R3K3 w - - 0 1", "a1a3", "R1a3"),
        // A pinned piece is no rival.
        ("4k3/8/8/4r3/8/4N3/8/N3K3 w - - 0 1", "a1c2", "Nc2"),
        ("4k3/4r3/8/8/8/4R3/8/R3K3 w - - 0 1", "a1a3", "Ra3"),
        ("7k/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2", "Ne2"),
        // Nor is one that leaves a check standing.
        ("4r2k/8/8/8/8/2N5/8/4K1N1 w - - 0 1", "g1e2", "Nge2"),
        // Pawns.
        ("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"),
        ("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "e4e5", "e5"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
        ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "axb8=Q+"),
        ("1n2k3/P1P5/8/8/8/8/8/4K3 w - - 0 1", "c7b8n", "cxb8=N"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8r", "a8=R+"),
        // Castling, with check and with mate.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
        ("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O+"),
        ("2rkr3/2p1p3/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O#"),
        // Mate and stalemate.
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#"),
        ("7k/8/6K1/5Q2/8/8/8/8 w - - 0 1", "f5f7", "Qf7"),
        ("rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "d8h4", "Qh4#"),
    ] {
        assert_eq!(san_of(fen, m), text, "{fen}");
        assert_eq!(uci_of(fen, text).as_deref(), Ok(m), "{fen}");
    }
}

#[test]
fn san_is_read_generously() {
    let knights = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1";
    for (fen, text, m) in [
        (START, "Nf3", "g1f3"),
        (START, "nf3", "g1f3"),
        (START, "NF3", "g1f3"),
        (START, "Ng1f3", "g1f3"),
        (START, "Ng1-f3", "g1f3"),
        (START, "Ngf3", "g1f3"),
        (START, "N1f3", "g1f3"),
        (START, "Nxf3", "g1f3"),
        (START, "Nf3+", "g1f3"),
        (START, "Nf3!?", "g1f3"),
        (START, " Nf3 ?! ", "g1f3"),
        (START, "e4", "e2e4"),
        (START, "E4", "e2e4"),
        (START, "Pe4", "e2e4"),
        (START, "pe2e4", "e2e4"),
        (START, "e2-e4", "e2e4"),
        (START, "e2e4", "e2e4"),
        (START, "b4", "b2b4"),
        (START, "b2b3", "b2b3"),
        (knights, "0-0", "e8g8"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "o-o-o", "e8c8"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "0-0-0+", "e8c8"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "OO", "e8g8"),
        ("8/4P3/8/k7/8/8/8/4K3 w - - 0 1", "e8Q", "e7e8q"),
        ("8/4P3/8/k7/8/8/8/4K3 w - - 0 1", "e8=q", "e7e8q"),
        ("8/4P3/8/k7/8/8/8/4K3 w - - 0 1", "e7-e8=B", "e7e8b"),
        ("8/4P3/8/k7/8/8/8/4K3 w - - 0 1", "e8b", "e7e8b"),
        ("8/4P3/8/k7/8/8/8/4K3 w - - 0 1", "e7e8n", "e7e8n"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6 e.p.", "e5d6"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "ed6", "e5d6"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "xd6", "e5d6"),
        // A small b is a pawn where that is legal, else a bishop.
        ("4k3/8/8/8/2p5/1P6/8/4KB2 w - - 0 1", "bc4", "b3c4"),
        ("4k3/8/8/8/2p5/8/8/4KB2 w - - 0 1", "bc4", "f1c4"),
        ("4k3/8/8/8/2p5/1P6/8/4KB2 w - - 0 1", "Bc4", "f1c4"),
        ("4k3/8/8/8/2p5/1P6/8/4KB2 w - - 0 1", "BXC4", "f1c4"),
    ] {
        assert_eq!(uci_of(fen, text).as_deref(), Ok(m), "{text}");
    }
}

#[test]
fn ambiguous_and_illegal_san_is_refused() {
    for (fen, text, why) in [
        ("4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1", "Nd2", "this may be Nbd2 Nfd2; say which"),
        ("6k1/8/8/8/8/Q7/8/Q1QK4 w - - 0 1", "Qab2", "this may be Qa1b2 Q3b2; say which"),
        ("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "xd5", "this may be exd5 cxd5; say which"),
        // Without a column a pawn goes straight ahead.
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "d5", "not legal here; the pawn moves are e5 exd5"),
        (START, "Ke2", "not legal here; the moves are "),
        (START, "O-O-O", "castling is not legal here; the moves are "),
        (START, "e4=Q", "not legal here; the pawn moves are "),
        (START, "e9", "not a move; "),
        (START, "Ni3", "not a move; "),
        (START, "N", "not a move; "),
        (START, "=Q", "not a move; "),
        (START, "O-O-O-O", "not a move; "),
        (START, "\u{1f600}f3", "not a move; "),
    ] {
        let found = uci_of(fen, text).unwrap_err();
        assert!(found.starts_with(why), "{text}: {found}");
    }
}

#[test]
fn boards_are_drawn_and_games_are_told() {
    let mut session = GameSession::new(Chess::default());
    session.play_all("e4 e5 Nf3 Nc6 Bb5 a6 O-O").unwrap();
    assert_eq!(session.played().join(" "), "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1");
    assert_eq!(
        session.position(),
        "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQ1RK1 b kq - 1 4"
    );
    assert_eq!(
        session.diagram().to_string(),
        "  a  b  c  d  e  f  g  h \n\
         8 r  .  b  q  k  b  n  r \n\
         7 .  p  p  p  .  p  p  p \n\
         6 p  .  n  .  .  .  .  . \n\
         5 .  B  .  .  p  .  .  . \n\
         4 .  .  .  .  P  .  .  . \n\
         3 .  .  .  .  .  N  .  . \n\
         2 P  P  P  P  .  P  P  P \n\
         1 R  N  B  Q  .  R [K] . "
    );
}

/// Whatever is legal has a SAN of its own, which reads back.
#[test]
fn san_round_trips() {
    let mut rng = Rng::new(1);
    for number in [518, 0, 411, 959] {
        let game = fischer(number);
        for _ in 0..3 {
            let mut p = game.start();
            for _ in 0..120 {
                let moves = moves_of(&game, &p);
                let mut texts = Vec::new();
                for &m in &moves {
                    let text = San::write_move(&game, &p, m);
                    assert_eq!(San::read_move(&game, &p, &text), Ok(m), "{text}");
                    assert_eq!(Notation::read_move(&game, &p, &text), Ok(m), "{text}");
                    texts.push(text);
                }
                texts.sort();
                texts.dedup();
                assert_eq!(texts.len(), moves.len());
                let Some(m) = game.sample(&p, &mut rng) else { break };
                game.make(&mut p, m);
            }
        }
    }
}

fn check_text(game: &Chess, text: &str) {
    match read_by(game, text) {
        Ok(p) => {
            let canonical = write_by(game, &p);
            assert_eq!(read_by(game, &canonical), Ok(p));
            let moves = moves_of(game, &p);
            assert_eq!(moves.len(), game.count(&p));
            for m in moves {
                let mut next = p;
                game.make(&mut next, m);
                assert_eq!(read_by(game, &write_by(game, &next)), Ok(next), "{canonical} {m:?}");
            }
        }
        Err(error) => {
            let line = error.to_string();
            assert!(line.starts_with(&quote(text)) && !line.contains('\n'), "{line}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    /// Whatever comes in, there is an answer or a line that names it.
    #[test]
    fn any_text_is_read_or_refused(
        text in "[pnbrqkPNBRQK1-8/]{0,30}\
                 ( [wb] [-KQkqA-Ha-h]{1,4} (-|[a-h][1-8])( [0-9]{1,6}){0,3})?|.{0,24}",
        at in 0..80usize,
        by in any::<char>(),
    ) {
        let games = [Chess::default(), fischer(0)];
        for game in games {
            check_text(&game, &text);
            let start = write_by(&game, &game.start());
            let spoilt = |(i, c)| if i == at { by } else { c };
            check_text(&game, &start.chars().enumerate().map(spoilt).collect::<String>());
        }
    }

    /// Any pieces anywhere, as long as there are kings.
    #[test]
    fn any_board_is_played_on(
        squares in prop::collection::vec("[PNBRQpnbrq1111]", 64),
        (white, black) in (0..64usize, 0..64usize),
        rest in "[wb] (-|[KQkq]{1,2}|[A-Ha-h]{1,2}) (-|[a-h][36]) [0-9]{1,3} 1",
    ) {
        let mut squares = squares.concat();
        squares.replace_range(white..=white, "K");
        squares.replace_range(black..=black, "k");
        let safe = |(i, c): (usize, char)| {
            if matches!(c, 'p' | 'P') && !(8..56).contains(&i) { '1' } else { c }
        };
        let squares: Vec<char> = squares.chars().enumerate().map(safe).collect();
        let rows: Vec<String> = squares.chunks(8).map(|row| row.iter().collect()).collect();
        for game in [Chess::default(), fischer(0)] {
            check_text(&game, &format!("{} {rest}", rows.join("/")));
        }
    }

    #[test]
    fn any_move_is_read_or_refused(
        text in "[a-h][1-8][a-h][1-8][nbrqk]?|[NBRQKPnbrqkp]?[a-h]?[1-8]?[x:-]?[a-h][1-8]\
                 (=?[NBRQK])?[+#!?]{0,2}|.{0,8}",
        walk in 0..60usize,
        seed in any::<u64>(),
    ) {
        let (game, mut rng) = (Chess::default(), Rng::new(seed));
        let mut p = game.start();
        for _ in 0..walk {
            if let Some(m) = game.sample(&p, &mut rng) {
                game.make(&mut p, m);
            }
        }
        for read in [read_uci(&p, &text), read_san(&p, &text)] {
            match read {
                Ok(m) => prop_assert!(moves_of(&game, &p).contains(&m)),
                Err(error) => {
                    let line = error.to_string();
                    prop_assert!(line.starts_with(&quote(&text)) && !line.contains('\n'), "{}", line);
                }
            }
        }
    }
}
