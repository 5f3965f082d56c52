//! [`Table`]: a game that somebody looks at. It judges what is asked, writes down what happens before anybody
//! hears of it, and has the bots think while somebody waits.

mod clocks;
mod searches;

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use game::Side;
use tokio::sync::watch;

use crate::board::{Board, spoken_on};
use crate::exact::Switch;
use crate::house::Resources;
use crate::offers::Wish;
use crate::people::{People, PersonName, Presence, VisitorId};
use crate::refusal::Refusal;
use crate::review::Review;
use crate::seats::{Key, Rights, Seat, Tokens};
use crate::sheet::{Event, Opening, Sheet, common_name};
use crate::store::Stored;
use crate::thinking::{Kind, Running};
use crate::wire::{Request, Seen, State, Step, Thought, View};
use crate::worth::Opinion;

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
    presence: watch::Sender<Arc<Presence>>,
}

/// Somebody who asks for something at a table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asker {
    pub(crate) rights: Rights,
    pub(crate) from: IpAddr,
    /// When they were heard, by the server's time: it is not their fault if they have to wait.
    pub(crate) at: Duration,
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
    people: People,
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
        let taken = stored.taken.clone();
        let (sheet, tokens, review) = stored.replay()?;
        let turn = sheet.turn();
        let same = taken.filter(|taken| turn.is_some_and(|turn| turn.began == taken.began));
        let used = same.map_or(Duration::ZERO, |taken| taken.used);
        resources.timekeeper.follow(id, turn, used);
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
            people: People::default(),
            is_unsaved: false,
        };
        let state = watch::Sender::new(Arc::new(inner.state(id)));
        let (thought, presence) = (watch::Sender::new(None), watch::Sender::default());
        let (id, inner) = (id.to_owned(), Mutex::new(inner));
        Ok(Arc::new(Table { id, resources, inner, state, thought, presence }))
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

    pub(crate) fn presences(&self) -> watch::Receiver<Arc<Presence>> {
        self.presence.subscribe()
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
    pub(crate) fn arrive(self: &Arc<Self>) -> VisitorId {
        let mut inner = self.lock();
        inner.present += 1;
        self.think(&mut inner);
        inner.people.arrive()
    }

    /// Somebody says who they are, or what they may do has changed.
    pub(crate) fn greet(&self, visitor: VisitorId, rights: Rights, name: Option<PersonName>) {
        let mut inner = self.lock();
        inner.people.greet(visitor, rights, name);
        self.tell_presence(&inner);
    }

    /// Somebody leaves; where nobody is left, nobody thinks.
    pub(crate) fn leave(&self, visitor: VisitorId) {
        let mut inner = self.lock();
        inner.present -= 1;
        inner.people.leave(visitor, self.resources.timekeeper.now());
        self.tell_presence(&inner);
        if inner.present == 0 {
            self.quiet(&mut inner);
            self.resources.crew.players.close(&self.id);
            self.rest_clock();
        }
    }

    /// Somebody with the secret of a seat that is free takes it for good: from now on their own key opens it, and
    /// whoever else has the secret looks on. Blocks.
    pub(crate) fn sit(&self, shown: &[String], key: &Key) -> Result<(), Refusal> {
        let mut inner = self.lock();
        self.restore(&mut inner)?;
        let rights = inner.tokens.rights(shown);
        for second in [false, true] {
            let seat = usize::from(second);
            if rights.sides[seat] && !inner.sheet.taken()[seat] {
                self.happen(&mut inner, Event::Sit { second, token: key.hash() })?;
            }
        }
        self.publish(&inner);
        Ok(())
    }

    fn tell_presence(&self, inner: &Inner) {
        let now = inner.people.seen(inner.sheet.seats());
        self.presence.send_if_modified(|told| {
            let changes = **told != now;
            if changes {
                *told = Arc::new(now);
            }
            changes
        });
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
    pub(crate) fn act(self: &Arc<Self>, asker: Asker, request: Request) -> Result<(), Refusal> {
        let Asker { rights, from, at } = asker;
        if !rights.any() && !request.is_for_all() {
            return Err(Refusal::forbidden("you are looking on; only the players can do that"));
        }
        let mut inner = self.lock();
        self.restore(&mut inner)?;
        self.flag(&mut inner, at)?;
        match request {
            Request::Hello { .. } => return Err(Refusal::bad("hello is the first word only")),
            // These are for whoever keeps the connection.
            Request::Sync { .. } | Request::Name { .. } => return Ok(()),
            Request::Play { text, version } => {
                inner.sheet.must_be_about(rights, version)?;
                let spent = self.spent(&inner, at);
                self.happen(&mut inner, Event::Play { text, spent })?;
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
                inner.people.swap();
                self.tell_presence(&inner);
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
        let Opening { game, position, clock, .. } = inner.sheet.opening().clone();
        let [first, second] = inner.sheet.seats().clone();
        let sheet = Sheet::new(Opening { game, position, seats: [second, first], clock })?;
        let mut tokens = inner.tokens.clone();
        tokens.swap();
        self.resources.begin(&sheet, &tokens, &[])
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
        inner.tokens.follow(&event);
        self.resources.timekeeper.follow(&self.id, inner.sheet.turn(), Duration::ZERO);
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
            self.resources.timekeeper.follow(&self.id, inner.sheet.turn(), Duration::ZERO);
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
        self.resources.timekeeper.rests(&self.id);
        inner.searches += 1;
        self.thought.send_replace(None);
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

/// A machine's turn rests; what it has taken is in the store.
impl Drop for Table {
    fn drop(&mut self) {
        self.resources.timekeeper.forget_machine(&self.id);
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
            taken: sheet.taken(),
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
