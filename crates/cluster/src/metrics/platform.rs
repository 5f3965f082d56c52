//! What the operating system says of this process.

/// Processor time in seconds, resident memory in bytes, open files; what is not told is missing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ProcessUse {
    pub(super) cpu_seconds: Option<f64>,
    pub(super) memory: Option<u64>,
    pub(super) files: Option<u64>,
}

#[cfg(target_os = "linux")]
pub(super) fn process_use() -> ProcessUse {
    let read = |name: &str| std::fs::read_to_string(format!("/proc/self/{name}")).ok();
    // The name, in brackets, may hold anything; times are in hundredths of a second.
    let ticks = |stat: String| {
        let (_, fields) = stat.rsplit_once(')')?;
        let field = |at: usize| fields.split_whitespace().nth(at - 3)?.parse::<f64>().ok();
        Some((field(14)? + field(15)?) / 100.0)
    };
    let resident = |status: String| {
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
        Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024)
    };
    ProcessUse {
        cpu_seconds: read("stat").and_then(ticks),
        memory: read("status").and_then(resident),
        files: std::fs::read_dir("/proc/self/fd").ok().map(|all| all.count() as u64),
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) fn process_use() -> ProcessUse {
    ProcessUse::default()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn linux_tells_all_three() {
        let ProcessUse { cpu_seconds, memory, files } = process_use();
        assert!(cpu_seconds.is_some() && memory > Some(1 << 16) && files > Some(2));
    }
}
