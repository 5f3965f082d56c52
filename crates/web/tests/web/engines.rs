//! Engines by name: foreign programs at a table, well-behaved and not.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::client::{Host, Socket, host_with};

/// An engine of a few lines: it says its number when it starts, and answers `go` with what is here.
fn script(go: &str) -> String {
    format!(
        r#"echo $$ >> "$0.started"
while read line; do case "$line" in
  uci) echo "id name script"; echo uciok;;
  isready) echo readyok;;
  go*) {go};;
  quit) exit 0;;
esac; done"#
    )
}

/// A server that knows these engines of chess.
async fn host_of(engines: &[(&str, &str)]) -> (Host, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let mut list = "Zermelo engines 1\n".to_owned();
    for (name, go) in engines {
        let file = folder.path().join(format!("{name}.sh"));
        std::fs::write(&file, script(go)).unwrap();
        writeln!(list, "{name} chess uci:/bin/sh {} limit.time=1", file.display()).unwrap();
    }
    let file = folder.path().join("engines.txt");
    std::fs::write(&file, list).unwrap();
    let host = host_with(web::ServerOptions { engines: Some(file), ..Default::default() }).await;
    (host, folder)
}

/// The numbers of the processes that were started for an engine.
fn started(folder: &Path, name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join(format!("{name}.sh.started")));
    text.unwrap_or_default().lines().map(str::to_owned).collect()
}

fn runs(number: &str) -> bool {
    Path::new("/proc").join(number).join("cmdline").exists()
}

async fn until(what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..500 {
        if is_so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("waited in vain until {what}");
}

async fn against(host: &Host, name: &str) -> (Socket, String) {
    let (id, tokens) = host.found("chess", ["human", &format!("engine:{name}")]).await;
    let (mut me, ..) = host.sit(&id, &[&tokens["first"], &tokens["host"]]).await;
    me.say(&json!({ "type": "pace", "milliseconds": 0 })).await;
    (me, id)
}

/// Answers a king's pawn with a king's pawn, then moves the king up and down.
const TAME: &str = "n=$((n+1)); case $n in 1) echo bestmove e7e5;; 2) echo bestmove e8e7;; 3) echo bestmove e7e8;; esac";

#[tokio::test]
async fn an_engine_plays_and_is_kept_between_its_moves() {
    let (host, folder) = host_of(&[("tame", TAME)]).await;
    let listed = host.get("/api/families").await.json();
    assert_eq!(listed["engines"], json!([{ "name": "tame", "family": "chess" }]));
    let (mut me, id) = against(&host, "tame").await;
    for (version, text) in [(0, "e2e4"), (2, "a2a3"), (4, "b2b3")] {
        me.play(text, version).await;
        me.hear_state(|state| state["version"] == version + 2).await;
    }
    // Once to see that it plays, once for the game.
    let numbers = started(folder.path(), "tame");
    assert_eq!(numbers.len(), 2, "{numbers:?}");
    assert!(!runs(&numbers[0]) && runs(&numbers[1]), "it waits for its next move");
    assert!(host.get(&format!("/api/games/{id}/file")).await.body.contains("Black \"tame\""));
    me.say(&json!({ "type": "resign" })).await;
    until("the engine is gone with the game", || !runs(&numbers[1])).await;
    // Its game is known to be played now; another one starts nothing until it has to move.
    let (mut me, _) = against(&host, "tame").await;
    me.play("e2e4", 0).await;
    me.hear_state(|state| state["version"] == 2).await;
    let numbers = started(folder.path(), "tame");
    assert!(numbers.len() == 3 && runs(&numbers[2]), "{numbers:?}");
    drop(me);
    until("the engine is gone with the last visitor", || !runs(&numbers[2])).await;
}

#[tokio::test]
async fn what_an_engine_does_wrong_is_one_line_and_the_table_lives_on() {
    let wrong = [
        ("dies", "exit 3", "ended"),
        ("cheats", "echo bestmove a1a8", "a1a8"),
        ("hangs", "sleep 1000", "within"),
        (
            "babbles",
            "yes info string nothing to say, but at great length, again and again, for as long as anybody listens",
            "without end",
        ),
    ];
    let engines: Vec<_> = wrong.iter().map(|(name, go, _)| (*name, *go)).collect();
    let (host, folder) = host_of(&engines).await;
    for (name, _, expected) in wrong {
        let (mut me, id) = against(&host, name).await;
        me.play("e2e4", 0).await;
        let state = me.hear_state(|state| !state["trouble"].is_null()).await;
        let trouble = state["trouble"].as_str().unwrap();
        assert!(trouble.contains(name) && trouble.contains(expected), "{trouble}");
        assert!(!trouble.contains("/bin/sh") && !trouble.contains('\n'), "{trouble}");
        until("the engine is gone", || !started(folder.path(), name).iter().any(|n| runs(n))).await;
        me.say(&json!({ "type": "undo" })).await;
        let state = me.hear_state(|state| state["version"] == 2).await;
        assert_eq!((&state["ply"], &state["trouble"]), (&json!(0), &Value::Null), "{id}");
    }
}

#[tokio::test]
async fn a_hanging_engine_goes_with_the_game_and_with_its_visitors() {
    let (host, folder) = host_of(&[("hangs", "sleep 1000")]).await;
    let (mut me, _) = against(&host, "hangs").await;
    me.play("e2e4", 0).await;
    me.hear_state(|state| state["version"] == 1).await;
    until("it was started", || started(folder.path(), "hangs").len() == 2).await;
    me.say(&json!({ "type": "resign" })).await;
    until("it is gone with the game", || !started(folder.path(), "hangs").iter().any(|n| runs(n)))
        .await;
    me.say(&json!({ "type": "undo" })).await;
    me.hear_state(|state| state["ply"] == 0).await;
    me.play("e2e4", 3).await;
    until("it was started anew", || started(folder.path(), "hangs").len() == 3).await;
    drop(me);
    until("it is gone with its visitors", || {
        !started(folder.path(), "hangs").iter().any(|n| runs(n))
    })
    .await;
}

#[tokio::test]
async fn only_names_are_taken_and_only_for_games_they_play() {
    let (host, folder) = host_of(&[("tame", TAME)]).await;
    let list = folder.path().join("engines.txt");
    let with_more =
        format!("{}gone chess uci:/no/such/program\n", std::fs::read_to_string(&list).unwrap());
    std::fs::write(&list, with_more).unwrap();
    for (game, seat, expected) in [
        ("othello", "engine:tame", "plays chess, not reversi"),
        ("chess", "engine:other", "there are gone, tame"),
        ("chess", "engine:gone", "could not be started"),
        ("chess", "engine:/bin/sh", "there is no engine"),
        ("chess", "engine:../tame", "there is no engine"),
        ("chess", "uci:/bin/sh", "a seat is"),
        ("chess", "engine:tame,time=3600", "60 seconds"),
    ] {
        let answer =
            host.post("/api/games", &json!({ "game": game, "seats": ["human", seat] })).await;
        let error = answer.error();
        assert!(answer.status == 400 && error.contains(expected), "{seat}: {error}");
        assert!(!error.contains("/no/such"), "{error}");
    }
    std::fs::write(&list, "something else").unwrap();
    assert_eq!(host.get("/api/families").await.json()["engines"], json!([]));
    let answer = host
        .post("/api/games", &json!({ "game": "chess", "seats": ["human", "engine:tame"] }))
        .await;
    assert!(answer.error().contains("cannot be read"), "{answer:?}");
}

#[tokio::test]
async fn an_engine_that_cannot_be_hurried_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let (script, list) = (folder.path().join("slow.sh"), folder.path().join("engines.txt"));
    let text = "while read line; do case \"$line\" in protover*) echo feature ping=1 usermove=1 done=1;;\n\
                ping*) echo pong ${line#ping };; quit) exit;; esac; done";
    std::fs::write(&script, text).unwrap();
    std::fs::write(
        &list,
        format!("Zermelo engines 1\nslow chess cecp:/bin/sh {}\n", script.display()),
    )
    .unwrap();
    let host = host_with(web::ServerOptions { engines: Some(list), ..Default::default() }).await;
    let (id, tokens) = host.found("chess", ["engine:slow", "human"]).await;
    let (mut me, ..) = host.sit(&id, &[&tokens["second"]]).await;
    loop {
        me.say(&json!({ "type": "move_now" })).await;
        let why = me.refusal().await;
        // Until the search is seen to run.
        if !why.contains("no bot is thinking") {
            assert!(why.contains("cannot be hurried"), "{why}");
            break;
        }
    }
}
