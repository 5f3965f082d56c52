//! Rules and notation.

use std::collections::BTreeSet;

use super::packing::Corpus;
use super::{Effort, allowed_moves, random_games};
use crate::notation::{Notation, moves_of};
use crate::path::{Path, Recall};
use crate::rng::Rng;
use crate::rules::Game;

/// Checks rules and notation of a game over random games: generated ⇔ legal as text; make and
/// unmake; keys; text and byte round trips; margins; counting and sampling; every game ends.
///
/// # Panics
/// With the game, the moves and the broken promise.
pub fn conforms<G: Notation>(game: &G, effort: Effort) {
    let mut seen_texts: BTreeSet<String> = BTreeSet::new();
    let mut rng = Rng::new(effort.seed);
    let mut corpus = Corpus::default();
    random_games(game, effort, |p, path, _, played| {
        let at = format!("{} after {played:?}", game.spec());
        let moves = moves_of(game, p);
        check_end(game, p, path, &moves, &at);
        check_position_text(game, p, &at);
        corpus.check(game, p, &at);
        check_moves(game, p, &moves, &at);
        check_counting(game, p, &moves, &mut rng, &at);
        check_move_texts(game, p, &moves, &mut seen_texts, &at);
    });
    // Large boards take their time.
    let inputs = 50_000 / (1 + game.pack(&game.start()).len());
    corpus.mangle(game, &mut rng, inputs.clamp(20, 500));
    let few = Effort { games: effort.games.min(3), ..effort };
    random_games(game, few, |p, path, _, _| check_playout(game, p, path, &mut rng));
}

/// Margins keep to their limit and their step, also those that rules award which look back.
pub(super) fn check_end<G: Game>(
    game: &G,
    p: &G::Position,
    path: &Path,
    moves: &[G::Move],
    at: &str,
) {
    let (limit, step) = (game.margin_limit(), game.margin_step());
    assert!(limit >= 1, "{at}: margin_limit is below 1");
    assert!(step.admits(-limit) && step.admits(limit), "{at}: {limit} is not of {step:?}");
    let awarded = match game.recall(p, path) {
        Recall::Over(margin) | Recall::Claim(margin) => Some(margin),
        Recall::Fresh | Recall::Forbidden => None,
    };
    let margin = match game.margin(p) {
        None if moves.is_empty() => {
            assert!(G::GETS_STUCK, "{at}: there is no move");
            Some(game.stuck(p))
        }
        margin => margin,
    };
    for margin in margin.into_iter().chain(awarded) {
        assert!((-limit..=limit).contains(&margin), "{at}: margin {margin} is outside ±{limit}");
        assert!(step.admits(margin), "{at}: margin {margin} is not of {step:?}");
    }
}

/// A position survives being written and read, key and all.
pub(super) fn check_position_text<G: Notation>(game: &G, p: &G::Position, at: &str) {
    let text = game.write_position(p);
    assert!(!text.contains(['\n', '\r']), "{at}: the position {text:?} is not one line");
    let read = game
        .read_position(&text)
        .unwrap_or_else(|e| panic!("{at}: cannot read its own position: {e}"));
    assert_eq!(&read, p, "{at}: {text:?} reads back as another position");
    assert_eq!(game.key(&read), game.key(p), "{at}: the incremental key is not the fresh one");
    assert_eq!(
        game.path_key(&read),
        game.path_key(p),
        "{at}: the incremental path key is not the fresh one"
    );
    assert_eq!(
        game.to_move(&read),
        game.to_move(p),
        "{at}: {text:?} reads back with the other side to move"
    );
}

/// Each move is generated once, changes the position and the key, and is taken back without trace.
fn check_moves<G: Game>(game: &G, p: &G::Position, moves: &[G::Move], at: &str) {
    let (key, path_key) = (game.key(p), game.path_key(p));
    let mut codes = BTreeSet::new();
    for &m in moves {
        assert!(
            game.slot(m) < game.slots(),
            "{at}: {m:?} has slot {} of {}",
            game.slot(m),
            game.slots()
        );
        assert!(
            codes.insert(game.code(m) & 0xf_ffff),
            "{at}: {m:?} is generated twice or shares its code"
        );
        let mut next = p.clone();
        let undo = game.make(&mut next, m);
        assert_ne!(&next, p, "{at}: {m:?} changes nothing");
        assert_ne!(game.key(&next), key, "{at}: {m:?} leaves the key as it was");
        if G::ALTERNATES {
            assert_ne!(game.to_move(&next), game.to_move(p), "{at}: {m:?} does not change sides");
        }
        game.unmake(&mut next, m, undo);
        assert_eq!(&next, p, "{at}: unmaking {m:?} does not bring the position back");
        assert_eq!(
            (game.key(&next), game.path_key(&next)),
            (key, path_key),
            "{at}: unmaking {m:?} changes a key"
        );
    }
}

/// `count` counts what `generate` generates; `sample` picks from it, and misses nothing.
fn check_counting<G: Game>(game: &G, p: &G::Position, moves: &[G::Move], rng: &mut Rng, at: &str) {
    if game.margin(p).is_some() {
        return;
    }
    assert_eq!(game.count(p), moves.len(), "{at}: count differs from what is generated");
    assert_eq!(
        game.is_stuck(p),
        moves.is_empty(),
        "{at}: stuck or not differs from what is generated"
    );
    let Some(m) = game.sample(p, rng) else {
        return assert!(moves.is_empty(), "{at}: sample finds nothing");
    };
    assert!(moves.contains(&m), "{at}: sample gives {m:?}, which is not generated");
    if moves.len() <= 4 {
        // The chance that a fair sample misses one of four moves 200 times is 1e-25.
        let picks: Vec<G::Move> = (0..200).filter_map(|_| game.sample(p, rng)).collect();
        assert!(
            moves.iter().all(|m| picks.contains(m)),
            "{at}: sample never gives some of {moves:?}"
        );
    }
}

/// What is generated reads back as itself; what was legal elsewhere and is not generated here is
/// refused.
fn check_move_texts<G: Notation>(
    game: &G,
    p: &G::Position,
    moves: &[G::Move],
    seen: &mut BTreeSet<String>,
    at: &str,
) {
    let mut here = BTreeSet::new();
    for &m in moves {
        let text = game.write_move(p, m);
        let read = game
            .read_move(p, &text)
            .unwrap_or_else(|e| panic!("{at}: cannot read its own move: {e}"));
        assert_eq!(read, m, "{at}: {text:?} reads back as another move");
        assert!(here.insert(text), "{at}: two moves are written alike");
    }
    if game.margin(p).is_none() {
        for text in seen.difference(&here).take(64) {
            assert!(
                game.read_move(p, text).is_err(),
                "{at}: {text:?} is not generated, but accepted"
            );
        }
    }
    if seen.len() < 1_000 {
        seen.extend(here);
    }
}

/// A playout ends at the end of a game, with its margin.
fn check_playout<G: Notation>(game: &G, p: &G::Position, path: &Path, rng: &mut Rng) {
    let (mut end, mut path) = (p.clone(), path.clone());
    let margin = game.playout(&mut end, &mut path, rng);
    let (at, text) = (game.spec(), game.write_position(&end));
    let truth = match (game.margin(&end), game.recall(&end, &path)) {
        (Some(margin), _) => margin,
        (None, Recall::Over(margin) | Recall::Claim(margin)) => margin,
        (None, _) => {
            let moves = allowed_moves(game, &end, &path);
            assert!(moves.is_empty(), "{at}: a playout stops at {text:?}");
            game.stuck(&end)
        }
    };
    assert_eq!(margin, truth, "{at}: a playout that ends at {text:?}");
    let step = game.margin_step();
    assert!(step.admits(margin), "{at}: a playout ends with {margin}, which is not of {step:?}");
    check_position_text(game, &end, &at);
}
