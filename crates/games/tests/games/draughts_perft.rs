//! Draughts by numbers: leaves at depth 1, 2, 3, … from the start and from positions known for their
//! traps. *Unique* tables count captures with the same ends and the same captured pieces once, as the
//! rules do here; *ways* tables count them apart, in one of two manners.

use game::{Game, Notation, Spec, perft};
use games::draughts::{
    AnyRules, Brazilian, Czech, Draughts, English, Frisian, International, Italian, Move,
    Parameters, Pool, Position, Rules, Russian, Spanish, Ways,
};

fn game<R: Rules>(spec: &str) -> Draughts<R> {
    let parameters = Parameters::from_spec(&Spec::parse(spec).unwrap()).unwrap();
    Draughts::new(parameters).unwrap()
}

/// Leaves that differ in the squares on the way counted apart.
fn count_ways<R: Rules>(game: &Draughts<R>, p: &Position, depth: u32, ways: Ways) -> u64 {
    let mut moves: Vec<Move> = Vec::new();
    game.generate_ways(p, ways, &mut moves);
    if depth == 1 {
        return moves.len() as u64;
    }
    let after = |m: Move| {
        let mut next = *p;
        game.make(&mut next, m);
        count_ways(game, &next, depth - 1, ways)
    };
    moves.into_iter().map(after).sum()
}

/// From the start, or from a position after a space.
fn unique<R: Rules>(text: &str, table: &[u64], depths: impl Iterator<Item = u32>) {
    check::<R>(text, table, depths, perft);
}

/// Ways that turn elsewhere counted apart.
fn turns<R: Rules>(text: &str, table: &[u64], depths: impl Iterator<Item = u32>) {
    check::<R>(text, table, depths, |game, p, depth| count_ways(game, p, depth, Ways::Turns));
}

/// Ways counted apart that turn elsewhere, or land elsewhere between two captures on one line.
fn landings<R: Rules>(text: &str, table: &[u64], depths: impl Iterator<Item = u32>) {
    check::<R>(text, table, depths, |game, p, depth| count_ways(game, p, depth, Ways::Landings));
}

fn check<R: Rules>(
    text: &str,
    table: &[u64],
    depths: impl Iterator<Item = u32>,
    count: impl Fn(&Draughts<R>, &Position, u32) -> u64,
) {
    let (spec, fen) = text.split_once(' ').unwrap_or((text, ""));
    let game: Draughts<R> = game(spec);
    let read = |fen| Notation::read_position(&game, fen).unwrap();
    let p = if fen.is_empty() { game.start() } else { read(fen) };
    for depth in depths {
        assert_eq!(count(&game, &p, depth), table[depth as usize - 1], "{text} at depth {depth}");
    }
}

const ENGLISH: [u64; 12] = [
    7,
    49,
    302,
    1469,
    7361,
    36_768,
    179_740,
    845_931,
    3_963_680,
    18_391_564,
    85_242_128,
    388_617_999,
];
const ENGLISH_WAYS: [u64; 12] = [
    7,
    49,
    302,
    1469,
    7361,
    36_768,
    179_740,
    845_931,
    3_963_680,
    18_391_564,
    85_242_128,
    388_623_673,
];
const INTERNATIONAL: [u64; 10] =
    [9, 81, 658, 4265, 27_117, 167_140, 1_049_442, 6_483_961, 41_022_423, 258_895_763];
const INTERNATIONAL_WAYS: [u64; 10] =
    [9, 81, 658, 4265, 27_117, 167_140, 1_049_442, 6_483_971, 41_022_614, 258_935_682];
const BRAZILIAN: [u64; 11] =
    [7, 49, 302, 1469, 7473, 37_628, 187_302, 907_830, 4_431_766, 21_560_022, 105_491_257];
const BRAZILIAN_WAYS: [u64; 11] =
    [7, 49, 302, 1469, 7473, 37_628, 187_302, 907_836, 4_431_847, 21_566_606, 105_534_946];
const RUSSIAN: [u64; 11] =
    [7, 49, 302, 1469, 7482, 37_986, 190_146, 929_899, 4_570_586, 22_444_032, 110_917_189];
const RUSSIAN_WAYS: [u64; 11] =
    [7, 49, 302, 1469, 7482, 37_986, 190_146, 929_905, 4_570_667, 22_450_628, 110_961_169];
const POOL: [u64; 11] =
    [7, 49, 302, 1469, 7482, 37_986, 190_146, 929_896, 4_570_534, 22_435_955, 110_833_952];
const POOL_WAYS: [u64; 11] =
    [7, 49, 302, 1469, 7482, 37_986, 190_146, 929_902, 4_570_615, 22_442_551, 110_877_932];
const ITALIAN: [u64; 12] = [
    7,
    49,
    302,
    1469,
    7361,
    36_473,
    177_532,
    828_783,
    3_860_875,
    17_761_384,
    81_647_058,
    367_911_475,
];
const ITALIAN_WAYS: [u64; 12] = [
    7,
    49,
    302,
    1469,
    7361,
    36_473,
    177_532,
    828_783,
    3_860_875,
    17_761_384,
    81_647_058,
    367_917_147,
];
const SPANISH_WAYS: [u64; 12] = [
    7,
    49,
    302,
    1469,
    7361,
    36_473,
    177_532,
    828_783,
    3_860_866,
    17_743_464,
    81_383_200,
    365_734_003,
];
const CZECH_WAYS: [u64; 12] = [
    7,
    49,
    302,
    1469,
    7361,
    36_768,
    179_740,
    845_931,
    3_963_671,
    18_368_918,
    84_967_210,
    386_267_783,
];
const FRISIAN: [u64; 10] =
    [9, 81, 658, 3874, 21_265, 102_431, 540_126, 2_825_779, 15_605_069, 85_817_725];
const FRISIAN_WAYS: [u64; 10] =
    [9, 81, 658, 3880, 21_345, 103_584, 550_314, 2_907_905, 16_204_497, 90_161_025];
const SMALL_ENGLISH_WAYS: [u64; 17] = [
    5,
    25,
    106,
    369,
    1271,
    4104,
    12_495,
    37_474,
    104_013,
    290_032,
    808_158,
    2_209_549,
    6_039_632,
    16_775_007,
    45_722_008,
    129_088_590,
    354_735_390,
];
const SMALL_INTERNATIONAL: [u64; 17] = [
    5,
    25,
    106,
    369,
    1301,
    4214,
    12_912,
    39_526,
    113_614,
    329_982,
    933_564,
    2_678_979,
    7_509_079,
    21_546_796,
    59_298_144,
    172_303_864,
    480_328_231,
];

#[test]
fn starts() {
    unique::<English>("draughts:english", &ENGLISH, 1..=10);
    unique::<International>("draughts:international", &INTERNATIONAL, 1..=9);
    unique::<Brazilian>("draughts:brazilian", &BRAZILIAN, 1..=9);
    unique::<Russian>("draughts:russian", &RUSSIAN, 1..=9);
    unique::<Pool>("draughts:pool", &POOL, 1..=9);
    unique::<Italian>("draughts:italian", &ITALIAN, 1..=9);
    unique::<Frisian>("draughts:frisian", &FRISIAN, 1..=8);
    unique::<AnyRules>("draughts:international,6x6", &SMALL_INTERNATIONAL, 1..=13);
}

#[test]
fn starts_with_ways_counted_apart() {
    turns::<English>("draughts:english", &ENGLISH_WAYS, 1..=8);
    turns::<International>("draughts:international", &INTERNATIONAL_WAYS, 1..=8);
    turns::<Brazilian>("draughts:brazilian", &BRAZILIAN_WAYS, 1..=9);
    turns::<Russian>("draughts:russian", &RUSSIAN_WAYS, 1..=9);
    turns::<Pool>("draughts:pool", &POOL_WAYS, 1..=9);
    turns::<Italian>("draughts:italian", &ITALIAN_WAYS, 1..=9);
    turns::<Spanish>("draughts:spanish", &SPANISH_WAYS, 1..=9);
    turns::<Czech>("draughts:czech", &CZECH_WAYS, 1..=9);
    turns::<Frisian>("draughts:frisian", &FRISIAN_WAYS, 1..=7);
    turns::<AnyRules>("draughts:english,6x6", &SMALL_ENGLISH_WAYS, 1..=12);
    turns::<AnyRules>(
        "draughts:pool,10x10",
        &[9, 81, 658, 4265, 27_132, 168_316, 1_060_829],
        1..=7,
    );
}

#[test]
#[ignore = "minutes"]
fn starts_deeper() {
    unique::<English>("draughts:english", &ENGLISH, 11..=12);
    unique::<International>("draughts:international", &INTERNATIONAL, 10..=10);
    unique::<Brazilian>("draughts:brazilian", &BRAZILIAN, 10..=11);
    unique::<Russian>("draughts:russian", &RUSSIAN, 10..=11);
    unique::<Pool>("draughts:pool", &POOL, 10..=11);
    unique::<Italian>("draughts:italian", &ITALIAN, 10..=12);
    unique::<Frisian>("draughts:frisian", &FRISIAN, 9..=10);
    unique::<AnyRules>("draughts:international,6x6", &SMALL_INTERNATIONAL, 14..=17);
}

#[test]
#[ignore = "minutes"]
fn starts_with_ways_counted_apart_deeper() {
    turns::<English>("draughts:english", &ENGLISH_WAYS, 9..=12);
    turns::<International>("draughts:international", &INTERNATIONAL_WAYS, 9..=10);
    turns::<Brazilian>("draughts:brazilian", &BRAZILIAN_WAYS, 10..=11);
    turns::<Russian>("draughts:russian", &RUSSIAN_WAYS, 10..=11);
    turns::<Pool>("draughts:pool", &POOL_WAYS, 10..=11);
    turns::<Italian>("draughts:italian", &ITALIAN_WAYS, 10..=12);
    turns::<Spanish>("draughts:spanish", &SPANISH_WAYS, 10..=12);
    turns::<Czech>("draughts:czech", &CZECH_WAYS, 10..=12);
    turns::<Frisian>("draughts:frisian", &FRISIAN_WAYS, 8..=10);
    turns::<AnyRules>("draughts:english,6x6", &SMALL_ENGLISH_WAYS, 13..=17);
}

const WOLDOUBY: &str = "draughts:international \
    W:B12,13,14,16,18,19,21,23,24,26:W25,27,28,30,32,33,34,35,37,38";
const WOLDOUBY_TABLE: [u64; 15] = [
    6,
    12,
    30,
    73,
    215,
    590,
    1944,
    6269,
    22_369,
    88_050,
    377_436,
    1_910_989,
    9_872_645,
    58_360_286,
    346_184_885,
];
const RANDOM_178: &str = "draughts:international \
    B:BK17,K24:W6,9,10,11,20,21,22,23,30,K31,33,37,41,42,43,44,46";
const RANDOM_178_TABLE: [u64; 9] =
    [14, 55, 1168, 5432, 87_195, 629_010, 9_041_010, 86_724_219, 1_216_917_193];
const ALL_KINGS: &str = "draughts:international W:WK31-K50:BK1-K20";
const ALL_KINGS_TABLE: [u64; 11] =
    [17, 79, 352, 1399, 7062, 37_589, 217_575, 1_333_217, 8_558_321, 58_381_162, 417_920_283];
const ITALIAN_P1: &str = "draughts:italian W:W30,26,27,22,23,24,17,18,20:B14,15,16,9,11,5,6,1,3";
const ITALIAN_P1_TABLE: [u64; 16] = [
    5,
    13,
    42,
    107,
    360,
    1099,
    3736,
    12_495,
    43_686,
    164_177,
    628_686,
    2_643_623,
    10_833_722,
    49_327_264,
    212_130_912,
    1_021_757_399,
];

#[test]
fn known_positions() {
    unique::<International>(WOLDOUBY, &WOLDOUBY_TABLE, 1..=13);
    unique::<International>(RANDOM_178, &RANDOM_178_TABLE, 1..=7);
    unique::<International>(ALL_KINGS, &ALL_KINGS_TABLE, 1..=9);
    turns::<Italian>(ITALIAN_P1, &ITALIAN_P1_TABLE, 1..=12);
}

#[test]
#[ignore = "minutes"]
fn known_positions_deeper() {
    unique::<International>(WOLDOUBY, &WOLDOUBY_TABLE, 14..=15);
    unique::<International>(RANDOM_178, &RANDOM_178_TABLE, 8..=9);
    unique::<International>(ALL_KINGS, &ALL_KINGS_TABLE, 10..=11);
}

#[test]
#[ignore = "minutes"]
fn an_italian_position_deeper() {
    turns::<Italian>(ITALIAN_P1, &ITALIAN_P1_TABLE, 13..=16);
}

#[test]
fn men_and_kings() {
    let fen = "W:WK4,9,K13,27,32:B3,5,K10,28";
    let english = [5, 6, 31, 115, 439, 2077, 8884];
    unique::<English>(&format!("draughts:english {fen}"), &english, 1..=7);
    landings::<English>(&format!("draughts:english {fen}"), &english, 1..=7);
    let russian = format!("draughts:russian {fen}");
    unique::<Russian>(&russian, &[14, 18, 232, 1194, 9310, 59_642, 471_396], 1..=7);
    landings::<Russian>(&russian, &[14, 18, 232, 1194, 9310, 59_642, 471_422], 1..=7);
    let brazilian = format!("draughts:brazilian {fen}");
    unique::<Brazilian>(&brazilian, &[14, 16, 220, 1160, 8957, 57_696, 454_517], 1..=7);
    landings::<Brazilian>(&brazilian, &[14, 16, 220, 1160, 8957, 57_696, 454_541], 1..=7);
}

#[test]
fn kings_that_capture_many() {
    let fen = "B:BK15,K18,1,2:W6,7,10,11,14,19,22,23,26,27,K32";
    let english = format!("draughts:english {fen}");
    unique::<English>(&english, &[5, 19, 44, 267, 640, 4252, 16_942], 1..=7);
    landings::<English>(&english, &[5, 19, 46, 276, 664, 4368, 17_597], 1..=7);
    let pool = format!("draughts:pool {fen}");
    unique::<Pool>(&pool, &[8, 9, 39, 204, 586, 3804, 16_204], 1..=7);
    landings::<Pool>(&pool, &[8, 9, 41, 220, 682, 4379, 19_281], 1..=7);
}

#[test]
fn men_crowned_while_capturing() {
    let russian = "draughts:russian W:W13,14,21,22,25,30:B6,7,9,10,K3,18,19,26";
    unique::<Russian>(russian, &[5, 6, 15, 92, 409, 2260, 11_407], 1..=7);
    landings::<Russian>(russian, &[5, 6, 15, 92, 409, 2271, 11_520], 1..=7);
}

#[test]
fn rules_read_at_run_time_agree_with_compiled_ones() {
    unique::<AnyRules>("draughts:english", &ENGLISH, 8..=8);
    unique::<AnyRules>("draughts:international", &INTERNATIONAL, 7..=7);
    unique::<AnyRules>("draughts:russian", &RUSSIAN, 8..=8);
    unique::<AnyRules>("draughts:frisian", &FRISIAN, 6..=6);
    unique::<AnyRules>(RANDOM_178, &RANDOM_178_TABLE, 6..=6);
}
