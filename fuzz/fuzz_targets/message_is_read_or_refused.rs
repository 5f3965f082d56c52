#![no_main]

use game::Side;
use solve::message::{
    CostFit, Finding, Question, SolverVersion, Unit, UnitId, UnitReport, UnitTask, decode_lemmas,
    encode_lemmas,
};
use solve::{Method, NodeName};

/// Magic and version of a kind of message.
const HEAD: usize = 5;

const ID: UnitId = UnitId { project: 1, incarnation: 1, number: 1 };

fn unit() -> Unit {
    Unit {
        id: ID,
        task: UnitTask::Answer,
        game: String::new(),
        root: String::new(),
        node: NodeName::new(Vec::new()),
        question: Question { at_least: 0, prover: Side::First },
        budget: 1,
        slice: 1,
        method: Method::AlphaBeta,
        table_megabytes: 1,
        fit: CostFit::default(),
        solver: SolverVersion(0),
        keep_table: false,
        ask_on: false,
    }
}

fn report() -> UnitReport {
    UnitReport {
        unit: ID,
        unit_hash: 0,
        attempt: 0,
        finding: Finding::Proved,
        nodes: 0,
        trace: Vec::new(),
        cpu_milliseconds: 0,
        peak_bytes: 0,
    }
}

// What is read has one spelling; what is refused is refused in one line. Neither the head nor the
// checksum, which no fuzzer would guess, is left to it; the first byte says which kind of message it
// is to be.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((choice, data)) = data.split_first() else { return };
    let whole = match choice % 3 {
        0 => unit().encode(),
        1 => report().encode(),
        _ => encode_lemmas(&[]),
    };
    let mut bytes = [&whole[..HEAD], data].concat();
    bytes.extend(certificate::crc32(&bytes).to_le_bytes());
    let back = match choice % 3 {
        0 => Unit::decode(&bytes).map(|unit| unit.encode()),
        1 => UnitReport::decode(&bytes).map(|report| report.encode()),
        _ => decode_lemmas(&bytes).map(|_| bytes.clone()),
    };
    match back {
        Ok(back) => assert_eq!(back, bytes),
        Err(error) => assert_eq!(error.to_string().lines().count(), 1),
    }
});
