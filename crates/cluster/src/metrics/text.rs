//! [`MetricsText`]: numbers as Prometheus reads them, text format 0.0.4.

use std::fmt::{Display, Write};
use std::time::Duration;

use super::histogram::Histogram;

/// What HTTP calls the format.
pub const METRICS_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Names and values of the labels of a sample.
pub(super) type Labels<'l> = &'l [(&'l str, &'l str)];

/// A page under way: families one after the other, each with its help, its type and its samples.
#[derive(Debug, Default)]
pub(super) struct MetricsText(String);

impl MetricsText {
    /// What rises only, but for a restart. Its name ends in `_total`.
    pub(super) fn counter(&mut self, name: &str, help: &str) -> Samples<'_> {
        debug_assert!(name.ends_with("_total"), "{name}");
        self.family(name, "counter", help)
    }

    /// What rises and falls.
    pub(super) fn gauge(&mut self, name: &str, help: &str) -> Samples<'_> {
        self.family(name, "gauge", help)
    }

    /// How long something took.
    pub(super) fn histogram(&mut self, name: &str, help: &str) -> Samples<'_> {
        self.family(name, "histogram", help)
    }

    pub(super) fn finish(self) -> String {
        self.0
    }

    fn family(&mut self, name: &str, kind: &str, help: &str) -> Samples<'_> {
        let help = help.replace('\\', "\\\\").replace('\n', "\\n");
        self.push(format_args!("# HELP {name} {help}\n# TYPE {name} {kind}\n"));
        Samples { text: self, name: name.to_owned() }
    }

    fn push(&mut self, text: impl Display) {
        // A string takes everything.
        let _ = write!(self.0, "{text}");
    }
}

/// The samples of one family.
pub(super) struct Samples<'t> {
    text: &'t mut MetricsText,
    name: String,
}

impl Samples<'_> {
    pub(super) fn add(&mut self, labels: Labels<'_>, value: impl Into<Reading>) -> &mut Self {
        self.sample("", labels, &value.into());
        self
    }

    pub(super) fn add_histogram(&mut self, labels: Labels<'_>, histogram: &Histogram) -> &mut Self {
        let (buckets, count, sum) = histogram.read();
        for (limit, below) in buckets {
            let limit = limit.as_secs_f64().to_string();
            let labels = [labels, &[("le", limit.as_str())]].concat();
            self.sample("_bucket", &labels, &below.into());
        }
        self.sample("_bucket", &[labels, &[("le", "+Inf")]].concat(), &count.into());
        self.sample("_sum", labels, &sum.into());
        self.sample("_count", labels, &count.into());
        self
    }

    fn sample(&mut self, ending: &str, labels: Labels<'_>, value: &Reading) {
        let name = &self.name;
        let labels: Vec<String> =
            labels.iter().map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
        let labels = match labels.is_empty() {
            true => String::new(),
            false => format!("{{{}}}", labels.join(",")),
        };
        self.text.push(format_args!("{name}{ending}{labels} {}\n", value.0));
    }
}

/// As the format wants it: anything else may stand in a label as it is.
fn escaped(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

/// A number as it is written.
pub(super) struct Reading(String);

impl From<u64> for Reading {
    fn from(value: u64) -> Reading {
        Reading(value.to_string())
    }
}

impl From<i32> for Reading {
    fn from(value: i32) -> Reading {
        Reading(value.to_string())
    }
}

impl From<bool> for Reading {
    fn from(value: bool) -> Reading {
        Reading(u8::from(value).to_string())
    }
}

impl From<f64> for Reading {
    fn from(value: f64) -> Reading {
        Reading(match value {
            f64::INFINITY => "+Inf".to_owned(),
            f64::NEG_INFINITY => "-Inf".to_owned(),
            value => value.to_string(),
        })
    }
}

impl From<Duration> for Reading {
    fn from(value: Duration) -> Reading {
        value.as_secs_f64().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_odd_is_escaped() {
        let mut page = MetricsText::default();
        page.gauge("a_b", "one\nline \\ two").add(&[("x", "\"q\\\n"), ("y", "ä")], 1.5);
        page.counter("c_total", "more").add(&[], 7_u64).add(&[("z", "")], f64::INFINITY);
        let lines = [
            "# HELP a_b one\\nline \\\\ two",
            "# TYPE a_b gauge",
            "a_b{x=\"\\\"q\\\\\\n\",y=\"ä\"} 1.5",
            "# HELP c_total more",
            "# TYPE c_total counter",
            "c_total 7",
            "c_total{z=\"\"} +Inf",
        ];
        assert_eq!(page.finish().lines().collect::<Vec<_>>(), lines);
    }
}
