//! `draughts:russian,majority=quantity`: what can be chosen, and its canonical text.

use std::fmt;

use game::{
    Arguments, BoardSizes, Family, Keyword, Omitted, Parameter, ParameterKind, Preset, Spec,
    TextError, keywords,
};

use super::board::Size;
use super::draws::Draws;
use super::switches::{Landing, Majority, Promotion, Switches};
use super::variant::Variant;

/// Everything there is to say about the family.
pub const FAMILY: Family = Family {
    name: "draughts",
    summary: "Jump over all of the other's pieces, or leave them no move",
    variants: &[
        game::FamilyVariant {
            name: "english",
            summary: "American checkers: men capture forward, kings go one step",
        },
        game::FamilyVariant {
            name: "international",
            summary: "10x10, flying kings, the most pieces must be taken",
        },
        game::FamilyVariant {
            name: "russian",
            summary: "flying kings, a man that reaches the last row goes on as a king",
        },
        game::FamilyVariant { name: "brazilian", summary: "international on 8x8" },
        game::FamilyVariant { name: "pool", summary: "flying kings, any capture may be chosen" },
        game::FamilyVariant { name: "polish", summary: "pool in which kings land where they like" },
        game::FamilyVariant {
            name: "italian",
            summary: "men cannot capture kings, the most pieces must be taken",
        },
        game::FamilyVariant {
            name: "spanish",
            summary: "men capture forward, flying kings, the most pieces and kings",
        },
        game::FamilyVariant {
            name: "czech",
            summary: "men capture forward, flying kings, kings capture first",
        },
        game::FamilyVariant {
            name: "frisian",
            summary: "10x10, captures along rows and columns too",
        },
    ],
    parameters: &[
        Parameter {
            name: "size",
            kind: ParameterKind::Size(BoardSizes::Square(&[6, 8, 10])),
            omitted: VARIANTS_OWN,
            meaning: "the board",
        },
        Parameter {
            name: "men",
            kind: ParameterKind::Number { low: 1, high: usual_men(Size::Ten) },
            omitted: Omitted::Described("as many as fit with two rows left"),
            meaning: "rows of men at the start, at most one less than half the side",
        },
        Parameter {
            name: "back",
            kind: ParameterKind::Switch,
            omitted: VARIANTS_OWN,
            meaning: "men capture backwards too",
        },
        Parameter {
            name: "flying",
            kind: ParameterKind::Switch,
            omitted: VARIANTS_OWN,
            meaning: "kings go any distance",
        },
        Parameter {
            name: "straight",
            kind: ParameterKind::Switch,
            omitted: Omitted::Described("no; yes in frisian"),
            meaning: "captures go along rows and columns too",
        },
        Parameter {
            name: "shielded",
            kind: ParameterKind::Switch,
            omitted: Omitted::Described("no; yes in italian"),
            meaning: "men may not capture kings",
        },
        Parameter {
            name: "landing",
            kind: ParameterKind::Choice { words: &keywords(&LANDINGS) },
            omitted: Omitted::Described("continue; free in polish"),
            meaning: "after a capture a flying king lands where it can go on, or where it likes",
        },
        Parameter {
            name: "majority",
            kind: ParameterKind::Choice { words: &keywords(&MAJORITIES) },
            omitted: VARIANTS_OWN,
            meaning: "which of several captures must be chosen",
        },
        Parameter {
            name: "promote",
            kind: ParameterKind::Choice { words: &keywords(&PROMOTIONS) },
            omitted: VARIANTS_OWN,
            meaning: "when a man that reaches the last row in a capture becomes a king",
        },
        Parameter {
            name: "restless",
            kind: ParameterKind::Switch,
            omitted: Omitted::Described("no; yes in frisian"),
            meaning: "a king of a player with men may not go more than three times in a row \
                      without capturing",
        },
        Parameter {
            name: "draw",
            kind: ParameterKind::Text {
                form: "none, or parts joined by +: N-moves (of each side) or N-plies without a \
                       capture or a man's move, with -captureless behind it just without a \
                       capture; N-fold repetition; international, russian, pool or frisian for \
                       their endings with few pieces",
                example: "40-moves+3-fold",
            },
            omitted: VARIANTS_OWN,
            meaning: "when the game is drawn",
        },
    ],
    protocols: &["hub"],
    presets: &[
        Preset { name: "checkers", spec: "draughts:english", summary: "American checkers" },
        Preset {
            name: "checkers-40-plies",
            spec: "draughts:english,draw=40-plies-captureless",
            summary: "American checkers, drawn after 40 plies without a capture",
        },
        Preset {
            name: "checkers-40-moves",
            spec: "draughts:english,draw=40-moves-captureless",
            summary: "American checkers, drawn after 40 moves of each side without a capture",
        },
    ],
    offered: &[
        "draughts:english",
        "draughts:international",
        "draughts:russian",
        "draughts:brazilian",
        "draughts:pool",
        "draughts:polish",
        "draughts:italian",
        "draughts:spanish",
        "draughts:czech",
        "draughts:frisian",
    ],
};

const VARIANTS_OWN: Omitted = Omitted::Described("the variant's");
const LANDINGS: [(Keyword, Landing); 2] =
    [(Keyword::plain("continue"), Landing::Continue), (Keyword::plain("free"), Landing::Free)];
const MAJORITIES: [(Keyword, Majority); 7] = [
    (Keyword::plain("none"), Majority::None),
    (Keyword::new("quantity", "the most pieces"), Majority::Quantity),
    (Keyword::new("quality", "then the most kings"), Majority::Quality),
    (Keyword::new("kings", "the most pieces if a king captures"), Majority::Kings),
    (Keyword::new("king", "with a king if one can"), Majority::King),
    (Keyword::plain("italian"), Majority::Italian),
    (Keyword::plain("frisian"), Majority::Frisian),
];
const PROMOTIONS: [(Keyword, Promotion); 3] = [
    (Keyword::new("end", "only if the capture ends there"), Promotion::End),
    (Keyword::new("pass", "at once and goes on as a king"), Promotion::Pass),
    (Keyword::new("stop", "at once and stops"), Promotion::Stop),
];

/// The parameters of one game of the family. Prints as the game's canonical name: the variant, and
/// what differs from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parameters {
    variant: Variant,
    switches: Switches,
    men: usize,
    draws: Draws,
}

impl Parameters {
    /// Reads the arguments of a game's name; those left out have their defaults.
    pub fn from_spec(spec: &Spec) -> Result<Parameters, TextError> {
        let arguments = spec.arguments(&FAMILY)?;
        let variant = Variant::ALL[arguments.variant()?.unwrap_or_default()];
        let mut parameters = Parameters::from(variant);
        let switches = &mut parameters.switches;
        if let Some(size) = arguments.given("size", read_size)? {
            switches.size = size;
            parameters.men = usual_men(size);
        }
        for (key, switch) in [
            ("back", &mut switches.back),
            ("flying", &mut switches.flying),
            ("straight", &mut switches.straight),
            ("shielded", &mut switches.shielded),
            ("restless", &mut switches.restless),
        ] {
            *switch = arguments.given(key, Arguments::switch)?.unwrap_or(*switch);
        }
        choose(&arguments, "landing", &LANDINGS, &mut switches.landing)?;
        choose(&arguments, "majority", &MAJORITIES, &mut switches.majority)?;
        choose(&arguments, "promote", &PROMOTIONS, &mut switches.promotion)?;
        let most = usual_men(switches.size);
        let men = arguments.given("men", |a, key| a.number_up_to(key, most))?;
        parameters.men = men.unwrap_or(parameters.men);
        if let Some(text) = arguments.given("draw", |a, key| a.text(key).map(str::to_owned))? {
            parameters.draws = Draws::read(&text).map_err(|why| spec.error(why))?;
        }
        Ok(parameters)
    }

    /// The variant that was named, which also says how squares are written.
    #[must_use]
    pub fn variant(self) -> Variant {
        self.variant
    }

    /// What decides about moves.
    #[must_use]
    pub fn switches(self) -> Switches {
        self.switches
    }

    /// The variant whose compiled rules serve these parameters, whatever they were named after and
    /// whatever the draws: [`English`](super::English) for `Variant::English` and so on; `None` where only
    /// [`AnyRules`](super::AnyRules) do.
    #[must_use]
    pub fn compiled(self) -> Option<Variant> {
        Variant::ALL.into_iter().find(|variant| variant.switches() == self.switches)
    }

    /// Rows of men at the start.
    #[must_use]
    pub fn men(self) -> usize {
        self.men
    }

    /// When the game is drawn.
    #[must_use]
    pub fn draws(self) -> Draws {
        self.draws
    }
}

/// A variant as it is.
impl From<Variant> for Parameters {
    fn from(variant: Variant) -> Parameters {
        let switches = variant.switches();
        Parameters { variant, switches, men: usual_men(switches.size), draws: variant.draws() }
    }
}

/// American checkers.
impl Default for Parameters {
    fn default() -> Parameters {
        Parameters::from(Variant::English)
    }
}

impl fmt::Display for Parameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (usual, chosen) = (self.variant.switches(), self.switches);
        write!(f, "{}:{}", FAMILY.name, FAMILY.variants[self.variant as usize].name)?;
        if chosen.size != usual.size {
            let side = chosen.size.side();
            write!(f, ",{side}x{side}")?;
        }
        if self.men != usual_men(chosen.size) {
            write!(f, ",men={}", self.men)?;
        }
        for (key, usual, chosen) in [
            ("back", usual.back, chosen.back),
            ("flying", usual.flying, chosen.flying),
            ("straight", usual.straight, chosen.straight),
            ("shielded", usual.shielded, chosen.shielded),
            ("restless", usual.restless, chosen.restless),
        ] {
            match (usual, chosen) {
                (false, true) => write!(f, ",{key}")?,
                (true, false) => write!(f, ",{key}=no")?,
                _ => {}
            }
        }
        write_choice(f, "landing", &LANDINGS, usual.landing, chosen.landing)?;
        write_choice(f, "majority", &MAJORITIES, usual.majority, chosen.majority)?;
        write_choice(f, "promote", &PROMOTIONS, usual.promotion, chosen.promotion)?;
        if self.draws != self.variant.draws() {
            write!(f, ",draw={}", self.draws)?;
        }
        Ok(())
    }
}

/// Two rows are left between the sides.
const fn usual_men(size: Size) -> usize {
    size.half() - 1
}

fn read_size(arguments: &Arguments<'_>, _: &str) -> Result<Size, TextError> {
    let side = arguments.size()?.rows;
    Ok(Size::ALL.into_iter().find(|size| size.side() == side).expect("a declared size"))
}

fn choose<T: Copy>(
    arguments: &Arguments<'_>,
    key: &str,
    words: &[(Keyword, T)],
    chosen: &mut T,
) -> Result<(), TextError> {
    *chosen = arguments.given(key, |a, key| a.choice(key, words))?.unwrap_or(*chosen);
    Ok(())
}

fn write_choice<T: Copy + PartialEq>(
    f: &mut fmt::Formatter<'_>,
    key: &str,
    words: &[(Keyword, T)],
    usual: T,
    chosen: T,
) -> fmt::Result {
    match words.iter().find(|(_, value)| *value == chosen && chosen != usual) {
        Some((word, _)) => write!(f, ",{key}={}", word.name),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::testkit::{names_are_refused, names_round_trip};

    fn read(text: &str) -> Result<Parameters, TextError> {
        Parameters::from_spec(&Spec::parse(text).unwrap())
    }

    #[test]
    fn canonical_names_round_trip() {
        for variant in FAMILY.variants {
            let text = format!("draughts:{}", variant.name);
            assert_eq!(read(&text).unwrap().to_string(), text);
        }
        let canonical = [
            "draughts:polish,10x10",
            "draughts:russian,majority=quantity",
            "draughts:english,6x6,men=1,back,flying",
            "draughts:frisian,straight=no,restless=no,draw=none",
            "draughts:italian,shielded=no,landing=free,promote=pass",
            "draughts:international,draw=50-moves+5-fold",
        ];
        names_round_trip(Parameters::from_spec, &canonical.map(|name| (name, name)));
        names_round_trip(
            Parameters::from_spec,
            &[
                ("draughts", "draughts:english"),
                ("draughts:8x8,english,back=no,men=3", "draughts:english"),
                ("draughts:international,8x8,men=3", "draughts:international,8x8"),
                ("draughts:english,draw=40-moves+3-fold", "draughts:english"),
                (
                    "draughts:english,draw=40-plies-captureless",
                    "draughts:english,draw=20-moves-captureless",
                ),
            ],
        );
        for preset in FAMILY.presets {
            let parameters = read(preset.spec).unwrap();
            assert_eq!(read(&parameters.to_string()), Ok(parameters));
        }
    }

    #[test]
    fn wrong_names_say_what_would_be_right() {
        names_are_refused(
            Parameters::from_spec,
            &[
                ("draughts:turkish", "english, international"),
                ("draughts:english,russian", "one is right"),
                ("draughts:7x7", "6x6, 8x8 or 10x10"),
                ("draughts:8x10", "6x6, 8x8 or 10x10"),
                ("draughts:men=4", "1 to 3"),
                ("draughts:10x10,men=5", "1 to 4"),
                ("draughts:back=maybe", "yes or no"),
                ("draughts:majority=most", "quantity"),
                ("draughts:promote", "promote=end"),
                ("draughts:draw=soon", "40-moves"),
                ("draughts:draw", "40-moves+3-fold"),
            ],
        );
    }
}
