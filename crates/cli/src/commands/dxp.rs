//! `zermelo dxp`: games against another draughts program over the network.

use std::io::{self, ErrorKind, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use compiled::CompiledGame;
use game::{Side, escaped, shown};
use play::record::Verdict;
use play::{BotSpec, Limits, Stop, Way};
use protocols::dxp::{
    Connection, Follower, Initiator, Offer, PORT, Patience, Seat, Summary, Thinking, Trouble,
    can_play,
};
use serde::Serialize;

use crate::args::{self, Role};
use crate::output::{Answer, Console, counted, side_name};
use crate::progress::stop_on_interrupt;

/// Minutes for each player and the whole game.
pub(crate) const MINUTES: u16 = 5;
/// How long it may take to reach the other program.
const DIALLING: Duration = Duration::from_secs(10);
/// How often a wait is interrupted to see whether somebody said stop.
const GLANCE: Duration = Duration::from_millis(50);

#[derive(Serialize)]
struct Played {
    game: String,
    games: Vec<OneGame>,
    wins: usize,
    draws: usize,
    losses: usize,
    /// Games of which nobody knows how they ended.
    unknown: usize,
    /// Why there were no more games, if something went wrong.
    trouble: Option<String>,
}

#[derive(Serialize)]
struct OneGame {
    opponent: String,
    side: &'static str,
    /// `first`, `draw` or `second`; `null` if nobody knows.
    value: Option<&'static str>,
    why: String,
    moves: Vec<String>,
}

/// Plays the games. A game that was broken off is a negative answer.
pub(crate) fn run(arguments: &args::Dxp, console: &Console) -> Result<Answer> {
    let game = catalog::open(&arguments.game).map_err(|e| anyhow!("game {e}"))?;
    can_play(&*game.session())?;
    let role = role(arguments)?;
    let stop = stop_on_interrupt()?;
    let stream = match (&arguments.connect, &arguments.listen) {
        (Some(address), _) => connect(address)?,
        (None, listen) => match wait(listen.as_deref().unwrap_or_default(), console, &stop)? {
            Some(stream) => stream,
            None => bail!("stopped before anybody connected"),
        },
    };
    let mut table = Table { arguments, game: &*game, console, stop, games: Vec::new() };
    let played = Connection::new(stream).and_then(|connection| match role {
        Role::Initiator => table.ask(connection),
        Role::Follower => table.answer(connection),
    });
    let trouble = played.err().map(|trouble| trouble.to_string());
    let answer = if trouble.is_some() { Answer::No } else { Answer::Yes };
    let played = summary(&game.facts().spec, &table.games, trouble);
    console.answer(&played, |out| write_words(out, &played))?;
    Ok(answer)
}

/// By default who connects asks. Who follows is told by the other program what to play.
fn role(arguments: &args::Dxp) -> Result<Role> {
    let usual = if arguments.connect.is_some() { Role::Initiator } else { Role::Follower };
    let role = arguments.role.unwrap_or(usual);
    let of_initiators = [
        ("--side", arguments.side.is_some()),
        ("--time", arguments.time.is_some()),
        ("--moves", arguments.moves.is_some()),
    ];
    if let Some((flag, _)) = of_initiators.iter().find(|(_, given)| *given) {
        ensure!(
            role == Role::Initiator,
            "{flag} is for the initiator to say; add --role initiator, or leave it to the other program"
        );
    }
    Ok(role)
}

/// An address, a port or both; by default on this machine alone and at the usual port.
fn address_of(text: &str) -> Result<SocketAddr> {
    const HERE: &str = "127.0.0.1";
    let full = match text {
        "" => format!("{HERE}:{PORT}"),
        port if port.bytes().all(|b| b.is_ascii_digit()) => format!("{HERE}:{port}"),
        text if text.parse::<std::net::Ipv6Addr>().is_ok() => format!("[{text}]:{PORT}"),
        text if !text.contains(':') => format!("{text}:{PORT}"),
        text => text.to_owned(),
    };
    let mut found =
        full.to_socket_addrs().with_context(|| format!("{} is no address", game::quote(text)))?;
    found.next().ok_or_else(|| anyhow!("{} is no address", game::quote(text)))
}

fn connect(text: &str) -> Result<TcpStream> {
    let address = address_of(text)?;
    TcpStream::connect_timeout(&address, DIALLING)
        .with_context(|| format!("{address} could not be reached"))
}

/// The first who connects.
fn wait(text: &str, console: &Console, stop: &Stop) -> Result<Option<TcpStream>> {
    let address = address_of(text)?;
    let listener = TcpListener::bind(address)
        .and_then(|listener| listener.set_nonblocking(true).map(|()| listener))
        .with_context(|| format!("nobody can listen on {address}"))?;
    say(console, &format!("listening on {}", listener.local_addr()?));
    while !stop.is_stopped() {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false)?;
                return Ok(Some(stream));
            }
            Err(e) if e.kind() == ErrorKind::WouldBlock => thread::sleep(GLANCE),
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e).context("nobody can listen any more"),
        }
    }
    Ok(None)
}

/// Says how it goes, beside the answer.
fn say(console: &Console, text: &str) {
    if !console.quiet {
        // A closed standard error is no reason to stop playing.
        let _ = writeln!(io::stderr(), "{}", escaped(text));
    }
}

/// The games of one connection.
struct Table<'t> {
    arguments: &'t args::Dxp,
    game: &'t dyn CompiledGame,
    console: &'t Console,
    stop: Stop,
    games: Vec<Summary>,
}

impl Table<'_> {
    fn ask(&mut self, connection: Connection<TcpStream>) -> Result<(), Trouble> {
        let mut initiator = Initiator::new(connection, &name(), Patience::default());
        let count = self.arguments.games.unwrap_or(1);
        for number in 0..count {
            let turn = if number % 2 == 0 { Side::First } else { Side::Second };
            let offer = Offer {
                side: self.arguments.side.unwrap_or(turn),
                minutes: self.arguments.time.unwrap_or(MINUTES),
                moves: self.arguments.moves.unwrap_or(0),
            };
            let last = number + 1 == count;
            let game = self.sit_down(last, |seat| initiator.play(seat, &offer))?;
            if !self.note(game) {
                break;
            }
        }
        Ok(())
    }

    fn answer(&mut self, connection: Connection<TcpStream>) -> Result<(), Trouble> {
        let mut follower = Follower::new(connection, &name(), Patience::default());
        let count = self.arguments.games.unwrap_or(usize::MAX);
        for number in 0..count {
            let last = number + 1 == count;
            let game = self.sit_down(last, |seat| follower.play(seat))?;
            if !game.is_some_and(|game| self.note(game)) {
                break;
            }
        }
        Ok(())
    }

    /// A new game and a new player.
    fn sit_down<T>(
        &self,
        last: bool,
        play: impl FnOnce(Seat<'_>) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let bot = self.arguments.bot.clone().unwrap_or_default();
        let mut session = self.game.session();
        let seed = self.games.len() as u64 + 1;
        let mut player = self.game.player(&bot, seed).map_err(Trouble::Player)?;
        play(Seat {
            session: &mut *session,
            player: &mut *player,
            thinking: thinking(&bot),
            stop: &self.stop,
            last,
        })
    }

    /// Whether there may be another game.
    fn note(&mut self, game: Summary) -> bool {
        let goes_on = game.goes_on;
        say(self.console, &in_words(self.games.len() + 1, &game));
        self.games.push(game);
        goes_on
    }
}

/// A bot that says itself how long it thinks does so.
fn thinking(bot: &BotSpec) -> Thinking {
    match bot.way {
        Way::Search(None) if bot.limits == Limits::default() => Thinking::Clock,
        _ => Thinking::AsMade,
    }
}

fn name() -> String {
    format!("Zermelo {}", env!("CARGO_PKG_VERSION"))
}

fn value_of(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::First => "first",
        Verdict::Draw => "draw",
        Verdict::Second => "second",
    }
}

fn in_words(number: usize, game: &Summary) -> String {
    let Summary { opponent, side, verdict, why, record, .. } = game;
    let result = match verdict.map(Verdict::winner) {
        None => "no result",
        Some(None) => "draw",
        Some(Some(winner)) if winner == *side => "we won",
        Some(Some(_)) => "we lost",
    };
    let (side, plies) = (side_name(*side), counted(record.line.plies.len(), "ply"));
    let opponent = shown(opponent);
    format!("game {number}: {side} against {opponent}: {result}, {why}, {plies}")
}

fn summary(spec: &str, games: &[Summary], trouble: Option<String>) -> Played {
    let ended = |wanted: fn(Option<Option<Side>>, Side) -> bool| {
        let fits = |game: &&Summary| wanted(game.verdict.map(Verdict::winner), game.side);
        games.iter().filter(fits).count()
    };
    let one = |game: &Summary| OneGame {
        opponent: game.opponent.clone(),
        side: side_name(game.side),
        value: game.verdict.map(value_of),
        why: game.why.clone(),
        moves: game.record.line.plies.iter().map(|ply| ply.text.clone()).collect(),
    };
    Played {
        game: spec.to_owned(),
        games: games.iter().map(one).collect(),
        wins: ended(|winner, us| winner == Some(Some(us))),
        draws: ended(|winner, _| winner == Some(None)),
        losses: ended(|winner, us| winner == Some(Some(us.other()))),
        unknown: ended(|winner, _| winner.is_none()),
        trouble,
    }
}

fn write_words(out: &mut dyn Write, played: &Played) -> io::Result<()> {
    let Played { games, wins, draws, losses, unknown, trouble, .. } = played;
    let known =
        format!("{}: {wins} won, {draws} drawn, {losses} lost", counted(games.len(), "game"));
    match unknown {
        0 => writeln!(out, "{known}")?,
        n => writeln!(out, "{known}, {n} without a result")?,
    }
    match trouble {
        Some(trouble) => writeln!(out, "broken off: {trouble}"),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_stay_at_home_unless_told() {
        for (text, expected) in [
            ("", "127.0.0.1:27531"),
            ("4000", "127.0.0.1:4000"),
            ("10.0.0.7", "10.0.0.7:27531"),
            ("0.0.0.0:4000", "0.0.0.0:4000"),
            ("::1", "[::1]:27531"),
            ("[::1]:4000", "[::1]:4000"),
        ] {
            assert_eq!(address_of(text).unwrap().to_string(), expected);
        }
        for text in ["99999", "127.0.0.1:x", "::1:x:", "127.0.0.1:99999"] {
            assert!(address_of(text).is_err(), "{text}");
        }
    }

    #[test]
    fn bots_that_say_how_long_do_so() {
        for (text, expected) in [
            ("threads=2", Thinking::Clock),
            ("depth=3", Thinking::AsMade),
            ("hard", Thinking::AsMade),
            ("random", Thinking::AsMade),
        ] {
            assert_eq!(thinking(&text.parse().unwrap()), expected, "{text}");
        }
        assert_eq!(thinking(&BotSpec::default()), Thinking::Clock);
    }
}
