//! [`Book`]: how games used to begin, and [`Booked`]: a player who knows.
//!
//! A book knows positions, not lines: whichever way a game has come to a position, it finds there what others
//! played and how their games ended. Move clocks and the like do not matter for that.

mod player;
mod text;

use std::collections::{BTreeMap, BTreeSet};

use game::{Rng, TextError};
use play::Session;
use play::record::{Record, Verdict};

pub use player::Booked;

/// Positions that came up in games, with the moves played there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    game: String,
    min_count: u32,
    /// By the text of the position without counts; the moves most often played come first.
    positions: BTreeMap<String, Vec<BookMove>>,
}

/// How often a move was played in one position of a book, and how those games ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookMove {
    /// As the game writes it.
    pub text: String,
    /// In how many games it was played. There may be more of them than results, as some games have none.
    pub times: u32,
    /// How many of these the player who moved first in the game won.
    pub first: u32,
    /// How many were drawn.
    pub draws: u32,
    /// How many the other one won.
    pub second: u32,
}

impl Book {
    /// Collects what was played in the first `depth` plies of games. Positions that fewer than `min_count` games came to
    /// are left out. A game counts once for a position: if it comes back there, only the first move counts.
    ///
    /// # Errors
    /// If a record does not belong to the game of this session, by its number and the first thing that is wrong.
    pub fn build(
        session: &dyn Session,
        games: &[Record],
        depth: usize,
        min_count: u32,
    ) -> Result<Book, TextError> {
        let game = session.spec();
        let mut replaying = catalog::open(&game)?.session();
        let mut counted = Counted::default();
        for (number, record) in (1..).zip(games) {
            let named =
                |e: TextError| TextError::new(e.text(), format!("game {number}: {}", e.why()));
            counted.add(&mut *replaying, record, depth).map_err(named)?;
        }
        let min_count = min_count.max(1);
        Ok(Book { game, min_count, positions: counted.at_least(min_count) })
    }

    /// The spec whose positions and moves it holds; no other game can use it.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.game
    }

    /// How many games must have come to a position for it to be here.
    #[must_use]
    pub fn min_count(&self) -> u32 {
        self.min_count
    }

    /// How many positions it knows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether it knows none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// What was played in this position, the usual moves first; nothing if it is not in the book.
    #[must_use]
    pub fn moves(&self, session: &dyn Session) -> &[BookMove] {
        match self.positions.get(&place(session)) {
            Some(moves) if session.spec() == self.game => moves,
            _ => &[],
        }
    }

    /// Draws one of the moves played in this position, each as likely as it was usual; `None` if it is not in
    /// the book. Moves that the game so far forbids, as by repetition, are not drawn.
    pub fn choose(&self, session: &dyn Session, rng: &mut Rng) -> Option<String> {
        let known = self.moves(session);
        if known.is_empty() {
            return None;
        }
        let legal = session.moves();
        let moves: Vec<&BookMove> = known.iter().filter(|m| legal.contains(&m.text)).collect();
        let all: usize = moves.iter().map(|m| m.times as usize).sum();
        if all == 0 {
            return None;
        }
        let mut drawn = rng.below(all);
        for m in moves {
            match drawn.checked_sub(m.times as usize) {
                Some(left) => drawn = left,
                None => return Some(m.text.clone()),
            }
        }
        None
    }
}

/// What has been collected so far: moves by position and text.
#[derive(Debug, Default)]
struct Counted {
    positions: BTreeMap<String, BTreeMap<String, BookMove>>,
}

impl Counted {
    fn add(
        &mut self,
        session: &mut dyn Session,
        record: &Record,
        depth: usize,
    ) -> Result<(), TextError> {
        session.replay(&Record { start: record.start.clone(), ..Record::default() })?;
        let mut seen = BTreeSet::new();
        for ply in record.line.plies.iter().take(depth) {
            // A record may go on where the rules end the game, as after a position has come up five times.
            if session.outcome().is_some() {
                break;
            }
            let position = place(session);
            let text = session.play(&ply.text)?;
            if seen.insert(position.clone()) {
                let moves = self.positions.entry(position).or_default();
                moves.entry(text).or_default().count(record.result);
            }
        }
        Ok(())
    }

    fn at_least(self, min_count: u32) -> BTreeMap<String, Vec<BookMove>> {
        let of_position = |(position, moves): (String, BTreeMap<String, BookMove>)| {
            let named = moves.into_iter().map(|(text, counts)| BookMove { text, ..counts });
            let mut moves: Vec<BookMove> = named.collect();
            usual_first(&mut moves);
            (position, moves)
        };
        let all = self.positions.into_iter().map(of_position);
        all.filter(|(_, moves)| times(moves) >= u64::from(min_count)).collect()
    }
}

impl BookMove {
    fn count(&mut self, result: Option<Verdict>) {
        self.times += 1;
        match result {
            Some(Verdict::First) => self.first += 1,
            Some(Verdict::Draw) => self.draws += 1,
            Some(Verdict::Second) => self.second += 1,
            None => {}
        }
    }
}

/// How many games came to the position of these moves.
fn times(moves: &[BookMove]) -> u64 {
    moves.iter().map(|m| u64::from(m.times)).sum()
}

fn usual_first(moves: &mut [BookMove]) {
    moves.sort_by(|a, b| b.times.cmp(&a.times).then_with(|| a.text.cmp(&b.text)));
}

/// The name of the current position in a book: the same whichever way the game has come to it.
fn place(session: &dyn Session) -> String {
    without_counts(&session.repeatable_position())
}

/// The text of a position without what counts moves, as in draughts the fields `H`, `E` and `+` for moves without
/// progress. What is left reads as a position too.
fn without_counts(position: &str) -> String {
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let mut words: Vec<&str> = position.split_whitespace().collect();
    while words.len() > 1 && words.last().is_some_and(|word| is_number(word)) {
        words.pop();
    }
    let is_count = |field: &str| {
        let counted = field.strip_prefix(['H', 'E']).is_some_and(|n| !n.is_empty() && is_number(n));
        counted || field.starts_with('+')
    };
    let text = words.join(" ");
    let fields: Vec<&str> = text.split(':').filter(|field| !is_count(field)).collect();
    fields.join(":")
}
