#![no_main]

use certificate::{
    Certificate, MAGIC, Refusal, VERSION, VERSION_WITH_LEMMAS, VerifyOptions, crc32, settles,
    verify,
};
use game::{Game, Notation, Spec};
use games::mnk::{Mnk, Parameters, RunShape, WordBoard};

type TicTacToe = Mnk<RunShape, WordBoard<u16>>;

fn is_one_line(refusal: &Refusal) {
    assert_eq!(refusal.to_string().lines().count(), 1);
}

// What comes between the version and the checksum, which no fuzzer would guess; the first byte says
// which version. What passes is true, if its lemmas are; what is refused is refused in one line.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let spec = Spec::parse("mnk:3x3,k=3").expect("a spec");
    let game: TicTacToe = Mnk::new(&Parameters::from_spec(&spec).expect("parameters"));
    let Some((choice, data)) = data.split_first() else { return };
    let version = if choice & 1 == 0 { VERSION } else { VERSION_WITH_LEMMAS };
    let mut bytes = [MAGIC, &[version], data].concat();
    bytes.extend(crc32(&bytes).to_le_bytes());
    let certificate = match Certificate::read(&bytes) {
        Ok(certificate) => certificate,
        Err(refusal) => return is_one_line(&refusal),
    };
    let holds = |text: &str, claim| {
        let position = match text {
            "" => game.start(),
            text => game.read_position(text).expect("a position that was read before"),
        };
        settles(&game, &position, claim, u64::MAX) == Some(true)
    };
    match verify(&game, &certificate, &VerifyOptions::default(), &mut |_| {}) {
        Ok(verdict) => {
            if certificate.lemmas().iter().all(|lemma| holds(lemma.position, lemma.claim)) {
                let position = &certificate.header().position;
                assert!(verdict.claims.iter().all(|&claim| holds(position, claim)));
            }
        }
        Err(refusal) => is_one_line(&refusal),
    }
});
