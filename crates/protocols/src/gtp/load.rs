//! `loadsgf`: a game from a file, up to a move.

use std::fs;
use std::io::Read;

use play::Session;
use play::record::Record;

use crate::command_error::CommandError;
use crate::host::Host;

/// No record of a single game is larger.
const MOST_BYTES: u64 = 16 << 20;

/// The game that stands first in a file, on its own board, and all moves before the one with this number.
///
/// # Errors
/// In the words of the protocol, with what is wrong.
pub(super) fn load(
    arguments: &[String],
    host: &dyn Host,
    changed: impl Fn(&dyn Session, &str) -> Option<Box<dyn Session>>,
    session: &dyn Session,
) -> Result<Box<dyn Session>, CommandError> {
    let (name, before) = match arguments {
        [name] => (name, None),
        [name, number] => (name, Some(number.parse::<usize>().map_err(|_| super::SYNTAX)?)),
        _ => return Err(super::SYNTAX.into()),
    };
    let text = read(name).map_err(|e| CommandError::load(e.to_string()))?;

    let mut loaded = host.open(&session.spec()).map_err(CommandError::load)?;
    if let Some(size) = board_size(&text) {
        let missing = || CommandError::load(format!("no board of {size}"));
        loaded = changed(&*loaded, &size).ok_or_else(missing)?;
    }
    let komi = property(&text, "KM").map(|komi| format!("komi={}", komi.trim()));
    if let Some(other) = komi.and_then(|komi| changed(&*loaded, &komi)) {
        loaded = other;
    }

    let games = host.read_games(&loaded.spec(), &text).map_err(CommandError::load)?;
    let mut record: Record = match games.get(1) {
        Some(Ok(record)) => record.clone(),
        Some(Err(error)) => return Err(CommandError::load(error.to_string())),
        None => return Err(CommandError::load("no game in it")),
    };
    if let Some(number) = before {
        record.line.plies.truncate(number.saturating_sub(1));
    }
    loaded.replay(&record).map_err(CommandError::load)?;
    Ok(loaded)
}

fn read(name: &str) -> std::io::Result<String> {
    let mut text = String::new();
    fs::File::open(name)?.take(MOST_BYTES).read_to_string(&mut text)?;
    Ok(text)
}

/// `9x9`, from `SZ[9]`, or columns before rows in `SZ[9:13]`.
fn board_size(text: &str) -> Option<String> {
    let size = property(text, "SZ")?;
    let (columns, rows) = size.split_once(':').unwrap_or((size, size));
    Some(format!("{}x{}", rows.trim(), columns.trim()))
}

/// The first value of a property of the first node.
fn property<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let node = text.split_once(';')?.1;
    let mut rest = node;
    // Values may hold anything but an unescaped bracket, so they are passed over one by one.
    while let Some((before, behind)) = rest.split_once('[') {
        if before.contains([';', '(', ')']) {
            return None;
        }
        let end = closing(behind)?;
        if before.trim().trim_start_matches(']') == name {
            return Some(&behind[..end]);
        }
        rest = &behind[end + 1..];
    }
    None
}

fn closing(value: &str) -> Option<usize> {
    let mut escaped = false;
    value.bytes().position(|byte| {
        let closes = byte == b']' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_of_the_first_node_are_found() {
        let text = r"(;FF[4]C[a \] SZ[3\] ;KM[2\]]SZ [9:13] KM[6.5];SZ[5])";
        assert_eq!(board_size(text).as_deref(), Some("13x9"));
        assert_eq!(property(text, "KM"), Some("6.5"));
        assert_eq!(property(text, "PB"), None);
        assert_eq!(property("(;B[aa];SZ[5])", "SZ"), None);
        assert_eq!(property("(;C[no end", "C"), None);
        assert_eq!(property("no node", "C"), None);
    }
}
