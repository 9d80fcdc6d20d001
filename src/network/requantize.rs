//! Computes activations from a convolution's sums.

use crate::network::layout::ACTIVATION_MAX;

/// Computes activations from sums of products: `min(max((sum + b) · m / 2¹⁵ + older, 0),
/// ACTIVATION_MAX)`. Here `sum` wraps around at 16 bits, `sum + b` is clamped to 16 bits, and the
/// quotient is rounded to the nearest whole number.
pub struct Requantize<'a> {
    /// m of every output, 0 or more. `[channels]`
    pub(crate) multipliers: &'a [i16],
    /// b of every output. `[channels]`
    pub(crate) biases: &'a [i16],
    /// True if the older activations are added.
    pub(crate) residual: bool,
}

impl Requantize<'_> {
    /// Computes the activations of a cell from its `sums`, and clears the sums. `activations` holds
    /// the older ones, and then the new ones. Both: `[channels]`
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
