//! [`Tablebase`]: a solved game as a file, and how positions are looked up in it. `docs/tables.md` describes every byte.
//!
//! ```text
//! "ZERMELO-TABLE" version game position first-key key-bytes worths { margin distance } tiers { entries } { keys numbers } checksum
//! ```

use certificate::crc32;
use game::{Notation, mix};

use super::Worth;
use super::build::{Solid, name_of};

/// How every table begins.
const MAGIC: &[u8] = b"ZERMELO-TABLE";

/// The version of the format that is read and written.
const VERSION: u8 = 1;

/// A position of another game is taken for one of the table with a chance of 1 to 2 to this power.
const CAUTION: u32 = 20;

const CHECKSUM: usize = 4;

/// Why a file is not used. Prints as one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TablebaseError {
    /// It is a file of another kind.
    #[error("this is not a table of zermelo")]
    Foreign,
    /// It was written by another version.
    #[error("this is a table of version {0}, and this program reads version {VERSION}")]
    OtherVersion(u8),
    /// It was cut off or changed.
    #[error("this table is damaged: {0}")]
    Damaged(&'static str),
    /// It is about something else.
    #[error("this is a table of {0}, not of {1}")]
    OtherGame(String, String),
    /// Positions had other names when it was written.
    #[error(
        "this table was made by a program that names positions in another way: solve the game again"
    )]
    OtherKeys,
}

/// A table, checked as far as bytes go.
#[derive(Clone)]
pub struct Tablebase {
    bytes: Vec<u8>,
    game: String,
    position: String,
    first_key: u64,
    key_bytes: usize,
    worths: Vec<Worth>,
    tiers: Vec<Section>,
}

/// Where a tier is in the file.
#[derive(Clone, Copy, Debug)]
struct Section {
    entries: usize,
    keys: usize,
    numbers: usize,
}

impl std::fmt::Debug for Tablebase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Tablebase { game, position, .. } = self;
        f.debug_struct("Tablebase")
            .field("game", game)
            .field("position", position)
            .finish_non_exhaustive()
    }
}

/// How the table of a game is called among other files, where it begins with this position; empty is the start.
#[must_use]
pub fn file_name(game: &str, position: &str) -> String {
    /// Longer ones are too long for some systems.
    const LONGEST: usize = 100;
    let gist = |text: &str| text.bytes().fold(0, |gist, byte| mix(gist ^ u64::from(byte)));
    let tame = |c: char| if c.is_ascii_alphanumeric() || ",=+-".contains(c) { c } else { '_' };
    let mut name: String = game.chars().map(tame).take(LONGEST).collect();
    if game.len() > LONGEST {
        name.push_str(&format!("-{:016x}", gist(game)));
    }
    if !position.is_empty() {
        name.push_str(&format!("@{:016x}", gist(position)));
    }
    name + ".table"
}

impl Solid {
    /// The table as a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut worths: Vec<Worth> = self.tiers.iter().flatten().map(|&(_, worth)| worth).collect();
        worths.sort_unstable();
        worths.dedup();
        let key_bytes = self.key_bytes();
        let mut out = [MAGIC, &[VERSION]].concat();
        for text in [&self.game, &self.position] {
            out.extend((text.len() as u32).to_le_bytes());
            out.extend(text.as_bytes());
        }
        out.extend(self.first_key.to_le_bytes());
        out.push(key_bytes as u8);
        out.extend((worths.len() as u32).to_le_bytes());
        for Worth { margin, distance } in &worths {
            out.extend(margin.to_le_bytes());
            out.extend(distance.to_le_bytes());
        }
        out.extend((self.tiers.len() as u32).to_le_bytes());
        for tier in &self.tiers {
            out.extend((tier.len() as u64).to_le_bytes());
        }
        let number_bytes = bytes_of_numbers(worths.len());
        for tier in &self.tiers {
            for (key, _) in tier {
                out.extend(&key.to_be_bytes()[..key_bytes]);
            }
            for (_, worth) in tier {
                let number = worths.binary_search(worth).unwrap_or_default() as u32;
                out.extend(&number.to_le_bytes()[..number_bytes]);
            }
        }
        out.extend(crc32(&out).to_le_bytes());
        out
    }

    /// How many bytes of a key are kept: enough to tell all positions of the table apart, and nearly all others from them.
    fn key_bytes(&self) -> usize {
        let mut keys: Vec<u64> = self.tiers.iter().flatten().map(|&(key, _)| key).collect();
        keys.sort_unstable();
        let alike = |pair: &[u64]| (pair[0] ^ pair[1]).leading_zeros();
        let needed = keys.windows(2).map(alike).max().unwrap_or(0) + 1;
        let cautious = keys.len().ilog2() + 1 + CAUTION;
        (needed.max(cautious).div_ceil(8) as usize).min(8)
    }
}

/// How many bytes it takes to number so many things.
fn bytes_of_numbers(things: usize) -> usize {
    match things {
        0..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        _ => 4,
    }
}

impl Tablebase {
    /// Reads a table.
    ///
    /// # Errors
    /// If it is not a whole one of this version.
    pub fn read(bytes: Vec<u8>) -> Result<Tablebase, TablebaseError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(TablebaseError::Foreign)?;
        match rest.first() {
            Some(&VERSION) => {}
            Some(&other) => return Err(TablebaseError::OtherVersion(other)),
            None => return Err(TablebaseError::Damaged("it is cut off")),
        }
        let end = bytes.len().saturating_sub(CHECKSUM);
        let (told, checksum) = bytes.split_at(end);
        if crc32(told).to_le_bytes() != checksum {
            return Err(TablebaseError::Damaged("its checksum is wrong"));
        }
        let mut header = Cursor { bytes: told, at: MAGIC.len() + 1 };
        let (game, position) = (header.text()?, header.text()?);
        let first_key = u64::from_le_bytes(header.array()?);
        let [key_bytes] = header.array()?;
        if !(1..=8).contains(&key_bytes) {
            return Err(TablebaseError::Damaged("its keys have no such size"));
        }
        let count = header.count(size_of::<Worth>())?;
        let worths: Vec<Worth> = (0..count).map(|_| header.worth()).collect::<Result<_, _>>()?;
        let count = header.count(size_of::<u64>())?;
        let entries: Vec<u64> =
            (0..count).map(|_| header.array().map(u64::from_le_bytes)).collect::<Result<_, _>>()?;
        let (key_bytes, number_bytes) = (usize::from(key_bytes), bytes_of_numbers(worths.len()));
        let mut tiers = Vec::with_capacity(entries.len());
        for entries in entries {
            let too_many = TablebaseError::Damaged("it is cut off");
            let entries = usize::try_from(entries).map_err(|_| too_many.clone())?;
            let mut skip = |each: usize| {
                let length = entries.checked_mul(each).ok_or_else(|| too_many.clone())?;
                let from = header.at;
                header.take(length).map(|_| from)
            };
            tiers.push(Section { entries, keys: skip(key_bytes)?, numbers: skip(number_bytes)? });
        }
        if header.at < end {
            return Err(TablebaseError::Damaged("something follows its end"));
        }
        let table = Tablebase { bytes, game, position, first_key, key_bytes, worths, tiers };
        table.check()?;
        Ok(table)
    }

    /// Looks at every entry, so that looking something up cannot fail.
    fn check(&self) -> Result<(), TablebaseError> {
        for tier in &self.tiers {
            let key = |index| self.key(tier, index);
            if !(1..tier.entries).all(|index| key(index - 1) < key(index)) {
                return Err(TablebaseError::Damaged("its keys are not in order"));
            }
            if (0..tier.entries).any(|index| self.worth(tier, index).is_none()) {
                return Err(TablebaseError::Damaged("an entry has no worth"));
            }
        }
        match self.find(self.first_key) {
            Some(_) => Ok(()),
            None => Err(TablebaseError::Damaged("its first position is missing")),
        }
    }

    /// The game, as its rules write it.
    #[must_use]
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The position everything begins with; empty for the start of the game.
    #[must_use]
    pub fn position(&self) -> &str {
        &self.position
    }

    /// How many positions it holds.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.tiers.iter().map(|tier| tier.entries as u64).sum()
    }

    /// What the position is worth that everything begins with.
    #[must_use]
    pub fn first_worth(&self) -> Option<Worth> {
        self.find(self.first_key)
    }

    /// Makes sure that it is of this game, and that positions are called in it as they are called now.
    ///
    /// # Errors
    /// Says what it is instead.
    pub fn must_be_of<G: Notation>(&self, game: &G) -> Result<(), TablebaseError> {
        let spec = game.spec();
        if spec != self.game {
            return Err(TablebaseError::OtherGame(self.game.clone(), spec));
        }
        let first = match self.position.as_str() {
            "" => game.start(),
            text => game
                .read_position(text)
                .map_err(|_| TablebaseError::Damaged("its first position makes no sense"))?,
        };
        let same = name_of(game, &first).0 == self.first_key;
        same.then_some(()).ok_or(TablebaseError::OtherKeys)
    }

    /// What a position of its game is worth, if it can come up from the first one.
    pub fn look_up<G: Notation>(&self, game: &G, p: &G::Position) -> Option<Worth> {
        self.find(mix(game.table_key(p).0))
    }

    fn find(&self, key: u64) -> Option<Worth> {
        let key = key.to_be_bytes();
        let key = &key[..self.key_bytes];
        self.tiers.iter().find_map(|tier| {
            let (mut low, mut high) = (0, tier.entries);
            while low < high {
                let middle = low + (high - low) / 2;
                match self.key(tier, middle).cmp(key) {
                    std::cmp::Ordering::Less => low = middle + 1,
                    std::cmp::Ordering::Greater => high = middle,
                    std::cmp::Ordering::Equal => return self.worth(tier, middle),
                }
            }
            None
        })
    }

    fn key(&self, tier: &Section, index: usize) -> &[u8] {
        let from = tier.keys + index * self.key_bytes;
        &self.bytes[from..from + self.key_bytes]
    }

    fn worth(&self, tier: &Section, index: usize) -> Option<Worth> {
        let each = bytes_of_numbers(self.worths.len());
        let from = tier.numbers + index * each;
        let low_first = self.bytes[from..from + each].iter().rev();
        let number = low_first.fold(0, |number, &byte| number << 8 | usize::from(byte));
        self.worths.get(number).copied()
    }
}

/// Bytes of a header and how far they have been read.
struct Cursor<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Cursor<'b> {
    fn take(&mut self, length: usize) -> Result<&'b [u8], TablebaseError> {
        let end = self.at.checked_add(length);
        let taken = end.and_then(|end| self.bytes.get(self.at..end));
        let taken = taken.ok_or(TablebaseError::Damaged("it is cut off"))?;
        self.at += length;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], TablebaseError> {
        let taken = self.take(N)?;
        taken.try_into().map_err(|_| TablebaseError::Damaged("it is cut off"))
    }

    /// How many things of this size follow, at least.
    fn count(&mut self, size: usize) -> Result<usize, TablebaseError> {
        let count = u32::from_le_bytes(self.array()?) as usize;
        let left = self.bytes.len() - self.at;
        let fits = count.checked_mul(size).is_some_and(|bytes| bytes <= left);
        fits.then_some(count).ok_or(TablebaseError::Damaged("it is cut off"))
    }

    fn text(&mut self) -> Result<String, TablebaseError> {
        let length = self.count(1)?;
        let text = std::str::from_utf8(self.take(length)?);
        text.map(str::to_owned).map_err(|_| TablebaseError::Damaged("a text is not UTF-8"))
    }

    fn worth(&mut self) -> Result<Worth, TablebaseError> {
        let margin = i16::from_le_bytes(self.array()?);
        Ok(Worth { margin, distance: u16::from_le_bytes(self.array()?) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_tame_and_different() {
        assert_eq!(file_name("mnk:3x3,k=3", ""), "mnk_3x3,k=3.table");
        let names = [
            file_name("mnk:3x3,k=3", "x"),
            file_name("mnk:3x3,k=3", "y"),
            file_name(&format!("mnk:9x9,k=3,holes={}", "a1+".repeat(40)), ""),
            file_name(&format!("mnk:9x9,k=3,holes={}", "a2+".repeat(40)), ""),
            file_name("../../etc/passwd", ""),
        ];
        for (i, name) in names.iter().enumerate() {
            assert!(name.len() < 160 && !name.contains(['/', '\\', ':']), "{name}");
            assert!(!names[..i].contains(name));
        }
    }
}
