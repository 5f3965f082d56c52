//! [`Camp`]: one side of a position, and what it counts.

use super::regions::Regions;
use super::survey::Survey;
use super::{COUNT, Places};
use crate::draughts::board::{DIAGONAL, Size, bits, nearest};
use crate::draughts::captures::forward;
use crate::draughts::moves::Scene;
use crate::draughts::position::{Colour, Position};
use crate::draughts::switches::Rules;

/// A side and its opponent, as if the side were on the move.
#[derive(Debug)]
pub(super) struct Camp<'a, R, const WHITE: bool> {
    rules: R,
    p: &'a Position,
    /// Squares next to any piece.
    near: u64,
}

/// All squares next to a piece.
#[inline]
pub(super) fn neighbours(size: Size, p: &Position) -> u64 {
    let all = p.own | p.other;
    DIAGONAL.iter().fold(0, |near, &direction| near | size.step(all, direction))
}

impl<'a, R: Rules, const WHITE: bool> Camp<'a, R, WHITE> {
    const COLOUR: Colour = if WHITE { Colour::White } else { Colour::Black };

    /// The side to move of a position.
    #[inline]
    pub(super) fn new(rules: R, p: &'a Position, near: u64) -> Camp<'a, R, WHITE> {
        Camp { rules, p, near }
    }

    /// Writes the thirty numbers to their places.
    #[inline(always)]
    pub(super) fn write(&self, places: &Places, out: &mut [i32; COUNT]) {
        let p = self.p;
        let (men, kings, size) = (p.own & !p.kings, p.own & p.kings, self.rules.switches().size);
        let (regions, colour) = (Regions::of(size), Self::COLOUR as usize);
        let (bottom, top) = (regions.bottom[colour], regions.top[colour]);
        let survey = Survey::of(&Scene::<R, WHITE>::new(self.rules, p));
        let lonely = p.own & !self.near;

        out[places[0]] = count(men);
        out[places[2]] = count(men & regions.wall);
        out[places[4]] = count(men & survey.movable);
        out[places[6]] = survey.moves as i32;
        out[places[7]] = i32::from(survey.captures != 0);
        out[places[8]] = survey.captures as i32;
        out[places[9]] = survey.longest as i32;
        out[places[10]] = (0..4).map(|bit| count(men & regions.distance[colour][bit]) << bit).sum();
        out[places[11]] = count(size.last_row(Self::COLOUR) & !(p.own | p.other));
        out[places[12]] = count(men & bottom);
        out[places[14]] = count(men & regions.middle);
        out[places[16]] = count(men & top);
        out[places[18]] = count(men & lonely);
        out[places[20]] = i32::from(men & regions.corners != 0);
        out[places[22]] = i32::from(p.own & regions.corners == regions.corners);
        let theirs = p.other & !p.kings;
        for (i, [own, opposing]) in regions.patterns[colour].into_iter().enumerate() {
            out[places[23 + i]] = i32::from(own & !men | opposing & !theirs == 0);
        }
        out[places[27]] = count(self.blocking());
        let (lines, longest) = self.block_lines();
        (out[places[28]], out[places[29]]) = (lines, longest);

        // Half of all positions have none, and all numbers begin as 0.
        if kings != 0 {
            out[places[1]] = count(kings);
            out[places[3]] = count(kings & regions.wall);
            out[places[5]] = count(kings & survey.movable);
            out[places[13]] = count(kings & bottom);
            out[places[15]] = count(kings & regions.middle);
            out[places[17]] = count(kings & top);
            out[places[19]] = count(kings & lonely);
            out[places[21]] = i32::from(kings & regions.corners != 0);
        }
    }

    /// Own pieces behind one that would be captured if their square were empty.
    #[inline(always)]
    fn blocking(&self) -> u64 {
        let (p, switches) = (self.p, self.rules.switches());
        let size = switches.size;
        let (men, kings) = (p.other & !p.kings, p.other & p.kings);
        let from_men = if switches.shielded { p.own & !p.kings } else { p.own };
        let mut blocking = 0;
        for direction in DIAGONAL {
            let may = switches.back || forward(Self::COLOUR.other(), direction);
            let by_men = size.step(if may { men } else { 0 }, direction) & from_men;
            let by_kings = if switches.flying { 0 } else { size.step(kings, direction) & p.own };
            blocking |= size.step(by_men | by_kings, direction);
        }
        if switches.flying && kings != 0 {
            blocking |= self.blocking_flyers(kings);
        }
        blocking & p.own
    }

    /// The same against flying kings, which come from afar.
    fn blocking_flyers(&self, kings: u64) -> u64 {
        let size = self.rules.switches().size;
        let pieces = self.p.own | self.p.other;
        let mut behind = 0;
        for king in bits(kings) {
            for direction in DIAGONAL {
                let met = nearest(size.geometry().rays[king][direction] & pieces, direction);
                behind |= size.step(met & self.p.own, direction);
            }
        }
        behind
    }

    /// How many rows of two or more own pieces there are along the diagonals, and how long the longest is.
    #[inline(always)]
    fn block_lines(&self) -> (i32, i32) {
        let (own, size) = (self.p.own, self.rules.switches().size);
        // From each piece of these there are as many as `longest` in its direction.
        let mut runs = [0, 1].map(|direction| own & size.step_back(own, direction));
        let starts = [0, 1].map(|direction| count(runs[direction] & !size.step(own, direction)));
        let mut longest = 1;
        while runs[0] | runs[1] != 0 {
            longest += 1;
            runs = [0, 1]
                .map(|direction| runs[direction] & size.step_back(runs[direction], direction));
        }
        (starts[0] + starts[1], if longest == 1 { 0 } else { longest })
    }
}

#[inline]
fn count(set: u64) -> i32 {
    set.count_ones() as i32
}
