//! Runs the program and looks at what it said.

use std::ffi::OsStr;
use std::io::Write;
use std::process::{Command, Stdio};

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

pub(crate) fn command() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zermelo"));
    // As if a person had started it, and not the runner of the tests.
    command.env_remove("CARGO");
    command.env("ZERMELO_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/home"));
    command
}

/// Runs with these arguments and no input.
pub(crate) fn zermelo<S: AsRef<OsStr>>(arguments: &[S]) -> Ran {
    with_input(arguments, b"")
}

/// Runs with these arguments and this input.
pub(crate) fn with_input<S: AsRef<OsStr>>(arguments: &[S], input: &[u8]) -> Ran {
    speak(command().args(arguments), input)
}

/// Runs a command with this input.
pub(crate) fn speak(command: &mut Command, input: &[u8]) -> Ran {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that does not want its input may be gone before it is written.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Runs with `--json` and makes sure that there is one object and nothing else.
pub(crate) fn json(arguments: &[&str]) -> (Value, String) {
    let ran = zermelo(&[arguments, &["--json"]].concat());
    assert_eq!(ran.code, Some(0), "{arguments:?} {ran:?}");
    assert_eq!(ran.err, "", "{arguments:?}");
    assert_eq!(ran.out.lines().count(), 1, "{arguments:?} {ran:?}");
    (serde_json::from_str(&ran.out).unwrap(), ran.out)
}

/// The keys of an object in the order in which they stand there.
pub(crate) fn keys(text: &str) -> Vec<String> {
    serde_json::from_str::<Keys>(text).unwrap().0
}

struct Keys(Vec<String>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Keys, D::Error> {
        deserializer.deserialize_map(KeysVisitor).map(Keys)
    }
}

struct KeysVisitor;

impl<'de> Visitor<'de> for KeysVisitor {
    type Value = Vec<String>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<String>, A::Error> {
        let mut keys = Vec::new();
        while let Some((key, IgnoredAny)) = map.next_entry()? {
            keys.push(key);
        }
        Ok(keys)
    }
}
