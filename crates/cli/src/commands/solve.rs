//! `zermelo solve`: the value of a position, for certain.

use play::Facts;
use std::io::{self, Write};
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use compiled::{
    CertificateTask, Solved as Found, SolvingStage, SolvingTask, StoredAt, default_method,
};
use game::Points;
use indicatif::{HumanCount, HumanDuration};
use serde::Serialize;
use serde_json::{Number, Value};
use solve::{AuditedBound, Bounds, CertifyStage, Goal, Options, Proof, Solution};

use crate::args::Solve;
use crate::output::{
    Answer, Console, Opened, Texts, number, other_texts, per_second, speed_in_words, value_name,
    write_texts,
};
use crate::progress::{Progress, stop_on_interrupt};
use crate::proof_files::{NewProof, Written};

#[derive(Serialize)]
pub(super) struct Solved {
    game: String,
    position: String,
    question: String,
    pub(super) answer: Value,
    value: Option<&'static str>,
    margin: Option<Number>,
    lower: Option<Number>,
    upper: Option<Number>,
    pub(super) distance: Option<u32>,
    pub(super) proved: bool,
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Texts::is_empty")]
    pub(super) texts: Texts,
    #[serde(skip_serializing_if = "Option::is_none")]
    audit: Option<Vec<Audited>>,
}

/// What a bound rests on.
#[derive(Serialize)]
struct Audited {
    at_least: Option<Number>,
    holds: bool,
    inner: usize,
    facts: usize,
    ends: usize,
}

/// Solves as far as it gets. Not to know the answer in the end is a negative answer, with what is known.
pub(crate) fn run(arguments: &Solve, console: &Console) -> Result<Answer> {
    if arguments.comparing.compare {
        return super::compare::run(arguments, console);
    }
    if arguments.simulating.simulate {
        ensure!(
            arguments.game.is_none(),
            "--simulate makes up a game of its own; leave the game out"
        );
        return super::simulate::run(&arguments.simulating, console);
    }
    if arguments.proof == Proof::Strong {
        return super::strong::run(arguments, console);
    }
    ensure!(arguments.table.is_none(), "--table is for --proof strong");
    if arguments.proof == Proof::Ultraweak {
        return super::ultraweak::run(arguments, console);
    }
    let opened = open(arguments, console)?;
    let (facts, session) = (opened.game.facts(), &*opened.session);
    let scale = facts.margin_scale;
    let question = in_units(arguments.question, scale);
    let options = Options {
        question,
        method: arguments.method.unwrap_or(default_method(facts)),
        slice: arguments.slice,
        threads: arguments.threads,
        hash_megabytes: arguments.hash,
        nodes: arguments.nodes,
        memory: arguments.memory << 20,
        repeatable: arguments.repeatable,
    };
    let stored = arguments.store.as_deref();
    let stored = stored.map(|file| StoredAt { file, resume: arguments.resume });
    let begin = |path| NewProof::begin(path, arguments.lemmas);
    let mut new_proof = arguments.certificate.as_deref().map(begin).transpose()?;
    let stop = stop_on_interrupt()?;
    let progress = Progress::of_search(console);
    let began = std::time::Instant::now();
    let certificate = arguments
        .certificate
        .as_ref()
        .map(|_| CertificateTask { leaf_budget: arguments.leaf, most_nodes: arguments.lemmas });
    let weights = arguments.weights.as_ref();
    let solver = opened.game.solver();
    let task = SolvingTask { options, stored, weights, certificate, solver };
    let mut unwritten = None;
    let solved = session.solve(&task, &stop, &mut |stage| match stage {
        SolvingStage::Solving(now) => {
            progress.show_solving(now, scale);
            if arguments.time.is_some_and(|time| began.elapsed() >= time) {
                stop.stop();
            }
        }
        SolvingStage::Certifying(CertifyStage::Nodes(nodes)) => {
            progress.say(&format!("solved; {} nodes of its certificate", HumanCount(nodes as u64)));
        }
        SolvingStage::Certifying(CertifyStage::Lemma(lemma)) => {
            if let Some(Err(error)) = new_proof.as_mut().map(|proof| proof.add(lemma)) {
                unwritten = Some(error);
                stop.stop();
            }
        }
    });
    drop(progress);
    if let Some(error) = unwritten {
        return Err(error);
    }
    let Found { solution, certificate } = solved?;
    let written = match (new_proof, &certificate) {
        (Some(proof), Some(root)) => Some(proof.finish(root)?),
        _ => None,
    };
    let audit = match arguments.audit {
        true => Some(audit(&solution, facts)?),
        false => None,
    };
    let Solution { bounds, proved, spent, undecided, damaged, .. } = solution;
    let seconds = (spent.time.as_secs_f64() * 1e6).round() / 1e6;
    let solved = Solved::new(&opened, arguments.question, bounds, spent.nodes, seconds);
    let texts = other_texts(arguments.texts, session, bounds.outcome())?;
    let solved = Solved { proved, texts, audit, ..solved };
    console.answer(&solved, |out| {
        write_words(out, facts, question, bounds)?;
        write_texts(out, &solved.texts, 6)?;
        if undecided {
            writeln!(out, "stuck  play may go round in circles, so that nobody can force more")?;
        }
        writeln!(out, "work   {}", speed_in_words(spent.nodes, seconds))?;
        for Audited { at_least, holds, inner, facts, ends } in solved.audit.iter().flatten() {
            let asked = at_least.as_ref().map(Number::to_string).unwrap_or_default();
            let is = if *holds { "at least" } else { "below" };
            writeln!(
                out,
                "rests  {is} {asked}: on {facts} answers found by search and {ends} ends of the \
                 game, from which {inner} positions follow"
            )?;
        }
        if damaged > 0 {
            writeln!(out, "store  {damaged} damaged rows were left out and worked at again")?;
        }
        if let (Some(path), Some(Written { bytes, lemmas })) = (&arguments.certificate, &written) {
            let path = path.display();
            match lemmas {
                None => writeln!(out, "proof  {} bytes in {path}", HumanCount(*bytes))?,
                Some(lemmas) => writeln!(
                    out,
                    "proof  {} bytes in {path}: a root and {} lemmas",
                    HumanCount(*bytes),
                    HumanCount(*lemmas)
                )?,
            }
        }
        match (&arguments.store, proved) {
            (Some(file), false) => writeln!(out, "saved  in {}", file.display()),
            _ => Ok(()),
        }
    })?;
    Ok(if proved { Answer::Yes } else { Answer::No })
}

fn audit(solution: &Solution, facts: &Facts) -> Result<Vec<Audited>> {
    let Some(bounds) = solution.audit(facts.margin_limit) else {
        bail!("the answer does not follow from what was found: this is a fault of the program");
    };
    let audited = |bound: AuditedBound| {
        let AuditedBound { at_least, holds, inner, facts: found, ends } = bound;
        let at_least = number(Points::new(at_least, facts.margin_scale));
        Audited { at_least, holds, inner, facts: found, ends }
    };
    Ok(bounds.into_iter().map(audited).collect())
}

/// The position that is asked about.
pub(super) fn open(arguments: &Solve, console: &Console) -> Result<Opened> {
    let game = arguments.game.as_deref().unwrap_or_default();
    let (opened, _) = console.open_at(game, &arguments.spot)?;
    // A game without such texts is better refused before the work than after it.
    other_texts(arguments.texts, &*opened.session, None)?;
    Ok(opened)
}

/// A question about points as one about margins.
pub(super) fn in_units(question: Goal, scale: i32) -> Goal {
    match question {
        Goal::AtLeast(points) => Goal::AtLeast(points.saturating_mul(scale)),
        other => other,
    }
}

impl Solved {
    /// What is known of the position, by whatever means it was found.
    pub(super) fn new(
        opened: &Opened,
        question: Goal,
        bounds: Bounds,
        nodes: u64,
        seconds: f64,
    ) -> Solved {
        let facts = opened.game.facts();
        let (scale, has_margins) = (facts.margin_scale, facts.has_margins());
        let points = |margin: i32| number(Points::new(margin, scale));
        let (lower, upper) = bounds.proved(facts.margin_limit);
        Solved {
            game: facts.spec.clone(),
            position: opened.session.position(),
            question: question.to_string(),
            answer: answer(in_units(question, scale), bounds, has_margins, scale),
            value: bounds.outcome().map(value_name),
            margin: bounds.exact().filter(|_| has_margins).and_then(points),
            lower: lower.and_then(points),
            upper: upper.and_then(points),
            distance: None,
            proved: false,
            nodes,
            seconds,
            texts: Texts::new(),
            audit: None,
        }
    }
}

/// The answer to just what was asked, or null.
fn answer(question: Goal, bounds: Bounds, has_margins: bool, scale: i32) -> Value {
    let outcome = || bounds.outcome().map_or(Value::Null, |signum| value_name(signum).into());
    match question {
        Goal::AtLeast(margin) => bounds.answer(margin).map_or(Value::Null, Value::Bool),
        Goal::Value if has_margins => {
            let points = bounds.exact().and_then(|margin| number(Points::new(margin, scale)));
            points.map_or(Value::Null, Value::Number)
        }
        Goal::Value | Goal::Outcome => outcome(),
    }
}

pub(super) fn write_words(
    out: &mut dyn Write,
    facts: &Facts,
    question: Goal,
    bounds: Bounds,
) -> io::Result<()> {
    let scale = facts.has_margins().then_some(facts.margin_scale);
    let points = |margin: i32| Points::new(margin, scale.unwrap_or(1));
    if let Goal::AtLeast(margin) = question {
        let asked = points(margin);
        match bounds.answer(margin) {
            Some(true) => writeln!(out, "yes    the first player's margin is at least {asked}")?,
            Some(false) => writeln!(out, "no     the first player's margin is below {asked}")?,
            None => writeln!(out, "open   whether the first player's margin is at least {asked}")?,
        }
    }
    let by = |margin: i32| match scale {
        Some(_) => format!(" by {}", points(margin).abs()),
        None => String::new(),
    };
    match (bounds.exact(), bounds.outcome()) {
        (Some(0), _) => writeln!(out, "value  draw"),
        (Some(margin), _) => {
            writeln!(out, "value  {} player wins{}", value_name(margin.signum()), by(margin))
        }
        (None, Some(signum)) => {
            let winner = value_name(signum);
            let (least, most) = match (signum > 0, bounds.proved(facts.margin_limit)) {
                (true, (_, most)) => (bounds.lower, most),
                (false, (most, _)) => (-bounds.upper, most.map(|margin| -margin)),
            };
            let least = points(least);
            match most {
                Some(most) => {
                    writeln!(out, "value  {winner} player wins, by {least} to {}", points(most))
                }
                None => writeln!(out, "value  {winner} player wins, by at least {least}"),
            }
        }
        (None, None) if matches!(question, Goal::AtLeast(_)) => Ok(()),
        (None, None) => {
            let margin = match bounds.proved(facts.margin_limit) {
                (None, None) => "may be anything".to_owned(),
                (Some(lower), None) => format!("is at least {}", points(lower)),
                (None, Some(upper)) => format!("is at most {}", points(upper)),
                (Some(lower), Some(upper)) => {
                    format!("is between {} and {}", points(lower), points(upper))
                }
            };
            writeln!(out, "open   the first player's margin {margin}")
        }
    }
}

impl Progress {
    /// What a solver reports.
    fn show_solving(&self, now: &solve::Progress, scale: i32) {
        tracing::debug!(?now, "solving");
        let rate = per_second(now.nodes, now.time.as_secs_f64());
        let (done, all) = now.root_moves;
        let share = match all {
            0 => String::new(),
            _ => format!(", {done} of {all} moves"),
        };
        // Proof numbers do not tell.
        let depth = match now.depth {
            0 => String::new(),
            depth => format!(", depth {depth}"),
        };
        // How often it is right: see the documents.
        let left = match now.left {
            Some(left) if rate > 0 => {
                let [low, high] = [left.low, left.high]
                    .map(|nodes| HumanDuration(Duration::from_secs(nodes / rate)).to_string());
                format!(", {low} to {high} left for this question")
            }
            _ => String::new(),
        };
        self.say(&format!(
            "at least {}?{share}{depth}, {} positions kept, {} nodes, {} nodes/s{left}",
            Points::new(now.at_least, scale),
            HumanCount(now.places as u64),
            HumanCount(now.nodes),
            HumanCount(rate),
        ));
    }
}
