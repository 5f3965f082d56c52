//! [`Judge`]: what an evaluation says of positions, and what each of its weights has to do with that.
//!
//! Evaluations are sums of features times weights, or nearly so; but they add up as they go and never show the features. What a
//! weight is multiplied with is found by changing it: by how much the score changes, divided by how much the weight did. Most weights
//! have nothing to do with most positions, so they are first changed in groups: halves of halves of all of them, each group looked into only
//! if changing it changes the score.

use game::weights::{self, Sheet, Tunable};
use game::{Game, Heuristics, Rng, Side, TextError};
use players::Instance;

/// Judges positions of a game by an evaluation with weights.
pub trait Judge: Send {
    /// The weights it goes by.
    fn sheet(&self) -> &Sheet;

    /// Goes through a game from its start and judges the quiet positions after its first so many plies, where the side to move
    /// is neither threatened nor has a move that the evaluation calls noisy and profitable.
    ///
    /// # Errors
    /// Names the first move that is not legal.
    fn judge(
        &mut self,
        moves: &[&str],
        after: usize,
        detail: Detail,
    ) -> Result<Vec<Judged>, TextError>;
}

/// How much is to be known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// What it is worth.
    Score,
    /// And what each weight is multiplied with.
    Terms,
}

/// A judged position. All numbers are as the first player sees them.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// How many moves led to it.
    pub ply: usize,
    /// What it is worth.
    pub score: i32,
    /// What weights are multiplied with, by their place in the sheet; those that count nothing are left out.
    pub terms: Vec<(u32, f32)>,
}

/// By how much a weight is changed to either side: enough that what integers round away is little, and too little to reach the ends of the score.
const STEP: i32 = 200;
/// By how much weights of a group are changed: each by another number, so that they hardly ever cancel out.
const GROUP_STEPS: std::ops::Range<i32> = 97..191;

/// An evaluation of one game, as compiled for it.
pub(crate) struct CompiledJudge<G: Instance> {
    game: G,
    sheet: Sheet,
    evaluation: G::Heuristics,
    /// Groups of weights as a tree, the root last; empty if there are no weights.
    groups: Vec<Group<G::Heuristics>>,
}

struct Group<H> {
    kind: Kind<H>,
}

enum Kind<H> {
    /// The evaluation with all weights of the group changed, and its halves.
    Several { changed: H, halves: [usize; 2] },
    /// A weight, changed to either side, and how far these are apart.
    Single { place: u32, changed: [H; 2], apart: f32 },
}

impl<G: Instance> CompiledJudge<G> {
    /// With the weights of this text.
    pub(crate) fn new(game: G, family: &str, text: &str) -> Result<CompiledJudge<G>, TextError> {
        let evaluation: G::Heuristics = weights::read(family, text)?;
        let sheet = Sheet::of(family, &evaluation);
        let free: Vec<usize> =
            (0..sheet.entries.len()).filter(|&i| sheet.entries[i].is_free()).collect();
        let mut judge = CompiledJudge { game, sheet, evaluation, groups: Vec::new() };
        if !free.is_empty() {
            judge.group(&free, &mut Rng::new(1));
        }
        Ok(judge)
    }

    /// Adds a group of these weights and says where it is.
    fn group(&mut self, places: &[usize], rng: &mut Rng) -> usize {
        let kind = if let &[place] = places {
            let value = self.sheet.entries[place].value;
            let [least, most] = self.sheet.entries[place].range;
            let ends = [(value + STEP).min(most), (value - STEP).max(least)];
            let changed = ends.map(|end| self.with(&[(place, end)]));
            Kind::Single { place: place as u32, changed, apart: (ends[0] - ends[1]) as f32 }
        } else {
            let changes: Vec<(usize, i32)> = places
                .iter()
                .map(|&place| {
                    let steps = GROUP_STEPS.start + rng.below(GROUP_STEPS.len()) as i32;
                    let steps = if rng.below(2) == 0 { steps } else { -steps };
                    let [least, most] = self.sheet.entries[place].range;
                    (place, (self.sheet.entries[place].value + steps).clamp(least, most))
                })
                .collect();
            let (left, right) = places.split_at(places.len() / 2);
            let halves = [self.group(left, rng), self.group(right, rng)];
            Kind::Several { changed: self.with(&changes), halves }
        };
        self.groups.push(Group { kind });
        self.groups.len() - 1
    }

    /// The evaluation with other values in these places.
    fn with(&self, changes: &[(usize, i32)]) -> G::Heuristics {
        let mut values = self.sheet.values();
        changes.iter().for_each(|&(place, value)| values[place] = value);
        let (mut evaluation, mut next) = (self.evaluation.clone(), values.into_iter());
        evaluation.each_weight(&mut |_, weight| *weight = next.next().unwrap_or(*weight));
        evaluation
    }

    /// Adds what the weights of a group are multiplied with, seen by the side to move.
    fn look_into(
        &mut self,
        at: usize,
        p: &G::Position,
        score: i32,
        sign: f32,
        terms: &mut Vec<(u32, f32)>,
    ) {
        let game = &self.game;
        match &mut self.groups[at].kind {
            Kind::Several { changed, halves } => {
                let halves = *halves;
                if score_of(game, changed, p) != score {
                    halves.iter().for_each(|&half| self.look_into(half, p, score, sign, terms));
                }
            }
            Kind::Single { place, changed: [more, less], apart } => {
                let change = score_of(game, more, p) - score_of(game, less, p);
                if change != 0 {
                    terms.push((*place, sign * change as f32 / *apart));
                }
            }
        }
    }

    fn is_quiet(&mut self, p: &G::Position, noisy: &mut Vec<G::Move>) -> bool {
        let (game, evaluation) = (&self.game, &mut self.evaluation);
        noisy.clear();
        evaluation.begin(game, p);
        if evaluation.must_answer(game, p) {
            return false;
        }
        evaluation.noisy_moves(game, p, noisy);
        !noisy.iter().any(|&m| evaluation.pays(game, p, m, 1))
    }
}

fn score_of<G: Game>(game: &G, evaluation: &mut impl Heuristics<G>, p: &G::Position) -> i32 {
    evaluation.begin(game, p);
    evaluation.evaluate(game, p)
}

impl<G: Instance> Judge for CompiledJudge<G> {
    fn sheet(&self) -> &Sheet {
        &self.sheet
    }

    fn judge(
        &mut self,
        moves: &[&str],
        after: usize,
        detail: Detail,
    ) -> Result<Vec<Judged>, TextError> {
        let (mut judged, mut noisy) = (Vec::new(), Vec::new());
        let mut p = self.game.start();
        for (ply, text) in (1..).zip(moves) {
            let m = self.game.read_move(&p, text)?;
            self.game.make(&mut p, m);
            if ply < after || self.game.margin(&p).is_some() || !self.is_quiet(&p, &mut noisy) {
                continue;
            }
            let score = score_of(&self.game, &mut self.evaluation, &p);
            let sign = if self.game.to_move(&p) == Side::First { 1 } else { -1 };
            let mut terms = Vec::new();
            if let (Detail::Terms, Some(root)) = (detail, self.groups.len().checked_sub(1)) {
                self.look_into(root, &p, score, sign as f32, &mut terms);
            }
            judged.push(Judged { ply, score: sign * score, terms });
        }
        Ok(judged)
    }
}
