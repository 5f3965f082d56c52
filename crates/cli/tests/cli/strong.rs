//! Strong solving: tables in their place, and what cannot be done.

use std::path::PathBuf;

use serde_json::json;

use crate::support::{command, json as object, keys, speak, zermelo};

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_table_is_written_where_it_is_wanted() {
    let folder = folder("strong-tables");
    let file = folder.join("own.table");
    let ran =
        zermelo(&["solve", "tictactoe", "--proof", "strong", "--table", file.to_str().unwrap()]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    for line in ["value  draw", "end    in 9 plies", "765 positions in 10 tiers", "bytes in"] {
        assert!(ran.out.contains(line), "{line}: {ran:?}");
    }
    assert!(std::fs::read(&file).unwrap().starts_with(b"ZERMELO-TABLE\x01"));
    // Without a place it goes where the web table looks, and names tell games and positions apart.
    for (moves, name) in [("", "mnk_3x3,k=3.table"), ("b2", "mnk_3x3,k=3@")] {
        let call = ["solve", "tictactoe", "--moves", moves, "--proof", "strong", "--threads", "2"];
        let call = call.iter().filter(|text| !moves.is_empty() || !["--moves", ""].contains(*text));
        let ran = speak(command().args(call).env("ZERMELO_HOME", &folder), b"");
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.out.contains(name), "{ran:?}");
    }
    let left = std::fs::read_dir(folder.join("tables")).unwrap().count();
    assert_eq!(left, 2, "nothing is left beside the tables");
}

#[test]
fn answers_have_the_keys_of_all_solving() {
    let folder = folder("strong-answers");
    let file = folder.join("reversi.table");
    let file = file.to_str().unwrap();
    let (answer, text) = object(&["solve", "reversi:4x4", "--proof", "strong", "--table", file]);
    let (weak, weak_text) = object(&["solve", "reversi:4x4", "--method", "retrograde"]);
    assert_eq!(keys(&text), keys(&weak_text));
    assert_eq!((&answer["margin"], &answer["value"]), (&json!(-10), &json!("second")));
    assert_eq!((&answer["distance"], &answer["proved"]), (&json!(12), &json!(true)));
    assert_eq!((&weak["margin"], &weak["distance"]), (&json!(-10), &json!(null)));
    let (asked, _) =
        object(&["solve", "reversi:4x4", "--method", "retrograde", "--question", "ge:-10"]);
    assert_eq!(asked["answer"], json!(true));
}

#[test]
fn what_is_not_finished_leaves_no_file() {
    let folder = folder("strong-unfinished");
    let file = folder.join("big.table");
    let file = file.to_str().unwrap();
    let call = ["solve", "reversi:6x6", "--proof", "strong", "--table", file];
    let ran = zermelo(&[&call[..], &["--nodes", "10000"]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (Some(1), ""), "{ran:?}");
    assert!(ran.out.starts_with("open   stopped"), "{ran:?}");
    for (more, why) in [
        (&["--hash", "1"][..], "do not fit 1 MB"),
        (&["--method", "proof"], "--method retrograde"),
        (&["--store", "x"], "--store"),
        (&["--certificate", "x"], "--certificate"),
    ] {
        let ran = zermelo(&[&call[..], more].concat());
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains(why) && ran.err.lines().count() == 1, "{ran:?}");
    }
    for call in [
        &["solve", "go:3x3", "--proof", "strong"][..],
        &["solve", "mnk:30x30,k=5", "--proof", "strong"],
        &["solve", "tictactoe", "--proof", "total"],
        &["solve", "tictactoe", "--table", "x"],
        &["solve", "tictactoe", "--method", "retrograde", "--store", file],
    ] {
        let ran = zermelo(call);
        assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
    }
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}
