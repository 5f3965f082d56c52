//! [`Table`]: a game that somebody looks at. It judges what is asked, writes down what happens before anybody
//! hears of it, and has the bots think while somebody waits.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use game::{Side, mix};
use play::{PlayerError, Turn};
use tokio::sync::watch;

use crate::board::{Board, spoken_on};
use crate::exact::Switch;
use crate::house::Resources;
use crate::offers::Wish;
use crate::players::Place;
use crate::refusal::Refusal;
use crate::review::{self, Review};
use crate::seats::{Rights, Seat, Tokens};
use crate::sheet::{Event, Opening, Sheet, common_name, side_name};
use crate::store::Stored;
use crate::thinking::{Job, Kind, Purpose, Running};
use crate::wire::{Interpreter, Request, Seen, Showing, State, Step, Thought, View};
use crate::worth::{Opinion, Scale};

/// How long a bot's move takes at least, unless somebody says otherwise: eyes must be able to follow.
const PACE: Duration = Duration::from_millis(400);
const PACES: std::ops::RangeInclusive<u64> = 0..=10_000;

/// A game with everybody around it.
pub(crate) struct Table {
    id: String,
    resources: Arc<Resources>,
    inner: Mutex<Inner>,
    state: watch::Sender<Arc<State>>,
    thought: watch::Sender<Option<Arc<Thought>>>,
}

struct Inner {
    sheet: Sheet,
    tokens: Tokens,
    /// What a look at the whole game found.
    review: Option<Review>,
    /// Whether it is seen what a table says.
    exact: Switch,
    /// Who asked for the one under way.
    asker: Option<IpAddr>,
    running: Option<Running>,
    /// Counts searches, so that one that was given up cannot speak for another.
    searches: u64,
    paused: bool,
    pace: Duration,
    trouble: Option<String>,
    /// How many look at it.
    present: usize,
    /// Whether the sheet has something on it that could not be written down, and so has not happened.
    is_unsaved: bool,
}

impl Table {
    /// A game as it was written down.
    pub(crate) fn new(
        id: &str,
        stored: Stored,
        resources: Arc<Resources>,
    ) -> Result<Arc<Table>, Refusal> {
        let (sheet, tokens, review) = stored.replay()?;
        let exact = Switch::new(&resources.tables, sheet.opening());
        let inner = Inner {
            sheet,
            tokens,
            review,
            exact,
            asker: None,
            running: None,
            searches: 0,
            paused: false,
            pace: PACE,
            trouble: None,
            present: 0,
            is_unsaved: false,
        };
        let state = watch::Sender::new(Arc::new(inner.state(id)));
        let thought = watch::Sender::new(None);
        let (id, inner) = (id.to_owned(), Mutex::new(inner));
        Ok(Arc::new(Table { id, resources, inner, state, thought }))
    }

    pub(crate) fn state(&self) -> Arc<State> {
        Arc::clone(&self.state.borrow())
    }

    pub(crate) fn states(&self) -> watch::Receiver<Arc<State>> {
        self.state.subscribe()
    }

    pub(crate) fn thoughts(&self) -> watch::Receiver<Option<Arc<Thought>>> {
        self.thought.subscribe()
    }

    /// What somebody with these secrets may do now.
    pub(crate) fn rights(&self, shown: &[String]) -> Rights {
        self.lock().tokens.rights(shown)
    }

    /// The position after some moves.
    pub(crate) fn view_at(&self, ply: usize) -> Result<View, Refusal> {
        let inner = self.lock();
        let (session, names) = (inner.sheet.session_at(ply)?, inner.sheet.names());
        let exact = inner.exact.says(&**inner.sheet.game(), &*session, names);
        Ok(View { exact, ..View::at(&*session, names, ply) })
    }

    /// The positions along moves that could follow after some of the game's.
    pub(crate) fn line(&self, ply: usize, moves: &[String]) -> Result<Vec<Step>, Refusal> {
        let inner = self.lock();
        let (mut session, names) = (inner.sheet.session_at(ply)?, inner.sheet.names());
        let step = |text: &String| {
            let played = spoken_on(&mut *session, names, text);
            let (spoken, _) = played.map_err(|e| Refusal::text("move", &e))?;
            Ok(Step { spoken, board: Board::new(&session.diagram()) })
        };
        moves.iter().map(step).collect()
    }

    /// The game in its own file format, with how the file's name ends.
    pub(crate) fn file(&self) -> Result<(String, &'static str), Refusal> {
        let inner = self.lock();
        inner.sheet.file(self.resources.store.began(&self.id)?)
    }

    /// Somebody begins to look on.
    pub(crate) fn arrive(self: &Arc<Self>) {
        let mut inner = self.lock();
        inner.present += 1;
        self.think(&mut inner);
    }

    /// Somebody leaves; where nobody is left, nobody thinks.
    pub(crate) fn leave(&self) {
        let mut inner = self.lock();
        inner.present -= 1;
        if inner.present == 0 {
            self.quiet(&mut inner);
            self.resources.crew.players.close(&self.id);
        }
    }

    /// The server ends: nobody thinks any more.
    pub(crate) fn close(&self) {
        let mut inner = self.lock();
        inner.paused = true;
        self.quiet(&mut inner);
    }

    /// What it takes to keep it at hand: moves and squares.
    pub(crate) fn weight(&self) -> usize {
        let inner = self.lock();
        let grid = inner.sheet.session().diagram().grid();
        inner.sheet.line().len() + grid.rows * grid.columns
    }

    /// Does what somebody asks, or says why not. Blocks while it is written down.
    pub(crate) fn act(
        self: &Arc<Self>,
        rights: Rights,
        from: IpAddr,
        request: Request,
    ) -> Result<(), Refusal> {
        if !rights.any() && !request.is_for_all() {
            return Err(Refusal::forbidden("you are looking on; only the players can do that"));
        }
        let mut inner = self.lock();
        self.restore(&mut inner)?;
        match request {
            Request::Hello { .. } => return Err(Refusal::bad("hello is the first word only")),
            Request::Play { text, version } => {
                inner.sheet.must_be_about(rights, version)?;
                self.happen(&mut inner, Event::Play { text })?;
            }
            Request::WhyNot { squares, version } => {
                inner.sheet.must_be_about(rights, version)?;
                return Err(inner.sheet.why_not(&squares));
            }
            Request::Undo | Request::Redo => {
                inner.sheet.must_speak_for_all(rights)?;
                let (ply, nothing) = match request {
                    Request::Undo => (inner.sheet.previous_turn(), "there is nothing to take back"),
                    _ => (inner.sheet.next_turn(), "there is nothing to play again"),
                };
                let ply = ply.ok_or_else(|| Refusal::conflict(nothing))?;
                inner.paused |= inner.sheet.has_bots_only();
                self.happen(&mut inner, Event::GoTo { ply })?;
            }
            Request::Resign => {
                let second = inner.sheet.resigning(rights)?;
                self.happen(&mut inner, Event::Resign { second })?;
            }
            Request::Claim => {
                inner.sheet.must_be_on_turn(rights)?;
                self.happen(&mut inner, Event::Claim)?;
            }
            Request::Agree { text } => {
                inner.sheet.must_speak_for_all(rights)?;
                self.happen(&mut inner, Event::Agree { text })?;
            }
            Request::Swap => {
                inner.sheet.must_speak_for_all(rights)?;
                self.happen(&mut inner, Event::Swap)?;
                inner.tokens.swap();
            }
            Request::Offer { what } => {
                let second = rights.only_side()? == Side::Second;
                self.happen(&mut inner, Event::Offer { what, second })?;
            }
            Request::Accept { what } => self.accept(&mut inner, rights, what)?,
            Request::Decline => {
                rights.only_side()?;
                self.happen(&mut inner, Event::Decline)?;
            }
            Request::Pause => {
                inner.paused = true;
                self.quiet(&mut inner);
            }
            Request::Resume => (inner.paused, inner.trouble) = (false, None),
            Request::MoveNow => self.hurry(&inner)?,
            Request::Pace { milliseconds } => {
                let fits = PACES.contains(&milliseconds);
                let wrong = || Refusal::bad("a pace is 0 to 10000 milliseconds");
                fits.then_some(()).ok_or_else(wrong)?;
                inner.pace = Duration::from_millis(milliseconds);
            }
            Request::Hint { lines } => {
                inner.sheet.must_speak_for_all(rights)?;
                self.hint(&mut inner, lines.unwrap_or(1))?;
            }
            Request::StopHint => {
                if inner.runs(Kind::Hint) {
                    self.quiet(&mut inner);
                }
            }
            Request::Exact { on } => {
                // Once a game is over it helps nobody to win it.
                if inner.sheet.outcome().is_none() {
                    inner.sheet.must_speak_for_all(rights)?;
                }
                let Inner { exact, sheet, .. } = &mut *inner;
                exact.turn(on, &self.resources.tables, sheet.opening())?;
            }
            Request::Review => self.review(&mut inner, from)?,
            Request::StopReview => {
                if inner.runs(Kind::Review) {
                    self.stop_review(&mut inner, rights, from)?;
                }
            }
        }
        self.think(&mut inner);
        self.publish(&inner);
        Ok(())
    }

    /// The other one of two people says yes.
    fn accept(&self, inner: &mut Inner, rights: Rights, wish: Wish) -> Result<(), Refusal> {
        let asked = inner.sheet.offers().open().filter(|&(open, _)| open == wish);
        let gone = || Refusal::conflict("there is no such offer any more");
        let (_, asker) = asked.ok_or_else(gone)?;
        if rights.only_side()? == asker {
            return Err(Refusal::conflict("the other player has to say yes"));
        }
        let event = match wish {
            Wish::Undo => Event::GoTo { ply: inner.sheet.previous_move(asker).ok_or_else(gone)? },
            Wish::Draw => Event::Draw,
            Wish::Rematch => Event::Rematch { id: self.found_next(inner)? },
        };
        self.happen(inner, event)
    }

    /// Another game of the same people, sides swapped. Their secrets open it too, so that nothing secret is sent.
    fn found_next(&self, inner: &Inner) -> Result<String, Refusal> {
        let Opening { game, position, .. } = inner.sheet.opening().clone();
        let [first, second] = inner.sheet.seats().clone();
        let sheet = Sheet::new(Opening { game, position, seats: [second, first] })?;
        let mut tokens = inner.tokens.clone();
        tokens.swap();
        self.resources.begin(&sheet, &tokens, &[])
    }

    /// Whoever thinks about a move plays the best so far.
    fn hurry(&self, inner: &Inner) -> Result<(), Refusal> {
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

    /// Writes down what happens. A search about the position before is given up.
    fn happen(&self, inner: &mut Inner, event: Event) -> Result<(), Refusal> {
        let opinion = self.note(inner);
        let (before, was_over) = (inner.sheet.version(), inner.sheet.outcome().is_some());
        let event = inner.sheet.apply(event)?;
        let written = self.resources.store.add(&self.id, &inner.sheet, &event, opinion.as_ref());
        if let Err(error) = written {
            // What is not written down has not happened.
            inner.is_unsaved = true;
            let _ = self.restore(inner);
            return Err(error.into());
        }
        inner.review.take_if(|review| !inner.sheet.is_about(review.version));
        inner.trouble = None;
        // Two people who go on playing do so without help that anybody could ask for in between.
        let of_two = inner.sheet.seats().iter().all(Seat::is_human);
        if of_two && was_over && inner.sheet.outcome().is_none() {
            inner.exact.turn_off();
        }
        // Offers leave the position as it is, and a review of it too.
        if !inner.sheet.is_about(before) {
            self.quiet(inner);
        }
        if inner.sheet.outcome().is_some() {
            self.resources.crew.players.close(&self.id);
        }
        Ok(())
    }

    /// Goes back to what is written down, after something could not be.
    fn restore(&self, inner: &mut Inner) -> Result<(), Refusal> {
        if inner.is_unsaved {
            let gone = || Refusal::conflict("this game was removed");
            let stored = self.resources.store.load(&self.id)?.ok_or_else(gone)?;
            (inner.sheet, inner.tokens, inner.review) = stored.replay()?;
            inner.is_unsaved = false;
        }
        Ok(())
    }

    /// Keeps what a bot or a hint thinks of the position, with its version, if they do.
    fn note(&self, inner: &mut Inner) -> Option<(u64, Opinion)> {
        let thought = self.thought.borrow().clone()?;
        let opinion = thought.opinion().filter(|_| inner.sheet.is_about(thought.version))?;
        inner.sheet.note(opinion.clone());
        Some((inner.sheet.version(), opinion))
    }

    /// Ends any search and forgets it.
    fn quiet(&self, inner: &mut Inner) {
        if let Some(running) = inner.running.take() {
            running.cancel();
        }
        inner.searches += 1;
        self.thought.send_replace(None);
    }

    /// Lets the bot that has to move think, if somebody waits for it.
    fn think(self: &Arc<Self>, inner: &mut Inner) {
        let busy = inner.runs(Kind::Move);
        let is_idle = inner.present == 0 || inner.is_unsaved;
        if inner.paused || busy || is_idle || inner.trouble.is_some() {
            return;
        }
        if let Some((side, seat)) = inner.sheet.machine_to_move() {
            let place = Place { table: self.id.clone(), side, seat: seat.clone() };
            let purpose = Purpose::Move(Box::new(place), inner.pace);
            self.resources.crew.players.open(&self.id);
            if let Err(refusal) = self.search(inner, purpose) {
                inner.trouble = Some(refusal.to_string());
            }
        }
    }

    fn hint(self: &Arc<Self>, inner: &mut Inner, lines: usize) -> Result<(), Refusal> {
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
        inner.running = Some(self.resources.pool.start(job, move |chosen| {
            if let Some(table) = table.upgrade() {
                tokio::task::spawn_blocking(move || table.finished(number, is_hint, chosen));
            }
        }));
        Ok(())
    }

    /// The same for the same moment of the same game, and no two games alike.
    fn seed(&self, version: u64) -> u64 {
        mix(self.id.bytes().fold(version, |seed, byte| mix(seed ^ u64::from(byte))))
    }

    /// Looks at every position of a finished game, if nobody has.
    fn review(self: &Arc<Self>, inner: &mut Inner, from: IpAddr) -> Result<(), Refusal> {
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
    fn stop_review(&self, inner: &mut Inner, rights: Rights, from: IpAddr) -> Result<(), Refusal> {
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
        self.happen(
            inner,
            match turn {
                Turn::Play(text) => Event::Play { text },
                Turn::Claim => Event::Claim,
                Turn::Resign => Event::Resign { second },
            },
        )?;
        self.thought.send_replace(thought);
        Ok(())
    }

    /// Tells everybody how the table stands; of what is not written down they hear nothing.
    fn publish(&self, inner: &Inner) {
        let state = match inner.is_unsaved {
            true => State { trouble: inner.trouble.clone(), ..(*self.state()).clone() },
            false => inner.state(&self.id),
        };
        self.state.send_replace(Arc::new(state));
    }

    /// A panic while it was held has been answered as a failure; what is written down is still true.
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn runs(&self, kind: Kind) -> bool {
        self.running.as_ref().is_some_and(|running| running.kind == kind)
    }

    fn state(&self, id: &str) -> State {
        let sheet = &self.sheet;
        let (game, session) = (sheet.game(), sheet.session());
        let facts = game.facts();
        let (offer, declined) = sheet.offers().shown();
        let offers = [Side::First, Side::Second].map(|side| {
            let allowed = |wish: &Wish| sheet.may_offer(*wish, side).is_ok();
            Wish::ALL.into_iter().filter(allowed).collect()
        });
        State {
            id: id.to_owned(),
            version: sheet.version(),
            name: common_name(&facts.spec).to_owned(),
            family: facts.family.name.to_owned(),
            game: facts.spec.clone(),
            colours: facts.colours,
            look: facts.look.into(),
            seats: sheet.seats().each_ref().map(ToString::to_string),
            view: View {
                exact: self.exact.says(&**game, session, sheet.names()),
                ..View::of(sheet)
            },
            line: sheet.line().to_vec(),
            can_undo: sheet.previous_turn().is_some(),
            can_redo: sheet.next_turn().is_some(),
            paused: self.paused,
            pace: self.pace.as_millis() as u64,
            extension: facts.extension,
            warning: facts.warning.clone(),
            trouble: self.trouble.clone(),
            offer,
            declined,
            offers,
            next: sheet.next().map(str::to_owned),
            opinions: sheet
                .opinions()
                .iter()
                .map(|(&ply, opinion)| Seen { ply, opinion: opinion.clone() })
                .collect(),
            review: self.review.clone(),
            tabled: self.exact.is_there,
        }
    }
}
