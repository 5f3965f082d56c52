//! How fast generated engines are: what `forge` measured, the series in it, and one page of it all
//! with its numbers inside for the next report to compare with.

mod fit;
mod series;

use std::time::{SystemTime, UNIX_EPOCH};

use forge::{Measured, PlainTimes, Times};
use play::record::Date;
use serde::{Deserialize, Serialize};

use self::series::{FITTED, find};
use crate::html::{Page, Words, data_in};
use crate::platform::{load, processor};
use crate::plot::{Chart, Curve, PlotError, draw};

pub use fit::Fit;
pub use series::{Curves, Series, Varied};

/// Another version is not compared with.
const VERSION: u32 = 1;

/// Everything that was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpeedReport {
    version: u32,
    /// The machine's, if it tells.
    pub processor: Option<String>,
    /// When, and what else went on; reports of earlier versions do not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Conditions>,
    /// One after the other.
    pub engines: Vec<Measured>,
    /// Those that differ in one number only; worked out anew where a report is read.
    #[serde(skip_deserializing)]
    pub series: Vec<Series>,
}

/// When it was measured, and what else went on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// The day in Greenwich.
    pub date: String,
    /// The operating system and the kind of processor.
    pub platform: String,
    /// Processors there are.
    pub cores: usize,
    /// How many programs wanted to run in the last minute of it, if the system tells.
    pub load: Option<f64>,
}

/// An engine that is measured is one program that wants to run; more than this are others.
const IDLE: f64 = 1.5;

impl Conditions {
    fn now() -> Conditions {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let seconds = since.map_or(0, |since| since.as_secs().cast_signed());
        let Date { year, month, day } = Date::of_unix_time(seconds);
        Conditions {
            date: format!("{year}-{month:02}-{day:02}"),
            platform: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            load: load(),
        }
    }

    /// In one sentence or two.
    fn words(&self) -> String {
        let Conditions { date, platform, cores, load } = self;
        let load = load.map_or(String::new(), |load| match load > IDLE {
            true => format!(
                " The load was {load:.1}: other programs ran meanwhile, and times are not to be \
                 trusted."
            ),
            false => format!(" The load was {load:.1}."),
        });
        format!("Measured on {date}, {platform}, {cores} processors.{load}")
    }
}

/// Why a report cannot be read or shown. Prints as one line.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// It is something else, or has no numbers.
    #[error("this is no report of `zermelo measure` ({0})")]
    Foreign(serde_json::Error),
    /// It was written by another version.
    #[error("this is no report of `zermelo measure` (version {0}; {VERSION} is right)")]
    OtherVersion(u32),
    /// The numbers cannot be put into the page.
    #[error(transparent)]
    Numbers(serde_json::Error),
    /// A plot of it cannot be drawn.
    #[error(transparent)]
    Plot(#[from] PlotError),
}

impl SpeedReport {
    /// Of these engines.
    #[must_use]
    pub fn new(engines: Vec<Measured>) -> SpeedReport {
        SpeedReport {
            version: VERSION,
            processor: processor(),
            conditions: Some(Conditions::now()),
            series: find(&engines),
            engines,
        }
    }

    /// Reads a report from its page, or as `--json` writes it.
    ///
    /// # Errors
    /// If it is something else.
    pub fn read(text: &str) -> Result<SpeedReport, ReportError> {
        let data = data_in(text).unwrap_or(text);
        let report: SpeedReport = serde_json::from_str(data).map_err(ReportError::Foreign)?;
        match report.version {
            VERSION => Ok(SpeedReport { series: find(&report.engines), ..report }),
            other => Err(ReportError::OtherVersion(other)),
        }
    }

    /// What an engine of the same game took then.
    #[must_use]
    pub fn times_of(&self, game: &str) -> Option<&Times> {
        self.engines.iter().find(|engine| engine.game == game).map(|engine| &engine.times)
    }

    /// The page, with an earlier report to compare with.
    ///
    /// # Errors
    /// If something cannot be drawn.
    pub fn page(&self, before: Option<&SpeedReport>) -> Result<String, ReportError> {
        let mut page = Page::new("How fast these engines are");
        let machine =
            self.processor.as_deref().unwrap_or("a processor that does not tell its name");
        page.paragraph(&[
            Words::Plain(&format!(
                "{} engines on {machine}. All times are nanoseconds, measured inside the engines \
                 over whole games. ",
                self.engines.len()
            )),
            Words::Emphasised("plain"),
            Words::Plain(
                " is a board of squares and a walk in four directions, measured beside them.",
            ),
        ]);
        if let Some(conditions) = &self.conditions {
            page.paragraph(&[Words::Plain(&conditions.words())]);
        }
        self.add_table(&mut page, before);
        self.add_rules(&mut page);
        if !self.series.is_empty() {
            page.part("Series");
            page.paragraph(&[Words::Plain(
                "The line is drawn brown, the parabola green; R² says how much of the variation \
                 they explain: 1 is all of it.",
            )]);
        }
        for series in &self.series {
            self.add_series(&mut page, series)?;
        }
        Ok(page.finish(&serde_json::to_string(self).map_err(ReportError::Numbers)?))
    }

    fn add_table(&self, page: &mut Page, before: Option<&SpeedReport>) {
        let mut head = vec![
            "game",
            "games",
            "AI move",
            "win check",
            "plain",
            "move list",
            "plain",
            "random games/s",
            "nodes/s",
        ];
        if before.is_some() {
            head.extend(["AI move, then", "win check, then", "move list, then"]);
        }
        let row = |Measured { game, games, times, plain, .. }: &Measured| {
            let Times { ai_move, win_check, move_list, random_game, node } = *times;
            let PlainTimes { win_check: plain_check, move_list: plain_list } = *plain;
            let mut cells = vec![game.clone(), games.to_string()];
            cells.extend([ai_move, win_check, plain_check, move_list, plain_list].map(show));
            cells.extend([random_game, node].map(per_second));
            if let Some(before) = before {
                let then = before.times_of(game);
                let ratio =
                    |(_, time): &(_, fn(&Times) -> f64)| compare(time(times), then.map(time));
                cells.extend(FITTED.iter().map(ratio));
            }
            cells
        };
        page.part("Engines");
        page.table(&head, &self.engines.iter().map(row).collect::<Vec<_>>());
    }

    /// Games that there are with both rules of winning.
    fn add_rules(&self, page: &mut Page) {
        let mut rows = Vec::new();
        for exact in self.engines.iter().filter(|engine| engine.game.contains(",win=exact")) {
            let more = exact.game.replace(",win=exact", "");
            let Some(times) = self.times_of(&more) else { continue };
            let mut row = vec![more.clone()];
            for (_, time) in FITTED {
                let [more, exact] = [time(times), time(&exact.times)];
                row.extend([show(more), show(exact), compare(exact, Some(more))]);
            }
            rows.push(row);
        }
        if rows.is_empty() {
            return;
        }
        let mut head = vec!["game".to_owned()];
        for (what, _) in FITTED {
            head.extend([format!("{what}, k or more"), "exactly k".to_owned(), "ratio".to_owned()]);
        }
        page.part("The rule of winning");
        page.table(&head, &rows);
    }

    fn add_series(&self, page: &mut Page, series: &Series) -> Result<(), PlotError> {
        let Series { parameter, fixed, curves, .. } = series;
        let name = parameter.name();
        page.section(&format!("{name}, with {fixed}"));
        let mut plots = Vec::new();
        for ((what, time), curves) in FITTED.iter().zip(curves) {
            plots.push(plot(what, name, &series.in_plane(&self.engines, *time), curves)?);
        }
        page.drawings(&plots);
        let tells = self.conditions.is_some();
        let row = |Curves { what, linear, quadratic }: &Curves| {
            let cells = [linear, quadratic].map(|fit| match fit {
                Some(fit) => [formula(fit, name, tells), format!("{:.3}", fit.r_squared)],
                None => ["–".to_owned(), "–".to_owned()],
            });
            [what.clone()].into_iter().chain(cells.into_iter().flatten()).collect()
        };
        let rows: Vec<Vec<String>> = curves.iter().map(row).collect();
        page.table(&["", "line", "R²", "parabola", "R²"], &rows);
        Ok(())
    }
}

/// A scatter of points with the curves through it.
fn plot(
    what: &str,
    x_name: &str,
    points: &[(f64, f64)],
    curves: &Curves,
) -> Result<String, PlotError> {
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

/// A curve as people write it, with the errors of its numbers if they are wanted.
fn formula(fit: &Fit, x: &str, errors: bool) -> String {
    let x = x.split(' ').next().unwrap_or(x);
    let term = |(power, (coefficient, error)): (usize, (&f64, &f64))| {
        let error = if errors { format!("±{error:.2}") } else { String::new() };
        match power {
            0 => format!("{coefficient:.3}{error}"),
            1 => format!("{coefficient:+.3}{error}·{x}"),
            _ => format!("{coefficient:+.4}{error}·{x}²"),
        }
    };
    let terms = fit.coefficients.iter().zip(&fit.errors).enumerate().map(term);
    terms.collect::<Vec<_>>().join(" ")
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

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> SpeedReport {
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
            plain: PlainTimes { win_check: 30.0, move_list: 300.0 },
        };
        let sizes = 5..=10;
        SpeedReport::new(
            sizes.map(|size| engine(size, "")).chain([engine(5, ",win=exact")]).collect(),
        )
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
    fn a_busy_machine_is_told() {
        let words = |load| {
            let conditions = Conditions { load: Some(load), ..Conditions::now() };
            let report = SpeedReport { conditions: Some(conditions), ..report() };
            report.page(None).unwrap()
        };
        assert!(words(7.5).contains("The load was 7.5: other programs ran meanwhile"));
        assert!(words(0.9).contains("The load was 0.9.") && !words(0.9).contains("trusted"));
        assert!(words(0.9).contains("±"));
    }

    #[test]
    fn a_page_is_read_again() {
        let report = report();
        let json = serde_json::to_string(&report).unwrap();
        for text in [report.page(None).unwrap(), json] {
            let again = SpeedReport::read(&text).unwrap();
            assert_eq!(again.engines, report.engines);
            assert_eq!(again.series.len(), report.series.len());
        }
        for wrong in ["", "{}", "<html></html>", "{\"version\":2,\"engines\":[],\"series\":[]}"] {
            let why = SpeedReport::read(wrong).unwrap_err().to_string();
            assert!(why.starts_with("this is no report") && !why.contains('\n'), "{why}");
        }
    }

    /// A page of an earlier version is read, and written again to the letter.
    #[test]
    fn a_page_is_what_it_was() {
        let old = include_str!("../../../../tests/old/lists/measured.html");
        let new = SpeedReport::read(old).unwrap().page(None).unwrap();
        // But for last digits of its numbers, which are not shown.
        let [old, new] = [old, &new].map(|page| page.split_once("<script").unwrap().0);
        assert!(old == new, "{new}");
    }
}
