//! The messages of DXP, both ways, as plain functions. A message is ASCII of at most 127 bytes; its first letter says what
//! it is, and every field has its place.

use game::{Expected, TextError};

/// The bytes of the longest message.
pub const LONGEST: usize = 127;
/// The letters of a name.
const NAME: usize = 32;
/// The squares of a board.
const SQUARES: usize = 50;
/// The pieces that can be captured at once.
const MOST_CAPTURED: usize = 20;

/// A player, or who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DxpColour {
    /// `W`.
    White,
    /// `Z`, for *zwart*.
    Black,
}

/// What one program says to the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// `R`: the initiator asks for a game.
    Request(Request),
    /// `A`: the follower answers that.
    Accept {
        /// Who it is.
        name: String,
        /// What it says.
        answer: Acceptance,
    },
    /// `M`: a move.
    Move(DxpMove),
    /// `E`: the game is over, instead of a move or as an answer.
    End {
        /// Why.
        reason: Reason,
        /// Whether there shall be no other game.
        stop: bool,
    },
    /// `C`: anything.
    Chat(String),
    /// `B`: back to an earlier position.
    BackRequest {
        /// The number of the move, from 1.
        number: u16,
        /// Who is to move there.
        colour: DxpColour,
    },
    /// `K`: the answer to that.
    BackAnswer(BackAnswer),
}

/// A game that is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The version of the protocol.
    pub version: u8,
    /// Who asks.
    pub name: String,
    /// What the follower plays.
    pub follower: DxpColour,
    /// For each player and the whole game.
    pub minutes: u16,
    /// How many moves of each player the game lasts at most; 0 for no limit.
    pub moves: u16,
    /// Who moves first, and what stands on the squares, if it is not the usual start.
    pub start: Option<(DxpColour, String)>,
}

/// What a follower says to a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// Let us play.
    Yes,
    /// I do not know this version.
    Version,
    /// Not this game.
    NotThis,
    /// No game.
    Never,
}

/// What is said to a request to go back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BackAnswer {
    /// The game is accepted.
    Yes,
    /// I cannot.
    Cannot,
    /// I do not want to.
    No,
}

/// A move with the squares it captures, in any order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DxpMove {
    /// The seconds it took.
    pub seconds: u16,
    /// From this square.
    pub from: u8,
    /// To this one.
    pub to: u8,
    /// Numbers of the squares of all captured pieces; empty for a step.
    pub captured: Vec<u8>,
}

/// Why a program ends a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It does not say.
    None,
    /// It gives up.
    Lost,
    /// Both players have one point.
    Drawn,
    /// It has won.
    Won,
}

impl Message {
    /// Reads a message without the byte that ends it. What follows the last field is passed over.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn read(bytes: &[u8]) -> Result<Message, TextError> {
        let wrong =
            |why: Expected| why.of(&String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)]));
        if bytes.len() > LONGEST {
            return Err(wrong(format!("a message has at most {LONGEST} bytes").into()));
        }
        let text = std::str::from_utf8(bytes).ok().filter(|text| text.is_ascii());
        let text = text.ok_or_else(|| wrong("a message is ASCII".into()))?;
        let mut fields = Fields { rest: text };
        fields.message().map_err(wrong)
    }

    /// As it goes over the wire, without the byte that ends it.
    #[must_use]
    pub fn write(&self) -> String {
        match self {
            Message::Request(request) => request.write(),
            Message::Accept { name, answer } => {
                format!("A{:NAME$}{}", name_of(name), place(&ACCEPTANCES, answer))
            }
            Message::Move(m) => m.write(),
            Message::End { reason, stop } => {
                format!("E{}{}", place(&REASONS, reason), u8::from(*stop))
            }
            Message::Chat(text) => format!("C{}", ascii(text, LONGEST - 1)),
            Message::BackRequest { number, colour } => {
                format!("B{:03}{}", number.clamp(&1, &999), colour.letter())
            }
            Message::BackAnswer(answer) => format!("K{}", place(&BACK_ANSWERS, answer)),
        }
    }
}

const ACCEPTANCES: [Acceptance; 4] =
    [Acceptance::Yes, Acceptance::Version, Acceptance::NotThis, Acceptance::Never];
const REASONS: [Reason; 4] = [Reason::None, Reason::Lost, Reason::Drawn, Reason::Won];
const BACK_ANSWERS: [BackAnswer; 3] = [BackAnswer::Yes, BackAnswer::Cannot, BackAnswer::No];

fn place<T: PartialEq>(codes: &[T], code: &T) -> usize {
    codes.iter().position(|known| known == code).unwrap_or(0)
}

/// What can be said of a text, in so many bytes.
fn ascii(text: &str, most: usize) -> String {
    let plain = |c: char| if matches!(c, ' '..='~') { c } else { '?' };
    let said: String = text.chars().take(most).map(plain).collect();
    if said.is_empty() { "?".to_owned() } else { said }
}

/// A name does not begin with a blank, and there is one.
fn name_of(name: &str) -> String {
    ascii(name.trim(), NAME).trim_end().to_owned()
}

impl Request {
    fn write(&self) -> String {
        let Request { version, name, follower, minutes, moves, start } = self;
        let (name, follower) = (name_of(name), follower.letter());
        let (minutes, moves) = (minutes.min(&999), moves.min(&999));
        let start = match start {
            Some((colour, squares)) => format!("B{}{squares}", colour.letter()),
            None => "A".to_owned(),
        };
        format!("R{:02}{name:NAME$}{follower}{minutes:03}{moves:03}{start}", version.min(&99))
    }
}

impl DxpColour {
    fn letter(self) -> char {
        match self {
            DxpColour::White => 'W',
            DxpColour::Black => 'Z',
        }
    }

    /// The other one.
    #[must_use]
    pub fn other(self) -> DxpColour {
        match self {
            DxpColour::White => DxpColour::Black,
            DxpColour::Black => DxpColour::White,
        }
    }
}

impl DxpMove {
    fn write(&self) -> String {
        let DxpMove { seconds, from, to, captured } = self;
        let taken = captured.iter().take(MOST_CAPTURED);
        let squares: String = taken.clone().map(|square| format!("{square:02}")).collect();
        format!("M{:04}{from:02}{to:02}{:02}{squares}", seconds.min(&9999), taken.len())
    }

    /// Of `32-28` or `28x19x23`, as engines write it.
    #[must_use]
    pub fn of_wire(text: &str, seconds: u64) -> Option<DxpMove> {
        let squares: Option<Vec<u8>> =
            text.split(['-', 'x']).map(|square| square.parse().ok()).collect();
        match &squares?[..] {
            [from, to, captured @ ..] => Some(DxpMove {
                seconds: seconds.min(9999) as u16,
                from: *from,
                to: *to,
                captured: captured.to_vec(),
            }),
            _ => None,
        }
    }

    /// As engines write it.
    #[must_use]
    pub fn to_wire(&self) -> String {
        let sign = if self.captured.is_empty() { '-' } else { 'x' };
        let mut text = format!("{}{sign}{}", self.from, self.to);
        for square in &self.captured {
            text += &format!("x{square}");
        }
        text
    }
}

/// A position as engines write it, of what a request says.
#[must_use]
pub(super) fn position_to_wire(colour: DxpColour, squares: &str) -> String {
    let side = if colour == DxpColour::White { 'W' } else { 'B' };
    let letter = |c: char| match c {
        'z' => 'b',
        'Z' => 'B',
        c => c,
    };
    std::iter::once(side).chain(squares.chars().map(letter)).collect()
}

/// What a request says of a position as engines write it; `None` if the board has not the protocol's size.
#[must_use]
pub(super) fn position_of_wire(wire: &str) -> Option<(DxpColour, String)> {
    let squares = wire.get(1..).filter(|squares| squares.len() == SQUARES)?;
    let colour = if wire.starts_with('W') { DxpColour::White } else { DxpColour::Black };
    let letter = |c: char| match c {
        'b' => 'z',
        'B' => 'Z',
        c => c,
    };
    Some((colour, squares.chars().map(letter).collect()))
}

/// What is left of a message.
struct Fields<'m> {
    rest: &'m str,
}

impl<'m> Fields<'m> {
    fn message(&mut self) -> Result<Message, Expected> {
        Ok(match self.take(1, "type")? {
            "R" => Message::Request(Request {
                version: self.number(2, "version")? as u8,
                name: self.name()?,
                follower: self.colour()?,
                minutes: self.number(3, "thinking time")?,
                moves: self.number(3, "number of moves")?,
                start: self.start()?,
            }),
            "A" => {
                let name = self.name()?;
                Message::Accept { name, answer: self.code(&ACCEPTANCES, "acceptance code")? }
            }
            "M" => Message::Move(self.one_move()?),
            "E" => {
                let reason = self.code(&REASONS, "reason")?;
                Message::End { reason, stop: self.code(&[false, true], "stop code")? }
            }
            "C" => Message::Chat(self.rest.to_owned()),
            "B" => {
                let number = self.number(3, "move number")?;
                if number == 0 {
                    return Err("moves are counted from 1".into());
                }
                Message::BackRequest { number, colour: self.colour()? }
            }
            "K" => Message::BackAnswer(self.code(&BACK_ANSWERS, "acceptance code")?),
            _ => return Err("no message begins like that".into()),
        })
    }

    fn take(&mut self, length: usize, what: &str) -> Result<&'m str, Expected> {
        // It is ASCII: letters are bytes.
        let (field, rest) =
            self.rest.split_at_checked(length).ok_or_else(|| format!("the {what} is missing"))?;
        self.rest = rest;
        Ok(field)
    }

    fn number(&mut self, digits: usize, what: &str) -> Result<u16, Expected> {
        let field = self.take(digits, what)?;
        let plain = field.bytes().all(|b| b.is_ascii_digit());
        let number = field.parse().ok().filter(|_| plain);
        number.ok_or_else(|| format!("the {what} has {digits} digits").into())
    }

    fn code<T: Copy>(&mut self, codes: &[T], what: &str) -> Result<T, Expected> {
        let code = self.number(1, what)?;
        let last = codes.len() - 1;
        let code = codes.get(usize::from(code)).copied();
        code.ok_or_else(|| format!("the {what} is 0 to {last}").into())
    }

    fn name(&mut self) -> Result<String, Expected> {
        self.take(NAME, "name").map(name_of)
    }

    fn colour(&mut self) -> Result<DxpColour, Expected> {
        match self.take(1, "colour")? {
            "W" => Ok(DxpColour::White),
            "Z" => Ok(DxpColour::Black),
            _ => Err("a colour is W or Z".into()),
        }
    }

    fn square(&mut self) -> Result<u8, Expected> {
        let number = self.number(2, "square")?;
        let square = u8::try_from(number).ok().filter(|n| (1..=SQUARES as u8).contains(n));
        square.ok_or_else(|| format!("squares are 01 to {SQUARES}").into())
    }

    fn start(&mut self) -> Result<Option<(DxpColour, String)>, Expected> {
        match self.take(1, "starting position")? {
            "A" => Ok(None),
            "B" => {
                let colour = self.colour()?;
                let squares = self.take(SQUARES, "position")?;
                if !squares.chars().all(|c| matches!(c, 'w' | 'W' | 'z' | 'Z' | 'e')) {
                    return Err("a square is w, W, z, Z or e".into());
                }
                Ok(Some((colour, squares.to_owned())))
            }
            _ => Err("a starting position is A or B".into()),
        }
    }

    fn one_move(&mut self) -> Result<DxpMove, Expected> {
        let seconds = self.number(4, "time")?;
        let (from, to) = (self.square()?, self.square()?);
        let count = usize::from(self.number(2, "number of captured pieces")?);
        if count > MOST_CAPTURED {
            return Err(format!("at most {MOST_CAPTURED} pieces are captured at once").into());
        }
        let captured = (0..count).map(|_| self.square()).collect::<Result<_, _>>()?;
        Ok(DxpMove { seconds, from, to, captured })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Rng;

    const START: &str = "zzzzzzzzzzzzzzzzzzzzeeeeeeeeeewwwwwwwwwwwwwwwwwwww";

    fn examples() -> Vec<(Message, String)> {
        let request = Request {
            version: 1,
            name: "Tornado voor Windows 4.0".to_owned(),
            follower: DxpColour::Black,
            minutes: 60,
            moves: 0,
            start: None,
        };
        let name = format!("{:32}", "Tornado voor Windows 4.0");
        let set_up = Request {
            follower: DxpColour::White,
            minutes: 5,
            moves: 75,
            start: Some((DxpColour::Black, START.to_owned())),
            ..request.clone()
        };
        let quiet = DxpMove { seconds: 7, from: 32, to: 28, captured: Vec::new() };
        let capture = DxpMove { seconds: 9999, from: 5, to: 46, captured: vec![10, 41] };
        let end = |reason, stop| Message::End { reason, stop };
        vec![
            (Message::Request(request), format!("R01{name}Z060000A")),
            (Message::Request(set_up), format!("R01{name}W005075BZ{START}")),
            (
                Message::Accept { name: "Scan 3.1".to_owned(), answer: Acceptance::NotThis },
                format!("A{:32}2", "Scan 3.1"),
            ),
            (Message::Move(quiet), "M0007322800".to_owned()),
            (Message::Move(capture), "M99990546021041".to_owned()),
            (end(Reason::None, false), "E00".to_owned()),
            (end(Reason::Won, true), "E31".to_owned()),
            (Message::Chat("What now?".to_owned()), "CWhat now?".to_owned()),
            (Message::BackRequest { number: 5, colour: DxpColour::Black }, "B005Z".to_owned()),
            (Message::BackAnswer(BackAnswer::Cannot), "K1".to_owned()),
        ]
    }

    #[test]
    fn messages_round_trip() {
        for (message, text) in examples() {
            assert_eq!(message.write(), text);
            assert_eq!(Message::read(text.as_bytes()), Ok(message));
        }
    }

    #[test]
    fn wrong_messages_get_a_reason() {
        for (text, why) in [
            ("", "the type is missing"),
            ("X", "no message begins"),
            ("M", "the time is missing"),
            ("M00x1322800", "the time has 4 digits"),
            ("M0001+12800", "the square has 2 digits"),
            ("M0001325100", "squares are 01 to 50"),
            ("M0001320000", "squares are 01 to 50"),
            ("M00013228991", "at most 20 pieces"),
            ("M00013228021", "the square is missing"),
            ("E4", "the reason is 0 to 3"),
            ("E0", "the stop code is missing"),
            ("E02", "the stop code is 0 to 1"),
            ("B000W", "counted from 1"),
            ("B001B", "a colour is W or Z"),
            ("K3", "0 to 2"),
            ("R01too short", "the name is missing"),
            (&format!("C{}", "x".repeat(127)), "at most 127 bytes"),
        ] {
            let error = Message::read(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
        assert!(Message::read(b"C\xff").is_err());
        let long = Message::Chat("ü\n".repeat(200)).write();
        assert_eq!((long.len(), &long[..3]), (LONGEST, "C??"));
        assert_eq!(name_of("  "), "?");
    }

    #[test]
    fn moves_and_positions_are_those_of_engines() {
        for text in ["32-28", "28x19x23", "5x46x10x41"] {
            assert_eq!(DxpMove::of_wire(text, 3).unwrap().to_wire(), text);
        }
        for text in ["", "32", "a-b", "32-", "300-1"] {
            assert_eq!(DxpMove::of_wire(text, 3), None, "{text}");
        }
        let wire = position_to_wire(DxpColour::White, START);
        assert_eq!(wire, format!("W{}", START.replace('z', "b")));
        assert_eq!(position_of_wire(&wire), Some((DxpColour::White, START.to_owned())));
        assert_eq!(position_of_wire("Wbbb"), None);
    }

    /// Whatever comes in is read or refused, and what was read means the same when it is said again.
    #[test]
    fn mangled_messages_do_no_harm() {
        let texts: Vec<String> = examples().into_iter().map(|(_, text)| text).collect();
        let mut rng = Rng::new(3);
        for _ in 0..20_000 {
            let mut bytes = texts[rng.below(texts.len())].clone().into_bytes();
            for _ in 0..rng.below(5) {
                let at = rng.below(bytes.len() + 1);
                match rng.below(4) {
                    0 => bytes.truncate(at),
                    1 if at < bytes.len() => drop(bytes.remove(at)),
                    2 if at < bytes.len() => bytes[at] = b"09WZABzeM +\x7f\xc3"[rng.below(13)],
                    _ => bytes.insert(at, rng.below(256) as u8),
                }
            }
            match Message::read(&bytes) {
                Ok(Message::Chat(_)) | Err(_) => {}
                Ok(message) => {
                    let again = Message::read(message.write().as_bytes());
                    assert_eq!(again, Ok(message), "{:?}", String::from_utf8_lossy(&bytes));
                }
            }
        }
    }
}
