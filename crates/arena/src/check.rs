//! Whether an engine keeps to its protocol.

use std::sync::Arc;
use std::time::{Duration, Instant};

use compiled::CompiledGame;
use game::{Side, TextError, mix};
use play::{BotSpec, Clock, Limits, Player, PlayerError, Session, Stop, Task, Way};
use protocols::{Engine, Fault, Setup};
use thiserror::Error;

use crate::game::{End, GameTerms, play};
use crate::openings::opening;

/// What was looked at, and what was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckFinding {
    /// What an engine should do.
    pub what: &'static str,
    /// Whether it does; `None` if it could not be found out.
    pub fine: Option<bool>,
    /// What it did, in one line.
    pub detail: String,
}

/// Why an engine does not pass.
#[derive(Debug, Error)]
enum Breach {
    #[error("game {0}")]
    Game(TextError),
    #[error(transparent)]
    Engine(#[from] Fault),
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// It did something that it should not.
    #[error("{0}")]
    Seen(String),
}

/// What an engine may be late without anybody minding.
const LATE: Duration = Duration::from_millis(500);
/// Lines that no protocol knows.
const NONSENSE: [&str; 5] =
    ["", "blah", "position nonsense \"", "\u{1f3b2} \t 17 17 17", "= ? = ?"];
/// How long it is made to think before it is told to stop.
const BEFORE_STOP: Duration = Duration::from_millis(300);

/// Looks at an engine from all sides; `told` hears of each finding. Engines that cannot be started are not looked at further.
pub fn check(setup: &Setup, spec: &str, games: usize, told: &mut dyn FnMut(&CheckFinding)) -> bool {
    let mut all_fine = true;
    let mut tell = |what, found: Result<String, Breach>| {
        let fine = Some(found.is_ok());
        let detail = found.unwrap_or_else(|why| {
            all_fine = false;
            why.to_string()
        });
        told(&CheckFinding { what, fine, detail });
        fine == Some(true)
    };
    if !tell("starts and greets", greets(setup, spec)) {
        return false;
    }
    tell("answers in the time it has for a move", in_time(setup, spec));
    tell("plays legal games to their end", plays(setup, spec, games));
    tell("keeps its clock", keeps_clock(setup, spec));
    if setup.protocol.can_stop() {
        tell("stops when it is told", stops(setup, spec));
    }
    tell("gets over nonsense", gets_over_nonsense(setup, spec));
    tell("leaves when it is told", leaves(setup, spec, Engine::leave));
    tell("leaves when nobody is there any more", leaves(setup, spec, Engine::walk_away));
    all_fine
}

fn open(spec: &str) -> Result<Arc<dyn CompiledGame>, Breach> {
    catalog::open(spec).map_err(Breach::Game)
}

fn started(setup: &Setup, session: &dyn Session) -> Result<Engine, Fault> {
    let mut engine = Engine::new(setup.clone());
    engine.start(session)?;
    Ok(engine)
}

fn greets(setup: &Setup, spec: &str) -> Result<String, Breach> {
    let start = Instant::now();
    started(setup, &*open(spec)?.session())?;
    Ok(format!("after {:.2} s", start.elapsed().as_secs_f64()))
}

fn timed(time: Duration) -> Task {
    let limits = Limits { time: Some(time), ..Limits::default() };
    Task { limits: Some(limits), ..Task::default() }
}

fn in_time(setup: &Setup, spec: &str) -> Result<String, Breach> {
    let time = Duration::from_millis(200);
    let mut longest = Duration::ZERO;
    let mut session = open(spec)?.session();
    let mut engine = started(setup, &*session)?;
    for seed in 0..3 {
        while session.undo() {}
        opening(&mut *session, 4, seed);
        let start = Instant::now();
        engine.choose(&*session, &timed(time), &Stop::new(), &mut |_| {})?;
        longest = longest.max(start.elapsed());
    }
    let said = format!("{:.2} s of {:.2} s", longest.as_secs_f64(), time.as_secs_f64());
    if longest > time + LATE { Err(Breach::Seen(said)) } else { Ok(said) }
}

fn random(game: &dyn CompiledGame, seed: u64) -> Result<Box<dyn Player>, PlayerError> {
    game.player(&BotSpec { way: Way::Random, ..BotSpec::default() }, seed)
}

/// Plays games against random moves, on either side in turn.
fn plays(setup: &Setup, spec: &str, games: usize) -> Result<String, Breach> {
    let limits = Some(Limits { time: Some(Duration::from_millis(20)), ..Limits::default() });
    let terms = GameTerms { limits: [limits; 2], ..GameTerms::default() };
    let mut engine = Engine::new(setup.clone());
    let mut plies = 0;
    for number in 0..games {
        let game = open(spec)?;
        let mut session = game.session();
        opening(&mut *session, number % 4, number as u64);
        let mut other = random(&*game, mix(number as u64))?;
        let side = if number % 2 == 0 { Side::First } else { Side::Second };
        let players: [&mut dyn Player; 2] = match side {
            Side::First => [&mut engine, &mut *other],
            Side::Second => [&mut *other, &mut engine],
        };
        let finished = play(&mut *session, players, &terms, &Stop::new());
        plies += session.played().len();
        if let End::Forfeit(what) = finished.end {
            let moves = session.played().join(" ");
            return Err(Breach::Seen(format!("game {}: {what}, after {moves}", number + 1)));
        }
    }
    let games = if games == 1 { "1 game".to_owned() } else { format!("{games} games") };
    Ok(format!("{games}, {plies} plies"))
}

fn keeps_clock(setup: &Setup, spec: &str) -> Result<String, Breach> {
    let clock =
        Clock { left: Duration::from_secs(2), increment: Duration::from_millis(20), moves: None };
    let limits = Some(Limits { clock: Some(clock), ..Limits::default() });
    let terms = GameTerms { limits: [limits, None], grace: LATE, ..GameTerms::default() };
    let game = open(spec)?;
    let mut session = game.session();
    let mut engine = Engine::new(setup.clone());
    let mut other = random(&*game, 1)?;
    let finished = play(&mut *session, [&mut engine, &mut *other], &terms, &Stop::new());
    match finished.end {
        End::Forfeit(what) => Err(Breach::Seen(what)),
        _ => {
            let least = finished.thoughts.iter().filter_map(|thought| thought.left).min();
            Ok(format!("{:.2} s left at worst", least.unwrap_or_default().as_secs_f64()))
        }
    }
}

fn stops(setup: &Setup, spec: &str) -> Result<String, Breach> {
    let session = open(spec)?.session();
    let mut engine = started(setup, &*session)?;
    let stop = Stop::new();
    let told = stop.clone();
    let teller = std::thread::spawn(move || {
        std::thread::sleep(BEFORE_STOP);
        told.stop();
        Instant::now()
    });
    let chosen = engine.choose(&*session, &timed(Duration::from_secs(30)), &stop, &mut |_| {});
    let answered = Instant::now();
    let told = teller.join().map_err(|_| Breach::Seen("nobody said stop".to_owned()))?;
    chosen?;
    let late = answered.saturating_duration_since(told);
    let said = format!("after {:.3} s", late.as_secs_f64());
    if late > LATE { Err(Breach::Seen(said)) } else { Ok(said) }
}

fn gets_over_nonsense(setup: &Setup, spec: &str) -> Result<String, Breach> {
    let session = open(spec)?.session();
    let mut engine = started(setup, &*session)?;
    for line in NONSENSE {
        engine.say_anything(line)?;
    }
    engine.choose(&*session, &timed(Duration::from_millis(100)), &Stop::new(), &mut |_| {})?;
    Ok("and plays on".to_owned())
}

fn leaves(setup: &Setup, spec: &str, way: fn(Engine) -> bool) -> Result<String, Breach> {
    match way(started(setup, &*open(spec)?.session())?) {
        true => Ok("at once".to_owned()),
        false => Err(Breach::Seen("it had to be ended".to_owned())),
    }
}
