//! The numbers that tune the search, in one place, with their units and ranges.
//!
//! [`Params`] holds the numbers that experiments vary; the constants below it are fixed. Numbers
//! that belong to a formula or a shape stay in its code: the exponent 3/4 of a node's weight in its
//! bias bucket, the five by five cells of a bias pattern.

use std::ops::RangeInclusive;
use std::time::Duration;

/// A fractional field of [`Params`], for programs that vary the search.
pub struct Tunable {
    /// The field's name, with hyphens.
    pub name: &'static str,
    /// Its effect, in half a line.
    pub help: &'static str,
    /// The allowed values.
    pub range: RangeInclusive<f32>,
    /// The field itself.
    pub field: fn(&mut Params) -> &mut f32,
}

/// Declares [`Params`] with its defaults, and [`TUNABLES`]. A line has the form `field: type =
/// default`; a fractional field has its range and its help, too. `when "FEATURE"` comes before the
/// comment of a field that only builds with this feature have.
macro_rules! params {
    ($($(when $feature:literal)? $(#[doc = $doc:literal])* pub $field:ident: $type:ty = $default:expr
        $(, $range:expr, $help:literal)?;)*) => {
        /// The search's tunables. [`Params::default`] has the shipped values. [`TUNABLES`] has the
        /// ranges of the fractional ones, and access to them by name.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Params {
            $($(#[cfg(feature = $feature)])? $(#[doc = $doc])* pub $field: $type,)*
        }

        impl Default for Params {
            fn default() -> Self {
                Params {
                    $($(#[cfg(feature = $feature)])? $field: $default,)*
                }
            }
        }

        /// All fractional fields of [`Params`] with their ranges. Matches and `hex tune` vary them
        /// by name. The uploads leave the table out.
        #[cfg(feature = "network")]
        pub const TUNABLES: &[Tunable] = {
            /// The name of a field with hyphens, as bytes.
            const fn hyphenated<const L: usize>(name: &str) -> [u8; L] {
                let (mut bytes, mut at) = ([b'-'; L], 0);
                while at < L {
                    if name.as_bytes()[at] != b'_' {
                        bytes[at] = name.as_bytes()[at];
                    }
                    at += 1;
                }
                bytes
            }
            &[
                $($(Tunable {
                    name: {
                        const NAME: [u8; stringify!($field).len()] = hyphenated(stringify!($field));
                        match std::str::from_utf8(&NAME) {
                            Ok(name) => name,
                            Err(_) => stringify!($field),
                        }
                    },
                    help: $help,
                    range: $range,
                    field: |params| &mut params.$field,
                },)?)*
            ]
        };
    };
}

params! {
    when "network"
    /// The evaluator of the tree's leaves.
    pub evaluator: EvaluatorKind = EvaluatorKind::Network;
    /// How moves are chosen in positions without priors.
    pub selection: Selection = Selection::Amaf;
    /// Whether bridges are used: answered in playouts, and combined to proofs of wins.
    pub bridge_use: BridgeUse = BridgeUse::Seen;
    /// Whether the tree is kept from one move to the next.
    pub tree: TreeReuse = TreeReuse::Kept;
    /// Whether the opening book is used.
    pub opening_book: OpeningBook = OpeningBook::Used;
    /// How soon a move's own statistics replace AMAF statistics: the b of the schedule in
    /// [`crate::node::amaf`], per visit. With 0, AMAF always counts as much as real visits; large
    /// values ignore it after the first visit.
    pub amaf_bias: f32 = 0.0005,
        0.0..=1000.0, "how soon AMAF gives way to a move's own visits";
    /// Weight of the exploration term: the c of PUCT, and of UCT without priors. The larger it is,
    /// the more often moves with few visits are selected.
    pub c_puct: f32 = 1.2,
        0.0..=1000.0, "weight of exploration in PUCT and UCT";
    when "network"
    /// Divisor of the network's policy logits before the softmax. Values above 1 make priors
    /// flatter; 1 uses the logits unchanged.
    pub policy_temperature: f32 = 1.2,
        0.01..=100.0, "softmax temperature of the network's policy";
    /// Win probability assumed for a move without statistics in positions without priors.
    pub first_play_urgency: f32 = 0.5,
        0.0..=1.0, "value of an unvisited move where there are no priors";
    when "network"
    /// Win probability that is subtracted from the value of a position for its unvisited moves, in
    /// positions evaluated by the network.
    pub fpu_reduction: f32 = 0.4,
        0.0..=1.0, "how much worse than its position an unvisited move is taken to be";
    when "network"
    /// Share of a bucket's mean error by which the network's values are corrected, see
    /// [`crate::bias`]. 0 leaves them unchanged.
    pub bias_correction: f32 = 0.5,
        0.0..=1.0, "share of the errors in like positions that is taken from values";
    when "network"
    /// Standard errors subtracted from a move's mean value when the best move is chosen (its lower
    /// confidence bound), in positions evaluated by the network. The larger it is, the more visits
    /// count.
    pub lcb_z: f32 = 2.0,
        0.0..=1000.0, "standard errors below the mean at which moves are compared at the end";
    /// Visits after which the only move that is not proven to lose is not searched any more: enough
    /// to know its value.
    pub forced_visits: f32 = 64.0,
        1.0..=1_000_000.0, "visits after which an only move is searched no further";
    /// The visit with which a move gets a node of its own. 1 takes the most memory.
    pub expand_at_visit: f32 = 1.0,
        1.0..=1_000_000.0, "visit with which a move gets a node of its own";
    /// The most nodes at a time: 1 or more, or 0 for a search that only evaluates leaves of another
    /// one. When the tree is full, leaves are not expanded any more; with the feature `long-search`
    /// and the network, at least half of the nodes are freed instead. A node of an 11×11 board
    /// takes 2.0 kB, with playouts 3.0 kB.
    pub max_nodes: usize = MAX_NODES;
    /// Safety margin of every answer's limit, 0 or more, for delays outside our clock: reading,
    /// writing, waiting for a processor.
    pub margin: Duration = Duration::from_millis(15);
    /// Safety margin of the first answer, whose limit is ten times as long and whose memory is not
    /// yet allocated.
    pub first_margin: Duration = Duration::from_millis(80);
}

#[cfg(feature = "network")]
const MAX_NODES: usize = 65_000;
#[cfg(not(feature = "network"))]
const MAX_NODES: usize = PLAYOUT_NODES;

/// [`Params::max_nodes`] of a search by playouts, whose nodes take more memory.
const PLAYOUT_NODES: usize = 45_000;

/// The weight of the first-play urgency in visits, above 0: small enough that one playout outweighs
/// it.
pub const FPU_VISITS: f32 = 1e-3;

/// The least share, 0 to 1, of the most visited move's visits that a move needs to be played for
/// its lower confidence bound.
pub const LCB_MIN_VISIT_SHARE: f32 = 0.15;

/// The least variance, 0 to 0.25, of one evaluation of a move, even if all were equal.
pub const LCB_MIN_VARIANCE: f32 = 0.02;

/// An evaluation that takes longer than this is slow. A search may end late by one evaluation, for
/// which [`Params::margin`] has to suffice. The network takes 0.03 ms; even with this time, eight
/// evaluations a move, it is far stronger than playouts.
pub const SLOW_EVALUATION: Duration = Duration::from_millis(10);

/// After this number of slow evaluations in a row, 1 or more, the evaluator has to degrade.
pub const MAX_SLOW_EVALUATIONS: u32 = 4;

/// The intended time between two readings of the clock.
pub const CLOCK_RESOLUTION: Duration = Duration::from_micros(100);

/// The most simulations, 1 or more, between two readings of the clock. Limits the delay when
/// simulations suddenly become slow.
pub const MAX_CLOCK_STRIDE: u64 = 32;

/// After subtracting margin and lag, an answer keeps at least its limit divided by this, 1 or more.
pub const MAX_LIMIT_CUT: u32 = 2;

/// Blue swaps if Red's win probability after the first stone is above this, 0 to 1.
pub const SWAP_ABOVE: f32 = 0.5;

/// The evaluator of the tree's leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluatorKind {
    /// The network; playouts if it is missing.
    Network,
    /// Random playouts.
    Playouts,
}

/// How moves are chosen in positions without priors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// By the score of [`crate::node::amaf`], which includes AMAF statistics.
    Amaf,
    /// By UCT (Kocsis and Szepesvári 2006): mean result + c · √(ln N / n) with c = `c_puct`, moves
    /// without a visit first.
    Uct,
}

/// Whether bridges are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BridgeUse {
    /// Playouts answer intrusions, and bridges prove wins.
    Seen,
    /// Bridges have no effect.
    Ignored,
}

/// Whether the tree is kept from one move to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeReuse {
    /// The part that follows the new position is kept.
    Kept,
    /// Every search starts with an empty tree.
    Dropped,
}

/// Whether the opening book is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpeningBook {
    /// Its answer is played if it has one.
    Used,
    /// The same with the book of the uploads that have no room for the large one.
    #[cfg(feature = "large-book")]
    Small,
    /// Only the first move and the swap need no search.
    Ignored,
}

impl Params {
    /// The textbook's algorithm, as a baseline: UCT with random playouts, without AMAF, priors,
    /// bridges, an opening book or a tree kept from move to move.
    pub fn plain_uct() -> Self {
        Params {
            selection: Selection::Uct,
            bridge_use: BridgeUse::Ignored,
            tree: TreeReuse::Dropped,
            opening_book: OpeningBook::Ignored,
            c_puct: 0.5,
            ..Self::playouts_only()
        }
    }

    /// The bot without its network.
    pub fn playouts_only() -> Self {
        Params {
            #[cfg(feature = "network")]
            evaluator: EvaluatorKind::Playouts,
            max_nodes: PLAYOUT_NODES,
            ..Self::default()
        }
    }
}
