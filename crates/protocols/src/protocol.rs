//! [`Protocol`]: which language is spoken.

use std::fmt;
use std::str::FromStr;

use game::TextError;

use crate::line_game::LineGame;

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

    /// Whether an engine can be told to stop thinking and say what it has.
    #[must_use]
    pub fn can_stop(self) -> bool {
        matches!(self, Protocol::Uci | Protocol::Hub)
    }

    /// What a person may want to say to an engine, in the order of a first talk.
    #[must_use]
    pub fn suggestions(self) -> &'static [&'static str] {
        match self {
            Protocol::Uci => &[
                "uci",
                "isready",
                "ucinewgame",
                "position startpos moves e2e4",
                "go movetime 1000",
                "go infinite",
                "stop",
                "setoption name Hash value 64",
                "quit",
            ],
            Protocol::Cecp => &[
                "xboard",
                "protover 2",
                "new",
                "force",
                "usermove e2e4",
                "go",
                "ping 1",
                "?",
                "quit",
            ],
            Protocol::Gtp => &[
                "list_commands",
                "boardsize 9",
                "clear_board",
                "komi 7",
                "play black D4",
                "genmove white",
                "showboard",
                "final_score",
                "quit",
            ],
            Protocol::Hub => &[
                "hub",
                "init",
                "new-game",
                "pos moves=\"32-28\"",
                "level move-time=1",
                "go think",
                "stop",
                "ping",
                "quit",
            ],
            Protocol::Gomocup => &[
                "ABOUT",
                "START 15",
                "INFO timeout_turn 1000",
                "BEGIN",
                "TURN 7,7",
                "TAKEBACK 7,7",
                "RESTART",
                "END",
            ],
            Protocol::NBoard => {
                &["nboard 1", "set depth 6", "move F5", "go", "hint 2", "ping 1", "quit"]
            }
            Protocol::Text => &[
                "info",
                "isready",
                "newgame",
                "makemove 2 2",
                "printboard",
                "getmoves",
                "getplayer",
                "movesleft",
                "movesmade",
                "perf",
                "quit",
            ],
        }
    }

    /// Whether a front of this protocol can say that this game is meant. Where it cannot, who drives the engine must know by
    /// other means.
    #[must_use]
    pub fn has_words_for(self, spec: &str) -> bool {
        match self {
            // A front of Hub names a variant, and no changes to it.
            Protocol::Hub => {
                let (_, arguments) = spec.split_once(':').unwrap_or_default();
                arguments.bytes().all(|b| b.is_ascii_lowercase())
            }
            Protocol::Gomocup => LineGame::of(spec)
                .is_some_and(|game| game.plain && (game.k, game.p, game.q) == (5, 1, 1)),
            Protocol::Uci | Protocol::Cecp | Protocol::Gtp | Protocol::NBoard | Protocol::Text => {
                true
            }
        }
    }

    /// Which of these protocols a front speaks that begins with this line; `None` if it says nothing about it.
    #[must_use]
    pub fn of_first_line(line: &str, spoken: &[Protocol]) -> Option<Protocol> {
        if let &[only] = spoken {
            return (!line.trim().is_empty()).then_some(only);
        }
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
            // Who speaks one protocol alone needs no first word.
            ("go perft 3", &[Protocol::Uci], Some(Protocol::Uci)),
            (" ", &[Protocol::Uci], None),
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
    fn some_games_have_no_words() {
        for (protocol, game, has_words) in [
            (Protocol::Hub, "draughts:international", true),
            (Protocol::Hub, "draughts:8x8,men=2", false),
            (Protocol::Hub, "draughts:english,draw=40-plies", false),
            (Protocol::Gomocup, "mnk:15x15,k=5", true),
            (Protocol::Gomocup, "mnk:6x7,k=4,gravity", false),
            (Protocol::Gomocup, "mnk:3x3,k=3", false),
            (Protocol::Text, "mnk:6x7,k=4,gravity", true),
            (Protocol::Gtp, "go:3x5", true),
        ] {
            assert_eq!(protocol.has_words_for(game), has_words, "{protocol} {game}");
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
