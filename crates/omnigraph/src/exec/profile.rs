//! Rows and time by operator, for `explain --analyze`.

use std::time::{Duration, Instant};

/// What an operator did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OpProfile {
    /// That came out of it.
    pub(crate) rows: usize,
    /// Spent in it.
    pub(crate) time: Duration,
}

/// By place of the operators in the plan.
#[derive(Clone, Debug, Default)]
pub(crate) struct Profile {
    pub(crate) ops: Vec<OpProfile>,
}

impl Profile {
    fn op(&mut self, at: usize) -> &mut OpProfile {
        if self.ops.len() <= at {
            self.ops.resize(at + 1, OpProfile::default());
        }
        &mut self.ops[at]
    }

    pub(crate) fn rows(&mut self, at: usize, rows: usize) {
        self.op(at).rows += rows;
    }

    pub(crate) fn time<T>(&mut self, at: usize, work: impl FnOnce(&mut Profile) -> T) -> T {
        let start = Instant::now();
        let done = work(self);
        self.op(at).time += start.elapsed();
        done
    }
}
