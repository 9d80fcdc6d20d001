//! What makes activations of a convolution's sums.

use crate::network::layout::ACTIVATION_MAX;

/// Makes activations of sums of products: `min(max((sum + b) · m / 2¹⁵ + older, 0),
/// ACTIVATION_MAX)`, where `sum` has wrapped around at 16 bits, `sum + b` is clamped to them and
/// the quotient is rounded to the nearest.
pub struct Requantize<'a> {
    /// m of every output, 0 or more. `[channels]`
    pub multipliers: &'a [i16],
    /// b of every output. `[channels]`
    pub biases: &'a [i16],
    /// True if the older activations are added.
    pub residual: bool,
}

impl Requantize<'_> {
    /// Makes the activations of a cell of its `sums`, which are cleared, in `activations`, which
    /// holds the older ones. Both: `[channels]`
    #[inline(always)]
    pub fn apply(&self, sums: &mut [i16], activations: &mut [u8]) {
        let keeps_older = -(self.residual as i32);
        let cells = sums.iter_mut().zip(activations);
        for ((sum, activation), (&m, &b)) in cells.zip(self.multipliers.iter().zip(self.biases)) {
            let biased = std::mem::take(sum).saturating_add(b) as i32;
            let scaled = (biased * m as i32 + (1 << 14)) >> 15;
            let older = *activation as i32 & keeps_older;
            *activation = (scaled + older).clamp(0, ACTIVATION_MAX) as u8;
        }
    }
}
