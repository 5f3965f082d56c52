//! What the standard library offers only with a promise.

use std::sync::atomic::AtomicU64;

/// So many words, all zero. Unlike words that are written one by one, the system hands them out page by
/// page as they are first used, so that a large table costs nothing before it is needed.
#[allow(unsafe_code)]
pub(crate) fn zeroed_words(number: usize) -> Box<[AtomicU64]> {
    let words = Box::<[AtomicU64]>::new_zeroed_slice(number);
    // SAFETY: eight zero bytes are the valid atomic number 0.
    unsafe { words.assume_init() }
}

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
}
