//! Commands to be given next, as the user gives them: what was interrupted says how it goes on.

use std::env;
use std::path::{Path, PathBuf};

/// A flag with its value; without one it stands alone.
pub(crate) type Flag<'a> = (&'a str, Option<String>);

/// The command of this run as a shell reads it, with these flags in place of those it had.
pub(crate) fn command_with(flags: &[Flag<'_>]) -> String {
    let words = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    format!("{} {}", program(), with(&words.collect::<Vec<_>>(), flags))
}

/// How this program is called: by cargo if cargo has started it, by its name if that is enough, else by its path.
pub(crate) fn program() -> String {
    let this = env::current_exe().ok();
    let by_cargo = env::var_os("CARGO").and_then(|_| cargo_run(this.as_deref()?));
    let on_path = || {
        let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
        let found = folders.iter().map(|folder| folder.join(NAME)).find(|file| file.exists())?;
        let same = found.canonicalize().ok() == this.as_ref()?.canonicalize().ok();
        same.then(|| NAME.to_owned())
    };
    let typed = || env::args_os().next().map(|word| quoted(&word.to_string_lossy()));
    by_cargo.or_else(on_path).or_else(typed).unwrap_or_else(|| NAME.to_owned())
}

const NAME: &str = "zermelo";

/// The call of cargo that runs a program in a folder of its target.
fn cargo_run(program: &Path) -> Option<String> {
    let profile = program.parent()?.file_name()?.to_str()?;
    Some(match profile {
        "debug" => "cargo run --".to_owned(),
        "release" => "cargo run --release --".to_owned(),
        profile => format!("cargo run --profile {profile} --"),
    })
}

fn with(words: &[String], flags: &[Flag<'_>]) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut words = words.iter().map(String::as_str).peekable();
    while let Some(word) = words.next() {
        let name = word.split_once('=').map_or(word, |(name, _)| name);
        if flags.iter().all(|(flag, _)| *flag != name) {
            kept.push(word);
        } else if name == word {
            // Its old value goes, too.
            words.next_if(|value| !value.starts_with("--"));
        }
    }
    let mut line: Vec<String> = kept.into_iter().map(quoted).collect();
    for (flag, value) in flags {
        line.push((*flag).to_owned());
        line.extend(value.as_deref().map(quoted));
    }
    line.join(" ")
}

/// A word that a shell takes as it stands.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=,+@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_not_installed_it_is_told_to_use_cargo() {
        let call = |path: &str| cargo_run(Path::new(path));
        assert_eq!(call("/x/target/release/zermelo").as_deref(), Some("cargo run --release --"));
        assert_eq!(call("/x/target/debug/zermelo").as_deref(), Some("cargo run --"));
        assert_eq!(call("/x/target/ci/zermelo").as_deref(), Some("cargo run --profile ci --"));
        assert_eq!(call("zermelo"), None);
    }

    #[test]
    fn flags_are_added_and_replaced() {
        let words = |text: &str| text.split('|').map(str::to_owned).collect::<Vec<_>>();
        let journal = || ("--journal", Some("my file".to_owned()));
        let games = || ("--games", Some("200".to_owned()));
        for (before, flags, after) in [
            ("zermelo|match|go|a|b", vec![journal()], "zermelo match go a b --journal 'my file'"),
            (
                "z|match|--games|5|it's|uci:/a b",
                vec![games()],
                "z match 'it'\\''s' 'uci:/a b' --games 200",
            ),
            ("z|match|--games=5|--sprt|0,5", vec![games()], "z match --sprt 0,5 --games 200"),
            ("z|tune|--resume|--out|s", vec![("--resume", None)], "z tune --out s --resume"),
            ("z|tune|--resume|old|--out|s", vec![("--resume", None)], "z tune --out s --resume"),
            ("z||x", vec![], "z '' x"),
        ] {
            assert_eq!(with(&words(before), &flags), after, "{before}");
        }
    }
}
