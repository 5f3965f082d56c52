//! What differs by operating system: files and folders that nobody but their owner may read, files
//! that can be run, and folders that are forced to the disk.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Makes a folder, and those that it is in, for their owner alone; those that are there stay as
/// they are.
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

/// Takes from everybody but the owner what they may do with a file or folder: elsewhere that is a
/// folder's business.
///
/// # Errors
/// Never.
#[cfg(not(unix))]
pub fn keep_private(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Whoever may read a file may run it.
#[cfg(unix)]
pub(crate) fn make_executable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mut permissions = file.metadata()?.permissions();
    permissions.set_mode(permissions.mode() | (permissions.mode() & 0o444) >> 2);
    file.set_permissions(permissions)
}

/// Elsewhere names tell what can be run.
#[cfg(not(unix))]
pub(crate) fn make_executable(_: &File) -> io::Result<()> {
    Ok(())
}

/// Forces the names of a folder's files to the disk. A folder that may be written to and not be
/// read cannot be opened for that; the system then does it in its own time.
#[cfg(unix)]
pub(crate) fn sync_names(folder: &Path) -> io::Result<()> {
    match File::open(folder) {
        Ok(folder) => folder.sync_all(),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        Err(error) => Err(error),
    }
}

/// Elsewhere a folder is no file that could be opened.
#[cfg(not(unix))]
pub(crate) fn sync_names(_: &Path) -> io::Result<()> {
    Ok(())
}
