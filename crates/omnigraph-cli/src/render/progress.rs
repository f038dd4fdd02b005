//! Progress of long work on a terminal. Silent elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use omnigraph::{LoadProgress, Progress};

/// A bar on standard error, drawn only when that is a terminal.
pub(crate) struct Bar {
    bar: ProgressBar,
}

impl Bar {
    /// For a file of so many bytes.
    pub(crate) fn new(bytes: u64) -> Bar {
        let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::stderr_with_hz(10));
        let template = "loading {bar:30} {bytes}/{total_bytes} {msg} {eta} left";
        bar.set_style(
            ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        Bar { bar }
    }

    pub(crate) fn show(&self, progress: LoadProgress) {
        self.bar.set_position(progress.bytes);
        self.bar.set_message(format!("{} rows", progress.rows));
    }

    /// Of a file that a server loads: what it does with the rows cannot be seen.
    pub(crate) fn sent(&self, bytes: u64) {
        self.bar.set_position(bytes);
        self.bar.set_message("sent");
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A bar for work that is counted in something else than bytes.
pub(crate) struct Work {
    bar: ProgressBar,
}

impl Work {
    /// Counted in this unit.
    pub(crate) fn new(unit: &str) -> Work {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(10));
        let template = format!("{{msg}} {{bar:30}} {{pos}}/{{len}} {unit}");
        bar.set_style(
            ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar()),
        );
        Work { bar }
    }

    pub(crate) fn show(&self, progress: &Progress<'_>) {
        self.bar.set_length(progress.total);
        self.bar.set_position(progress.done);
        self.bar.set_message(progress.what.to_owned());
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
