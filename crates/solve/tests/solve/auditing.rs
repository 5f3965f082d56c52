//! What an answer rests on.

use game::Side;
use solve::coordinator::{Coordinator, ProjectId, ProjectStanding};
use solve::simulation::RandomGame;
use solve::tree::{ROOT, Tree};
use solve::{Bounds, Goal, Method, Plan, SolverRules};

use crate::circles::{Graph, plan};
use crate::coordinating::honest;

/// A tree that knows where all nodes of a graph lead.
fn whole(graph: &Graph, names: &[&str]) -> Tree {
    let root = graph.sight(&graph.root()).unwrap();
    let mut tree = Tree::new(&root, graph.manner(Method::BestFirst));
    tree.ask(0, Some(1));
    for name in names {
        let node = tree.find(name.as_bytes()).unwrap();
        let children = graph.children(&graph.read(name).unwrap(), &[]).unwrap();
        let sights: Vec<_> = children.into_iter().map(|child| child.sight).collect();
        tree.expand(node, &sights).unwrap();
    }
    tree
}

#[test]
fn a_proof_has_parts() {
    use Side::{First, Second};
    let graph = Graph::new(&[
        ("root", First, &["a", "b"]),
        ("a", Second, &["root", "first"]),
        ("b", Second, &["c", "first"]),
        ("c", First, &["first", "root"]),
    ]);
    let mut tree = whole(&graph, &["root", "a", "b"]);
    assert_eq!(tree.rests_on(1), None, "nothing is answered yet");
    let c = tree.find(b"c").unwrap();
    tree.narrow(c, Bounds { lower: 1, upper: 1 });
    let parts = tree.rests_on(1).unwrap();
    // The root by b, and b by c, which was found out, and by the end of the game.
    assert_eq!((parts.inner.len(), parts.facts, parts.ends.len()), (2, vec![c], 1));
}

/// A circle justifies nobody, even if bounds were made up that say so.
#[test]
fn a_made_up_circle_is_seen() {
    let graph = Graph::new(&[("root", Side::First, &["a"]), ("a", Side::Second, &["root"])]);
    let mut tree = whole(&graph, &["root", "a"]);
    let a = tree.find(b"a").unwrap();
    tree.narrow(a, Bounds { lower: 1, upper: 1 });
    assert_eq!(tree.bounds(ROOT), Bounds::exactly(1));
    // Each says that it follows from the other.
    assert_eq!(tree.rests_on(1), None);
}

/// Only few of the facts are part of the proof, and all that are have the right answer.
#[test]
fn proofs_of_random_games() {
    for seed in 0..30 {
        let game = RandomGame { seed, plies: 9, limit: 1, root_bits: 26.0, first_is_right: 0.6 };
        let plan = Plan { budget: 4096, slice: 4096, ..plan(Method::AlphaBeta) };
        let project = ProjectId { project: 0, incarnation: 1 };
        let mut coordinator = Coordinator::new(&game, Goal::AtLeast(1), plan, project, 1).unwrap();
        let mut events = Vec::new();
        while *coordinator.standing() == ProjectStanding::Open {
            let batch = coordinator.step(0, &events, 3);
            events = batch.units.iter().map(|new| honest(&game, &new.unit, 0, 0)).collect();
        }
        let tree = coordinator.tree();
        let parts = tree.rests_on(1).unwrap();
        assert!(!parts.facts.is_empty() && parts.facts.len() < tree.len());
        for node in parts.facts {
            let truth = game.truth(&solve::NodeName::new(tree.name(node))).unwrap();
            assert_eq!(tree.bounds(node).answer(1), Some(truth >= 1));
        }
    }
}
