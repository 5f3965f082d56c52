//! [`Crowd`]: who works, how fast, how reliably and how honestly.

use ::game::{Rng, mix};

use crate::coordinator::Voter;
use crate::message::{Finding, UnitReport};
use crate::plan::TrustPlan;

/// How somebody behaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WorkerKind {
    /// One of the project's own machines.
    Trusted,
    /// Reports what it finds.
    Honest,
    /// Its machine is faulty: one result in twenty is wrong by chance.
    Faulty,
    /// Makes results up, alone.
    Liar,
    /// Makes them up together with all others of this kind, who say the same.
    Colluder,
    /// Is honest until it is established, then like a colluder.
    Sleeper,
    /// One person with many accounts behind one address, which all say the same.
    ManyAccounts,
}

impl WorkerKind {
    /// As tables write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            WorkerKind::Trusted => "trusted",
            WorkerKind::Honest => "honest",
            WorkerKind::Faulty => "faulty",
            WorkerKind::Liar => "independent liars",
            WorkerKind::Colluder => "colluding liars",
            WorkerKind::Sleeper => "sleeping liars",
            WorkerKind::ManyAccounts => "many accounts",
        }
    }
}

/// How many of whom.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crowd {
    /// All together.
    pub workers: usize,
    /// Of these, the project's own.
    pub trusted: usize,
    /// The share of those who do not report what they find, and how they go about it.
    pub dishonest: Option<(WorkerKind, f64)>,
    /// How often, in an hour of work, a machine is switched off for a day and loses what it did.
    pub lost: f64,
    /// How often one is ten times as late as it should be.
    pub late: f64,
}

/// One worker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Person {
    pub(super) voter: Voter,
    kind: WorkerKind,
    /// Nodes in a second.
    pub(super) speed: f64,
    lost: f64,
    late: f64,
    told: u32,
    /// When the first was told.
    since: u64,
    /// How many honest results and how many seconds a sleeper waits.
    sleeps: (u32, u64),
}

/// What becomes of a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Luck {
    Usual,
    Late,
    Lost,
}

impl Crowd {
    /// Nodes that a worker visits in a second, on average.
    pub const MEAN_SPEED: f64 = 1.35e6;

    pub(super) fn people(&self, trust: &TrustPlan, rng: &mut Rng) -> Vec<Person> {
        let (kind, share) = self.dishonest.unwrap_or((WorkerKind::Honest, 0.0));
        let dishonest = (share * self.workers as f64).round() as usize;
        // The rules are known: it takes so many honest results and so many seconds to be established,
        // and somebody patient waits longer.
        let sleeps = (3 * trust.established_results, 2 * trust.established_seconds);
        let person = |nth: usize| {
            let kind = match nth {
                _ if nth < self.trusted => WorkerKind::Trusted,
                _ if nth < self.trusted + dishonest => kind,
                _ => WorkerKind::Honest,
            };
            // From a quarter to four times a million nodes in a second.
            let speed = 1e6 * (4.0 * unit(rng) - 2.0).exp2();
            let trusted = kind == WorkerKind::Trusted;
            let network = if kind == WorkerKind::ManyAccounts { 1 << 40 } else { nth as u64 };
            let voter = Voter { user: nth as u64, network, trusted };
            let lost = if trusted { 0.0 } else { self.lost };
            Person { voter, kind, speed, lost, late: self.late, told: 0, since: 0, sleeps }
        };
        (0..self.workers).map(person).collect()
    }
}

impl Person {
    /// What becomes of work that takes so many seconds.
    pub(super) fn luck(&self, seconds: u64, rng: &mut Rng) -> Luck {
        let kept = (1.0 - self.lost).powf(seconds as f64 / 3600.0);
        match unit(rng) {
            drawn if drawn >= kept => Luck::Lost,
            drawn if drawn < self.late => Luck::Late,
            _ => Luck::Usual,
        }
    }

    /// Makes of an honest report what this person delivers.
    pub(super) fn tell(&mut self, report: &mut UnitReport, now: u64, rng: &mut Rng) {
        self.told += 1;
        if self.told == 1 {
            self.since = now;
        }
        let shared = mix(report.unit.number);
        let lies = match self.kind {
            WorkerKind::Trusted | WorkerKind::Honest => return,
            WorkerKind::Faulty => unit(rng) < 0.05,
            WorkerKind::Liar | WorkerKind::Colluder | WorkerKind::ManyAccounts => true,
            WorkerKind::Sleeper => self.told > self.sleeps.0 && now > self.since + self.sleeps.1,
        };
        if !lies {
            return;
        }
        let together = matches!(
            self.kind,
            WorkerKind::Colluder | WorkerKind::Sleeper | WorkerKind::ManyAccounts
        );
        let made_up = if together { shared } else { rng.next_u64() };
        report.finding = match report.finding {
            Finding::Proved => Finding::Refuted,
            _ => Finding::Proved,
        };
        report.nodes = report.nodes / 2 + made_up % (report.nodes + 2);
        for job in &mut report.trace {
            job.nodes = report.nodes;
        }
    }
}

fn unit(rng: &mut Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}
