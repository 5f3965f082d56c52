//! Games as people play them.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{host, host_with};

#[tokio::test]
async fn a_game_between_two_people() {
    let host = host().await;
    let (id, tokens) = host.found("tictactoe", ["human", "human"]).await;
    let (mut one, welcome, state) = host.sit(&id, &[&tokens["first"]]).await;
    assert_eq!((&welcome["first"], &welcome["second"]), (&json!(true), &json!(false)));
    assert_eq!((&state["version"], &state["to_move"]), (&json!(0), &json!("first")));
    assert_eq!(state["moves"].as_array().unwrap().len(), 9);
    let (mut two, welcome, _) = host.sit(&id, &[&tokens["second"]]).await;
    assert_eq!((&welcome["first"], &welcome["second"]), (&json!(false), &json!(true)));

    two.play("b2", 0).await;
    assert!(two.refusal().await.contains("other side"));
    for (version, text) in (0..).zip(["b2", "a1", "a2", "a3", "c2"]) {
        let mover = if version % 2 == 0 { &mut one } else { &mut two };
        mover.play(text, version).await;
        for socket in [&mut one, &mut two] {
            let state = socket.hear("state").await;
            assert_eq!(state["version"], version + 1);
            assert_eq!(state["line"][version as usize]["text"], text);
        }
    }
    let state = host.get(&format!("/api/games/{id}")).await.json();
    let why = json!({ "kind": "line", "count": 3 });
    assert_eq!(
        state["outcome"],
        json!({ "value": "first", "margin": null, "reason": "rules", "why": why })
    );
    assert_eq!((&state["to_move"], &state["board"]["line"]), (&Value::Null, &json!([3, 4, 5])));
    one.say(&json!({ "type": "undo" })).await;
    assert!(one.refusal().await.contains("agree"), "the other has a say");
}

#[tokio::test]
async fn the_largest_board_is_told_in_short() {
    let host = host().await;
    let mut rows = vec![".".repeat(250); 250];
    rows[249].replace_range(0..2, "xo");
    let position = format!("{} x", rows.join("/"));
    let seats = json!(["human", "bot:beginner"]);
    let body = json!({ "game": "mnk:250x250,k=5", "position": position, "seats": seats });
    let made = host.post("/api/games", &body).await;
    assert_eq!(made.status, 201, "{made:?}");
    let made = made.json();
    let id = made["id"].as_str().unwrap();
    let (mut one, _, state) = host.sit(id, &[&made["tokens"]["first"]]).await;
    assert_eq!((&state["free"], &state["moves"]), (&json!(true), &json!([])));
    assert_eq!(state["board"]["owners"], "1 2 .62498");
    assert_eq!(state["position"], Value::Null);
    one.play("ip250", 0).await;
    let state = one.hear_state(|state| state["ply"] == 2).await;
    assert!(state.to_string().len() < 5_000, "{} letters", state.to_string().len());
    let past = host.get(&format!("/api/games/{id}/plies/0")).await.json();
    assert_eq!((&past["position"], &past["free"]), (&json!(position), &json!(true)));
}

#[tokio::test]
async fn rules_are_judged_here() {
    let host = host().await;
    let (id, tokens) = host.found("chess", ["human", "human"]).await;
    let (mut both, ..) = host.sit(&id, &[&tokens["first"], &tokens["second"]]).await;
    for wrong in ["e2e5", "e7e5", "", "pass", "e1g1", "Qh5", "♞", &"e2e4 ".repeat(100)] {
        both.play(wrong, 0).await;
        assert!(!both.refusal().await.is_empty(), "{wrong}");
    }
    both.play("e2e4", 0).await;
    assert_eq!(both.hear("state").await["version"], 1);
    both.play("e7e5", 0).await;
    assert!(both.refusal().await.contains("moved on"), "meant for another position");
    both.play("e7e5", 1).await;
    both.hear("state").await;
    both.say(&json!({ "type": "claim" })).await;
    assert!(both.refusal().await.contains("nothing to claim"));
    both.say(&json!({ "type": "undo" })).await;
    let state = both.hear("state").await;
    assert_eq!(
        (&state["version"], &state["ply"], &state["can_redo"]),
        (&json!(3), &json!(1), &json!(true))
    );
    both.say(&json!({ "type": "redo" })).await;
    assert_eq!(both.hear("state").await["ply"], 2);
    both.say(&json!({ "type": "resign" })).await;
    let state = both.hear("state").await;
    assert_eq!(
        state["outcome"],
        json!({ "value": "second", "margin": null, "reason": "resigned", "why": null })
    );
}

#[tokio::test]
async fn a_bot_answers_in_every_family() {
    let host = host().await;
    for game in ["connect4", "othello", "draughts:english", "draughts:russian", "go:9x9", "chess"] {
        let (id, tokens) = host.found(game, ["human", "bot:easy"]).await;
        let (mut me, _, state) = host.sit(&id, &[&tokens["first"]]).await;
        me.play(state["moves"][0]["text"].as_str().unwrap(), 0).await;
        let state = me.hear_state(|state| state["version"] == 2).await;
        assert_eq!((&state["to_move"], &state["ply"]), (&json!("first"), &json!(2)), "{game}");
        me.say(&json!({ "type": "undo" })).await;
        let state = me.hear_state(|state| state["version"] == 3).await;
        assert_eq!(state["ply"], 0, "{game}: the answer is taken back too");
    }
}

#[tokio::test]
async fn whoever_was_away_catches_up() {
    let host = host().await;
    let (id, tokens) = host.found("tictactoe", ["human", "human"]).await;
    let (mut one, ..) = host.sit(&id, &[&tokens["first"], &tokens["second"]]).await;
    let (two, ..) = host.sit(&id, &[]).await;
    drop(two);
    one.play("b2", 0).await;
    one.play("a1", 1).await;
    one.hear_state(|state| state["version"] == 2).await;
    let origin = format!("http://{}", host.address);
    let mut back = host.socket(&id, Some(&origin)).await.unwrap();
    back.say(&json!({ "type": "hello", "tokens": [], "since": 0 })).await;
    let state = back.hear("state").await;
    assert_eq!((&state["version"], state["line"].as_array().unwrap().len()), (&json!(2), 2));
    let mut back = host.socket(&id, Some(&origin)).await.unwrap();
    back.say(&json!({ "type": "hello", "tokens": [], "since": 2 })).await;
    assert_eq!(back.hear("current").await["version"], 2);
    one.play("c3", 2).await;
    assert_eq!(back.hear("state").await["version"], 3);
}

#[tokio::test]
async fn games_outlive_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let options = web::ServerOptions {
        store: Some(folder.path().join("deep/games.db")),
        ..web::ServerOptions::default()
    };
    let before = host_with(options.clone()).await;
    let (id, tokens) = before.found("tictactoe", ["human", "bot:easy"]).await;
    let (mut me, ..) = before.sit(&id, &[&tokens["first"]]).await;
    me.play("b2", 0).await;
    me.hear_state(|state| state["version"] == 2).await;
    me.say(&json!({ "type": "swap" })).await;
    let swapped = me.hear_state(|state| state["version"].as_u64() > Some(3)).await;

    let after = host_with(options).await;
    let (mut me, welcome, state) = after.sit(&id, &[&tokens["first"]]).await;
    assert_eq!((&welcome["first"], &welcome["second"]), (&json!(false), &json!(true)));
    assert_eq!(
        (&state["line"], &state["seats"]),
        (&swapped["line"], &json!(["bot:easy", "human"]))
    );
    let text = state["moves"][0]["text"].as_str().unwrap();
    me.play(text, state["version"].as_u64().unwrap()).await;
    me.hear_state(|state| state["ply"] == 5).await;
}

#[tokio::test]
async fn what_cannot_be_written_down_has_not_happened() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.db");
    let options = web::ServerOptions { store: Some(file.clone()), ..web::ServerOptions::default() };
    let host = host_with(options).await;
    let (id, tokens) = host.found("tictactoe", ["human", "human"]).await;
    let (mut me, ..) = host.sit(&id, &[&tokens["first"], &tokens["second"]]).await;
    me.play("b2", 0).await;
    assert_eq!(me.hear("state").await["version"], 1);
    // Another program takes the game away.
    let other = rusqlite::Connection::open(&file).unwrap();
    let removal = "PRAGMA foreign_keys = OFF; DELETE FROM games; DELETE FROM events;";
    other.execute_batch(removal).unwrap();
    me.play("a1", 1).await;
    assert!(me.refusal().await.contains("could not be saved"));
    let state = host.get(&format!("/api/games/{id}")).await.json();
    assert_eq!((&state["version"], &state["ply"]), (&json!(1), &json!(1)));
    me.play("a1", 1).await;
    assert!(me.refusal().await.contains("removed"));
}

#[tokio::test]
async fn files_go_out_and_come_in() {
    let host = host().await;
    let (id, tokens) = host.found("chess", ["human", "human"]).await;
    let (mut both, ..) = host.sit(&id, &[&tokens["first"], &tokens["second"]]).await;
    for (version, text) in (0..).zip(["e4", "e5", "Nf3"]) {
        both.play(text, version).await;
    }
    both.hear_state(|state| state["version"] == 3).await;
    let file = host.get(&format!("/api/games/{id}/file")).await;
    assert!(file.head.contains("filename=\"game.pgn\""), "{file:?}");
    assert!(file.body.contains("1. e4 e5 2. Nf3"), "{file:?}");
    assert!(file.body.contains("[White \"Human\"]\n[Black \"Human\"]\n[Result \"*\"]"), "{file:?}");
    let date = file.body.split_once("[Date \"").unwrap().1.split_once('"').unwrap().0;
    assert!(date.starts_with("20") && date.len() == 10 && !date.contains('?'), "{date}");
    let body = json!({ "game": "chess", "file": file.body, "seats": ["human", "human"] });
    let copy = host.post("/api/games", &body).await.json();
    let state = host.get(&format!("/api/games/{}", copy["id"].as_str().unwrap())).await.json();
    // What the file says of the players is the first thing that happens.
    assert_eq!((&state["ply"], &state["version"]), (&json!(3), &json!(4)));
    assert_eq!(state["line"][2]["text"], "g1f3");
    let earlier = host.get(&format!("/api/games/{id}/plies/1")).await.json();
    assert_eq!((&earlier["ply"], &earlier["to_move"]), (&json!(1), &json!("second")));
    for wrong in ["4", "-1", "x", "99999999999999999999"] {
        assert_eq!(host.get(&format!("/api/games/{id}/plies/{wrong}")).await.status, 400);
    }
    // Who, where and when stay as the file has them, whoever sits at the table.
    let old = "[Event \"Club\"]\n[Date \"1858.??.??\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n1. f3 e5 2. g4 *\n";
    let body = json!({ "game": "chess", "file": old, "seats": ["human", "human"] });
    let loaded = host.post("/api/games", &body).await.json();
    let id = loaded["id"].as_str().unwrap();
    let tokens = &loaded["tokens"];
    let (mut both, ..) = host.sit(id, &[&tokens["first"], &tokens["second"]]).await;
    both.play("Qh4", 4).await;
    both.hear_state(|state| state["version"] == 5).await;
    let file = host.get(&format!("/api/games/{id}/file")).await.body;
    assert!(
        file.contains("[Event \"Club\"]\n") && file.contains("[Date \"1858.??.??\"]\n"),
        "{file}"
    );
    let names = "[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"0-1\"]\n";
    assert!(file.contains(names) && file.contains("Qh4# 0-1"), "{file}");
    let wrong = json!({ "game": "chess", "file": "1. e4 e5 2. Ke8" });
    assert!(host.post("/api/games", &wrong).await.error().contains("Ke8"));
}

/// A bot that would think for a minute.
const SLOW: &str = "bot:time=60";

#[tokio::test]
async fn a_slow_bot_is_watched_hurried_and_stopped() {
    let host = host().await;
    let (id, tokens) = host.found("chess", [SLOW, "human"]).await;
    let (mut me, ..) = host.sit(&id, &[&tokens["second"]]).await;
    let begin = Instant::now();
    for _ in 0..5 {
        let thought = me.hear("thinking").await;
        assert_eq!((&thought["purpose"], &thought["side"]), (&json!("move"), &json!("first")));
    }
    assert!(begin.elapsed() >= Duration::from_millis(350), "ten a second at most");
    me.say(&json!({ "type": "hint" })).await;
    assert!(me.refusal().await.contains("its own move"));
    me.say(&json!({ "type": "move_now" })).await;
    let state = me.hear_state(|state| state["version"] == 1).await;
    assert_eq!(state["to_move"], "second");

    me.say(&json!({ "type": "hint", "lines": 2 })).await;
    let hint = loop {
        let thought = me.hear("thinking").await;
        if thought["purpose"] == "hint" && !thought["lines"].as_array().unwrap().is_empty() {
            break thought;
        }
    };
    assert_eq!(hint["side"], "second");
    // A move ends the hint, and the bot thinks again until it is told to wait.
    me.play("e7e5", 1).await;
    me.hear_state(|state| state["version"] == 2).await;
    me.say(&json!({ "type": "pause" })).await;
    assert_eq!(me.hear("state").await["paused"], true);
    me.say(&json!({ "type": "undo" })).await;
    assert_eq!(me.hear("state").await["ply"], 1);
}

#[tokio::test]
async fn nobody_thinks_for_nobody() {
    let host = host().await;
    // As many slow games as there are searches at once, and everybody leaves.
    for _ in 0..2 {
        let (id, tokens) = host.found("chess", [SLOW, "human"]).await;
        let (mut me, ..) = host.sit(&id, &[&tokens["second"]]).await;
        me.hear("thinking").await;
    }
    let (id, tokens) = host.found("tictactoe", ["bot:easy", "human"]).await;
    let (mut me, ..) = host.sit(&id, &[&tokens["second"]]).await;
    me.hear_state(|state| state["version"] == 1).await;
}

#[tokio::test]
async fn bots_play_each_other_at_a_pace() {
    let host = host().await;
    let (id, tokens) = host.found("tictactoe", ["bot:random", "bot:beginner"]).await;
    let (mut host_socket, ..) = host.sit(&id, &[&tokens["host"]]).await;
    host_socket.say(&json!({ "type": "pace", "milliseconds": 0 })).await;
    let end = host_socket.hear_state(|state| !state["outcome"].is_null()).await;
    assert!(end["ply"].as_u64() >= Some(5));
    host_socket.say(&json!({ "type": "undo" })).await;
    let state = host_socket.hear_state(|state| state["version"] != end["version"]).await;
    assert_eq!(
        (&state["paused"], state["ply"].as_u64()),
        (&json!(true), end["ply"].as_u64().map(|p| p - 1))
    );
}

#[tokio::test]
async fn a_depth_is_enough_for_a_bot_of_any_family() {
    let host = host().await;
    for game in ["tictactoe", "othello", "checkers", "go:5x5", "chess"] {
        let (id, tokens) = host.found(game, ["bot:depth=2", "human"]).await;
        let (mut me, ..) = host.sit(&id, &[&tokens["second"]]).await;
        me.hear_state(|state| state["ply"] == 1).await;
    }
}

#[tokio::test]
async fn who_changes_places_hears_of_the_new_seat() {
    let host = host().await;
    for game in ["chess", "othello", "go:9x9"] {
        let (id, tokens) = host.found(game, ["human", "bot:beginner"]).await;
        let mine = [&tokens["host"], &tokens["first"]];
        let (mut me, _, state) = host.sit(&id, &mine).await;
        let (mut watcher, ..) = host.sit(&id, &[]).await;
        me.play(state["moves"][0]["text"].as_str().unwrap(), 0).await;
        me.hear_state(|state| state["ply"] == 2).await;
        me.say(&json!({ "type": "swap" })).await;
        let welcome = me.hear("welcome").await;
        let seat = (&welcome["host"], &welcome["first"], &welcome["second"]);
        assert_eq!(seat, (&json!(true), &json!(false), &json!(true)), "{game}");
        // The seat is told before the state that it belongs to.
        let state = me.hear_state(|state| state["to_move"] == "second").await;
        assert_eq!(state["seats"], json!(["bot:beginner", "human"]), "{game}");
        let text = state["moves"][0]["text"].as_str().unwrap();
        me.play(text, state["version"].as_u64().unwrap()).await;
        me.hear_state(|next| next["ply"].as_u64() > state["ply"].as_u64()).await;
        // Whoever looks on has no seat to hear of.
        loop {
            let next = watcher.next().await.unwrap();
            assert_ne!(next["type"], "welcome", "{game}");
            if next["ply"] == 4 {
                break;
            }
        }
    }
}

#[tokio::test]
async fn who_sits_below_is_told() {
    let host = host().await;
    for (game, below) in [
        ("chess", json!("first")),
        ("draughts:english", json!("second")),
        ("draughts:pool", json!("second")),
        ("draughts:international", json!("first")),
        ("othello", Value::Null),
        ("go:9x9", Value::Null),
        ("connect4", Value::Null),
    ] {
        let preview = host.post("/api/preview", &json!({ "game": game })).await.json();
        assert_eq!(preview["board"]["below"], below, "{game}");
    }
}

#[tokio::test]
async fn squares_that_make_no_move_are_answered_with_a_reason() {
    let host = host().await;
    let (id, tokens) = host.found("chess", ["human", "human"]).await;
    let (mut one, ..) = host.sit(&id, &[&tokens["first"]]).await;
    let touch = |squares: Value, version: u64| json!({ "type": "why_not", "squares": squares, "version": version });
    for (squares, why) in [
        (json!([0]), "the rook on a1 has nowhere to go"),
        (json!([12, 36]), "the pawn on e2 does not go to e5"),
        (json!([52, 36]), "the pawn on e7 is Black's"),
        (json!([12, 28]), "a legal move begins so"),
        (json!([64]), "no squares of this board"),
        (json!([]), "no squares of this board"),
    ] {
        one.say(&touch(squares, 0)).await;
        let refusal = one.refusal().await;
        assert!(refusal.contains(why), "{refusal}");
    }
    one.play("e2e4", 0).await;
    one.hear("state").await;
    one.say(&touch(json!([12]), 1)).await;
    assert!(one.refusal().await.contains("other side's turn"));
    let state = host.get(&format!("/api/games/{id}")).await.json();
    assert_eq!(state["version"], 1, "asking changes nothing");
}

#[tokio::test]
async fn check_and_the_rule_that_ended_a_game_are_told() {
    let host = host().await;
    let (id, tokens) = host.found("chess", ["human", "human"]).await;
    let (mut both, _, state) = host.sit(&id, &[&tokens["first"], &tokens["second"]]).await;
    assert_eq!(state["check"], Value::Null);
    for (version, text) in (0..).zip(["e4", "f6", "Qh5+", "g6", "Qxg6+"]) {
        both.play(text, version).await;
    }
    let state = both.hear_state(|state| state["version"] == 5).await;
    assert_eq!(state["check"], 60, "Black's king on e8");
    let preview = json!({ "game": "chess", "position": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1" });
    let state = host.post("/api/preview", &preview).await.json();
    assert_eq!(state["outcome"]["why"], json!({ "kind": "stalemate" }));

    let (id, tokens) = host.found("chess", ["human", "human"]).await;
    let (mut both, ..) = host.sit(&id, &[&tokens["first"], &tokens["second"]]).await;
    let around = ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(8);
    for (version, text) in (0..).zip(around) {
        both.play(text, version).await;
    }
    both.hear_state(|state| state["version"] == 8).await;
    both.say(&json!({ "type": "claim" })).await;
    let state = both.hear("state").await;
    let why = json!({ "kind": "repetition", "times": 3 });
    assert_eq!(
        state["outcome"],
        json!({ "value": "draw", "margin": null, "reason": "claimed", "why": why })
    );
}
