//! What went wrong is shown again by its transcript, and nothing is said in vain.

use std::time::Duration;

use forge::{Transcript, replay};

use crate::mutants::{check, engine};

const GAME: &str = "6 6 4 1 1 more";

#[test]
fn a_failure_can_be_played_again() {
    let faulty = engine(GAME, "CornerTopRight");
    let (wrong, _) = check(&faulty, true);
    let (_, failure) = wrong.first().unwrap();
    // Four stones of one side and three of the other, and the beginning.
    assert_eq!(failure.transcript.exchanges.len(), 8, "{}", failure.write());
    assert_eq!(failure.expected().len(), 3, "{failure:?}");
    assert!(failure.expected()[1].starts_with("winner is "), "{failure:?}");
    assert_eq!(failure.given(), &failure.expected()[..1], "{failure:?}");
    assert_eq!(failure.board.len(), 6);
    let read = Transcript::read(&failure.write()).unwrap();
    let patience = Duration::from_secs(5);
    let again = replay(&faulty, &read, patience).unwrap().unwrap();
    assert_eq!((&again.board, again.expected()), (&failure.board, failure.expected()));
    assert_eq!(replay(&engine(GAME, "None"), &read, patience).unwrap(), None);
}

/// What only shows in a later game needs the earlier ones, but not all of them.
#[test]
fn earlier_games_are_kept_where_they_matter() {
    let (wrong, _) = check(&engine(GAME, "CountStays"), true);
    let (_, failure) = wrong.first().unwrap();
    assert!(failure.transcript.exchanges.len() <= 4, "{}", failure.write());
}

#[test]
fn transcripts_of_ones_own_are_tests() {
    let play = |text: &str, fault: &str| {
        let transcript = Transcript::read(&format!("zermelo transcript 1\n{text}")).unwrap();
        replay(&engine(GAME, fault), &transcript, Duration::from_secs(5)).unwrap()
    };
    let begun = "> newgame black human white human\n< game started\n";
    let said = |more: &str| format!("{begun}{more}");
    for fine in [
        said("> makemove 3 3\n< move black * *\n> getplayer\n< white\n"),
        said("> makemove 3 3\n> xyzzy\n< unknown command\n"),
        "> newgame black human white ai\n> makemove 3 3\n< move black 3 3\n< move white * *\n"
            .to_owned(),
    ] {
        assert_eq!(play(&fine, "None"), None, "{fine}");
    }
    let failure = play(&said("> xyzzy\n< plugh\n"), "None").unwrap();
    assert_eq!(failure.given(), ["unknown command"]);
    assert_eq!(failure.expected(), ["plugh"]);
    // The rules are held to even where nothing is demanded.
    let failure = play(&said("> makemove 9 9\n> movesmade\n"), "RefusedCounts").unwrap();
    assert_eq!(
        (failure.expected(), failure.given()),
        (&["0".to_owned()][..], &["1".to_owned()][..])
    );
}
