//! [`RealClient`]: Debian's BOINC client in a folder of its own, on this machine alone.

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What says who may control the client.
const PASSWORD: &str = "only-for-tests";

/// The client's own log says what it does, nobody is asked but the project, benchmarks wait, and
/// programs have the priority of the test, so that they get on beside other tests.
const CONFIGURATION: &str = "<cc_config>
<log_flags><task>1</task><file_xfer>1</file_xfer><sched_ops>1</sched_ops><sched_op_debug>1</sched_op_debug><checkpoint_debug>1</checkpoint_debug><trickle_debug>1</trickle_debug></log_flags>
<options><allow_multiple_clients>1</allow_multiple_clients><dont_contact_ref_site>1</dont_contact_ref_site><skip_cpu_benchmarks>1</skip_cpu_benchmarks><no_info_fetch>1</no_info_fetch><ncpus>1</ncpus><no_priority_change>1</no_priority_change><suppress_net_info>1</suppress_net_info>{proxy}</options>
</cc_config>
";

const PREFERENCES: &str = "<global_preferences>
<run_on_batteries>1</run_on_batteries><run_if_user_active>1</run_if_user_active>
<suspend_cpu_usage>0</suspend_cpu_usage><niu_suspend_cpu_usage>0</niu_suspend_cpu_usage>
<disk_interval>1</disk_interval><cpu_usage_limit>100</cpu_usage_limit>
<work_buf_min_days>0.0005</work_buf_min_days><work_buf_additional_days>0.0005</work_buf_additional_days>
<leave_apps_in_memory>1</leave_apps_in_memory>
</global_preferences>
";

/// See the module. Dropping it ends it and all it has started.
pub(crate) struct RealClient {
    folder: PathBuf,
    port: u16,
    process: Option<Child>,
}

impl RealClient {
    /// A new client that runs, by a proxy on this port of this machine.
    pub(crate) fn start(folder: PathBuf, proxy: Option<u16>) -> RealClient {
        fs::create_dir_all(&folder).unwrap();
        let proxy = proxy.map_or_else(String::new, |port| {
            format!(
                "<proxy_info><use_http_proxy/><http_server_name>127.0.0.1</http_server_name>\
                 <http_server_port>{port}</http_server_port></proxy_info>"
            )
        });
        let configuration = CONFIGURATION.replace("{proxy}", &proxy);
        fs::write(folder.join("cc_config.xml"), configuration).unwrap();
        fs::write(folder.join("global_prefs_override.xml"), PREFERENCES).unwrap();
        fs::write(folder.join("gui_rpc_auth.cfg"), PASSWORD).unwrap();
        let mut client = RealClient { folder, port: free_port(), process: None };
        client.go_on();
        client
    }

    /// Starts it again after it was killed.
    pub(crate) fn go_on(&mut self) {
        let log = File::options().create(true).append(true).open(self.folder.join("log")).unwrap();
        let started = Command::new("boinc")
            .arg("--dir")
            .arg(&self.folder)
            .args(["--gui_rpc_port", &self.port.to_string()])
            .args(["--no_gpus", "--no_info_fetch", "--allow_multiple_clients"])
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn();
        self.process = Some(started.expect("boinc-client is installed by `cargo xtask test`"));
        wait_until("the client answers", || self.command(&["--client_version"]).is_some());
    }

    /// What `boinccmd` says; `None` if the client does not do it.
    pub(crate) fn command(&self, arguments: &[&str]) -> Option<String> {
        let ran = Command::new("boinccmd")
            .args(["--host", &format!("localhost:{}", self.port), "--passwd", PASSWORD])
            .args(arguments)
            .current_dir(&self.folder)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ran.stdout).into_owned();
        ran.status.success().then_some(said)
    }

    pub(crate) fn attach(&self, url: &str, authenticator: &str) {
        let attached = self.command(&["--project_attach", url, authenticator]);
        assert!(attached.is_some(), "{}", self.log());
    }

    /// Has it ask the project now.
    pub(crate) fn update(&self, url: &str) {
        self.command(&["--project", url, "update"]);
    }

    /// Names and states of its tasks.
    pub(crate) fn tasks(&self) -> Vec<Task> {
        let text = self.command(&["--get_tasks"]).unwrap_or_default();
        let mut tasks: Vec<Task> = Vec::new();
        for line in text.lines() {
            let Some((key, value)) = line.trim().split_once(": ") else { continue };
            match (key, tasks.last_mut()) {
                ("name", _) => tasks.push(Task { name: value.to_owned(), ..Task::default() }),
                ("active_task_state", Some(task)) => task.state = value.to_owned(),
                ("fraction done", Some(task)) => task.fraction = value.parse().unwrap_or(0.0),
                ("CPU time at last checkpoint", Some(task)) => {
                    task.checkpoint = value.parse().unwrap_or(0.0);
                }
                _ => {}
            }
        }
        tasks
    }

    /// What it has said so far.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.folder.join("log")).unwrap_or_default()
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// `kill -9` of the client alone.
    pub(crate) fn kill(&mut self) {
        let mut process = self.process.take().unwrap();
        process.kill().unwrap();
        process.wait().unwrap();
    }

    /// The processes that work for it: those that are in its slots.
    pub(crate) fn programs(&self) -> Vec<u32> {
        let slots = self.folder.join("slots").canonicalize().unwrap_or_default();
        let number = |entry: &fs::DirEntry| entry.file_name().to_str()?.parse::<u32>().ok();
        let is_ours = |number: &u32| {
            fs::read_link(format!("/proc/{number}/cwd"))
                .is_ok_and(|folder| !slots.as_os_str().is_empty() && folder.starts_with(&slots))
        };
        let entries = fs::read_dir("/proc").unwrap();
        entries.filter_map(|entry| number(&entry.ok()?)).filter(is_ours).collect()
    }

    /// `kill -9` of the programs in its slots; how many there were.
    pub(crate) fn kill_programs(&self) -> usize {
        let programs = self.programs();
        for number in &programs {
            let _ = Command::new("kill").args(["-9", &number.to_string()]).status();
        }
        programs.len()
    }
}

impl Drop for RealClient {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
        self.kill_programs();
        if std::thread::panicking() {
            eprintln!("the client in {} said:\n{}", self.folder.display(), self.log());
        }
    }
}

/// A task of the client.
#[derive(Debug, Default)]
pub(crate) struct Task {
    pub(crate) name: String,
    pub(crate) state: String,
    pub(crate) fraction: f64,
    pub(crate) checkpoint: f64,
}

impl Task {
    pub(crate) fn is_running(&self) -> bool {
        self.state == "EXECUTING"
    }
}

pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Waits for something that surely comes.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(1800);
    while !is_so() {
        assert!(Instant::now() < until, "{what}: it does not come");
        std::thread::sleep(Duration::from_millis(500));
    }
}
