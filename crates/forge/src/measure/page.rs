//! [`Report`]: what was measured as one page that needs nothing else, with its numbers inside for the next report to compare with.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::fit::Fit;
use super::series::{Curves, FITTED, Series, find};
use super::{Measured, Plain, Times};
use crate::platform::processor;
use crate::plot::{Chart, Curve, draw};

/// Another version is not compared with.
const VERSION: u32 = 1;
/// Where the numbers begin in a page, and where they end.
const DATA: [&str; 2] = ["<script type=\"application/json\" id=\"data\">", "</script>"];

/// Everything that was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    version: u32,
    /// The machine's, if it tells.
    pub processor: Option<String>,
    /// One after the other.
    pub engines: Vec<Measured>,
    /// Those that differ in one number only; worked out anew where a report is read.
    #[serde(skip_deserializing)]
    pub series: Vec<Series>,
}

/// Reads a report from its page, or as `--json` writes it.
///
/// # Errors
/// In one line.
pub fn read_report(text: &str) -> Result<Report, String> {
    let [begin, end] = DATA;
    let inside = text.split_once(begin).and_then(|(_, rest)| rest.split_once(end));
    let data = inside.map_or(text, |(data, _)| data);
    let no = |why: String| format!("this is no report of `zermelo measure` ({why})");
    let report: Report = serde_json::from_str(data).map_err(|e| no(e.to_string()))?;
    match report.version {
        VERSION => Ok(Report { series: find(&report.engines), ..report }),
        other => Err(no(format!("version {other}; {VERSION} is right"))),
    }
}

impl Report {
    /// Of these engines.
    #[must_use]
    pub fn new(engines: Vec<Measured>) -> Report {
        Report { version: VERSION, processor: processor(), series: find(&engines), engines }
    }

    /// What an engine of the same game took then.
    #[must_use]
    pub fn times_of(&self, game: &str) -> Option<&Times> {
        self.engines.iter().find(|engine| engine.game == game).map(|engine| &engine.times)
    }

    /// The page, with an earlier report to compare with.
    ///
    /// # Errors
    /// In one line, if something cannot be drawn.
    pub fn page(&self, before: Option<&Report>) -> Result<String, String> {
        let mut page = format!("{HEAD}<h1>How fast these engines are</h1>\n");
        let machine =
            self.processor.as_deref().unwrap_or("a processor that does not tell its name");
        let _ = writeln!(
            page,
            "<p>{} engines on {}. All times are nanoseconds, measured inside the engines over whole games. <i>plain</i> is a \
             board of squares and a walk in four directions, measured beside them.</p>",
            self.engines.len(),
            escape(machine)
        );
        page += &self.table(before);
        page += &self.rules();
        if !self.series.is_empty() {
            page += "<h2>Series</h2>\n<p>The line is drawn brown, the parabola green; R² says how much of the variation they explain: 1 is all of it.</p>\n";
        }
        for series in &self.series {
            page += &self.section(series)?;
        }
        let data = serde_json::to_string(self).map_err(|e| e.to_string())?.replace("</", "<\\/");
        let [begin, end] = DATA;
        let _ = writeln!(page, "{begin}{data}{end}\n</html>");
        Ok(page)
    }

    fn table(&self, before: Option<&Report>) -> String {
        let mut text = String::from(
            "<h2>Engines</h2>\n<div><table><tr><th>game</th><th>games</th><th>AI move</th><th>win check</th><th>plain</th>\
             <th>move list</th><th>plain</th><th>random games/s</th><th>nodes/s</th>",
        );
        if before.is_some() {
            text += "<th>AI move, then</th><th>win check, then</th><th>move list, then</th>";
        }
        text += "</tr>\n";
        for Measured { game, games, times, plain, .. } in &self.engines {
            let Times { ai_move, win_check, move_list, random_game, node } = *times;
            let Plain { win_check: plain_check, move_list: plain_list } = *plain;
            let mut cells: Vec<String> =
                [ai_move, win_check, plain_check, move_list, plain_list].map(show).to_vec();
            cells.extend([random_game, node].map(per_second));
            if let Some(before) = before {
                let then = before.times_of(game);
                let ratio =
                    |(_, time): &(_, fn(&Times) -> f64)| compare(time(times), then.map(time));
                cells.extend(FITTED.iter().map(ratio));
            }
            let cells: String = cells.iter().map(|cell| format!("<td>{cell}</td>")).collect();
            let _ = writeln!(text, "<tr><th>{}</th><td>{games}</td>{cells}</tr>", escape(game));
        }
        text + "</table></div>\n"
    }

    /// Games that there are with both rules of winning.
    fn rules(&self) -> String {
        let mut rows = String::new();
        for exact in self.engines.iter().filter(|engine| engine.game.contains(",win=exact")) {
            let more = exact.game.replace(",win=exact", "");
            if let Some(times) = self.times_of(&more) {
                let both = FITTED.map(|(_, time)| {
                    let [more, exact] = [time(times), time(&exact.times)];
                    format!(
                        "<td>{}</td><td>{}</td><td>{}</td>",
                        show(more),
                        show(exact),
                        compare(exact, Some(more))
                    )
                });
                let _ = writeln!(rows, "<tr><th>{}</th>{}</tr>", escape(&more), both.concat());
            }
        }
        if rows.is_empty() {
            return rows;
        }
        let names = FITTED
            .map(|(what, _)| format!("<th>{what}, k or more</th><th>exactly k</th><th>ratio</th>"));
        format!(
            "<h2>The rule of winning</h2>\n<div><table><tr><th>game</th>{}</tr>\n{rows}</table></div>\n",
            names.concat()
        )
    }

    fn section(&self, series: &Series) -> Result<String, String> {
        let Series { parameter, fixed, curves, .. } = series;
        let mut text = format!(
            "<h3>{}, with {}</h3>\n<div class=\"plots\">\n",
            parameter.name(),
            escape(fixed)
        );
        for ((what, time), curves) in FITTED.iter().zip(curves) {
            let points = series.in_plane(&self.engines, *time);
            text += &plot(what, parameter.name(), &points, curves)?;
        }
        text += "</div>\n<div><table><tr><th></th><th>line</th><th>R²</th><th>parabola</th><th>R²</th></tr>\n";
        for Curves { what, linear, quadratic } in curves {
            let cells = [linear, quadratic].map(|fit| match fit {
                Some(fit) => {
                    format!(
                        "<td>{}</td><td>{:.3}</td>",
                        formula(fit, parameter.name()),
                        fit.r_squared
                    )
                }
                None => "<td>–</td><td>–</td>".to_owned(),
            });
            let _ = writeln!(text, "<tr><th>{what}</th>{}</tr>", cells.concat());
        }
        Ok(text + "</table></div>\n")
    }
}

/// A scatter of points with the curves through it.
fn plot(
    what: &str,
    x_name: &str,
    points: &[(f64, f64)],
    curves: &Curves,
) -> Result<String, String> {
    const SIZE: (u32, u32) = (400, 270);
    const STEPS: i32 = 60;
    const LINEAR: (u8, u8, u8) = (190, 110, 0);
    const QUADRATIC: (u8, u8, u8) = (0, 120, 90);
    const POINTS: (u8, u8, u8) = (30, 60, 160);
    let least = points.iter().map(|&(x, _)| x).fold(f64::MAX, f64::min);
    let last = points.iter().map(|&(x, _)| x).fold(f64::MIN, f64::max);
    let steps = (0..=STEPS).map(|n| least + (last - least) * f64::from(n) / f64::from(STEPS));
    let through = |fit: &Option<Fit>, colour| {
        let points = fit.as_ref().map(|fit| steps.clone().map(|x| (x, fit.at(x))).collect());
        points.map(|points| Curve { points, colour, line: true, ..Curve::default() })
    };
    let fits = [through(&curves.linear, LINEAR), through(&curves.quadratic, QUADRATIC)];
    let scatter = Curve { points: points.to_vec(), colour: POINTS, dots: true, ..Curve::default() };
    let chart = Chart {
        title: what.to_owned(),
        x_name: x_name.to_owned(),
        y_name: "ns".to_owned(),
        curves: fits.into_iter().flatten().chain([scatter]).collect(),
        ..Chart::default()
    };
    draw(&[chart], SIZE)
}

/// A curve as people write it.
fn formula(fit: &Fit, x: &str) -> String {
    let x = x.split(' ').next().unwrap_or(x);
    let term = |(power, coefficient): (usize, &f64)| match power {
        0 => format!("{coefficient:.3}"),
        1 => format!("{coefficient:+.3}·{x}"),
        _ => format!("{coefficient:+.4}·{x}²"),
    };
    fit.coefficients.iter().enumerate().map(term).collect::<Vec<_>>().join(" ")
}

/// Three digits or so.
fn show(nanoseconds: f64) -> String {
    match nanoseconds {
        small if small < 10.0 => format!("{small:.2}"),
        middle if middle < 100.0 => format!("{middle:.1}"),
        large => format!("{large:.0}"),
    }
}

fn per_second(nanoseconds: Option<f64>) -> String {
    let rate = nanoseconds.filter(|&time| time > 0.0).map(|time| 1e9 / time);
    rate.map_or("–".to_owned(), |rate| match rate {
        low if low < 10_000.0 => format!("{low:.0}"),
        middle if middle < 1e6 => format!("{:.0} 000", middle / 1e3),
        high => format!("{:.2} million", high / 1e6),
    })
}

/// How many times as long as then.
fn compare(now: f64, then: Option<f64>) -> String {
    let ratio = then.filter(|&then| then > 0.0).map(|then| now / then);
    ratio.map_or("–".to_owned(), |ratio| format!("× {ratio:.2}"))
}

/// Text as it stands in HTML and XML.
#[must_use]
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<title>How fast these engines are</title>
<style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 80rem; margin: 2rem auto; padding: 0 1rem }
div { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { padding: .15rem .6rem; text-align: right; border-bottom: 1px solid #8884 }
th:first-child { text-align: left; font-weight: 500 }
.plots { display: flex; flex-wrap: wrap; gap: .5rem }
svg { border-radius: 4px }
</style>
";

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        let engine = |size: usize, win: &str| Measured {
            engine: format!("engines/<{size}>"),
            game: format!("mnk:{size}x{size},k=4{win}"),
            games: 10,
            times: Times {
                ai_move: 10.0 * size as f64,
                win_check: 3.0,
                move_list: (size * size) as f64,
                random_game: Some(500.0),
                node: None,
            },
            plain: Plain { win_check: 30.0, move_list: 300.0 },
        };
        let sizes = 5..=10;
        Report::new(sizes.map(|size| engine(size, "")).chain([engine(5, ",win=exact")]).collect())
    }

    #[test]
    fn a_page_shows_tables_plots_and_ratios() {
        let report = report();
        let page = report.page(Some(&report)).unwrap();
        assert_eq!(page.matches("<svg").count(), 3);
        assert!(page.contains("<th>mnk:7x7,k=4</th>"), "{page}");
        assert!(page.contains("× 1.00") && page.contains("2.00 million"));
        assert!(page.contains("<h2>The rule of winning</h2>"));
        assert!(
            !page.contains("http://") || page.contains("http://www.w3.org"),
            "nothing is loaded"
        );
    }

    #[test]
    fn a_page_is_read_again() {
        let report = report();
        let json = serde_json::to_string(&report).unwrap();
        for text in [report.page(None).unwrap(), json] {
            let again = read_report(&text).unwrap();
            assert_eq!(again.engines, report.engines);
            assert_eq!(again.series.len(), report.series.len());
        }
        for wrong in ["", "{}", "<html></html>", "{\"version\":2,\"engines\":[],\"series\":[]}"] {
            let why = read_report(wrong).unwrap_err();
            assert!(why.starts_with("this is no report") && !why.contains('\n'), "{why}");
        }
    }
}
