//! Zermelo as an engine of the text protocol.

use crate::common::{Front, mangle, say_all};
use game::{Rng, Side};
use play::Session;
use protocols::text::{Command, Reply, Text};
use protocols::{Host as _, HostError, Identity, LineGame, Speaker};

/// One that does not think unless it is told to.
fn speaker(session: Box<dyn Session>) -> Box<dyn Speaker> {
    played_by("adjacent", session)
}

/// One that plays as well as it can.
fn best(session: Box<dyn Session>) -> Box<dyn Speaker> {
    played_by("", session)
}

fn played_by(ai: &str, session: Box<dyn Session>) -> Box<dyn Speaker> {
    let identity = Identity {
        name: "Zermelo".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        bot: String::new(),
        text_ai: ai.to_owned(),
    };
    Box::new(Text::new(&identity, session).unwrap())
}

#[test]
fn dialogues() {
    crate::common::play_dialogues("text", speaker);
}

/// What the page about the protocol shows comes out letter by letter.
#[test]
fn dialogues_of_the_page() {
    let page = include_str!("../../../../docs/mnk-protocol.md");
    let blocks = page.split("```").skip(1).step_by(2).filter(|block| block.contains("\n> "));
    let mut games = ["tictactoe", "connect6"].iter();
    for block in blocks.filter(|block| block.contains("> quit")) {
        let front = Front::of(games.next().unwrap(), best);
        for line in block.trim().lines() {
            match line.strip_prefix("> ") {
                Some(said) => front.say(said),
                None => assert_eq!(front.hear().as_deref(), Some(line), "{block}"),
            }
        }
    }
    assert_eq!(games.next(), None, "there are two");
}

fn script(spec: &str, text: &str) -> Vec<String> {
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    say_all(spec, speaker, &lines)
}

/// A script is answered as somebody who types: the engine's stones come before the next command is
/// read.
#[test]
fn scripts_are_answered_as_if_typed() {
    let text = "setai nodes=3000\nnewgame\nmakemove 4 4\nmovesmade\ngetplayer\nmakemove 9 9\n\
                mnk 1\nmakemove 1 1\nmovesmade\nprintboard\nquit";
    let said = script("mnk:7x7,k=5,p=2", text);
    let stones = |said: &[String]| said.iter().filter(|line| line.starts_with("move ")).count();
    assert_eq!(said[..3], ["ai is nodes=3000", "game started", "move black 4 4"]);
    assert!(said[3..5].iter().all(|line| line.starts_with("move white ")), "{said:?}");
    assert_eq!(said[5..8], ["3", "black", "invalid move"]);
    assert_eq!(said.iter().rposition(|line| line.starts_with("move black 1 1")), Some(10));
    assert_eq!((stones(&said), &*said[11]), (4, "4"), "{said:?}");
    assert_eq!(said.last().unwrap(), "(7,7,5,2,1)GameEngine has exited");
    // Questions are answered before goodbye, too.
    let said = script("gomoku", "setai nodes=3000\nposition start\ngo\ngo\nquit");
    let answers = said.iter().filter(|line| line.starts_with("best ")).count();
    assert_eq!((answers, said.len()), (2, 5), "{said:?}");
}

/// Who hears no more stops: the turn under way is played with what is known, and no other is begun.
#[test]
fn engines_stop_at_the_end_of_their_input() {
    for (spec, stones) in [("mnk:9x9,k=5", 1), ("mnk:9x9,k=5,p=2,q=3", 3)] {
        let said = script(spec, "setai time=100000\nnewgame black ai white ai");
        assert_eq!(said[1], "game started");
        assert_eq!(said[2..].len(), stones, "{said:?}");
        assert!(said[2..].iter().all(|line| line.starts_with("move black ")), "{said:?}");
    }
    let said = script("gomoku", "setai time=100000\nposition start\ngo");
    assert!(said.last().unwrap().starts_with("best "), "{said:?}");
}

#[test]
fn engines_say_what_may_be_said() {
    let said = script("tictactoe", "help\nquit").join("\n");
    for line in LINES.iter().filter(|line| Command::read(line).is_ok_and(|read| read.is_some())) {
        let word = line.split(' ').next().unwrap();
        assert!(word == "clock" || said.contains(word), "{word}: {said}");
    }
}

/// The same square is called the same by both sides.
#[test]
fn errors_speak_in_points() {
    for (spec, line, error) in [
        ("gomoku", "position start moves 1 1 1 1", "move 2, 1 1: 1 1 is taken"),
        (
            "gomoku",
            "position start moves 16 1",
            "move 1, 16 1, is off the board: x is from 1 to 15",
        ),
        ("mnk:3x4,k=3,holes=a1", "position start moves 1 3", "move 1, 1 3: 1 3 is a hole"),
        ("mnk:3x4,k=3,holes=a1", "position x.../..../.... o", "1 3 is a hole; write #"),
        ("mnk:3x4,k=3,gravity", "position start moves 2 1", "comes to rest on 2 3"),
        ("mnk:1x2,k=3,gravity", "position start moves 2 1 2 1", "column 2 is full"),
        ("mnk:3x4,k=3,gravity", "position x.../..../.... o", "1 1 floats: 1 3 below"),
        ("mnk:19x19,k=6,p=2", "position start moves 1 1 2 2 2 2", "move 3, 2 2: 2 2 is taken"),
    ] {
        let said = script(spec, line);
        assert!(said[0].starts_with("error ") && said[0].contains(error), "{line}: {said:?}");
    }
    // A turn is no square, even where there is one of this name.
    let board = vec!["."; 19].join("");
    let board = vec![&*board; 19].join("/");
    let said = script("connect6", &format!("position {board} o2"));
    assert!(said[0].contains("written x1, not \"o2\""), "{said:?}");
}

/// Lends players that note the limits they are given.
struct Watched;

static LIMITS: std::sync::Mutex<Vec<Option<play::Limits>>> = std::sync::Mutex::new(Vec::new());

impl protocols::Host for Watched {
    fn open(&self, spec: &str) -> Result<Box<dyn Session>, game::TextError> {
        crate::common::House.open(spec)
    }

    fn player(&self, _: &str, _: &str) -> Result<Box<dyn play::Player>, HostError> {
        Ok(Box::new(Watched))
    }

    fn elo_range(&self, _: &str) -> Option<std::ops::RangeInclusive<u32>> {
        None
    }

    fn fitting_hash(&self, megabytes: u32) -> u32 {
        megabytes
    }

    fn time(&self, spec: &str, bot: &str, games: Option<usize>) -> Result<play::Timing, HostError> {
        crate::common::House.time(spec, bot, games)
    }

    fn read_games(&self, _: &str, _: &str) -> Result<play::record::Games, HostError> {
        Err(HostError::NoFiles)
    }
}

impl play::Player for Watched {
    fn choose(
        &mut self,
        session: &dyn Session,
        task: &play::Task,
        _: &play::Stop,
        _: &mut (dyn FnMut(&play::Info) + Send),
    ) -> Result<play::Choice, play::PlayerError> {
        LIMITS.lock().unwrap().push(task.limits);
        Ok(play::Choice { turn: play::Turn::Play(session.moves()[0].clone()), analysis: None })
    }
}

/// A player that thinks is measured as it plays, not within a few milliseconds.
#[test]
fn players_are_measured_as_they_play() {
    // Its first stone alone, or whole games: nobody wins on four points, so each has four stones.
    for (said, lines, stones) in [("perf", 3, 1), ("perf 3", 5, 12)] {
        LIMITS.lock().unwrap().clear();
        let mut speaker =
            played_by("montecarlo", crate::common::House.open("mnk:2x2,k=3").unwrap());
        let input = Box::new(std::io::Cursor::new(format!("{said}\nquit\n").into_bytes()));
        let mut output = Vec::new();
        protocols::serve(&mut *speaker, &Watched, input, &mut output).unwrap();
        assert_eq!(*LIMITS.lock().unwrap(), vec![None; stones], "{said}");
        assert_eq!(String::from_utf8(output).unwrap().matches("average").count(), lines);
    }
}

/// A small game at random.
fn any_game(rng: &mut Rng) -> String {
    let [rows, columns] = [0; 2].map(|_| 1 + rng.below(5));
    let (k, p, q) = (1 + rng.below(5), 1 + rng.below(3), 1 + rng.below(3));
    let exact = if rng.below(3) == 0 { ",win=exact" } else { "" };
    let gravity = if rng.below(6) == 0 { ",gravity" } else { "" };
    format!("mnk:{rows}x{columns},k={k},p={p},q={q}{exact}{gravity}")
}

fn ask(front: &Front, command: &str) -> Reply {
    front.say(command);
    heard(front)
}

fn heard(front: &Front) -> Reply {
    let line = front.hear().unwrap();
    Reply::read(&line).unwrap_or_else(|| panic!("{line}"))
}

/// Hears of the next stone, and of the end of the game if it ends with it.
fn follow(front: &Front, session: &mut dyn Session, game: &LineGame) {
    let Reply::Move(side, point) = heard(front) else { panic!("no move") };
    assert_eq!(side, session.to_move());
    session.play(&game.name(point).unwrap()).unwrap();
    let Some(outcome) = session.outcome() else { return };
    match outcome.winner() {
        None => assert_eq!(heard(front), Reply::Draw),
        Some(winner) => {
            assert_eq!(heard(front), Reply::Winner(winner));
            let Reply::WinningLine(a, b) = heard(front) else { panic!("no line") };
            let [across, down] = [a.x.abs_diff(b.x), a.y.abs_diff(b.y)];
            assert!(across == 0 || down == 0 || across == down, "{a:?} {b:?}");
            let length = across.max(down) + 1;
            assert!(if game.exact { length == game.k } else { length >= game.k }, "{length}");
        }
    }
}

/// What the engine says of the game is what a session says.
fn compare(front: &Front, session: &dyn Session, game: &LineGame) {
    let made = session.played().len();
    assert_eq!(ask(front, "movesmade"), Reply::Number(made as u64));
    // The position says how many stones are left where turns have several.
    let over = session.outcome().is_some();
    let last = game.turn_after(made.saturating_sub(1)).0;
    let player = if over { last } else { session.to_move() };
    assert_eq!(ask(front, "getplayer"), Reply::Player(player));
    let position = session.position();
    let turn = position.rsplit(' ').next().unwrap();
    let left = turn[1..].parse().unwrap_or(1);
    assert_eq!(ask(front, "movesleft"), Reply::Number(if over { 0 } else { left }));
    let Reply::Moves(points) = ask(front, "getmoves") else { panic!("no moves") };
    let mut names: Vec<String> = points.iter().map(|&point| game.name(point).unwrap()).collect();
    let mut legal = session.moves();
    names.sort();
    legal.sort();
    assert_eq!(names, legal);
}

#[test]
fn games_of_two_engines_end() {
    let mut rng = Rng::new(1);
    for _ in 0..60 {
        let spec = any_game(&mut rng);
        let mut session = catalog::open(&spec).unwrap().session();
        let game = LineGame::of(&session.spec()).unwrap();
        let front = Front::of(&spec, speaker);
        assert_eq!(ask(&front, "newgame black ai white ai"), Reply::Started);
        while session.outcome().is_none() {
            follow(&front, &mut *session, &game);
        }
        compare(&front, &*session, &game);
    }
}

#[test]
fn games_with_an_engine_end() {
    let mut rng = Rng::new(2);
    for number in 0..120 {
        let spec = any_game(&mut rng);
        let mut session = catalog::open(&spec).unwrap().session();
        let game = LineGame::of(&session.spec()).unwrap();
        let front = Front::of(&spec, speaker);
        let human = [Some(Side::First), Some(Side::Second), None][number % 3];
        assert_eq!(
            ask(
                &front,
                match human {
                    Some(Side::First) => "newgame",
                    Some(Side::Second) => "newgame white human black ai",
                    None => "newgame black human white human",
                }
            ),
            Reply::Started
        );
        while session.outcome().is_none() {
            if human.is_none_or(|human| human == session.to_move()) {
                compare(&front, &*session, &game);
                let moves = session.moves();
                let point = game.point(&moves[rng.below(moves.len())]).unwrap();
                front.say(&Command::MakeMove(point).write());
            }
            follow(&front, &mut *session, &game);
        }
        compare(&front, &*session, &game);
        assert_eq!(ask(&front, "makemove 1 1"), Reply::InvalidMove);
    }
}

/// The second version: questions about positions change nothing and get one legal answer.
#[test]
fn positions_are_thought_over() {
    let mut rng = Rng::new(3);
    for _ in 0..60 {
        let spec = any_game(&mut rng);
        let mut session = catalog::open(&spec).unwrap().session();
        let game = LineGame::of(&session.spec()).unwrap();
        let front = Front::of("tictactoe", speaker);
        assert!(matches!(ask(&front, "mnk 2"), Reply::Hello(2, _)));
        assert_eq!(heard(&front), Reply::Ready);
        let text = spec.strip_prefix("mnk:").unwrap();
        let normal = session.spec().strip_prefix("mnk:").unwrap().to_owned();
        assert_eq!(ask(&front, &format!("game {text}")), Reply::Game(normal));
        assert_eq!(ask(&front, "setai depth=1"), Reply::Ai("depth=1".to_owned()));
        while session.outcome().is_none() {
            let moves: Vec<_> =
                session.played().iter().map(|name| game.point(name).unwrap()).collect();
            let as_text = Command::Position { start: Some(session.position()), moves: vec![] };
            let as_moves = Command::Position { start: None, moves };
            for position in [as_text, as_moves] {
                assert_eq!(ask(&front, &position.write()), Reply::Ok);
                let Reply::Best(point) = ask(&front, "go depth 1") else { panic!("no move") };
                assert!(session.moves().contains(&game.name(point).unwrap()));
            }
            let moves = session.moves();
            session.play(&moves[rng.below(moves.len())]).unwrap();
        }
    }
}

#[rustfmt::skip]
const LINES: &[&str] = &[
    "newgame", "newgame white ai black human", "newgame black ai white ai", "newgame black human white human", "printboard", "getmoves", "getplayer",
    "movesleft", "movesmade", "makemove 1 1", "makemove 2 2", "makemove 3 1", "makemove 0 0", "makemove 99 99", "perf", "isready", "info", "setai random",
    "setai depth=1", "setai adjacent", "setai nonsense", "mnk 2", "mnk 99999999999", "game", "game 4x4,k=3,p=2", "game 3x3", "position start",
    "position start moves 1 1 2 2", "position .../.x./... o moves 1 1", "position ... o", "go", "go depth 1", "go nodes 10 among 1 1 3 3", "time 1", "time 0", "clock 100 10 5",
    "depth 1", "nodes 5", "think on", "think off", "halt", "help", "hello", "", "game started", "moves: (1 1) (2 3)", "move black 1 1", "invalid move", "winner is white",
    "wining line is from 1 1 to 3 3", "winning line is from 1 1 to 3 3", "draw", "readyok", "black", "17", "(3,3,3,1,1) K_OR_MORE_TO_WIN", "(3,3,3,1,1)",
    "(3,3,3,1,1) EXACTLY_K_TO_WIN", "average AIPlayer::GetMove() execution is 10620.1 ns", "average x execution is 1,5e3 ns", "(3,3,3,1,1)GameEngine has exited",
    "unknown command", "ai is hard", "mnk 2 name a version b", "ready", "ok", "error why", "best 1 1", "think depth 3 score -5 nodes 7 time 1 line (1 1) (2 2)",
];

#[test]
fn any_line_is_read_or_refused() {
    let mut rng = Rng::new(4);
    for _ in 0..20_000 {
        let line = mangle(&mut rng, LINES);
        if let Ok(Some(command)) = Command::read(&line) {
            let written = command.write();
            // No limit is written as nothing.
            if !written.is_empty() {
                assert_eq!(Command::read(&written), Ok(Some(command)), "{line}");
            }
        }
        // Times are written with one digit after the point.
        match Reply::read(&line) {
            None | Some(Reply::Perf(..)) => {}
            Some(reply) => assert_eq!(Reply::read(&reply.write()), Some(reply), "{line}"),
        }
    }
}

/// Whatever a front says, nothing panics or hangs, and the last word is the engine's goodbye.
#[test]
fn any_dialogue_ends() {
    let mut rng = Rng::new(7);
    for number in 0..500 {
        let mut lines: Vec<String> = Vec::new();
        for _ in 0..rng.below(25) {
            let line = mangle(&mut rng, LINES);
            // Waiting and memory are not what is tested, and there is only one goodbye.
            let word = line.trim().to_lowercase();
            let leaves = ["stop", "exit", "quit"].iter().any(|&bye| word.starts_with(bye));
            let is_huge = word.starts_with("game") && word.contains("99999");
            if !leaves && !is_huge {
                lines.push(line);
            }
        }
        lines.push("quit".to_owned());
        let said = say_all("tictactoe", speaker, &lines);
        let last = said.last().unwrap();
        assert!(last.ends_with("GameEngine has exited"), "{number}: {lines:?} {last}");
    }
}
