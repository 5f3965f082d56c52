//! [`Sheet`]: a game as it is written down. What happened is a list of [`Event`]s that only grows; the
//! sheet is what they add up to. Nothing here knows of stores, sockets or threads.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use compiled::{CompiledGame, CompiledSession};
use game::Side;
use play::Outcome;
use play::record::{Date, Verdict};
use serde::{Deserialize, Serialize};

use crate::board::{Names, Spoken, spoken_on};
use crate::clock::{Clocks, Face, TimeControl};
use crate::offers::{Offers, Wish};
use crate::refusal::Refusal;
use crate::seats::Seat;
use crate::timekeeper::Turn;
use crate::worth::Opinion;

/// The largest board that the page draws.
const LARGEST_SIDE: usize = 250;

/// Something that happened. Each has a version, one more than the one before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Event {
    /// The side to move played this.
    Play {
        #[serde(rename = "move")]
        text: String,
        /// In so many milliseconds, where there are clocks; none for moves from a file.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        spent: Option<u64>,
    },
    /// Moves were taken back or played again, up to this one.
    GoTo { ply: usize },
    /// A side gave up.
    Resign { second: bool },
    /// A side's time ran out; a draw if the other could not win any more.
    Flag { second: bool, drawn: bool },
    /// The side to move claimed what the rules let it claim.
    Claim,
    /// The players agreed on what the rules leave to them.
    Agree { text: String },
    /// The players changed places.
    Swap,
    /// Somebody took a seat: from then on another secret opens it, of which this is the hash.
    Sit { second: bool, token: String },
    /// One of two people asked the other for something.
    Offer { what: Wish, second: bool },
    /// The other said no, or whoever asked thought better of it.
    Decline,
    /// Both called it a draw.
    Draw,
    /// Both went on to another game.
    Rematch { id: String },
    /// The game comes from a file, which says who, where and when.
    Loaded { tags: Vec<(String, String)> },
}

/// How a game began.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Opening {
    /// The game's canonical name.
    pub(crate) game: String,
    /// The first position, if it is not the usual start.
    pub(crate) position: Option<String>,
    pub(crate) seats: [Seat; 2],
    /// How much time each side has, if that is limited.
    pub(crate) clock: Option<TimeControl>,
}

/// A move that was played, with who played it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Ply {
    #[serde(flatten)]
    pub(crate) spoken: Spoken,
    #[cfg_attr(test, ts(as = "crate::typescript::SideName"))]
    pub(crate) side: &'static str,
}

impl Ply {
    pub(crate) fn text(&self) -> &str {
        &self.spoken.outline.text
    }
}

/// A game under way.
pub(crate) struct Sheet {
    game: Arc<dyn CompiledGame>,
    session: Box<dyn CompiledSession>,
    names: Names,
    opening: Opening,
    /// The players now: they may have changed places.
    seats: [Seat; 2],
    /// The moves, and after the current position those that were taken back.
    line: Vec<Ply>,
    ply: usize,
    clocks: Option<Clocks>,
    /// What was thought of positions of the line, by how many moves led to them.
    opinions: BTreeMap<usize, Opinion>,
    resigned: Option<Side>,
    /// Whose time ran out, and whether that is a draw.
    flagged: Option<(Side, bool)>,
    claimed: bool,
    drawn: bool,
    offers: Offers,
    /// The game that the same people went on to.
    next: Option<String>,
    /// Which seats somebody has taken for good.
    taken: [bool; 2],
    /// Who, where and when, as a file says that the game comes from.
    tags: Vec<(String, String)>,
    version: u64,
    /// The last version that changed the position or who plays.
    moved: u64,
    /// The version with which the turn began.
    turned: u64,
}

impl Sheet {
    /// Sets up a game.
    pub(crate) fn new(opening: Opening) -> Result<Sheet, Refusal> {
        let (game, session) = set_up(&opening.game, opening.position.as_deref())?;
        let names = Names::new(&session.diagram());
        let (seats, clocks) = (opening.seats.clone(), opening.clock.map(Clocks::new));
        Ok(Sheet {
            game,
            session,
            names,
            opening,
            seats,
            line: Vec::new(),
            ply: 0,
            clocks,
            opinions: BTreeMap::new(),
            resigned: None,
            flagged: None,
            claimed: false,
            drawn: false,
            offers: Offers::default(),
            next: None,
            taken: [false; 2],
            tags: Vec::new(),
            version: 0,
            moved: 0,
            turned: 0,
        })
    }

    /// What happened, played again, with what was thought at each version.
    pub(crate) fn replay(
        opening: Opening,
        events: Vec<Event>,
        opinions: &BTreeMap<u64, Opinion>,
    ) -> Result<Sheet, Refusal> {
        let mut sheet = Sheet::new(opening)?;
        for event in events {
            sheet.recall(opinions);
            sheet.apply(event)?;
        }
        sheet.recall(opinions);
        Ok(sheet)
    }

    fn recall(&mut self, opinions: &BTreeMap<u64, Opinion>) {
        if let Some(opinion) = opinions.get(&self.version) {
            self.note(opinion.clone());
        }
    }

    /// Keeps what was thought of the current position.
    pub(crate) fn note(&mut self, opinion: Opinion) {
        self.opinions.insert(self.ply, opinion);
    }

    pub(crate) fn opinions(&self) -> &BTreeMap<usize, Opinion> {
        &self.opinions
    }

    pub(crate) fn opening(&self) -> &Opening {
        &self.opening
    }

    pub(crate) fn seats(&self) -> &[Seat; 2] {
        &self.seats
    }

    pub(crate) fn game(&self) -> &Arc<dyn CompiledGame> {
        &self.game
    }

    pub(crate) fn session(&self) -> &dyn CompiledSession {
        &*self.session
    }

    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// Whether what was meant for a version still makes sense: offers come and go without changing the position.
    pub(crate) fn is_about(&self, version: u64) -> bool {
        (self.moved..=self.version).contains(&version)
    }

    pub(crate) fn offers(&self) -> &Offers {
        &self.offers
    }

    pub(crate) fn next(&self) -> Option<&str> {
        self.next.as_deref()
    }

    /// Which seats somebody has taken for good.
    pub(crate) fn taken(&self) -> [bool; 2] {
        self.taken
    }

    /// What the clocks showed when the turn began, if there are any.
    pub(crate) fn face(&self) -> Option<(TimeControl, Face)> {
        self.clocks.as_ref().map(|clocks| (clocks.control(), clocks.at(self.ply)))
    }

    /// Whose time ran out.
    pub(crate) fn flagged(&self) -> Option<Side> {
        self.flagged.map(|(side, _)| side)
    }

    /// The turn whose time is counted, if the clocks run.
    pub(crate) fn turn(&self) -> Option<Turn> {
        let (side, (_, face)) = (self.to_move()?, self.face()?);
        let (left, by_machine) = (face.left[side.index()], !self.seats[side.index()].is_human());
        face.runs().then_some(Turn { began: self.turned, left, by_machine })
    }

    pub(crate) fn line(&self) -> &[Ply] {
        &self.line
    }

    pub(crate) fn ply(&self) -> usize {
        self.ply
    }

    /// How the game ended, and why, if it has.
    pub(crate) fn outcome(&self) -> Option<(Outcome, &'static str)> {
        if let Some(side) = self.resigned {
            let margin = side.other().sign();
            return Some((Outcome { margin, margin_limit: 1, margin_scale: 1 }, "resigned"));
        }
        if let Some((side, drawn)) = self.flagged {
            let margin = if drawn { 0 } else { side.other().sign() };
            return Some((Outcome { margin, margin_limit: 1, margin_scale: 1 }, "time"));
        }
        if self.drawn {
            let outcome = Outcome { margin: 0, margin_limit: 1, margin_scale: 1 };
            return Some((outcome, "agreed"));
        }
        let why = if self.claimed { "claimed" } else { "rules" };
        self.session.outcome().map(|outcome| (outcome, why))
    }

    /// Who has to move; nobody in a finished game.
    pub(crate) fn to_move(&self) -> Option<Side> {
        self.outcome().is_none().then(|| self.session.to_move())
    }

    /// The bot or engine that has to move, if one has.
    pub(crate) fn machine_to_move(&self) -> Option<(Side, &Seat)> {
        let side = self.to_move()?;
        Some((side, &self.seats[side.index()])).filter(|(_, seat)| !seat.is_human())
    }

    /// A game of its own at the current position, for a search.
    pub(crate) fn copy_of_session(&self) -> Result<Box<dyn CompiledSession>, Refusal> {
        self.session_at(self.ply)
    }

    /// The game as it was after some moves.
    pub(crate) fn session_at(&self, ply: usize) -> Result<Box<dyn CompiledSession>, Refusal> {
        let mut session = begun(&*self.game, self.opening.position.as_deref())?;
        let moves = self.line.get(..ply).ok_or_else(|| Refusal::bad("there is no such move"))?;
        for ply in moves {
            session.play(ply.text()).map_err(|e| Refusal::text("move", &e))?;
        }
        Ok(session)
    }

    /// The game in its own file format, begun at this Unix time, with how the file's name ends.
    pub(crate) fn file(&self, began: Option<i64>) -> Result<(String, &'static str), Refusal> {
        let facts = self.game.facts();
        let mut record = self.session.record();
        record.result = self.outcome().map(|(outcome, _)| Verdict::of_margin(outcome.margin));
        record.tags.clone_from(&self.tags);
        for (colour, seat) in facts.colours.iter().zip(&self.seats) {
            record.add_tag(colour, seat.in_files());
        }
        if let Some(began) = began {
            record.add_tag("Date", facts.date_text(Date::of_unix_time(began)));
        }
        let text = self.game.files().write(&record).map_err(|e| Refusal::text("game", &e))?;
        Ok((text, facts.extension))
    }

    /// Where taking back leads: to a person's turn, over what bots answered; one move where only bots play.
    pub(crate) fn previous_turn(&self) -> Option<usize> {
        self.turns().take(self.ply).rposition(|turn| turn)
    }

    /// Where playing again leads: to a person's turn, or the end of what was taken back.
    pub(crate) fn next_turn(&self) -> Option<usize> {
        let rest = self.line.len().checked_sub(self.ply + 1)?;
        let ahead = self.turns().skip(self.ply + 1).position(|turn| turn);
        Some(self.ply + 1 + ahead.unwrap_or(rest).min(rest))
    }

    /// Where taking back leads if one of two people wants it: to that side's last move.
    pub(crate) fn previous_move(&self, side: Side) -> Option<usize> {
        self.line[..self.ply].iter().rposition(|ply| ply.side == side_name(side))
    }

    /// Whether one of two people may ask the other for this now.
    pub(crate) fn may_offer(&self, wish: Wish, side: Side) -> Result<(), Refusal> {
        if !self.seats.iter().all(Seat::is_human) {
            return Err(Refusal::conflict("there is nobody to ask"));
        }
        let sensible = match wish {
            Wish::Undo => self.next.is_none() && self.previous_move(side).is_some(),
            Wish::Draw => self.outcome().is_none() && !self.game.facts().has_margins(),
            Wish::Rematch => self.outcome().is_some() && self.next.is_none(),
        };
        match sensible {
            true => self.offers.allow(wish, side),
            false => Err(Refusal::conflict("that makes no sense now")),
        }
    }

    /// For each move of the line, whether a person made it; any move where only bots play.
    fn turns(&self) -> impl ExactSizeIterator<Item = bool> + DoubleEndedIterator {
        let nobody = !self.seats.iter().any(Seat::is_human);
        self.line.iter().map(move |ply| {
            let side = usize::from(ply.side == side_name(Side::Second));
            nobody || self.seats[side].is_human()
        })
    }

    /// Why no legal move touches these squares in turn.
    pub(crate) fn why_not(&self, squares: &[usize]) -> Refusal {
        let on_board: Option<Vec<_>> = squares.iter().map(|&at| self.names.square(at)).collect();
        let Some(touched) = on_board.filter(|touched| !touched.is_empty()) else {
            return Refusal::bad("these are no squares of this board");
        };
        let begins = |text: &String| self.names.outline(text).squares.starts_with(squares);
        match self.session.moves().iter().any(begins) {
            true => Refusal::conflict("a legal move begins so"),
            false => Refusal::conflict(self.session.why_not(&touched)),
        }
    }

    /// Lets something happen, if it can, and gives it back as it is to be written down.
    pub(crate) fn apply(&mut self, event: Event) -> Result<Event, Refusal> {
        let event = match event {
            Event::Play { text, spent } => {
                Event::Play { text: self.play(&text, spent.map(Duration::from_millis))?, spent }
            }
            Event::GoTo { ply } => {
                self.go_to(ply)?;
                event
            }
            Event::Resign { second } => {
                self.must_go_on()?;
                self.resigned = Some(if second { Side::Second } else { Side::First });
                event
            }
            Event::Flag { second, drawn } => {
                self.must_go_on()?;
                if self.clocks.is_none() {
                    return Err(Refusal::conflict("there are no clocks"));
                }
                self.flagged = Some((if second { Side::Second } else { Side::First }, drawn));
                event
            }
            Event::Claim => {
                self.must_go_on()?;
                if !self.session.claim() {
                    return Err(Refusal::conflict("there is nothing to claim here"));
                }
                self.claimed = true;
                event
            }
            Event::Agree { ref text } => {
                self.session.agree(text).map_err(|e| Refusal::text("agreement", &e))?;
                event
            }
            Event::Swap => {
                self.seats.swap(0, 1);
                self.taken.swap(0, 1);
                event
            }
            Event::Loaded { ref tags } => {
                self.tags.clone_from(tags);
                event
            }
            Event::Offer { .. }
            | Event::Decline
            | Event::Draw
            | Event::Rematch { .. }
            | Event::Sit { .. } => return self.negotiate(event),
        };
        if !matches!(event, Event::Play { .. }) {
            self.offers.clear();
        }
        self.version += 1;
        self.moved = self.version;
        if matches!(event, Event::Play { .. } | Event::GoTo { .. }) {
            self.turned = self.version;
        }
        Ok(event)
    }

    /// What two people settle between them, and who they are: the position stays as it is.
    fn negotiate(&mut self, event: Event) -> Result<Event, Refusal> {
        match &event {
            Event::Offer { what, second } => {
                let side = if *second { Side::Second } else { Side::First };
                self.may_offer(*what, side)?;
                self.offers.make(*what, side);
            }
            Event::Decline => self.offers.decline()?,
            Event::Draw => {
                self.must_go_on()?;
                self.offers.accept(Wish::Draw)?;
                self.drawn = true;
            }
            Event::Rematch { id } => {
                self.offers.accept(Wish::Rematch)?;
                self.next = Some(id.clone());
            }
            Event::Sit { second, .. } => {
                let seat = usize::from(*second);
                if self.taken[seat] || !self.seats[seat].is_human() {
                    return Err(Refusal::conflict("this seat is taken"));
                }
                self.taken[seat] = true;
            }
            _ => return Err(Refusal::bad("that is not for two to settle")),
        }
        self.version += 1;
        Ok(event)
    }

    fn must_go_on(&self) -> Result<(), Refusal> {
        match self.outcome() {
            Some(_) => Err(Refusal::conflict("the game is over")),
            None => Ok(()),
        }
    }

    fn play(&mut self, text: &str, spent: Option<Duration>) -> Result<String, Refusal> {
        self.must_go_on()?;
        let played = spoken_on(&mut *self.session, &self.names, text);
        let (spoken, mover) = played.map_err(|e| Refusal::text("move", &e))?;
        let text = spoken.outline.text.clone();
        if let Some(clocks) = &mut self.clocks {
            let turn_ends = self.session.outcome().is_some() || self.session.to_move() != mover;
            clocks.played(self.ply, mover, turn_ends, spent);
        }
        self.line.truncate(self.ply);
        self.line.push(Ply { spoken, side: side_name(mover) });
        self.ply += 1;
        self.opinions.split_off(&self.ply);
        self.offers.moved(mover);
        Ok(text)
    }

    fn go_to(&mut self, ply: usize) -> Result<(), Refusal> {
        if ply > self.line.len() {
            return Err(Refusal::bad("there is no such move"));
        }
        while self.ply > ply && self.session.undo() {
            self.ply -= 1;
        }
        while self.ply < ply {
            let text = self.line[self.ply].text();
            self.session.play(text).map_err(|e| Refusal::text("move", &e))?;
            self.ply += 1;
        }
        (self.resigned, self.flagged) = (None, None);
        (self.claimed, self.drawn) = (false, false);
        Ok(())
    }
}

/// What a game is called: a preset's name, if it is one; else its own.
pub(crate) fn common_name(game: &str) -> &str {
    static PRESETS: LazyLock<Vec<(String, &str)>> = LazyLock::new(|| {
        let presets = catalog::families().flat_map(|family| family.presets);
        presets
            .filter_map(|p| Some((catalog::open(p.spec).ok()?.facts().spec.clone(), p.name)))
            .collect()
    });
    PRESETS.iter().find(|(spec, _)| spec == game).map_or(game, |(_, name)| name)
}

/// As JSON names a side.
pub(crate) fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

/// A game, and a session of it.
pub(crate) type SetUp = (Arc<dyn CompiledGame>, Box<dyn CompiledSession>);

/// A game at its first position.
pub(crate) fn set_up(game: &str, position: Option<&str>) -> Result<SetUp, Refusal> {
    let game = catalog::open(game).map_err(|e| Refusal::text("game", &e))?;
    let session = begun(&*game, position)?;
    Ok((game, session))
}

fn begun(
    game: &dyn CompiledGame,
    position: Option<&str>,
) -> Result<Box<dyn CompiledSession>, Refusal> {
    let mut session = game.session();
    let grid = session.diagram().grid();
    if grid.rows.max(grid.columns) > LARGEST_SIDE {
        let limit = LARGEST_SIDE;
        return Err(Refusal::bad(format!("the page draws boards up to {limit}x{limit}")));
    }
    if let Some(position) = position {
        session.set_position(position).map_err(|e| Refusal::text("position", &e))?;
    }
    Ok(session)
}

mod tests;
