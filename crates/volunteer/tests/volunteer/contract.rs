//! The contract between client and program, sentence by sentence.

use std::fs;

use solve::message::{Finding, SolverVersion, Unit, UnitReport, UnitTask, WorkFailure};
use solve::message::{decode_lemmas, encode_lemmas};

use crate::client::{CONTROL, FakeClient, STATUS, TRICKLE_DOWN, TRICKLE_UP, read_report};
use crate::units::{endless_unit, expected, long_unit, unit, worked};

/// The same but for how long it took.
fn must_agree(unit: &Unit, report: &UnitReport) {
    let expected = expected(unit);
    assert_eq!(report.agreement(), expected.agreement());
    assert_eq!((report.unit, report.unit_hash), (expected.unit, expected.unit_hash));
    assert_eq!((&report.finding, report.nodes), (&expected.finding, expected.nodes));
    assert_eq!(report.trace, expected.trace);
}

#[test]
fn without_a_client_plain_files_do() {
    let unit = unit("reversi:4x4", -10, 40_000, 200);
    let mut client = FakeClient::of(&unit);
    for name in ["unit", "report", "lemma", "boinc_mmap_file"] {
        fs::remove_file(client.slot().join(name)).unwrap();
    }
    fs::write(client.slot().join("unit"), unit.encode()).unwrap();
    client.start_alone();
    assert!(client.ended().success(), "{}", client.errors());
    must_agree(&unit, &read_report(&client.slot().join("report")));
    assert!(client.is_finished() && !client.slot().join("lemma").exists());
}

#[test]
fn progress_grows_and_a_finished_unit_leaves_its_report_and_the_finish_file() {
    let unit = long_unit();
    let mut client = FakeClient::of(&unit);
    client.start();
    let (first, second) = (client.fraction(), client.fraction());
    assert!(0.0 <= first && first < second && second < 1.0, "{first} {second}");
    assert!(!client.is_finished());
    assert!(client.ended().success(), "{}", client.errors());
    assert!(client.is_finished() && client.has_checkpoint());
    let report = client.report();
    must_agree(&unit, &report);
    assert_eq!(report.attempt, 2, "from the name of the result");
    assert!(report.cpu_milliseconds > 0 && report.peak_bytes > 0);
    assert!(client.errors().contains("zermelo: done: "), "{}", client.errors());
}

#[test]
fn a_suspended_program_rests_and_goes_on_with_the_same_trace() {
    let unit = long_unit();
    let mut client = FakeClient::of(&unit);
    client.start();
    client.fraction();
    client.say(CONTROL, "<suspend/>\n");
    client.until("it is not read", |client| client.is_read(CONTROL).then_some(()));
    // What was told just before is passed over.
    client.fraction();
    let (first, second) = (client.fraction(), client.fraction());
    assert_eq!(first.to_bits(), second.to_bits());
    client.say(CONTROL, "<resume/>\n");
    client.fraction();
    assert!(client.fraction() > second);
    assert!(client.ended().success());
    must_agree(&unit, &client.report());
}

#[test]
fn a_program_that_quits_goes_on_from_its_checkpoint() {
    let unit = long_unit();
    let mut client = FakeClient::of(&unit);
    client.settings = "<checkpoint_period>3600</checkpoint_period>\n".to_owned();
    client.start();
    client.fraction();
    client.fraction();
    assert!(!client.has_checkpoint(), "it is not time");
    client.say(CONTROL, "<quit/>\n");
    assert!(client.ended().success());
    assert!(!client.is_finished() && client.has_checkpoint());
    client.settings.push_str("<wu_cpu_time>1000.0</wu_cpu_time>\n");
    client.start();
    assert!(client.ended().success());
    assert!(client.errors().contains("goes on, a client"), "{}", client.errors());
    let report = client.report();
    must_agree(&unit, &report);
    assert!(report.cpu_milliseconds > 1_000_000, "earlier starts count");
}

#[test]
fn after_a_kill_the_trace_is_the_same() {
    let unit = long_unit();
    let mut client = FakeClient::of(&unit);
    for start in 0..3 {
        let before = fs::read(client.slot().join("checkpoint")).unwrap_or_default();
        client.start();
        client.until("no checkpoint", |client| {
            client.hear(STATUS);
            let now = fs::read(client.slot().join("checkpoint")).unwrap_or_default();
            (now.len() > before.len() || client.is_finished()).then_some(())
        });
        client.kill();
        assert!(start > 1 || !client.is_finished(), "the unit is too small for this test");
    }
    client.start();
    assert!(client.ended().success());
    must_agree(&unit, &client.report());
}

#[test]
fn a_damaged_checkpoint_costs_time_and_nothing_else() {
    let unit = unit("reversi:4x4", -10, 40_000, 200);
    let mut client = FakeClient::of(&unit);
    fs::write(client.slot().join("checkpoint"), b"ZCHK nonsense").unwrap();
    client.start();
    assert!(client.ended().success());
    must_agree(&unit, &client.report());
}

#[test]
fn an_aborted_program_ends_with_the_number_that_says_so() {
    let mut client = FakeClient::of(&endless_unit());
    client.start();
    client.fraction();
    client.say(CONTROL, "<abort/>\n");
    assert_eq!(client.ended().code(), Some(194));
    assert!(!client.is_finished());
}

#[test]
fn without_heartbeats_the_program_ends_to_go_on_another_time() {
    let mut client = FakeClient::of(&endless_unit());
    (client.arguments, client.heartbeats) = (vec!["--patience", "1"], false);
    client.start();
    assert!(client.ended().success());
    assert!(!client.is_finished(), "{}", client.errors());
    assert!(client.errors().contains("there is no sign of the client"), "{}", client.errors());
}

#[test]
fn when_the_client_is_gone_the_program_ends() {
    let mut gone = std::process::Command::new("true").spawn().unwrap();
    let number = gone.id();
    gone.wait().unwrap();
    let mut client = FakeClient::of(&endless_unit());
    client.settings = format!("<client_pid>{number}</client_pid>\n");
    client.start();
    assert!(client.ended().success());
    assert!(!client.is_finished() && client.errors().contains("the client is gone"));
}

#[test]
fn the_server_hears_of_progress_and_may_say_stop() {
    let mut client = FakeClient::of(&endless_unit());
    client.arguments = vec!["--trickle", "1"];
    client.start();
    let said = client.until("no trickle", |client| {
        client.hear(STATUS);
        client.hear(TRICKLE_UP)
    });
    assert_eq!(said, "<have_new_trickle_up/>\n");
    let told = fs::read_to_string(client.slot().join("trickle_up.xml")).unwrap();
    assert!(told.starts_with("<variety>progress</variety>\n<unit>1.1.7</unit>\n<nodes>"), "{told}");
    // What it does not know changes nothing.
    fs::write(client.slot().join("trickle_down_1"), "<bound>3</bound>\n").unwrap();
    client.say(TRICKLE_DOWN, "<have_trickle_down/>\n");
    client.until("it is not read", |client| client.is_read(TRICKLE_DOWN).then_some(()));
    client.fraction();
    fs::write(client.slot().join("trickle_down_2"), "<solved/>\n").unwrap();
    client.say(TRICKLE_DOWN, "<have_trickle_down/>\n");
    assert_eq!(client.ended().code(), Some(203));
}

#[test]
fn what_is_no_unit_is_an_error_with_words() {
    let mut client = FakeClient::new(b"no unit at all");
    client.start();
    assert_eq!(client.ended().code(), Some(1));
    assert!(client.errors().contains("this is no unit of zermelo"), "{}", client.errors());
    assert!(!client.is_finished());
    let mut client = FakeClient::new(b"");
    fs::remove_file(client.output("wu_1")).unwrap();
    client.start();
    assert_eq!(client.ended().code(), Some(1));
    assert!(client.errors().contains("cannot be read"), "{}", client.errors());
}

#[test]
fn a_unit_that_cannot_be_worked_at_has_a_report_that_says_so() {
    let right = unit("reversi:4x4", -10, 40_000, 200);
    let cases = [
        (Unit { solver: SolverVersion(1), ..right.clone() }, WorkFailure::OtherVersion),
        (Unit { game: "no game".to_owned(), ..right.clone() }, WorkFailure::Unreadable),
        (Unit { table_megabytes: 1 << 16, slice: 1 << 40, ..right }, WorkFailure::Memory),
    ];
    for (unit, failure) in cases {
        let mut client = FakeClient::of(&unit);
        client.start();
        assert!(client.ended().success(), "{failure:?}");
        assert!(client.is_finished());
        assert_eq!(client.report().finding, Finding::Failed(failure));
        assert!(client.errors().lines().count() >= 3, "{}", client.errors());
    }
}

#[test]
fn lemmas_go_into_a_file_of_their_own() {
    let task = UnitTask::Certify { holds: false, leaf_budget: 5, most_nodes: 30 };
    let unit = Unit { task, ..unit("reversi:4x4", -7, 1_000_000, 1_000_000) };
    let worked = worked(&unit);
    assert!(worked.lemmas.len() > 1, "{:?}", worked.finding);
    let mut client = FakeClient::of(&unit);
    client.start();
    assert!(client.ended().success(), "{}", client.errors());
    assert_eq!(client.report().finding, worked.finding);
    let file = fs::read(client.output("wu_1_2_1")).unwrap();
    assert_eq!(file, encode_lemmas(&worked.lemmas));
    assert_eq!(decode_lemmas(&file).unwrap().len(), worked.lemmas.len());
}

#[test]
fn two_programs_do_not_share_a_slot() {
    let unit = endless_unit();
    let mut client = FakeClient::of(&unit);
    client.start();
    client.fraction();
    let second = std::process::Command::new(env!("CARGO_BIN_EXE_zermelo-volunteer"))
        .args(["--patience", "0"])
        .current_dir(client.slot())
        .output()
        .unwrap();
    assert!(second.status.success());
    let words = String::from_utf8_lossy(&second.stderr);
    assert!(words.contains("another process works in this folder"), "{words}");
    let later = fs::read_to_string(client.slot().join("boinc_temporary_exit")).unwrap();
    assert_eq!(later, "60\nanother process works in this folder\n");
}
