//! [`GeneratedProgram`]: the few lines that make an engine of the shared parts.

use compiled::EngineSource;
use game::TextError;

/// The engine of one game, before it is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GeneratedProgram {
    /// Tells the parameters: `mnk-15x15-k5-p1-q1-more`.
    pub name: String,
    /// The game.
    pub spec: String,
    /// Something the user should know about these parameters, though they are allowed.
    pub warning: Option<String>,
    /// What is compiled.
    pub source: String,
}

impl GeneratedProgram {
    /// For a game as people write it, and the player of its text protocol; empty for one that plays
    /// as well as it can.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn new(game: &str, ai: &str) -> Result<GeneratedProgram, TextError> {
        let game = catalog::open(game)?;
        let spec = game.facts().spec.clone();
        let EngineSource { name, body, strategy } = game.engine()?;
        let strategy = strategy.escape_ascii();
        let source = format!(
            "//! {spec}\n\n{body}\nconst ENGINE: standalone::EngineConstants =\n    standalone::EngineConstants {{ name: {name:?}, spec: {spec:?}, ai: {ai:?}, strategy: STRATEGY }};\n\n\
             const STRATEGY: &[u8] = b\"{strategy}\";\n"
        );
        Ok(GeneratedProgram { name, warning: game.facts().warning.clone(), source, spec })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(game: &str) -> String {
        GeneratedProgram::new(game, "").unwrap().name
    }

    #[test]
    fn names_tell_the_parameters() {
        assert_eq!(name("gomoku"), "mnk-15x15-k5-p1-q1-more");
        assert_eq!(name("connect6"), "mnk-19x19-k6-p2-q1-more");
        assert_eq!(name("connect4"), "mnk-6x7-k4-p1-q1-more-gravity");
        assert_eq!(name("gomoku-standard"), "mnk-15x15-k5-p1-q1-exact");
        assert_eq!(name("reversi:6x6"), "reversi-6x6");
        assert_eq!(name("go:7x7,komi=9"), "go-7x7-komi9");
        assert_eq!(name("checkers"), "draughts-english");
        assert_ne!(name("mnk:3x3,k=3,holes=a1"), name("mnk:3x3,k=3,holes=b1"));
    }

    #[test]
    fn every_number_is_part_of_the_type() {
        let source =
            GeneratedProgram::new("mnk:6x7,k=4,p=2,q=3,win=exact,gravity", "").unwrap().source;
        assert!(source.contains("ConstShape<6, 7, 4, 2, 3, true, true>"), "{source}");
        let source = GeneratedProgram::new("draughts:english,flying", "").unwrap().source;
        assert!(source.contains("flying: true"), "{source}");
        let source = GeneratedProgram::new("reversi:6x8,start=parallel", "").unwrap().source;
        assert!(source.contains("ConstShape<6, 8, true>"), "{source}");
        let source =
            GeneratedProgram::new("go:9x9,ko=basic,scoring=territory,komi=6.5", "").unwrap().source;
        for part in ["Ko::Basic", "Suicide::No", "Territory(Dead::Playout)", "halves(13)"] {
            assert!(source.contains(part), "{part}: {source}");
        }
    }

    #[test]
    fn who_plays_is_part_of_the_program() {
        let source = |ai: &str| GeneratedProgram::new("gomoku", ai).unwrap().source;
        assert!(source("").contains("ai: \"\"") && source("adjacent").contains("ai: \"adjacent\""));
    }

    #[test]
    fn who_cannot_win_is_warned_about() {
        assert!(GeneratedProgram::new("mnk:3x3,k=4", "").unwrap().warning.is_some());
        assert!(GeneratedProgram::new("gomoku", "").unwrap().warning.is_none());
        assert!(GeneratedProgram::new("mnk:3x3,k=3,p=0", "").is_err());
    }
}
