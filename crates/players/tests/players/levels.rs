//! Levels of every family, from the weakest up.

use game::Spec;
use games::{Playable as _, chess, draughts, go, mnk, reversi};
use play::{BotSpec, Level, Levels, Limits, Strength, Way};

fn line_game(spec: &str) -> Levels {
    let parameters = mnk::Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap();
    mnk::Mnk::<mnk::RunShape, mnk::WordBoard<u128>>::new(&parameters).levels()
}

/// Every level, and what it means in every game.
fn all() -> Vec<(&'static str, [Strength; 5])> {
    let checkers = draughts::Draughts::<draughts::AnyRules>::new(draughts::Variant::English.into());
    let games = [
        ("chess", chess::Chess::default().levels()),
        ("reversi", reversi::Reversi::default().levels()),
        ("draughts", checkers.unwrap().levels()),
        ("one stone", line_game("mnk:9x9,k=5")),
        ("several stones", line_game("mnk:9x9,k=5,p=2")),
        ("gravity", line_game("mnk:6x7,k=4,gravity")),
        ("go", go::Go::<u128>::new(go::Parameters::default()).levels()),
    ];
    games.map(|(name, levels)| (name, Level::ALL.map(|level| levels.of(level)))).to_vec()
}

#[test]
fn names_are_read_as_the_levels_they_name() {
    for level in Level::ALL {
        let bot: BotSpec = level.name().parse().unwrap();
        assert_eq!(bot.way, Way::Search(Some(level)));
        assert_eq!(
            (bot.to_string(), level.to_string()),
            (level.name().into(), level.name().into())
        );
        assert_eq!(bot, BotSpec::at(level));
    }
    assert!(Level::ALL.is_sorted() && Level::ALL.contains(&Level::USUAL));
    for text in ["Beginner", "easiest", " hard", "hard ", "level=3"] {
        assert!(text.parse::<BotSpec>().is_err(), "{text}");
    }
}

/// A level above looks as far or further and sees as well or better; depth comes before nodes and those
/// before time.
#[test]
fn each_level_sees_more_than_the_one_below() {
    for (name, levels) in all() {
        for pair in levels.windows(2) {
            let reach = |Limits { depth, nodes, time, .. }: Limits| match (depth, nodes, time) {
                (Some(depth), None, None) => (0, u128::from(depth)),
                (None, Some(nodes), None) => (1, u128::from(nodes)),
                (None, None, Some(time)) => (2, time.as_nanos()),
                other => panic!("{name}: {other:?} is not one limit"),
            };
            let [below, above] = [pair[0], pair[1]];
            assert!(reach(below.limits) <= reach(above.limits), "{name}: {below:?}, {above:?}");
            assert!(below.noise >= above.noise, "{name}: {below:?}, {above:?}");
            assert_ne!(below, above, "{name}");
        }
        assert_eq!(levels[4].noise, 0, "{name}: a master sees all that it can");
    }
}

/// A better rating takes more nodes, in the table and between its rows.
#[test]
fn ratings_grow() {
    let ratings = chess::Chess::default().ratings();
    assert!(ratings.0.is_sorted_by(|a, b| a.0 < b.0 && a.1 < b.1), "{ratings:?}");
    let nodes = |elo| ratings.of(elo).unwrap().limits.nodes;
    let nodes: Vec<Option<u64>> = ratings.range().unwrap().map(nodes).collect();
    assert!(nodes.is_sorted() && nodes[0].is_some_and(|nodes| nodes > 0), "{nodes:?}");
}
