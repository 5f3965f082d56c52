//! The list of games, and who may see what of it.

use std::net::{IpAddr, Ipv4Addr};

use serde_json::{Value, json};

use crate::client::{Host, host, host_with};

/// A game in which the first player moved, and the second gave up if it is to be over.
async fn played(host: &Host, game: &str, seats: [&str; 2], over: bool) -> (String, Value) {
    let (id, tokens) = host.found(game, seats).await;
    let (mut one, _, state) = host.sit(&id, &[&tokens["first"]]).await;
    one.play(state["moves"][0]["text"].as_str().unwrap(), 0).await;
    one.hear_state(|state| state["version"] == 1).await;
    if over {
        let (mut two, ..) = host.sit(&id, &[&tokens["second"]]).await;
        two.say(&json!({ "type": "resign" })).await;
        two.hear_state(|state| !state["outcome"].is_null()).await;
    }
    (id, tokens)
}

async fn ids(host: &Host, query: Value) -> Vec<String> {
    let answer = host.post("/api/history", &query).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let games = answer.json()["games"].as_array().unwrap().clone();
    games.iter().map(|game| game["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn games_are_found_by_family_words_and_state() {
    let host = host().await;
    let (chess, _) = played(&host, "chess", ["human", "human"], true).await;
    let (small, _) = played(&host, "tictactoe", ["human", "human"], false).await;
    let (go, _) = played(&host, "go:9x9", ["human", "bot:hard"], false).await;
    host.found("othello", ["human", "human"]).await;
    let all = ids(&host, json!({})).await;
    assert_eq!(all.len(), 3, "a game without a move is none");
    for (query, expected) in [
        (json!({ "family": "chess" }), vec![&chess]),
        (json!({ "family": "draughts" }), vec![]),
        (json!({ "finished": true }), vec![&chess]),
        (json!({ "words": [["TicTac"]] }), vec![&small]),
        (json!({ "words": [["bot:hard"], ["9x9"]] }), vec![&go]),
        (json!({ "words": [["bot:hard"], ["chess"]] }), vec![]),
        (json!({ "words": [["szachy", "chess"]] }), vec![&chess]),
        (json!({ "words": [["100%"]] }), vec![]),
        (json!({ "page": 1 }), vec![]),
        (json!({ "page": u64::MAX }), vec![]),
    ] {
        assert_eq!(ids(&host, query.clone()).await.iter().collect::<Vec<_>>(), expected, "{query}");
    }
    let mut unfinished = ids(&host, json!({ "finished": false })).await;
    unfinished.sort();
    let mut expected = vec![small, go];
    expected.sort();
    assert_eq!(unfinished, expected);
    let answer = host.post("/api/history", &json!({ "family": "chess" })).await.json();
    let game = &answer["games"][0];
    assert_eq!((&answer["total"], &answer["everything"]), (&json!(1), &json!(true)));
    assert_eq!((&game["value"], &game["reason"]), (&json!("first"), &json!("resigned")));
    assert_eq!((&game["plies"], &game["seats"]), (&json!(1), &json!(["human", "human"])));
    for bad in [json!({ "words": "x" }), json!({ "shell": 1 }), json!({ "words": vec![["x"]; 9] })]
    {
        assert_eq!(host.post("/api/history", &bad).await.status, 400, "{bad}");
    }
}

#[tokio::test]
async fn pages_follow_one_another() {
    let host = host().await;
    for _ in 0..23 {
        played(&host, "tictactoe", ["human", "human"], false).await;
    }
    let first = ids(&host, json!({ "page": 0 })).await;
    let second = ids(&host, json!({ "page": 1 })).await;
    assert_eq!((first.len(), second.len()), (20, 3));
    assert!(second.iter().all(|id| !first.contains(id)));
    let answer = host.post("/api/history", &json!({})).await.json();
    assert_eq!((&answer["total"], &answer["pages"]), (&json!(23), &json!(2)));
}

#[tokio::test]
async fn where_others_come_in_one_sees_ones_own() {
    let opened =
        web::ServerOptions { address: IpAddr::V4(Ipv4Addr::UNSPECIFIED), ..Default::default() };
    let named =
        web::ServerOptions { names: vec!["games.example".to_owned()], ..Default::default() };
    for options in [opened, named] {
        let mut host = host_with(options).await;
        host.address = host.address.replace("0.0.0.0", "127.0.0.1");
        let (mine, tokens) = played(&host, "chess", ["human", "human"], false).await;
        let (theirs, _) = played(&host, "chess", ["human", "human"], false).await;
        assert!(ids(&host, json!({})).await.is_empty());
        let second = &tokens["second"];
        let shown = json!({ "tokens": [[mine, [second]], [theirs, [second, "", "x"]], ["none", [second]]] });
        assert_eq!(ids(&host, shown).await, [mine]);
    }
}
