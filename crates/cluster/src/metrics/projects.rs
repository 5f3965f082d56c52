//! What the record says of projects.

use super::text::{MetricsText, Reading};
use crate::project::ProjectProgress;
use crate::record::{ProjectOverview, ProjectState, RecordOverview};

const STATES: [ProjectState; 5] = [
    ProjectState::Running,
    ProjectState::Paused,
    ProjectState::Auditing,
    ProjectState::Solved,
    ProjectState::Cancelled,
];

pub(super) fn write(overview: &RecordOverview, page: &mut MetricsText) {
    let RecordOverview { projects, users, hosts, tokens } = overview;
    page.gauge("zermelo_users", "Users that were not revoked.").add(&[], *users);
    let help = "Machines that were seen in the last hour.";
    page.gauge("zermelo_hosts_active", help).add(&[], *hosts);
    page.gauge("zermelo_tokens", "Tokens of workers that are worth something.").add(&[], *tokens);
    let mut all = Family { projects, page };
    all.write_standing();
    all.write_units();
    all.write_found();
    all.write_ages();
    all.write_progress();
}

/// Families with a sample for each project.
struct Family<'f> {
    projects: &'f [ProjectOverview],
    page: &'f mut MetricsText,
}

impl Family<'_> {
    fn gauge<R: Into<Reading>>(
        &mut self,
        name: &str,
        help: &str,
        value: impl Fn(&ProjectOverview) -> Option<R>,
    ) {
        let mut samples = self.page.gauge(name, help);
        for project in self.projects {
            if let Some(value) = value(project) {
                samples.add(&[("project", &project.status.project.made_of.name)], value);
            }
        }
    }

    fn counter<R: Into<Reading>>(
        &mut self,
        name: &str,
        help: &str,
        value: impl Fn(&ProjectOverview) -> R,
    ) {
        let mut samples = self.page.counter(name, help);
        for project in self.projects {
            samples.add(&[("project", &project.status.project.made_of.name)], value(project));
        }
    }

    /// A sample for each project and each value of another label.
    fn labelled<const N: usize, R: Into<Reading>>(
        &mut self,
        (name, help, label): (&str, &str, &str),
        values: impl Fn(&ProjectOverview) -> [(&'static str, R); N],
    ) {
        let mut samples = match name.ends_with("_total") {
            true => self.page.counter(name, help),
            false => self.page.gauge(name, help),
        };
        for project in self.projects {
            let name = &project.status.project.made_of.name;
            for (kind, value) in values(project) {
                samples.add(&[("project", name), (label, kind)], value);
            }
        }
    }

    fn write_standing(&mut self) {
        let mut samples =
            self.page.gauge("zermelo_project_info", "What a project asks, and of which game.");
        for project in self.projects {
            let made = &project.status.project.made_of;
            let (game, goal) = (("game", &*made.game), ("question", &*made.goal));
            samples.add(&[("project", &made.name), game, goal], 1_u64);
        }
        let mut samples =
            self.page.gauge("zermelo_project_state", "1 for the state that a project is in.");
        for project in self.projects {
            let row = &project.status.project;
            for state in STATES {
                let labels = [("project", &*row.made_of.name), ("state", &*state.to_string())];
                samples.add(&labels, row.state == state);
            }
        }
        let help = "The fencing number: rises when a coordinator takes a project over.";
        self.gauge("zermelo_project_epoch", help, |p| Some(p.status.project.epoch));
        let help = "Batches that coordinators have written.";
        self.counter("zermelo_project_batches_total", help, |p| p.status.project.batches);
        let help = "The share of the workers' time that a project gets beside others.";
        self.gauge("zermelo_project_share", help, |p| {
            Some(u64::from(p.status.project.made_of.share))
        });
        let help = "The first player's margin is at least this, in the game's own steps.";
        let bounds = |p: &ProjectOverview| p.status.project.bounds;
        self.gauge("zermelo_project_lower_bound", help, |p| bounds(p).map(|bounds| bounds.lower));
        let help = "The first player's margin is at most this, in the game's own steps.";
        self.gauge("zermelo_project_upper_bound", help, |p| bounds(p).map(|bounds| bounds.upper));
    }

    fn write_units(&mut self) {
        let help = "Units that wait, leases, results that wait, and units that failed three times.";
        self.labelled(("zermelo_project_units", help, "state"), |p| {
            let units = p.status.units;
            [
                ("ready", units.ready),
                ("leased", units.leased),
                ("pending", units.pending),
                ("poison", units.poison),
            ]
        });
        let help = "Units that are done.";
        self.counter("zermelo_project_units_done_total", help, |p| p.status.units.done);
        let help = "Results by what was found of them.";
        self.labelled(("zermelo_project_results_total", help, "verdict"), |p| {
            let units = p.status.units;
            [("valid", units.valid), ("invalid", units.invalid), ("failed", units.failed)]
        });
        let help = "Leases that ran out and were not given to anybody else yet.";
        self.gauge("zermelo_project_leases_overdue", help, |p| Some(p.overdue));
        let help = "Units a second that were believed in the last five minutes.";
        self.gauge("zermelo_project_units_per_second", help, |p| Some(p.lately.units_per_second()));
        let help = "Nodes a second of the results that were believed in the last five minutes.";
        self.gauge("zermelo_project_nodes_per_second", help, |p| Some(p.lately.nodes_per_second()));
    }

    fn write_found(&mut self) {
        let help = "Credit that users have earned.";
        self.counter("zermelo_project_credit_total", help, |p| p.status.credit);
        let help = "Positions visited by units that were believed.";
        self.counter("zermelo_project_nodes_total", help, |p| p.status.project.nodes);
        let help = "Answers that were believed, by who vouches for them.";
        self.labelled(("zermelo_project_facts", help, "voucher"), |p| {
            let status = &p.status;
            let (one, trusted) = (status.facts_of_one, status.facts_trusted);
            [("any", status.facts), ("one_user", one), ("trusted", trusted)]
        });
        let help = "Positions that something is stored of.";
        self.gauge("zermelo_project_stored_nodes", help, |p| Some(p.status.nodes));
        let help = "Lemmas that were verified.";
        self.gauge("zermelo_project_lemmas", help, |p| Some(p.status.lemmas));
        let help = "Users that have reported something.";
        self.gauge("zermelo_project_users", help, |p| Some(p.status.users));
    }

    fn write_ages(&mut self) {
        let help = "Whether a coordinator drives a project.";
        self.gauge("zermelo_project_driven", help, |p| Some(p.silence.is_some()));
        let help = "How long ago its coordinator has written a batch; without one none is told.";
        self.gauge("zermelo_project_last_batch_age_seconds", help, |p| p.silence);
        let help = "How long the oldest result waits that no coordinator has heard of; 0 for none.";
        self.gauge("zermelo_project_oldest_delivery_age_seconds", help, |p| {
            Some(p.oldest_delivery.unwrap_or(0))
        });
        let help = "How long the oldest unit waits that somebody may have; 0 for none.";
        self.gauge("zermelo_project_oldest_unit_age_seconds", help, |p| {
            Some(p.oldest_unit.unwrap_or(0))
        });
    }

    fn write_progress(&mut self) {
        let progress = |p: &ProjectOverview| {
            p.status.project.progress.as_deref().and_then(ProjectProgress::from_json)
        };
        let help = "Nodes at the edge of the tree near the root, by their answer.";
        let mut samples = self.page.gauge("zermelo_project_frontier_nodes", help);
        for project in self.projects {
            let Some(progress) = progress(project) else { continue };
            let ProjectProgress { open, proved, disproved, .. } = progress;
            for (answer, count) in [("open", open), ("proved", proved), ("disproved", disproved)] {
                let name = &project.status.project.made_of.name;
                if let Some(count) = count {
                    samples.add(&[("project", name), ("answer", answer)], count);
                }
            }
        }
        let help =
            "Positions still to be visited for the question under way: rather more than this.";
        self.gauge("zermelo_project_nodes_left", help, |p| progress(p)?.left);
        let help = "The same: rather less than this.";
        self.gauge("zermelo_project_nodes_left_most", help, |p| progress(p)?.left_most);
        let help = "Memory of the tree near the root.";
        self.gauge("zermelo_project_tree_bytes", help, |p| progress(p).map(|p| p.tree_bytes));
    }
}
