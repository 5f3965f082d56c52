//! The one instruction that a random pick wants and plain Rust has no word for. `points::plain` says
//! the same in plain code.
//!
//! **Invariant:** this file is compiled only where BMI2 is enabled for the whole build.
#![allow(unsafe_code)]

use std::arch::x86_64::_pdep_u64;

/// The place of the bit that has `n` bits of the set below it.
#[inline]
pub(super) fn nth_bit(set: u64, n: usize) -> usize {
    debug_assert!(n < set.count_ones() as usize);
    // SAFETY: BMI2 is there, by the invariant of this file.
    unsafe { deposited(set, n) }
}

#[inline]
#[target_feature(enable = "bmi2")]
fn deposited(set: u64, n: usize) -> usize {
    _pdep_u64(1 << n, set).trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use game::Rng;

    use super::*;
    use crate::go::points::plain;

    #[test]
    fn agrees_with_plain_code() {
        let mut rng = Rng::new(1);
        for _ in 0..1000 {
            let set = rng.next_u64() & rng.next_u64();
            for n in 0..set.count_ones() as usize {
                assert_eq!(nth_bit(set, n), plain::nth_bit(set, n));
            }
        }
    }
}
