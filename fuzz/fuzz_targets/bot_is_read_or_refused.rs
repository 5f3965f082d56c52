#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| catalog::testkit::bot_is_read_or_refused(text));
