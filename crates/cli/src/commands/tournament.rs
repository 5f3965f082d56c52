//! `zermelo tournament`: several contestants meet, and a table says who is best.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, Result, anyhow};
use arena::{
    Contestant, Encounter, Format, MatchVerdict, Meeting, Score, TournamentRow, TournamentTable,
};
use compiled::CompiledGame;
use play::Stop;
use serde::Serialize;
use storage::Lock;

use super::matches::elo_in_words;
use crate::again;
use crate::args;
use crate::meeting::{self, GamesFile, Ledger};
use crate::output::{Answer, Console, seconds_since};
use crate::progress::{Progress, stop_on_interrupt};

#[derive(Serialize)]
struct Held {
    game: String,
    format: String,
    /// Who won a knockout that is over.
    champion: Option<String>,
    /// The best first.
    table: Vec<Placed>,
    forfeits: Vec<String>,
    /// Whether everybody has met who was to meet.
    finished: bool,
    /// The command that goes on with what is left, if it was kept.
    resume: Option<String>,
    seconds: f64,
}

#[derive(Serialize)]
struct Placed {
    place: usize,
    contestant: String,
    points: f64,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    sonneborn_berger: f64,
    elo: f64,
    elo_interval: [f64; 2],
    /// Points against each contestant, in the order they were named; `null` against itself.
    against: Vec<Option<f64>>,
}

/// A tournament under way.
struct Hall<'a> {
    arguments: &'a args::Tournament,
    stop: Stop,
    progress: Progress,
    games: Option<GamesFile>,
    played: Vec<Meeting>,
    forfeits: Vec<String>,
    pairs_done: usize,
}

/// Holds the tournament. A signal ends it with what was finished: a negative answer.
pub(crate) fn run(arguments: &args::Tournament, console: &Console) -> Result<Answer> {
    let game = catalog::open(&arguments.game).map_err(|e| anyhow!("game {e}"))?;
    let (spec, players) = (game.facts().spec.clone(), arguments.contestants.len());
    let format = format_of(arguments);
    if let Some(folder) = &arguments.journal {
        let made = std::fs::create_dir_all(folder);
        made.with_context(|| format!("cannot make {}", folder.display()))?;
    }
    let _lock = arguments.journal.as_deref().map(Lock::of).transpose()?;
    let goes_on = arguments.journal.as_deref().is_some_and(has_journals);
    let save = arguments.meeting.save.as_deref();
    let open = |path: &Path| GamesFile::open(path, goes_on, Arc::clone(&game));
    let mut hall = Hall {
        arguments,
        stop: stop_on_interrupt()?,
        progress: Progress::of_parts(console, "pairs"),
        games: save.map(open).transpose()?,
        played: Vec::new(),
        forfeits: Vec::new(),
        pairs_done: 0,
    };
    let start = Instant::now();
    while !hall.stop.is_stopped() {
        let encounters = format.next_encounters(players, &hall.played);
        let Some(&next) = encounters.first() else { break };
        let left = encounters.len();
        if !hall.hold(next, left, &*game)? {
            break;
        }
    }
    let finished = !hall.stop.is_stopped();
    let Hall { played, forfeits, progress, .. } = hall;
    drop(progress);
    let table = TournamentTable::of(players, &played);
    let name = |player: usize| arguments.contestants[player].to_string();
    let held = Held {
        game: spec,
        format: arguments.format.clone(),
        champion: format.champion(players, &played).map(name),
        table: table
            .standings()
            .iter()
            .map(|row| placed(row, &table, &arguments.contestants))
            .collect(),
        forfeits,
        finished,
        resume: (!finished && arguments.journal.is_some()).then(|| again::command_with(&[])),
        seconds: seconds_since(start),
    };
    console.answer(&held, |out| write_words(out, &held, &table.standings()))?;
    Ok(if held.forfeits.is_empty() && finished { Answer::Yes } else { Answer::No })
}

fn format_of(arguments: &args::Tournament) -> Format {
    let times = arguments.times;
    match &*arguments.format {
        "gauntlet" => Format::Gauntlet { times },
        "knockout" => Format::Knockout { extra: times },
        _ => Format::RoundRobin { times },
    }
}

fn has_journals(folder: &Path) -> bool {
    folder.read_dir().is_ok_and(|mut files| files.next().is_some())
}

impl Hall<'_> {
    /// Plays an encounter; false if it was interrupted.
    fn hold(&mut self, encounter: Encounter, left: usize, game: &dyn CompiledGame) -> Result<bool> {
        let Encounter { round, players: [one, other], replay } = encounter;
        let contestants = [one, other].map(|player| self.arguments.contestants[player].clone());
        let names = contestants.each_ref().map(ToString::to_string);
        let limits = meeting::limits(&self.arguments.meeting, &self.arguments.contestants);
        let mut contest = meeting::contest(&self.arguments.meeting, limits, game, contestants)?;
        // Every encounter draws openings of its own.
        contest.seed =
            game::mix(contest.seed ^ game::mix(((round as u64) << 32) + (replay as u64)));
        let file = format!("{round}-{one}-{other}-{replay}.journal");
        let journal = self.arguments.journal.as_ref().map(|folder| folder.join(file));
        let described = contest.contestants.each_ref().map(Contestant::described).join(" against ");
        let each = meeting::limits_in_words(limits);
        let description = format!("{}: {described}{each}, seed {}", contest.game, contest.seed);
        let (mut ledger, earlier) = Ledger::open(journal.as_deref(), &description)?;
        ledger.games = self.games.take();
        let (before, all) = (self.pairs_done, self.pairs_done + left * contest.pairs);
        let progress = &self.progress;
        progress.parts(before + earlier.len(), all);
        let standing = ledger.play(&contest, &earlier, &self.stop, &mut |standing| {
            let Score { wins, draws, losses, .. } = standing.score;
            progress.parts(before + standing.score.pair_count() as usize, all);
            progress.remark(format!("{} - {}: +{wins} ={draws} -{losses}", names[0], names[1]));
            MatchVerdict::On
        })?;
        self.games = ledger.games;
        let finished = standing.score.pair_count() as usize == contest.pairs;
        self.pairs_done += standing.score.pair_count() as usize;
        self.forfeits.extend(standing.forfeits);
        self.played.push(Meeting { encounter, score: standing.score });
        Ok(finished)
    }
}

fn placed(row: &TournamentRow, table: &TournamentTable, contestants: &[Contestant]) -> Placed {
    let rounded = |number: f64| (number * 10.0).round() / 10.0;
    let points = |score: &Score| f64::from(score.wins) + f64::from(score.draws) / 2.0;
    let against = (0..contestants.len())
        .map(|other| (other != row.player).then(|| points(&table.between(row.player, other))));
    Placed {
        place: row.place,
        contestant: contestants[row.player].to_string(),
        points: row.points,
        games: row.score.games(),
        wins: row.score.wins,
        draws: row.score.draws,
        losses: row.score.losses,
        sonneborn_berger: row.sonneborn_berger,
        elo: rounded(row.elo.best),
        elo_interval: [rounded(row.elo.low), rounded(row.elo.high)],
        against: against.collect(),
    }
}

fn write_words(out: &mut dyn Write, held: &Held, rows: &[TournamentRow]) -> io::Result<()> {
    writeln!(out, "{}, {}", held.game, held.format)?;
    let width = held.table.iter().map(|row| row.contestant.chars().count()).max().unwrap_or(0);
    for (row, rated) in held.table.iter().zip(rows) {
        let against: Vec<String> = (row.against.iter())
            .map(|points| {
                points.map_or_else(|| "    -".to_owned(), |points| format!("{points:5.1}"))
            })
            .collect();
        writeln!(
            out,
            "{:3}. {:width$}  {:6.1} of {:<4} {}  Elo {}",
            row.place,
            row.contestant,
            row.points,
            row.games,
            against.join(" "),
            elo_in_words(rated.elo),
        )?;
    }
    if let Some(champion) = &held.champion {
        writeln!(out, "the winner is {champion}")?;
    }
    for forfeit in &held.forfeits {
        writeln!(out, "broke the rules: {forfeit}")?;
    }
    writeln!(out, "time   {:.1} s", held.seconds)?;
    match &held.resume {
        Some(command) => writeln!(out, "interrupted; to go on: {command}"),
        None if held.finished => Ok(()),
        None => writeln!(out, "interrupted; with --journal FOLDER it could go on"),
    }
}
