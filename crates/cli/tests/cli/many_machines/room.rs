//! How fast a tree is stored in PostgreSQL, and how much room it takes: the table of a report of
//! 2008, measured again. Not a test: it only prints.
//!
//! ```text
//! cargo nextest run --cargo-profile release -p zermelo --all-features --test cli \
//!     --run-ignored only --no-capture -E 'test(room_of)'
//! ```
//!
//! `ZERMELO_ROOM_DEPTHS` (default `8,9,10`) says how deep the trees of `reversi:8x8` are.

use std::time::Instant;

use super::postgres::Server;
use super::processes::{answer, ended_children_seconds, processor_seconds_of};

#[test]
#[ignore = "it only prints"]
fn room_of_nodes_in_postgresql() {
    let Some(server) = Server::start() else { return };
    let depths = std::env::var("ZERMELO_ROOM_DEPTHS").unwrap_or_else(|_| "8,9,10".to_owned());
    println!(
        "| depth | nodes | seconds | nodes/s | processor s, program | PostgreSQL | bytes a node \
         | after VACUUM FULL | bare | blow-up | VACUUM FULL s | selecting one ms |\n{}|",
        "|---".repeat(12)
    );
    for depth in depths.split(',') {
        let database = format!("depth{depth}");
        let store = server.database(&database);
        let before = (ended_children_seconds(), processor_seconds_of(&server));
        let began = Instant::now();
        let create = ["project", "create", "tree", "reversi:8x8", "--depth", depth];
        let made = answer(&[&create[..], &["--store", &store]].concat());
        let seconds = began.elapsed().as_secs_f64();
        let spent = (ended_children_seconds() - before.0, processor_seconds_of(&server) - before.1);
        let nodes = made["generated"]["stored"].as_f64().unwrap();
        let number = |statement: &str| {
            server.query(&database, statement).unwrap()[0][0].parse::<f64>().unwrap()
        };
        let size = "SELECT pg_total_relation_size('nodes')";
        // A position, and what is known of it.
        let bare = number(
            "SELECT sum(octet_length(name) + octet_length(state)
             + coalesce(octet_length(moves), 0)) FROM nodes",
        );
        let fresh = number(size);
        let began = Instant::now();
        server.query(&database, "VACUUM FULL nodes").unwrap();
        let vacuum = began.elapsed().as_secs_f64();
        let full = number(size);
        let explained = server.query(
            &database,
            "EXPLAIN (ANALYZE, TIMING OFF) SELECT state FROM nodes
             WHERE (project, name) = (SELECT project, name FROM nodes OFFSET 12345 LIMIT 1)",
        );
        let explained = explained.unwrap().into_iter().flatten();
        let took = explained.filter_map(|line| {
            line.strip_prefix("Execution Time: ")?.strip_suffix(" ms")?.parse::<f64>().ok()
        });
        println!(
            "| {depth} | {nodes} | {seconds:.1} | {:.0} | {:.1} | {:.1} | {:.0} | {:.0} | {:.0} \
             | {:.1} | {vacuum:.1} | {:.1} |",
            nodes / seconds,
            spent.0,
            spent.1,
            fresh / nodes,
            full / nodes,
            bare / nodes,
            full / bare,
            took.sum::<f64>()
        );
    }
}
