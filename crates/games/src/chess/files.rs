//! Whole games as PGN.

use game::{Dialect, TextError};
use play::record::portable::{self, Portable};
use play::record::{GameFile, Games, Record};

use super::position::{Chess, Move, Position};
use super::san::San;

impl GameFile for Chess {
    const EXTENSION: &'static str = "pgn";
    const DATE_SIGN: char = '.';

    fn colours(&self) -> [&'static str; 2] {
        ["White", "Black"]
    }

    fn write_for_people(&self, p: &Position, m: Move) -> String {
        San::write_move(self, p, m)
    }

    fn read_games(&self, text: &str) -> Games {
        portable::read(self, text)
    }

    fn write_game(&self, record: &Record) -> Result<String, TextError> {
        portable::write(self, record)
    }
}

/// The tag that tells Fischer's chess from the usual one, and how files write it.
const VARIANT: &str = "Variant";
const FISCHER: &str = "Chess960";
const FISCHER_NAMES: [&str; 4] = ["chess960", "fischerandom", "fischer random", "freestyle"];
const USUAL_NAMES: [&str; 4] = ["chess", "standard", "normal", "from position"];

impl Portable for Chess {
    type Moves = San;

    fn results(&self) -> [&'static str; 3] {
        ["1-0", "1/2-1/2", "0-1"]
    }

    fn own_tags(&self) -> Vec<(&'static str, String)> {
        match self.parameters().fischer_number() {
            Some(_) => vec![(VARIANT, FISCHER.to_owned())],
            None => Vec::new(),
        }
    }

    fn contradicts(&self, name: &str, value: &str) -> Option<String> {
        if name != VARIANT {
            return None;
        }
        let given = value.to_lowercase();
        let is_fischer = FISCHER_NAMES.contains(&given.as_str());
        match (self.parameters().fischer_number(), is_fischer) {
            (Some(_), true) => None,
            (None, true) => Some("this is Fischer's chess; open it as chess:fischer=N".to_owned()),
            (_, false) if USUAL_NAMES.contains(&given.as_str()) => None,
            _ => Some(format!("another game than chess; {FISCHER} and Standard are known")),
        }
    }

    fn move_number(&self, p: &Position) -> u32 {
        p.number().into()
    }
}
