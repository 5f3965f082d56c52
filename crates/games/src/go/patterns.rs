//! Shapes of three by three points whose middle is often worth a stone: around the head of the enemy's
//! stones, between them, and along the edge where stones meet.

use std::sync::LazyLock;

/// Each is three rows around the point in question. `X` and `O` are the two colours, either way round; `.`
/// is empty, `x` is not `X`, `o` is not `O`, `#` is outside and `?` is anything.
const SHAPES: [[&str; 3]; 11] = [
    // Around the head.
    ["XOX", "...", "???"],
    ["XO.", "...", "?.?"],
    ["XO?", "X..", "o.?"],
    // Between two stones.
    ["XO?", "O.x", "?x?"],
    ["?O?", "X.X", "xxx"],
    ["?O?", "X.X", "ooo"],
    // Along the edge.
    ["X.?", "O.?", "###"],
    ["OX?", "x.O", "###"],
    ["?X?", "o.O", "###"],
    ["?XO", "x.o", "###"],
    ["?OX", "X.O", "###"],
];

/// What lies around a point, in the order of [`CELLS`]: a byte of own stones and above it one of the other's;
/// what is outside is in both.
pub(super) type Surroundings = u16;

/// Row by row, without the point itself.
const CELLS: [(usize, usize); 8] = [(0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)];

/// Whether a stone may be worth placing amid these surroundings.
#[derive(Debug)]
pub(super) struct Shapes(Vec<u64>);

impl Shapes {
    pub(super) fn get() -> &'static Shapes {
        static SHAPES: LazyLock<Shapes> = LazyLock::new(Shapes::new);
        &SHAPES
    }

    #[inline]
    pub(super) fn holds(&self, around: Surroundings) -> bool {
        self.0[usize::from(around) / 64] >> (around % 64) & 1 == 1
    }

    fn new() -> Shapes {
        let mut table = vec![0u64; 1 << 10];
        for around in 0..=u16::MAX {
            if SHAPES.iter().any(|shape| looks_like(shape, around)) {
                table[usize::from(around) / 64] |= 1 << (around % 64);
            }
        }
        Shapes(table)
    }
}

fn looks_like(shape: &[&str; 3], around: Surroundings) -> bool {
    let cell = |i: usize| (around >> i & 1) | (around >> (i + 8) & 1) << 1;
    let fits = |symmetry: usize, colour: u16| {
        CELLS.iter().enumerate().all(|(i, &(row, column))| {
            let (row, column) = if symmetry & 1 == 0 { (row, column) } else { (column, row) };
            let row = if symmetry & 2 == 0 { row } else { 2 - row };
            let column = if symmetry & 4 == 0 { column } else { 2 - column };
            let (x, o) = (1 + colour, 2 - colour);
            match shape[row].as_bytes()[column] {
                b'X' => cell(i) == x,
                b'O' => cell(i) == o,
                b'.' => cell(i) == 0,
                b'x' => cell(i) == o || cell(i) == 0,
                b'o' => cell(i) == x || cell(i) == 0,
                b'#' => cell(i) == 3,
                _ => true,
            }
        })
    };
    (0..8).any(|symmetry| fits(symmetry, 0) || fits(symmetry, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The surroundings drawn as in [`SHAPES`].
    fn drawn(rows: [&str; 3]) -> Surroundings {
        CELLS.iter().enumerate().fold(0, |around, (i, &(row, column))| {
            let cell = match rows[row].as_bytes()[column] {
                b'X' => 1,
                b'O' => 1 << 8,
                b'#' => 1 << 8 | 1,
                _ => 0,
            };
            around | cell << i
        })
    }

    #[test]
    fn shapes_are_known_from_all_sides() {
        let shapes = Shapes::get();
        let around_the_head = [["XOX", "...", "..."], ["X..", "O..", "X.."], ["...", "...", "OXO"]];
        assert!(around_the_head.into_iter().all(|rows| shapes.holds(drawn(rows))));
        assert!(shapes.holds(drawn(["XO.", "O..", "..."])), "a cut");
        assert!(shapes.holds(drawn(["#.X", "#.O", "#.."])), "the edge");
        assert!(!shapes.holds(drawn(["...", "...", "..."])));
        assert!(!shapes.holds(drawn(["###", "...", "..."])));
        assert!(!shapes.holds(drawn(["XXX", "X.X", "XXX"])));
    }
}
