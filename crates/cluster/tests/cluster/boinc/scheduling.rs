//! What the scheduler tells machines to keep to, and which unit they get.

use std::net::Ipv4Addr;
use std::time::Duration;

use cluster::boinc::{BoincKey, BoincOptions, Scheduler};
use cluster::record::{NewAppVersion, ResultOutcome};
use solve::coordinator::{AttemptVerdict, Batch, JudgedAttempt};
use solve::message::SolverVersion;

use super::client::{Asker, BoincProject, commit, element};
use crate::project::versions;
use crate::suite::Fresh;

pub(super) fn replies_say_what_to_keep_to(fresh: Fresh<'_>) {
    let set = |options: &mut BoincOptions| (options.next_contact, options.trickle) = (77, 5);
    let project = BoincProject::new(&fresh(), set);
    assert!(project.get("/").contains("<p>Linux only: there are programs for x86_64-pc-linux-gnu"));
    let ann = project.account("ann");
    let mut asker = Asker::new(&project, &ann, 1);
    let reply = asker.ask(1.0, "");
    let unit = asker.given(&reply).remove(0).unit;
    assert_eq!(element(&reply, "next_rpc_delay", 0), Some("77"));
    assert_eq!(element(&reply, "command_line", 0), Some("--trickle 5"));
    let number = |name: &str| element(&reply, name, 0).unwrap().parse::<f64>().unwrap();
    assert_eq!(number("rsc_fpops_est"), unit.budget as f64 * 1000.0);
    assert!(number("rsc_fpops_bound") > 100.0 * number("rsc_fpops_est"));
    for (limit, least) in [("rsc_memory_bound", 1e8), ("rsc_disk_bound", 1e8), ("max_nbytes", 1e4)]
    {
        assert!((least..1e9).contains(&number(limit)), "{limit}: {reply}");
    }
    // The more wait, the later everybody comes again.
    let options = BoincOptions { request_delay: 10, ..BoincOptions::new(&project.url, "Test") };
    let scheduler = Scheduler::new(&project.record, options, BoincKey::generate().unwrap());
    let request =
        format!("<scheduler_request><authenticator>{ann}</authenticator></scheduler_request>");
    for (load, right) in [(0.0, "10"), (0.5, "110"), (1.0, "210"), (7.0, "210")] {
        let reply = scheduler.reply(request.as_bytes(), Ipv4Addr::LOCALHOST.into(), load);
        assert_eq!(element(&reply, "request_delay", 0), Some(right), "{load}");
    }
}

pub(super) fn a_machine_has_so_many_results_and_no_more(fresh: Fresh<'_>) {
    let mut project = BoincProject::new(&fresh(), |options| options.in_progress = 2);
    project.add_units(8);
    let mut asker = Asker::new(&project, &project.account("ann"), 1);
    let reply = asker.ask(1e7, "");
    let given = asker.given(&reply);
    assert_eq!(given.len(), 2, "{reply}");
    let reply = asker.ask(1e7, "");
    assert!(reply.contains("limit of 2 tasks in progress"), "{reply}");
    // One of them is withdrawn, and the project goes on: its program is told to stop.
    let withdrawn = vec![given[0].unit.id];
    commit(&project.record, &mut project.running, Batch { withdrawn, ..Batch::default() });
    let reply = asker.ask(0.0, &given[0].others());
    let name = format!("<name>{}</name>", given[0].name);
    assert_eq!(element(&reply, "result_abort_if_not_started", 0), Some(&*name));
    assert!(reply.contains("<stop/>") && !reply.contains("<solved/>"), "{reply}");
}

/// New work comes no sooner than so many seconds after the last; what was lost comes at once.
pub(super) fn whoever_asks_too_soon_gets_nothing_new(fresh: Fresh<'_>) {
    let mut project = BoincProject::new(&fresh(), |options| options.min_interval = 3600);
    project.add_units(4);
    let mut asker = Asker::new(&project, &project.account("ann"), 1);
    let reply = asker.ask(1e-9, "");
    let given = asker.given(&reply).remove(0);
    let reply = asker.ask(1.0, &given.others());
    assert!(reply.contains("too recent") && !reply.contains("<workunit>"), "{reply}");
    let reply = asker.ask(1e-9, "<other_results>\n</other_results>\n");
    assert_eq!(asker.given(&reply)[0].name, given.name);
    // The volunteer wants no more of it, for which nobody is blamed.
    asker.ask(0.0, &given.reported(6, 0));
    assert_eq!(project.outcome(&given.name), Some(ResultOutcome::Aborted));
}

/// An error halves what a machine may have, and what it may have with this program; what is good
/// doubles each of them.
pub(super) fn errors_lower_quotas_and_good_results_raise_them(fresh: Fresh<'_>) {
    let mut project = BoincProject::new(&fresh(), |options| options.daily = 4);
    project.add_units(8);
    let mut asker = Asker::new(&project, &project.account("ann"), 1);
    let mut one = || {
        let reply = asker.ask(1e-9, "");
        asker.given(&reply).remove(0)
    };
    let (failed, good) = (one(), one());
    for given in [&failed, &good] {
        assert_eq!(asker.upload(given, &given.report()), "0");
    }
    // The client says that it failed, whatever there is of it.
    asker.ask(0.0, &failed.reported(3, 0));
    assert_eq!(project.outcome(&failed.name), Some(ResultOutcome::Failed));
    assert!(asker.ask(1e-9, "").contains("daily quota"), "two of two");
    // A coordinator is content with the machine; the program has not shown yet what it can do.
    let unit = failed.unit.id;
    let user = project.record.volunteer_result(&failed.name).unwrap().unwrap().user;
    let (attempt, verdict) = (failed.attempt, AttemptVerdict::Valid);
    let judged = vec![JudgedAttempt { unit, attempt, user, verdict, credit: 1, checked: false }];
    commit(&project.record, &mut project.running, Batch { judged, ..Batch::default() });
    assert!(asker.ask(1e-9, "").contains("daily quota"), "two of two with this program");
    asker.ask(0.0, &good.reported(5, 0));
    assert!(asker.ask(1e-9, "").contains("<workunit>"), "three of four");
}

/// Nobody else gets a unit before its grace is over.
pub(super) fn a_deadline_has_its_grace(fresh: Fresh<'_>) {
    let set = |options: &mut BoincOptions| (options.deadline, options.grace) = (1, 3600);
    let project = BoincProject::new(&fresh(), set);
    let mut asker = Asker::new(&project, &project.account("ann"), 1);
    let reply = asker.ask(1.0, "");
    let given = asker.given(&reply).remove(0);
    std::thread::sleep(Duration::from_millis(2100));
    assert_eq!(project.record.sweep().unwrap(), 0);
    let result = project.record.volunteer_result(&given.name).unwrap().unwrap();
    assert_eq!(result.deadline, result.sent + 1);
}

/// A quorum is of one solver version: a program with another one gets nothing of it.
pub(super) fn another_solver_gets_nothing(fresh: Fresh<'_>) {
    let project = BoincProject::new(&fresh(), |_| {});
    let new = NewAppVersion {
        app: "zermelo".to_owned(),
        version: 102,
        platform: "x86_64-pc-linux-gnu".to_owned(),
        plan_class: String::new(),
        file: "zermelo_102_x86_64-pc-linux-gnu".to_owned(),
        signature: project.key.sign(b"another").unwrap(),
        solvers: vec![("test".to_owned(), SolverVersion(versions()[0].1.0 + 1))],
        bytes: b"another".to_vec(),
    };
    project.record.add_app_version(&new).unwrap();
    let mut asker = Asker::new(&project, &project.account("ann"), 1);
    let reply = asker.ask(1.0, "");
    assert!(reply.contains("is being renewed") && !reply.contains("<workunit>"), "{reply}");
}
