#![no_main]

use certificate::{Certificate, MAGIC, VerifyOptions, Refusal, Turned, VERSION, crc32, settles, verify};
use game::{Game, Notation, Spec};
use games::mnk::{Mnk, Parameters, RunShape, WordBoard};

type TicTacToe = Mnk<RunShape, WordBoard<u16>>;

fn is_one_line(refusal: &Refusal) {
    assert_eq!(refusal.to_string().lines().count(), 1);
}

// What comes between the version and the checksum, which no fuzzer would guess. What passes is true; what is refused is refused in one
// line.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let spec = Spec::parse("mnk:3x3,k=3").expect("a spec");
    let game: TicTacToe = Mnk::new(&Parameters::from_spec(&spec).expect("parameters"));
    let mut bytes = [MAGIC, &[VERSION], data].concat();
    bytes.extend(crc32(&bytes).to_le_bytes());
    let certificate = match Certificate::read(&bytes) {
        Ok(certificate) => certificate,
        Err(refusal) => return is_one_line(&refusal),
    };
    match verify(&game, Turned, &certificate, &VerifyOptions::default(), &mut |_| {}) {
        Ok(verdict) => {
            let position = match &certificate.header().position {
                text if text.is_empty() => game.start(),
                text => game.read_position(text).expect("a position that was read before"),
            };
            for claim in verdict.claims {
                assert_eq!(settles(&game, &position, claim, u64::MAX), Some(true));
            }
        }
        Err(refusal) => is_one_line(&refusal),
    }
});
