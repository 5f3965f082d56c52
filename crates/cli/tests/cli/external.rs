//! Whole games with engines in processes of their own: the program itself at the other end, and GNU Go.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use play::{Clock, Limits, Player, Session, Stop, Task, Turn};
use protocols::{Engine, Patience, Program, Protocol, Setup};

/// More moves than any of these games has.
const LONGEST: usize = 400;

fn start(
    protocol: Protocol,
    program: &str,
    arguments: &[&str],
    options: &[(&str, &str)],
) -> Engine {
    let own = |text: &&str| (*text).to_owned();
    let program = Program {
        program: program.to_owned(),
        arguments: arguments.iter().map(own).collect(),
        folder: None,
    };
    let options =
        options.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    Engine::new(Setup { protocol, program, options, patience: Patience::default() })
}

fn zermelo(protocol: Protocol, game: &str, bot: &str) -> Engine {
    let name = protocol.name();
    let arguments = ["engine", game, "--protocol", name, "--ai", bot];
    start(protocol, env!("CARGO_BIN_EXE_zermelo"), &arguments, &[])
}

/// Plays a game to its end; every move must be legal.
fn play(session: &mut dyn Session, mut players: [&mut dyn Player; 2], limits: Option<Limits>) {
    let task = Task { limits, ..Task::default() };
    for _ in 0..LONGEST {
        if session.outcome().is_some() {
            return;
        }
        let player = &mut players[session.to_move().index()];
        let choice = player.choose(session, &task, &Stop::new(), &mut |_| {}).unwrap();
        match choice.turn {
            Turn::Play(text) => drop(session.play(&text).unwrap()),
            turn => panic!("{turn:?} after {:?}", session.played()),
        }
    }
    panic!("{} does not end: {:?}", session.spec(), session.played());
}

fn play_itself(protocol: Protocol, game: &str, start: Option<&str>, limits: Option<Limits>) {
    let mut session = catalog::open(game).unwrap().session();
    if let Some(start) = start {
        session.set_position(start).unwrap();
    }
    let (mut one, mut two) =
        (zermelo(protocol, game, "nodes=60"), zermelo(protocol, game, "nodes=40"));
    play(&mut *session, [&mut one, &mut two], limits);
    // The same engines play another game.
    let mut again = catalog::open(game).unwrap().session();
    play(&mut *again, [&mut two, &mut one], limits);
}

#[test]
fn go_over_gtp() {
    play_itself(Protocol::Gtp, "go:4x4,komi=0.5", None, None);
    play_itself(Protocol::Gtp, "go:3x4", Some("O.../.X../.... w"), None);
}

#[test]
fn clocks_over_gtp() {
    let clock = Clock { left: Duration::from_secs(2), increment: Duration::ZERO, moves: None };
    let limits = Limits { clock: Some(clock), ..Limits::default() };
    play_itself(Protocol::Gtp, "go:2x2", None, Some(limits));
    let limits = Limits { time: Some(Duration::from_millis(50)), ..Limits::default() };
    play_itself(Protocol::Gtp, "reversi:4x4", None, Some(limits));
}

#[test]
fn reversi_over_gtp() {
    play_itself(Protocol::Gtp, "reversi", None, None);
}

#[test]
fn reversi_over_nboard() {
    let limits = Limits { depth: Some(2), ..Limits::default() };
    play_itself(Protocol::NBoard, "reversi", None, Some(limits));
    // Black has to pass at once.
    play_itself(Protocol::NBoard, "reversi:4x4", Some("OOOOOOOOOOOXOOX- X"), Some(limits));
}

#[test]
fn engines_that_cannot_play_are_refused() {
    let session = catalog::open("go:9x9").unwrap().session();
    let choose = |mut engine: Engine| {
        engine
            .choose(&*session, &Task::default(), &Stop::new(), &mut |_| {})
            .unwrap_err()
            .to_string()
    };
    let why = choose(zermelo(Protocol::Gtp, "reversi", "nodes=1"));
    assert!(why.contains("unacceptable size"), "{why}");
    let program = env!("CARGO_BIN_EXE_zermelo");
    let arguments = ["engine", "go:9x9", "--protocol", "gtp"];
    let why = choose(start(Protocol::Gtp, program, &arguments, &[("level", "1")]));
    assert!(why.contains("unknown command"), "{why}");
}

/// Where GNU Go is.
fn gnu_go() -> &'static str {
    let found = ["/usr/games/gnugo", "/usr/bin/gnugo", "/usr/local/bin/gnugo"];
    let found = found.into_iter().find(|path| Path::new(path).exists());
    found.expect("this test plays GNU Go, which is not there: install the Debian package gnugo")
}

const GNU_GO: [&str; 11] = [
    "--seed",
    "1",
    "--mode",
    "gtp",
    "--level",
    "1",
    "--chinese-rules",
    "--positional-superko",
    "--capture-all-dead",
    "--never-resign",
    "--quiet",
];

/// What GNU Go thinks a game has come to, Black's points positive, and which stones it calls dead.
fn gnu_go_score(session: &dyn Session, size: usize, komi: f64) -> (f64, String) {
    let mut child = Command::new(gnu_go())
        .args(GNU_GO)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = format!("boardsize {size}\nclear_board\nkomi {komi}\n");
    for (number, m) in session.played().iter().enumerate() {
        said += &format!("play {} {m}\n", ["b", "w"][number % 2]);
    }
    said += "7 final_status_list dead\n8 final_score\nquit\n";
    let mut input = child.stdin.take().unwrap();
    input.write_all(said.as_bytes()).unwrap();
    drop(input);
    let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(!output.contains('?'), "{output}");
    let answer = |id: &str| {
        let answer = output.split(id).nth(1).and_then(|rest| rest.split("\n\n").next());
        answer.unwrap_or_else(|| panic!("{output}")).trim().to_owned()
    };
    let score = answer("=8");
    let points = |text: &str| text.parse::<f64>().unwrap();
    let score = match score.split_once('+') {
        Some(("B", text)) => points(text),
        Some(("W", text)) => -points(text),
        _ => points(&score),
    };
    (score, answer("=7"))
}

/// Two games, one of each colour: legal all the way. Where GNU Go leaves nothing dead on the board, which our rules of area
/// would count as alive, both count the same in the end.
#[test]
fn go_against_gnu_go() {
    for we_begin in [true, false] {
        let game = catalog::open("go:5x5,komi=0.5").unwrap();
        let mut session = game.session();
        let bot = "nodes=3000".parse().unwrap();
        let mut own = game.player(&bot, 1).unwrap();
        let mut other = start(Protocol::Gtp, gnu_go(), &GNU_GO, &[("set_random_seed", "1")]);
        let (own, other): (&mut dyn Player, &mut dyn Player) = (&mut *own, &mut other);
        play(&mut *session, if we_begin { [own, other] } else { [other, own] }, None);
        let ours = session.outcome().unwrap().points().unwrap().as_f64();
        let (theirs, dead) = gnu_go_score(&*session, 5, 0.5);
        if dead.is_empty() {
            assert_eq!(ours, theirs, "{:?}\n{}", session.played(), session.diagram());
        }
    }
}

/// Nothing on this board is in doubt: the scores agree whatever the engines play elsewhere.
#[test]
fn gnu_go_counts_as_we_do() {
    let mut session = catalog::open("go:7x7,komi=6.5").unwrap().session();
    let moves = "D1 E1 D2 E2 D3 E3 D4 E4 D5 E5 D6 E6 D7 E7 B2 G2 B4 G4 B6 G6 pass pass";
    session.play_all(moves).unwrap();
    let ours = session.outcome().unwrap().points().unwrap().as_f64();
    assert_eq!(gnu_go_score(&*session, 7, 6.5), (ours, String::new()));
}

/// A program that speaks GTP well enough to be greeted, and answers `genmove` with this.
#[cfg(unix)]
fn liar(answer: &str) -> Engine {
    let script = format!(
        "while read -r word rest; do case $word in \
         genmove) {answer};; \
         protocol_version) printf '= 2\\n\\n';; \
         *) printf '= \\n\\n';; esac; done"
    );
    start(Protocol::Gtp, "sh", &["-c", &script], &[])
}

#[cfg(unix)]
#[test]
fn lies_over_gtp_are_found_out() {
    let mut session = catalog::open("go:5x5").unwrap().session();
    session.play("C3").unwrap();
    for (answer, fault) in [
        ("printf '= C3\\n\\n'", "taken"),
        ("printf '= Z9\\n\\n'", "not a point"),
        ("printf '=\\n\\n'", "not a point"),
        ("printf '? I do not know\\n\\n'", "I do not know"),
        ("exit 3", "ended"),
        ("exec yes $(printf %09999d 0)", "without end"),
    ] {
        let mut engine = liar(answer);
        let why = engine.choose(&*session, &Task::default(), &Stop::new(), &mut |_| {});
        let why = why.unwrap_err().to_string();
        assert!(why.contains(fault), "{answer}: {why}");
    }
    let mut engine = liar("printf '=\\tResign\\n\\n'");
    let choice = engine.choose(&*session, &Task::default(), &Stop::new(), &mut |_| {}).unwrap();
    assert_eq!(choice.turn, Turn::Resign);
}

#[cfg(unix)]
#[test]
fn lies_over_nboard_are_found_out() {
    let session = catalog::open("reversi").unwrap().session();
    for (answer, fault) in
        [("=== A1", "turns no disc"), ("=== PA", "only who can"), ("===x9/", "not a square")]
    {
        let script = format!(
            "while read -r word rest; do case $word in go) echo '{answer}';; ping) echo pong $rest;; esac; done"
        );
        let mut engine = start(Protocol::NBoard, "sh", &["-c", &script], &[("depth", "3")]);
        let why = engine.choose(&*session, &Task::default(), &Stop::new(), &mut |_| {});
        let why = why.unwrap_err().to_string();
        assert!(why.contains(fault), "{answer}: {why}");
    }
}
