//! Every build of the program comes to the same: the one of these tests, and those that
//! `cargo xtask volunteer` has made.

use std::fs;
use std::path::Path;
use std::process::Command;

use solve::message::{Unit, UnitReport};

use crate::client::read_report;
use crate::units::{expected, fixed_units};

/// Programs that were built elsewhere, with colons between them.
const BUILT: &str = "ZERMELO_VOLUNTEERS";

#[test]
fn every_build_comes_to_the_same() {
    let given = std::env::var(BUILT).unwrap_or_default();
    let given = given.split(':').filter(|program| !program.is_empty());
    let programs: Vec<&str> = given.chain([env!("CARGO_BIN_EXE_zermelo-volunteer")]).collect();
    for unit in fixed_units() {
        let right = expected(&unit);
        for program in &programs {
            let report = by(Path::new(program), &unit);
            let what = format!("{program}: {} {}", unit.game, unit.root);
            assert_eq!(report.trace, right.trace, "{what}");
            assert_eq!(report.agreement(), right.agreement(), "{what}");
        }
    }
}

/// What a program makes of a unit, without a client.
fn by(program: &Path, unit: &Unit) -> UnitReport {
    let slot = tempfile::tempdir().unwrap();
    fs::write(slot.path().join("unit"), unit.encode()).unwrap();
    let ran = Command::new(program).current_dir(slot.path()).output().unwrap();
    let words = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{}: {words}", program.display());
    read_report(&slot.path().join("report"))
}
