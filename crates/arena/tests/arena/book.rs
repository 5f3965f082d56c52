//! Books: counted right, for every family; read and written, or refused; played from.

use std::sync::Arc;

use arena::{Book, BookMove, Booked, End, GameTerms, play};
use game::Rng;
use play::record::Record;
use play::{Choice, Info, Player, PlayerError, Session, Stop, Task, Turn};

/// A book as version 1 wrote it. It must be read for ever.
const SAMPLE: &str = include_str!("../samples/book-1.txt");

const FAMILIES: [&str; 9] = [
    "tictactoe",
    "mnk:4x4,k=3,p=2,q=1,holes=a4+b2",
    "connect4",
    "reversi:6x6",
    "draughts:english",
    "draughts:frisian",
    "go:5x5",
    "chess",
    "chess:fischer=1",
];

fn chess_games(pgn: &str) -> Vec<Record> {
    let found = catalog::open("chess").unwrap().files().read(pgn);
    assert_eq!(found.bad().next(), None);
    found.into_good()
}

fn chess_book(depth: usize, min_count: u32) -> Book {
    // The second and the third game come to the same position by different ways, after different numbers of moves.
    let games = chess_games(
        "1. e4 e5 2. Nf3 Nc6 1-0\n\n1. d4 d5 2. c4 e6 3. Nc3 0-1\n\n\
         1. c4 e6 2. Nc3 Nf6 3. Nb1 Ng8 4. d4 d5 5. Nf3 1/2-1/2\n\n1. e4 c5 *\n",
    );
    Book::build(&*catalog::open("chess").unwrap().session(), &games, depth, min_count).unwrap()
}

fn moves_after(book: &Book, moves: &str) -> Vec<BookMove> {
    let mut session = catalog::open(book.game()).unwrap().session();
    session.play_all(moves).unwrap();
    book.moves(&*session).to_vec()
}

fn counts(text: &str, times: u32, [first, draws, second]: [u32; 3]) -> BookMove {
    BookMove { text: text.to_owned(), times, first, draws, second }
}

#[test]
fn games_are_counted() {
    let book = chess_book(20, 1);
    let start =
        [counts("e2e4", 2, [1, 0, 0]), counts("c2c4", 1, [0, 1, 0]), counts("d2d4", 1, [0, 0, 1])];
    assert_eq!(moves_after(&book, ""), start);
    assert_eq!(
        moves_after(&book, "c4 e6 d4 d5"),
        [counts("b1c3", 1, [0, 0, 1]), counts("g1f3", 1, [0, 1, 0])],
        "neither the way nor the clocks matter"
    );
    assert_eq!(
        moves_after(&book, "c4 e6"),
        [counts("b1c3", 1, [0, 1, 0])],
        "a game that comes back counts once"
    );
    assert_eq!(moves_after(&book, "a3"), []);
    let other = catalog::open("chess:fischer=518").unwrap().session();
    assert_eq!(book.moves(&*other), [], "another game");
}

/// The last move of both is a double step, of another pawn, which nobody can capture: the same position.
#[test]
fn double_steps_transpose() {
    let games = chess_games("1. e4 e6 2. d4 d5 *\n\n1. d4 e6 2. e4 d5 *\n");
    let session = catalog::open("chess").unwrap().session();
    let book = Book::build(&*session, &games, 10, 1).unwrap();
    for moves in ["e2e4 e7e6 d2d4", "d2d4 e7e6 e2e4"] {
        assert_eq!(moves_after(&book, moves), [counts("d7d5", 2, [0, 0, 0])], "{moves}");
    }
}

#[test]
fn depth_and_count_leave_out() {
    let sizes = |depth| [1, 2, 3, 5].map(|min_count| chess_book(depth, min_count).len());
    assert_eq!(sizes(0), [0, 0, 0, 0]);
    assert_eq!(sizes(1), [1, 1, 1, 0]);
    assert_eq!(sizes(20)[1], 3, "the start, after 1. e4, and where two games meet");
    assert_eq!(chess_book(3, 0).min_count(), 1);
    assert!(chess_book(9, 9).is_empty());
}

#[test]
fn records_of_another_game_are_refused() {
    let games = chess_games("1. e4 *\n\n1. d4 *\n");
    let error =
        Book::build(&*catalog::open("go:9x9").unwrap().session(), &games, 9, 1).unwrap_err();
    assert!(error.to_string().starts_with("\"e2e4\": game 1: "), "{error}");
}

/// A game of random moves.
fn random_game(spec: &str, rng: &mut Rng) -> Record {
    let mut session = catalog::open(spec).unwrap().session();
    for _ in 0..120 {
        let moves = session.moves();
        if moves.is_empty() {
            break;
        }
        session.play(&moves[rng.below(moves.len())]).unwrap();
    }
    session.record()
}

#[test]
fn books_of_every_family_round_trip() {
    for spec in FAMILIES {
        let mut rng = Rng::new(6);
        let games: Vec<Record> = (0..30).map(|_| random_game(spec, &mut rng)).collect();
        let session = catalog::open(spec).unwrap().session();
        let book = Book::build(&*session, &games, 200, 1).unwrap();
        let text = book.write();
        assert_eq!(Book::read(&text).as_ref(), Ok(&book), "{spec}");
        assert_eq!(Book::read(&text.replace('\n', "\r\n")).as_ref(), Ok(&book), "{spec}");

        // Every game finds itself in the book, though the book knows nothing of its clocks.
        for record in &games {
            let mut session = catalog::open(spec).unwrap().session();
            for ply in &record.line.plies {
                let known = book.moves(&*session);
                assert!(!known.is_empty() && known.len() < 300, "{spec}");
                let chosen = book.choose(&*session, &mut rng).unwrap();
                assert!(session.moves().contains(&chosen), "{spec}: {chosen}");
                session.play(&ply.text).unwrap();
            }
        }
    }
}

#[test]
fn moves_are_drawn_as_often_as_they_were_played() {
    let book = Book::read(SAMPLE).unwrap();
    let session = catalog::open("checkers").unwrap().session();
    let mut rng = Rng::new(7);
    let drawn = (0..9_000).filter(|_| book.choose(&*session, &mut rng).unwrap() == "11-15").count();
    assert!((6_850..=7_150).contains(&drawn), "{drawn}");
    let mut session = session;
    session.play_all("11-15 23-19").unwrap();
    assert_eq!(book.choose(&*session, &mut rng), None);
}

/// A move that the position allows but the game so far does not.
#[test]
fn what_the_rules_forbid_is_not_drawn() {
    let mut rng = Rng::new(9);
    let mut forbidden = 0;
    for _ in 0..200 {
        let mut session = catalog::open("go:2x2").unwrap().session();
        for _ in 0..20 {
            let moves = session.moves();
            let mut forgetful = catalog::open("go:2x2").unwrap().session();
            forgetful.set_position(&session.position()).unwrap();
            for m in forgetful.moves().iter().filter(|m| !moves.contains(m)) {
                let text = format!(
                    "zermelo book 1\ngame {}\nmin-count 1\n{}; {m} 9 3 3 3\n",
                    session.spec(),
                    session.position()
                );
                let book = Book::read(&text).unwrap();
                assert_eq!(book.moves(&*session).len(), 1);
                assert_eq!(book.choose(&*session, &mut rng), None, "{text}");
                forbidden += 1;
            }
            if moves.is_empty() {
                break;
            }
            session.play(&moves[rng.below(moves.len())]).unwrap();
        }
    }
    assert!(forbidden > 20, "{forbidden}");
}

/// Counts how often it is asked.
struct Asked {
    times: Arc<std::sync::Mutex<u32>>,
    inner: Box<dyn Player>,
}

impl Player for Asked {
    fn choose(
        &mut self,
        session: &dyn Session,
        task: &Task,
        stop: &Stop,
        tell: &mut (dyn FnMut(&Info) + Send),
    ) -> Result<Choice, PlayerError> {
        *self.times.lock().unwrap() += 1;
        self.inner.choose(session, task, stop, tell)
    }
}

#[test]
fn a_player_leaves_the_book_where_it_ends() {
    let book = Arc::new(Book::read(SAMPLE).unwrap());
    let game = |seed: u64| {
        let game = catalog::open("checkers").unwrap();
        let mut session = game.session();
        let times = Arc::new(std::sync::Mutex::new(0));
        let mut players = [0, 1].map(|side| -> Box<dyn Player> {
            let inner = game.player(&"depth=1,hash=1".parse().unwrap(), side).unwrap();
            let inner = Box::new(Asked { times: Arc::clone(&times), inner });
            Box::new(Booked::new(Arc::clone(&book), inner, seed + side))
        });
        let [first, second] = &mut players;
        let seated: [&mut dyn Player; 2] = [&mut **first, &mut **second];
        let finished = play(&mut *session, seated, &GameTerms::default(), &Stop::new());
        assert!(matches!(finished.end, End::Rules(_)), "{finished:?}");
        let asked = *times.lock().unwrap();
        (session.played(), asked)
    };
    let mut begun = [0; 2];
    for seed in 0..12 {
        let (moves, asked) = game(seed);
        let from_book = if moves[0] == "11-15" { 2 } else { 1 };
        assert_eq!(asked as usize + from_book, moves.len());
        assert!(["11-15", "9-14"].contains(&moves[0].as_str()));
        begun[from_book - 1] += 1;
        assert_eq!(game(seed).0, moves, "a seed repeats itself");
    }
    assert!(begun[0] > 0 && begun[1] > begun[0], "{begun:?}");
    let choice = Booked::new(book, Box::new(Silent), 1).choose(
        &*catalog::open("chess").unwrap().session(),
        &Task::default(),
        &Stop::new(),
        &mut |_| {},
    );
    assert_eq!(choice.unwrap().turn, Turn::Claim, "a book of another game is no help");
}

/// Never has a move.
struct Silent;

impl Player for Silent {
    fn choose(
        &mut self,
        _: &dyn Session,
        _: &Task,
        _: &Stop,
        _: &mut (dyn FnMut(&Info) + Send),
    ) -> Result<Choice, PlayerError> {
        Ok(Choice { turn: Turn::Claim, analysis: None })
    }
}

#[test]
fn the_sample_is_read() {
    let book = Book::read(SAMPLE).unwrap();
    assert_eq!((book.game(), book.min_count(), book.len()), ("draughts:english", 2, 2));
    assert_eq!(
        moves_after(&book, ""),
        [counts("11-15", 7, [3, 2, 2]), counts("9-14", 2, [0, 1, 0])]
    );
    assert_eq!(book.write(), SAMPLE);
}

#[test]
fn what_is_wrong_is_named() {
    for (right, wrong, why) in [
        (
            "zermelo book 1",
            "zermelo book 2",
            "line 1: another version of the format; only 1 is known",
        ),
        (
            "zermelo book 1",
            "[Event \"x\"]",
            "line 1: not a book, which begins with \"zermelo book 1\"",
        ),
        (
            "game draughts:english",
            "draughts:english",
            "line 2: here comes the game, as in \"game chess\"",
        ),
        ("draughts:english", "drafts", "line 2: there is no such game"),
        ("min-count 2", "min-count 0", "\"0\": line 3: a number from 1 would be right"),
        ("min-count 2", "min-count +2", "\"+2\": line 3: a number from 0 to 4294967295"),
        ("min-count 2", "min-count", "line 3: here comes how many games make a position known"),
        ("min-count 2", "min-count 8", "line 5: fewer than 8 games came here"),
        ("B:W21", "B:W99", "line 4: "),
        ("9,10,12,15;", "9,10,12,15:H3;", "line 5: a book has this position as \"W:W21,22,"),
        ("; 11-15 7 3 2 2; 9-14 2 0 1 0", "", "line 4: moves are missing"),
        ("; 9-14 2 0 1 0", ";", "line 4: a move is missing"),
        ("9-14 2 0 1 0", "9-14 2 0 1", "line 4: a move and four numbers would be right"),
        ("9-14 2 0 1 0", "9-18 2 0 1 0", "\"9-18\": line 4: "),
        ("9-14 2 0 1 0", "11-15 2 0 1 0", "\"11-15\": line 4: this move has been given before"),
        ("9-14 2 0 1 0", "9-14 2 1 1 1", "line 4: the first number is that of all games"),
        ("9-14 2 0 1 0", "9-14 0 0 0 0", "line 4: the first number is that of all games"),
        ("9-14 2 0 1 0", "9-14 two 0 1 0", "\"two\": line 4: a number from 0 to"),
    ] {
        assert!(SAMPLE.contains(right), "{right}");
        let error = Book::read(&SAMPLE.replacen(right, wrong, 1)).unwrap_err().to_string();
        assert!(error.contains(why) && error.lines().count() == 1, "{error}\nis not\n{why}");
    }
    let twice = format!("{SAMPLE}{}\n", SAMPLE.lines().last().unwrap());
    let error = Book::read(&twice).unwrap_err().to_string();
    assert!(error.contains("line 6: this position has been given before"), "{error}");
    let error = Book::read("zermelo book 1\ngame chess").unwrap_err().to_string();
    assert!(error.starts_with("\"\": line 3: the text ends; here comes how many games"), "{error}");
}

/// Bytes changed, dropped, doubled and cut: read or refused, and what is read is written the same.
#[test]
fn any_text_is_read_or_refused() {
    let mut rng = Rng::new(1913);
    let mut corpus = vec![SAMPLE.to_owned(), chess_book(20, 1).write()];
    for spec in ["tictactoe", "go:5x5", "reversi:4x4", "draughts:frisian", "mnk:2x3,k=2,holes=a2"] {
        let games: Vec<Record> = (0..2).map(|_| random_game(spec, &mut rng)).collect();
        let book = Book::build(&*catalog::open(spec).unwrap().session(), &games, 5, 1).unwrap();
        corpus.push(book.write());
    }
    let (mut taken, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let mut bytes = corpus[rng.below(corpus.len())].clone().into_bytes();
        for _ in 0..=rng.below(2) {
            let at = rng.below(bytes.len());
            match rng.below(6) {
                // Larger counts do little harm, so that some books are still read.
                5 => match bytes[at..].iter().position(u8::is_ascii_digit) {
                    Some(ahead) => bytes[at + ahead] = b'9',
                    None => bytes.push(b'\n'),
                },
                0 => bytes[at] = rng.below(256) as u8,
                1 => bytes[at] = b"0123456789-.;: \nxaHE+"[rng.below(21)],
                2 => drop(bytes.remove(at)),
                3 => bytes.insert(at, bytes[rng.below(bytes.len())]),
                _ => bytes.truncate(at.max(40)),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        match Book::read(&text) {
            Ok(book) => {
                taken += 1;
                assert_eq!(Book::read(&book.write()), Ok(book), "{text}");
            }
            Err(error) => {
                refused += 1;
                assert_eq!(error.to_string().lines().count(), 1, "{error}");
            }
        }
    }
    assert!(taken > 300 && refused > 10_000, "{taken} {refused}");
}
