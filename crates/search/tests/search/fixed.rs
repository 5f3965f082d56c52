//! The search of fixed depth chooses among exactly the best moves, whatever it remembers.

use std::sync::Arc;

use crate::common::{blackboard, classic};
use crate::platform::allocations;
use evaluation::{MoveOrder, Tunable};
use game::{Game, Path, Rng, Side, Spec, Value, moves_of};
use games::draughts::{AnyRules, Draughts, DraughtsEvaluation, Parameters};
use games::mnk::{self, Lines, Mnk, RunShape, WordBoard};
use games::reversi::Reversi;
use search::{Decisions, FixedDepth};

fn draughts(spec: &str) -> Draughts<AnyRules> {
    Draughts::new(Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap()).unwrap()
}

/// A position some way into a random game; `None` if it ended before.
fn random_position<G: Game>(game: &G, rng: &mut Rng, plies: usize) -> Option<G::Position> {
    let mut p = game.start();
    for _ in 0..rng.below(plies) {
        game.margin(&p).is_none().then_some(())?;
        let m = game.sample(&p, rng)?;
        game.make(&mut p, m);
    }
    game.margin(&p).is_none().then_some(p)
}

/// The moves that minimax finds best.
fn best_moves<G: Game, H: MoveOrder<G>>(
    game: &G,
    p: &G::Position,
    depth: u32,
    heuristics: &H,
) -> Vec<G::Move> {
    let mut begun = heuristics.clone();
    begun.begin(game, p);
    // What follows the moves begins afresh; who looks stays the same.
    let evaluate = |p: &G::Position| begun.clone().evaluate(game, p);
    let value = |m| {
        let mut next = p.clone();
        game.make(&mut next, m);
        let value = blackboard(game, &next, &mut Path::new(), Some(depth - 1), &evaluate);
        value.backed_up().raw() * if game.to_move(p) == Side::First { 1 } else { -1 }
    };
    let values: Vec<(G::Move, i32)> =
        moves_of(game, p).into_iter().map(|m| (m, value(m))).collect();
    let best = values.iter().map(|&(_, value)| value).max().unwrap_or(Value::DRAW.raw());
    values.into_iter().filter(|&(_, value)| value == best).map(|(m, _)| m).collect()
}

fn agrees<G: Game, H: MoveOrder<G>>(game: &G, heuristics: &H, plies: usize, positions: usize) {
    let mut rng = Rng::new(4);
    let mut used = FixedDepth::new(game, heuristics.clone());
    for _ in 0..positions {
        let Some(mut p) = random_position(game, &mut rng, plies) else { continue };
        let (moves, depth) = (moves_of(game, &p), 1 + rng.below(4) as u32);
        let best = best_moves(game, &p, depth, heuristics);
        let mut found = Vec::new();
        for seed in 0..40 {
            let mut fresh = FixedDepth::new(game, heuristics.clone());
            let mut choose = |search: &mut FixedDepth<G, H>| {
                search.choose(game, &mut p, &moves, depth, &mut Rng::new(seed))
            };
            let Some(chosen) = choose(&mut fresh) else {
                assert!(moves.is_empty());
                break;
            };
            assert!(best.contains(&chosen), "{chosen:?} is not best in {p:?} at depth {depth}");
            // Who looks is who moves: a table holds for one of the sides.
            used.forget();
            assert_eq!(choose(&mut used), Some(chosen), "{p:?}");
            assert_eq!(choose(&mut used), Some(chosen), "{p:?} again");
            found.extend(Some(chosen).filter(|m| !found.contains(m)));
        }
        let some = best.len().min(3);
        assert!(found.len() >= some || moves.len() <= 1, "{} of {}", found.len(), best.len());
    }
}

#[test]
fn the_choice_is_that_of_minimax() {
    for name in ["zones", "thesis"] {
        let evaluation = DraughtsEvaluation::named(name).unwrap();
        agrees(&draughts("draughts:english,draw=none"), &evaluation, 60, 40);
        agrees(&draughts("draughts:russian,draw=none"), &evaluation, 60, 20);
    }
    agrees(&Reversi::default(), &classic(), 58, 25);
}

/// Where a turn has several stones the side to move does not change with every ply.
#[test]
fn several_stones_a_turn() {
    let spec = Spec::parse("mnk:4x4,k=4,p=2,q=1").unwrap();
    let parameters = mnk::Parameters::from_spec(&spec).unwrap();
    let game = Mnk::<RunShape, WordBoard<u32>>::new(&parameters);
    agrees(&game, &evaluation::Blind, 14, 25);
    let named = Lines::named("classic").unwrap();
    let mut search = FixedDepth::new(&game, named);
    let p = &mut game.start();
    assert!(search.choose(&game, p, &moves_of(&game, p), 3, &mut Rng::new(1)).is_some());
}

#[test]
fn nothing_is_allocated_while_playing() {
    let game = draughts("draughts:english,draw=none");
    let mut search = FixedDepth::new(&game, DraughtsEvaluation::named("features").unwrap());
    let mut moves = Vec::with_capacity(100);
    let mut play = |seed: u64| {
        let (mut p, mut rng) = (game.start(), Rng::new(seed));
        search.forget();
        for _ in 0..60 {
            moves.clear();
            game.generate(&p, &mut moves);
            let Some(m) = search.choose(&game, &mut p, &moves, 4, &mut rng) else { break };
            game.make(&mut p, m);
        }
    };
    play(1);
    let (count, ()) = allocations(|| (2..6).for_each(&mut play));
    assert_eq!(count, 0);
}

/// Players who share what they decided choose as if they had searched, whoever comes first and whatever the lots.
#[test]
fn shared_decisions_are_those_of_the_search() {
    let game = draughts("draughts:english,draw=none");
    let decisions = Arc::new(Decisions::new());
    let players: Vec<DraughtsEvaluation> = ["material", "thesis"]
        .into_iter()
        .map(|name| DraughtsEvaluation::named(name).unwrap())
        .collect();
    let mut sharing = [0, 1].map(|_| {
        let mut search = FixedDepth::new(&game, players[0]);
        search.share(decisions.clone());
        search
    });
    let mut rng = Rng::new(7);
    let mut several = 0;
    for n in 0..600 {
        // Few plies, so that the same positions come again.
        let Some(mut p) = random_position(&game, &mut rng, 4) else { continue };
        let (moves, depth, number) = (moves_of(&game, &p), 1 + n % 3, n as usize / 3 % 2);
        let mut alone = FixedDepth::new(&game, players[number]);
        let mut found = Vec::new();
        for seed in 0..4 {
            let mut choose = |search: &mut FixedDepth<_, _>| {
                search.choose(&game, &mut p, &moves, depth, &mut Rng::new(seed))
            };
            let wanted = choose(&mut alone);
            for search in &mut sharing {
                *search.play_as(number as u64) = players[number];
                search.forget();
                assert_eq!(choose(search), wanted, "{p:?} at depth {depth}");
            }
            found.extend(wanted.filter(|m| !found.contains(m)));
        }
        several += usize::from(found.len() > 1);
    }
    assert!(several > 10, "only {several} positions with several best moves");
}
