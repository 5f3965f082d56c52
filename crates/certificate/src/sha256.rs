//! SHA-256 (FIPS 180-4): the name of a lemma. Written out here so that a checker needs nobody else.

/// Takes bytes piece by piece.
#[derive(Clone, Debug)]
pub(crate) struct Sha256 {
    state: [u32; 8],
    /// Bytes that do not fill a block yet.
    block: [u8; BLOCK],
    filled: usize,
    /// Bytes taken.
    length: u64,
}

const BLOCK: usize = 64;

impl Sha256 {
    pub(crate) fn new() -> Sha256 {
        Sha256 { state: SQUARE_ROOTS, block: [0; BLOCK], filled: 0, length: 0 }
    }

    pub(crate) fn update(&mut self, mut bytes: &[u8]) {
        self.length = self.length.wrapping_add(bytes.len() as u64);
        if self.filled > 0 {
            let (now, rest) = bytes.split_at(bytes.len().min(BLOCK - self.filled));
            self.block[self.filled..][..now.len()].copy_from_slice(now);
            self.filled += now.len();
            bytes = rest;
            if self.filled < BLOCK {
                return;
            }
            compress(&mut self.state, &self.block);
        }
        let (blocks, rest) = bytes.as_chunks::<BLOCK>();
        blocks.iter().for_each(|block| compress(&mut self.state, block));
        self.block[..rest.len()].copy_from_slice(rest);
        self.filled = rest.len();
    }

    /// Adds a one, zeros up to eight bytes before the end of a block, and the number of bits.
    pub(crate) fn finish(mut self) -> [u8; 32] {
        let bits = self.length.wrapping_mul(8);
        self.update(&[0x80]);
        let zeros = (2 * BLOCK - 8 - self.filled) % BLOCK;
        self.update(&[0; BLOCK][..zeros]);
        self.update(&bits.to_be_bytes());
        let mut digest = [0; 32];
        for (bytes, word) in digest.as_chunks_mut::<4>().0.iter_mut().zip(self.state) {
            *bytes = word.to_be_bytes();
        }
        digest
    }
}

/// Section 6.2.2 of the standard.
fn compress(state: &mut [u32; 8], block: &[u8; BLOCK]) {
    let mut schedule = [0u32; 64];
    for (word, bytes) in schedule.iter_mut().zip(block.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    for t in 16..64 {
        let (before, after) = (schedule[t - 15], schedule[t - 2]);
        let low = before.rotate_right(7) ^ before.rotate_right(18) ^ before >> 3;
        let high = after.rotate_right(17) ^ after.rotate_right(19) ^ after >> 10;
        schedule[t] =
            schedule[t - 16].wrapping_add(low).wrapping_add(schedule[t - 7]).wrapping_add(high);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (&constant, &word) in CUBE_ROOTS.iter().zip(&schedule) {
        let sum = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = e & f ^ !e & g;
        let one =
            h.wrapping_add(sum).wrapping_add(choice).wrapping_add(constant).wrapping_add(word);
        let sum = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let two = sum.wrapping_add(a & b ^ a & c ^ b & c);
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(one), c, b, a, one.wrapping_add(two));
    }
    for (word, add) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(add);
    }
}

/// The first 32 bits of the fractional parts of the square roots of the first eight primes.
const SQUARE_ROOTS: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// The same of the cube roots of the first 64 primes.
const CUBE_ROOTS: [u32; 64] = [
    0x428a_2f98,
    0x7137_4491,
    0xb5c0_fbcf,
    0xe9b5_dba5,
    0x3956_c25b,
    0x59f1_11f1,
    0x923f_82a4,
    0xab1c_5ed5,
    0xd807_aa98,
    0x1283_5b01,
    0x2431_85be,
    0x550c_7dc3,
    0x72be_5d74,
    0x80de_b1fe,
    0x9bdc_06a7,
    0xc19b_f174,
    0xe49b_69c1,
    0xefbe_4786,
    0x0fc1_9dc6,
    0x240c_a1cc,
    0x2de9_2c6f,
    0x4a74_84aa,
    0x5cb0_a9dc,
    0x76f9_88da,
    0x983e_5152,
    0xa831_c66d,
    0xb003_27c8,
    0xbf59_7fc7,
    0xc6e0_0bf3,
    0xd5a7_9147,
    0x06ca_6351,
    0x1429_2967,
    0x27b7_0a85,
    0x2e1b_2138,
    0x4d2c_6dfc,
    0x5338_0d13,
    0x650a_7354,
    0x766a_0abb,
    0x81c2_c92e,
    0x9272_2c85,
    0xa2bf_e8a1,
    0xa81a_664b,
    0xc24b_8b70,
    0xc76c_51a3,
    0xd192_e819,
    0xd699_0624,
    0xf40e_3585,
    0x106a_a070,
    0x19a4_c116,
    0x1e37_6c08,
    0x2748_774c,
    0x34b0_bcb5,
    0x391c_0cb3,
    0x4ed8_aa4a,
    0x5b9c_ca4f,
    0x682e_6ff3,
    0x748f_82ee,
    0x78a5_636f,
    0x84c8_7814,
    0x8cc7_0208,
    0x90be_fffa,
    0xa450_6ceb,
    0xbef9_a3f7,
    0xc671_78f2,
];

#[cfg(test)]
mod tests {
    use game::Rng;
    use sha2::Digest;

    use super::*;

    fn sha256(bytes: &[u8]) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(bytes);
        hash.finish()
    }

    /// The examples of FIPS 180-4 and of its predecessor 180-2.
    #[test]
    fn the_vectors_of_the_standard() {
        let million = vec![b'a'; 1_000_000];
        for (bytes, digest) in [
            (&b""[..], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (b"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
            ),
            (
                b"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopq\
                  klmnopqrlmnopqrsmnopqrstnopqrstu",
                "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
            ),
            (&million, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ] {
            let found: String = sha256(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
            assert_eq!(found, digest);
        }
    }

    /// All lengths around the ends of blocks, in one piece and in several.
    #[test]
    fn another_implementation_agrees() {
        let mut rng = Rng::new(1);
        for length in (0..300).chain([1000, 4095, 4096, 10_000]) {
            let bytes: Vec<u8> = (0..length).map(|_| rng.next_u64() as u8).collect();
            let expected: [u8; 32] = sha2::Sha256::digest(&bytes).into();
            assert_eq!(sha256(&bytes), expected, "{length} bytes");
            let mut in_pieces = Sha256::new();
            let mut rest = &bytes[..];
            while !rest.is_empty() {
                let (piece, others) = rest.split_at(rest.len().min(1 + rng.below(150)));
                in_pieces.update(piece);
                rest = others;
            }
            assert_eq!(in_pieces.finish(), expected, "{length} bytes in pieces");
        }
    }
}
