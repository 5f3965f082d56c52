//! Files of plain moves hold whole games of every family, though each has a format of its own.

use game::{Notation, Rng, Spec};
use games::chess::{self, Chess};
use games::draughts::{self, AnyRules, Draughts};
use games::go::{self, Go};
use games::mnk::{self, Mnk, WordBoard};
use games::reversi::{self, Reversi};
use play::record::{Games, Line, Ply, Record, Verdict, plain};
use play::{GameSession, Session};

fn spec(text: &str) -> Spec {
    Spec::parse(text).unwrap()
}

/// Random games, each from the start or from the end of another one, written and read as they were.
fn round_trip<G: Notation + Clone>(game: &G) {
    let mut rng = Rng::new(5);
    let mut records = Vec::new();
    for _ in 0..5 {
        let mut session = GameSession::new(game.clone());
        let mut start = None;
        let mut plies = Vec::new();
        for ply in 0..200 {
            let legal = session.moves();
            if legal.is_empty() {
                break;
            }
            let text = session.play(&legal[rng.below(legal.len())]).unwrap();
            plies.push(Ply { text, ..Ply::default() });
            if ply == 20 && rng.below(2) == 0 && session.outcome().is_none() {
                let position = session.position();
                session.set_position(&position).unwrap();
                start = Some(position);
                plies.clear();
            }
        }
        let result = session.outcome().map(|outcome| match outcome.winner() {
            Some(game::Side::First) => Verdict::First,
            Some(game::Side::Second) => Verdict::Second,
            None => Verdict::Draw,
        });
        let tags = vec![("Event".to_owned(), game.spec())];
        let line = Line { comment: "a game".to_owned(), plies };
        records.push(Record { tags, start, line, result });
    }
    let file: String = records.iter().map(|r| plain::write(game, r).unwrap()).collect();
    let expected: Games = records.into_iter().map(Ok).collect();
    assert_eq!(plain::read(game, &file), expected, "{file}");
}

#[test]
fn plain_moves_hold_games_of_every_family() {
    let chess = |text| Chess::new(chess::Parameters::from_spec(&spec(text)).unwrap());
    round_trip(&chess("chess"));
    round_trip(&chess("chess:fischer=100"));
    for text in ["draughts:english", "draughts:russian", "draughts:frisian"] {
        let parameters = draughts::Parameters::from_spec(&spec(text)).unwrap();
        round_trip(&Draughts::<AnyRules>::new(parameters).unwrap());
    }
    round_trip(&Reversi::new(reversi::Parameters::from_spec(&spec("reversi:6x6")).unwrap()));
    let parameters = mnk::Parameters::from_spec(&spec("mnk:6x7,k=4,gravity")).unwrap();
    round_trip(&Mnk::<_, WordBoard<u64>>::new(&parameters));
    round_trip(&Go::<u64>::new(go::Parameters::from_spec(&spec("go:5x5")).unwrap()));
}
