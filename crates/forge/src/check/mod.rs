//! Whether an engine of the text protocol plays by the rules, found out from outside.
//!
//! The first eleven tests are those of the thesis that the protocol comes from; the others go beyond it. A test is one
//! function over a [`Talk`](crate::talk::Talk) and stands in [`TESTS`]. What is right is worked out by a [`Referee`](crate::referee::Referee), which shares no code with
//! the rules that engines are made of.

mod beyond;
mod first_turns;
mod last_stone;
mod lines;
mod moves;
mod plan;

use std::time::{Duration, Instant};

use protocols::Program;

use crate::replay::{CheckFailure, SHRINKING, shrink};
use crate::talk::{Talk, TalkError};

/// One thing that is looked at.
#[derive(Clone, Copy)]
struct Test {
    /// What an engine should do.
    name: &'static str,
    run: fn(&mut Talk) -> Result<(), TalkError>,
}

const fn test(name: &'static str, run: fn(&mut Talk) -> Result<(), TalkError>) -> Test {
    Test { name, run }
}

/// All tests, in the order they are made.
const TESTS: [Test; 21] = [
    test("moves are right after every move", moves::after_every_move),
    test("the game ends after all moves", moves::all_of_them),
    test("the engine plays itself to the end", first_turns::whole_game_of_engine),
    test("the same move twice is refused", moves::twice),
    test("turns have q and then p stones", first_turns::order),
    test("first turns: human, human", first_turns::human_human),
    test("first turns: human, engine", first_turns::human_engine),
    test("first turns: engine, human", first_turns::engine_human),
    test("first turns: engine, engine", first_turns::engine_engine),
    test("k in a row win", lines::every_line),
    test("k+1 in a row win unless exactly k must be", lines::overlines),
    test("random games go as the rules say", beyond::random_games),
    test("nonsense is survived", beyond::nonsense),
    test("moves are counted", beyond::counts),
    test("a refused move changes nothing", moves::refused),
    test("a new game begins anew", moves::begun_anew),
    test("k in a row win between two stones", lines::blocked),
    test("a stone in between breaks a row", lines::broken),
    test("rows end at the edge", lines::around_the_edge),
    test("the last stone wins or draws", last_stone::last_stone),
    test("the engine's stones are legal in many games", first_turns::many_games),
];

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RuleVerdict {
    /// As it should be.
    Pass,
    /// There is nothing to look at in this game, and why.
    Idle(String),
    /// It is not, and what was seen.
    Fail(Box<CheckFailure>),
}

/// One test of one engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The name of the test.
    pub name: &'static str,
    /// What was found.
    pub verdict: RuleVerdict,
    /// How many lines were said.
    pub commands: usize,
    /// How long it took.
    pub time: Duration,
}

/// How engines are checked.
#[derive(Clone, Copy, Debug)]
pub struct CheckOptions {
    /// How long an engine may take for an answer.
    pub patience: Duration,
    /// Whether the dialogue that shows a fault is made as short as possible.
    pub shrink: bool,
    /// Whether the first fault is enough.
    pub first_fault: bool,
}

/// The game that an engine of the text protocol says it plays.
///
/// # Errors
/// If it does not say so in time, or what it says is not what is `told` by somebody who knows more than it can say.
pub fn game_of(
    program: &Program,
    told: Option<&str>,
    patience: Duration,
) -> Result<String, TalkError> {
    Talk::start(program, told, patience).map(|talk| talk.spec)
}

/// Makes all tests with an engine of this game, each with a process of its own, since one that hangs must not spoil the next.
/// Every answer has so much time.
pub fn check_rules(
    program: &Program,
    game: &str,
    options: CheckOptions,
    told: &mut dyn FnMut(&Checked),
) {
    let mut shrinking = SHRINKING;
    for Test { name, run } in TESTS {
        let start = Instant::now();
        let (verdict, commands) = match Talk::start(program, Some(game), options.patience) {
            Ok(mut talk) => {
                let verdict = match run(&mut talk) {
                    Ok(()) => RuleVerdict::Pass,
                    Err(TalkError::Idle(why)) => RuleVerdict::Idle(why),
                    Err(wrong) => RuleVerdict::Fail(Box::new(CheckFailure::of(&talk, &wrong))),
                };
                (verdict, talk.commands)
            }
            Err(wrong) => (RuleVerdict::Fail(Box::new(CheckFailure::bare(&wrong))), 0),
        };
        let verdict = match verdict {
            RuleVerdict::Fail(failure) if options.shrink => {
                let begun = Instant::now();
                let until = begun + shrinking;
                let shorter = shrink(program, game, *failure, options.patience, until);
                shrinking = shrinking.saturating_sub(begun.elapsed());
                RuleVerdict::Fail(Box::new(shorter))
            }
            verdict => verdict,
        };
        let failed = matches!(verdict, RuleVerdict::Fail(_));
        told(&Checked { name, verdict, commands, time: start.elapsed() });
        if failed && options.first_fault {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of checks in `docs/generate.md`.
    #[test]
    fn every_test_is_on_its_page() {
        let page = include_str!("../../../../docs/generate.md");
        let (first_turns, others): (Vec<Test>, Vec<Test>) =
            TESTS.into_iter().partition(|test| test.name.starts_with("first turns"));
        assert_eq!(first_turns.len(), 4);
        assert!(page.contains("| first turns: human, human … engine, engine | four checks;"));
        for Test { name, .. } in others {
            assert!(page.contains(&format!("\n| {name} | ")), "docs/generate.md lacks {name}");
        }
        let counted = |n: usize| match n {
            0..1_000 => n.to_string(),
            _ => format!("{},{:03}", n / 1_000, n % 1_000),
        };
        let (small, ends, between) = (counted(moves::SMALL), moves::ENDS, moves::BETWEEN);
        for told in [
            format!(
                "over {small} squares after the first {ends} stones, the last {ends} and about \
                 {between} in between"
            ),
            format!("before each stone of {} turns", first_turns::TURNS),
            format!("{} random games, every announcement compared", beyond::GAMES),
            format!("after each of up to {} stones a stone on", moves::REFUSED),
            format!("without any line, up to {} squares", counted(last_stone::LARGEST)),
            format!(
                "{} games in all seats, none begun after {} stones",
                first_turns::GAMES,
                counted(first_turns::STONES)
            ),
            format!("crosses a multiple of {}, and in {} spread evenly", plan::WORD, plan::SPREAD),
        ] {
            assert!(page.contains(&told), "docs/generate.md lacks\n{told}");
        }
    }
}
