//! What is left of a budget. Every part is counted as the JSON it becomes, so that the whole answer stays below.

use super::tokens::tokens;
use serde::Serialize;

pub(super) struct Budget {
    max: usize,
    used: usize,
}

impl Budget {
    /// A budget of `max` tokens, less what the empty answer takes.
    pub(super) fn new(max: usize, empty: &impl Serialize) -> Budget {
        Budget { max, used: cost(empty) }
    }

    /// Takes the room for a part, if there is enough.
    pub(super) fn take(&mut self, part: &impl Serialize) -> bool {
        let cost = cost(part);
        let fits = self.used + cost <= self.max;
        if fits {
            self.used += cost;
        }
        fits
    }

    /// Takes the room for a part in place of another, if there is enough.
    pub(super) fn replace(&mut self, old: &impl Serialize, new: &impl Serialize) -> bool {
        let used = self.used - cost(old);
        let fits = used + cost(new) <= self.max;
        if fits {
            self.used = used + cost(new);
        }
        fits
    }

    pub(super) fn used(&self) -> usize {
        self.used
    }
}

/// The tokens of a part with the comma behind it.
fn cost(part: &impl Serialize) -> usize {
    tokens(&serde_json::to_string(part).unwrap_or_default()) + 1
}
