//! Requests that mean no good: refused, and nothing is lost.

use cluster::boinc::{BoincKey, BoincOptions, md5_text};
use cluster::record::ResultOutcome;

use super::client::{Asker, BoincProject, element, raw};

fn project(set: impl FnOnce(&mut BoincOptions)) -> (tempfile::TempDir, BoincProject) {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("record.db");
    let project = BoincProject::new(place.to_str().unwrap(), set);
    (folder, project)
}

#[test]
fn bombs_and_giants_are_refused() {
    let (_folder, project) = project(|_| {});
    let asker = Asker::new(&project, &project.account("ann"), 1);
    let schedule = |body: &[u8]| asker.raw("POST", "/cgi", "", body);
    let laughs = "<!DOCTYPE a [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\
                  <scheduler_request><authenticator>&b;</authenticator></scheduler_request>";
    let deep = "<scheduler_request>".repeat(100_000);
    let many = format!("<scheduler_request>{}</scheduler_request>", "<a/>".repeat(60_000));
    for bomb in [laughs, &deep, &many, "", "<", "\0\0\0", "<scheduler_request>"] {
        let answer = schedule(bomb.as_bytes());
        let text = String::from_utf8(answer.body).unwrap();
        assert!(answer.status == 200 && text.contains("cannot be read"), "{text}");
        assert_eq!(element(&text, "request_delay", 0), Some("3600"));
    }
    // More than anybody may send is not even read.
    let heads = "POST /cgi HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n";
    let heard = crate::hall::say(project.address, heads.as_bytes());
    assert_eq!(heard.status, 413, "{heard:?}");
    let heard = crate::hall::say(
        project.address,
        "POST /file_upload_handler HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n"
            .as_bytes(),
    );
    assert_eq!(heard.status, 413, "{heard:?}");
}

#[test]
fn uploads_need_our_certificate_and_keep_to_it() {
    let (_folder, project) = project(|_| {});
    let mut asker = Asker::new(&project, &project.account("ann"), 1);
    let reply = asker.ask(1.0, "");
    let given = asker.given(&reply).remove(0);
    let report = given.report();
    let with = |head: String, body: &[u8]| asker.upload_raw(&[head.as_bytes(), body].concat());
    let right = given.upload_head(report.len(), 0, &md5_text(&report));
    // Somebody else's signature, another name, more than the certificate says, a path.
    let forged = BoincKey::generate().unwrap();
    let text = format!("<name>{}</name><max_nbytes>{}</max_nbytes>", given.file, given.most);
    let forged = forged.sign(text.as_bytes()).unwrap();
    for head in [
        right.replace(&given.signature, forged.trim()),
        right.replace(&given.signature, ""),
        right.replace(&given.file, "unit_1_1_1_00000000_0_r0"),
        right.replace(&given.file, "../../../etc/passwd"),
        right.replace(&format!("<max_nbytes>{}", given.most), "<max_nbytes>999999999"),
        right.replace("<nbytes>", "<nbytes>9999999999"),
        right.replace("<nbytes>", "<nbytes>-"),
        right.replace("<offset>", "<offset>77777777"),
        right.replace("<file_upload>", "<!DOCTYPE a><file_upload>"),
    ] {
        assert_eq!(with(head.clone(), &report), "-1", "{head}");
    }
    // Damaged on the way, or cut off: once more.
    let mut damaged = report.clone();
    damaged[7] ^= 1;
    assert_eq!(with(right.clone(), &damaged), "1");
    assert_eq!(with(right.clone(), &report[..5]), "1");
    assert_eq!(with(right.clone(), &[&report[..], b"more"].concat()), "-1");
    // The size says where to go on.
    let size = |name: &str| {
        let body = format!(
            "<data_server_request>\n<get_file_size>{name}</get_file_size>\n\
             </data_server_request>\n"
        );
        let reply = asker.raw("POST", "/file_upload_handler", "", body.as_bytes()).body;
        element(&String::from_utf8(reply).unwrap(), "file_size", 0).unwrap().to_owned()
    };
    assert_eq!(size("../../etc/passwd"), "0");
    let rest = given.upload_head(report.len(), 3, "");
    assert_eq!(with(rest, &report[3..]), "1", "there is nothing that it goes on from");
    assert_eq!(size(&given.file), "0");
    assert_eq!(with(right, &report), "0");
    assert_eq!(size(&given.file), report.len().to_string());
    let rest = given.upload_head(report.len(), report.len(), "");
    assert_eq!(with(rest, b""), "0", "nothing is missing");
    asker.clone().ask(0.0, &given.reported(5, 0));
    assert_eq!(project.outcome(&given.name), Some(ResultOutcome::Delivered));
    // What was reported is closed; the client need not know.
    assert_eq!(asker.upload(&given, b"something else"), "0");
    assert_eq!(size(&given.file), "0");
}

#[test]
fn names_of_files_are_no_paths() {
    let (folder, project) = project(|_| {});
    std::fs::write(folder.path().join("secret"), "secret").unwrap();
    for path in [
        "/download/../record.db",
        "/download/..%2Frecord.db",
        "/download/%2e%2e%2fsecret",
        "/download//etc/passwd",
        "/download/..",
        "/download/",
        "/download/unit_1_1_1.unit",
        "/download/%00",
        "/download/%ff%fe",
        "/stats/..%2Fsecret",
        "/stats/user",
        "/../../etc/passwd",
    ] {
        let answer = raw(project.address, 1, "GET", path, "", b"");
        assert!([400, 404].contains(&answer.status), "{path}: {}", answer.status);
    }
    let long = format!("/download/{}", "a".repeat(4000));
    assert!(raw(project.address, 1, "GET", &long, "", b"").status >= 400);
}

#[test]
fn thousands_of_accounts_and_guesses_are_too_many() {
    let (_folder, project) = project(|_| {});
    let create = |number: u32, network: u8| {
        let hash = format!("{number:032x}");
        let path = format!(
            "/create_account.php?email_addr=u{number}%40example.org&passwd_hash={hash}&user_name=u"
        );
        raw(project.address, network, "GET", &path, "", b"").status
    };
    let made = (0..1000).filter(|&number| create(number, 1) == 200).count();
    assert!((20..40).contains(&made), "{made}");
    assert_eq!(project.record.accounts(false).unwrap().len(), made);
    assert_eq!(create(5000, 2), 200, "others may");
    let guess = |network: u8| {
        let path = "/lookup_account.php?email_addr=u1%40example.org&passwd_hash=00";
        raw(project.address, network, "GET", path, "", b"").status
    };
    let tried = (0..200).filter(|_| guess(3) == 200).count();
    assert!((30..60).contains(&tried), "{tried}");
    let key = |network: u8| {
        let header = format!("Authorization: Bearer {}\r\n", "0".repeat(32));
        raw(project.address, network, "GET", "/volunteer/v1/account", &header, b"").status
    };
    let tried = (0..200).filter(|_| key(4) == 401).count();
    assert!((30..60).contains(&tried), "{tried}");
    let no_key = raw(project.address, 5, "GET", "/volunteer/v1/export", "", b"");
    assert_eq!(no_key.status, 401);
}

#[test]
fn a_project_that_is_down_says_so() {
    let (_folder, down) = project(|options| options.maintenance = true);
    let reply = Asker::new(&down, &"0".repeat(32), 1).ask(1.0, "");
    assert!(reply.contains("<project_is_down/>"), "{reply}");
    assert_eq!(element(&down.get("/get_project_config.php"), "sched_stopped", 0), Some("1"));
    let (_folder, closed) = project(|options| options.closed = true);
    assert!(closed.get("/get_project_config.php").contains("<account_creation_disabled/>"));
    let path = "/create_account.php?email_addr=u%40example.org&passwd_hash=0&user_name=u";
    assert_eq!(element(&closed.get(path), "error_num", 0), Some("-208"));
}
