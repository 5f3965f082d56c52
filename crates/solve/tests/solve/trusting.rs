//! Whom the coordinator believes, what it pays, and what it takes back.

use game::Rng;
use solve::coordinator::{
    AttemptVerdict, Batch, Coordinator, Event, ProjectStanding, Ruling, RulingRequest, UserRecord,
    Voter,
};
use solve::message::{Finding, Unit, UnitId, UnitReport, WorkFailure};
use solve::simulation::RandomGame;
use solve::store::{Door, Epoch, MemoryStore, Store};
use solve::{Goal, ProofAudit, SolverRules, TrustPlan, take_over};

use crate::coordinating::{PROJECT, STRANGERS, honest, random_game, report, small};

/// Somebody who has been right for long.
const KNOWN: UserRecord =
    UserRecord { valid: 100, invalid: 0, checked: 10, since: 0, banned: false };

fn stranger(user: u64) -> Voter {
    Voter { user, network: user, trusted: false }
}

fn told(voter: Voter, report: UnitReport) -> Event {
    Event::Delivered(voter, Box::new(report))
}

/// The opposite of what was found, with the same work.
fn lie(mut report: UnitReport) -> UnitReport {
    report.finding = match report.finding {
        Finding::Proved => Finding::Refuted,
        _ => Finding::Proved,
    };
    report
}

fn begun(game: &RandomGame, trust: TrustPlan) -> (Coordinator<'_>, Unit) {
    let mut coordinator =
        Coordinator::new(game, Goal::AtLeast(1), small(trust), PROJECT, 1).unwrap();
    let unit = coordinator.step(0, &[], 1).units.remove(0).unit;
    (coordinator, unit)
}

fn verdicts(batch: &Batch) -> Vec<(u64, AttemptVerdict, u64)> {
    let mut all: Vec<_> =
        batch.judged.iter().map(|judged| (judged.user, judged.verdict, judged.credit)).collect();
    all.sort_by_key(|one| one.0);
    all
}

/// All who agree earn the nodes of the canonical result, the others nothing; late ones likewise,
/// and nobody twice.
#[test]
fn credit_is_granted_once_to_those_who_are_right() {
    let game = random_game(1, 3.0);
    let (mut coordinator, unit) = begun(&game, STRANGERS);
    coordinator.trust_mut().restore(5, KNOWN);
    let nodes = report(&game, &unit, 0).nodes;
    let wrong = UnitReport { nodes: nodes + 7, ..lie(report(&game, &unit, 0)) };
    coordinator.step(0, &[told(stranger(4), wrong)], 0);
    coordinator.step(0, &[honest(&game, &unit, 5, 1)], 0);
    // Who is wrong cannot be found out here, so that it takes more votes.
    coordinator.step(0, &[Event::Ruled(unit.id, Ruling::Unknown)], 0);
    // The same user once more, and the same attempt by somebody else.
    let twice = coordinator.step(0, &[honest(&game, &unit, 5, 2), honest(&game, &unit, 9, 1)], 0);
    let gone = AttemptVerdict::Gone;
    assert_eq!(verdicts(&twice), [(5, gone, 0), (9, gone, 0)]);
    let done = coordinator.step(0, &[honest(&game, &unit, 6, 3)], 0);
    let (valid, invalid) = (AttemptVerdict::Valid, AttemptVerdict::Invalid);
    assert_eq!(verdicts(&done), [(4, invalid, 0), (5, valid, nodes), (6, valid, nodes)]);
    assert_eq!((done.facts[0].users, done.facts[0].trusted), (2, false));
    let wrong = told(stranger(8), lie(report(&game, &unit, 5)));
    let other = told(stranger(9), UnitReport { unit_hash: 7, ..report(&game, &unit, 6) });
    let late = coordinator.step(0, &[honest(&game, &unit, 7, 4), wrong, other], 0);
    assert_eq!(verdicts(&late), [(7, valid, nodes), (8, invalid, 0), (9, invalid, 0)]);
    assert!(late.facts.is_empty());
    let trust = coordinator.trust();
    let record = |user| (trust.record(user).valid, trust.record(user).invalid);
    assert_eq!([4, 5, 6, 7, 8].map(record), [(0, 1), (101, 0), (1, 0), (1, 0), (0, 1)]);
}

/// The number of a unit says nothing: one of before a restart may have had it. Two machines of the
/// project may both answer, although they are one user.
#[test]
fn reports_are_about_one_unit_and_of_one_attempt() {
    let game = random_game(1, 3.0);
    let (mut coordinator, unit) = begun(&game, TrustPlan { trusted_alone: false, ..STRANGERS });
    let before = UnitId { incarnation: unit.id.incarnation + 1, ..unit.id };
    let before = UnitReport { unit: before, ..report(&game, &unit, 0) };
    let heard = coordinator.step(0, &[told(stranger(5), before)], 0);
    assert_eq!(verdicts(&heard), [(5, AttemptVerdict::Gone, 0)]);
    assert!(heard.heard.is_empty());
    for attempt in [1, 2] {
        let heard = coordinator.step(0, &[honest(&game, &unit, 0, attempt)], 0);
        assert_eq!((heard.judged.len(), heard.heard), (0, vec![(unit.id, attempt)]));
    }
}

/// Where nobody vouches, an open end is taken as advice: it counts for no record, and who says
/// something else earns nothing.
#[test]
fn advice_is_no_reference() {
    let game = random_game(1, 30.0);
    let (mut coordinator, unit) = begun(&game, STRANGERS);
    assert!(matches!(report(&game, &unit, 0).finding, Finding::Open { .. }));
    coordinator.step(0, &[honest(&game, &unit, 5, 0)], 0);
    let batch = coordinator.step(0, &[honest(&game, &unit, 6, 1)], 0);
    let nodes = report(&game, &unit, 0).nodes;
    let unvouched = AttemptVerdict::Unvouched;
    assert_eq!(verdicts(&batch), [(5, unvouched, nodes), (6, unvouched, nodes)]);
    let wrong = told(stranger(8), lie(report(&game, &unit, 3)));
    let late = coordinator.step(0, &[honest(&game, &unit, 7, 2), wrong], 0);
    assert_eq!(verdicts(&late), [(7, unvouched, nodes), (8, unvouched, 0)]);
    for user in 5..=8 {
        assert_eq!(coordinator.trust().record(user), UserRecord::default(), "user {user}");
    }
}

/// Two who contradict a third are no advice, where nobody can find out who lies.
#[test]
fn a_dispute_is_no_advice() {
    let game = random_game(1, 30.0);
    let (mut coordinator, unit) = begun(&game, STRANGERS);
    coordinator.step(0, &[told(stranger(4), lie(report(&game, &unit, 0)))], 0);
    coordinator.step(0, &[honest(&game, &unit, 5, 1)], 0);
    coordinator.step(0, &[Event::Ruled(unit.id, Ruling::Unknown)], 0);
    let batch = coordinator.step(0, &[honest(&game, &unit, 6, 2)], 0);
    assert!(batch.rulings.is_empty(), "it is not asked for ever");
    assert!(batch.judged.is_empty() && batch.done.is_empty());
    // Nobody here can vouch, so that it is for the project itself.
    assert!(batch.again.iter().all(|again| again.trusted_only && again.wanted == 4));
}

/// Who is wrong about a sub-job that was done again is banned and not paid; the others wait for one
/// more, as if it had never been there.
#[test]
fn a_ruling_strikes_who_is_wrong() {
    let game = random_game(1, 3.0);
    let (mut coordinator, unit) = begun(&game, STRANGERS);
    coordinator.trust_mut().restore(5, KNOWN);
    coordinator.trust_mut().restore(9, UserRecord { banned: true, ..KNOWN });
    coordinator.step(0, &[told(stranger(9), lie(report(&game, &unit, 0)))], 0);
    coordinator.step(0, &[told(stranger(4), lie(report(&game, &unit, 1)))], 0);
    let asked = coordinator.step(0, &[honest(&game, &unit, 5, 2)], 0);
    // Whoever is banned already is not asked about, and nobody else is given the unit meanwhile.
    let request = RulingRequest { unit: unit.clone(), attempts: vec![1, 2], spot: None };
    assert_eq!(asked.rulings, [request]);
    assert!(asked.again.is_empty() && asked.judged.is_empty());
    assert_eq!(asked.heard, [(unit.id, 2)]);
    // One who comes meanwhile waits, and does not ask again.
    let late = coordinator.step(0, &[honest(&game, &unit, 6, 3)], 0);
    assert!(late.rulings.is_empty() && late.judged.is_empty() && late.facts.is_empty());
    assert_eq!(late.heard, [(unit.id, 3)]);
    // Of another unit, or of the same of another incarnation, nothing is believed.
    let mut other = unit.id;
    other.incarnation += 1;
    coordinator.step(0, &[Event::Ruled(other, Ruling::Wrong(vec![2, 3]))], 0);
    let ruled = coordinator.step(0, &[Event::Ruled(unit.id, Ruling::Wrong(vec![1]))], 0);
    assert_eq!((ruled.banned.clone(), ruled.facts.len(), ruled.facts[0].users), (vec![4], 1, 2));
    let (valid, invalid) = (AttemptVerdict::Valid, AttemptVerdict::Invalid);
    let nodes = report(&game, &unit, 0).nodes;
    let expected = [(4, invalid, 0), (5, valid, nodes), (6, valid, nodes), (9, invalid, 0)];
    assert_eq!(verdicts(&ruled), expected);
    let record = coordinator.trust().record(4);
    assert!(record.banned && (record.valid, record.invalid) == (0, 1));
    assert!(ruled.log.iter().any(|line| line.contains("user 4 is wrong about a sub-job")));
    // Twice is once.
    let again = coordinator.step(0, &[Event::Ruled(unit.id, Ruling::Wrong(vec![2]))], 0);
    assert!(again.judged.is_empty() && again.banned.is_empty());
}

/// Where all were wrong the unit goes to others, and none of its results is counted any longer.
#[test]
fn a_unit_that_all_lied_about_is_asked_for_again() {
    let game = random_game(1, 3.0);
    let (mut coordinator, unit) = begun(&game, STRANGERS);
    let twisted = |attempt: u32| {
        let wrong = lie(report(&game, &unit, attempt));
        UnitReport { nodes: wrong.nodes + u64::from(attempt), ..wrong }
    };
    coordinator.step(0, &[told(stranger(4), twisted(0)), told(stranger(5), twisted(1))], 0);
    let ruled = coordinator.step(0, &[Event::Ruled(unit.id, Ruling::Wrong(vec![0, 1]))], 0);
    assert_eq!((ruled.banned.len(), ruled.again.len(), ruled.again[0].wanted), (2, 1, 3));
    assert!(!ruled.again[0].trusted_only);
    let own = coordinator.step(0, &[honest(&game, &unit, 0, 2)], 0);
    assert_eq!(verdicts(&own).len(), 1);
}

/// One of the project's own machines that is wrong is not banned: nothing would go on. It is said.
#[test]
fn own_machines_are_not_banned() {
    let game = random_game(1, 3.0);
    let trust = TrustPlan { trusted_alone: false, ..STRANGERS };
    let (mut coordinator, unit) = begun(&game, trust);
    let own = Voter { user: 0, network: 0, trusted: true };
    coordinator.step(0, &[told(own, lie(report(&game, &unit, 0)))], 0);
    coordinator.step(0, &[honest(&game, &unit, 5, 1)], 0);
    let ruled = coordinator.step(0, &[Event::Ruled(unit.id, Ruling::Wrong(vec![0]))], 0);
    assert!(ruled.banned.is_empty() && !coordinator.trust().record(0).banned);
    assert!(ruled.log.iter().any(|line| line.contains("own machines is wrong")), "{:?}", ruled.log);
    assert_eq!(verdicts(&ruled), [(0, AttemptVerdict::Invalid, 0)]);
}

/// What is issued again is what several have found: who says the same was checked by that, and one of
/// the project's own machines that does not is not banned.
#[test]
fn canaries_are_checks() {
    let game = random_game(1, 30.0);
    let trust = TrustPlan { canary_one_in: 1, ..STRANGERS };
    let (mut coordinator, unit) = begun(&game, trust);
    let alone = coordinator.step(0, &[honest(&game, &unit, 0, 0)], 0);
    assert_eq!((alone.judged.len(), alone.units.len()), (1, 0), "nobody else has found it");
    coordinator.trust_mut().restore(5, KNOWN);
    let canary = |coordinator: &mut Coordinator<'_>| {
        let unit = coordinator.step(0, &[], 1).units.remove(0).unit;
        coordinator.step(0, &[honest(&game, &unit, 5, 0)], 0);
        let done = coordinator.step(0, &[honest(&game, &unit, 6, 1)], 0);
        let [again] = &done.units[..] else { panic!("{done:?}") };
        again.unit.clone()
    };
    let unit = canary(&mut coordinator);
    let right = coordinator.step(0, &[honest(&game, &unit, 7, 0)], 0);
    assert!(right.judged[0].checked && coordinator.trust().record(7).checked == 1);
    let unit = canary(&mut coordinator);
    let own = Voter { user: 0, network: 0, trusted: true };
    let wrong = coordinator.step(0, &[told(own, lie(report(&game, &unit, 0)))], 0);
    assert_eq!(verdicts(&wrong), [(0, AttemptVerdict::Invalid, 0)]);
    assert!(wrong.banned.is_empty() && !coordinator.trust().record(0).banned);
}

/// A report that is drawn counts only after a sub-job of it was done again; established is who has
/// been right about enough of them.
#[test]
fn nobody_is_established_without_spot_checks() {
    let trust = TrustPlan { established_checks: 2, spot_check_one_in: 1, ..STRANGERS };
    let game = random_game(1, 30.0);
    let mut coordinator = Coordinator::new(&game, Goal::Value, small(trust), PROJECT, 1).unwrap();
    coordinator.trust_mut().restore(5, UserRecord { checked: 0, ..KNOWN });
    assert!(!coordinator.trust().is_established(5, 9, &trust));
    let mut checked = 0;
    for _ in 0..2 {
        let unit = coordinator.step(0, &[], 1).units.remove(0).unit;
        let asked = coordinator.step(0, &[honest(&game, &unit, 5, 0)], 0);
        let [request] = &asked.rulings[..] else { panic!("{:?}", asked.rulings) };
        assert_eq!((&request.unit, &request.attempts[..]), (&unit, &[0][..]));
        assert!(request.spot.is_some() && asked.again.is_empty());
        let right = coordinator.step(0, &[Event::Ruled(unit.id, Ruling::Wrong(vec![]))], 0);
        assert_eq!((right.again.len(), right.judged.len(), right.rulings.len()), (1, 0, 0));
        // It counts once the unit is done.
        assert_eq!(coordinator.trust().record(5).checked, checked);
        assert!(!coordinator.trust().is_established(5, 9, &trust));
        let done = coordinator.step(0, &[honest(&game, &unit, 0, 1)], 0);
        checked += 1;
        let of = |user| done.judged.iter().find(|judged| judged.user == user).unwrap().checked;
        assert!(of(5) && !of(0), "the project's own machines are not checked");
        assert_eq!(coordinator.trust().record(5).checked, checked);
    }
    assert!(coordinator.trust().is_established(5, 9, &trust));
    // Where nobody is checked, nobody has to be.
    let unchecked = TrustPlan { spot_check_one_in: 0, ..trust };
    coordinator.trust_mut().restore(6, UserRecord { checked: 0, ..KNOWN });
    assert!(coordinator.trust().is_established(6, 9, &unchecked));
    assert!(!coordinator.trust().is_established(6, 9, &trust));
}

/// Whoever fails a spot check is struck before anything is believed; what cannot be checked counts
/// unchecked.
#[test]
fn spot_checks_find_who_lies_alone() {
    let trust = TrustPlan { established_checks: 1, spot_check_one_in: 1, ..STRANGERS };
    let game = random_game(1, 3.0);
    let (mut coordinator, unit) = begun(&game, trust);
    let asked = coordinator.step(0, &[told(stranger(4), lie(report(&game, &unit, 0)))], 0);
    assert_eq!((asked.rulings.len(), asked.facts.len()), (1, 0));
    let struck = coordinator.step(0, &[Event::Ruled(unit.id, Ruling::Wrong(vec![0]))], 0);
    assert_eq!((struck.banned.clone(), struck.facts.len()), (vec![4], 0));
    assert_eq!(struck.again[0].wanted, 2);
    assert_eq!(verdicts(&struck), [(4, AttemptVerdict::Invalid, 0)]);
    let asked = coordinator.step(0, &[honest(&game, &unit, 6, 1)], 0);
    assert_eq!(asked.rulings.len(), 1);
    let unknown = coordinator.step(0, &[Event::Ruled(unit.id, Ruling::Unknown)], 0);
    assert!(unknown.judged.is_empty() && unknown.banned.is_empty());
    assert_eq!((unknown.again.len(), unknown.again[0].wanted), (1, 3));
    let done = coordinator.step(0, &[honest(&game, &unit, 0, 2)], 0);
    assert!(done.judged.iter().all(|judged| !judged.checked), "{:?}", done.judged);
    assert_eq!(coordinator.trust().record(6).checked, 0);
}

/// Nobody can know beforehand what is checked, and established users are seldom.
#[test]
fn spot_checks_are_drawn() {
    let trust = TrustPlan { spot_check_one_in: 3, established_checks: 1, ..STRANGERS };
    let game = random_game(1, 30.0);
    let drawn = |record: UserRecord| {
        let mut count = 0;
        for seed in 0..1000 {
            let mut coordinator =
                Coordinator::new(&game, Goal::Value, small(trust), PROJECT, seed).unwrap();
            coordinator.trust_mut().restore(5, record);
            let unit = coordinator.step(0, &[], 1).units.remove(0).unit;
            let batch = coordinator.step(0, &[honest(&game, &unit, 5, 0)], 0);
            count += batch.rulings.len();
        }
        count
    };
    let (often, seldom) = (drawn(UserRecord::default()), drawn(KNOWN));
    assert!((280..390).contains(&often), "{often} of 1000");
    assert!((50..120).contains(&seldom), "{seldom} of 1000");
}

/// Whoever becomes established vouches for what it said before.
#[test]
fn what_waits_is_believed_once_a_voter_is_known() {
    let game = random_game(1, 3.0);
    let trust = TrustPlan { established_seconds: 1000, ..STRANGERS };
    let (mut coordinator, unit) = begun(&game, trust);
    coordinator.trust_mut().restore(5, KNOWN);
    for (attempt, user) in [(0, 5), (1, 6)] {
        let batch = coordinator.step(10, &[honest(&game, &unit, user, attempt)], 0);
        assert!(batch.facts.is_empty());
    }
    assert!(coordinator.step(999, &[], 0).facts.is_empty());
    let batch = coordinator.step(1000, &[], 0);
    assert_eq!((batch.facts.len(), batch.judged.len()), (1, 2));
}

/// A vote that is counted when its user is banned no longer is: neither for a quorum nor among those
/// who vouch.
#[test]
fn a_banned_vote_does_not_count() {
    let game = random_game(1, 3.0);
    let (mut coordinator, unit) = begun(&game, STRANGERS);
    coordinator.step(0, &[honest(&game, &unit, 5, 0)], 0);
    coordinator.trust_mut().restore(5, UserRecord { banned: true, ..KNOWN });
    coordinator.trust_mut().restore(6, KNOWN);
    let batch = coordinator.step(0, &[honest(&game, &unit, 6, 1)], 0);
    assert!(batch.facts.is_empty(), "one voice is no quorum");
    let batch = coordinator.step(0, &[honest(&game, &unit, 0, 2)], 0);
    assert_eq!((batch.facts[0].users, batch.facts[0].trusted), (2, true));
}

/// After three failures a unit is for the project's own machines.
#[test]
fn what_fails_goes_to_trusted_machines() {
    let game = random_game(1, 3.0);
    let (mut coordinator, unit) = begun(&game, STRANGERS);
    for attempt in 0..3 {
        let mut failed = report(&game, &unit, attempt);
        failed.finding = Finding::Failed(WorkFailure::Memory);
        let user = u64::from(attempt) + 5;
        let batch = coordinator.step(0, &[told(stranger(user), failed)], 0);
        let again = batch.again[0];
        assert_eq!((again.wanted, again.trusted_only), (attempt + 2, attempt == 2));
        assert_eq!(verdicts(&batch), [(user, AttemptVerdict::Failed, 0)]);
    }
}

/// A project that ends by facts of single users.
struct Answered<'g> {
    game: &'g RandomGame,
    coordinator: Coordinator<'g>,
    epoch: Epoch,
    store: MemoryStore,
}

/// One established user is believed alone here, before the audit.
const ADAPTIVE: TrustPlan = TrustPlan { adaptive: true, replicate_one_in: u32::MAX, ..STRANGERS };

impl<'g> Answered<'g> {
    fn new(game: &'g RandomGame) -> Answered<'g> {
        let mut store = MemoryStore::new(0);
        let (mut coordinator, claimed) =
            take_over(game, Goal::Value, small(ADAPTIVE), &mut store, false).unwrap();
        coordinator.trust_mut().restore(5, KNOWN);
        let mut project = Answered { game, coordinator, epoch: claimed.epoch, store };
        while *project.coordinator.standing() == ProjectStanding::Open {
            project.round(&[stranger(5)], &report);
        }
        assert_eq!(*project.coordinator.standing(), ProjectStanding::Answered);
        project
    }

    /// Everybody takes what there is, and a step follows.
    fn round(
        &mut self,
        voters: &[Voter],
        tell: &dyn Fn(&dyn SolverRules, &Unit, u32) -> UnitReport,
    ) {
        for &voter in voters {
            while let Some(lease) = self.store.lease(voter, 0, 1000).unwrap() {
                let report = tell(self.game, &lease.unit, lease.attempt);
                self.store.deliver(voter, &report.encode(), 0).unwrap();
            }
        }
        let events = self.store.events(1000).unwrap();
        let batch = self.coordinator.step(0, &events, 3);
        assert!(batch.wanted.is_empty() && batch.rulings.is_empty());
        self.store.commit(self.epoch, &batch, 0.0).unwrap();
    }

    fn audit(&mut self) -> ProofAudit {
        let answer = self.coordinator.bounds();
        ProofAudit::of(self.game, Goal::Value, answer, &mut self.store).unwrap()
    }
}

/// Facts that one user vouches for are found again by others until all have their quorum; the one
/// who was first does not confirm itself.
#[test]
fn the_audit_brings_facts_to_a_quorum() {
    for seed in 0..12 {
        let game = random_game(seed, 18.0);
        let mut project = Answered::new(&game);
        let audit = project.audit();
        let counts = audit.counts();
        assert!(audit.is_founded && counts.facts > 0, "seed {seed}");
        assert_eq!((counts.of_one, counts.of_two, counts.trusted), (counts.facts, 0, 0));
        let short: Vec<_> = audit.short(&ADAPTIVE).cloned().collect();
        assert_eq!(short.len(), counts.facts);
        project.coordinator.confirm(&short);
        for _ in 0..2 * short.len() {
            project.round(&[stranger(5)], &report);
        }
        assert_eq!(project.coordinator.confirming(), short.len(), "nobody confirms alone");
        let mut rounds = 0;
        while project.coordinator.confirming() > 0 {
            project.round(&[stranger(5), stranger(6)], &report);
            rounds += 1;
            let left = project.coordinator.confirming();
            assert!(rounds < 100, "seed {seed}: {left} are left, {:?}", project.store.log());
        }
        let audit = project.audit();
        assert_eq!(*project.coordinator.standing(), ProjectStanding::Answered);
        assert_eq!(audit.short(&ADAPTIVE).count(), 0, "seed {seed}");
        assert!(audit.is_founded && audit.counts().of_two == audit.counts().facts);
        // Where only the project's own machines are enough, nothing of that is.
        let own = TrustPlan { audited_by_own: true, ..ADAPTIVE };
        assert_eq!(audit.short(&own).count(), audit.facts.len());
    }
}

/// What is not found again stops the project, and it stays stopped.
#[test]
fn the_audit_finds_what_is_false() {
    let game = random_game(3, 18.0);
    let mut project = Answered::new(&game);
    let short = project.audit().facts;
    project.coordinator.confirm(&short);
    let own = Voter { user: 0, network: 0, trusted: true };
    // As if the first had been lies.
    let other =
        |rules: &dyn SolverRules, unit: &Unit, attempt: u32| lie(report(rules, unit, attempt));
    project.round(&[own], &other);
    project.round(&[own], &other);
    for _ in 0..3 {
        let standing = project.coordinator.standing();
        assert!(matches!(standing, ProjectStanding::Contradicted(_)), "{standing:?}");
        project.round(&[], &report);
    }
    assert!(project.store.log().iter().any(|line| line.contains("finds otherwise")));
    assert!(project.audit().contradiction.is_some());
}

/// An answer that follows from what was backed up and not from facts is no answer.
#[test]
fn a_cache_is_no_proof() {
    let game = random_game(4, 18.0);
    let mut project = Answered::new(&game);
    assert!(project.audit().is_founded);
    let mut left = project.audit().facts.len();
    assert!(left > 1);
    // Of the facts one is lost, whichever.
    let lost = project.audit().facts[Rng::new(1).below(left)].name.clone();
    project.store.strike(|fact| fact.name != lost);
    let audit = project.audit();
    left = audit.facts.len();
    assert!(!audit.is_founded && audit.contradiction.is_none(), "{left} facts are left");
}
