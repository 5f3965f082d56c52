//! [`Population`]: a generation, and its file.
//!
//! ```text
//! zermelo population 1
//! game draughts:english
//! evaluation features
//! population 48
//! …                       the settings, one a line
//! generation 12
//! games 27072             played so far
//! seconds 14.2            spent so far
//! weights own.men own.kings …
//! champion -27848 0 …     none in the first generation
//! member 120 -3000 …      as many as the population
//! end 0123456789abcdef    of all before it: a file that was cut or changed is noticed
//! ```

use std::fmt::Write;

use compiled::duels::Terms;
use game::{Expected, quote};

use super::settings::{BreedingSettings, Crossover, Mutation, OperatorWord, Selection};

const FIRST_LINE: &str = "zermelo population 1";

/// A generation that has not played yet, and how it came about.
#[derive(Clone, Debug, PartialEq)]
pub struct Population {
    /// How it breeds.
    pub settings: BreedingSettings,
    /// How many generations came before it.
    pub generation: u64,
    /// How many games these played.
    pub games: u64,
    /// How long that took.
    pub seconds: f64,
    /// What the weights are called.
    pub names: Vec<String>,
    /// Who won the final of the last generation, if there was one.
    pub champion: Option<Vec<i32>>,
    /// The weights of each member.
    pub members: Vec<Vec<i32>>,
}

impl Population {
    /// The file, which ends with a sum of everything before it.
    #[must_use]
    pub fn text(&self) -> String {
        let s = &self.settings;
        let mut text = format!("{FIRST_LINE}\ngame {}\nevaluation {}\n", s.game, s.evaluation);
        let numbers = [
            ("population", s.population as u64),
            ("duels", s.duels as u64),
            ("depth", s.terms.depth.into()),
            ("opening", s.terms.opening.into()),
            ("longest", s.terms.longest.into()),
            ("noise", s.noise.into()),
            ("mutation", s.mutation.into()),
            ("seed", s.seed),
        ];
        for (key, number) in numbers {
            text += &format!("{key} {number}\n");
        }
        text += &format!("selection {}\n", s.selection.word());
        text += &format!("crossover {}\nchange {}\n", s.crossover.word(), s.change.word());
        text += &line("off", &s.off);
        text += &format!("generation {}\ngames {}\n", self.generation, self.games);
        text += &format!("seconds {:.3}\n", self.seconds);
        text += &line("weights", &self.names);
        if let Some(champion) = &self.champion {
            text += &line("champion", champion);
        }
        for member in &self.members {
            text += &line("member", member);
        }
        let sum = checksum(&text);
        text + &format!("end {sum:016x}\n")
    }

    /// The generation of a text.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn read(text: &str) -> Result<Population, Expected> {
        let first = text.lines().next().unwrap_or_default();
        if first != FIRST_LINE {
            return Err(match first.starts_with("zermelo population ") {
                true => {
                    format!("{first:?} is another version of the format; only 1 is known").into()
                }
                false => "not a population, which begins with \"zermelo population 1\"".into(),
            });
        }
        let (body, end) = text
            .trim_end_matches('\n')
            .rsplit_once('\n')
            .filter(|(_, end)| end.starts_with("end "))
            .ok_or("it is damaged: its last line is missing")?;
        let body = format!("{body}\n");
        if end != format!("end {:016x}", checksum(&body)) || !text.ends_with('\n') {
            return Err("it is damaged: its sum is not what its last line says".into());
        }
        let population = read_body(&body)?;
        population.settings.check()?;
        let whole = population.members.len() == population.settings.population
            && population.genotypes().all(|weights| weights.len() == population.names.len());
        if whole { Ok(population) } else { Err("members or weights are missing".into()) }
    }

    /// Gives every member the weights of these names that it lacks, each 0; does nothing if it has others.
    pub(super) fn add_weights(&mut self, names: &[String]) {
        if !self.names.iter().all(|name| names.contains(name)) {
            return;
        }
        let places: Vec<Option<usize>> =
            names.iter().map(|name| self.names.iter().position(|known| known == name)).collect();
        for genotype in self.members.iter_mut().chain(&mut self.champion) {
            *genotype = places.iter().map(|place| place.map_or(0, |i| genotype[i])).collect();
        }
        self.names = names.to_vec();
    }

    /// All weights: the members', then the champion's.
    fn genotypes(&self) -> impl Iterator<Item = &Vec<i32>> {
        self.members.iter().chain(&self.champion)
    }
}

fn read_body(body: &str) -> Result<Population, Expected> {
    let mut reader = Reader { lines: body.lines().skip(1).collect(), at: 0 };
    let settings = BreedingSettings {
        game: reader.expect("game")?.to_owned(),
        evaluation: reader.expect("evaluation")?.to_owned(),
        population: reader.number("population")?,
        duels: reader.number("duels")?,
        terms: Terms {
            depth: reader.number("depth")?,
            nodes: None,
            opening: reader.number("opening")?,
            longest: reader.number("longest")?,
        },
        noise: reader.number("noise")?,
        mutation: reader.number("mutation")?,
        seed: reader.number("seed")?,
        selection: Selection::read(reader.expect("selection")?)?,
        crossover: Crossover::read(reader.expect("crossover")?)?,
        change: Mutation::read(reader.expect("change")?)?,
        off: reader.list("off")?,
    };
    let (generation, games) = (reader.number("generation")?, reader.number("games")?);
    let (seconds, names) = (reader.number("seconds")?, reader.list("weights")?);
    let champion = reader.has("champion").then(|| reader.list("champion")).transpose()?;
    let mut members = Vec::new();
    while reader.has("member") {
        members.push(reader.list("member")?);
    }
    match reader.lines.get(reader.at) {
        Some(line) => {
            Err(format!("line {}: {} was not expected", reader.at + 2, quote(line)).into())
        }
        None => Ok(Population { settings, generation, games, seconds, names, champion, members }),
    }
}

struct Reader<'a> {
    lines: Vec<&'a str>,
    at: usize,
}

impl<'a> Reader<'a> {
    fn has(&self, key: &str) -> bool {
        self.lines.get(self.at).is_some_and(|line| key_of(line) == key)
    }

    /// What stands after a key.
    fn expect(&mut self, key: &str) -> Result<&'a str, Expected> {
        let line = self.lines.get(self.at).copied().unwrap_or_default();
        if key_of(line) != key {
            let (at, line) = (self.at + 2, quote(line));
            return Err(format!("line {at}: {key} would be right here, not {line}").into());
        }
        self.at += 1;
        Ok(line[key.len()..].trim())
    }

    fn number<T: std::str::FromStr>(&mut self, key: &str) -> Result<T, Expected> {
        let value = self.expect(key)?;
        let wrong = || format!("line {}: {} is no number for {key}", self.at + 1, quote(value));
        value.parse().map_err(|_| wrong().into())
    }

    fn list<T: std::str::FromStr>(&mut self, key: &str) -> Result<Vec<T>, Expected> {
        let words = self.expect(key)?.split_whitespace();
        let wrong =
            |word: &str| format!("line {}: {} is wrong for {key}", self.at + 1, quote(word));
        words.map(|word| word.parse().map_err(|_| wrong(word).into())).collect()
    }
}

fn key_of(line: &str) -> &str {
    line.split(' ').next().unwrap_or_default()
}

fn line(key: &str, words: &[impl std::fmt::Display]) -> String {
    let mut line = key.to_owned();
    for word in words {
        // Writing to a string does not fail.
        let _ = write!(line, " {word}");
    }
    line + "\n"
}

/// FNV-1a: cheap, and any changed byte changes it.
fn checksum(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
