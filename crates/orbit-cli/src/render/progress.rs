//! Progress on a terminal: one bar that goes through both passes. Silent elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use orbit_graph::{Phase, Progress};

/// A bar on standard error, drawn only when that is a terminal.
pub(crate) struct Bar {
    bar: ProgressBar,
}

impl Bar {
    pub(crate) fn new() -> Bar {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        let style = ProgressStyle::with_template("{msg:>10} {bar:30} {pos}/{len} files")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style);
        Bar { bar }
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl orbit_history::HistoryProgress for Bar {
    fn start(&self, total: usize) {
        self.bar.set_length(total as u64);
        self.bar.set_position(0);
        self.bar.set_message("commits");
        let style = ProgressStyle::with_template("{msg:>10} {bar:30} {pos}/{len} {per_sec} {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        self.bar.set_style(style);
    }

    fn advance(&self, commits: usize) {
        self.bar.inc(commits as u64);
    }
}

impl Progress for Bar {
    fn start(&self, phase: Phase, total: usize) {
        self.bar.set_length(total as u64);
        self.bar.set_position(0);
        self.bar.set_message(match phase {
            Phase::Extract => "extracting",
            Phase::Resolve => "resolving",
        });
    }

    fn advance(&self, steps: usize) {
        self.bar.inc(steps as u64);
    }
}
