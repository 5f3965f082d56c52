//! Requests and answers in JSON: what can be played, new games, games as they are.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, FromRequest, Path, Request};
use axum::http::{StatusCode, header};
use axum::response::Response;
use axum::routing::{get, post};
use catalog::FamilyEntry;
use game::Family;
use play::record::FileError;
use play::{BotSpec, Level};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Timeouts;
use crate::board::Names;
use crate::clock::TimeControl;
use crate::guard::Door;
use crate::guest::{Answer, Guest, json};
use crate::history::{Listed, Query};
use crate::judgement::MadeUp;
use crate::openings;
use crate::refusal::Refusal;
use crate::seats::{Seat, Secrets};
use crate::sheet::{Event, Opening, Sheet, common_name, set_up};
use crate::wire::{LONGEST_LINE, LookEntry, Step, Told, View};
use serving::single;

/// A request's body: a game of a thousand moves with comments fits.
pub(crate) const LARGEST_BODY: usize = 256 * 1024;
/// A name, a seat.
pub(crate) const LONGEST_TEXT: usize = 8 * 1024;
/// That of a board of 250x250 fits.
pub(crate) const LONGEST_POSITION: usize = 64 * 1024;
const MOST_MOVES: usize = 5_000;

pub(crate) fn routes() -> axum::Router<Door> {
    axum::Router::new()
        .route("/families", get(families))
        .route("/preview", post(preview))
        .route("/judgements", post(judge))
        .route("/games", post(found))
        .route("/history", post(history))
        .route("/games/{id}", get(state))
        .route("/games/{id}/plies/{ply}", get(view))
        .route("/games/{id}/line", post(line))
        .route("/games/{id}/file", get(file))
        .route("/games/{id}/socket", get(crate::socket::open))
        .fallback(async || Refusal::new(StatusCode::NOT_FOUND, "there is nothing here"))
        .method_not_allowed_fallback(async || {
            Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "this is not done that way")
        })
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Families {
    families: Vec<Offered>,
    levels: [&'static str; 5],
    engines: Vec<EngineEntry>,
}

/// A family and the games of it to choose from.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "Family"))]
pub(crate) struct Offered {
    #[serde(flatten)]
    family: FamilyEntry,
    games: Vec<GameEntry>,
}

/// A game by name, as the server reads it.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "GameChoice"))]
pub(crate) struct GameEntry {
    name: String,
    summary: &'static str,
    /// By how many Elo each level is stronger than the one below, from the second on, where that was measured.
    steps: [Option<u32>; 4],
}

impl From<&'static Family> for Offered {
    fn from(family: &'static Family) -> Offered {
        let games = family.games().into_iter();
        let entry = |(name, summary): (String, _)| GameEntry {
            steps: catalog::steps(&name),
            name,
            summary,
        };
        let games = games.map(entry).collect();
        Offered { family: FamilyEntry::from(family), games }
    }
}

/// An engine that can be chosen: its name, and what it plays. What it is, is nobody's business.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct EngineEntry {
    name: String,
    family: String,
}

/// All families there are.
pub(crate) fn offered() -> Vec<Offered> {
    catalog::families().map(Offered::from).collect()
}

async fn families(guest: Guest) -> Result<Response, Refusal> {
    let may_start = guest.may_start_engines().is_ok();
    let answer = guest.ask(move |house| {
        let levels = Level::ALL.map(Level::name);
        // Nobody is offered what they would be refused.
        let known = if may_start { house.resources().crew.roster.all() } else { Vec::new() };
        let engine =
            |known: arena::Registered| EngineEntry { name: known.name, family: known.family };
        let engines = known.into_iter().map(engine).collect();
        json(&Families { families: offered(), levels, engines })
    });
    answer.await
}

/// What to play.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Wanted {
    game: String,
    #[serde(default)]
    position: Option<String>,
    /// A recorded game in the game's own format, to go on from its end.
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    seats: Option<[String; 2]>,
    /// How much time each side has; by default as much as it likes.
    #[serde(default)]
    clock: Option<String>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Preview {
    game: String,
    name: String,
    family: String,
    colours: [&'static str; 2],
    look: LookEntry,
    warning: Option<String>,
    extension: &'static str,
    /// Whether levels open by a book.
    book: bool,
    #[serde(flatten)]
    view: View,
}

/// What a game would look like, or why it cannot be.
async fn preview(guest: Guest, Sent(wanted): Sent<Wanted>) -> Result<Response, Refusal> {
    guest.ask(move |_| json(&Preview::of(&wanted.sheet()?.0))).await
}

impl Preview {
    pub(crate) fn of(sheet: &Sheet) -> Preview {
        let (facts, session) = (sheet.game().facts(), sheet.session());
        Preview {
            name: common_name(&facts.spec).to_owned(),
            family: facts.family.name.to_owned(),
            colours: facts.colours,
            look: facts.look.into(),
            warning: facts.warning.clone(),
            extension: facts.extension,
            book: openings::of(&facts.spec).is_some(),
            view: View::at(session, &Names::new(&session.diagram()), sheet.ply()),
            game: facts.spec.clone(),
        }
    }
}

/// Who wins a game that somebody has made up, or how it looks.
async fn judge(guest: Guest, Sent(judged): Sent<MadeUp>) -> Result<Response, Refusal> {
    if judged.game.len() > LONGEST_TEXT {
        return Err(Refusal::bad(format!("no such text has more than {LONGEST_TEXT} letters")));
    }
    guest.door.judging.take(guest.from)?;
    let _one_at_a_time = guest.door.rooms.judging.try_take(guest.from, 1)?;
    let pool = guest.door.house.resources().pool.clone();
    let judgement = crate::judgement::judge(pool, judged.game).await?;
    guest.ask(move |_| json(&judgement)).await
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Founded {
    id: String,
    tokens: Secrets,
}

async fn found(guest: Guest, Sent(wanted): Sent<Wanted>) -> Result<Response, Refusal> {
    guest.door.founding.take(guest.from)?;
    let (sheet, events) = guest.work(move |_| wanted.sheet()).await?;
    if sheet.seats().iter().any(|seat| matches!(seat, Seat::Engine(_))) {
        guest.may_start_engines()?;
    }
    for seat in sheet.seats() {
        match seat {
            Seat::Human => {}
            Seat::Bot(bot) => {
                let tried = BotSpec { hash_megabytes: Some(1), ..bot.spec.clone() };
                let made = sheet.game().player(&tried, 0);
                made.map_err(|why| Refusal::bad(why.to_string()))?;
            }
            Seat::Engine(named) => {
                let roster = &guest.door.house.resources().crew.roster;
                let (game, session) = (Arc::clone(sheet.game()), sheet.copy_of_session()?);
                let tried = roster.try_out(named, game, session).await;
                tried.map_err(|why| Refusal::bad(why.to_string()))?;
            }
        }
    }
    let answer = guest.ask(move |house| {
        let (id, tokens) = house.found(&sheet, &events)?;
        Ok(Answer { status: StatusCode::CREATED, ..json(&Founded { id, tokens })? })
    });
    answer.await
}

/// Which games to list.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Searched {
    family: Option<String>,
    finished: Option<bool>,
    /// For each word, what would do: the word itself, and what it means in the reader's language.
    words: Vec<Vec<String>>,
    page: usize,
    /// The games of whoever asks, with a secret of each.
    tokens: Vec<(String, Vec<String>)>,
}

const MOST_WORDS: usize = 8;
const MOST_WAYS: usize = 40;
const MOST_TOKENS: usize = 500;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct History {
    /// Whether all games of this server are listed, or those whose secrets were shown.
    everything: bool,
    #[serde(flatten)]
    listed: Listed,
}

/// On a machine of one's own, and for the admin, all games; for others their own.
async fn history(guest: Guest, Sent(searched): Sent<Searched>) -> Result<Response, Refusal> {
    let Searched { family, finished, words, page, tokens } = searched;
    let much = words.len() > MOST_WORDS || words.iter().any(|ways| ways.len() > MOST_WAYS);
    if much || tokens.len() > MOST_TOKENS {
        return Err(Refusal::bad("that is too much to look for at once"));
    }
    let everything = guest.door.is_private || guest.admin.is_ok();
    let answer = guest.ask(move |house| {
        let store = &house.resources().store;
        let mut own = Vec::new();
        for (id, shown) in tokens.into_iter().filter(|_| !everything) {
            let known = store.tokens(&id)?;
            own.extend(known.is_some_and(|known| known.rights(&shown).any()).then_some(id));
        }
        let ids = (!everything).then_some(own);
        let listed = store.list(&Query { ids, family, finished, words, page })?;
        json(&History { everything, listed })
    });
    answer.await
}

/// Files have a dozen, those of some programs twice as many.
const MOST_TAGS: usize = 40;

impl Wanted {
    /// The game that is wanted, with what has happened in it already.
    fn sheet(&self) -> Result<(Sheet, Vec<Event>), Refusal> {
        let texts = self.seats.iter().flatten().chain([&self.game]).chain(&self.clock);
        let limited = texts.map(|text| (text, LONGEST_TEXT));
        let position = self.position.iter().map(|text| (text, LONGEST_POSITION));
        if let Some((_, most)) = limited.chain(position).find(|(text, most)| text.len() > *most) {
            return Err(Refusal::bad(format!("no such text has more than {most} letters")));
        }
        let usual = || ["human".to_owned(), "bot:medium".to_owned()];
        let [first, second] = self.seats.clone().unwrap_or_else(usual);
        let seat = |text: &str| text.parse::<Seat>().map_err(|e| Refusal::text("seat", &e));
        let seats = [seat(&first)?, seat(&second)?];
        let clock = self.clock.as_deref().map(str::parse::<TimeControl>);
        let clock = clock.transpose().map_err(|e| Refusal::text("clock", &e))?;
        let (game, mut session) = set_up(&self.game, self.position.as_deref())?;
        let mut tags = Vec::new();
        if let Some(file) = &self.file {
            let read = game.files().read(file);
            let Some((_, record)) = read.good().next() else {
                let why =
                    read.bad().next().map_or("it holds no game".to_owned(), FileError::to_string);
                return Err(Refusal::bad(format!("file: {why}")));
            };
            session.replay(record).map_err(|e| Refusal::text("file", &e))?;
            // How it ended, the table says.
            let told = record.tags.iter().filter(|(name, _)| name != "RE");
            let told = told.filter(|(_, value)| value.len() <= LONGEST_TEXT);
            tags = told.take(MOST_TAGS).cloned().collect();
        }
        let played = session.played();
        if played.len() > MOST_MOVES {
            return Err(Refusal::bad(format!("a game here has at most {MOST_MOVES} moves")));
        }
        let start = session.record().start;
        let opening = Opening { game: session.spec(), position: start, seats, clock };
        let mut sheet = Sheet::new(opening)?;
        // A record may go on after rules that look back have ended the game; the table does not.
        let loaded = (!tags.is_empty()).then_some(Event::Loaded { tags });
        let plays = played.into_iter().map(|text| Event::Play { text, spent: None });
        let happens = |event| sheet.apply(event).ok();
        let events = loaded.into_iter().chain(plays).map_while(happens).collect();
        Ok((sheet, events))
    }
}

async fn state(guest: Guest, Path(id): Path<String>) -> Result<Response, Refusal> {
    let answer = guest.ask(move |house| {
        let held = house.look(&id)?;
        json(&Told { state: &held.table.state(), clock: held.table.clock() })
    });
    answer.await
}

async fn view(guest: Guest, Path((id, ply)): Path<(String, String)>) -> Result<Response, Refusal> {
    let ply = ply.parse().map_err(|_| Refusal::bad("a ply is a number"))?;
    guest.ask(move |house| json(&house.look(&id)?.table.view_at(ply)?)).await
}

/// Moves that could follow after some of a game's.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Continuation {
    ply: usize,
    moves: Vec<String>,
}

/// The longest capture on the largest draughts board fits.
pub(crate) const LONGEST_MOVE: usize = 200;

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Steps {
    steps: Vec<Step>,
}

/// The positions along a line.
async fn line(
    guest: Guest,
    Path(id): Path<String>,
    Sent(wanted): Sent<Continuation>,
) -> Result<Response, Refusal> {
    if wanted.moves.len() > LONGEST_LINE {
        return Err(Refusal::bad(format!("a line has at most {LONGEST_LINE} moves")));
    }
    if wanted.moves.iter().any(|text| text.len() > LONGEST_MOVE) {
        return Err(Refusal::bad(format!("no move has more than {LONGEST_MOVE} letters")));
    }
    let answer = guest.ask(move |house| {
        let steps = house.look(&id)?.table.line(wanted.ply, &wanted.moves)?;
        json(&Steps { steps })
    });
    answer.await
}

async fn file(guest: Guest, Path(id): Path<String>) -> Result<Response, Refusal> {
    let answer = guest.ask(move |house| {
        let (text, extension) = house.look(&id)?.table.file()?;
        let disposition = format!("attachment; filename=\"game.{extension}\"");
        let headers = vec![
            (header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
            (header::CONTENT_DISPOSITION, disposition),
        ];
        Ok(Answer { status: StatusCode::OK, headers, body: text.into_bytes() })
    });
    answer.await
}

/// A body in JSON. That it must say so keeps forms of other pages out as well.
struct Sent<T>(T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Sent<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Sent<T>, Refusal> {
        let kind = single(request.headers(), &header::CONTENT_TYPE).unwrap_or_default();
        if kind.split(';').next().map(str::trim) != Some("application/json") {
            let status = StatusCode::UNSUPPORTED_MEDIA_TYPE;
            return Err(Refusal::new(status, "the body must be application/json"));
        }
        let patience = request.extensions().get::<Timeouts>().copied().unwrap_or_default();
        let read =
            tokio::time::timeout(patience.request, Bytes::from_request(request, state)).await;
        let slow = |_| Refusal::new(StatusCode::REQUEST_TIMEOUT, "the body did not come");
        let bytes = read.map_err(slow)?.map_err(|rejection| {
            let limit = LARGEST_BODY / 1024;
            match rejection.status() {
                status @ StatusCode::PAYLOAD_TOO_LARGE => {
                    Refusal::new(status, format!("that is too much; {limit} KB fit"))
                }
                status => Refusal::new(status, "the body could not be read"),
            }
        })?;
        let read = serde_json::from_slice(&bytes);
        read.map(Sent)
            .map_err(|error| Refusal::bad(format!("the body is not as it should be: {error}")))
    }
}
