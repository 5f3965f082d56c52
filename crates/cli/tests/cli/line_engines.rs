//! Line games between engines that are driven as any foreign engine is: the program at both ends of each protocol.

use std::time::Duration;

use play::{Limits, Player, Session, Stop, Task, Turn};
use protocols::{Engine, Patience, Program, Protocol, Setup};

use crate::support::with_input;

/// The program as an engine.
fn engine(game: &str, protocol: Protocol, options: &[(&str, &str)]) -> Engine {
    let arguments = ["engine", game, "--protocol", protocol.name()].map(str::to_owned).to_vec();
    let program = env!("CARGO_BIN_EXE_zermelo").to_owned();
    started(Program { program, arguments, folder: None }, protocol, options)
}

fn started(program: Program, protocol: Protocol, options: &[(&str, &str)]) -> Engine {
    let options = options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned()));
    let patience = Patience {
        greeting: Duration::from_secs(30),
        lateness: Duration::from_secs(30),
        timeless: Duration::from_secs(30),
    };
    Engine::new(Setup { protocol, program, options: options.collect(), patience })
}

/// A shell script as an engine.
#[cfg(unix)]
fn script(text: &str, protocol: Protocol) -> Engine {
    let arguments = vec!["-c".to_owned(), text.to_owned()];
    started(Program { program: "sh".to_owned(), arguments, folder: None }, protocol, &[])
}

fn choose(engine: &mut Engine, session: &dyn Session, limits: Limits) -> Result<String, String> {
    let task = Task { limits: Some(limits), ..Task::default() };
    let choice = engine.choose(session, &task, &Stop::new(), &mut |_| {});
    let choice = choice.map_err(|e| e.to_string())?;
    match choice.turn {
        Turn::Play(text) => Ok(text),
        other => Err(format!("{other:?}")),
    }
}

/// Plays on until the game is over; every move is legal, since the session takes it.
fn play(engines: &mut [Engine; 2], session: &mut dyn Session, limits: Limits) {
    while session.outcome().is_none() {
        let side = session.to_move().index();
        let chosen = choose(&mut engines[side], session, limits).unwrap();
        session.play(&chosen).unwrap();
    }
}

const AT_ONCE: Limits =
    Limits { depth: None, nodes: None, time: Some(Duration::ZERO), clock: None };
const SHALLOW: Limits = Limits { depth: Some(1), nodes: None, time: None, clock: None };

#[test]
fn gomocup_engines_play_each_other() {
    let mut engines = [(); 2].map(|()| engine("gomoku", Protocol::Gomocup, &[]));
    for (spec, opening) in
        [("mnk:7x7,k=5", ""), ("mnk:7x7,k=5", "a1 b2 c3 d5"), ("mnk:7x7,k=5", "a1 b2 c3")]
    {
        let mut session = catalog::open(spec).unwrap().session();
        session.play_all(opening).unwrap();
        play(&mut engines, &mut *session, AT_ONCE);
    }
    // From a position, and with the other rule on a board that is no square.
    let mut engines = [(); 2].map(|()| engine("gomoku", Protocol::Gomocup, &[]));
    let mut session = catalog::open("mnk:5x6,k=5,win=exact").unwrap().session();
    session.set_position("xx..../oo..../....../....../...... x").unwrap();
    play(&mut engines, &mut *session, AT_ONCE);
}

#[test]
fn gomocup_has_no_words_for_other_games() {
    for spec in ["connect6", "connect4", "tictactoe"] {
        let session = catalog::open(spec).unwrap().session();
        let mut engine = engine(spec, Protocol::Gomocup, &[]);
        let why = choose(&mut engine, &*session, AT_ONCE).unwrap_err();
        assert!(why.starts_with("the engine cannot play this: "), "{why}");
    }
}

/// Without a protocol named, the first line tells what is spoken.
#[test]
fn the_first_line_decides() {
    for (input, output) in [
        (
            "\nnewgame black human white human\nmakemove 2 2\nquit\n",
            "game started\nmove black 2 2\n(3,3,3,1,1)GameEngine has exited\n",
        ),
        ("quit\n", "(3,3,3,1,1)GameEngine has exited\n"),
        ("INFO timeout_turn 0\nSTART 1\nRESTART\nEND\n", "OK\nOK\n"),
        ("END\n", ""),
        ("", ""),
    ] {
        let ran = with_input(&["engine", "tictactoe"], input.as_bytes());
        assert_eq!((ran.code, &*ran.out, &*ran.err), (Some(0), output, ""), "{input}");
    }
}

/// What a front could not make sense of is said on standard error, where no protocol is spoken.
#[test]
fn an_engine_that_is_not_understood_says_so() {
    let ran = with_input(&["engine", "tictactoe"], b"Hello\nHello\ninfo\nquit\n");
    assert!(ran.out.starts_with("(3,3,3,1,1)"), "{ran:?}");
    assert!(ran.err.contains("\"Hello\" begins no protocol that is spoken here; "), "{ran:?}");
    assert_eq!(ran.err.lines().count(), 1, "{ran:?}");
    // Rules that Hub has no word for.
    let ran = with_input(&["engine", "draughts:8x8,men=2"], b"hub\nquit\n");
    assert!(ran.out.contains("wait"), "{ran:?}");
    assert!(ran.err.contains("hub has no words for draughts:english,men=2"), "{ran:?}");
    assert_eq!(with_input(&["engine", "draughts:frisian"], b"hub\nquit\n").err, "");
    assert_eq!(with_input(&["engine", "connect4"], b"info\nquit\n").err, "");
}

/// Games that the first version cannot name, from any start.
#[test]
fn text_engines_play_each_other() {
    let options = [("ai", "depth=1,hash=1")];
    let mut engines = [(); 2].map(|()| engine("tictactoe", Protocol::Text, &options));
    for (spec, position, opening) in [
        ("mnk:6x6,k=4,p=2,q=1", None, ""),
        ("mnk:6x6,k=4,p=2,q=1", None, "a1 b2 c3"),
        ("mnk:4x5,k=4,gravity", None, "a b"),
        ("mnk:3x4,k=3,p=3,q=2,holes=a1", Some("xx../..../#... o3"), ""),
    ] {
        let mut session = catalog::open(spec).unwrap().session();
        if let Some(position) = position {
            session.set_position(position).unwrap();
        }
        session.play_all(opening).unwrap();
        play(&mut engines, &mut *session, SHALLOW);
    }
}

/// Engines that do not know the second version are engines too.
#[cfg(unix)]
#[test]
fn engines_of_the_first_version_play_each_other() {
    for spec in ["tictactoe", "mnk:4x5,k=4,p=2,q=1", "mnk:5x5,k=4,p=3,q=2,win=exact"] {
        let program = env!("CARGO_BIN_EXE_zermelo");
        let old =
            format!("sed -u '/^mnk/d' | '{program}' engine '{spec}' --ai adjacent --protocol text");
        let mut engines = [(); 2].map(|()| script(&old, Protocol::Text));
        for _ in 0..3 {
            let mut session = catalog::open(spec).unwrap().session();
            play(&mut engines, &mut *session, SHALLOW);
        }
        // It cannot be told where its own stones are.
        let mut session = catalog::open(spec).unwrap().session();
        let first = session.moves()[0].clone();
        session.play(&first).unwrap();
        while session.to_move() == game::Side::Second {
            let next = session.moves()[0].clone();
            session.play(&next).unwrap();
        }
        let why = choose(&mut engines[0], &*session, SHALLOW);
        assert!(why.as_ref().is_err_and(|why| why.contains("cannot place its stones")), "{why:?}");
        // Nor does it play another game.
        let other = catalog::open("mnk:3x3,k=2").unwrap().session();
        let why = choose(&mut engines[1], &*other, SHALLOW).unwrap_err();
        assert!(why.contains("not (3,3,2,1,1) K_OR_MORE_TO_WIN"), "{why}");
    }
}

/// What wrong engines do is told in one line.
#[cfg(unix)]
#[test]
fn wrong_engines_are_named() {
    let session = catalog::open("gomoku").unwrap().session();
    let ask = |script_text: &str, protocol| {
        let mut engine = script(script_text, protocol);
        let why = choose(&mut engine, &*session, AT_ONCE).unwrap_err();
        assert!(!why.contains('\n'), "{why}");
        why
    };
    let gomocup = |begin: &str| {
        let text = format!(
            "while read -r line; do case $line in START*) echo OK;; BEGIN*) {begin};; esac; done"
        );
        ask(&text, Protocol::Gomocup)
    };
    assert!(gomocup("echo 99,99").contains("off the board"));
    assert!(gomocup("echo 1,1 2,2").contains("a move was expected"));
    assert!(gomocup("echo ERROR no").contains("ERROR no"));
    assert!(gomocup("exit 3").contains("the engine ended"));
    let refused = ask("read line; echo ERROR only 20x20; sleep 5", Protocol::Gomocup);
    assert!(refused.contains("only 20x20"), "{refused}");
    let text = |go: &str| {
        let answers = "isready*) echo readyok;; mnk*) echo mnk 2 x;;";
        let text = format!("while read -r line; do case $line in {answers} go*) {go};; esac; done");
        ask(&text, Protocol::Text)
    };
    assert!(text("echo best 99 1").contains("off the board"));
    assert!(text("echo error no").contains("error no"));
    assert!(text("exit 1").contains("the engine ended"));
    let mut suggests = script(
        "while read -r line; do case $line in START*) echo OK;; BEGIN) echo SUGGEST 3,3;; PLAY*) echo 4,4;; esac; done",
        Protocol::Gomocup,
    );
    assert_eq!(choose(&mut suggests, &*session, AT_ONCE).as_deref(), Ok("e11"));
}
