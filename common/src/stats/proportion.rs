//! The interval of a proportion.

use super::elo::wilson_95;

/// Wilson's (1927) 95 % interval for a probability, after `hits` of `trials`. It is (0, 1) without
/// trials.
///
/// ```
/// use hex_common::stats::proportion::interval_95;
/// let (low, high) = interval_95(0, 100);
/// assert!(low == 0.0 && (0.036..0.038).contains(&high));
/// ```
pub fn interval_95(hits: u64, trials: u64) -> (f64, f64) {
    if trials == 0 {
        return (0.0, 1.0);
    }
    wilson_95(hits as f64 / trials as f64, trials as f64)
}
