//! Transcripts played again, and made shorter where something goes wrong.

use std::time::{Duration, Instant};

use protocols::Program;

use crate::talk::{Talk, TalkError, wrong};
use crate::transcript::{Exchange, Transcript, fits};

/// So long it is tried to say less, for all faults of an engine together.
pub(crate) const SHRINKING: Duration = Duration::from_secs(4);
/// Every answer has at most so long meanwhile.
const SHRINKING_PATIENCE: Duration = Duration::from_secs(1);
/// Pairs of lines are left out of dialogues up to this length.
const SHORT: usize = 60;

/// What an engine did wrong, and how to see it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckFailure {
    /// In one line.
    pub why: String,
    /// What was said until then; the last answer is the wrong one. Nothing if the engine did not
    /// even begin.
    pub transcript: Transcript,
    /// The board before the last line, row by row.
    pub board: Vec<String>,
}

impl CheckFailure {
    /// Of a dialogue that went wrong.
    pub(crate) fn of(talk: &Talk, error: &TalkError) -> CheckFailure {
        let (transcript, board) = talk.take_down(error);
        CheckFailure { why: error.to_string(), transcript, board }
    }

    /// One without a dialogue.
    pub(crate) fn bare(error: &TalkError) -> CheckFailure {
        CheckFailure {
            why: error.to_string(),
            transcript: Transcript::default(),
            board: Vec::new(),
        }
    }

    /// What should have been answered last.
    #[must_use]
    pub fn expected(&self) -> &[String] {
        self.transcript.exchanges.last().map_or(&[], |last| &last.expected)
    }

    /// What was answered last.
    #[must_use]
    pub fn given(&self) -> &[String] {
        self.transcript.exchanges.last().map_or(&[], |last| &last.given)
    }

    /// As a file, with the board as a remark.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = self.transcript.write();
        text += &format!("# {}\n# the board before the last line:\n", game::shown(&self.why));
        self.board.iter().for_each(|row| text += &format!("# {row}\n"));
        text
    }
}

/// Plays a transcript with a fresh engine; what was wrong, if anything was. What the rules demand
/// is compared as well as what the transcript does.
///
/// # Errors
/// If the engine does not start, or plays another game.
pub fn replay(
    program: &Program,
    transcript: &Transcript,
    patience: Duration,
) -> Result<Option<CheckFailure>, TalkError> {
    let mut talk = Talk::start(program, transcript.game.as_deref(), patience)?;
    talk.take_turns();
    for exchange in &transcript.exchanges {
        let result = talk.tell(&exchange.said).and_then(|()| talk.hear_out());
        let result = result.and_then(|()| {
            let heard = talk.heard_all();
            let pairs = || exchange.expected.iter().zip(heard);
            let fine = heard.len() == exchange.expected.len() && pairs().all(|(a, b)| fits(a, b));
            match exchange.expected.is_empty() || fine {
                true => Ok(()),
                false => wrong(exchange.expected.clone(), heard.to_vec()),
            }
        });
        if let Err(error) = result {
            let mut failure = CheckFailure::of(&talk, &error);
            let Some(last) = failure.transcript.exchanges.last_mut() else {
                return Ok(Some(failure));
            };
            if let TalkError::Said { expected, .. } = error {
                last.expected = expected;
                last.given = talk.whole_answer();
            }
            return Ok(Some(failure));
        }
    }
    Ok(None)
}

/// The same fault, or another one, with as little said as possible: no line, and where it is short
/// no two of them, can be left out.
pub(crate) fn shrink(
    program: &Program,
    game: &str,
    failure: CheckFailure,
    patience: Duration,
    until: Instant,
) -> CheckFailure {
    let patience = patience.min(SHRINKING_PATIENCE);
    let lines: Vec<String> =
        failure.transcript.exchanges.iter().map(|exchange| exchange.said.clone()).collect();
    let mut trial = |lines: &[String]| match Instant::now() < until {
        true => quick(program, game, lines, patience),
        false => None,
    };
    let Some(mut lines) = last_games(&lines, &mut trial) else { return failure };
    let mut size = lines.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < lines.len() {
            let rest = [&lines[..at], &lines[(at + size).min(lines.len())..]].concat();
            match trial(&rest) {
                Some(shorter) => lines = shorter,
                None => at += size.max(1),
            }
        }
        size /= 2;
    }
    let mut first = 0;
    while lines.len() <= SHORT && first < lines.len() {
        let without = |second: usize| {
            let kept = (0..lines.len()).filter(|n| ![first, second].contains(n));
            kept.map(|n| lines[n].clone()).collect::<Vec<_>>()
        };
        match (first + 1..lines.len()).find_map(|second| trial(&without(second))) {
            Some(shorter) => lines = shorter,
            None => first += 1,
        }
    }
    let exchanges = lines.into_iter().map(|said| Exchange { said, ..Exchange::default() });
    let shorter = Transcript { game: Some(game.to_owned()), exchanges: exchanges.collect() };
    replay(program, &shorter, patience).ok().flatten().unwrap_or(failure)
}

/// What of these lines is needed until something is wrong, all at once.
fn quick(
    program: &Program,
    game: &str,
    lines: &[String],
    patience: Duration,
) -> Option<Vec<String>> {
    let mut talk = Talk::start(program, Some(game), patience).ok()?;
    let result = lines.iter().try_for_each(|line| talk.tell(line)).and_then(|()| talk.hear_out());
    let failure = CheckFailure::of(&talk, &result.err()?);
    Some(failure.transcript.exchanges.into_iter().map(|exchange| exchange.said).collect())
}

/// As few of the last games as show the fault.
fn last_games(
    lines: &[String],
    trial: &mut dyn FnMut(&[String]) -> Option<Vec<String>>,
) -> Option<Vec<String>> {
    let begins = |line: &String| line.trim_start().to_lowercase().starts_with("newgame");
    let games: Vec<usize> = (0..lines.len()).filter(|&n| begins(&lines[n])).collect();
    let mut count = 1;
    while count < games.len() {
        if let Some(found) = trial(&lines[games[games.len() - count]..]) {
            return Some(found);
        }
        count *= 2;
    }
    trial(lines)
}
