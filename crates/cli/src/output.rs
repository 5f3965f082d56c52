//! Answers in words or in JSON, and the words that several commands share.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;

use anyhow::{Result, anyhow, ensure};
use compiled::{CompiledGame, CompiledSession};
use game::{Meaning, Points, Side, Value, escaped};
use indicatif::HumanCount;
use play::record::Record;
use play::{Analysis, Outcome, Scores, Session};
use serde::Serialize;
use serde_json::Number;
use tracing::level_filters::LevelFilter;

use crate::args::{Common, Place, Spot};
use crate::complaint;
use crate::files;

/// What the exit code says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Done, or yes.
    Yes,
    /// A negative answer.
    No,
}

/// How to talk to whoever started the program.
#[derive(Debug)]
pub(crate) struct Console {
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    /// Whether more is to be said.
    pub(crate) verbose: bool,
}

impl Console {
    pub(crate) fn new(common: &Common) -> Console {
        let level = match common.verbose {
            0 => LevelFilter::OFF,
            1 => LevelFilter::INFO,
            2 => LevelFilter::DEBUG,
            _ => LevelFilter::TRACE,
        };
        tracing_subscriber::fmt().with_max_level(level).with_writer(io::stderr).init();
        Console { json: common.json, quiet: common.quiet, verbose: common.verbose > 0 }
    }

    /// Gives the answer in the way that was asked for.
    pub(crate) fn answer<T: Serialize>(
        &self,
        answer: &T,
        words: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Answer> {
        let mut out = io::BufWriter::new(io::stdout().lock());
        if self.json {
            writeln!(out, "{}", serde_json::to_string(answer)?)?;
        } else {
            let mut text = Vec::new();
            words(&mut text)?;
            out.write_all(steerless(&String::from_utf8_lossy(&text)).as_bytes())?;
        }
        out.flush()?;
        Ok(Answer::Yes)
    }

    /// Says something that is not the answer.
    pub(crate) fn warn(&self, text: &str) {
        if !self.quiet {
            // A closed standard error is no reason to withhold the answer.
            let _ = writeln!(io::stderr(), "zermelo: warning: {}", complaint::on_one_line(text));
        }
    }

    /// Says what goes on, to a person.
    pub(crate) fn note(&self, text: &str) {
        if !self.quiet {
            let _ = writeln!(io::stderr(), "zermelo: {}", complaint::on_one_line(text));
        }
    }

    /// Whether anybody watches progress.
    pub(crate) fn shows_progress(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    /// Whether somebody may read later what long work was doing.
    pub(crate) fn logs_progress(&self) -> bool {
        !self.quiet && !self.json && !io::stderr().is_terminal()
    }

    /// Whether boards may be coloured: on a terminal, unless the user wants none (<https://no-color.org>).
    pub(crate) fn in_colour(&self) -> bool {
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        !self.json && !unwanted && io::stdout().is_terminal()
    }

    /// Sets up a game at the position that was asked for.
    pub(crate) fn open(&self, place: &Place) -> Result<Opened> {
        self.open_recorded(place).map(|(opened, _)| opened)
    }

    /// The same, with the record it was taken from, if it was.
    pub(crate) fn open_recorded(&self, place: &Place) -> Result<(Opened, Option<Record>)> {
        self.open_at(&place.game, &place.spot)
    }

    /// The same for a game and a place in it that were told apart.
    pub(crate) fn open_at(&self, game: &str, spot: &Spot) -> Result<(Opened, Option<Record>)> {
        let game = catalog::open(game).map_err(|e| anyhow!("game {e}"))?;
        let mut session = game.session();
        if let Some(warning) = &game.facts().warning {
            self.warn(warning);
        }
        if let Some(position) = &spot.position {
            session.set_position(position).map_err(|e| anyhow!("position {e}"))?;
        }
        let replay = |file| files::replay(&*game, &mut *session, file, spot.number);
        let record = spot.file.as_deref().map(replay).transpose()?;
        if let Some(moves) = &spot.moves {
            session.play_all(moves)?;
        }
        Ok((Opened { game, session }, record))
    }
}

/// A game, and one of it under way.
pub(crate) struct Opened {
    pub(crate) game: Arc<dyn CompiledGame>,
    pub(crate) session: Box<dyn CompiledSession>,
}

/// Lines of which none steers the terminal, whatever names and texts from outside are in them.
pub(crate) fn steerless(text: &str) -> String {
    text.split('\n').map(escaped).collect::<Vec<_>>().join("\n")
}

/// Texts of a position by their names, if they were asked for.
pub(crate) type Texts = BTreeMap<&'static str, String>;

/// The other texts of a position, with who wins where that is known; none if nobody asked.
///
/// # Errors
/// If somebody asked, and the game has none.
pub(crate) fn other_texts(asked: bool, session: &dyn Session, value: Option<i32>) -> Result<Texts> {
    if !asked {
        return Ok(Texts::new());
    }
    let texts: Texts = session.position_texts(value).into_iter().collect();
    ensure!(
        !texts.is_empty(),
        "positions of {} have one text only; --texts is for others",
        session.spec()
    );
    Ok(texts)
}

/// A line for each text.
pub(crate) fn write_texts(out: &mut dyn Write, texts: &Texts, width: usize) -> io::Result<()> {
    texts.iter().try_for_each(|(name, text)| writeln!(out, "{name:width$} {text}"))
}

/// As JSON names a side.
pub(crate) fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

/// As JSON names a result, by the sign of the first player's margin.
pub(crate) fn value_name(signum: i32) -> &'static str {
    match signum {
        1.. => "first",
        0 => "draw",
        _ => "second",
    }
}

/// As JSON gives points: a whole number where it is one.
pub(crate) fn number(points: Points) -> Option<Number> {
    points.whole().map(Number::from).or_else(|| Number::from_f64(points.as_f64()))
}

/// The margin, where the game has margins.
pub(crate) fn margin_of(outcome: Outcome) -> Option<Number> {
    outcome.points().and_then(number)
}

/// What the two sides are called where nobody sees their colours.
pub(crate) const PLAYERS: [&str; 2] = ["first player", "second player"];

/// A finished game in words.
pub(crate) fn result_in_words(outcome: Outcome) -> String {
    result_of(outcome, PLAYERS)
}

/// The same with these names for the sides.
pub(crate) fn result_of(outcome: Outcome, names: [&str; 2]) -> String {
    let Some(winner) = outcome.winner() else {
        return "draw".to_owned();
    };
    let winner = names[winner.index()];
    match outcome.points() {
        Some(margin) => format!("{winner} wins by {}", margin.abs()),
        None => format!("{winner} wins"),
    }
}

/// Whether it is proved who wins. Margins and distances only come from finished games, so a search
/// that meets one has a proof, even where it guessed elsewhere and a larger margin may be left.
pub(crate) fn is_proved(analysis: &Analysis) -> bool {
    let is_score = |value: Value| matches!(value.meaning(), Meaning::Score(_));
    analysis.exact || analysis.value.is_some_and(|value| !is_score(value))
}

/// What a search found, in words.
pub(crate) fn analysis_in_words(analysis: &Analysis) -> String {
    analysis_for(analysis, PLAYERS)
}

/// The same with these names for the sides.
pub(crate) fn analysis_for(analysis: &Analysis, names: [&str; 2]) -> String {
    let Some(value) = analysis.value else {
        return "nothing known yet".to_owned();
    };
    let winner = if value.signum() < 0 { names[1] } else { names[0] };
    match value.meaning() {
        Meaning::WonIn(0) | Meaning::LostIn(0) => format!("{winner} has won"),
        Meaning::WonIn(n) | Meaning::LostIn(n) => format!("{winner} wins in {}", plies(n)),
        Meaning::Margin(margin) => {
            let least = if analysis.exact { "" } else { "at least " };
            let points = Points::new(margin.abs(), analysis.margin_scale);
            format!("{winner} wins by {least}{points}")
        }
        Meaning::Score(_) if analysis.exact => "draw".to_owned(),
        Meaning::Score(score) => score_in_words(score, analysis.scores, names),
    }
}

/// What a score tells people, and the number itself.
fn score_in_words(score: i32, scores: Option<Scores>, names: [&str; 2]) -> String {
    let the = if names == PLAYERS { "the " } else { "" };
    let first = format!("{the}{}", names[0]);
    match scores {
        None => format!("score {score:+} for {first} (not proved)"),
        Some(scores @ Scores::Pieces { name, .. }) => {
            let pieces = score_in_short(score, scores);
            format!("{pieces} {name} for {first} (score {score:+}, not proved)")
        }
        Some(scores) => {
            let (side, percent) = likely(score, scores);
            let who = names[side.index()];
            format!("{who} {percent}% likely to win (score {score:+}, not proved)")
        }
    }
}

/// Who is more likely to win, and how likely, in per cent.
fn likely(score: i32, scores: Scores) -> (Side, f64) {
    let chance = scores.chance(score);
    let side = if chance < 0.5 { Side::Second } else { Side::First };
    (side, (100.0 * chance.max(1.0 - chance)).round())
}

/// Pieces, or who is how likely to win.
fn score_in_short(score: i32, scores: Scores) -> String {
    if let Some(pieces) = scores.pieces(score) {
        return format!("{pieces:+.2}");
    }
    let (side, percent) = likely(score, scores);
    format!("{} {percent}%", side_name(side))
}

/// A value in a few letters, for a list of lines.
pub(crate) fn value_in_short(value: Value, margin_scale: i32, scores: Option<Scores>) -> String {
    match value.meaning() {
        Meaning::WonIn(n) => format!("first in {n}"),
        Meaning::LostIn(n) => format!("second in {n}"),
        Meaning::Margin(margin) => {
            format!("{} by {}", value_name(margin), Points::new(margin.abs(), margin_scale))
        }
        Meaning::Score(score) => {
            scores.map_or_else(|| format!("{score:+}"), |scores| score_in_short(score, scores))
        }
    }
}

pub(crate) fn plies(n: u32) -> String {
    counted(n, "ply")
}

/// So many of something: `1 engine`, `2 engines`, `3 plies`.
pub(crate) fn counted(n: impl TryInto<u64>, one: &str) -> String {
    let n = n.try_into().unwrap_or(u64::MAX);
    match (n, one.strip_suffix('y')) {
        (1, _) => format!("1 {one}"),
        (n, Some(stem)) => format!("{n} {stem}ies"),
        (n, None) => format!("{n} {one}s"),
    }
}

/// What was done in what time.
pub(crate) fn speed_in_words(nodes: u64, seconds: f64) -> String {
    let rate = HumanCount(per_second(nodes, seconds));
    format!("{} nodes, {seconds:.3} s, {rate} nodes/s", HumanCount(nodes))
}

pub(crate) fn per_second(nodes: u64, seconds: f64) -> u64 {
    (nodes as f64 / seconds.max(1e-6)) as u64
}

/// Seconds since then, to the microsecond.
pub(crate) fn seconds_since(start: std::time::Instant) -> f64 {
    (start.elapsed().as_secs_f64() * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(value: Value, exact: bool) -> String {
        thought(value, exact, None)
    }

    fn thought(value: Value, exact: bool, scores: Option<Scores>) -> String {
        analysis_in_words(&Analysis {
            value: Some(value),
            exact,
            margin: None,
            margin_scale: 1,
            scores,
            distance: None,
            depth: None,
            selective_depth: 0,
            best: None,
            pv: Vec::new(),
            others: Vec::new(),
            nodes: 0,
        })
    }

    #[test]
    fn values_become_words() {
        assert_eq!(found(Value::won_in(5), true), "first player wins in 5 plies");
        assert_eq!(found(-Value::won_in(1), true), "second player wins in 1 ply");
        assert_eq!(found(Value::over(-1, 1), true), "second player has won");
        assert_eq!(found(Value::DRAW, true), "draw");
        assert_eq!(found(Value::over(6, 64), false), "first player wins by at least 6");
        assert_eq!(found(Value::over(-10, 64), true), "second player wins by 10");
        assert_eq!(found(Value::score(12), false), "score +12 for the first player (not proved)");
        assert_eq!(found(Value::DRAW, false), "score +0 for the first player (not proved)");
    }

    /// Bare numbers mean nothing to people: they are told in pieces, or as a chance of winning.
    #[test]
    fn scores_are_told_in_units() {
        let pawns = Scores::Pieces { name: "pawns", ahead: 250 };
        let own = Scores::Own { ahead: 300 };
        for (scores, score, words, short) in [
            (pawns, 125, "+1.25 pawns for the first player (score +125, not proved)", "+1.25"),
            (pawns, -30, "-0.30 pawns for the first player (score -30, not proved)", "-0.30"),
            (own, -646, "second player 90% likely to win (score -646, not proved)", "second 90%"),
            (own, 0, "first player 50% likely to win (score +0, not proved)", "first 50%"),
            (
                Scores::Mean,
                -922,
                "second player 96% likely to win (score -922, not proved)",
                "second 96%",
            ),
        ] {
            let value = Value::score(score);
            assert_eq!(thought(value, false, Some(scores)), words);
            assert_eq!(value_in_short(value, 1, Some(scores)), short);
        }
        assert_eq!(value_in_short(Value::score(12), 1, None), "+12");
        assert_eq!(thought(Value::DRAW, true, Some(own)), "draw");
    }

    #[test]
    fn results_become_words() {
        let result = |margin, margin_limit| {
            result_in_words(Outcome { margin, margin_limit, margin_scale: 1 })
        };
        assert_eq!(result(1, 1), "first player wins");
        assert_eq!(result(-14, 64), "second player wins by 14");
        assert_eq!(result(0, 64), "draw");
    }

    #[test]
    fn speeds_survive_no_time_at_all() {
        assert_eq!(speed_in_words(3_005_288, 0.5), "3,005,288 nodes, 0.500 s, 6,010,576 nodes/s");
        assert_eq!(per_second(1, 0.0), 1_000_000);
    }
}
