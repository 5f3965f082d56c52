//! What a worker says while its threads work: that units are still worked at, and reports that
//! could not be delivered before.

use std::time::Instant;

use super::backoff::Backoff;
use super::client::CallError;
use super::folder::{Key, key_of};
use super::{LOOK, Running, SILENCE, TICK, Worker, WorkerError};
use crate::wire::{
    AttemptJson, DeliverRequest, ErrorCode, FindingJson, MOST_UNITS, ReceiptJson, RenewAnswer,
    RenewRequest, UnitIdText,
};

impl Worker<'_> {
    /// The clerk's life.
    pub(super) fn keep_in_touch(&self) {
        let (first, most) = self.options.waits;
        let mut backoff = Backoff::new(first, most);
        let mut rest_until = Instant::now();
        loop {
            // Reports of an earlier life get one more try in the end.
            let is_last = self.lock().closed;
            if is_last || Instant::now() >= rest_until {
                match self.say_all(is_last) {
                    Ok(true) => backoff.reset(),
                    Ok(false) => {}
                    Err(CallError::Away { after, .. }) => {
                        rest_until = Instant::now() + backoff.next(after);
                    }
                    Err(CallError::Refused { why, .. }) => {
                        self.end(Some(WorkerError::Refused(why)));
                        rest_until = Instant::now() + backoff.next(None);
                    }
                }
            }
            if is_last {
                return;
            }
            std::thread::sleep(TICK / 2);
        }
    }

    /// Says what is due; whether anything was. Nobody is told of units while the worker pauses:
    /// others may have them.
    fn say_all(&self, is_last: bool) -> Result<bool, CallError> {
        let due = match self.pace.is_paused() || is_last {
            true => Vec::new(),
            false => self.due(),
        };
        for units in due.chunks(MOST_UNITS) {
            self.renew(units)?;
        }
        let waiting = std::mem::take(&mut self.lock().undelivered);
        let is_any = !due.is_empty() || !waiting.is_empty();
        let mut waiting = waiting.into_iter();
        while let Some(request) = waiting.next() {
            if let Err(error) = self.deliver(&request) {
                let mut state = self.lock();
                state.undelivered.push(request);
                state.undelivered.extend(waiting);
                return Err(error);
            }
        }
        Ok(is_any)
    }

    /// Units of which nothing was said for a third of their lease, for long, or for an eighth of the
    /// time that they have been worked at: so little is lost if nobody wants them any longer.
    fn due(&self) -> Vec<Key> {
        let is_due = |unit: &Running| {
            let worked = (unit.began.elapsed() / 8).max(LOOK);
            let longest = (unit.lease / 3).min(SILENCE).min(worked);
            unit.renewed.is_none_or(|since| since.elapsed() >= longest)
        };
        let state = self.lock();
        let due = state.running.iter().filter(|(_, unit)| is_due(unit));
        due.map(|(&key, _)| key).collect()
    }

    fn renew(&self, units: &[Key]) -> Result<(), CallError> {
        let units_json =
            units.iter().map(|&(unit, attempt)| AttemptJson { unit: UnitIdText(unit), attempt });
        let request = RenewRequest { units: units_json.collect() };
        let RenewAnswer { wanted } = self.client.post("renew", &request)?;
        let mut state = self.lock();
        for (key, wanted) in units.iter().zip(wanted) {
            let Some(running) = state.running.get_mut(key) else { continue };
            running.renewed = Some(Instant::now());
            if !wanted {
                running.withdrawn = true;
                running.stop.stop();
            }
        }
        Ok(())
    }

    /// Delivers a report. It is forgotten unless it is worth another try.
    pub(super) fn deliver(&self, request: &DeliverRequest) -> Result<(), CallError> {
        let unit = request.report.unit;
        let refused = match self.client.post("deliver", request) {
            Ok(ReceiptJson::Taken) => None,
            Ok(ReceiptJson::Refused { error }) => Some(error),
            Err(CallError::Refused { why, code: ErrorCode::Malformed | ErrorCode::TooLarge }) => {
                Some(why)
            }
            Err(error) => return Err(error),
        };
        self.folder.forget(key_of(request));
        let progress = &mut self.lock().progress;
        match refused {
            Some(why) => {
                tracing::warn!(%unit, why = %game::shown(&why), "a report was refused");
                progress.refused += 1;
            }
            None => {
                progress.done += 1;
                progress.nodes += request.report.nodes;
                let failed = matches!(request.report.finding, FindingJson::Failed { .. });
                progress.failed += u64::from(failed);
                if let Some(error) = &request.error {
                    tracing::warn!(%unit, error = %game::shown(error), "a unit failed");
                }
            }
        }
        Ok(())
    }
}
