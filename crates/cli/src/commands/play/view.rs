//! How the table looks: what the sides are called, which pieces are whose, and who sits below.

use play::Session;
use std::collections::BTreeSet;

use anyhow::Result;
use compiled::CompiledGame;
use game::{Cell, Diagram, Mark, Side};

/// Counts are told from this share of the way on: nobody wants to hear of the first quiet move.
const WORTH_TELLING: usize = 5;

/// How one game is shown.
pub(super) struct View {
    /// What the sides are called.
    pub(super) names: [&'static str; 2],
    /// How their pieces are drawn, in words.
    pieces: [Option<String>; 2],
    /// Whether the board is seen from its other side.
    pub(super) turned: bool,
}

impl View {
    /// The board with this side below, where the sides have one.
    pub(super) fn new(game: &dyn CompiledGame, below: Option<Side>) -> Result<View> {
        let mut other = game.session();
        // Some boards begin empty.
        for _ in 0..4 {
            let diagram = other.diagram();
            if SIDES.iter().all(|&side| !glyphs(&diagram, side).is_empty()) {
                break;
            }
            let Some(first) = other.moves().into_iter().next() else { break };
            other.play(&first)?;
        }
        let diagram = other.diagram();
        Ok(View {
            names: game.facts().colours,
            pieces: SIDES.map(|side| in_words(&glyphs(&diagram, side))),
            turned: below.is_some() && diagram.below().is_some() && diagram.below() != below,
        })
    }

    pub(super) fn name(&self, side: Side) -> &'static str {
        self.names[side.index()]
    }

    /// The name with what its pieces look like.
    pub(super) fn described(&self, side: Side) -> String {
        let name = self.name(side);
        match &self.pieces[side.index()] {
            Some(pieces) => format!("{name} ({pieces})"),
            None => name.to_owned(),
        }
    }

    /// The board, in colour where somebody sees it.
    pub(super) fn board(&self, session: &dyn Session, in_colour: bool) -> String {
        let diagram = session.diagram();
        let diagram = if self.turned { diagram.turned() } else { diagram };
        if in_colour { diagram.draw(coloured) } else { diagram.to_string() }
    }
}

const SIDES: [Side; 2] = [Side::First, Side::Second];

/// What leads to a draw, if it has come so far that somebody wants to know.
pub(super) fn draw_counts(session: &dyn Session) -> Option<String> {
    let counts = session.draw_counts().into_iter();
    let told: Vec<String> = counts
        .filter(|count| count.done * WORTH_TELLING >= count.of())
        .map(|count| count.to_string())
        .collect();
    (!told.is_empty()).then(|| format!("Towards a draw: {}.", told.join(", ")))
}

fn glyphs(diagram: &Diagram, side: Side) -> BTreeSet<char> {
    let cells = diagram.grid().iter().map(|square| diagram.cell(square));
    cells.filter(|cell| cell.owner == Some(side)).map(|cell| cell.glyph).collect()
}

fn in_words(glyphs: &BTreeSet<char>) -> Option<String> {
    match glyphs.first() {
        Some(glyph) if glyphs.len() == 1 => Some(glyph.to_string()),
        Some(_) if glyphs.iter().all(|glyph| glyph.is_uppercase()) => Some("capitals".to_owned()),
        Some(_) if glyphs.iter().all(|glyph| glyph.is_lowercase()) => {
            Some("small letters".to_owned())
        }
        _ => None,
    }
}

/// The first player's pieces bold, the second's in cyan, the last move and the winning line on a ground of their
/// own.
fn coloured(cell: Cell, text: &str) -> String {
    let ground = match cell.mark {
        Mark::None => "",
        Mark::Last => ";43",
        Mark::Line => ";42",
    };
    match cell.owner {
        Some(Side::First) => format!("\x1b[1{ground}m{text}\x1b[0m"),
        Some(Side::Second) => format!("\x1b[1;36{ground}m{text}\x1b[0m"),
        None => format!("\x1b[2{ground}m{text}\x1b[0m"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_called_and_drawn_as_in_the_game() {
        for (game, first, second) in [
            ("chess", "White (capitals)", "Black (small letters)"),
            ("draughts:english", "Black (b)", "White (w)"),
            ("draughts:international", "White (w)", "Black (b)"),
            ("tictactoe", "Black (x)", "White (o)"),
            ("go:5x5", "Black (X)", "White (O)"),
            ("reversi", "Black (X)", "White (O)"),
        ] {
            let opened = catalog::open(game).unwrap();
            let view = View::new(&*opened, None).unwrap();
            assert_eq!(view.described(Side::First), first, "{game}");
            assert_eq!(view.described(Side::Second), second, "{game}");
            assert!(!view.turned);
        }
    }

    #[test]
    fn boards_that_have_an_own_side_are_turned_to_it() {
        for (game, second_turns) in [
            ("chess", Some(true)),
            ("draughts:international", Some(true)),
            // White sits below, and Black begins.
            ("draughts:english", Some(false)),
            ("reversi", None),
            ("gomoku", None),
        ] {
            let opened = catalog::open(game).unwrap();
            let turned = |below| View::new(&*opened, Some(below)).unwrap().turned;
            assert_eq!(turned(Side::Second), second_turns.unwrap_or(false), "{game}");
            assert_eq!(turned(Side::First), second_turns.is_some_and(|turns| !turns), "{game}");
        }
    }
}
