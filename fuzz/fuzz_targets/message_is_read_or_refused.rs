#![no_main]

use solve::message::{Unit, UnitReport};

// What is read has one spelling; what is refused is refused in one line. The checksum, which no
// fuzzer would guess, is put right; the first byte says which kind of message it is to be.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((choice, data)) = data.split_first() else { return };
    let is_unit = choice & 1 == 0;
    let magic: &[u8] = if is_unit { b"ZUNT\x01" } else { b"ZREP\x01" };
    let mut bytes = [magic, data].concat();
    bytes.extend(certificate::crc32(&bytes).to_le_bytes());
    let back = match is_unit {
        true => Unit::decode(&bytes).map(|unit| unit.encode()),
        false => UnitReport::decode(&bytes).map(|report| report.encode()),
    };
    match back {
        Ok(back) => assert_eq!(back, bytes),
        Err(error) => assert_eq!(error.to_string().lines().count(), 1),
    }
});
