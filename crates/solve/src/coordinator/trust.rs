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
    /// Of those that were believed, how many the project itself has checked.
    pub checked: u32,
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
    /// Whether a sub-job of it was done again and is right.
    pub(super) checked: bool,
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
        /// Those who count disagree.
        is_disputed: bool,
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
        let is_checked = plan.spot_check_one_in == 0 || record.checked >= plan.established_checks;
        let is_old = now >= record.since.saturating_add(plan.established_seconds);
        is_right && is_checked && is_old && !record.banned
    }

    /// A result was believed or not.
    pub(super) fn learn(&mut self, user: u64, now: u64, is_right: bool, checked: bool) {
        let record = self.users.entry(user).or_default();
        record.checked += u32::from(is_right && checked);
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
        Opinion::More { trusted_only, is_disputed }
    }

    /// One report in so many is checked before it counts; 0 for none.
    pub(super) fn spot_check_one_in(&self, user: u64, now: u64, plan: &TrustPlan) -> u64 {
        const SELDOM: u64 = 4;
        let often = u64::from(plan.spot_check_one_in);
        match self.record(user).banned {
            true => 0,
            false if self.is_established(user, now, plan) => often * SELDOM,
            false => often,
        }
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

#[cfg(test)]
mod tests {
    use game::Rng;

    use super::*;
    use crate::message::{Question, SubFact, WorkFailure};

    const NOW: u64 = 1000;

    fn finding(rng: &mut Rng) -> Finding {
        let question = Question { at_least: 1, prover: game::Side::First };
        let fact = SubFact { path: vec![0], question, proved: true };
        match rng.below(8) {
            0..=2 => Finding::Proved,
            3 => Finding::Refuted,
            4 | 5 => Finding::Open { facts: Vec::new(), order: vec![1] },
            6 => Finding::Open { facts: vec![fact], order: vec![1] },
            _ => Finding::Failed(WorkFailure::Memory),
        }
    }

    /// Few users, networks and results, so that everything coincides now and then. Who says the
    /// same agrees.
    fn votes(rng: &mut Rng) -> Vec<Vote> {
        let findings: Vec<Finding> = (0..3).map(|_| finding(rng)).collect();
        let count = 1 + rng.below(6);
        let vote = |attempt: usize| {
            let kinds = 2 + rng.below(2);
            let said = rng.below(kinds);
            let trusted = rng.below(12) == 0;
            let voter = Voter { user: rng.below(5) as u64, network: rng.below(4) as u64, trusted };
            Vote {
                voter,
                attempt: attempt as u32,
                agreement: said as u128,
                finding: findings[said].clone(),
                nodes: 1,
                checked: false,
            }
        };
        (0..count).map(vote).collect()
    }

    fn plan(rng: &mut Rng) -> TrustPlan {
        TrustPlan {
            quorum: 1 + rng.below(3) as u8,
            vouched: rng.below(4) > 0,
            trusted_alone: rng.below(3) > 0,
            established_results: rng.below(3) as u32,
            established_seconds: 500,
            adaptive: rng.below(3) == 0,
            replicate_one_in: 2,
            established_checks: rng.below(3) as u32,
            spot_check_one_in: rng.below(2) as u32,
            ..TrustPlan::STRANGERS
        }
    }

    fn trust(rng: &mut Rng) -> Trust {
        let mut trust = Trust::default();
        for user in 0..5 {
            let valid = [0, 1, 2, 100, 250][rng.below(5)];
            let invalid = [0, 0, 0, 1, 2, 3][rng.below(6)];
            let since = [0, 500, 501, 900][rng.below(4)];
            let banned = rng.below(6) == 0;
            let checked = rng.below(3) as u32;
            trust.restore(user, UserRecord { valid, invalid, checked, since, banned });
        }
        trust.vouching = [0, 1023, 1024, 4096][rng.below(4)];
        trust
    }

    #[test]
    fn records_tell_who_is_established() {
        let plan = TrustPlan { established_checks: 1, ..TrustPlan::STRANGERS };
        let mut trust = Trust::default();
        trust.learn(1, NOW, true, false);
        assert_eq!((trust.record(1).valid, trust.record(1).since), (1, NOW));
        trust.learn(1, NOW + 1, false, true);
        let wrong = UserRecord { valid: 1, invalid: 1, since: NOW, ..UserRecord::default() };
        assert_eq!(trust.record(1), wrong, "only what was right counts as checked");
        trust.restore(2, UserRecord { valid: 100, checked: 9, ..UserRecord::default() });
        assert!(trust.is_established(2, 1 << 40, &plan));
        assert_eq!(trust.spot_check_one_in(2, 1 << 40, &plan), 20);
        trust.ban(2);
        assert!(!trust.is_established(2, 1 << 40, &plan));
        assert_eq!(trust.spot_check_one_in(2, 1 << 40, &plan), 0, "nobody needs to know");
        assert_eq!(trust.spot_check_one_in(3, 1 << 40, &plan), 5);
    }

    /// The rules in other words.
    struct Law<'t> {
        trust: &'t Trust,
        plan: TrustPlan,
        lot: u64,
    }

    impl Law<'_> {
        fn vouches(&self, voter: &Voter) -> bool {
            let record = self.trust.record(voter.user);
            let is_old = NOW.saturating_sub(record.since) >= self.plan.established_seconds;
            let is_good = record.valid >= 1
                && record.valid >= self.plan.established_results
                && f64::from(record.invalid) <= 0.01 * f64::from(record.valid);
            let is_checked = match self.plan.spot_check_one_in {
                0 => true,
                _ => record.checked >= self.plan.established_checks,
            };
            voter.trusted || is_old && is_good && is_checked && !record.banned
        }

        fn counts(&self, vote: &Vote) -> bool {
            !self.trust.record(vote.voter.user).banned
                && !matches!(vote.finding, Finding::Failed(_))
        }

        fn support<'v>(&self, votes: &'v [Vote], of: &Vote) -> Vec<&'v Vote> {
            let agrees = |vote: &&Vote| self.counts(vote) && vote.agreement == of.agreement;
            votes.iter().filter(agrees).collect()
        }

        fn is_quorum(&self, support: &[&Vote]) -> bool {
            let different = |number: fn(&Voter) -> u64| {
                let numbers: std::collections::BTreeSet<u64> =
                    support.iter().map(|vote| number(&vote.voter)).collect();
                numbers.len() >= usize::from(self.plan.quorum)
            };
            different(|voter| voter.user) && different(|voter| voter.network)
        }

        fn is_believable(&self, votes: &[Vote], vote: &Vote) -> bool {
            let support = self.support(votes, vote);
            let is_vouched =
                !self.plan.vouched || support.iter().any(|vote| self.vouches(&vote.voter));
            let alone = self.plan.adaptive && self.vouches(&vote.voter) && self.lot % 2 == 1;
            let own = self.plan.trusted_alone && vote.voter.trusted;
            self.counts(vote) && (own || is_vouched && (alone || self.is_quorum(&support)))
        }
    }

    /// Nothing is believed but by a quorum that somebody vouches for, by one of the project's own
    /// machines, or, where the plan says so, by an established user; and whatever is believable is
    /// believed.
    #[test]
    fn votes_are_judged_by_the_rules() {
        let mut rng = Rng::new(1);
        let mut seen = [0; 5];
        for _ in 0..100_000 {
            let (votes, plan, trust) = (votes(&mut rng), plan(&mut rng), trust(&mut rng));
            let lot = rng.next_u64();
            let law = Law { trust: &trust, plan, lot };
            let counted: Vec<&Vote> = votes.iter().filter(|vote| law.counts(vote)).collect();
            let disagree =
                |votes: &[&Vote]| votes.iter().any(|vote| vote.agreement != votes[0].agreement);
            let is_open = |vote: &Vote| matches!(&vote.finding, Finding::Open { facts, .. } if facts.is_empty());
            let is_advice =
                |vote: &&Vote| is_open(vote) && law.is_quorum(&law.support(&votes, vote));
            let context = || format!("{votes:?} {plan:?} {trust:?} lot {lot}");
            match trust.judge(&votes, NOW, &plan, lot) {
                Opinion::Canonical(nth) => {
                    assert!(law.is_believable(&votes, &votes[nth]), "{}", context());
                    seen[0] += 1;
                }
                Opinion::Advice(nth) => {
                    assert!(!votes.iter().any(|vote| law.is_believable(&votes, vote)));
                    assert!(law.counts(&votes[nth]) && is_advice(&&votes[nth]), "{}", context());
                    assert!(!disagree(&counted), "{}", context());
                    seen[1] += 1;
                }
                Opinion::More { trusted_only, is_disputed } => {
                    assert!(!votes.iter().any(|vote| law.is_believable(&votes, vote)));
                    let is_advised = counted.iter().copied().any(|vote| is_advice(&vote));
                    assert!(!is_advised || disagree(&counted), "{}", context());
                    let known: Vec<&Vote> =
                        counted.iter().copied().filter(|vote| law.vouches(&vote.voter)).collect();
                    let is_undecided = disagree(&counted)
                        || counted.iter().any(|vote| law.is_quorum(&law.support(&votes, vote)));
                    let own = counted.len() >= 5
                        || disagree(&known)
                        || is_undecided && trust.vouching < 1024;
                    assert_eq!(trusted_only, own, "{}", context());
                    assert_eq!(is_disputed, disagree(&counted), "{}", context());
                    seen[2 + usize::from(trusted_only)] += 1;
                }
            }
        }
        assert!(seen[..4].iter().all(|&count| count > 1000), "{seen:?}");
    }

    /// A fourth of the last results makes many who can vouch, and it takes a while to change.
    #[test]
    fn it_is_known_how_many_can_vouch() {
        let plan = TrustPlan::STRANGERS;
        let mut trust = Trust::default();
        let voter = |trusted| Voter { user: 1, network: 1, trusted };
        let heard = |trust: &mut Trust, one_in: u32| {
            (0..1000).for_each(|nth| trust.hear(voter(nth % one_in == 0), NOW, &plan));
            trust.many_can_vouch()
        };
        assert!(!heard(&mut trust, 8));
        assert!(heard(&mut trust, 3));
        assert!(!heard(&mut trust, 6));
    }
}
