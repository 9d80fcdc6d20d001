//! Every number that tunes the search, in one place.

use std::time::Duration;

/// The search's tunables. [`Params::default`] is what is shipped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// How long AMAF statistics outweigh a move's own: the b of the schedule in [`crate::tree`].
    /// 0 trusts AMAF as much as a real visit for ever, large values forget it at once. 0 or more.
    pub amaf_bias: f32,
    /// Weight of the exploration term, which favours moves with a high prior and few visits.
    /// 0 or more.
    pub exploration: f32,
    /// Win probability assumed for a move about which nothing is known. 0 to 1.
    pub first_play_urgency: f32,
    /// A move gets a node of its own with this visit. 1 or more; 1 costs the most memory.
    pub expand_at_visit: f32,
    /// The most nodes held at a time; further leaves are still evaluated but not expanded.
    /// 2 or more; a node of an 11×11 board takes 2.9 kB.
    pub max_nodes: usize,
    /// Time kept in hand of every answer's limit for what the clock does not show: reading,
    /// writing, being scheduled away.
    pub margin: Duration,
}

impl Default for Params {
    fn default() -> Self {
        Params {
            amaf_bias: 0.0005,
            exploration: 0.0,
            first_play_urgency: 0.5,
            expand_at_visit: 1.0,
            max_nodes: 60_000,
            margin: Duration::from_millis(12),
        }
    }
}
