//! What is not a proof is refused: certificates changed part by part, byte by byte, and no certificates at all.

use crate::common::{
    Known, Made, Node, SmallLineGame, after_moves, judge, line_game, refusal, reversi,
};
use certificate::{
    Certificate, Claim, Header, Lemma, LemmaHash, MAGIC, ProofWriter, Step, VERSION,
    VERSION_WITH_LEMMAS, VerifyOptions, Writer, crc32, verify,
};
use game::testkit::Asymmetric;
use game::{Notation, Rng, WinningSets};

fn tictactoe() -> SmallLineGame {
    line_game("mnk:3x3,k=3")
}

/// Visits every node, with the numbers of its proof and itself.
fn for_each_node<P>(made: &Made<P>, mut visit: impl FnMut(usize, usize, &Node)) {
    for (number, proof) in made.proofs.iter().enumerate() {
        for (at, node) in proof.nodes.iter().enumerate() {
            visit(number, at, node);
        }
    }
}

/// Proofs of both bounds of the start, each on its own, pass, and are refused once they claim more.
fn claims_no_more_than_it_proves<G: Notation + WinningSets>(game: &G) {
    let mut known = Known::new(game);
    let value = known.value(&game.start());
    for (claim, more) in [
        (Claim::AtLeast(value), [value + 1, value + 2].map(Claim::AtLeast)),
        (Claim::AtMost(value), [value - 1, value - 2].map(Claim::AtMost)),
    ] {
        let mut made = known.prove("", &[claim], 20, true);
        assert!(judge(game, &made.bytes()).is_ok());
        for claim in more {
            made.proofs[0].claim = claim;
            refusal(game, &made.bytes());
        }
    }
}

#[test]
fn a_bound_raised_by_one_is_refused() {
    claims_no_more_than_it_proves(&tictactoe());
    claims_no_more_than_it_proves(&line_game("mnk:4x4,k=3,gravity"));
    claims_no_more_than_it_proves(&reversi("reversi:4x4"));
}

#[test]
fn the_other_kind_of_claim_is_refused() {
    let game = tictactoe();
    let mut made = Known::new(&game).prove("", &[Claim::AtLeast(0)], 5, true);
    made.proofs[0].claim = Claim::AtMost(0);
    let line = refusal(&game, &made.bytes());
    assert_eq!(
        line,
        "node 0 of the proof of \"margin <= 0\" chooses a move for the side it has to answer"
    );
    let mut made = Known::new(&game).prove("", &[Claim::AtMost(0)], 5, true);
    made.proofs[0].claim = Claim::AtLeast(0);
    let line = refusal(&game, &made.bytes());
    assert_eq!(
        line,
        "node 0 of the proof of \"margin >= 0\" answers moves where it has to choose one"
    );
}

#[test]
fn a_missing_reply_is_refused() {
    let game = tictactoe();
    let made = Known::new(&game).both_bounds("", 5, true);
    let mut tried = 0;
    for_each_node(&made, |number, at, node| {
        let Node::All(steps) = node else { return };
        for missing in 0..steps.len() {
            let mut changed = made.clone();
            let mut fewer = steps.clone();
            fewer.remove(missing);
            changed.proofs[number].nodes[at] = Node::All(fewer);
            let line = refusal(&game, &changed.bytes());
            let why = format!("answers {} of {} moves", steps.len() - 1, steps.len());
            let place = format!("node {at} of the proof of \"{}\" ", made.proofs[number].claim);
            assert_eq!(line, place + &why);
            tried += 1;
        }
    });
    assert!(tried > 100, "{tried}");
}

/// Changes every edge: to each of the nodes near the right one, and by each symmetry. What leads to the same position passes, and nothing else;
/// but where no other edge leads to a node, another symmetry only turns the node round, and the proof below it may still be one.
fn only_true_edges_pass<G: Notation + WinningSets>(game: &G, made: &Made<G::Position>) {
    let (mut refused, mut passed) = (0, 0);
    for_each_node(made, |number, at, node| {
        let proof = &made.proofs[number];
        let edges_to = edges_to_nodes(proof.nodes.clone());
        for (i, &step) in node.clone().steps().iter().enumerate() {
            let Step::To { ahead: right, symmetry: by } = step else { continue };
            let after = after_moves(game, &proof.positions[at]);
            let after = match node {
                Node::Choice { code, .. } => &after.iter().find(|(c, _)| c == code).unwrap().1,
                Node::All(_) => &after[i].1,
                Node::Hopeless => continue,
            };
            let nodes = (right.saturating_sub(2).max(1)..=right + 2).map(|ahead| (ahead, by));
            let symmetries = (0..made.header.symmetries).map(|symmetry| (right, symmetry));
            for (ahead, symmetry) in nodes.chain(symmetries) {
                let target = proof.positions.get(at + ahead as usize);
                let is_true = target == Some(&game.transform(after, usize::from(symmetry)));
                let mut changed = made.clone();
                changed.proofs[number].nodes[at].steps()[i] = Step::To { ahead, symmetry };
                let judged = judge(game, &changed.bytes());
                if is_true {
                    assert!(judged.is_ok(), "{judged:?}");
                    passed += 1;
                } else if ahead != right || edges_to[at + right as usize] > 1 {
                    assert!(judged.is_err(), "node {at}, {step:?}: {ahead}, {symmetry}");
                    refused += 1;
                }
            }
        }
    });
    assert!(refused > 200 && passed > 100, "{refused} refused, {passed} passed");
}

/// How many edges lead to each node.
fn edges_to_nodes(mut nodes: Vec<Node>) -> Vec<usize> {
    let mut counts = vec![0; nodes.len()];
    for (at, node) in nodes.iter_mut().enumerate() {
        for step in node.steps() {
            if let Step::To { ahead, .. } = step {
                counts[at + *ahead as usize] += 1;
            }
        }
    }
    counts
}

#[test]
fn a_wrong_edge_or_symmetry_is_refused() {
    let game = tictactoe();
    only_true_edges_pass(&game, &Known::new(&game).both_bounds("", 5, true));
    let game = line_game("mnk:3x3,k=3,p=2");
    only_true_edges_pass(&game, &Known::new(&game).both_bounds("", 1, true));
    let game = reversi("reversi:4x4");
    only_true_edges_pass(&game, &Known::new(&game).both_bounds("", 5, true));
}

#[test]
fn a_node_left_out_is_refused() {
    let game = tictactoe();
    let made = Known::new(&game).both_bounds("", 1, true);
    for_each_node(&made, |number, at, node| {
        let mut changed = made.clone();
        for step in changed.proofs[number].nodes[at].steps() {
            *step = Step::Settled;
        }
        let leaves_something_out = *node != changed.proofs[number].nodes[at];
        assert_eq!(judge(&game, &changed.bytes()).is_err(), leaves_something_out);
    });
}

#[test]
fn a_wrong_choice_is_refused() {
    let game = tictactoe();
    let made = Known::new(&game).both_bounds("", 5, true);
    let mut known = Known::new(&game);
    let (mut illegal, mut bad) = (0, 0);
    for_each_node(&made, |number, at, node| {
        let &Node::Choice { code: right, step } = node else { return };
        let claim = made.proofs[number].claim;
        let after = after_moves(&game, &made.proofs[number].positions[at]);
        for code in (0..12).filter(|&code| code != right) {
            let mut changed = made.clone();
            changed.proofs[number].nodes[at] = Node::Choice { code, step };
            let judged = judge(&game, &changed.bytes());
            match after.iter().find(|&&(c, _)| c == code) {
                None => {
                    let line = judged.unwrap_err().to_string();
                    assert!(line.ends_with(&format!("chooses {code}, which is no legal move")));
                    illegal += 1;
                }
                Some((_, next)) if !claim.holds(known.value(next)) => {
                    assert!(judged.is_err(), "{at} {code}");
                    bad += 1;
                }
                // Another good move may have a leaf too, or lead to a mirror image.
                Some(_) => {}
            }
        }
    });
    assert!(illegal > 50 && bad > 20, "{illegal}, {bad}");
}

#[test]
fn a_leaf_beyond_the_budget_is_refused() {
    let game = tictactoe();
    let mut made = Known::new(&game).both_bounds("", 50, true);
    made.header.leaf_budget = 10;
    let line = refusal(&game, &made.bytes());
    assert!(line.ends_with("but 10 positions do not settle it"), "{line}");
}

#[test]
fn a_node_nobody_needs_is_refused() {
    let game = tictactoe();
    let mut made = Known::new(&game).both_bounds("", 50, true);
    let count = made.proofs[0].nodes.len();
    made.proofs[0].nodes.push(Node::Hopeless);
    let line = refusal(&game, &made.bytes());
    assert_eq!(line, format!("node {count} of the proof of \"margin >= 0\" is reached by no edge"));
}

#[test]
fn a_node_without_moves_proves_nothing() {
    // Black has won with the last move, and White is said to have no answer.
    let game = tictactoe();
    let mut made = Known::new(&game).prove("xx./oo./... x", &[Claim::AtLeast(1)], 1, true);
    assert_eq!(made.proofs[0].nodes, [Node::Choice { code: 8, step: Step::Settled }]);
    made.proofs[0].nodes =
        vec![Node::Choice { code: 8, step: Step::To { ahead: 1, symmetry: 0 } }, Node::Hopeless];
    let line = refusal(&game, &made.bytes());
    assert_eq!(line, "node 1 of the proof of \"margin >= 1\" is a position without moves");
}

#[test]
fn another_game_or_position_is_refused() {
    let game = tictactoe();
    let made = Known::new(&game).both_bounds("", 5, true);
    let line = refusal(&line_game("mnk:3x3,k=3,p=2"), &made.bytes());
    assert_eq!(line, "the certificate is about \"mnk:3x3,k=3\", not \"mnk:3x3,k=3,p=2\"");
    let mut other = made.clone();
    other.header.position = "x../.../... o".to_owned();
    refusal(&game, &other.bytes());
    other.header.position = "what?\n".to_owned();
    let line = refusal(&game, &other.bytes());
    assert!(
        line.starts_with("the certificate is about a position that cannot be read, "),
        "{line}"
    );
    other.header.symmetries = 3;
    other.proofs.iter_mut().for_each(|proof| proof.nodes.clear());
    let line = refusal(&game, &other.bytes());
    assert_eq!(line, "the certificate uses 3 symmetries; the game has 8");
}

#[test]
fn claims_out_of_order_are_refused() {
    let game = tictactoe();
    let mut known = Known::new(&game);
    let (least, most) = (Claim::AtLeast(0), Claim::AtMost(0));
    for claims in [[most, least], [least, least], [most, most]] {
        let line = refusal(&game, &known.prove("", &claims, 5, true).bytes());
        assert!(line.contains("a lower bound followed by an upper one"), "{line}");
    }
    for claims in [&[][..], &[least, most, most]] {
        let line = refusal(&game, &known.prove("", claims, 5, true).bytes());
        assert!(line.contains("for the number of claims; it is from 1 to 2"), "{line}");
    }
}

#[test]
fn budgets_out_of_bounds_are_refused() {
    let game = tictactoe();
    for budget in [0, (1 << 24) + 1] {
        let mut made = Known::new(&game).both_bounds("", 1, true);
        made.header.leaf_budget = budget;
        let line = refusal(&game, &made.bytes());
        assert!(line.contains("for the budget of a leaf; it is from 1 to 16777216"), "{line}");
    }
}

#[test]
fn another_kind_of_file_is_refused() {
    let game = tictactoe();
    let bytes = Known::new(&game).both_bounds("", 5, true).bytes();
    let with = |at: usize, byte: u8| {
        let mut changed = bytes.clone();
        changed[at] = byte;
        refusal(&game, &changed)
    };
    assert_eq!(with(0, b'z'), "the certificate is none: such a file begins with ZERMELO-PROOF");
    assert_eq!(
        with(MAGIC.len(), 3),
        "the certificate has version 3; only versions 1 and 2 are known"
    );
    assert!(with(40, 99).starts_with("the certificate is damaged: its checksum is "));
    assert!(refusal(&game, b"").contains("is none"));
}

#[test]
fn a_file_cut_short_is_refused() {
    let game = tictactoe();
    let bytes = Known::new(&game).both_bounds("", 5, true).bytes();
    for length in 0..bytes.len() {
        refusal(&game, &bytes[..length]);
    }
    // The same with a checksum that fits, so that something else has to notice.
    for length in 0..bytes.len() - 4 {
        refusal(&game, &sealed(bytes[..length].to_vec()));
    }
    for more in 0..=255 {
        let mut longer = bytes[..bytes.len() - 4].to_vec();
        longer.push(more);
        let line = refusal(&game, &sealed(longer));
        assert!(line.ends_with("comes after the end of the last proof"), "{line}");
    }
}

/// The last two bytes before the checksum are a choice that is settled.
#[test]
fn other_spellings_and_cycles_are_refused() {
    let game = line_game("mnk:2x2,k=2");
    let bytes = Known::new(&game).prove("", &[Claim::AtLeast(1)], 1, true).bytes();
    let (body, _) = bytes.split_last_chunk::<4>().unwrap();
    let (front, last) = body.split_last_chunk::<2>().unwrap();
    assert!(last[0] % 2 == 1 && last[1] == 0, "{last:?}");
    let ending = |bytes: &[u8]| refusal(&game, &sealed([front, bytes].concat()));
    let at = front.len();
    assert_eq!(
        ending(&[last[0], 0x80, 0]),
        format!(
            "byte {} of the certificate begins a number that is not in its shortest form",
            at + 1
        )
    );
    assert_eq!(
        ending(&[last[0], 3]),
        format!("byte {} of the certificate is a step from a node to itself", at + 1)
    );
    assert_eq!(
        ending(&[last[0], 8]),
        "node 3 of the proof of \"margin >= 1\" leads 1 nodes ahead, out of the graph of 4 nodes"
    );
    assert_eq!(
        ending(&[0x81, 0x80, 0x80, 0x80, 0x20, 0]),
        format!("byte {at} of the certificate names a move by more than 32 bits")
    );
    assert_eq!(
        ending(&[0xff; 11]),
        format!("byte {at} of the certificate begins a number of more than 64 bits")
    );
    // More moves than the file has bytes.
    assert_eq!(
        ending(&[0xfe, 0xff, 0xff, 0xff, 0x7f]),
        format!("byte {} of the certificate is missing", at + 5)
    );
}

/// Bytes with the checksum that belongs to them.
pub(crate) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let checksum = crc32(&bytes);
    bytes.extend(checksum.to_le_bytes());
    bytes
}

/// Changes, adds, removes or swaps bytes; never gives back what it got.
pub(crate) fn mutated(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    loop {
        let mut changed = bytes.to_vec();
        for _ in 0..=rng.below(3) {
            let at = rng.below(changed.len());
            match rng.below(6) {
                0 => changed[at] = rng.next_u64() as u8,
                1 => changed[at] = changed[at].wrapping_add(1),
                2 => changed[at] ^= 1 << rng.below(8),
                3 => changed.insert(at, rng.below(20) as u8),
                4 => drop(changed.remove(at)),
                _ => {
                    let other = rng.below(changed.len());
                    changed.swap(at, other);
                }
            }
        }
        if changed != bytes {
            return changed;
        }
    }
}

/// A thousand changes are refused. With a checksum that fits, each is refused or proves something that is true.
fn survives_mutation<G: Notation + WinningSets>(game: &G, position: &str, budget: u64, seed: u64) {
    let mut known = Known::new(game);
    let bytes = known.both_bounds(position, budget, true).bytes();
    let body = &bytes[..bytes.len() - 4];
    let mut rng = Rng::new(seed);
    let mut passed = 0;
    for _ in 0..1000 {
        refusal(game, &mutated(&bytes, &mut rng));
        let changed = sealed(mutated(body, &mut rng));
        let Ok(verdict) = judge(game, &changed) else {
            refusal(game, &changed);
            continue;
        };
        passed += 1;
        let certificate = Certificate::read(&changed).unwrap();
        assert_eq!(certificate.header().game, game.spec());
        let value = known.value(&known.position(&certificate.header().position));
        assert!(verdict.claims.iter().all(|claim| claim.holds(value)), "{value} but {verdict}");
    }
    assert!(passed < 50, "{passed} of 1000 changes went unnoticed or did not matter");
}

#[test]
fn mutated_proofs_of_line_games_are_refused_or_true() {
    survives_mutation(&line_game("mnk:2x2,k=2"), "", 1, 1);
    survives_mutation(&tictactoe(), "", 5, 2);
    survives_mutation(&tictactoe(), "", 1, 3);
    survives_mutation(&tictactoe(), "x../.o./..x o", 1, 4);
    survives_mutation(&line_game("mnk:4x3,k=3"), "", 20, 5);
    survives_mutation(&line_game("mnk:3x3,k=3,p=2"), "", 1, 6);
    survives_mutation(&line_game("mnk:4x4,k=3,gravity"), "", 10, 7);
}

#[test]
fn mutated_proofs_of_reversi_are_refused_or_true() {
    survives_mutation(&reversi("reversi:4x4"), "", 5, 8);
}

/// A few nodes drawn at random: well formed, and now and then even true.
fn random_certificate(rng: &mut Rng, lemma_count: usize) -> Vec<u8> {
    let header = Header {
        game: "mnk:3x3,k=3".to_owned(),
        position: match lemma_count {
            0 => ["", "x../.o./..x o", "xx./oo./... x", "xxx/oo./... o"][rng.below(4)],
            _ => ["", "x../.../... o", "xx./oo./... x"][rng.below(3)],
        }
        .to_owned(),
        symmetries: [1, 8][rng.below(2)],
        leaf_budget: 1 + rng.below(200) as u64,
    };
    let symmetries = usize::from(header.symmetries);
    // What is said of positions after a few moves: true now and then, too.
    let said = ["x../.../... o", ".../.x./... o", "xx./oo./x.. o", "xx./oo./.x. o"];
    let mut lemmas: Vec<Lemma<'_>> = Vec::new();
    for _ in 0..lemma_count {
        let bound = rng.below(3) as i32 - 1;
        let claim = [Claim::AtLeast(bound), Claim::AtMost(bound)][rng.below(2)];
        let (hash, position) = (LemmaHash([lemmas.len() as u8; 32]), said[rng.below(said.len())]);
        lemmas.push(Lemma { hash, position, claim });
    }
    let mut writer = Writer::with_lemmas(header, &lemmas);
    let bound = rng.below(3) as i32 - 1;
    let mut proof = writer.proof([Claim::AtLeast(bound), Claim::AtMost(bound)][rng.below(2)]);
    // One step to a lemma is now and then right; what is longer never is.
    let is_short = lemma_count > 0 && rng.below(8) > 0;
    let nodes = if is_short { 1 } else { rng.below(4) as u64 };
    for node in 0..nodes {
        let ahead = nodes - node - 1;
        let step = |rng: &mut Rng| match ahead {
            _ if is_short || !lemmas.is_empty() && rng.below(2) == 0 => Step::Lemma {
                lemma: rng.below(lemmas.len()) as u32,
                symmetry: rng.below(symmetries) as u8,
            },
            0 => Step::Settled,
            _ if rng.below(4) == 0 => Step::Settled,
            _ => Step::To {
                ahead: 1 + rng.below(ahead as usize) as u64,
                symmetry: rng.below(symmetries) as u8,
            },
        };
        match if is_short { 4 } else { rng.below(8) } {
            0 => proof.hopeless(),
            1 => {
                let mut code = || rng.below(10) as u32;
                proof.pairs(&[[code(), code()], [code(), code()], [code(), code()]]);
            }
            2..5 => proof.choice(rng.below(10) as u32, step(rng)),
            _ => {
                let steps: Vec<Step> = (0..=rng.below(9)).map(|_| step(rng)).collect();
                proof.all(&steps);
            }
        }
    }
    writer.add(proof);
    writer.finish()
}

/// Arguments for a draw are believed where they hold, and nowhere else.
#[test]
fn arguments_are_checked() {
    let judged =
        |game: &SmallLineGame, position: &str, claim: Claim, write: &dyn Fn(&mut ProofWriter)| {
            let header = Header {
                game: game.spec(),
                position: position.to_owned(),
                symmetries: 1,
                leaf_budget: 1,
            };
            let mut writer = Writer::new(header);
            let mut proof = writer.proof(claim);
            write(&mut proof);
            writer.add(proof);
            let bytes = writer.finish();
            let certificate = Certificate::read(&bytes).unwrap();
            let verdict = verify(game, &certificate, &VerifyOptions::default(), &mut |_| {});
            verdict.map_or_else(|refusal| refusal.to_string(), |_| String::new())
        };
    let large = line_game("mnk:2x8,k=8");
    let hopeless: &dyn Fn(&mut ProofWriter) = &|proof| proof.hopeless();
    // Two lines of eight weigh 2/256, less than 1/2.
    assert_eq!(judged(&large, "", Claim::AtMost(0), hopeless), "");
    let line = judged(&large, "", Claim::AtMost(-1), hopeless);
    assert!(line.ends_with("argues for a draw, which is not enough"), "{line}");
    let small = line_game("mnk:3x3,k=3");
    let line = judged(&small, "", Claim::AtMost(0), hopeless);
    assert!(line.ends_with("says that there is no hope, but there is"), "{line}");
    let several = line_game("mnk:2x8,k=8,p=2");
    let line = judged(&several, "", Claim::AtMost(0), hopeless);
    assert!(line.ends_with("argues as this game does not allow"), "{line}");
    // One row, three in a row: a1 to a4, squares 0 to 3.
    let row = line_game("mnk:1x4,k=3");
    let pairs = |pairs: &[[u32; 2]]| judged(&row, "", Claim::AtMost(0), &|p| p.pairs(pairs));
    assert_eq!(pairs(&[[1, 2]]), "");
    assert_eq!(pairs(&[[2, 1], [0, 3]]), "");
    for wrong in [&[[0, 1]][..], &[], &[[1, 1]], &[[1, 2], [2, 3]]] {
        assert!(pairs(wrong).ends_with("has pairs that stop not everything"), "{wrong:?}");
    }
    assert!(pairs(&[[1, 2], [0, 7]]).ends_with("pairs 7, which is no legal move"));
}

/// Pairs by the hundred thousand are refused before they are read, and none of those that can be
/// takes long to look for.
#[test]
fn many_pairs_are_refused() {
    let game = line_game("mnk:2x8,k=8");
    let header =
        Header { game: game.spec(), position: String::new(), symmetries: 1, leaf_budget: 1 };
    let mut writer = Writer::new(header);
    let mut proof = writer.proof(Claim::AtMost(0));
    proof.pairs(&vec![[1, 2]; 100_000]);
    writer.add(proof);
    let bytes = writer.finish();
    let certificate = Certificate::read(&bytes).unwrap();
    let judged = verify(&game, &certificate, &VerifyOptions::default(), &mut |_| {});
    assert_eq!(
        judged.unwrap_err().to_string(),
        "node 0 of the proof of \"margin <= 0\" has 100000 pairs of 16 moves"
    );
}

#[test]
fn any_bytes_are_read_or_refused() {
    let game = tictactoe();
    let mut known = Known::new(&game);
    let mut rng = Rng::new(9);
    let (mut well_formed, mut proved, mut with_lemmas) = (0, 0, 0);
    for i in 0..20_000 {
        let bytes = match i % 4 {
            0 => (0..rng.below(60)).map(|_| rng.next_u64() as u8).collect(),
            1 => {
                let version = [VERSION, VERSION_WITH_LEMMAS][rng.below(2)];
                let mut bytes = [MAGIC, &[version]].concat();
                bytes.extend((0..rng.below(60)).map(|_| rng.next_u64() as u8 >> rng.below(8)));
                sealed(bytes)
            }
            2 => random_certificate(&mut rng, 0),
            _ => random_certificate(&mut rng, 1),
        };
        let Ok(certificate) = Certificate::read(&bytes) else {
            refusal(&game, &bytes);
            continue;
        };
        well_formed += 1;
        for judged in [
            verify(&game, &certificate, &VerifyOptions::default(), &mut |_| {}),
            verify(&Asymmetric(tictactoe()), &certificate, &VerifyOptions::default(), &mut |_| {}),
        ] {
            match judged {
                Err(error) => assert_eq!(error.to_string().lines().count(), 1),
                // What rests on something that is not true is not said to be true.
                Ok(_) if !all_hold(&mut known, certificate.lemmas()) => {}
                Ok(verdict) => {
                    proved += 1;
                    with_lemmas += usize::from(!verdict.is_proof());
                    let value = known.value(&known.position(&certificate.header().position));
                    assert!(verdict.claims.iter().all(|claim| claim.holds(value)));
                }
            }
        }
    }
    assert!(well_formed >= 5_000 && proved > 100, "{well_formed}, {proved}");
    assert!(with_lemmas >= 5, "{with_lemmas} of {proved}");
}

fn all_hold<G: Notation>(known: &mut Known<'_, G>, lemmas: &[Lemma<'_>]) -> bool {
    lemmas.iter().all(|lemma| lemma.claim.holds(known.value(&known.position(lemma.position))))
}
