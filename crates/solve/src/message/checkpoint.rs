//! How far a worker has come with a unit, for itself alone.

use super::codec::{Frame, Sink};
use super::report::{read_trace, write_trace};
use super::{MessageError, Unit};
use crate::rules::Searched;

const FRAME: Frame = Frame { what: "checkpoint", magic: *b"ZCHK", version: 1, largest: 64 << 20 };

/// What came of the sub-jobs of a unit so far.
pub(crate) fn write_checkpoint(unit: &Unit, done: &[Searched]) -> Vec<u8> {
    let mut out = Sink::default();
    out.wide(unit.hash());
    write_trace(done, &mut out);
    FRAME.seal(&out)
}

/// Reads what [`write_checkpoint`] wrote for this unit.
pub(crate) fn read_checkpoint(unit: &Unit, bytes: &[u8]) -> Result<Vec<Searched>, MessageError> {
    let mut from = FRAME.open(bytes)?;
    let other = from.wrong("the hash of the unit");
    if from.wide("the hash of the unit")? != unit.hash() {
        return Err(other);
    }
    let done = read_trace(&mut from)?;
    from.end()?;
    Ok(done)
}
