//! Strong solving finds what a blackboard minimax finds, in every position, and tables say so again after they were written and read.

use std::collections::{HashMap, HashSet};

use game::testkit::Asymmetric;
use game::{Game, Notation, Rng, Spec, Value, moves_of};
use games::mnk::{self, LineBoard, Mnk, RunShape, WordBoard};
use games::{draughts, go, reversi};
use play::Stop;
use solve::strong::{
    Solid, StrongError, Tablebase, TablebaseError, Tiering, Worth, by_tiers, file_name,
};

type LineGame = Mnk<RunShape, WordBoard<u32>>;

fn line_game(text: &str) -> LineGame {
    Mnk::new(&mnk::Parameters::from_spec(&Spec::parse(text).unwrap()).unwrap())
}

fn reversi(text: &str) -> reversi::Reversi {
    reversi::Reversi::new(reversi::Parameters::from_spec(&Spec::parse(text).unwrap()).unwrap())
}

const TIERING: Tiering = Tiering { threads: 1, hash_megabytes: 256, nodes: None };

fn solid<G: Notation>(game: &G, tiering: &Tiering) -> Solid {
    by_tiers(game, &game.start(), tiering, &Stop::new(), &mut |_| {}).unwrap()
}

/// What searches count in, and how far the end is: by definition, with whole positions as names.
struct Blackboard<'g, G> {
    game: &'g G,
    known: HashMap<String, (Value, i32, u32)>,
}

impl<G: Notation> Blackboard<'_, G> {
    /// The first player's value, the margin, and the plies to the end.
    fn visit(&mut self, p: &G::Position) -> (Value, i32, u32) {
        let (game, limit) = (self.game, self.game.margin_limit());
        let name = game.write_position(p);
        if let Some(known) = self.known.get(&name) {
            return *known;
        }
        let over = |margin: i32| (Value::over(margin, limit), margin, 0);
        let moves = moves_of(game, p);
        let found = match game.margin(p) {
            Some(margin) => over(margin),
            None if moves.is_empty() => over(game.stuck(p)),
            None => {
                let side = game.to_move(p);
                let mut all = Vec::new();
                for m in moves {
                    let mut next = p.clone();
                    game.make(&mut next, m);
                    all.push(self.visit(&next));
                }
                let best = all.iter().map(|child| child.0.seen_by(side)).max().unwrap();
                let margin = all.iter().map(|child| side.sign() * child.1).max().unwrap();
                let margin = side.sign() * margin;
                let same = all.iter().filter(|child| child.1 == margin).map(|child| child.2);
                let behind = margin * side.sign() < 0;
                let plies = if behind { same.max() } else { same.min() }.unwrap();
                (best.backed_up().seen_by(side), margin, plies + 1)
            }
        };
        self.known.insert(name, found);
        found
    }
}

/// Compares all positions, images too, with the blackboard.
fn agrees<G: Notation>(game: &G) -> Solid {
    let solved = solid(game, &TIERING);
    let table = Tablebase::read(solved.to_bytes()).unwrap();
    table.must_be_of(game).unwrap();
    let mut blackboard = Blackboard { game, known: HashMap::new() };
    blackboard.visit(&game.start());
    let mut found = 0;
    for (name, &(value, margin, plies)) in &blackboard.known {
        let p = game.read_position(name).unwrap();
        let worth = table.look_up(game, &p).unwrap_or_else(|| panic!("{name} is missing"));
        assert_eq!((i32::from(worth.margin), u32::from(worth.distance)), (margin, plies), "{name}");
        assert_eq!(worth.value(game.margin_limit()), value, "{name}");
        found += 1;
    }
    assert!(found >= solved.positions(), "{found}");
    assert_eq!(table.positions(), solved.positions());
    assert_eq!(table.first_worth(), Some(solved.worth));
    solved
}

/// 5478 positions, of which 765 are different; a known number.
#[test]
fn tictactoe_has_765_positions() {
    let game = line_game("mnk:3x3,k=3");
    let plain = agrees(&Asymmetric(game.clone()));
    assert_eq!(plain.positions(), 5478);
    let solved = agrees(&game);
    assert_eq!(solved.positions(), 765);
    assert_eq!(solved.tiers().collect::<Vec<_>>(), [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]);
    assert_eq!(solved.worth, Worth { margin: 0, distance: 9 });
}

#[test]
fn line_games_of_all_kinds() {
    for text in [
        "mnk:2x2,k=2",
        "mnk:1x1,k=1",
        "mnk:3x4,k=3",
        "mnk:3x4,k=3,win=exact",
        "mnk:3x3,k=3,p=1,q=2",
        "mnk:3x4,k=3,p=2,q=1",
        "mnk:4x4,k=3,gravity",
        "mnk:4x4,k=4,gravity",
        "mnk:4x4,k=3,gravity,win=exact",
        "mnk:4x4,k=3,holes=b2+c2+d4+a1",
        "mnk:4x3,k=3,holes=b2",
        "mnk:3x3,k=4",
    ] {
        agrees(&line_game(text));
    }
}

/// Known numbers (Tromp): 161,029 positions, and half of them without mirror images.
#[test]
fn small_connect_four_has_161029_positions() {
    let game = line_game("mnk:4x4,k=4,gravity");
    assert_eq!(solid(&Asymmetric(game.clone()), &TIERING).positions(), 161_029);
    assert_eq!(solid(&game, &TIERING).positions(), 80_541);
}

/// The number of reachable pairs of position and side is that of the perft tables.
#[test]
fn reversi_is_lost_by_ten() {
    let game = reversi("reversi:4x4");
    let plain = agrees(&Asymmetric(game));
    let solved = agrees(&game);
    assert_eq!((plain.positions(), solved.positions()), (66_313, 15_210));
    assert_eq!(solved.worth, Worth { margin: -10, distance: 12 });
    assert_eq!(solved.worth, plain.worth);
    // In the known number a game is over when nobody can place a disc, without two passes to say so.
    let mut known = HashSet::from([game.start()]);
    let mut open = vec![game.start()];
    while let Some(p) = open.pop() {
        for m in moves_of(&game, &p) {
            let mut next = p;
            game.make(&mut next, m);
            if known.insert(next) {
                open.push(next);
            }
        }
    }
    assert_eq!(known.len(), 66_313);
    known.retain(|p| p.passes() == 0 || p.passes() == 1 && game.placements(p) != 0);
    let pair = |p: reversi::Position| (p.own(), p.other(), game.to_move(&p));
    assert_eq!(known.into_iter().map(pair).collect::<HashSet<_>>().len(), 62_789);
}

#[test]
fn any_number_of_threads_finds_the_same() {
    let game = line_game("mnk:4x4,k=4,gravity");
    let bytes = |threads| solid(&game, &Tiering { threads, ..TIERING }).to_bytes();
    assert!(bytes(1) == bytes(3));
}

/// From any position on, not only the start.
#[test]
fn tables_begin_anywhere() {
    let game = line_game("mnk:3x3,k=3");
    let mut p = game.start();
    for text in ["b2", "a1", "c3"] {
        let m = game.read_move(&p, text).unwrap();
        game.make(&mut p, m);
    }
    let solved = by_tiers(&game, &p, &TIERING, &Stop::new(), &mut |_| {}).unwrap();
    let table = Tablebase::read(solved.to_bytes()).unwrap();
    assert_eq!(table.position(), game.write_position(&p));
    assert_eq!(table.look_up(&game, &p), Some(solved.worth));
    assert_eq!(table.look_up(&game, &game.start()), None);
    assert_ne!(file_name(table.game(), table.position()), file_name(table.game(), ""));
}

#[test]
fn what_cannot_be_done_is_said_in_one_line() {
    let game = line_game("mnk:4x4,k=4");
    let attempt = |tiering: &Tiering, stop: &Stop| {
        by_tiers(&game, &game.start(), tiering, stop, &mut |_| {}).err().unwrap()
    };
    let full = attempt(&Tiering { hash_megabytes: 2, ..TIERING }, &Stop::new());
    assert!(matches!(full, StrongError::Full { megabytes: 2, .. }), "{full}");
    assert!(full.to_string().contains("--hash"), "{full}");
    let spent = attempt(&Tiering { nodes: Some(1_000), ..TIERING }, &Stop::new());
    assert_eq!(spent, StrongError::Stopped);
    let stop = Stop::new();
    stop.stop();
    assert_eq!(attempt(&TIERING, &stop), StrongError::Stopped);

    fn refused<G: Notation>(game: &G) -> StrongError {
        let tiering = Tiering { hash_megabytes: 16, ..TIERING };
        by_tiers(game, &game.start(), &tiering, &Stop::new(), &mut |_| {}).err().unwrap()
    }
    let spec = Spec::parse("go:2x2").unwrap();
    let go = go::Go::<u64>::new(go::Parameters::from_spec(&spec).unwrap());
    assert_eq!(refused(&go), StrongError::LooksBack);
    let spec = mnk::Parameters::from_spec(&Spec::parse("mnk:30x30,k=5").unwrap()).unwrap();
    assert_eq!(refused(&Mnk::<RunShape, LineBoard>::new(&spec)), StrongError::Large);
    // Without rules for draws kings go to and fro for ever.
    let spec = Spec::parse("draughts:english,6x6,draw=none").unwrap();
    let parameters = draughts::Parameters::from_spec(&spec).unwrap();
    let draughts = draughts::Draughts::<draughts::AnyRules>::new(parameters).unwrap();
    let kings = draughts.read_position("W:WK1:BK18").unwrap();
    let endless = by_tiers(&draughts, &kings, &TIERING, &Stop::new(), &mut |_| {});
    assert!(matches!(endless.err(), Some(StrongError::Endless(_))));
}

fn sample() -> (LineGame, Vec<u8>) {
    let game = line_game("mnk:3x3,k=3");
    let bytes = solid(&game, &TIERING).to_bytes();
    (game, bytes)
}

/// With the right checksum, so that what comes before it is looked at.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len().saturating_sub(4);
    bytes.truncate(end);
    bytes.extend(certificate::crc32(&bytes).to_le_bytes());
    bytes
}

#[test]
fn wrong_files_are_refused() {
    let (game, bytes) = sample();
    let why = |bytes: &[u8]| Tablebase::read(bytes.to_vec()).err().unwrap();
    assert_eq!(why(b""), TablebaseError::Foreign);
    assert_eq!(why(b"PNG, or whatever"), TablebaseError::Foreign);
    let mut other = bytes.clone();
    other[13] = 7;
    assert_eq!(why(&other), TablebaseError::OtherVersion(7));
    for length in 14..bytes.len() {
        assert!(matches!(why(&bytes[..length]), TablebaseError::Damaged(_)), "{length}");
    }
    for at in 14..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 0x10;
        assert!(matches!(why(&changed), TablebaseError::Damaged(_)), "{at}");
    }
    let longer = sealed([&bytes[..], &[0; 5]].concat());
    assert_eq!(why(&longer), TablebaseError::Damaged("something follows its end"));

    let table = Tablebase::read(bytes.clone()).unwrap();
    let foreign = table.must_be_of(&line_game("mnk:4x4,k=3")).err().unwrap();
    assert_eq!(foreign.to_string(), "this is a table of mnk:3x3,k=3, not of mnk:4x4,k=3");
    // The first key comes after the texts.
    let at = bytes.windows(11).position(|text| text == b"mnk:3x3,k=3").unwrap() + 11 + 4;
    let key = table.look_up(&game, &game.start()).and(Some(at)).unwrap();
    let mut renamed = bytes.clone();
    // Its last byte is not among those that entries keep.
    renamed[key] ^= 1;
    let renamed = Tablebase::read(sealed(renamed)).unwrap();
    assert_eq!(renamed.must_be_of(&game), Err(TablebaseError::OtherKeys));
}

/// Whatever is in a file, it is refused in one line or can be asked about anything.
#[test]
fn any_bytes_are_read_or_refused() {
    let (game, bytes) = sample();
    let mut rng = Rng::new(20_260_301);
    let mut read = 0;
    for round in 0..20_000 {
        let mut bytes = match round % 4 {
            0 => (0..rng.below(200)).map(|_| rng.below(256) as u8).collect(),
            _ => bytes.clone(),
        };
        if round % 4 == 0 && round % 8 == 0 {
            bytes.splice(0..0, *b"ZERMELO-TABLE\x01");
        }
        // Most of what matters is in front.
        let reach = if round % 2 == 0 { bytes.len() } else { bytes.len().min(300) };
        for _ in 0..rng.below(4) {
            if reach > 0 {
                bytes[rng.below(reach)] = rng.below(256) as u8;
            }
        }
        if round % 16 == 3 {
            bytes.truncate(rng.below(bytes.len() + 1));
        }
        match Tablebase::read(sealed(bytes)) {
            Ok(table) => {
                read += 1;
                let _ = table.must_be_of(&game);
                let _ = table.look_up(&game, &game.start());
                let _ = (table.positions(), table.first_worth());
            }
            Err(error) => assert!(!error.to_string().contains(char::is_control), "{error}"),
        }
    }
    assert!(read > 1_000, "{read}");
}

/// Files of this version stay readable.
#[test]
fn the_sample_of_version_1_is_read() {
    let bytes = include_bytes!("../data/tictactoe-v1.table");
    let table = Tablebase::read(bytes.to_vec()).unwrap();
    let game = line_game("mnk:3x3,k=3");
    table.must_be_of(&game).unwrap();
    assert_eq!(
        (table.positions(), table.first_worth()),
        (765, Some(Worth { margin: 0, distance: 9 }))
    );
    assert!(sample().1 == bytes);
}
