//! [`MemoryStore`]: a store for those who have nothing to keep, and for tests.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use super::{Claimed, Door, Epoch, Lease, Receipt, Store, StoreError, StoredFact};
use crate::coordinator::{
    AttemptVerdict, Batch, Event, JudgedAttempt, NodeLemma, NodeRow, ProjectId, UserRecord, Voter,
};
use crate::goal::Bounds;
use crate::message::{Unit, UnitId, UnitReport};
use crate::name::NodeName;

/// Everything in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryStore {
    nodes: HashMap<NodeName, NodeRow>,
    facts: HashMap<NodeName, Vec<StoredFact>>,
    users: BTreeMap<u64, UserRecord>,
    credit: BTreeMap<u64, u64>,
    units: BTreeMap<u64, Box<Waiting>>,
    /// Units that take another attempt of anybody.
    free: BTreeSet<u64>,
    /// Units that take one of the project's own machines alone.
    reserved: BTreeSet<u64>,
    /// Attempts by the moment until which they are expected.
    expected: BTreeSet<(u64, u64, u32)>,
    /// Attempts that were delivered, in this order.
    delivered: BTreeSet<(u64, u64, u32)>,
    deliveries: u64,
    /// Units that are done, the oldest first.
    done: VecDeque<u64>,
    project: ProjectId,
    epoch: u64,
    next_number: u64,
    batches: u64,
    spent: u64,
    seconds: f64,
    lemmas: Vec<NodeLemma>,
    /// When somebody last came in.
    now: u64,
    /// What was forgotten on purpose: facts that nobody asks for again need no room.
    keeps_nodes: bool,
    log: Vec<String>,
}

#[derive(Clone, Debug)]
struct Waiting {
    unit: Unit,
    wanted: u32,
    trusted_only: bool,
    is_open: bool,
    attempts: Vec<Attempt>,
}

#[derive(Clone, Debug)]
struct Attempt {
    number: u32,
    who: Voter,
    until: u64,
    state: State,
    /// The how manieth delivery it was.
    delivery: u64,
    report: Vec<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Live,
    /// Nobody waits for it, but it may come late.
    Expired,
    Delivered,
    /// Delivered, and waits for others.
    Heard,
    Judged,
    /// Judged for a coordinator that is gone, so that nobody counts it among the wanted.
    Spent,
}

/// So many units that are done are kept for results that come late.
const REMEMBERED: usize = 10_000;

impl MemoryStore {
    /// An empty one, which keeps what it is told.
    #[must_use]
    pub fn new(project: u32) -> MemoryStore {
        let project = ProjectId { project, incarnation: 0 };
        MemoryStore { project, keeps_nodes: true, ..MemoryStore::default() }
    }

    /// One that forgets nodes, for a coordinator that keeps all of them itself.
    #[must_use]
    pub fn forgetful() -> MemoryStore {
        MemoryStore { keeps_nodes: false, ..MemoryStore::new(0) }
    }

    /// What a user has earned.
    #[must_use]
    pub fn credit(&self, user: u64) -> u64 {
        self.credit.get(&user).copied().unwrap_or_default()
    }

    /// The audit log.
    #[must_use]
    pub fn log(&self) -> &[String] {
        &self.log
    }

    /// Strikes out all facts but those that are `kept`, and what is known of nodes beside facts, which
    /// is a cache. Says how many were struck out.
    pub fn strike(&mut self, mut kept: impl FnMut(&StoredFact) -> bool) -> u64 {
        let mut struck = 0;
        for facts in self.facts.values_mut() {
            let before = facts.len();
            facts.retain(&mut kept);
            struck += (before - facts.len()) as u64;
        }
        self.nodes.values_mut().for_each(|row| row.bounds = Bounds::ANY);
        struck
    }

    /// Never believes a user again.
    pub fn ban(&mut self, user: u64) {
        self.users.entry(user).or_default().banned = true;
    }

    /// How many units wait to be handed out to anybody.
    #[must_use]
    pub fn ready(&self) -> usize {
        self.free.len()
    }

    /// A unit has changed.
    fn index(&mut self, number: u64) {
        self.free.remove(&number);
        self.reserved.remove(&number);
        match self.units.get(&number).filter(|waiting| waiting.is_free()) {
            Some(waiting) if waiting.trusted_only => self.reserved.insert(number),
            Some(_) => self.free.insert(number),
            None => false,
        };
    }

    /// Nobody waits any longer for what should have come by now.
    fn expire(&mut self, now: u64) {
        while let Some(&(until, number, attempt)) = self.expected.first().filter(|e| e.0 <= now) {
            self.expected.remove(&(until, number, attempt));
            let waiting = self.units.get_mut(&number);
            let known = waiting.and_then(|waiting| waiting.attempts.get_mut(attempt as usize));
            if let Some(known) =
                known.filter(|known| known.state == State::Live && known.until == until)
            {
                known.state = State::Expired;
                self.index(number);
            }
        }
    }
}

impl Waiting {
    /// Whether it takes another attempt.
    fn is_free(&self) -> bool {
        let counts = |attempt: &&Attempt| !matches!(attempt.state, State::Expired | State::Spent);
        self.is_open && self.attempts.iter().filter(counts).count() < self.wanted as usize
    }

    /// Nobody has a unit twice.
    fn is_for(&self, who: Voter) -> bool {
        let had = |attempt: &Attempt| attempt.who.user == who.user && !who.trusted;
        (who.trusted || !self.trusted_only) && !self.attempts.iter().any(had)
    }
}

impl Store for MemoryStore {
    fn claim(&mut self, alone: bool) -> Result<Claimed, StoreError> {
        self.epoch += 1;
        self.project.incarnation += 1;
        if alone {
            self.units.clear();
            self.free.clear();
            self.reserved.clear();
            self.delivered.clear();
        }
        // Whoever takes over has heard nothing yet.
        for (&number, waiting) in &mut self.units {
            for attempt in waiting.attempts.iter_mut().filter(|a| a.state == State::Heard) {
                attempt.state = State::Delivered;
                self.delivered.insert((attempt.delivery, number, attempt.number));
            }
            let is_judged = |attempt: &&mut Attempt| attempt.state == State::Judged;
            for attempt in waiting.attempts.iter_mut().filter(is_judged) {
                attempt.state = State::Spent;
                waiting.wanted = waiting.wanted.saturating_sub(1).max(1);
            }
        }
        let open: Vec<u64> = self.units.keys().copied().collect();
        open.into_iter().for_each(|number| self.index(number));
        Ok(Claimed {
            epoch: Epoch(self.epoch),
            project: self.project,
            next_number: self.next_number,
            batches: self.batches,
            nodes: self.spent,
            seconds: self.seconds,
        })
    }

    fn units(&mut self) -> Result<Vec<(Unit, bool)>, StoreError> {
        let open = self.units.values().filter(|waiting| waiting.is_open);
        Ok(open.map(|waiting| (waiting.unit.clone(), waiting.trusted_only)).collect())
    }

    fn nodes(&mut self, names: &[NodeName]) -> Result<Vec<NodeRow>, StoreError> {
        let row = |name: &NodeName| {
            let row = self.nodes.get(name).cloned();
            let Some(facts) = self.facts.get(name) else { return row };
            let bounds = facts.iter().fold(Bounds::ANY, |known, fact| known.and(fact.bounds()));
            Some(NodeRow::with_facts(name, row, bounds))
        };
        Ok(names.iter().filter_map(row).collect())
    }

    fn facts(&mut self, names: &[NodeName]) -> Result<Vec<StoredFact>, StoreError> {
        Ok(names.iter().filter_map(|name| self.facts.get(name)).flatten().cloned().collect())
    }

    fn users(&mut self) -> Result<Vec<(u64, UserRecord)>, StoreError> {
        Ok(self.users.iter().map(|(&user, &record)| (user, record)).collect())
    }

    fn lemmas(&mut self) -> Result<Vec<NodeLemma>, StoreError> {
        Ok(self.lemmas.clone())
    }

    fn events(&mut self, most: usize) -> Result<Vec<Event>, StoreError> {
        let event = |&(_, unit, attempt): &(u64, u64, u32)| {
            let attempt = self.units.get(&unit)?.attempts.get(attempt as usize)?;
            let report = UnitReport::decode(&attempt.report).ok()?;
            Some(Event::Delivered(attempt.who, Box::new(report)))
        };
        Ok(self.delivered.iter().filter_map(event).take(most).collect())
    }

    fn reports(&mut self, unit: UnitId, attempts: &[u32]) -> Result<Vec<UnitReport>, StoreError> {
        let Some(waiting) = self.units.get(&unit.number) else { return Ok(Vec::new()) };
        let asked = waiting.attempts.iter().filter(|one| attempts.contains(&one.number));
        Ok(asked.filter_map(|one| UnitReport::decode(&one.report).ok()).collect())
    }

    fn commit(&mut self, epoch: Epoch, batch: &Batch, seconds: f64) -> Result<(), StoreError> {
        if epoch != Epoch(self.epoch) {
            return Err(StoreError::Fenced);
        }
        if batch.number != self.batches + 1 {
            return Err(StoreError::OutOfOrder { last: self.batches, found: batch.number });
        }
        self.batches = batch.number;
        (self.next_number, self.spent, self.seconds) = (batch.next_number, batch.spent, seconds);
        for row in batch.nodes.iter().filter(|_| self.keeps_nodes) {
            let before = self.nodes.get(&row.name).and_then(|known| known.order.clone());
            let row = NodeRow { order: row.order.clone().or(before), ..row.clone() };
            self.nodes.insert(row.name.clone(), row);
        }
        for fact in batch.facts.iter().filter(|_| self.keeps_nodes) {
            self.facts.entry(fact.name.clone()).or_default().push(StoredFact {
                name: fact.name.clone(),
                at_least: fact.question.at_least,
                holds: fact.question.holds(fact.proved),
                unit: fact.unit.number,
                users: fact.users,
                trusted: fact.trusted,
            });
        }
        for new in &batch.units {
            let waiting = Waiting {
                unit: new.unit.clone(),
                wanted: 1,
                trusted_only: new.trusted_only,
                is_open: true,
                attempts: Vec::new(),
            };
            self.units.insert(new.unit.id.number, Box::new(waiting));
            self.index(new.unit.id.number);
        }
        for again in &batch.again {
            if let Some(waiting) = self.units.get_mut(&again.unit.number) {
                (waiting.wanted, waiting.trusted_only) = (again.wanted, again.trusted_only);
            }
            self.index(again.unit.number);
        }
        for unit in batch.withdrawn.iter().chain(&batch.done) {
            if let Some(waiting) = self.units.get_mut(&unit.number) {
                waiting.is_open = false;
                self.done.push_back(unit.number);
            }
            self.index(unit.number);
        }
        for &(unit, attempt) in &batch.heard {
            let waiting = self.units.get_mut(&unit.number);
            if let Some(known) = waiting.and_then(|w| w.attempts.get_mut(attempt as usize)) {
                known.state = State::Heard;
                self.delivered.remove(&(known.delivery, unit.number, attempt));
            }
        }
        for judged in &batch.judged {
            let attempts = self.units.get_mut(&judged.unit.number).map(|unit| &mut unit.attempts);
            let same = |attempt: &&mut Attempt| attempt.number == judged.attempt;
            if let Some(attempt) = attempts.and_then(|all| all.iter_mut().find(same)) {
                attempt.state = State::Judged;
                attempt.report = Vec::new();
                let delivery = (attempt.delivery, judged.unit.number, judged.attempt);
                self.delivered.remove(&delivery);
            }
            self.count(judged);
        }
        for &user in &batch.banned {
            self.users.entry(user).or_default().banned = true;
        }
        while self.done.len() > REMEMBERED {
            let oldest = self.done.pop_front();
            oldest.and_then(|oldest| self.units.remove(&oldest));
        }
        self.lemmas.extend(batch.lemmas.iter().cloned());
        self.log.extend(batch.log.iter().cloned());
        Ok(())
    }
}

impl MemoryStore {
    fn count(&mut self, judged: &JudgedAttempt) {
        let &JudgedAttempt { user, verdict, credit, checked, .. } = judged;
        let record = self.users.entry(user).or_default();
        record.checked += u32::from(checked && verdict == AttemptVerdict::Valid);
        match verdict {
            AttemptVerdict::Valid if record.valid == 0 => {
                (record.valid, record.since) = (1, self.now);
            }
            AttemptVerdict::Valid => record.valid += 1,
            AttemptVerdict::Invalid => record.invalid += 1,
            AttemptVerdict::Unvouched | AttemptVerdict::Failed | AttemptVerdict::Gone => {}
        }
        *self.credit.entry(user).or_default() += credit;
    }
}

impl Door for MemoryStore {
    fn lease(&mut self, who: Voter, now: u64, seconds: u64) -> Result<Option<Lease>, StoreError> {
        self.expire(now);
        let units = &self.units;
        let is_for = |number: &&u64| units.get(number).is_some_and(|waiting| waiting.is_for(who));
        let reserved = who.trusted.then_some(&self.reserved);
        let mut all = reserved.into_iter().flatten().chain(&self.free);
        let Some(&number) = all.find(is_for) else { return Ok(None) };
        let Some(waiting) = self.units.get_mut(&number) else { return Ok(None) };
        let (attempt, until) = (waiting.attempts.len() as u32, now.saturating_add(seconds));
        waiting.attempts.push(Attempt {
            number: attempt,
            who,
            until,
            state: State::Live,
            delivery: 0,
            report: Vec::new(),
        });
        let unit = waiting.unit.clone();
        self.expected.insert((until, number, attempt));
        self.index(number);
        Ok(Some(Lease { unit, attempt, until }))
    }

    fn renew(
        &mut self,
        unit: UnitId,
        attempt: u32,
        now: u64,
        seconds: u64,
    ) -> Result<bool, StoreError> {
        let Some(waiting) = self.units.get_mut(&unit.number) else { return Ok(false) };
        let known = waiting.attempts.get_mut(attempt as usize);
        if let Some(known) = known.filter(|known| known.state == State::Live) {
            known.until = now.saturating_add(seconds);
            self.expected.insert((known.until, unit.number, attempt));
        }
        Ok(waiting.is_open && waiting.unit.id == unit)
    }

    fn release(&mut self, unit: UnitId, attempt: u32) -> Result<(), StoreError> {
        let waiting = self.units.get_mut(&unit.number);
        if let Some(known) = waiting.and_then(|w| w.attempts.get_mut(attempt as usize)) {
            known.state = State::Expired;
        }
        self.index(unit.number);
        Ok(())
    }

    fn deliver(&mut self, who: Voter, report: &[u8], now: u64) -> Result<Receipt, StoreError> {
        self.now = self.now.max(now);
        let refused = |why: String| Ok(Receipt::Refused(why));
        let decoded = match UnitReport::decode(report) {
            Ok(decoded) => decoded,
            Err(error) => return refused(error.to_string()),
        };
        let waiting = self.units.get_mut(&decoded.unit.number);
        let Some(waiting) = waiting.filter(|waiting| waiting.unit.id == decoded.unit) else {
            return refused(format!("unit {} is gone", decoded.unit));
        };
        let Some(attempt) = waiting.attempts.get_mut(decoded.attempt as usize) else {
            return refused(format!("unit {} has no such attempt", decoded.unit));
        };
        if attempt.who.user != who.user {
            return refused(format!("this attempt at unit {} is somebody else's", decoded.unit));
        }
        match attempt.state {
            State::Live | State::Expired => {
                self.deliveries += 1;
                (attempt.state, attempt.report) = (State::Delivered, report.to_vec());
                attempt.delivery = self.deliveries;
                let unit = decoded.unit.number;
                self.delivered.insert((self.deliveries, unit, decoded.attempt));
                self.index(unit);
                Ok(Receipt::Taken)
            }
            State::Delivered | State::Heard if attempt.report == report => Ok(Receipt::Taken),
            State::Delivered | State::Heard => {
                refused("another report of this attempt came before".to_owned())
            }
            State::Judged | State::Spent => Ok(Receipt::Taken),
        }
    }

    fn sync(&mut self) -> Result<(), StoreError> {
        Ok(())
    }
}
