//! What the machine thinks: kept with the game, played through, and said of a whole game.

use serde_json::{Value, json};

use crate::client::{Host, Socket, host, host_with};

/// The first player begins in the corner, the second answers at the edge and has lost.
const BLUNDERED: [&str; 7] = ["a1", "b1", "b2", "c3", "a2", "a3", "c2"];

async fn played(host: &Host, game: &str, moves: &[&str]) -> (String, Socket, Value) {
    let (id, tokens) = host.found(game, ["human", "human"]).await;
    let (mut both, ..) = host.sit(&id, &[&tokens["first"], &tokens["second"]]).await;
    for (version, text) in (0..).zip(moves) {
        both.play(text, version).await;
        both.hear_state(|state| state["version"] == version + 1).await;
    }
    (id, both, tokens)
}

#[tokio::test]
async fn what_a_bot_and_a_hint_think_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let store = Some(folder.path().join("table.db"));
    let options = web::ServerOptions { store, ..web::ServerOptions::default() };
    let host = host_with(options.clone()).await;
    let (id, tokens) = host.found("tictactoe", ["human", "bot:depth=9"]).await;
    let (mut one, ..) = host.sit(&id, &[&tokens["first"]]).await;
    one.say(&json!({ "type": "hint", "lines": 3 })).await;
    let state = one.hear_state(|state| !state["opinions"].as_array().unwrap().is_empty()).await;
    assert_eq!((&state["opinions"][0]["ply"], &state["version"]), (&json!(0), &json!(0)));
    one.play("b2", 0).await;
    let state = one.hear_state(|state| state["ply"] == 2).await;
    let opinions = state["opinions"].clone();
    let plies: Vec<u64> =
        opinions.as_array().unwrap().iter().map(|one| one["ply"].as_u64().unwrap()).collect();
    assert_eq!(plies, [0, 1]);
    assert_eq!(opinions[1]["value"]["chance"], 0.5, "a draw");
    // Another server reads the same.
    let again = host_with(options).await;
    let path = format!("/api/games/{id}");
    assert_eq!(again.get(&path).await.json()["opinions"], opinions);
    // What is played instead of something else was not thought about.
    one.say(&json!({ "type": "undo" })).await;
    one.hear_state(|state| state["ply"] == 0).await;
    one.play("a1", 3).await;
    let state = one.hear_state(|state| state["ply"] == 2).await;
    assert_eq!(state["opinions"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn lines_are_written_as_people_do() {
    let host = host().await;
    let (_, mut both, _) = played(&host, "chess", &["e2e4", "e7e5"]).await;
    both.say(&json!({ "type": "hint", "lines": 2 })).await;
    let thought = loop {
        let thought = both.hear("thinking").await;
        if thought["lines"].as_array().is_some_and(|lines| lines.len() == 2) {
            break thought;
        }
    };
    let first = &thought["lines"][0]["moves"][0];
    let (text, notation) = (first["text"].as_str().unwrap(), first["notation"].as_str().unwrap());
    assert!(text.len() == 4 && notation.ends_with(&text[2..]), "{text} {notation}");
    assert!(notation.len() < 4, "{notation}");
    both.say(&json!({ "type": "stop_hint" })).await;
    both.hear("quiet").await;
}

#[tokio::test]
async fn lines_are_played_through() {
    let host = host().await;
    let (id, ..) = played(&host, "chess", &["e2e4", "d7d5"]).await;
    let path = format!("/api/games/{id}/line");
    let answer = host.post(&path, &json!({ "ply": 2, "moves": ["e4d5", "Qxd5", "Nc3"] })).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let steps = answer.json()["steps"].clone();
    assert_eq!((&steps[0]["notation"], &steps[1]["text"]), (&json!("exd5"), &json!("d8d5")));
    assert_eq!(steps[2]["board"]["glyphs"].as_str().unwrap().matches('p').count(), 7);
    for (body, status) in [
        (json!({ "ply": 2, "moves": ["e4e6"] }), 400),
        (json!({ "ply": 9, "moves": [] }), 400),
        (json!({ "ply": 0, "moves": vec!["e2e4"; 17] }), 400),
        (json!({ "ply": 0, "moves": ["e".repeat(201)] }), 400),
        (json!({ "ply": 0, "moves": "e2e4" }), 400),
        (json!({ "ply": 0, "moves": [], "command": "ls" }), 400),
    ] {
        let answer = host.post(&path, &body).await;
        assert_eq!(answer.status, status, "{body} {answer:?}");
        assert!(!answer.error().is_empty());
    }
    assert_eq!(host.post("/api/games/x/line", &json!({ "ply": 0, "moves": [] })).await.status, 404);
}

#[tokio::test]
async fn a_review_finds_the_blunder_and_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let store = Some(folder.path().join("table.db"));
    let options = web::ServerOptions { store, ..web::ServerOptions::default() };
    let host = host_with(options.clone()).await;
    let (id, mut both, _) = played(&host, "tictactoe", &BLUNDERED).await;
    // Also for somebody who only looks on.
    let (mut guest, ..) = host.sit(&id, &[]).await;
    guest.say(&json!({ "type": "review" })).await;
    let state = guest.hear_state(|state| !state["review"].is_null()).await;
    let review = &state["review"];
    let turns = review["turns"].as_array().unwrap();
    assert_eq!(turns.len(), 1, "{turns:?}");
    assert_eq!((&turns[0]["ply"], &turns[0]["mark"]), (&json!(2), &json!("??")));
    assert_eq!(turns[0]["better"]["text"], "b2");
    let chances: Vec<f64> = review["values"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["value"]["chance"].as_f64().unwrap())
        .collect();
    assert_eq!(chances, [0.5, 0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]);
    let again = host_with(options).await;
    let path = format!("/api/games/{id}");
    assert_eq!(again.get(&path).await.json()["review"], *review);
    // A game that goes on is another one.
    both.say(&json!({ "type": "undo" })).await;
    let state = both.hear_state(|state| state["ply"] == 6).await;
    assert_eq!(state["review"], Value::Null);
    both.say(&json!({ "type": "review" })).await;
    assert!(both.refusal().await.contains("finished"));
}

#[tokio::test]
async fn a_review_is_stopped_and_there_is_one_for_each() {
    let host = host().await;
    let moves: Vec<&str> = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7".split(' ').collect();
    let (_, mut both, _) = played(&host, "chess", &moves).await;
    let (_, mut other, _) = played(&host, "chess", &moves).await;
    for socket in [&mut both, &mut other] {
        socket.say(&json!({ "type": "resign" })).await;
        socket.hear_state(|state| !state["outcome"].is_null()).await;
    }
    both.say(&json!({ "type": "review" })).await;
    let thought = both.hear("thinking").await;
    assert_eq!((&thought["purpose"], &thought["progress"]["of"]), (&json!("review"), &json!(11)));
    other.say(&json!({ "type": "review" })).await;
    assert!(other.refusal().await.contains("already"));
    both.say(&json!({ "type": "stop_review" })).await;
    both.hear("quiet").await;
    // Who asked is free to ask again once the task has ended.
    loop {
        other.say(&json!({ "type": "review" })).await;
        if other.next().await.is_some_and(|heard| heard["type"] != "refused") {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    }
}
