//! Progress of a load on a terminal. Silent elsewhere.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use omnigraph::LoadProgress;

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

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
