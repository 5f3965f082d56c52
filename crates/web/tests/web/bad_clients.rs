//! Clients that do what they should not: each is told why it is refused, and everybody else plays on.

use serde_json::{Value, json};

use crate::client::{Host, host, host_with};

/// The server still does its work.
async fn is_alive(host: &Host) {
    let (id, tokens) = host.found("tictactoe", ["human", "human"]).await;
    let (mut socket, ..) = host.sit(&id, &[&tokens["first"]]).await;
    socket.play("b2", 0).await;
    assert_eq!(socket.hear("state").await["version"], 1);
}

#[tokio::test]
async fn other_pages_and_other_names_are_refused() {
    let host = host().await;
    let own = &host.address;
    let port = own.rsplit(':').next().unwrap();
    for (name, status) in [
        (own.clone(), 200),
        (format!("localhost:{port}"), 200),
        ("127.0.0.1".to_owned(), 403),
        (format!("evil.example:{port}"), 403),
        (format!("127.0.0.1.evil.example:{port}"), 403),
        (format!("localhost:{port}@evil.example"), 403),
        ("localhost:1".to_owned(), 403),
    ] {
        let answer = host.raw(&format!("GET /api/families HTTP/1.1\r\nHost: {name}\r\n"), "").await;
        assert_eq!(answer.status, status, "{name}");
    }
    let twice = format!("GET /api/families HTTP/1.1\r\nHost: {own}\r\nHost: evil.example\r\n");
    assert!(host.raw(&twice, "").await.status >= 400);
    let (id, _) = host.found("tictactoe", ["human", "human"]).await;
    for origin in [
        "http://evil.example".to_owned(),
        "null".to_owned(),
        format!("http://{own}.evil.example"),
        format!("http://evil.example/http://{own}"),
        "http://127.0.0.1".to_owned(),
        format!("ftp://{own}"),
        own.clone(),
    ] {
        let head = format!("GET /api/families HTTP/1.1\r\nHost: {own}\r\nOrigin: {origin}\r\n");
        let answer = host.raw(&head, "").await;
        assert_eq!(
            (answer.status, answer.error().contains("other pages")),
            (403, true),
            "{origin}"
        );
        assert_eq!(host.socket(&id, Some(&origin)).await.err(), Some(403), "{origin}");
    }
    assert_eq!(host.socket(&id, None).await.err(), Some(403), "a page says where it is from");
    let named =
        host_with(web::ServerOptions { names: vec!["games.example".into()], ..Default::default() });
    let answer = named.await.raw("GET /api/families HTTP/1.1\r\nHost: games.example\r\n", "").await;
    assert_eq!(answer.status, 200);
    is_alive(&host).await;
}

#[tokio::test]
async fn every_answer_is_strict_with_browsers() {
    let host = host().await;
    for path in ["/", "/api/families", "/api/none", "/none.js"] {
        let answer = host.get(path).await;
        for line in [
            "content-security-policy: default-src 'none'; script-src 'self';",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
        ] {
            assert!(answer.head.contains(line), "{path}: {}", answer.head);
        }
    }
}

#[tokio::test]
async fn paths_lead_nowhere_else() {
    let host = host().await;
    for path in [
        "/../Cargo.toml",
        "/assets/../../Cargo.toml",
        "/..%2f..%2fetc%2fpasswd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/assets/",
        "/index.html%00",
        "/api/games/..%2f..%2fgames.db",
        "/api/games/' OR 1=1 --",
        "/api/games/%00",
        "/api/../games",
    ] {
        let answer = host.get(path).await;
        assert!((400..=404).contains(&answer.status), "{path}: {answer:?}");
        assert!(!answer.body.contains("root:") && !answer.body.contains("[package]"), "{path}");
    }
    is_alive(&host).await;
}

#[tokio::test]
async fn what_is_too_much_is_refused() {
    let host = host().await;
    let body = json!({ "game": "chess", "position": "8/".repeat(5_000_000) });
    let answer = host.post("/api/games", &body).await;
    assert_eq!((answer.status, answer.error().contains("too much")), (413, true));
    for (body, word) in [
        (json!({ "game": "chess", "position": "8/".repeat(50_000) }), "letters"),
        (json!({ "game": format!("mnk:3x3,k={}", "9".repeat(9_000)) }), "letters"),
        (json!({ "game": "mnk:251x250,k=5" }), "250"),
        (json!({ "game": "tictactoe", "seats": ["human", "bot:hash=60000"] }), "level"),
        (json!({ "game": "tictactoe", "seats": ["human", "uci:/bin/sh"] }), "seat"),
        (
            json!({ "game": "tictactoe", "seats": ["human", "bot:easy,weights=/etc/passwd"] }),
            "level",
        ),
        (json!({ "game": "chess", "seats": ["human", "bot:adjacent"] }), "adjacent"),
        (json!({ "game": "tictactoe", "file": "(;GM[1]" }), "file"),
    ] {
        let answer = host.post("/api/games", &body).await;
        assert_eq!((answer.status, answer.error().contains(word)), (400, true), "{answer:?}");
    }
    is_alive(&host).await;
}

#[tokio::test]
async fn errors_point_at_the_place() {
    let host = host().await;
    let body = json!({ "game": "chess", "position": "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1" });
    let answer = host.post("/api/preview", &body).await;
    assert_eq!((answer.status, &answer.json()["character"]), (400, &json!(13)), "{answer:?}");
    let right = host.post("/api/preview", &json!({ "game": "connect4" })).await.json();
    assert_eq!((&right["game"], &right["family"]), (&json!("mnk:6x7,k=4,gravity"), &json!("mnk")));
}

#[tokio::test]
async fn malformed_requests_get_one_clear_line() {
    let host = host().await;
    let head = |kind: &str| {
        format!("POST /api/games HTTP/1.1\r\nHost: {}\r\nContent-Type: {kind}\r\n", host.address)
    };
    for (kind, body, status) in [
        ("application/json", "", 400),
        ("application/json", "{", 400),
        ("application/json", "[1,2,3]", 400),
        ("application/json", r#"{"game":"tictactoe","command":"rm"}"#, 400),
        ("application/json", r#"{"game":"tictactoe","seats":["human"]}"#, 400),
        ("application/json", r#"{"game":"nosuchgame"}"#, 400),
        ("text/plain", r#"{"game":"tictactoe"}"#, 415),
        ("application/x-www-form-urlencoded", "game=tictactoe", 415),
    ] {
        let answer = host.raw(&head(kind), body).await;
        assert_eq!(answer.status, status, "{body}: {answer:?}");
        answer.error();
    }
    let deep = "[".repeat(100_000);
    assert_eq!(host.raw(&head("application/json"), &deep).await.status, 400);
    assert_eq!(host.get("/api/games").await.status, 405);
    assert_eq!(host.get("/api/games/nobody").await.status, 404);
    is_alive(&host).await;
}

#[tokio::test]
async fn strangers_look_on_and_do_no_more() {
    let host = host().await;
    let (id, tokens) = host.found("tictactoe", ["human", "bot:easy"]).await;
    let (_, other) = host.found("tictactoe", ["human", "human"]).await;
    let guess = json!("0".repeat(26));
    let empty = json!("");
    let strangers: [&[&Value]; 4] = [&[], &[&other["first"], &other["host"]], &[&guess], &[&empty]];
    for shown in strangers {
        let (mut socket, welcome, _) = host.sit(&id, shown).await;
        assert_eq!((&welcome["first"], &welcome["host"]), (&json!(false), &json!(false)));
        for request in [
            json!({ "type": "play", "move": "b2", "version": 0 }),
            json!({ "type": "resign" }),
            json!({ "type": "undo" }),
            json!({ "type": "swap" }),
            json!({ "type": "pause" }),
            json!({ "type": "hint" }),
        ] {
            socket.say(&request).await;
            assert!(socket.refusal().await.contains("looking on"), "{request}");
        }
    }
    let state = host.get(&format!("/api/games/{id}")).await;
    assert_eq!(state.json()["version"], 0);
    for secret in ["host", "first"] {
        assert!(!state.body.contains(tokens[secret].as_str().unwrap()), "secrets stay secret");
    }
    // The host of a game does not play for the people in it.
    let (mut socket, ..) = host.sit(&id, &[&tokens["host"]]).await;
    socket.play("b2", 0).await;
    assert!(socket.refusal().await.contains("turn"));
}

#[tokio::test]
async fn rude_sockets_are_closed_and_others_are_not() {
    let host = host().await;
    let (id, tokens) = host.found("tictactoe", ["human", "human"]).await;
    let origin = format!("http://{}", host.address);
    let (mut quiet, ..) = host.sit(&id, &[&tokens["first"]]).await;

    for first in [
        "",
        "{",
        "[]",
        r#"{"type":"play","move":"b2","version":0}"#,
        r#"{"type":"hello","tokens":7}"#,
    ] {
        let mut socket = host.socket(&id, Some(&origin)).await.unwrap();
        socket.send(first.to_owned()).await;
        assert_eq!(socket.next().await, None, "{first}");
    }
    let (mut loud, ..) = host.sit(&id, &[&tokens["second"]]).await;
    for text in ["", "null", r#"{"type":"format_disk"}"#, &"[".repeat(10_000)] {
        loud.send(text.to_owned()).await;
        assert!(loud.refusal().await.contains("no sense"), "{text}");
    }
    loud.send("x".repeat(10_000_000)).await;
    while loud.next().await.is_some() {}
    let (mut flood, ..) = host.sit(&id, &[&tokens["second"]]).await;
    for _ in 0..500 {
        flood.say(&json!({ "type": "undo" })).await;
    }
    let mut refused = 0;
    while let Some(message) = flood.next().await {
        refused += usize::from(message["type"] == "refused");
    }
    assert!(refused < 200, "a flood is cut off");

    quiet.play("b2", 0).await;
    assert_eq!(quiet.hear("state").await["version"], 1);
    assert_eq!(host.socket("nobody", Some(&origin)).await.err(), Some(404));
    is_alive(&host).await;
}

#[tokio::test]
async fn a_flood_of_games_ends_and_those_under_way_go_on() {
    let host = host().await;
    let (id, tokens) = host.found("tictactoe", ["human", "human"]).await;
    let (mut socket, ..) = host.sit(&id, &[&tokens["first"]]).await;
    let mut refused = None;
    for _ in 0..150 {
        let answer = host.post("/api/games", &json!({ "game": "tictactoe" })).await;
        if answer.status != 201 {
            refused = Some(answer);
            break;
        }
    }
    let refused = refused.expect("there is a limit");
    assert_eq!((refused.status, refused.error().contains("wait")), (429, true));
    socket.play("b2", 0).await;
    assert_eq!(socket.hear("state").await["version"], 1);
}
