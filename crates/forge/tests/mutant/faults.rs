//! The faults there are, and where they can be seen.

use crate::rules::Numbers;

macro_rules! faults {
    ($($fault:ident $where:ident,)*) => {
        /// What may be wrong with an engine.
        #[derive(Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Fault { $($fault,)* }

        /// By name, with the games in which something of it can be seen.
        pub(crate) const FAULTS: &[(&str, Fault, fn(&Numbers) -> bool)] = &[
            $((stringify!($fault), Fault::$fault, $where),)*
        ];
    };
}

/// Lines can be completed.
fn lines(g: &Numbers) -> bool {
    g.k > 1 && g.k <= g.m.min(g.n)
}

fn always(_: &Numbers) -> bool {
    true
}

/// k+1 fit in a row.
fn longer(g: &Numbers) -> bool {
    lines(g) && g.k < g.m.max(g.n)
}

fn longer_wins(g: &Numbers) -> bool {
    longer(g) && !g.exact
}

fn longer_loses(g: &Numbers) -> bool {
    longer(g) && g.exact
}

/// 2k-1 fit in a row, and win.
fn twice(g: &Numbers) -> bool {
    longer_wins(g) && 2 * g.k <= g.m.max(g.n) + 1
}

/// A stone of the other side fits at both ends of a line.
fn between(g: &Numbers) -> bool {
    lines(g) && g.k + 2 <= g.m.max(g.n)
}

fn three(g: &Numbers) -> bool {
    lines(g) && g.k > 2
}

fn five(g: &Numbers) -> bool {
    lines(g) && g.k > 4
}

/// Boards that can be filled.
fn full(g: &Numbers) -> bool {
    three(g) && g.m * g.n <= 2_500
}

/// Games without a winner are found by chance only.
fn drawn(g: &Numbers) -> bool {
    full(g) && g.k > 2
}

fn several(g: &Numbers) -> bool {
    g.p > 1
}

fn any_several(g: &Numbers) -> bool {
    g.p.max(g.q) > 1
}

fn p_not_q(g: &Numbers) -> bool {
    g.p != g.q
}

fn p_below_q(g: &Numbers) -> bool {
    g.p < g.q
}

fn wide(g: &Numbers) -> bool {
    lines(g) && g.m.max(g.n) > 66
}

fn very_wide(g: &Numbers) -> bool {
    lines(g) && g.m.max(g.n) > 129
}

fn many_squares(g: &Numbers) -> bool {
    g.m * g.n > 300
}

/// Squares that touch no other.
fn room(g: &Numbers) -> bool {
    g.m * g.n >= 16
}

/// The line that is missed lies on the board.
fn a_third(g: &Numbers) -> bool {
    lines(g) && g.n / 3 + g.k <= g.n
}

faults! {
    // Nothing is wrong.
    None never,
    // Lines that are not seen.
    NoLevel lines, NoUpright lines, NoDiagonal lines, NoOtherDiagonal lines,
    LastRow lines, FirstRow lines, LastColumn lines, FirstColumn lines,
    CornerTopLeft lines, CornerTopRight lines, CornerBottomLeft lines, CornerBottomRight lines,
    WhiteUpright lines, WhiteNever lines, LastInMiddle three, LastStone full, Blocked between,
    OnlyEndOfTurn several, OneLineOfBlack a_third, OneLastSquare lines, FirstStoneOfLine lines,
    OneWay lines, OtherWay lines, ShortSight five, SignedBytes very_wide, WordBorder wide,
    // What is taken for a line.
    OneLess three, OneMore lines, RuleForgotten longer_loses, RuleInvented longer_wins,
    NotTwiceAsLong twice, AroundByNumber three, AroundJoined three, SeesThrough three,
    // How the end is told.
    BlackAlwaysWins lines, WinnerIsNext lines, LineBackwards lines, LineIsStone lines,
    LineTooShort lines, NoLine lines, NoDraw drawn, EarlyDraw drawn,
    // Turns and counts.
    AlwaysQ p_not_q, BlackHasQ p_not_q, FirstTurnOfP p_below_q, OneStoneTurns several,
    LongThirdTurn always, MovesLeftAfterEnd always, MovesLeftCountsUp any_several,
    MovesMadeByte many_squares, MovesMadeWithoutLast always, LoserAfterEnd always,
    BlackInMidTurn several,
    // New games.
    CornerStays always, CountStays always, TurnStays always, EndStays lines, HundredthGame lines,
    // Moves and the board.
    Swapped always, RowWraps always, ColumnWraps always, ByteCoordinates always,
    NegativeIsOne always, ThirdNumberIgnored always, NonsenseMoves always, OverTaken always,
    OverOwn always, GoesOnAfterEnd always, AnnouncesOther always, AnnouncesSwapped always,
    NoLastSquare always, NoFirstSquare always, LastStoneListed always, LateSquareMissing always,
    FirstTwice always, MovesAfterEnd lines, BoardUpsideDown always, ColoursSwapped always,
    // Refused moves.
    RefusedUsesStone always, RefusedOffBoardUsesStone always, RefusedChangesPlayer always,
    RefusedCounts always, RefusedPaints always, RefusedRemoves always, SilentOffBoard always,
    OkWhenTaken always, WinsAgainAfterEnd lines, RefusedForgetsEnd lines,
    // The engine's own player.
    AiAnywhere room, AiTakesTaken room, AiOffBoard room, AiOneStone several, AiWrongColour room,
    AiWinsSilently lines, WhiteAiSleeps always,
    // Words.
    DiesOfEmptyLine always, DiesOfNonsense always,
}

fn never(_: &Numbers) -> bool {
    false
}
