//! Go positions that every player knows, found by a few thousand random games.

use game::{Notation, Path, Spec};
use games::go::{self, Go, GoEvaluation};
use play::{Limits, Stop};
use search::{MonteCarlo, MonteCarloTree, Report, SearchRoot};

fn game(spec: &str) -> Go<u64> {
    Go::new(go::Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap())
}

fn think(game: &Go<u64>, p: &go::Position<u64>, seed: u64) -> Report<go::Move> {
    let settings = MonteCarlo { memory_megabytes: 32, seed, ..MonteCarlo::default() };
    let from = SearchRoot { game, position: p, path: &Path::new(), among: &[] };
    let limits = Limits { nodes: Some(TRIALS), ..Limits::default() };
    MonteCarloTree::new(&from, &GoEvaluation::default(), &settings).search(
        game,
        &limits,
        &Stop::new(),
        &mut |_| {},
    )
}

const TRIALS: u64 = 6_000;
/// `ZERMELO_SEEDS` asks for more.
fn seeds() -> u64 {
    std::env::var("ZERMELO_SEEDS").ok().and_then(|text| text.parse().ok()).unwrap_or(2)
}

/// The move is one of these, whatever the seed.
fn finds(spec: &str, position: &str, moves: &str) {
    let game = game(spec);
    let p = game.read_position(position).unwrap();
    for seed in 1..=seeds() {
        let report = think(&game, &p, seed);
        let found = game.write_move(&p, report.best.unwrap());
        let right = moves.split(' ').any(|m| m == found);
        assert!(right, "{position}: {found} instead of {moves}, seed {seed}, {:?}", report.value);
    }
}

/// The move is none of these.
fn avoids(spec: &str, position: &str, moves: &str) {
    let game = game(spec);
    let p = game.read_position(position).unwrap();
    for seed in 1..=seeds() {
        let report = think(&game, &p, seed);
        let found = game.write_move(&p, report.best.unwrap());
        let wrong = moves.split(' ').any(|m| m == found);
        assert!(!wrong, "{position}: {found}, seed {seed}, {:?}", report.value);
    }
}

/// Whoever plays there decides, Black or White.
fn vital(spec: &str, board: &str, moves: [&str; 2]) {
    for (side, moves) in ["b", "w"].into_iter().zip(moves) {
        finds(spec, &format!("{board} {side}"), moves);
    }
}

/// White's group has one eye too few or just enough, and with it the game.
mod eyes {
    use super::*;

    #[test]
    fn three_in_a_row() {
        let board = "O...OX./OOOOOX./XXXXXX./XX.XX../.XX.XX./XXXXX../.X.XX..";
        vital("go:7x7,komi=40", board, ["C7", "C7"]);
    }

    #[test]
    fn four_around_a_point() {
        let board = "O...OX./OO.OOX./XOOOXX./XXXXXX./.X.XX../XXXXX../.X.XX..";
        vital("go:7x7,komi=36", board, ["C7", "C7"]);
    }

    #[test]
    fn bulky_five() {
        let board = "O...OX./O..OOX./OOOOXX./XXXXXX./.X.XX../XXXXX../.X.XX..";
        vital("go:7x7,komi=35", board, ["C7", "C7"]);
    }

    #[test]
    fn false_eye() {
        let board = ".OO.OX./OOOO.X./XXXXXX./XX.XX../.XX.XX./XXXXX../.X.XX..";
        vital("go:7x7,komi=40", board, ["E6", "E6"]);
    }
}

mod fights {
    use super::*;

    /// Five stones against five with two liberties each.
    #[test]
    fn capturing_race() {
        let board = ".OOXX../.OOXX../.OXOX../..XO.../.OXOX../..XO.../.OXOX..";
        vital("go:7x7,komi=0.5", board, ["E2 E4", "B2 B4"]);
    }

    /// White's stone in atari runs into the edge.
    #[test]
    fn working_ladder() {
        avoids("go:7x7", "......./.O...../.O...../..X..../.XO..../..XX.../....... w", "D3");
    }

    /// White's stone on E5 waits at the end of the ladder.
    #[test]
    fn broken_ladder() {
        finds("go:7x7", "......./......./....O../..X..../.XO..../.XOX.../.XOX... w", "D3");
    }

    /// Nobody has a threat left: who comes first to the last ko wins it.
    #[test]
    fn ko() {
        let board = "XXXXOOO/.XXXOO./XXXXOOO/XXXO.OO/XXXXOOO/.XXXOO./XXXXOOO";
        vital("go:7x7,komi=7", board, ["E4", "E4"]);
    }

    /// A stone on C1 is taken from B1, and takes back more.
    #[test]
    fn snapback() {
        let board = "XXXXOOO/.XXXOO./XXXXOOO/.XXXOO./XXXXOOO/XOOXOO./X..OOOO";
        vital("go:7x7,komi=1", board, ["C1", "C1"]);
    }

    /// Who fills D1 or D7 gives all away.
    #[test]
    fn seki() {
        let board = "OOX.OXX/OOXXOXX/.OXXOX./OOXXOXX/OOXXOXX/.OXXOX./OOX.OXX";
        vital("go:7x7,komi=5", board, ["pass", "pass"]);
    }
}

mod passing {
    use super::*;

    const DEAD: &str = "O.X.OX./OOOOOX./XXXXXX./XX.XX../.XX.XX./XXXXX../.X.XX.. b pass";

    /// White is dead, but counts as long as it is there.
    #[test]
    fn what_is_dead_is_taken_before_passing() {
        avoids("go:7x7,komi=40", DEAD, "pass");
    }

    /// Here dead stones come off by themselves.
    #[test]
    fn the_end_is_seen_where_territory_counts() {
        finds("go:7x7,komi=10,scoring=territory", DEAD, "pass");
    }
}
