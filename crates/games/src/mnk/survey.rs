//! Whether a side wins a line game: what one look at all windows proves, for searches that ask nothing else.

use game::{Finding, Side, mix};

use super::heuristics::window_promise;
use super::position::{Mnk, Position, Stone};
use super::shape::Shape;
use super::word::Word;
use super::word_board::WordBoard;

/// What the live windows of a position say. A window is live for a side if the other one has no stone in it.
struct Survey<W> {
    /// Stones of the mover and of the other side that are part of a live window.
    live_stones: [W; 2],
    /// Empty squares that are part of a live window.
    live_empty: W,
    /// Whether the mover, and the other side, have a live window.
    is_live: [bool; 2],
    /// The mover completes a line in this turn.
    wins: bool,
    /// Squares on which the other side completes a line in its next turn.
    threats: W,
    /// Squares of which one has to be taken in this turn, for otherwise the other side completes a line.
    replies: Option<W>,
    /// A stone of the mover makes two threats at once.
    forks: bool,
    /// By square, how promising a stone is there.
    promise: [i32; 128],
    /// By square, the empty squares that share all its live windows.
    common: [W; 128],
    /// The empty squares of live windows of the attacker.
    open: [W; MOST_OPEN],
    opened: usize,
}

/// With more live windows than this nobody asks for pairs.
const MOST_OPEN: usize = 128;

pub(super) fn examine<S: Shape, W: Word>(
    game: &Mnk<S, WordBoard<W>>,
    p: &Position<WordBoard<W>>,
    attacker: Side,
    moves: &mut Vec<Stone>,
    promise: &mut Vec<i32>,
) -> Finding {
    let (shape, tables) = (game.shape, &game.tables);
    let mover = p.turn.side();
    let attacks = mover == attacker;
    let (mine, theirs) = (p.board.of(mover), p.board.of(mover.other()));
    let left = p.turn.left();
    let playable = p.board.playable(tables, shape);
    let empty = tables.active() & !(mine | theirs);
    let monotone = !shape.exact() && !shape.gravity();
    let decided = |wins: bool| Finding { wins: Some(wins), key: None };

    let mut s = Survey {
        live_stones: [W::NONE; 2],
        live_empty: W::NONE,
        is_live: [false; 2],
        wins: false,
        threats: W::NONE,
        replies: None,
        forks: false,
        promise: [0; 128],
        common: [!W::NONE; 128],
        open: [W::NONE; MOST_OPEN],
        opened: 0,
    };
    let mut partner = [W::NONE; 128];
    let mut fewest = usize::MAX;
    let mut potential = 0u64;
    for &window in tables.windows() {
        let (my_stones, their_stones) = (mine & window, theirs & window);
        if my_stones != W::NONE && their_stones != W::NONE {
            continue;
        }
        let free = window & empty;
        let missing = free.count();
        let mut worth = 0;
        if their_stones == W::NONE {
            s.is_live[0] = true;
            s.live_stones[0] |= my_stones;
            worth += 2 * window_promise(shape.k() - missing);
            if monotone {
                if missing <= left {
                    return decided(attacks);
                }
                if missing == 2 && shape.p() == 1 {
                    let (a, b) = (free.lowest() & 127, free.without_lowest());
                    let a_word = W::square(a);
                    let b = (b.lowest() & 127, b);
                    let differs = |known: W, other: W| known != W::NONE && known != other;
                    s.forks |= differs(partner[a], b.1) || differs(partner[b.0], a_word);
                    partner[a] = b.1;
                    partner[b.0] = a_word;
                }
            } else if missing == 1 && free & playable != W::NONE && wins_at(game, p, free, mover) {
                return decided(attacks);
            }
            if attacks {
                note(&mut s, free, &mut potential);
            }
        }
        if my_stones == W::NONE {
            s.is_live[1] = true;
            s.live_stones[1] |= their_stones;
            worth += window_promise(shape.k() - missing);
            if monotone {
                if missing <= shape.p() {
                    if missing < fewest || left == 1 {
                        s.replies = Some(match s.replies {
                            Some(replies) if left == 1 => replies & free,
                            _ => free,
                        });
                        fewest = missing;
                    }
                }
            } else if missing == 1 && wins_at(game, p, free, mover.other()) {
                s.threats |= free;
            }
            if !attacks {
                note(&mut s, free, &mut potential);
            }
        }
        s.live_empty |= free;
        free.for_each(|square| {
            s.promise[square & 127] += worth;
            s.common[square & 127] &= free;
        });
    }

    // Who can no longer win.
    if !s.is_live[usize::from(!attacks)] {
        return decided(false);
    }
    // Where one stone must answer several threats.
    let mut candidates = if monotone { s.live_empty } else { playable };
    let mut forced = false;
    if monotone {
        if let Some(replies) = s.replies {
            if replies == W::NONE {
                return decided(!attacks);
            }
            forced = true;
            candidates = replies;
        } else if s.forks && left == 1 && shape.p() == 1 {
            return decided(attacks);
        }
    } else if left == 1 {
        let now = s.threats & playable;
        if now != W::NONE {
            forced = true;
            if now.without_lowest() != W::NONE {
                return decided(!attacks);
            }
            candidates = now;
        }
        if shape.gravity() && !tables.has_holes() {
            candidates &= !s.threats.shift_down(shape.columns());
            if candidates == W::NONE {
                return decided(!attacks);
            }
        }
    }

    // Erdős–Selfridge.
    if !forced && shape.p() == 1 && left == 1 && !shape.gravity() {
        let limit = if attacks { ONE / 2 } else { ONE };
        if potential < limit {
            return decided(false);
        }
    }

    // Dominated.
    if monotone {
        let mut kept = W::NONE;
        candidates.for_each(|square| {
            let alone = W::square(square);
            let mut others = s.common[square & 127] & !alone;
            let mut dominated = false;
            while others != W::NONE {
                let other = others.lowest();
                others = others.without_lowest();
                let mutual = s.common[other & 127] & alone != W::NONE;
                if !mutual || other < square {
                    dominated = true;
                    break;
                }
            }
            if !dominated {
                kept |= alone;
            }
        });
        if kept & candidates != W::NONE && !forced {
            candidates = kept;
        }
    }

    candidates.for_each(|square| {
        moves.push(Stone::at(square));
        promise.push((s.promise[square & 127] * 64).min(400_000));
    });

    // Stones that are part of no live window might as well be holes.
    let dead = if monotone {
        tables.active() & !(s.live_stones[0] | s.live_stones[1] | s.live_empty)
    } else {
        (mine | theirs) & !(s.live_stones[0] | s.live_stones[1])
    };
    let first = usize::from(mover != Side::First);
    let words = [s.live_stones[first] | dead, s.live_stones[1 - first] | dead];
    let (words, of_grid) = tables.smallest_image(words, game.symmetries.kept());
    let turn = (left as u64) << 1 | mover.index() as u64;
    let key = W::key(words[0], words[1]) ^ mix(SALT + turn);
    Finding { wins: None, key: Some((key, game.symmetries.number(of_grid))) }
}

const SALT: u64 = 0x51ab_1e00;
const ONE: u64 = 1 << 40;

fn note<W: Word>(s: &mut Survey<W>, free: W, potential: &mut u64) {
    *potential += ONE >> free.count().min(40);
    if s.opened < MOST_OPEN {
        s.open[s.opened] = free;
    }
    s.opened += 1;
}

fn wins_at<S: Shape, W: Word>(
    game: &Mnk<S, WordBoard<W>>,
    p: &Position<WordBoard<W>>,
    square: W,
    side: Side,
) -> bool {
    use super::board::Board;
    !game.shape.exact() || p.board.would_win(&game.tables, game.shape, square.lowest(), side)
}
