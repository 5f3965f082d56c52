//! `zermelo project`: trees that are listed before they are stored, and then stored.

use std::path::PathBuf;

use serde_json::json;

use crate::support::{json, zermelo};

/// The examples of a report of 2008, as a plain tree and with images merged.
#[test]
fn a_dry_run_lists_the_tree() {
    let position = "000010211100122210212110200000000000;1";
    let example = ["project", "create", "x", "reversi:6x6", "--dry-run", "--depth"];
    for (arguments, counts) in [
        (&["2", "--position", position, "--plain"][..], [53, 65, 0, 0]),
        (&["2", "--position", position], [53, 65, 0, 0]),
        (&["3", "--plain"], [56, 73, 0, 2]),
        (&["3"], [14, 19, 0, 3]),
    ] {
        let (tree, _) = json(&[&example[..], arguments].concat());
        let [made, stored, skipped, duplicate] = counts;
        let told =
            json!({"made": made, "stored": stored, "skipped": skipped, "duplicate": duplicate});
        assert_eq!(tree["counts"], told, "{arguments:?}");
        let nodes = tree["nodes"].as_array().unwrap();
        let units = nodes.iter().filter(|node| node["unit"] == true).count();
        assert_eq!((nodes.len(), units), (stored, made), "{arguments:?}");
        let said = zermelo(&[&example[..], arguments].concat()).out;
        assert_eq!(said.lines().filter(|line| line.ends_with(" B")).count(), made);
    }
    for (arguments, why) in [
        (&["--depth", "2"][..], "--store"),
        (&["--store", "x.db", "--dry-run"], "--depth"),
        (&["--store", "x.db", "--depth", "2", "--plain"], "--dry-run"),
    ] {
        let ran = zermelo(&[&["project", "create", "x", "reversi:6x6"], arguments].concat());
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains(why), "{ran:?}");
    }
}

#[test]
fn a_tree_is_stored() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("generated.db");
    // An older record has a project of this name.
    for end in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", file.display()));
    }
    let store = file.to_str().unwrap();
    let made = ["project", "create", "one", "reversi:6x6", "--depth", "5", "--store", store];
    let (created, _) = json(&made);
    assert_eq!(created["generated"]["whole"], true);
    let (status, _) = json(&["project", "status", "one", "--store", store]);
    assert_eq!(status["stored_nodes"], created["generated"]["stored"]);
    let log = zermelo(&["project", "log", "one", "--store", store]).out;
    assert!(log.contains("the tree to depth 5 is stored: "), "{log}");
}
