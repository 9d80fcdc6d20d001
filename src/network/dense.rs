//! Dense layers in small integers: for the heads, and for the biases from pooling.

use crate::network::layout::ACTIVATION_MAX;
use crate::network::packing::{check, Decoder, WeightsError};

/// The largest shift of a dense layer.
const MAX_SHIFT: usize = 20;

/// The limit of an output's absolute value before the shift, so that 32 bits do not overflow.
const SUM_LIMIT: i64 = 1 << 29;

/// The parameters of a layer's outputs: weights, a multiplier and a bias for each.
#[derive(Debug, Default)]
pub struct Rows {
    /// `[outputs][inputs]`
    pub(crate) weights: Vec<i8>,
    /// 0 to 65535. `[outputs]`
    pub(crate) multipliers: Vec<i32>,
    /// `[outputs]`
    pub(crate) biases: Vec<i32>,
}

/// A dense layer: an output is `(sum of products · multiplier + bias) >> shift`.
#[derive(Debug)]
pub struct Dense {
    /// The weights, multipliers and biases.
    pub(crate) rows: Rows,
    /// 0 to 20.
    shift: usize,
}

impl Decoder<'_> {
    /// Reads the rows of a layer with this number of outputs and inputs.
    pub fn rows(&mut self, outputs: usize, inputs: usize) -> Rows {
        let mut rows = Rows::default();
        for _ in 0..outputs {
            rows.multipliers.push(self.multiplier());
            rows.biases.push(self.bias());
            rows.weights.extend((0..inputs).map(|_| self.weight()));
        }
        rows
    }

    /// Reads a dense layer with this number of outputs and inputs. Inputs are at most
    /// [`ACTIVATION_MAX`].
    ///
    /// # Errors
    /// If its shift is above 20, or if a sum could overflow.
    pub fn dense(&mut self, outputs: usize, inputs: usize) -> Result<Dense, WeightsError> {
        let shift = self.shift();
        check(shift <= MAX_SHIFT, "shift", shift)?;
        let mut rows = self.rows(outputs, inputs);
        for (output, weights) in rows.weights.chunks_exact(inputs).enumerate() {
            let multiplier = ACTIVATION_MAX * rows.multipliers[output];
            let sum = max_abs_sum(weights) as i64 * multiplier as i64;
            let farthest = sum + rows.biases[output].unsigned_abs() as i64;
            check(farthest < SUM_LIMIT, "sum of products", sum as usize)?;
            // Half of a unit, so that the shift rounds to the nearest whole number.
            rows.biases[output] += 1 << shift >> 1;
        }
        Ok(Dense { rows, shift })
    }
}

impl Dense {
    /// The output with this index, from its sum of products.
    #[inline(always)]
    pub fn output(&self, output: usize, sum: i32) -> i32 {
        (sum * self.rows.multipliers[output] + self.rows.biases[output]) >> self.shift
    }

    /// All outputs for `input`, in order and not clipped.
    #[inline(always)]
    pub fn apply<'a>(&'a self, input: &'a [u8]) -> impl Iterator<Item = i32> + 'a {
        let rows = self.rows.weights.chunks_exact(input.len()).enumerate();
        rows.map(|(output, row)| self.output(output, dot(input, row)))
    }
}

/// The sum of products of all `weights` and as many `activations`.
#[inline(always)]
pub fn dot(activations: &[u8], weights: &[i8]) -> i32 {
    // This slice lets the compiler skip the check of each index.
    let activations = &activations[..weights.len()];
    let mut sum = 0;
    for i in 0..weights.len() {
        sum += activations[i] as i32 * weights[i] as i32;
    }
    sum
}

/// The largest absolute value of a sum of products with these weights, for inputs from 0 to 1.
fn max_abs_sum(weights: &[i8]) -> i32 {
    let sum = |sign: i32| -> i32 { weights.iter().map(|&w| (sign * w as i32).max(0)).sum() };
    sum(1).max(sum(-1))
}
