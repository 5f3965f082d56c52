//! The opening of Swap2: one side places three stones; the other one takes the colour it likes, or places two more and leaves the
//! choice to the first.

use game::{Rng, Side};
use play::{Analysis, Session};

use crate::command_error::CommandError;
use crate::desk::Desk;
use crate::line_game::{LineGame, Point};

/// How many openings are looked at before one is proposed.
const PROPOSALS: usize = 8;
/// They lie within a square of this size in the middle.
const MIDDLE: usize = 7;

/// A question of the opening that is thought over.
pub(super) enum Question {
    /// Which three stones are so even that either colour will do?
    Propose {
        /// Still to be looked at.
        left: Vec<Vec<String>>,
        /// Under way.
        tried: Vec<String>,
        /// The most even so far, and how far it is from that.
        best: Option<(u32, Vec<String>)>,
    },
    /// Which colour is better here? Two further stones are never placed: whoever may choose then, they are worth at most nothing to
    /// us, and the better colour is worth at least nothing.
    Choose(Side),
}

/// A question with the position that belongs to it.
pub(super) struct Asked {
    pub(super) question: Question,
    pub(super) session: Box<dyn Session>,
}

/// What is to be done next.
pub(super) enum Next {
    /// Think about this.
    Ask(Asked),
    /// Take the other colour.
    Swap,
    /// Place these stones; none stand for the move that was chosen.
    Place(Vec<String>),
}

impl Asked {
    /// What the front asks with these stones on the board.
    pub(super) fn with_stones(
        stones: &[Point],
        game: &LineGame,
        spec: &str,
        desk: &Desk<'_>,
    ) -> Result<Asked, CommandError> {
        match stones.len() {
            0 => {
                let left = proposals(game, spec, desk);
                Asked::next_proposal(left, None, spec, desk)
                    .ok_or_else(|| "there is no opening of three stones on this board".into())
            }
            3 | 5 => {
                let names = stones.iter().map(|&point| game.name(point));
                let names = names.collect::<Option<Vec<_>>>().ok_or("a stone is off the board")?;
                let session = set_up(&names, spec, desk)?;
                Ok(Asked { question: Question::Choose(session.to_move()), session })
            }
            other => Err(format!("an opening has 0, 3 or 5 stones, not {other}").into()),
        }
    }

    fn next_proposal(
        mut left: Vec<Vec<String>>,
        best: Option<(u32, Vec<String>)>,
        spec: &str,
        desk: &Desk<'_>,
    ) -> Option<Asked> {
        let tried = left.pop()?;
        let session = set_up(&tried, spec, desk).ok()?;
        Some(Asked { question: Question::Propose { left, tried, best }, session })
    }

    /// How many thoughts there are still to come, this one included.
    pub(super) fn thoughts(&self) -> u32 {
        match &self.question {
            Question::Propose { left, .. } => left.len() as u32 + 1,
            Question::Choose(_) => 1,
        }
    }

    /// What a thought leads to.
    pub(super) fn answered(self, analysis: Option<&Analysis>, desk: &Desk<'_>) -> Next {
        let value = analysis.and_then(|analysis| analysis.value);
        match self.question {
            Question::Choose(side) => match value.map(|value| value.seen_by(side).signum()) {
                Some(-1) => Next::Swap,
                _ => Next::Place(Vec::new()),
            },
            Question::Propose { left, tried, best } => {
                let uneven = value.map_or(u32::MAX, |value| value.raw().unsigned_abs());
                let best = match best {
                    Some((least, stones)) if least <= uneven => (least, stones),
                    _ => (uneven, tried),
                };
                let spec = self.session.spec();
                match Asked::next_proposal(left, Some(best.clone()), &spec, desk) {
                    Some(asked) => Next::Ask(asked),
                    None => Next::Place(best.1),
                }
            }
        }
    }
}

/// A game after these stones that is not over yet.
fn set_up(
    stones: &[String],
    spec: &str,
    desk: &Desk<'_>,
) -> Result<Box<dyn Session>, CommandError> {
    let mut session = desk.host().open(spec)?;
    for stone in stones {
        session.play(stone)?;
    }
    if session.outcome().is_some() {
        return Err("the game is over".into());
    }
    Ok(session)
}

/// Openings in the middle of the board, the same for every board of a size.
fn proposals(game: &LineGame, spec: &str, desk: &Desk<'_>) -> Vec<Vec<String>> {
    let (width, height) = (game.grid.columns, game.grid.rows);
    let (wide, high) = (width.min(MIDDLE), height.min(MIDDLE));
    let mut squares: Vec<Point> = (0..high)
        .flat_map(|y| (0..wide).map(move |x| (x, y)))
        .map(|(x, y)| Point { x: x + (width - wide) / 2, y: y + (height - high) / 2 })
        .collect();
    let mut rng = Rng::new(game.grid.squares() as u64);
    let drawn = (0..PROPOSALS).filter_map(|_| {
        rng.shuffle(&mut squares);
        let stones: Vec<String> =
            squares.iter().take(3).filter_map(|&point| game.name(point)).collect();
        (stones.len() == 3 && set_up(&stones, spec, desk).is_ok()).then_some(stones)
    });
    drawn.collect()
}
