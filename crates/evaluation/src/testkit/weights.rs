//! Weights.

use std::collections::BTreeSet;

use crate::weights::{Tunable, differences, draw, list, read, write};
use game::Rng;

/// Checks that the evaluations of a game have the names they claim, that every weight is shown once
/// and is its own, and that what is written is read back.
///
/// # Panics
/// With the evaluation and the broken promise.
pub fn weights_conform<T: Tunable>(game: &str) {
    assert!(T::named("no such name").is_none(), "{game}: an evaluation that has no name");
    for &name in T::NAMES {
        let usual = T::named(name).unwrap_or_else(|| panic!("{game} has no evaluation {name}"));
        assert_eq!(usual.name(), name, "{game}");
        check_names(&usual, &format!("{game} {name}"));
        check_each_alone(&usual, &format!("{game} {name}"));
        check_drawn(game, &usual);
    }
}

fn check_names<T: Tunable>(usual: &T, at: &str) {
    let weights = list(usual);
    assert_eq!(weights, list(usual), "{at}: another visit shows other weights");
    let names: BTreeSet<&str> = weights.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names.len(), weights.len(), "{at}: two weights share a name");
    for (name, weight) in &weights {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_.".contains(c);
        assert!(!name.is_empty() && name.chars().all(plain), "{at}: the name {name}");
        assert!(T::range(name).contains(weight), "{at}: {name} is out of its range");
    }
}

/// Changing a weight changes that one alone.
fn check_each_alone<T: Tunable>(usual: &T, at: &str) {
    for (name, weight) in list(usual) {
        let range = T::range(&name);
        for new in [weight - 1, weight + 1, *range.start(), *range.end()] {
            let mut changed = usual.clone();
            changed.each_weight(&mut |shown, weight| {
                if shown == name {
                    *weight = new;
                }
            });
            let found: Vec<_> = differences(usual, &changed)
                .into_iter()
                .map(|difference| (difference.name, difference.one, difference.other))
                .collect();
            let expected = (new != weight).then(|| (name.clone(), weight, new));
            assert_eq!(found, Vec::from_iter(expected), "{at}");
        }
    }
}

/// Drawn weights are in range, the same for the same seed, and survive being written.
fn check_drawn<T: Tunable>(game: &str, usual: &T) {
    for seed in 0..20 {
        let drawn = [0; 2].map(|_| {
            let mut drawn = usual.clone();
            draw(&mut drawn, 100, &mut Rng::new(seed));
            drawn
        });
        assert_eq!(list(&drawn[0]), list(&drawn[1]));
        assert!(list(&drawn[0]).iter().all(|(name, weight)| T::range(name).contains(weight)));
        let text = write(game, &drawn[0]);
        let back: T = read(game, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!((back.name(), list(&back)), (usual.name(), list(&drawn[0])));
        assert_eq!(write(game, &back), text);
    }
}
