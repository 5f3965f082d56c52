//! [`Variant`]: the draughts that people play, each a set of switches, draws and a way to write.

use super::board::Size;
use super::draws::{Draws, Endings, Reset};
use super::position::Colour;
use super::squares::Numbering;
use super::switches::{Landing, Majority, Promotion, Switches};

/// A set of rules that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// American checkers, English draughts.
    English,
    /// International draughts.
    International,
    /// Russian draughts, shashki.
    Russian,
    /// Brazilian draughts: International on 8x8.
    Brazilian,
    /// American pool checkers.
    Pool,
    /// Pool in which a king lands where it likes.
    Polish,
    /// Italian draughts.
    Italian,
    /// Spanish draughts.
    Spanish,
    /// Czech draughts.
    Czech,
    /// Frisian draughts.
    Frisian,
}

impl Variant {
    /// All of them, each at the place of its number.
    pub const ALL: [Variant; 10] = [
        Variant::English,
        Variant::International,
        Variant::Russian,
        Variant::Brazilian,
        Variant::Pool,
        Variant::Polish,
        Variant::Italian,
        Variant::Spanish,
        Variant::Czech,
        Variant::Frisian,
    ];

    /// The moves.
    #[must_use]
    pub const fn switches(self) -> Switches {
        let flying = Switches {
            size: Size::Eight,
            first: Colour::White,
            back: true,
            flying: true,
            straight: false,
            shielded: false,
            landing: Landing::Continue,
            majority: Majority::None,
            promotion: Promotion::End,
            restless: false,
        };
        let forward = Switches { back: false, promotion: Promotion::Stop, ..flying };
        match self {
            Variant::English => Switches { first: Colour::Black, flying: false, ..forward },
            Variant::International => {
                Switches { size: Size::Ten, majority: Majority::Quantity, ..flying }
            }
            Variant::Russian => Switches { promotion: Promotion::Pass, ..flying },
            Variant::Brazilian => Switches { majority: Majority::Quantity, ..flying },
            Variant::Pool => Switches { first: Colour::Black, ..flying },
            Variant::Polish => Switches { landing: Landing::Free, ..flying },
            Variant::Italian => {
                Switches { flying: false, shielded: true, majority: Majority::Italian, ..forward }
            }
            Variant::Spanish => Switches { majority: Majority::Quality, ..forward },
            Variant::Czech => Switches { majority: Majority::King, ..forward },
            Variant::Frisian => Switches {
                size: Size::Ten,
                straight: true,
                majority: Majority::Frisian,
                restless: true,
                ..flying
            },
        }
    }

    /// When nobody wins. What players must claim at the board ends the game here at once.
    #[must_use]
    pub const fn draws(self) -> Draws {
        match self {
            Variant::English | Variant::Italian => moves(40),
            Variant::International | Variant::Brazilian => {
                Draws { endings: Endings::International, ..moves(25) }
            }
            Variant::Russian => Draws { endings: Endings::Russian, ..moves(15) },
            Variant::Pool => Draws { endings: Endings::Pool, ..moves(40) },
            Variant::Polish | Variant::Spanish | Variant::Czech => moves(25),
            Variant::Frisian => Draws { endings: Endings::Frisian, ..moves(0) },
        }
    }

    /// How squares are numbered.
    #[must_use]
    pub const fn numbering(self) -> Numbering {
        match self {
            Variant::Italian => Numbering::Mirrored,
            Variant::Spanish => Numbering::BottomRight,
            _ => Numbering::TopLeft,
        }
    }

    /// Whether squares are written `c3` rather than `22`. Both are read.
    #[must_use]
    pub const fn algebraic(self) -> bool {
        matches!(self, Variant::Russian | Variant::Czech)
    }

    /// What stands between the squares of a capture when it is written. All are read.
    #[must_use]
    pub const fn capture_sign(self) -> char {
        if self.algebraic() { ':' } else { 'x' }
    }

    /// The `GameType` tag of PDN files: a number, who begins, columns, rows, numbered or lettered squares
    /// and where the first of them is, whether the corner at the left is none. Polish has no number.
    #[must_use]
    pub const fn game_type(self) -> Option<&'static str> {
        Some(match self {
            Variant::International => "20,W,10,10,N2,0",
            Variant::English => "21,B,8,8,N1,0",
            Variant::Italian => "22,W,8,8,N2,1",
            Variant::Pool => "23,B,8,8,N1,0",
            Variant::Spanish => "24,W,8,8,N1,1",
            Variant::Russian => "25,W,8,8,A0,0",
            Variant::Brazilian => "26,W,8,8,N2,0",
            Variant::Czech => "29,W,8,8,A0,0",
            Variant::Frisian => "40,W,10,10,N2,0",
            Variant::Polish => return None,
        })
    }
}

/// Three times the same position, or so many moves of each side with kings alone.
const fn moves(moves: u16) -> Draws {
    Draws { plies: 2 * moves, reset: Reset::CaptureOrMan, repetitions: 3, endings: Endings::None }
}
