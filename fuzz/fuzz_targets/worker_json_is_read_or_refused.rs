#![no_main]

use cluster::wire::{
    AboutJson, DeliverRequest, ErrorJson, LeaseAnswer, LeaseRequest, ReceiptJson, ReleaseRequest,
    RenewAnswer, RenewRequest, WireError, read,
};
use solve::message::{Unit, UnitReport};

// What is read as a unit or a report is one, with one spelling in bytes; what is refused is refused
// in one line. The first byte says what is read.
libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((choice, bytes)) = data.split_first() else { return };
    let result: Result<(), WireError> = match choice % 9 {
        0 => read::<LeaseRequest>(bytes).map(drop),
        1 => read::<LeaseAnswer>(bytes).and_then(|answer| match answer {
            LeaseAnswer::Unit { unit, .. } => Unit::try_from(&*unit).map(|unit| {
                assert_eq!(Unit::decode(&unit.encode()), Ok(unit));
            }),
            _ => Ok(()),
        }),
        2 => read::<RenewRequest>(bytes).and_then(|request| request.check()),
        3 => read::<RenewAnswer>(bytes).map(drop),
        4 => read::<ReleaseRequest>(bytes).map(drop),
        5 => read::<DeliverRequest>(bytes).and_then(|request| {
            let (report, _) = request.check()?;
            assert_eq!(UnitReport::decode(&report.encode()), Ok(report));
            Ok(())
        }),
        6 => read::<ReceiptJson>(bytes).map(drop),
        7 => read::<ErrorJson>(bytes).map(drop),
        _ => read::<AboutJson>(bytes).map(drop),
    };
    if let Err(error) = result {
        assert_eq!(error.to_string().lines().count(), 1);
    }
});
