//! What the server did, in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper bounds of the buckets of durations, in seconds.
const BOUNDS: [f64; 12] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0];

/// Counters since the start.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    requests: Mutex<BTreeMap<Key, Times>>,
    pub(crate) under_way: AtomicI64,
    pub(crate) connections: AtomicI64,
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    method: String,
    /// The pattern, never what was typed: the number of series is bounded.
    route: String,
    status: u16,
}

#[derive(Debug, Default)]
struct Times {
    buckets: [u64; BOUNDS.len()],
    count: u64,
    seconds: f64,
}

impl Metrics {
    /// Counts an answer.
    pub(crate) fn answered(&self, method: &str, route: &str, status: u16, took: Duration) {
        let key = Key { method: method.to_owned(), route: route.to_owned(), status };
        let seconds = took.as_secs_f64();
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let times = requests.entry(key).or_default();
        times.count += 1;
        times.seconds += seconds;
        for (bucket, bound) in times.buckets.iter_mut().zip(BOUNDS) {
            *bucket += u64::from(seconds <= bound);
        }
    }

    /// The whole text.
    pub(crate) fn text(&self) -> String {
        let mut out = String::new();
        let name = "omnigraph_http_request_duration_seconds";
        let _ = writeln!(out, "# HELP {name} From the head of a request to the head of its answer.");
        let _ = writeln!(out, "# TYPE {name} histogram");
        for (key, times) in &*self.requests.lock().unwrap_or_else(PoisonError::into_inner) {
            let Key { method, route, status } = key;
            let labels = format!("method=\"{method}\",route=\"{route}\",status=\"{status}\"");
            for (bucket, bound) in times.buckets.iter().zip(BOUNDS) {
                let _ = writeln!(out, "{name}_bucket{{{labels},le=\"{bound}\"}} {bucket}");
            }
            let _ = writeln!(out, "{name}_bucket{{{labels},le=\"+Inf\"}} {}", times.count);
            let _ = writeln!(out, "{name}_sum{{{labels}}} {}", times.seconds);
            let _ = writeln!(out, "{name}_count{{{labels}}} {}", times.count);
        }
        let resident = AtomicI64::new(resident_bytes());
        let gauges = [
            ("omnigraph_http_requests_under_way", "Requests without an answer yet.", &self.under_way),
            ("omnigraph_http_connections", "Open connections.", &self.connections),
            ("process_resident_memory_bytes", "Memory that is in use.", &resident),
        ];
        for (name, help, value) in gauges {
            let value = value.load(Ordering::Relaxed);
            let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} gauge\n{name} {value}");
        }
        out
    }
}

/// Of this process; 0 where the system does not say.
fn resident_bytes() -> i64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<i64>().ok());
    kib.unwrap_or_default() * 1024
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_in_every_bucket_that_is_wide_enough() {
        let metrics = Metrics::default();
        metrics.answered("GET", "/branches/{branch}", 200, Duration::from_millis(3));
        let text = metrics.text();
        assert!(text.contains("route=\"/branches/{branch}\",status=\"200\",le=\"0.0025\"} 0"), "{text}");
        assert!(text.contains("route=\"/branches/{branch}\",status=\"200\",le=\"0.005\"} 1"), "{text}");
        assert!(text.contains("status=\"200\",le=\"+Inf\"} 1"), "{text}");
    }
}
