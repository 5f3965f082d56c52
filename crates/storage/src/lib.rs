//! Files that survive a crash, and the right to work at them.
//!
//! - [`write()`], [`NewFile`]: a file is replaced as a whole or not at all, and is on the disk when
//!   the call returns.
//! - [`move_into_place`]: the same for a file that somebody else has written.
//! - [`Lock`]: work that is kept in a file or folder belongs to one program at a time.
//! - [`make_private_folder`], [`open_private`], [`keep_private`]: what nobody but its owner may
//!   read.
//!
//! Journals, which only grow, are written by those who know their lines; [`sync`] and
//! [`sync_folder`] force them to the disk.

mod lock;
mod platform;
mod writer;

pub use lock::{Lock, LockError};
pub use platform::{keep_private, make_private_folder, open_private};
pub use writer::{
    NewFile, WriteError, WriteStep, move_into_place, name_beside, sync, sync_folder, write,
    write_in_new_folder, write_private,
};

/// A path on one line, in full: whoever gave it knows how long it is.
fn shown_path(path: &std::path::Path) -> String {
    game::escaped(&path.to_string_lossy())
}
