//! One suite for both engines.

use cluster::record::{ProjectState, WorkLimits};
use cluster::{ClusterRecord, DoorError, Handed, RecordError, Refused, Visitor, WorkDoor};
use solve::coordinator::{Batch, Event, Fact, ProjectStanding, UserRecord};
use solve::message::{Finding, Question, SolverVersion, UnitId, UnitReport, WorkFailure};
use solve::store::{Receipt, Store, StoreError};
use solve::{Bounds, SolverRules, TrustPlan};

use crate::apps::programs_are_signed_and_superseded;
use crate::driving::{only_the_driver_decides, votes_outlive_units};
use crate::generation::trees_are_stored_in_portions;
use crate::moving::{bans_stay, old_versions_are_withdrawn, projects_move, schemas_are_checked};
use crate::project::{
    GAME, Running, batch, lease, lie, name, new_project, report, row, versions, visitor,
};
use crate::server::Server;

/// Gives an empty record wherever it is asked.
pub(crate) type Fresh<'f> = &'f mut dyn FnMut() -> String;

fn open(fresh: Fresh<'_>) -> ClusterRecord {
    ClusterRecord::open(&fresh()).unwrap()
}

fn is_refused(receipt: &Receipt, why: &str) -> bool {
    matches!(receipt, Receipt::Refused(told) if told.contains(why))
}

/// Leases run out at once.
fn hasty(record: &ClusterRecord) -> ClusterRecord {
    let limits = WorkLimits { lease_seconds: 0, ..record.limits() };
    record.clone().with_limits(limits)
}

fn nodes_are_kept(fresh: Fresh<'_>) {
    let record = open(fresh);
    let mut project = Running::new(&record, "one");
    let (store, first) = (&mut project.store, project.claimed);
    let rows = vec![row(1, Some(vec![3, 1, 2])), row(2, None)];
    store.commit(first.epoch, &Batch { nodes: rows, ..batch(1) }, 1.0).unwrap();
    let changed = solve::coordinator::NodeRow { tries: 3, ..row(1, None) };
    // The same node twice in one batch: the last word counts.
    let twice = vec![row(1, None), changed.clone()];
    store.commit(first.epoch, &Batch { nodes: twice, ..batch(2) }, 2.0).unwrap();
    let known = store.nodes(&[1, 2, 3].map(name)).unwrap();
    let changed = solve::coordinator::NodeRow { order: Some(vec![3, 1, 2]), ..changed };
    assert_eq!(known, [changed, row(2, None)]);

    // Batches come in order, and only from whoever claimed last.
    let error = store.commit(first.epoch, &batch(2), 0.0).unwrap_err();
    assert!(matches!(error, StoreError::OutOfOrder { last: 2, found: 2 }), "{error}");
    let second = store.claim(false).unwrap();
    assert_eq!((second.batches, second.seconds), (2, 2.0));
    assert!(second.project.incarnation > first.project.incarnation);
    let fenced = Batch { nodes: vec![row(9, None)], ..batch(3) };
    assert!(matches!(store.commit(first.epoch, &fenced, 0.0), Err(StoreError::Fenced)));
    assert!(store.nodes(&[name(9)]).unwrap().is_empty());

    // Another project of the same record knows nothing of it.
    let mut other = Running::new(&record, "other");
    assert!(other.store.nodes(&[1, 2].map(name)).unwrap().is_empty());
    let many: Vec<_> = (0..25_000).map(|number| row(number, Some(vec![1]))).collect();
    other.store.commit(other.claimed.epoch, &Batch { nodes: many, ..batch(1) }, 0.0).unwrap();
    assert_eq!(record.status("other").unwrap().nodes, 25_000);
    assert_eq!(record.status("one").unwrap().nodes, 2);
}

fn leases_are_lent_once(fresh: Fresh<'_>) {
    let record = open(fresh);
    let mut project = Running::new(&record, "one");
    let (one, two) = (visitor(&record, "one", false, 1), visitor(&record, "two", false, 2));
    // Enough for an answer: what claims nothing would need nobody who vouches for it.
    project.coordinator.set_budget(1 << 30, 1 << 30);
    let made = project.step(1);
    let first = lease(&record, &one).unwrap();
    assert_eq!((&first.unit, first.attempt), (&made.units[0].unit, 0));
    assert_eq!(lease(&record, &two), None, "one result is wanted");
    let id = first.unit.id;
    assert_eq!(record.renew(&one, &[(id, 0), (id, 1)]).unwrap(), [true, false]);
    assert_eq!(record.renew(&two, &[(id, 0)]).unwrap(), [false], "it is not theirs");
    let other = UnitId { incarnation: 9, ..id };
    assert_eq!(record.renew(&one, &[(other, 0)]).unwrap(), [false]);
    assert_eq!(record.sweep().unwrap(), 0);
    assert_eq!(record.status("one").unwrap().units.leased, 1);

    // Given back by its owner alone; it may have it again, if there is nothing else.
    record.release(&two, id, 0).unwrap();
    assert_eq!(lease(&record, &two), None);
    record.release(&one, id, 0).unwrap();
    assert_eq!(lease(&record, &one).unwrap().attempt, 1);
    record.release(&one, id, 1).unwrap();

    // One that ran out is for others, and late.
    let late = lease(&hasty(&record), &one).unwrap();
    let second = lease(&record, &two).unwrap();
    assert_eq!((late.attempt, second.attempt), (2, 3));
    let told = report(&late.unit, late.attempt).encode();
    assert_eq!(record.deliver(&one, &told).unwrap(), Receipt::Taken);
    let heard = project.step(0);
    assert_eq!(heard.heard, [(id, 2)]);
    let told = report(&second.unit, second.attempt).encode();
    assert_eq!(record.deliver(&two, &told).unwrap(), Receipt::Taken);

    // Two strangers agree, but nobody is established: it is for a trusted machine now.
    let again = project.step(0).again;
    assert!(again[0].trusted_only && again[0].wanted == 3, "{again:?}");
    let three = visitor(&record, "three", false, 3);
    assert_eq!(lease(&record, &three), None);
    let own = visitor(&record, "own", true, 4);
    let sure = lease(&record, &own).unwrap();
    assert_eq!(sure.unit.id, id);
    record.deliver(&own, &report(&sure.unit, sure.attempt).encode()).unwrap();
    let done = project.step(0);
    assert_eq!(done.done, [id]);
    assert_eq!(record.renew(&one, &[(id, 2)]).unwrap(), [false], "nobody needs it");
    let status = record.status("one").unwrap();
    assert_eq!((status.units.done, status.units.invalid, status.users), (1, 0, 3));
    let users = record.user_rows(Some(project.row.id)).unwrap();
    let nodes = status.project.nodes;
    assert_eq!(status.credit, 3 * nodes);
    assert!(users.iter().filter(|user| user.valid == 1).all(|user| user.credit == nodes));
    // Everybody is told again after a claim, and nobody is paid twice.
    let known = project.store.users().unwrap();
    let right = |record: &UserRecord| record.valid == 1 && record.invalid == 0 && record.since > 0;
    assert!(known.len() == 3 && known.iter().all(|(_, record)| right(record)));
}

fn deliveries_are_kept_once(fresh: Fresh<'_>) {
    let record = open(fresh);
    let mut project = Running::new(&record, "one");
    let (one, two) = (visitor(&record, "one", false, 1), visitor(&record, "two", false, 2));
    project.step(3);
    let first = lease(&record, &one).unwrap();
    let honest = report(&first.unit, first.attempt);
    let deliver = |who, report: &UnitReport| record.deliver(who, &report.encode()).unwrap();
    assert_eq!(deliver(&one, &honest), Receipt::Taken);
    assert_eq!(deliver(&one, &honest), Receipt::Taken);
    let other = UnitReport { nodes: 1, ..honest.clone() };
    assert!(is_refused(&deliver(&one, &other), "came before"));
    assert!(is_refused(&deliver(&two, &honest), "somebody else's"));
    let never = UnitReport { attempt: 7, ..honest.clone() };
    assert!(is_refused(&deliver(&one, &never), "never leased"));
    for id in [
        UnitId { number: 99, ..first.unit.id },
        UnitId { incarnation: 99, ..first.unit.id },
        UnitId { project: 1, ..first.unit.id },
        UnitId { project: u32::MAX, number: u64::MAX, ..first.unit.id },
    ] {
        let gone = UnitReport { unit: id, ..honest.clone() };
        assert!(is_refused(&deliver(&one, &gone), "is gone"), "{id}");
    }
    assert!(is_refused(&record.deliver(&one, b"nothing").unwrap(), "no report"));
    let lines = record.log_lines(Some(project.row.id), 0, 100).unwrap();
    let told = |what: &str| lines.iter().filter(|line| line.line.contains(what)).count();
    assert_eq!((told("anew"), told("somebody else's"), told("never leased")), (1, 1, 1));

    // It is heard once, and again by whoever takes over; the same bytes are good for ever.
    let events = project.store.events(10).unwrap();
    assert_eq!(events.len(), 1);
    project.step(0);
    assert!(project.store.events(10).unwrap().is_empty());
    let mut heir =
        Running::claim(&record, project.row.clone(), TrustPlan { quorum: 1, ..TrustPlan::OWN });
    assert_eq!(heir.store.events(10).unwrap(), events);
    let error = project.store.commit(project.claimed.epoch, &batch(99), 0.0).unwrap_err();
    assert!(matches!(error, StoreError::Fenced), "{error}");
    let own = visitor(&record, "own", true, 9);
    let again = lease(&record, &own).unwrap();
    assert_eq!(again.unit.id, first.unit.id);
    deliver(&own, &report(&again.unit, again.attempt));
    heir.step(0);
    assert_eq!(deliver(&one, &honest), Receipt::Taken);
    assert!(is_refused(&deliver(&one, &other), "came before"));
    // A purged unit is gone.
    assert_eq!(record.purge(1000).unwrap().units, 0);
    assert_eq!(record.purge(0).unwrap().units, 1);
    assert!(is_refused(&deliver(&one, &honest), "is gone"));
    // Whoever is alone forgets what was handed out.
    heir.store.claim(true).unwrap();
    assert!(heir.store.units().unwrap().is_empty() && heir.store.events(10).unwrap().is_empty());
}

/// A whole project with one who lies: the value is right, and the liar is not paid.
fn a_project_is_solved(fresh: Fresh<'_>) {
    let record = open(fresh);
    let row = record.create_project(&new_project("one")).unwrap();
    let trust =
        TrustPlan { established_results: 2, established_seconds: 0, ..TrustPlan::STRANGERS };
    let mut project = Running::claim(&record, row, trust);
    let workers = [
        (visitor(&record, "own", true, 1), false),
        (visitor(&record, "honest", false, 2), false),
        (visitor(&record, "fair", false, 3), false),
        (visitor(&record, "liar", false, 4), true),
    ];
    let (mut turn, mut steps) = (0, 0);
    while *project.coordinator.standing() == ProjectStanding::Open {
        let ready = record.status("one").unwrap().units.ready;
        project.step(4_usize.saturating_sub(ready as usize));
        for _ in 0..4 {
            turn += 1;
            let (who, lies) = &workers[turn % workers.len()];
            let Some(lease) = lease(&record, who) else { continue };
            let told = if *lies { lie } else { report }(&lease.unit, lease.attempt);
            assert_eq!(record.deliver(who, &told.encode()).unwrap(), Receipt::Taken);
        }
        steps += 1;
        if steps % 40 == 0 {
            // Another takes over, and knows all that was found out.
            let before = project.coordinator.bounds();
            project = Running::claim(&record, project.row, trust);
            assert_eq!(project.coordinator.bounds(), before);
        }
        assert!(steps < 1000, "it does not end: {:?}", record.status("one").unwrap());
    }
    assert_eq!(project.coordinator.bounds().exact(), GAME.truth(&GAME.root()));
    let status = record.status("one").unwrap();
    assert_eq!(status.project.bounds, Some(project.coordinator.bounds()));
    assert!(status.facts > 0 && status.units.invalid > 0, "{status:?}");
    let users = record.user_rows(None).unwrap();
    let liar = users.iter().find(|user| user.name == "liar").unwrap();
    assert_eq!((liar.valid, liar.credit), (0, 0), "{liar:?}");
}

fn fact(number: u32, at_least: i32, proved: bool, unit: UnitId) -> Fact {
    let question = Question { at_least, prover: game::Side::First };
    Fact { name: name(number), question, proved, unit, users: 1, trusted: false }
}

/// Bounds are a cache: facts are merged into them, and are enough by themselves.
fn facts_are_the_truth(fresh: Fresh<'_>) {
    let record = open(fresh);
    let mut project = Running::new(&record, "one");
    let (store, epoch) = (&mut project.store, project.claimed.epoch);
    let unit = UnitId { project: project.row.id, incarnation: 1, number: 0 };
    let facts = vec![
        fact(1, 2, true, unit),
        fact(1, 5, false, unit),
        fact(2, 1, true, unit),
        fact(2, 1, true, unit),
        fact(2, 0, true, unit),
    ];
    let nodes = vec![row(1, Some(vec![1, 0]))];
    store.commit(epoch, &Batch { nodes, facts, ..batch(1) }, 0.0).unwrap();
    let known = store.nodes(&[1, 2, 3].map(name)).unwrap();
    let bounds: Vec<_> = known.iter().map(|row| (row.bounds, row.order.is_some())).collect();
    let of = |lower, upper| Bounds { lower, upper };
    assert_eq!(bounds, [(of(2, 2), true), (of(1, i32::MAX), false)]);
    assert_eq!(record.status("one").unwrap().facts, 4);
}

/// What somebody said is taken back, and what follows from it.
fn users_are_revoked(fresh: Fresh<'_>) {
    let record = open(fresh);
    let row = record.create_project(&new_project("one")).unwrap();
    let trust = TrustPlan {
        established_results: 1,
        established_seconds: 0,
        established_checks: 0,
        ..TrustPlan::STRANGERS
    };
    let mut project = Running::claim(&record, row, trust);
    let own = visitor(&record, "own", true, 9);
    let names = ["a", "b", "c"];
    let strangers = [1, 2, 3].map(|n| visitor(&record, names[n - 1], false, n as u8));
    // Everybody becomes established by a unit that a trusted machine vouches for.
    let mut facts_of = std::collections::BTreeMap::new();
    for turn in 0..400 {
        let ready = record.status("one").unwrap().units.ready;
        let batch = project.step(2_usize.saturating_sub(ready as usize));
        for fact in batch.facts {
            facts_of.entry(fact.unit.number).or_insert_with(Vec::new).push(fact);
        }
        let is_established = |who: &Visitor| project.coordinator.trust().record(who.user).valid > 0;
        let is_begun = strangers.iter().all(is_established);
        let who = if is_begun { &strangers[turn % 3] } else { &own };
        if let Some(lease) = lease(&record, &strangers[turn % 3]) {
            record
                .deliver(&strangers[turn % 3], &report(&lease.unit, lease.attempt).encode())
                .unwrap();
        }
        if let Some(lease) = lease(&record, who) {
            record.deliver(who, &report(&lease.unit, lease.attempt).encode()).unwrap();
        }
        if *project.coordinator.standing() != ProjectStanding::Open {
            break;
        }
    }
    let before = record.status("one").unwrap();
    let token = record.create_token("a", false).unwrap();
    let deleted = record.revoke_user("a").unwrap();
    let after = record.status("one").unwrap();
    assert!(deleted > 0 && after.facts == before.facts - deleted, "{deleted}, {before:?}");
    assert!(after.facts > 0, "what others vouch for stays");
    let told = record.admit(token.reveal(), [10, 0, 1, 7].into(), "a-host");
    assert!(matches!(told, Err(DoorError::UnknownToken)));
    assert!(matches!(record.create_token("a", false), Err(RecordError::Revoked(_))));
    // The coordinator is fenced off, and the next one knows facts alone.
    let error = project.store.commit(project.claimed.epoch, &batch(9999), 0.0).unwrap_err();
    assert!(matches!(error, StoreError::Fenced), "{error}");
    let mut heir = Running::claim(&record, project.row, trust);
    let known = heir.store.users().unwrap();
    assert!(known.iter().any(|(user, known)| *user == strangers[0].user && known.banned));
    let all: Vec<_> = facts_of.values().flatten().collect();
    let names: Vec<_> = all.iter().map(|fact| fact.name.clone()).collect();
    for row in heir.store.nodes(&names).unwrap() {
        let said = |bound: Bounds, fact: &&&Fact| {
            fact.name == row.name && bound.answer(fact.question.at_least) == Some(fact.proved)
        };
        let wide = Bounds { lower: i32::MIN, upper: i32::MAX };
        let is_told = row.bounds == wide || all.iter().any(|fact| said(row.bounds, &fact));
        assert!(is_told, "{row:?}");
    }
    // What remains is true, and the project comes to its end.
    for _ in 0..2000 {
        if *heir.coordinator.standing() != ProjectStanding::Open {
            break;
        }
        let ready = record.status("one").unwrap().units.ready;
        heir.step(2_usize.saturating_sub(ready as usize));
        while let Some(lease) = lease(&record, &own) {
            record.deliver(&own, &report(&lease.unit, lease.attempt).encode()).unwrap();
        }
    }
    assert_eq!(heir.coordinator.bounds().exact(), GAME.truth(&GAME.root()));
}

fn work_is_shared_out(fresh: Fresh<'_>) {
    let record = open(fresh);
    let mut projects = ["one", "three"].map(|name| Running::new(&record, name));
    record.set_share(projects[1].row.id, 3).unwrap();
    for project in &mut projects {
        // The tree has few nodes yet, so copies with other numbers do.
        let mut made = project.coordinator.step(0, &[], 1);
        let unit = made.units[0].clone();
        for number in 1..300 {
            let mut new = unit.clone();
            new.unit.id.number = number;
            made.units.push(new);
        }
        project.store.commit(project.claimed.epoch, &made, 0.0).unwrap();
    }
    let own = visitor(&record, "own", true, 1);
    let wide = record.clone().with_limits(WorkLimits { in_progress: 10_000, ..record.limits() });
    let second = (0..200)
        .filter(|_| lease(&wide, &own).unwrap().unit.id.project == projects[1].row.id)
        .count();
    assert!((120..=180).contains(&second), "{second} of 200 for a share of three quarters");

    // Who may have how much.
    assert!(matches!(
        record.lease(&own, &versions(), 1024).unwrap(),
        Handed::Refused(Refused::TooMany(64))
    ));
    let limits = WorkLimits { daily: 4, ..record.limits() };
    let strict = record.clone().with_limits(limits);
    let one = visitor(&strict, "one", false, 2);
    let small = strict.lease(&one, &versions(), 0).unwrap();
    assert_eq!(small, Handed::Refused(Refused::Memory(1)));
    assert_eq!(record.hungry(60).unwrap(), 0, "nothing that is made helps it");
    let set = |state| projects.iter().for_each(|p| record.set_state(p.row.id, state).unwrap());
    set(ProjectState::Paused);
    assert_eq!(strict.lease(&one, &versions(), 1024).unwrap(), Handed::Later(10));
    assert_eq!(record.hungry(60).unwrap(), 1, "it asked in vain");
    set(ProjectState::Running);
    let other = strict.lease(&one, &[("test".to_owned(), SolverVersion(5))], 1024).unwrap();
    assert_eq!(other, Handed::Refused(Refused::OtherVersion(versions())));
    let unknown = strict.lease(&one, &[], 1024).unwrap();
    assert_eq!(unknown, Handed::Refused(Refused::OtherVersion(versions())));
    let first = lease(&strict, &one).unwrap();
    assert_eq!(record.hungry(60).unwrap(), 0);
    let failed =
        UnitReport { finding: Finding::Failed(WorkFailure::Fault), ..report(&first.unit, 0) };
    strict.deliver(&one, &failed.encode()).unwrap();
    lease(&strict, &one).unwrap();
    let quota = strict.lease(&one, &versions(), 1024).unwrap();
    assert_eq!(quota, Handed::Refused(Refused::Quota(2)), "an error halves it");
    let host = record.host_rows().unwrap().into_iter().find(|host| host.user == "one").unwrap();
    assert_eq!((host.errors, host.quota, host.live), (1, 2, 1));

    // A project that is paused gives nothing, nor one that has ended.
    for project in &projects {
        record.set_state(project.row.id, ProjectState::Paused).unwrap();
    }
    let two = visitor(&record, "two", false, 3);
    assert_eq!(lease(&record, &two), None);
    record.set_state(projects[0].row.id, ProjectState::Auditing).unwrap();
    assert_eq!(lease(&record, &two).unwrap().unit.id.project, projects[0].row.id);
    record.set_state(projects[0].row.id, ProjectState::Cancelled).unwrap();
    record.set_state(projects[1].row.id, ProjectState::Solved).unwrap();
    let over = record.lease(&two, &versions(), 1024).unwrap();
    assert_eq!(over, Handed::Refused(Refused::Over));
}

/// Doors in several threads while a coordinator commits: each unit is lent once, and every delivery
/// that was acknowledged is heard.
fn threads_do_not_collide(fresh: Fresh<'_>) {
    let record = open(fresh);
    let mut project = Running::new(&record, "one");
    let mut made = project.coordinator.step(0, &[], 1);
    let unit = made.units[0].clone();
    for number in 1..120 {
        let mut new = unit.clone();
        new.unit.id.number = number;
        made.units.push(new);
    }
    project.store.commit(project.claimed.epoch, &made, 0.0).unwrap();
    let honest = report(&unit.unit, 0);
    let taken = std::sync::Mutex::new(Vec::new());
    let mut heard = std::collections::BTreeSet::new();
    std::thread::scope(|scope| {
        let (record, honest, taken) = (&record, &honest, &taken);
        for thread in 0..6_u8 {
            let user = format!("user-{}", thread / 2);
            let who = visitor(record, &user, thread < 2, thread);
            scope.spawn(move || {
                while let Some(lease) = lease(record, &who) {
                    let mut told = UnitReport { attempt: lease.attempt, ..honest.clone() };
                    (told.unit, told.unit_hash) = (lease.unit.id, lease.unit.hash());
                    let receipt = record.deliver(&who, &told.encode()).unwrap();
                    assert_eq!(receipt, Receipt::Taken);
                    taken.lock().unwrap().push((lease.unit.id, lease.attempt));
                }
            });
        }
        // Meanwhile everything that is delivered is heard once, by its state.
        for number in made.number + 1..10_000 {
            let events = project.store.events(7).unwrap();
            let keys = events.iter().filter_map(|event| match event {
                Event::Delivered(_, report) => Some((report.unit, report.attempt)),
                Event::Known(_) | Event::Checked(..) | Event::Ruled(..) => None,
            });
            let keys: Vec<_> = keys.collect();
            assert!(keys.iter().all(|key| heard.insert(*key)), "heard twice");
            let done = keys.iter().map(|key| key.0).collect();
            let step = Batch { heard: keys, done, next_number: 120, ..batch(number) };
            project.store.commit(project.claimed.epoch, &step, 0.0).unwrap();
            record.sweep().unwrap();
            if heard.len() == 120 {
                break;
            }
        }
    });
    let taken: std::collections::BTreeSet<_> = taken.into_inner().unwrap().into_iter().collect();
    assert_eq!(taken, heard);
    assert!(heard.len() == 120 && heard.iter().all(|(_, attempt)| *attempt == 0));
}

/// Units that fail are shown with the reason; tokens, teams, lemmas.
fn people_and_lemmas(fresh: Fresh<'_>) {
    let record = open(fresh);
    let mut project = Running::new(&record, "one");
    project.step(1);
    for user in ["a", "b", "c"] {
        let who = visitor(&record, user, false, user.as_bytes()[0]);
        let lease = lease(&record, &who).unwrap();
        let finding = Finding::Failed(WorkFailure::Memory);
        let failed = UnitReport { finding, ..report(&lease.unit, lease.attempt) };
        record.deliver(&who, &failed.encode()).unwrap();
        // Told once, by whoever it happened to; nothing breaks the record or fills it.
        let (unit, attempt) = (lease.unit.id, lease.attempt);
        record
            .explain(&Visitor { user: who.user + 1, ..who.clone() }, unit, attempt, "no")
            .unwrap();
        let error = format!("{user}: out of\0 memory\u{1b}[2J\n{}", "ä".repeat(5000));
        record.explain(&who, unit, attempt, &error).unwrap();
        record.explain(&who, unit, attempt, "anew").unwrap();
        record.explain(&who, unit, 99, "never leased").unwrap();
        project.step(0);
    }
    let poison = record.unit_rows(project.row.id, 0, 10, true).unwrap();
    assert_eq!(poison.len(), 1);
    let failures = &poison[0].failures;
    assert_eq!(failures.len(), 3);
    for (failed, user) in failures.iter().zip(["a", "b", "c"]) {
        assert_eq!((&*failed.failure, &*failed.user), ("Memory", user));
        assert_eq!(failed.host.as_deref(), Some("a-host"));
        let error = failed.error.as_deref().unwrap();
        assert!(
            error.starts_with(&format!("{user}: out of\u{fffd} memory\u{1b}[2J\nä")),
            "{error}"
        );
        assert!(error.len() <= 4000, "{}", error.len());
    }
    assert!(poison[0].trusted_only && poison[0].open);
    assert_eq!(record.status("one").unwrap().units.poison, 1);
    // The next coordinator does not know of failures, and the unit is handed out all the same.
    let mut project = Running::claim(&record, project.row, TrustPlan::STRANGERS);
    project.step(0);
    assert_eq!(record.status("one").unwrap().units.ready, 1);

    record.set_team("a", "greens").unwrap();
    assert!(matches!(record.set_team("z", "greens"), Err(RecordError::NoUser(_))));
    let users = record.user_rows(None).unwrap();
    let a = users.iter().find(|user| user.name == "a").unwrap();
    assert_eq!((a.team.as_deref(), a.failed), (Some("greens"), 1));
    let teams = record.team_rows(None).unwrap();
    assert_eq!((teams.len(), &*teams[0].name, teams[0].users), (1, "greens", 1));
    let token = record.create_token("own", true).unwrap();
    assert!(!format!("{token:?}").contains(token.reveal()) && token.reveal().len() == 64);
    assert!(matches!(record.create_token("own", false), Err(RecordError::OtherTrust(..))));
    assert!(matches!(record.create_token("a b", false), Err(RecordError::BadName(_))));
    let own = record.admit(token.reveal(), [10, 0, 0, 1].into(), "host").unwrap();
    assert!(own.trusted);
    let same = record.admit(token.reveal(), [10, 0, 0, 99].into(), "host").unwrap();
    assert_eq!((same.host, same.network), (own.host, own.network));
    let far = record.admit(token.reveal(), [10, 0, 1, 1].into(), "other").unwrap();
    assert!(far.host != own.host && far.network != own.network);

    let lease = lease(&record, &own).unwrap();
    let (unit, attempt) = (lease.unit.id, lease.attempt);
    assert_eq!(record.keep_lemma(&own, unit, attempt, b"lemma").unwrap(), Receipt::Taken);
    assert_eq!(record.keep_lemma(&own, unit, attempt, b"lemma").unwrap(), Receipt::Taken);
    let refused = record.keep_lemma(&own, unit, attempt + 1, b"lemma").unwrap();
    assert!(is_refused(&refused, "not leased to you"));
    let large = vec![0; record.limits().lemma_bytes + 1];
    assert!(is_refused(&record.keep_lemma(&own, unit, attempt, &large).unwrap(), "at most"));
    let lemmas = record.lemma_rows(project.row.id).unwrap();
    assert!(lemmas.len() == 1 && lemmas[0].pending && lemmas[0].size == 5);
    let bytes = record.lemma_bytes(project.row.id, &lemmas[0].hash).unwrap();
    assert_eq!(bytes.as_deref(), Some(&b"lemma"[..]));

    assert!(record.revoke_token(token.reveal()).unwrap());
    assert!(!record.revoke_token(token.reveal()).unwrap());
    let told = record.admit(token.reveal(), [10, 0, 0, 1].into(), "host");
    assert!(matches!(told, Err(DoorError::UnknownToken)));
    let error = record.create_project(&new_project("one")).unwrap_err();
    assert!(matches!(error, RecordError::ProjectExists(_)), "{error}");
}

fn suite(fresh: Fresh<'_>) {
    nodes_are_kept(fresh);
    leases_are_lent_once(fresh);
    deliveries_are_kept_once(fresh);
    a_project_is_solved(fresh);
    facts_are_the_truth(fresh);
    users_are_revoked(fresh);
    work_is_shared_out(fresh);
    threads_do_not_collide(fresh);
    people_and_lemmas(fresh);
    trees_are_stored_in_portions(fresh);
    bans_stay(fresh);
    old_versions_are_withdrawn(fresh);
    schemas_are_checked(fresh);
    programs_are_signed_and_superseded(fresh);
    only_the_driver_decides(&open(fresh));
    votes_outlive_units(&open(fresh));
    let (from, to) = (open(fresh), open(fresh));
    projects_move(&from, &to);
}

#[test]
fn sqlite_keeps_its_promises() {
    let folder = tempfile::tempdir().unwrap();
    let mut next = 0;
    suite(&mut || {
        next += 1;
        folder.path().join(format!("{next}.db")).to_str().unwrap().to_owned()
    });
}

#[test]
fn postgresql_keeps_its_promises() {
    let Some(server) = Server::start() else { return };
    let mut next = 0;
    let mut fresh = || {
        next += 1;
        server.database(&format!("d{next}"))
    };
    suite(&mut fresh);
    crate::random::interleavings(&fresh(), 150);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("moved.db");
    let sqlite = ClusterRecord::open(file.to_str().unwrap()).unwrap();
    projects_move(&open(&mut fresh), &sqlite);
    let other = folder.path().join("back.db");
    let sqlite = ClusterRecord::open(other.to_str().unwrap()).unwrap();
    projects_move(&sqlite, &open(&mut fresh));
    // A server that may forget is refused.
    let url = fresh();
    server.restart_with("fsync = off");
    let error = ClusterRecord::open(&url).unwrap_err();
    assert!(matches!(error, RecordError::FsyncOff), "{error}");
}

#[test]
fn other_files_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("text");
    std::fs::write(&text, "something else, and long enough to be looked at").unwrap();
    let other = folder.path().join("other.db");
    let made = rusqlite::Connection::open(&other).unwrap();
    made.execute_batch("CREATE TABLE t (a)").unwrap();
    for file in [text, other] {
        let before = std::fs::read(&file).unwrap();
        let error = ClusterRecord::open(file.to_str().unwrap()).unwrap_err();
        assert!(matches!(error, RecordError::Foreign(_)), "{error}");
        assert_eq!(std::fs::read(&file).unwrap(), before);
    }
}

/// Flips every bit of a node and of a fact on the disk: none of them becomes another fact.
#[test]
fn damaged_rows_are_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("record.db");
    let record = ClusterRecord::open(file.to_str().unwrap()).unwrap();
    let mut project = Running::new(&record, "one");
    let (store, epoch) = (&mut project.store, project.claimed.epoch);
    let unit = UnitId { project: project.row.id, incarnation: 1, number: 5 };
    let (nodes, facts) = (vec![row(1, Some(vec![2, 0, 1]))], vec![fact(2, 3, true, unit)]);
    store.commit(epoch, &Batch { nodes, facts, ..batch(1) }, 0.0).unwrap();
    let disk = rusqlite::Connection::open(&file).unwrap();
    let mut flipped = 0;
    for column in ["state", "moves"] {
        let read = format!("SELECT {column} FROM nodes");
        let write = format!("UPDATE nodes SET {column} = ?1");
        let whole: Vec<u8> = disk.query_row(&read, [], |row| row.get(0)).unwrap();
        for bit in 0..whole.len() * 8 {
            let mut damaged = whole.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            disk.execute(&write, [&damaged]).unwrap();
            assert!(store.nodes(&[name(1)]).unwrap().is_empty(), "bit {bit} of {column}");
            flipped += 1;
            assert_eq!(store.damaged(), flipped);
        }
        disk.execute(&write, [&whole]).unwrap();
    }
    assert_eq!(store.nodes(&[1, 2].map(name)).unwrap().len(), 2);
    for (column, bits) in [("at_least", 20), ("unit", 40), ("holds", 1)] {
        for bit in 0..bits {
            let flip = format!(
                "UPDATE facts SET {column} = ({column} | (1 << {bit})) - ({column} & (1 << {bit}))"
            );
            disk.execute_batch(&flip).unwrap();
            assert!(store.nodes(&[name(2)]).unwrap().is_empty(), "bit {bit} of {column}");
            disk.execute_batch(&flip).unwrap();
        }
    }
    assert_eq!(store.nodes(&[1, 2].map(name)).unwrap().len(), 2);
}
