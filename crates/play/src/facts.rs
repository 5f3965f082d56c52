//! [`Facts`]: what there is to know about a game before any position of it is looked at.

use std::ops::RangeInclusive;

use game::{Family, Look};

use crate::algorithm::Algorithm;
use crate::levels::{Levels, Ratings};
use crate::record::Date;
use crate::scores::Scores;

/// Everything that differs by game and needs no position. Plain data: who wants one of these opens
/// no session.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The game and its parameters, named in full.
    pub spec: String,
    /// Where its parameters and presets are declared.
    pub family: &'static Family,
    /// The largest margin; 1 where a game is just won or lost.
    pub margin_limit: i32,
    /// How many units of margin make a point.
    pub margin_scale: i32,
    /// The tags that name the first and the second player in files of whole games.
    pub colours: [&'static str; 2],
    /// How the names of such files end.
    pub extension: &'static str,
    /// What stands between the numbers of a date in such files.
    pub date_sign: char,
    /// The search that plays this game best.
    pub algorithm: Algorithm,
    /// How the scores of that search are to be read.
    pub scores: Scores,
    /// What the levels mean.
    pub levels: Levels,
    /// Players whose strength was measured.
    pub ratings: Ratings,
    /// The names of its evaluations, the usual one first.
    pub evaluations: Vec<&'static str>,
    /// Something the user should know about these parameters, though they are allowed.
    pub warning: Option<String>,
    /// How many random plies a match begins with: enough for many different games, too few to
    /// decide them.
    pub opening_plies: usize,
    /// Whether what a position is worth may depend on those before it.
    pub looks_back: bool,
    /// Whether stones are placed, so that there are moves next to a stone.
    pub places_stones: bool,
    /// How a board is drawn.
    pub look: Look,
}

impl Facts {
    /// Whether games are won by so much, and not just won, lost or drawn.
    #[must_use]
    pub fn has_margins(&self) -> bool {
        self.margin_limit > 1
    }

    /// The Elo that bots can be asked for, where it was measured.
    #[must_use]
    pub fn elo_range(&self) -> Option<RangeInclusive<u32>> {
        self.ratings.range()
    }

    /// A day as files of whole games write it.
    #[must_use]
    pub fn date_text(&self, date: Date) -> String {
        date.write(self.date_sign)
    }
}
