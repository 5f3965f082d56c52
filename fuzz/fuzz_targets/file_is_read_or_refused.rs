#![no_main]

// The first line names the game, the rest is the file.
libfuzzer_sys::fuzz_target!(|text: &str| {
    let (spec, file) = text.split_once('\n').unwrap_or(("tictactoe", text));
    if let Ok(game) = catalog::open(spec) {
        catalog::testkit::file_is_read_or_refused(&*game, file);
    }
});
