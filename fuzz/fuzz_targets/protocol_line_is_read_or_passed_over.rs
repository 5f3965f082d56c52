#![no_main]

use protocols::{dxp, ggf, gomocup, gtp, hub, nboard, text, uci};

libfuzzer_sys::fuzz_target!(|line: &str| {
    // What fronts say.
    let _ = uci::Command::read(line);
    let _ = gtp::Request::read(line);
    let _ = hub::Command::read(line);
    let _ = gomocup::Command::read(line);
    let _ = nboard::Command::read(line);
    let _ = text::Command::read(line);
    // What engines say.
    let _ = uci::Reply::read(line);
    let _ = hub::Reply::read(line);
    let _ = gomocup::Reply::read(line);
    let _ = nboard::Reply::read(line);
    let _ = text::Reply::read(line);
    let _ = gtp::Answers::default().hear(line);
    // What other programs and files say.
    let _ = dxp::Message::read(line.as_bytes());
    let _ = ggf::read_all(line);
    let _ = line.parse::<arena::Contestant>();
});
