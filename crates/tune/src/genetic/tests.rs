use compiled::duels::Terms;
use play::Stop;

use super::*;

/// A session that takes no time.
pub(super) fn settings(population: usize) -> BreedingSettings {
    BreedingSettings {
        game: "draughts:english,draw=20-plies-captureless".to_owned(),
        evaluation: "features".to_owned(),
        population,
        duels: 2,
        noise: 1,
        mutation: 30,
        selection: Selection::Half,
        crossover: Crossover::OnePoint,
        change: Mutation::Redraw,
        terms: Terms { depth: 1, opening: 4, longest: 60, ..Terms::default() },
        seed: 7,
        off: Vec::new(),
    }
}

fn run(settings: &BreedingSettings, threads: usize, generations: usize) -> Population {
    let mut breeder = Breeder::new(settings, threads).unwrap();
    let mut population = breeder.first(settings);
    for _ in 0..generations {
        (population, _) = breeder.next(&population, &Stop::new(), &|_, _| {}).unwrap();
    }
    Population { seconds: 0.0, ..population }
}

#[test]
fn threads_make_no_difference() {
    let settings = settings(8);
    let one = run(&settings, 1, 3);
    assert_eq!(one, run(&settings, 3, 3));
    assert_ne!(one.members, run(&BreedingSettings { seed: 8, ..settings }, 1, 3).members);
    assert_eq!((one.generation, one.games), (3, 3 * 16 + 4));
}

#[test]
fn populations_survive_their_files() {
    let settings = BreedingSettings { off: vec!["own.men".to_owned()], ..settings(8) };
    for generations in [0, 2] {
        let population = run(&settings, 1, generations);
        assert_eq!(Population::read(&population.text()).unwrap(), population);
        assert!(population.members.iter().all(|member| member[0] == 0));
    }
}

/// A generation read from its file goes on exactly as the one that was not.
#[test]
fn a_session_goes_on_from_its_file() {
    let settings = settings(8);
    let whole = run(&settings, 1, 4);
    let mut breeder = Breeder::new(&settings, 1).unwrap();
    let mut population = breeder.first(&settings);
    for _ in 0..4 {
        population = Population::read(&population.text()).unwrap();
        (population, _) = breeder.next(&population, &Stop::new(), &|_, _| {}).unwrap();
    }
    assert_eq!(Population { seconds: 0.0, ..population }, whole);
}

/// Weights that came later are 0 in a population that was bred before.
#[test]
fn a_session_goes_on_without_weights_that_came_later() {
    let settings = BreedingSettings { game: "reversi:4x4".to_owned(), ..settings(4) };
    let breeder = Breeder::new(&settings, 1).unwrap();
    let now = breeder.first(&settings);
    let later = |name: &String| name.ends_with(".sandwich");
    let places: Vec<usize> = (0..now.names.len()).filter(|&i| !later(&now.names[i])).collect();
    assert_eq!(places.len() + 2, now.names.len());
    let old = Population {
        names: places.iter().map(|&i| now.names[i].clone()).collect(),
        members: now.members.iter().map(|m| places.iter().map(|&i| m[i]).collect()).collect(),
        ..now.clone()
    };
    let old = Population::read(&old.text()).unwrap();
    let adopted = breeder.adopt(old.clone(), &settings).unwrap();
    assert_eq!(adopted.names, now.names);
    for (adopted, now_member) in adopted.members.iter().zip(&now.members) {
        let expected: Vec<i32> = (now.names.iter().zip(now_member))
            .map(|(name, weight)| if later(name) { 0 } else { *weight })
            .collect();
        assert_eq!(*adopted, expected);
    }
    let strange = Population { names: vec!["x".to_owned(); old.names.len()], ..old };
    assert!(breeder.adopt(strange, &settings).is_err());
}

#[test]
fn any_changed_byte_is_noticed() {
    let text = run(&settings(4), 1, 1).text();
    for at in (0..text.len()).step_by(7) {
        let mut bytes = text.clone().into_bytes();
        bytes[at] = if bytes[at] == b'5' { b'6' } else { b'5' };
        assert!(Population::read(&String::from_utf8(bytes).unwrap()).is_err(), "byte {at}");
        assert!(Population::read(&text[..at]).is_err(), "cut at {at}");
    }
}

#[test]
fn a_damaged_generation_is_refused_and_the_one_before_it_offered() {
    let path = std::env::temp_dir().join(format!("zermelo-tune-{}", std::process::id()));
    let folder = Folder::at(&path);
    let settings = settings(4);
    let mut breeder = Breeder::new(&settings, 1).unwrap();
    let mut population = breeder.first(&settings);
    folder.save(&population).unwrap();
    for _ in 0..2 {
        (population, _) = breeder.next(&population, &Stop::new(), &|_, _| {}).unwrap();
        folder.save(&population).unwrap();
    }
    assert_eq!(folder.generations().unwrap(), [0, 1, 2]);
    assert_eq!(folder.last().unwrap().generation, 2);
    let text = std::fs::read_to_string(folder.file(2)).unwrap();
    std::fs::write(folder.file(2), &text[..text.len() / 2]).unwrap();
    let why = folder.last().unwrap_err().to_string();
    assert!(why.contains("damaged") && why.contains("generation-000001"), "{why}");
    assert_eq!(load(&folder.file(1)).unwrap().generation, 1);
    folder.forget_after(0).unwrap();
    assert_eq!(folder.generations().unwrap(), [0]);
    std::fs::remove_dir_all(path).unwrap();
}

#[test]
fn what_cannot_be_bred_is_refused() {
    for (wrong, why) in [
        (BreedingSettings { population: 6, ..settings(8) }, "that 4 divides"),
        (BreedingSettings { duels: 8, ..settings(8) }, "too many"),
        (BreedingSettings { evaluation: "none".to_owned(), ..settings(8) }, "there are classic"),
        (
            BreedingSettings {
                game: "go".to_owned(),
                evaluation: "area".to_owned(),
                ..settings(8)
            },
            "no weights",
        ),
        (BreedingSettings { off: vec!["x".to_owned()], ..settings(8) }, "no weight \"x\""),
    ] {
        let error = Breeder::new(&wrong, 1).map(drop).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}
