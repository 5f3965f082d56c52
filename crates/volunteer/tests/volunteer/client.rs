//! A client that says what it is told to say, byte by byte.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use solve::message::{Unit, UnitReport};
use volunteer::{CHANNEL_BYTES, CHANNELS};

pub(crate) const CONTROL: usize = 0;
pub(crate) const STATUS: usize = 5;
pub(crate) const TRICKLE_UP: usize = 6;
pub(crate) const TRICKLE_DOWN: usize = 7;
const HEARTBEAT: usize = 4;

/// A client's folder with one slot, and the program in it while it runs.
pub(crate) struct FakeClient {
    folder: tempfile::TempDir,
    shared: File,
    process: Option<Child>,
    /// What the client writes into `init_data.xml` besides the name of the result.
    pub(crate) settings: String,
    pub(crate) arguments: Vec<&'static str>,
    pub(crate) heartbeats: bool,
}

/// Nothing in these tests takes longer.
const PATIENCE: Duration = Duration::from_secs(120);

impl FakeClient {
    /// With a unit, and outputs that are soft links.
    pub(crate) fn new(unit: &[u8]) -> FakeClient {
        let folder = tempfile::tempdir().unwrap();
        let (slot, project) = (folder.path().join("slots/0"), folder.path().join("projects/p"));
        fs::create_dir_all(&slot).unwrap();
        fs::create_dir_all(&project).unwrap();
        fs::write(project.join("wu_1"), unit).unwrap();
        for (name, file) in [("unit", "wu_1"), ("report", "wu_1_2_0"), ("lemma", "wu_1_2_1")] {
            let link = format!("<soft_link>../../projects/p/{file}</soft_link>\n");
            fs::write(slot.join(name), link).unwrap();
        }
        let file = slot.join("boinc_mmap_file");
        fs::write(&file, vec![0; CHANNELS * CHANNEL_BYTES]).unwrap();
        let shared = File::options().read(true).write(true).open(file).unwrap();
        let settings = "<checkpoint_period>1.0</checkpoint_period>\n".to_owned();
        FakeClient {
            folder,
            shared,
            process: None,
            settings,
            arguments: Vec::new(),
            heartbeats: true,
        }
    }

    pub(crate) fn of(unit: &Unit) -> FakeClient {
        FakeClient::new(&unit.encode())
    }

    pub(crate) fn slot(&self) -> PathBuf {
        self.folder.path().join("slots/0")
    }

    pub(crate) fn output(&self, name: &str) -> PathBuf {
        self.folder.path().join("projects/p").join(name)
    }

    /// Starts the program, as the client does: what it said before is gone.
    pub(crate) fn start(&mut self) {
        self.shared.write_all_at(&[0; CHANNELS * CHANNEL_BYTES], 0).unwrap();
        let init = format!(
            "<app_init_data>\n<result_name>wu_1_2</result_name>\n{}</app_init_data>\n",
            self.settings
        );
        fs::write(self.slot().join("init_data.xml"), init).unwrap();
        self.start_alone();
    }

    /// Starts it without a word.
    pub(crate) fn start_alone(&mut self) {
        let errors = File::options().create(true).append(true).open(self.slot().join("stderr.txt"));
        let child = Command::new(env!("CARGO_BIN_EXE_zermelo-volunteer"))
            .args(&self.arguments)
            .current_dir(self.slot())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(errors.unwrap())
            .spawn();
        self.process = Some(child.unwrap());
    }

    pub(crate) fn say(&self, channel: usize, text: &str) {
        let at = (channel * CHANNEL_BYTES) as u64;
        let until = Instant::now() + PATIENCE;
        while self.byte(at) != 0 {
            assert!(Instant::now() < until, "nobody reads channel {channel}");
            std::thread::sleep(Duration::from_millis(10));
        }
        let bytes: Vec<u8> = text.bytes().chain([0]).collect();
        self.shared.write_all_at(&bytes, at + 1).unwrap();
        self.shared.write_all_at(&[1], at).unwrap();
    }

    /// What the program says in a channel, if anything.
    pub(crate) fn hear(&self, channel: usize) -> Option<String> {
        let at = (channel * CHANNEL_BYTES) as u64;
        if self.byte(at) == 0 {
            return None;
        }
        let mut bytes = [0; CHANNEL_BYTES - 1];
        self.shared.read_exact_at(&mut bytes, at + 1).unwrap();
        self.shared.write_all_at(&[0], at).unwrap();
        let end = bytes.iter().position(|&byte| byte == 0).unwrap();
        Some(String::from_utf8(bytes[..end].to_vec()).unwrap())
    }

    pub(crate) fn is_read(&self, channel: usize) -> bool {
        self.byte((channel * CHANNEL_BYTES) as u64) == 0
    }

    fn byte(&self, at: u64) -> u8 {
        let mut byte = [0];
        self.shared.read_exact_at(&mut byte, at).unwrap();
        byte[0]
    }

    /// Beats until something is so.
    pub(crate) fn until<T>(
        &mut self,
        what: &str,
        mut is_so: impl FnMut(&FakeClient) -> Option<T>,
    ) -> T {
        let until = Instant::now() + PATIENCE;
        loop {
            let beat = (HEARTBEAT * CHANNEL_BYTES) as u64;
            if self.heartbeats && self.byte(beat) == 0 {
                self.say(HEARTBEAT, "<heartbeat/>\n<wss>1e6</wss>\n");
            }
            if let Some(found) = is_so(self) {
                return found;
            }
            assert!(Instant::now() < until, "{what}: {}", self.errors());
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The next fraction done that the program tells.
    pub(crate) fn fraction(&mut self) -> f64 {
        let status = self.until("no status", |client| client.hear(STATUS));
        let (_, rest) = status.split_once("<fraction_done>").unwrap();
        rest.split_once("</fraction_done>").unwrap().0.parse().unwrap()
    }

    /// Waits for the program to end by itself.
    pub(crate) fn ended(&mut self) -> ExitStatus {
        let mut process = self.process.take().unwrap();
        let status = self.until("it does not end", |client| {
            client.hear(STATUS);
            process.try_wait().unwrap()
        });
        self.process = None;
        status
    }

    pub(crate) fn kill(&mut self) {
        let mut process = self.process.take().unwrap();
        process.kill().unwrap();
        process.wait().unwrap();
    }

    pub(crate) fn is_finished(&self) -> bool {
        self.slot().join("boinc_finish_called").exists()
    }

    pub(crate) fn has_checkpoint(&self) -> bool {
        self.slot().join("checkpoint").exists()
    }

    pub(crate) fn errors(&self) -> String {
        fs::read_to_string(self.slot().join("stderr.txt")).unwrap_or_default()
    }

    pub(crate) fn report(&self) -> UnitReport {
        read_report(&self.output("wu_1_2_0"))
    }
}

pub(crate) fn read_report(file: &Path) -> UnitReport {
    UnitReport::decode(&fs::read(file).unwrap()).unwrap()
}

impl Drop for FakeClient {
    fn drop(&mut self) {
        if let Some(mut process) = self.process.take() {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}
