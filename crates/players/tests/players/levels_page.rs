//! The table of levels in `docs/players.md` is that of the program.

use std::time::Duration;

use game::Spec;
use games::{Playable as _, chess, draughts, go, mnk, reversi};
use play::Limits;
use play::{Level, Levels, Strength};

fn line_game(spec: &str) -> Levels {
    let parameters = mnk::Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap();
    mnk::Mnk::<mnk::RunShape, mnk::WordBoard<u128>>::new(&parameters).levels()
}

const PAGE: &str = include_str!("../../../../docs/players.md");
const GAMES: &str = " random games";

/// A number with commas between its thousands.
fn counted(number: u64) -> String {
    match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", counted(number / 1_000), number % 1_000),
    }
}

fn in_words(Strength { limits, noise }: Strength, nodes: &str) -> String {
    let Limits { depth, nodes: count, time, .. } = limits;
    let how = match (depth, count, time) {
        (Some(depth), ..) => format!("depth {depth}"),
        (_, Some(count), _) => format!("{}{nodes}", counted(count)),
        (.., Some(time)) if time == Duration::from_secs(1) => "a second".to_owned(),
        (.., time) => format!("{time:?}"),
    };
    if noise > 0 { format!("{how}, noise {noise}") } else { how }
}

#[test]
fn the_page_tells_the_ratings_as_they_are() {
    let rated = chess::Chess::default().ratings().range().unwrap();
    let row = format!("in chess from {} to {};", rated.start(), rated.end());
    assert!(PAGE.contains(&row), "docs/players.md lacks\n{row}");
}

#[test]
fn the_page_tells_the_levels_as_they_are() {
    let checkers = draughts::Parameters::from_spec(&Spec::parse("draughts:english").unwrap());
    let checkers: draughts::Draughts = draughts::Draughts::new(checkers.unwrap()).unwrap();
    let go = go::Go::<u128>::new(go::Parameters::default());
    for (game, levels, nodes) in [
        ("chess", chess::Chess::default().levels(), " nodes"),
        ("Reversi", reversi::Reversi::default().levels(), " nodes"),
        ("draughts", checkers.levels(), " nodes"),
        ("line games, one stone a turn", line_game("mnk:9x9,k=5"), " nodes"),
        ("the same with gravity", line_game("mnk:6x7,k=4,gravity"), " nodes"),
        ("line games, several stones a turn", line_game("mnk:9x9,k=5,p=2"), " nodes"),
        ("Go", go.levels(), GAMES),
    ] {
        let cells = Level::ALL.map(|level| in_words(levels.of(level), nodes)).join(" | ");
        // Games are named once.
        let games = cells.find(GAMES).map_or(cells.len(), |place| place + GAMES.len());
        let (first, rest) = cells.split_at(games);
        let row = format!("| {game} | {first}{} |", rest.replace(GAMES, ""));
        assert!(PAGE.contains(&row), "docs/players.md lacks\n{row}");
    }
}
