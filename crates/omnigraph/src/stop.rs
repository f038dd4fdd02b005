//! Ending work from outside: whoever waits for an answer may not want it any more.

use crate::error::{Error, Result};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many steps of a loop go by between two looks.
const STEPS: u32 = 1024;

/// Ends the work of every graph that has it, from any thread. Nothing of what is under way is committed.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Ends the work. It ends when it looks next, not at once.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody ended it.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Fails when somebody ended it.
    pub(crate) fn check(&self) -> Result<()> {
        if self.is_stopped() { Err(Error::Stopped) } else { Ok(()) }
    }

    /// For loops with small steps: looks now and then.
    pub(crate) fn check_at(&self, step: u32) -> Result<()> {
        if step.is_multiple_of(STEPS) { self.check() } else { Ok(()) }
    }
}
