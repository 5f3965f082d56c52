//! [`check_lemmas`]: what a worker says is a proof, before it counts as one.

use certificate::{
    Bundle, BundleLimits, BundleRefusal, BundleWatcher, Certificate, CheckProof, Claim, LemmaHash,
    LemmaSource, Refusal,
};

use crate::message::{Unit, UnitTask};
use crate::rules::SolverRules;

/// Why lemmas are not what their unit asked for. Prints as one line.
#[derive(Debug, thiserror::Error)]
pub enum LemmaRefusal {
    /// The unit asks for no lemmas, or the report names none.
    #[error("there is nothing to check")]
    Nothing,
    /// The file of the last lemma is not there.
    #[error("the file of lemma {0} cannot be read: {1}")]
    Missing(LemmaHash, std::io::Error),
    /// It is no certificate.
    #[error(transparent)]
    Unreadable(#[from] Refusal),
    /// It is about something else than the node and the claim of the unit.
    #[error("it is about something else than what was asked")]
    Other,
    /// It has another hash.
    #[error("its hash is another one")]
    OtherHash,
    /// The checker refuses the proof or one it rests on.
    #[error(transparent)]
    Refused(#[from] BundleRefusal),
}

/// Checks that lemmas prove what a unit asked for: the last about its node, the others below it.
/// `check` is the checker with the game's rules.
///
/// # Errors
/// Says why not.
pub fn check_lemmas(
    rules: &dyn SolverRules,
    check: &CheckProof<'_>,
    unit: &Unit,
    lemmas: &[LemmaHash],
    source: &dyn LemmaSource,
    limits: &BundleLimits,
    watcher: &dyn BundleWatcher,
) -> Result<(), LemmaRefusal> {
    let (UnitTask::Certify { holds, .. }, Some(last)) = (unit.task, lemmas.last()) else {
        return Err(LemmaRefusal::Nothing);
    };
    let file = source.read(last, limits.most_bytes);
    let file = file.map_err(|error| LemmaRefusal::Missing(*last, error))?;
    let certificate = Certificate::read(&file)?;
    let header = certificate.header();
    let asked = unit.question.at_least;
    let claim = if holds { Claim::AtLeast(asked) } else { Claim::AtMost(asked - 1) };
    let is_asked = header.game == unit.game
        && rules.read(&header.position).is_ok_and(|name| name == unit.node)
        && matches!(certificate.proofs(), [proof] if proof.claim() == claim);
    if !is_asked {
        return Err(LemmaRefusal::Other);
    }
    if LemmaHash::of(&header.game, &header.position, claim, &file) != *last {
        return Err(LemmaRefusal::OtherHash);
    }
    let bundle = Bundle::gather(&certificate, source, limits, watcher)?;
    bundle.verify(source, check, 1, limits, watcher)?;
    Ok(())
}
