//! [`Judge`]: what an evaluation says of positions, and what each of its weights has to do with that.
//!
//! Evaluations are sums of features times weights, or nearly so; but they add up as they go and never show the features. What a
//! weight is multiplied with is found by changing it: by how much the score changes, divided by how much the weight did. Most weights
//! have nothing to do with most positions, so they are first changed in groups: halves of halves of all of them, each group looked into only
//! if changing it changes the score.

use evaluation::weights::{self, Sheet, Tunable};
use evaluation::{Evaluation, Tactics};
use game::{Game, Rng, Side, TextError};
use games::Playable;

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

/// By what share of its range a weight is changed to either side: enough that what integers round away is little, and too little to reach the
/// ends of the score.
const STEP: f64 = 0.02;
/// The same for weights of a group: each by another share from here to twice that, so that they hardly ever cancel out.
const GROUP_STEP: f64 = 0.009;

/// An evaluation of one game, as compiled for it.
pub(crate) struct CompiledJudge<G: Playable> {
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

impl<G: Playable> CompiledJudge<G> {
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
            let ends = [STEP, -STEP].map(|share| self.moved(place, share));
            let changed = ends.map(|end| self.with(&[(place, end)]));
            Kind::Single { place: place as u32, changed, apart: (ends[0] - ends[1]) as f32 }
        } else {
            let changes: Vec<(usize, i32)> = places
                .iter()
                .map(|&place| {
                    let share = GROUP_STEP * (1.0 + rng.below(1_000) as f64 / 1_000.0);
                    let share = if rng.below(2) == 0 { share } else { -share };
                    (place, self.moved(place, share))
                })
                .collect();
            let (left, right) = places.split_at(places.len() / 2);
            let halves = [self.group(left, rng), self.group(right, rng)];
            Kind::Several { changed: self.with(&changes), halves }
        };
        self.groups.push(Group { kind });
        self.groups.len() - 1
    }

    /// What a weight is after a change by a share of its range.
    fn moved(&self, place: usize, share: f64) -> i32 {
        let entry = &self.sheet.entries[place];
        let [least, most] = entry.range;
        let step = (share * f64::from(most - least)) as i32;
        (entry.value + step).clamp(least, most)
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
        from: &Arrival<'_, G>,
        score: i32,
        sign: f32,
        terms: &mut Vec<(u32, f32)>,
    ) {
        let game = &self.game;
        match &mut self.groups[at].kind {
            Kind::Several { changed, halves } => {
                let halves = *halves;
                if from.score(game, changed) != score {
                    halves.iter().for_each(|&half| self.look_into(half, from, score, sign, terms));
                }
            }
            Kind::Single { place, changed: [more, less], apart } => {
                let change = from.score(game, more) - from.score(game, less);
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
        !noisy.iter().any(|&m| evaluation.see_at_least(game, p, m, 1))
    }
}

/// A position, and how a search came there. Some evaluations see positions as the player does who is on the move where a search begins; so
/// half of the positions are judged as where one begins, and half as where it is a move later.
struct Arrival<'a, G: Game> {
    before: Option<(&'a G::Position, G::Move)>,
    position: &'a G::Position,
}

impl<G: Game> Arrival<'_, G> {
    fn score(&self, game: &G, evaluation: &mut impl Evaluation<G>) -> i32 {
        match self.before {
            Some((before, m)) => {
                evaluation.begin(game, before);
                evaluation.pushed(game, self.position, m);
            }
            None => evaluation.begin(game, self.position),
        }
        evaluation.evaluate(game, self.position)
    }
}

impl<G: Playable> Judge for CompiledJudge<G> {
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
            let before = p.clone();
            self.game.make(&mut p, m);
            if ply < after || self.game.margin(&p).is_some() || !self.is_quiet(&p, &mut noisy) {
                continue;
            }
            // Two plies of each kind, so that either side is met either way.
            let later = ply / 2 % 2 == 1;
            let from = Arrival { before: later.then_some((&before, m)), position: &p };
            let score = from.score(&self.game, &mut self.evaluation);
            let sign = if self.game.to_move(&p) == Side::First { 1 } else { -1 };
            let mut terms = Vec::new();
            if let (Detail::Terms, Some(root)) = (detail, self.groups.len().checked_sub(1)) {
                self.look_into(root, &from, score, sign as f32, &mut terms);
            }
            judged.push(Judged { ply, score: sign * score, terms });
        }
        Ok(judged)
    }
}
