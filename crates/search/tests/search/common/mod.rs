//! What the tests share: an obvious minimax, games drawn at random, and all switch combinations.

use evaluation::{DOOMED, Evaluation, Heuristics, MoveOrder, Playouts, Proofs, Tactics};
use game::{Game, MarginStep, MoveSink, Path, Recall, Side, Value, mix, moves_of};
use games::reversi::{Classic, ReversiEvaluation};
use play::Stop;
use proptest::prelude::*;
use search::{Algorithm, Report, SearchRoot, Settings, Techniques, search};

/// Minimax as one would write it on a blackboard, for the first player: maximise or minimise by who
/// is to move. Shares no code with the searches.
pub(crate) fn blackboard<G: Game>(
    game: &G,
    p: &G::Position,
    path: &mut Path,
    depth: Option<u32>,
    evaluate: &dyn Fn(&G::Position) -> i32,
) -> Value {
    let over = |margin| Value::over(margin, game.margin_limit());
    if let Some(margin) = game.margin(p) {
        return over(margin);
    }
    let side = game.to_move(p);
    let better = |a: Value, b: Value| {
        if side == Side::First { a.max(b) } else { a.min(b) }
    };
    let recall = if game.looks_back() { game.recall(p, path) } else { Recall::Fresh };
    let claim = match recall {
        Recall::Over(margin) => return over(margin),
        Recall::Claim(margin) => Some(over(margin)),
        _ => None,
    };
    let mut best = claim;
    if depth == Some(0) && !moves_of(game, p).is_empty() {
        let score = Value::score(evaluate(p)).seen_by(side);
        return best.map_or(score, |claim| better(claim, score));
    }
    path.push(game.path_key(p));
    for m in moves_of(game, p) {
        let mut next = p.clone();
        game.make(&mut next, m);
        if game.looks_back() && game.recall(&next, path) == Recall::Forbidden {
            continue;
        }
        let value = blackboard(game, &next, path, depth.map(|d| d - 1), evaluate).backed_up();
        best = Some(best.map_or(value, |b| better(b, value)));
    }
    path.pop();
    best.unwrap_or_else(|| over(game.stuck(p)))
}

/// All 128 combinations of techniques.
pub(crate) fn all_techniques() -> impl Iterator<Item = Techniques> {
    (0..1 << Techniques::NAMES.len()).map(|bits: u32| {
        let mut techniques = Techniques::NONE;
        for (i, name) in Techniques::NAMES.iter().enumerate() {
            *techniques.switch(name).expect("a name of the list") = bits >> i & 1 == 1;
        }
        techniques
    })
}

/// Every algorithm with every combination of techniques; minimax, which heeds none, once.
pub(crate) fn all_settings(depth: Option<u32>) -> impl Iterator<Item = Settings> {
    let with = move |algorithm, techniques| Settings {
        algorithm,
        techniques,
        limits: play::Limits { depth, ..Default::default() },
        hash_megabytes: 0,
        ..Default::default()
    };
    Algorithm::CLASSIC.into_iter().flat_map(move |algorithm| {
        let combinations =
            if algorithm == Algorithm::Minimax { 1 } else { 1 << Techniques::NAMES.len() };
        all_techniques().take(combinations).map(move |techniques| with(algorithm, techniques))
    })
}

/// The plain evaluation of Reversi.
pub(crate) fn classic() -> ReversiEvaluation {
    ReversiEvaluation::Classic(Classic::default())
}

/// The same search with a table that does not know mirror images.
pub(crate) fn without_symmetry(settings: &Settings) -> Settings {
    Settings { techniques: Techniques { symmetry: false, ..settings.techniques }, ..*settings }
}

/// A search from a position without a past.
pub(crate) fn run<G: Game>(
    game: &G,
    position: &G::Position,
    heuristics: impl Heuristics<G>,
    settings: &Settings,
) -> Report<G::Move> {
    let from = SearchRoot { game, position, path: &Path::new(), among: &[] };
    search(&from, heuristics, settings, &Stop::new(), &mut |_| {})
}

/// Where a line leads, for the side to move at its start: the end of the game, or a guess at the
/// horizon.
pub(crate) fn value_of_line<G: Game>(
    game: &G,
    p: &G::Position,
    line: &[G::Move],
    depth: Option<u32>,
    evaluate: &dyn Fn(&G::Position) -> i32,
) -> Value {
    let side = game.to_move(p);
    let mut end = p.clone();
    for &m in line {
        assert!(moves_of(game, &end).contains(&m), "the line has an illegal move {m:?}");
        game.make(&mut end, m);
    }
    let horizon = depth == Some(line.len() as u32);
    let stuck = moves_of(game, &end).is_empty();
    assert!(horizon || stuck, "the line stops in the middle");
    let value = match game.margin(&end) {
        Some(margin) => Value::over(margin, game.margin_limit()),
        None if stuck => Value::over(game.stuck(&end), game.margin_limit()),
        None => Value::score(evaluate(&end)).seen_by(game.to_move(&end)),
    };
    line.iter().fold(value.seen_by(side), |value, _| value.backed_up())
}

/// A game whose rules are drawn from a seed: levels of a few positions each, with random moves
/// between them, random ends, random sides to move and, where asked, random rules that look back.
#[derive(Clone, Debug)]
pub(crate) struct RandomGame {
    pub(crate) seed: u64,
    pub(crate) levels: u8,
    pub(crate) width: u64,
    pub(crate) branching: u64,
    pub(crate) margin_limit: i32,
    pub(crate) margin_step: MarginStep,
    pub(crate) looks_back: bool,
    /// From which level on each side can no longer win.
    pub(crate) hopeless: [u8; 2],
}

/// Any such game.
pub(crate) fn random_game(looks_back: bool) -> impl Strategy<Value = RandomGame> {
    let margins = prop_oneof![
        Just((1, MarginStep::ONE)),
        Just((20, MarginStep::ONE)),
        Just((20, MarginStep::new(2, 0))),
        Just((21, MarginStep::new(2, 1))),
        Just((1, MarginStep::new(2, 1))),
    ];
    let hopeless = [1u8..12, 1u8..12];
    (any::<u64>(), 1u8..8, 1u64..9, 1u64..5, margins, hopeless).prop_map(
        move |(seed, levels, width, branching, (margin_limit, margin_step), hopeless)| {
            // Where there are no draws somebody can always win.
            let hopeless = if margin_step.admits(0) { hopeless } else { [u8::MAX; 2] };
            RandomGame {
                seed,
                levels,
                width,
                branching,
                margin_limit,
                margin_step,
                looks_back,
                hopeless,
            }
        },
    )
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) level: u8,
    pub(crate) number: u64,
}

impl RandomGame {
    fn draw(&self, what: u64, p: &Place) -> u64 {
        mix(mix(self.seed ^ what << 32) ^ u64::from(p.level) << 16 ^ p.number)
    }

    /// A first player's number, bent so that it favours nobody who can no longer win.
    fn fair(&self, p: &Place, number: i32) -> i32 {
        let highest = if p.level < self.hopeless[0] { number } else { 0 };
        let lowest = if p.level < self.hopeless[1] { number } else { 0 };
        number.min(highest.max(0)).max(lowest.min(0))
    }

    fn random_margin(&self, p: &Place) -> i32 {
        let margins = 2 * self.margin_limit as u64 + 1;
        let drawn = (self.draw(1, p) % margins) as i32 - self.margin_limit;
        self.fair(p, self.margin_step.at_least(drawn))
    }

    /// A guess for the side to move.
    pub(crate) fn guess(&self, p: &Place) -> i32 {
        self.fair(p, (self.draw(2, p) % 7) as i32 - 3) * self.to_move(p).sign()
    }

    /// Whether the opponent wins at once after this move.
    fn is_doomed(&self, p: &Place, m: u8) -> bool {
        let opponent = self.to_move(p).other();
        let mut next = *p;
        self.make(&mut next, m);
        self.margin_limit == 1
            && self.margin(&next).is_none()
            && self.to_move(&next) == opponent
            && moves_of(self, &next).into_iter().any(|reply| {
                let mut end = next;
                self.make(&mut end, reply);
                self.margin(&end) == Some(opponent.sign())
            })
    }
}

impl Game for RandomGame {
    type Position = Place;
    type Move = u8;
    type Undo = Place;
    const ALTERNATES: bool = false;

    fn start(&self) -> Place {
        Place { level: 0, number: 0 }
    }
    fn to_move(&self, p: &Place) -> Side {
        if self.draw(3, p).is_multiple_of(2) { Side::First } else { Side::Second }
    }
    fn generate(&self, p: &Place, out: &mut impl MoveSink<u8>) {
        // Now and then there is no move at all.
        let count = self.draw(4, p) % (self.branching + 1);
        (0..count as u8).for_each(|m| out.push(m));
    }
    fn margin(&self, p: &Place) -> Option<i32> {
        let ends = p.level == self.levels || p.level > 1 && self.draw(5, p).is_multiple_of(8);
        ends.then(|| self.random_margin(p))
    }
    fn stuck(&self, p: &Place) -> i32 {
        self.random_margin(p)
    }
    fn margin_limit(&self) -> i32 {
        self.margin_limit
    }
    fn margin_step(&self) -> MarginStep {
        self.margin_step
    }
    fn make(&self, p: &mut Place, m: u8) -> Place {
        let before = *p;
        *p = Place { level: p.level + 1, number: self.draw(6 + u64::from(m), p) % self.width };
        before
    }
    fn unmake(&self, p: &mut Place, _: u8, before: Place) {
        *p = before;
    }
    fn key(&self, p: &Place) -> u64 {
        mix(u64::from(p.level) << 32 | p.number)
    }
    fn path_key(&self, p: &Place) -> u64 {
        p.number
    }
    fn looks_back(&self) -> bool {
        self.looks_back
    }
    fn recall(&self, p: &Place, path: &Path) -> Recall {
        match (path.count(p.number), self.draw(7, p) % 3) {
            (0, _) => Recall::Fresh,
            (_, 0) => Recall::Forbidden,
            (1, _) => Recall::Claim(self.random_margin(p)),
            _ => Recall::Over(self.margin_step.at_least(0)),
        }
    }
    fn slots(&self) -> usize {
        256
    }
    fn slot(&self, m: u8) -> usize {
        m.into()
    }
    fn code(&self, m: u8) -> u32 {
        m.into()
    }
}

/// Guesses and ranks as the game draws them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guesses;

impl Evaluation<RandomGame> for Guesses {
    fn evaluate(&mut self, game: &RandomGame, p: &Place) -> i32 {
        game.guess(p)
    }
}

impl MoveOrder<RandomGame> for Guesses {
    fn rank(&mut self, game: &RandomGame, p: &Place, moves: &[u8], promise: &mut [i32]) {
        for (&m, promise) in moves.iter().zip(promise) {
            *promise = match game.draw(90 + u64::from(m), p) % 30_000 {
                n if n.is_multiple_of(2) && game.is_doomed(p, m) => DOOMED,
                n => n as i32,
            };
        }
    }
}

impl Tactics<RandomGame> for Guesses {}
impl Playouts<RandomGame> for Guesses {}

impl Proofs<RandomGame> for Guesses {
    fn can_win(&mut self, game: &RandomGame, p: &Place, side: Side) -> bool {
        p.level < game.hopeless[side.index()]
    }
}
