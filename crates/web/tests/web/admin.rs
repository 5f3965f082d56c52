//! What needs the admin token where others come in, and what does not.

use std::path::Path;

use serde_json::{Value, json};
use serving::make_admin_token;
use tempfile::TempDir;
use web::ServerOptions;

use crate::client::{Answer, Host, host, host_with};

const ENGINE: &str = r#"while read line; do case "$line" in
  uci) echo "id name script"; echo uciok;;
  isready) echo readyok;;
  quit) exit 0;;
esac; done"#;

/// A table behind a proxy, so that others can come in, with an engine and an admin token.
async fn opened(folder: &Path, guest_engines: bool) -> (Host, String) {
    let script = folder.join("engine.sh");
    std::fs::write(&script, ENGINE).unwrap();
    let engines = folder.join("engines.txt");
    let line = format!("Zermelo engines 1\nmy chess uci:/bin/sh {}\n", script.display());
    std::fs::write(&engines, line).unwrap();
    let file = folder.join("admin-token");
    let token = make_admin_token(&file, true).unwrap().unwrap();
    let options = ServerOptions {
        engines: Some(engines),
        admin: Some(file),
        proxies: vec!["192.0.2.1".parse().unwrap()],
        guest_engines,
        ..ServerOptions::default()
    };
    (host_with(options).await, token.reveal().to_owned())
}

impl Host {
    async fn post_as(&self, token: &str, path: &str, body: &Value) -> Answer {
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Authorization: Bearer {token}\r\n",
            self.address
        );
        self.raw(&head, &body.to_string()).await
    }

    async fn engines(&self, headers: &str) -> usize {
        let head = format!("GET /api/families HTTP/1.1\r\nHost: {}\r\n{headers}", self.address);
        self.raw(&head, "").await.json()["engines"].as_array().unwrap().len()
    }
}

#[tokio::test]
async fn guests_play_and_look_and_start_no_engines() {
    let folder = TempDir::new().unwrap();
    let (host, token) = opened(folder.path(), false).await;
    let against = json!({ "game": "chess", "seats": ["human", "engine:my"] });
    let refused = host.post("/api/games", &against).await;
    assert_eq!(refused.status, 401);
    assert!(refused.error().contains("admin token"), "{refused:?}");
    assert_eq!(host.post_as("wrong", "/api/games", &against).await.status, 401);
    assert_eq!(host.engines("").await, 0, "nobody is offered what they are refused");
    let (id, tokens) = host.found("tictactoe", ["human", "bot:easy"]).await;
    assert_eq!(host.get(&format!("/api/games/{id}")).await.status, 200);
    let (mut me, ..) = host.sit(&id, &[&tokens["first"]]).await;
    me.play("a1", 0).await;
    me.hear_state(|state| state["version"].as_u64() >= Some(1)).await;
    let all = host.post("/api/history", &json!({})).await.json();
    assert_eq!((&all["everything"], &all["total"]), (&json!(false), &json!(0)));

    let bearer = format!("Authorization: Bearer {token}\r\n");
    assert_eq!(host.engines(&bearer).await, 1);
    let founded = host.post_as(&token, "/api/games", &against).await;
    assert_eq!(founded.status, 201, "{founded:?}");
    let all = host.post_as(&token, "/api/history", &json!({})).await.json();
    assert_eq!((&all["everything"], &all["total"]), (&json!(true), &json!(1)));
}

#[tokio::test]
async fn a_browser_signs_in_and_out() {
    let folder = TempDir::new().unwrap();
    let (host, token) = opened(folder.path(), false).await;
    let page = host.get("/admin").await;
    assert!(page.status == 200 && page.head.contains("frame-ancestors 'none'"), "{page:?}");
    assert_eq!(page.head.matches("content-security-policy").count(), 1, "{page:?}");
    assert_eq!(host.get("/api/admin/session").await.json()["admin"], false);
    let signed = host.post("/api/admin/session", &json!({ "token": token })).await;
    assert_eq!(signed.status, 204, "{signed:?}");
    let line = signed.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(line.ends_with("secure") && line.contains("samesite=strict"), "behind a proxy: {line}");
    let cookie = line.split(';').next().unwrap().replace("__host-", "__Host-");
    let own = format!("Cookie: {cookie}\r\nOrigin: http://{}\r\n", host.address);
    assert_eq!(host.engines(&own).await, 1);
    let elsewhere = format!("Cookie: {cookie}\r\nOrigin: http://evil.example\r\n");
    let head = format!("GET /api/families HTTP/1.1\r\nHost: {}\r\n{elsewhere}", host.address);
    assert_eq!(host.raw(&head, "").await.status, 403);
    let head = format!("DELETE /api/admin/session HTTP/1.1\r\nHost: {}\r\n{own}", host.address);
    assert_eq!(host.raw(&head, "").await.status, 204);
    assert_eq!(host.engines(&own).await, 0);
}

/// Whoever runs a table may let guests have engines; a private table grants all.
#[tokio::test]
async fn engines_can_be_for_everybody() {
    let folder = TempDir::new().unwrap();
    let (open_table, _) = opened(folder.path(), true).await;
    assert_eq!(open_table.engines("").await, 1);
    let engines = Some(folder.path().join("engines.txt"));
    let private = host_with(ServerOptions { engines, ..ServerOptions::default() }).await;
    assert_eq!(private.engines("").await, 1);
    assert_eq!(host().await.get("/api/admin/session").await.json()["open"], false);
}
