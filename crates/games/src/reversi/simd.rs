//! The lanes of [`moves`](super::moves) in AVX2 registers. `lanes` says the same in plain code: look
//! there for what each step does. Compilers vectorise that too, but take it apart again where it is
//! inlined, which costs a quarter of the speed of perft.
//!
//! **Invariant:** this file is compiled only where AVX2 and BMI2 are enabled for the whole build.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256i, _mm_cvtsi128_si64, _mm_or_si128, _mm_unpackhi_epi64, _mm256_add_epi64 as add,
    _mm256_and_si256 as and, _mm256_andnot_si256 as and_not, _mm256_castsi256_si128,
    _mm256_cmpeq_epi64 as equal, _mm256_extracti128_si256, _mm256_or_si256 as or,
    _mm256_set1_epi64x, _mm256_setr_epi64x, _mm256_setzero_si256, _mm256_sllv_epi64 as shl,
    _mm256_srlv_epi64 as shr, _mm256_sub_epi64 as sub, _pdep_u64,
};

use super::moves::{INNER, Lanes, Rays, STEP};

#[inline]
pub(super) fn mobility(own: u64, other: u64) -> u64 {
    // SAFETY: AVX2 is there, by the invariant of this file.
    unsafe { mobility_lanes(own, other) }
}

#[inline]
pub(super) fn flips(rays: &Rays, own: u64, other: u64) -> u64 {
    // SAFETY: AVX2 is there, by the invariant of this file.
    unsafe { flips_lanes(rays, own, other) }
}

#[inline]
pub(super) fn nth_bit(set: u64, n: usize) -> usize {
    // SAFETY: BMI2 is there, by the invariant of this file.
    unsafe { nth_bit_deposited(set, n) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn mobility_lanes(own: u64, other: u64) -> u64 {
    let step = load(STEP);
    let double = add(step, step);
    let own = splat(own);
    let inner = and(splat(other), load(INNER));
    let mut up = and(inner, shl(own, step));
    let mut down = and(inner, shr(own, step));
    up = or(up, and(inner, shl(up, step)));
    down = or(down, and(inner, shr(down, step)));
    let pair_up = and(inner, shl(inner, step));
    let pair_down = shr(pair_up, step);
    for _ in 0..2 {
        up = or(up, and(pair_up, shl(up, double)));
        down = or(down, and(pair_down, shr(down, double)));
    }
    any(or(shl(up, step), shr(down, step)))
}

#[inline]
#[target_feature(enable = "avx2")]
fn flips_lanes(rays: &Rays, own: u64, other: u64) -> u64 {
    let (own, other) = (splat(own), splat(other));
    let (zero, ones) = (_mm256_setzero_si256(), splat(u64::MAX));

    let ray = load(rays.up);
    let carried = sub(or(other, and_not(ray, ones)), ones);
    let end = and(carried, and(ray, own));
    let below_end = sub(sub(end, splat(1)), equal(end, zero));
    let up = and(ray, below_end);

    let step = load(STEP);
    let double = add(step, step);
    let ray = load(rays.down);
    let breaks = and_not(other, ray);
    let mut beyond = or(breaks, shr(breaks, step));
    beyond = or(beyond, shr(beyond, double));
    beyond = or(beyond, shr(beyond, add(double, double)));
    let end = and(own, and_not(shr(beyond, step), breaks));
    let down = and_not(equal(end, zero), and_not(beyond, ray));
    any(or(up, down))
}

#[inline]
#[target_feature(enable = "bmi2")]
fn nth_bit_deposited(set: u64, n: usize) -> usize {
    _pdep_u64(1 << n, set).trailing_zeros() as usize
}

#[inline]
#[target_feature(enable = "avx2")]
fn splat(word: u64) -> __m256i {
    _mm256_set1_epi64x(word as i64)
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(lanes: Lanes) -> __m256i {
    let [a, b, c, d] = lanes.map(|lane| lane as i64);
    _mm256_setr_epi64x(a, b, c, d)
}

#[inline]
#[target_feature(enable = "avx2")]
fn any(lanes: __m256i) -> u64 {
    let (low, high) = (_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    let pair = _mm_or_si128(low, high);
    let word = _mm_or_si128(pair, _mm_unpackhi_epi64(pair, pair));
    _mm_cvtsi128_si64(word) as u64
}

#[cfg(test)]
mod tests {
    use game::Rng;

    use super::super::{lanes, moves::RAYS};
    use super::*;

    /// Two sets without a common square, from nearly empty to nearly full.
    fn boards() -> impl Iterator<Item = (u64, u64)> {
        let mut rng = Rng::new(1);
        (0..20_000).map(move |i| {
            let mut taken = rng.next_u64();
            for _ in 0..i % 4 {
                taken |= rng.next_u64();
            }
            for _ in 0..i % 3 {
                taken &= rng.next_u64();
            }
            let own = taken & rng.next_u64() & rng.next_u64();
            (own, taken & !own)
        })
    }

    #[test]
    fn registers_agree_with_plain_lanes() {
        for (own, other) in boards() {
            assert_eq!(mobility(own, other), lanes::mobility(own, other));
            for rays in &RAYS {
                assert_eq!(flips(rays, own, other), lanes::flips(rays, own, other));
            }
            for n in 0..own.count_ones() as usize {
                assert_eq!(nth_bit(own, n), lanes::nth_bit(own, n));
            }
        }
    }
}
