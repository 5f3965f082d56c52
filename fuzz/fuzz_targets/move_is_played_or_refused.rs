#![no_main]

// The first line names the game, the second is a position, the rest are moves.
libfuzzer_sys::fuzz_target!(|text: &str| {
    let mut lines = text.split('\n');
    if let Ok(game) = catalog::open(lines.next().unwrap_or_default()) {
        let mut session = game.session();
        let _ = session.set_position(lines.next().unwrap_or_default());
        for text in lines {
            catalog::testkit::move_is_played_or_refused(&mut *session, text);
            let _ = session.play(text);
        }
    }
});
