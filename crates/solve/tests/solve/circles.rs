//! A game as a list of nodes, with cycles: play that goes round proves nothing, and hangs nothing.

use std::collections::BTreeMap;

use game::{MarginStep, Side, TextError};
use solve::coordinator::{Coordinator, ProjectId, ProjectStanding};
use solve::message::SolverVersion;
use solve::tree::{Manner, ROOT, Sight, Tree};
use solve::{
    Bounds, Child, Goal, Measures, Method, NodeName, Plan, Searched, SolverRules, TrustPlan, With,
};

/// Where nodes lead, by their names; a name without an entry is the end of the game, won by whom it
/// names.
pub(crate) struct Graph {
    nodes: BTreeMap<&'static str, (Side, Vec<&'static str>)>,
}

impl Graph {
    pub(crate) fn new(nodes: &[(&'static str, Side, &[&'static str])]) -> Graph {
        let node = |&(name, mover, to): &(&'static str, Side, &[&'static str])| {
            (name, (mover, to.to_vec()))
        };
        Graph { nodes: nodes.iter().map(node).collect() }
    }

    fn seen(&self, name: &str) -> Sight {
        let node = self.nodes.get(name);
        let margin = if name == "first" { 1 } else { -1 };
        Sight {
            name: NodeName::new(name.as_bytes()),
            mover: node.map_or(Side::First, |node| node.0),
            bounds: match node {
                Some(_) => Bounds { lower: -1, upper: 1 },
                None => Bounds::exactly(margin),
            },
            moves: node.map_or(0, |node| node.1.len() as u16),
            outlook: None,
        }
    }

    fn text_of(name: &NodeName) -> String {
        String::from_utf8(name.as_bytes().to_vec()).unwrap()
    }
}

impl SolverRules for Graph {
    fn game(&self) -> String {
        "graph".to_owned()
    }
    fn root_text(&self) -> String {
        "root".to_owned()
    }
    fn version(&self) -> SolverVersion {
        SolverVersion(1)
    }
    fn root(&self) -> NodeName {
        NodeName::new(*b"root")
    }
    fn margin_limit(&self) -> i32 {
        1
    }
    fn manner(&self, _: Method) -> Manner {
        Manner { ordered: false, step: MarginStep::ONE }
    }
    fn text(&self, name: &NodeName) -> Result<String, TextError> {
        Ok(Graph::text_of(name))
    }
    fn read(&self, text: &str) -> Result<NodeName, TextError> {
        Ok(NodeName::new(text.as_bytes()))
    }
    fn sight(&self, name: &NodeName) -> Result<Sight, TextError> {
        Ok(self.seen(&Graph::text_of(name)))
    }
    fn measures(&self, _: &NodeName) -> Result<Measures, TextError> {
        Ok(Measures::default())
    }
    fn children(&self, name: &NodeName, order: &[u16]) -> Result<Vec<Child>, TextError> {
        let all = &self.nodes[&*Graph::text_of(name)].1;
        let places = order.iter().copied().chain(0..all.len() as u16);
        let mut found: Vec<Child> = Vec::new();
        for place in places.filter(|&place| usize::from(place) < all.len()) {
            if found.iter().all(|child| child.place != place) {
                found.push(Child { place, sight: self.seen(all[usize::from(place)]) });
            }
        }
        Ok(found)
    }
    fn search(
        &self,
        _: &NodeName,
        _: i32,
        _: u64,
        _: &mut With<'_>,
    ) -> Result<Searched, TextError> {
        Ok(Searched { nodes: 1, ..Searched::default() })
    }
}

pub(crate) fn plan(method: Method) -> Plan {
    Plan {
        method,
        budget: 1,
        slice: 1,
        table_megabytes: 1,
        keep_table: false,
        solver: SolverVersion(1),
        second_share: 0,
        while_leased: Default::default(),
        memory: usize::MAX,
        trust: TrustPlan::OWN,
        lemmas: None,
    }
}

/// Looks at every node once, best first, until nothing is left.
fn looked_at(graph: &Graph, goal: Goal) -> (ProjectStanding, Bounds) {
    let project = ProjectId { project: 0, incarnation: 1 };
    let mut coordinator =
        Coordinator::new(graph, goal, plan(Method::BestFirst), project, 1).unwrap();
    let mut events = Vec::new();
    for _ in 0..100 {
        let batch = coordinator.step(0, &events, 1);
        events.clear();
        for new in &batch.units {
            events.push(crate::coordinating::honest(graph, &new.unit, 0, 0));
        }
        if *coordinator.standing() != ProjectStanding::Open {
            break;
        }
    }
    (coordinator.standing().clone(), coordinator.bounds())
}

/// Both may go round for ever: nobody can force anything, and that is found out.
#[test]
fn going_round_proves_nothing() {
    use Side::{First, Second};
    let round = Graph::new(&[
        ("root", First, &["a", "second"]),
        ("a", Second, &["b", "first"]),
        ("b", First, &["c", "second"]),
        ("c", Second, &["root", "first"]),
    ]);
    for goal in [Goal::AtLeast(1), Goal::AtLeast(0), Goal::Value] {
        let (standing, bounds) = looked_at(&round, goal);
        assert_eq!(standing, ProjectStanding::Undecided, "{goal}");
        assert_eq!(bounds, Bounds { lower: -1, upper: 1 });
    }
}

/// A way out of the circle is found, and it is the only thing that counts.
#[test]
fn a_way_out_of_a_circle_is_a_proof() {
    use Side::{First, Second};
    let out = Graph::new(&[
        ("root", First, &["a"]),
        ("a", Second, &["b"]),
        ("b", First, &["root", "d"]),
        ("d", Second, &["first"]),
    ]);
    let (standing, bounds) = looked_at(&out, Goal::Value);
    assert_eq!((standing, bounds), (ProjectStanding::Answered, Bounds::exactly(1)));
    let trap = Graph::new(&[
        ("root", First, &["a", "b"]),
        ("a", Second, &["root", "second"]),
        ("b", Second, &["second", "root"]),
    ]);
    let (standing, bounds) = looked_at(&trap, Goal::AtLeast(1));
    assert_eq!((standing, bounds.answer(1)), (ProjectStanding::Answered, Some(false)));
}

/// The descent of a tree with a cycle ends, whoever works where.
#[test]
fn descents_end() {
    use Side::{First, Second};
    let round = Graph::new(&[("root", First, &["a", "b"]), ("a", Second, &["root", "b"])]);
    let mut tree = Tree::new(&round.seen("root"), round.manner(Method::BestFirst));
    tree.ask(0, Some(1));
    for name in ["root", "a"] {
        let node = tree.find(name.as_bytes()).unwrap();
        let children = round.children(&NodeName::new(name.as_bytes()), &[]).unwrap();
        let sights: Vec<Sight> = children
            .into_iter()
            .map(|child| Sight { bounds: Bounds { lower: -1, upper: 1 }, ..child.sight })
            .collect();
        tree.expand(node, &sights).unwrap();
    }
    let b = tree.find(b"b").unwrap();
    assert_eq!(tree.most_promising(0), Some(b));
    tree.set_leased(0, b, true);
    assert_eq!(tree.most_promising(0), None);
    tree.set_leased(0, b, false);
    assert_eq!(tree.most_promising(0), Some(b));
    assert!(tree.matters(0, b) && tree.matters(0, ROOT));
}
