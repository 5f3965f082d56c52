//! A real PostgreSQL, started as an ordinary user in a folder of its own.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use tempfile::TempDir;

const BINARIES: [&str; 5] = ["15", "16", "17", "18", "14"];
/// Set to 1 where no PostgreSQL can be had: its tests then say so and pass.
const MAY_LACK: &str = "ZERMELO_TEST_WITHOUT_POSTGRESQL";
/// Anybody but root, whom the server refuses.
const NOBODY: &str = "65534";

/// A server; stopped and deleted when it is dropped, also by a test that fails.
pub(crate) struct Server {
    folder: TempDir,
    binaries: PathBuf,
    port: AtomicU16,
}

impl Server {
    /// Starts one; `None` if there is none and a variable allows that.
    pub(crate) fn start() -> Option<Server> {
        Server::start_in(&|_| {})
    }

    /// The same; `prepare` may do something with its folder before it is filled.
    pub(crate) fn start_in(prepare: &dyn Fn(&Path)) -> Option<Server> {
        let folders = BINARIES.iter().map(|version| format!("/usr/lib/postgresql/{version}/bin"));
        let found = folders.map(PathBuf::from).find(|folder| folder.join("initdb").exists());
        let Some(binaries) = found else {
            let may_lack = std::env::var(MAY_LACK).is_ok_and(|value| value == "1");
            assert!(may_lack, "PostgreSQL is not installed; {MAY_LACK}=1 leaves it untested");
            eprintln!("PostgreSQL is not installed: the record is not tested with it");
            return None;
        };
        let folder = tempfile::Builder::new().prefix("zpg").tempdir_in("/tmp").unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
        prepare(folder.path());
        let server = Server { folder, binaries, port: AtomicU16::new(5432) };
        let data = server.data();
        let arguments = ["-A", "trust", "-U", "zermelo", "-E", "UTF8", "--no-locale", "-D"];
        server.run("initdb", &[&arguments[..], &[path(&data)]].concat());
        // By its socket alone, so that no port is taken from anybody.
        let settings = format!(
            "listen_addresses = ''\nunix_socket_directories = '{}'\nfsync = on\n",
            path(server.folder.path())
        );
        let file = data.join("postgresql.auto.conf");
        fs::write(&file, settings).unwrap();
        server.begin();
        Some(server)
    }

    /// The address of its database.
    pub(crate) fn url(&self) -> String {
        let folder = path(self.folder.path()).replace('/', "%2F");
        format!("postgres://zermelo@{folder}:{}/postgres", self.port.load(Relaxed))
    }

    /// Where it is, and where everybody may write.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Listens on a free port of this machine, too, with this certificate; which port.
    pub(crate) fn listen_with_tls(&self, certificate: &Path, key: &Path) -> u16 {
        for file in [certificate, key] {
            fs::set_permissions(file, fs::Permissions::from_mode(0o600)).unwrap();
            if is_root() {
                let nobody = NOBODY.parse().unwrap();
                std::os::unix::fs::chown(file, Some(nobody), Some(nobody)).unwrap();
            }
        }
        let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = free.local_addr().unwrap().port();
        drop(free);
        let (certificate, key) = (path(certificate), path(key));
        self.restart_with(&format!(
            "listen_addresses = '127.0.0.1'\nport = {port}\nssl = on\n\
             ssl_cert_file = '{certificate}'\nssl_key_file = '{key}'"
        ));
        self.port.store(port, Relaxed);
        port
    }

    /// How many connections of ours there are, and how many of them are encrypted.
    pub(crate) fn sessions(&self) -> (i64, i64) {
        let count = "SELECT count(*), count(*) FILTER (WHERE s.ssl) FROM pg_stat_ssl s
                     JOIN pg_stat_activity a USING (pid) WHERE a.application_name = 'zermelo'";
        let rows = self.query("postgres", count).unwrap();
        (rows[0][0].parse().unwrap(), rows[0][1].parse().unwrap())
    }

    /// An empty database of its own for each who asks.
    pub(crate) fn database(&self, name: &str) -> String {
        self.run("createdb", &["-h", path(self.folder.path()), "-U", "zermelo", name]);
        let url = self.url();
        format!("{}/{name}", url.strip_suffix("/postgres").unwrap())
    }

    /// What a statement gives: rows of columns, as texts. `None` if nobody answers.
    pub(crate) fn query(&self, database: &str, statement: &str) -> Option<Vec<Vec<String>>> {
        let (folder, port) = (path(self.folder.path()), self.port.load(Relaxed).to_string());
        let whom = ["-h", folder, "-p", &port, "-U", "zermelo", "-d", database];
        let arguments = [&whom[..], &["-XqAt", "-F", "\t", "-c", statement]].concat();
        let output = self.command("psql", &arguments).stdout(Stdio::piped()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let columns = |line: &str| line.split('\t').map(str::to_owned).collect();
        output.status.success().then(|| text.lines().map(columns).collect())
    }

    /// The process that started all others of this server, if it runs.
    pub(crate) fn process(&self) -> Option<u32> {
        let file = fs::read_to_string(self.data().join("postmaster.pid")).ok()?;
        let main: u32 = file.lines().next()?.parse().ok()?;
        Path::new(&format!("/proc/{main}")).exists().then_some(main)
    }

    /// Ends it without a word.
    pub(crate) fn kill(&self) {
        let Some(main) = self.process() else { return };
        let main = main.to_string();
        let killed = Command::new("kill").args(["-9", &main]).status().unwrap();
        assert!(killed.success());
        let children = || Command::new("pgrep").args(["-P", &main]).output().unwrap().stdout;
        while Path::new(&format!("/proc/{main}")).exists() || !children().is_empty() {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }

    /// Ends it without a word, and starts it anew.
    pub(crate) fn kill_and_restart(&self) {
        self.kill();
        self.begin();
    }

    /// Other settings from now on.
    pub(crate) fn restart_with(&self, setting: &str) {
        let file = self.data().join("postgresql.auto.conf");
        let before = fs::read_to_string(&file).unwrap();
        fs::write(&file, format!("{before}{setting}\n")).unwrap();
        self.run("pg_ctl", &["-D", path(&self.data()), "-m", "fast", "-w", "-s", "stop"]);
        self.begin();
    }

    /// Starts it again.
    pub(crate) fn begin(&self) {
        let (data, log) = (self.data(), self.folder.path().join("log"));
        // One that was killed leaves memory behind that its children still hold for a moment.
        for _ in 0..50 {
            let arguments = ["-D", path(&data), "-l", path(&log), "-w", "-s", "start"];
            if self.command("pg_ctl", &arguments).status().unwrap().success() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(100));
        }
        panic!("PostgreSQL does not start: {}", fs::read_to_string(log).unwrap_or_default());
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// One of its programs, which has to work.
    pub(crate) fn run(&self, program: &str, arguments: &[&str]) {
        let output = self.command(program, arguments).output().unwrap();
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{program}: {told}");
    }

    /// As whoever runs the tests, or as nobody if that is root.
    fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let program = self.binaries.join(program);
        let mut command = if is_root() {
            let mut command = Command::new("setpriv");
            command.args(["--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"]).arg(program);
            command
        } else {
            Command::new(program)
        };
        command.args(arguments).current_dir("/").stdin(Stdio::null()).stdout(Stdio::null());
        command
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let data = self.data();
        let arguments = ["-D", path(&data), "-m", "immediate", "-s", "stop"];
        drop(self.command("pg_ctl", &arguments).stderr(Stdio::null()).status());
    }
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

fn path(path: &Path) -> &str {
    path.to_str().unwrap()
}
