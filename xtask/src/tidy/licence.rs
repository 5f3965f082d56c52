//! Licences, read plainly: `cargo deny` knows SPDX's grammar, but is not installed everywhere. Here an
//! expression is a choice (`OR`, or the older `/`) of licences on the list of `deny.toml`, where several
//! that hold together (`AND`) must all be on it, or one of the few that were looked at by a person.

use serde_json::Value;

use super::{list, text};

/// More than a choice, and allowed.
const LOOKED_AT: [&str; 2] = ["(MIT OR Apache-2.0) AND Unicode-3.0", "MIT AND BSD-3-Clause"];

/// Packages, of those anywhere in the graph, whose licence is not known to be permissive. `allowed` is
/// the text of `deny.toml`.
pub(super) fn unwanted(metadata: &Value, allowed: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for package in list(metadata, "packages") {
        let licence = text(package, "license");
        if !is_acceptable(licence, allowed) {
            let (name, version) = (text(package, "name"), text(package, "version"));
            wrong.push(format!(
                "{name} {version} has the licence {licence:?}, which is unknown here"
            ));
        }
    }
    wrong
}

fn is_acceptable(expression: &str, allowed: &str) -> bool {
    let is_listed =
        |licence: &str| allowed.lines().any(|line| line.trim() == format!("\"{licence}\","));
    // With a bracket, what stands between two ORs need not be a choice.
    let is_choice = !expression.contains(['(', ')']);
    let mut choices = expression.split(" OR ").flat_map(|part| part.split(" or "));
    let is_fine = |part: &str| match part.contains(" AND ") {
        true => part.split(" AND ").all(|one| is_listed(one.trim())),
        false => part.split('/').any(|one| is_listed(one.trim())),
    };
    LOOKED_AT.contains(&expression) || is_choice && choices.any(is_fine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const ALLOWED: &str = include_str!("../../../deny.toml");

    #[test]
    fn permissive_ways_out_are_found() {
        for expression in [
            "MIT",
            "MIT OR Apache-2.0",
            "MIT/Apache-2.0",
            "Apache-2.0 / MIT",
            "GPL-3.0-only OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR MPL-2.0",
            "MIT OR Apache-2.0 OR LGPL-2.1-or-later",
            "MPL-2.0 AND MIT OR Zlib",
            "MIT or Apache-2.0",
            "Apache-2.0 AND ISC",
            "GPL-3.0-only AND MIT OR Apache-2.0 AND ISC",
        ] {
            assert!(is_acceptable(expression, ALLOWED), "{expression}");
        }
    }

    #[test]
    fn copyleft_and_riddles_are_kept_out() {
        for expression in [
            "MPL-2.0",
            "GPL-3.0-only",
            "MIT AND GPL-3.0-only",
            "GPL-3.0-only AND MIT",
            "MIT/GPL-3.0-only AND ISC",
            "MIT AND",
            "MIT AND ISC AND MPL-2.0",
            "(MIT OR Apache-2.0) AND MPL-2.0",
            "MPL-2.0 AND (MIT OR Zlib)",
            "MPL-2.0 AND (ISC OR MIT OR Zlib)",
            "GPL-2.0-only WITH LLVM-exception",
            "MIT WITH LLVM-exception",
            "mit",
            "",
            "MIT OR",
            "OR MIT",
            "(MIT",
            "MIT)",
            "MIT Zlib",
            "MIT WITH",
            "()",
            "all-features = true",
        ] {
            assert!(!is_acceptable(expression, ALLOWED), "{expression}");
        }
    }

    #[test]
    fn the_package_is_named() {
        let metadata = json!({ "packages": [
            { "name": "good", "version": "1.0.0", "license": "ISC" },
            { "name": "bad", "version": "2.0.0", "license": "MPL-2.0" },
            { "name": "silent", "version": "3.0.0", "license": null },
        ] });
        let wrong = unwanted(&metadata, ALLOWED);
        assert_eq!(wrong.len(), 2);
        assert!(wrong[0].starts_with("bad 2.0.0 "), "{wrong:?}");
        assert!(wrong[1].starts_with("silent 3.0.0 "), "{wrong:?}");
    }
}
