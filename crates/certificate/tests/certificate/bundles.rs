//! Certificates that rest on lemmas: true bundles are accepted, and what is missing, swapped,
//! changed or about something else is refused.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;
use std::{fs, io};

use crate::common::bundles::{
    BundleBytes, MadeBundle, Verified, bundle_refusal, judge_bundle, judge_within,
};
use crate::common::{Known, Made, Node, judge, line_game, refusal, reversi};
use certificate::{
    Bundle, BundleFolder, BundleLimits, BundleProgress, BundleWatcher, Certificate, Claim, Header,
    Lemma, LemmaHash, LemmaSource, Limit, MAGIC, MOST_LEMMAS, Step, VERSION, VERSION_WITH_LEMMAS,
    VerifyOptions, Writer, crc32, verify,
};
use game::{Game, Notation, Spec, WinningSets};
use games::mnk::{self, LineBoard, Mnk, RunShape};

/// Bundles of several grains, by one thread and by several.
fn is_proved_by_lemmas<G: Notation + WinningSets + Sync>(game: &G, budget: u64) {
    let mut known = Known::new(game);
    let value = known.value(&game.start());
    for (one_in, seed) in [(1, 1), (2, 2), (5, 3), (30, 4)] {
        let made = known.bundle("", budget, (one_in, seed));
        let bytes = made.bytes();
        let verdict = judge_bundle(game, &bytes, 1, &()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(verdict.claims, [Claim::AtLeast(value), Claim::AtMost(value)]);
        assert_eq!(verdict.lemmas, made.files.len() as u64 - 1);
        assert!(verdict.lemmas > 1 && verdict.earlier == 0, "{one_in}: {verdict:?}");
        for threads in [2, 7] {
            assert_eq!(judge_bundle(game, &bytes, threads, &()).unwrap(), verdict);
        }
    }
}

#[test]
fn small_games_are_proved_by_bundles() {
    is_proved_by_lemmas(&line_game("mnk:3x3,k=3"), 5);
    is_proved_by_lemmas(&line_game("mnk:4x4,k=3,gravity"), 10);
    is_proved_by_lemmas(&line_game("mnk:3x3,k=3,p=2"), 1);
    is_proved_by_lemmas(&reversi("reversi:4x4"), 5);
}

fn tictactoe()
-> (crate::common::SmallLineGame, MadeBundle<<crate::common::SmallLineGame as Game>::Position>) {
    let game = line_game("mnk:3x3,k=3");
    let bundle = Known::new(&game).bundle("", 5, (4, 1));
    (game, bundle)
}

/// A certificate with lemmas is none without them: it says what it rests on.
#[test]
fn a_root_alone_is_no_proof() {
    let (game, made) = tictactoe();
    let bytes = made.bytes();
    let certificate = Certificate::read(&bytes.root).unwrap();
    assert_eq!(bytes.root[MAGIC.len()], VERSION_WITH_LEMMAS);
    let verdict = judge(&game, &bytes.root).unwrap();
    assert!(verdict.is_complete() && !verdict.is_proof());
    let rests_on: Vec<(LemmaHash, Claim)> =
        certificate.lemmas().iter().map(|lemma| (lemma.hash, lemma.claim)).collect();
    assert_eq!(verdict.rests_on, rests_on);
    assert!(rests_on.len() > 2 && rests_on.is_sorted_by_key(|lemma| lemma.0));
    let words = format!("proved if {} lemmas are true: ", rests_on.len());
    assert!(verdict.to_string().starts_with(&words), "{verdict}");
    // Those that use no lemma are as they always were.
    let plain = bytes.lemmas.values().filter(|file| file[MAGIC.len()] == VERSION);
    assert!(plain.clone().count() > 2);
    assert!(plain.clone().all(|file| judge(&game, file).unwrap().is_proof()));
}

#[test]
fn a_missing_lemma_is_refused() {
    let (game, made) = tictactoe();
    let bytes = made.bytes();
    for hash in &bytes.hashes {
        let mut fewer = bytes.clone();
        fewer.lemmas.remove(hash);
        let line = bundle_refusal(&game, &fewer);
        assert!(line.starts_with(&format!("lemma {hash} (file ")), "{line}");
        assert!(line.contains(") is missing; ") && line.ends_with(" refers to it"), "{line}");
    }
}

#[test]
fn swapped_and_changed_lemmas_are_refused() {
    let (game, made) = tictactoe();
    let bytes = made.bytes();
    for (i, one) in bytes.hashes.iter().enumerate() {
        for other in
            bytes.hashes[..i].iter().filter(|other| bytes.lemmas[*other] != bytes.lemmas[one])
        {
            let mut swapped = bytes.clone();
            swapped.lemmas.insert(*one, bytes.lemmas[other].clone());
            swapped.lemmas.insert(*other, bytes.lemmas[one].clone());
            let line = bundle_refusal(&game, &swapped);
            assert!(line.contains(" was changed: its hash is "), "{line}");
        }
        let mut changed = bytes.clone();
        let file = changed.lemmas.get_mut(one).unwrap();
        // The same proof with another budget for leaves is as good, but not the one that was meant.
        let at = MAGIC.len() + 1;
        let rest = file[at..].iter().position(|&byte| byte == 8).unwrap() + at + 1;
        file[rest] += 1;
        reseal(file);
        assert!(Certificate::read(file).is_ok());
        let line = bundle_refusal(&game, &changed);
        assert!(line.starts_with(&format!("lemma {one} (file ")), "{line}");
        assert!(line.contains(" was changed: its hash is "), "{line}");
    }
}

fn reseal(file: &mut Vec<u8>) {
    file.truncate(file.len() - 4);
    let checksum = crc32(file);
    file.extend(checksum.to_le_bytes());
}

/// Hashes that fit do not make a lemma one that says something else.
#[test]
fn lemmas_about_something_else_are_refused() {
    let (game, made) = tictactoe();
    let refused = |change: &dyn Fn(&mut MadeBundle<_>)| {
        let mut changed = made.clone();
        change(&mut changed);
        bundle_refusal(&game, &changed.bytes())
    };
    let said = made.files[0].statement();
    let line = refused(&|made| {
        made.files[0].said = Some(said.clone());
        made.files[0].made.header.game = "mnk:3x3,k=3,p=2".to_owned();
    });
    assert!(line.ends_with("is about the game \"mnk:3x3,k=3,p=2\", not \"mnk:3x3,k=3\""), "{line}");
    let line = refused(&|made| {
        made.files[0].said = Some(said.clone());
        made.files[0].made.header.position = String::new();
    });
    assert!(line.contains("is about the position of the start, not \""), "{line}");
    let line = refused(&|made| {
        made.files[0].said = Some(said.clone());
        let claim = &mut made.files[0].made.proofs[0].claim;
        *claim = weaker(*claim);
    });
    assert!(line.contains(") proves \"margin ") && line.contains("\", not \"margin "), "{line}");
    let line = refused(&|made| {
        let proofs = &mut made.files[0].made.proofs;
        *proofs = vec![proofs[0].clone(); 2];
        proofs[0].claim = Claim::AtLeast(-1);
        proofs[1].claim = Claim::AtMost(1);
    });
    assert!(line.ends_with("has two claims; a lemma has one"), "{line}");
}

fn weaker(claim: Claim) -> Claim {
    match claim {
        Claim::AtLeast(bound) => Claim::AtLeast(bound - 1),
        Claim::AtMost(bound) => Claim::AtMost(bound + 1),
    }
}

/// A lemma that says less than its user needs is of no use, one that says more is; and one for the
/// other side never is.
#[test]
fn a_lemma_must_say_enough() {
    let (game, made) = tictactoe();
    let mut stronger = 0;
    for (number, file) in made.files[..made.files.len() - 1].iter().enumerate() {
        let (position, claim) = file.statement();
        let mut changed = made.clone();
        changed.files[number].made.proofs[0].claim = weaker(claim);
        let line = bundle_refusal(&game, &changed.bytes());
        assert!(line.ends_with(&format!("says only that the {}", weaker(claim))), "{line}");
        let other_side = match claim {
            Claim::AtLeast(bound) => Claim::AtMost(bound),
            Claim::AtMost(bound) => Claim::AtLeast(bound),
        };
        changed.files[number].said = Some((position.clone(), other_side));
        let line = bundle_refusal(&game, &changed.bytes());
        assert!(line.contains(" says only that the ") || line.contains(" proves "), "{line}");
        // The other way round: all claim less, but for the lemma.
        let mut less = made.clone();
        for other in &mut less.files {
            for proof in &mut other.made.proofs {
                proof.claim = weaker(proof.claim);
            }
        }
        less.files[number].made.proofs[0].claim = claim;
        let refers_to_others =
            !Certificate::read(&made.bytes().lemmas[&made.bytes().hashes[number]])
                .unwrap()
                .lemmas()
                .is_empty();
        match judge_bundle(&game, &less.bytes(), 1, &()) {
            Ok(_) => stronger += 1,
            Err(error) => assert!(refers_to_others, "{error}"),
        }
    }
    assert!(stronger > 2, "{stronger}");
}

/// A step to a lemma by the wrong symmetry, or to another lemma.
#[test]
fn a_lemma_is_about_the_very_position() {
    let (game, made) = tictactoe();
    let (mut refused, mut passed) = (0, 0);
    for number in 0..made.files.len() {
        for node in 0..made.files[number].made.proofs[0].nodes.len() {
            let steps = made.clone().files[number].made.proofs[0].nodes[node].steps().to_vec();
            for (at, step) in steps.into_iter().enumerate() {
                let Step::Lemma { lemma, symmetry } = step else { continue };
                let others = (0..number as u32).map(|lemma| (lemma, symmetry));
                for (lemma, symmetry) in others.chain((0..8).map(|symmetry| (lemma, symmetry))) {
                    let mut changed = made.clone();
                    changed.files[number].made.proofs[0].nodes[node].steps()[at] =
                        Step::Lemma { lemma, symmetry };
                    let from = &made.files[number].made.proofs[0].positions[node];
                    let is_true = leads_to(&game, from, &made, (number, node, at), lemma, symmetry);
                    let bytes = changed.bytes();
                    match judge_bundle(&game, &bytes, 1, &()) {
                        Ok(_) => assert!(is_true),
                        Err(error) => assert!(!is_true, "{error}"),
                    }
                    passed += usize::from(is_true);
                    refused += usize::from(!is_true);
                }
            }
        }
    }
    assert!(refused > 100 && passed > 20, "{refused}, {passed}");
}

/// Whether a step leads to the position of a lemma, which says enough.
fn leads_to<G: Notation>(
    game: &G,
    from: &G::Position,
    made: &MadeBundle<G::Position>,
    (number, node, at): (usize, usize, usize),
    lemma: u32,
    symmetry: u8,
) -> bool {
    let proof = &made.files[number].made.proofs[0];
    let after = crate::common::after_moves(game, from);
    let next = match &proof.nodes[node] {
        Node::Choice { code, .. } => &after.iter().find(|(c, _)| c == code).unwrap().1,
        _ => &after[at].1,
    };
    let (text, claim) = made.files[lemma as usize].statement();
    game.read_position(&text).unwrap() == game.transform(next, usize::from(symmetry))
        && claim.implies(proof.claim)
}

/// One spelling: the table is sorted, holds nothing twice and nothing that is not used.
#[test]
fn tables_have_one_spelling() {
    let game = line_game("mnk:2x2,k=2");
    let claim = Claim::AtLeast(1);
    let lemma = |byte, position| Lemma { hash: LemmaHash([byte; 32]), position, claim };
    let with = |table: &[Lemma<'_>], steps: &[u32]| {
        let header =
            Header { game: game.spec(), position: String::new(), symmetries: 1, leaf_budget: 1 };
        let nodes = steps.iter().map(|&lemma| Step::Lemma { lemma, symmetry: 0 }).collect();
        let proofs = vec![crate::common::MadeProof::<()> {
            claim,
            nodes: vec![Node::All(nodes)],
            positions: Vec::new(),
        }];
        Made { header, proofs }.bytes_with(table)
    };
    let [one, two] = [lemma(1, "a"), lemma(2, "a")];
    assert!(Certificate::read(&with(&[one, two], &[0, 1, 1])).is_ok());
    let line = refusal(&game, &with(&[two, one], &[0, 1]));
    assert!(line.ends_with("begins a lemma whose hash is not above the last one's"), "{line}");
    let line = refusal(&game, &with(&[one, one], &[0, 1]));
    assert!(line.ends_with("begins a lemma whose hash is not above the last one's"), "{line}");
    let line = refusal(&game, &with(&[one, two], &[1]));
    assert!(line.contains("names lemma 0, 0101") && line.ends_with("does not use it"), "{line}");
    let line = refusal(&game, &with(&[one, two], &[0, 1, 2]));
    assert!(line.ends_with("uses lemma 2; there are 2"), "{line}");
    // A table of nothing: that is version 1.
    let mut none = with(&[one], &[]);
    none.truncate(none.len() - 4);
    let at = none.iter().rposition(|&byte| byte == b'a').unwrap() - 34;
    none[at] = 0;
    reseal_after(&mut none);
    let line = refusal(&game, &none);
    assert!(line.ends_with("gives 0 for the number of lemmas; it is from 1 to 65536"), "{line}");
    none[at] = 3;
    none.splice(at..=at, [0x81, 0x80, 0x04]);
    reseal(&mut none);
    assert_eq!(MOST_LEMMAS + 1, 65537);
    let line = refusal(&game, &none);
    assert!(line.contains("gives 65537 for the number of lemmas"), "{line}");
}

fn reseal_after(file: &mut Vec<u8>) {
    file.extend([0; 4]);
    reseal(file);
}

/// A small file with many lemmas about large boards takes no more memory than was allowed, and so
/// does a bundle of many.
#[test]
fn lemmas_do_not_take_much_memory() {
    let spec = Spec::parse("mnk:250x250,k=5").unwrap();
    let game: Mnk<RunShape, LineBoard> = Mnk::new(&mnk::Parameters::from_spec(&spec).unwrap());
    let claim = Claim::AtMost(0);
    let header =
        Header { game: game.spec(), position: String::new(), symmetries: 1, leaf_budget: 1 };
    let hash = |number: u32| {
        let mut hash = [0; 32];
        hash[..4].copy_from_slice(&number.to_be_bytes());
        LemmaHash(hash)
    };
    let lemmas: Vec<Lemma<'_>> =
        (0..5000).map(|number| Lemma { hash: hash(number), position: "", claim }).collect();
    let mut writer = Writer::with_lemmas(header, &lemmas);
    let mut proof = writer.proof(claim);
    let steps: Vec<Step> = (0..5000).map(|lemma| Step::Lemma { lemma, symmetry: 0 }).collect();
    proof.all(&steps);
    writer.add(proof);
    let bytes = writer.finish();
    assert!(bytes.len() < 200_000, "{}", bytes.len());
    let certificate = Certificate::read(&bytes).unwrap();
    let options = VerifyOptions { most_bytes: 16 << 20, ..VerifyOptions::default() };
    let refusal = verify(&game, &certificate, &options, &mut |_| {}).unwrap_err();
    assert_eq!(refusal.limit(), Some(Limit::Memory));
    assert!(
        refusal.to_string().starts_with("lemma 161 of the certificate is read, but "),
        "{refusal}"
    );
    let limits = BundleLimits { most_bytes: 1 << 18, until: None };
    let nothing = BundleBytes::default();
    let refusal = Bundle::gather(&certificate, &nothing, &limits, &()).unwrap_err();
    assert_eq!(refusal.limit(), Some(Limit::Memory), "{refusal}");
}

#[test]
fn bundles_keep_to_their_limits() {
    let (game, made) = tictactoe();
    let bytes = made.bytes();
    let judged = |limits: &BundleLimits| judge_within(&game, &bytes, 2, limits, &());
    let late = BundleLimits { until: Some(Instant::now()), ..BundleLimits::default() };
    assert_eq!(judged(&late).unwrap_err().limit(), Some(Limit::Time));
    let mut megabytes = 1 << 20;
    assert!(judged(&BundleLimits { most_bytes: megabytes, until: None }).is_ok());
    while megabytes > 0 {
        megabytes /= 2;
        if let Err(refusal) = judged(&BundleLimits { most_bytes: megabytes, until: None }) {
            assert_eq!(refusal.limit(), Some(Limit::Memory), "{refusal}");
        }
    }
}

/// Stops after so many questions.
struct Impatient(AtomicU64);

impl BundleWatcher for Impatient {
    fn is_stopped(&self) -> bool {
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
            .is_err()
    }
}

/// Wherever it is stopped, nothing is said to be proved.
#[test]
fn a_check_can_be_stopped_anywhere() {
    let (game, made) = tictactoe();
    let bytes = made.bytes();
    let mut stopped = 0;
    for threads in [1, 3] {
        for patience in 0.. {
            match judge_bundle(&game, &bytes, threads, &Impatient(AtomicU64::new(patience))) {
                Ok(_) => break,
                Err(refusal) => assert_eq!(refusal.limit(), Some(Limit::Stop), "{refusal}"),
            }
            stopped += 1;
        }
    }
    assert!(stopped > 50, "{stopped}");
}

/// What was verified is not verified again; but its file is looked at all the same.
#[test]
fn what_was_verified_is_not_checked_again() {
    let (game, made) = tictactoe();
    let bytes = made.bytes();
    let verified = Verified::default();
    let first = judge_bundle(&game, &bytes, 2, &verified).unwrap();
    let again = judge_bundle(&game, &bytes, 2, &verified).unwrap();
    assert_eq!(
        (again.earlier, again.lemmas, again.nodes),
        (first.lemmas, first.lemmas, first.nodes)
    );
    assert!(again.visited < first.visited);
    verified.0.lock().unwrap().truncate(2);
    assert_eq!(judge_bundle(&game, &bytes, 1, &verified).unwrap().earlier, 2);
    let mut changed = bytes.clone();
    let hash = verified.0.lock().unwrap()[0];
    let file = changed.lemmas.get_mut(&hash).unwrap();
    let last = file.len() - 5;
    file[last] ^= 1;
    reseal(file);
    let line = judge_bundle(&game, &changed, 1, &verified).unwrap_err().to_string();
    assert!(line.contains(" was changed: "), "{line}");
}

/// Fails to write anything down, and hears how far it has come.
#[derive(Default)]
struct Forgetful {
    heard: AtomicU64,
    is_full: AtomicBool,
}

impl BundleWatcher for Forgetful {
    fn verified(&self, _: &LemmaHash) -> io::Result<()> {
        match self.is_full.load(Ordering::Relaxed) {
            true => Err(io::ErrorKind::StorageFull.into()),
            false => Ok(()),
        }
    }
    fn progress(&self, now: &BundleProgress) {
        assert!(now.lemmas <= now.all_lemmas && now.nodes <= now.all_nodes);
        self.heard.fetch_max(now.lemmas, Ordering::Relaxed);
    }
}

#[test]
fn what_cannot_be_written_down_ends_the_check() {
    let (game, made) = tictactoe();
    let bytes = made.bytes();
    let watcher = Forgetful::default();
    let verdict = judge_bundle(&game, &bytes, 2, &watcher).unwrap();
    assert_eq!(watcher.heard.load(Ordering::Relaxed), verdict.lemmas);
    watcher.is_full.store(true, Ordering::Relaxed);
    let refusal = judge_bundle(&game, &bytes, 2, &watcher).unwrap_err();
    assert!(
        refusal.to_string().contains("is verified, but that cannot be written down"),
        "{refusal}"
    );
}

/// Rules that deny what is claimed are heard, whichever thread they are asked by.
#[test]
fn a_lemma_that_is_not_proved_is_refused() {
    let (game, made) = tictactoe();
    for number in 0..made.files.len() {
        for threads in [1, 4] {
            let mut changed = made.clone();
            for node in &mut changed.files[number].made.proofs[0].nodes {
                if let Node::Choice { code, .. } = node {
                    *code = 77;
                }
            }
            let BundleBytes { root, lemmas, hashes } = changed.bytes();
            let bytes = BundleBytes { root, lemmas, hashes };
            let is_same = bytes.root == made.bytes().root;
            let judged = judge_bundle(&game, &bytes, threads, &());
            assert_eq!(judged.is_ok(), is_same);
            if let Err(refusal) = judged {
                let line = refusal.to_string();
                assert!(
                    line.contains("is refused: node ") && line.contains("chooses 77"),
                    "{line}"
                );
            }
        }
    }
}

#[test]
fn a_bundle_is_a_folder() {
    let (game, made) = tictactoe();
    let bytes = made.bytes();
    let path = std::env::temp_dir().join(format!("zermelo-bundle-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    let folder = BundleFolder::new(&path);
    fs::write(folder.root(), &bytes.root).unwrap();
    for (hash, file) in &bytes.lemmas {
        fs::write(folder.lemma(hash), file).unwrap();
    }
    let root = Certificate::read(&bytes.root).unwrap();
    let gather = || Bundle::gather(&root, &folder, &BundleLimits::default(), &());
    let bundle = gather().unwrap();
    assert_eq!(bundle.lemmas(), bytes.lemmas.len());
    assert_eq!(folder.strangers(&bundle).unwrap(), (0, vec![]));
    fs::write(path.join("readme"), "").unwrap();
    fs::write(folder.lemma(&LemmaHash([7; 32])), "").unwrap();
    let (strangers, names) = folder.strangers(&bundle).unwrap();
    assert_eq!((strangers, names.len()), (2, 2));
    let check = |certificate: &Certificate<'_>,
                 options: &VerifyOptions<'_>,
                 progress: &mut dyn FnMut(&certificate::VerifyProgress)| {
        verify(&game, certificate, options, progress)
    };
    assert!(bundle.verify(&folder, &check, 2, &BundleLimits::default(), &()).is_ok());
    // Between the two passes a file may change: it is looked at again.
    let first = folder.lemma(&bytes.hashes[0]);
    let right = fs::read(&first).unwrap();
    fs::write(&first, b"something else").unwrap();
    let judged = bundle.verify(&folder, &check, 2, &BundleLimits::default(), &());
    assert!(judged.unwrap_err().to_string().contains("was changed"));
    fs::write(&first, right).unwrap();
    // What is no file is not read, as it may have no end.
    fs::remove_file(&first).unwrap();
    fs::create_dir(&first).unwrap();
    let line = gather().unwrap_err().to_string();
    assert!(line.ends_with("cannot be read: it is no ordinary file"), "{line}");
    let name = folder.name(Some(&bytes.hashes[0]));
    assert!(line.contains(&name) && name.ends_with(".proof"), "{line}");
    fs::remove_dir_all(&path).unwrap();
}
