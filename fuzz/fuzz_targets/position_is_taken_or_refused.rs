#![no_main]

// The first line names the game, the rest is the position.
libfuzzer_sys::fuzz_target!(|text: &str| {
    let (spec, position) = text.split_once('\n').unwrap_or(("tictactoe", text));
    if let Ok(game) = catalog::open(spec) {
        let mut session = game.session();
        catalog::testkit::position_is_taken_or_refused(&mut *session, position);
    }
});
