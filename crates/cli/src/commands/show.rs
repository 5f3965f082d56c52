//! `zermelo show`: one position, as people and programs look at it.

use anyhow::Result;
use game::Mark;
use serde::Serialize;
use serde_json::Number;

use crate::args;
use crate::output::{
    Answer, Console, Texts, margin_of, other_texts, result_in_words, side_name, value_name,
    write_texts,
};

#[derive(Serialize)]
struct Shown {
    game: String,
    position: String,
    to_move: Option<&'static str>,
    moves: Vec<String>,
    last: Option<String>,
    board: String,
    over: bool,
    value: Option<&'static str>,
    margin: Option<Number>,
    line: Vec<String>,
    #[serde(skip_serializing_if = "Texts::is_empty")]
    texts: Texts,
}

/// Shows the position that was asked for.
pub(crate) fn run(arguments: &args::Show, console: &Console) -> Result<Answer> {
    let session = console.open(&arguments.place)?.session;
    let outcome = session.outcome();
    let diagram = session.diagram();
    let line = diagram.marked(Mark::Line);
    let shown = Shown {
        game: session.spec(),
        position: session.position(),
        to_move: outcome.is_none().then(|| side_name(session.to_move())),
        moves: session.moves(),
        last: session.played().pop(),
        board: diagram.to_string(),
        over: outcome.is_some(),
        value: outcome.map(|outcome| value_name(outcome.margin.signum())),
        margin: outcome.and_then(margin_of),
        line: line.map(|square| diagram.grid().name(square)).collect(),
        texts: other_texts(arguments.texts, &*session, outcome.map(|outcome| outcome.margin))?,
    };
    console.answer(&shown, |out| {
        writeln!(out, "{}\n\n{}\n", shown.game, shown.board)?;
        writeln!(out, "position  {}", shown.position)?;
        write_texts(out, &shown.texts, 9)?;
        if let Some(last) = &shown.last {
            writeln!(out, "last      {last}")?;
        }
        if let Some(side) = shown.to_move {
            writeln!(out, "to move   {side} player")?;
            writeln!(out, "moves     {}", shown.moves.join(" "))?;
        }
        if let Some(outcome) = outcome {
            writeln!(out, "result    {}", result_in_words(outcome))?;
        }
        if !shown.line.is_empty() {
            writeln!(out, "line      {}", shown.line.join(" "))?;
        }
        Ok(())
    })
}
