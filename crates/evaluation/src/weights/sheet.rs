//! [`Sheet`]: the numbers of an evaluation as plain data, for whoever does not know its type.

use super::{Tunable, list, text};
use game::TextError;

/// All numbers of an evaluation of a game, in the order in which it shows them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// The family of the game.
    pub game: String,
    /// The name of the evaluation.
    pub evaluation: String,
    /// Its numbers.
    pub entries: Vec<Entry>,
}

/// A number with its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its name, such as `material.knight.opening`.
    pub name: String,
    /// What it is.
    pub value: i32,
    /// What it may be at least and at most.
    pub range: [i32; 2],
}

impl Sheet {
    /// The size of its largest weight of a feature, whatever the sign.
    #[must_use]
    pub fn largest(&self) -> f64 {
        let features = self.entries.iter().filter(|entry| entry.is_free());
        f64::from(features.map(|entry| entry.value.abs()).max().unwrap_or(0))
    }

    /// What an evaluation shows.
    pub fn of<T: Tunable>(game: &str, evaluation: &T) -> Sheet {
        let entry = |(name, value): (String, i32)| {
            let range = T::range(&name);
            Entry { name, value, range: [*range.start(), *range.end()] }
        };
        Sheet {
            game: game.to_owned(),
            evaluation: evaluation.name().to_owned(),
            entries: list(evaluation).into_iter().map(entry).collect(),
        }
    }

    /// As it stands in a file.
    #[must_use]
    pub fn write(&self) -> String {
        text::write_sheet(self)
    }

    /// The numbers alone.
    #[must_use]
    pub fn values(&self) -> Vec<i32> {
        self.entries.iter().map(|entry| entry.value).collect()
    }

    /// The same names with other numbers, each kept to its range.
    #[must_use]
    pub fn with_values(&self, values: &[i32]) -> Sheet {
        let mut sheet = self.clone();
        for (entry, value) in sheet.entries.iter_mut().zip(values) {
            entry.value = (*value).clamp(entry.range[0], entry.range[1]);
        }
        sheet
    }

    /// Changes a number.
    ///
    /// # Errors
    /// If there is none of that name, or the value is not in its range.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), TextError> {
        let Some(entry) = self.entries.iter_mut().find(|entry| entry.name == name) else {
            let names = self.entries.iter().map(|entry| &*entry.name);
            return Err(TextError::new(name, text::unknown_weight(&self.evaluation, names)));
        };
        let [least, most] = entry.range;
        entry.value = text::in_range(value, least..=most)
            .ok_or_else(|| TextError::new(value, text::right_range(name, &(least..=most))))?;
        Ok(())
    }
}

impl Entry {
    /// Whether it is the weight of a feature, which may count for or against: numbers that are
    /// never negative are shares, phases and the like, in which a score is not linear.
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.range[0] < 0 && self.range[1] > 0
    }
}
