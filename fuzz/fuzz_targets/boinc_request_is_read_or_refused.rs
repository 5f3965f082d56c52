#![no_main]

use cluster::boinc::{BoincPublicKey, SchedulerRequest, UploadRequest, XmlElement};

// Whatever a client sends is read or refused in one line, and what is read is within limits. The
// first byte says what is read.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else { return };
    let refused = match choice % 4 {
        0 => SchedulerRequest::read(bytes)
            .map(|request| {
                assert!(request.seconds.is_finite() && request.instances.is_finite());
                assert!(request.host.processors >= 1);
            })
            .err(),
        1 => UploadRequest::read(bytes, bytes.len() % 2 == 0)
            .map(|request| {
                if let Some(UploadRequest::Piece(_, at)) = request {
                    assert!(at <= bytes.len());
                }
            })
            .err(),
        2 => XmlElement::read(bytes).err(),
        _ => {
            let text = String::from_utf8_lossy(bytes);
            if let Ok(key) = text.parse::<BoincPublicKey>() {
                assert_eq!(key.to_string().parse::<BoincPublicKey>().unwrap(), key);
                assert!(!key.verify(b"nothing", &text));
            }
            None
        }
    };
    if let Some(error) = refused {
        assert_eq!(error.to_string().lines().count(), 1);
    }
});
