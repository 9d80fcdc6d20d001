//! The interval of a proportion.

use super::elo::Z_95;

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
    let (n, z2) = (trials as f64, Z_95 * Z_95);
    let share = hits as f64 / n;
    let center = share + z2 / (2.0 * n);
    let half = Z_95 * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    // With a share of 0 or 1 the interval ends exactly there; rounding could move it.
    let low = if hits == 0 {
        0.0
    } else {
        (center - half) / scale
    };
    let high = if hits == trials {
        1.0
    } else {
        (center + half) / scale
    };
    (low, high)
}
