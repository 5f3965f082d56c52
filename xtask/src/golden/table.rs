//! The table of instructions: a line for each search, read and written as text with columns.

use std::fmt;

use anyhow::{Context, Result, bail};

const HEAD: &str = "family    who      search              nodes  instructions    per node";

/// A search between two limits of nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) family: String,
    /// `program` or `engine`.
    pub(super) who: String,
    pub(super) search: String,
    pub(super) nodes: u64,
    pub(super) instructions: u64,
}

impl Row {
    fn per_node(&self) -> f64 {
        self.instructions as f64 / self.nodes as f64
    }

    fn is_about(&self, other: &Row) -> bool {
        (&self.family, &self.who, &self.search) == (&other.family, &other.who, &other.search)
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { family, who, search, nodes, instructions } = self;
        let per_node = self.per_node();
        write!(
            f,
            "{family:<9} {who:<8} {search:<15} {nodes:>9} {instructions:>13} {per_node:>11.1}"
        )
    }
}

/// All searches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) rows: Vec<Row>,
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEAD}")?;
        self.rows.iter().try_for_each(|row| writeln!(f, "{row}"))
    }
}

impl Table {
    pub(super) fn read(text: &str) -> Result<Table> {
        let read = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let &[family, who, search, nodes, instructions, _] = words.as_slice() else {
                bail!("six columns would be right, not {line:?}");
            };
            let number = |word: &str| word.parse().with_context(|| format!("in {line:?}"));
            let (nodes, instructions) = (number(nodes)?, number(instructions)?);
            let [family, who, search] = [family, who, search].map(str::to_owned);
            Ok(Row { family, who, search, nodes, instructions })
        };
        Ok(Table { rows: text.lines().skip(1).map(read).collect::<Result<_>>()? })
    }

    /// Before, now and the ratio of each search; and how many are above the most that is allowed, new or gone.
    pub(super) fn compare(&self, now: &Table, most: f64) -> (String, usize) {
        let mut text =
            "family    who      search               before         now   ratio".to_owned();
        let mut wrong = 0;
        for row in &now.rows {
            let Row { family, who, search, .. } = row;
            let each = row.per_node();
            text += &format!("\n{family:<9} {who:<8} {search:<15}");
            let Some(before) = self.rows.iter().find(|before| before.is_about(row)) else {
                wrong += 1;
                text += &format!(" {:>11} {each:>11.1}   new", "-");
                continue;
            };
            let ratio = each / before.per_node();
            text += &format!(" {:>11.1} {each:>11.1} {ratio:>7.4}", before.per_node());
            if before.nodes != row.nodes {
                text += &format!("   other nodes: {} before, {} now", before.nodes, row.nodes);
            }
            if ratio > most {
                wrong += 1;
                text += "   SLOWER";
            }
        }
        for gone in self.rows.iter().filter(|row| !now.rows.iter().any(|now| now.is_about(row))) {
            wrong += 1;
            text += &format!("\n{gone}   GONE");
        }
        (text, wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(search: &str, instructions: u64) -> Row {
        let [family, who, search] = ["go", "program", search].map(str::to_owned);
        Row { family, who, search, nodes: 1000, instructions }
    }

    #[test]
    fn tables_round_trip() -> Result<()> {
        let table = Table { rows: vec![row("playing", 123_456), row("proof", 7)] };
        assert_eq!(Table::read(&table.to_string())?, table);
        assert!(Table::read("head\ngo program playing 1 x 2").is_err());
        Ok(())
    }

    #[test]
    fn what_is_slower_new_or_gone_is_wrong() {
        let before = Table { rows: vec![row("playing", 100_000), row("proof", 100_000)] };
        assert_eq!(before.compare(&before, 1.01).1, 0);
        for (rows, wrong) in [
            (vec![row("playing", 101_000), row("proof", 90_000)], 0),
            (vec![row("playing", 101_100), row("proof", 90_000)], 1),
            (vec![row("playing", 100_000)], 1),
            (vec![row("playing", 100_000), row("proof", 100_000), row("solve", 1)], 1),
        ] {
            let (text, found) = before.compare(&Table { rows }, 1.01);
            assert_eq!(found, wrong, "{text}");
        }
    }
}
