//! Whole games over a wire, and peers that mean no good.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use crate::common::House;
use game::{Rng, Side};
use play::record::Verdict;
use play::{Choice, Clock, Info, Limits, Player, PlayerError, Session, Stop, Task, Turn};
use protocols::Host;
use protocols::dxp::{
    Connection, Follower, Initiator, Message, Offer, Patience, Seat, Summary, Thinking, Trouble,
    can_play,
};

const GAME: &str = "draughts:international";
const PATIENCE: Patience = Patience {
    answer: Duration::from_secs(10),
    lateness: Duration::from_secs(10),
    timeless: Duration::from_secs(10),
};
/// For those who are going to be silent.
const SHORT: Patience = Patience {
    answer: Duration::from_millis(300),
    lateness: Duration::from_millis(300),
    timeless: Duration::from_millis(300),
};
const OFFER: Offer = Offer { side: Side::First, minutes: 0, moves: 0 };

/// Two ends of a wire.
fn wire() -> (TcpStream, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let one = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    (one, listener.accept().unwrap().0)
}

struct Local {
    session: Box<dyn Session>,
    player: Box<dyn Player>,
    stop: Stop,
}

impl Local {
    fn of(spec: &str, bot: &str) -> Local {
        let (session, player) = (House.open(spec).unwrap(), House.player(spec, bot).unwrap());
        Local { session, player, stop: Stop::new() }
    }

    fn seat(&mut self, last: bool) -> Seat<'_> {
        Seat {
            session: &mut *self.session,
            player: &mut *self.player,
            thinking: Thinking::AsMade,
            stop: &self.stop,
            last,
        }
    }
}

/// Both ends of ours play games with these offers; what each of them says about them.
fn play(start: Option<&str>, bots: [&'static str; 2], offers: &[Offer]) -> Vec<[Summary; 2]> {
    let (asking, answering) = wire();
    let count = offers.len();
    let follower = thread::spawn(move || {
        let mut follower = Follower::new(Connection::new(answering).unwrap(), "Us", PATIENCE);
        let games = (0..count).map(|_| {
            let mut local = Local::of(GAME, bots[1]);
            follower.play(local.seat(false)).unwrap().unwrap()
        });
        let games: Vec<Summary> = games.collect();
        let mut local = Local::of(GAME, bots[1]);
        assert!(matches!(follower.play(local.seat(false)), Ok(None)));
        games
    });
    let mut initiator = Initiator::new(Connection::new(asking).unwrap(), "Them", PATIENCE);
    let games = offers.iter().map(|offer| {
        let mut local = Local::of(GAME, bots[0]);
        if let Some(start) = start {
            local.session.set_position(start).unwrap();
        }
        initiator.play(local.seat(false), offer).unwrap()
    });
    let games: Vec<Summary> = games.collect();
    drop(initiator);
    games.into_iter().zip(follower.join().unwrap()).map(|(one, two)| [one, two]).collect()
}

#[test]
fn two_of_ours_play_whole_games() {
    let other = Offer { side: Side::Second, ..OFFER };
    for [one, two] in play(None, ["depth=2", "depth=1"], &[OFFER, other]) {
        assert_eq!((&*one.opponent, &*two.opponent), ("Us", "Them"));
        assert_eq!(one.side, two.side.other());
        assert_eq!((one.verdict, &one.record), (two.verdict, &two.record));
        assert!(one.verdict.is_some() && one.record.line.plies.len() > 20, "{one:?}");
        assert!(one.goes_on && two.goes_on);
        let mut session = House.open(GAME).unwrap();
        session.replay(&one.record).unwrap();
        let outcome = session.outcome().map(|outcome| Verdict::of_margin(outcome.margin));
        assert_eq!(outcome, one.verdict);
    }
}

#[test]
fn games_begin_anywhere_and_end_after_so_many_moves() {
    let start = "B:WK3,32:B40,K1";
    let offer = Offer { moves: 2, minutes: 1, ..OFFER };
    for [one, two] in play(Some(start), ["random", "random"], &[offer]) {
        let plies = one.record.line.plies.len();
        assert!(plies <= 4, "{one:?}");
        assert_eq!(one.record, two.record);
        assert_eq!(one.record.start.as_deref(), Some("B:WK3,32:BK1,40"), "{one:?}");
        if plies == 4 {
            assert!(one.why.contains("moves agreed on") || one.verdict.is_some(), "{one:?}");
        }
    }
}

/// Plays the first legal move, and remembers what it was to heed.
struct Witness(Vec<Option<Limits>>);

impl Player for Witness {
    fn choose(
        &mut self,
        session: &dyn Session,
        task: &Task,
        _: &Stop,
        _: &mut (dyn FnMut(&Info) + Send),
    ) -> Result<Choice, PlayerError> {
        self.0.push(task.limits);
        thread::sleep(Duration::from_millis(10));
        Ok(Choice { turn: Turn::Play(session.moves()[0].clone()), analysis: None })
    }
}

#[test]
fn a_clock_is_kept() {
    let (asking, answering) = wire();
    let follower = thread::spawn(move || {
        let mut follower = Follower::new(Connection::new(answering).unwrap(), "Us", PATIENCE);
        let mut local = Local::of(GAME, "random");
        follower.play(local.seat(true)).unwrap().unwrap()
    });
    let mut initiator = Initiator::new(Connection::new(asking).unwrap(), "Them", PATIENCE);
    let (mut local, mut witness) = (Local::of(GAME, "random"), Witness(Vec::new()));
    let seat = Seat { thinking: Thinking::Clock, player: &mut witness, ..local.seat(false) };
    let summary = initiator.play(seat, &Offer { minutes: 1, moves: 3, ..OFFER }).unwrap();
    assert!(!summary.goes_on && follower.join().unwrap().verdict.is_none(), "{summary:?}");
    assert_eq!((summary.record.line.plies.len(), witness.0.len()), (6, 3));
    let clocks: Vec<Clock> =
        witness.0.iter().map(|limits| limits.unwrap().clock.unwrap()).collect();
    let moves: Vec<u32> = clocks.iter().map(|clock| clock.moves.unwrap()).collect();
    assert_eq!((clocks[0].left, moves), (Duration::from_secs(60), vec![4, 3, 2]));
    assert!(clocks.is_sorted_by(|a, b| a.left > b.left), "{clocks:?}");
}

/// Asks a peer for a game that says these bytes and then leaves, or is silent.
fn ask(said: &[u8], leaves: bool) -> Result<Summary, Trouble> {
    let (ours, mut theirs) = wire();
    theirs.write_all(said).unwrap();
    let kept = (!leaves).then(|| theirs.try_clone().unwrap());
    drop(theirs);
    let mut initiator = Initiator::new(Connection::new(ours).unwrap(), "Zermelo", SHORT);
    let mut local = Local::of(GAME, "random");
    let played = initiator.play(local.seat(false), &OFFER);
    drop(kept);
    played
}

fn answer(said: &[u8], leaves: bool) -> Result<Option<Summary>, Trouble> {
    let (ours, mut theirs) = wire();
    theirs.write_all(said).unwrap();
    let kept = (!leaves).then(|| theirs.try_clone().unwrap());
    drop(theirs);
    let mut follower = Follower::new(Connection::new(ours).unwrap(), "Zermelo", SHORT);
    let mut local = Local::of(GAME, "random");
    let played = follower.play(local.seat(false));
    drop(kept);
    played
}

fn accepted() -> String {
    format!("A{:32}0\0", "Villain")
}

fn requested(rest: &str) -> String {
    format!("R01{:32}{rest}\0", "Villain")
}

#[test]
fn bad_peers_get_one_line() {
    let illegal = accepted() + "M0000010100\0";
    let refused = format!("A{:32}3\0", "Villain");
    let chatter = "Chello\0".repeat(2000);
    for (said, leaves, expected) in [
        ("", false, "said nothing for 0."),
        ("", true, "closed the connection"),
        ("GET / HTTP/1.1\r\n\r\n\0", false, "no message begins like that"),
        (&"x".repeat(5000), false, "at most 127 bytes"),
        (&refused, false, "does not play: no game at all"),
        ("M0000322800\0", false, "before a game was accepted"),
        (&chatter, false, "talks without end"),
        (&(accepted() + &chatter), false, "talks without end"),
        (&accepted(), false, "said nothing for 0."),
        (&accepted(), true, "closed the connection"),
        (&(accepted() + "Mrubbish\0"), false, "the time has 4 digits"),
        (&(accepted() + &accepted()), false, "in the middle of a game"),
        (&illegal, false, "played \"1-1\""),
    ] {
        let error = ask(said.as_bytes(), leaves).unwrap_err().to_string();
        let said = &said[..said.len().min(60)];
        let gone = leaves && error.contains("connection broke");
        assert!(error.contains(expected) || gone, "{said:?}: {error}");
        assert!(!error.contains(char::is_control) && error.len() < 400, "{error}");
    }
}

#[test]
fn bad_requests_are_refused() {
    let illegal = requested("Z060000A") + "M0000010100\0";
    for (said, expected) in [
        (requested("Z06x000A"), "the thinking time has 3 digits"),
        (illegal, "played \"1-1\""),
        (format!("R02{:32}Z060000A\0", "Villain"), "said nothing"),
        (requested(&format!("W005000BW{}", "e".repeat(50))), "said nothing"),
        ("E00\0".to_owned(), ""),
    ] {
        match answer(said.as_bytes(), false) {
            Ok(None) if expected.is_empty() => {}
            other => {
                let error = other.unwrap_err().to_string();
                assert!(error.contains(expected), "{said:?}: {error}");
            }
        }
    }
    assert!(matches!(answer(b"", true), Ok(None)));
    let checkers = House.open("checkers").unwrap();
    assert!(can_play(&*checkers).unwrap_err().to_string().contains("50 squares"));
}

/// A peer may ask to go back, chat and give up.
#[test]
fn polite_peers_are_understood() {
    let said = accepted() + "CGood luck!\0\0B001W\0E11\0";
    let summary = ask(said.as_bytes(), false).unwrap();
    assert_eq!((summary.verdict, summary.goes_on), (Some(Verdict::First), false));
    assert_eq!((&*summary.opponent, &*summary.why), ("Villain", "the other program gave up"));
    let (ours, mut theirs) = wire();
    theirs.write_all((accepted() + "B001W\0E00\0").as_bytes()).unwrap();
    let mut initiator = Initiator::new(Connection::new(ours).unwrap(), "Zermelo", SHORT);
    let mut local = Local::of(GAME, "random");
    let summary = initiator.play(local.seat(false), &OFFER).unwrap();
    assert_eq!((summary.verdict, summary.goes_on), (None, true));
    drop(initiator);
    let mut heard = Vec::new();
    theirs.read_to_end(&mut heard).unwrap();
    let heard: Vec<Message> = heard
        .split(|&b| b == 0)
        .filter(|bytes| !bytes.is_empty())
        .map(|bytes| Message::read(bytes).unwrap())
        .collect();
    let written: Vec<String> = heard.iter().map(Message::write).collect();
    assert_eq!(written.len(), 4, "{written:?}");
    assert_eq!(written[0], format!("R01{:32}Z000000A", "Zermelo"));
    assert!(written[1].starts_with('M'), "{written:?}");
    assert_eq!(written[2..], ["K1", "E00"]);
}

/// Who has lost may go without a word.
#[test]
fn a_game_that_is_over_needs_no_last_word() {
    let (ours, mut theirs) = wire();
    theirs.write_all(accepted().as_bytes()).unwrap();
    let mut initiator = Initiator::new(Connection::new(ours).unwrap(), "Zermelo", SHORT);
    let mut local = Local::of(GAME, "depth=2");
    local.session.set_position("W:W28:B23").unwrap();
    let summary = initiator.play(local.seat(false), &OFFER).unwrap();
    assert_eq!((summary.verdict, summary.goes_on), (Some(Verdict::First), false));
    assert_eq!(summary.record.line.plies.len(), 1);
}

#[test]
fn somebody_may_say_stop() {
    let (ours, theirs) = wire();
    let mut follower = Follower::new(Connection::new(ours).unwrap(), "Zermelo", PATIENCE);
    let mut local = Local::of(GAME, "random");
    local.stop.stop();
    assert!(matches!(follower.play(local.seat(false)), Err(Trouble::Stopped)));
    drop(theirs);
}

/// Whatever comes over the wire, a game ends, and soon.
#[test]
fn mangled_peers_are_survived() {
    let texts = [
        accepted(),
        requested("Z060000A"),
        "M0000192300\0".to_owned(),
        "M0000203200\0".to_owned(),
        "E00\0".to_owned(),
        "Chello\0".to_owned(),
        "B001W\0".to_owned(),
        "K1\0".to_owned(),
    ];
    let mut rng = Rng::new(9);
    for number in 0..500 {
        let mut bytes = Vec::new();
        for i in 0..1 + rng.below(6) {
            let text = if i == 0 { &texts[number % 2] } else { &texts[rng.below(texts.len())] };
            bytes.extend_from_slice(text.as_bytes());
            if rng.below(3) == 0 {
                let at = rng.below(bytes.len());
                bytes[at] = rng.below(256) as u8;
            }
        }
        let line = match number % 2 {
            0 => ask(&bytes, true).err().map(|trouble| trouble.to_string()),
            _ => answer(&bytes, true).err().map(|trouble| trouble.to_string()),
        };
        let line = line.unwrap_or_default();
        assert!(!line.contains('\n'), "{line}");
    }
}
