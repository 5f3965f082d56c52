//! Matches between bots: repeatable, fair, legal, and ended.

use std::time::Duration;

use arena::{Adjudication, Contest, End, MatchVerdict, Openings, PlayedGame, Standing};
use game::{Rng, Side};
use play::Stop;

fn contest(game: &str, judged: &str, measure: &str, pairs: usize) -> Contest {
    let bench = catalog::open(game).unwrap();
    Contest {
        game: game.to_owned(),
        contestants: [judged, measure].map(|text| text.parse().unwrap()),
        pairs,
        openings: Openings::Random { plies: bench.facts().opening_plies },
        limits: None,
        // No test asserts a time.
        grace: Duration::from_secs(600),
        adjudication: Adjudication::default(),
        at_once: 2,
        seed: 1,
    }
}

fn run(contest: &Contest) -> (Standing, Vec<PlayedGame>) {
    let mut games = Vec::new();
    let standing = contest.run(&[], &Stop::new(), &mut |_, pair| {
        games.extend(pair.games.iter().cloned());
        MatchVerdict::On
    });
    (standing.unwrap(), games)
}

fn share(game: &str, judged: &str, measure: &str, pairs: usize) -> f64 {
    let (standing, _) = run(&contest(game, judged, measure, pairs));
    assert_eq!(standing.score.games(), 2 * pairs as u32);
    assert!(standing.forfeits.is_empty(), "{:?}", standing.forfeits);
    standing.score.share()
}

#[test]
fn a_match_repeats_itself() {
    let contest = contest("reversi:6x6", "depth=3", "depth=2,noise=20", 6);
    let (first, mut games) = run(&contest);
    let (second, mut again) = run(&Contest { at_once: 1, ..contest });
    assert_eq!(first.score, second.score);
    let moves = |game: &PlayedGame| {
        game.record.line.plies.iter().map(|ply| ply.text.clone()).collect::<Vec<_>>()
    };
    let key = |game: &PlayedGame| (moves(game), game.side.index());
    games.sort_by_key(key);
    again.sort_by_key(key);
    assert_eq!(games.len(), again.len());
    assert!(games.iter().zip(&again).all(|(a, b)| key(a) == key(b)));
}

#[test]
fn pairs_share_their_opening_and_swap_colours() {
    let (_, games) = run(&contest("mnk:7x7,k=4", "depth=1", "depth=1,noise=50", 5));
    for pair in games.chunks(2) {
        let [a, b] = [&pair[0], &pair[1]];
        assert_eq!((a.side, b.side), (Side::First, Side::Second));
        let opening = |game: &PlayedGame| game.record.line.plies[..3].to_vec();
        assert_eq!(opening(a), opening(b));
    }
}

/// Who plays itself, repeatably, wins as often as it loses.
#[test]
fn a_bot_is_as_good_as_itself() {
    for game in ["mnk:5x5,k=4", "draughts:english", "chess"] {
        assert_eq!(share(game, "depth=2", "depth=2", 4), 0.5, "{game}");
    }
}

#[test]
fn thought_beats_chance() {
    for (game, bot) in [
        ("tictactoe", "depth=9"),
        ("gomoku", "easy"),
        ("connect6", "easy"),
        ("reversi", "medium"),
        ("draughts:english", "easy"),
        ("go:7x7", "easy"),
        ("chess", "easy"),
    ] {
        let won = share(game, bot, "random", 2);
        assert!(won >= 0.8, "{game}: {won}");
    }
    for game in ["connect6", "go:7x7"] {
        let won = share(game, "hard", "adjacent", 2);
        assert!(won >= 0.99, "{game}: {won}");
    }
}

/// What is known about small boards holds against everybody.
#[test]
fn small_boards_are_never_lost() {
    for game in ["tictactoe", "mnk:4x4,k=4", "mnk:5x4,k=4"] {
        for opponent in ["random", "adjacent", "hard", "depth=4,noise=100"] {
            let contest = Contest {
                openings: Openings::Random { plies: 0 },
                ..contest(game, "nodes=200000", opponent, 2)
            };
            let (standing, _) = run(&contest);
            assert_eq!(standing.score.losses, 0, "{game} against {opponent}");
        }
    }
}

#[test]
fn a_stopped_match_gives_what_was_finished() {
    let stop = Stop::new();
    let contest = contest("reversi", "depth=2", "depth=1", 1000);
    let mut pairs = 0;
    let standing = contest.run(&[], &stop, &mut |_, _| {
        pairs += 1;
        if pairs == 3 {
            stop.stop();
        }
        MatchVerdict::On
    });
    let finished = standing.unwrap().score.pairs.iter().sum::<u32>();
    assert!((3..=4).contains(&finished), "{finished}");
}

#[test]
fn what_cannot_be_is_said_before_the_first_game() {
    let no_stones = contest("chess", "adjacent", "random", 1);
    let error =
        no_stones.run(&[], &Stop::new(), &mut |_, _| MatchVerdict::On).unwrap_err().to_string();
    assert!(error.contains("adjacent"), "{error}");
    let depth_alone = contest("go:5x5", "algorithm=montecarlo,depth=3", "random", 1);
    let error =
        depth_alone.run(&[], &Stop::new(), &mut |_, _| MatchVerdict::On).unwrap_err().to_string();
    assert!(error.contains("depth"), "{error}");
}

const GAMES: [&str; 21] = [
    "tictactoe",
    "connect4",
    "mnk:5x5,k=4",
    "mnk:6x6,k=5,p=2,q=1",
    "mnk:4x5,k=4,p=3,q=2,win=exact",
    "mnk:5x6,k=4,gravity,holes=b1+c3",
    "gomoku",
    "gomoku-standard",
    "connect6",
    "reversi:4x6",
    "reversi:6x6",
    "reversi",
    "draughts:english",
    "draughts:russian",
    "draughts:international",
    "draughts:frisian",
    "draughts:italian",
    "go:5x5",
    "go:4x6,ko=basic,suicide=yes",
    "chess",
    "chess:fischer=100",
];

/// Any bot that plays fast.
fn any_bot(game: &str, rng: &mut Rng) -> String {
    let stones = !game.starts_with("chess") && !game.starts_with("draughts");
    let bots: &[&str] = &[
        "beginner",
        "easy,nodes=500",
        "medium,nodes=500",
        "hard,nodes=500",
        "master,nodes=300",
        "master,time=0.001",
        "random",
        "nodes=100,algorithm=montecarlo",
        "nodes=300,algorithm=proof",
        "depth=2,algorithm=negascout",
        "depth=1,algorithm=mtdf,noise=30",
        "nodes=300,threads=2",
        "nodes=300,weights=random",
        "clock=0.2+0.001",
        "adjacent",
    ];
    let choice = bots.len() - usize::from(!stones);
    format!("{},hash=1", bots[rng.below(choice)])
}

/// Games of random bots: no panic, no illegal move, every game ends by the rules.
fn soak(pairs: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    for number in 0..pairs {
        let game = GAMES[number % GAMES.len()];
        let [judged, measure] = [any_bot(game, &mut rng), any_bot(game, &mut rng)];
        let contest = Contest { seed: rng.next_u64(), ..contest(game, &judged, &measure, 1) };
        let (standing, games) = run(&contest);
        assert!(standing.forfeits.is_empty(), "{game} {judged} {measure}: {:?}", standing.forfeits);
        for game in games {
            assert!(matches!(game.finished.end, End::Rules(_)), "{contest:?}: {game:?}");
        }
    }
}

#[test]
fn random_bots_play_by_the_rules() {
    soak(GAMES.len(), 5);
}

#[test]
#[ignore = "ten thousand games take a quarter of an hour"]
fn ten_thousand_games_of_random_bots() {
    // What grows with every game shows after a tenth of them.
    let memory_after = |pairs: usize, seed: u64| {
        std::thread::scope(|scope| {
            scope.spawn(|| soak(pairs / 2, seed));
            soak(pairs - pairs / 2, seed + 1);
        });
        resident_megabytes()
    };
    let early = memory_after(500, 6);
    let late = memory_after(4_500, 8);
    println!("{early} MB in use after 1,000 games, {late} MB after 10,000");
    assert!(late < 2 * early + 50, "{early} MB, then {late} MB");
}

/// Memory in use, where the system tells; else 0.
fn resident_megabytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}
