#![no_main]

use std::collections::HashMap;
use std::io;

use certificate::{
    Bundle, BundleLimits, Certificate, Claim, Lemma, LemmaHash, LemmaSource, MAGIC, VERSION,
    VerifyOptions, VerifyProgress, Writer, crc32, settles, verify,
};
use game::{Game, Notation, Spec};
use games::mnk::{Mnk, Parameters, RunShape, WordBoard};

type TicTacToe = Mnk<RunShape, WordBoard<u16>>;

struct Files(HashMap<LemmaHash, Vec<u8>>);

impl LemmaSource for Files {
    fn read(&self, hash: &LemmaHash, _: usize) -> io::Result<Vec<u8>> {
        self.0.get(hash).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
    fn name(&self, hash: Option<&LemmaHash>) -> String {
        hash.map_or_else(|| "root".to_owned(), LemmaHash::to_string)
    }
}

fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.extend(crc32(&bytes).to_le_bytes());
    bytes
}

// A root and one lemma, which the first two bytes measure, with its hash put in where the root has
// room for one. What passes is true.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let spec = Spec::parse("mnk:3x3,k=3").expect("a spec");
    let game: TicTacToe = Mnk::new(&Parameters::from_spec(&spec).expect("parameters"));
    let [length, steps, data @ ..] = data else { return };
    let Some((front, back)) = data.split_at_checked(usize::from(*length)) else { return };
    let lemma = sealed([MAGIC, &[VERSION], front].concat());
    let Ok(certificate) = Certificate::read(&lemma) else { return };
    let (header, claim) = (certificate.header().clone(), certificate.proofs()[0].claim());
    let hash = LemmaHash::of(&game.spec(), &header.position, claim, &lemma);
    // The root: its head as it is written, and steps as the fuzzer likes.
    let table = [Lemma { hash, position: &header.position, claim }];
    let bound = i32::from(steps % 3) - 1;
    let root_claim = [Claim::AtLeast(bound), Claim::AtMost(bound)][usize::from(steps / 3 % 2)];
    let mut root_header = header.clone();
    root_header.position = String::new();
    let mut writer = Writer::with_lemmas(root_header, &table);
    writer.add(writer.proof(root_claim));
    let mut bytes = writer.finish();
    // Without the checksum and the number of nodes, 0.
    bytes.truncate(bytes.len() - 5);
    bytes.extend(back);
    let bytes = sealed(bytes);
    let Ok(root) = Certificate::read(&bytes) else { return };
    let files = Files(HashMap::from([(hash, lemma)]));
    let check = |certificate: &Certificate<'_>,
                 options: &VerifyOptions<'_>,
                 progress: &mut dyn FnMut(&VerifyProgress)| {
        verify(&game, certificate, options, progress)
    };
    let limits = BundleLimits::default();
    let judged = Bundle::gather(&root, &files, &limits, &())
        .and_then(|bundle| bundle.verify(&files, &check, 1, &limits, &()));
    match judged {
        Ok(verdict) => {
            for claim in verdict.claims {
                assert_eq!(settles(&game, &game.start(), claim, u64::MAX), Some(true));
            }
        }
        Err(refusal) => assert_eq!(refusal.to_string().lines().count(), 1),
    }
});
