//! What the standard library offers only with a promise.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::sync::atomic::AtomicU64;

/// So many words, all zero. Unlike words that are written one by one, the system hands them out
/// page by page as they are first used, so that a large table costs nothing before it is needed.
pub(crate) fn zeroed_words(number: usize) -> Box<[AtomicU64]> {
    let words = Box::<[AtomicU64]>::new_zeroed_slice(number);
    // SAFETY: eight zero bytes are the valid atomic number 0.
    let words = unsafe { words.assume_init() };
    prefer_small_pages(&words);
    words
}

/// Has memory that was not used yet handed out in small parts. Keys are spread over a whole table:
/// were it handed out in pages of two megabytes, as some systems do unasked, a few hundred entries
/// would take all of it.
pub(crate) fn prefer_small_pages<T>(table: &[T]) {
    advise(whole_pages(table), Advice::SmallPages);
}

/// What can be handed out at once: a page of two megabytes.
const HUGE_PAGE: usize = 2 << 20;

/// How many pages of two megabytes words fill.
pub(crate) fn huge_pages(words: &[AtomicU64]) -> usize {
    whole_pages(words).len() / HUGE_PAGE
}

/// Moves the words of one page of two megabytes, by its number, into such a page, so that finding a
/// word takes one step less. It costs about as much as copying them. If the system has no such
/// page, or knows of none, nothing but speed is lost.
pub(crate) fn make_huge(words: &[AtomicU64], number: usize) {
    let pages = whole_pages(words);
    if let Some(page) = pages.chunks_exact(HUGE_PAGE).nth(number) {
        advise(page, Advice::HugePages);
        advise(page, Advice::Collapse);
    }
}

/// The part of a table that fills pages of two megabytes, as bytes that nobody reads.
fn whole_pages<T>(table: &[T]) -> &[MaybeUninit<u8>] {
    let start = table.as_ptr().cast::<MaybeUninit<u8>>();
    let skipped = start.align_offset(HUGE_PAGE).min(size_of_val(table));
    let length = (size_of_val(table) - skipped) / HUGE_PAGE * HUGE_PAGE;
    // SAFETY: part of one allocation that lives as long; anything consists of bytes that may be
    // anything, and they are never read.
    unsafe { std::slice::from_raw_parts(start.wrapping_add(skipped), length) }
}

/// How memory is mapped, by the numbers of `madvise(2)`.
#[derive(Clone, Copy)]
enum Advice {
    SmallPages = 15,
    HugePages = 14,
    /// At once; since Linux 6.1. Before that the system does it in its own time.
    Collapse = 25,
}

#[cfg(target_os = "linux")]
fn advise(bytes: &[MaybeUninit<u8>], advice: Advice) {
    use std::ffi::{c_int, c_void};
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    let address = bytes.as_ptr().cast_mut().cast();
    // SAFETY: whole pages of one allocation that stays where it is during the call; the advice
    // changes how they are mapped, never what they hold.
    let _ = unsafe { madvise(address, bytes.len(), advice as c_int) };
}

#[cfg(not(target_os = "linux"))]
fn advise(_: &[MaybeUninit<u8>], _: Advice) {}

/// How many bytes programs can use before the system has to take some from others; `None` where it
/// does not say.
#[cfg(target_os = "linux")]
pub(crate) fn free_bytes() -> Option<u64> {
    let number = |path: &str| std::fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    // A container may have less than the machine.
    let most = number("/sys/fs/cgroup/memory.max");
    let used = number("/sys/fs/cgroup/memory.current").unwrap_or(0);
    let allowed = most.map(|most| most.saturating_sub(used));
    let machine = read_available(&std::fs::read_to_string("/proc/meminfo").ok()?);
    machine.into_iter().chain(allowed).min()
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn free_bytes() -> Option<u64> {
    None
}

/// The bytes of the line `MemAvailable: 23000000 kB`.
#[cfg(any(target_os = "linux", test))]
fn read_available(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kilobytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering::Relaxed;

    #[test]
    fn the_memory_that_is_free_is_read() {
        let text = "MemTotal:       24684032 kB\nMemFree: 1 kB\nMemAvailable:   23000000 kB\n";
        assert_eq!(read_available(text), Some(23_000_000 * 1024));
        for wrong in ["", "MemAvailable: many kB", "MemAvailable: 99999999999999999999 kB"] {
            assert_eq!(read_available(wrong), None);
        }
    }

    #[test]
    fn zeroed_words_are_those_written_one_by_one() {
        let plain: Box<[AtomicU64]> = (0..1000).map(|_| AtomicU64::new(0)).collect();
        let words = zeroed_words(1000);
        let read = |words: &[AtomicU64]| -> Vec<u64> {
            words.iter().map(|word| word.load(Relaxed)).collect()
        };
        assert_eq!(read(&words), read(&plain));
        assert_eq!((huge_pages(&words), huge_pages(&[])), (0, 0));
    }

    /// What was written stays, wherever the pages come from.
    #[test]
    fn huge_pages_hold_what_others_hold() {
        let words = zeroed_words((8 << 20) / 8);
        words[12_345].store(7, Relaxed);
        words[600_000].store(9, Relaxed);
        let pages = huge_pages(&words);
        assert!((3..=4).contains(&pages), "{pages}");
        // One more than there are changes nothing.
        (0..=pages).for_each(|number| make_huge(&words, number));
        words[1_000_000].store(8, Relaxed);
        let found: Vec<(usize, u64)> = words
            .iter()
            .map(|word| word.load(Relaxed))
            .enumerate()
            .filter(|&(_, word)| word != 0)
            .collect();
        assert_eq!(found, [(12_345, 7), (600_000, 9), (1_000_000, 8)]);
        make_huge(&words[..3], 0);
        make_huge(&[], 0);
    }
}
