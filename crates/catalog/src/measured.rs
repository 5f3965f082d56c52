//! What was found out about single games and is told to whoever chooses one: how they end under perfect play, and how
//! much stronger each level of bots is than the one below.

/// Games that take longer to solve than anybody waits: the first player wins (1), nobody does (0), the second does
/// (-1).
const SOLVED: [(&str, i32); 9] = [
    // Allen and Allis, 1988; here with a certificate, as reversi:6x6.
    ("mnk:6x7,k=4,gravity", 1),
    ("reversi:6x6", -1),
    ("reversi:6x6,start=parallel", -1),
    // Allis, 1994.
    ("mnk:15x15,k=5", 1),
    ("mnk:15x15,k=5,win=exact", 1),
    // Hsu, Ko, Chen, Lin and others.
    ("mnk:8x8,k=5", 0),
    ("mnk:4x9,k=4", 1),
    // Schaeffer and others, 2007.
    ("draughts:english", 0),
    // Takizawa, 2023.
    ("reversi:8x8", 0),
];

/// How a game ends under perfect play, where that is known: 1 if the first player wins, 0 for a draw, -1 if the second does.
#[must_use]
pub fn solved(spec: &str) -> Option<i32> {
    SOLVED.iter().find(|(known, _)| *known == spec).map(|(_, value)| *value)
}

/// By how many Elo each level is stronger than the one below, from easy to master, as `docs/strength.md` has it.
const STEPS: [(&str, [Option<u32>; 4]); 6] = [
    ("chess", [Some(676), Some(512), Some(494), Some(545)]),
    ("reversi", [Some(604), Some(346), Some(494), Some(417)]),
    ("gomoku", [Some(135), Some(191), Some(215), Some(220)]),
    ("connect4", [Some(200), Some(319), None, None]),
    ("connect6", [Some(263), Some(708), Some(173), Some(250)]),
    ("draughts:english", [Some(1040), Some(590), Some(463), Some(176)]),
];

/// Another name for the same game.
const ALIASES: [(&str, &str); 2] = [("othello", "reversi"), ("checkers", "draughts:english")];

/// By how many Elo each level is stronger in this game than the one below, from easy to master; none where it was not
/// measured.
#[must_use]
pub fn steps(game: &str) -> [Option<u32>; 4] {
    let game = ALIASES.iter().find(|(alias, _)| *alias == game).map_or(game, |(_, name)| name);
    STEPS.iter().find(|(known, _)| *known == game).map_or([None; 4], |(_, steps)| *steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solved_games_are_named_as_the_program_names_them() {
        for (spec, value) in SOLVED {
            assert_eq!(crate::open(spec).unwrap().facts().spec, spec);
            assert_eq!(solved(spec), Some(value));
        }
        assert_eq!(solved("mnk:3x3,k=3"), None);
    }

    /// Each step stands in the table of matches.
    #[test]
    fn steps_are_those_that_were_measured() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/strength.md");
        let page = std::fs::read_to_string(page).unwrap();
        let levels = ["beginner", "easy", "medium", "hard", "master"];
        for (game, steps) in STEPS {
            crate::open(game).unwrap();
            for (pair, step) in levels.windows(2).zip(steps) {
                let row = format!("zermelo match {game} {} {} ", pair[1], pair[0]);
                let row = page.lines().find(|line| line.contains(&row));
                assert_eq!(row.is_some(), step.is_some(), "{game} {pair:?}");
                let Some((row, step)) = row.zip(step) else { continue };
                assert!(row.contains(&format!("| +{step} (")), "{game} {pair:?}: {row}");
            }
        }
    }
}
