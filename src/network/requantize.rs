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
    /// The activation of a channel.
    #[inline(always)]
    pub fn activation(&self, channel: usize, sum: i16, older: u8) -> u8 {
        let sum = sum.saturating_add(self.biases[channel]) as i32;
        let scaled = (sum * self.multipliers[channel] as i32 + (1 << 14)) >> 15;
        let older = older as i32 & -(self.residual as i32);
        (scaled + older).clamp(0, ACTIVATION_MAX) as u8
    }
}
