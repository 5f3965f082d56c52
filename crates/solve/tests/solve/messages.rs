//! Units and reports as bytes: what is written is read, and nothing else is.

use certificate::LemmaHash;
use game::{Rng, Side};
use solve::message::{
    CostFit, Finding, MessageError, Question, SolverVersion, SubFact, Unit, UnitId, UnitReport,
    UnitTask, WorkFailure,
};
use solve::{Method, NodeName, Searched};

fn unit(rng: &mut Rng) -> Unit {
    let mut text = |longest: usize| {
        (0..rng.below(longest)).map(|_| char::from(b' ' + rng.below(90) as u8)).collect::<String>()
    };
    let (game, root) = (text(40), text(80));
    let name: Vec<u8> = (0..rng.below(30)).map(|_| rng.next_u64() as u8).collect();
    let task = match rng.below(2) {
        0 => UnitTask::Answer,
        _ => UnitTask::Certify {
            holds: rng.below(2) == 0,
            leaf_budget: rng.next_u64() >> 14,
            most_nodes: rng.next_u64() >> 14,
        },
    };
    Unit {
        task,
        id: UnitId {
            project: rng.next_u64() as u32,
            incarnation: rng.next_u64() as u32,
            number: rng.next_u64(),
        },
        game,
        root,
        node: NodeName::new(name),
        question: question(rng),
        budget: rng.next_u64() >> 14,
        slice: rng.next_u64() >> 14,
        method: Method::ALL[rng.below(4)],
        table_megabytes: rng.below(65_537) as u32,
        fit: CostFit {
            base: rng.next_u64() as i32,
            plies_left: -5,
            moves: rng.next_u64() as i32,
            lead: 0,
        },
        solver: SolverVersion(rng.next_u64()),
        keep_table: rng.below(2) == 0,
        ask_on: rng.below(2) == 0,
    }
}

fn question(rng: &mut Rng) -> Question {
    let prover = [Side::First, Side::Second][rng.below(2)];
    Question { at_least: rng.next_u64() as i32, prover }
}

fn report(rng: &mut Rng) -> UnitReport {
    let places = |rng: &mut Rng, most: usize| -> Vec<u16> {
        (0..rng.below(most)).map(|_| rng.next_u64() as u16).collect()
    };
    let finding = match rng.below(8) {
        0 => Finding::Proved,
        1 => Finding::Refuted,
        2 => Finding::Failed(WorkFailure::Memory),
        3 => {
            let hash = |rng: &mut Rng| LemmaHash(std::array::from_fn(|_| rng.next_u64() as u8));
            Finding::Certified((0..rng.below(5)).map(|_| hash(rng)).collect())
        }
        _ => {
            let count = rng.below(5);
            let fact = |rng: &mut Rng| SubFact {
                path: places(rng, 10),
                question: question(rng),
                proved: rng.below(2) == 0,
            };
            let facts = (0..count).map(|_| fact(rng)).collect();
            Finding::Open { facts, order: places(rng, 60) }
        }
    };
    let job = |rng: &mut Rng| Searched {
        holds: [None, Some(true), Some(false)][rng.below(3)],
        nodes: rng.next_u64(),
        order: places(rng, 20),
        refuted: places(rng, 5),
    };
    let jobs = rng.below(20);
    UnitReport {
        unit: UnitId { project: 1, incarnation: 2, number: rng.next_u64() },
        unit_hash: u128::from(rng.next_u64()) << 64 | u128::from(rng.next_u64()),
        attempt: rng.next_u64() as u32,
        finding,
        nodes: rng.next_u64(),
        trace: (0..jobs).map(|_| job(rng)).collect(),
        cpu_milliseconds: rng.next_u64(),
        peak_bytes: rng.next_u64(),
    }
}

#[test]
fn messages_come_back() {
    let mut rng = Rng::new(1);
    for _ in 0..2_000 {
        let unit = unit(&mut rng);
        assert_eq!(Unit::decode(&unit.encode()), Ok(unit));
        let report = report(&mut rng);
        assert_eq!(UnitReport::decode(&report.encode()), Ok(report));
    }
}

/// Whatever is done to bytes, and whether or not the checksum is repaired: an error, or another
/// message with one spelling.
#[test]
fn damaged_messages_are_refused() {
    let mut rng = Rng::new(2);
    let mut refused = 0;
    for round in 0..20_000 {
        let is_unit = round % 2 == 0;
        let mut bytes = if is_unit { unit(&mut rng).encode() } else { report(&mut rng).encode() };
        let whole = bytes.clone();
        for _ in 0..=rng.below(3) {
            let at = rng.below(bytes.len());
            match rng.below(4) {
                0 => bytes[at] ^= 1 << rng.below(8),
                1 => bytes[at] = rng.next_u64() as u8,
                2 => drop(bytes.remove(at)),
                _ => bytes.insert(at, rng.next_u64() as u8),
            }
            if bytes.len() < 5 {
                break;
            }
        }
        let is_repaired = round % 4 > 1;
        if is_repaired && bytes.len() > 4 {
            let body = bytes.len() - 4;
            let sum = certificate::crc32(&bytes[..body]);
            bytes.splice(body.., sum.to_le_bytes());
        }
        if bytes == whole {
            continue;
        }
        let back = match is_unit {
            true => Unit::decode(&bytes).map(|unit| unit.encode()),
            false => UnitReport::decode(&bytes).map(|report| report.encode()),
        };
        match back {
            Ok(back) => assert!(is_repaired && back == bytes, "two spellings of one message"),
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().contains('\n'));
            }
        }
    }
    assert!(refused > 12_000, "{refused}");
}

#[test]
fn errors_say_what_is_wrong() {
    let mut rng = Rng::new(3);
    let bytes = unit(&mut rng).encode();
    assert_eq!(Unit::decode(b""), Err(MessageError::Foreign("unit")));
    assert_eq!(Unit::decode(&report(&mut rng).encode()), Err(MessageError::Foreign("unit")));
    let mut newer = bytes.clone();
    newer[4] = 9;
    let error = Unit::decode(&newer).unwrap_err().to_string();
    assert_eq!(error, "this unit has version 9, and this program reads version 2");
    // Of workers that report no more than answers and nodes of sub-jobs.
    let mut older = report(&mut rng).encode();
    older[4] = 2;
    let error = UnitReport::decode(&older).unwrap_err().to_string();
    assert_eq!(error, "this report has version 2, and this program reads version 3");
    let mut flipped = bytes;
    *flipped.last_mut().unwrap() ^= 1;
    assert_eq!(Unit::decode(&flipped), Err(MessageError::Damaged("unit")));
    let large = vec![0; 1 << 20];
    assert!(matches!(Unit::decode(&large), Err(MessageError::TooLarge { .. })));
}
