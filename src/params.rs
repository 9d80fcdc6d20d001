//! Every number that tunes the search, in one place.

use std::time::Duration;

/// The search's tunables. [`Params::default`] is what is shipped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// What judges positions.
    #[cfg(feature = "network")]
    pub evaluator: EvaluatorKind,
    /// How moves are chosen in positions without priors.
    pub selection: Selection,
    /// Whether bridges are seen: answered in playouts, and joined to proofs of wins.
    pub bridge_use: BridgeUse,
    /// What becomes of the tree from one move to the next.
    pub tree: TreeReuse,
    /// How long AMAF statistics outweigh a move's own: the b of the schedule in [`crate::node`].
    /// 0 trusts AMAF as much as a real visit for ever, large values forget it at once. 0 or more.
    pub amaf_bias: f32,
    /// Weight of the exploration term of UCT, and of PUCT where there are priors: it favours moves with few
    /// visits. 0 or more.
    pub c_puct: f32,
    /// The network's logits of moves are divided by this before they become priors. Above 0; the larger, the
    /// sooner moves are looked at that seem worse than others; 1 takes the network at its word.
    #[cfg(feature = "network")]
    pub policy_temperature: f32,
    /// Win probability assumed for a move about which nothing is known. 0 to 1.
    pub first_play_urgency: f32,
    /// How much worse than its position an unvisited move is taken to be, where the network has seen
    /// the position. 0 to 1.
    #[cfg(feature = "network")]
    pub fpu_reduction: f32,
    /// What share of what the network was wrong by in like positions is taken from its values, see
    /// [`crate::bias`]. 0 to 1; 0 believes the network.
    #[cfg(feature = "network")]
    pub bias_correction: f32,
    /// The move played is the one whose mean evaluation less so many standard errors is highest, where the
    /// network has seen the position. 0 or more; the larger, the more visits count.
    #[cfg(feature = "network")]
    pub lcb_z: f32,
    /// Visits after which the only move not proven to lose is searched no further: enough to know its value.
    /// 1 or more.
    pub forced_visits: f32,
    /// A move gets a node of its own with this visit. 1 or more; 1 costs the most memory.
    pub expand_at_visit: f32,
    /// The most nodes held at a time; further leaves are still evaluated but not expanded.
    /// 2 or more; a node of an 11×11 board takes 2.9 kB.
    pub max_nodes: usize,
    /// Time kept in hand of every answer's limit for what the clock does not show: reading,
    /// writing, being scheduled away.
    pub margin: Duration,
    /// The same for the first answer, whose limit is ten times as long and whose memory is new.
    pub first_margin: Duration,
}

/// What judges the positions at the leaves of the tree.
#[cfg(feature = "network")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EvaluatorKind {
    /// The network; playouts where there is none.
    Network,
    /// Random playouts.
    Playouts,
}

/// How moves are chosen in positions without priors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// By the score of [`crate::node`], which mixes in AMAF statistics.
    Amaf,
    /// By UCT (Kocsis and Szepesvári 2006): mean result + exploration · √(ln N / n), moves without
    /// a visit first.
    Uct,
}

/// Whether bridges are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BridgeUse {
    /// Playouts answer intrusions, and bridges prove wins.
    Seen,
    /// A bridge is nothing but two empty cells.
    Ignored,
}

/// What becomes of the tree from one move to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeReuse {
    /// What it knows of the new position is kept.
    Kept,
    /// Every move starts from nothing.
    Dropped,
}

impl Params {
    /// The textbook's algorithm, to measure the rest against: UCT with random playouts, without
    /// AMAF, priors, bridges or a tree kept from move to move.
    pub fn plain_uct() -> Self {
        Params {
            selection: Selection::Uct,
            bridge_use: BridgeUse::Ignored,
            tree: TreeReuse::Dropped,
            c_puct: 0.5,
            ..Self::playouts_only()
        }
    }

    /// The bot without its network.
    pub fn playouts_only() -> Self {
        Params {
            #[cfg(feature = "network")]
            evaluator: EvaluatorKind::Playouts,
            ..Self::default()
        }
    }
}

impl Default for Params {
    fn default() -> Self {
        Params {
            #[cfg(feature = "network")]
            evaluator: EvaluatorKind::Network,
            selection: Selection::Amaf,
            bridge_use: BridgeUse::Seen,
            tree: TreeReuse::Kept,
            amaf_bias: 0.0005,
            c_puct: 1.0,
            #[cfg(feature = "network")]
            policy_temperature: 1.4,
            first_play_urgency: 0.5,
            #[cfg(feature = "network")]
            fpu_reduction: 0.4,
            #[cfg(feature = "network")]
            bias_correction: 0.5,
            #[cfg(feature = "network")]
            lcb_z: 2.0,
            forced_visits: 64.0,
            expand_at_visit: 1.0,
            max_nodes: 45_000,
            margin: Duration::from_millis(15),
            first_margin: Duration::from_millis(80),
        }
    }
}
