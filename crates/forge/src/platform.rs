//! What differs by operating system.

use std::io;
use std::path::Path;

/// What lets others change the files of a folder, or put another one in its place; `None` if
/// nothing does.
#[cfg(unix)]
pub(crate) fn open_to_others(folder: &Path) -> io::Result<Option<String>> {
    use std::os::unix::fs::MetadataExt;
    const GROUP_AND_OTHERS: u32 = 0o022;
    const OTHERS: u32 = 0o002;
    // In such a folder everybody can make files, but change nobody else's.
    const STICKY: u32 = 0o1000;
    let found = folder.metadata()?;
    if found.uid() != user() {
        return Ok(Some("it belongs to another user".to_owned()));
    }
    if found.mode() & GROUP_AND_OTHERS != 0 {
        return Ok(Some("others can write there".to_owned()));
    }
    for above in folder.ancestors().skip(1) {
        let mode = above.metadata()?.mode();
        if mode & OTHERS != 0 && mode & STICKY == 0 {
            return Ok(Some(format!("others can write to {}, above it", above.display())));
        }
    }
    Ok(None)
}

/// Elsewhere folders of a user are that user's.
#[cfg(not(unix))]
pub(crate) fn open_to_others(_: &Path) -> io::Result<Option<String>> {
    Ok(None)
}

/// Who runs this program.
#[cfg(unix)]
#[allow(unsafe_code)]
fn user() -> u32 {
    unsafe extern "C" {
        fn geteuid() -> u32;
    }
    // SAFETY: takes nothing, touches no memory and always succeeds.
    unsafe { geteuid() }
}
