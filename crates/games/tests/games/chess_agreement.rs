//! Chess beside two others that know it: cozy-chess, and the plain twin of the rules.

use cozy_chess::Board;
use game::{Game, Notation, Path, Rng, moves_of, perft};
use games::chess::reference::{self, Plain};
use games::chess::{Chess, FISCHER_STARTS, Kind, Move, Parameters, Position, Special};

fn fischer(number: usize) -> Chess {
    Chess::new(Parameters::fischer(number).unwrap())
}

/// Positions that random games from the start seldom reach.
const ODD: [&str; 16] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1",
    "3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1",
    "8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1",
    "k7/8/3p4/8/8/4P3/8/7K w - - 60 90",
    "3q1rk1/p4ppp/1r6/8/8/1R6/P4PPP/3Q1RK1 w - - 0 1",
    "qqq3k1/8/8/8/8/8/5PPP/QQQ3K1 w - - 0 1",
    "8/PPPPPPPP/8/k7/7K/8/pppppppp/8 w - - 0 1",
    "4k3/3q1q2/8/8/2PPPP2/8/8/4K3 w - - 0 1",
];

/// Moves as king takes rook, so that both name castling alike.
fn names(p: &Position, moves: &[Move]) -> Vec<String> {
    let game = fischer(0);
    let mut names: Vec<String> = moves.iter().map(|&m| Notation::write_move(&game, p, m)).collect();
    names.sort();
    names
}

fn cozy_moves(board: &Board) -> Vec<cozy_chess::Move> {
    let mut moves = Vec::new();
    board.generate_moves(|set| {
        moves.extend(set);
        false
    });
    moves
}

/// The FEN of the other's board, and the square where a capture en passant is legal.
fn cozy_fen(game: &Chess, board: &Board) -> (String, Option<usize>) {
    let text = match game.parameters().fischer_number() {
        Some(_) => format!("{board:#}"),
        None => board.to_string(),
    };
    let passed = board.en_passant().map(|column| {
        let row = cozy_chess::Rank::Third.relative_to(!board.side_to_move());
        cozy_chess::Square::new(column, row)
    });
    let captures = |to| {
        let pawns = board.pieces(cozy_chess::Piece::Pawn);
        cozy_moves(board).iter().any(|m| m.to == to && pawns.has(m.from))
    };
    (text, passed.filter(|&to| captures(to)).map(|square| square as usize))
}

fn check_against_cozy(game: &Chess, p: &Position, board: &Board) {
    let text = Notation::write_position(game, p);
    assert_eq!((text.clone(), p.en_passant()), cozy_fen(game, board));
    let moves = names(p, &moves_of(game, p));
    let mut theirs: Vec<String> = cozy_moves(board).iter().map(ToString::to_string).collect();
    theirs.sort();
    assert_eq!(moves, theirs, "{text}");
    assert_eq!(game.count(p), theirs.len(), "{text}");
    assert_eq!(game.in_check(p), !board.checkers().is_empty(), "{text}");
    if moves.is_empty() {
        let mated = board.status() == cozy_chess::GameStatus::Won;
        let margin = if mated { -game.to_move(p).sign() } else { 0 };
        assert_eq!(game.stuck(p), margin, "{text}");
    }
}

/// A random game, looked at after every move; captures and pawn moves are taken more often so that
/// promotions happen.
fn walk_with_cozy(game: &Chess, mut p: Position, mut board: Board, rng: &mut Rng) -> usize {
    for ply in 0..200 {
        // The other's clock stops at 100.
        if p.clock() > 100 {
            return ply;
        }
        check_against_cozy(game, &p, &board);
        let moves = moves_of(game, &p);
        let lively = |m: &&Move| {
            m.special() != Special::None || p.board().kind_at(m.from()) == Some(Kind::Pawn)
        };
        let mut chosen: Vec<Move> = moves.iter().filter(lively).copied().collect();
        if chosen.is_empty() || rng.below(3) > 0 {
            chosen = moves;
        }
        if chosen.is_empty() {
            return ply;
        }
        let m = chosen[rng.below(chosen.len())];
        let name = &names(&p, &[m])[0];
        board.play(name.parse().unwrap());
        game.make(&mut p, m);
    }
    200
}

#[test]
fn games_agree_with_cozy_chess() {
    let (game, mut rng) = (Chess::default(), Rng::new(1));
    let mut positions = 0;
    for _ in 0..60 {
        positions += walk_with_cozy(&game, game.start(), Board::default(), &mut rng);
    }
    for text in ODD {
        let p = Notation::read_position(&game, text).unwrap();
        for _ in 0..20 {
            let board = Board::from_fen(text, false).unwrap();
            positions += walk_with_cozy(&game, p, board, &mut rng);
        }
    }
    assert!(positions > 20_000, "{positions}");
}

#[test]
fn fischer_games_agree_with_cozy_chess() {
    let mut rng = Rng::new(2);
    for number in 0..FISCHER_STARTS {
        let game = fischer(number);
        let board = Board::chess960_startpos(number as u32);
        check_against_cozy(&game, &game.start(), &board);
        if number % 8 == 3 {
            walk_with_cozy(&game, game.start(), board, &mut rng);
        }
    }
}

/// Castling with most pieces gone, from every start.
#[test]
fn bare_castling_agrees_with_cozy_chess() {
    let mut rng = Rng::new(3);
    for number in 0..FISCHER_STARTS {
        let game = fischer(number);
        let start = Notation::write_position(&game, &game.start());
        let gone = |c: char| matches!(c, 'n' | 'b' | 'q' | 'p').then_some('1').unwrap_or(c);
        let (pieces, rest) = start.split_once(' ').unwrap();
        let black: String = pieces[..8].chars().map(gone).collect();
        let white = black.to_uppercase();
        let spare = ["8/8/8/8/8/8", "8/8/2q5/8/8/8", "8/8/8/8/5B2/1n6"][number % 3];
        let text = format!("{black}/{spare}/{white} {rest}");
        if let (Ok(p), Ok(board)) =
            (Notation::read_position(&game, &text), Board::from_fen(&text, true))
        {
            let depth = 2;
            assert_eq!(perft(&game, &p, depth), cozy_perft(&board, depth), "{text}");
            walk_with_cozy(&game, p, board, &mut rng);
        }
    }
}

fn cozy_perft(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let after = |m| {
        let mut next = board.clone();
        next.play_unchecked(m);
        cozy_perft(&next, depth - 1)
    };
    cozy_moves(board).into_iter().map(after).sum()
}

#[test]
fn fischer_perft_agrees_with_cozy_chess() {
    for number in (0..FISCHER_STARTS).step_by(97) {
        let (game, board) = (fischer(number), Board::chess960_startpos(number as u32));
        assert_eq!(perft(&game, &game.start(), 4), cozy_perft(&board, 4), "{number}");
    }
}

#[test]
#[ignore = "seconds, but many"]
fn deep_fischer_perft_agrees_with_cozy_chess() {
    for number in (0..FISCHER_STARTS).step_by(37) {
        let (game, board) = (fischer(number), Board::chess960_startpos(number as u32));
        assert_eq!(perft(&game, &game.start(), 5), cozy_perft(&board, 5), "{number}");
    }
}

/// Pieces thrown on the board: pins, checks and captures that no game brings about.
fn random_board(rng: &mut Rng) -> String {
    let mut squares = ['1'; 64];
    let others = rng.below(14);
    let pieces = "PPPPPNBRQpppppnbrq".as_bytes();
    let drawn: Vec<char> = (0..others).map(|_| pieces[rng.below(pieces.len())] as char).collect();
    for c in ['K', 'k'].into_iter().chain(drawn) {
        let square = match c {
            'P' | 'p' => 8 + rng.below(48),
            _ => rng.below(64),
        };
        if !matches!(squares[square], 'K' | 'k') {
            squares[square] = c;
        }
    }
    let rows: Vec<String> = squares.chunks(8).map(|row| row.iter().collect()).collect();
    let side = ['w', 'b'][rng.below(2)];
    // A pawn that may just have made two steps, if there is one.
    let (pawn, row, passed, behind) = if side == 'w' { ('p', 3, 2, 1) } else { ('P', 4, 5, 6) };
    let came = |column: &usize| {
        let free = |row: usize| squares[row * 8 + column] == '1';
        squares[row * 8 + column] == pawn && free(passed) && free(behind)
    };
    let en_passant = (0..8).find(came).map_or("-".to_owned(), |column| {
        format!("{}{}", (b'a' + column as u8) as char, 8 - passed)
    });
    format!("{} {side} - {en_passant} 0 1", rows.join("/"))
}

#[test]
fn thrown_boards_agree_with_cozy_chess() {
    let (game, mut rng) = (Chess::default(), Rng::new(4));
    let mut both = 0;
    for _ in 0..60_000 {
        let text = random_board(&mut rng);
        let ours = Notation::read_position(&game, &text);
        let theirs = Board::from_fen(&text, false);
        if let (Ok(p), Ok(board)) = (ours, theirs) {
            check_against_cozy(&game, &p, &board);
            both += 1;
        }
    }
    assert!(both > 10_000, "{both}");
}

/// The same position as the plain twin holds it.
fn plain_of(game: &Chess, p: &Position) -> reference::Position {
    let squares = std::array::from_fn(|bit| p.board().piece_at(bit));
    let castling = (0..64).filter(|bit| p.castling() >> bit & 1 == 1).collect();
    reference::Position {
        squares,
        side: game.to_move(p),
        castling,
        passed: p.passed(),
        clock: p.clock().into(),
        number: p.number().into(),
    }
}

fn sorted(mut moves: Vec<Move>) -> Vec<Move> {
    moves.sort();
    moves
}

fn check_against_plain(fast: &Chess, plain: &Plain, p: &Position, q: &reference::Position) {
    assert_eq!(plain_of(fast, p), *q);
    assert_eq!(p.en_passant(), plain.en_passant(q));
    let moves = sorted(moves_of(fast, p));
    let at = Notation::write_position(fast, p);
    assert_eq!(moves, sorted(moves_of(plain, q)), "{at}");
    assert_eq!(fast.in_check(p), plain.in_check(q), "{at}");
    if moves.is_empty() {
        assert_eq!(fast.stuck(p), plain.stuck(q), "{at}");
    }
}

/// A whole game, with what is recalled on the way.
fn walk_with_plain(fast: &Chess, mut p: Position, rng: &mut Rng) {
    let plain = Plain::new(fast.parameters());
    let mut q = plain_of(fast, &p);
    let (mut path, mut plain_path) = (Path::new(), Path::new());
    loop {
        check_against_plain(fast, &plain, &p, &q);
        let recalled = fast.recall(&p, &path);
        assert_eq!(recalled, plain.recall(&q, &plain_path));
        let Some(m) = fast.sample(&p, rng).filter(|_| recalled == game::Recall::Fresh) else {
            break;
        };
        path.push(fast.path_key(&p));
        plain_path.push(plain.path_key(&q));
        fast.make(&mut p, m);
        plain.make(&mut q, m);
    }
}

#[test]
fn games_agree_with_the_plain_rules() {
    let mut rng = Rng::new(5);
    for number in 0..8 {
        let game = Chess::default();
        walk_with_plain(&game, game.start(), &mut rng);
        let game = fischer(number * 119);
        walk_with_plain(&game, game.start(), &mut rng);
    }
    for text in ODD {
        let game = Chess::default();
        let p = Notation::read_position(&game, text).unwrap();
        walk_with_plain(&game, p, &mut rng);
    }
}

#[test]
fn thrown_boards_agree_with_the_plain_rules() {
    let (game, plain) = (Chess::default(), Plain::new(Parameters::default()));
    let mut rng = Rng::new(6);
    for _ in 0..20_000 {
        if let Ok(p) = Notation::read_position(&game, &random_board(&mut rng)) {
            check_against_plain(&game, &plain, &p, &plain_of(&game, &p));
        }
    }
}

/// Claims and the end of a game by the clock, where random games seldom come.
#[test]
fn shuffling_agrees_with_the_plain_rules() {
    let game = Chess::default();
    let mut rng = Rng::new(8);
    for text in ["7k/8/8/8/8/8/8/RK6 w - - 90 70", "4k3/4p3/8/8/8/8/4P3/4K3 b - - 144 99"] {
        let p = Notation::read_position(&game, text).unwrap();
        for _ in 0..20 {
            walk_with_plain(&game, p, &mut rng);
        }
    }
}
