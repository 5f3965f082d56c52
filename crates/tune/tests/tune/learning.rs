//! Games to learn from, what weights are multiplied with, and fits.

use std::path::PathBuf;

use compiled::Detail;
use game::Rng;
use play::{Stop, WeightsChoice};
use tune::{Data, DataFile, Fitting, Making, Network, Target, View, fit, judge_all};

fn making(game: &str) -> Making {
    let game = catalog::open(game).unwrap().facts().spec.clone();
    let bot = "nodes=60,hash=1".parse().unwrap();
    Making { game, bot, plies: [2, 8], ending: 2_000, seed: 5 }
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn filled(name: &str, making: &Making, games: usize, threads: usize) -> String {
    let path = file(name);
    let mut data = DataFile::open(&path, making).unwrap();
    data.fill(making, games, threads, &Stop::new(), &mut |_| {}).unwrap();
    std::fs::read_to_string(path).unwrap()
}

/// The file depends on how it was made alone: not on threads, nor on where it was cut off.
#[test]
fn data_goes_on_wherever_it_was_cut_off() {
    let making = making("reversi:6x6");
    let _ = std::fs::remove_file(file("whole"));
    let whole = filled("whole", &making, 6, 1);
    let data = Data::read(&whole).unwrap();
    assert_eq!((data.samples.len(), data.torn), (6, 0));
    assert!(data.samples.iter().all(|sample| sample.proved.len() > 4), "endings of 6x6 are proved");
    let mut rng = Rng::new(2);
    for round in 0..4 {
        let cut = rng.below(whole.len());
        std::fs::write(file("cut"), &whole[..cut]).unwrap();
        assert_eq!(filled("cut", &making, 6, 1 + round % 2), whole, "cut at {cut}");
    }
    let other = Making { seed: 6, ..making };
    let error = DataFile::open(&file("whole"), &other).unwrap_err().to_string();
    assert!(error.contains("seed 5") && error.contains("seed 6"), "{error}");
}

/// What was proved of the last positions fits the moves that were played to the end.
#[test]
fn labels_are_what_was_proved_or_how_it_ended() {
    let text = "zermelo positions 1\ngame x\nmade so\n-2 4,4,-2 a b c d e\n7 - a b\n";
    let data = Data::read(text).unwrap();
    let labels = |n: usize| -> Vec<i32> { (0..=5).map(|ply| data.samples[n].label(ply)).collect() };
    assert_eq!(labels(0), [4, 4, 4, 4, -2, -2]);
    assert_eq!(labels(1), [7; 6]);
}

#[test]
fn any_data_is_read_or_refused() {
    let text = "zermelo positions 1\ngame reversi\nmade nodes=60, seed 5\n-2 4,4,-2 a b c d e\n7 - a b\n3 -3 f g h\n";
    let mut rng = Rng::new(17);
    let (mut taken, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=rng.below(3) {
            let at = rng.below(bytes.len());
            match rng.below(4) {
                0 => bytes[at] = rng.below(256) as u8,
                1 => bytes[at] = b"0123456789-, \nab"[rng.below(16)],
                2 => drop(bytes.remove(at)),
                _ => bytes.truncate(at.max(9)),
            }
        }
        match Data::read(&String::from_utf8_lossy(&bytes)) {
            Ok(data) => {
                taken += 1;
                let _ = data.samples.iter().map(|sample| sample.label(2)).max();
            }
            Err(error) => {
                refused += 1;
                assert_eq!(error.to_string().lines().count(), 1, "{error}");
            }
        }
    }
    assert!(taken > 1_000 && refused > 1_000, "{taken} {refused}");
}

/// Scores under other weights are what the factors say, but for rounding and what is not linear.
#[test]
fn factors_predict_scores() {
    for (game, name, most) in [
        ("draughts:english", "zones", 0.0),
        ("draughts:international", "classic", 4.0),
        ("reversi", "stable", 4.0),
        ("reversi", "classic", 0.0),
        ("chess", "classic", 6.0),
    ] {
        let making = making(game);
        let bench = catalog::open(game).unwrap();
        let sheet = bench.weights().sheet(&WeightsChoice::read(name).unwrap(), 1).unwrap();
        let mut rng = Rng::new(3);
        let changes: Vec<i32> = (sheet.entries.iter())
            .map(|entry| if entry.is_free() { rng.below(21) as i32 - 10 } else { 0 })
            .collect();
        let values: Vec<i32> = sheet.values().iter().zip(&changes).map(|(v, c)| v + c).collect();
        let sample = making.play(1, &Stop::new()).unwrap().unwrap();
        let moves: Vec<&str> = sample.moves.iter().map(|m| &**m).collect();
        let judged = |sheet: &evaluation::weights::Sheet, detail| {
            bench.judge(&sheet.write()).unwrap().judge(&moves, 0, detail).unwrap()
        };
        let before = judged(&sheet, Detail::Terms);
        let after = judged(&sheet.with_values(&values), Detail::Score);
        assert!(before.len() > 5 && before.len() == after.len(), "{game}");
        let off: Vec<f32> = (before.iter().zip(&after))
            .map(|(before, after)| {
                let change: f32 = before
                    .terms
                    .iter()
                    .map(|&(i, factor)| factor * changes[i as usize] as f32)
                    .sum();
                (before.score as f32 + change - after.score as f32).abs()
            })
            .collect();
        let near = off.iter().filter(|&&off| off <= most + 1e-3).count();
        assert!(near * 10 >= off.len() * 9, "{game} {name}: {off:?}");
        assert!(before.iter().any(|position| !position.terms.is_empty()), "{game}");
    }
}

/// Weights that were spoilt are mended, the same whatever the number of threads, and a network learns something too.
#[test]
fn fits_predict_better_than_spoilt_weights() {
    let making = making("draughts:english");
    let samples: Vec<_> =
        (0..60).map(|number| making.play(number, &Stop::new()).unwrap().unwrap()).collect();
    let bench = catalog::open("draughts:english").unwrap();
    let mut sheet = bench.weights().sheet(&WeightsChoice::read("zones").unwrap(), 1).unwrap();
    sheet.set("king.short", "-50").unwrap();
    let fitted = [1, 2].map(|threads| {
        let view = View { after: 6, detail: Detail::Terms, target: Target::Result, threads };
        let split = judge_all("draughts:english", &sheet.write(), &samples, view, &|_| {}).unwrap();
        let fitting = Fitting { target: Target::Result, pull: None, steps: 100, threads };
        let fitted = fit(&sheet, &split, &fitting);
        let network = Network::train(&split, fitted.steepness, Target::Result, 1);
        assert!(network.losses[1] < fitted.before[1], "{:?} {fitted:?}", network.losses);
        fitted
    });
    let [one, two] = &fitted;
    assert_eq!(one.sheet, two.sheet);
    assert!(one.after[0] < one.before[0] && one.after[1] < one.before[1], "{one:?}");
    let king = one.sheet.entries.iter().find(|entry| entry.name == "king.short").unwrap();
    assert!(king.value > 50, "{king:?}");
}
