//! The door from outside: what it grants, what it refuses, and that it lives on.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use cluster::http::{DoorLimits, DoorOptions, DoorServer, DoorServerError};
use cluster::wire::{LARGEST_JSON, LARGEST_LEMMA, ReportJson};
use cluster::worker::run_worker;
use game::Rng;
use play::Stop;
use serde_json::{Value, json};
use solve::TrustPlan;
use solve::message::{SolverVersion, UnitReport};

use crate::hall::{Asked, Hall, ask, hasty, listener, post, say, serve, wide};

fn lease(server: &DoorServer, token: &str) -> Value {
    let heard = post(server, "lease", token, &json!({ "megabytes": 64 }));
    assert_eq!(heard.status, 200, "{heard:?}");
    heard.json()
}

fn report(lease: &Value, finding: &str) -> Value {
    json!({ "report": {
        "unit": lease["unit"]["id"], "hash": lease["unit"]["hash"], "attempt": lease["attempt"],
        "finding": { "kind": finding }, "nodes": 10, "trace": [],
    } })
}

#[test]
fn a_stranger_is_told_what_is_missing() {
    let hall = Hall::new(Asked::about("mnk:3x3,k=3"));
    let versions = vec![("mnk".to_owned(), SolverVersion(7))];
    let upgrade = "get it at example.org".to_owned();
    let server = serve(&hall, DoorOptions { versions, upgrade, ..Default::default() });
    let at = server.addresses()[0];
    let about = ask(at, "GET /api/v1/about", None, b"");
    assert_eq!(about.status, 200);
    let about = about.json();
    assert_eq!(about["protocol"], 1);
    assert_eq!(about["versions"]["mnk"], "0000000000000007");
    assert_eq!(about["upgrade"], "get it at example.org");
    let body = br#"{"megabytes": 1}"#;
    for (token, words) in [(None, "is missing"), (Some("nobody-token"), "not known here")] {
        let heard = ask(at, "POST /api/v1/lease", token, body);
        assert_eq!((heard.status, heard.json()["code"].as_str()), (401, Some("unknown_token")));
        assert!(heard.error().contains(words), "{heard:?}");
        assert!(heard.head.to_lowercase().contains("www-authenticate: bearer"), "{heard:?}");
        assert!(!heard.body.contains("nobody-token"), "a token is not sent back");
    }
    // A token in the address is none.
    let heard = ask(at, "POST /api/v1/lease?token=own-token", None, body);
    assert_eq!(heard.status, 401);
    for (request, status, code, words) in [
        ("POST /api/v0/lease", 426, "protocol", "get a newer worker"),
        ("POST /api/v2/lease", 400, "protocol", "version 1"),
        ("GET /api/v1/lease", 405, "malformed", "does not take GET"),
        ("GET /api/v1/nothing", 404, "not_found", "nothing here"),
        ("GET /nothing", 404, "not_found", "nothing here"),
        ("PUT /api/v1/lemma/1.1.x/0", 400, "malformed", "id of a unit"),
    ] {
        let heard = ask(at, request, Some("own-token"), b"");
        assert_eq!(heard.status, status, "{request}: {heard:?}");
        assert_eq!(heard.json()["code"], code);
        assert!(heard.error().contains(words), "{heard:?}");
    }
    let heard = ask(at, "POST /api/v1/lease", Some("own-token"), b"{\"megabytes\": \"\x1b[2J\"}");
    assert_eq!(heard.status, 400);
    assert!(heard.error().contains("not the JSON"), "{heard:?}");
}

#[test]
fn more_can_be_served_beside_the_protocol() {
    let hall = Hall::new(Asked::about("mnk:3x3,k=3"));
    let more = axum::Router::new()
        .route("/metrics", axum::routing::get(|| async { "zermelo_units 1\n" }))
        .route("/api/admin/status", axum::routing::get(|| async { "fine" }));
    let listeners = vec![listener("127.0.0.1:0"), listener("127.0.0.1:0")];
    let door = Arc::clone(&hall) as Arc<dyn cluster::WorkDoor>;
    let server = DoorServer::start(listeners, door, DoorOptions::default(), more).unwrap();
    for &at in server.addresses() {
        assert_eq!(ask(at, "GET /metrics", None, b"").body, "zermelo_units 1\n");
        assert_eq!(ask(at, "GET /api/admin/status", None, b"").body, "fine");
        assert_eq!(ask(at, "GET /api/v1/about", None, b"").status, 200);
        assert_eq!(ask(at, "GET /api/v7/about", None, b"").status, 400);
    }
}

#[test]
fn without_tls_nobody_else_comes_in() {
    let hall = Hall::new(Asked::about("mnk:3x3,k=3"));
    let door = || Arc::clone(&hall) as Arc<dyn cluster::WorkDoor>;
    let more = axum::Router::new();
    let open = vec![listener("0.0.0.0:0")];
    let refused = DoorServer::start(open, door(), DoorOptions::default(), more.clone());
    let refused = refused.unwrap_err();
    assert!(matches!(refused, DoorServerError::Plain(_)));
    assert_eq!(refused.to_string().lines().count(), 1);
    assert!(refused.to_string().contains("--proxy"), "{refused}");
    // Behind a proxy it is fine, and whoever else comes is sent there.
    let proxies = vec!["192.0.2.1".parse().unwrap()];
    let options = DoorOptions { proxies, ..Default::default() };
    let open = vec![listener("0.0.0.0:0")];
    let server = DoorServer::start(open, door(), options, more).unwrap();
    let mut at = server.addresses()[0];
    at.set_ip("127.0.0.1".parse().unwrap());
    assert_eq!(ask(at, "GET /api/v1/about", None, b"").status, 200);
}

/// What a header says of the address counts from a proxy alone.
#[test]
fn only_a_proxy_speaks_for_others() {
    let requests = serving::Rate { burst: 3.0, per_second: 0.0001 };
    let limits = DoorLimits { requests, ..wide() };
    let about = |at, forwarded: &str| {
        let text = format!(
            "GET /api/v1/about HTTP/1.1\r\nHost: door\r\nX-Forwarded-For: {forwarded}\r\n\
             Connection: close\r\n\r\n"
        );
        say(at, text.as_bytes()).status
    };
    let hall = Hall::new(Asked::about("mnk:3x3,k=3"));
    let server = serve(&hall, DoorOptions { limits, ..Default::default() });
    let at = server.addresses()[0];
    let heard: Vec<u16> = (0..5).map(|n| about(at, &format!("198.51.100.{n}"))).collect();
    assert_eq!(heard, [200, 200, 200, 429, 429]);
    let proxies = vec!["127.0.0.1".parse().unwrap()];
    let server = serve(&hall, DoorOptions { limits, proxies, ..Default::default() });
    let at = server.addresses()[0];
    assert!((0..9).all(|n| about(at, &format!("198.51.100.{n}")) == 200));
    let heard: Vec<u16> = (0..4).map(|n| about(at, &format!("10.9.9.{n}, 203.0.113.7"))).collect();
    assert_eq!(heard, [200, 200, 200, 429]);
}

#[test]
fn what_is_too_large_or_too_slow_is_turned_away() {
    let hall = Hall::new(Asked::about("mnk:3x3,k=3"));
    let short = Duration::from_millis(300);
    let limits = DoorLimits { request: short, stuck: short, ..wide() };
    let server = serve(&hall, DoorOptions { limits, ..Default::default() });
    let at = server.addresses()[0];
    // Told beforehand, or not.
    let head = |length: &str| {
        format!(
            "POST /api/v1/deliver HTTP/1.1\r\nHost: door\r\nAuthorization: Bearer own-token\r\n\
             {length}\r\nConnection: close\r\n\r\n"
        )
    };
    let heard = say(at, head(&format!("Content-Length: {}", LARGEST_JSON + 1)).as_bytes());
    assert_eq!((heard.status, heard.json()["code"].as_str()), (413, Some("too_large")));
    let mut chunked = head("Transfer-Encoding: chunked").into_bytes();
    for _ in 0..LARGEST_JSON / 65_536 + 1 {
        chunked.extend(b"10000\r\n");
        chunked.resize(chunked.len() + 65_536, b' ');
        chunked.extend(b"\r\n");
    }
    let heard = say(at, &chunked);
    assert!(heard.status == 413 || heard.status == 0, "{heard:?}");
    let lemma = format!(
        "PUT /api/v1/lemma/1.1.1/0 HTTP/1.1\r\nHost: door\r\nAuthorization: Bearer own-token\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n",
        LARGEST_LEMMA + 1
    );
    assert_eq!(say(at, lemma.as_bytes()).status, 413);
    // A body that does not come, a head that does not end.
    let heard = say(at, head("Content-Length: 100").as_bytes());
    assert_eq!((heard.status, heard.json()["code"].as_str()), (408, Some("too_slow")));
    let mut drip = TcpStream::connect(at).unwrap();
    drip.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut closed = false;
    for _ in 0..1000 {
        if drip.write_all(b"x").is_err() {
            closed = true;
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(closed || drip.read(&mut [0; 100]).is_ok_and(|read| read == 0));
    assert_eq!(ask(at, "GET /api/v1/about", None, b"").status, 200);
}

/// Nobody is waited for who does not finish the handshake of TLS.
#[test]
fn a_handshake_that_does_not_come_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let (certificate, key) = crate::worker::certificate(folder.path());
    let hall = Hall::new(Asked::about("mnk:3x3,k=3"));
    let limits = DoorLimits { request: Duration::from_millis(300), ..wide() };
    let tls = Some(serving::Tls::from_files(&certificate, &key).unwrap());
    let server = serve(&hall, DoorOptions { tls, limits, ..Default::default() });
    let at = server.addresses()[0];
    for beginning in [&b""[..], b"\x16\x03\x01\x02\x00", b"GET /api/v1/about HTTP/1.1\r\n\r\n"] {
        assert_ne!(
            say(at, beginning).status,
            200,
            "it is closed, and nothing is told in the clear"
        );
    }
    let options = cluster::worker::WorkerOptions {
        certificates: Some(certificate),
        ..hasty(&format!("https://{at}"), "own-token", &folder.path().join("state"))
    };
    run_worker(&options, &Stop::new(), &mut |_| {}).unwrap();
    assert!(hall.is_answered());
}

#[test]
fn garbage_and_a_thousand_connections_change_nothing() {
    let hall = Hall::new(Asked::about("mnk:3x3,k=3"));
    let connections = serving::Share { each: 50, all: 60 };
    let limits = DoorLimits { connections, ..wide() };
    let server = serve(&hall, DoorOptions { limits, ..Default::default() });
    let at = server.addresses()[0];
    let mut rng = Rng::new(5);
    for _ in 0..200 {
        let garbage: Vec<u8> = (0..rng.below(300)).map(|_| rng.next_u64() as u8).collect();
        let mut stream = TcpStream::connect(at).unwrap();
        let _ = stream.write_all(&garbage);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let _ = stream.set_read_timeout(Some(Duration::from_secs(30)));
        let _ = stream.read_to_end(&mut Vec::new());
    }
    let crowd: Vec<TcpStream> = (0..1000).filter_map(|_| TcpStream::connect(at).ok()).collect();
    let mut refused = 0;
    let began = Instant::now();
    while refused == 0 && began.elapsed() < Duration::from_secs(60) {
        refused += usize::from(ask(at, "GET /api/v1/about", None, b"").status != 200);
    }
    assert!(refused > 0, "no more than its share for one address");
    drop(crowd);
    let comes_back = || ask(at, "GET /api/v1/about", None, b"").status == 200;
    let began = Instant::now();
    while !comes_back() {
        assert!(began.elapsed() < Duration::from_secs(60), "the server does not come back");
    }
    assert_eq!(lease(&server, "own-token")["answer"], "unit");
}

/// Where the record is slow, some wait and the others are told when to come back.
#[test]
fn a_slow_record_is_not_overrun() {
    let hall = Hall::new(Asked::about("mnk:3x3,k=3"));
    hall.delay.store(300, Relaxed);
    let waiting = serving::Share { each: 3, all: 3 };
    let limits = DoorLimits { waiting, calls: 1, ..wide() };
    let server = serve(&hall, DoorOptions { limits, ..Default::default() });
    let heard: Vec<_> = std::thread::scope(|scope| {
        let asking: Vec<_> = (0..12)
            .map(|_| scope.spawn(|| post(&server, "lease", "own-token", &json!({"megabytes": 1}))))
            .collect();
        asking.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let fine = heard.iter().filter(|heard| heard.status == 200).count();
    assert!((1..12).contains(&fine), "{fine}");
    for heard in heard.iter().filter(|heard| heard.status != 200) {
        assert!(matches!(heard.status, 429 | 503), "{heard:?}");
        assert!(heard.head.to_lowercase().contains("retry-after: "), "{heard:?}");
    }
}

#[test]
fn requests_under_way_are_finished_when_the_server_ends() {
    let hall = Hall::new(Asked::about("mnk:3x3,k=3"));
    hall.delay.store(500, Relaxed);
    let server = serve(&hall, DoorOptions::default());
    let at = server.addresses()[0];
    let asking = std::thread::spawn(move || {
        ask(at, "POST /api/v1/lease", Some("own-token"), br#"{"megabytes": 1}"#)
    });
    std::thread::sleep(Duration::from_millis(200));
    server.stop();
    assert_eq!(asking.join().unwrap().status, 200);
    assert!(TcpStream::connect(at).is_err());
}

#[test]
fn connections_are_kept_and_lemmas_are_taken() {
    let hall = Hall::new(Asked::about("mnk:3x3,k=3"));
    let server = serve(&hall, DoorOptions::default());
    let at = server.addresses()[0];
    let mut stream = TcpStream::connect(at).unwrap();
    for _ in 0..3 {
        stream.write_all(b"GET /api/v1/about HTTP/1.1\r\nHost: door\r\n\r\n").unwrap();
        let mut buffer = [0; 4096];
        let length = stream.read(&mut buffer).unwrap();
        assert!(buffer[..length].starts_with(b"HTTP/1.1 200"));
    }
    let leased = lease(&server, "own-token");
    let (unit, attempt) = (leased["unit"]["id"].as_str().unwrap(), &leased["attempt"]);
    let path = format!("PUT /api/v1/lemma/{unit}/{attempt}");
    let heard = ask(at, &path, Some("own-token"), &[7; 100_000]);
    assert_eq!((heard.status, heard.json()["receipt"].as_str()), (200, Some("taken")));
    let heard = ask(at, "PUT /api/v1/lemma/9.9.9/0", Some("own-token"), b"x");
    assert_eq!(heard.json()["receipt"], "refused");
    assert_eq!(ask(at, &path, Some("nobody-token"), b"x").status, 401);
}

/// Flipped values, replays, other people's attempts, units that nobody leased: refused or of no
/// weight, and what comes out is the truth.
#[test]
fn liars_change_nothing_and_are_not_paid() {
    let trust = TrustPlan {
        quorum: 2,
        established_results: 1,
        established_seconds: 0,
        established_checks: 0,
        canary_one_in: 0,
        ..TrustPlan::STRANGERS
    };
    let asked = Asked { trust, budget: 5000, slice: 1000, ..Asked::about("connect4:4x4") };
    let hall = Hall::new(asked);
    let server = serve(&hall, DoorOptions { limits: wide(), ..Default::default() });
    let url = format!("http://{}", server.addresses()[0]);
    // Two honest strangers, one machine of the project's own.
    let folder = tempfile::tempdir().unwrap();
    let (told, heard) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        let (at, door) = (&hall, &server);
        let liar = scope.spawn(move || lie(at, door, &told));
        // The machine of the project would be done before anybody lies.
        for name in ["ann", "bob", "own"] {
            if name == "own" {
                heard.recv().unwrap();
            }
            let options = hasty(&url, &format!("{name}-token"), &folder.path().join(name));
            scope.spawn(move || run_worker(&options, &Stop::new(), &mut |_| {}).unwrap());
        }
        assert!(liar.join().unwrap() > 0, "somebody must have lied");
    });
    assert!(hall.is_answered());
    assert_eq!(hall.bounds().exact(), Some(0));
    assert_eq!(hall.credit(3), 0, "the liar is not paid");
    assert_eq!(hall.credit(4), 0, "nor is who has nothing of his own");
    assert!((0..3).map(|user| hall.credit(user)).sum::<u64>() > 0, "who is honest is");
}

/// Takes units until there are none, and lies about each; how many lies were heard. Tells when the
/// first one was.
fn lie(hall: &Hall, server: &DoorServer, told: &std::sync::mpsc::Sender<()>) -> usize {
    let deliver = |token: &str, body: &Value| post(server, "deliver", token, body).json();
    let (mut lies, mut rng) = (0, Rng::new(3));
    let began = Instant::now();
    while !hall.is_answered() {
        assert!(began.elapsed() < Duration::from_secs(300));
        let leased = lease(server, "liar-token");
        if leased["answer"] != "unit" {
            std::thread::sleep(Duration::from_millis(5));
            continue;
        }
        // Nobody's attempt, somebody else's, and another unit's hash.
        let mut foreign = report(&leased, "proved");
        assert_eq!(deliver("mallory-token", &foreign)["receipt"], "refused");
        foreign["report"]["attempt"] = json!(77);
        assert_eq!(deliver("liar-token", &foreign)["receipt"], "refused");
        foreign["report"]["unit"] = json!("7.1.999999");
        assert_eq!(deliver("liar-token", &foreign)["receipt"], "refused");
        let (unit, attempt) = hall
            .leased()
            .into_iter()
            .rev()
            .find(|(unit, attempt)| {
                unit.id.to_string() == leased["unit"]["id"] && *attempt == leased["attempt"]
            })
            .unwrap();
        let truth = honest(hall, &unit, attempt);
        let mut flipped = json!({ "report": ReportJson::from(&truth) });
        let kind = &mut flipped["report"]["finding"]["kind"];
        *kind = match kind.as_str() {
            Some("proved") => json!("refuted"),
            Some("refuted") => json!("proved"),
            _ => json!(["proved", "refuted"][rng.below(2)]),
        };
        let first = deliver("liar-token", &flipped);
        // The same again is the same; another one is not taken in its place.
        if first["receipt"] == "taken" {
            lies += 1;
            let _ = told.send(());
            assert_eq!(deliver("liar-token", &flipped)["receipt"], "taken");
        }
    }
    lies
}

/// What an honest worker reports.
pub(crate) fn honest(hall: &Hall, unit: &solve::message::Unit, attempt: u32) -> UnitReport {
    let (stop, mut visited, mut keep) = (Stop::new(), |_, _| {}, |_: &[u8]| {});
    let desk = &mut solve::WorkDesk {
        tables: None,
        nodes_left: None,
        stop: &stop,
        visited: &mut visited,
        checkpoint: None,
        keep: &mut keep,
    };
    solve::work(&*hall.rules, unit, desk).unwrap().unwrap().report(unit, attempt)
}

/// Whatever is logged, however much of it, no token is among it.
#[test]
fn tokens_are_not_logged() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer({
            let log = log.clone();
            move || log.clone()
        })
        .finish();
    tracing::subscriber::set_global_default(subscriber).unwrap();
    let hall = Hall::new(Asked::about("mnk:3x3,k=3"));
    let server = serve(&hall, DoorOptions::default());
    let folder = tempfile::tempdir().unwrap();
    let url = format!("http://{}", server.addresses()[0]);
    let options = hasty(&url, "own-token", folder.path());
    assert!(!format!("{options:?}").contains("own-token"));
    run_worker(&options, &Stop::new(), &mut |_| {}).unwrap();
    let nobody = hasty(&url, "nobody-token", folder.path());
    let refused = run_worker(&nobody, &Stop::new(), &mut |_| {}).unwrap_err();
    let fault =
        json!({ "report": report(&lease_of(&hall), "proved")["report"], "error": "fault\x1b" });
    post(&server, "deliver", "own-token", &fault);
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("tells of a fault"), "{log}");
    for text in [log, refused.to_string()] {
        assert!(!text.contains("own-token") && !text.contains("nobody-token"), "{text}");
    }
}

/// A lease as JSON, of what was leased last.
fn lease_of(hall: &Hall) -> Value {
    let (unit, attempt) = hall.leased().pop().unwrap();
    json!({ "unit": cluster::wire::UnitJson::from(&unit), "attempt": attempt })
}

#[derive(Clone, Default)]
struct Log(Arc<std::sync::Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn another_report_of_the_same_attempt_is_refused() {
    let trust = TrustPlan { quorum: 2, ..TrustPlan::STRANGERS };
    let hall = Hall::new(Asked { trust, ..Asked::about("mnk:3x3,k=3") });
    let server = serve(&hall, DoorOptions::default());
    let leased = lease(&server, "ann-token");
    let deliver = |finding| post(&server, "deliver", "ann-token", &report(&leased, finding)).json();
    assert_eq!(deliver("proved")["receipt"], "taken");
    assert_eq!(deliver("proved")["receipt"], "taken");
    let other = deliver("refuted");
    assert_eq!(other["receipt"], "refused");
    assert!(other["error"].as_str().unwrap().contains("came before"), "{other}");
    assert!(!hall.is_answered());
}
