//! Files and folders that nobody but their owner may read, where the system knows owners.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Makes a folder, and those that it is in, for their owner alone; those that are there stay as they are.
///
/// # Errors
/// If it cannot be made.
pub fn make_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Opens a file to write to, an empty one if there is none, for its owner alone.
///
/// # Errors
/// If it cannot be opened, or is somebody else's.
pub fn open_private(file: &Path) -> io::Result<File> {
    let opened = for_the_owner().create(true).append(true).open(file)?;
    keep_private(file)?;
    Ok(opened)
}

/// Makes a file, where there is none, for its owner alone.
pub(crate) fn create_private(file: &Path) -> io::Result<File> {
    for_the_owner().create_new(true).write(true).open(file)
}

fn for_the_owner() -> OpenOptions {
    #[cfg_attr(not(unix), allow(unused_mut, reason = "modes are for systems that know owners"))]
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Takes from everybody but the owner what they may do with a file or folder.
///
/// # Errors
/// If it is not there, or somebody else's.
#[cfg(unix)]
pub fn keep_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mut permissions = std::fs::metadata(path)?.permissions();
    let mode = permissions.mode();
    if mode & 0o077 == 0 {
        return Ok(());
    }
    permissions.set_mode(mode & 0o700);
    std::fs::set_permissions(path, permissions)
}

/// Takes from everybody but the owner what they may do with a file or folder: elsewhere that is a folder's business.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub fn keep_private(_: &Path) -> io::Result<()> {
    Ok(())
}
