//! The types of messages in TypeScript: `ui/src/lib/types.ts` is written from those in Rust, `ui/src/lib/samples.ts`
//! holds what the server really says, which the compiler of the page holds against these types, and the requests
//! in `ui/src/lib/requests.json`, which the page's tests make, are read here.
//!
//! After a change of a message: `ZERMELO_UI=skip ZERMELO_RENEW=1 cargo nextest run -p zermelo-web typescript`.
#![cfg(test)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};
use ts_rs::{Config, TS, TypeVisitor};

use crate::sheet::{Event, Opening, Sheet};
use crate::wire::{ClockReading, Message, Progress, Request, State, Thought, Told};
use crate::{Server, ServerOptions, api};

/// A side, as messages name it.
#[derive(TS)]
#[ts(rename_all = "snake_case")]
#[expect(dead_code, reason = "it only has a type in TypeScript")]
pub(crate) enum SideName {
    First,
    Second,
}

/// What pieces are called, or their colour.
#[derive(TS)]
#[ts(rename_all = "snake_case")]
#[expect(dead_code, reason = "it only has a type in TypeScript")]
pub(crate) enum Colour {
    Light,
    Dark,
    Cross,
    Nought,
    Red,
    Yellow,
}

/// Who or what ended a game.
#[derive(TS)]
#[ts(rename_all = "snake_case")]
#[expect(dead_code, reason = "it only has a type in TypeScript")]
pub(crate) enum Reason {
    Rules,
    Claimed,
    Resigned,
    Agreed,
    Time,
}

/// What did not happen for too long.
#[derive(TS)]
#[ts(rename_all = "snake_case")]
#[expect(dead_code, reason = "it only has a type in TypeScript")]
pub(crate) enum Without {
    CaptureOrPawn,
    CaptureOrMan,
    Capture,
    Ending,
}

const HEAD: &str = "/** What the page and the server tell each other; `docs/web.md` describes it. \
                    Written by `crates/web/src/typescript.rs`. */\n";

/// Declarations by name.
struct Declarations {
    config: Config,
    all: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // What has no file of its own is a type that TypeScript has already.
        if T::output_path().is_none() {
            return T::visit_generics(self);
        }
        let name = T::ident(&self.config);
        if self.all.contains_key(&name) {
            return;
        }
        let docs = T::docs().unwrap_or_default();
        let text = format!("\n{docs}export {}\n", T::decl(&self.config));
        self.all.insert(name, text);
        T::visit_dependencies(self);
        T::visit_generics(self);
    }
}

/// All types that are sent or taken.
fn types() -> String {
    let config = Config::new().with_large_int("number");
    let mut found = Declarations { config, all: BTreeMap::new() };
    found.visit::<Message<'static>>();
    found.visit::<Request>();
    found.visit::<api::Families>();
    found.visit::<api::Wanted>();
    found.visit::<api::Preview>();
    found.visit::<api::Founded>();
    found.visit::<api::Searched>();
    found.visit::<api::History>();
    found.visit::<api::Continuation>();
    found.visit::<api::Steps>();
    found.visit::<crate::wire::View>();
    found.visit::<crate::history::Listed>();
    found.visit::<crate::judgement::MadeUp>();
    found.visit::<crate::judgement::Judgement>();
    found.visit::<crate::refusal::Body<'static>>();
    found.visit::<SideName>();
    found.all.into_values().fold(HEAD.to_owned(), |text, one| text + &one)
}

/// Compares a file of the page with what it should hold, or writes it.
#[track_caller]
fn hold(name: &str, text: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/src/lib").join(name);
    if std::env::var_os("ZERMELO_RENEW").is_some() {
        fs::write(&file, text).unwrap();
    }
    let held = fs::read_to_string(&file).unwrap();
    assert!(held == text, "{name} is out of date; ZERMELO_RENEW=1 and this test write it anew");
}

#[test]
fn types_of_messages_are_those_of_the_page() {
    hold("types.ts", &types());
}

/// A game with these events, at a table.
fn seen(house: &Arc<crate::house::House>, game: &str, seats: [&str; 2], events: &[Event]) -> State {
    let seats = seats.map(|seat| seat.parse().unwrap());
    let opening = Opening { game: game.to_owned(), position: None, seats, clock: None };
    let mut sheet = Sheet::new(opening).unwrap();
    let events: Vec<Event> =
        events.iter().map(|event| sheet.apply(event.clone()).unwrap()).collect();
    let (id, _) = house.found(&sheet, &events).unwrap();
    let state = house.look(&id).unwrap().table.state();
    State { id: "game".to_owned(), ..(*state).clone() }
}

fn plays(moves: &str) -> Vec<Event> {
    moves.split(' ').map(|text| Event::Play { text: text.to_owned(), spent: None }).collect()
}

/// A line of TypeScript with what was really said.
fn sample(name: &str, kind: &str, said: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(said).unwrap();
    format!("\nexport const {name}: {kind} = {text};\n")
}

/// Names of games and times differ from run to run, and with them the order of what happened in the
/// same second.
fn settled(mut value: Value) -> Value {
    if let Some(games) = value["games"].as_array_mut() {
        for entry in &mut *games {
            entry["id"] = json!("game");
            entry["created"] = json!(1_794_816_000);
            entry["changed"] = json!(1_794_816_420);
        }
        games.sort_by_key(Value::to_string);
    }
    value
}

#[tokio::test]
async fn what_the_server_says_is_what_the_page_is_compiled_for() {
    let options = ServerOptions { port: Some(0), ..ServerOptions::default() };
    let house = Server::bind(options).await.unwrap().door.house;
    let both = ["human", "human"];
    let offer = Event::Offer { what: crate::offers::Wish::Draw, second: false };
    let chess = seen(&house, "chess", both, &[plays("e2e4 e7e5"), vec![offer]].concat());
    let bot = ["human", "bot:easy"];
    let won = seen(&house, "tictactoe", bot, &plays("b2 a1 a2 b1 c2"));
    let draughts = seen(&house, "draughts:international", both, &plays("32-28"));
    let large = seen(&house, "mnk:20x20,k=5", both, &plays("b1"));
    let progress = Some(Progress { done: 3, of: 6 });
    let thought = Thought { progress, ..Thought::of_review(5, Progress { done: 3, of: 6 }) };
    let refusal = crate::refusal::Refusal::bad("no");
    let said = |message: &Message<'_>| serde_json::to_value(message).unwrap();
    let clock =
        |running| ClockReading { control: "300+3".to_owned(), left: [298_000, 300_000], running };
    let told = |state| Message::State(Told { state, clock: Some(clock(Some("first"))) });
    let mut people = crate::people::People::default();
    let visitor = people.arrive();
    people.greet(visitor, crate::seats::Rights::default(), None);
    let present = people.seen(&both.map(|seat| seat.parse().unwrap()));
    let messages = vec![
        said(&Message::Welcome { host: true, first: true, second: false }),
        said(&told(&chess)),
        said(&told(&won)),
        said(&told(&draughts)),
        said(&told(&large)),
        said(&Message::current(&won, None)),
        said(&Message::Thinking(&thought)),
        said(&Message::People(present.entry(std::time::Duration::ZERO))),
        said(&Message::Quiet),
        said(&Message::refused(&refusal)),
    ];
    let listed = house.resources().store.list(&crate::history::Query::default()).unwrap();
    let history = settled(serde_json::to_value(&listed).unwrap());
    let opening = Opening {
        clock: None,
        game: "connect4".to_owned(),
        position: None,
        seats: both.map(|p| p.parse().unwrap()),
    };
    let preview = api::Preview::of(&Sheet::new(opening).unwrap());
    let mut text = "/** What the server really says, held against the types by the compiler. Written by \
                    `crates/web/src/typescript.rs`. */\n\nimport type { Family, ListedPage, Message, Preview } from \
                    \"./types\";\n"
        .to_owned();
    text += &sample("MESSAGES", "Message[]", &messages);
    text += &sample("FAMILIES", "Family[]", &api::offered());
    text += &sample("PREVIEW", "Preview", &preview);
    text += &sample("HISTORY", "ListedPage", &history);
    hold("samples.ts", &text);
}

/// The page's tests hold the same file against the type of requests, one of each kind.
#[test]
fn what_the_page_says_is_understood() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui/src/lib/requests.json");
    let requests: Vec<Value> = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let mut kinds: Vec<String> = Vec::new();
    for request in &requests {
        let read = serde_json::from_value::<Request>(request.clone());
        assert!(read.is_ok(), "{request}: {read:?}");
        kinds.push(request["type"].as_str().unwrap().to_owned());
    }
    kinds.sort();
    kinds.dedup();
    let declared = Request::inline(&Config::new());
    assert_eq!(declared.matches("\"type\":").count(), kinds.len(), "one of each: {declared}");
}
