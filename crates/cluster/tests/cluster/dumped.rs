//! PostgreSQL's own backup: a dump that is made while everything runs brings a record back; and TLS
//! to a server.

use std::fs;

use cluster::{ClusterRecord, WorkDoor};
use solve::store::{Receipt, Store};

use crate::project::{Running, lease, report, visitor};
use crate::server::Server;

#[test]
fn a_dump_brings_everything_back() {
    let Some(server) = Server::start() else { return };
    let url = server.database("before");
    let record = ClusterRecord::open(&url).unwrap();
    let mut project = Running::new(&record, "one");
    let own = visitor(&record, "own", true, 1);
    let token = record.create_token("ann", false).unwrap();
    project.step(4);
    let kept = lease(&record, &own).unwrap();
    record.deliver(&own, &report(&kept.unit, kept.attempt).encode()).unwrap();
    project.step(1);
    let before = record.status("one").unwrap();
    assert!(before.units.done > 0 || before.units.valid > 0, "{before:?}");
    let file = server.folder().join("zermelo.dump");
    let file = file.to_str().unwrap();
    // While the coordinator and a worker go on.
    let late = lease(&record, &own).unwrap();
    server.run("pg_dump", &["--format=custom", "--file", file, "--dbname", &url]);
    record.deliver(&own, &report(&late.unit, late.attempt).encode()).unwrap();
    project.step(1);
    drop((project, record));

    // The same database again, as after a disaster, and another one.
    let other = server.database("after");
    for (target, extra) in [(&url, &["--clean", "--if-exists"][..]), (&other, &[])] {
        server.run("pg_restore", &[extra, &["--dbname", target, file]].concat());
        let record = ClusterRecord::open(target).unwrap();
        let after = record.status("one").unwrap();
        assert_eq!((after.facts, after.nodes), (before.facts, before.nodes));
        assert_eq!(after.units.done, before.units.done);
        assert!(record.admit(token.reveal(), [10, 0, 0, 1].into(), "a").is_ok(), "tokens stay");
        // Whoever drives it counts the incarnation up, so that no number means two units.
        let row = record.expect_project("one").unwrap();
        let incarnation = row.incarnation;
        let mut again = Running::claim(&record, row, solve::TrustPlan::STRANGERS);
        assert!(again.claimed.project.incarnation > incarnation);
        // The lease of that moment is still known: its report is taken, and taken once.
        let told = report(&late.unit, late.attempt).encode();
        assert_eq!(record.deliver(&own, &told).unwrap(), Receipt::Taken);
        assert_eq!(again.store.events(10).unwrap().len(), 1);
        again.step(1);
        let log = record.last_lines(again.row.id, 50).unwrap();
        assert!(!log.is_empty());
    }
}

/// Encrypted with whoever answers, or with a server whose certificate is known; never by chance
/// without.
#[test]
fn a_server_is_spoken_to_over_tls() {
    let Some(server) = Server::start() else { return };
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let place = |name: &str| server.folder().join(name);
    let (certificate, key) = (place("server.crt"), place("server.key"));
    fs::write(&certificate, made.cert.pem()).unwrap();
    fs::write(&key, made.signing_key.serialize_pem()).unwrap();
    let root = place("root.crt");
    fs::write(&root, made.cert.pem()).unwrap();
    let port = server.listen_with_tls(&certificate, &key);
    let url = |options: &str| {
        format!("postgres://zermelo:s3cret-word@localhost:{port}/postgres?{options}")
    };
    let verified = format!("sslmode=verify-full&sslrootcert={}", root.display());
    for (options, is_encrypted) in [
        ("sslmode=require", true),
        ("sslmode=prefer", true),
        ("", true),
        (&*verified, true),
        ("sslmode=disable", false),
    ] {
        let record = ClusterRecord::open(&url(options)).unwrap();
        assert!(record.now().is_ok());
        let (all, encrypted) = server.sessions();
        assert!(all > 0 && (encrypted == all) == is_encrypted, "{options}: {encrypted} of {all}");
        drop(record);
        while server.sessions().0 > 0 {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
    // By another name, or another root, nobody is believed; and no password is told.
    let other = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    fs::write(place("other.crt"), other.cert.pem()).unwrap();
    let other = place("other.crt").display().to_string();
    let wrong_name = url(&verified).replace("@localhost", "@127.0.0.1");
    for wrong in [
        url("sslmode=verify-full"),
        url(&format!("sslmode=verify-full&sslrootcert={other}")),
        wrong_name,
        url("sslmode=verify-ca"),
        url("sslmode=verify-full&sslrootcert=/nowhere.pem"),
        url("").replace("localhost", "localhost:x"),
        "postgress://zermelo:s3cret-word@localhost/x".to_owned(),
        url("sslmode=require").replace(&port.to_string(), "1"),
    ] {
        let error = ClusterRecord::open(&wrong).unwrap_err().to_string();
        assert!(!error.contains("s3cret-word") && error.lines().count() == 1, "{error}");
        println!("{error}");
    }
}
