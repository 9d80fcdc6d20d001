//! Convolutions over a cell and its six neighbours, in small integers: the hot loop of the network.
//!
//! Weights are signed bytes. They are taken two inputs at a time: the SIMD code broadcasts two
//! bytes of a cell to a whole register and multiplies them by the weights of sixteen outputs at
//! once (`vpmaddubsw`), which leaves 16-bit sums of two products. Those are added up in 16 bits.
//! Whether that could overflow follows from the weights and the sum of a patch's inputs; such
//! cells, hardly any, are computed by the portable code. So both ways of computing give the exact
//! sums, and hence the same bits. Both leave out pairs of zeros.

use crate::network::layout::{PaddedLayout, ACTIVATION_MAX, PAIR, SIMD_CHANNELS, TAPS};
use crate::network::sparse::{InputPair, SparseActivations, CELL_STRIDE, UNROLL};

/// The largest number of channels.
pub const MAX_CHANNELS: usize = 128;

/// Returns true if this machine can run the SIMD code: it needs AVX2 and POPCNT. As
/// WebAssembly it needs the kernel.
pub fn has_simd() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("popcnt");
    #[cfg(target_arch = "wasm32")]
    return crate::network::kernel::is_there();
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// The weights of a convolution.
#[derive(Debug)]
pub struct Convolution {
    /// The number of outputs, and of inputs: 1 to [`MAX_CHANNELS`].
    channels: usize,
    /// True if the SIMD code is used: the machine can, and there are [`SIMD_CHANNELS`] channels.
    simd: bool,
    /// True if inputs in the halo may be other than 0.
    has_border_inputs: bool,
    /// `[taps][pairs of inputs][outputs][2]`
    weights: Vec<i8>,
    /// The same weights as the kernel takes them. `[taps][inputs][outputs]`
    #[cfg(target_arch = "wasm32")]
    single_weights: Vec<i16>,
    /// Sums of products stay within 16 bits for every patch whose inputs sum up to at most this.
    safe_input_sum: u32,
}

impl Convolution {
    /// Takes `weights` of shape `[outputs][taps][inputs]`. If there are fewer `inputs` than
    /// outputs, weights of 0 are added for the others. Inputs in the halo are 0 unless
    /// `has_border_inputs`.
    pub fn new(weights: &[i8], inputs: usize, has_border_inputs: bool) -> Self {
        let channels = weights.len() / inputs / TAPS;
        let mut sorted = vec![0; TAPS * channels * channels];
        for (index, &weight) in weights.iter().enumerate() {
            let (row, input) = (index / inputs, index % inputs);
            let (output, tap) = (row / TAPS, row % TAPS);
            let pair = (tap * channels + input) / PAIR;
            sorted[(pair * channels + output) * PAIR + input % PAIR] = weight;
        }
        let rows = weights.chunks_exact(inputs * TAPS);
        Convolution {
            channels,
            simd: channels == SIMD_CHANNELS && has_simd(),
            has_border_inputs,
            #[cfg(target_arch = "wasm32")]
            single_weights: single_weights(weights, inputs, channels),
            weights: sorted,
            safe_input_sum: rows.map(safe_input_sum).min().unwrap_or(0),
        }
    }

    /// Has the portable code compute it, with the same results.
    pub fn without_simd(&mut self) {
        self.simd = false;
    }

    /// Computes the activations of every cell from `input` into `output`, which holds the older
    /// activations that a residual connection adds. Both have the shape `[padded cells][channels]`
    /// and no value above [`ACTIVATION_MAX`]. `sparse` has the layout; what else it held is
    /// overwritten.
    ///
    /// At most `taps · cells · channels²` multiplications; those by pairs of zeros are left out.
    ///
    /// # Panics
    /// If the lengths of `input` and `output` do not fit the layout, or those of `requantize`.
    #[inline(always)]
    pub fn apply(
        &self,
        input: &[u8],
        output: &mut [u8],
        requantize: &Requantize,
        sparse: &mut SparseActivations,
    ) {
        let [cells, channels] = [sparse.layout.padded_cells, self.channels];
        assert_eq!([input.len(), output.len()], [cells * channels; 2]);
        assert_eq!(
            [requantize.multipliers.len(), requantize.biases.len()],
            [channels; 2]
        );
        if self.simd {
            // SAFETY: the instructions were detected and the lengths are right.
            #[cfg(target_arch = "x86_64")]
            return unsafe { self.apply_simd(input, output, requantize, sparse) };
            #[cfg(target_arch = "wasm32")]
            return self.apply_in_kernel(input, output, requantize, sparse);
        }
        for cell in 0..sparse.layout.tap_origins.len() {
            self.apply_to_cell(&sparse.layout, cell, input, output, requantize);
        }
    }

    /// Computes the activations of one cell, given by its index on the board.
    #[inline(always)]
    fn apply_to_cell(
        &self,
        layout: &PaddedLayout,
        cell: usize,
        input: &[u8],
        output: &mut [u8],
        requantize: &Requantize,
    ) {
        let channels = self.channels;
        let mut sums = [0; MAX_CHANNELS];
        let sums = &mut sums[..channels];
        let weights = self.weights.chunks_exact(channels * channels);
        for (offset, weights) in layout.tap_offsets.iter().zip(weights) {
            let input = &input[(layout.tap_origins[cell] + offset) * channels..][..channels];
            let weights = weights.chunks_exact(channels * PAIR);
            for (pair, weights) in input.chunks_exact(PAIR).zip(weights) {
                let (a, b) = (pair[0] as i32, pair[1] as i32);
                if a | b == 0 {
                    continue;
                }
                for (sum, w) in sums.iter_mut().zip(weights.chunks_exact(PAIR)) {
                    *sum += a * w[0] as i32 + b * w[1] as i32;
                }
            }
        }
        let output = &mut output[layout.range(cell, channels)];
        for (channel, sum) in sums.iter().enumerate() {
            output[channel] = requantize.activation(channel, *sum, output[channel]);
        }
    }
}

/// The sums of products of all outputs, 16 bits each.
#[cfg(target_arch = "x86_64")]
type Sums = [std::arch::x86_64::__m256i; SIMD_CHANNELS / 16];

#[cfg(target_arch = "x86_64")]
impl Convolution {
    /// The same as [`Convolution::apply`] with AVX2.
    ///
    /// # Safety
    /// The lengths must be those that it demands.
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn apply_simd(
        &self,
        input: &[u8],
        output: &mut [u8],
        requantize: &Requantize,
        sparse: &mut SparseActivations,
    ) {
        sparse.compress(input, self.has_border_inputs);
        let side = sparse.layout.side;
        for row in 0..side {
            sparse.join_row(row);
            let first = sparse.layout.range(row * side, SIMD_CHANNELS).start;
            for col in (0..side).rev() {
                let (pairs, input_sum) = sparse.patch(col);
                if input_sum > self.safe_input_sum {
                    self.apply_to_cell(&sparse.layout, row * side + col, input, output, requantize);
                    continue;
                }
                let weights = self.weights.as_ptr().cast::<u64>();
                let sums = Self::dot_products(pairs, weights.wrapping_sub(col * CELL_STRIDE));
                let output = &mut output[first + col * SIMD_CHANNELS..][..SIMD_CHANNELS];
                requantize.store_cell(sums, output);
            }
        }
    }

    /// The sums of products of `pairs`, whose number is a multiple of [`UNROLL`], for all outputs.
    ///
    /// # Safety
    /// The weights of all pairs must lie where they say, counted from `weights`.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn dot_products(pairs: &[InputPair], weights: *const u64) -> Sums {
        use std::arch::x86_64::*;
        let mut sums: Sums = [_mm256_setzero_si256(); SIMD_CHANNELS / 16];
        for four in pairs.chunks_exact(UNROLL) {
            for pair in four {
                let inputs = _mm256_set1_epi16(pair.inputs);
                let weights = weights
                    .wrapping_add(pair.weights as usize)
                    .cast::<__m256i>();
                for (register, sums) in sums.iter_mut().enumerate() {
                    let weights = _mm256_loadu_si256(weights.add(register));
                    *sums = _mm256_add_epi16(*sums, _mm256_maddubs_epi16(inputs, weights));
                }
            }
        }
        sums
    }
}

/// The `weights` of shape `[outputs][taps][inputs]` in the shape `[taps][channels][outputs]`, with
/// 0 for the inputs that are missing.
#[cfg(target_arch = "wasm32")]
fn single_weights(weights: &[i8], inputs: usize, channels: usize) -> Vec<i16> {
    let mut sorted = vec![0; TAPS * channels * channels];
    for (index, &weight) in weights.iter().enumerate() {
        let (row, input) = (index / inputs, index % inputs);
        let (output, tap) = (row / TAPS, row % TAPS);
        sorted[(tap * channels + input) * channels + output] = weight as i16;
    }
    sorted
}

#[cfg(target_arch = "wasm32")]
impl Convolution {
    /// The same as [`Convolution::apply`] by the kernel. The lengths must be those that it demands.
    fn apply_in_kernel(
        &self,
        input: &[u8],
        output: &mut [u8],
        requantize: &Requantize,
        sparse: &mut SparseActivations,
    ) {
        use crate::network::kernel::{convolve, KernelCall};
        let call = KernelCall {
            side: sparse.layout.side,
            has_border_inputs: self.has_border_inputs.into(),
            residual: requantize.residual.into(),
            safe_input_sum: self.safe_input_sum,
            weights: self.single_weights.as_ptr(),
            input: input.as_ptr(),
            output: output.as_mut_ptr(),
            multipliers: requantize.multipliers.as_ptr(),
            biases: requantize.biases.as_ptr(),
            members: sparse.kernel.members.as_ptr(),
            lists: sparse.kernel.lists.as_mut_ptr(),
            row_inputs: sparse.kernel.row_inputs.as_mut_ptr(),
            row_weights: sparse.kernel.row_weights.as_mut_ptr(),
            prefix: sparse.kernel.prefix.as_mut_ptr(),
        };
        // SAFETY: the lengths are right, and the memory is that for this layout.
        unsafe { convolve(&call) };
    }
}

/// Makes activations of sums of products: `min(max((sum + b) · m / 2¹⁵ + older, 0),
/// ACTIVATION_MAX)`, where `sum + b` is clamped to 16 bits and the quotient is rounded to the
/// nearest.
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
    fn activation(&self, channel: usize, sum: i32, older: u8) -> u8 {
        let sum = sum + self.biases[channel] as i32;
        let sum = sum.clamp(i16::MIN as i32, i16::MAX as i32);
        let scaled = (sum * self.multipliers[channel] as i32 + (1 << 14)) >> 15;
        let older = older as i32 & -(self.residual as i32);
        (scaled + older).clamp(0, ACTIVATION_MAX) as u8
    }

    /// Stores the activations of a cell in `output`, which holds the older ones.
    ///
    /// # Safety
    /// There must be [`SIMD_CHANNELS`] multipliers, biases and activations.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn store_cell(&self, sums: Sums, output: &mut [u8]) {
        use std::arch::x86_64::*;
        let activations: Sums = std::array::from_fn(|register| {
            let load =
                |from: &[i16]| _mm256_loadu_si256(from.as_ptr().cast::<__m256i>().add(register));
            let sums = _mm256_adds_epi16(sums[register], load(self.biases));
            let scaled = _mm256_mulhrs_epi16(sums, load(self.multipliers));
            if !self.residual {
                return scaled;
            }
            let older = _mm_loadu_si128(output.as_ptr().cast::<__m128i>().add(register));
            _mm256_adds_epi16(scaled, _mm256_cvtepu8_epi16(older))
        });
        // Packing works on halves of registers: 0 to 7 and 16 to 23 come first, and are put in
        // order.
        let packed = _mm256_packus_epi16(activations[0], activations[1]);
        let ordered = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
        let clipped = _mm256_min_epu8(ordered, _mm256_set1_epi8(ACTIVATION_MAX as i8));
        _mm256_storeu_si256(output.as_mut_ptr().cast(), clipped);
    }
}

/// A sum of inputs, each at most [`ACTIVATION_MAX`], up to which no sum of products with these
/// weights, those of one output, can leave 16 bits.
fn safe_input_sum(weights: &[i8]) -> u32 {
    let mut safe_count = usize::MAX;
    for sign in [1, -1] {
        // It is worst when the inputs with the largest weights are ACTIVATION_MAX and the others 0.
        let mut weights: Vec<i32> = weights.iter().map(|&w| (sign * w as i32).max(0)).collect();
        weights.sort_unstable_by(|a, b| b.cmp(a));
        let mut left = i16::MAX as i32 / ACTIVATION_MAX;
        let fit = weights.iter().take_while(|&w| {
            left -= w;
            left >= 0
        });
        safe_count = safe_count.min(fit.count());
    }
    safe_count as u32 * ACTIVATION_MAX as u32
}
