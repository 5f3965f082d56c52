//! Tables of solved games: what is shown of them, to whom, and what becomes of bad ones.

use std::path::Path;

use serde_json::{Value, json};
use solve::strong::{Tiering, file_name};

use crate::client::{Host, Socket, host_with};

/// Solves a game from its start on, and puts the table where the server looks.
fn solve(folder: &Path, game: &str) {
    let solver = catalog::open(game).unwrap().session();
    let tiering = Tiering { threads: 1, hash_megabytes: 64, nodes: None };
    let solid = solver.solve_strongly(&tiering, &play::Stop::new(), &mut |_| {}).unwrap();
    std::fs::write(folder.join(file_name(&solver.spec(), "")), solid.to_bytes()).unwrap();
}

async fn host_of(folder: &Path) -> Host {
    let tables = Some(folder.to_owned());
    host_with(web::ServerOptions { tables, ..web::ServerOptions::default() }).await
}

async fn switch(socket: &mut Socket, on: bool) -> Value {
    socket.say(&json!({ "type": "exact", "on": on })).await;
    socket.hear_state(|state| state["exact"].is_null() != on).await
}

fn texts(exact: &Value) -> Vec<&str> {
    exact["moves"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn every_legal_move_has_its_value() {
    let folder = tempfile::tempdir().unwrap();
    solve(folder.path(), "tictactoe");
    let host = host_of(folder.path()).await;
    let (id, tokens) = host.found("tictactoe", ["human", "human"]).await;
    let (mut both, _, state) = host.sit(&id, &[&tokens["first"], &tokens["second"]]).await;
    assert_eq!((&state["tabled"], &state["exact"]), (&json!(true), &json!(null)));
    let state = switch(&mut both, true).await;
    let exact = &state["exact"];
    assert_eq!((&exact["value"]["exact"], &exact["plies"]), (&json!(true), &json!(9)));
    assert_eq!(exact["value"]["winner"], json!(null));
    assert_eq!(exact["moves"].as_array().unwrap().len(), 9);
    // A corner answered at the edge is lost.
    for (version, text) in (0..).zip(["a1", "b1"]) {
        both.play(text, version).await;
    }
    let state = both.hear_state(|state| state["ply"] == 2).await;
    let exact = &state["exact"];
    assert_eq!((&exact["value"]["winner"], &exact["plies"]), (&json!("first"), &json!(5)));
    let (best, worst) = (&exact["moves"][0], &exact["moves"][6]);
    assert_eq!((&best["value"]["winner"], &best["value"]["plies"]), (&json!("first"), &json!(5)));
    assert_eq!(worst["value"]["winner"], json!(null));
    let mut legal: Vec<&str> = state["moves"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["text"].as_str().unwrap())
        .collect();
    let mut judged = texts(exact);
    legal.sort_unstable();
    judged.sort_unstable();
    assert_eq!(judged, legal);
    // Earlier positions too, as long as it is on.
    let path = format!("/api/games/{id}/plies/1");
    let before = host.get(&path).await.json();
    assert_eq!(texts(&before["exact"])[0], "b2", "the only answer that holds");
    assert_eq!(before["exact"]["moves"][1]["value"]["winner"], json!("first"));
    switch(&mut both, false).await;
    assert_eq!(host.get(&path).await.json()["exact"], json!(null));
}

#[tokio::test]
async fn margins_are_shown_with_plies() {
    let folder = tempfile::tempdir().unwrap();
    solve(folder.path(), "reversi:4x4");
    let host = host_of(folder.path()).await;
    let (id, tokens) = host.found("reversi:4x4", ["human", "bot:easy"]).await;
    let (mut one, ..) = host.sit(&id, &[&tokens["first"]]).await;
    let exact = switch(&mut one, true).await["exact"].clone();
    assert_eq!((&exact["value"]["margin"], &exact["value"]["plies"]), (&json!(-10), &json!(null)));
    assert_eq!((&exact["plies"], &exact["moves"][0]["plies"]), (&json!(12), &json!(12)));
    assert_eq!(exact["moves"][0]["value"]["margin"], json!(-10));
}

#[tokio::test]
async fn nobody_is_helped_against_another() {
    let folder = tempfile::tempdir().unwrap();
    solve(folder.path(), "tictactoe");
    let host = host_of(folder.path()).await;
    let (id, tokens) = host.found("tictactoe", ["human", "human"]).await;
    let (mut first, ..) = host.sit(&id, &[&tokens["first"]]).await;
    let (mut onlooker, ..) = host.sit(&id, &[]).await;
    for socket in [&mut first, &mut onlooker] {
        socket.say(&json!({ "type": "exact", "on": true })).await;
        socket.hear("refused").await;
    }
    // Once it is over everybody may look, until the two go on.
    first.say(&json!({ "type": "resign" })).await;
    onlooker.hear_state(|state| !state["outcome"].is_null()).await;
    switch(&mut onlooker, true).await;
    let (mut both, ..) = host.sit(&id, &[&tokens["first"], &tokens["second"]]).await;
    both.say(&json!({ "type": "undo" })).await;
    both.hear("refused").await;
}

#[tokio::test]
async fn where_there_is_no_good_table_nothing_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    solve(folder.path(), "tictactoe");
    let spec = |game: &str| catalog::open(game).unwrap().facts().spec.clone();
    let name = |game: &str| folder.path().join(file_name(&spec(game), ""));
    let good = std::fs::read(name("tictactoe")).unwrap();
    std::fs::write(name("mnk:3x4,k=3"), &good).unwrap();
    std::fs::write(name("mnk:4x3,k=3"), &good[..good.len() / 2]).unwrap();
    std::fs::write(name("mnk:2x2,k=2"), "nothing").unwrap();
    let host = host_of(folder.path()).await;
    for (game, tabled, why) in [
        ("mnk:3x4,k=3", true, "this is a table of mnk:3x3,k=3, not of mnk:3x4,k=3"),
        ("mnk:4x3,k=3", true, "damaged"),
        ("mnk:2x2,k=2", true, "not a table"),
        ("connect4", false, "no table"),
    ] {
        let (id, tokens) = host.found(game, ["human", "human"]).await;
        let (mut both, _, state) = host.sit(&id, &[&tokens["first"], &tokens["second"]]).await;
        assert_eq!(state["tabled"], json!(tabled), "{game}");
        both.say(&json!({ "type": "exact", "on": true })).await;
        let refused = both.hear("refused").await;
        let error = refused["error"].as_str().unwrap();
        assert!(error.contains(why) && !error.contains('/'), "{game}: {error}");
    }
    // A server without a folder has no tables.
    let host = host_with(web::ServerOptions::default()).await;
    let (id, _) = host.found("tictactoe", ["human", "human"]).await;
    assert_eq!(host.get(&format!("/api/games/{id}")).await.json()["tabled"], json!(false));
}

/// A game that begins elsewhere may have a table of its own, and a table may not know every position of its game.
#[tokio::test]
async fn tables_begin_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    let position = "x../.o./..x o";
    let mut solver = catalog::open("tictactoe").unwrap().session();
    solver.set_position(position).unwrap();
    let tiering = Tiering { threads: 1, hash_megabytes: 64, nodes: None };
    let solid = solver.solve_strongly(&tiering, &play::Stop::new(), &mut |_| {}).unwrap();
    let write = |of: &str| {
        let file = folder.path().join(file_name(&solver.spec(), of));
        std::fs::write(file, solid.to_bytes()).unwrap();
    };
    write(position);
    let host = host_of(folder.path()).await;
    for (begins, tabled, known) in [(Some(position), true, true), (None, false, false)] {
        let seats = ["human", "human"];
        let body = json!({ "game": "tictactoe", "position": begins, "seats": seats });
        let founded = host.post("/api/games", &body).await.json();
        let (id, tokens) = (founded["id"].as_str().unwrap(), &founded["tokens"]);
        let (mut both, _, state) = host.sit(id, &[&tokens["first"], &tokens["second"]]).await;
        assert_eq!(state["tabled"], json!(tabled));
        if !known {
            // Somebody puts it in the place of the whole game's.
            write("");
        }
        both.say(&json!({ "type": "exact", "on": true })).await;
        let state = both.hear("state").await;
        assert_eq!(state["exact"].is_null(), !known);
    }
}
