//! `zermelo solve --proof ultraweak`: what is known without a search, and without knowing how to play.

use anyhow::{Result, bail, ensure};

use super::solve::{Solved, in_units, open, write_words};
use crate::args::Solve;
use crate::output::{Answer, Console, other_texts, seconds_since, write_texts};

/// Says what arguments say. If that does not answer the question, it is a negative answer with its bounds.
pub(super) fn run(arguments: &Solve, console: &Console) -> Result<Answer> {
    for (given, flag) in [
        (arguments.store.is_some(), "--store"),
        (arguments.certificate.is_some(), "--certificate"),
        (arguments.slice.is_some(), "--slice"),
        (arguments.method.is_some(), "--method"),
        (arguments.weights.is_some(), "--weights"),
    ] {
        ensure!(!given, "{flag} is not for --proof ultraweak, which searches nothing");
    }
    let start = std::time::Instant::now();
    let opened = open(arguments, console)?;
    let (facts, session) = (opened.game.facts(), &*opened.session);
    let Some(argued) = session.arguments() else {
        bail!(
            "{}: no argument is known that proves anything of this game without a search; weak and strong proofs are there",
            facts.spec
        );
    };
    let bounds = argued.bounds;
    let seconds = seconds_since(start);
    let question = in_units(arguments.question, facts.margin_scale);
    let mut solved = Solved::new(&opened, arguments.question, bounds, 0, seconds);
    solved.proved = !solved.answer.is_null();
    solved.texts = other_texts(arguments.texts, session, bounds.outcome())?;
    console.answer(&solved, |out| {
        write_words(out, facts, question, bounds)?;
        write_texts(out, &solved.texts, 6)?;
        for why in &argued.because {
            writeln!(out, "since  {why}")?;
        }
        Ok(())
    })?;
    Ok(if solved.proved { Answer::Yes } else { Answer::No })
}
