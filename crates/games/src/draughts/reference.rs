//! The same rules written for being obviously right: pieces in rows and columns, every jump tried
//! square by square, and all captures listed before any is ruled out. Tests and benchmarks compare
//! [`Draughts`](super::Draughts) with it; it shares nothing with the fast generator but
//! [`Parameters`], the names of squares and moves, and which endings have a count of their own.

use std::collections::BTreeSet;

use game::{Game, MoveSink, Path, Recall, Side, mix};

use super::board::column_of;
use super::draws::Reset;
use super::parameters::Parameters;
use super::position::{Colour, Move, Position as FastPosition, Run};
use super::switches::{Landing, Majority, Promotion, Switches};

/// A square by row from the top and column from the left.
type At = (isize, isize);

const DIAGONAL: [At; 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
const STRAIGHT: [At; 4] = [(-2, 0), (2, 0), (0, -2), (0, 2)];

/// The rules of draughts.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    parameters: Parameters,
}

/// A man or a king.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Whose it is.
    pub colour: Colour,
    /// Whether it is a king.
    pub king: bool,
}

/// What stands on each square, by row from the top and column; who moves; what is counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// By row, then by column.
    pub pieces: Vec<Vec<Option<Piece>>>,
    /// Who moves next.
    pub colour: Colour,
    quiet: u16,
    ending: u8,
    /// The king that each colour moved last without capturing, and how often in a row.
    runs: [Option<(At, u8)>; 2],
}

/// A capture with its pieces in order.
#[derive(Clone, Debug)]
struct Capture {
    from: At,
    to: At,
    taken: Vec<At>,
    king: bool,
    crowns: bool,
}

impl Plain {
    /// The game with these parameters.
    #[must_use]
    pub fn new(parameters: Parameters) -> Plain {
        Plain { parameters }
    }

    /// The same position as the fast rules have it.
    #[must_use]
    pub fn fast(&self, p: &Position) -> FastPosition {
        let (mut pieces, mut kings) = ([0; 2], 0);
        for (at, piece) in self.occupied(p) {
            pieces[piece.colour as usize] |= 1 << self.bit(at);
            kings |= u64::from(piece.king) << self.bit(at);
        }
        let mut fast = FastPosition::of(pieces, kings, p.colour);
        (fast.quiet, fast.ending) = (p.quiet, p.ending);
        fast.runs = [p.colour, p.colour.other()].map(|colour| match p.runs[colour as usize] {
            Some((at, moves)) => Run { moves, king: self.bit(at) as u8 },
            None => Run::default(),
        });
        fast
    }

    /// A position of the fast rules as this one has it.
    #[must_use]
    pub fn plain(&self, fast: &FastPosition) -> Position {
        let mut p = self.start();
        let squares: Vec<At> = self.squares().collect();
        for &at in &squares {
            let piece = fast.piece(self.bit(at)).map(|(colour, king)| Piece { colour, king });
            p.pieces[at.0 as usize][at.1 as usize] = piece;
        }
        (p.colour, p.quiet, p.ending) = (fast.colour, fast.quiet, fast.ending);
        for colour in [Colour::White, Colour::Black] {
            let Run { moves, king } = fast.run(colour);
            let at = squares.iter().copied().find(|&at| self.bit(at) == usize::from(king));
            p.runs[colour as usize] = at.filter(|_| moves != 0).map(|at| (at, moves));
        }
        p
    }

    pub(super) fn switches(&self) -> Switches {
        self.parameters.switches()
    }

    fn side(&self) -> isize {
        self.switches().size.side() as isize
    }

    /// The dark squares.
    pub(super) fn squares(&self) -> impl Iterator<Item = At> {
        let size = self.switches().size;
        let place = move |row| (0..size.half()).map(move |place| (row, column_of(row, place)));
        (0..size.side()).flat_map(place).map(|(row, column)| (row as isize, column as isize))
    }

    pub(super) fn bit(&self, (row, column): At) -> usize {
        self.switches().size.bit(row as usize, column as usize / 2)
    }

    fn occupied(&self, p: &Position) -> Vec<(At, Piece)> {
        self.squares().filter_map(|at| Some((at, self.piece(p, at)?))).collect()
    }

    fn piece(&self, p: &Position, (row, column): At) -> Option<Piece> {
        p.pieces[row as usize][column as usize]
    }

    fn on_board(&self, (row, column): At) -> bool {
        (0..self.side()).contains(&row) && (0..self.side()).contains(&column)
    }

    fn is_empty(&self, p: &Position, at: At) -> bool {
        self.on_board(at) && self.piece(p, at).is_none()
    }

    fn last_row(&self, colour: Colour) -> isize {
        if colour == Colour::White { 0 } else { self.side() - 1 }
    }

    /// The jumps of a piece at a square: what is jumped and where it lands. Pieces already taken stand
    /// in the way.
    fn jumps(&self, p: &Position, at: At, mover: Piece, taken: &[At]) -> Vec<(At, At)> {
        let s = self.switches();
        let straight: &[At] = if s.straight { &STRAIGHT } else { &[] };
        let mut jumps = Vec::new();
        for &step in DIAGONAL.iter().chain(straight) {
            let ahead = if mover.colour == Colour::White { step.0 <= 0 } else { step.0 >= 0 };
            if !mover.king && !s.back && !ahead {
                continue;
            }
            let far = mover.king && s.flying;
            let mut over = plus(at, step);
            while far && self.is_empty(p, over) {
                over = plus(over, step);
            }
            if !self.on_board(over) || taken.contains(&over) {
                continue;
            }
            let Some(victim) = self.piece(p, over).filter(|piece| piece.colour != mover.colour)
            else {
                continue;
            };
            if s.shielded && victim.king && !mover.king {
                continue;
            }
            let mut to = plus(over, step);
            while self.is_empty(p, to) {
                jumps.push((over, to));
                if !far {
                    break;
                }
                to = plus(to, step);
            }
        }
        jumps
    }

    /// Every way of a piece to capture. The piece has been lifted off the board.
    fn captures(&self, p: &Position, at: At, mover: Piece, so_far: &Capture) -> Vec<Capture> {
        let s = self.switches();
        let jumps = self.jumps(p, at, mover, &so_far.taken);
        let after = |(over, to): (At, At)| {
            let mut capture = so_far.clone();
            capture.taken.push(over);
            capture.to = to;
            let last_row = !mover.king && to.0 == self.last_row(mover.colour);
            let crowned = last_row && s.promotion != Promotion::End;
            let stops = last_row && s.promotion == Promotion::Stop;
            let mover = Piece { king: mover.king || crowned, ..mover };
            capture.crowns |= crowned;
            let further = if stops { Vec::new() } else { self.captures(p, to, mover, &capture) };
            let goes_on = !further.is_empty();
            if !goes_on {
                capture.crowns |= last_row;
                return (goes_on, vec![capture]);
            }
            (goes_on, further)
        };
        let tried: Vec<(At, (bool, Vec<Capture>))> =
            jumps.into_iter().map(|jump| (jump.0, after(jump))).collect();
        let must_go_on = |over: At| {
            let choosy = mover.king && s.flying && s.landing == Landing::Continue;
            choosy && tried.iter().any(|(other, (goes_on, _))| *other == over && *goes_on)
        };
        let allowed = tried.iter().filter(|(over, (goes_on, _))| *goes_on || !must_go_on(*over));
        allowed.flat_map(|(_, (_, captures))| captures.clone()).collect()
    }

    /// All captures of the side to move, before any is ruled out.
    fn all_captures(&self, p: &Position) -> Vec<Capture> {
        let mut all = Vec::new();
        for (at, piece) in self.occupied(p) {
            if piece.colour == p.colour {
                let mut lifted = p.clone();
                lifted.pieces[at.0 as usize][at.1 as usize] = None;
                let begin = Capture {
                    from: at,
                    to: at,
                    taken: Vec::new(),
                    king: piece.king,
                    crowns: false,
                };
                all.extend(self.captures(&lifted, at, piece, &begin));
            }
        }
        all
    }

    /// The captures that the majority rule leaves.
    fn chosen_captures(&self, p: &Position) -> Vec<Capture> {
        let mut all = self.all_captures(p);
        let is_king = |at: &At| self.piece(p, *at).is_some_and(|piece| piece.king);
        let kings = |c: &Capture| c.taken.iter().filter(|at| is_king(at)).count();
        match self.switches().majority {
            Majority::None => {}
            Majority::Quantity => keep_best(&mut all, |c| c.taken.len()),
            Majority::Quality => {
                keep_best(&mut all, |c| c.taken.len());
                keep_best(&mut all, kings);
            }
            Majority::Kings => {
                let (mut by_kings, by_men): (Vec<_>, Vec<_>) =
                    all.into_iter().partition(|c| c.king);
                keep_best(&mut by_kings, |c| c.taken.len());
                by_kings.extend(by_men);
                all = by_kings;
            }
            Majority::King => keep_best(&mut all, |c| c.king),
            Majority::Italian => {
                keep_best(&mut all, |c| c.taken.len());
                keep_best(&mut all, |c| c.king);
                keep_best(&mut all, kings);
                keep_best(&mut all, |c| c.taken.iter().map(is_king).collect::<Vec<bool>>());
            }
            Majority::Frisian => {
                keep_best(&mut all, |c| 100 * c.taken.len() + 99 * kings(c));
                keep_best(&mut all, |c| c.king);
            }
        }
        all
    }

    /// Moves without a capture: from and to.
    fn steps(&self, p: &Position) -> Vec<(At, At)> {
        let mut steps = Vec::new();
        for (at, piece) in self.occupied(p) {
            let run = p.runs[p.colour as usize];
            if piece.colour != p.colour || run == Some((at, Run::LONGEST)) {
                continue;
            }
            for step in DIAGONAL {
                let ahead = (step.0 < 0) == (piece.colour == Colour::White);
                let mut to = plus(at, step);
                while (piece.king || ahead) && self.is_empty(p, to) {
                    steps.push((at, to));
                    if !(piece.king && self.switches().flying) {
                        break;
                    }
                    to = plus(to, step);
                }
            }
        }
        steps
    }

    fn ending_of(&self, p: &Position) -> Option<super::draws::Ending> {
        self.parameters.draws().ending(&self.fast(p))
    }

    fn at_bit(&self, bit: usize) -> At {
        let (row, place) = self.switches().size.place(bit);
        (row as isize, column_of(row, place) as isize)
    }

    /// Which king has gone how often in a row, after a move.
    fn note_run(&self, before: &Position, p: &mut Position, m: Move) {
        let (from, to) = (self.at_bit(m.from()), self.at_bit(m.to()));
        let mine = before.colour as usize;
        let king = self.piece(before, from).is_some_and(|piece| piece.king);
        p.runs[mine] = match before.runs[mine] {
            _ if m.captured() != 0 || !king => None,
            Some((at, moves)) if at == from => Some((to, moves + 1)),
            _ => Some((to, 1)),
        };
        for colour in [Colour::White, Colour::Black] {
            let men =
                self.occupied(p).iter().any(|(_, piece)| piece.colour == colour && !piece.king);
            let gone = p.runs[colour as usize].is_some_and(|(at, _)| {
                self.piece(p, at).is_none_or(|piece| piece.colour != colour)
            });
            if !men || gone {
                p.runs[colour as usize] = None;
            }
        }
    }
}

fn plus(at: At, step: At) -> At {
    (at.0 + step.0, at.1 + step.1)
}

fn keep_best<T: Ord>(captures: &mut Vec<Capture>, rank: impl Fn(&Capture) -> T) {
    if let Some(best) = captures.iter().map(&rank).max() {
        captures.retain(|c| rank(c) == best);
    }
}

impl Game for Plain {
    type Position = Position;
    type Move = Move;
    type Undo = Position;

    const ALTERNATES: bool = true;

    fn start(&self) -> Position {
        let side = self.side() as usize;
        let (men, first) = (self.parameters.men() as isize, self.switches().first);
        let mut pieces = vec![vec![None; side]; side];
        for (row, column) in self.squares() {
            let colour = if row < men {
                Colour::Black
            } else if row >= self.side() - men {
                Colour::White
            } else {
                continue;
            };
            pieces[row as usize][column as usize] = Some(Piece { colour, king: false });
        }
        Position { pieces, colour: first, quiet: 0, ending: 0, runs: [None; 2] }
    }

    fn to_move(&self, p: &Position) -> Side {
        if p.colour == self.switches().first { Side::First } else { Side::Second }
    }

    fn generate(&self, p: &Position, out: &mut impl MoveSink<Move>) {
        let captures = self.chosen_captures(p);
        let mut moves = BTreeSet::new();
        for capture in &captures {
            moves.insert(Move {
                from: self.bit(capture.from) as u8,
                to: self.bit(capture.to) as u8,
                crowns: capture.crowns,
                captured: capture.taken.iter().map(|&at| 1 << self.bit(at)).sum(),
            });
        }
        if captures.is_empty() {
            for (from, to) in self.steps(p) {
                let man = self.piece(p, from).is_some_and(|piece| !piece.king);
                moves.insert(Move {
                    from: self.bit(from) as u8,
                    to: self.bit(to) as u8,
                    crowns: man && to.0 == self.last_row(p.colour),
                    captured: 0,
                });
            }
        }
        moves.into_iter().for_each(|m| out.push(m));
    }

    fn margin(&self, _: &Position) -> Option<i32> {
        None
    }

    fn stuck(&self, p: &Position) -> i32 {
        -self.to_move(p).sign()
    }

    fn margin_limit(&self) -> i32 {
        1
    }

    fn make(&self, p: &mut Position, m: Move) -> Position {
        let before = p.clone();
        for at in self.squares() {
            if m.captured() >> self.bit(at) & 1 == 1 {
                p.pieces[at.0 as usize][at.1 as usize] = None;
            }
        }
        let (from, to) = (self.at_bit(m.from()), self.at_bit(m.to()));
        let mover = p.pieces[from.0 as usize][from.1 as usize].take();
        let king = mover.is_some_and(|piece| piece.king);
        p.pieces[to.0 as usize][to.1 as usize] =
            mover.map(|piece| Piece { king: king || m.crowns(), ..piece });
        p.colour = p.colour.other();
        let draws = self.parameters.draws();
        if draws.plies != 0 || draws.repetitions != 0 {
            let resets = m.captured() != 0 || (!king && draws.reset == Reset::CaptureOrMan);
            p.quiet = if resets { 0 } else { p.quiet.saturating_add(1) };
        }
        let same = self.ending_of(p).is_some() && self.ending_of(p) == self.ending_of(&before);
        p.ending = if same { p.ending.saturating_add(1) } else { 0 };
        if self.switches().restless {
            self.note_run(&before, p, m);
        }
        before
    }

    fn unmake(&self, p: &mut Position, _: Move, before: Position) {
        *p = before;
    }

    fn key(&self, p: &Position) -> u64 {
        let digit = |at| {
            self.piece(p, at).map_or(0, |piece| 1 + piece.colour as u64 * 2 + u64::from(piece.king))
        };
        self.squares().fold(mix(p.colour as u64), |key, at| mix(key ^ digit(at)))
    }

    fn looks_back(&self) -> bool {
        true
    }

    fn recall(&self, p: &Position, path: &Path) -> Recall {
        let draws = self.parameters.draws();
        let too_quiet = draws.plies != 0 && p.quiet >= draws.plies;
        let ended = self.ending_of(p).is_some_and(|ending| u16::from(p.ending) >= ending.plies);
        let times = 1 + path.count(self.path_key(p));
        let repeated = draws.repetitions != 0 && times >= usize::from(draws.repetitions);
        let drawn = (too_quiet || ended || repeated) && self.count(p) > 0;
        if drawn { Recall::Over(0) } else { Recall::Fresh }
    }

    fn slots(&self) -> usize {
        64 * 64
    }

    fn slot(&self, m: Move) -> usize {
        m.from() * 64 + m.to()
    }

    fn code(&self, m: Move) -> u32 {
        (mix(m.captured()) >> 57) as u32 * 8192 + self.slot(m) as u32 * 2 + u32::from(m.crowns())
    }
}
