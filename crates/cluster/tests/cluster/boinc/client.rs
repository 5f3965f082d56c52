//! [`BoincProject`] with its server, and [`Asker`], a client of our own.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use cluster::ClusterRecord;
use cluster::boinc::{BoincDoor, BoincKey, BoincOptions, Scheduler, md5_text};
use cluster::http::{DoorOptions, DoorServer};
use cluster::record::{NewAppVersion, ResultOutcome};
use serde_json::Value;
use solve::TrustPlan;
use solve::coordinator::{Batch, NewUnit};
use solve::message::Unit;
use solve::store::Store;

use crate::hall::{listener, wide};
use crate::project::{Running, new_project, report, versions};

/// A project whose coordinator believes everybody, its program, and the server.
pub(crate) struct BoincProject {
    pub(crate) record: ClusterRecord,
    pub(crate) running: Running,
    pub(crate) key: BoincKey,
    pub(crate) program: Vec<u8>,
    pub(crate) url: String,
    pub(crate) address: SocketAddr,
    _server: DoorServer,
}

impl BoincProject {
    pub(crate) fn new(place: &str, set: impl FnOnce(&mut BoincOptions)) -> BoincProject {
        let record = ClusterRecord::open(place).unwrap();
        let row = record.create_project(&new_project("one")).unwrap();
        let mut running = Running::claim(&record, row, TrustPlan::OWN);
        running.step(1);
        let key = BoincKey::generate().unwrap();
        record.set_code_key(&key.public().to_string(), "").unwrap();
        let program = b"#!/bin/sh\necho a program\n".to_vec();
        let new = NewAppVersion {
            app: "zermelo".to_owned(),
            version: 101,
            platform: "x86_64-pc-linux-gnu".to_owned(),
            plan_class: String::new(),
            file: super::PROGRAM.to_owned(),
            signature: key.sign(&program).unwrap(),
            solvers: versions(),
            bytes: program.clone(),
        };
        record.add_app_version(&new).unwrap();
        let listener = listener("127.0.0.1:0");
        let address = listener.local_addr().unwrap();
        let url = format!("http://{address}/");
        let mut options = BoincOptions { min_interval: 0, ..BoincOptions::new(&url, "Test") };
        options.limits.statistics = Duration::from_millis(10);
        set(&mut options);
        let upload = BoincKey::generate().unwrap();
        let door = BoincDoor::new(Scheduler::new(&record, options, upload));
        let proxies = vec![[127, 0, 0, 1].into()];
        let served = DoorOptions { proxies, limits: wide(), ..DoorOptions::default() };
        let door_record = Arc::new(record.clone());
        let server = DoorServer::start(vec![listener], door_record, served, door.router()).unwrap();
        BoincProject { record, running, key, program, url, address, _server: server }
    }

    pub(crate) fn account(&self, name: &str) -> String {
        let email = format!("{name}@example.org");
        self.record.create_account(&email, None, name).unwrap().reveal().to_owned()
    }

    pub(crate) fn add_units(&mut self, count: u64) {
        add_units(&self.record, &mut self.running, count, |_| {});
    }

    pub(crate) fn get(&self, path: &str) -> String {
        let heard = raw(self.address, 1, "GET", path, "", b"");
        String::from_utf8(heard.body).unwrap()
    }

    pub(crate) fn outcome(&self, result: &str) -> Option<ResultOutcome> {
        self.record.volunteer_result(result).unwrap().unwrap().outcome
    }
}

/// Copies of a unit, which the coordinator knows nothing of: it must not go on afterwards.
pub(crate) fn add_units(
    record: &ClusterRecord,
    running: &mut Running,
    count: u64,
    change: impl Fn(&mut Unit),
) {
    let (known, _) = running.store.units().unwrap().remove(0);
    let next = record.expect_project(&running.row.made_of.name).unwrap().next_number;
    let new = |number| {
        let mut unit = known.clone();
        unit.id.number = next + number;
        change(&mut unit);
        NewUnit { unit, trusted_only: false }
    };
    let units = (0..count).map(new).collect();
    commit(record, running, Batch { units, next_number: next + count, ..Batch::default() });
}

/// Writes what the coordinator has not thought of.
pub(crate) fn commit(record: &ClusterRecord, running: &mut Running, batch: Batch) {
    let row = record.expect_project(&running.row.made_of.name).unwrap();
    let next_number = batch.next_number.max(row.next_number);
    let batch = Batch { number: row.batches + 1, next_number, ..batch };
    running.store.commit(running.claimed.epoch, &batch, 0.0).unwrap();
}

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}

/// Asks from a network of one's own.
pub(crate) fn raw(
    address: SocketAddr,
    network: u8,
    method: &str,
    path: &str,
    headers: &str,
    body: &[u8],
) -> Answer {
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
         X-Forwarded-For: 10.0.{network}.7\r\n{headers}Content-Length: {}\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    // Whoever says too much may be cut off.
    let _ = stream.write_all(&[head.as_bytes(), body].concat());
    let mut all = Vec::new();
    let _ = stream.read_to_end(&mut all);
    let end = all.windows(4).position(|window| window == b"\r\n\r\n").unwrap_or(all.len());
    let head = String::from_utf8_lossy(&all[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Answer { status, body: all.split_off((end + 4).min(all.len())) }
}

/// What stands between `<name>` and `</name>` for the nth time.
pub(crate) fn element<'t>(text: &'t str, name: &str, nth: usize) -> Option<&'t str> {
    let rest = text.split(&*format!("<{name}>")).nth(nth + 1)?;
    Some(rest.split(&*format!("</{name}>")).next()?.trim())
}

/// A machine of a volunteer.
#[derive(Clone)]
pub(crate) struct Asker {
    pub(crate) address: SocketAddr,
    pub(crate) authenticator: String,
    pub(crate) host: u64,
    pub(crate) sequence: u64,
    pub(crate) code_key: String,
    pub(crate) network: u8,
    /// Bytes of its machine.
    pub(crate) memory: f64,
}

/// A result that a machine was given.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    pub(crate) name: String,
    pub(crate) unit: Unit,
    pub(crate) attempt: u32,
    pub(crate) file: String,
    pub(crate) most: String,
    pub(crate) signature: String,
}

impl Asker {
    pub(crate) fn new(project: &BoincProject, authenticator: &str, network: u8) -> Asker {
        Asker {
            address: project.address,
            authenticator: authenticator.to_owned(),
            host: 0,
            sequence: 0,
            code_key: String::new(),
            network,
            memory: 8e9,
        }
    }

    pub(crate) fn raw(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Answer {
        raw(self.address, self.network, method, path, headers, body)
    }

    /// Asks the scheduler for so many seconds of work.
    pub(crate) fn ask(&mut self, seconds: f64, more: &str) -> String {
        self.ask_as(seconds, more, "7.20.5", "x86_64-pc-linux-gnu")
    }

    pub(crate) fn ask_as(
        &mut self,
        seconds: f64,
        more: &str,
        client: &str,
        platform: &str,
    ) -> String {
        let request = self.request(seconds, more, client, platform);
        let heard = self.raw("POST", "/cgi", "", request.as_bytes());
        assert_eq!(heard.status, 200);
        let reply = String::from_utf8(heard.body).unwrap();
        self.sequence += 1;
        if let Some(host) = element(&reply, "hostid", 0) {
            (self.host, self.sequence) = (host.parse().unwrap(), 1);
        }
        if let Some(key) = element(&reply, "code_sign_key", 0) {
            key.clone_into(&mut self.code_key);
        }
        reply
    }

    pub(crate) fn request(&self, seconds: f64, more: &str, client: &str, platform: &str) -> String {
        let Asker { authenticator, host, sequence, code_key, memory, .. } = self;
        let version: Vec<&str> = client.split('.').collect();
        let (major, minor, release) = (version[0], version[1], version[2]);
        format!(
            "<scheduler_request>\n<authenticator>{authenticator}</authenticator>\n\
             <hostid>{host}</hostid>\n<rpc_seqno>{sequence}</rpc_seqno>\n\
             <core_client_major_version>{major}</core_client_major_version>\n\
             <core_client_minor_version>{minor}</core_client_minor_version>\n\
             <core_client_release>{release}</core_client_release>\n\
             <work_req_seconds>{seconds}</work_req_seconds>\n\
             <cpu_req_secs>{seconds}</cpu_req_secs>\n<cpu_req_instances>0</cpu_req_instances>\n\
             <platform_name>{platform}</platform_name>\n\
             <code_sign_key>\n{code_key}</code_sign_key>\n\
             <host_info>\n<host_cpid>{authenticator}</host_cpid>\n<p_ncpus>1</p_ncpus>\n\
             <p_fpops>1e6</p_fpops>\n<m_nbytes>{memory}</m_nbytes>\n</host_info>\n\
             {more}</scheduler_request>\n"
        )
    }

    /// What a reply brings; units are downloaded.
    pub(crate) fn given(&self, reply: &str) -> Vec<Given> {
        let results: Vec<&str> = reply.split("\n<result>\n").skip(1).collect();
        let given = |result: &&str| {
            let name = element(result, "name", 0).unwrap().to_owned();
            let unit_name = element(result, "wu_name", 0).unwrap();
            let path = format!("/download/{unit_name}.unit");
            let bytes = self.raw("GET", &path, "", b"").body;
            assert!(reply.contains(&md5_text(&bytes)), "{reply}");
            let file = format!("{name}_r0");
            let info = reply.split("<file_info>").find(|info| info.contains(&file)).unwrap();
            Given {
                unit: Unit::decode(&bytes).unwrap(),
                attempt: name.rsplit_once('_').unwrap().1.parse().unwrap(),
                most: element(info, "max_nbytes", 0).unwrap().to_owned(),
                signature: element(info, "xml_signature", 0).unwrap().to_owned(),
                name,
                file,
            }
        };
        results.iter().map(given).collect()
    }

    /// Uploads a file; the status that comes back.
    pub(crate) fn upload(&self, given: &Given, bytes: &[u8]) -> String {
        let head = given.upload_head(bytes.len(), 0, &md5_text(bytes));
        self.upload_raw(&[head.as_bytes(), bytes].concat())
    }

    pub(crate) fn upload_raw(&self, body: &[u8]) -> String {
        let heard = self.raw("POST", "/file_upload_handler", "", body);
        let reply = String::from_utf8(heard.body).unwrap();
        element(&reply, "status", 0).map_or_else(|| heard.status.to_string(), str::to_owned)
    }
}

impl Given {
    /// What an honest program finds.
    pub(crate) fn report(&self) -> Vec<u8> {
        report(&self.unit, self.attempt).encode()
    }

    pub(crate) fn upload_head(&self, size: usize, offset: usize, md5: &str) -> String {
        let Given { file, most, signature, .. } = self;
        format!(
            "<data_server_request>\n<core_client_major_version>7</core_client_major_version>\n\
             <file_upload>\n<file_info>\n<name>{file}</name>\n<xml_signature>\n{signature}\n\
             </xml_signature>\n<max_nbytes>{most}</max_nbytes>\n</file_info>\n\
             <nbytes>{size}.000000</nbytes>\n<md5_cksum>{md5}</md5_cksum>\n\
             <offset>{offset}.000000</offset>\n<data>\n"
        )
    }

    pub(crate) fn reported(&self, state: i64, exit: i64) -> String {
        format!(
            "<result>\n<name>{}</name>\n<final_cpu_time>1.5</final_cpu_time>\n\
             <final_elapsed_time>2.5</final_elapsed_time>\n<exit_status>{exit}</exit_status>\n\
             <state>{state}</state>\n<stderr_out>\n<![CDATA[\nwords\n]]>\n</stderr_out>\n\
             </result>\n",
            self.name
        )
    }

    pub(crate) fn others(&self) -> String {
        format!(
            "<other_results>\n<other_result>\n<name>{}</name>\n</other_result>\n\
             </other_results>\n",
            self.name
        )
    }
}
