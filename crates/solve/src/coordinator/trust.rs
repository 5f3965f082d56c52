//! [`Trust`]: who has been right so far, and which of several reports is believed.
//!
//! A quorum is so many users from different networks who say the same, one of them established or
//! one of the project's own machines. Against liars who do not know of each other that is enough:
//! two of them do not tell the same lie.

use std::collections::HashMap;

use super::batch::Voter;
use crate::message::Finding;
use crate::plan::TrustPlan;

/// What is known of a user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UserRecord {
    /// Results that were believed.
    pub valid: u32,
    /// Results that were not.
    pub invalid: u32,
    /// When the first was believed, in seconds.
    pub since: u64,
    /// Whether it was seen to lie: it never counts again.
    pub banned: bool,
}

/// A report that waits for others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Vote {
    pub(super) voter: Voter,
    pub(super) attempt: u32,
    /// What has to be equal for two to agree.
    pub(super) agreement: u128,
    pub(super) finding: Finding,
    pub(super) nodes: u64,
}

/// What votes come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opinion {
    /// This one is the canonical result.
    Canonical(usize),
    /// So is this one, although nobody vouches for it: it claims nothing about the game and only says
    /// where to work, so that a lie costs work and no more.
    Advice(usize),
    /// One more result is wanted.
    More {
        /// From one of the project's own machines.
        trusted_only: bool,
    },
}

/// Who has been right so far.
#[derive(Clone, Debug, Default)]
pub struct Trust {
    users: HashMap<u64, UserRecord>,
    /// How many of the last results came from established users, in 4096ths.
    vouching: u32,
}

/// More strangers than this are not asked about one unit.
const MOST_VOTES: usize = 5;

impl Trust {
    /// Puts back what a store kept.
    pub fn restore(&mut self, user: u64, record: UserRecord) {
        self.users.insert(user, record);
    }

    /// What is known of a user.
    #[must_use]
    pub fn record(&self, user: u64) -> UserRecord {
        self.users.get(&user).copied().unwrap_or_default()
    }

    /// Whether a user has been right often enough and for long enough.
    #[must_use]
    pub fn is_established(&self, user: u64, now: u64, plan: &TrustPlan) -> bool {
        let record = self.record(user);
        let is_right = record.valid >= plan.established_results.max(1)
            && u64::from(record.invalid) * 100 <= u64::from(record.valid);
        is_right && !record.banned && now >= record.since + plan.established_seconds
    }

    /// A result was believed or not.
    pub(super) fn learn(&mut self, user: u64, now: u64, is_right: bool) {
        let record = self.users.entry(user).or_default();
        match is_right {
            true if record.valid == 0 => (record.valid, record.since) = (1, now),
            true => record.valid += 1,
            false => record.invalid += 1,
        }
    }

    /// A result came in, from somebody who can vouch for others or not.
    pub(super) fn hear(&mut self, voter: Voter, now: u64, plan: &TrustPlan) {
        let vouches = voter.trusted || self.is_established(voter.user, now, plan);
        self.vouching += if vouches { 64 } else { 0 };
        self.vouching -= self.vouching / 64;
    }

    /// Whether the next stranger is likely enough to be established: then it is one more stranger who
    /// is asked, and not one of the project's few machines.
    fn many_can_vouch(&self) -> bool {
        self.vouching >= 4096 / 4
    }

    /// A user was seen to lie.
    pub(super) fn ban(&mut self, user: u64) {
        self.users.entry(user).or_default().banned = true;
    }

    /// Which of these is believed, or what is missing. `lot` is a random number of this unit.
    pub(super) fn judge(&self, votes: &[Vote], now: u64, plan: &TrustPlan, lot: u64) -> Opinion {
        let counts = |vote: &&(usize, &Vote)| {
            !matches!(vote.1.finding, Finding::Failed(_)) && !self.record(vote.1.voter.user).banned
        };
        let votes: Vec<(usize, &Vote)> = votes.iter().enumerate().collect();
        let votes: Vec<(usize, &Vote)> = votes.iter().filter(counts).copied().collect();
        if plan.trusted_alone
            && let Some(&(own, _)) = votes.iter().find(|(_, vote)| vote.voter.trusted)
        {
            return Opinion::Canonical(own);
        }
        let vouches = |voter: &Voter| voter.trusted || self.is_established(voter.user, now, plan);
        let mut unvouched = None;
        for &(nth, vote) in &votes {
            let agreeing: Vec<Voter> = votes
                .iter()
                .filter(|(_, other)| other.agreement == vote.agreement)
                .map(|(_, other)| other.voter)
                .collect();
            let is_vouched = !plan.vouched || agreeing.iter().any(vouches);
            let alone = plan.adaptive
                && vouches(&vote.voter)
                && !lot.is_multiple_of(u64::from(plan.replicate_one_in.max(1)));
            let is_quorum = distinct(&agreeing) >= usize::from(plan.quorum);
            if is_vouched && (alone || is_quorum) {
                return Opinion::Canonical(nth);
            }
            unvouched = unvouched.or(is_quorum.then_some((nth, &vote.finding)));
        }
        let claims_nothing =
            |finding: &Finding| matches!(finding, Finding::Open { facts, .. } if facts.is_empty());
        let disagree =
            |votes: &[&Vote]| votes.windows(2).any(|pair| pair[0].agreement != pair[1].agreement);
        let votes: Vec<&Vote> = votes.into_iter().map(|(_, vote)| vote).collect();
        let is_disputed = disagree(&votes);
        if let Some((nth, finding)) = unvouched
            && claims_nothing(finding)
            && !is_disputed
        {
            return Opinion::Advice(nth);
        }
        // Where established users contradict each other, nobody but the project itself decides.
        let established: Vec<&Vote> =
            votes.iter().copied().filter(|vote| vouches(&vote.voter)).collect();
        let is_undecided = unvouched.is_some() || is_disputed;
        let trusted_only = votes.len() >= MOST_VOTES
            || disagree(&established)
            || is_undecided && !self.many_can_vouch();
        Opinion::More { trusted_only }
    }
}

/// Who says this.
pub(super) fn agreeing(votes: &[Vote], agreement: u128) -> Vec<Voter> {
    votes.iter().filter(|vote| vote.agreement == agreement).map(|vote| vote.voter).collect()
}

/// How many of these count: one for each user, and one for each network.
pub(super) fn distinct(voters: &[Voter]) -> usize {
    let count = |key: fn(&Voter) -> u64| {
        let mut keys: Vec<u64> = voters.iter().map(key).collect();
        keys.sort_unstable();
        keys.dedup();
        keys.len()
    };
    count(|voter| voter.user).min(count(|voter| voter.network))
}
