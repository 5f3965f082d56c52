//! The squares a capture goes through: found for writing, followed for reading.

use super::board::{before, bits, nearest};
use super::captures::{directions, forward};
use super::position::{Move, Position};
use super::switches::{Promotion, Switches};

/// The squares of one way to make a capture, both ends with them.
pub(super) fn way(switches: Switches, p: &Position, m: Move) -> Vec<usize> {
    let mut walker = Walker { switches, p, m, squares: vec![m.from()] };
    let king = p.kings >> m.from() & 1 == 1;
    let found = walker.walk(m.from(), m.captured, king);
    debug_assert!(found, "no way for {m:?}");
    walker.squares
}

struct Walker<'p> {
    switches: Switches,
    p: &'p Position,
    m: Move,
    squares: Vec<usize>,
}

impl Walker<'_> {
    /// Goes on from a square until all of `left` is captured; false if that does not lead to the end
    /// of the move.
    fn walk(&mut self, at: usize, left: u64, king: bool) -> bool {
        let was_king = self.p.kings >> self.m.from() & 1 == 1;
        let last_row = self.switches.size.last_row(self.p.colour) >> at & 1 == 1;
        if left == 0 {
            let crowned = !was_king && (king || last_row);
            return at == self.m.to() && crowned == self.m.crowns;
        }
        if !king && last_row && self.switches.promotion == Promotion::Stop {
            return false;
        }
        for direction in directions(self.switches) {
            if !king && !self.switches.back && !forward(self.p.colour, direction) {
                continue;
            }
            let Some((over, landings)) = self.leg(at, direction, king) else { continue };
            if over & left == 0 {
                continue;
            }
            for to in bits(landings) {
                let crowned = self.switches.promotion == Promotion::Pass
                    && self.switches.size.last_row(self.p.colour) >> to & 1 == 1;
                self.squares.push(to);
                if self.walk(to, left & !over, king || crowned) {
                    return true;
                }
                self.squares.pop();
            }
        }
        false
    }

    /// The first piece in a direction and the squares behind it where a jump may end.
    fn leg(&self, at: usize, direction: usize, king: bool) -> Option<(u64, u64)> {
        let occupied = occupied(self.p, self.m.from());
        let rays = &self.switches.size.geometry().rays;
        let ray = rays[at][direction];
        let over = nearest(ray & occupied, direction);
        if over == 0 {
            return None;
        }
        let beyond = rays[over.trailing_zeros() as usize][direction];
        let landings = before(beyond, beyond & occupied, direction);
        if king && self.switches.flying {
            return Some((over, landings));
        }
        (over == nearest(ray, direction)).then(|| (over, landings & nearest(beyond, direction)))
    }
}

/// What a capture that stops at these squares takes, and whether it crowns a man; `None` where a
/// leg does not jump over exactly one of the other side's pieces.
pub(super) fn follow(switches: Switches, p: &Position, squares: &[usize]) -> Option<(u64, bool)> {
    let (from, last_row) = (*squares.first()?, switches.size.last_row(p.colour));
    let occupied = occupied(p, from);
    let mut captured = 0;
    let mut visited = 0;
    for leg in squares.windows(2) {
        let mut rays = switches.size.geometry().rays[leg[0]].into_iter().zip(0..);
        let (ray, direction) = rays.find(|(ray, _)| ray >> leg[1] & 1 == 1)?;
        let over = before(ray, 1 << leg[1], direction) & occupied;
        if over.count_ones() != 1 || over & p.other == 0 || over & captured != 0 {
            return None;
        }
        captured |= over;
        visited |= 1 << leg[1];
    }
    let man = p.kings >> from & 1 == 0;
    let end = 1 << *squares.last()?;
    let crowning = if switches.promotion == Promotion::Pass { visited } else { end };
    Some((captured, man && crowning & last_row != 0))
}

/// Whether a capture can stop at these squares and go on from the last.
pub(super) fn goes_on(switches: Switches, p: &Position, m: Move, squares: &[usize]) -> bool {
    let [from, stops @ .., last] = squares else { return false };
    let Some((captured, _)) = follow(switches, p, squares) else { return false };
    let left = m.captured & !captured;
    if *from != m.from() || captured & !m.captured != 0 || left == 0 {
        return false;
    }
    let last_row = |&at: &usize| switches.size.last_row(p.colour) >> at & 1 == 1;
    let crowned =
        switches.promotion == Promotion::Pass && (stops.iter().any(last_row) || last_row(last));
    let king = p.kings >> from & 1 == 1 || crowned;
    Walker { switches, p, m, squares: Vec::new() }.walk(*last, left, king)
}

/// Where pieces stand while one is on its way: captured ones are still there.
fn occupied(p: &Position, from: usize) -> u64 {
    (p.own | p.other) & !(1 << from)
}
