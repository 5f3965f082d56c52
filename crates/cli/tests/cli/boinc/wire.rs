//! Requests that no client sends, as bytes.

use std::io::{Read, Write};
use std::net::TcpStream;

use solve::message::{Finding, Unit, UnitReport};
use solve::work_through;

use super::client::wait_until;
use super::project::Volunteering;

const SMALL: [&str; 3] = ["reversi:4x4", "--unit-nodes", "20000"];

/// The body of the answer to a request.
fn ask(port: u16, method: &str, path: &str, body: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
    answer.split_off(end + 4)
}

/// What stands between `<name>` and `</name>` for the nth time.
fn element<'t>(text: &'t str, name: &str, nth: usize) -> Option<&'t str> {
    let rest = text.split(&*format!("<{name}>")).nth(nth + 1)?;
    Some(rest.split(&*format!("</{name}>")).next()?.trim())
}

/// A client of our own.
struct Asker<'p> {
    project: &'p Volunteering,
    authenticator: String,
    host: u64,
    sequence: u64,
}

impl Asker<'_> {
    fn new<'p>(project: &'p Volunteering, name: &str) -> Asker<'p> {
        Asker { project, authenticator: project.account(name), host: 0, sequence: 0 }
    }

    /// Asks the scheduler, and takes the number that it is given.
    fn ask(&mut self, wants: f64, rest: &str) -> String {
        let Asker { project, authenticator, host, sequence } = self;
        let request = format!(
            "<scheduler_request>\n<authenticator>{authenticator}</authenticator>\n\
             <hostid>{host}</hostid>\n<rpc_seqno>{sequence}</rpc_seqno>\n\
             <core_client_major_version>7</core_client_major_version>\n\
             <core_client_minor_version>20</core_client_minor_version>\n\
             <core_client_release>5</core_client_release>\n\
             <work_req_seconds>{wants}</work_req_seconds>\n<cpu_req_secs>{wants}</cpu_req_secs>\n\
             <cpu_req_instances>0</cpu_req_instances>\n\
             <platform_name>x86_64-pc-linux-gnu</platform_name>\n\
             <host_info>\n<host_cpid>{authenticator}x</host_cpid>\n<p_ncpus>1</p_ncpus>\n\
             <p_fpops>1e9</p_fpops>\n<m_nbytes>8e9</m_nbytes>\n</host_info>\n\
             {rest}</scheduler_request>\n"
        );
        let reply = ask(project.port, "POST", "/cgi", request.as_bytes());
        let reply = String::from_utf8(reply).unwrap();
        *sequence += 1;
        if let Some(host) = element(&reply, "hostid", 0) {
            (self.host, self.sequence) = (host.parse().unwrap(), 1);
        }
        reply
    }

    /// Gets a result.
    fn work(&mut self) -> Given {
        let mut reply = String::new();
        wait_until("work", || {
            reply = self.ask(1.0, "");
            reply.contains("<workunit>")
        });
        let from = reply.split("<result>").nth(1).unwrap();
        let name = element(from, "name", 0).unwrap().to_owned();
        let outputs = reply.split("<file_info>").filter(|info| info.contains("generated_locally"));
        let output = outputs.last().unwrap();
        let before = reply.split("<workunit>").next().unwrap();
        let unit = element(before.rsplit("<file_info>").next().unwrap(), "url", 0).unwrap();
        let path = unit.split_once(&format!(":{}", self.project.port)).unwrap().1;
        let unit = Unit::decode(&ask(self.project.port, "GET", path, b"")).unwrap();
        let text = |name: &str| element(output, name, 0).unwrap().to_owned();
        let (file, most, signature) = (text("name"), text("max_nbytes"), text("xml_signature"));
        Given { name, unit, file, most, signature }
    }

    fn report(&mut self, name: &str) -> String {
        let result = format!(
            "<result>\n<name>{name}</name>\n<final_cpu_time>1</final_cpu_time>\n\
             <exit_status>0</exit_status>\n<state>5</state>\n</result>\n"
        );
        self.ask(0.0, &result)
    }

    fn credit(&self) -> u64 {
        let account = self.project.record.account(&self.authenticator).unwrap().unwrap();
        account.credit.total
    }
}

/// A result that somebody got.
struct Given {
    name: String,
    unit: Unit,
    file: String,
    most: String,
    signature: String,
}

impl Given {
    /// What an honest worker finds.
    fn honest(&self) -> UnitReport {
        let rules = catalog::open(&self.unit.game).unwrap().solver_rules(&self.unit.root).unwrap();
        let attempt = self.name.rsplit_once('_').unwrap().1.parse().unwrap();
        work_through(&*rules, &self.unit).unwrap().report(&self.unit, attempt)
    }

    /// Uploads bytes under a name with a signature; the status of the answer.
    fn upload(
        &self,
        port: u16,
        (file, most, signature): (&str, &str, &str),
        bytes: &[u8],
    ) -> String {
        let mut body = format!(
            "<data_server_request>\n<core_client_major_version>7</core_client_major_version>\n\
             <core_client_minor_version>20</core_client_minor_version>\n\
             <core_client_release>5</core_client_release>\n<file_upload>\n<file_info>\n\
             <name>{file}</name>\n<generated_locally/>\n<max_nbytes>{most}</max_nbytes>\n\
             <xml_signature>\n{signature}\n</xml_signature>\n</file_info>\n\
             <nbytes>{}</nbytes>\n<md5_cksum>{}</md5_cksum>\n<offset>0</offset>\n<data>\n",
            bytes.len(),
            cluster::boinc::md5_text(bytes)
        )
        .into_bytes();
        body.extend(bytes);
        let answer = String::from_utf8(ask(port, "POST", "/file_upload_handler", &body)).unwrap();
        element(&answer, "status", 0).map(str::to_owned).unwrap_or(answer)
    }
}

#[test]
fn forged_uploads_are_refused_and_reports_count_once_and_for_their_owner() {
    let mut project = Volunteering::new("boinc-wire", &SMALL);
    project.serve();
    let port = project.port;
    let (mut anna, mut bert) = (Asker::new(&project, "anna"), Asker::new(&project, "bert"));
    let given = anna.work();
    let honest = given.honest();
    let bytes = honest.encode();
    let (file, most, signature) = (&*given.file, &*given.most, &*given.signature);

    // Another name, another limit, no signature at all.
    let zeros = format!("{}\n.", "0".repeat(256));
    for forged in [
        ("unit_1_1_1_x_0_r0", most, signature),
        (file, "999999999", signature),
        (file, most, &*zeros),
        (file, most, ""),
        ("../../etc/passwd", most, signature),
    ] {
        let status = given.upload(port, forged, &bytes);
        assert_ne!(status, "0", "{forged:?}");
    }
    let large = vec![0; most.parse::<usize>().unwrap() + 1];
    assert_ne!(given.upload(port, (file, most, signature), &large), "0");

    // A stranger reports it: it hears that this is done with, and nothing happens.
    bert.ask(0.0, "");
    assert!(bert.report(&given.name).contains("<result_ack>"));
    let row = || project.record.volunteer_result(&given.name).unwrap().unwrap();
    assert_eq!(row().reported, None);
    assert!(project.log().contains("somebody else's"), "{}", project.log());
    bert.report("unit_9_9_9_nonsense_0");
    assert!(project.log().contains("which nobody has sent"), "{}", project.log());

    // Its owner delivers it, twice.
    assert_eq!(given.upload(port, (file, most, signature), &bytes), "0");
    assert!(anna.report(&given.name).contains("<result_ack>"));
    wait_until("credit", || anna.credit() > 0);
    assert_eq!(row().verdict, Some(0));
    let credit = anna.credit();
    assert!(anna.report(&given.name).contains("<result_ack>"));
    given.upload(port, (file, most, signature), &bytes);
    anna.report(&given.name);
    std::thread::sleep(std::time::Duration::from_secs(5));
    assert_eq!((anna.credit(), bert.credit()), (credit, 0));
    assert!(matches!(honest.finding, Finding::Proved | Finding::Refuted | Finding::Open { .. }));
}

#[test]
fn a_copy_of_a_machine_becomes_a_machine_of_its_own() {
    let mut project = Volunteering::new("boinc-copies", &SMALL);
    project.serve();
    let mut anna = Asker::new(&project, "anna");
    assert!(anna.ask(0.0, "").contains("<hostid>"), "it is new");
    let first = anna.host;
    for _ in 0..3 {
        assert!(!anna.ask(0.0, "").contains("<hostid>"), "it is known");
    }
    // A disk was copied: somebody with the same number is behind.
    anna.sequence = 1;
    let told = anna.ask(0.0, "");
    assert!(told.contains("<hostid>") && anna.host != first, "{told}");
    assert!(!anna.ask(0.0, "").contains("<hostid>"), "from now on it is that one");
    // Somebody else's number is worth nothing.
    let mut bert = Asker::new(&project, "bert");
    (bert.host, bert.sequence) = (anna.host, 100);
    assert!(bert.ask(0.0, "").contains("<hostid>"));
    assert_ne!(bert.host, anna.host);
}
