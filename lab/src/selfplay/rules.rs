//! What both kinds of games for training have in common.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// How positions are searched and when games are resigned. Everything is in simulations and
/// shares, so that a seed gives the same game on every machine.
pub struct CommonRules {
    /// Simulations of a search that is learnt from.
    pub simulations: u64,
    /// Simulations of a search that only moves the game on.
    pub fast_simulations: u64,
    /// The share of the priors that a search that is learnt from deals out among random cells, so
    /// that the network learns which moves it overlooks.
    pub noise_share: f32,
    /// A position of the tree with this many visits is learnt from too.
    pub tree_visits: u32,
    /// A side whose win probability falls below this resigns.
    pub resign: f32,
    /// The share of games that nobody resigns.
    pub control: f64,
}

impl CommonRules {
    /// How many random cells a search that is learnt from deals a share of the priors out to.
    pub const NOISE_CELLS: usize = 4;

    /// Simulations before noise is added to the priors; the position has its node after them.
    pub const BEFORE_NOISE: u64 = 16;

    /// A decided position teaches little: searched ones are learnt from between this win
    /// probability, 0 to 0.5, and its counterpart.
    const DECIDED: f32 = 0.01;

    /// Returns true if a position with this value of its search is open enough to be learnt from.
    pub fn is_open(value: f32) -> bool {
        (Self::DECIDED..=1.0 - Self::DECIDED).contains(&value)
    }

    /// Draws whether players may resign a game.
    pub fn may_resign(&self, rng: &mut Xoshiro256PlusPlus) -> bool {
        !rng.random_bool(self.control)
    }
}
