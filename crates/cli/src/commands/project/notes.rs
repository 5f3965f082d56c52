//! [`Notes`]: what goes on with several projects at once: lines that stay, and how far trees are that
//! are being stored.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cluster::project::ConductorNote;
use game::escaped;
use indicatif::{HumanCount, ProgressBar};

use crate::output::Console;

/// Where no terminal is, it is said so often how far a tree is.
const EVERY: Duration = Duration::from_secs(10);

pub(super) struct Notes<'c> {
    console: &'c Console,
    bar: ProgressBar,
    /// Trees that are being stored, by project.
    trees: Mutex<BTreeMap<String, Tree>>,
}

struct Tree {
    nodes: u64,
    told: Instant,
}

impl<'c> Notes<'c> {
    pub(super) fn new(console: &'c Console) -> Notes<'c> {
        let bar = match console.shows_progress() {
            true => ProgressBar::new_spinner(),
            false => ProgressBar::hidden(),
        };
        Notes { console, bar, trees: Mutex::default() }
    }

    pub(super) fn hear(&self, name: &str, note: ConductorNote<'_>) {
        match note {
            ConductorNote::Line(line) => {
                // Whoever says something else stores no tree any longer.
                if self.trees().remove(name).is_some() {
                    self.show();
                }
                self.line(&format!("{name}: {line}"));
            }
            ConductorNote::Stored(nodes) => {
                if let Some(line) = self.stored(name, nodes, Instant::now()) {
                    self.line(&line);
                }
                self.show();
            }
        }
    }

    pub(super) fn line(&self, line: &str) {
        self.bar.suspend(|| self.console.note(line));
    }

    /// Counts nodes; the line to say now, if there is one.
    fn stored(&self, name: &str, nodes: u64, now: Instant) -> Option<String> {
        let mut trees = self.trees();
        let tree = trees.entry(name.to_owned()).or_insert(Tree { nodes, told: now });
        tree.nodes = nodes;
        if !self.bar.is_hidden() || now.duration_since(tree.told) < EVERY {
            return None;
        }
        tree.told = now;
        Some(in_words(name, nodes))
    }

    fn show(&self) {
        let trees = self.trees();
        if trees.is_empty() {
            self.bar.finish_and_clear();
            return;
        }
        let all: Vec<String> =
            trees.iter().map(|(name, tree)| in_words(name, tree.nodes)).collect();
        self.bar.set_message(escaped(&all.join(", ")));
        self.bar.tick();
    }

    fn trees(&self) -> MutexGuard<'_, BTreeMap<String, Tree>> {
        self.trees.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Notes<'_> {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn in_words(name: &str, nodes: u64) -> String {
    format!("{name}: {} nodes of the tree are stored", HumanCount(nodes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_far_a_tree_is_is_said_now_and_then() {
        let console = Console { json: false, quiet: true, verbose: false };
        let notes = Notes::new(&console);
        let began = Instant::now();
        let at = |name: &str, seconds| {
            notes.stored(name, 10_000 * seconds, began + Duration::from_secs(seconds))
        };
        assert_eq!(at("one", 0), None);
        assert_eq!(at("one", 9), None);
        let told = at("one", 10).unwrap();
        assert_eq!(told, "one: 100,000 nodes of the tree are stored");
        assert_eq!(at("one", 11), None);
        assert_eq!(at("two", 11), None, "each has its own time");
        assert!(at("one", 21).is_some());
        notes.hear("one", ConductorNote::Line("this coordinator drives the project"));
        assert_eq!(notes.trees().len(), 1);
    }
}
