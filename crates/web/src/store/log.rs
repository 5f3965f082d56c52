//! Whether SQLite's write-ahead log can be read to its end. SQLite stops without a word at the first frame whose
//! checksum is wrong; what was written after it would be gone, and nobody would know.
//!
//! The format is that of <https://www.sqlite.org/fileformat2.html#the_write_ahead_log>: a header of 32 bytes, then frames of 24
//! bytes and a page each. Both carry two salts, which change whenever the log begins anew, and running checksums.

use std::path::Path;

const HEADER: usize = 32;
const FRAME: usize = 24;
/// Words of checksums are read as little-endian with this number at the beginning, as big-endian with the next one.
const MAGIC: u32 = 0x377f_0682;

/// Whether the log beside this file has something in it that was written and cannot be read.
pub(super) fn is_damaged(file: &Path) -> bool {
    let mut name = file.as_os_str().to_owned();
    name.push("-wal");
    std::fs::read(name).is_ok_and(|log| has_unreadable_frames(&log).unwrap_or(false))
}

/// Nothing is known of a log that has not even begun.
fn has_unreadable_frames(log: &[u8]) -> Option<bool> {
    let header = log.get(..HEADER)?;
    let is_big = match word(header, 0)? {
        MAGIC => false,
        magic if magic == MAGIC + 1 => true,
        _ => return Some(true),
    };
    let page = word(header, 8)? as usize;
    let mut sums = sum([0, 0], &header[..24], is_big);
    if sums != [word(header, 24)?, word(header, 28)?] || !page.is_power_of_two() {
        return Some(true);
    }
    let mut is_readable = true;
    for frame in log[HEADER..].chunks_exact(FRAME + page) {
        // What is left of an earlier log has other salts.
        let is_ours = frame[8..16] == header[16..24];
        sums = sum(sum(sums, &frame[..8], is_big), &frame[FRAME..], is_big);
        is_readable &= is_ours && sums == [word(frame, 16)?, word(frame, 20)?];
        if is_ours && !is_readable {
            return Some(true);
        }
    }
    Some(false)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_be_bytes)
}

fn sum(mut sums: [u32; 2], bytes: &[u8], is_big: bool) -> [u32; 2] {
    let read = |four: &[u8]| {
        let four = [four[0], four[1], four[2], four[3]];
        if is_big { u32::from_be_bytes(four) } else { u32::from_le_bytes(four) }
    };
    for eight in bytes.chunks_exact(8) {
        sums[0] = sums[0].wrapping_add(read(&eight[..4])).wrapping_add(sums[1]);
        sums[1] = sums[1].wrapping_add(read(&eight[4..])).wrapping_add(sums[0]);
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Store;
    use crate::store::tests::begun;

    #[test]
    fn a_log_that_cannot_be_read_to_its_end_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let (file, copy) = (folder.path().join("games.db"), folder.path().join("copy.db"));
        let beside = |file: &Path| file.with_extension("db-wal");
        let store = Store::open(Some(&file)).unwrap();
        for number in 0..5 {
            begun(&store, &format!("game {number}"), 3);
        }
        let log = std::fs::read(beside(&file)).unwrap();
        assert_eq!(has_unreadable_frames(&log), Some(false));
        // As a crash leaves it, in the midst of a frame; as an earlier log that was longer leaves it.
        assert_eq!(has_unreadable_frames(&log[..log.len() - 100]), Some(false));
        let older = vec![7; FRAME + 4096];
        assert_eq!(has_unreadable_frames(&[&log[..], &older].concat()), Some(false));
        assert_eq!(has_unreadable_frames(&[]), None);
        for place in [0, 9, 30, HEADER + FRAME + 1, log.len() / 2, log.len() - 1] {
            let mut damaged = log.clone();
            damaged[place] ^= 0x40;
            assert_eq!(has_unreadable_frames(&damaged), Some(true), "{place}");
        }
        let mut damaged = log.clone();
        damaged[log.len() / 2] ^= 0x40;
        for (log, told) in [(log, false), (damaged, true)] {
            std::fs::copy(&file, &copy).unwrap();
            std::fs::write(beside(&copy), log).unwrap();
            let damage = Store::open(Some(&copy)).map(|store| store.damage().unwrap());
            assert_eq!(damage.map_or(true, |lines| !lines.is_empty()), told);
        }
    }
}
