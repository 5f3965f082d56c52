//! [`Engine`]: a foreign engine as a [`Player`], whatever it speaks.

use std::time::{Duration, Instant};

use play::{Choice, Info, Limits, Player, PlayerError, Session, Stop, Task};

use crate::fault::Fault;
use crate::process::{Process, Program};
use crate::protocol::Protocol;

/// How often a wait is interrupted to see whether somebody said stop.
const GLANCE: Duration = Duration::from_millis(20);

/// What to start and how to speak with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Its language.
    pub protocol: Protocol,
    /// What is started, and where.
    pub program: Program,
    /// Options to set at the beginning, in the words of the protocol.
    pub options: Vec<(String, String)>,
    /// How long it is waited for.
    pub patience: Patience,
}

/// How long an engine is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// To start, and to say that it is ready.
    pub greeting: Duration,
    /// For a move beyond the time it has for it, or after it was told to stop.
    pub lateness: Duration,
    /// For a move without a time.
    pub timeless: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            greeting: Duration::from_secs(10),
            lateness: Duration::from_secs(5),
            timeless: Duration::from_secs(600),
        }
    }
}

impl Patience {
    /// How long to wait for a move.
    fn for_move(&self, limits: Option<Limits>) -> Duration {
        let limits = limits.unwrap_or_default();
        let clock = limits.clock.map(|clock| clock.left);
        match limits.time.into_iter().chain(clock).min() {
            Some(time) => time + self.lateness,
            None => self.timeless,
        }
    }
}

/// Speaks one protocol with an engine.
pub(crate) trait Driver: Send {
    /// Greets an engine that has just been started, and sets its options.
    fn greet(
        &mut self,
        link: &mut Link,
        session: &dyn Session,
        options: &[(String, String)],
    ) -> Result<(), Fault>;

    /// Says that another game begins, and waits until the engine is ready.
    fn begin(&mut self, link: &mut Link, session: &dyn Session) -> Result<(), Fault>;

    /// Asks for a move.
    fn ask(
        &mut self,
        link: &mut Link,
        question: &Question<'_>,
        tell: &mut dyn FnMut(&Info),
    ) -> Result<Choice, Fault>;

    /// The protocol's last word.
    fn goodbye(&self) -> &'static str;
}

/// What is asked, and until when it is waited for.
pub(crate) struct Question<'a> {
    pub(crate) session: &'a dyn Session,
    pub(crate) task: &'a Task,
    pub(crate) stop: &'a Stop,
    pub(crate) deadline: Instant,
}

impl Question<'_> {
    /// The move that an engine named, as the game writes it; `line` is what it said.
    pub(crate) fn legal(&self, text: &str, line: &str) -> Result<String, Fault> {
        self.session
            .read_wire_move(text)
            .map_err(|e| Fault::Nonsense { said: line.to_owned(), right: e.why().to_owned() })
    }
}

/// A program that speaks, and the patience with it.
pub(crate) struct Link {
    process: Process,
    patience: Patience,
}

impl Link {
    pub(crate) fn say(&mut self, line: &str) -> Result<(), Fault> {
        self.process.send(line)
    }

    /// Hears lines until one is what was expected; for as long as greetings may take.
    pub(crate) fn expect<T>(
        &mut self,
        expected: &'static str,
        hear: &mut dyn FnMut(&str) -> Option<T>,
    ) -> Result<T, Fault> {
        self.listen(expected, Instant::now() + self.patience.greeting, &Stop::new(), hear)
    }

    /// The same from an engine that was told to stop; for as long as it may be late.
    pub(crate) fn hear_out<T>(
        &mut self,
        expected: &'static str,
        hear: &mut dyn FnMut(&str) -> Option<T>,
    ) -> Result<T, Fault> {
        self.listen(expected, Instant::now() + self.patience.lateness, &Stop::new(), hear)
    }

    /// Hears lines until one is what was expected, the time is over or somebody says stop.
    pub(crate) fn listen<T>(
        &mut self,
        expected: &'static str,
        until: Instant,
        stop: &Stop,
        hear: &mut dyn FnMut(&str) -> Option<T>,
    ) -> Result<T, Fault> {
        let start = Instant::now();
        self.process.count_anew();
        loop {
            if stop.is_stopped() {
                return Err(Fault::Stopped);
            }
            if Instant::now() >= until {
                return Err(Fault::Silent { expected, waited: start.elapsed() });
            }
            let glance = until.min(Instant::now() + GLANCE);
            if let Some(line) = self.process.receive(glance)?
                && let Some(found) = hear(&line)
            {
                return Ok(found);
            }
        }
    }

    /// Forgets what was said unasked.
    pub(crate) fn skip_waiting(&mut self) {
        self.process.skip_waiting();
    }
}

/// A foreign engine. It is started when it is first asked, and again after it has failed.
pub struct Engine {
    setup: Setup,
    driver: Box<dyn Driver>,
    link: Option<Link>,
    /// The first position and the moves of the game it was asked about last.
    game: Option<(Option<String>, Vec<String>)>,
}

impl Engine {
    /// An engine that is yet to be started.
    #[must_use]
    pub fn new(setup: Setup) -> Engine {
        let driver = crate::driver_of(setup.protocol);
        Engine { setup, driver, link: None, game: None }
    }

    /// Starts the engine, unless it runs, for a game of this kind.
    ///
    /// # Errors
    /// If it cannot be started or does not speak its protocol.
    pub fn start(&mut self, session: &dyn Session) -> Result<(), Fault> {
        if self.link.is_none() {
            let process = Process::start(&self.setup.program)?;
            let mut link = Link { process, patience: self.setup.patience };
            self.driver.greet(&mut link, session, &self.setup.options)?;
            (self.link, self.game) = (Some(link), None);
        }
        Ok(())
    }

    /// Starts the engine, unless it runs, and lets it get ready for this very game.
    ///
    /// # Errors
    /// If it cannot be started, does not speak its protocol or cannot play this.
    pub fn prepare(&mut self, session: &dyn Session) -> Result<(), Fault> {
        self.start(session)?;
        let Some(link) = &mut self.link else { return Err(Fault::DoesNotListen) };
        self.game = None;
        self.driver.begin(link, session)
    }

    /// Says something that the protocol does not know, and waits for nothing.
    ///
    /// # Errors
    /// If the engine does not run or does not listen.
    pub fn say_anything(&mut self, line: &str) -> Result<(), Fault> {
        self.link.as_mut().map_or(Err(Fault::DoesNotListen), |link| link.say(line))
    }

    /// Says goodbye; whether the engine then left by itself.
    pub fn leave(mut self) -> bool {
        self.link.take().is_some_and(|link| link.process.leave(Some(self.driver.goodbye())))
    }

    /// Closes its input without a word; whether the engine then left by itself.
    pub fn walk_away(mut self) -> bool {
        self.link.take().is_some_and(|link| link.process.leave(None))
    }

    fn ask(
        &mut self,
        session: &dyn Session,
        task: &Task,
        stop: &Stop,
        tell: &mut dyn FnMut(&Info),
    ) -> Result<Choice, Fault> {
        self.start(session)?;
        let Some(link) = &mut self.link else { return Err(Fault::DoesNotListen) };
        let (start, moves) = (session.record().start, session.played());
        let goes_on = self.game.as_ref().is_some_and(|(last_start, last_moves)| {
            *last_start == start && moves.starts_with(last_moves) && !moves.is_empty()
        });
        if !goes_on {
            self.driver.begin(link, session)?;
        }
        self.game = Some((start, moves));
        let deadline = Instant::now() + self.setup.patience.for_move(task.limits);
        self.driver.ask(link, &Question { session, task, stop, deadline }, tell)
    }
}

impl Player for Engine {
    fn choose(
        &mut self,
        session: &dyn Session,
        task: &Task,
        stop: &Stop,
        tell: &mut (dyn FnMut(&Info) + Send),
    ) -> Result<Choice, PlayerError> {
        self.ask(session, task, stop, tell).map_err(|fault| {
            // Whatever it does now, it is not the engine that we want to go on with.
            self.link = None;
            PlayerError::other(fault)
        })
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        if let Some(link) = self.link.take() {
            link.process.leave(Some(self.driver.goodbye()));
        }
    }
}

impl std::fmt::Debug for Engine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine").field("setup", &self.setup).finish_non_exhaustive()
    }
}
