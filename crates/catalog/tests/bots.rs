//! How bots play, whatever their level: near what is on the board, and from the middle of an empty
//! one.

#![allow(clippy::unwrap_used)]

use catalog::{Bot, Workbench};
use game::{Choice, Stop, Task, Turn};

fn choice(bench: &dyn Workbench, bot: &str, seed: u64) -> Choice {
    let bot: Bot = bot.parse().unwrap();
    let mut player = bench.player(&bot, seed).unwrap();
    player.choose(bench, &Task::default(), &Stop::new(), &mut |_| {}).unwrap()
}

/// Column and row of a square like `h8`, from 1; where letters are large there is none between H
/// and J.
fn square(text: &str) -> [i64; 2] {
    let split = text.find(|c: char| c.is_ascii_digit()).unwrap();
    let column = text[..split].bytes().fold(0, |n, c| match c {
        b'J'..=b'Z' => i64::from(c - b'A'),
        b'A'..=b'H' => i64::from(c - b'A') + 1,
        _ => 26 * n + i64::from(c - b'a') + 1,
    });
    [column, text[split..].parse().unwrap()]
}

fn distance(a: [i64; 2], b: [i64; 2]) -> i64 {
    (a[0] - b[0]).abs().max((a[1] - b[1]).abs())
}

/// On a large board weak bots answer beside the only stone, and their scores are those of any
/// board.
#[test]
fn weak_bots_stay_near_the_only_stone() {
    for stone in ["du125", "a1", "if7"] {
        let mut bench = catalog::open("mnk:250x250,k=5").unwrap();
        bench.play(stone).unwrap();
        for bot in ["beginner", "easy", "depth=1", "medium"] {
            for seed in 1..4 {
                let chosen = choice(&*bench, bot, seed);
                let Turn::Play(text) = chosen.turn else { panic!("{bot} does not move") };
                let far = distance(square(&text), square(stone));
                assert!(far <= 4, "{bot} answers {stone} by {text}");
                let value = chosen.analysis.unwrap().value.unwrap();
                assert!(value.raw().abs() < 1_500, "{bot} after {stone}: {value:?}");
            }
        }
    }
}
