//! The queue by itself: what it hands out next, and what follows from the answers.

use game::{MarginStep, Side};
use solve::{Bounds, Finding, Manner, Question, Queue, ROOT, Sight, Tree, Unit};

const OPEN: Bounds = Bounds { lower: -1, upper: 1 };
const SLICE: u64 = 256;

fn sight(name: &str, mover: Side) -> Sight {
    Sight { name: name.to_owned(), mover, bounds: OPEN, moves: 2 }
}

fn queue(ordered: bool) -> Queue {
    Queue::new(
        Tree::new(sight("root", Side::First), Manner { ordered, step: MarginStep::ONE }),
        Question::AtLeast(1),
        SLICE,
    )
}

fn next(queue: &mut Queue) -> Unit {
    queue.lease("somebody", u64::MAX).unwrap()
}

/// Works at a place until it is cut up.
fn split(queue: &mut Queue, name: &str, children: &[Sight]) {
    loop {
        let unit = next(queue);
        assert_eq!(unit.name, name);
        if queue.is_last_try(unit.number) {
            queue.complete(unit.number, Finding::Split(children.to_vec()), unit.budget);
            return;
        }
        queue.complete(unit.number, Finding::OverBudget, unit.budget);
    }
}

fn answer(queue: &mut Queue, name: &str, holds: bool) {
    let unit = next(queue);
    assert_eq!(unit.name, name);
    queue.complete(unit.number, Finding::Holds(holds), 1);
}

/// Where moves are in order the first keeps most of the work although it has come to nothing; where they are not, all get the same.
#[test]
fn work_follows_the_order_of_the_moves() {
    for (ordered, expected) in [(true, "zzbz"), (false, "zbaz")] {
        let mut queue = queue(ordered);
        let second = |name| sight(name, Side::Second);
        split(&mut queue, "root", &["z", "b", "a"].map(second));
        let mut names = String::new();
        for _ in 0..4 {
            let unit = next(&mut queue);
            names += &unit.name;
            queue.complete(unit.number, Finding::OverBudget, unit.budget);
        }
        assert_eq!(names, expected);
    }
}

/// Once a move is refuted, the next one is the first.
#[test]
fn moves_are_refuted_one_after_the_other() {
    let mut queue = queue(true);
    let second = |name| sight(name, Side::Second);
    split(&mut queue, "root", &["z", "b", "a"].map(second));
    answer(&mut queue, "z", false);
    answer(&mut queue, "b", false);
    answer(&mut queue, "a", true);
    assert!(queue.is_answered());
    assert_eq!(queue.bounds(), Bounds { lower: 1, upper: 1 });
}

/// What a unit has found out about some moves before it came to nothing is not asked again.
#[test]
fn refuted_moves_stay_refuted() {
    let mut queue = queue(true);
    let refuted =
        Sight { bounds: Bounds { lower: -1, upper: 0 }, ..sight("refuted", Side::Second) };
    split(&mut queue, "root", &[sight("open", Side::Second), refuted]);
    assert_eq!(queue.tree().root_moves(), (1, 2));
    answer(&mut queue, "open", false);
    assert_eq!(queue.bounds(), Bounds { lower: -1, upper: 0 });
    assert!(queue.is_answered());
}

/// The same of a place that was known already by another way.
#[test]
fn what_is_learnt_of_a_known_place_is_kept() {
    let mut tree =
        Tree::new(sight("root", Side::First), Manner { ordered: true, step: MarginStep::ONE });
    let seen = sight("seen", Side::Second);
    tree.expand(ROOT, vec![seen.clone(), sight("other", Side::Second)]);
    let other = tree.find("other").unwrap();
    tree.expand(other, vec![Sight { bounds: Bounds { lower: 1, upper: 1 }, ..seen }]);
    assert_eq!(tree.bounds(), Bounds { lower: 1, upper: 1 });
}

/// Every margin is even: below -2 is at most -4.
#[test]
fn answers_count_in_steps() {
    let bounds = Bounds { lower: -36, upper: 36 };
    let root = Sight { bounds, ..sight("root", Side::First) };
    let tree = Tree::new(root, Manner { ordered: true, step: MarginStep::new(2, 0) });
    let mut queue = Queue::new(tree, Question::Value, SLICE);
    let mut asked = Vec::new();
    while let Some(unit) = queue.lease("somebody", u64::MAX) {
        asked.push(unit.at_least);
        queue.complete(unit.number, Finding::Holds(-4 >= unit.at_least), 1);
    }
    assert_eq!(asked, [2, 0, -2, -4]);
    assert_eq!(queue.bounds().exact(), Some(-4));
}
