//! Whole games as PDN 3.0.

use game::{Game, TextError};
use play::record::portable::{self, Portable};
use play::record::{GameFile, Games, Record};

use super::parameters::Parameters;
use super::position::{Colour, Position};
use super::rules::Draughts;
use super::switches::Rules;
use super::variant::Variant;
use super::written::Written;

impl<R: Rules> GameFile for Draughts<R> {
    const EXTENSION: &'static str = "pdn";
    const DATE_SIGN: char = '.';

    fn colours(&self) -> [&'static str; 2] {
        match self.start().colour {
            Colour::White => ["White", "Black"],
            Colour::Black => ["Black", "White"],
        }
    }

    fn read_games(&self, text: &str) -> Games {
        portable::read(self, text)
    }

    fn write_game(&self, record: &Record) -> Result<String, TextError> {
        portable::write(self, record)
    }
}

const GAME_TYPE: &str = "GameType";
/// Names the rules where no number does.
const VARIANT: &str = "Variant";

impl<R: Rules> Portable for Draughts<R> {
    type Moves = Written;

    /// PDN scores international draughts by two points a game.
    fn results(&self) -> [&'static str; 3] {
        match self.parameters().variant() {
            Variant::International => ["2-0", "1-1", "0-2"],
            _ => ["1-0", "1/2-1/2", "0-1"],
        }
    }

    fn own_tags(&self) -> Vec<(&'static str, String)> {
        let variant = self.parameters().variant();
        match variant.game_type() {
            Some(game_type) if self.parameters() == Parameters::from(variant) => {
                vec![(GAME_TYPE, game_type.to_owned())]
            }
            _ => vec![(VARIANT, self.parameters().to_string())],
        }
    }

    fn contradicts(&self, name: &str, value: &str) -> Option<String> {
        let number = |text: &str| text.split(',').next().map(|number| number.trim().to_owned());
        let another = match (name, self.parameters().variant().game_type()) {
            (GAME_TYPE, Some(own)) => number(value) != number(own),
            (VARIANT, _) => {
                value.starts_with("draughts:") && value != self.parameters().to_string()
            }
            _ => false,
        };
        another.then(|| match self.parameters().variant().game_type() {
            Some(own) if name == GAME_TYPE => {
                format!("{} is GameType {own:?}", self.parameters())
            }
            _ => format!("these are the rules of another game than {}", self.parameters()),
        })
    }

    /// PDN positions do not tell, so that numbers begin with the record.
    fn move_number(&self, _: &Position) -> u32 {
        1
    }
}
