//! [`Time`]: where the server has its time from. Tests turn it by hand.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;

/// A clock that only goes forward, whatever happens to the date; copies show the same.
#[derive(Clone, Debug)]
pub struct Time(Source);

#[derive(Clone, Debug)]
enum Source {
    /// Since then.
    Machine(Instant),
    /// As somebody has set it.
    Hand(Arc<watch::Sender<Duration>>),
}

impl Default for Time {
    fn default() -> Time {
        Time(Source::Machine(Instant::now()))
    }
}

impl Time {
    /// One that stands still until it is [moved on](Time::advance).
    #[must_use]
    pub fn by_hand() -> Time {
        Time(Source::Hand(Arc::new(watch::Sender::new(Duration::ZERO))))
    }

    /// Moves on one that is turned by hand; any other goes by itself.
    pub fn advance(&self, by: Duration) {
        if let Source::Hand(now) = &self.0 {
            now.send_modify(|now| *now += by);
        }
    }

    /// What it shows.
    pub(crate) fn now(&self) -> Duration {
        match &self.0 {
            Source::Machine(start) => start.elapsed(),
            Source::Hand(now) => *now.borrow(),
        }
    }

    /// Waits until it shows so much; for ever if nothing is to be waited for.
    pub(crate) async fn until(&self, at: Option<Duration>) {
        let Some(at) = at else { return std::future::pending().await };
        match &self.0 {
            Source::Machine(_) => tokio::time::sleep(at.saturating_sub(self.now())).await,
            Source::Hand(now) => {
                let _ = now.subscribe().wait_for(|now| *now >= at).await;
            }
        }
    }
}
