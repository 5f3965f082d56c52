//! Engines with one fault each: every one of them must be caught, and one without a fault must not.

use std::process::Command;
use std::time::Duration;

use forge::{CheckFailure, CheckOptions, RuleVerdict, check_rules, game_of};
use protocols::Program;

/// An engine of these numbers with a fault; `None` is one without.
pub(crate) fn engine(numbers: &str, fault: &str) -> Program {
    let words = numbers.split(' ').chain([fault]).map(str::to_owned).collect();
    let program = env!("CARGO_BIN_EXE_mutant-engine").to_owned();
    Program { program, arguments: words, folder: None }
}

/// The faults that can be seen in a game.
fn faults(numbers: &str) -> Vec<String> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mutant-engine"));
    let output = command.arg("faults").args(numbers.split(' ')).output().unwrap();
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// What was found wrong, by the test that found it, and how many lines were said in all.
pub(crate) fn check(program: &Program, shrink: bool) -> (Vec<(&'static str, CheckFailure)>, usize) {
    let patience = Duration::from_secs(5);
    let game = game_of(program, None, patience).unwrap();
    let options = CheckOptions { patience, shrink, first_fault: true };
    let (mut wrong, mut commands) = (Vec::new(), 0);
    check_rules(program, &game, options, &mut |checked| {
        commands += checked.commands;
        if let RuleVerdict::Fail(failure) = &checked.verdict {
            wrong.push((checked.name, (**failure).clone()));
        }
    });
    (wrong, commands)
}

/// Every fault that can be seen is found, and nothing where there is none.
fn all_are_caught(games: &[&str]) {
    let (mut caught, mut missed, mut kinds) = (0, Vec::new(), Vec::new());
    for numbers in games {
        let (wrong, commands) = check(&engine(numbers, "None"), false);
        assert!(wrong.is_empty(), "{numbers}: {wrong:?}");
        println!("{numbers}: {commands} commands to an engine without a fault");
        for fault in faults(numbers) {
            match check(&engine(numbers, &fault), false).0.first() {
                Some((test, failure)) => {
                    println!("  {fault}: {test}: {}", failure.why);
                    caught += 1;
                }
                None => missed.push(format!("{fault} in {numbers}")),
            }
            kinds.push(fault);
        }
    }
    kinds.sort();
    kinds.dedup();
    println!("{caught} of {} mutants caught, {} kinds", caught + missed.len(), kinds.len());
    assert!(missed.is_empty(), "not caught: {missed:#?}");
}

#[test]
fn mutants_are_caught() {
    all_are_caught(&["5 6 3 2 1 more"]);
}

/// `cargo test --profile ci -p zermelo-forge --test forge -- --ignored --nocapture every_mutant`
#[test]
#[ignore = "takes 3 minutes"]
fn every_mutant_of_small_boards_is_caught() {
    let games = ["3 3 3 1 1 more", "6 5 4 1 2 exact", "9 9 5 1 1 more", "7 20 4 3 2 exact"];
    all_are_caught(&games);
}

#[test]
#[ignore = "takes 5 minutes"]
fn every_mutant_of_large_boards_is_caught() {
    all_are_caught(&["15 15 5 1 1 more", "15 15 5 1 1 exact", "70 140 5 1 1 more"]);
}
