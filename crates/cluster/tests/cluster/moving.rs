//! Records that are opened again, and projects that move from one to another.

use cluster::{ClusterRecord, Handed, RecordError, Refused, WorkDoor};
use solve::coordinator::Batch;
use solve::message::SolverVersion;
use solve::store::{Receipt, Store};
use solve::{Plan, TrustPlan};

use crate::project::{Running, batch, lease, plan, report, versions, visitor};
use crate::suite::Fresh;

/// A record opens again, for several at once, and not for an old program.
pub(crate) fn schemas_are_checked(fresh: Fresh<'_>) {
    let place = fresh();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| ClusterRecord::open(&place).unwrap());
        }
    });
    let record = ClusterRecord::open(&place).unwrap();
    Running::new(&record, "one");
    let newer = "INSERT INTO zermelo_schema (version) VALUES (999)";
    match place.starts_with("postgres") {
        true => {
            let mut client = postgres::Client::connect(&place, postgres::NoTls).unwrap();
            client.batch_execute(newer).unwrap();
        }
        false => rusqlite::Connection::open(&place).unwrap().execute_batch(newer).unwrap(),
    }
    let error = ClusterRecord::open(&place).unwrap_err();
    assert!(matches!(error, RecordError::NewerSchema { found: 999, .. }), "{error}");
}

/// A ban is known to whoever takes over, also of somebody who never was right.
pub(crate) fn bans_stay(fresh: Fresh<'_>) {
    let record = ClusterRecord::open(&fresh()).unwrap();
    let mut project = Running::new(&record, "one");
    let (liar, honest) = (visitor(&record, "liar", false, 1), visitor(&record, "b", false, 2));
    let banned = Batch { banned: vec![liar.user, liar.user], ..batch(1) };
    project.store.commit(project.claimed.epoch, &banned, 0.0).unwrap();
    let mut heir = Running::claim(&record, project.row, TrustPlan::STRANGERS);
    let is_banned = |user| heir.coordinator.trust().record(user).banned;
    assert!(is_banned(liar.user) && !is_banned(honest.user));
    // Nobody works for nothing: there is work of other projects alone.
    heir.step(1);
    let asked = || record.lease(&liar, &versions(), 1024).unwrap();
    assert_eq!(asked(), Handed::Refused(Refused::Banned));
    let mut other = Running::new(&record, "two");
    assert_eq!(asked(), Handed::Later(10));
    other.step(1);
    assert_eq!(lease(&record, &liar).unwrap().unit.id.project, other.row.id);
    assert!(lease(&record, &honest).is_some());
}

/// Whoever takes over with another solver makes units anew: nobody may be left for the old ones.
pub(crate) fn old_versions_are_withdrawn(fresh: Fresh<'_>) {
    let record = ClusterRecord::open(&fresh()).unwrap();
    let mut project = Running::new(&record, "one");
    let own = visitor(&record, "own", true, 1);
    let old = project.step(1).units.remove(0).unit;
    let leased = lease(&record, &own).unwrap();
    let newer = Plan { solver: SolverVersion(77), ..plan(TrustPlan::STRANGERS) };
    let mut heir = Running::claim_as(&record, project.row, newer);
    assert_eq!(heir.step(0).withdrawn, [old.id]);
    assert_eq!(record.renew(&own, &[(old.id, 0)]).unwrap(), [false]);
    let made = heir.step(1).units.remove(0).unit;
    assert_eq!((made.node, made.solver), (old.node.clone(), SolverVersion(77)));
    // What was found out meanwhile is true all the same.
    let told = report(&leased.unit, leased.attempt).encode();
    assert_eq!(record.deliver(&own, &told).unwrap(), Receipt::Taken);
    assert_eq!(heir.step(0).done, [old.id]);
}

/// A project with something in every table moves on and is the same there.
pub(crate) fn projects_move(from: &ClusterRecord, to: &ClusterRecord) {
    let mut project = Running::new(from, "moves");
    let own = visitor(from, "mover", true, 1);
    while from.status("moves").unwrap().units.ready < 3 {
        project.step(3);
        let first = lease(from, &own).unwrap();
        from.deliver(&own, &report(&first.unit, first.attempt).encode()).unwrap();
        project.step(4);
    }
    let leases: Vec<_> = (0..3).map(|_| lease(from, &own).unwrap()).collect();
    from.keep_lemma(&own, leases[2].unit.id, leases[2].attempt, b"lemma").unwrap();
    from.deliver(&own, &report(&leases[0].unit, leases[0].attempt).encode()).unwrap();
    project.step(2);
    let unread = report(&leases[1].unit, leases[1].attempt);
    from.deliver(&own, &unread.encode()).unwrap();
    let mut bytes = Vec::new();
    let exported = from.export("moves", &mut bytes).unwrap();

    // Half of it, or something else, is nothing.
    for cut in [0, 4, bytes.len() / 2, bytes.len() - 1] {
        assert!(to.import(None, &mut &bytes[..cut]).is_err());
    }
    for at in (0..bytes.len()).step_by(bytes.len() / 50) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        assert!(to.import(None, &mut &damaged[..]).is_err(), "byte {at}");
    }
    assert!(to.project("moves").unwrap().is_none());
    assert_eq!(to.import(None, &mut &bytes[..]).unwrap(), exported);
    assert!(matches!(to.import(None, &mut &bytes[..]), Err(RecordError::ProjectExists(_))));

    let (before, after) = (from.status("moves").unwrap(), to.status("moves").unwrap());
    assert_eq!((before.units, before.facts, before.nodes), (after.units, after.facts, after.nodes));
    assert_eq!((before.credit, before.project.id), (after.credit, after.project.id));
    assert!(after.project.incarnation > before.project.incarnation);
    // What was acknowledged and not read is read there, by whoever takes over.
    let mut heir = Running::claim(to, after.project, TrustPlan::STRANGERS);
    let events = heir.store.events(10).unwrap();
    assert_eq!(events.len(), 1);
    // Who worked there works here, with the same token.
    let users = to.user_rows(None).unwrap();
    let there = users.iter().find(|user| user.name == "mover").unwrap().id;
    let mover = cluster::Visitor { user: there, ..own };
    let third = report(&leases[2].unit, leases[2].attempt);
    assert_eq!(to.deliver(&mover, &third.encode()).unwrap(), Receipt::Taken);
    heir.step(0);
    assert!(to.status("moves").unwrap().units.done >= 3);
}

/// Several programs that find no file make one, and only one.
#[test]
fn sqlite_opens_for_many_at_once() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..40 {
        let place = folder.path().join(format!("{round}.db"));
        let place = place.to_str().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| ClusterRecord::open(place).unwrap());
            }
        });
    }
}
