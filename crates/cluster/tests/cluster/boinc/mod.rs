//! The BOINC door as clients of our own see it, over real connections, on both engines; the real
//! client is met in the tests of the command line.

mod benchmark;
mod client;
mod feeding;
mod hostile;
mod scheduling;

use std::time::Duration;

use cluster::boinc::{BoincKey, BoincOptions};
use cluster::record::{AccountChange, ProjectState, ResultOutcome};
use solve::message::UnitReport;

use self::client::{Asker, BoincProject, element};
use crate::server::Server;
use crate::suite::Fresh;

const PROGRAM: &str = "zermelo_101_x86_64-pc-linux-gnu";

fn from_address_to_credit(fresh: Fresh<'_>) {
    let mut project = BoincProject::new(&fresh(), |_| {});
    let page = project.get("/");
    let scheduler = format!("<scheduler>{}cgi</scheduler>", project.url);
    assert!(page.lines().any(|line| line == scheduler), "{page}");
    let config = project.get("/get_project_config.php");
    assert_eq!(element(&config, "master_url", 0), Some(&*project.url));
    assert_eq!(element(&config, "platform_name", 0), Some("x86_64-pc-linux-gnu"));

    let ask = |what: &str, email: &str, password: char| {
        let hash: String = std::iter::repeat_n(password, 32).collect();
        project.get(&format!("/{what}?email_addr={email}&passwd_hash={hash}&user_name=Ann"))
    };
    let made = ask("create_account.php", "Ann%40example.org", 'a');
    let key = element(&made, "authenticator", 0).unwrap().to_owned();
    assert_eq!(ask("create_account.php", "ann%40example.org", 'a'), made, "it is the same");
    assert_eq!(ask("lookup_account.php", "ann%40EXAMPLE.org", 'a'), made);
    for (asked, right) in [
        (ask("create_account.php", "ann%40example.org", 'b'), "-137"),
        (ask("lookup_account.php", "ann%40example.org", 'b'), "-206"),
        (ask("lookup_account.php", "bob%40example.org", 'b'), "-136"),
        (ask("create_account.php", "no-address", 'b'), "-205"),
        (ask("create_account.php", "bob%40example.org", '%'), "-206"),
    ] {
        assert_eq!(element(&asked, "error_num", 0), Some(right), "{asked}");
    }

    let mut ann = Asker::new(&project, &key, 1);
    let reply = ann.ask(1.0, "");
    assert!(reply.contains("<hostid>") && reply.contains("<code_sign_key>"), "{reply}");
    let given = ann.given(&reply).remove(0);
    let program = project.get(&format!("/download/{PROGRAM}"));
    let part = ann.raw("GET", &format!("/download/{PROGRAM}"), "Range: bytes=4-\r\n", b"");
    assert_eq!((part.status, &*part.body), (206, &program.as_bytes()[4..]));
    let report = given.report();
    assert_eq!(ann.upload(&given, &report), "0");
    // What was told is told no more, and what is reported is acknowledged.
    let reply = ann.ask(0.0, &given.reported(5, 0));
    assert!(!reply.contains("<hostid>") && !reply.contains("<code_sign_key>"), "{reply}");
    assert_eq!(element(&reply, "result_ack", 0), Some(&*format!("<name>{}</name>", given.name)));
    project.running.step(1);
    project.record.count_credit().unwrap();
    let account = project.record.account(&key).unwrap().unwrap();
    assert!(account.credit.total > 0 && account.credit.average > 0.0);
    assert_eq!(project.record.count_credit().unwrap(), 0, "each vote once");
    let hosts = project.record.volunteer_hosts(Some(account.user)).unwrap();
    assert_eq!(hosts[0].credit.total, account.credit.total);
    let results = project.record.results_of_user(account.user, 10).unwrap();
    // Its budget was too small for an answer: what it says is advice, and paid.
    assert_eq!((results.len(), results[0].verdict), (1, Some(4)));
    assert_eq!(results[0].credit, account.credit.total);
    assert_eq!(project.record.uploaded(&format!("{}_r0", given.name)).unwrap(), None);
    volunteers_see_and_decide(&project, &key);
}

fn volunteers_see_and_decide(project: &BoincProject, key: &str) {
    let asker = Asker::new(project, key, 9);
    let bearer = format!("Authorization: Bearer {key}\r\n");
    let ask = |method: &str, path: &str, body: &str| {
        let path = format!("/volunteer/v1/{path}");
        asker.raw(method, &path, &bearer, body.as_bytes()).json()
    };
    assert_eq!(ask("GET", "account", "")["name"], "Ann");
    assert_eq!(ask("GET", "hosts", "").as_array().unwrap().len(), 1);
    assert_eq!(ask("GET", "results", "")[0]["state"], "valid");
    // Nobody is shown who does not want to be.
    let users = || {
        let zipped = asker.raw("GET", "/stats/user.gz", "", b"").body;
        let mut text = String::new();
        let mut reader = flate2::read::GzDecoder::new(&*zipped);
        std::io::Read::read_to_string(&mut reader, &mut text).unwrap();
        text
    };
    assert!(!users().contains("<user>"));
    let changed = ask("PATCH", "account", r#"{"statistics": true, "resource_share": 50}"#);
    assert_eq!((&changed["statistics"], &changed["resource_share"]), (&true.into(), &50.0.into()));
    let team = ask("POST", "teams", r#"{"name": "Bit & Byte", "url": "https://example.org"}"#);
    assert!(team["team"].is_u64(), "{team}");
    assert!(ask("POST", "teams", r#"{"name": "Bit & Byte"}"#)["error"].is_string());
    assert!(ask("PUT", "team", r#"{"team": 999}"#)["error"].is_string());
    std::thread::sleep(Duration::from_millis(20));
    let (text, credit) = (users(), "<total_credit>");
    assert!(text.contains("<name>Ann</name>") && text.contains(credit), "{text}");
    assert!(project.get("/stats/tables.xml").contains("<nusers_total>1</nusers_total>"));
    project.record.add_notice("Hello <all>", "We begin & go on").unwrap();
    assert!(project.get("/notices.rss").contains("<title>Hello &lt;all&gt;</title>"));
    // Everything that is kept can be had, and forgotten.
    let export = ask("GET", "export", "");
    assert_eq!(export["results"][0]["state"], "valid");
    assert_eq!(ask("DELETE", "account", "")["deleted"], true);
    assert!(ask("GET", "account", "")["error"].is_string());
    assert_eq!(project.record.volunteer_hosts(None).unwrap(), []);
}

fn machines_keep_their_identity(fresh: Fresh<'_>) {
    let project = BoincProject::new(&fresh(), |_| {});
    let (ann, bob) = (project.account("ann"), project.account("bob"));
    let mut one = Asker::new(&project, &ann, 1);
    one.ask(0.0, "");
    let number = one.host;
    assert!(number > 0);
    for _ in 0..3 {
        let reply = one.ask(0.0, "");
        assert!(!reply.contains("<hostid>"), "{reply}");
    }
    // A copy of its folder, from earlier, is another machine; the first one stays what it is.
    let mut copy = Asker { sequence: 1, ..one.clone() };
    copy.ask(0.0, "");
    assert_ne!(copy.host, number);
    assert!(!one.ask(0.0, "").contains("<hostid>"));
    assert!(!copy.ask(0.0, "").contains("<hostid>"));
    // Somebody else's number is nobody's.
    let mut thief = Asker { authenticator: bob.clone(), ..one.clone() };
    thief.ask(0.0, "");
    assert_ne!(thief.host, number);
    // Whoever attaches again is known by its cross-project number.
    let mut again = Asker { host: 0, sequence: 0, ..one.clone() };
    assert!(again.ask(0.0, "").contains("<hostid>"));
    assert_eq!(project.record.volunteer_hosts(None).unwrap().len(), 3);
    let nobody = Asker { authenticator: "0".repeat(32), ..one.clone() }.ask(1.0, "");
    assert!(nobody.contains("Invalid or missing account key"), "{nobody}");
    assert_eq!(element(&nobody, "request_delay", 0), Some("86400"));
}

fn results_are_lost_found_and_taken_back(fresh: Fresh<'_>) {
    let mut project = BoincProject::new(&fresh(), |_| {});
    let (ann, bob) = (project.account("ann"), project.account("bob"));
    let (mut one, mut two) = (Asker::new(&project, &ann, 1), Asker::new(&project, &bob, 2));
    let reply = one.ask(1.0, "");
    let given = one.given(&reply).remove(0);
    // The machine does not know it: the same comes again, not another one.
    let again = one.ask(1.0, "<other_results>\n</other_results>\n");
    assert_eq!(one.given(&again)[0].name, given.name);
    // It knows it: nothing is wrong, and nothing else is there.
    let others = given.others();
    let reply = one.ask(1.0, &others);
    assert!(!reply.contains("<workunit>") && !reply.contains("abort"), "{reply}");
    // How far it is.
    let trickle = format!(
        "<msg_from_host>\n<result_name>{}</result_name>\n<time>1</time>\n\
         <variety>progress</variety>\n<fraction>0.5</fraction>\n</msg_from_host>\n{others}",
        given.name
    );
    assert!(one.ask(0.0, &trickle).contains("<message_ack/>"));
    let result = |name: &str| project.record.volunteer_result(name).unwrap().unwrap();
    assert_eq!(result(&given.name).progress, Some(0.5));
    two.ask(0.0, &trickle.replace("0.5", "0.9").replace(&others, ""));
    assert_eq!(result(&given.name).progress, Some(0.5), "somebody else does not know");
    // Somebody else cannot report it, with or without a file; nobody hears more than "yes".
    let reply = two.ask(0.0, &given.reported(5, 0));
    assert!(reply.contains("<result_ack>"), "{reply}");
    assert_eq!(result(&given.name).reported, None);
    let bogus = given.reported(5, 0).replace(&given.name, "unit_1_1_1_00000000_0");
    assert!(one.ask(0.0, &format!("{bogus}{others}")).contains("<result_ack>"));
    // What the machine has and nobody sent is taken from it.
    let foreign = given.others().replace(&given.name, "unit_9_9_9_00000000_0");
    assert!(two.ask(0.0, &foreign).contains("<result_abort>"));
    // Without its file a report is a failure, and counts as one.
    one.ask(0.0, &given.reported(5, 0));
    assert_eq!(result(&given.name).outcome, Some(ResultOutcome::Failed));
    let duplicate = one.ask(0.0, &given.reported(5, 0));
    assert!(duplicate.contains("<result_ack>"));
    let log = project.record.last_lines(0, 100).unwrap();
    let blamed = log.iter().filter(|line| line.line.contains("comes without its file"));
    assert_eq!(blamed.count(), 1, "{log:?}");
    project.running.step(1);
    // A withdrawn unit: its program is told to stop, and next time it is aborted.
    let reply = two.ask(1.0, "");
    let given = two.given(&reply).remove(0);
    project.record.set_state(project.running.row.id, ProjectState::Cancelled).unwrap();
    let reply = two.ask(0.0, &given.others());
    assert!(reply.contains("<result_abort_if_not_started>") && reply.contains("<solved/>"));
    let reply = two.ask(1.0, &given.others());
    assert!(reply.contains("<result_abort>\n") && !reply.contains("<solved/>"), "{reply}");
    assert!(reply.contains("has come to its end"), "{reply}");
    let reply = two.ask(0.0, &given.reported(3, 203));
    assert!(reply.contains("<result_ack>"));
    assert_eq!(project.outcome(&given.name), Some(ResultOutcome::Aborted));
}

fn work_is_given_to_whom_it_fits(fresh: Fresh<'_>) {
    let set = |options: &mut BoincOptions| (options.daily, options.in_progress) = (4, 2);
    let mut project = BoincProject::new(&fresh(), set);
    project.add_units(8);
    let mut asker = Asker::new(&project, &project.account("ann"), 1);
    let old = asker.ask_as(1.0, "", "6.12.34", "x86_64-pc-linux-gnu");
    assert!(old.contains("7.0.0 or newer"), "{old}");
    let other = asker.ask_as(1.0, "", "7.20.5", "windows_x86_64");
    assert!(other.contains("no program for this kind"), "{other}");
    // An error halves what a machine may have with this program.
    for _ in 0..3 {
        let reply = asker.ask(1.0, "");
        match asker.given(&reply).first() {
            Some(given) => {
                asker.ask(0.0, &given.reported(3, 1));
                assert_eq!(project.outcome(&given.name), Some(ResultOutcome::Failed));
            }
            None => assert!(reply.contains("daily quota"), "{reply}"),
        }
    }
    assert!(asker.ask(1.0, "").contains("daily quota"));
    // A new key is believed by the old one's signature, and programs wait for theirs.
    let new = BoincKey::generate().unwrap();
    let text = new.public().to_string();
    let signature = project.key.sign(text.trim().as_bytes()).unwrap();
    project.record.set_code_key(&text, &signature).unwrap();
    std::thread::sleep(Duration::from_millis(2100));
    let mut bob = Asker::new(&project, &project.account("bob"), 2);
    bob.code_key = project.key.public().to_string();
    let reply = bob.ask(1.0, "");
    assert!(reply.contains("<code_sign_key_signature>"), "{reply}");
    assert!(reply.contains("no program for this kind"), "nobody has signed it: {reply}");
    let signed = new.sign(&project.program).unwrap();
    project.record.sign_app_version(PROGRAM, &signed).unwrap();
    std::thread::sleep(Duration::from_millis(2100));
    bob.code_key = text;
    let reply = bob.ask(1.0, "");
    assert!(!reply.contains("<code_sign_key") && reply.contains("<workunit>"), "{reply}");
    bob.code_key = BoincKey::generate().unwrap().public().to_string();
    assert!(bob.ask(1.0, "").contains("reset the project"));
}

/// A lie is not believed, and not paid; what comes late is.
fn late_is_taken_and_lies_are_not(fresh: Fresh<'_>) {
    let set = |options: &mut BoincOptions| (options.deadline, options.grace) = (1, 0);
    let mut project = BoincProject::new(&fresh(), set);
    let ann = project.account("ann");
    let mut asker = Asker::new(&project, &ann, 1);
    let reply = asker.ask(1.0, "");
    let given = asker.given(&reply).remove(0);
    std::thread::sleep(Duration::from_millis(2100));
    assert!(project.record.sweep().unwrap() > 0, "nobody waits for it any longer");
    // Somebody else has answered it meanwhile.
    let mut other = Asker::new(&project, &project.account("bob"), 2);
    let reply = other.ask(1.0, "");
    let again = other.given(&reply).remove(0);
    assert_eq!(again.unit.id, given.unit.id);
    assert_eq!(other.upload(&again, &again.report()), "0");
    other.ask(0.0, &again.reported(5, 0));
    project.running.step(1);
    assert!(!project.record.volunteer_result(&given.name).unwrap().unwrap().is_open);
    assert_eq!(asker.upload(&given, &given.report()), "0");
    asker.ask(0.0, &given.reported(5, 0));
    assert_eq!(project.outcome(&given.name), Some(ResultOutcome::Delivered));
    project.running.step(1);
    project.record.count_credit().unwrap();
    assert!(project.record.account(&ann).unwrap().unwrap().credit.total > 0);
    // A report about another unit, or none at all, under the name of a result.
    let reply = asker.ask(1.0, "<other_results>\n</other_results>\n");
    let given = asker.given(&reply).remove(0);
    let other = UnitReport { attempt: 77, ..UnitReport::decode(&given.report()).unwrap() };
    assert_eq!(asker.upload(&given, &other.encode()), "0");
    asker.ask(0.0, &given.reported(5, 0));
    assert_eq!(project.outcome(&given.name), Some(ResultOutcome::Refused));
    let log = project.record.last_lines(0, 100).unwrap();
    assert!(log.iter().any(|line| line.line.contains("is no report about it")), "{log:?}");
}

fn old_rows_go(fresh: Fresh<'_>) {
    let mut project = BoincProject::new(&fresh(), |_| {});
    let mut asker = Asker::new(&project, &project.account("ann"), 1);
    let reply = asker.ask(1.0, "");
    let given = asker.given(&reply).remove(0);
    asker.upload(&given, &given.report());
    asker.ask(0.0, &given.reported(5, 0));
    project.running.step(0);
    project.record.purge(1000).unwrap();
    assert!(project.outcome(&given.name).is_some());
    project.record.purge(0).unwrap();
    assert_eq!(project.record.volunteer_result(&given.name).unwrap(), None);
    assert_eq!(project.record.volunteer_hosts(None).unwrap(), []);
    let known = project.record.account(&asker.authenticator).unwrap().unwrap();
    project
        .record
        .change_account(
            known.user,
            &AccountChange { shown: Some("\n".into()), ..Default::default() },
        )
        .unwrap_err();
    // Its machine is a new one next time.
    assert!(asker.ask(0.0, "").contains("<hostid>"));
}

fn suite(fresh: Fresh<'_>) {
    from_address_to_credit(fresh);
    machines_keep_their_identity(fresh);
    results_are_lost_found_and_taken_back(fresh);
    work_is_given_to_whom_it_fits(fresh);
    late_is_taken_and_lies_are_not(fresh);
    old_rows_go(fresh);
    scheduling::replies_say_what_to_keep_to(fresh);
    scheduling::a_machine_has_so_many_results_and_no_more(fresh);
    scheduling::whoever_asks_too_soon_gets_nothing_new(fresh);
    scheduling::errors_lower_quotas_and_good_results_raise_them(fresh);
    scheduling::a_deadline_has_its_grace(fresh);
    scheduling::another_solver_gets_nothing(fresh);
    feeding::units_come_in_the_order_that_was_set(fresh);
    feeding::projects_share_as_was_set(fresh);
    feeding::whoever_gets_nothing_hears_why(fresh);
}

#[test]
fn volunteers_on_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let mut next = 0;
    suite(&mut || {
        next += 1;
        folder.path().join(format!("{next}.db")).to_str().unwrap().to_owned()
    });
}

#[test]
fn volunteers_on_postgresql() {
    let Some(server) = Server::start() else { return };
    let mut next = 0;
    suite(&mut || {
        next += 1;
        server.database(&format!("d{next}"))
    });
}
