//! What two people settle between them.

use serde_json::{Value, json};

use crate::client::{Host, Socket, host};

async fn two(host: &Host, game: &str) -> (String, Value, Socket, Socket) {
    let (id, tokens) = host.found(game, ["human", "human"]).await;
    let (one, ..) = host.sit(&id, &[&tokens["first"], &tokens["host"]]).await;
    let (two, ..) = host.sit(&id, &[&tokens["second"]]).await;
    (id, tokens, one, two)
}

fn offer(what: &str) -> Value {
    json!({ "type": "offer", "what": what })
}

fn accept(what: &str) -> Value {
    json!({ "type": "accept", "what": what })
}

async fn at(socket: &mut Socket, version: u64) -> Value {
    socket.hear_state(|state| state["version"] == version).await
}

#[tokio::test]
async fn taking_back_is_asked_for_and_granted_or_not() {
    let host = host().await;
    let (id, tokens, mut one, mut two) = two(&host, "chess").await;
    one.say(&offer("undo")).await;
    assert!(one.refusal().await.contains("no sense"), "nothing was played");
    one.play("e2e4", 0).await;
    at(&mut two, 1).await;
    two.play("e7e5", 1).await;
    let state = at(&mut one, 2).await;
    assert_eq!(state["offers"], json!([["undo", "draw"], ["undo", "draw"]]));
    one.say(&offer("undo")).await;
    for socket in [&mut one, &mut two] {
        let state = at(socket, 3).await;
        assert_eq!(state["offer"], json!({ "what": "undo", "side": "first" }));
        assert_eq!(state["offers"], json!([[], []]), "one at a time");
    }
    // Whoever comes back sees it too.
    let (_again, _, state) = host.sit(&id, &[&tokens["second"]]).await;
    assert_eq!(state["offer"]["what"], "undo");
    one.say(&accept("undo")).await;
    assert!(one.refusal().await.contains("other player"));
    let (mut stranger, ..) = host.sit(&id, &[]).await;
    stranger.say(&accept("undo")).await;
    assert!(stranger.refusal().await.contains("looking on"));
    two.say(&json!({ "type": "decline" })).await;
    let state = at(&mut one, 4).await;
    assert_eq!((&state["offer"], &state["ply"]), (&Value::Null, &json!(2)));
    assert_eq!(state["declined"], json!([{ "what": "undo", "side": "first" }]));
    one.say(&offer("undo")).await;
    assert!(one.refusal().await.contains("declined"), "nobody is asked again and again");
    // An offer in between does not make a move late.
    two.say(&offer("undo")).await;
    at(&mut two, 5).await;
    one.play("g1f3", 4).await;
    let state = at(&mut one, 6).await;
    assert_eq!((&state["offer"], &state["declined"]), (&Value::Null, &json!([])));
    assert_eq!(state["line"][2]["notation"], "Nf3");
    two.say(&accept("undo")).await;
    assert!(two.refusal().await.contains("no such offer"));
    two.say(&offer("undo")).await;
    at(&mut one, 7).await;
    one.say(&accept("undo")).await;
    let state = at(&mut two, 8).await;
    assert_eq!((&state["ply"], &state["to_move"]), (&json!(1), &json!("second")), "its own move");
}

#[tokio::test]
async fn draws_are_agreed_where_there_are_any() {
    let host = host().await;
    let (_, _, mut one, mut two) = two(&host, "checkers").await;
    one.say(&offer("draw")).await;
    at(&mut two, 1).await;
    two.say(&accept("rematch")).await;
    assert!(two.refusal().await.contains("no such offer"), "another offer");
    two.say(&accept("draw")).await;
    let state = at(&mut one, 2).await;
    assert_eq!(
        state["outcome"],
        json!({ "value": "draw", "margin": null, "reason": "agreed", "why": null })
    );
    assert_eq!(state["to_move"], Value::Null);
    let (_, _, mut black, _white) = self::two(&host, "go:9x9").await;
    black.say(&offer("draw")).await;
    assert!(black.refusal().await.contains("no sense"), "points are counted");
}

#[tokio::test]
async fn another_game_begins_with_sides_swapped_and_the_same_secrets() {
    let host = host().await;
    let (id, tokens, mut one, mut two) = two(&host, "tictactoe").await;
    two.say(&offer("rematch")).await;
    assert!(two.refusal().await.contains("no sense"), "the game goes on");
    two.say(&json!({ "type": "resign" })).await;
    at(&mut one, 1).await;
    two.say(&offer("rematch")).await;
    assert_eq!(at(&mut one, 2).await["next"], Value::Null);
    one.say(&accept("rematch")).await;
    let next = at(&mut two, 3).await["next"].as_str().unwrap().to_owned();
    assert_ne!(next, id);
    let (_, welcome, state) = host.sit(&next, &[&tokens["second"]]).await;
    assert_eq!((&welcome["first"], &welcome["second"]), (&json!(true), &json!(false)));
    assert_eq!((&state["version"], &state["to_move"]), (&json!(0), &json!("first")));
    let (_, welcome, _) = host.sit(&next, &[&tokens["first"]]).await;
    assert_eq!((&welcome["first"], &welcome["second"]), (&json!(false), &json!(true)));
    one.say(&accept("rematch")).await;
    assert!(one.refusal().await.contains("no such offer"), "one game follows another");
}

#[tokio::test]
async fn who_plays_alone_asks_nobody() {
    let host = host().await;
    let (id, tokens) = host.found("tictactoe", ["human", "bot:easy"]).await;
    let (mut me, _, state) = host.sit(&id, &[&tokens["first"], &tokens["host"]]).await;
    assert_eq!(state["offers"], json!([[], []]));
    me.say(&offer("draw")).await;
    assert!(me.refusal().await.contains("nobody to ask"));
    let (id, tokens) = host.found("tictactoe", ["human", "human"]).await;
    let (mut both, ..) = host.sit(&id, &[&tokens["first"], &tokens["second"]]).await;
    both.say(&offer("draw")).await;
    assert!(both.refusal().await.contains("two people"));
}
