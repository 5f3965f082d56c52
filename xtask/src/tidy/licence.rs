//! Licences: everything this project stands on is permissive. Expressions are SPDX's, and the older
//! `MIT/Apache-2.0`.

use serde_json::Value;

use super::{list, text};

const ACCEPTED: [&str; 11] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// The exceptions that only add to what a licence allows.
const ACCEPTED_WITH: [(&str, &str); 1] = [("Apache-2.0", "LLVM-exception")];

/// Packages, of those anywhere in the graph, whose licence is not known to be permissive.
pub(super) fn unwanted(metadata: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    for package in list(metadata, "packages") {
        let licence = text(package, "license");
        let because = match is_acceptable(licence) {
            Ok(true) => continue,
            Ok(false) => "which is not on the list of permissive licences".to_owned(),
            Err(why) => why,
        };
        let (name, version) = (text(package, "name"), text(package, "version"));
        wrong.push(format!("{name} {version} has the licence {licence:?}, {because}"));
    }
    wrong
}

/// Whether an expression can be satisfied with accepted licences only.
fn is_acceptable(expression: &str) -> Result<bool, String> {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = Words { left: &spaced.split_whitespace().collect::<Vec<_>>() };
    let answer = words.any()?;
    match words.left {
        [] => Ok(answer),
        [word, ..] => Err(format!("in which {word:?} is out of place")),
    }
}

/// Reads by precedence: OR binds loosest, then AND, then WITH.
struct Words<'w> {
    left: &'w [&'w str],
}

impl<'w> Words<'w> {
    fn any(&mut self) -> Result<bool, String> {
        let mut answer = self.all()?;
        while self.take("OR") {
            answer |= self.all()?;
        }
        Ok(answer)
    }

    fn all(&mut self) -> Result<bool, String> {
        let mut answer = self.one()?;
        while self.take("AND") {
            answer &= self.one()?;
        }
        Ok(answer)
    }

    fn one(&mut self) -> Result<bool, String> {
        if self.take("(") {
            let answer = self.any()?;
            return if self.take(")") { Ok(answer) } else { Err("in which ) is missing".into()) };
        }
        let licence = self.name()?;
        if self.take("WITH") {
            let exception = self.name()?;
            return Ok(ACCEPTED_WITH.contains(&(licence, exception)));
        }
        Ok(ACCEPTED.contains(&licence))
    }

    fn name(&mut self) -> Result<&'w str, String> {
        match self.left {
            [word, rest @ ..]
                if !["OR", "AND", "WITH", "(", ")"].contains(&word.to_uppercase().as_str()) =>
            {
                self.left = rest;
                Ok(word)
            }
            _ => Err("in which the name of a licence is missing".into()),
        }
    }

    /// Operators come in capitals, and since SPDX 3 in small letters too.
    fn take(&mut self, word: &str) -> bool {
        match self.left {
            [next, rest @ ..] if *next == word || *next == word.to_lowercase() => {
                self.left = rest;
                true
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

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
            "((0BSD))",
        ] {
            assert_eq!(is_acceptable(expression), Ok(true), "{expression}");
        }
    }

    #[test]
    fn copyleft_is_kept_out() {
        for expression in [
            "MPL-2.0",
            "GPL-3.0-only",
            "MIT AND GPL-3.0-only",
            "(MIT OR Apache-2.0) AND MPL-2.0",
            "MPL-2.0 AND (MIT OR Zlib)",
            "GPL-2.0-only WITH LLVM-exception",
            "MIT WITH LLVM-exception",
            "mit",
        ] {
            assert_eq!(is_acceptable(expression), Ok(false), "{expression}");
        }
    }

    #[test]
    fn broken_expressions_are_refused() {
        for expression in ["", "MIT OR", "OR MIT", "(MIT", "MIT)", "MIT Zlib", "MIT WITH", "()"] {
            assert!(is_acceptable(expression).is_err(), "{expression}");
        }
    }

    #[test]
    fn the_package_is_named() {
        let metadata = json!({ "packages": [
            { "name": "good", "version": "1.0.0", "license": "ISC" },
            { "name": "bad", "version": "2.0.0", "license": "MPL-2.0" },
            { "name": "silent", "version": "3.0.0", "license": null },
        ] });
        let wrong = unwanted(&metadata);
        assert_eq!(wrong.len(), 2);
        assert!(wrong[0].starts_with("bad 2.0.0 "), "{wrong:?}");
        assert!(wrong[1].starts_with("silent 3.0.0 "), "{wrong:?}");
    }
}
