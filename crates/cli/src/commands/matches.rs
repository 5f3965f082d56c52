//! `zermelo match`: two bots, many games, and who is stronger.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Result, anyhow};
use arena::{
    Contest, Contestant, Elo, MatchVerdict, PairResult, Score, Sprt, SprtDecision, Standing,
};
use play::{Limits, Stop};
use serde::Serialize;

use crate::meeting::{self, GamesFile, Ledger};
use crate::output::{Answer, Console, counted, seconds_since};
use crate::progress::{Progress, stop_on_interrupt};
use crate::{again, args, files};

#[derive(Serialize)]
pub(crate) struct Matched {
    game: String,
    bots: [String; 2],
    /// When those stop thinking who do not say so themselves, if there is such a one.
    each: Option<String>,
    pub(crate) games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    /// Pairs by their points: 0, a half, 1, one and a half, 2.
    pairs: [u32; 5],
    score: f64,
    score_interval: [f64; 2],
    /// `null` where all games were won or lost: then there is only one end.
    elo: Option<f64>,
    elo_interval: [Option<f64>; 2],
    /// How likely it is that the first is the stronger one.
    superiority: f64,
    draw_ratio: Option<f64>,
    pub(crate) sprt: Option<Tested>,
    forfeits: Vec<String>,
    /// Whether all games were played, or enough for the test.
    finished: bool,
    /// The command that goes on with what is left.
    resume: Option<String>,
    seed: u64,
    seconds: f64,
}

/// What a sequential test says.
#[derive(Serialize)]
pub(crate) struct Tested {
    llr: f64,
    bounds: [f64; 2],
    pub(crate) decision: &'static str,
}

/// As JSON names a test that has not ended.
const UNDECIDED: &str = "open";

impl Matched {
    /// Whether there was a test, and it does not know enough.
    pub(crate) fn is_undecided(&self) -> bool {
        self.sprt.as_ref().is_some_and(|tested| tested.decision == UNDECIDED)
    }
}

impl Tested {
    fn of(sprt: &Sprt, score: &Score) -> Tested {
        let (low, high) = sprt.bounds();
        let decision = match sprt.decision(score) {
            SprtDecision::AcceptH1 => "H1",
            SprtDecision::AcceptH0 => "H0",
            SprtDecision::Continue => UNDECIDED,
        };
        Tested { llr: sprt.log_likelihood_ratio(score), bounds: [low, high], decision }
    }
}

/// Plays the match. A signal ends it with the pairs that were finished. Who loses games by breaking the rules has
/// failed, and a test that knows nothing in the end has too: a negative answer.
pub(crate) fn run(arguments: &args::Match, console: &Console) -> Result<Answer> {
    let game = catalog::open(&arguments.game).map_err(|e| anyhow!("game {e}"))?;
    let contestants = [arguments.judged.clone(), arguments.measure.clone()];
    let limits = meeting::limits(&arguments.meeting, &contestants);
    let contest = meeting::contest(&arguments.meeting, limits, &*game, contestants)?;
    let stop = stop_on_interrupt()?;
    let journal = arguments.journal.as_deref();
    let description = description(arguments, &contest);
    let (mut ledger, earlier) = Ledger::open(journal, &description)?;
    if let Some(path) = &arguments.meeting.save {
        ledger.games = Some(GamesFile::open(path, !earlier.is_empty(), game)?);
    }
    let sprt = arguments.sprt.as_ref();
    let (standing, mut matched) = hold(&contest, &mut ledger, &earlier, sprt, &stop, console)?;
    let goes_on = !matched.finished || matched.is_undecided();
    if goes_on {
        let journal = match journal {
            Some(journal) => Some(journal.to_owned()),
            None => keep(&ledger, &description)?,
        };
        matched.resume = journal.map(|journal| resume(&matched, &journal));
    }
    console.answer(&matched, |out| write_words(out, &contest, &standing, &matched))?;
    let done = standing.forfeits.is_empty() && !goes_on;
    Ok(if done { Answer::Yes } else { Answer::No })
}

/// Keeps what was played where the program keeps its own, if there is such a place.
fn keep(ledger: &Ledger, description: &str) -> Result<Option<PathBuf>> {
    let name = description.bytes().fold(0, |hash, byte| game::mix(hash ^ u64::from(byte)));
    let file = files::home().map(|home| home.join("matches").join(format!("{name:016x}.journal")));
    if let Some(file) = &file {
        ledger.keep(file, description)?;
    }
    Ok(file)
}

/// The command that goes on: with twice the games if a test needs more.
fn resume(matched: &Matched, journal: &Path) -> String {
    let mut flags = vec![("--journal", Some(journal.display().to_string()))];
    if matched.finished {
        flags.push(("--games", Some((2 * matched.games).to_string())));
    }
    again::command_with(&flags)
}

/// Plays what is left of a match, until it is over or a test knows enough.
pub(crate) fn hold(
    contest: &Contest,
    ledger: &mut Ledger,
    earlier: &[PairResult],
    sprt: Option<&Sprt>,
    stop: &Stop,
    console: &Console,
) -> Result<(Standing, Matched)> {
    let progress = Progress::of_parts(console, "pairs");
    progress.parts(earlier.len(), contest.pairs);
    let start = Instant::now();
    let each = meeting::limits_in_words(unsaid_limits(contest));
    let standing = ledger.play(contest, earlier, stop, &mut |standing| {
        let done = standing.score.pair_count() as usize;
        let left = progress.left(done - earlier.len(), contest.pairs - done);
        let left = left.map_or_else(String::new, |left| format!(", {left}"));
        progress.remark(format!("{}{each}{left}", score_in_words(standing)));
        progress.parts(done, contest.pairs);
        match sprt.map(|sprt| sprt.decision(&standing.score)) {
            Some(SprtDecision::AcceptH0 | SprtDecision::AcceptH1) => MatchVerdict::Enough,
            Some(SprtDecision::Continue) | None => MatchVerdict::On,
        }
    });
    let seconds = seconds_since(start);
    drop(progress);
    let standing = standing?;
    let matched = matched(contest, &standing, sprt, seconds);
    Ok((standing, matched))
}

/// The limits of a match, if somebody in it goes by them.
fn unsaid_limits(contest: &Contest) -> Option<Limits> {
    let goes_by = |contestant: &Contestant| !contestant.knows_when_to_stop();
    contest.limits.filter(|_| contest.contestants.iter().any(goes_by))
}

/// What is played, for a journal: everything that makes a match another one.
fn description(arguments: &args::Match, contest: &Contest) -> String {
    let args::Meeting { openings, plies, draw, resign, seed, .. } = &arguments.meeting;
    let each = &contest.limits;
    let [judged, measure] = contest.contestants.each_ref().map(Contestant::described);
    let game = &contest.game;
    format!(
        "{game}: {judged} against {measure}, each {each:?}, openings {openings} {plies:?}, \
         draw {draw:?}, resign {resign:?}, seed {seed}"
    )
}

fn matched(contest: &Contest, standing: &Standing, sprt: Option<&Sprt>, seconds: f64) -> Matched {
    let score = standing.score;
    let (low, high) = score.interval();
    let elo = score.elo();
    let finite = |elo: f64| elo.is_finite().then_some((elo * 10.0).round() / 10.0);
    let rounded = |share: f64| (share * 1e4).round() / 1e4;
    let tested = sprt.map(|sprt| Tested::of(sprt, &score));
    let enough = tested.as_ref().is_some_and(|tested| tested.decision != UNDECIDED);
    Matched {
        game: contest.game.clone(),
        bots: contest.contestants.each_ref().map(ToString::to_string),
        each: unsaid_limits(contest).map(|limits| meeting::limits_text(&limits)),
        games: score.games(),
        wins: score.wins,
        draws: score.draws,
        losses: score.losses,
        pairs: score.pairs,
        score: rounded(score.share()),
        score_interval: [rounded(low), rounded(high)],
        elo: finite(elo.best),
        elo_interval: [finite(elo.low), finite(elo.high)],
        superiority: rounded(score.superiority()),
        draw_ratio: score.draw_ratio().map(rounded),
        sprt: tested,
        forfeits: standing.forfeits.clone(),
        finished: enough || score.pair_count() as usize >= contest.pairs,
        resume: None,
        seed: contest.seed,
        seconds,
    }
}

fn score_in_words(standing: &Standing) -> String {
    let score = standing.score;
    format!("+{} ={} -{}, {:.1}%", score.wins, score.draws, score.losses, score.share() * 100.0)
}

pub(crate) fn write_words(
    out: &mut dyn Write,
    contest: &Contest,
    standing: &Standing,
    matched: &Matched,
) -> io::Result<()> {
    let score = standing.score;
    let [judged, measure] = &contest.contestants;
    writeln!(out, "{}: {judged} against {measure}", contest.game)?;
    if let Some(each) = &matched.each {
        writeln!(out, "each   {each} a move, as --each says or by default")?;
    }
    let (low, high) = score.interval();
    writeln!(
        out,
        "games  {}: {} ({:.1} to {:.1}%)",
        score.games(),
        score_in_words(standing),
        low * 100.0,
        high * 100.0
    )?;
    let [none, half, one, more, two] = score.pairs;
    writeln!(out, "pairs  0: {none}, 1/2: {half}, 1: {one}, 1 1/2: {more}, 2: {two}")?;
    let superiority = matched.superiority * 100.0;
    let draws = matched.draw_ratio.unwrap_or(0.0) * 100.0;
    writeln!(out, "Elo    {}", elo_in_words(score.elo()))?;
    writeln!(out, "       stronger with a chance of {superiority:.1}%; {draws:.1}% draws")?;
    if let Some(Tested { llr, bounds: [low, high], decision }) = &matched.sprt {
        let decision = match *decision {
            UNDECIDED => "undecided, more games are needed",
            decision => decision,
        };
        writeln!(out, "SPRT   {decision}: {llr:.2} ({low:.2} to {high:.2})")?;
    }
    for forfeit in &standing.forfeits {
        writeln!(out, "broke the rules: {forfeit}")?;
    }
    writeln!(out, "time   {:.1} s, seed {}", matched.seconds, contest.seed)?;
    if !matched.finished {
        writeln!(
            out,
            "interrupted after {} of {}",
            score.pair_count(),
            counted(contest.pairs, "pair")
        )?;
    }
    match &matched.resume {
        Some(command) => writeln!(out, "to go on: {command}"),
        None => Ok(()),
    }
}

/// The best guess and its 95% interval.
pub(crate) fn elo_in_words(Elo { best, low, high }: Elo) -> String {
    match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("{best:+.0} ({low:+.0} to {high:+.0}, 95%)"),
        (true, false) => format!("above {low:+.0} (95%)"),
        (false, true) => format!("below {high:+.0} (95%)"),
        (false, false) => "not known".to_owned(),
    }
}
