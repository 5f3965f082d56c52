//! The tree near the root: its memory, and what leaves it.

use game::{MarginStep, Rng, Side};
use solve::tree::{FrontierCounts, Manner, NodeId, ROOT, Sight, Tree};
use solve::{Bounds, NodeName};

const OPEN: Bounds = Bounds { lower: -36, upper: 36 };

fn sight(number: u64, mover: Side) -> Sight {
    // As long as a packed position of Reversi on 6x6.
    let name = game::mix(number).to_le_bytes();
    Sight { name: NodeName::new(name), mover, bounds: OPEN, moves: 8, outlook: None }
}

fn tree(nodes: usize, seed: u64) -> Tree {
    let manner = Manner { ordered: true, step: MarginStep::ONE };
    let mut tree = Tree::new(&sight(0, Side::First), manner);
    tree.ask(0, Some(1));
    let (mut rng, mut next) = (Rng::new(seed), 1);
    let mut leaves: Vec<NodeId> = vec![ROOT];
    while tree.len() < nodes {
        let leaf = leaves.swap_remove(rng.below(leaves.len()));
        let mover = tree.mover(leaf).other();
        let before = tree.len();
        let children: Vec<Sight> = (0..8)
            .map(|_| {
                // Now and then somewhere that is known already.
                let number = if rng.below(5) == 0 { rng.next_u64() % next } else { next };
                next += u64::from(number == next);
                sight(number, mover)
            })
            .collect();
        tree.expand(leaf, &children).unwrap();
        leaves.extend(before as NodeId..tree.len() as NodeId);
    }
    tree
}

#[test]
fn a_node_takes_few_bytes() {
    let tree = tree(300_000, 1);
    let bytes = tree.bytes() as f64 / tree.len() as f64;
    assert!(bytes <= 100.0, "{bytes} bytes a node");
}

/// What is answered leaves, what is open stays, and the next leaf is the same.
#[test]
fn answered_subtrees_are_removed() {
    let mut tree = tree(5_000, 2);
    let mut rng = Rng::new(3);
    for _ in 0..2_000 {
        let Some(leaf) = tree.most_promising(0) else { break };
        let holds = rng.below(2) == 0;
        tree.narrow(
            leaf,
            if holds { Bounds { lower: 1, upper: 36 } } else { Bounds { lower: -36, upper: 0 } },
        );
    }
    tree.take_changed();
    let (before, bounds) = (tree.len(), tree.bounds(ROOT));
    let next = tree.most_promising(0).map(|leaf| tree.name(leaf).to_vec());
    let names: Vec<Vec<u8>> = (0..before as NodeId).map(|node| tree.name(node).to_vec()).collect();
    let new = tree.collect();
    assert!(tree.len() < before, "{} of {before}", tree.len());
    assert_eq!(tree.bounds(ROOT), bounds);
    assert_eq!(tree.most_promising(0).map(|leaf| tree.name(leaf).to_vec()), next);
    for (old, new) in new.iter().enumerate() {
        assert_eq!(tree.find(&names[old]), *new);
    }
}

/// What is left is below one move of the side that gets what it wants, and below all of the other.
#[test]
fn the_frontier_is_what_an_answer_still_needs() {
    let manner = Manner { ordered: false, step: MarginStep::ONE };
    let mut tree = Tree::new(&sight(0, Side::First), manner);
    assert_eq!(tree.frontier(0, 9), None);
    tree.ask(0, Some(1));
    assert_eq!(tree.frontier(0, 9), Some(vec![ROOT]));
    let children = [1, 2].map(|number| sight(number, Side::Second));
    tree.expand(ROOT, &children).unwrap();
    let replies = [3, 4, 5].map(|number| sight(number, Side::First));
    tree.expand(1, &replies).unwrap();
    let mut leaves = tree.frontier(0, 9).unwrap();
    leaves.sort_unstable();
    assert_eq!(leaves, [3, 4, 5]);
    assert_eq!(tree.frontier(0, 2), None);
    let counted = |tree: &Tree, most| tree.frontier_counts(0, most);
    let all_open = FrontierCounts { open: 4, proved: 0, disproved: 0 };
    assert_eq!((counted(&tree, 9), counted(&tree, 3)), (Some(all_open), None));
    tree.narrow(4, Bounds { lower: 1, upper: 36 });
    assert_eq!(tree.frontier(0, 9).map(|leaves| leaves.len()), Some(2));
    assert_eq!(counted(&tree, 9), Some(FrontierCounts { open: 3, proved: 1, disproved: 0 }));
    // What is below an answered node is nobody's business any longer.
    tree.narrow(1, Bounds { lower: -36, upper: 0 });
    assert_eq!(counted(&tree, 9), Some(FrontierCounts { open: 1, proved: 0, disproved: 1 }));
    tree.ask(0, None);
    assert_eq!(counted(&tree, 9), None);
}

/// While somebody works at a move of the side that gets what it wants, others work at what an answer
/// needs besides, and only then at what may take the place of that move.
#[test]
fn work_that_is_needed_comes_first() {
    let manner = Manner { ordered: true, step: MarginStep::ONE };
    let mut tree = Tree::new(&sight(0, Side::First), manner);
    tree.ask(0, Some(1));
    tree.expand(ROOT, &[1, 2].map(|number| sight(number, Side::Second))).unwrap();
    tree.expand(1, &[3, 4].map(|number| sight(number, Side::First))).unwrap();
    tree.expand(3, &[5, 6].map(|number| sight(number, Side::Second))).unwrap();
    let numbers = tree.numbers(0, ROOT);
    assert!(numbers.proof > numbers.disproof, "the second player gets what it wants: {numbers:?}");
    let mut found = Vec::new();
    while let Some(node) = tree.most_promising(0) {
        tree.set_leased(0, node, true);
        found.push(node);
    }
    // The first player has two moves at the root; to one of them the second has two replies, of which
    // one is enough.
    let place = |node: NodeId| found.iter().position(|&at| at == node).unwrap();
    let instead: &[NodeId] = if place(4) < place(5) { &[5, 6] } else { &[4] };
    assert!(instead.iter().all(|&node| place(node) > place(2)), "{found:?}");
    found.sort_unstable();
    assert_eq!(found, [2, 4, 5, 6]);
}

/// An evaluation says which of two moves is tried first, and where moves are in order it says nothing.
#[test]
fn first_numbers_follow_the_outlook() {
    for (ordered, first) in [(false, 2), (true, 1)] {
        let manner = Manner { ordered, step: MarginStep::ONE };
        let mut tree = Tree::new(&sight(0, Side::First), manner);
        tree.ask(0, Some(5));
        let child =
            |number, outlook| Sight { outlook: Some(outlook), ..sight(number, Side::Second) };
        tree.expand(ROOT, &[child(1, -3), child(2, 7)]).unwrap();
        assert_eq!(tree.most_promising(0), Some(first));
        tree.ask(0, Some(-10));
        assert_eq!(tree.most_promising(0), Some(1), "neither is in doubt");
    }
}
