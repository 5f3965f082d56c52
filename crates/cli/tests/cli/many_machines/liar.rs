//! A worker that lies, over the real door: other answers, forged traces, other units' hashes, replayed
//! deliveries, results for units never leased, other people's attempts and tokens.

use std::io::BufReader;
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use cluster::solver_versions;
use cluster::wire::{LeaseRequest, UnitJson, versions_json};
use game::Rng;
use play::Stop;
use serde_json::{Value, json};
use solve::message::Unit;
use solve::{WorkDesk, work};

use super::relay::{Message, Relay};

/// How often each lie was told.
#[derive(Debug, Default)]
pub(crate) struct Lies {
    pub(crate) other_answers: u64,
    pub(crate) forged_traces: u64,
    pub(crate) other_hashes: u64,
    pub(crate) replays: u64,
    pub(crate) never_leased: u64,
    pub(crate) other_attempts: u64,
    pub(crate) other_tokens: u64,
    /// Lies about units that it had leased and that were taken: these are judged.
    pub(crate) taken: u64,
}

pub(crate) struct Liar {
    pub(crate) relay: Arc<Relay>,
    pub(crate) token: String,
    /// The token of somebody else, which it has found.
    pub(crate) stolen: String,
    pub(crate) lot: Rng,
}

/// One request of its own connection; `None` if there was no answer.
pub(crate) fn post(
    to: SocketAddr,
    path: &str,
    token: &str,
    name: &str,
    body: &[u8],
) -> Option<Value> {
    let headers = [
        &*format!("Authorization: Bearer {token}"),
        &*format!("Worker-Name: {name}"),
        "Content-Type: application/json",
    ];
    let request = Message::request(&format!("POST /api/v1/{path}"), &headers, body.to_vec());
    let mut stream = TcpStream::connect(to).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(10))).ok()?;
    request.write(&mut stream, &[], &[]).ok()?;
    let answer = Message::read(&mut BufReader::new(stream)).ok()??;
    let answer: Value = serde_json::from_slice(&answer.body).ok()?;
    assert_ne!(answer["code"], "malformed", "a lie has to be well-formed: {answer}");
    Some(answer)
}

impl Liar {
    /// Lies until it is told to end.
    pub(crate) fn run(mut self, end: &AtomicBool) -> Lies {
        let mut lies = Lies::default();
        let mut told: Vec<Vec<u8>> = Vec::new();
        while !end.load(Relaxed) {
            match self.lot.below(8) {
                0 | 1 => {
                    let token = self.token.clone();
                    lies.other_answers += u64::from(self.tell(&token, &mut told, &mut lies, flip));
                }
                2 => {
                    let token = self.token.clone();
                    let forged = self.tell(&token, &mut told, &mut lies, forge);
                    lies.forged_traces += u64::from(forged);
                }
                3 => {
                    let token = self.token.clone();
                    let said = self.tell(&token, &mut told, &mut lies, mistake);
                    lies.other_hashes += u64::from(said);
                }
                4 => lies.replays += u64::from(self.replay(&told)),
                5 => lies.never_leased += u64::from(self.invent()),
                6 => lies.other_attempts += u64::from(self.meddle()),
                _ => {
                    let token = self.stolen.clone();
                    lies.other_tokens += u64::from(self.tell(&token, &mut told, &mut lies, flip));
                }
            }
            std::thread::sleep(Duration::from_millis(20 + self.lot.below(60) as u64));
        }
        lies
    }

    fn deliver(&self, token: &str, name: &str, report: &[u8]) -> Option<Value> {
        post(self.relay.address, "deliver", token, name, report)
    }

    /// Leases a unit, under another name each time, so that no quota stops it, and says something
    /// wrong about it.
    fn tell(
        &mut self,
        token: &str,
        told: &mut Vec<Vec<u8>>,
        lies: &mut Lies,
        lie: impl Fn(&UnitJson, u32, &mut Rng) -> Option<Value>,
    ) -> bool {
        let name = format!("host{}", self.lot.below(1 << 30));
        let versions = versions_json(&solver_versions());
        let request = LeaseRequest { program: "liar".to_owned(), versions, megabytes: 64 };
        let request = serde_json::to_vec(&request).unwrap();
        let Some(answer) = post(self.relay.address, "lease", token, &name, &request) else {
            return false;
        };
        let Ok(unit) = serde_json::from_value::<UnitJson>(answer["unit"].clone()) else {
            return false;
        };
        let attempt = answer["attempt"].as_u64().unwrap() as u32;
        let Some(report) = lie(&unit, attempt, &mut self.lot) else { return false };
        let report = serde_json::to_vec(&json!({ "report": report })).unwrap();
        let answer = self.deliver(token, &name, &report);
        lies.taken += u64::from(answer.is_some_and(|answer| answer["receipt"] == "taken"));
        told.push(report);
        true
    }

    /// Says the same again, and something else about the same.
    fn replay(&mut self, told: &[Vec<u8>]) -> bool {
        if told.is_empty() {
            return false;
        }
        let report = &told[self.lot.below(told.len())];
        for _ in 0..2 {
            self.deliver(&self.token, "again", report);
        }
        let mut other: Value = serde_json::from_slice(report).unwrap();
        other["report"]["nodes"] = json!(self.lot.below(1 << 20));
        self.deliver(&self.token, "again", &serde_json::to_vec(&other).unwrap()).is_some()
    }

    /// Reports an attempt that nobody has made.
    fn invent(&mut self) -> bool {
        let leased = {
            let seen = self.relay.seen();
            if seen.leased.is_empty() {
                return false;
            }
            seen.leased[self.lot.below(seen.leased.len())].clone()
        };
        let (_, unit, attempt) = leased;
        let Some(mut report) = flip(&unit, attempt + 50, &mut self.lot) else { return false };
        self.deliver(&self.token, "", &serde_json::to_vec(&json!({ "report": report })).unwrap());
        report["unit"] = json!(format!("1.1.{}", 1_000_000 + self.lot.below(1000)));
        let report = serde_json::to_vec(&json!({ "report": report })).unwrap();
        self.deliver(&self.token, "", &report).is_some()
    }

    /// Reports what somebody else works at just now, and what somebody else has delivered.
    fn meddle(&mut self) -> bool {
        let (leased, sent) = {
            let seen = self.relay.seen();
            let newest: Vec<_> = seen.leased.iter().rev().take(4).cloned().collect();
            (newest, seen.sent.last().map(|delivery| delivery.body.clone()))
        };
        if let Some(sent) = sent {
            self.deliver(&self.token, "", &sent);
        }
        let mut is_told = false;
        for (_, unit, attempt) in leased {
            let Some(report) = flip(&unit, attempt, &mut self.lot) else { continue };
            let report = serde_json::to_vec(&json!({ "report": report })).unwrap();
            is_told |= self.deliver(&self.token, "", &report).is_some();
        }
        is_told
    }
}

fn report(unit: &UnitJson, attempt: u32, finding: &Value, nodes: usize) -> Value {
    json!({
        "unit": unit.id, "hash": unit.hash, "attempt": attempt, "finding": finding,
        "nodes": nodes, "trace": [[finding["kind"] == "proved", nodes, [], []]],
    })
}

/// Any answer but the right one: nobody else visits this number of nodes.
fn flip(unit: &UnitJson, attempt: u32, lot: &mut Rng) -> Option<Value> {
    let finding = match lot.below(3) {
        0 => json!({"kind": "proved"}),
        1 => json!({"kind": "refuted"}),
        _ => json!({"kind": "certified", "lemmas": [format!("{:064x}", lot.below(1 << 30))]}),
    };
    Some(report(unit, attempt, &finding, 5_000_000 + lot.below(1000)))
}

/// The right report, as JSON.
fn honest(unit: &UnitJson, attempt: u32) -> Option<Value> {
    let unit = Unit::try_from(unit).ok()?;
    let game = catalog::open(&unit.game).ok()?;
    let rules = game.solver_rules(&unit.root).ok()?;
    let (mut keep, mut visited) = (|_: &[u8]| {}, |_, _| {});
    let desk = &mut WorkDesk {
        tables: None,
        nodes_left: None,
        stop: &Stop::new(),
        visited: &mut visited,
        checkpoint: None,
        keep: &mut keep,
    };
    let worked = work(&*rules, &unit, desk).ok()??;
    let report = worked.report(&unit, attempt);
    serde_json::to_value(cluster::wire::ReportJson::from(&report)).ok()
}

/// The right answer with a trace that was not worked for.
fn forge(unit: &UnitJson, attempt: u32, _: &mut Rng) -> Option<Value> {
    let mut report = honest(unit, attempt)?;
    let first = report["trace"].get_mut(0)?;
    first[1] = json!(first[1].as_u64()? + 1);
    Some(report)
}

/// Everything right, but about another unit.
fn mistake(unit: &UnitJson, attempt: u32, lot: &mut Rng) -> Option<Value> {
    let mut report = honest(unit, attempt)?;
    report["hash"] = json!(format!("{:032x}", lot.below(1 << 30)));
    Some(report)
}
