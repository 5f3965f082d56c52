//! [`Reply`]: the answer of the scheduler, element by element as the client reads it.

use solve::message::{LARGEST_REPORT, Unit, UnitId, UnitTask};

use super::keys::{BoincKey, BoincKeyError, md5_text};
use super::xml::XmlText;
use super::{BoincOptions, LARGEST_LEMMA_FILE};
use crate::record::{AccountRow, AppVersionRow, CodeKeyRow, CreditRow, HostMet, averaged};

/// Positions for a unit of BOINC's credit, which is 1/200 of a day at a thousand million operations
/// in a second.
pub(super) const POSITIONS_FOR_CREDIT: f64 = 4.32e11 / OPERATIONS;
/// Operations for a position: about what engines of these games need.
const OPERATIONS: f64 = 1000.0;
/// A program that needs so many times as long as was thought is stopped by the client.
const PATIENCE: f64 = 200.0;
const LEAST_BOUND: f64 = 1e15;
/// Memory beside the table, and room on the disk.
const MEMORY: f64 = 300e6;
pub(super) const DISK: f64 = 300e6;
/// The contract between client and program that programs follow.
const API_VERSION: &str = "7.20.0";

/// When a client may come again, if not soon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Delay {
    Hour,
    Hours,
    Day,
}

/// A result on its way to a client.
#[derive(Clone, Debug)]
pub(super) struct SentResult {
    name: String,
    deadline: u64,
    unit: Unit,
    size: usize,
    md5: String,
    version: AppVersionRow,
    flops: f64,
    /// How long it may take there.
    pub(super) seconds: f64,
}

impl SentResult {
    pub(super) fn new(
        name: String,
        deadline: u64,
        unit: &[u8],
        version: &AppVersionRow,
        flops: f64,
    ) -> Option<SentResult> {
        let (size, md5) = (unit.len(), md5_text(unit));
        let unit = Unit::decode(unit).ok()?;
        let seconds = operations(&unit) / flops;
        Some(SentResult {
            name,
            deadline,
            unit,
            size,
            md5,
            version: version.clone(),
            flops,
            seconds,
        })
    }
}

fn operations(unit: &Unit) -> f64 {
    unit.budget as f64 * OPERATIONS
}

/// The file of a unit that clients download.
pub(super) fn unit_file(unit: UnitId) -> String {
    let UnitId { project, incarnation, number } = unit;
    format!("unit_{project}_{incarnation}_{number}.unit")
}

/// Which unit a file belongs to.
pub(super) fn unit_of_file(file: &str) -> Option<UnitId> {
    let mut parts = file.strip_prefix("unit_")?.strip_suffix(".unit")?.split('_');
    let mut number = || parts.next()?.parse::<u64>().ok();
    let (project, incarnation, number) = (number()?, number()?, number()?);
    let unit = UnitId {
        project: project.try_into().ok()?,
        incarnation: incarnation.try_into().ok()?,
        number,
    };
    (unit_file(unit) == file).then_some(unit)
}

/// What clients call the report of a result.
pub(super) fn report_file(result: &str) -> String {
    format!("{result}_r0")
}

/// What clients call the lemmas of a result.
pub(super) fn lemma_file(result: &str) -> String {
    format!("{result}_r1")
}

/// Of which result a file is.
pub(super) fn result_of_file(file: &str) -> Option<&str> {
    file.strip_suffix("_r0").or_else(|| file.strip_suffix("_r1"))
}

/// What the upload key signs for a file.
pub(super) fn certificate(file: &str, most: u64) -> String {
    format!("<name>{file}</name><max_nbytes>{most}</max_nbytes>")
}

/// Credit as BOINC counts it.
pub(super) fn credits(positions: f64) -> f64 {
    positions / POSITIONS_FOR_CREDIT
}

pub(super) struct Reply<'o> {
    options: &'o BoincOptions,
    text: XmlText,
    delay: f64,
}

impl<'o> Reply<'o> {
    pub(super) fn new(options: &'o BoincOptions) -> Reply<'o> {
        let mut text = XmlText::new("scheduler_reply");
        text.value("scheduler_version", 720).flag("dont_use_dcf");
        text.value("master_url", &options.url).value("project_name", &options.name);
        Reply { options, text, delay: f64::from(options.request_delay) }
    }

    /// The more wait, the later everybody comes again.
    pub(super) fn load(&mut self, load: f64) {
        self.delay *= 1.0 + 20.0 * load.clamp(0.0, 1.0);
    }

    pub(super) fn delay(&mut self, delay: Delay) {
        let seconds = match delay {
            Delay::Hour => 3600.0,
            Delay::Hours => 4.0 * 3600.0,
            Delay::Day => 86_400.0,
        };
        self.delay = self.delay.max(seconds);
    }

    /// Nobody is at home.
    pub(super) fn down(mut self) -> Reply<'o> {
        self.message("notice", "The project is down for maintenance; work goes on meanwhile");
        self.text.flag("project_is_down");
        self.delay(Delay::Hour);
        self
    }

    pub(super) fn flag(&mut self, name: &str) {
        self.text.flag(name);
    }

    pub(super) fn message(&mut self, priority: &str, words: &str) {
        let words = super::xml::escaped(words);
        self.text.raw(&format!("<message priority=\"{priority}\">{words}</message>"));
    }

    pub(super) fn identity(&mut self, account: &AccountRow, met: &HostMet) {
        let average = |credit: &CreditRow| credits(averaged(credit.average, credit.at, met.now));
        let total = |credit: &CreditRow| credits(credit.total as f64);
        let text = &mut self.text;
        text.value("userid", account.user).value("user_name", &account.shown);
        text.value("user_total_credit", format!("{:.6}", total(&account.credit)));
        text.value("user_expavg_credit", format!("{:.6}", average(&account.credit)));
        text.value("user_create_time", account.created);
        text.value("email_hash", &account.email_hash);
        text.value("cross_project_id", &account.cpid);
        // To others it would say: you are somebody new.
        if met.is_new {
            text.value("hostid", met.who.host);
        }
        text.value("host_total_credit", format!("{:.6}", total(&met.credit)));
        text.value("host_expavg_credit", format!("{:.6}", average(&met.credit)));
        text.value("teamid", account.team.unwrap_or(0));
        text.open("project_preferences");
        text.value("resource_share", account.share);
        if !account.preferences.is_empty() {
            text.open("project_specific").value("wishes", &account.preferences);
            text.close("project_specific");
        }
        text.close("project_preferences");
        text.open("rss_feeds").open("rss_feed");
        text.value("url", format!("{}notices.rss", self.options.url));
        text.value("poll_interval", 86_400).close("rss_feed").close("rss_feeds");
    }

    pub(super) fn code_key(&mut self, key: &CodeKeyRow, is_next: bool) {
        self.text.lines("code_sign_key", &key.public);
        if is_next {
            self.text.lines("code_sign_key_signature", &key.signature);
        }
    }

    pub(super) fn ack(&mut self, result: &str) {
        self.text.open("result_ack").value("name", result).close("result_ack");
    }

    pub(super) fn abort(&mut self, result: &str, only_if_not_started: bool) {
        let element = match only_if_not_started {
            true => "result_abort_if_not_started",
            false => "result_abort",
        };
        self.text.open(element).value("name", result).close(element);
    }

    pub(super) fn trickle_down(&mut self, result: &str, now: u64, word: &str) {
        self.text.open("trickle_down").value("result_name", result).value("time", now);
        self.text.flag(word).close("trickle_down");
    }

    /// Everything that a client needs to work at these.
    pub(super) fn work(
        &mut self,
        sent: &[SentResult],
        upload_key: &BoincKey,
    ) -> Result<(), BoincKeyError> {
        let mut programs: Vec<&SentResult> = Vec::new();
        let mut units: Vec<&SentResult> = Vec::new();
        for one in sent {
            if !programs.iter().any(|known| known.version.id == one.version.id) {
                programs.push(one);
            }
            if !units.iter().any(|known| known.unit.id == one.unit.id) {
                units.push(one);
            }
        }
        for &one in &programs {
            self.program(one);
        }
        for &one in &units {
            self.unit(one);
        }
        for one in sent {
            self.result(one, upload_key)?;
        }
        Ok(())
    }

    fn program(&mut self, one: &SentResult) {
        let (version, url) = (&one.version, &self.options.url);
        let text = &mut self.text;
        text.open("app").value("name", &version.app);
        text.value("user_friendly_name", &self.options.name).close("app");
        text.open("file_info").value("name", &version.file);
        text.value("url", format!("{url}download/{}", version.file)).flag("executable");
        text.lines("file_signature", &version.signature);
        text.value("md5_cksum", &version.md5).value("nbytes", version.size).close("file_info");
        text.open("app_version").value("app_name", &version.app);
        text.value("version_num", version.version).value("platform", &version.platform);
        text.value("plan_class", &version.plan_class).value("api_version", API_VERSION);
        text.value("avg_ncpus", 1).value("flops", format!("{:e}", one.flops));
        text.open("file_ref").value("file_name", &version.file).flag("main_program");
        text.close("file_ref").close("app_version");
    }

    fn unit(&mut self, one: &SentResult) {
        let file = unit_file(one.unit.id);
        let url = &self.options.url;
        let operations = operations(&one.unit);
        let text = &mut self.text;
        text.open("file_info").value("name", &file).value("url", format!("{url}download/{file}"));
        text.value("md5_cksum", &one.md5).value("nbytes", one.size).close("file_info");
        text.open("workunit").value("name", unit_name(one.unit.id));
        text.value("app_name", &one.version.app);
        text.value("rsc_fpops_est", format!("{operations:e}"));
        let bound = (operations * PATIENCE).max(LEAST_BOUND);
        text.value("rsc_fpops_bound", format!("{bound:e}"));
        let memory = f64::from(one.unit.table_megabytes) * 1.1e6 + MEMORY;
        text.value("rsc_memory_bound", format!("{memory:e}"));
        text.value("rsc_disk_bound", format!("{DISK:e}"));
        if self.options.trickle > 0 {
            text.value("command_line", format!("--trickle {}", self.options.trickle));
        }
        text.open("file_ref").value("file_name", &file).value("open_name", "unit");
        text.close("file_ref").close("workunit");
    }

    fn result(&mut self, one: &SentResult, upload_key: &BoincKey) -> Result<(), BoincKeyError> {
        let mut files = vec![(report_file(&one.name), "report", LARGEST_REPORT as u64, false)];
        if matches!(one.unit.task, UnitTask::Certify { .. }) {
            files.push((lemma_file(&one.name), "lemma", LARGEST_LEMMA_FILE, true));
        }
        let text = &mut self.text;
        for (file, _, most, _) in &files {
            text.open("file_info").value("name", file);
            text.flag("generated_locally").flag("upload_when_present");
            text.value("max_nbytes", most);
            text.value("url", format!("{}file_upload_handler", self.options.url));
            let signature = upload_key.sign(certificate(file, *most).as_bytes())?;
            text.lines("xml_signature", &signature).close("file_info");
        }
        text.open("result").value("name", &one.name).value("wu_name", unit_name(one.unit.id));
        text.value("platform", &one.version.platform).value("version_num", one.version.version);
        text.value("plan_class", &one.version.plan_class);
        text.value("report_deadline", one.deadline).flag("report_immediately");
        for (file, open_name, _, is_optional) in &files {
            text.open("file_ref").value("file_name", file).value("open_name", open_name);
            if *is_optional {
                text.flag("optional");
            }
            text.close("file_ref");
        }
        text.close("result");
        Ok(())
    }

    pub(super) fn finish(mut self) -> String {
        self.text.value("request_delay", format!("{:.0}", self.delay.min(604_800.0)));
        if self.options.next_contact > 0 {
            self.text.value("next_rpc_delay", self.options.next_contact);
        }
        self.text.finish("scheduler_reply")
    }
}

fn unit_name(unit: UnitId) -> String {
    let UnitId { project, incarnation, number } = unit;
    format!("unit_{project}_{incarnation}_{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_say_what_they_are() {
        let unit = UnitId { project: 7, incarnation: 2, number: u64::MAX };
        assert_eq!(unit_of_file(&unit_file(unit)), Some(unit));
        for wrong in [
            "",
            "unit_1_2.unit",
            "unit_1_2_03.unit",
            "unit_1_2_3",
            "unit_1_2_3_4.unit",
            "unit_-1_2_3.unit",
            "../unit_1_2_3.unit",
            "unit_99999999999_1_1.unit",
        ] {
            assert_eq!(unit_of_file(wrong), None, "{wrong}");
        }
        assert_eq!(result_of_file(&report_file("unit_1_2_3_ab_0")), Some("unit_1_2_3_ab_0"));
        assert_eq!(result_of_file(&lemma_file("r")), Some("r"));
        assert_eq!(result_of_file("r"), None);
    }
}
