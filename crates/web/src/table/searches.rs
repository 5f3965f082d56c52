//! Who thinks at a table and when: bots about their moves, hints, reviews.

use std::net::IpAddr;
use std::sync::Arc;

use game::{Side, mix};
use play::{PlayerError, Turn};

use super::{Inner, Table};
use crate::players::Place;
use crate::refusal::Refusal;
use crate::review::{self, Review};
use crate::seats::{Rights, Seat};
use crate::sheet::{Event, side_name};
use crate::thinking::{Job, Kind, Milestone, Purpose};
use crate::wire::{Interpreter, Showing};
use crate::worth::Scale;

impl Table {
    /// Whoever thinks about a move plays the best so far.
    pub(super) fn hurry(&self, inner: &Inner) -> Result<(), Refusal> {
        let running = inner.running.as_ref().filter(|running| running.kind == Kind::Move);
        let nobody = || Refusal::conflict("no bot is thinking about a move");
        let running = running.ok_or_else(nobody)?;
        let (roster, game) = (&self.resources.crew.roster, &inner.sheet.opening().game);
        if let Some((_, Seat::Engine(named))) = inner.sheet.machine_to_move()
            && !roster.can_be_hurried(named, game)
        {
            return Err(Refusal::conflict("this engine cannot be hurried"));
        }
        running.hurry();
        Ok(())
    }

    /// Lets the bot that has to move think, if somebody waits for it.
    pub(super) fn think(self: &Arc<Self>, inner: &mut Inner) {
        let busy = inner.runs(Kind::Move);
        let is_idle = inner.present == 0 || inner.is_unsaved;
        if inner.paused || busy || is_idle || inner.trouble.is_some() {
            return;
        }
        if let Some((side, seat)) = inner.sheet.machine_to_move() {
            let place = Place { table: self.id.clone(), side, seat: seat.clone() };
            self.resources.crew.players.open(&self.id);
            let begun = self.task(inner, side, &place.seat).and_then(|task| {
                let place = Box::new(place);
                self.search(inner, Purpose::Move { place, pace: inner.pace, task })
            });
            if let Err(refusal) = begun {
                inner.trouble = Some(refusal.to_string());
            }
        }
    }

    pub(super) fn hint(self: &Arc<Self>, inner: &mut Inner, lines: usize) -> Result<(), Refusal> {
        if !(1..=5).contains(&lines) {
            return Err(Refusal::bad("a hint has 1 to 5 lines"));
        }
        if inner.sheet.to_move().is_none() {
            return Err(Refusal::conflict("the game is over"));
        }
        if inner.runs(Kind::Move) {
            return Err(Refusal::conflict("the machine is thinking about its own move"));
        }
        self.search(inner, Purpose::Hint(lines))
    }

    fn search(self: &Arc<Self>, inner: &mut Inner, purpose: Purpose) -> Result<(), Refusal> {
        self.quiet(inner);
        let sheet = &inner.sheet;
        let (number, version) = (inner.searches, sheet.version());
        let is_hint = matches!(purpose, Purpose::Hint(_));
        let job = Job {
            game: Arc::clone(sheet.game()),
            session: sheet.copy_of_session()?,
            purpose,
            showing: Showing {
                version,
                ply: sheet.ply(),
                purpose: if is_hint { "hint" } else { "move" },
                side: side_name(sheet.session().to_move()),
                interpreter: Arc::new(Interpreter::new(
                    sheet.names().clone(),
                    sheet.copy_of_session()?,
                )),
                scale: Scale::of(sheet.game().facts()),
            },
            seed: self.seed(version),
            crew: Arc::clone(&self.resources.crew),
            tell: self.thought.clone(),
        };
        let table = Arc::downgrade(self);
        inner.running = Some(self.resources.pool.start(job, move |milestone| {
            let Some(table) = table.upgrade() else { return };
            match milestone {
                Milestone::Began => table.clock_thinking(number, true),
                Milestone::Ended => table.clock_thinking(number, false),
                Milestone::Finished(chosen) => {
                    tokio::task::spawn_blocking(move || table.finished(number, is_hint, chosen));
                }
            }
        }));
        Ok(())
    }

    /// A machine's clock runs from when its search begins to when that ends: not while it waits in
    /// line, nor for the pace at which its move is shown.
    fn clock_thinking(&self, number: u64, begins: bool) {
        let inner = self.lock();
        if number != inner.searches || !inner.runs(Kind::Move) {
            return;
        }
        match begins {
            true => self.resources.timekeeper.thinks(&self.id),
            false => self.resources.timekeeper.rests(&self.id),
        }
    }

    /// The same for the same moment of the same game, and no two games alike.
    fn seed(&self, version: u64) -> u64 {
        mix(self.id.bytes().fold(version, |seed, byte| mix(seed ^ u64::from(byte))))
    }

    /// Looks at every position of a finished game, if nobody has.
    pub(super) fn review(self: &Arc<Self>, inner: &mut Inner, from: IpAddr) -> Result<(), Refusal> {
        let sheet = &inner.sheet;
        if sheet.outcome().is_none() || sheet.ply() == 0 {
            return Err(Refusal::conflict("only finished games are reviewed"));
        }
        if inner.runs(Kind::Review) || inner.review.is_some() {
            return Ok(());
        }
        let version = sheet.version();
        let work = review::Work {
            version,
            game: Arc::clone(sheet.game()),
            session: sheet.copy_of_session()?,
            names: sheet.names().clone(),
            line: sheet.line()[..sheet.ply()].to_vec(),
            seed: self.seed(version),
            asker: self.resources.askers.admit(from)?,
            tell: self.thought.clone(),
        };
        self.quiet(inner);
        let (number, table) = (inner.searches, Arc::downgrade(self));
        inner.asker = Some(from);
        inner.running = Some(review::start(&self.resources.pool, work, move |found| {
            if let Some(table) = table.upgrade() {
                tokio::task::spawn_blocking(move || table.reviewed(number, found));
            }
        }));
        Ok(())
    }

    /// For whoever asked for it, and for players.
    pub(super) fn stop_review(
        &self,
        inner: &mut Inner,
        rights: Rights,
        from: IpAddr,
    ) -> Result<(), Refusal> {
        if !rights.any() && inner.asker != Some(from) {
            return Err(Refusal::forbidden("somebody else asked for this review"));
        }
        self.quiet(inner);
        Ok(())
    }

    fn reviewed(&self, number: u64, found: Result<Review, PlayerError>) {
        let mut inner = self.lock();
        if number != inner.searches {
            return;
        }
        self.quiet(&mut inner);
        match found {
            Ok(review) => {
                if let Err(error) = self.resources.store.keep_review(&self.id, &review) {
                    tracing::error!(id = self.id, %error, "a review could not be kept");
                }
                inner.review = Some(review);
            }
            Err(why) => inner.trouble = Some(why.to_string()),
        }
        self.publish(&inner);
    }

    /// A search has come to its end, and perhaps nobody cares any more.
    fn finished(self: &Arc<Self>, number: u64, is_hint: bool, chosen: Result<Turn, PlayerError>) {
        let mut inner = self.lock();
        if number != inner.searches {
            return;
        }
        inner.running = None;
        let done = match chosen {
            Ok(_) if is_hint => self.keep_hint(&mut inner),
            Ok(turn) => self.take_turn(&mut inner, turn),
            Err(why) => Err(Refusal::conflict(why.to_string())),
        };
        if let Err(refusal) = done {
            tracing::warn!(id = self.id, %refusal, "a bot failed");
            inner.trouble = Some(refusal.to_string());
        }
        self.think(&mut inner);
        self.publish(&inner);
    }

    fn keep_hint(&self, inner: &mut Inner) -> Result<(), Refusal> {
        if let Some((version, opinion)) = self.note(inner) {
            self.resources.store.note(&self.id, version, &opinion)?;
        }
        Ok(())
    }

    fn take_turn(&self, inner: &mut Inner, turn: Turn) -> Result<(), Refusal> {
        let second = inner.sheet.to_move() == Some(Side::Second);
        // What it thought of its move stays to be read while the other side thinks.
        let thought = self.thought.borrow().clone();
        let now = self.resources.timekeeper.now();
        if self.flag(inner, now)? {
            return Ok(());
        }
        let spent = self.spent(inner, now);
        self.happen(
            inner,
            match turn {
                Turn::Play(text) => Event::Play { text, spent },
                Turn::Claim => Event::Claim,
                Turn::Resign => Event::Resign { second },
            },
        )?;
        self.thought.send_replace(thought);
        Ok(())
    }
}
