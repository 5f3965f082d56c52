//! What the standard library offers only with a promise.

use std::sync::atomic::AtomicU64;

/// So many words, all zero. Unlike words that are written one by one, the system hands them out page by
/// page as they are first used, so that a large table costs nothing before it is needed.
#[allow(unsafe_code)]
pub(crate) fn zeroed_words(number: usize) -> Box<[AtomicU64]> {
    let words = Box::<[AtomicU64]>::new_zeroed_slice(number);
    // SAFETY: eight zero bytes are the valid atomic number 0.
    let words = unsafe { words.assume_init() };
    if size_of_val(&*words) >= LARGE {
        prefer_huge_pages(&words);
    }
    words
}

/// From here on a table is spread over so many usual pages that finding one takes as long as reading it. Smaller tables would rather not be
/// handed out two megabytes at a time.
const LARGE: usize = 512 << 20;

/// Asks the system for pages of two megabytes. If it has none or knows of none, nothing but speed is lost.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn prefer_huge_pages(words: &[AtomicU64]) {
    use std::ffi::{c_int, c_void};
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    const HUGE_PAGE: usize = 2 << 20;
    const MADV_HUGEPAGE: c_int = 14;
    let start = words.as_ptr().cast::<u8>();
    let skipped = start.align_offset(HUGE_PAGE).min(size_of_val(words));
    let length = (size_of_val(words) - skipped) / HUGE_PAGE * HUGE_PAGE;
    let address = start.wrapping_add(skipped).cast_mut().cast();
    // SAFETY: whole pages of one allocation that stays where it is during the call; the advice changes how they are mapped, never what they hold.
    let _ = unsafe { madvise(address, length, MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn prefer_huge_pages(_: &[AtomicU64]) {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::Ordering;

    #[test]
    fn zeroed_words_are_those_written_one_by_one() {
        let plain: Box<[AtomicU64]> = (0..1000).map(|_| AtomicU64::new(0)).collect();
        let words = zeroed_words(1000);
        let read = |words: &[AtomicU64]| -> Vec<u64> {
            words.iter().map(|word| word.load(Ordering::Relaxed)).collect()
        };
        assert_eq!(read(&words), read(&plain));
    }

    /// What was written stays, wherever the pages come from.
    #[test]
    fn huge_pages_hold_what_others_hold() {
        let words = zeroed_words((8 << 20) / 8);
        words[12_345].store(7, Ordering::Relaxed);
        prefer_huge_pages(&words);
        words[1_000_000].store(8, Ordering::Relaxed);
        let found: Vec<(usize, u64)> = words
            .iter()
            .map(|word| word.load(Ordering::Relaxed))
            .enumerate()
            .filter(|&(_, word)| word != 0)
            .collect();
        assert_eq!(found, [(12_345, 7), (1_000_000, 8)]);
        prefer_huge_pages(&words[..3]);
        prefer_huge_pages(&[]);
    }
}
