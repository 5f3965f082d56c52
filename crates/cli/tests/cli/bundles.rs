//! Proofs in several files: `zermelo solve --lemmas` and `zermelo verify FOLDER`.

use std::fs;
use std::path::{Path, PathBuf};

use certificate::{Claim, Header, Lemma, LemmaHash, Step, Writer};
use serde_json::json as value;

use crate::bad_input::assert_refused;
use crate::support::{Ran, json, keys, zermelo};

fn new_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bundles").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A bundle of a small game, in a folder of a folder that is new.
fn bundle(name: &str, game: &str, leaf: &str, lemmas: &str) -> PathBuf {
    let folder = new_folder(name).join("proof");
    let path = text(&folder);
    json(&["solve", game, "--certificate", path, "--leaf", leaf, "--lemmas", lemmas]);
    folder
}

/// The lemmas of a bundle.
fn lemmas(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|file| !file.ends_with("root.proof")).collect();
    files.sort();
    files
}

fn verify(folder: &Path, flags: &[&str]) -> Ran {
    zermelo(&[&["verify", text(folder)], flags].concat())
}

#[test]
fn bundles_are_made_and_verified() {
    for (game, leaf, most, margin) in
        [("reversi:4x4", "5", "40", -10), ("mnk:4x6,k=4", "50", "800", 0)]
    {
        let folder = bundle("made", game, leaf, most);
        let files = lemmas(&folder);
        assert!(files.len() > 3, "{game}: {}", files.len());
        let hash = |file: &PathBuf| file.file_stem().unwrap().to_str().unwrap().to_owned();
        assert!(files.iter().all(|file| hash(file).len() == 64));
        assert!(files.iter().all(|file| file.extension().unwrap() == "proof"));
        for threads in ["1", "2", "5"] {
            let (verified, line) = json(&["verify", text(&folder), "--threads", threads]);
            assert_eq!(verified["proved"], value!(true), "{verified}");
            assert_eq!(verified["lower"], value!(margin), "{verified}");
            assert_eq!(verified["upper"], value!(margin), "{verified}");
            assert_eq!(verified["lemmas"], value!(files.len()), "{verified}");
            let [first, last] = [keys(&line)[0].clone(), keys(&line).pop().unwrap()];
            assert_eq!((&*first, &*last), ("file", "resume"), "{line}");
        }
        let ran = verify(&folder, &[]);
        assert_eq!((ran.code, &*ran.err), (Some(0), ""), "{ran:?}");
        assert!(ran.out.starts_with(&format!("PROVED: {game} is ")), "{ran:?}");
        assert!(ran.out.contains(&format!("; {} lemmas, ", files.len())), "{ran:?}");
        // The root alone is nothing, and says so; lemmas that use none are certificates as any
        // other.
        let root = folder.join("root.proof");
        let ran = zermelo(&["verify", text(&root)]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.out.starts_with(&format!("NOT PROVED by itself: {game} ")), "{ran:?}");
        assert!(ran.out.contains("proved if ") && ran.out.contains(" are true: "), "{ran:?}");
        let alone = files.iter().filter(|file| zermelo(&["verify", text(file)]).code == Some(0));
        assert!(alone.count() > 1);
    }
}

#[test]
fn what_is_wrong_with_a_bundle_is_named() {
    let folder = bundle("wrong", "reversi:4x4", "5", "40");
    let files = lemmas(&folder);
    let refused = |file: &Path, why: &str| {
        for threads in ["1", "2"] {
            let ran = verify(&folder, &["--threads", threads]);
            assert_eq!(ran.code, Some(1), "{ran:?}");
            assert!(ran.out.starts_with("REFUSED, so not proved: "), "{ran:?}");
            let line = ran.out.lines().find(|line| line.starts_with("refused: ")).unwrap();
            let hash = file.file_stem().unwrap().to_str().unwrap();
            let begins = format!("refused: lemma {hash} (file {}) {why}", file.display());
            assert!(line.starts_with(&begins), "{begins}: {line}");
        }
    };
    let (one, two) = (&files[0], &files[1]);
    let right = fs::read(one).unwrap();
    fs::remove_file(one).unwrap();
    refused(one, "is missing; ");
    fs::write(one, fs::read(two).unwrap()).unwrap();
    refused(one, "was changed: its hash is ");
    let mut changed = right.clone();
    *changed.last_mut().unwrap() ^= 1;
    fs::write(one, changed).unwrap();
    refused(one, "was changed: its hash is ");
    fs::remove_file(one).unwrap();
    fs::create_dir(one).unwrap();
    refused(one, "cannot be read: it is no ordinary file");
    fs::remove_dir(one).unwrap();
    fs::write(one, right).unwrap();
    assert_eq!(verify(&folder, &[]).code, Some(0));
    // What nobody refers to harms nobody, and is named.
    fs::write(folder.join("stray\u{1b}[2J"), "").unwrap();
    fs::write(folder.join(format!("{}.proof", "ab".repeat(32))), "").unwrap();
    let ran = verify(&folder, &[]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.contains("warning: nothing in the bundle refers to 2 of its files"), "{ran:?}");
    assert!(ran.err.contains(r"stray\u{1b}[2J") && ran.err.contains("abab"), "{ran:?}");
    let strangers = zermelo(&["verify", text(&folder), "--json", "--quiet"]).out;
    assert!(strangers.contains("\"strangers\":2"), "{strangers}");
}

#[test]
fn calls_that_make_no_sense_are_refused() {
    let folder = bundle("calls", "mnk:3x3,k=3", "1", "20");
    let path = text(&folder);
    let refused = |arguments: &[&str], why: &str| {
        let ran = zermelo(arguments);
        assert_refused(&ran, &arguments.join(" "));
        assert!(ran.err.contains(why), "{ran:?}");
    };
    let inside = folder.join("list");
    refused(&["verify", path, "--sample", "10"], "--sample is for a single certificate");
    refused(&["verify", path, "--resume", text(&inside)], "is inside the bundle");
    refused(&["verify", path, "--threads", "0"], "--threads");
    let root = folder.join("root.proof");
    refused(&["verify", text(&root), "--resume", "x"], "--resume is for the folder of a bundle");
    let stranger = new_folder("calls-list").join("list");
    fs::write(&stranger, "some other file\n").unwrap();
    refused(&["verify", path, "--resume", text(&stranger)], "is no list");
    let solve = ["solve", "mnk:3x3,k=3", "--lemmas", "20"];
    refused(&[&solve[..], &["--certificate", path]].concat(), "is not empty");
    refused(&[&solve[..], &["--certificate", text(&root)]].concat(), "cannot write");
    refused(&solve, "--certificate");
    refused(&[&solve[..], &["--certificate", "/no/such/folder"]].concat(), "cannot write");
    let new = new_folder("calls-new").join("proof");
    refused(&["solve", "go:2x2", "--lemmas", "9", "--certificate", text(&new)], "look back");
    assert!(!new.exists(), "nothing is left of it");
    let empty = new_folder("calls-empty");
    refused(&["verify", text(&empty)], "holds no file root.proof");
    assert_eq!(verify(&folder, &[]).code, Some(0), "nothing of all this changed it");
}

#[test]
fn limits_are_those_of_the_whole_bundle() {
    let folder = bundle("limits", "mnk:3x3,k=3", "1", "10");
    let list = folder.with_file_name("list");
    let ran = verify(&folder, &["--time", "0.000001", "--resume", text(&list)]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("the time for the check is over; --time 0.000002"), "{ran:?}");
    assert!(ran.out.contains("\nto go on: ") && ran.out.contains("--time 0.000002"), "{ran:?}");
    // A root of 240 KB that names lemmas without end.
    let header = Header {
        game: "mnk:3x3,k=3".to_owned(),
        position: String::new(),
        symmetries: 1,
        leaf_budget: 1,
    };
    let claim = Claim::AtMost(0);
    let mut hashes = vec![[0; 32]; 6000];
    for (hash, number) in hashes.iter_mut().zip(0u32..) {
        hash[..4].copy_from_slice(&number.to_be_bytes());
    }
    let lemma = |hash| Lemma { hash: LemmaHash(hash), position: "", claim };
    let table: Vec<Lemma<'_>> = hashes.into_iter().map(lemma).collect();
    let mut writer = Writer::with_lemmas(header, &table);
    let mut proof = writer.proof(claim);
    let steps = (0..6000).map(|lemma| Step::Lemma { lemma, symmetry: 0 });
    proof.all(&steps.collect::<Vec<_>>());
    writer.add(proof);
    fs::write(folder.join("root.proof"), writer.finish()).unwrap();
    let ran = verify(&folder, &["--memory", "1"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("does not fit into memory; --memory 2 would go on"), "{ran:?}");
    let ran = verify(&folder, &["--memory", "2"]);
    assert!(ran.out.contains("is missing; "), "{ran:?}");
}

/// What is on the list is not checked again, and only that.
#[test]
fn a_list_says_what_was_verified() {
    let folder = bundle("list", "reversi:4x4", "5", "40");
    let list = folder.with_file_name("list");
    let all = lemmas(&folder).len();
    let earlier = || {
        let (verified, _) = json(&["verify", text(&folder), "--resume", text(&list)]);
        assert_eq!((&verified["proved"], &verified["lemmas"]), (&value!(true), &value!(all)));
        verified["earlier"].as_u64().unwrap()
    };
    assert_eq!(earlier(), 0);
    assert_eq!(earlier(), all as u64);
    let whole = fs::read_to_string(&list).unwrap();
    assert_eq!(whole.lines().count(), all + 1);
    // Cut in the middle of a line, as by a crash.
    fs::write(&list, &whole[..whole.len() - 100]).unwrap();
    assert_eq!(earlier(), all as u64 - 2);
    assert_eq!(earlier(), all as u64);
    // A lemma on the list must be what it was.
    let first = &lemmas(&folder)[0];
    let mut bytes = fs::read(first).unwrap();
    bytes.push(0);
    fs::write(first, bytes).unwrap();
    let ran = verify(&folder, &["--resume", text(&list)]);
    assert!(ran.code == Some(1) && ran.out.contains("was changed"), "{ran:?}");
}

/// A check that is killed, and one that Ctrl-C ends, go on from what was written down.
#[cfg(unix)]
#[test]
fn a_check_goes_on_after_its_end() {
    use std::process::{Command, Stdio};
    let folder = bundle("killed", "mnk:4x6,k=4", "20", "100");
    let all = lemmas(&folder).len();
    assert!(all > 100, "{all}");
    for signal in ["-KILL", "-INT"] {
        let list = folder.with_file_name(format!("list{signal}"));
        let arguments = ["verify", text(&folder), "--resume", text(&list)];
        let mut command = crate::support::command();
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let lines = || fs::read_to_string(&list).map_or(0, |text| text.lines().count());
        while lines() < 4 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let pid = child.id().to_string();
        let _ = Command::new("kill").args([signal, &pid]).status().unwrap();
        let output = child.wait_with_output().unwrap();
        let kept = lines() - 1;
        assert!(kept >= 3 && kept < all, "{kept} of {all}, {output:?}");
        if signal == "-INT" {
            assert_eq!(output.status.code(), Some(1), "{output:?}");
            let said = String::from_utf8(output.stdout).unwrap();
            assert!(said.contains("somebody stopped the check"), "{said}");
            assert!(said.contains("\nto go on: ") && said.contains("--resume"), "{said}");
        }
        let (verified, _) = json(&arguments);
        assert_eq!(verified["proved"], value!(true), "{verified}");
        assert_eq!(verified["lemmas"], value!(all), "{verified}");
        // A line that was being written may not count.
        assert!(verified["earlier"].as_u64().unwrap() as usize + 1 >= kept, "{verified}");
    }
}

/// Reversi on 6x6 as a bundle: about five minutes.
#[test]
#[ignore = "takes minutes: cargo xtask test --long"]
fn reversi_on_6x6_is_a_bundle() {
    let folder = new_folder("reversi-6x6").join("proof");
    let path = text(&folder);
    let certified = ["--certificate", path, "--leaf", "300", "--lemmas", "200000"];
    let solve = ["solve", "reversi:6x6", "--hash", "2048"];
    let (solved, _) = json(&[&solve[..], &certified].concat());
    assert_eq!(solved["margin"], value!(-4));
    let (verified, _) = json(&["verify", path, "--threads", "2"]);
    assert_eq!(verified["proved"], value!(true), "{verified}");
    assert_eq!((&verified["lower"], &verified["upper"]), (&value!(-4), &value!(-4)));
    assert!(verified["lemmas"].as_u64().unwrap() > 20, "{verified}");
    fs::remove_dir_all(&folder).unwrap();
}
