//! [`Arguments`]: what stands after the colon of a game's name, read as the family declares it.

use std::fmt;

use crate::family::{BoardSizes, Family, Keyword, Omitted, Parameter, ParameterKind};
use crate::grid::{Grid, Square};
use crate::shown::quote;
use crate::spec::{Argument, SIZE, Spec};
use crate::text_error::TextError;

/// The arguments of a spec. Each way to read one takes range, words and default from the parameter's declaration:
/// what is left out and has no default is an error.
///
/// # Panics
/// All of them if the family declares no parameter of this name and kind: that is a mistake in its code, which
/// reading any of its games shows.
#[derive(Debug)]
pub struct Arguments<'s> {
    spec: &'s Spec,
    family: &'s Family,
}

impl<'s> Arguments<'s> {
    pub(crate) fn new(spec: &'s Spec, family: &'s Family) -> Arguments<'s> {
        Arguments { spec, family }
    }

    /// Whether it was given, rightly or not.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.spec.argument(key).is_some()
    }

    /// Reads an argument if it was given.
    pub fn given<T>(
        &self,
        key: &str,
        read: impl FnOnce(&Self, &str) -> Result<T, TextError>,
    ) -> Result<Option<T>, TextError> {
        self.has(key).then(|| read(self, key)).transpose()
    }

    /// `rows x columns`.
    pub fn size(&self) -> Result<Grid, TextError> {
        let (parameter, text) = self.text_of(SIZE)?;
        let ParameterKind::Size(sizes) = parameter.kind else { self.undeclared(SIZE) };
        let grid = Grid::read_size(text).map_err(|e| self.spec.error(e.why()))?;
        let Grid { rows, columns } = grid;
        if sizes.contains(rows, columns) {
            return Ok(grid);
        }
        Err(self.spec.error(match sizes {
            BoardSizes::Between(..) => format!("{text} is outside {sizes}"),
            BoardSizes::Each(_) => {
                format!("the sides of a board are {sizes}, not {rows}x{columns}")
            }
            BoardSizes::Square(_) => format!("boards are {sizes}, not {rows}x{columns}"),
        }))
    }

    /// `key=number`.
    pub fn number(&self, key: &str) -> Result<usize, TextError> {
        self.number_up_to(key, usize::MAX)
    }

    /// `key=number` where the other arguments set a limit below the declared one.
    pub fn number_up_to(&self, key: &str, most: usize) -> Result<usize, TextError> {
        let (parameter, text) = self.text_of(key)?;
        let ParameterKind::Number { low, high } = parameter.kind else { self.undeclared(key) };
        let high = high.min(most);
        let number = digits(text).filter(|n| (low..=high).contains(n));
        number.ok_or_else(|| self.wrong(key, format_args!("a number from {low} to {high}"), text))
    }

    /// `key=number`, a multiple of one half; as so many halves.
    pub fn halves(&self, key: &str) -> Result<i32, TextError> {
        let (parameter, text) = self.text_of(key)?;
        let ParameterKind::Halves { most } = parameter.kind else { self.undeclared(key) };
        read_halves(text, most).ok_or_else(|| {
            let example = parameter.kind.example();
            let right = format_args!("a number from -{most} to {most} in halves, as in {example}");
            self.wrong(key, right, text)
        })
    }

    /// `key=word`: what the table of the parameter's words says that it means.
    pub fn choice<T: Copy>(&self, key: &str, table: &[(Keyword, T)]) -> Result<T, TextError> {
        let (parameter, text) = self.text_of(key)?;
        let ParameterKind::Choice { words } = parameter.kind else { self.undeclared(key) };
        debug_assert!(words.iter().eq(table.iter().map(|(word, _)| word)), "{key}");
        let found = table.iter().find(|(word, _)| word.name == text);
        found.map(|&(_, meant)| meant).ok_or_else(|| self.wrong(key, names(words), text))
    }

    /// The variant that is named, by its number in the family's list.
    pub fn variant(&self) -> Result<Option<usize>, TextError> {
        let variants = self.family.variants;
        let mut named = (0..variants.len()).filter(|&i| self.has(variants[i].name));
        match (named.next(), named.next()) {
            (Some(one), Some(two)) => {
                let (one, two) = (variants[one].name, variants[two].name);
                Err(self.spec.error(format!("{one} and {two} are two variants; one is right")))
            }
            (found, _) => Ok(found),
        }
    }

    /// `key` or `key=yes`, or `key=no`.
    pub fn switch(&self, key: &str) -> Result<bool, TextError> {
        if let Some(Argument { value: None, .. }) = self.spec.argument(key) {
            return Ok(true);
        }
        let (parameter, text) = self.text_of(key)?;
        let ParameterKind::Switch = parameter.kind else { self.undeclared(key) };
        match text {
            "yes" => Ok(true),
            "no" => Ok(false),
            _ => Err(self.wrong(key, "yes or no", text)),
        }
    }

    /// Whether a flag is there.
    pub fn flag(&self, key: &str) -> Result<bool, TextError> {
        let ParameterKind::Flag = self.parameter(key).kind else { self.undeclared(key) };
        match self.spec.argument(key) {
            Some(Argument { value: Some(_), .. }) => {
                Err(self.spec.error(format!("{key} stands alone, without a value")))
            }
            found => Ok(found.is_some()),
        }
    }

    /// `key=square+square+…`: squares of this board by rising index, each once; none if it is left out.
    pub fn squares(&self, key: &str, grid: Grid) -> Result<Vec<Square>, TextError> {
        let ParameterKind::Squares = self.parameter(key).kind else { self.undeclared(key) };
        if !self.has(key) {
            return Ok(Vec::new());
        }
        let mut is_named = vec![false; grid.squares()];
        for name in self.text_of(key)?.1.split('+') {
            let square = grid
                .read(name)
                .map_err(|e| self.spec.error(format!("{key}: {} is {}", quote(name), e.why())))?;
            if std::mem::replace(&mut is_named[grid.index(square)], true) {
                let name = grid.name(square);
                let why = format!("{key}: {name} is given twice; once is right");
                return Err(self.spec.error(why));
            }
        }
        Ok(grid.iter().filter(|&s| is_named[grid.index(s)]).collect())
    }

    /// The text after `key=`.
    pub fn text(&self, key: &str) -> Result<&str, TextError> {
        let (parameter, text) = self.text_of(key)?;
        let ParameterKind::Text { .. } = parameter.kind else { self.undeclared(key) };
        Ok(text)
    }

    /// The text after `key=`, or the default's, and what is declared about it.
    fn text_of(&self, key: &str) -> Result<(&'static Parameter, &str), TextError> {
        let parameter = self.parameter(key);
        match (self.spec.argument(key), parameter.omitted) {
            (Some(Argument { value: Some(value), .. }), _) => Ok((parameter, value)),
            (Some(_), _) => {
                let example = parameter.kind.example();
                Err(self.spec.error(format!("{key} needs a value, as in {key}={example}")))
            }
            (None, Omitted::Value(text)) => Ok((parameter, text)),
            (None, Omitted::Refused(why)) => Err(self.spec.error(why)),
            (None, Omitted::Described(_)) => {
                Err(self.spec.error(format!("{key} is missing: {}", parameter.meaning)))
            }
        }
    }

    fn parameter(&self, key: &str) -> &'static Parameter {
        self.family.parameter(key).unwrap_or_else(|| self.undeclared(key))
    }

    fn undeclared(&self, key: &str) -> ! {
        panic!("{} declares no such parameter {key}", self.family.name)
    }

    fn wrong(&self, key: &str, right: impl fmt::Display, text: &str) -> TextError {
        self.spec.error(format!("{key} is {right}, not {}", quote(text)))
    }
}

fn names(words: &[Keyword]) -> String {
    words.iter().map(|word| word.name).collect::<Vec<_>>().join(" or ")
}

fn digits(text: &str) -> Option<usize> {
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

fn read_halves(text: &str, most: usize) -> Option<i32> {
    let (sign, number) = text.strip_prefix('-').map_or((1, text), |number| (-1, number));
    let (whole, half) = match number.split_once('.') {
        None => (number, 0),
        Some((whole, "5")) => (whole, 1),
        Some((whole, "0")) => (whole, 0),
        Some(_) => return None,
    };
    let halves = digits(whole).filter(|&whole| 2 * whole.min(most + 1) + half <= 2 * most)?;
    i32::try_from(2 * halves + half).ok().map(|halves| sign * halves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::{FamilyVariant, keywords};

    const WINS: [(Keyword, bool); 2] =
        [(Keyword::plain("more"), false), (Keyword::plain("exact"), true)];

    const fn parameter(name: &'static str, kind: ParameterKind, omitted: Omitted) -> Parameter {
        Parameter { name, kind, omitted, meaning: "" }
    }

    const FAMILY: Family = Family {
        name: "toy",
        summary: "",
        parameters: &[
            parameter(
                "size",
                ParameterKind::Size(BoardSizes::Between(1, 9)),
                Omitted::Value("3x3"),
            ),
            parameter(
                "k",
                ParameterKind::Number { low: 1, high: 9 },
                Omitted::Refused("k is missing"),
            ),
            parameter(
                "win",
                ParameterKind::Choice { words: &keywords(&WINS) },
                Omitted::Value("more"),
            ),
            parameter("gravity", ParameterKind::Flag, Omitted::Described("off")),
            parameter("back", ParameterKind::Switch, Omitted::Described("the variant's")),
            parameter("holes", ParameterKind::Squares, Omitted::Described("none")),
            parameter("komi", ParameterKind::Halves { most: 361 }, Omitted::Value("0")),
            parameter(
                "draw",
                ParameterKind::Text { form: "any text", example: "3-fold" },
                Omitted::Value("none"),
            ),
        ],
        variants: &[
            FamilyVariant { name: "plain", summary: "" },
            FamilyVariant { name: "fancy", summary: "" },
        ],
        protocols: &[],
        presets: &[],
        offered: &[],
    };

    #[test]
    fn reads_sizes_pairs_and_flags() {
        let spec = Spec::parse("toy:6x7,k=4,win=exact,gravity,draw=now").unwrap();
        let arguments = spec.arguments(&FAMILY).unwrap();
        assert_eq!(arguments.size(), Ok(Grid { rows: 6, columns: 7 }));
        assert_eq!(arguments.number("k"), Ok(4));
        assert_eq!(arguments.choice("win", &WINS), Ok(true));
        assert_eq!(arguments.flag("gravity"), Ok(true));
        assert_eq!(arguments.text("draw"), Ok("now"));
        let plain = Spec::parse("toy").unwrap();
        let arguments = plain.arguments(&FAMILY).unwrap();
        assert_eq!(arguments.given("size", |a, _| a.size()), Ok(None));
        assert_eq!(arguments.size(), Ok(Grid { rows: 3, columns: 3 }));
        assert_eq!(arguments.choice("win", &WINS), Ok(false));
        assert_eq!(arguments.flag("gravity"), Ok(false));
        assert_eq!(arguments.text("draw"), Ok("none"));
        assert_eq!(arguments.number("k").unwrap_err().why(), "k is missing");
    }

    #[test]
    fn reads_variants_and_switches() {
        let spec = Spec::parse("toy:fancy,back=no").unwrap();
        let arguments = spec.arguments(&FAMILY).unwrap();
        assert_eq!(arguments.variant(), Ok(Some(1)));
        assert_eq!(arguments.given("back", Arguments::switch), Ok(Some(false)));
        let spec = Spec::parse("toy:back").unwrap();
        assert_eq!(spec.arguments(&FAMILY).unwrap().switch("back"), Ok(true));
        let spec = Spec::parse("toy:k=3").unwrap();
        let arguments = spec.arguments(&FAMILY).unwrap();
        assert_eq!(arguments.given("back", Arguments::switch), Ok(None));
        assert_eq!(arguments.variant(), Ok(None));
        let both = Spec::parse("toy:fancy,plain").unwrap();
        let error = both.arguments(&FAMILY).unwrap().variant().unwrap_err();
        assert!(error.why().contains("plain and fancy"), "{error}");
        assert!(Spec::parse("toy:fancy=1").unwrap().arguments(&FAMILY).is_err());
    }

    #[test]
    fn reads_squares_and_halves() {
        let spec = Spec::parse("toy:holes=B2+a1,komi=-6.5").unwrap();
        let arguments = spec.arguments(&FAMILY).unwrap();
        let grid = Grid { rows: 2, columns: 2 };
        let squares = [Square { row: 0, column: 0 }, Square { row: 1, column: 1 }];
        assert_eq!(arguments.squares("holes", grid), Ok(squares.to_vec()));
        assert_eq!(arguments.halves("komi"), Ok(-13));
        for (text, halves) in [("361", Some(722)), ("-361.0", Some(-722)), ("361.5", None)] {
            assert_eq!(read_halves(text, 361), halves, "{text}");
        }
        assert_eq!(read_halves(&usize::MAX.to_string(), 361), None);
    }

    #[test]
    fn arguments_win_over_a_preset() {
        let preset = Spec::parse("toy:6x7,k=4").unwrap();
        let spec = Spec::parse("short:k=5").unwrap().on_top_of(preset);
        let arguments = spec.arguments(&FAMILY).unwrap();
        assert_eq!(spec.name, "toy");
        assert_eq!(arguments.number("k"), Ok(5));
        assert_eq!(arguments.size(), Ok(Grid { rows: 6, columns: 7 }));
    }

    #[test]
    fn wrong_text_gets_a_reason() {
        let wrong = |text: &str| {
            let spec = Spec::parse(text).unwrap();
            let arguments = spec.arguments(&FAMILY)?;
            let grid = arguments.size()?;
            arguments.given("k", Arguments::number)?;
            arguments.choice("win", &WINS)?;
            arguments.given("back", Arguments::switch)?;
            arguments.squares("holes", grid)?;
            arguments.halves("komi")?;
            arguments.text("draw")?;
            arguments.flag("gravity").map(|_| ())
        };
        for text in [
            "toy:z=1",
            "toy:0x3",
            "toy:3x10",
            "toy:3x",
            "toy:k",
            "toy:k=+3",
            "toy:k=0",
            "toy:win=less",
            "toy:gravity=1",
            "toy:back=maybe",
            "toy:holes=d4",
            "toy:holes=a1+a1",
            "toy:holes",
            "toy:komi=1.2",
            "toy:draw",
        ] {
            assert!(wrong(text).unwrap_err().to_string().starts_with(&quote(text)), "{text}");
        }
    }
}
