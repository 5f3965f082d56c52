//! How far a worker has come with a unit, for itself alone.

use super::codec::{Frame, Sink, Source};
use super::report::MOST_SUB_JOBS;
use super::{MessageError, Unit};
use crate::rules::Searched;

const FRAME: Frame = Frame { what: "checkpoint", magic: *b"ZCHK", version: 1, largest: 64 << 20 };

/// What came of the sub-jobs of a unit so far.
pub(crate) fn write_checkpoint(unit: &Unit, done: &[Searched]) -> Vec<u8> {
    let mut out = Sink::default();
    out.wide(unit.hash());
    out.number(done.len() as u64);
    for searched in done {
        out.number(match searched.holds {
            None => 0,
            Some(true) => 1,
            Some(false) => 2,
        });
        out.number(searched.nodes);
        out.places(&searched.order);
        out.places(&searched.refuted);
    }
    FRAME.seal(&out)
}

/// Reads what [`write_checkpoint`] wrote for this unit.
pub(crate) fn read_checkpoint(unit: &Unit, bytes: &[u8]) -> Result<Vec<Searched>, MessageError> {
    let mut from = FRAME.open(bytes)?;
    let other = from.wrong("the hash of the unit");
    if from.wide("the hash of the unit")? != unit.hash() {
        return Err(other);
    }
    let count = from.number(MOST_SUB_JOBS as u64, "the number of sub-jobs")?;
    let done = (0..count).map(|_| read_searched(&mut from)).collect::<Result<_, _>>()?;
    from.end()?;
    Ok(done)
}

fn read_searched(from: &mut Source<'_>) -> Result<Searched, MessageError> {
    let holds = match from.number(2, "an answer")? {
        0 => None,
        1 => Some(true),
        _ => Some(false),
    };
    let nodes = from.number(u64::MAX, "a number of nodes")?;
    Ok(Searched { holds, nodes, order: from.places(1 << 16)?, refuted: from.places(1 << 16)? })
}
