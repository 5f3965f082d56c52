//! Weights of a made-up evaluation: visited, written, read, drawn; and text that is refused.

use std::ops::RangeInclusive;

use evaluation::testkit::weights_conform;
use evaluation::weights::{
    Difference, LIMIT, Tunable, Visit, Weight, count, differences, draw, list, read, show_all,
    write,
};
use evaluation::{Blind, Tapered};
use game::Rng;

/// Two evaluations: one with a number, a pair and an array, and one without any.
#[derive(Clone, Debug, PartialEq)]
enum Toy {
    Full { stone: i32, centre: Tapered, rows: [i32; 2] },
    Empty,
}

const FULL: Toy = Toy::Full { stone: 100, centre: Tapered::new(-7, 0), rows: [1, 2] };

impl Tunable for Toy {
    const NAMES: &'static [&'static str] = &["full", "empty"];

    fn named(name: &str) -> Option<Toy> {
        match name {
            "full" => Some(FULL),
            "empty" => Some(Toy::Empty),
            _ => None,
        }
    }

    fn name(&self) -> &'static str {
        if *self == Toy::Empty { "empty" } else { "full" }
    }

    fn each_weight(&mut self, visit: &mut Visit<'_>) {
        if let Toy::Full { stone, centre, rows } = self {
            stone.show("stone", visit);
            centre.show("centre", visit);
            show_all("row", ["first", "last"], rows, visit);
        }
    }

    fn range(name: &str) -> RangeInclusive<i32> {
        if name == "stone" { 1..=200 } else { -LIMIT..=LIMIT }
    }
}

const TEXT: &str = "zermelo weights 1
game toy
evaluation full
stone 100
centre.opening -7
centre.endgame 0
row.first 1
row.last 2
";

#[test]
fn toy_weights_conform() {
    weights_conform::<Toy>("toy");
    weights_conform::<Blind>("toy");
}

#[test]
fn text_is_as_documented() {
    assert_eq!(write("toy", &FULL), TEXT);
    assert_eq!(write("toy", &Toy::Empty), "zermelo weights 1\ngame toy\nevaluation empty\n");
    assert_eq!((count(&FULL), count(&Toy::Empty)), (5, 0));
    let loose = "zermelo weights 1 \r\n\r\n# by hand\n  game   toy # this one\r\nevaluation full\n\
        row.last 2\n\tstone 42 #less\ncentre.endgame 0\ncentre.opening -7\nrow.first 1";
    let read: Toy = read("toy", loose).unwrap();
    let difference = Difference { name: "stone".into(), one: 100, other: 42 };
    assert_eq!(differences(&FULL, &read), [difference]);
}

#[test]
fn wrong_text_is_refused_with_its_line() {
    let cases = [
        ("", "", r#""": line 1: not a file of weights, which begins with "zermelo weights 1""#),
        ("weights 1", "weights 2", "line 1: another version of the format; only 1 is known"),
        ("game toy", "game go", r#""game go": line 2: "game toy" would be right here"#),
        (
            "evaluation full",
            "evaluation fall",
            r#"line 3: "evaluation full" or "evaluation empty" would be right here"#,
        ),
        ("stone 100", "stone", "line 4: a name and a number would be right"),
        ("stone 100", "stone 1 2", "line 4: a name and a number would be right"),
        ("stone 100", "stone 201", r#""201": line 4: a whole number from 1 to 200 would be right"#),
        ("stone 100", "stone 1.5", "a whole number from 1 to 200 would be right for stone"),
        ("row.last 2", "row.last 5001", "line 8: a whole number from -5000 to 5000"),
        ("row.last 2", "row.last 99999999999", "line 8: a whole number from -5000 to 5000"),
        (
            "row.last",
            "row.lost",
            "full has no such weight; its names begin with stone, centre, row",
        ),
        ("row.last 2", "stone 100", r#""stone": line 8: this weight has been given before"#),
        ("row.last 2\n", "", r#"line 7: this weight is missing; its usual line is "row.last 2""#),
        ("evaluation full", "evaluation empty", "empty has no weights"),
    ];
    for (right, wrong, why) in cases {
        let text = if right.is_empty() { String::new() } else { TEXT.replacen(right, wrong, 1) };
        let error = read::<Toy>("toy", &text).unwrap_err().to_string();
        assert!(error.contains(why), "{error}\nis not\n{why}");
    }
    let short = read::<Toy>("toy", "zermelo weights 1\n").unwrap_err().to_string();
    assert_eq!(short, r#""": line 1: the text ends; "game toy" would be right here"#);
}

/// Bytes changed, dropped, doubled and swapped: read or refused, and what is read is written the same.
#[test]
fn any_text_is_read_or_refused() {
    let mut rng = Rng::new(1913);
    let (mut taken, mut refused) = (0, 0);
    // A comment may be damaged without harm, so that some texts are still read.
    let text = format!("{TEXT}# {}\n", "anything may stand in a comment, ".repeat(8));
    for _ in 0..20_000 {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=rng.below(3) {
            let at = rng.below(bytes.len());
            match rng.below(5) {
                0 => bytes[at] = rng.below(256) as u8,
                1 => bytes[at] = b"0123456789-. #\nae"[rng.below(17)],
                2 => drop(bytes.remove(at)),
                3 => bytes.insert(at, bytes[rng.below(bytes.len())]),
                _ => bytes.truncate(at.max(9)),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        match read::<Toy>("toy", &text) {
            Ok(toy) => {
                taken += 1;
                assert_eq!(list(&read::<Toy>("toy", &write("toy", &toy)).unwrap()), list(&toy));
            }
            Err(error) => {
                refused += 1;
                assert_eq!(error.to_string().lines().count(), 1, "{error}");
            }
        }
    }
    assert!(taken > 1_000 && refused > 1_000, "{taken} {refused}");
}

/// Numbers move by as much as they were asked to, and noughts do not stay noughts.
#[test]
fn draws_stay_in_reach() {
    let mut seen = [Vec::new(), Vec::new()];
    for seed in 0..1_000 {
        let mut toy = FULL;
        draw(&mut toy, 20, &mut Rng::new(seed));
        let Toy::Full { stone, centre, .. } = toy else { panic!("another evaluation") };
        seen[0].push(stone);
        seen[1].push(centre.endgame());
    }
    let ends = |seen: &[i32]| (*seen.iter().min().unwrap(), *seen.iter().max().unwrap());
    assert_eq!((ends(&seen[0]), ends(&seen[1])), ((80, 120), (-1, 1)));
}
