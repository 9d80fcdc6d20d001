//! The rules that both kinds of games for training have in common.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// How positions are searched, and when players resign. The units are simulations and shares, so
/// that a seed gives the same game on every machine.
pub(crate) struct CommonRules {
    /// Simulations of a search for training data.
    pub(crate) simulations: u64,
    /// Simulations of a search only for the next move.
    pub(crate) fast_simulations: u64,
    /// The share of the priors that a search for training data spreads over random cells, so that
    /// the network learns which moves it overlooks.
    pub(crate) noise_share: f32,
    /// Positions of the tree with at least this many visits are training data too.
    pub(crate) tree_visits: u32,
    /// A side whose win probability falls below this resigns.
    pub(crate) resign: f32,
    /// The share of games without resignation.
    pub(crate) control: f64,
}

impl CommonRules {
    /// The number of random cells that get a share of the priors.
    pub(crate) const NOISE_CELLS: usize = 4;

    /// Simulations before noise is added to the priors. After them the position has its node.
    pub(crate) const BEFORE_NOISE: u64 = 16;

    /// Positions with a win probability below this, 0 to 0.5, or above its complement are no
    /// training data, because decided positions teach little.
    const DECIDED: f32 = 0.01;

    /// Returns true if a position with this value of its search is open enough for training data.
    pub(crate) fn is_open(value: f32) -> bool {
        (Self::DECIDED..=1.0 - Self::DECIDED).contains(&value)
    }

    /// Draws whether players may resign in a game.
    pub(crate) fn may_resign(&self, rng: &mut Xoshiro256PlusPlus) -> bool {
        !rng.random_bool(self.control)
    }
}
