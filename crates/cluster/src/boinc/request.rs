//! [`SchedulerRequest`]: what a client says when it asks the scheduler.

use super::xml::{XmlElement, XmlError};
use crate::record::{HostTold, ResultEnd};

/// No request has more bytes.
pub const LARGEST_REQUEST: usize = 4 << 20;

/// So many results are heard of in one request.
const MOST_RESULTS: usize = 1000;
const MOST_TRICKLES: usize = 100;
/// What programs write for people, in letters.
const LONGEST_WORDS: usize = 2000;

/// A request, with what is missing or makes no sense left empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SchedulerRequest {
    /// Who asks.
    pub authenticator: String,
    /// From which machine.
    pub host: HostTold,
    /// Major, minor and release of the client.
    pub client: (u32, u32, u32),
    /// What the machine can run, the best first.
    pub platforms: Vec<String>,
    /// What its processor can do, as words.
    pub features: String,
    /// How many seconds of work are wanted.
    pub seconds: f64,
    /// For how many idle processors.
    pub instances: f64,
    /// Bytes that a task may have on the disk; infinite if the client does not say.
    pub room: f64,
    /// The code-signing key that the client has.
    pub code_sign_key: String,
    /// Results that have ended.
    pub reports: Vec<ReportedResult>,
    /// Results that the client still has; `None` if it does not say, or not all of them.
    pub others: Option<Vec<String>>,
    /// Messages of programs.
    pub trickles: Vec<TrickleUp>,
}

/// A result that has ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReportedResult {
    /// Which.
    pub name: String,
    /// The client's state: 5 if its files are uploaded.
    pub state: i64,
    /// How it ended.
    pub end: ResultEnd,
}

/// A message of a program.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrickleUp {
    /// Which result.
    pub result: String,
    /// How far it has come, from 0 to 1.
    pub fraction: Option<f64>,
}

impl SchedulerRequest {
    /// Reads one.
    ///
    /// # Errors
    /// If it is no such message at all.
    pub fn read(bytes: &[u8]) -> Result<SchedulerRequest, XmlError> {
        let top = XmlElement::read_message(bytes, "scheduler_request")?;
        let info = top.child("host_info").cloned().unwrap_or_default();
        let version = |part: &str| small(top.whole_of(&format!("core_client_{part}")));
        let client = (version("major_version"), version("minor_version"), version("release"));
        let mut platforms = vec![short(top.text_of("platform_name"))];
        platforms.extend(top.all("alt_platform").take(8).map(|alt| short(alt.text_of("name"))));
        let wanted = |name: &str| top.number_of(name).unwrap_or(0.0).max(0.0);
        let cpu = wanted("cpu_req_secs");
        let refuses = is_set(&top, "dont_send_work");
        Ok(SchedulerRequest {
            authenticator: short(top.text_of("authenticator")),
            host: host(&top, &info, client, &platforms[0]),
            client,
            platforms,
            features: info.text_of("p_features").chars().take(8000).collect(),
            seconds: if refuses { 0.0 } else { cpu.max(wanted("work_req_seconds")).min(1e8) },
            instances: if refuses { 0.0 } else { wanted("cpu_req_instances").min(1e4) },
            room: room(&top, &info),
            code_sign_key: top.text_of("code_sign_key").to_owned(),
            reports: top.all("result").take(MOST_RESULTS).map(reported).collect(),
            others: others(&top),
            trickles: top.all("msg_from_host").take(MOST_TRICKLES).map(trickle).collect(),
        })
    }

    /// Whether the client wants anything to do.
    #[must_use]
    pub fn wants_work(&self) -> bool {
        self.seconds > 0.0 || self.instances > 0.0
    }
}

fn host(
    top: &XmlElement,
    info: &XmlElement,
    (major, minor, release): (u32, u32, u32),
    platform: &str,
) -> HostTold {
    let number = |name: &str| info.number_of(name).unwrap_or(0.0).clamp(0.0, 1e18);
    HostTold {
        host: top.whole_of("hostid").and_then(|id| u64::try_from(id).ok()).unwrap_or(0),
        seqno: top.whole_of("rpc_seqno").unwrap_or(0),
        cpid: short(info.text_of("host_cpid")),
        shown: short(info.text_of("domain_name")),
        platform: platform.to_owned(),
        system: short(&format!("{} {}", info.text_of("os_name"), info.text_of("os_version"))),
        processor: short(info.text_of("p_model")),
        processors: small(info.whole_of("p_ncpus")).clamp(1, 4096),
        flops: number("p_fpops"),
        memory: number("m_nbytes"),
        client: format!("{major}.{minor}.{release}"),
    }
}

/// What is free, and what is left of the project's share.
fn room(top: &XmlElement, info: &XmlElement) -> f64 {
    let usage = top.child("disk_usage");
    let used = |name: &str| usage?.number_of(name);
    let free = info.number_of("d_free").unwrap_or(f64::INFINITY);
    let share = match (used("d_project_share"), used("d_boinc_used_project")) {
        (Some(share), Some(used)) => share - used,
        _ => f64::INFINITY,
    };
    free.min(share).max(0.0)
}

fn others(top: &XmlElement) -> Option<Vec<String>> {
    if is_set(top, "results_truncated") {
        return None;
    }
    let others = top.child("other_results")?;
    let named: Vec<_> = others.all("other_result").map(|one| short(one.text_of("name"))).collect();
    (named.len() <= MOST_RESULTS).then_some(named)
}

fn reported(result: &XmlElement) -> ReportedResult {
    let number = |name: &str| result.number_of(name).unwrap_or(0.0).clamp(0.0, 1e12);
    ReportedResult {
        name: short(result.text_of("name")),
        state: result.whole_of("state").unwrap_or(0),
        end: ResultEnd {
            exit_status: result.whole_of("exit_status").unwrap_or(0),
            cpu: number("final_cpu_time"),
            elapsed: number("final_elapsed_time"),
            words: words(result.text_of("stderr_out")),
        },
    }
}

fn trickle(message: &XmlElement) -> TrickleUp {
    let fraction = message.number_of("fraction").map(|fraction| fraction.clamp(0.0, 1.0));
    TrickleUp { result: short(message.text_of("result_name")), fraction }
}

/// The end of it says most; nothing that no database takes.
fn words(text: &str) -> String {
    let count = text.chars().count();
    let is_fine = |c: &char| *c != '\0';
    text.chars().skip(count.saturating_sub(LONGEST_WORDS)).filter(is_fine).collect()
}

/// The client writes `<flag/>` as well as `<flag>0</flag>`.
fn is_set(top: &XmlElement, flag: &str) -> bool {
    top.child(flag).is_some_and(|element| element.text != "0")
}

fn short(text: &str) -> String {
    text.trim().chars().filter(|c| !c.is_control()).take(250).collect()
}

fn small(number: Option<i64>) -> u32 {
    number.and_then(|number| u32::try_from(number).ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the client 7.20.5 writes it, shortened.
    const REAL: &str = "<scheduler_request>\n    <authenticator>0123456789abcdef0123456789abcdef\
        </authenticator>\n    <hostid>17</hostid>\n    <rpc_seqno>4</rpc_seqno>\n\
        <core_client_major_version>7</core_client_major_version>\n\
        <core_client_minor_version>20</core_client_minor_version>\n\
        <core_client_release>5</core_client_release>\n\
        <dont_send_work>0</dont_send_work>\n<work_req_seconds>86.400000</work_req_seconds>\n\
        <cpu_req_secs>86.400000</cpu_req_secs>\n<cpu_req_instances>1.000000</cpu_req_instances>\n\
        <platform_name>x86_64-pc-linux-gnu</platform_name>\n\
        <alt_platform>\n<name>i686-pc-linux-gnu</name>\n</alt_platform>\n\
        <code_sign_key>\n1024\nab\n.\n</code_sign_key>\n\
        <host_info>\n<domain_name>Ann &amp; Bert</domain_name>\n<host_cpid>cc</host_cpid>\n\
        <p_ncpus>2</p_ncpus>\n<p_model>Model</p_model>\n<p_fpops>4000000000.000000</p_fpops>\n\
        <m_nbytes>24e9</m_nbytes>\n<os_name>Linux</os_name>\n<p_features>fpu avx2</p_features>\n\
        <d_free>7e9</d_free>\n</host_info>\n<disk_usage>\n\
        <d_boinc_used_project>1e9</d_boinc_used_project>\n\
        <d_project_share>5e9</d_project_share>\n</disk_usage>\n<result>\n<name>r_1</name>\n<final_cpu_time>1.5</final_cpu_time>\n\
        <exit_status>0</exit_status>\n<state>5</state>\n<stderr_out>\n<![CDATA[\n<x> done\n]]>\n\
        </stderr_out>\n</result>\n<other_results>\n<other_result>\n<name>r_2</name>\n\
        </other_result>\n</other_results>\n<msg_from_host>\n<result_name>r_2</result_name>\n\
        <time>7</time>\n<variety>progress</variety>\n<fraction>0.250000</fraction>\n\
        </msg_from_host>\n</scheduler_request>\n";

    #[test]
    fn a_request_is_read() {
        let read = SchedulerRequest::read(REAL.as_bytes()).unwrap();
        assert_eq!((read.client, read.host.host, read.host.seqno), ((7, 20, 5), 17, 4));
        assert_eq!(read.platforms, ["x86_64-pc-linux-gnu", "i686-pc-linux-gnu"]);
        assert_eq!((read.host.processors, &*read.host.shown), (2, "Ann & Bert"));
        assert_eq!((read.seconds, read.instances, read.wants_work()), (86.4, 1.0, true));
        assert_eq!(read.room, 4e9);
        let says_nothing = b"<scheduler_request></scheduler_request>";
        assert_eq!(SchedulerRequest::read(says_nothing).unwrap().room, f64::INFINITY);
        let report = &read.reports[0];
        assert_eq!((&*report.name, report.state, report.end.cpu), ("r_1", 5, 1.5));
        assert_eq!(report.end.words, "<x> done");
        assert_eq!(read.others, Some(vec!["r_2".to_owned()]));
        assert_eq!(read.trickles[0].fraction, Some(0.25));
        assert_eq!(read.code_sign_key, "1024\nab\n.");
    }

    /// Whatever comes in, there is an answer, and it is within limits.
    #[test]
    fn damaged_requests_are_read_or_refused() {
        let mut rng = game::Rng::new(25);
        let mut read = 0;
        for _ in 0..20_000 {
            let mut bytes = REAL.as_bytes().to_vec();
            for _ in 0..1 + rng.below(6) {
                let at = rng.below(bytes.len());
                match rng.below(5) {
                    0 => bytes[at] = rng.next_u64() as u8,
                    1 => bytes.truncate(at.max(1)),
                    2 => bytes.insert(at, b"<>&/"[rng.below(4)]),
                    3 => {
                        let other = rng.below(bytes.len());
                        let piece = bytes[at.min(other)..at.max(other)].to_vec();
                        bytes.splice(at..at, piece);
                    }
                    _ if bytes.len() > 1 => drop(bytes.remove(at)),
                    _ => {}
                }
            }
            if let Ok(request) = SchedulerRequest::read(&bytes) {
                read += 1;
                assert!(request.seconds.is_finite() && request.host.processors >= 1);
                assert!(request.room >= 0.0);
                assert!(request.authenticator.chars().count() <= 250);
                assert!(request.reports.len() <= MOST_RESULTS);
            }
        }
        assert!(read > 100, "{read}");
    }
}
