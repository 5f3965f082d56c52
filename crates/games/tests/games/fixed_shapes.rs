//! Reversi and Go whose parameters the compiler knows: the same games as those that read them at run time.

use evaluation::testkit::evaluation_conforms;
use evaluation::{Evaluation, MoveOrder, Playouts};
use game::testkit::{Effort, symmetry_conforms};
use game::{Game, Grid, Notation, Path, Rng, Side};
use games::go::{self, Go, GoEvaluation, PointSet, Wide};
use games::reversi::{self, Reversi, ReversiEvaluation};
use play::testkit::conforms;

const EFFORT: Effort = Effort { games: 10, longest: 2000, plies: 300, seed: 1 };

/// Random games go the same way, position by position, in everything a search asks for.
fn same_games<A, B, H>(fixed: &A, any: &B, heuristics: impl Fn() -> H, games: usize)
where
    A: Notation,
    B: Notation<Position = A::Position, Move = A::Move>,
    A::Position: std::fmt::Debug,
    A::Move: std::fmt::Debug,
    H: MoveOrder<A> + MoveOrder<B>,
{
    assert_eq!(fixed.spec(), any.spec());
    assert_eq!((fixed.slots(), fixed.margin_limit()), (any.slots(), any.margin_limit()));
    let mut rng = Rng::new(7);
    for _ in 0..games {
        let (mut p, mut path) = (fixed.start(), Path::new());
        assert_eq!(p, any.start());
        for _ in 0..400 {
            assert_eq!(fixed.margin(&p), any.margin(&p));
            assert_eq!((fixed.key(&p), fixed.path_key(&p)), (any.key(&p), any.path_key(&p)));
            assert_eq!(fixed.canonical(&p), any.canonical(&p));
            assert_eq!(fixed.recall(&p, &path), any.recall(&p, &path));
            assert_eq!(fixed.write_position(&p), any.write_position(&p));
            let moves = [game::moves_of(fixed, &p), game::moves_of(any, &p)];
            assert_eq!(moves[0], moves[1]);
            if fixed.margin(&p).is_some() {
                break;
            }
            judged_alike(fixed, any, &heuristics, &p, &moves[0]);
            path.push(fixed.path_key(&p));
            let m = moves[0][rng.below(moves[0].len())];
            let mut twin = p.clone();
            fixed.make(&mut p, m);
            any.make(&mut twin, m);
            assert_eq!(p, twin);
        }
        let mut ends = [0, 1].map(|_| (fixed.start(), Path::new(), Rng::new(rng.next_u64() | 1)));
        ends[1].2 = ends[0].2.clone();
        let [(p, path, one), (q, way, two)] = &mut ends;
        assert_eq!(fixed.playout(p, path, one), any.playout(q, way, two));
        assert_eq!(p, q);
    }
}

fn judged_alike<A, B, H>(
    fixed: &A,
    any: &B,
    heuristics: &impl Fn() -> H,
    p: &A::Position,
    moves: &[A::Move],
) where
    A: Game,
    B: Game<Position = A::Position, Move = A::Move>,
    A::Position: std::fmt::Debug,
    H: MoveOrder<A> + MoveOrder<B>,
{
    let mut looks = [vec![0; moves.len()], vec![0; moves.len()]];
    let worth = [
        Evaluation::<A>::evaluate(&mut heuristics(), fixed, p),
        Evaluation::<B>::evaluate(&mut heuristics(), any, p),
    ];
    assert_eq!(worth[0], worth[1], "{p:?}");
    MoveOrder::<A>::rank(&mut heuristics(), fixed, p, moves, &mut looks[0]);
    MoveOrder::<B>::rank(&mut heuristics(), any, p, moves, &mut looks[1]);
    assert_eq!(looks[0], looks[1], "{p:?}");
}

fn reversi_agrees<const M: usize, const N: usize, const PARALLEL: bool>() {
    let shape = reversi::ConstShape::<M, N, PARALLEL>;
    let fixed = Reversi::from_shape(shape);
    conforms(&fixed, EFFORT);
    symmetry_conforms(&fixed, EFFORT);
    evaluation_conforms(&fixed, ReversiEvaluation::default, EFFORT);
    same_games(&fixed, &Reversi::new(fixed.parameters()), ReversiEvaluation::default, 20);
}

#[test]
fn reversi_with_a_fixed_board() {
    reversi_agrees::<4, 4, false>();
    reversi_agrees::<4, 6, true>();
    reversi_agrees::<6, 6, false>();
    reversi_agrees::<8, 6, true>();
    reversi_agrees::<8, 8, false>();
}

/// A shape of Go that the compiler knows, and the same at run time.
macro_rules! go_agrees {
    ($word:ty, $rows:literal x $columns:literal $(, $field:ident = $value:expr)*) => {{
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        struct Fixed;
        impl game::Specialised for Fixed {
            type Values = go::Parameters;
            const FIXED: Option<go::Parameters> = {
                #[allow(unused_mut)]
                let mut parameters =
                    go::Parameters::new(Grid { rows: $rows, columns: $columns }).unwrap();
                $(parameters.$field = $value;)*
                Some(parameters)
            };
            fn with(values: go::Parameters) -> Option<Fixed> {
                (Some(values) == Fixed::FIXED).then_some(Fixed)
            }
            fn values(&self) -> go::Parameters {
                Fixed::FIXED.unwrap()
            }
        }
        let fixed = Go::<$word, Fixed>::from_shape(Fixed);
        conforms(&fixed, EFFORT);
        symmetry_conforms(&fixed, EFFORT);
        same_games(&fixed, &Go::<$word>::new(fixed.parameters()), GoEvaluation::default, 5);
        same_sensible_games(&fixed, &Go::<$word>::new(fixed.parameters()));
    }};
}

fn same_sensible_games<S: PointSet, R: go::Shape>(fixed: &Go<S, R>, any: &Go<S>) {
    for seed in 1..20 {
        let (mut p, mut q) = (fixed.start(), any.start());
        let (mut one, mut two) = (Rng::new(seed), Rng::new(seed));
        let mut said: [Vec<(Side, go::Move)>; 2] = Default::default();
        let [first, second] = &mut said;
        let mut saw = |side, m| first.push((side, m));
        let (mut go, path) = (GoEvaluation::default(), &mut Path::new());
        let margin = go.playout(fixed, &mut p, path, None, &mut one, &mut saw);
        let mut saw = |side, m| second.push((side, m));
        assert_eq!(margin, go.playout(any, &mut q, path, None, &mut two, &mut saw));
        assert_eq!(said[0], said[1]);
        assert!(!said[0].is_empty());
    }
}

#[test]
fn go_with_fixed_rules() {
    use go::{Dead, Ko, Komi, Scoring, Suicide};
    go_agrees!(u64, 7 x 7);
    go_agrees!(u64, 3 x 4, ko = Ko::Basic, suicide = Suicide::Yes);
    go_agrees!(u64, 5 x 5, ko = Ko::Situational, komi = Komi::from_halves(13).unwrap());
    go_agrees!(u128, 9 x 9, scoring = Scoring::Territory(Dead::Stay), ko = Ko::Basic);
    go_agrees!(Wide, 11 x 13, suicide = Suicide::Yes);
    go_agrees!(Wide, 1 x 19);
}
