//! [`BarChart`]: numbers of things that have names, as SVG: a line for each, panels side by side.

use std::fmt::Write;

use crate::plot::{COLOURS, three_digits};

/// A table of bars. What is named stands once, on the left.
#[derive(Clone, Debug, Default)]
pub struct BarChart {
    /// One for each line.
    pub names: Vec<String>,
    /// From left to right.
    pub panels: Vec<BarPanel>,
}

/// One number for each line, perhaps the sum of several.
#[derive(Clone, Debug, Default)]
pub struct BarPanel {
    /// Above it.
    pub title: String,
    /// What the parts of a bar are called; none if there is one.
    pub parts: Vec<String>,
    /// The parts of each bar.
    pub bars: Vec<Vec<f64>>,
}

const LINE: usize = 24;
const TOP: usize = 62;
const NAMES: usize = 300;
const PANEL: usize = 250;
const GAP: usize = 90;

impl BarChart {
    /// As SVG.
    #[must_use]
    pub fn draw(&self) -> String {
        let width = NAMES + self.panels.len() * (PANEL + GAP);
        let height = TOP + self.names.len() * LINE + 12;
        let mut svg = format!(
            "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\" font-size=\"13\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n"
        );
        for (nth, name) in self.names.iter().enumerate() {
            text(&mut svg, NAMES - 12, line_at(nth) + 14, "end", name);
        }
        for (nth, panel) in self.panels.iter().enumerate() {
            panel.draw(&mut svg, NAMES + nth * (PANEL + GAP));
        }
        svg.push_str("</svg>\n");
        svg
    }
}

impl BarPanel {
    fn draw(&self, svg: &mut String, left: usize) {
        text(svg, left, 20, "start", &self.title);
        let mut at = left;
        for (part, colour) in self.parts.iter().zip(COLOURS) {
            rectangle(svg, (at as f64, 34), (10.0, 10), colour);
            text(svg, at + 14, 44, "start", part);
            at += 30 + part.chars().count() * 7;
        }
        let sums = self.bars.iter().map(|bar| bar.iter().sum::<f64>());
        let most = sums.fold(0.0, f64::max).max(1e-9);
        for (nth, bar) in self.bars.iter().enumerate() {
            let mut x = left as f64;
            for (&number, colour) in bar.iter().zip(COLOURS) {
                let wide = number.max(0.0) / most * PANEL as f64;
                rectangle(svg, (x, line_at(nth) + 3), (wide, LINE - 8), colour);
                x += wide;
            }
            let numbers: Vec<String> =
                bar.iter().map(|number| three_digits((number * 10.0).round() / 10.0)).collect();
            let last = if bar.len() > 2 { &numbers[..1] } else { &numbers[..] };
            text(svg, x as usize + 5, line_at(nth) + 14, "start", &last.join(" + "));
        }
    }
}

fn line_at(nth: usize) -> usize {
    TOP + nth * LINE
}

fn rectangle(
    svg: &mut String,
    (x, y): (f64, usize),
    (width, height): (f64, usize),
    (red, green, blue): (u8, u8, u8),
) {
    // Nothing can go wrong when a string is written to.
    let _ = writeln!(
        svg,
        "<rect x=\"{x:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"{height}\" \
         fill=\"#{red:02x}{green:02x}{blue:02x}\"/>"
    );
}

fn text(svg: &mut String, x: usize, y: usize, anchor: &str, words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\">{words}</text>");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_has_its_name_and_its_bars() {
        let panel = |title: &str, parts: &[&str], bars: Vec<Vec<f64>>| BarPanel {
            title: title.to_owned(),
            parts: parts.iter().map(|&part| part.to_owned()).collect(),
            bars,
        };
        let chart = BarChart {
            names: vec!["honest & quick".to_owned(), "liars".to_owned()],
            panels: vec![
                panel("days", &["crowd", "audit"], vec![vec![3.0, 1.0], vec![6.0, 2.0]]),
                panel("false", &[], vec![vec![0.0], vec![7.0]]),
            ],
        };
        let svg = chart.draw();
        assert!(svg.starts_with("<svg width=\"980\" height=\"122\""), "{svg}");
        for words in ["honest &amp; quick", ">liars<", ">days<", ">audit<", ">6 + 2<", ">7<"] {
            assert!(svg.contains(words), "{words}: {svg}");
        }
        // The longest bar takes all of its panel, in parts.
        assert!(svg.contains("width=\"187.5\"") && svg.contains("width=\"62.5\""), "{svg}");
        // The ground, two legends, and a rectangle for each number.
        assert_eq!(svg.matches("<rect").count(), 1 + 2 + 6);
    }
}
