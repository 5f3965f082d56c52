//! Who is at a table: one seat one person, who is here and who has left, those who look on.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Host, Socket, host, host_with};

const KEY: &str = "k0123456789abcdefghjkmnpqr";
const OTHER_KEY: &str = "z0123456789abcdefghjkmnpqr";

/// Opens a socket and says hello like this.
async fn hello(host: &Host, id: &str, hello: &Value) -> Socket {
    let origin = format!("http://{}", host.address);
    let mut socket = host.socket(id, Some(&origin)).await.unwrap();
    let mut hello = hello.clone();
    hello["type"] = json!("hello");
    socket.say(&hello).await;
    socket
}

/// The next list of people that is so.
async fn people(socket: &mut Socket, wanted: impl Fn(&Value) -> bool) -> Value {
    loop {
        let people = socket.hear("people").await;
        if wanted(&people) {
            return people;
        }
    }
}

#[tokio::test]
async fn a_seat_is_taken_once() {
    let host = host().await;
    let (id, tokens) = host.found("chess", ["human", "human"]).await;
    let (mut one, _, state) = host.sit(&id, &[&tokens["first"], &tokens["host"]]).await;
    assert_eq!(state["taken"], json!([false, false]));
    let by_link = |key: &str| json!({ "tokens": [tokens["second"]], "claim": key });
    let mut two = hello(&host, &id, &by_link(KEY)).await;
    assert_eq!(two.hear("welcome").await["second"], true);
    let state = one.hear_state(|state| state["taken"] == json!([false, true])).await;
    assert_eq!(state["version"], 1);
    // Whoever comes by the same link looks on, with a key and without one, and cannot move.
    one.play("e2e4", 1).await;
    for mut third in [
        hello(&host, &id, &by_link(OTHER_KEY)).await,
        hello(&host, &id, &json!({ "tokens": [tokens["second"]] })).await,
        hello(
            &host,
            &id,
            &json!({ "tokens": [OTHER_KEY, KEY.to_uppercase(), "", tokens["second"]] }),
        )
        .await,
    ] {
        let welcome = third.hear("welcome").await;
        assert_eq!(
            welcome,
            json!({ "type": "welcome", "host": false, "first": false, "second": false })
        );
        third.play("e7e5", 2).await;
        assert!(third.refusal().await.contains("looking on"));
        third.say(&json!({ "type": "resign" })).await;
        assert!(third.refusal().await.contains("looking on"));
    }
    // Who took it comes back with the key alone, and by the link too.
    for again in [json!({ "tokens": [KEY] }), by_link(KEY)] {
        let mut two = hello(&host, &id, &again).await;
        assert_eq!(two.hear("welcome").await["second"], true);
    }
    two.play("e7e5", 2).await;
    let state = one.hear_state(|state| state["ply"] == 2).await;
    assert_eq!(state["version"], 3, "a seat is taken once");
}

#[tokio::test]
async fn seats_stay_taken_after_a_restart_and_in_another_game() {
    let folder = tempfile::tempdir().unwrap();
    let options = || web::ServerOptions {
        store: Some(folder.path().join("games.db")),
        names: vec!["table.example".to_owned()],
        ..web::ServerOptions::default()
    };
    let first = host_with(options()).await;
    let (id, tokens) = first.found("tictactoe", ["human", "human"]).await;
    let mut two = hello(&first, &id, &json!({ "tokens": [tokens["second"]], "claim": KEY })).await;
    two.hear("state").await;
    two.say(&json!({ "type": "resign" })).await;
    two.hear_state(|state| state["version"] == 2).await;
    let second = host_with(options()).await;
    let (_, welcome, _) = second.sit(&id, &[&tokens["second"]]).await;
    assert_eq!(welcome["second"], false, "the link is used up");
    let (mut two, welcome, _) = second.sit(&id, &[&json!(KEY)]).await;
    assert_eq!(welcome["second"], true);
    let list = |token: &Value| json!({ "tokens": [[id, [token]]] });
    for (token, total) in [(json!(KEY), 1), (tokens["second"].clone(), 0)] {
        let own = second.post("/api/history", &list(&token)).await.json();
        assert_eq!((&own["everything"], &own["total"]), (&json!(false), &json!(total)));
    }
    let (mut one, ..) = second.sit(&id, &[&tokens["first"]]).await;
    one.say(&json!({ "type": "offer", "what": "rematch" })).await;
    two.hear_state(|state| !state["offer"].is_null()).await;
    two.say(&json!({ "type": "accept", "what": "rematch" })).await;
    let state = one.hear_state(|state| !state["next"].is_null()).await;
    let next = state["next"].as_str().unwrap();
    let (_, welcome, _) = second.sit(next, &[&json!(KEY)]).await;
    assert_eq!((&welcome["first"], &welcome["second"]), (&json!(true), &json!(false)));
    let (_, welcome, _) = second.sit(next, &[&tokens["second"]]).await;
    assert_eq!((&welcome["first"], &welcome["second"]), (&json!(false), &json!(false)));
}

#[tokio::test]
async fn forged_keys_and_tokens_open_nothing() {
    let host = host().await;
    let (id, tokens) = host.found("chess", ["human", "human"]).await;
    for claim in
        ["", "short", &"x".repeat(65), "has a blank in it, and a comma", "ключ-ключ-ключ-ключ-ключ"]
    {
        let mut socket =
            hello(&host, &id, &json!({ "tokens": [tokens["second"]], "claim": claim })).await;
        assert_eq!(socket.next().await, None, "{claim}");
    }
    let forged = "y0123456789abcdefghjkmnpqr";
    let mut socket = hello(&host, &id, &json!({ "tokens": [forged], "claim": KEY })).await;
    let welcome = socket.hear("welcome").await;
    assert!(welcome["first"] == false && welcome["second"] == false);
    assert_eq!(socket.hear("state").await["taken"], json!([false, false]));
    // A machine's seat has no token, and a host's is no seat.
    let (id, tokens) = host.found("chess", ["human", "bot:random"]).await;
    let mut socket = hello(&host, &id, &json!({ "tokens": [tokens["host"]], "claim": KEY })).await;
    assert_eq!(socket.hear("welcome").await["second"], false);
    assert_eq!(socket.hear("state").await["version"], 0);
    let mut many = hello(&host, &id, &json!({ "tokens": ["a", "b", "c", "d", "e"] })).await;
    assert_eq!(many.next().await, None);
}

#[tokio::test]
async fn who_is_here_and_who_has_left() {
    let time = web::Time::by_hand();
    let options = web::ServerOptions { time: time.clone(), ..web::ServerOptions::default() };
    let host = host_with(options).await;
    let (id, tokens) = host.found("chess", ["human", "human"]).await;
    let mut one =
        hello(&host, &id, &json!({ "tokens": [tokens["first"]], "name": " Ana <b> " })).await;
    let seen = people(&mut one, |_| true).await;
    let ana = json!({ "name": "Ana <b>", "here": true, "left": null });
    let nobody = json!({ "name": null, "here": false, "left": null });
    let expected = json!({ "type": "people", "seats": [ana, nobody], "watching": 0, "names": [] });
    assert_eq!(seen, expected);
    let mut two = hello(&host, &id, &json!({ "tokens": [tokens["second"]] })).await;
    two.hear("state").await;
    let mut guest = hello(&host, &id, &json!({ "name": "Bo" })).await;
    let seen = people(&mut one, |seen| seen["watching"] == 1).await;
    assert_eq!((&seen["seats"][1]["here"], &seen["names"]), (&json!(true), &json!(["Bo"])));
    guest.say(&json!({ "type": "name", "name": "Bo Second" })).await;
    people(&mut one, |seen| seen["names"] == json!(["Bo Second"])).await;
    for bad in ["", "\u{202e}oB", &"x".repeat(25)] {
        guest.say(&json!({ "type": "name", "name": bad })).await;
        assert!(guest.refusal().await.contains("a name has"), "{bad:?}");
    }
    drop(two);
    people(&mut one, |seen| seen["seats"][1]["here"] == false).await;
    time.advance(Duration::from_secs(12));
    drop(guest);
    let seen = people(&mut one, |seen| seen["watching"] == 0).await;
    assert_eq!(seen["seats"][1], json!({ "name": null, "here": false, "left": 12_000 }));
    let mut two = hello(&host, &id, &json!({ "tokens": [tokens["second"]] })).await;
    two.hear("state").await;
    let seen = people(&mut one, |seen| seen["seats"][1]["here"] == true).await;
    assert_eq!(seen["seats"][1]["left"], Value::Null);
    let mut wrong = hello(&host, &id, &json!({ "name": "x".repeat(25) })).await;
    assert_eq!(wrong.next().await, None, "a hello with a name that is none");
    // At a machine's seat sits nobody.
    let (id, tokens) = host.found("chess", ["bot:random", "human"]).await;
    let mut me = hello(&host, &id, &json!({ "tokens": [tokens["second"]] })).await;
    let seen = people(&mut me, |_| true).await;
    assert_eq!(seen["seats"][0], Value::Null);
}

/// A crowd comes and goes while two play: everybody hears of every move, and of the crowd together.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_crowd_looks_on() {
    const CROWD: usize = 240;
    let host = host().await;
    let (id, tokens) = host.found("chess", ["human", "human"]).await;
    let (mut one, ..) = host.sit(&id, &[&tokens["first"]]).await;
    let (mut two, ..) = host.sit(&id, &[&tokens["second"]]).await;
    let mut crowd = Vec::new();
    for number in 0..CROWD {
        let last = u8::try_from(2 + number / 60).unwrap();
        crowd.push(host.sit_from(last, &id, &[]).await);
    }
    people(&mut one, |seen| seen["watching"] == CROWD).await;
    for watcher in &mut crowd {
        watcher.play("e2e4", 0).await;
    }
    for watcher in &mut crowd {
        assert!(watcher.refusal().await.contains("looking on"));
    }
    one.play("e2e4", 0).await;
    two.hear_state(|state| state["ply"] == 1).await;
    let mut lists = 0;
    for watcher in &mut crowd {
        loop {
            let message = watcher.next().await.unwrap();
            lists += usize::from(message["type"] == "people");
            if message["type"] == "state" && message["ply"] == 1 {
                break;
            }
        }
    }
    assert!(lists < CROWD * CROWD / 2, "{lists} lists for {CROWD} arrivals");
    drop(crowd);
    people(&mut one, |seen| seen["watching"] == 0).await;
    two.play("e7e5", 1).await;
    one.hear_state(|state| state["ply"] == 2).await;
}
