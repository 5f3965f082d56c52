//! Where handicap stones go, as the protocol's table says.

use game::{Diagram, Grid};

/// The points of a fixed handicap of so many stones; `None` where the board has no such handicap.
#[must_use]
pub(crate) fn fixed_points(diagram: &Diagram, stones: usize) -> Option<Vec<String>> {
    let Grid { rows, columns } = diagram.grid();
    if rows != columns || !(2..=most(rows)).contains(&stones) {
        return None;
    }
    // On the third line from the edge, on large boards on the fourth.
    let near = if rows < 13 { 2 } else { 3 };
    let (far, middle) = (rows - 1 - near, rows / 2);
    let corners = [(near, near), (far, far), (near, far), (far, near)];
    let sides = [(near, middle), (far, middle), (middle, near), (middle, far)];
    let mut points = corners[..stones.min(4)].to_vec();
    if stones >= 6 {
        points.extend(&sides[..(stones - 4) / 2 * 2]);
    }
    if stones >= 5 && stones % 2 == 1 {
        points.push((middle, middle));
    }
    let name = |(column, row): (usize, usize)| format!("{}{}", diagram.columns()[column], row + 1);
    Some(points.into_iter().map(name).collect())
}

/// The largest fixed handicap of a square board.
#[must_use]
pub(crate) fn most(size: usize) -> usize {
    match size {
        0..7 => 0,
        7 => 4,
        _ if size.is_multiple_of(2) => 4,
        _ => 9,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::RowOne;

    fn points(size: usize, stones: usize) -> Option<String> {
        let grid = Grid { rows: size, columns: size };
        let columns = b"ABCDEFGHJKLMNOPQRST";
        let diagram = Diagram::new(grid, RowOne::Bottom, |_| '.')
            .with_columns(|column| char::from(columns[column]).to_string());
        fixed_points(&diagram, stones).map(|points| points.join(" "))
    }

    #[test]
    fn the_table_of_the_protocol() {
        let nineteen = |stones| points(19, stones);
        assert_eq!(nineteen(2).unwrap(), "D4 Q16");
        assert_eq!(nineteen(3).unwrap(), "D4 Q16 D16");
        assert_eq!(nineteen(4).unwrap(), "D4 Q16 D16 Q4");
        assert_eq!(nineteen(5).unwrap(), "D4 Q16 D16 Q4 K10");
        assert_eq!(nineteen(6).unwrap(), "D4 Q16 D16 Q4 D10 Q10");
        assert_eq!(nineteen(7).unwrap(), "D4 Q16 D16 Q4 D10 Q10 K10");
        assert_eq!(nineteen(8).unwrap(), "D4 Q16 D16 Q4 D10 Q10 K4 K16");
        assert_eq!(nineteen(9).unwrap(), "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10");
        assert_eq!(nineteen(10), None);
        assert_eq!(nineteen(1), None);
        assert_eq!(points(9, 4).unwrap(), "C3 G7 C7 G3");
        assert_eq!(points(8, 5), None);
        assert_eq!(points(7, 4).unwrap(), "C3 E5 C5 E3");
        assert_eq!(points(6, 2), None);
    }
}
