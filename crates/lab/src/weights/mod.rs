//! What weights of an evaluation mean to people: a [`Priority`] in one of five words, bars, a plot
//! of whole sheets, and what several sessions of tuning agree on.

mod findings;

use std::fmt::{self, Write as _};

use evaluation::weights::Sheet;

use crate::html::escape;

pub use findings::{Apartness, Average, Findings, FindingsError, apart};

/// How much a feature counts, compared with the one that counts most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// Much, against who has it.
    HighNegative,
    /// Something, against who has it.
    MediumNegative,
    /// Next to nothing.
    Low,
    /// Something, for who has it.
    MediumPositive,
    /// Much, for who has it.
    HighPositive,
}

impl Priority {
    /// From this share of the largest weight on a priority is medium. With
    /// [`HIGH`](Priority::HIGH) it cuts the range from the largest weight down to its opposite into
    /// five equal parts.
    pub const MEDIUM: f64 = 0.2;
    /// From this share on it is high.
    pub const HIGH: f64 = 0.6;

    /// All of them, the highest first.
    pub const ALL: [Priority; 5] = [
        Priority::HighPositive,
        Priority::MediumPositive,
        Priority::Low,
        Priority::MediumNegative,
        Priority::HighNegative,
    ];

    /// Of a weight among others, the largest of which has this size.
    #[must_use]
    pub fn of(weight: f64, largest: f64) -> Priority {
        let share = if largest > 0.0 { weight / largest } else { 0.0 };
        match share {
            share if share >= Priority::HIGH => Priority::HighPositive,
            share if share >= Priority::MEDIUM => Priority::MediumPositive,
            share if share > -Priority::MEDIUM => Priority::Low,
            share if share > -Priority::HIGH => Priority::MediumNegative,
            _ => Priority::HighNegative,
        }
    }

    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Priority::HighPositive => "high positive",
            Priority::MediumPositive => "medium positive",
            Priority::Low => "low",
            Priority::MediumNegative => "medium negative",
            Priority::HighNegative => "high negative",
        }
    }
}

impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Half the width of a bar in characters.
const HALF: usize = 16;

/// A bar to either side of a line in the middle, whole at `largest`.
#[must_use]
pub fn bar(weight: f64, largest: f64) -> String {
    let share = if largest > 0.0 { (weight / largest).clamp(-1.0, 1.0) } else { 0.0 };
    let length = (share.abs() * HALF as f64).round() as usize;
    let (filled, empty) = ("#".repeat(length), " ".repeat(HALF - length));
    let blank = " ".repeat(HALF);
    if share < 0.0 {
        format!("{empty}{filled}|{blank}")
    } else {
        format!("{blank}|{filled}{empty}")
    }
}

/// Sheets side by side as a picture: each weight a row, each sheet a bar in it. All have the names
/// of the first.
#[must_use]
pub fn plot(titles: &[String], sheets: &[Sheet]) -> String {
    let Some(first) = sheets.first() else { return String::new() };
    let most = sheets.iter().map(Sheet::largest).fold(1.0, f64::max);
    let top = 34 + ROW * titles.len();
    let height = top + ROW * first.entries.len() + 10;
    let width = LEFT + WIDE + 70;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"10\" y=\"20\" font-size=\"15\">{} of {}, whole bars are {most}</text>\n",
        escape(&first.evaluation),
        escape(&first.game),
    );
    for (i, title) in titles.iter().enumerate() {
        let (y, colour, title) = (38 + ROW * i, colour(i), escape(title));
        let _ = writeln!(
            svg,
            "<rect x=\"10\" y=\"{}\" width=\"10\" height=\"10\" fill=\"{colour}\"/>\
             <text x=\"26\" y=\"{y}\">{title}</text>",
            y - 10,
        );
    }
    for (row, entry) in first.entries.iter().enumerate() {
        let y = top + ROW * row;
        let _ = writeln!(svg, "<text x=\"10\" y=\"{}\">{}</text>", y + 12, escape(&entry.name));
        let values = sheets.iter().map(|sheet| sheet.entries.get(row).map_or(0, |e| e.value));
        svg += &bars(&values.map(f64::from).collect::<Vec<_>>(), most, y);
    }
    let _ = writeln!(
        svg,
        "<line x1=\"{MIDDLE}\" x2=\"{MIDDLE}\" y1=\"{top}\" y2=\"{height}\" stroke=\"black\"/>\n\
         </svg>"
    );
    svg
}

/// Measures of the picture, in pixels: how high a row is, how wide the names and the bars are.
const ROW: usize = 18;
const LEFT: usize = 260;
const WIDE: usize = 480;
/// Where bars begin.
const MIDDLE: usize = LEFT + WIDE / 2;

fn colour(sheet: usize) -> &'static str {
    const COLOURS: [&str; 4] = ["#1b6e8c", "#c8553d", "#588157", "#7a5195"];
    COLOURS[sheet % COLOURS.len()]
}

/// The bars of a row, below each other.
fn bars(values: &[f64], most: f64, y: usize) -> String {
    let mut svg = String::new();
    let thick = (ROW - 4) / values.len().max(1);
    for (i, value) in values.iter().enumerate() {
        let length = (value / most).clamp(-1.0, 1.0) * WIDE as f64 / 2.0;
        let x = MIDDLE as f64 + length.min(0.0);
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{}\" width=\"{:.1}\" height=\"{}\" fill=\"{}\">\
             <title>{value}</title></rect>",
            y + 2 + thick * i,
            length.abs(),
            thick.max(1),
            colour(i)
        );
    }
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_cut_the_range_into_five() {
        let words = [100, 60, 59, 20, 19, 0, -19, -20, -59, -60, -100]
            .map(|weight| Priority::of(f64::from(weight), 100.0).name());
        let [high, medium, low] = ["high positive", "medium positive", "low"];
        let [less, least] = ["medium negative", "high negative"];
        assert_eq!(words, [high, high, medium, medium, low, low, low, less, less, least, least]);
        assert_eq!(Priority::of(3.0, 0.0), Priority::Low);
    }

    #[test]
    fn bars_go_to_either_side() {
        assert_eq!(bar(10.0, 10.0), format!("{}|{}", " ".repeat(16), "#".repeat(16)));
        assert_eq!(
            bar(-5.0, 10.0),
            format!("{}{}|{}", " ".repeat(8), "#".repeat(8), " ".repeat(16))
        );
        assert_eq!(bar(0.0, 0.0).trim(), "|");
    }
}
