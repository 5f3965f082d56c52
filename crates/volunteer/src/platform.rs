//! What differs by operating system: memory that is shared with the client, whether the client
//! lives, and the processor time of this program.
//!
//! On Windows the client names its shared memory instead of mapping a file, and says how in
//! `init_data.xml` (`comm_obj_name`); nothing but this module has to know.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;
use std::time::Duration;

pub(crate) use shared::SharedBytes;

/// Memory that the client sees, too, from a file that it has made.
///
/// # Errors
/// If there is no such file, or it is too small.
pub(crate) fn share(file: &Path, bytes: usize) -> io::Result<SharedBytes> {
    let opened = OpenOptions::new().read(true).write(true).open(file)?;
    if opened.metadata()?.len() < bytes as u64 {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "it is too small"));
    }
    shared::map(&opened, bytes)
}

#[cfg(unix)]
mod shared {
    #![allow(unsafe_code, reason = "shared memory")]

    use std::fs::File;
    use std::io;
    use std::ptr::NonNull;
    use std::sync::atomic::AtomicU8;

    use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

    /// Bytes that another program may change at any moment.
    #[derive(Debug)]
    pub(crate) struct SharedBytes {
        start: NonNull<AtomicU8>,
        length: usize,
    }

    // SAFETY: the memory belongs to this value until it is dropped, from whichever thread, and is
    // only ever reached as atomic bytes.
    unsafe impl Send for SharedBytes {}
    // SAFETY: as above: atomic bytes may be shared.
    unsafe impl Sync for SharedBytes {}

    pub(super) fn map(file: &File, length: usize) -> io::Result<SharedBytes> {
        let (access, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::SHARED);
        // SAFETY: a new mapping at an address that the system chooses takes nobody's memory.
        let start = unsafe { mmap(std::ptr::null_mut(), length, access, flags, file, 0) }?;
        let start = NonNull::new(start.cast()).ok_or(io::ErrorKind::OutOfMemory)?;
        Ok(SharedBytes { start, length })
    }

    impl SharedBytes {
        pub(crate) fn bytes(&self) -> &[AtomicU8] {
            // SAFETY: `map` made so many bytes, they stay until `drop`, and `AtomicU8` has the
            // layout of a byte. Other programs change them, which is what atomics are for.
            unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
        }
    }

    impl Drop for SharedBytes {
        fn drop(&mut self) {
            // SAFETY: nobody has a reference to the mapping any longer.
            let _ = unsafe { munmap(self.start.as_ptr().cast(), self.length) };
        }
    }
}

#[cfg(not(unix))]
mod shared {
    use std::fs::File;
    use std::io;
    use std::sync::atomic::AtomicU8;

    /// Bytes that another program may change at any moment: not here yet.
    #[derive(Debug)]
    pub(crate) struct SharedBytes(Vec<AtomicU8>);

    pub(super) fn map(_: &File, _: usize) -> io::Result<SharedBytes> {
        Err(io::ErrorKind::Unsupported.into())
    }

    impl SharedBytes {
        pub(crate) fn bytes(&self) -> &[AtomicU8] {
            &self.0
        }
    }
}

/// Whether a process of this number lives.
#[cfg(unix)]
pub(crate) fn is_alive(process: u32) -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};
    let process = i32::try_from(process).ok().and_then(Pid::from_raw);
    // It lives, too, if it is somebody else's.
    process.is_none_or(|process| test_kill_process(process) != Err(Errno::SRCH))
}

/// Whether a process of this number lives: nobody knows here.
#[cfg(not(unix))]
pub(crate) fn is_alive(_: u32) -> bool {
    true
}

/// The processor time of this program.
#[cfg(unix)]
pub(crate) fn processor_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or_default())
}

/// The processor time of this program: where nobody says, the time since it was first asked for.
#[cfg(not(unix))]
pub(crate) fn processor_time() -> Duration {
    static BEGAN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    BEGAN.get_or_init(std::time::Instant::now).elapsed()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::SeqCst;

    use super::*;

    /// The safe twin of shared memory is the file itself.
    #[test]
    fn shared_memory_and_its_file_are_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("shared");
        std::fs::write(&file, vec![7; 100]).unwrap();
        assert!(share(&file, 101).is_err());
        assert!(share(&folder.path().join("none"), 1).is_err());
        let shared = share(&file, 100).unwrap();
        assert_eq!(shared.bytes().len(), 100);
        for (at, byte) in shared.bytes().iter().enumerate() {
            assert_eq!(byte.swap(at as u8, SeqCst), 7);
        }
        let bytes: Vec<u8> = (0..100).collect();
        assert_eq!(std::fs::read(&file).unwrap(), bytes);
    }

    #[test]
    fn this_process_lives_and_takes_time() {
        assert!(is_alive(std::process::id()));
        let mut child = std::process::Command::new("true").spawn().unwrap();
        let gone = child.id();
        child.wait().unwrap();
        assert!(!is_alive(gone));
        assert!(processor_time() > Duration::ZERO);
    }
}
