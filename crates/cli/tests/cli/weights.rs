//! `zermelo weights`: shown, explained, compared, changed, converted, refused.

use serde_json::json;

use crate::support::{json, keys, zermelo};

/// A file of this test's own.
fn file(name: &str) -> String {
    format!("{}/weights-{name}", env!("CARGO_TARGET_TMPDIR"))
}

fn written(name: &str, arguments: &[&str]) -> String {
    let ran = zermelo(arguments);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{arguments:?}");
    let file = file(name);
    std::fs::write(&file, ran.out).unwrap();
    file
}

#[test]
fn words_and_bars_explain_weights() {
    let zones = written("zones.weights", &["weights", "show", "draughts", "--weights", "zones"]);
    let ran = zermelo(&["weights", "show", &zones, "--words"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines[0], "zones of draughts: 6 weights");
    let of = |name: &str| *lines.iter().find(|line| line.starts_with(name)).unwrap();
    assert!(of("king.flying").contains("300  high positive"), "{ran:?}");
    assert!(of("man").contains("100  medium positive"), "{ran:?}");
    assert!(of("zone.outer").contains("2  low"), "{ran:?}");
    assert!(ran.out.contains("high: at least 60% of the largest weight, 300"), "{ran:?}");
    let svg = file("zones.svg");
    assert_eq!(zermelo(&["weights", "show", &zones, "--plot", &svg]).code, Some(0));
    let svg = std::fs::read_to_string(svg).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("king.flying") && svg.ends_with("</svg>\n"));
}

#[test]
fn weights_are_edited_and_compared() {
    let zones = written("old.weights", &["weights", "show", "draughts", "--weights", "zones"]);
    let new = file("new.weights");
    let edit = ["weights", "edit", &zones, "man=105", "zone.inner=-9", "--out", &new];
    let ran = zermelo(&edit);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    let (found, text) = json(&["weights", "diff", &zones, &new]);
    assert_eq!(keys(&text), ["game", "evaluations", "differ", "of", "weights"]);
    assert_eq!((&found["differ"], &found["of"]), (&json!(2), &json!(6)));
    let first = &found["weights"][0];
    assert_eq!(
        (&first["name"], &first["one"], &first["other"]),
        (&json!("man"), &json!(100), &json!(105))
    );
    let words = zermelo(&["weights", "diff", &zones, &new, "--all"]).out;
    assert!(words.contains("2 of 6 weights differ") && words.lines().count() == 7, "{words}");
    assert!(words.contains("zone.inner       8     -9     -17"), "{words}");
    let named = zermelo(&["weights", "diff", "classic", "zones", "--game", "draughts"]);
    assert_eq!(named.code, Some(0), "{named:?}");
}

#[test]
fn weights_are_converted_and_brought_up_to_date() {
    let zones = written("text.weights", &["weights", "show", "draughts", "--weights", "zones"]);
    let text = std::fs::read_to_string(&zones).unwrap();
    for form in ["json", "csv"] {
        let converted = file(&format!("converted.{form}"));
        let to = ["weights", "convert", &zones, "--to", form, "--out", &converted];
        assert_eq!(zermelo(&to).code, Some(0), "{form}");
        let back = zermelo(&["weights", "convert", &converted]);
        assert_eq!((back.code, back.out.as_str()), (Some(0), &*text), "{form}");
    }
    // A weight that there was, and one that there was not yet.
    let old = file("older.weights");
    std::fs::write(&old, text.replace("zone.inner 8\n", "zone.edge 3\n")).unwrap();
    let refused = zermelo(&["weights", "convert", &old]);
    assert_eq!((refused.code, refused.err.lines().count()), (Some(2), 1), "{refused:?}");
    assert!(refused.err.contains("--upgrade"), "{refused:?}");
    let upgraded = zermelo(&["weights", "convert", &old, "--upgrade"]);
    assert_eq!((upgraded.code, upgraded.out.as_str()), (Some(0), &*text), "{upgraded:?}");
    assert!(upgraded.err.contains("zone.edge is left out"), "{upgraded:?}");
    assert!(upgraded.err.contains("zone.inner is missing: 8"), "{upgraded:?}");
}

/// Weights of Reversi that were written before there was `sandwich` are read as if it weighed nothing.
#[test]
fn weights_that_came_later_may_be_missing() {
    let now = written("now.weights", &["weights", "show", "reversi", "--weights", "features"]);
    let text = std::fs::read_to_string(&now).unwrap();
    assert!(
        text.contains("\nown.sandwich 0\n") && text.contains("\nopposing.sandwich 0\n"),
        "{text}"
    );
    let old = file("older-reversi.weights");
    let lines = text.lines().filter(|line| !line.contains("sandwich"));
    std::fs::write(&old, lines.map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    let read = zermelo(&["weights", "show", &old]);
    assert_eq!((read.code, read.out.as_str()), (Some(0), &*text), "{read:?}");
}

#[test]
fn wrong_weights_are_refused_in_a_line() {
    let zones = written("right.weights", &["weights", "show", "draughts", "--weights", "zones"]);
    let text = std::fs::read_to_string(&zones).unwrap();
    let wrong = file("wrong.weights");
    for (right, instead, why) in [
        ("weights 1", "weights 2", "another version"),
        ("game draughts", "game chess", "evaluation classic"),
        ("game draughts", "game snooker", "there is no such family"),
        ("evaluation zones", "evaluation bones", "would be right here"),
        ("man 100", "man 10000", "from -5000 to 5000"),
        ("man 100", "men 100", "no such weight"),
        ("man 100\n", "", "this weight is missing"),
    ] {
        std::fs::write(&wrong, text.replacen(right, instead, 1)).unwrap();
        let ran = zermelo(&["weights", "show", &wrong]);
        assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
        assert!(ran.err.contains(why), "{ran:?}");
    }
    for arguments in [
        &["weights", "edit", &*zones, "man=10000", "--out", "-"][..],
        &["weights", "edit", &zones, "men=100", "--out", "-"],
        &["weights", "edit", &zones, "man", "--out", "-"],
        &["weights", "edit", &zones, "--out", "-"],
        &["weights", "diff", "classic", "zones"],
        &["weights", "diff", "classic", "bones", "--game", "draughts"],
        &["weights", "convert", "/no/such/file"],
        &["weights", "show", &zones, "--weights", "zones"],
    ] {
        let ran = zermelo(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments:?} {ran:?}");
        assert_eq!(ran.err.lines().count(), 1, "{arguments:?} {ran:?}");
    }
}
