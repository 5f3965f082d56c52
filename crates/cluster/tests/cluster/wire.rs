//! The JSON of the protocol: nothing is lost in it, and nothing but it is read.

use certificate::LemmaHash;
use cluster::wire::{
    self, AboutJson, DeliverRequest, ErrorJson, LeaseAnswer, LeaseRequest, ReceiptJson,
    ReleaseRequest, RenewAnswer, RenewRequest, ReportJson, UnitJson, WireError,
};
use game::{Rng, Side};
use proptest::prelude::*;
use solve::message::{
    CostFit, Finding, Question, SolverVersion, SubFact, Unit, UnitId, UnitReport, UnitTask,
    WorkFailure,
};
use solve::store::Lease;
use solve::{Method, NodeName, Searched};

prop_compose! {
    fn questions()(at_least: i32, first: bool) -> Question {
        Question { at_least, prover: if first { Side::First } else { Side::Second } }
    }
}

prop_compose! {
    fn ids()(project: u32, incarnation: u32, number: u64) -> UnitId {
        UnitId { project, incarnation, number }
    }
}

prop_compose! {
    fn units()(
        id in ids(),
        game in ".{0,40}",
        root in ".{0,80}",
        node in prop::collection::vec(any::<u8>(), 0..60),
        question in questions(),
        budget in 0..=1u64 << 50,
        slice in 0..=1u64 << 50,
        method in 0..4usize,
        table_megabytes in 0..=1u32 << 16,
        fit: [i32; 4],
        solver: u64,
        keep_table: bool,
        holds: Option<bool>,
    ) -> Unit {
        let [base, plies_left, moves, lead] = fit;
        let task = if holds.is_some_and(|holds| holds) == (base & 1 == 0) { UnitTask::Answer } else {
            UnitTask::Certify { holds: base & 2 == 0, leaf_budget: budget, most_nodes: slice }
        };
        Unit {
            task, id, game, root, node: NodeName::new(node), question, budget, slice,
            method: Method::ALL[method], table_megabytes,
            fit: CostFit { base, plies_left, moves, lead },
            solver: SolverVersion(solver), keep_table, ask_on: base & 4 == 0,
        }
    }
}

fn places(most: usize) -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 0..most)
}

fn findings() -> impl Strategy<Value = Finding> {
    let fact = (places(64), questions(), any::<bool>())
        .prop_map(|(path, question, proved)| SubFact { path, question, proved });
    let failures = [
        WorkFailure::Memory,
        WorkFailure::Unreadable,
        WorkFailure::OtherVersion,
        WorkFailure::Fault,
    ];
    prop_oneof![
        Just(Finding::Proved),
        Just(Finding::Refuted),
        prop::collection::vec(any::<[u8; 32]>(), 0..5)
            .prop_map(|hashes| Finding::Certified(hashes.into_iter().map(LemmaHash).collect())),
        prop::sample::select(failures.to_vec()).prop_map(Finding::Failed),
        (prop::collection::vec(fact, 0..8), places(50))
            .prop_map(|(facts, order)| Finding::Open { facts, order }),
    ]
}

prop_compose! {
    fn reports()(
        unit in ids(),
        unit_hash: u128,
        attempt: u32,
        finding in findings(),
        nodes: u64,
        trace in prop::collection::vec(
            (any::<Option<bool>>(), any::<u64>(), places(9), places(4)), 0..50,
        ),
        cpu_milliseconds: u64,
        peak_bytes: u64,
    ) -> UnitReport {
        let job = |(holds, nodes, order, refuted)| Searched { holds, nodes, order, refuted };
        let trace = trace.into_iter().map(job).collect();
        UnitReport {
            unit, unit_hash, attempt, finding, nodes, trace, cpu_milliseconds, peak_bytes,
        }
    }
}

proptest! {
    #[test]
    fn units_are_not_changed_on_the_way(unit in units()) {
        let text = serde_json::to_string(&UnitJson::from(&unit)).unwrap();
        let json: UnitJson = wire::read(text.as_bytes()).unwrap();
        let back = Unit::try_from(&json).unwrap();
        prop_assert_eq!(back.hash(), unit.hash());
        prop_assert_eq!(back, unit);
    }

    #[test]
    fn reports_are_not_changed_on_the_way(report in reports()) {
        let request = DeliverRequest { report: ReportJson::from(&report), error: None };
        let text = serde_json::to_string(&request).unwrap();
        let request: DeliverRequest = wire::read(text.as_bytes()).unwrap();
        let (back, error) = request.check().unwrap();
        prop_assert_eq!(back.encode(), report.encode());
        prop_assert_eq!(error, None);
    }

    /// Whoever changes a unit, or leaves something out that it does not know, is found out.
    #[test]
    fn a_changed_unit_does_not_have_its_hash(unit in units(), other in units()) {
        let json = UnitJson::from(&unit);
        let changed = [
            UnitJson { game: other.game.clone(), ..json.clone() },
            UnitJson { question: other.question.into(), ..json.clone() },
            UnitJson { budget: other.budget, ..json.clone() },
            UnitJson { keep_table: other.keep_table, ..json.clone() },
            UnitJson { id: wire::UnitIdText(other.id), ..json.clone() },
        ];
        for changed in changed {
            let read = Unit::try_from(&changed);
            match changed == json {
                true => prop_assert!(read.is_ok()),
                false => prop_assert!(matches!(read, Err(WireError::OtherHash(_)))),
            }
        }
    }
}

/// One of each message.
fn samples() -> Vec<Vec<u8>> {
    let unit = Unit {
        task: UnitTask::Certify { holds: true, leaf_budget: 300, most_nodes: 2000 },
        id: UnitId { project: 1, incarnation: 2, number: 3 },
        game: "mnk:3x3,k=3".to_owned(),
        root: ".../.../... x".to_owned(),
        node: NodeName::new([0, 1, 0xfe]),
        question: Question { at_least: 1, prover: Side::First },
        budget: 1000,
        slice: 100,
        method: Method::AlphaBeta,
        table_megabytes: 4,
        fit: CostFit { base: -3, plies_left: 2, moves: 1, lead: 0 },
        solver: SolverVersion(7),
        keep_table: false,
        ask_on: false,
    };
    let finding = Finding::Open {
        facts: vec![SubFact {
            path: vec![1, 2],
            question: Question { at_least: 0, prover: Side::Second },
            proved: true,
        }],
        order: vec![3, 1, 2],
    };
    let report = UnitReport {
        unit: unit.id,
        unit_hash: unit.hash(),
        attempt: 1,
        finding,
        nodes: 99,
        trace: vec![
            Searched { holds: None, nodes: 90, order: vec![3, 1, 2], refuted: vec![1] },
            Searched { holds: Some(true), nodes: 9, ..Searched::default() },
        ],
        cpu_milliseconds: 5,
        peak_bytes: 6,
    };
    let lease = Lease { unit: unit.clone(), attempt: 1, until: 1060 };
    let refused = cluster::Refused::OtherVersion(vec![("mnk".to_owned(), SolverVersion(8))]);
    let known = wire::AttemptJson { unit: wire::UnitIdText(unit.id), attempt: 1 };
    let bytes = |value: &dyn erased::Json| value.bytes();
    vec![
        bytes(&LeaseAnswer::unit(&lease, Some(".../.../... x".to_owned()), 600)),
        bytes(&LeaseAnswer::refused(&refused, "get it")),
        bytes(&DeliverRequest { report: ReportJson::from(&report), error: Some("x".to_owned()) }),
        bytes(&RenewRequest { units: vec![known; 3] }),
        bytes(&known),
        br#"{"megabytes": 64, "versions": {"mnk": "0000000000000007"}}"#.to_vec(),
    ]
}

mod erased {
    /// Any message.
    pub(super) trait Json {
        fn bytes(&self) -> Vec<u8>;
    }

    impl<T: serde::Serialize> Json for T {
        fn bytes(&self) -> Vec<u8> {
            serde_json::to_vec(self).unwrap()
        }
    }
}

/// Reads bytes as every kind of message; what is read as a unit or a report is one.
fn read_as_all(bytes: &[u8]) -> usize {
    let mut read = 0;
    let mut tell = |result: Result<(), WireError>| match result {
        Ok(()) => read += 1,
        Err(error) => {
            let text = error.to_string();
            assert_eq!(text.lines().count(), 1, "{text}");
            assert!(text.chars().count() < 400, "{text}");
            assert!(!text.contains('\u{1b}'), "{text}");
        }
    };
    tell(wire::read::<LeaseRequest>(bytes).map(drop));
    tell(wire::read::<LeaseAnswer>(bytes).and_then(|answer| match answer {
        LeaseAnswer::Unit { unit, .. } => Unit::try_from(&*unit).map(|read| {
            assert_eq!(Unit::decode(&read.encode()).unwrap(), read);
        }),
        _ => Ok(()),
    }));
    tell(wire::read::<RenewRequest>(bytes).and_then(|request| request.check()));
    tell(wire::read::<RenewAnswer>(bytes).map(drop));
    tell(wire::read::<ReleaseRequest>(bytes).map(drop));
    tell(wire::read::<DeliverRequest>(bytes).and_then(|request| {
        let (report, _) = request.check()?;
        assert_eq!(UnitReport::decode(&report.encode()).unwrap(), report);
        Ok(())
    }));
    tell(wire::read::<ReceiptJson>(bytes).map(drop));
    tell(wire::read::<ErrorJson>(bytes).map(drop));
    tell(wire::read::<AboutJson>(bytes).map(drop));
    read
}

/// What older workers say of their sub-jobs is not enough, and they are told.
#[test]
fn a_trace_of_an_older_worker_is_refused_with_words() {
    let read = |trace: &str| {
        let text = format!(
            r#"{{"report": {{"unit": "1.2.3", "hash": "{:032x}", "attempt": 0,
                "finding": {{"kind": "proved"}}, "nodes": 9, "trace": {trace}}}}}"#,
            7
        );
        wire::read::<DeliverRequest>(text.as_bytes())
    };
    assert!(read("[]").is_ok() && read("[[true, 9, [], []]]").is_ok());
    let error = read("[[true, 9]]").unwrap_err().to_string();
    assert!(error.contains("older workers") && error.lines().count() == 1, "{error}");
}

#[test]
fn whatever_comes_is_read_or_refused_in_one_line() {
    let samples = samples();
    assert!(samples.iter().all(|sample| read_as_all(sample) > 0));
    let mut rng = Rng::new(24);
    let words: [&[u8]; 12] = [
        b"\"",
        b"{",
        b"}",
        b"[",
        b"]",
        b"null",
        b"-1",
        b"1e999",
        b"18446744073709551616",
        b"\\u001b",
        b"\"kind\":\"proved\"",
        b"\xff",
    ];
    let mut read = 0;
    for _ in 0..20_000 {
        let mut bytes = samples[rng.below(samples.len())].clone();
        for _ in 0..1 + rng.below(4) {
            let at = rng.below(bytes.len().max(1)).min(bytes.len());
            match rng.below(5) {
                0 => bytes.truncate(at),
                1 => bytes[at..].iter_mut().take(1).for_each(|byte| *byte = rng.next_u64() as u8),
                2 => bytes
                    .splice(at..at, words[rng.below(words.len())].iter().copied())
                    .for_each(drop),
                3 => {
                    let end = (at + rng.below(12)).min(bytes.len());
                    bytes.drain(at..end);
                }
                _ => {
                    let other = &samples[rng.below(samples.len())];
                    bytes
                        .splice(at.., other[rng.below(other.len())..].iter().copied())
                        .for_each(drop);
                }
            }
        }
        read += read_as_all(&bytes);
    }
    assert!(read > 100, "most of what is tried is not all nonsense: {read}");
}

#[test]
fn what_is_too_large_is_refused() {
    let spaces = vec![b' '; wire::LARGEST_JSON + 1];
    let error = wire::read::<RenewAnswer>(&spaces).unwrap_err();
    assert!(matches!(error, WireError::TooLarge { .. }), "{error}");
    // Much that is small.
    let unit = serde_json::json!({ "unit": "1.1.1", "attempt": 0 });
    let many = serde_json::json!({ "units": vec![unit; 1025] });
    let many: RenewRequest = wire::read(many.to_string().as_bytes()).unwrap();
    assert!(many.check().unwrap_err().to_string().contains("at most 1024"));
    // Nesting.
    let deep = "[".repeat(100_000);
    assert!(wire::read::<RenewAnswer>(deep.as_bytes()).is_err());
    let json = |report: &str| {
        let text = format!(r#"{{"report": {report}}}"#);
        wire::read::<DeliverRequest>(text.as_bytes()).unwrap().check().map(drop)
    };
    let report = |finding: &str, trace: &str| {
        format!(
            r#"{{"unit": "1.1.1", "hash": "{}", "attempt": 0, "finding": {finding}, "nodes": 1,
                "trace": {trace}}}"#,
            "0".repeat(32)
        )
    };
    assert_eq!(json(&report(r#"{"kind": "proved"}"#, "[]")), Ok(()));
    let jobs = format!("[{}]", vec!["[null, 1, [0], []]"; 4097].join(","));
    assert!(json(&report(r#"{"kind": "proved"}"#, &jobs)).is_err());
    let most = format!("[{}]", vec!["[null, 1, [0], []]"; 4096].join(","));
    assert_eq!(json(&report(r#"{"kind": "proved"}"#, &most)), Ok(()));
    let places = vec!["0"; 1 << 17].join(",");
    let wide = format!("[[null, 1, [{places}], []]]");
    assert!(json(&report(r#"{"kind": "proved"}"#, &wide)).is_err());
    let path = vec!["1"; 65].join(",");
    let far = format!(
        r#"{{"kind": "open", "facts": [{{"path": [{path}], "proved": true,
            "question": {{"at_least": 0, "prover": "first"}}}}]}}"#
    );
    assert!(json(&report(&far, "[]")).is_err());
}
