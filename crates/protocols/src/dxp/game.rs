//! [`Initiator`] and [`Follower`]: whole games between a player here and a program at the other end of a wire.
//!
//! Only who is to move may end a game, with a message instead of a move; the other one confirms. So whoever sees that
//! the game is over while it waits goes on waiting.

use std::time::{Duration, Instant};

use game::Side;
use play::record::{Record, Verdict};
use play::{Clock, Limits, Player, Session, Stop, Task, Turn};

use super::codec::{
    Acceptance, BackAnswer, DxpColour, DxpMove, Message, Reason, Request, position_of_wire,
    position_to_wire,
};
use super::link::{Connection, Stream, Trouble};

/// The version of the protocol that is spoken.
const VERSION: u8 = 1;
/// What else may be said while something is waited for.
const MOST_TALK: usize = 1000;
/// The requests that are refused before the one who asks is taken to be lost.
const MOST_REFUSALS: usize = 100;

/// How long the other program is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// To answer anything but a move.
    pub answer: Duration,
    /// For a move beyond the time that is left for the game.
    pub lateness: Duration,
    /// For a move in a game without a clock, and for the next game.
    pub timeless: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            answer: Duration::from_secs(30),
            lateness: Duration::from_secs(60),
            timeless: Duration::from_secs(3600),
        }
    }
}

/// When our own player stops thinking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thinking {
    /// In time for the clock of the game.
    Clock,
    /// As it was made, whatever the clock says.
    AsMade,
}

/// Our side of the board.
pub struct Seat<'s> {
    /// The game, at the position to begin with.
    pub session: &'s mut dyn Session,
    /// Who plays.
    pub player: &'s mut dyn Player,
    /// How long it thinks.
    pub thinking: Thinking,
    /// Ends the game early.
    pub stop: &'s Stop,
    /// Whether we want no other game after this one.
    pub last: bool,
}

impl std::fmt::Debug for Seat<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Seat").field("thinking", &self.thinking).finish_non_exhaustive()
    }
}

/// What an initiator asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The side that we play.
    pub side: Side,
    /// For each player and the whole game; 0 for no clock.
    pub minutes: u16,
    /// How many moves of each player the game lasts at most; 0 for no limit.
    pub moves: u16,
}

/// A game that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// Who played at the other end.
    pub opponent: String,
    /// The side that we played.
    pub side: Side,
    /// How it ended; `None` if nobody knows.
    pub verdict: Option<Verdict>,
    /// Why it ended, in a few words.
    pub why: String,
    /// The game.
    pub record: Record,
    /// Whether the other program is willing to play another one.
    pub goes_on: bool,
}

/// Asks for games.
#[derive(Debug)]
pub struct Initiator<S> {
    connection: Connection<S>,
    name: String,
    patience: Patience,
}

/// Takes games that are asked for.
#[derive(Debug)]
pub struct Follower<S> {
    connection: Connection<S>,
    name: String,
    patience: Patience,
}

/// Whether a game has a board that the protocol knows.
///
/// # Errors
/// Says what would be right.
pub fn can_play(session: &dyn Session) -> Result<(), Trouble> {
    match position_of_wire(&session.wire_position()) {
        Some(_) => Ok(()),
        None => Err(Trouble::Unsuitable(format!(
            "DXP knows only draughts on boards of 50 squares, not {}",
            session.spec()
        ))),
    }
}

/// Who plays White.
fn white(session: &dyn Session) -> Side {
    match position_of_wire(&session.wire_position()) {
        Some((DxpColour::Black, _)) => session.to_move().other(),
        _ => session.to_move(),
    }
}

fn colour_of(side: Side, session: &dyn Session) -> DxpColour {
    if side == white(session) { DxpColour::White } else { DxpColour::Black }
}

fn side_of(colour: DxpColour, session: &dyn Session) -> Side {
    let white = white(session);
    if colour == DxpColour::White { white } else { white.other() }
}

impl<S: Stream> Initiator<S> {
    /// Asks under this name.
    pub fn new(connection: Connection<S>, name: &str, patience: Patience) -> Initiator<S> {
        Initiator { connection, name: name.to_owned(), patience }
    }

    /// Asks for a game and plays it.
    ///
    /// # Errors
    /// If the game was not played to an end.
    pub fn play(&mut self, seat: Seat<'_>, offer: &Offer) -> Result<Summary, Trouble> {
        can_play(&*seat.session)?;
        let set_up = seat.session.record().start.is_some() || !seat.session.played().is_empty();
        let start = position_of_wire(&seat.session.wire_position()).filter(|_| set_up);
        self.connection.send(&Message::Request(Request {
            version: VERSION,
            name: self.name.clone(),
            follower: colour_of(offer.side.other(), &*seat.session),
            minutes: offer.minutes,
            moves: offer.moves,
            start,
        }))?;
        let opponent = self.hear_answer(seat.stop)?;
        Table::new(&mut self.connection, seat, *offer, self.patience, opponent).play()
    }

    fn hear_answer(&mut self, stop: &Stop) -> Result<String, Trouble> {
        let until = Instant::now() + self.patience.answer;
        for _ in 0..MOST_TALK {
            let refused = match self.connection.receive(until, stop)? {
                Message::Accept { name, answer: Acceptance::Yes } => return Ok(name),
                Message::Accept { answer: Acceptance::Version, .. } => "it speaks another version",
                Message::Accept { answer: Acceptance::NotThis, .. } => "not this game",
                Message::Accept { .. } => "no game at all",
                Message::Chat(_) => continue,
                other => return Err(out_of_place(&other, "before a game was accepted")),
            };
            return Err(Trouble::Refused(refused));
        }
        Err(Trouble::TalksWithoutEnd)
    }
}

impl<S: Stream> Follower<S> {
    /// Answers under this name.
    pub fn new(connection: Connection<S>, name: &str, patience: Patience) -> Follower<S> {
        Follower { connection, name: name.to_owned(), patience }
    }

    /// Waits for a game and plays it; `None` if the other program leaves without asking for one.
    ///
    /// # Errors
    /// If the game was not played to an end.
    pub fn play(&mut self, seat: Seat<'_>) -> Result<Option<Summary>, Trouble> {
        can_play(&*seat.session)?;
        let until = Instant::now() + self.patience.timeless;
        let mut refusals = 0;
        for _ in 0..MOST_TALK {
            let request = match self.connection.receive(until, seat.stop) {
                Ok(Message::Request(request)) => request,
                Ok(Message::Chat(_)) => continue,
                Ok(Message::End { stop, .. }) => {
                    let _ = self.connection.send(&Message::End { reason: Reason::None, stop });
                    return Ok(None);
                }
                Ok(other) => return Err(out_of_place(&other, "before a game was asked for")),
                Err(Trouble::Gone) => return Ok(None),
                Err(trouble) => return Err(trouble),
            };
            let answer = consider(&request, &mut *seat.session);
            self.connection.send(&Message::Accept { name: self.name.clone(), answer })?;
            if answer == Acceptance::Yes {
                let side = side_of(request.follower, &*seat.session);
                let offer = Offer { side, minutes: request.minutes, moves: request.moves };
                let table =
                    Table::new(&mut self.connection, seat, offer, self.patience, request.name);
                return table.play().map(Some);
            }
            refusals += 1;
            if refusals > MOST_REFUSALS {
                return Err(Trouble::OutOfPlace("too many games that cannot be played".to_owned()));
            }
        }
        Err(Trouble::TalksWithoutEnd)
    }
}

/// Sets up what is asked for, if it can be played.
fn consider(request: &Request, session: &mut dyn Session) -> Acceptance {
    if request.version != VERSION {
        return Acceptance::Version;
    }
    let Some((colour, squares)) = &request.start else { return Acceptance::Yes };
    let before = session.record();
    let set_up = session
        .read_wire_position(&position_to_wire(*colour, squares))
        .and_then(|position| session.set_position(&position));
    if set_up.is_ok() && session.outcome().is_none() {
        return Acceptance::Yes;
    }
    // It was there before.
    let _ = session.replay(&before);
    Acceptance::NotThis
}

fn out_of_place(message: &Message, place: &str) -> Trouble {
    Trouble::OutOfPlace(format!("{} {place}", game::quote(&message.write())))
}

/// A game under way.
struct Table<'t, 's, S> {
    connection: &'t mut Connection<S>,
    seat: Seat<'s>,
    offer: Offer,
    patience: Patience,
    opponent: String,
    /// Time and moves of each side.
    used: [Duration; 2],
    made: [u32; 2],
}

/// How a game ended, and whether there may be another one.
struct End {
    verdict: Option<Verdict>,
    why: String,
    goes_on: bool,
}

impl<'t, 's, S: Stream> Table<'t, 's, S> {
    fn new(
        connection: &'t mut Connection<S>,
        seat: Seat<'s>,
        offer: Offer,
        patience: Patience,
        opponent: String,
    ) -> Table<'t, 's, S> {
        let (used, made) = ([Duration::ZERO; 2], [0; 2]);
        Table { connection, seat, offer, patience, opponent, used, made }
    }

    fn play(mut self) -> Result<Summary, Trouble> {
        loop {
            let ours = self.seat.session.to_move() == self.offer.side;
            let end = if ours { self.our_turn()? } else { self.their_turn()? };
            let Some(End { verdict, why, goes_on }) = end else { continue };
            let mut record = self.seat.session.record();
            record.result = verdict;
            let Offer { side, .. } = self.offer;
            return Ok(Summary { opponent: self.opponent, side, verdict, why, record, goes_on });
        }
    }

    fn our_turn(&mut self) -> Result<Option<End>, Trouble> {
        if let Some(verdict) = self.verdict() {
            return self.finish(Some(verdict), "by the rules").map(Some);
        }
        let side = self.offer.side;
        let limit = u32::from(self.offer.moves);
        if limit > 0 && self.made[side.index()] >= limit {
            return self.finish(None, "the moves agreed on are played").map(Some);
        }
        let start = Instant::now();
        match self.choose() {
            Ok(Turn::Play(text)) => {
                let spent = start.elapsed();
                let wire = self.seat.session.wire_move(&text).ok();
                let m = wire.and_then(|wire| DxpMove::of_wire(&wire, spent.as_secs()));
                let played = self.seat.session.play(&text);
                let (Some(m), Ok(_)) = (m, played) else {
                    return Err(self.leave(Trouble::OwnTurn(format!("it played {text}"))));
                };
                self.connection.send(&Message::Move(m))?;
                self.count(side, spent);
                Ok(None)
            }
            Ok(Turn::Claim) if self.seat.session.claim() => {
                self.finish(Some(Verdict::Draw), "we claimed a draw").map(Some)
            }
            Ok(Turn::Claim) => Err(self.leave(Trouble::OwnTurn("it claimed too much".to_owned()))),
            Ok(Turn::Resign) => self.finish(Some(won_by(side.other())), "we gave up").map(Some),
            Err(trouble) => Err(self.leave(trouble)),
        }
    }

    fn choose(&mut self) -> Result<Turn, Trouble> {
        let limits = match self.seat.thinking {
            Thinking::Clock => self.time_left(self.offer.side).map(|left| {
                let made = self.made[self.offer.side.index()];
                // One more than there are: nobody is to see our flag fall.
                let moves = u32::from(self.offer.moves).checked_sub(made).map(|n| n + 1);
                let moves = moves.filter(|_| self.offer.moves > 0);
                let clock = Clock { left, increment: Duration::ZERO, moves };
                Limits { clock: Some(clock), ..Limits::default() }
            }),
            Thinking::AsMade => None,
        };
        let task = Task { limits, ..Task::default() };
        let Seat { session, player, stop, .. } = &mut self.seat;
        let choice =
            player.choose(&**session, &task, stop, &mut |_| {}).map_err(Trouble::Player)?;
        if stop.is_stopped() { Err(Trouble::Stopped) } else { Ok(choice.turn) }
    }

    fn their_turn(&mut self) -> Result<Option<End>, Trouble> {
        let start = Instant::now();
        let side = self.offer.side.other();
        let wait = match self.time_left(side) {
            // Who has nothing more to do than to see the end of the game needs no clock for it.
            Some(_) if self.verdict().is_some() => self.patience.lateness,
            Some(left) => left + self.patience.lateness,
            None => self.patience.timeless,
        };
        for _ in 0..MOST_TALK {
            let message = match self.connection.receive(start + wait, self.seat.stop) {
                // Whoever sees that the game is over may go without a word.
                Err(Trouble::Gone | Trouble::Silent(_)) if self.verdict().is_some() => {
                    return Ok(Some(self.ended_by_other(Reason::None, false)));
                }
                message => message?,
            };
            match message {
                Message::Move(m) => {
                    self.count(side, start.elapsed());
                    return self.take(&m);
                }
                Message::End { reason, stop } => {
                    let last = self.seat.last || stop;
                    // It may have gone already.
                    let confirmation = Message::End { reason: Reason::None, stop: last };
                    let _ = self.connection.send(&confirmation);
                    return Ok(Some(self.ended_by_other(reason, !stop)));
                }
                Message::BackRequest { .. } => {
                    self.connection.send(&Message::BackAnswer(BackAnswer::Cannot))?;
                }
                Message::Chat(_) | Message::BackAnswer(_) => {}
                other => return Err(out_of_place(&other, "in the middle of a game")),
            }
        }
        Err(Trouble::TalksWithoutEnd)
    }

    /// Plays their move.
    fn take(&mut self, m: &DxpMove) -> Result<Option<End>, Trouble> {
        // They play on where our rules see an end.
        if let Some(verdict) = self.verdict() {
            return self.finish(Some(verdict), "by our rules").map(Some);
        }
        let said = m.to_wire();
        let session = &mut self.seat.session;
        let played = session.read_wire_move(&said).and_then(|text| session.play(&text));
        match played {
            Ok(_) => Ok(None),
            Err(e) => {
                let chat = format!("{said} is not legal: {}", e.why());
                let _ = self.connection.send(&Message::Chat(chat));
                Err(self.leave(Trouble::Illegal { said, why: e.why().to_owned() }))
            }
        }
    }

    fn ended_by_other(&self, reason: Reason, goes_on: bool) -> End {
        let us = self.offer.side;
        let (verdict, why) = match (self.verdict(), reason) {
            (Some(verdict), _) => (Some(verdict), "by the rules"),
            (None, Reason::Lost) => (Some(won_by(us)), "the other program gave up"),
            (None, Reason::Drawn) => (Some(Verdict::Draw), "the other program called it a draw"),
            (None, Reason::Won) => {
                (Some(won_by(us.other())), "the other program said that it has won")
            }
            (None, Reason::None) => (None, "the other program ended the game"),
        };
        End { verdict, why: why.to_owned(), goes_on }
    }

    /// Ends the game instead of a move of ours, and hears that it is confirmed.
    fn finish(&mut self, verdict: Option<Verdict>, why: &str) -> Result<End, Trouble> {
        let us = self.offer.side;
        let reason = match verdict.map(Verdict::winner) {
            None => Reason::None,
            Some(None) => Reason::Drawn,
            Some(Some(winner)) if winner == us => Reason::Won,
            Some(Some(_)) => Reason::Lost,
        };
        self.connection.send(&Message::End { reason, stop: self.seat.last })?;
        let until = Instant::now() + self.patience.answer;
        let mut goes_on = false;
        for _ in 0..MOST_TALK {
            match self.connection.receive(until, self.seat.stop) {
                Ok(Message::End { stop, .. }) => goes_on = !stop,
                Ok(_) => continue,
                // The game is over all the same.
                Err(_) => {}
            }
            break;
        }
        Ok(End { verdict, why: why.to_owned(), goes_on })
    }

    /// Tells the other program that we go, if it still listens.
    fn leave(&mut self, trouble: Trouble) -> Trouble {
        let _ = self.connection.send(&Message::End { reason: Reason::None, stop: true });
        trouble
    }

    fn verdict(&self) -> Option<Verdict> {
        self.seat.session.outcome().map(|outcome| Verdict::of_margin(outcome.margin))
    }

    /// What is left of the time of a side, if it has a clock.
    fn time_left(&self, side: Side) -> Option<Duration> {
        let minutes = Duration::from_secs(60) * u32::from(self.offer.minutes);
        (!minutes.is_zero()).then(|| minutes.saturating_sub(self.used[side.index()]))
    }

    fn count(&mut self, side: Side, spent: Duration) {
        self.used[side.index()] += spent;
        self.made[side.index()] += 1;
    }
}

fn won_by(side: Side) -> Verdict {
    match side {
        Side::First => Verdict::First,
        Side::Second => Verdict::Second,
    }
}
