//! [`Draws`]: when a game that nobody wins is over, and how that is written.
//!
//! `draw=none`, or parts joined by `+`, each at most once:
//!
//! * `40-moves` or `80-plies`: so long without a capture or a move of a man. A move is one of each
//!   side.
//! * `40-moves-captureless` or `80-plies-captureless`: so long without a capture.
//! * `3-fold`: a position, with the same side to move, for so many times.
//! * `international`, `russian`, `pool` or `frisian`: the short counts of endings with few pieces,
//!   see [`Endings`].

use std::fmt;

use game::{Decisive, Expected};

use super::position::Position;

/// When nobody wins. The game is drawn at once, with nothing to claim; but who cannot move has lost
/// even so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Draws {
    /// So many plies in which nothing happened; 0 for no such rule.
    pub plies: u16,
    /// What happens.
    pub reset: Reset,
    /// So many times the same position; 0 for no such rule.
    pub repetitions: u8,
    /// Endings with counts of their own.
    pub endings: Endings,
}

/// What starts the count of plies anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reset {
    /// A capture or a move of a man.
    CaptureOrMan,
    /// Any piece was taken.
    Capture,
}

impl From<Reset> for Decisive {
    fn from(reset: Reset) -> Decisive {
        match reset {
            Reset::CaptureOrMan => Decisive::CaptureOrMan,
            Reset::Capture => Decisive::Capture,
        }
    }
}

/// Endings that are drawn after so many moves of each side. The count begins when the ending is
/// reached and goes on while it stays the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Endings {
    /// No ending is drawn by a count.
    None,
    /// A lone king against three pieces, one of them a king: 16 moves; against two or one: 5.
    International,
    /// A lone king against three kings or more: 15 moves. Where both sides have kings and nothing
    /// is captured or crowned: 5 moves with two or three pieces, 30 with four or five, 60 with six or
    /// seven. That a lone king holds the main road makes no difference here.
    Russian,
    /// A lone king against three kings or more: 13 moves.
    Pool,
    /// Two kings against one: 7 moves; one against one: 2.
    Frisian,
}

const ENDINGS: [(&str, Endings); 4] = [
    ("international", Endings::International),
    ("russian", Endings::Russian),
    ("pool", Endings::Pool),
    ("frisian", Endings::Frisian),
];
const NONE: &str = "none";
const CAPTURELESS: &str = "-captureless";
/// More plies than this are never counted.
const LONGEST: usize = 9_999;

/// The ending a position belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ending {
    /// The same as long as the count goes on.
    kind: u16,
    /// Drawn after so many.
    pub(super) plies: u16,
}

impl Draws {
    /// A game that only ends when somebody wins.
    pub const NONE: Draws =
        Draws { plies: 0, reset: Reset::CaptureOrMan, repetitions: 0, endings: Endings::None };

    /// Whether plies without a capture (or a man's move) are counted at all.
    #[inline]
    pub(super) fn counts(&self) -> bool {
        self.plies != 0 || self.repetitions != 0
    }

    /// The ending with a count of its own, if this is one.
    #[inline]
    pub(super) fn ending(&self, p: &Position) -> Option<Ending> {
        if self.endings == Endings::None || p.kings == 0 {
            return None;
        }
        // By value: whose address is taken is kept in memory.
        ending(self.endings, [p.own, p.other], p.kings)
    }

    /// Reads what stands after `draw=`; an error says what is wrong and what would be right.
    pub(super) fn read(text: &str) -> Result<Draws, Expected> {
        let mut draws = Draws::NONE;
        if text == NONE {
            return Ok(draws);
        }
        for part in text.split('+') {
            let twice = || format!("draw has two parts like {part}; one is right");
            if let Some((_, endings)) = ENDINGS.iter().find(|(word, _)| *word == part) {
                if draws.endings != Endings::None {
                    return Err(twice().into());
                }
                draws.endings = *endings;
                continue;
            }
            let (count, unit) = part.split_once('-').unwrap_or((part, ""));
            let count = number(count).ok_or_else(|| wrong(part))?;
            if unit == "fold" && (2..=9).contains(&count) {
                if draws.repetitions != 0 {
                    return Err(twice().into());
                }
                draws.repetitions = count as u8;
                continue;
            }
            let (unit, reset) = match unit.strip_suffix(CAPTURELESS) {
                Some(unit) => (unit, Reset::Capture),
                None => (unit, Reset::CaptureOrMan),
            };
            let plies = match unit {
                "moves" => 2 * count,
                "plies" => count,
                _ => return Err(wrong(part).into()),
            };
            if !(1..=LONGEST).contains(&plies) {
                return Err(format!("{part} is outside 1 to {LONGEST} plies").into());
            }
            if draws.plies != 0 {
                return Err(twice().into());
            }
            (draws.plies, draws.reset) = (plies as u16, reset);
        }
        Ok(draws)
    }
}

fn number(text: &str) -> Option<usize> {
    let plain = (1..=5).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

fn wrong(part: &str) -> String {
    let part = game::quote(part);
    format!(
        "draw is none or parts like 40-moves, 80-plies, 40-moves-captureless, 3-fold, \
         international, russian, pool, frisian joined by +, not {part}"
    )
}

impl fmt::Display for Draws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if self.plies != 0 {
            let (count, unit) = if self.plies.is_multiple_of(2) {
                (self.plies / 2, "moves")
            } else {
                (self.plies, "plies")
            };
            let what = if self.reset == Reset::Capture { CAPTURELESS } else { "" };
            parts.push(format!("{count}-{unit}{what}"));
        }
        if self.repetitions != 0 {
            parts.push(format!("{}-fold", self.repetitions));
        }
        let endings = ENDINGS.iter().filter(|(_, endings)| *endings == self.endings);
        parts.extend(endings.map(|(word, _)| (*word).to_owned()));
        if parts.is_empty() {
            parts.push(NONE.to_owned());
        }
        f.write_str(&parts.join("+"))
    }
}

fn ending(endings: Endings, pieces: [u64; 2], kings: u64) -> Option<Ending> {
    let count = |set: u64| set.count_ones() as u8;
    let sides = pieces.map(|pieces| (count(pieces), count(pieces & kings)));
    let total = sides[0].0 + sides[1].0;
    let both_have_kings = sides[0].1 > 0 && sides[1].1 > 0;
    if !both_have_kings {
        return None;
    }
    // Who stands against a lone king, if anybody: pieces and kings.
    let hunters = match sides {
        [(1, 1), hunters] | [hunters, (1, 1)] => Some(hunters),
        _ => None,
    };
    let moves = match endings {
        Endings::None => None,
        Endings::International => match hunters?.0 {
            3 => Some(16),
            1 | 2 => Some(5),
            _ => None,
        },
        Endings::Pool => (hunters?.1 >= 3).then_some(13),
        Endings::Frisian => match hunters? {
            (2, 2) => Some(7),
            (1, 1) => Some(2),
            _ => None,
        },
        Endings::Russian => {
            let few = match total {
                2 | 3 => Some(5),
                4 | 5 => Some(30),
                6 | 7 => Some(60),
                _ => None,
            };
            let three_kings = hunters.is_some_and(|(_, kings)| kings >= 3).then_some(15);
            few.into_iter().chain(three_kings).min()
        }
    }?;
    // Only the Russian count begins anew when a man is crowned.
    let kings = if endings == Endings::Russian { sides[0].1 + sides[1].1 } else { 0 };
    let kind = match endings {
        Endings::Pool => 0,
        _ => u16::from(total) << 8 | u16::from(kings),
    };
    Some(Ending { kind, plies: 2 * moves })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips() {
        for text in [
            "none",
            "40-moves",
            "81-plies",
            "20-moves-captureless",
            "3-fold",
            "25-moves+3-fold+russian",
        ] {
            assert_eq!(Draws::read(text).unwrap().to_string(), text);
        }
        assert_eq!(Draws::read("40-plies").unwrap().to_string(), "20-moves");
        assert_eq!(Draws::read("pool+3-fold").unwrap().to_string(), "3-fold+pool");
    }

    #[test]
    fn wrong_text_is_refused() {
        for text in [
            "",
            "+",
            "0-moves",
            "5000-moves",
            "40",
            "-moves",
            "40-",
            "40-days",
            "1-fold",
            "3-fold+3-fold",
            "none+3-fold",
            "pool+russian",
            "4-moves+5-plies",
            "99999999999999999999-moves",
            "é-fold",
            "3-fold-captureless",
            "+3-fold",
        ] {
            assert!(Draws::read(text).is_err(), "{text}");
        }
    }
}
