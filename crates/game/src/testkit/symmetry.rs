//! Board symmetries.

use super::{Effort, random_games};
use crate::notation::{Notation, moves_of};

/// Checks that symmetries commute with moves, keep who moves and what the game is worth, and that
/// all images of a position have the same canonical key and the same name for solvers.
///
/// # Panics
/// With the game, the moves and the broken promise.
pub fn symmetry_conforms<G: Notation>(game: &G, effort: Effort) {
    random_games(game, effort, |p, _, _, played| {
        let at = format!("{} after {played:?}", game.spec());
        let moves = moves_of(game, p);
        assert_eq!(&game.transform(p, 0), p, "{at}: symmetry 0 is not the identity");
        let canonical = game.canonical(p);
        assert_eq!(
            game.key(&game.transform(p, canonical.1)),
            canonical.0,
            "{at}: the canonical symmetry does not lead to the canonical key"
        );
        let name = game.table_name(p);
        assert_eq!((name.key, name.symmetry), game.table_key(p), "{at}: the name has another key");
        for symmetry in 0..game.symmetries() {
            let image = game.transform(p, symmetry);
            let other = game.table_name(&image);
            assert!(
                !G::CANONICAL || (other.key, other.check) == (name.key, name.check),
                "{at}: image {symmetry} has another name"
            );
            assert_eq!(
                game.canonical(&image).0,
                canonical.0,
                "{at}: image {symmetry} has another canonical key"
            );
            assert_eq!(
                game.to_move(&image),
                game.to_move(p),
                "{at}: image {symmetry} changes who moves"
            );
            assert_eq!(
                game.margin(&image),
                game.margin(p),
                "{at}: image {symmetry} changes the margin"
            );
            let image_moves = moves_of(game, &image);
            assert_eq!(image_moves.len(), moves.len(), "{at}: image {symmetry} has other moves");
            for &m in &moves {
                let image_move = game.transform_move(p, m, symmetry);
                assert!(
                    image_moves.contains(&image_move),
                    "{at}: the image of {m:?} under {symmetry} is illegal"
                );
                let (mut next, mut image_next) = (p.clone(), image.clone());
                game.make(&mut next, m);
                game.make(&mut image_next, image_move);
                assert_eq!(
                    game.transform(&next, symmetry),
                    image_next,
                    "{at}: {m:?} does not commute with {symmetry}"
                );
            }
        }
    });
}
