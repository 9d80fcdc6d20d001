//! The outputs of a network for a position, and the probabilities that follow from them.

use crate::cell_set::CellSet;
use crate::grid::Grid;

/// Logits are whole numbers in units of 1/256 nat.
const STEPS_PER_NAT: usize = 256;

/// The largest odds are e¹⁶ to 1.
const MAX_NATS: usize = 16;

/// exp(-1 / [`STEPS_PER_NAT`]).
const FACTOR: f64 = 0.996_101_369_470_117_5;

/// exp(-i / [`STEPS_PER_NAT`]), computed by repeated multiplication, because a library's exp may
/// differ between machines.
#[cfg(not(target_arch = "wasm32"))]
static EXP: [f32; STEPS_PER_NAT * MAX_NATS + 1] = {
    let mut table = [0.0; STEPS_PER_NAT * MAX_NATS + 1];
    let (mut value, mut i) = (1.0, 0);
    while i < table.len() {
        table[i] = value as f32;
        value *= FACTOR;
        i += 1;
    }
    table
};

/// The same table, made when it is needed to keep the WebAssembly module small.
#[cfg(target_arch = "wasm32")]
static EXP: std::sync::LazyLock<[f32; STEPS_PER_NAT * MAX_NATS + 1]> =
    std::sync::LazyLock::new(|| {
        let mut value = 1.0;
        std::array::from_fn(|_| {
            let entry = value as f32;
            value *= FACTOR;
            entry
        })
    });

/// exp(-difference / [`STEPS_PER_NAT`]).
fn exp_of_minus(difference: u32) -> f32 {
    EXP[(difference as usize).min(EXP.len() - 1)]
}

/// The outputs of a network for a position, before sigmoid and softmax.
#[derive(Clone, Debug, PartialEq)]
pub struct Logits<const N: usize> {
    /// The logit of the probability that the player to move wins, in 1/256 nat.
    pub value: i32,
    /// The logits of the moves, in 1/256 nat, for every cell of the board.
    pub policy: Grid<i32, N>,
}

impl<const N: usize> Logits<N> {
    /// The probability that the player to move wins, 0 to 1.
    pub fn wins(&self) -> f32 {
        let odds = exp_of_minus(self.value.unsigned_abs());
        match self.value {
            0.. => 1.0 / (1.0 + odds),
            _ => odds / (1.0 + odds),
        }
    }

    /// The prior probability of each move, 0 to 1: a softmax of the logits divided by `temperature`
    /// over the `empty` cells, 0 elsewhere. See [`crate::params::Params::policy_temperature`].
    /// O(N²).
    pub fn priors(&self, empty: CellSet<N>, temperature: f32) -> Grid<f32, N> {
        let mut priors = Grid::filled(0.0);
        let best = empty.iter().map(|cell| self.policy[cell]).max();
        let mut sum = 0.0;
        for cell in empty.iter() {
            let behind = self.policy[cell].abs_diff(best.unwrap_or(0));
            priors[cell] = exp_of_minus((behind as f32 / temperature) as u32);
            sum += priors[cell];
        }
        empty.iter().for_each(|cell| priors[cell] /= sum);
        priors
    }
}
