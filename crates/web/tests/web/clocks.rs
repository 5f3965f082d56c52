//! Clocks: they are the server's, they run whether or not somebody is there, and they survive the
//! server. Time is turned by hand here.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Host, Socket, host_with};

/// A server whose time stands still until the test moves it on.
async fn host(store: Option<&Path>) -> (Host, web::Time) {
    let time = web::Time::by_hand();
    let store = store.map(Path::to_owned);
    let options = web::ServerOptions { time: time.clone(), store, ..web::ServerOptions::default() };
    (host_with(options).await, time)
}

async fn found(host: &Host, game: &str, seats: [&str; 2], clock: &str) -> (String, Value) {
    host.found_as(&json!({ "game": game, "seats": seats, "clock": clock })).await
}

/// Two people at a table, with one after the other's tokens.
async fn two(host: &Host, game: &str, clock: &str) -> (String, Value, Socket, Socket) {
    let (id, tokens) = found(host, game, ["human", "human"], clock).await;
    let (one, ..) = host.sit(&id, &[&tokens["first"], &tokens["host"]]).await;
    let (two, ..) = host.sit(&id, &[&tokens["second"]]).await;
    (id, tokens, one, two)
}

fn seconds(count: u64) -> Duration {
    Duration::from_secs(count)
}

async fn at(socket: &mut Socket, version: u64) -> Value {
    socket.hear_state(|state| state["version"] == version).await
}

async fn state(host: &Host, id: &str) -> Value {
    host.get(&format!("/api/games/{id}")).await.json()
}

/// The first moves, which take nothing however long they take, and then the first player's clock
/// runs.
async fn open(one: &mut Socket, two: &mut Socket, time: &web::Time, moves: [&str; 2]) -> Value {
    time.advance(seconds(1000));
    one.play(moves[0], 0).await;
    at(two, 1).await;
    time.advance(seconds(1000));
    two.play(moves[1], 1).await;
    at(two, 2).await;
    at(one, 2).await
}

#[tokio::test]
async fn a_turn_costs_what_it_takes_and_brings_its_increment() {
    let (host, time) = host(None).await;
    let (id, _, mut one, mut two) = two(&host, "chess", "300+3").await;
    let clock = open(&mut one, &mut two, &time, ["e2e4", "e7e5"]).await["clock"].clone();
    let first = json!({ "control": "300+3", "left": [303_000, 303_000], "running": "first" });
    assert_eq!(clock, first);
    time.advance(seconds(10));
    assert_eq!(state(&host, &id).await["clock"]["left"], json!([293_000, 303_000]), "it runs");
    one.play("g1f3", 2).await;
    let clock = at(&mut two, 3).await["clock"].clone();
    assert_eq!((&clock["left"], &clock["running"]), (&json!([296_000, 303_000]), &json!("second")));
    // An offer in between costs nothing and gives nothing back.
    time.advance(seconds(20));
    two.say(&json!({ "type": "offer", "what": "draw" })).await;
    assert_eq!(at(&mut one, 4).await["clock"]["left"], json!([296_000, 283_000]));
    time.advance(seconds(5));
    two.play("b8c6", 4).await;
    assert_eq!(at(&mut one, 5).await["clock"]["left"], json!([296_000, 281_000]));
    // Who asks hears what it shows now.
    time.advance(seconds(6));
    one.say(&json!({ "type": "sync", "version": 5 })).await;
    let current = one.hear("current").await;
    assert_eq!(current["clock"]["left"], json!([290_000, 281_000]));
    one.say(&json!({ "type": "sync", "version": 4 })).await;
    assert_eq!(one.hear("state").await["version"], 5, "who has missed something is told all");
}

#[tokio::test]
async fn a_flag_falls_without_anybody_asking() {
    let (host, time) = host(None).await;
    let (id, tokens, mut one, mut two) = two(&host, "chess", "60").await;
    open(&mut one, &mut two, &time, ["e2e4", "e7e5"]).await;
    drop(one);
    time.advance(Duration::from_millis(59_999));
    time.advance(Duration::from_millis(1));
    let over = two.hear_state(|state| !state["outcome"].is_null()).await;
    let lost = json!({ "value": "second", "margin": null, "reason": "time", "why": null });
    assert_eq!((&over["outcome"], &over["clock"]["running"]), (&lost, &Value::Null));
    assert_eq!(over["clock"]["left"], json!([0, 60_000]));
    let (mut late, ..) = host.sit(&id, &[&tokens["first"]]).await;
    late.play("g1f3", 2).await;
    assert!(late.refusal().await.contains("over"), "too late is too late");
    let list = host.post("/api/history", &json!({ "finished": true })).await.json();
    assert_eq!(list["games"][0]["reason"], "time");
}

#[tokio::test]
async fn a_flag_falls_where_nobody_is_left() {
    let (host, time) = host(None).await;
    let (id, _, mut one, mut two) = two(&host, "chess", "1/30").await;
    open(&mut one, &mut two, &time, ["e2e4", "e7e5"]).await;
    one.play("g1f3", 2).await;
    at(&mut two, 3).await;
    drop((one, two));
    time.advance(seconds(31));
    // It is in the list without the game being opened.
    let over = loop {
        let list = host.post("/api/history", &json!({ "finished": true })).await.json();
        if list["total"] == 1 {
            break list["games"][0].clone();
        }
        tokio::task::yield_now().await;
    };
    assert_eq!((&over["id"], &over["value"]), (&json!(id), &json!("first")));
}

#[tokio::test]
async fn who_cannot_win_any_more_only_draws_on_time() {
    let (host, time) = host(None).await;
    // White has a queen, black a bare king.
    let position = "7k/8/8/8/8/8/6Q1/K7 w - - 0 1";
    for (moves, version, value) in
        [(vec!["g2f2", "h8h7"], 2, "draw"), (vec!["g2f2", "h8h7", "f2f3"], 3, "first")]
    {
        let wanted = json!({ "game": "chess", "position": position, "seats": ["human", "human"], "clock": "60" });
        let (id, tokens) = host.found_as(&wanted).await;
        let (mut both, ..) = host.sit(&id, &[&tokens["first"], &tokens["second"]]).await;
        for (ply, text) in moves.iter().enumerate() {
            both.play(text, ply as u64).await;
        }
        at(&mut both, version).await;
        time.advance(seconds(60));
        let over = both.hear_state(|state| !state["outcome"].is_null()).await;
        assert_eq!(
            (&over["outcome"]["value"], &over["outcome"]["reason"]),
            (&json!(value), &json!("time"))
        );
    }
}

#[tokio::test]
async fn time_for_each_move_is_not_saved() {
    let (host, time) = host(None).await;
    let (_, _, mut one, mut two) = two(&host, "chess", "1/30").await;
    open(&mut one, &mut two, &time, ["e2e4", "e7e5"]).await;
    for (ply, text) in ["g1f3", "b8c6", "f1b5"].into_iter().enumerate() {
        time.advance(seconds(29));
        let mover = if ply % 2 == 0 { &mut one } else { &mut two };
        mover.play(text, ply as u64 + 2).await;
        assert_eq!(at(&mut two, ply as u64 + 3).await["clock"]["left"], json!([30_000, 30_000]));
        if ply % 2 == 0 {
            continue;
        }
        at(&mut one, ply as u64 + 3).await;
    }
}

#[tokio::test]
async fn taking_back_goes_back_in_time_and_a_rematch_has_the_same_clocks() {
    let (host, time) = host(None).await;
    let (_, tokens, mut one, mut two) = two(&host, "chess", "60").await;
    open(&mut one, &mut two, &time, ["e2e4", "e7e5"]).await;
    time.advance(seconds(10));
    one.play("g1f3", 2).await;
    assert_eq!(at(&mut two, 3).await["clock"]["left"], json!([50_000, 60_000]));
    time.advance(seconds(7));
    one.say(&json!({ "type": "offer", "what": "undo" })).await;
    at(&mut two, 4).await;
    two.say(&json!({ "type": "accept", "what": "undo" })).await;
    let state = at(&mut one, 5).await;
    assert_eq!((&state["ply"], &state["clock"]["left"]), (&json!(2), &json!([60_000, 60_000])));
    assert_eq!(state["clock"]["running"], "first");
    one.say(&json!({ "type": "resign" })).await;
    assert_eq!(at(&mut two, 6).await["clock"]["running"], Value::Null);
    two.say(&json!({ "type": "offer", "what": "rematch" })).await;
    at(&mut one, 7).await;
    one.say(&json!({ "type": "accept", "what": "rematch" })).await;
    let next = at(&mut two, 8).await["next"].as_str().unwrap().to_owned();
    let (_, welcome, state) = host.sit(&next, &[&tokens["second"]]).await;
    assert_eq!(welcome["first"], true);
    let clock = json!({ "control": "60", "left": [60_000, 60_000], "running": null });
    assert_eq!(state["clock"], clock);
}

/// What passes while no server runs is nobody's; what was used before stays used.
#[tokio::test]
async fn a_restart_charges_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("games.db");
    let (first, time) = host(Some(&store)).await;
    let (id, tokens, mut one, mut two) = two(&first, "chess", "60").await;
    open(&mut one, &mut two, &time, ["e2e4", "e7e5"]).await;
    time.advance(seconds(10));
    one.play("g1f3", 2).await;
    at(&mut two, 3).await;
    // Twenty seconds of the second player's turn, noted as they pass.
    for _ in 0..20 {
        time.advance(seconds(1));
        while noted(&store, &id) < time_noted(&first, &id).await {
            // Whoever asks too often is refused.
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
    // Another server on the same file, as after a crash of the first; its time begins anew.
    let (second, later) = host(Some(&store)).await;
    let clock = state(&second, &id).await["clock"].clone();
    assert_eq!(clock, json!({ "control": "60", "left": [50_000, 40_000], "running": "second" }));
    later.advance(seconds(39));
    let (mut two, _, now) = second.sit(&id, &[&tokens["second"]]).await;
    assert_eq!(now["clock"]["left"], json!([50_000, 1_000]));
    later.advance(seconds(1));
    let over = two.hear_state(|state| !state["outcome"].is_null()).await;
    assert_eq!(over["outcome"]["value"], "first");
}

/// What the file says that the turn in progress has taken, in milliseconds.
fn noted(store: &Path, id: &str) -> i64 {
    let file = rusqlite::Connection::open(store).unwrap();
    file.query_row("SELECT used FROM turns WHERE game = ?", [id], |row| row.get(0)).unwrap()
}

async fn time_noted(host: &Host, id: &str) -> i64 {
    let state = state(host, id).await;
    60_000 - state["clock"]["left"][1].as_i64().unwrap_or_else(|| panic!("{state}"))
}

#[tokio::test]
async fn machines_obey_their_clocks() {
    let (host, _) = host(None).await;
    // A master takes a second for a move; with so little on the clock it takes less, and moves.
    let (id, tokens) = found(&host, "chess", ["human", "bot:master"], "1/1").await;
    let (mut me, ..) = host.sit(&id, &[&tokens["first"]]).await;
    me.play("e2e4", 0).await;
    let state = at(&mut me, 2).await;
    assert_eq!((&state["clock"]["running"], &state["outcome"]), (&json!("first"), &Value::Null));
    me.play("d2d4", 2).await;
    at(&mut me, 3).await;
    let state = at(&mut me, 4).await;
    assert_eq!(state["clock"]["left"], json!([1_000, 1_000]), "time stands still here");
    // Who takes back against a machine asks nobody.
    me.say(&json!({ "type": "undo" })).await;
    assert_eq!(at(&mut me, 5).await["ply"], 2);
}

#[tokio::test]
async fn strange_clocks_are_refused() {
    let (host, _) = host(None).await;
    for clock in ["", "0", "-1", "abc", "40/60", "99999999", "1e400", "60+9999", "60\n", "🕐"] {
        let wanted = json!({ "game": "chess", "clock": clock });
        let answer = host.post("/api/games", &wanted).await;
        assert_eq!(answer.status, 400, "{clock}");
        assert!(answer.error().contains("clock"), "{clock}: {answer:?}");
    }
    let answer = host.post("/api/games", &json!({ "game": "chess", "clock": 60 })).await;
    assert_eq!(answer.status, 400, "{answer:?}");
}
