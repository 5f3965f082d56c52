//! The four lanes in plain code: what runs on machines without AVX2, and what `simd` is held
//! against.

use super::moves::{INNER, Lanes, Rays, STEP};

/// See [`mobility`](super::mobility).
#[inline]
pub(super) fn mobility(own: u64, other: u64) -> u64 {
    let inner = lanes(|i| other & INNER[i]);
    // Walks of one disc, of two, then by pairs of four and six: no line is longer.
    let mut up = lanes(|i| inner[i] & own << STEP[i]);
    let mut down = lanes(|i| inner[i] & own >> STEP[i]);
    up = lanes(|i| up[i] | inner[i] & up[i] << STEP[i]);
    down = lanes(|i| down[i] | inner[i] & down[i] >> STEP[i]);
    let pair_up = lanes(|i| inner[i] & inner[i] << STEP[i]);
    let pair_down = lanes(|i| pair_up[i] >> STEP[i]);
    for _ in 0..2 {
        up = lanes(|i| up[i] | pair_up[i] & up[i] << (2 * STEP[i]));
        down = lanes(|i| down[i] | pair_down[i] & down[i] >> (2 * STEP[i]));
    }
    any(lanes(|i| up[i] << STEP[i] | down[i] >> STEP[i]))
}

/// See [`flips`](super::flips).
#[inline]
pub(super) fn flips(rays: &Rays, own: u64, other: u64) -> u64 {
    // Upwards a carry runs through the line of discs to the first square that breaks it.
    let up = lanes(|i| {
        let ray = rays.up[i];
        let end = (other | !ray).wrapping_add(1) & ray & own;
        ray & end.saturating_sub(1)
    });
    // Downwards the squares that break the line are smeared away from the new disc, which leaves
    // the line itself.
    let down = lanes(|i| {
        let ray = rays.down[i];
        let breaks = ray & !other;
        let mut beyond = breaks | breaks >> STEP[i];
        beyond |= beyond >> (2 * STEP[i]);
        beyond |= beyond >> (4 * STEP[i]);
        let end = own & breaks & !(beyond >> STEP[i]);
        if end == 0 { 0 } else { ray & !beyond }
    });
    any(lanes(|i| up[i] | down[i]))
}

/// See `moves::nth_bit`.
#[inline]
pub(super) fn nth_bit(mut set: u64, n: usize) -> usize {
    for _ in 0..n {
        set &= set.wrapping_sub(1);
    }
    set.trailing_zeros() as usize
}

#[inline]
fn lanes(lane: impl Fn(usize) -> u64) -> Lanes {
    std::array::from_fn(lane)
}

#[inline]
fn any(lanes: Lanes) -> u64 {
    (lanes[0] | lanes[2]) | (lanes[1] | lanes[3])
}
