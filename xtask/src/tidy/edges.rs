//! Which crate may use which: arrows only go down the list in ARCHITECTURE.md.

use serde_json::Value;

use super::{list, text};

/// What a crate of this workspace may depend on.
enum May {
    Use(&'static [&'static str]),
    UseAll,
}

/// What the crate of a family may depend on: never on another family.
const FAMILY: &[&str] = &["game", "games", "search", "compiled"];

const TABLE: [(&str, May); 28] = [
    ("game", May::Use(&[])),
    ("storage", May::Use(&["game"])),
    ("evaluation", May::Use(&["game"])),
    ("play", May::Use(&["game"])),
    ("games", May::Use(&["game", "evaluation", "play"])),
    ("search", May::Use(&["game", "evaluation", "play"])),
    ("protocols", May::Use(&["game", "play"])),
    ("players", May::Use(&["game", "evaluation", "play", "games", "search"])),
    (
        "standalone",
        May::Use(&["game", "evaluation", "play", "games", "search", "players", "protocols"]),
    ),
    ("certificate", May::Use(&["game"])),
    ("solve", May::Use(&["game", "storage", "evaluation", "play", "search", "certificate"])),
    (
        "compiled",
        May::Use(&[
            "game",
            "evaluation",
            "play",
            "games",
            "search",
            "certificate",
            "solve",
            "players",
        ]),
    ),
    ("family-mnk", May::Use(FAMILY)),
    ("family-reversi", May::Use(FAMILY)),
    ("family-draughts", May::Use(FAMILY)),
    ("family-go", May::Use(FAMILY)),
    ("family-chess", May::Use(FAMILY)),
    (
        "catalog",
        May::Use(&[
            "game",
            "play",
            "compiled",
            "family-mnk",
            "family-reversi",
            "family-draughts",
            "family-go",
            "family-chess",
        ]),
    ),
    ("arena", May::Use(&["game", "storage", "play", "protocols", "compiled", "catalog"])),
    ("tune", May::Use(&["game", "storage", "evaluation", "play", "compiled", "catalog", "arena"])),
    (
        "forge",
        May::Use(&[
            "game",
            "storage",
            "play",
            "games",
            "search",
            "protocols",
            "compiled",
            "catalog",
        ]),
    ),
    (
        "lab",
        May::Use(&[
            "game",
            "evaluation",
            "play",
            "search",
            "protocols",
            "solve",
            "compiled",
            "catalog",
            "arena",
            "forge",
        ]),
    ),
    ("serving", May::Use(&["storage"])),
    (
        "cluster",
        May::Use(&[
            "game",
            "storage",
            "play",
            "search",
            "certificate",
            "solve",
            "compiled",
            "catalog",
            "serving",
        ]),
    ),
    ("volunteer", May::Use(&["storage", "play", "search", "solve", "catalog"])),
    ("web", May::UseAll),
    ("cli", May::UseAll),
    ("xtask", May::Use(&[])),
];

/// Leaves: nothing is built on them.
const LEAVES: [&str; 3] = ["web", "cli", "xtask"];

/// Tests may reach sideways, but rules must be testable without a search, and nothing below the
/// catalog may need the whole house for its tests.
const WRONG_FOR_TESTS: [(&str, &str); 5] = [
    ("game", "games"),
    ("game", "search"),
    ("games", "search"),
    ("games", "catalog"),
    ("search", "catalog"),
];

/// Built from the standard library alone: a generated engine carries these sources along and is
/// built anywhere, offline; a checker of proofs is to be read by those who doubt them; and what writes
/// files does nothing that cannot be read here.
const PURE: [&str; 10] = [
    "game",
    "storage",
    "evaluation",
    "play",
    "games",
    "search",
    "protocols",
    "players",
    "standalone",
    "certificate",
];

/// Edges between crates of the workspace that the table does not allow.
pub(super) fn wrong_edges(metadata: &Value) -> Vec<String> {
    let members = members(metadata);
    let mut wrong = Vec::new();
    for package in &members {
        let name = crate_name(package);
        let Some((_, may)) = TABLE.iter().find(|(known, _)| *known == name) else {
            wrong.push(format!("crate {name} has no row in the table of edges"));
            continue;
        };
        for dependency in list(package, "dependencies") {
            let to = crate_name(dependency);
            if to == name || !members.iter().any(|member| crate_name(member) == to) {
                continue;
            }
            let is_for_tests = dependency["kind"] == "dev";
            let allowed = match may {
                _ if is_for_tests => !WRONG_FOR_TESTS.contains(&(name, to)),
                May::UseAll => to == "web" || !LEAVES.contains(&to),
                May::Use(below) => below.contains(&to),
            };
            if !allowed {
                let tests = if is_for_tests { ", not even for tests" } else { "" };
                wrong.push(format!("{name} must not use {to}{tests}"));
            }
        }
    }
    wrong
}

/// Dependencies from outside in crates that have none.
pub(super) fn foreign_dependencies(metadata: &Value) -> Vec<String> {
    let members = members(metadata);
    let mut wrong = Vec::new();
    for package in &members {
        let name = crate_name(package);
        if !PURE.contains(&name) {
            continue;
        }
        for dependency in list(package, "dependencies") {
            let to = crate_name(dependency);
            if dependency["kind"] != "dev" && !members.iter().any(|m| crate_name(m) == to) {
                wrong
                    .push(format!("{name} must not depend on anything from outside, such as {to}"));
            }
        }
    }
    wrong
}

/// What code calls a package of this workspace: `game` for `zermelo-game`.
fn crate_name(package: &Value) -> &str {
    match text(package, "name") {
        "zermelo" => "cli",
        name => name.strip_prefix("zermelo-").unwrap_or(name),
    }
}

fn members(metadata: &Value) -> Vec<&Value> {
    let ids = list(metadata, "workspace_members");
    let all = list(metadata, "packages").iter();
    all.filter(|package| ids.contains(&package["id"])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// A dependency's name and kind.
    type Dependency<'n> = (&'n str, Option<&'n str>);

    /// Metadata of a workspace with the given members and what they depend on.
    fn workspace(members: &[(&str, &[Dependency<'_>])]) -> Value {
        let packages: Vec<Value> = members
            .iter()
            .map(|(name, dependencies)| {
                let dependencies: Vec<Value> = dependencies
                    .iter()
                    .map(|(to, kind)| json!({ "name": to, "kind": kind }))
                    .collect();
                json!({ "id": name, "name": name, "dependencies": dependencies })
            })
            .chain([json!({ "id": "serde", "name": "serde", "dependencies": [] })])
            .collect();
        let ids: Vec<&str> = members.iter().map(|(name, _)| *name).collect();
        json!({ "packages": packages, "workspace_members": ids })
    }

    #[test]
    fn arrows_down_the_list_pass() {
        let metadata = workspace(&[
            ("game", &[]),
            ("games", &[("game", None), ("games", Some("dev")), ("proptest", Some("dev"))]),
            ("search", &[("game", None), ("games", Some("dev"))]),
            ("players", &[("game", None), ("games", None), ("search", None)]),
            ("compiled", &[("game", None), ("games", None), ("players", None)]),
            ("family-go", &[("games", None), ("compiled", None)]),
            ("catalog", &[("game", None), ("compiled", None), ("family-go", None)]),
            ("cli", &[("catalog", None), ("game", None), ("serde", None)]),
            ("xtask", &[("serde", None)]),
        ]);
        assert_eq!(wrong_edges(&metadata), Vec::<String>::new());
        assert_eq!(foreign_dependencies(&metadata), Vec::<String>::new());
    }

    #[test]
    fn a_wrong_edge_fails() {
        let cases: [(&str, &str, Option<&str>); 8] = [
            ("family-go", "family-chess", None),
            ("game", "games", None),
            ("search", "games", None),
            ("search", "games", Some("build")),
            ("games", "search", Some("dev")),
            ("catalog", "cli", None),
            ("cli", "xtask", None),
            ("xtask", "game", None),
        ];
        for (from, to, kind) in cases {
            let metadata = workspace(&[(from, &[(to, kind)]), (to, &[])]);
            let wrong = wrong_edges(&metadata);
            assert_eq!(wrong.len(), 1, "{from} to {to}");
            assert!(wrong[0].starts_with(&format!("{from} must not use {to}")), "{wrong:?}");
        }
    }

    #[test]
    fn a_crate_nobody_placed_fails() {
        let wrong = wrong_edges(&workspace(&[("shed", &[])]));
        assert_eq!(wrong, ["crate shed has no row in the table of edges"]);
    }

    #[test]
    fn pure_crates_take_nothing_from_outside() {
        for kind in [None, Some("build")] {
            let metadata = workspace(&[("search", &[("serde", kind)])]);
            assert_eq!(foreign_dependencies(&metadata).len(), 1);
        }
        assert!(
            foreign_dependencies(&workspace(&[("search", &[("serde", Some("dev"))])])).is_empty()
        );
        assert!(foreign_dependencies(&workspace(&[("cli", &[("serde", None)])])).is_empty());
    }
}
