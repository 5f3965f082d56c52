//! What must hold for any text whatsoever. Each function is a property that a test checks over seeded
//! inputs and a fuzzer over inputs of its own.

use compiled::CompiledGame;
use game::TextError;
use play::record::{FileError, Games};
use play::{BotSpec, Session};

/// A spec opens a game whose own name opens the same game, or is refused in one line.
///
/// # Panics
/// Where that does not hold.
pub fn spec_opens_or_is_refused(text: &str) {
    match crate::open(text) {
        Ok(game) => {
            let spec = &game.facts().spec;
            let again =
                crate::open(spec).unwrap_or_else(|e| panic!("{text:?} is {spec:?}, but: {e}"));
            assert_eq!(again.facts().spec, *spec, "{text:?} does not round-trip");
        }
        Err(error) => is_one_line(&error),
    }
}

/// A description of a bot reads, and what it is written as reads the same, or it is refused in one line.
///
/// # Panics
/// Where that does not hold.
pub fn bot_is_read_or_refused(text: &str) {
    match text.parse::<BotSpec>() {
        Ok(bot) => {
            let written = bot.to_string();
            let again: BotSpec =
                written.parse().unwrap_or_else(|e| panic!("{text:?} is {written:?}, but: {e}"));
            assert_eq!(again.to_string(), written, "{text:?} does not round-trip");
        }
        Err(error) => is_one_line(&error),
    }
}

/// A position is taken and written back as one that reads the same, or is refused in one line and
/// changes nothing.
///
/// # Panics
/// Where that does not hold.
pub fn position_is_taken_or_refused(session: &mut dyn Session, text: &str) {
    let before = session.position();
    match session.set_position(text) {
        Ok(()) => {
            let written = session.position();
            session
                .set_position(&written)
                .unwrap_or_else(|e| panic!("{text:?} is {written:?}, but: {e}"));
            assert_eq!(session.position(), written, "{text:?} does not round-trip");
            assert_eq!(session.outcome().is_some(), session.moves().is_empty(), "{text:?}");
        }
        Err(error) => {
            is_one_line(&error);
            assert_eq!(session.position(), before, "{text:?} is refused, but changes the position");
        }
    }
}

/// A move is played, listed and taken back, or is refused in one line and changes nothing.
///
/// # Panics
/// Where that does not hold.
pub fn move_is_played_or_refused(session: &mut dyn Session, text: &str) {
    let (before, moves) = (session.position(), session.moves());
    match session.play(text) {
        Ok(played) => {
            assert!(
                moves.contains(&played),
                "{text:?} is played as {played:?}, which is not listed"
            );
            assert!(session.undo());
        }
        Err(error) => is_one_line(&error),
    }
    assert_eq!(session.position(), before, "{text:?} leaves its traces");
}

/// Games of a file are legal, and written they read as the same; what is wrong with the file is said in one
/// line, with its place.
///
/// # Panics
/// Where that does not hold.
pub fn file_is_read_or_refused(game: &dyn CompiledGame, text: &str) {
    let (mut session, files) = (game.session(), game.files());
    let games = files.read(text);
    for (_, record) in games.good() {
        session.replay(record).unwrap_or_else(|e| panic!("{text:?} holds an illegal game: {e}"));
        assert_eq!(session.played().len(), record.line.plies.len(), "{text:?}");
        let written = files.write(record).unwrap_or_else(|e| panic!("{text:?}: {e}"));
        let again: Games = [Ok(record.clone())].into_iter().collect();
        assert_eq!(files.read(&written), again, "{text:?} is written {written:?}");
    }
    for FileError { game, line, column, error } in games.bad() {
        is_one_line(error);
        assert!(games.get(*game).is_some_and(|game| game.is_err()), "{text:?}: no bad game {game}");
        let wrong = text.lines().nth(line - 1).unwrap_or_default();
        assert!(*column <= wrong.chars().count() + 1, "{text:?}: no column {column} in {wrong:?}");
    }
}

fn is_one_line(error: &TextError) {
    let line = error.to_string();
    assert!(!line.contains(char::is_control), "{line:?} is not one line");
    assert!(!error.why().is_empty(), "{line:?} does not say what would be right");
}
