//! Middles and tails of a few numbers.

use crate::child::Cost;
use std::time::Duration;

/// The middle one; of an even number, the lower of the two.
pub(crate) fn median<T: Copy + Ord + Default>(values: impl IntoIterator<Item = T>) -> T {
    percentile(values, 50)
}

/// The smallest value that at least `percent` of all are not above.
pub(crate) fn percentile<T: Copy + Ord + Default>(values: impl IntoIterator<Item = T>, percent: usize) -> T {
    let mut values: Vec<T> = values.into_iter().collect();
    values.sort_unstable();
    let rank = (values.len() * percent).div_ceil(100).max(1);
    values.get(rank - 1).copied().unwrap_or_default()
}

/// Median wall, CPU and peak, each on its own.
pub(crate) fn typical(costs: &[Cost]) -> Cost {
    Cost {
        wall: median(costs.iter().map(|cost| cost.wall)),
        cpu: median(costs.iter().map(|cost| cost.cpu)),
        peak: median(costs.iter().map(|cost| cost.peak)),
    }
}

/// How many times `part` goes into `whole`.
pub(crate) fn ratio(whole: Duration, part: Duration) -> f64 {
    whole.as_secs_f64() / part.as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_occur() {
        assert_eq!(median([3, 1, 2]), 2);
        assert_eq!(median([4, 1, 2, 3]), 2);
        assert_eq!(percentile(1..=20, 95), 19);
        assert_eq!(percentile(1..=40, 95), 38);
        assert_eq!(percentile([7], 95), 7);
        assert_eq!(median([0u32; 0]), 0);
    }
}
