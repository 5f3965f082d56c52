//! Bots of every kind, on games small enough to be played out.

use game::Spec;
use games::Playable;
use games::mnk::{Mnk, Parameters, RunShape, WordBoard};
use games::reversi::{self, Reversi};
use play::{BotSpec, GameSession, Session, Stop, Task, Turn};
use players::{compiled, player};

type Board = Mnk<RunShape, WordBoard<u32>>;

fn line_game(spec: &str) -> Board {
    Mnk::new(&Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap())
}

fn small_reversi() -> Reversi {
    Reversi::new(reversi::Parameters::from_spec(&Spec::parse("reversi:4x4").unwrap()).unwrap())
}

const KINDS: [&str; 16] = [
    "random",
    "adjacent",
    "beginner",
    "easy",
    "medium",
    "hard,nodes=500",
    "master,nodes=500",
    "threats,nodes=200",
    "alphabeta,depth=2",
    "montecarlo,nodes=100",
    "depth=2,algorithm=minimax",
    "depth=2,algorithm=negascout",
    "depth=2,algorithm=mtdf",
    "nodes=300,algorithm=proof",
    "nodes=200,weights=random,noise=50",
    "nodes=500,threads=2,hash=1",
];

/// The moves of a game that a bot plays against itself; each is legal, and the game comes to its end.
fn game_of<G: Playable>(game: &G, bot: &str, seed: u64) -> Vec<String> {
    let parsed: BotSpec = bot.parse().unwrap();
    let searcher = |heuristics, settings: &_| compiled(game.clone(), heuristics, settings);
    let mut player = player(game, &parsed, seed, &searcher).unwrap();
    let mut session = GameSession::new(game.clone());
    let mut played = Vec::new();
    while session.outcome().is_none() {
        let choice = player.choose(&session, &Task::default(), &Stop::new(), &mut |_| {}).unwrap();
        let Turn::Play(text) = choice.turn else { panic!("{bot}: {choice:?}") };
        let legal = session.moves();
        assert!(legal.contains(&text), "{bot}: {text} is not among {legal:?}");
        session.play(&text).unwrap();
        played.push(text);
    }
    played
}

#[test]
fn all_kinds_play_legal_moves_to_the_end() {
    for bot in KINDS {
        game_of(&line_game("mnk:3x3,k=3"), bot, 1);
        game_of(&line_game("mnk:3x4,k=3,p=2"), bot, 2);
        game_of(&small_reversi(), bot, 3);
    }
}

/// Whoever looks as far as the game goes neither loses tic-tac-toe nor lets the other side.
#[test]
fn perfect_play_is_a_draw() {
    for bot in ["depth=9,algorithm=alphabeta", "depth=9", "depth=9,algorithm=mtdf"] {
        assert_eq!(game_of(&line_game("mnk:3x3,k=3"), bot, 1).len(), 9, "{bot}");
    }
}

/// The same seed plays the same game, and another seed another one where chance has a say.
#[test]
fn games_can_be_repeated() {
    let game = small_reversi();
    for bot in ["random", "beginner", "montecarlo,nodes=100"] {
        assert_eq!(game_of(&game, bot, 7), game_of(&game, bot, 7), "{bot}");
    }
    let games: Vec<Vec<String>> = (0..10).map(|seed| game_of(&game, "random", seed)).collect();
    assert!(games.iter().any(|other| *other != games[0]));
}
