//! Lemmas as units: what an answer rests on is proved by workers, checked, and bound together.

use std::collections::HashMap;

use certificate::{
    BundleLimits, Certificate, Claim, LemmaHash, VerifyOptions, VerifyProgress, verify,
};
use game::{Game, Spec};
use games::reversi;
use play::Stop;
use search::Table;
use solve::coordinator::{Certification, Event, ProjectStanding, Voter};
use solve::message::{Finding, Unit, UnitTask};
use solve::store::{Door, MemoryStore, Store};
use solve::{
    Goal, LemmaPlan, LemmaRefusal, Method, NearRoot, NodeName, Plan, Problem, SolverRules,
    check_lemmas, take_over, work_through,
};

use crate::certificates::Files;
use crate::circles::plan;
use crate::games::problem;

type Rules = Problem<reversi::Reversi, reversi::ReversiEvaluation>;

const PLAN: LemmaPlan = LemmaPlan { leaf_budget: 5, most_nodes: 30 };

fn rules() -> Rules {
    let spec = Spec::parse("reversi:4x4").unwrap();
    let game = reversi::Reversi::new(reversi::Parameters::from_spec(&spec).unwrap());
    problem(&game, &game.start(), &reversi::ReversiEvaluation::default())
}

fn checked(
    rules: &Rules,
    unit: &Unit,
    lemmas: &[LemmaHash],
    files: &Files,
) -> Result<(), LemmaRefusal> {
    let check = |certificate: &Certificate<'_>,
                 options: &VerifyOptions<'_>,
                 progress: &mut dyn FnMut(&VerifyProgress)| {
        verify(&rules.game, certificate, options, progress)
    };
    check_lemmas(rules, &check, unit, lemmas, files, &BundleLimits::default(), &())
}

/// What somebody makes of honest lemmas, and the files it hands in.
type Forge = dyn Fn(&Unit, &mut Vec<LemmaHash>, &mut HashMap<LemmaHash, Vec<u8>>);

/// Solves with units that make lemmas; every `claims_after`th step another coordinator takes over.
/// Gives the bundle, and how many attempts were refused.
fn certified(rules: &Rules, forge: &Forge, claims_after: usize) -> (Files, Vec<u8>, usize) {
    let plan = Plan {
        budget: 40,
        slice: 40,
        memory: 4 << 10,
        lemmas: Some(PLAN),
        ..plan(Method::AlphaBeta)
    };
    let mut store = MemoryStore::new(1);
    let mut claimed = take_over(rules, Goal::Value, plan, &mut store, false).unwrap();
    let (mut files, mut refused, mut events) = (Files::default(), 0, Vec::new());
    let users = [0, 1].map(|user| Voter { user, network: user, trusted: user == 0 });
    for step in 1.. {
        if step % claims_after == 0 {
            claimed = take_over(rules, Goal::Value, plan, &mut store, false).unwrap();
            events.clear();
        }
        let (coordinator, claim) = &mut claimed;
        if coordinator.certification() == Certification::Complete {
            break;
        }
        assert!(step < 3000, "{coordinator:?}");
        assert!(!matches!(coordinator.standing(), ProjectStanding::Contradicted(_)));
        events.extend(store.events(100).unwrap());
        let batch = coordinator.step(0, &events, 2);
        store.commit(claim.epoch, &batch, 0.0).unwrap();
        events.clear();
        if !batch.wanted.is_empty() {
            events.push(Event::Known(store.nodes(&batch.wanted).unwrap()));
        }
        for check in batch.checks {
            let found = checked(rules, &check.unit, &check.lemmas, &files);
            refused += usize::from(found.is_err());
            let found = found.map_err(|why| why.to_string());
            events.push(Event::Checked(check.unit.id, check.attempt, found));
        }
        let who = users[step % 2];
        let Some(lease) = store.lease(who, 0, 1000).unwrap() else { continue };
        let worked = work_through(rules, &lease.unit).unwrap();
        let mut made: HashMap<LemmaHash, Vec<u8>> =
            worked.lemmas.iter().map(|lemma| (lemma.hash, lemma.bytes.clone())).collect();
        let mut report = worked.report(&lease.unit, lease.attempt);
        if let Finding::Certified(lemmas) = &mut report.finding
            && !who.trusted
        {
            forge(&lease.unit, lemmas, &mut made);
        }
        files.0.extend(made);
        store.deliver(who, &report.encode(), 0).unwrap();
    }
    let (coordinator, _) = &claimed;
    let tree = coordinator.tree();
    let nodes: HashMap<&[u8], _> = coordinator
        .proof_nodes()
        .into_iter()
        .map(|node| (tree.name(node), tree.bounds(node)))
        .collect();
    let near = NearRoot {
        known: &|name: &NodeName| nodes.get(name.as_bytes()).copied(),
        lemmas: &|name: &NodeName, claim: Claim| {
            let (at_least, holds) = match claim {
                Claim::AtLeast(margin) => (margin, true),
                Claim::AtMost(margin) => (margin + 1, false),
            };
            Some((coordinator.lemma(name, at_least, holds)?, claim))
        },
    };
    let answer = (Goal::Value, coordinator.bounds());
    let (table, stop) = (Table::new(4), Stop::new());
    let certifier = rules.certifier().unwrap();
    let (more, root) = certifier.root(answer, near, PLAN, &table, &stop, &mut |_| {}).unwrap();
    files.0.extend(more.into_iter().map(|lemma| (lemma.hash, lemma.bytes)));
    (files, root, refused)
}

#[test]
fn workers_prove_what_the_answer_rests_on() {
    let rules = rules();
    for claims_after in [usize::MAX, 7] {
        let (files, root, refused) = certified(&rules, &|_, _, _| {}, claims_after);
        let verdict = files.judge(&rules.game, &root);
        assert_eq!(verdict.claims, [Claim::AtLeast(-10), Claim::AtMost(-10)]);
        assert!(verdict.lemmas > 10 && refused == 0, "{verdict}, {refused}");
    }
}

/// Whatever somebody hands in, only proofs count.
#[test]
fn forged_lemmas_are_refused() {
    let rules = rules();
    let empty: &Forge = &|_, lemmas, _| lemmas.clear();
    let missing: &Forge = &|_, _, files| files.clear();
    let changed: &Forge = &|_, lemmas, files| {
        let last = lemmas.last().unwrap();
        let file = files.get_mut(last).unwrap();
        *file.last_mut().unwrap() ^= 1;
    };
    // A proof of something else, as good as it may be.
    let other: &Forge = &|unit, lemmas, files| {
        let rules = self::rules();
        let UnitTask::Certify { holds, leaf_budget, most_nodes } = unit.task else { return };
        let node = rules.children(&unit.node, &[]).unwrap()[0].sight.name.clone();
        let task = UnitTask::Certify { holds, leaf_budget, most_nodes };
        let worked = work_through(&rules, &Unit { node, task, ..unit.clone() }).unwrap();
        *lemmas = worked.lemmas.iter().map(|lemma| lemma.hash).collect();
        files.extend(worked.lemmas.into_iter().map(|lemma| (lemma.hash, lemma.bytes)));
    };
    // A false hash for a right file.
    let renamed: &Forge = &|_, lemmas, files| {
        let (last, fake) = (*lemmas.last().unwrap(), LemmaHash([7; 32]));
        let file = files[&last].clone();
        files.insert(fake, file);
        *lemmas.last_mut().unwrap() = fake;
    };
    for (nth, forge) in [empty, missing, changed, other, renamed].into_iter().enumerate() {
        let (files, root, refused) = certified(&rules, forge, usize::MAX);
        // Lemmas without a name are not even looked at.
        assert!(refused > 0 || nth == 0, "{nth}");
        let verdict = files.judge(&rules.game, &root);
        assert_eq!(verdict.claims, [Claim::AtLeast(-10), Claim::AtMost(-10)], "{nth}");
    }
}

/// A claim that is not true gets no lemma.
#[test]
fn what_is_not_true_is_not_proved() {
    let rules = rules();
    let unit = crate::units::unit(&rules, 0, 1 << 40, 1 << 40);
    let task = UnitTask::Certify { holds: true, leaf_budget: 5, most_nodes: 30 };
    let worked = work_through(&rules, &Unit { task, ..unit.clone() }).unwrap();
    assert_eq!((worked.finding, worked.lemmas.len()), (Finding::Refuted, 0));
    let task = UnitTask::Certify { holds: false, leaf_budget: 5, most_nodes: 30 };
    let worked = work_through(&rules, &Unit { task, ..unit }).unwrap();
    assert!(matches!(worked.finding, Finding::Certified(lemmas) if lemmas.len() > 1));
}
