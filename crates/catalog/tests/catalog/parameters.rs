//! What families declare about their parameters is what they read.

use catalog::{SizesEntry, families, open};
use game::{Omitted, Parameter, ParameterKind, Spec};

/// A value that is right for the parameter, as it stands after the colon.
fn argument(parameter: &Parameter, value: &str) -> String {
    match parameter.kind {
        ParameterKind::Size(_) => value.to_owned(),
        _ => format!("{}={value}", parameter.name),
    }
}

#[test]
fn declared_defaults_are_what_leaving_out_means() {
    let mut seen = 0;
    for family in families() {
        // Any game of the family, with nothing but what must be given.
        let start = family.presets.first().map_or(family.name, |preset| preset.spec);
        let start = Spec::parse(start).unwrap();
        for parameter in family.parameters {
            let Omitted::Value(value) = parameter.omitted else { continue };
            if start.value(parameter.name).is_some() {
                continue;
            }
            let changed = start.changed(&argument(parameter, value)).unwrap();
            assert_eq!(
                open(&changed).unwrap().facts().spec,
                open(&start.to_string()).unwrap().facts().spec
            );
            seen += 1;
        }
    }
    assert!(seen >= 7);
}

/// Whatever stands in the list is understood, and what lies just outside is not.
#[test]
fn declared_kinds_are_what_is_read() {
    for family in families() {
        let start = family.presets.first().map_or(family.name, |preset| preset.spec);
        let start = Spec::parse(start).unwrap();
        let opens = |parameter, value: &str| {
            open(&start.changed(&argument(parameter, value)).unwrap()).is_ok()
        };
        for parameter in family.parameters {
            let (right, wrong): (Vec<String>, Vec<String>) = match parameter.kind {
                ParameterKind::Size(sizes) => {
                    let entry = SizesEntry::from(sizes);
                    let size = |side| format!("{side}x{side}");
                    (
                        vec![size(entry.low), size(entry.high)],
                        vec![size(entry.low - 1), size(entry.high + 1), "x".to_owned()],
                    )
                }
                ParameterKind::Number { low, high } => {
                    (vec![low.to_string()], vec![(high + 1).to_string(), "-1".to_owned()])
                }
                ParameterKind::Halves { most } => (
                    vec![most.to_string(), format!("-{most}"), "0.5".to_owned()],
                    vec![format!("{most}.5"), "0.25".to_owned()],
                ),
                ParameterKind::Choice { words } => {
                    (words.iter().map(|w| w.name.to_owned()).collect(), vec!["?".to_owned()])
                }
                ParameterKind::Switch => {
                    (vec!["yes".to_owned(), "no".to_owned()], vec!["?".to_owned()])
                }
                ParameterKind::Flag => (Vec::new(), vec!["yes".to_owned()]),
                ParameterKind::Squares | ParameterKind::Text { .. } => {
                    (vec![parameter.kind.example().to_owned()], vec!["?".to_owned()])
                }
            };
            // Which stones are dead is asked for with one way of scoring only.
            let right = right.iter().filter(|_| parameter.name != "dead");
            for value in right {
                assert!(opens(parameter, value), "{} {value}", parameter.name);
            }
            for value in wrong {
                assert!(!opens(parameter, &value), "{} {value}", parameter.name);
            }
        }
    }
}
