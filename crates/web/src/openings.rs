//! The books of openings that come with the program, one after the other in `openings.book`; [docs/web.md] says how they
//! were made.
//!
//! [docs/web.md]: ../../../docs/web.md

use std::sync::{Arc, LazyLock};

use arena::Book;

const TEXT: &str = include_str!("openings.book");

/// How each of them begins.
const HEAD: &str = "zermelo book ";

static BOOKS: LazyLock<Vec<Arc<Book>>> = LazyLock::new(|| {
    let texts = TEXT.split(HEAD).skip(1).map(|rest| format!("{HEAD}{rest}"));
    texts.filter_map(|text| Book::read(&text).ok()).map(Arc::new).collect()
});

/// The book of a game, by its whole name.
pub(crate) fn of(spec: &str) -> Option<Arc<Book>> {
    BOOKS.iter().find(|book| book.game() == spec).cloned()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use game::Rng;

    use super::*;

    #[test]
    fn every_family_has_a_book_of_legal_moves_with_variety() {
        assert_eq!(BOOKS.len(), TEXT.matches(HEAD).count(), "every book can be read");
        let mut families = BTreeSet::new();
        for book in BOOKS.iter() {
            let game = catalog::open(book.game()).unwrap();
            families.insert(game.facts().family.name);
            let mut lines = BTreeSet::new();
            for seed in 0..40 {
                let (mut session, mut rng) = (game.session(), Rng::new(seed));
                let mut line = Vec::new();
                while let Some(text) = book.choose(&*session, &mut rng) {
                    line.push(session.play(&text).unwrap());
                }
                assert!(!line.is_empty(), "{} knows how to begin", book.game());
                lines.insert(line);
            }
            assert!(lines.len() >= 5, "{}: {} ways to open", book.game(), lines.len());
        }
        let all: BTreeSet<&str> = catalog::families().map(|family| family.name).collect();
        assert_eq!(families, all);
    }
}
