//! What strangers build on: the page about the protocol, and a worker written from it.

use std::path::Path;
use std::process::Command;

use cluster::http::DoorOptions;
use serde_json::Value;
use solve::Goal;
use solve::message::SolverVersion;

use crate::hall::{Asked, Hall, say, serve, wide};

fn asked() -> Asked {
    Asked { keep_table: true, budget: 1 << 20, slice: 1 << 20, ..Asked::about("mnk:3x3,k=3") }
}

#[test]
fn a_worker_in_python_solves_tic_tac_toe() {
    for budget in [1 << 20, 256] {
        let hall = Hall::new(Asked { budget, ..asked() });
        let server = serve(&hall, DoorOptions { limits: wide(), ..Default::default() });
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/foreign_worker.py");
        let url = format!("http://{}", server.addresses()[0]);
        let output =
            Command::new("python3").arg(script).args([&url, "own-token"]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && said.starts_with("units: "), "{said}\n{complaint}");
        assert_eq!(hall.bounds().exact(), Some(0));
        assert_eq!(said.trim(), format!("units: {}", hall.taken().len()));
    }
}

/// The blocks of a page in this language.
fn blocks<'p>(page: &'p str, language: &str) -> Vec<&'p str> {
    let fence = format!("```{language}\n");
    let parts = page.split(&fence).skip(1);
    parts.map(|part| part.split("\n```").next().unwrap()).collect()
}

/// The exchange that the page shows is what is said.
#[test]
fn the_page_shows_what_is_said() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/worker-protocol.md");
    let page = std::fs::read_to_string(file).unwrap();
    let solver = Some(SolverVersion::default());
    let hall = Hall::new(Asked { goal: Goal::AtLeast(0), solver, ..asked() });
    let upgrade = "https://example.org/zermelo has the program".to_owned();
    let server = serve(&hall, DoorOptions { upgrade, ..Default::default() });
    let blocks = blocks(&page, "http");
    assert!(blocks.len() >= 12 && blocks.len().is_multiple_of(2), "{}", blocks.len());
    for pair in blocks.chunks(2) {
        let (head, body) = pair[0].split_once("\n\n").unwrap_or((pair[0], ""));
        let head = head.replacen('\n', " HTTP/1.1\nHost: door\n", 1);
        let head = if head.contains("HTTP/1.1") { head } else { head + " HTTP/1.1\nHost: door" };
        let length = body.len();
        let head = format!("{head}\nContent-Length: {length}\nConnection: close\n\n");
        let mut heard = say(
            server.addresses()[0],
            &[head.replace('\n', "\r\n").as_bytes(), body.as_bytes()].concat(),
        );
        // How long a lease lasts is counted by the clock.
        heard.body = heard.body.replace("\"seconds\":599", "\"seconds\":600");
        let (status, shown) = pair[1].split_once("\n\n").unwrap();
        let actual = serde_json::to_string_pretty(&heard.json()).unwrap();
        assert!(heard.head.contains(&format!("HTTP/1.1 {status}")), "{}\n{}", pair[0], heard.head);
        let shown: Value = serde_json::from_str(shown).unwrap();
        assert_eq!(heard.json(), shown, "{}\nis answered by\n{actual}", pair[0]);
    }
    assert!(hall.is_answered(), "the example goes to the end");
    // Every limit that the page names.
    for words in [
        format!("at most {} bytes of JSON", cluster::wire::LARGEST_JSON),
        format!("at most {} bytes of a lemma", cluster::wire::LARGEST_LEMMA),
        format!("at most {} units", cluster::wire::MOST_UNITS),
        format!("at most {} bytes of error text", cluster::wire::LONGEST_ERROR),
        format!("at most {} letters", cluster::wire::LONGEST_NAME),
    ] {
        assert!(page.contains(&words), "the page should say: {words}");
    }
}
