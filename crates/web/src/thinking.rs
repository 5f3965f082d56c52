//! Searches for tables: so many at once and no more, each with so much memory and no more.
//!
//! A bot or engine is made when its turn in the queue has come, and waits for its next move among [`Players`]
//! if there is room; so what they hold is bounded by how many run and wait, not by how many games there are.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arena::Booked;
use compiled::{CompiledGame, CompiledSession};
use play::{Analysis, BotSpec, Choice, InfoLine, Limits, Player, PlayerError, Stop, Task, Turn};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::AbortHandle;

use crate::engines::{LATENESS, Roster};
use crate::openings;
use crate::players::{Place, Players};
use crate::seats::{FULL_MEMORY, LONGEST, Seat};
use crate::wire::{Line, Showing, Thought};

/// What a hint may take.
pub(crate) const HINT: Duration = Duration::from_secs(5);

/// How long searches may take to end when the server does: an engine that hangs is given its time and ended.
const LEAVING: Duration = LATENESS.saturating_add(Duration::from_secs(1));

/// How many searches run at once.
#[derive(Clone, Debug)]
pub(crate) struct Pool {
    room: Arc<Semaphore>,
    threads: usize,
}

/// Who can be had for a move: engines by name, and players who wait.
#[derive(Debug)]
pub(crate) struct Crew {
    pub(crate) roster: Roster,
    pub(crate) players: Players,
}

/// What a search is for.
#[derive(Clone, Debug)]
pub(crate) enum Purpose {
    /// The move of a bot or engine, which is not played before so long.
    Move { place: Box<Place>, pace: Duration, task: Task },
    /// Advice, in so many lines.
    Hint(usize),
}

/// How far a search has come.
#[derive(Debug)]
pub(crate) enum Milestone {
    /// It had to wait, and waits no more.
    Began,
    /// It has chosen; what it chose may have to wait.
    Ended,
    Finished(Result<Turn, PlayerError>),
}

/// Everything a search needs.
pub(crate) struct Job {
    pub(crate) game: Arc<dyn CompiledGame>,
    pub(crate) session: Box<dyn CompiledSession>,
    pub(crate) purpose: Purpose,
    pub(crate) showing: Showing,
    pub(crate) seed: u64,
    pub(crate) crew: Arc<Crew>,
    pub(crate) tell: watch::Sender<Option<Arc<Thought>>>,
}

/// A search that waits or runs.
#[derive(Debug)]
pub(crate) struct Running {
    stop: Stop,
    task: AbortHandle,
    pub(crate) kind: Kind,
}

/// What a search is, without what it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Move,
    Hint,
    Review,
}

impl Running {
    pub(crate) fn new(stop: Stop, task: AbortHandle, kind: Kind) -> Running {
        Running { stop, task, kind }
    }

    /// Ends it as soon as it can; what it found is used.
    pub(crate) fn hurry(&self) {
        self.stop.stop();
    }

    /// Ends it; what it found is forgotten, and nobody is told.
    pub(crate) fn cancel(&self) {
        self.stop.stop();
        self.task.abort();
    }
}

impl Pool {
    pub(crate) fn new(threads: usize) -> Pool {
        Pool { room: Arc::new(Semaphore::new(threads)), threads }
    }

    /// Waits until no search runs, but not for ever.
    pub(crate) fn wait_until_idle(&self) {
        let patience = Instant::now() + LEAVING;
        while self.room.available_permits() < self.threads && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until there is room for one more search.
    pub(crate) async fn enter(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.room).acquire_owned().await.ok()
    }

    /// Begins a search, now or when others have ended. `reached` hears how far it has come.
    pub(crate) fn start(&self, job: Job, reached: impl Fn(Milestone) + Send + 'static) -> Running {
        let (stop, pool) = (Stop::new(), self.clone());
        let (kind, pace) = match job.purpose {
            Purpose::Move { pace, .. } => (Kind::Move, pace),
            Purpose::Hint(_) => (Kind::Hint, Duration::ZERO),
        };
        let told = stop.clone();
        let task = tokio::spawn(async move {
            let begin = Instant::now();
            let Some(permit) = pool.enter().await else { return };
            reached(Milestone::Began);
            let flag = told.clone();
            let mut work = tokio::task::spawn_blocking(move || {
                // Held by the thread, so that a search that was given up counts until it has ended.
                let _permit = permit;
                job.run(&flag)
            });
            // Depths and nodes may take any time; what was found until then is good enough.
            let done = match tokio::time::timeout(LONGEST, &mut work).await {
                Ok(done) => done,
                Err(_) => {
                    told.stop();
                    work.await
                }
            };
            let chosen = done.unwrap_or(Err(PlayerError::Search));
            reached(Milestone::Ended);
            tokio::time::sleep(pace.saturating_sub(begin.elapsed())).await;
            reached(Milestone::Finished(chosen));
        });
        Running::new(stop, task.abort_handle(), kind)
    }
}

impl Job {
    fn run(self, stop: &Stop) -> Result<Turn, PlayerError> {
        let players = &self.crew.players;
        let (place, mut player, task) = match &self.purpose {
            Purpose::Move { place, task, .. } => {
                let player = players.take(place).map_or_else(|| self.newcomer(&place.seat), Ok)?;
                (Some(place.as_ref().clone()), player, task.clone())
            }
            Purpose::Hint(lines) => {
                let limits = Some(Limits { time: Some(HINT), ..Limits::default() });
                let task = Task { limits, lines: Some(*lines), ..Task::default() };
                (None, self.bot(&BotSpec::default(), FULL_MEMORY)?, task)
            }
        };
        let begin = Instant::now();
        let (tell, showing) = (&self.tell, &self.showing);
        // Nobody hears of a search after it was told to stop: something else may be shown already.
        let chosen = player.choose(&*self.session, &task, stop, &mut |info| {
            if !stop.is_stopped() {
                tell.send_modify(|now| {
                    *now = Some(Arc::new(showing.thought(info, now.as_deref())));
                });
            }
        });
        // One that has failed is not asked again.
        let Choice { turn, analysis } = chosen?;
        if let Some(place) = place {
            players.keep(place, player);
        }
        if let Some(analysis) = analysis
            && !stop.is_stopped()
        {
            tell.send_replace(Some(Arc::new(conclusion(showing, &analysis, begin.elapsed()))));
        }
        Ok(turn)
    }

    fn newcomer(&self, seat: &Seat) -> Result<Box<dyn Player>, PlayerError> {
        match seat {
            Seat::Human => Err(PlayerError::Unfit("people think for themselves".into())),
            Seat::Bot(bot) => {
                let player = self.bot(&bot.spec, seat.megabytes())?;
                let book = bot.opens_by_book().then(|| openings::of(&self.game.facts().spec));
                Ok(match book.flatten() {
                    Some(book) => Box::new(Booked::new(book, player, self.seed)),
                    None => player,
                })
            }
            Seat::Engine(named) => self.crew.roster.player(named, &*self.game, self.seed),
        }
    }

    fn bot(&self, bot: &BotSpec, megabytes: usize) -> Result<Box<dyn Player>, PlayerError> {
        let (hash_megabytes, threads) = (Some(megabytes), Some(1));
        self.game.player(&BotSpec { hash_megabytes, threads, ..bot.clone() }, self.seed)
    }
}

/// What a finished search is shown as.
fn conclusion(showing: &Showing, analysis: &Analysis, elapsed: Duration) -> Thought {
    let best = analysis.value.map(|value| InfoLine { value, moves: analysis.pv.clone() });
    let first = best.iter().map(|line| showing.line(line, analysis.exact, analysis.scores));
    let others = analysis.others.iter().map(|line| showing.line(line, false, analysis.scores));
    let lines: Vec<Line> = first.chain(others).collect();
    Thought {
        version: showing.version,
        ply: showing.ply,
        purpose: showing.purpose,
        done: true,
        side: showing.side,
        depth: analysis.depth,
        selective_depth: analysis.selective_depth,
        nodes: analysis.nodes,
        milliseconds: elapsed.as_millis() as u64,
        best: analysis.best.as_ref().map(|text| showing.interpreter.outline(text)),
        lines,
        progress: None,
    }
}
