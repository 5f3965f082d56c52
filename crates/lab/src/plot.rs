//! [`draw`]: numbers as SVG, for reports and for whoever asks a command for a plot.

use plotters::coord::Shift;
use plotters::prelude::*;

/// A plane with curves in it.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    /// Above it.
    pub title: String,
    /// Below it.
    pub x_name: String,
    /// Beside it.
    pub y_name: String,
    /// Whether heights are decimal logarithms: then labels tell the numbers themselves, and the
    /// axis need not begin at 0.
    pub logarithms: bool,
    /// In the order in which they are drawn.
    pub curves: Vec<Curve>,
}

/// Points that belong together.
#[derive(Clone, Debug, Default)]
pub struct Curve {
    /// In the legend; without a name it is not there.
    pub name: String,
    /// From left to right.
    pub points: Vec<(f64, f64)>,
    /// Red, green and blue.
    pub colour: (u8, u8, u8),
    /// Whether they are marked.
    pub dots: bool,
    /// Whether they are joined by a line.
    pub line: bool,
}

/// Colours that are told apart by most eyes (Okabe and Ito 2008), without yellow, which is too
/// light on white.
pub const COLOURS: [(u8, u8, u8); 7] = [
    (0, 114, 178),
    (213, 94, 0),
    (0, 158, 115),
    (204, 121, 167),
    (0, 0, 0),
    (230, 159, 0),
    (86, 180, 233),
];

/// Why a plot was not drawn. Prints as one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a plot cannot be drawn: {0}")]
pub struct PlotError(String);

/// Charts side by side, each of this size.
///
/// # Errors
/// If numbers of it cannot be placed.
pub fn draw(charts: &[Chart], (width, height): (u32, u32)) -> Result<String, PlotError> {
    let mut svg = String::new();
    {
        let all = width * charts.len().max(1) as u32;
        let root = SVGBackend::with_string(&mut svg, (all, height)).into_drawing_area();
        let cannot = |error: Failed<'_>| PlotError(error.to_string());
        root.fill(&WHITE).map_err(cannot)?;
        for (chart, area) in charts.iter().zip(root.split_evenly((1, charts.len().max(1)))) {
            chart.draw(&area).map_err(cannot)?;
        }
        root.present().map_err(cannot)?;
    }
    Ok(svg)
}

type Failed<'a> = DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>;

impl Chart {
    fn draw<'a>(&self, area: &DrawingArea<SVGBackend<'a>, Shift>) -> Result<(), Failed<'a>> {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let least = |of: fn(&(f64, f64)) -> f64| points().map(of).fold(f64::MAX, f64::min);
        let most = |of: fn(&(f64, f64)) -> f64| points().map(of).fold(f64::MIN, f64::max);
        let (mut first, mut last) = (least(|p| p.0), most(|p| p.0));
        let (mut lowest, mut highest) = (least(|p| p.1), most(|p| p.1));
        if points().next().is_none() {
            (first, last, lowest, highest) = (0.0, 1.0, 0.0, 1.0);
        }
        let margin = ((last - first) * 0.04).max(1e-3);
        let heights = match self.logarithms {
            true => lowest.floor()..highest.ceil().max(lowest.floor() + 1.0),
            false => 0.0..highest.max(1e-3) * 1.1,
        };
        let mut chart = ChartBuilder::on(area)
            .caption(&self.title, ("sans-serif", 16))
            .margin(8)
            .x_label_area_size(34)
            .y_label_area_size(56)
            .build_cartesian_2d(first - margin..last + margin, heights)?;
        let label = |y: &f64| if self.logarithms { power_of_ten(*y) } else { three_digits(*y) };
        chart
            .configure_mesh()
            .light_line_style(WHITE)
            .x_desc(&self.x_name)
            .y_desc(&self.y_name)
            .x_label_formatter(&|x| three_digits(*x))
            .y_label_formatter(&label)
            .draw()?;
        for Curve { name, points, colour: (red, green, blue), dots, line } in &self.curves {
            let colour = RGBColor(*red, *green, *blue);
            if *line {
                let series = LineSeries::new(points.iter().copied(), colour.stroke_width(2));
                let drawn = chart.draw_series(series)?;
                if !name.is_empty() {
                    drawn.label(name).legend(move |(x, y)| {
                        PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2))
                    });
                }
            }
            if *dots {
                let dots = points.iter().map(|&point| Circle::new(point, 3, colour.filled()));
                chart.draw_series(dots)?;
            }
        }
        if self.curves.iter().any(|curve| !curve.name.is_empty()) {
            chart
                .configure_series_labels()
                .position(SeriesLabelPosition::UpperLeft)
                .background_style(WHITE.mix(0.8))
                .draw()?;
        }
        Ok(())
    }
}

/// A number rounded to three significant digits, without an exponent.
#[must_use]
pub fn three_digits(number: f64) -> String {
    match number {
        whole if whole == whole.round() && whole.abs() < 1e6 => format!("{whole}"),
        small if small.abs() < 10.0 => format!("{small:.2}"),
        middle if middle.abs() < 100.0 => format!("{middle:.1}"),
        large => format!("{large:.0}"),
    }
}

/// What has this logarithm, as the label of an axis.
fn power_of_ten(logarithm: f64) -> String {
    if (-3.0..6.0).contains(&logarithm) {
        return three_digits(10f64.powf(logarithm));
    }
    match logarithm == logarithm.round() {
        true => format!("10^{logarithm}"),
        false => format!("10^{logarithm:.1}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_stand_side_by_side_with_their_legends() {
        let curve = |name: &str| Curve {
            name: name.to_owned(),
            points: vec![(1.0, 2.0), (2.0, 4.0)],
            colour: COLOURS[0],
            dots: true,
            line: true,
        };
        let chart = |title: &str, logarithms| Chart {
            title: title.to_owned(),
            x_name: "empty squares".to_owned(),
            y_name: "nodes".to_owned(),
            logarithms,
            curves: vec![curve("alpha & beta"), curve("")],
        };
        let svg = draw(&[chart("left", false), chart("right", true)], (400, 300)).unwrap();
        assert!(svg.starts_with("<svg width=\"800\" height=\"300\""), "{svg}");
        for text in ["left", "right", "empty squares", "alpha &amp; beta", "100"] {
            assert!(svg.contains(text), "{text}");
        }
        assert_eq!(svg.matches("<circle").count(), 8);
    }

    #[test]
    fn nothing_is_drawn_as_an_empty_plane() {
        assert!(draw(&[Chart::default()], (100, 100)).unwrap().contains("<svg"));
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(
            [0.0, 3.0, 1.234, 56.78, 1234.5].map(three_digits),
            ["0", "3", "1.23", "56.8", "1234"]
        );
        assert_eq!([-1.0, 2.0, 7.0, 53.4].map(power_of_ten), ["0.10", "100", "10^7", "10^53.4"]);
    }
}
