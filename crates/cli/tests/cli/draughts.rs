//! Draughts engines driven by us, and draughts over the network.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use play::{Limits, Player, Stop, Task, Turn};
use protocols::{Engine, Patience, Program, Protocol, Setup};
use serde_json::{Value, json};

use crate::support::{command, zermelo};

/// Our engine as anybody's.
fn engine(game: &str, options: &[(&str, &str)]) -> Engine {
    let arguments = ["engine", game].map(str::to_owned).to_vec();
    let program = env!("CARGO_BIN_EXE_zermelo").to_owned();
    Engine::new(Setup {
        protocol: Protocol::Hub,
        program: Program { program, arguments, folder: None },
        options: options.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
        patience: Patience { greeting: Duration::from_secs(30), ..Patience::default() },
    })
}

/// Our client drives our own server through a game to its end.
#[test]
fn hub_engines_play_each_other() {
    for spec in ["draughts:international", "draughts:frisian", "draughts:russian", "checkers"] {
        // One of them has to be told the variant.
        let other = if spec.contains("frisian") { "draughts:international" } else { spec };
        let mut engines = [engine(spec, &[("hash", "1")]), engine(other, &[("TT-SIZE", "16")])];
        let mut session = catalog::open(spec).unwrap().session();
        let mut told = 0;
        let mut plies = 0;
        // Nobody can claim in this protocol.
        while session.outcome().is_none() && !session.claim() {
            let depth = 1 + plies % 2;
            let limits = Limits { depth: Some(depth), ..Limits::default() };
            let task = Task { limits: Some(limits), ..Task::default() };
            let mut tell = |info: &play::Info| {
                assert!(info.lines.iter().all(|line| !line.moves.is_empty()), "{info:?}");
                told += 1;
            };
            let engine = &mut engines[(plies % 2) as usize];
            let choice = engine.choose(&*session, &task, &Stop::new(), &mut tell).unwrap();
            let Turn::Play(text) = choice.turn else { panic!("{choice:?}") };
            assert!(session.moves().contains(&text), "{spec}: {text}");
            session.play(&text).unwrap();
            plies += 1;
            assert!(plies < 1000, "{spec}: {}", session.position());
        }
        assert!(told > 10 && plies > 20, "{spec}: {told} {plies}");
        assert!(session.outcome().is_some(), "{spec}");
    }
}

#[test]
fn hub_engines_are_told_to_stop_and_what_they_cannot() {
    let session = catalog::open("draughts:international").unwrap().session();
    let stop = Stop::new();
    let flag = stop.clone();
    let timer = thread::spawn(move || {
        thread::sleep(Duration::from_millis(200));
        flag.stop();
    });
    let time = Some(Duration::from_secs(1000));
    let task = Task { limits: Some(Limits { time, ..Limits::default() }), ..Task::default() };
    let mut player = engine("draughts:international", &[]);
    let choice = player.choose(&*session, &task, &stop, &mut |_| {}).unwrap();
    assert!(choice.analysis.unwrap().pv.len() > 1);
    timer.join().unwrap();
    for (options, said) in [
        (&[("nothing", "1")][..], "it has no parameter nothing; it has variant, hash"),
        (&[("hash", "0")], "hash is a number from 1 to 65536"),
    ] {
        let mut player = engine("draughts:international", options);
        let error =
            player.choose(&*session, &task, &Stop::new(), &mut |_| {}).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
    let russian = catalog::open("draughts:russian").unwrap().session();
    let mut player = engine("draughts:international", &[]);
    let error = player.choose(&*russian, &task, &Stop::new(), &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("knows no variant russian"), "{error}");
}

/// Listens on a free port; the process and where it listens.
fn listener(arguments: &[&str]) -> (Child, String) {
    let mut child = command()
        .args(["dxp", "draughts:international", "--listen", "0", "--json"])
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    errors.read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("listening on ").unwrap().to_owned();
    // Whoever talks must be heard.
    thread::spawn(move || errors.read_to_string(&mut String::new()));
    (child, address)
}

fn result_of(mut child: Child) -> (Option<i32>, Value) {
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    (child.wait().unwrap().code(), serde_json::from_str(&out).unwrap())
}

#[test]
fn two_programs_play_over_the_network() {
    let (follower, address) = listener(&["--bot", "depth=1"]);
    let arguments = [
        "dxp",
        "draughts:international",
        "--connect",
        &address,
        "--bot",
        "depth=2",
        "--games",
        "2",
    ];
    let asked = zermelo(&[&arguments[..], &["--moves", "40", "--time", "1", "--json"]].concat());
    assert_eq!(asked.code, Some(0), "{asked:?}");
    let asked: Value = serde_json::from_str(&asked.out).unwrap();
    let (code, taken) = result_of(follower);
    assert_eq!(code, Some(0), "{taken}");
    assert_eq!((&asked["trouble"], &taken["trouble"]), (&Value::Null, &Value::Null));
    assert_eq!(asked["games"].as_array().unwrap().len(), 2, "{asked}");
    for (one, two) in
        asked["games"].as_array().unwrap().iter().zip(taken["games"].as_array().unwrap())
    {
        assert_eq!((&one["moves"], &one["value"]), (&two["moves"], &two["value"]));
        assert_ne!(one["side"], two["side"]);
        assert!(one["opponent"].as_str().unwrap().starts_with("Zermelo "), "{one}");
    }
    assert_eq!((&asked["wins"], &asked["losses"]), (&taken["losses"], &taken["wins"]));
}

#[test]
fn a_villain_gets_one_line() {
    for (said, expected) in [
        (&b"GET / HTTP/1.1\r\n\r\n\0"[..], "no message begins like that"),
        (&[b'x'; 4096], "at most 127 bytes"),
        (b"R01Villain                         Z060000A\0M0000010100\0", "played \"1-1\""),
        (b"R01Villain                         Z060000A\0", "closed the connection"),
    ] {
        let (child, address) = listener(&["--bot", "random"]);
        let mut villain = TcpStream::connect(&address).unwrap();
        villain.write_all(said).unwrap();
        thread::sleep(Duration::from_millis(200));
        drop(villain);
        let (code, result) = result_of(child);
        let trouble = result["trouble"].as_str().unwrap();
        assert!(code == Some(1) && trouble.contains(expected), "{code:?} {result}");
        assert_eq!(result["games"], json!([]));
    }
}

#[test]
fn wrong_words_get_one_line() {
    let closed = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().to_string()
    };
    for (arguments, expected) in [
        (&["checkers", "--listen"][..], "boards of 50 squares"),
        (&["reversi", "--listen"], "boards of 50 squares"),
        (&["draughts:international"], "were not provided"),
        (&["draughts:international", "--listen", "--connect", "x"], "cannot be used with"),
        (&["draughts:international", "--listen", "--side", "first"], "for the initiator to say"),
        (&["draughts:international", "--listen", "nowhere:x"], "is no address"),
        (&["draughts:international", "--connect", &closed], "could not be reached"),
        (&["draughts:international", "--connect", "x", "--time", "1000"], "from 1 to 999"),
        (&["draughts:international", "--connect", "x", "--role", "king"], "initiator or follower"),
    ] {
        let ran = zermelo(&[&["dxp"], arguments].concat());
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments:?} {ran:?}");
        assert!(ran.err.contains(expected) && ran.err.lines().count() == 1, "{ran:?}");
    }
}
