//! A small seeded generator, so that everything random can be repeated.

/// Scrambles a number: the finaliser of `SplitMix64` (Steele, Lea and Flood 2014). A bijection, so
/// different inputs never collide.
#[inline]
#[must_use]
pub const fn mix(n: u64) -> u64 {
    let n = n.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    n ^ (n >> 31)
}

/// `SplitMix64`: one word of state, the same numbers for the same seed on every machine. Not for
/// secrets.
#[derive(Clone, Debug)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// The sequence that belongs to a seed.
    #[must_use]
    pub fn new(seed: u64) -> Rng {
        Rng { state: mix(seed) }
    }

    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        let word = mix(self.state);
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        word
    }

    /// A number from 0 to `n - 1`, each as likely as the others but for a bias below n / 2^64
    /// (multiply and shift, Lemire 2019).
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        debug_assert!(n > 0, "a number below 0 was asked for");
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }

    /// Puts a list in random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (1..list.len()).rev() {
            list.swap(i, self.below(i + 1));
        }
    }
}
