//! Games that earlier versions have kept (`tests/old/home/table.db`): they are listed, shown and gone on with.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::client::{Host, host_with};

/// Drawn by agreement, and then there was another game.
const DRAWN: &str = "3ajkgg7vqznvf4ax";
const REMATCH: &str = "dan6njqrc7mn88mh";
/// Given up after an offer was declined; there is a review.
const RESIGNED: &str = "7jm40jk3g9knnc8y";
/// A person against a bot, who have changed places; moves were taken back.
const UNFINISHED: &str = "83fsq1xq4pfa9scs";
/// The token of the person there.
const PERSON: &str = "j8hngb507ckyt6sckqbx3rg0dy";
/// Between two bots.
const BOTS: &str = "mwh8qw94r024df43";
/// Go, with dead stones that were agreed on.
const AGREED: &str = "pr7f0sw79hwrjn8n";
/// Begun from a file.
const LOADED: &str = "tq9wbqafdx01qdhk";
const LOADED_FIRST: &str = "2rbrmh1cxs5s2n19ff0mj36dps";
const LOADED_SECOND: &str = "nwps08e82g01xpfbxmsjcd7gn6";
/// Drawn because somebody asked for it.
const CLAIMED: &str = "cermsbr3hnkb8p8h";

/// A server of its own on a copy of the old file.
async fn host(test: &str) -> (Host, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/old/home");
    let store = folder.path().join(format!("{test}.db"));
    std::fs::copy(old.join("table.db"), &store).unwrap();
    begin_now(&store, REMATCH);
    let tables: PathBuf = old.join("tables");
    let options = web::ServerOptions {
        store: Some(store),
        tables: Some(tables),
        ..web::ServerOptions::default()
    };
    (host_with(options).await, folder)
}

/// Says that a game has just begun: one without moves is kept for a day.
fn begin_now(store: &Path, id: &str) {
    let file = rusqlite::Connection::open(store).unwrap();
    let trigger = "SELECT sql FROM sqlite_master WHERE name = 'games_stay'";
    let trigger: String = file.query_row(trigger, [], |row| row.get(0)).unwrap();
    let update = format!("UPDATE games SET created = unixepoch() WHERE id = '{id}'");
    file.execute_batch(&format!("DROP TRIGGER games_stay; {update}; {trigger}")).unwrap();
}

async fn state(host: &Host, id: &str) -> Value {
    let answer = host.get(&format!("/api/games/{id}")).await;
    assert_eq!(answer.status, 200, "{id} {answer:?}");
    answer.json()
}

#[tokio::test]
async fn old_games_are_listed() {
    let (host, _folder) = host("listed").await;
    let list = host.post("/api/history", &json!({})).await.json();
    let games = list["games"].as_array().unwrap();
    let mut found: Vec<_> = games
        .iter()
        .map(|game| {
            let words = ["id", "name", "value", "reason"].map(|key| game[key].as_str());
            (words, game["plies"].as_u64().unwrap())
        })
        .collect();
    found.sort_unstable();
    let mut expected = vec![
        ([Some(DRAWN), Some("draughts:international"), Some("draw"), Some("agreed")], 3),
        ([Some(RESIGNED), Some("tictactoe"), Some("first"), Some("resigned")], 4),
        ([Some(UNFINISHED), Some("chess"), None, None], 5),
        ([Some(BOTS), Some("reversi:4x4"), Some("second"), Some("rules")], 12),
        (
            [
                Some(AGREED),
                Some("go:5x5,ko=basic,scoring=territory,dead=stay"),
                Some("first"),
                Some("rules"),
            ],
            2,
        ),
        ([Some(LOADED), Some("chess"), None, None], 114),
        ([Some(CLAIMED), Some("chess"), Some("draw"), Some("claimed")], 1),
    ];
    expected.sort_unstable();
    assert_eq!(found, expected, "the rematch has no move yet, and is none");
    let finished = host.post("/api/history", &json!({ "finished": true })).await.json();
    assert_eq!(finished["total"], 5);
}

#[tokio::test]
async fn old_finished_games_are_shown() {
    let (host, _folder) = host("finished").await;
    let resigned = state(&host, RESIGNED).await;
    assert_eq!(resigned["version"], 7);
    let line: Vec<&str> =
        resigned["line"].as_array().unwrap().iter().map(|m| m["text"].as_str().unwrap()).collect();
    assert_eq!(line, ["b2", "a2", "c1", "b1"]);
    assert_eq!(resigned["outcome"]["reason"], "resigned");
    assert_eq!(resigned["review"]["version"], resigned["version"], "{}", resigned["review"]);
    assert_eq!(resigned["tabled"], true, "its table is an old file, too");
    let drawn = state(&host, DRAWN).await;
    assert_eq!((&drawn["outcome"]["value"], &drawn["next"]), (&json!("draw"), &json!(REMATCH)));
    let rematch = state(&host, REMATCH).await;
    assert_eq!((&rematch["ply"], &rematch["seats"]), (&json!(0), &json!(["human", "human"])));
    let bots = state(&host, BOTS).await;
    assert_eq!(bots["seats"], json!(["bot:random", "bot:depth=1"]));
    assert_eq!(bots["outcome"]["margin"], -4);
    let agreed = state(&host, AGREED).await;
    assert_eq!(agreed["outcome"]["why"]["kind"], "agreed");
    assert_eq!(agreed["outcome"]["margin"], 23);
    let claimed = state(&host, CLAIMED).await;
    assert_eq!(claimed["outcome"]["why"]["kind"], "quiet");
    let loaded = host.get(&format!("/api/games/{LOADED}/file")).await;
    assert_eq!(loaded.status, 200);
    assert!(loaded.body.contains("[White \"depth=2\"]"), "{}", loaded.body);
}

#[tokio::test]
async fn old_unfinished_games_go_on() {
    let (host, _folder) = host("unfinished").await;
    let before = state(&host, UNFINISHED).await;
    let position = "rnbqkb1r/pppppppp/8/8/3Pn3/8/PPPN1PPP/R1BQKBNR b KQkq - 1 3";
    assert_eq!((&before["version"], &before["ply"]), (&json!(11), &json!(5)));
    assert_eq!((&before["position"], &before["outcome"]), (&json!(position), &Value::Null));
    assert_eq!(before["seats"], json!(["bot:depth=2", "human"]));
    let plies = before["opinions"].as_array().unwrap();
    assert_eq!(plies.iter().map(|o| o["ply"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 3, 4]);
    let (mut person, welcome, _) = host.sit(UNFINISHED, &[&json!(PERSON)]).await;
    assert_eq!((&welcome["first"], &welcome["second"]), (&json!(false), &json!(true)));
    person.play("e4f6", 11).await;
    let after = person.hear_state(|state| state["ply"] == 7).await;
    assert_eq!((&after["version"], &after["to_move"]), (&json!(13), &json!("second")));
}

#[tokio::test]
async fn old_games_from_files_are_played_to_their_end() {
    let (host, _folder) = host("loaded").await;
    let (first, second) = (json!(LOADED_FIRST), json!(LOADED_SECOND));
    let (mut both, _, state) = host.sit(LOADED, &[&first, &second]).await;
    assert_eq!((&state["ply"], &state["can_redo"]), (&json!(114), &json!(true)));
    both.say(&json!({ "type": "redo" })).await;
    let end = both.hear_state(|state| !state["outcome"].is_null()).await;
    assert_eq!(end["outcome"]["why"]["kind"], "checkmate");
}

/// A table that an earlier version wrote says what every move is worth.
#[tokio::test]
async fn old_tables_are_shown() {
    let (host, _folder) = host("tables").await;
    let (mut guest, ..) = host.sit(RESIGNED, &[]).await;
    guest.say(&json!({ "type": "exact", "on": true })).await;
    let state = guest.hear_state(|state| !state["exact"].is_null()).await;
    let exact = &state["exact"];
    assert_eq!((&exact["value"]["winner"], &exact["plies"]), (&json!("first"), &json!(1)));
    assert_eq!(exact["moves"].as_array().unwrap().len(), 5);
    assert_eq!(exact["moves"][0]["text"], "a3", "{exact}");
}
