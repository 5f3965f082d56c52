//! [`BreedingSettings`]: how a session breeds.

use compiled::duels::Terms;
use game::Expected;

/// Who becomes a parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// The better half, as in the thesis.
    Half,
    /// The better of two drawn ones, again and again.
    Tournament,
}

/// What two parents make of their weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Crossover {
    /// Both are cut at one random place, as in the thesis.
    OnePoint,
    /// Every weight comes from one or the other.
    Uniform,
}

/// How a weight of a child changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mutation {
    /// It is drawn anew from the whole range, as in the thesis.
    Redraw,
    /// It moves a little, by a normal distribution whose deviation is an eighth of the range.
    Gaussian,
}

/// Everything that decides what a session does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreedingSettings {
    /// The spec that members play.
    pub game: String,
    /// The evaluation whose weights are bred.
    pub evaluation: String,
    /// How many members there are, divisible by 4.
    pub population: usize,
    /// How many others each member meets in a generation; 0 for all.
    pub duels: usize,
    /// A random number up to this is added to the number of wins.
    pub noise: u32,
    /// The chance that a weight of a child changes, in per cent.
    pub mutation: u32,
    /// Who becomes a parent.
    pub selection: Selection,
    /// What parents make of their weights.
    pub crossover: Crossover,
    /// How weights change.
    pub change: Mutation,
    /// How games are played.
    pub terms: Terms,
    /// What chance decides.
    pub seed: u64,
    /// Weights that are 0 and stay so.
    pub off: Vec<String>,
}

/// A word of the file and of the command line for each choice.
pub trait OperatorWord: Sized + Copy + PartialEq + 'static {
    /// All of them; the usual one first.
    const WORDS: &'static [(&'static str, Self)];

    /// The choice of that word.
    ///
    /// # Errors
    /// Says what would be right.
    fn read(text: &str) -> Result<Self, Expected> {
        let found = Self::WORDS.iter().find(|(word, _)| *word == text);
        found.map(|&(_, choice)| choice).ok_or_else(|| {
            let words: Vec<&str> = Self::WORDS.iter().map(|&(word, _)| word).collect();
            format!("{} would be right", words.join(" or ")).into()
        })
    }

    /// As flags and files write it.
    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, choice)| *choice == self).map_or("", |&(word, _)| word)
    }
}

impl OperatorWord for Selection {
    const WORDS: &'static [(&'static str, Selection)] =
        &[("half", Selection::Half), ("tournament", Selection::Tournament)];
}

impl OperatorWord for Crossover {
    const WORDS: &'static [(&'static str, Crossover)] =
        &[("one-point", Crossover::OnePoint), ("uniform", Crossover::Uniform)];
}

impl OperatorWord for Mutation {
    const WORDS: &'static [(&'static str, Mutation)] =
        &[("redraw", Mutation::Redraw), ("gaussian", Mutation::Gaussian)];
}

impl BreedingSettings {
    /// Checks what the types allow and a session does not.
    ///
    /// # Errors
    /// Says what would be right.
    pub fn check(&self) -> Result<(), Expected> {
        let population = self.population;
        if population < 4 || !population.is_multiple_of(4) {
            return Err(format!(
                "a population of {population} cannot be bred; one that 4 divides would be right"
            )
            .into());
        }
        if self.duels >= population {
            let (duels, most) = (self.duels, population - 1);
            return Err(format!(
                "{duels} duels a member are too many for a population of {population}; 0 to {most} would be right"
            )
            .into());
        }
        Ok(())
    }
}
