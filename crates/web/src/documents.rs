//! `docs/web.md` tells the limits of the table as they are.

use std::time::Duration;

use serving::Rate;

use crate::limits::{MOST_CONNECTIONS, MOST_SOCKETS, VisitorLimits};
use crate::{ASKING, FOUNDING, Timeouts};
use crate::{
    api, board, exact, people, players, review, seats, socket, thinking, timekeeper, wire,
};

/// A number with commas between its thousands.
fn counted(number: usize) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", counted(number / 1_000), number % 1_000),
    }
}

fn in_words(Rate { burst, per_second }: Rate) -> String {
    let often = if per_second == 1.0 { "one".to_owned() } else { per_second.to_string() };
    format!("{often} a second, bursts of {burst}")
}

#[test]
fn the_page_tells_the_limits_as_they_are() {
    let kilobytes = |bytes: usize| bytes / 1024;
    let seconds = |time: Duration| time.as_secs();
    let milliseconds = |time: Duration| time.as_millis();
    let Timeouts { request, ping, silence, stuck, .. } = Timeouts::default();
    assert_eq!(request, stuck, "the page tells one number for both");
    let VisitorLimits { waiting, kilobytes: unread, .. } = VisitorLimits::default();
    let sentences = [
        format!(
            "at most {} KB, positions in them at most {} KB, other texts {} KB, socket messages at \
             most {} KB.",
            kilobytes(api::LARGEST_BODY),
            kilobytes(api::LONGEST_POSITION),
            kilobytes(api::LONGEST_TEXT),
            kilobytes(socket::LARGEST_MESSAGE)
        ),
        format!("must be there within {} seconds", seconds(request)),
        format!("is asked every {} seconds", seconds(ping)),
        format!("closed after {} seconds without a word", seconds(silence)),
        format!("| requests | {} | |", in_words(ASKING)),
        format!("| new games | {} |", in_words(FOUNDING)),
        format!("| messages on a socket | {};", in_words(socket::RATE)),
        format!("may have open, at most {} |", counted(MOST_CONNECTIONS)),
        format!("| sockets | {MOST_SOCKETS}, or an eighth"),
        format!("wait for that | {} | {} |", waiting.each, counted(waiting.all)),
        format!("not taken yet | {} MB | {} MB |", unread.each >> 10, unread.all >> 10),
        format!("at most {} moves of {} letters", wire::LONGEST_LINE, api::LONGEST_MOVE),
        format!("thinks for at most {} seconds", seconds(seats::LONGEST)),
        format!("A board with more than {} rows or columns", board::LONG_FORM),
        format!("Lines have at most {} moves", wire::LONGEST_LINE),
        format!("larger ones than {} MB are not", exact::LARGEST >> 20),
        format!("{} seconds for all of them", seconds(review::ALL)),
        format!(
            "not less than {} and not more than {} milliseconds",
            milliseconds(review::SHORTEST),
            milliseconds(review::LONGEST)
        ),
        format!("beside a mere score counts as {}", review::NEARLY_SURE),
        format!("at most {} MB each", seats::FULL_MEMORY),
        format!("up to {} MB all together", players::MOST_MEGABYTES),
        format!("up to {} engines keep running", players::MOST_ENGINES),
        format!("{} seconds of thought about this position", seconds(thinking::HINT)),
        format!("has at most {} letters", people::LONGEST_NAME),
        format!("the names of at most {} of them", people::MOST_NAMED),
        format!(
            "a key ({} to {} letters and digits)",
            seats::KEY_LETTERS.start(),
            seats::KEY_LETTERS.end()
        ),
    ];
    assert_eq!(seconds(timekeeper::NOTED_EVERY), 1, "the page says every second");
    let marks = review::SCALE.map(|(lost, mark)| format!("`{mark}` from {lost:.2} on"));
    // Where lines of the page end does not matter.
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let page = words(include_str!("../../../docs/web.md"));
    for sentence in sentences.into_iter().chain(marks) {
        assert!(page.contains(&words(&sentence)), "docs/web.md lacks\n{sentence}");
    }
}
