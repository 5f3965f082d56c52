//! `zermelo project app`: programs and the keys that vouch for them; and `show --unit`.

use std::fs;
use std::path::{Path, PathBuf};

use game::Side;
use serde_json::{Value, json as expect};
use solve::Method;
use solve::message::{CostFit, Question, Unit, UnitId, UnitTask};

use crate::support::{json, zermelo};

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn programs_are_added_signed_superseded_and_listed_and_keys_follow_each_other() {
    let folder = folder("project-apps");
    let path = |name: &str| folder.join(name);
    let store = path("record.db");
    let app = |arguments: &[&str]| json(&[&["project", "app"], arguments].concat()).0;
    let stored = |arguments: &[&str]| app(&[arguments, &["--store", text(&store)]].concat());
    let (key, public) = (path("key.pem"), path("key.pem.pub"));
    assert_eq!(app(&["key", "create", text(&key)])["public"], text(&public));
    let written = zermelo(&["project", "app", "key", "create", text(&key)]);
    assert!(written.err.contains("not written over"), "{written:?}");

    // Signed on one machine, where the key is; added on another.
    let [first, second] = ["zermelo_100_x86_64-pc-linux-gnu", "zermelo_101_x86_64-pc-linux-gnu"];
    fs::write(path(first), b"the first program").unwrap();
    fs::write(path(second), b"the second program").unwrap();
    app(&["sign", text(&path(first)), "--key", text(&key)]);
    let early = zermelo(&["project", "app", "add", text(&path(first)), "--store", text(&store)]);
    assert!(early.err.contains("no code-signing key yet"), "{early:?}");
    stored(&["key", "set", text(&public)]);
    let added = stored(&["add", text(&path(first))]);
    assert_eq!((&added["signed"], &added["bytes"]), (&expect!(true), &expect!(17)));
    let unsigned = stored(&["add", text(&path(second)), "--supersede"]);
    assert_eq!(unsigned["signed"], false);
    assert_eq!(unsigned["superseded"], expect!([first]));

    // A signature of something else is refused.
    let other = path(&format!("{first}.sig"));
    let wrong =
        zermelo(&["project", "app", "attach", second, text(&other), "--store", text(&store)]);
    assert!(wrong.err.contains("its signature is not by"), "{wrong:?}");
    app(&["sign", text(&path(second)), "--key", text(&key), "--out", text(&path("signature"))]);
    stored(&["attach", second, text(&path("signature"))]);
    let list = stored(&["list"]);
    let line = |nth: usize| (list[nth]["file"].clone(), list[nth]["superseded"].clone());
    assert_eq!(line(0), (expect!(second), expect!(false)));
    assert_eq!(line(1), (expect!(first), expect!(true)));
    assert!(list.as_array().unwrap().iter().all(|line| line["signed"] == true), "{list}");

    // The next key is believed because the old one has signed it.
    let (next, next_public) = (path("next.pem"), path("next.pem.pub"));
    app(&["key", "create", text(&next)]);
    let alone = ["project", "app", "key", "set", text(&next_public), "--store", text(&store)];
    let alone = zermelo(&alone);
    assert!(alone.err.contains("the old key has not signed the new one"), "{alone:?}");
    app(&["sign", text(&next_public), "--key", text(&key)]);
    let set = stored(&["key", "set", text(&next_public)]);
    assert_eq!(set["unsigned"], expect!([second]));
    app(&["sign", text(&path(second)), "--key", text(&next)]);
    stored(&["attach", second, text(&path(&format!("{second}.sig")))]);
    let keys = stored(&["key", "list"]);
    let follows: Vec<&Value> = keys.as_array().unwrap().iter().map(|key| &key["follows"]).collect();
    assert_eq!(follows, [&expect!(true), &expect!(false)]);
    assert_eq!(keys[0]["public"].as_str().unwrap(), fs::read_to_string(next_public).unwrap());
    stored(&["supersede", second]);
    let shown = zermelo(&["project", "app", "list", "--store", text(&store)]).out;
    assert_eq!(shown.matches("superseded").count(), 2, "{shown}");
}

#[test]
fn names_that_say_nothing_are_refused() {
    let folder = folder("project-app-names");
    let (store, file) = (folder.join("record.db"), folder.join("program"));
    fs::write(&file, b"x").unwrap();
    let ran = zermelo(&["project", "app", "add", text(&file), "--store", text(&store)]);
    assert!(ran.code != Some(0) && ran.err.contains("name, version and platform"), "{ran:?}");
    assert_eq!(ran.err.lines().count(), 1, "{ran:?}");
}

/// Some moves from the start, and the unit about what follows.
fn unit(game: &str, moves: &str) -> Unit {
    let compiled = catalog::open(game).unwrap();
    let start = compiled.session().position();
    let mut session = compiled.session();
    session.play_all(moves).unwrap();
    let rules = compiled.solver_rules(&start).unwrap();
    let node = rules.read(&session.position()).or_else(|_| rules.read(moves)).unwrap();
    Unit {
        id: UnitId { project: 3, incarnation: 1, number: 12 },
        task: UnitTask::Answer,
        game: rules.game(),
        root: rules.root_text(),
        node,
        question: Question { at_least: 2, prover: Side::First },
        budget: 1000,
        slice: 100,
        method: Method::AlphaBeta,
        table_megabytes: 1,
        fit: CostFit::default(),
        solver: rules.version(),
        keep_table: false,
        ask_on: false,
    }
}

#[test]
fn the_position_of_a_unit_is_shown() {
    let folder = folder("shown-units");
    let (slot, project) = (folder.join("slots/0"), folder.join("projects/p"));
    fs::create_dir_all(&slot).unwrap();
    fs::create_dir_all(&project).unwrap();
    let link = slot.join("unit");
    fs::write(&link, "<soft_link>../../projects/p/wu_7</soft_link>\n").unwrap();
    for (game, moves, squares) in [("reversi:4x4", "a2", 5), ("go:3x3", "b2 a1 c3", 3)] {
        fs::write(project.join("wu_7"), unit(game, moves).encode()).unwrap();
        let (shown, _) = json(&["show", "--unit", text(&link)]);
        assert_eq!(shown["game"].as_str().unwrap(), unit(game, moves).game);
        let stones =
            shown["board"].as_str().unwrap().matches(['X', 'O', '●', '○', 'x', 'o']).count();
        assert!(stones >= squares, "{shown}");
        assert_eq!(
            (&shown["unit"]["id"], &shown["unit"]["at_least"]),
            (&expect!("3.1.12"), &expect!(2))
        );
        let words = zermelo(&["show", "--unit", text(&project.join("wu_7"))]).out;
        assert!(
            words.contains("asks      whether the first player's margin is at least 2"),
            "{words}"
        );
    }
    fs::write(project.join("wu_7"), b"nonsense").unwrap();
    let wrong = zermelo(&["show", "--unit", text(&link)]);
    assert!(wrong.err.contains("this is no unit of zermelo"), "{wrong:?}");
    let both = zermelo(&["show", "reversi", "--unit", text(&link)]);
    assert_eq!(both.code, Some(2), "{both:?}");
}
