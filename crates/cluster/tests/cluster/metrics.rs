//! The page of metrics: what is on it, and that whoever reads such pages understands it.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;

use cluster::http::{DoorOptions, DoorServer};
use cluster::metrics::{DoorCounters, METRICS_TYPE, Metrics, metrics_router};
use cluster::{ClusterRecord, WorkDoor};
use serde_json::json;
use serving::{Admin, AdminOptions, make_admin_token};
use solve::message::{Finding, UnitReport, WorkFailure};
use solve::store::Lease;

use crate::hall::{Heard, ask, listener, post};
use crate::project::{Running, lease, lie, new_project, report, visitor};
use crate::server::Server;

/// Samples by name and labels.
type Samples = BTreeMap<String, f64>;

/// Reads a page by the letter of text format 0.0.4, and stops at whatever it does not allow.
fn read(page: &str) -> Samples {
    let (mut samples, mut types) = (Samples::new(), BTreeMap::new());
    let mut helped = HashSet::new();
    assert!(page.ends_with('\n'), "the last line ends, too");
    let is_name = |name: &str| {
        let fits = |(at, c): (usize, char)| {
            c.is_ascii_alphabetic() || c == '_' || c == ':' || at > 0 && c.is_ascii_digit()
        };
        !name.is_empty() && name.char_indices().all(fits)
    };
    for line in page.lines() {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            let (name, help) = rest.split_once(' ').unwrap();
            assert!(is_name(name) && !help.is_empty() && helped.insert(name), "{line}");
            continue;
        }
        if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, kind) = rest.split_once(' ').unwrap();
            assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
            assert!(helped.contains(name) && types.insert(name, kind).is_none(), "{line}");
            continue;
        }
        assert!(!line.starts_with('#') && !line.is_empty(), "{line}");
        let (series, value) = line.rsplit_once(' ').unwrap();
        let (name, labels) = series.split_once('{').unwrap_or((series, ""));
        assert!(is_name(name), "{line}");
        let family = ["_bucket", "_sum", "_count"]
            .iter()
            .filter_map(|end| name.strip_suffix(end))
            .find(|family| types.get(family) == Some(&"histogram"))
            .unwrap_or(name);
        let kind = types.get(family).unwrap_or_else(|| panic!("no type: {line}"));
        assert!(*kind != "counter" || name.ends_with("_total"), "{line}");
        check_labels(labels.strip_suffix('}').unwrap_or(labels), &is_name);
        let value = match value {
            "+Inf" => f64::INFINITY,
            value => value.parse().unwrap_or_else(|_| panic!("{line}")),
        };
        assert!(*kind == "gauge" || value >= 0.0, "{line}");
        assert!(samples.insert(series.to_owned(), value).is_none(), "twice: {line}");
    }
    samples
}

/// `name="value"` with commas between; within quotation marks only three things are escaped.
fn check_labels(labels: &str, is_name: &dyn Fn(&str) -> bool) {
    let mut rest = labels;
    while !rest.is_empty() {
        let (name, after) = rest.split_once("=\"").unwrap();
        assert!(is_name(name) && !name.contains(':'), "{labels}");
        let mut letters = after.char_indices();
        let end = loop {
            match letters.next().unwrap() {
                (at, '"') => break at,
                (_, '\\') => {
                    assert!(matches!(letters.next(), Some((_, '\\' | '"' | 'n'))), "{labels}");
                }
                (_, c) => assert!(c != '\n'),
            }
        };
        rest = &after[end + 1..];
        rest = rest.strip_prefix(',').unwrap_or(rest);
    }
}

/// A project with a bit of everything.
fn busy(record: &ClusterRecord) {
    let mut project = Running::new(record, "one");
    record.create_project(&new_project("two")).unwrap();
    let (own, ann) = (visitor(record, "own", true, 1), visitor(record, "ann", false, 2));
    let finish = |leased: &Lease, failure: Option<WorkFailure>| {
        let honest = report(&leased.unit, leased.attempt);
        let finding = failure.map_or(honest.finding.clone(), Finding::Failed);
        record.deliver(&own, &UnitReport { finding, ..honest }.encode()).unwrap();
    };
    // Until there are several units at once.
    while project.step(4).units.len() < 4 {
        while let Some(leased) = lease(record, &own) {
            finish(&leased, None);
        }
    }
    let lied = lease(record, &ann).unwrap();
    record.deliver(&ann, &lie(&lied.unit, lied.attempt).encode()).unwrap();
    finish(&lease(record, &own).unwrap(), Some(WorkFailure::Fault));
    lease(record, &own).unwrap();
    let progress = r#"{"at_least": 1, "open": 5, "proved": 2, "disproved": 1, "left": 12345,
        "left_most": 67890}"#;
    record.set_progress(project.row.id, project.claimed.epoch, progress).unwrap();
}

fn expect(samples: &Samples, series: &str, wanted: impl Fn(f64) -> bool) {
    let value = samples.get(series).unwrap_or_else(|| panic!("{series} is missing"));
    assert!(wanted(*value), "{series} {value}");
}

/// What an operator would alert on is there, with the right numbers.
fn tells_how_projects_stand(record: &ClusterRecord) {
    busy(record);
    let page = Metrics::new(record, &Arc::default()).page();
    let samples = read(&page);
    let status = record.status("one").unwrap();
    let one = |name: &str| format!("zermelo_project_{name}{{project=\"one\"}}");
    let of = |name: &str, label: &str, kind: &str| {
        format!("zermelo_project_{name}{{project=\"one\",{label}=\"{kind}\"}}")
    };
    for (series, value) in [
        (of("units", "state", "ready"), status.units.ready),
        (of("units", "state", "leased"), status.units.leased),
        (of("units", "state", "pending"), status.units.pending),
        (of("units", "state", "poison"), 0),
        (of("results_total", "verdict", "valid"), status.units.valid),
        (of("results_total", "verdict", "invalid"), status.units.invalid),
        (of("results_total", "verdict", "failed"), status.units.failed),
        (of("facts", "voucher", "any"), status.facts),
        (of("frontier_nodes", "answer", "open"), 5),
        (of("frontier_nodes", "answer", "proved"), 2),
        (of("state", "state", "running"), 1),
        (of("state", "state", "paused"), 0),
        (one("units_done_total"), status.units.done),
        (one("nodes_left"), 12345),
        (one("nodes_left_most"), 67890),
        (one("epoch"), 1),
        (one("credit_total"), status.credit),
        (one("nodes_total"), status.project.nodes),
        (one("stored_nodes"), status.nodes),
        (one("batches_total"), status.project.batches),
        (one("driven"), 1),
        ("zermelo_users".to_owned(), 2),
        ("zermelo_hosts_active".to_owned(), 2),
        ("zermelo_record_up".to_owned(), 1),
        ("zermelo_project_driven{project=\"two\"}".to_owned(), 0),
    ] {
        expect(&samples, &series, |found| found == value as f64);
    }
    assert!(status.units.valid >= 1 && status.units.pending >= 1 && status.units.leased == 1);
    expect(&samples, &one("units_per_second"), |rate| rate > 0.0);
    expect(&samples, &one("last_batch_age_seconds"), |age| age < 60.0);
    assert!(!samples.contains_key("zermelo_project_last_batch_age_seconds{project=\"two\"}"));
    expect(&samples, "zermelo_record_transaction_seconds_count{kind=\"write\"}", |n| n > 5.0);
    expect(&samples, "process_cpu_seconds_total", |seconds| seconds >= 0.0);
    understood_by_others(&page);
}

#[test]
fn sqlite_tells_how_projects_stand() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("record.db");
    tells_how_projects_stand(&ClusterRecord::open(file.to_str().unwrap()).unwrap());
}

#[test]
fn postgresql_tells_how_projects_stand_and_that_it_is_gone() {
    let Some(server) = Server::start() else { return };
    let record = ClusterRecord::open(&server.url()).unwrap();
    tells_how_projects_stand(&record);
    let counters: Arc<DoorCounters> = Arc::default();
    let metrics = Metrics::new(&record, &counters);
    drop(server);
    let samples = read(&metrics.page());
    expect(&samples, "zermelo_record_up", |up| up == 0.0);
    expect(&samples, "zermelo_record_errors_total", |errors| errors > 0.0);
    assert!(!samples.keys().any(|series| series.starts_with("zermelo_project_units")));
}

fn get(server: &DoorServer, headers: &str) -> Heard {
    let at = server.addresses()[0];
    let text = format!("GET /metrics HTTP/1.1\r\nHost: {at}\r\n{headers}Connection: close\r\n\r\n");
    crate::hall::say(at, text.as_bytes())
}

/// The door counts what is asked of it; where others come in the page is for the admin.
#[test]
fn the_page_is_for_the_admin_and_counts_requests() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("record.db");
    let record = ClusterRecord::open(file.to_str().unwrap()).unwrap();
    busy(&record);
    let token = record.create_token("bob", false).unwrap();
    let key = folder.path().join("admin-token");
    let admin_token = make_admin_token(&key, false).unwrap().unwrap();
    let start = |is_open| {
        let file = Some(key.clone());
        let admin = Arc::new(Admin::new(AdminOptions { file, is_open, is_encrypted: false }));
        let counters: Arc<DoorCounters> = Arc::default();
        let more = metrics_router(Metrics::new(&record, &counters), &admin);
        let door = Arc::new(record.clone()) as Arc<dyn WorkDoor>;
        let options = DoorOptions { counters, ..DoorOptions::default() };
        DoorServer::start(vec![listener("127.0.0.1:0")], door, options, more).unwrap()
    };
    let server = start(true);
    assert_eq!(get(&server, "").status, 401);
    let worker = format!("Authorization: Bearer {}\r\n", token.reveal());
    assert_eq!(get(&server, &worker).status, 401, "a worker is no admin");
    let bearer = format!("Authorization: Bearer {}\r\n", admin_token.reveal());
    for _ in 0..2 {
        post(&server, "lease", "nobody", &json!({ "megabytes": 1 }));
    }
    let versions = json!({ "test": "0000000000000000" });
    let body = json!({ "megabytes": 1, "versions": versions });
    assert_eq!(post(&server, "lease", token.reveal(), &body).status, 200);
    let odd = ask(server.addresses()[0], "GET /api/v1/\"%0a\\{}", None, b"");
    assert_eq!(odd.status, 404);
    let missing = ask(server.addresses()[0], "GET /nothing", None, b"");
    assert_eq!(missing.error(), odd.error(), "beside the page nothing has changed");
    let heard = get(&server, &bearer);
    assert_eq!(heard.status, 200, "{heard:?}");
    assert!(heard.head.contains(&format!("content-type: {METRICS_TYPE}")), "{heard:?}");
    let samples = read(&heard.body);
    for (series, value) in [
        ("zermelo_door_requests_total{path=\"lease\",status=\"401\"}", 2.0),
        ("zermelo_door_requests_total{path=\"lease\",status=\"200\"}", 1.0),
        ("zermelo_door_requests_total{path=\"other\",status=\"404\"}", 2.0),
        ("zermelo_door_requests_total{path=\"other\",status=\"401\"}", 2.0),
        ("zermelo_door_refused_total{code=\"unknown_token\"}", 2.0),
        ("zermelo_door_request_seconds_count{path=\"lease\"}", 3.0),
        ("zermelo_door_request_seconds_bucket{path=\"lease\",le=\"+Inf\"}", 3.0),
        ("zermelo_door_connections", 1.0),
    ] {
        expect(&samples, series, |found| found == value);
    }
    let leases: f64 = samples
        .iter()
        .filter(|(series, _)| series.starts_with("zermelo_door_leases_total"))
        .map(|(_, count)| count)
        .sum();
    assert_eq!(leases, 1.0);
    understood_by_others(&heard.body);
    for secret in [admin_token.reveal(), token.reveal()] {
        assert!(!heard.body.contains(secret));
    }
    assert_eq!(get(&start(false), "").status, 200, "on one's own machine no token is needed");
}

/// Prometheus' own library for Python reads the page, where it is installed, and `promtool` where
/// that is.
fn understood_by_others(page: &str) {
    let told = |mut command: Command| {
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = spawned.spawn().unwrap();
        child.stdin.take().unwrap().write_all(page.as_bytes()).unwrap();
        child.wait_with_output().unwrap()
    };
    let python = std::env::var_os("ZERMELO_TEST_PYTHON").map(PathBuf::from);
    let python = python.filter(|folder| folder.join("prometheus_client/__init__.py").exists());
    match python {
        Some(folder) => {
            let script = "import sys\n\
                from prometheus_client.parser import text_string_to_metric_families as families\n\
                print(sum(len(one.samples) for one in families(sys.stdin.read())))";
            let mut command = Command::new("python3");
            command.args(["-c", script]).env("PYTHONPATH", folder);
            let output = told(command);
            let complaint = String::from_utf8_lossy(&output.stderr);
            let count = String::from_utf8_lossy(&output.stdout);
            assert_eq!(count.trim().parse(), Ok(read(page).len()), "{complaint}");
        }
        None => eprintln!("prometheus-client is not installed: it has not read the page"),
    }
    if PathBuf::from("/usr/bin/promtool").exists() {
        let mut command = Command::new("/usr/bin/promtool");
        command.args(["check", "metrics"]);
        let output = told(command);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
