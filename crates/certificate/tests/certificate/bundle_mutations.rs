//! Bundles changed in a thousand ways, with all hashes and checksums repaired: what is accepted is
//! true. Truth is judged by minimax as one would write it on a blackboard, of the root and of every
//! lemma.
#![expect(clippy::print_stdout, reason = "how many mutants are caught is reported")]

use crate::common::bundles::{BundleBytes, MadeBundle, judge_bundle};
use crate::common::{Known, Node, line_game, reversi};
use crate::lies::{mutated, sealed};
use certificate::{Certificate, Claim, Step};
use game::{Notation, Rng, WinningSets};

/// What came of the mutants.
#[derive(Debug, Default)]
struct Tally {
    mutants: u32,
    /// Those that say something else than the bundle did, of the root or of a lemma.
    other_statements: u32,
    /// Those that say something that is not true.
    untrue: u32,
    refused: u32,
    accepted: u32,
    /// Accepted, though they say something else: all of it true.
    accepted_others: u32,
}

/// All that a bundle says: of its root, and of all lemmas. `None` if the root cannot be read.
fn statements(bytes: &BundleBytes) -> Option<Vec<(String, Claim)>> {
    let mut said = Vec::new();
    for file in [&bytes.root].into_iter().chain(bytes.lemmas.values()) {
        let Ok(certificate) = Certificate::read(file) else { continue };
        for proof in certificate.proofs() {
            said.push((certificate.header().position.clone(), proof.claim()));
        }
        said.extend(certificate.lemmas().iter().map(|l| (l.position.to_owned(), l.claim)));
    }
    said.sort_by_key(|(position, claim)| (position.clone(), format!("{claim}")));
    said.dedup();
    Certificate::read(&bytes.root).ok().map(|_| said)
}

fn is_true<G: Notation>(known: &mut Known<'_, G>, (position, claim): &(String, Claim)) -> bool {
    let read = match position.as_str() {
        "" => Ok(known.game.start()),
        text => known.game.read_position(text),
    };
    read.is_ok_and(|p| claim.holds(known.value(&p)))
}

/// Changes what a file says, what others say of it, or a few bytes of it.
fn mutate<G: Notation>(game: &G, made: &mut MadeBundle<G::Position>, rng: &mut Rng) {
    let positions: Vec<String> = made.files.iter().map(|file| file.statement().0).collect();
    let number = rng.below(made.files.len());
    let some_claim = |claim: Claim, rng: &mut Rng| {
        let by = [-2, -1, 1, 2][rng.below(4)];
        match (claim, rng.below(8)) {
            (Claim::AtLeast(bound), 0) => Claim::AtMost(bound),
            (Claim::AtMost(bound), 0) => Claim::AtLeast(bound),
            (Claim::AtLeast(bound), _) => Claim::AtLeast(bound + by),
            (Claim::AtMost(bound), _) => Claim::AtMost(bound + by),
        }
    };
    let file = &mut made.files[number];
    let which = rng.below(file.made.proofs.len());
    let proof = &mut file.made.proofs[which];
    match rng.below(12) {
        0 => proof.claim = some_claim(proof.claim, rng),
        1 => {
            let (position, claim) = file.statement();
            file.said = Some((position, some_claim(claim, rng)));
        }
        2 => {
            let (_, claim) = file.statement();
            file.said = Some((positions[rng.below(positions.len())].clone(), claim));
        }
        3 => file.made.header.position = positions[rng.below(positions.len())].clone(),
        4 => file.made.header.leaf_budget = [1, 3, 50, 10_000][rng.below(4)],
        // One lie that all agree on.
        5 => {
            let by = [-1, 1][rng.below(2)];
            for proof in made.files.iter_mut().flat_map(|file| &mut file.made.proofs) {
                proof.claim = match proof.claim {
                    Claim::AtLeast(bound) => Claim::AtLeast(bound + by),
                    Claim::AtMost(bound) => Claim::AtMost(bound + by),
                };
            }
        }
        6 | 7 => {
            let hashes = made.bytes().hashes;
            let bytes = made.file(number, &hashes);
            let changed = sealed(mutated(&bytes[..bytes.len() - 4], rng));
            // Others may follow it in what they say of it.
            if let (Ok(found), 0) = (Certificate::read(&changed), rng.below(2)) {
                let claim = found.proofs()[0].claim();
                made.files[number].said = Some((found.header().position.clone(), claim));
            }
            made.files[number].forged = Some(changed);
        }
        _ => {
            let nodes = proof.nodes.len();
            if nodes == 0 {
                return;
            }
            let at = rng.below(nodes);
            if let (Node::Choice { code, .. }, 0) = (&mut proof.nodes[at], rng.below(3)) {
                *code = rng.below(16) as u32;
                return;
            }
            let symmetries = game.symmetries();
            let steps = proof.nodes[at].steps();
            if steps.is_empty() {
                return;
            }
            let step = rng.below(steps.len());
            let symmetry = rng.below(symmetries) as u8;
            steps[step] = match rng.below(4) {
                0 => Step::Settled,
                1 if at + 1 < nodes => {
                    Step::To { ahead: 1 + rng.below(nodes - at - 1) as u64, symmetry }
                }
                // Only files before this one have hashes when it is written.
                _ if number > 0 => Step::Lemma { lemma: rng.below(number) as u32, symmetry },
                _ => Step::Settled,
            };
        }
    }
}

fn survives_mutation<G: Notation + WinningSets + Sync>(
    game: &G,
    budget: u64,
    one_in: usize,
    (mutants, seed): (u32, u64),
) -> Tally {
    let mut known = Known::new(game);
    let made = known.bundle("", budget, (one_in, seed));
    let original = made.bytes();
    let said = statements(&original).unwrap();
    assert!(said.iter().all(|statement| is_true(&mut known, statement)));
    let mut rng = Rng::new(seed);
    let mut tally = Tally::default();
    while tally.mutants < mutants {
        let mut changed = made.clone();
        for _ in 0..=rng.below(3) {
            mutate(game, &mut changed, &mut rng);
        }
        let bytes = changed.bytes();
        if bytes.root == original.root && bytes.lemmas == original.lemmas {
            continue;
        }
        tally.mutants += 1;
        let now = statements(&bytes);
        let says_other = now.as_ref() != Some(&said);
        tally.other_statements += u32::from(says_other);
        let all_true = now.is_some_and(|now| now.iter().all(|now| is_true(&mut known, now)));
        tally.untrue += u32::from(!all_true);
        match judge_bundle(game, &bytes, 1, &()) {
            Err(refusal) => {
                assert_eq!(refusal.to_string().lines().count(), 1, "{refusal}");
                tally.refused += 1;
            }
            Ok(verdict) => {
                assert!(reached_is_true(&mut known, &bytes), "{verdict}");
                let root = Certificate::read(&bytes.root).unwrap();
                let value = known.value(&known.position(&root.header().position));
                assert!(verdict.claims.iter().all(|claim| claim.holds(value)), "{verdict}");
                tally.accepted += 1;
                tally.accepted_others += u32::from(says_other);
            }
        }
    }
    println!("{}: {tally:?}", game.spec());
    tally
}

/// Whether all that an accepted bundle says is true: its root, and the lemmas that it rests on.
fn reached_is_true<G: Notation>(known: &mut Known<'_, G>, bytes: &BundleBytes) -> bool {
    let mut waiting = vec![bytes.root.clone()];
    let mut seen = std::collections::BTreeSet::new();
    while let Some(file) = waiting.pop() {
        let certificate = Certificate::read(&file).unwrap();
        let position = &certificate.header().position;
        for proof in certificate.proofs() {
            if !is_true(known, &(position.clone(), proof.claim())) {
                return false;
            }
        }
        for lemma in certificate.lemmas() {
            if !is_true(known, &(lemma.position.to_owned(), lemma.claim)) {
                return false;
            }
            if seen.insert(lemma.hash) {
                waiting.push(bytes.lemmas[&lemma.hash].clone());
            }
        }
    }
    true
}

/// A thousand mutants together. That most are refused shows that the check is one; that some are
/// accepted, that it does not just refuse.
#[test]
fn mutated_bundles_are_refused_or_true() {
    let all = [
        survives_mutation(&line_game("mnk:3x3,k=3"), 5, 4, (400, 1)),
        survives_mutation(&line_game("mnk:4x4,k=3,gravity"), 10, 6, (300, 2)),
        survives_mutation(&reversi("reversi:4x4"), 5, 20, (300, 3)),
    ];
    let sum = |count: fn(&Tally) -> u32| all.iter().map(count).sum::<u32>();
    let (refused, accepted) = (sum(|t| t.refused), sum(|t| t.accepted));
    println!(
        "{} mutants, {} say something else, {} something untrue; {refused} refused, {accepted} \
         accepted, {} of which say something else that is true",
        sum(|t| t.mutants),
        sum(|t| t.other_statements),
        sum(|t| t.untrue),
        sum(|t| t.accepted_others),
    );
    assert_eq!(sum(|t| t.mutants), 1000);
    assert!(refused > 700 && accepted > 20, "{refused}, {accepted}");
    assert!(sum(|t| t.untrue) > 150, "{all:?}");
}
