//! Seeded fuzzing of the spec, position and move parsers: a corpus, 20,000 inputs made from it, and
//! noise. The documented long run is cargo-fuzz, over the same properties (`fuzz/`).

use catalog::testkit::{
    bot_is_read_or_refused, file_is_read_or_refused, move_is_played_or_refused,
    position_is_taken_or_refused, spec_opens_or_is_refused,
};
use game::Rng;
use game::testkit::mutated;
use play::Session;
use play::record::{Line, Ply, Record};

const INPUTS: usize = 20_000;

#[rustfmt::skip]
const SPECS: &[&str] = &[
    "tictactoe", "gomoku", "gomoku-standard", "connect6", "connect4", "othello", "reversi", "mnk:3x3,k=3",
    "mnk:6x7,k=4,gravity", "mnk:4x4,k=3,p=2,q=1,win=exact,holes=b2+c3", "mnk:1x250,k=250", "reversi:6x4,start=parallel",
    "mnk:0x3", "mnk:3x3,k=3,k=4", "reversi:7x7", "mnk:3x3", "draughts:frisian,men=2,draw=20-moves+3-fold",
    "draughts:english,back,majority=kings", "go:3x4,ko=basic,suicide,komi=-0.5", "chess:fischer=959", "japanese", "checkers-40-plies", "", ":", "mnk:", "mnk:9999999999999999999999x3,k=3",
];

/// Games to try positions and moves on: each storage, each family.
#[rustfmt::skip]
const TABLES: &[&str] = &[
    "tictactoe", "connect4", "mnk:4x5,k=4,p=2,q=3,holes=b2", "mnk:11x11,k=5,win=exact", "connect6", "reversi", "reversi:4x6",
    "checkers", "draughts:russian", "draughts:frisian", "draughts:polish,10x10,promote=pass", "go:5x4", "japanese:9x9", "go19", "chess",
    "chess:fischer=1",
];

#[rustfmt::skip]
const PIECES: &[&str] = &[
    "x", "o", "X", "O", "-", ".", "/", "#", " ", "pass", "a1", "h8", "aa10", "250", "x2", "=", ",", ":", "+", "0", "\n", "\0", "é", "\u{202e}", "k=",
    "holes=", "18446744073709551616", "--", "*", ";", "(", ")", "[", "]", "{", "}", "\"", "(;", ";B[", "$1", "1-0", "1.", "1...", "[FEN \"", "%", "AB[aa]", "\\",
];

fn change(rng: &mut Rng, corpus: &[impl AsRef<str>]) -> String {
    mutated(rng, corpus, PIECES)
}

#[rustfmt::skip]
const BOTS: &[&str] = &[
    "beginner", "hard,time=0.5", "random", "adjacent,hash=1", "depth=7,algorithm=negascout", "nodes=100,noise=20,threads=2",
    "easy,depth=3,nodes=5,time=1e-3,clock=60+0.5,weights=random", "clock=5", "weights=a/b.c,noise=0", "time=0.1,time=1", "depth=", "",
];

#[test]
fn any_bot() {
    let mut rng = Rng::new(11);
    BOTS.iter().for_each(|text| bot_is_read_or_refused(text));
    for _ in 0..INPUTS {
        bot_is_read_or_refused(&change(&mut rng, BOTS));
    }
}

#[test]
fn any_spec() {
    let mut rng = Rng::new(1);
    SPECS.iter().for_each(|text| spec_opens_or_is_refused(text));
    for _ in 0..INPUTS {
        spec_opens_or_is_refused(&change(&mut rng, SPECS));
    }
}

/// Positions and moves of a random game, to start from.
fn corpus(spec: &str, rng: &mut Rng) -> (Vec<String>, Vec<String>) {
    let mut session = catalog::open(spec).expect("a game of the list").session();
    let (mut positions, mut moves) = (Vec::new(), Vec::new());
    while session.outcome().is_none() && positions.len() < 60 {
        let legal = session.moves();
        positions.push(session.position());
        moves.extend(legal.iter().take(3).cloned());
        session.play(&legal[rng.below(legal.len())]).expect("a legal move");
    }
    positions.push(session.position());
    (positions, moves)
}

#[test]
fn any_position() {
    let mut rng = Rng::new(2);
    for spec in TABLES {
        let (positions, _) = corpus(spec, &mut rng);
        let mut session = catalog::open(spec).unwrap().session();
        for text in &positions {
            session.set_position(text).unwrap();
        }
        for _ in 0..INPUTS / TABLES.len() {
            position_is_taken_or_refused(&mut *session, &change(&mut rng, &positions));
        }
    }
}

/// A few random games as a file, with comments, glyphs and variations strewn in.
fn corpus_files(spec: &str, rng: &mut Rng) -> Vec<String> {
    let game = catalog::open(spec).unwrap();
    let mut session = game.session();
    let mut file = String::new();
    for _ in 0..3 {
        let mut record = random_record(&mut *session, rng, 2);
        record.tags.push(("Event".to_owned(), "a \"quoted\" \\ ] event".to_owned()));
        file.push_str(&game.files().write(&record).unwrap());
    }
    vec![file]
}

fn random_record(session: &mut dyn Session, rng: &mut Rng, depth: usize) -> Record {
    while session.undo() {}
    let line = random_line(session, rng, depth);
    Record { line, ..Record::default() }
}

/// A random line from here, with variations down to a depth, after which the session is where it was.
fn random_line(session: &mut dyn Session, rng: &mut Rng, depth: usize) -> Line {
    let mut line = Line { comment: "before".to_owned(), plies: Vec::new() };
    for _ in 0..1 + rng.below(8) {
        let legal = session.moves();
        if legal.is_empty() {
            break;
        }
        let mut ply = Ply { text: legal[rng.below(legal.len())].clone(), ..Ply::default() };
        if depth > 0 && rng.below(3) == 0 {
            ply.variations.push(random_line(session, rng, depth - 1));
            ply.glyphs.push(1 + rng.below(6) as u8);
            ply.comment = "100 % ] ) \\ good".to_owned();
        }
        session.play(&ply.text).unwrap();
        line.plies.push(ply);
    }
    line.plies.iter().for_each(|_| assert!(session.undo()));
    line
}

/// Each format gets its 20,000, shared by the games that use it.
#[test]
fn any_file() {
    let mut rng = Rng::new(4);
    let extension = |spec: &str| catalog::open(spec).unwrap().facts().extension;
    for spec in TABLES {
        let sharing = TABLES.iter().filter(|other| extension(other) == extension(spec)).count();
        let files = corpus_files(spec, &mut rng);
        let game = catalog::open(spec).unwrap();
        let games = game.files().read(&files[0]);
        assert_eq!((games.len(), games.bad().next()), (3, None), "{}", files[0]);
        for text in &files {
            file_is_read_or_refused(&*game, text);
        }
        for _ in 0..INPUTS / sharing {
            file_is_read_or_refused(&*game, &change(&mut rng, &files));
        }
    }
}

#[test]
fn any_move() {
    let mut rng = Rng::new(3);
    for spec in TABLES {
        let (positions, moves) = corpus(spec, &mut rng);
        let mut session = catalog::open(spec).unwrap().session();
        for i in 0..INPUTS / TABLES.len() {
            if i % 50 == 0 {
                session.set_position(&positions[rng.below(positions.len())]).unwrap();
            }
            move_is_played_or_refused(&mut *session, &change(&mut rng, &moves));
        }
    }
}
