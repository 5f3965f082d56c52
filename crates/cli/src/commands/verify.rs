//! `zermelo verify`: whether a certificate proves what it claims.

use std::fmt;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, ensure};
use certificate::{
    Certificate, Claim, Header, LeafSample, Limit, ProofGraph, ProofVerdict, VerifyOptions,
};
use game::{Points, shown};
use indicatif::HumanCount;
use serde::Serialize;
use serde_json::Number;

use crate::args::Verify;
use crate::output::{Answer, Console, number, seconds_since, value_name};
use crate::progress::Progress;

#[derive(Serialize)]
struct Verified {
    file: String,
    game: String,
    position: String,
    lower: Option<Number>,
    upper: Option<Number>,
    proved: bool,
    refused: Option<String>,
    nodes: u64,
    edges: u64,
    leaves: u64,
    settled: u64,
    visited: u64,
    /// How many lemmas it rests on.
    lemmas: usize,
    seconds: f64,
}

/// Checks every node, or says why not: a proof that is not accepted is a negative answer; a file
/// that cannot be read, or is about no game, is bad input.
pub(crate) fn run(arguments: &Verify, console: &Console) -> Result<Answer> {
    if arguments.file.is_dir() {
        return super::bundle::run(arguments, console);
    }
    ensure!(arguments.resume.is_none(), "--resume is for the folder of a bundle");
    let name = arguments.file.display().to_string();
    let start = Instant::now();
    let memory = arguments.memory << 20;
    let read = read_at_most(&arguments.file, memory);
    let bytes = read.with_context(|| format!("cannot read {name}"))?;
    ensure!(
        bytes.len() <= memory,
        "{name} has more than {} MB; --memory {} would let it be read",
        arguments.memory,
        arguments.memory * 2
    );
    let certificate = Certificate::read(&bytes).map_err(|refusal| anyhow!("{name}: {refusal}"))?;
    let header = certificate.header();
    let game = catalog::open(&header.game).map_err(|e| anyhow!("{name}: game {e}"))?;
    let sample = arguments.sample.map(|leaves| LeafSample { leaves, seed: arguments.seed });
    let progress = Progress::of_parts(console, "nodes");
    let options = VerifyOptions {
        sample,
        most_bytes: memory - bytes.len(),
        until: start.checked_add(arguments.time),
        stop: None,
    };
    let verdict = game.verify(&certificate, &options, &mut |now| {
        // As often as anybody could look.
        if now.nodes.is_multiple_of(1 << 10) {
            progress.parts(now.nodes as usize, now.all_nodes as usize);
            progress.remark(format!("{} positions visited", HumanCount(now.visited)));
        }
    });
    drop(progress);
    let seconds = seconds_since(start);
    let claims: Vec<Claim> = certificate.proofs().iter().map(ProofGraph::claim).collect();
    let scale = game.facts().margin_scale;
    let [lower, upper] = bounds_of(&claims, scale);
    let checked = verdict.as_ref().ok();
    let verified = Verified {
        file: name.clone(),
        game: header.game.clone(),
        position: header.position.clone(),
        lower,
        upper,
        proved: checked.is_some_and(ProofVerdict::is_proof),
        refused: verdict
            .as_ref()
            .err()
            .map(|refusal| in_words(refusal, refusal.limit(), arguments)),
        nodes: certificate.nodes(),
        edges: certificate.edges(),
        leaves: certificate.leaves(),
        settled: checked.map_or(0, |verdict| verdict.settled),
        visited: checked.map_or(0, |verdict| verdict.visited),
        lemmas: certificate.lemmas().len(),
        seconds,
    };
    let claimed = claimed(&claims, game.facts().has_margins(), scale);
    console.answer(&verified, |out| {
        let said = match &verdict {
            Err(_) => "REFUSED, so not proved",
            Ok(verdict) if !verdict.is_complete() => "NOT PROVED, not refuted",
            Ok(verdict) if !verdict.is_proof() => "NOT PROVED by itself",
            Ok(_) => "PROVED",
        };
        write_subject(out, said, header, &claimed)?;
        match &verdict {
            Ok(verdict) => writeln!(out, "{verdict}, {seconds:.3} s"),
            Err(refusal) => {
                writeln!(out, "refused: {}", in_words(refusal, refusal.limit(), arguments))
            }
        }
    })?;
    // Whoever asks for a sample knows that it is one; that lemmas are missing may come as a
    // surprise.
    let is_as_asked = verdict.is_ok_and(|verdict| verdict.rests_on.is_empty());
    Ok(if is_as_asked { Answer::Yes } else { Answer::No })
}

/// What is claimed and of what, in two lines.
pub(super) fn write_subject(
    out: &mut dyn Write,
    said: &str,
    header: &Header,
    claimed: &str,
) -> io::Result<()> {
    let what = match header.position.as_str() {
        "" => header.game.clone(),
        _ => format!("this position of {}", header.game),
    };
    writeln!(out, "{said}: {what} {claimed}")?;
    let from = match header.position.as_str() {
        "" => "its start".to_owned(),
        position => shown(position),
    };
    writeln!(out, "game   {} from {from}", shown(&header.game))
}

/// What is claimed of the margin: that it is at least, and at most.
pub(super) fn bounds_of(claims: &[Claim], scale: i32) -> [Option<Number>; 2] {
    let least = claims.iter().find_map(|claim| match claim {
        Claim::AtLeast(margin) => Some(*margin),
        Claim::AtMost(_) => None,
    });
    let most = claims.iter().find_map(|claim| match claim {
        Claim::AtMost(margin) => Some(*margin),
        Claim::AtLeast(_) => None,
    });
    [least, most].map(|margin| number(Points::new(margin?, scale)))
}

/// The bytes of a file, and one more than so many if it has more.
pub(super) fn read_at_most(file: &Path, most: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(most as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Why something is refused; and what would help, where nothing was found wrong.
pub(super) fn in_words(
    refusal: &dyn fmt::Display,
    limit: Option<Limit>,
    arguments: &Verify,
) -> String {
    match limit {
        None | Some(Limit::Stop) => refusal.to_string(),
        Some(Limit::Memory) => {
            format!("{refusal}; --memory {} would go on", arguments.memory * 2)
        }
        Some(Limit::Time) => {
            format!("{refusal}; --time {} would go on", arguments.time.as_secs_f64() * 2.0)
        }
    }
}

/// What the claims of a certificate say together of its game, as a person would ask.
pub(super) fn claimed(claims: &[Claim], has_margins: bool, scale: i32) -> String {
    let least = claims.iter().find_map(|claim| match claim {
        Claim::AtLeast(margin) => Some(*margin),
        Claim::AtMost(_) => None,
    });
    let most = claims.iter().find_map(|claim| match claim {
        Claim::AtMost(margin) => Some(*margin),
        Claim::AtLeast(_) => None,
    });
    let by = |which: &str, margin: i32| match has_margins {
        true => format!(" by {which}{}", Points::new(margin.abs(), scale)),
        false => String::new(),
    };
    match (least, most) {
        (Some(0), Some(0)) => "is a draw".to_owned(),
        (Some(least), Some(most)) if least == most => {
            format!("is won by the {} player{}", value_name(least.signum()), by("", least))
        }
        (Some(least @ 1..), None) => {
            format!("is won by the first player{}", by("at least ", least))
        }
        (None, Some(most @ ..=-1)) => {
            format!("is won by the second player{}", by("at least ", most))
        }
        (Some(0), None) => "is not lost by the first player".to_owned(),
        (None, Some(0)) => "is not won by the first player".to_owned(),
        (least, most) => {
            let end = |word: &str, margin: Option<i32>| {
                margin.map(|margin| format!("{word} {}", Points::new(margin, scale)))
            };
            let ends: Vec<String> =
                [end("at least", least), end("at most", most)].into_iter().flatten().collect();
            format!("is worth {} to the first player", ends.join(" and "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_told_as_people_ask() {
        use Claim::{AtLeast, AtMost};
        for (claims, has_margins, words) in [
            (&[AtLeast(0), AtMost(0)][..], false, "is a draw"),
            (&[AtLeast(1)], false, "is won by the first player"),
            (&[AtMost(-1)], false, "is won by the second player"),
            (&[AtMost(0)], false, "is not won by the first player"),
            (&[AtLeast(0)], true, "is not lost by the first player"),
            (&[AtMost(-10), AtLeast(-10)], true, "is won by the second player by 10"),
            (&[AtLeast(4)], true, "is won by the first player by at least 4"),
            (&[AtLeast(-4)], true, "is worth at least -4 to the first player"),
            (
                &[AtLeast(2), AtMost(6)],
                true,
                "is worth at least 2 and at most 6 to the first player",
            ),
        ] {
            assert_eq!(claimed(claims, has_margins, 1), words);
        }
    }
}
