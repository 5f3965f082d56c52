//! Sheets by themselves.
#![cfg(test)]

use super::*;

fn sheet(game: &str, seats: [&str; 2]) -> Sheet {
    let seats = seats.map(|seat| seat.parse().unwrap());
    Sheet::new(Opening { game: game.to_owned(), position: None, seats, clock: None }).unwrap()
}

fn play(sheet: &mut Sheet, moves: &str) {
    for text in moves.split(' ') {
        sheet.apply(Event::Play { text: text.to_owned(), spent: None }).unwrap();
    }
}

#[test]
fn taking_back_passes_over_the_bots_answer() {
    let mut sheet = sheet("tictactoe", ["human", "bot:easy"]);
    assert_eq!((sheet.previous_turn(), sheet.next_turn()), (None, None));
    play(&mut sheet, "b2 a1 c3 a3");
    assert_eq!(sheet.previous_turn(), Some(2));
    sheet.apply(Event::GoTo { ply: 2 }).unwrap();
    assert_eq!(sheet.previous_turn(), Some(0));
    sheet.apply(Event::GoTo { ply: 0 }).unwrap();
    assert_eq!((sheet.previous_turn(), sheet.next_turn()), (None, Some(2)));
    sheet.apply(Event::GoTo { ply: 2 }).unwrap();
    assert_eq!(sheet.next_turn(), Some(4));
    // Another move instead forgets what was taken back.
    play(&mut sheet, "a2");
    assert_eq!((sheet.line().len(), sheet.version()), (3, 8));
}

#[test]
fn a_bot_that_begins_is_not_taken_back() {
    let mut sheet = sheet("tictactoe", ["bot:easy", "human"]);
    play(&mut sheet, "b2");
    assert_eq!(sheet.previous_turn(), None);
    play(&mut sheet, "a1 c3");
    assert_eq!(sheet.previous_turn(), Some(1));
}

#[test]
fn what_cannot_happen_changes_nothing() {
    let mut sheet = sheet("tictactoe", ["human", "human"]);
    play(&mut sheet, "b2");
    for event in [
        Event::Play { text: "b2".to_owned(), spent: None },
        Event::Play { text: "z9".to_owned(), spent: None },
        Event::GoTo { ply: 2 },
        Event::Claim,
        Event::Agree { text: "0".to_owned() },
    ] {
        assert!(sheet.apply(event.clone()).is_err(), "{event:?}");
        assert_eq!((sheet.version(), sheet.ply(), sheet.line().len()), (1, 1, 1));
    }
    sheet.apply(Event::Resign { second: true }).unwrap();
    assert_eq!(sheet.outcome().unwrap().0.winner(), Some(Side::First));
    assert!(sheet.apply(Event::Resign { second: false }).is_err());
    assert!(sheet.apply(Event::Play { text: "a1".to_owned(), spent: None }).is_err());
    // Whoever takes back goes on playing.
    sheet.apply(Event::GoTo { ply: 0 }).unwrap();
    assert_eq!(sheet.to_move(), Some(Side::First));
}

#[test]
fn two_people_settle_between_them() {
    let mut sheet = sheet("chess", ["human", "human"]);
    let offer = |what, second| Event::Offer { what, second };
    assert!(sheet.apply(offer(Wish::Undo, false)).is_err(), "nothing to take back");
    assert!(sheet.apply(offer(Wish::Rematch, false)).is_err(), "the game goes on");
    assert!(sheet.apply(Event::Draw).is_err(), "nobody asked");
    play(&mut sheet, "e2e4 e7e5 Nf3");
    let notations: Vec<&str> = sheet.line().iter().map(|ply| &*ply.spoken.notation).collect();
    assert_eq!(notations, ["e4", "e5", "Nf3"]);
    sheet.apply(offer(Wish::Undo, true)).unwrap();
    assert_eq!(sheet.previous_move(Side::Second), Some(1));
    // What was meant for the position before the offer still is.
    assert!(sheet.is_about(3) && sheet.is_about(4) && !sheet.is_about(2) && !sheet.is_about(5));
    sheet.apply(Event::GoTo { ply: 1 }).unwrap();
    assert_eq!((sheet.offers().open(), sheet.is_about(4)), (None, false));
    sheet.apply(offer(Wish::Draw, false)).unwrap();
    sheet.apply(Event::Draw).unwrap();
    assert_eq!(sheet.outcome().unwrap().1, "agreed");
    assert!(sheet.apply(offer(Wish::Draw, false)).is_err());
    sheet.apply(offer(Wish::Rematch, true)).unwrap();
    sheet.apply(Event::Rematch { id: "x".to_owned() }).unwrap();
    assert!(sheet.next() == Some("x") && sheet.may_offer(Wish::Undo, Side::First).is_err());
}

#[test]
fn draws_are_offered_where_games_are_just_won_or_lost() {
    for (game, drawn) in
        [("tictactoe", true), ("checkers", true), ("go", false), ("othello", false)]
    {
        let sheet = sheet(game, ["human", "human"]);
        assert_eq!(sheet.may_offer(Wish::Draw, Side::First).is_ok(), drawn, "{game}");
    }
    let alone = sheet("tictactoe", ["human", "bot:easy"]);
    assert!(alone.may_offer(Wish::Draw, Side::First).is_err());
}

#[test]
fn events_are_written_as_they_are_read() {
    let text = r#"{"event":"play","move":"e2e4"}"#;
    let event: Event = serde_json::from_str(text).unwrap();
    assert_eq!(event, Event::Play { text: "e2e4".to_owned(), spent: None });
    assert_eq!(serde_json::to_string(&event).unwrap(), text);
    assert!(serde_json::from_str::<Event>(r#"{"event":"explode"}"#).is_err());
}

fn timed(game: &str, clock: &str) -> Sheet {
    let seats = ["human", "bot:easy"].map(|seat| seat.parse().unwrap());
    let (game, clock) = (game.to_owned(), Some(clock.parse().unwrap()));
    Sheet::new(Opening { game, position: None, seats, clock }).unwrap()
}

fn play_in(sheet: &mut Sheet, text: &str, milliseconds: u64) {
    let spent = Some(milliseconds);
    sheet.apply(Event::Play { text: text.to_owned(), spent }).unwrap();
}

#[test]
fn turns_are_counted_once_both_have_moved() {
    let mut sheet = timed("chess", "60+1");
    play_in(&mut sheet, "e2e4", 0);
    assert_eq!(sheet.turn(), None, "the second player's first move is free too");
    play_in(&mut sheet, "e7e5", 0);
    let left = Duration::from_secs(61);
    assert_eq!(sheet.turn(), Some(Turn { began: 2, left, by_machine: false }));
    sheet.apply(Event::Swap).unwrap();
    assert_eq!(sheet.turn(), Some(Turn { began: 2, left, by_machine: true }), "the same turn");
    play_in(&mut sheet, "g1f3", 5_500);
    assert_eq!(sheet.face().unwrap().1.left, [Duration::from_millis(56_500), left]);
    sheet.apply(Event::GoTo { ply: 2 }).unwrap();
    assert_eq!(sheet.turn(), Some(Turn { began: 5, left, by_machine: true }));
    sheet.apply(Event::Resign { second: false }).unwrap();
    assert_eq!(sheet.turn(), None);
}

#[test]
fn a_flag_ends_a_game_that_has_clocks() {
    let mut sheet = timed("chess", "60");
    play_in(&mut sheet, "e2e4", 0);
    sheet.apply(Event::Flag { second: true, drawn: false }).unwrap();
    let (outcome, why) = sheet.outcome().unwrap();
    assert_eq!((outcome.winner(), why), (Some(Side::First), "time"));
    assert!(sheet.apply(Event::Flag { second: true, drawn: false }).is_err());
    sheet.apply(Event::GoTo { ply: 0 }).unwrap();
    sheet.apply(Event::Flag { second: false, drawn: true }).unwrap();
    assert_eq!(sheet.outcome().unwrap().0.winner(), None);
    let mut endless = self::sheet("chess", ["human", "human"]);
    assert!(endless.apply(Event::Flag { second: false, drawn: false }).is_err());
}

#[test]
fn a_seat_is_taken_once_and_by_people() {
    let mut sheet = timed("chess", "60");
    let sit = |second| Event::Sit { second, token: "x".to_owned() };
    assert!(sheet.apply(sit(true)).is_err(), "that is a machine's");
    sheet.apply(sit(false)).unwrap();
    assert!(sheet.apply(sit(false)).is_err());
    assert!(sheet.taken() == [true, false] && sheet.is_about(0), "moves are as good as before");
    sheet.apply(Event::Swap).unwrap();
    assert_eq!(sheet.taken(), [false, true]);
}

/// Two stones a turn: the increment comes with the second one.
#[test]
fn a_turn_of_two_stones_is_one_turn() {
    let mut sheet = timed("connect6", "60+5");
    play_in(&mut sheet, "j10", 0);
    play_in(&mut sheet, "k10", 0);
    let left = |sheet: &Sheet| sheet.face().unwrap().1.left.map(|left| left.as_secs());
    assert_eq!((left(&sheet), sheet.turn()), ([65, 60], None), "one stone more");
    play_in(&mut sheet, "k11", 0);
    assert_eq!(left(&sheet), [65, 65]);
    play_in(&mut sheet, "j11", 10_000);
    assert_eq!(left(&sheet), [55, 65]);
    play_in(&mut sheet, "j12", 10_000);
    assert_eq!(left(&sheet), [50, 65]);
}

#[test]
fn what_moves_took_is_written_with_them() {
    let text = r#"{"event":"play","move":"e2e4","spent":1500}"#;
    let event: Event = serde_json::from_str(text).unwrap();
    assert_eq!(event, Event::Play { text: "e2e4".to_owned(), spent: Some(1500) });
    assert_eq!(serde_json::to_string(&event).unwrap(), text);
}
