//! `docs/features.md` says the truth: every number beside every board, and every name in every table.

use std::collections::HashSet;

use evaluation::Features;
use game::{Game, Notation, Spec};
use games::draughts::{AnyRules, Draughts, Parameters, Sixty};
use games::{chess, go, mnk, reversi};

const PAGE: &str = include_str!("../../../../docs/features.md");
const SIDE: usize = 8;

type English = Draughts<AnyRules>;

/// The position of a drawn board, White to move: after the number of its row, every second character is a square.
fn position_text(board: &[&str]) -> String {
    let mut pieces = [Vec::new(), Vec::new()];
    for (row, line) in board.iter().take(SIDE).enumerate() {
        let squares: Vec<char> = line.chars().skip(3).step_by(2).collect();
        for place in 0..SIDE / 2 {
            let column = 2 * place + 1 - row % 2;
            let number = row * SIDE / 2 + place + 1;
            let piece = squares.get(column).copied().unwrap_or(' ');
            let colour = usize::from(piece.eq_ignore_ascii_case(&'b'));
            match piece {
                'w' | 'b' => pieces[colour].push(number.to_string()),
                'W' | 'B' => pieces[colour].push(format!("K{number}")),
                other => assert_eq!(other, '.', "square {number}"),
            }
        }
    }
    format!("W:W{}:B{}", pieces[0].join(","), pieces[1].join(","))
}

/// A line such as "- 16. `own.captures`: 2".
fn stated(line: &str) -> Option<(usize, &str, i32)> {
    let (number, rest) = line.strip_prefix("- ")?.split_once(". `")?;
    let (name, value) = rest.split_once("`: ")?;
    Some((number.parse().ok()?, name, value.parse().ok()?))
}

#[test]
fn every_number_of_the_page_is_right() {
    let parameters = Parameters::from_spec(&Spec::parse("draughts:english").unwrap()).unwrap();
    let game = English::new(parameters).unwrap();
    let names = <Sixty as Features<English>>::NAMES;
    let (mut seen, mut wrong) = (vec![false; names.len()], Vec::new());
    for section in PAGE.split("\n## ") {
        let Some((_, drawn)) = section.split_once("```text\n") else { continue };
        let (board, claims) = drawn.split_once("```").unwrap();
        let text = position_text(&board.lines().collect::<Vec<_>>());
        let p = game.read_position(&text).unwrap();
        let mut features = vec![0; names.len()];
        Sixty::write(&game, &p, game.to_move(&p), &mut features);
        for (number, name, value) in claims.lines().filter_map(stated) {
            assert_eq!(names[number - 1], name);
            assert!(!std::mem::replace(&mut seen[number - 1], true), "{name} is there twice");
            if features[number - 1] != value {
                wrong.push(format!("{name} is {} in {text}, not {value}", features[number - 1]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen.iter().all(|&seen| seen), "features without a board");
}

/// The names in the first columns of the tables below a heading.
fn listed(heading: &str) -> HashSet<String> {
    let (_, section) = PAGE.split_once(&format!("\n### {heading}\n")).unwrap();
    let section = section.split("\n### ").next().unwrap();
    let first_columns =
        section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once(" |"));
    first_columns
        .flat_map(|(names, _)| names.split(", "))
        .map(|name| name.trim_matches('`').to_owned())
        .collect()
}

/// How many there are is told where bots choose between evaluations.
#[test]
fn players_are_told_how_many_there_are() {
    let page = include_str!("../../../../docs/players.md");
    type Lines = mnk::Mnk<mnk::RunShape, mnk::LineBoard>;
    for (family, count) in [
        ("chess", <chess::Pieces as Features<chess::Chess>>::NAMES.len()),
        ("reversi", <reversi::Shapes as Features<reversi::Reversi>>::NAMES.len()),
        ("mnk", <mnk::Shapes as Features<Lines>>::NAMES.len()),
        ("go", <go::StoneFeatures as Features<go::Go<u64>>>::NAMES.len()),
        ("draughts", <Sixty as Features<English>>::NAMES.len()),
    ] {
        let mut rows = page.lines().filter(|line| line.starts_with(&format!("| `{family}` |")));
        let told = [format!("`features`: {count} numbers"), format!("`features`: the {count} of")];
        let is_told = |row: &str| told.iter().any(|told| row.contains(told));
        assert!(rows.any(is_told), "docs/players.md: {family} has {count} features");
    }
}

/// Names as the page lists them: of one side, and with N for the number at the end.
fn names<G: Game, F: Features<G>>() -> HashSet<String> {
    let own = F::NAMES.iter().filter_map(|name| name.strip_prefix("own."));
    let numbered = own.map(|name| match name.rsplit_once('.') {
        Some((shape, number)) if number.parse::<u32>().is_ok() => format!("{shape}.N"),
        _ => name.to_owned(),
    });
    assert!(F::NAMES.iter().skip(F::NAMES.len() / 2).all(|name| name.starts_with("opposing.")));
    numbered.collect()
}

#[test]
fn every_name_of_the_other_games_is_on_the_page() {
    assert_eq!(listed("Reversi"), names::<reversi::Reversi, reversi::Shapes>());
    assert_eq!(listed("Chess"), names::<chess::Chess, chess::Pieces>());
    type Lines = mnk::Mnk<mnk::RunShape, mnk::LineBoard>;
    assert_eq!(listed("Line games"), names::<Lines, mnk::Shapes>());
    assert_eq!(listed("Go"), names::<go::Go<u64>, go::StoneFeatures>());
}
