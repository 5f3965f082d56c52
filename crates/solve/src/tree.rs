//! [`Tree`]: what is known near the root, as a graph of places with bounds.
//!
//! Facts are monotone: lower bounds rise, upper bounds fall, nothing is overwritten. A place is a position, or where the rules look
//! back the moves that led there; it is named by text, and nothing here knows the game. While a question is under
//! way, each place also has proof numbers (Allis, van der Meulen and van den Herik 1994) that say where an answer is nearest.
//!
//! **Invariants:** the bounds of a place follow from those of its children and from what was found out about itself; who is `busy` holds
//! no work that could be begun.

use std::collections::HashMap;

use game::{MarginStep, Side};
use search::Numbers;

use crate::question::Bounds;

/// The number of a place in its tree.
pub type Place = u32;

/// The place that everything begins with.
pub const ROOT: Place = 0;

/// Farther than this nothing is.
const FARTHEST: u32 = 1 << 28;

/// What somebody who knows the rules says about a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sight {
    /// Its name.
    pub name: String,
    /// Whose choice it is.
    pub mover: Side,
    /// What can be seen at once: where the game is over both are the same.
    pub bounds: Bounds,
    /// How many moves there are.
    pub moves: usize,
}

/// All that is kept of a place.
#[derive(Clone, Debug)]
pub struct Known {
    /// As it was seen, but for the bounds, which close.
    pub sight: Sight,
    /// How often work at it has come to nothing: each time it gets more.
    pub tries: u32,
    /// Positions visited for its sake.
    pub nodes: u64,
    /// Where its moves lead, if somebody looked.
    pub children: Option<Vec<Place>>,
    parents: Vec<Place>,
    numbers: Numbers,
    leased: bool,
    busy: bool,
    changed: bool,
}

/// What a tree may rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// Children come with the most promising first, so that the first of them that is open is worth more work than the next.
    pub ordered: bool,
    /// Which margins there can be.
    pub step: MarginStep,
}

/// The places known so far.
#[derive(Clone, Debug)]
pub struct Tree {
    places: Vec<Known>,
    by_name: HashMap<String, Place>,
    /// The question under way.
    at_least: i32,
    manner: Manner,
    changed: Vec<Place>,
}

impl Tree {
    /// Knows the root alone.
    #[must_use]
    pub fn new(root: Sight, manner: Manner) -> Tree {
        let mut tree = Tree {
            places: Vec::new(),
            by_name: HashMap::new(),
            at_least: 1,
            manner,
            changed: Vec::new(),
        };
        tree.find_or_add(root);
        tree
    }

    /// A place.
    #[must_use]
    pub fn get(&self, place: Place) -> &Known {
        &self.places[place as usize]
    }

    /// The place of this name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Place> {
        self.by_name.get(name).copied()
    }

    /// How many places there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// There is always a root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// What is known of the root.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        self.get(ROOT).sight.bounds
    }

    /// Begins another question: all numbers are worked out anew.
    pub fn ask(&mut self, at_least: i32) {
        self.at_least = at_least;
        // Children were always added after one of their parents, but not after all: repeat until nothing changes.
        let mut all: Vec<Place> = (0..self.places.len() as Place).collect();
        all.reverse();
        self.update(all);
    }

    /// What it relies on.
    #[must_use]
    pub fn manner(&self) -> Manner {
        self.manner
    }

    /// The question under way.
    #[must_use]
    pub fn asked(&self) -> i32 {
        self.at_least
    }

    /// The place to work at: from the root the move that is nearest to what its mover hopes for, past those where somebody works.
    #[must_use]
    pub fn most_promising(&self) -> Option<Place> {
        let mut place = ROOT;
        loop {
            let known = self.get(place);
            if known.busy || self.answer(place).is_some() {
                return None;
            }
            let Some(children) = &known.children else { return Some(place) };
            let hopes = self.hopes(children, known.sight.mover);
            let free = hopes.filter(|&(child, _)| !self.get(child).busy);
            place = free.min_by_key(|&(_, hope)| hope)?.0;
        }
    }

    /// Somebody works at a place, or no longer does.
    pub fn set_leased(&mut self, place: Place, leased: bool) {
        self.places[place as usize].leased = leased;
        self.update(vec![place]);
    }

    /// Whether an answer at this place could still change anything: there is a way up to the root on which nothing is answered.
    #[must_use]
    pub fn matters(&self, place: Place) -> bool {
        let (mut seen, mut next) = (vec![place], 0);
        while let Some(&here) = seen.get(next) {
            next += 1;
            if self.answer(here).is_some() {
                continue;
            }
            if here == ROOT {
                return true;
            }
            for &parent in &self.get(here).parents {
                if !seen.contains(&parent) {
                    seen.push(parent);
                }
            }
        }
        false
    }

    /// Work at a place has ended: what it found out, if anything.
    pub fn learn(&mut self, place: Place, at_least: i32, holds: Option<bool>, nodes: u64) {
        let known = &mut self.places[place as usize];
        known.nodes += nodes;
        match holds {
            Some(holds) => known.sight.bounds = known.sight.bounds.with(at_least, holds),
            None => known.tries += 1,
        }
        self.touch(place);
        self.update(vec![place]);
    }

    /// Says where the moves of a place lead.
    pub fn expand(&mut self, place: Place, children: Vec<Sight>) {
        if self.get(place).children.is_some() {
            return;
        }
        let mut numbers: Vec<Place> = Vec::with_capacity(children.len());
        for child in children {
            let bounds = child.bounds;
            let number = self.find_or_add(child);
            // Mirror images may be one place.
            if !numbers.contains(&number) {
                numbers.push(number);
            }
            self.narrow(number, bounds);
        }
        for &child in &numbers {
            self.places[child as usize].parents.push(place);
        }
        self.places[place as usize].children = Some(numbers);
        self.touch(place);
        self.update(vec![place]);
    }

    /// Puts back what a store kept of a place, its children apart.
    pub fn restore(&mut self, sight: Sight, tries: u32, nodes: u64) -> Place {
        let bounds = sight.bounds;
        let place = self.find_or_add(sight);
        let known = &mut self.places[place as usize];
        known.sight.bounds = known.sight.bounds.and(bounds);
        (known.tries, known.nodes) = (tries, nodes);
        place
    }

    /// What has changed since this was last asked.
    pub fn take_changed(&mut self) -> Vec<Place> {
        for &place in &self.changed {
            self.places[place as usize].changed = false;
        }
        std::mem::take(&mut self.changed)
    }

    /// How much of the root is done: moves answered, and all of them.
    #[must_use]
    pub fn root_moves(&self) -> (usize, usize) {
        let children = self.get(ROOT).children.as_deref().unwrap_or_default();
        let done = children.iter().filter(|&&child| self.answer(child).is_some()).count();
        (done, children.len())
    }

    /// What else is known of a place.
    fn narrow(&mut self, place: Place, bounds: Bounds) {
        let known = &mut self.places[place as usize];
        let both = known.sight.bounds.and(bounds);
        if known.sight.bounds != both {
            known.sight.bounds = both;
            self.touch(place);
            self.update(vec![place]);
        }
    }

    /// The open ones of these children, with how far each is from what the mover hopes for.
    fn hopes(&self, children: &[Place], mover: Side) -> impl Iterator<Item = (Place, u32)> {
        let open = children.iter().filter(|&&child| self.answer(child).is_none());
        open.enumerate().map(move |(nth, &child)| {
            let hope = self.get(child).numbers.seen_by(mover).proof;
            // Where one of several moves is enough, the first is the right one more often than not, and work at others is lost.
            let doubt = if self.manner.ordered { 1 << (2 * nth.min(4)) } else { 1 };
            (child, hope.saturating_mul(doubt).min(FARTHEST))
        })
    }

    fn answer(&self, place: Place) -> Option<bool> {
        self.get(place).sight.bounds.answer(self.at_least)
    }

    fn find_or_add(&mut self, sight: Sight) -> Place {
        if let Some(place) = self.find(&sight.name) {
            return place;
        }
        let place = self.places.len() as Place;
        self.by_name.insert(sight.name.clone(), place);
        self.places.push(Known {
            sight,
            tries: 0,
            nodes: 0,
            children: None,
            parents: Vec::new(),
            numbers: Numbers::NO,
            leased: false,
            busy: false,
            changed: false,
        });
        let (_, numbers, busy) = self.judged(place);
        let known = &mut self.places[place as usize];
        (known.numbers, known.busy) = (numbers, busy);
        self.touch(place);
        place
    }

    /// Marks a place for the store.
    fn touch(&mut self, place: Place) {
        let known = &mut self.places[place as usize];
        if !known.changed {
            known.changed = true;
            self.changed.push(place);
        }
    }

    /// Works out these places anew, and all that rest on them.
    fn update(&mut self, mut todo: Vec<Place>) {
        while let Some(place) = todo.pop() {
            let (bounds, numbers, busy) = self.judged(place);
            let known = &mut self.places[place as usize];
            let same_bounds = known.sight.bounds == bounds;
            let same = same_bounds && known.numbers == numbers && known.busy == busy;
            (known.sight.bounds, known.numbers, known.busy) = (bounds, numbers, busy);
            if !same_bounds {
                self.touch(place);
            }
            if !same {
                todo.extend(&self.get(place).parents);
            }
        }
    }

    /// What follows for a place from itself and its children.
    fn judged(&self, place: Place) -> (Bounds, Numbers, bool) {
        let known = self.get(place);
        let mover = known.sight.mover;
        let mut bounds = known.sight.bounds;
        if let Some(children) = &known.children {
            let of = |child: &Place| self.get(*child).sight.bounds;
            let (lowers, uppers) = (
                children.iter().map(|child| of(child).lower),
                children.iter().map(|child| of(child).upper),
            );
            let backed_up = match mover {
                Side::First => lowers.max().zip(uppers.max()),
                Side::Second => lowers.min().zip(uppers.min()),
            };
            if let Some((lower, upper)) = backed_up {
                bounds = bounds.and(Bounds { lower, upper });
            }
        }
        bounds = bounds.in_steps(self.manner.step);
        if let Some(holds) = bounds.answer(self.at_least) {
            return (bounds, Numbers::answer(holds), false);
        }
        let Some(children) = &known.children else {
            return (bounds, self.leaf(known), known.leased);
        };
        let open = || children.iter().filter(|&&child| self.answer(child).is_none());
        let seen = |child: &Place| self.get(*child).numbers.seen_by(mover);
        let hope = self.hopes(children, mover).map(|(_, hope)| hope).min().unwrap_or(1);
        // One for each other open move: see `search::Prover`.
        let fear = open().map(|child| seen(child).disproof).max().unwrap_or(1);
        let fear = fear + open().count().saturating_sub(1) as u32;
        let busy = open().all(|&child| self.get(child).busy);
        (bounds, Numbers { proof: hope, disproof: fear }.seen_by(mover), busy)
    }

    /// Work that came to nothing says that the answer is far.
    fn leaf(&self, known: &Known) -> Numbers {
        let far = 1 << (2 * known.tries.min(8));
        let away = |number: u32| number.saturating_mul(far).min(FARTHEST);
        let Numbers { proof, disproof } = Numbers::leaf(known.sight.mover, known.sight.moves);
        Numbers { proof: away(proof), disproof: away(disproof) }
    }
}
