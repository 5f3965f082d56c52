//! Who sits at a table, as people write it, and the secrets that prove it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use game::{Expected, Side, TextError};
use play::{BotSpec, Level, Limits, Way};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::refusal::Refusal;
use crate::sheet::Event;

/// A person, a bot or an engine: `human`; `bot:` and what the command line calls it, as in `bot:easy`, `bot:depth=6` or
/// `bot:easy,book=no`; `engine:` and a name, as in `engine:gnugo` or `engine:gnugo,time=2`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Seat {
    Human,
    Bot(Bot),
    Engine(Named),
}

/// A bot of this program.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Bot {
    pub(crate) spec: BotSpec,
    /// Whether it is to do without a book of openings.
    pub(crate) bookless: bool,
}

/// An engine by its name, and how long it thinks, if not as usual.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Named {
    pub(crate) name: String,
    pub(crate) limits: Limits,
}

/// What a guest of the table may say of a bot. Everything else (weights from files, threads, memory) is
/// for whoever runs the program.
const ALLOWED: [&str; 3] = ["depth", "nodes", "time"];

/// What has a bot think from its first move.
const BOOKLESS: &str = "book=no";

/// Memory of one search in megabytes, at most.
pub(crate) const FULL_MEMORY: usize = 16;

/// The longest that a bot may think about one move.
pub(crate) const LONGEST: Duration = Duration::from_secs(60);

impl Seat {
    pub(crate) fn is_human(&self) -> bool {
        matches!(self, Seat::Human)
    }

    fn limits(&self) -> Limits {
        match self {
            Seat::Human => Limits::default(),
            Seat::Bot(bot) => bot.spec.limits,
            Seat::Engine(named) => named.limits,
        }
    }

    /// The memory of its searches. Those who do not look far need little, and many of them play at once.
    pub(crate) fn megabytes(&self) -> usize {
        let Seat::Bot(Bot { spec: bot, .. }) = self else { return 0 };
        match bot.way {
            _ if bot.limits != Limits::default() => FULL_MEMORY,
            Way::Search(Some(Level::Beginner | Level::Easy)) => 1,
            Way::Search(Some(Level::Medium)) => 4,
            Way::Search(_) => FULL_MEMORY,
            Way::Random | Way::Adjacent => 1,
        }
    }

    /// As files of games call whoever sits here.
    pub(crate) fn in_files(&self) -> String {
        match self {
            Seat::Human => "Human".to_owned(),
            Seat::Bot(bot) => format!("Zermelo {}", bot.spec),
            Seat::Engine(named) => named.name.clone(),
        }
    }
}

impl FromStr for Seat {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Seat, TextError> {
        if text == "human" {
            return Ok(Seat::Human);
        }
        let wrong = |why: &str| TextError::new(text, why);
        let (bot, engine) = (text.strip_prefix("bot:"), text.strip_prefix("engine:"));
        let Some(named) = bot.or(engine) else {
            return Err(wrong(
                "a seat is human, bot:LEVEL or engine:NAME, as in bot:easy or bot:depth=6",
            ));
        };
        for part in named.split(',') {
            let key = part.split_once('=').map(|(key, _)| key);
            if key.is_some_and(|key| !ALLOWED.contains(&key))
                && !(bot.is_some() && part == BOOKLESS)
            {
                return Err(wrong(
                    "a bot here has a level, and depth=N, nodes=N or time=S, and book=no",
                ));
            }
        }
        let seat = match engine {
            Some(named) => Seat::Engine(Named::read(named).map_err(|why| why.of(text))?),
            None => Seat::Bot(Bot::read(named)?),
        };
        if seat.limits().time.is_some_and(|time| time > LONGEST) {
            return Err(wrong("a bot here thinks for at most 60 seconds"));
        }
        Ok(seat)
    }
}

impl Bot {
    fn read(text: &str) -> Result<Bot, TextError> {
        let (book, spec): (Vec<&str>, Vec<&str>) =
            text.split(',').partition(|part| *part == BOOKLESS);
        Ok(Bot { spec: spec.join(",").parse()?, bookless: !book.is_empty() })
    }

    /// Whether it opens by a book where there is one: levels do, so that no two of their games are alike. Who says how
    /// deep or how long a bot thinks wants to see it think.
    pub(crate) fn opens_by_book(&self) -> bool {
        let is_level = matches!(self.spec.way, Way::Search(Some(_)));
        is_level && self.spec.limits == Limits::default() && !self.bookless
    }
}

impl Named {
    fn read(text: &str) -> Result<Named, Expected> {
        let (name, limits) = match text.split_once(',') {
            Some((name, limits)) => (name, BotSpec::read_limits(limits)?),
            None => (text, Limits::default()),
        };
        match name.is_empty() || name.contains('=') {
            true => Err("the name of an engine is missing, as in engine:gnugo".into()),
            false => Ok(Named { name: name.to_owned(), limits }),
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Seat::Human => f.write_str("human"),
            Seat::Bot(Bot { spec, bookless: false }) => write!(f, "bot:{spec}"),
            Seat::Bot(Bot { spec, bookless: true }) => write!(f, "bot:{spec},{BOOKLESS}"),
            Seat::Engine(Named { name, limits }) => {
                write!(f, "engine:{name}")?;
                match *limits == Limits::default() {
                    true => Ok(()),
                    false => write!(f, ",{}", BotSpec { limits: *limits, ..BotSpec::default() }),
                }
            }
        }
    }
}

/// The secrets of a table: whoever knows one may do what it stands for. They are told once and kept nowhere.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Tokens"))]
pub(crate) struct Secrets {
    /// Whoever set up the table: may pause bots and ask for analysis.
    pub(crate) host: String,
    /// The people, by side; none for a bot.
    pub(crate) first: Option<String>,
    pub(crate) second: Option<String>,
}

/// By what secrets are known again: their hashes. With 128 random bits in each no salt is needed.
#[derive(Clone, Deserialize, Serialize)]
pub(crate) struct Tokens {
    host: String,
    first: Option<String>,
    second: Option<String>,
}

/// Secrets do not belong into logs.
impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tokens")
    }
}

impl Secrets {
    pub(crate) fn new(seats: &[Seat; 2]) -> Secrets {
        let of = |seat: &Seat| seat.is_human().then(secret);
        Secrets { host: secret(), first: of(&seats[0]), second: of(&seats[1]) }
    }
}

impl Tokens {
    pub(crate) fn of(Secrets { host, first, second }: &Secrets) -> Tokens {
        let of = |secret: &Option<String>| secret.as_deref().map(hash);
        Tokens { host: hash(host), first: of(first), second: of(second) }
    }

    /// What somebody with these secrets may do.
    pub(crate) fn rights(&self, shown: &[String]) -> Rights {
        let shown: Vec<String> = shown.iter().map(|secret| hash(secret)).collect();
        let holds = |token: &Option<String>| token.as_ref().is_some_and(|t| shown.contains(t));
        Rights {
            host: shown.contains(&self.host),
            sides: [holds(&self.first), holds(&self.second)],
        }
    }

    /// The people change places, and their secrets with them.
    pub(crate) fn swap(&mut self) {
        std::mem::swap(&mut self.first, &mut self.second);
    }

    /// What an event changes about them.
    pub(crate) fn follow(&mut self, event: &Event) {
        match event {
            Event::Swap => self.swap(),
            Event::Sit { second, token } => {
                let seat = if *second { &mut self.second } else { &mut self.first };
                *seat = Some(token.clone());
            }
            _ => {}
        }
    }
}

/// The secret with which somebody takes a seat for good: their browser has made it up, and nobody
/// else knows it.
pub(crate) struct Key(String);

/// As much as a [`secret`] has.
pub(crate) const KEY_LETTERS: std::ops::RangeInclusive<usize> = 26..=64;

impl Key {
    pub(crate) fn new(text: String) -> Option<Key> {
        let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        (is_plain && KEY_LETTERS.contains(&text.len())).then_some(Key(text))
    }

    pub(crate) fn secret(&self) -> &str {
        &self.0
    }

    pub(crate) fn hash(&self) -> String {
        hash(&self.0)
    }
}

/// What somebody at a table may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rights {
    pub(crate) host: bool,
    pub(crate) sides: [bool; 2],
}

impl Rights {
    pub(crate) fn plays(self, side: Side) -> bool {
        self.sides[side.index()]
    }

    /// The one side that somebody plays: who asks another has to be one of two.
    pub(crate) fn only_side(self) -> Result<Side, Refusal> {
        match self.sides {
            [true, false] => Ok(Side::First),
            [false, true] => Ok(Side::Second),
            _ => Err(Refusal::forbidden("that is for two people to settle")),
        }
    }

    /// More than looking on.
    pub(crate) fn any(self) -> bool {
        self.host || self.sides[0] || self.sides[1]
    }
}

/// SHA-256 in hexadecimal. How long two hashes take to compare tells nothing about the secret behind one.
fn hash(secret: &str) -> String {
    Sha256::digest(secret).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// 128 bits that nobody guesses.
pub(crate) fn secret() -> String {
    random_text(26)
}

/// Five bits a letter, in letters and digits that are hard to confuse.
pub(crate) fn random_text(length: usize) -> String {
    const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let mut bytes = vec![0; length];
    getrandom::fill(&mut bytes).expect("the system has random bytes");
    bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte & 31)])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_read_and_written() {
        for text in [
            "human",
            "bot:easy",
            "bot:random",
            "bot:hard,time=0.5",
            "bot:hard,book=no",
            "bot:time=3",
            "bot:depth=6",
            "engine:gnugo",
            "engine:fish-1.2,time=2",
            "engine:fish,nodes=1000",
        ] {
            assert_eq!(text.parse::<Seat>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn levels_open_by_a_book_unless_told() {
        let opens = |text: &str| match text.parse::<Seat>().unwrap() {
            Seat::Bot(bot) => bot.opens_by_book(),
            _ => false,
        };
        assert!(opens("bot:easy") && opens("bot:master"));
        for text in ["bot:easy,book=no", "bot:random", "bot:depth=6", "bot:hard,time=1", "human"] {
            assert!(!opens(text), "{text}");
        }
    }

    #[test]
    fn hashes_are_those_that_everybody_knows() {
        let known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hash("abc"), known);
    }

    #[test]
    fn no_seat_names_a_file_or_takes_the_machine() {
        for text in [
            "",
            "bot",
            "bot:",
            "robot",
            "uci:/bin/sh",
            "bot:easy,weights=/etc/passwd",
            "bot:weights=random",
            "bot:hash=65536",
            "bot:threads=200",
            "bot:time=61",
            "bot:clock=60+1",
            "bot:easy,book=x",
            "bot:book=no,easy,book=",
            "bot:book=no",
            "engine:fish,book=no",
            "engine:",
            "engine:,time=2",
            "engine:time=2",
            "engine:fish,time=61",
            "engine:fish,easy",
            "engine:fish,clock=60+1",
            "engine:fish,hash=1000",
        ] {
            assert!(text.parse::<Seat>().is_err(), "{text}");
        }
    }

    #[test]
    fn secrets_open_what_they_stand_for_and_nothing_else() {
        let secrets = Secrets::new(&[Seat::Human, Seat::Bot(Bot::default())]);
        let tokens = Tokens::of(&secrets);
        let first = secrets.first.clone().unwrap();
        assert_eq!(secrets.second, None);
        let written = serde_json::to_string(&tokens).unwrap();
        assert!(!written.contains(&first) && !written.contains(&secrets.host), "{written}");
        // What is stored opens nothing.
        assert!(!tokens.rights(&[tokens.host.clone(), tokens.first.clone().unwrap()]).any());
        assert_eq!(tokens.rights(&[first]).sides, [true, false]);
        assert!(!tokens.rights(&[String::new(), secret(), "x".repeat(26)]).any());
        assert!(tokens.rights(std::slice::from_ref(&secrets.host)).host);
        assert_eq!(format!("{tokens:?}"), "Tokens");
    }
}
