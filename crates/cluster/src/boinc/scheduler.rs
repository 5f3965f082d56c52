//! [`Scheduler`]: what a client hears that asks. Results are leases of the record; whatever a
//! client says is believed in nothing but by the coordinator.

use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::BoincOptions;
use super::keys::BoincKey;
use super::program::{KeyNews, chosen, key_news};
use super::reply::{DISK, Delay, Reply, SentResult};
use super::request::SchedulerRequest;
use crate::record::{
    AccountRow, AppVersionRow, ClusterRecord, CodeKeyRow, HostMet, RecordError, ResultEnd,
    ResultOutcome, ResultRequest, VolunteerResult, WorkLimits,
};
use crate::{DoorError, Handed, Refused, WorkDoor};

/// Programs and keys are looked up so often.
const FRESH: Duration = Duration::from_secs(2);

/// See the module.
pub struct Scheduler {
    pub(super) record: ClusterRecord,
    pub(super) options: BoincOptions,
    pub(super) upload_key: BoincKey,
    programs: Mutex<Option<(Instant, Programs)>>,
}

/// What the project has to be run.
#[derive(Clone, Debug, Default)]
struct Programs {
    versions: Vec<AppVersionRow>,
    keys: Vec<CodeKeyRow>,
}

impl std::fmt::Debug for Scheduler {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Scheduler").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Scheduler {
    /// For the projects of a record.
    #[must_use]
    pub fn new(record: &ClusterRecord, options: BoincOptions, upload_key: BoincKey) -> Scheduler {
        let lease_seconds = options.deadline + options.grace;
        let (in_progress, daily) = (options.in_progress, options.daily);
        let limits = WorkLimits { lease_seconds, in_progress, daily, ..record.limits() };
        let record = record.clone().with_limits(limits);
        Scheduler { record, options, upload_key, programs: Mutex::default() }
    }

    /// The reply to a request. `load` is from 0, nobody waits, to 1, as many as may.
    #[must_use]
    pub fn reply(&self, bytes: &[u8], from: IpAddr, load: f64) -> String {
        let mut reply = Reply::new(&self.options);
        if self.options.maintenance {
            return reply.down().finish();
        }
        let request = match SchedulerRequest::read(bytes) {
            Ok(request) => request,
            Err(error) => {
                tracing::info!(%error, %from, "a scheduler request is refused");
                reply.message("notice", &format!("This request cannot be read: {error}"));
                reply.delay(Delay::Hour);
                return reply.finish();
            }
        };
        reply.load(load);
        match self.answer(&request, from, &mut reply) {
            Ok(()) => reply.finish(),
            Err(error) => {
                tracing::warn!(%error, "the record does not answer a client");
                Reply::new(&self.options).down().finish()
            }
        }
    }

    fn answer(
        &self,
        request: &SchedulerRequest,
        from: IpAddr,
        reply: &mut Reply<'_>,
    ) -> Result<(), DoorError> {
        let Some(account) = self.record.account(&request.authenticator)? else {
            reply.message("notice", "Invalid or missing account key");
            reply.delay(Delay::Day);
            return Ok(());
        };
        let met = self.record.meet_host(account.user, &request.host, from)?;
        reply.identity(&account, &met);
        let programs = self.programs()?;
        let keys_fit = self.tell_keys(&programs, request, reply);
        self.hear_reports(&account, &met, request, reply);
        for trickle in &request.trickles {
            if let Some(fraction) = trickle.fraction {
                self.record.note_progress(account.user, &trickle.result, fraction)?;
            }
        }
        if !request.trickles.is_empty() {
            reply.flag("message_ack");
        }
        let lost = self.compare(&met, request, reply)?;
        if !request.wants_work() {
            return Ok(());
        }
        if request.client < self.options.min_client {
            let (major, minor, release) = self.options.min_client;
            let words = format!("BOINC {major}.{minor}.{release} or newer is needed");
            reply.message("notice", &words);
            reply.delay(Delay::Day);
            return Ok(());
        }
        if !keys_fit {
            return Ok(());
        }
        let Some(program) = chosen(&programs.versions, request) else {
            reply.message("notice", "There is no program for this kind of machine yet");
            reply.delay(Delay::Day);
            return Ok(());
        };
        self.send_work(program, &programs, &met, request, lost, reply)
    }

    /// Whether the client can check programs by the newest key once it has this reply.
    fn tell_keys(
        &self,
        programs: &Programs,
        request: &SchedulerRequest,
        reply: &mut Reply<'_>,
    ) -> bool {
        match key_news(&programs.keys, &request.code_sign_key) {
            KeyNews::Nothing => true,
            KeyNews::First(key) => {
                reply.code_key(key, false);
                true
            }
            KeyNews::Next(key, is_newest) => {
                reply.code_key(key, true);
                is_newest
            }
            KeyNews::Unknown => {
                let words = match programs.keys.is_empty() {
                    true => "This project has no programs yet",
                    false => "The code-signing key is not this project's: please reset the project",
                };
                reply.message("notice", words);
                reply.delay(Delay::Day);
                false
            }
        }
    }

    /// Compares what the machine should have with what it has: what nobody needs is taken from it,
    /// and what it has lost is given back.
    fn compare(
        &self,
        met: &HostMet,
        request: &SchedulerRequest,
        reply: &mut Reply<'_>,
    ) -> Result<Vec<VolunteerResult>, DoorError> {
        let Some(others) = &request.others else { return Ok(Vec::new()) };
        let open = self.record.open_results(met.who.host)?;
        let mut told = Vec::new();
        for name in others {
            match open.iter().find(|result| result.name == *name) {
                Some(result) if is_needed(result) => {}
                Some(result) if result.told => reply.abort(name, false),
                Some(result) => {
                    reply.abort(name, true);
                    let word = if result.is_over { "solved" } else { "stop" };
                    reply.trickle_down(name, met.now, word);
                    told.push(name.clone());
                }
                None => {
                    let theirs = self.record.volunteer_result(name)?;
                    let is_theirs = theirs
                        .is_some_and(|one| one.user == met.who.user && one.reported.is_none());
                    if !is_theirs {
                        reply.abort(name, false);
                    }
                }
            }
        }
        if !told.is_empty() {
            self.record.mark_told(&told)?;
        }
        let mut lost = Vec::new();
        for result in open {
            let is_known = others.contains(&result.name)
                || request.reports.iter().any(|report| report.name == result.name);
            if is_known {
                continue;
            }
            if result.is_open && result.deadline > met.now {
                lost.push(result);
            } else {
                let end = ResultEnd::default();
                self.record.end_result(&result.name, ResultOutcome::Lost, &end)?;
                self.record.release(&met.who, result.unit, result.attempt)?;
            }
        }
        Ok(lost)
    }

    fn send_work(
        &self,
        program: &AppVersionRow,
        programs: &Programs,
        met: &HostMet,
        request: &SchedulerRequest,
        lost: Vec<VolunteerResult>,
        reply: &mut Reply<'_>,
    ) -> Result<(), DoorError> {
        let flops = request.host.flops.clamp(1e8, 1e13);
        let mut sent: Vec<SentResult> = Vec::new();
        for result in lost {
            let version = programs.versions.iter().find(|one| one.id == result.version);
            let bytes = self.record.unit_bytes(result.unit)?;
            if let (Some(version), Some(bytes)) = (version, bytes) {
                let (name, deadline) = (result.name, result.deadline);
                sent.extend(SentResult::new(name, deadline, &bytes, version, flops));
            }
        }
        if request.room < DISK {
            let (wanted, has) = (DISK / 1e6, request.room / 1e6);
            let words = format!("A task needs {wanted:.0} MB of disk, and BOINC has {has:.0} MB");
            reply.message("low", &words);
            return self.write_work(&sent, reply);
        }
        let waited = met.now.saturating_sub(met.asked);
        if sent.is_empty() && waited < self.options.min_interval {
            reply.message("low", "Not sending work: the last request was too recent");
            return self.write_work(&sent, reply);
        }
        let most = usize::try_from(self.options.per_request).unwrap_or(usize::MAX);
        let is_enough = |sent: &[SentResult]| {
            let seconds: f64 = sent.iter().map(|one| one.seconds).sum();
            sent.len() >= most
                || seconds >= request.seconds && sent.len() as f64 >= request.instances
        };
        while !is_enough(&sent) {
            let asked = ResultRequest {
                who: &met.who,
                solvers: &program.solvers,
                version: program.id,
                megabytes: megabytes(&request.host),
                deadline: self.options.deadline,
            };
            match self.record.lease_result(&asked)? {
                Ok(result) => {
                    let bytes = result.lease.unit.encode();
                    let one = SentResult::new(result.name, result.deadline, &bytes, program, flops);
                    sent.extend(one);
                }
                Err(nothing) => {
                    if sent.is_empty() {
                        self.tell_nothing(&nothing, &asked, reply)?;
                    }
                    break;
                }
            }
        }
        self.write_work(&sent, reply)
    }

    /// One line says why there is nothing, so that a volunteer can do something about it.
    fn tell_nothing(
        &self,
        nothing: &Handed,
        asked: &ResultRequest<'_>,
        reply: &mut Reply<'_>,
    ) -> Result<(), DoorError> {
        match nothing {
            Handed::Unit(..) | Handed::Later(_) => {
                let words = match self.record.is_for_others(asked)? {
                    true => "Other volunteers have to answer what is ready just now",
                    false => "No work is available just now",
                };
                reply.message("low", words);
            }
            Handed::Refused(Refused::TooMany(most)) => {
                let words = format!("This computer has its limit of {most} tasks in progress");
                reply.message("low", &words);
            }
            Handed::Refused(Refused::Quota(_)) => {
                reply.message("low", "This computer has finished a daily quota of tasks");
                reply.delay(Delay::Hours);
            }
            Handed::Refused(Refused::Memory(least)) => {
                let wanted = least.saturating_mul(MEMORY_FOR_TABLE);
                let words = format!("A task needs {wanted} MB of memory for each processor");
                reply.message("low", &words);
                reply.delay(Delay::Hour);
            }
            Handed::Refused(Refused::Banned) => {
                let words = "Results of this account were wrong and are not believed any longer: \
                             perhaps the memory of a computer is faulty";
                reply.message("notice", words);
                reply.delay(Delay::Day);
            }
            Handed::Refused(Refused::OtherVersion(_)) => {
                reply.message("notice", "The program for this kind of machine is being renewed");
                reply.delay(Delay::Hour);
            }
            Handed::Refused(Refused::Over) => {
                let words = "This project has come to its end: thank you for your help";
                reply.message("notice", words);
                reply.delay(Delay::Day);
            }
        }
        Ok(())
    }

    fn write_work(&self, sent: &[SentResult], reply: &mut Reply<'_>) -> Result<(), DoorError> {
        reply.work(sent, &self.upload_key).map_err(|error| DoorError::Record(Box::new(error)))
    }

    fn programs(&self) -> Result<Programs, RecordError> {
        let mut known = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((at, programs)) = &*known
            && at.elapsed() < FRESH
        {
            return Ok(programs.clone());
        }
        let (versions, keys) = (self.record.app_versions()?, self.record.code_keys()?);
        let programs = Programs { versions, keys };
        *known = Some((Instant::now(), programs.clone()));
        Ok(programs)
    }

    /// What was reported is acknowledged once it is in the record.
    fn hear_reports(
        &self,
        account: &AccountRow,
        met: &HostMet,
        request: &SchedulerRequest,
        reply: &mut Reply<'_>,
    ) {
        for report in &request.reports {
            match self.hear(account, &met.who, report) {
                Ok(()) => reply.ack(&report.name),
                // The client tells again.
                Err(error) => tracing::warn!(%error, "a report is not taken yet"),
            }
        }
    }
}

/// A unit whose answer is known still pays an equal answer; one that was withdrawn does not.
fn is_needed(result: &VolunteerResult) -> bool {
    !result.is_over && (result.is_open || result.is_answered)
}

/// A table has no more than one in so many bytes of a processor's share of the memory.
const MEMORY_FOR_TABLE: u32 = 2;

/// The largest table that each processor of a machine can have, beside what else is there.
fn megabytes(host: &crate::record::HostTold) -> u32 {
    if host.memory <= 0.0 {
        return 256;
    }
    let each = host.memory / f64::from(host.processors.max(1)) / f64::from(1 << 20);
    let each = each / f64::from(MEMORY_FOR_TABLE);
    each.clamp(16.0, 1e6) as u32
}
