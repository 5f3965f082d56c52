#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| catalog::testkit::spec_opens_or_is_refused(text));
