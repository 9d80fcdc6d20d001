//! Limits of time that tests shorten.

use std::time::Duration;

/// Names the limit in milliseconds. Tests set it, so that they do not wait out the usual one.
pub const VARIABLE: &str = "HEX_PATIENCE_MS";

/// This limit, or that of [`VARIABLE`] in its place.
pub fn patience(usual: Duration) -> Duration {
    let set = std::env::var(VARIABLE).ok();
    let ms = set.and_then(|ms| ms.parse().ok());
    ms.map_or(usual, Duration::from_millis)
}
