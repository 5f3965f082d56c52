//! [`Protocol`]: which language is spoken.

use std::fmt;
use std::str::FromStr;

use game::TextError;

/// What engines and their fronts speak.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Universal Chess Interface.
    Uci,
    /// Chess Engine Communication Protocol, of xboard; only to drive engines.
    Cecp,
    /// Go Text Protocol, version 2.
    Gtp,
    /// Hub, version 2, for draughts.
    Hub,
    /// The protocol of the Gomocup tournaments.
    Gomocup,
    /// NBoard, for Reversi.
    NBoard,
    /// The plain text protocol of (m,n,k,p,q) engines.
    Text,
}

impl Protocol {
    /// All of them.
    pub const ALL: [Protocol; 7] = [
        Protocol::Uci,
        Protocol::Cecp,
        Protocol::Gtp,
        Protocol::Hub,
        Protocol::Gomocup,
        Protocol::NBoard,
        Protocol::Text,
    ];

    /// As the command line writes it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Cecp => "cecp",
            Protocol::Gtp => "gtp",
            Protocol::Hub => "hub",
            Protocol::Gomocup => "gomocup",
            Protocol::NBoard => "nboard",
            Protocol::Text => "text",
        }
    }

    /// Which of these protocols a front speaks that begins with this line; `None` if it says nothing about it.
    #[must_use]
    pub fn of_first_line(line: &str, spoken: &[Protocol]) -> Option<Protocol> {
        let opens = |protocol: &&Protocol| protocol.opens_with(line.trim());
        spoken.iter().find(opens).copied()
    }

    /// Whether a front of this protocol may begin with this line.
    fn opens_with(self, line: &str) -> bool {
        let first = line.split_whitespace().next().unwrap_or_default();
        match self {
            Protocol::Uci => first == "uci",
            Protocol::Cecp => first == "xboard",
            Protocol::Hub => first == "hub",
            Protocol::NBoard => first == "nboard",
            // Its commands are in capitals, and `INFO` has a key and a value.
            Protocol::Gomocup => {
                first.bytes().any(|b| b.is_ascii_uppercase())
                    && !first.bytes().any(|b| b.is_ascii_lowercase())
            }
            Protocol::Text => first.bytes().all(|b| b.is_ascii_lowercase()) && !first.is_empty(),
            // A front of NBoard names itself; everything else that has a word in it may be a command of GTP.
            Protocol::Gtp => first != "nboard" && first.starts_with(|c: char| c.is_alphanumeric()),
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Protocol {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Protocol, TextError> {
        Protocol::ALL.into_iter().find(|protocol| protocol.name() == text).ok_or_else(|| {
            let names = Protocol::ALL.map(Protocol::name).join(", ");
            TextError::new(text, format!("there is no such protocol; there are {names}"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_decides() {
        let line_games = [Protocol::Text, Protocol::Gomocup];
        let reversi = [Protocol::Gtp, Protocol::NBoard];
        for (line, spoken, expected) in [
            ("uci", &[Protocol::Uci][..], Some(Protocol::Uci)),
            ("info", &line_games, Some(Protocol::Text)),
            ("INFO timeout_turn 1000", &line_games, Some(Protocol::Gomocup)),
            ("START 15", &line_games, Some(Protocol::Gomocup)),
            ("newgame white ai black human", &line_games, Some(Protocol::Text)),
            ("nboard 1", &reversi, Some(Protocol::NBoard)),
            ("protocol_version", &reversi, Some(Protocol::Gtp)),
            ("1 name", &reversi, Some(Protocol::Gtp)),
            ("", &reversi, None),
            ("# a remark", &reversi, None),
        ] {
            assert_eq!(Protocol::of_first_line(line, spoken), expected, "{line}");
        }
    }

    #[test]
    fn names_round_trip() {
        for protocol in Protocol::ALL {
            assert_eq!(protocol.name().parse(), Ok(protocol));
        }
        assert!("UCI".parse::<Protocol>().is_err());
    }
}
