//! Convolutions over a cell and its six neighbours, in small integers: the hot loop of the network.
//!
//! It goes from the inputs to the outputs: each input that is not 0 is multiplied by its weights,
//! and the products are added to the sums of the seven cells that it counts in. So only inputs that
//! are not 0 are looked at, and each of them once; the other way round seven cells would gather it.
//!
//! Weights are signed bytes. Inputs are taken in pairs: the SIMD code broadcasts two bytes of a
//! cell to a whole register and multiplies them by the weights of sixteen outputs at once
//! (`vpmaddubsw`), which leaves 16-bit sums of two products. Sums have 16 bits and wrap around,
//! here and in the portable code, so that all machines get the same bits; those of a trained
//! network stay far from the ends.

use crate::network::layout::{
    Aligned, PaddedLayout, ACTIVATION_MAX, CENTER, PAIR, SIMD_CHANNELS, TAPS, TAP_OFFSETS,
};

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
    /// True if it is the first one, which reads the planes.
    reads_planes: bool,
    /// `[pairs of inputs][taps][outputs][2]`
    weights: Aligned<i8>,
    /// The same weights as the kernel takes them. `[taps][inputs][outputs]`
    #[cfg(target_arch = "wasm32")]
    single_weights: Vec<i16>,
}

/// The memory of convolutions on a board.
#[derive(Default)]
pub struct ConvolutionScratch {
    /// How the board lies in memory.
    pub layout: PaddedLayout,
    /// The sums of products, 0 on the board between two convolutions. In front of the padded cells
    /// and behind them there is a row more, where the halo's inputs count; nobody reads it.
    /// `[side + 2 rows of padded cells, and two][channels]`
    sums: Aligned<i16>,
    /// The inputs of the next convolution that are not 0.
    #[cfg(target_arch = "x86_64")]
    active: crate::network::sparse::SparseActivations,
    /// What the kernel of WebAssembly uses instead.
    #[cfg(target_arch = "wasm32")]
    kernel: crate::network::kernel::KernelScratch,
}

impl ConvolutionScratch {
    /// Memory for a board of this side, 1 or more, and so many channels.
    pub fn new(side: usize, channels: usize) -> Self {
        let layout = PaddedLayout::new(side);
        let cells = layout.padded_cells + 2 * (side + 2);
        ConvolutionScratch {
            sums: Aligned::zeros(cells * channels),
            #[cfg(target_arch = "x86_64")]
            active: crate::network::sparse::SparseActivations::new(layout.padded_cells),
            #[cfg(target_arch = "wasm32")]
            kernel: crate::network::kernel::KernelScratch::new(&layout),
            layout,
        }
    }

    /// Returns true if it is for a board of this side and so many channels.
    pub fn fits(&self, side: usize, channels: usize) -> bool {
        let cells = (side + 2) * (side + 4);
        self.layout.side == side && self.sums.len() == cells * channels
    }
}

impl Convolution {
    /// Takes `weights` of shape `[outputs][taps][inputs]`. If there are fewer `inputs` than
    /// outputs, they are the planes, and weights of 0 are added for the other channels.
    pub fn new(weights: &[i8], inputs: usize) -> Self {
        let channels = weights.len() / inputs / TAPS;
        let mut sorted = Aligned::zeros(TAPS * channels * channels);
        for (index, &weight) in weights.iter().enumerate() {
            let (row, input) = (index / inputs, index % inputs);
            let (output, tap) = (row / TAPS, row % TAPS);
            let place = (input / PAIR * TAPS + tap) * channels + output;
            sorted[place * PAIR + input % PAIR] = weight;
        }
        Convolution {
            channels,
            simd: channels == SIMD_CHANNELS && has_simd(),
            reads_planes: inputs < channels,
            #[cfg(target_arch = "wasm32")]
            single_weights: single_weights(weights, inputs, channels),
            weights: sorted,
        }
    }

    /// Has the portable code compute it, with the same results.
    pub fn without_simd(&mut self) {
        self.simd = false;
    }

    /// Computes the activations of every cell from `input` into `output`, which holds the older
    /// activations that a residual connection adds. Both have the shape `[padded cells][channels]`
    /// and no value above [`ACTIVATION_MAX`]. `input` are the planes, or what the call before this
    /// one with the same `scratch` has computed.
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
        scratch: &mut ConvolutionScratch,
    ) {
        let [cells, channels] = [scratch.layout.padded_cells, self.channels];
        assert_eq!([input.len(), output.len()], [cells * channels; 2]);
        assert_eq!(
            [requantize.multipliers.len(), requantize.biases.len()],
            [channels; 2]
        );
        assert!(scratch.fits(scratch.layout.side, channels));
        if self.simd {
            // SAFETY: the instructions were detected and the lengths are right.
            #[cfg(target_arch = "x86_64")]
            return unsafe { self.apply_simd(input, output, requantize, scratch) };
            #[cfg(target_arch = "wasm32")]
            return self.apply_in_kernel(input, output, requantize, scratch);
        }
        let ConvolutionScratch { layout, sums, .. } = scratch;
        self.add_products(input, layout, sums);
        for cell in 0..layout.tap_origins.len() {
            let output = &mut output[layout.range(cell, channels)];
            let sums = &mut sums[layout.sums_of(layout.padded(cell), CENTER) * channels..];
            for (channel, output) in output.iter_mut().enumerate() {
                let sum = std::mem::take(&mut sums[channel]);
                *output = requantize.activation(channel, sum, *output);
            }
        }
    }

    /// Adds the products of all inputs to the sums of the cells that they count in.
    #[inline(always)]
    fn add_products(&self, input: &[u8], layout: &PaddedLayout, sums: &mut [i16]) {
        let channels = self.channels;
        for (index, pair) in input.chunks_exact(PAIR).enumerate() {
            let (padded, pair_index) = (index * PAIR / channels, index % (channels / PAIR));
            let (a, b) = (pair[0] as i16, pair[1] as i16);
            if a | b == 0 {
                continue;
            }
            let weights = &self.weights[pair_index * TAPS * channels * PAIR..];
            let taps = weights.chunks_exact(channels * PAIR).take(TAPS);
            for (tap, weights) in taps.enumerate() {
                let sums = &mut sums[layout.sums_of(padded, tap) * channels..];
                for (sum, w) in sums.iter_mut().zip(weights.chunks_exact(PAIR)) {
                    *sum = sum.wrapping_add(a * w[0] as i16 + b * w[1] as i16);
                }
            }
        }
    }
}

/// The registers that numbers of 16 bits of all outputs take.
#[cfg(target_arch = "x86_64")]
const REGISTERS: usize = SIMD_CHANNELS / 16;

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
        scratch: &mut ConvolutionScratch,
    ) {
        use std::arch::x86_64::*;
        let width = scratch.layout.side + 2;
        if self.reads_planes {
            scratch.active.clear();
            for padded in 0..scratch.layout.padded_cells {
                let activations = input.as_ptr().add(padded * SIMD_CHANNELS);
                let activations = _mm256_loadu_si256(activations.cast());
                scratch.active.push(padded, activations);
            }
        }
        self.add_active_products(width, scratch);
        scratch.active.clear();
        for row in 1..width - 1 {
            for padded in row * width + 1..(row + 1) * width - 1 {
                let output = output.as_mut_ptr().add(padded * SIMD_CHANNELS);
                let sums = scratch
                    .sums
                    .as_mut_ptr()
                    .add((padded + width) * SIMD_CHANNELS);
                let activations = requantize.activations(sums.cast(), output.cast());
                _mm256_storeu_si256(output.cast(), activations);
                scratch.active.push(padded, activations);
            }
        }
    }

    /// The same as [`Convolution::add_products`] for the inputs that are not 0.
    ///
    /// # Safety
    /// The list must be made of padded cells of a board of `width - 2`.
    #[inline(never)] // Faster: it has all registers for itself.
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn add_active_products(&self, width: usize, scratch: &mut ConvolutionScratch) {
        use std::arch::x86_64::*;
        // An input counts for tap (0, 0) in the sums of the cell below and right of it.
        let sums = scratch
            .sums
            .as_mut_ptr()
            .add((2 * width + 1) * SIMD_CHANNELS);
        for (pairs, padded) in scratch.active.iter() {
            let inputs = pairs.map(|pair| _mm256_set1_epi16(pair.inputs));
            let weights = pairs.map(|pair| self.weights.as_ptr().add(pair.weights as usize));
            let sums = sums.add(padded * SIMD_CHANNELS).cast::<__m256i>();
            for (tap, (row, col)) in TAP_OFFSETS.into_iter().enumerate() {
                for register in 0..REGISTERS {
                    let [a, b] = [0, 1].map(|which| {
                        let weights = weights[which].cast::<__m256i>();
                        let weights = _mm256_load_si256(weights.add(tap * REGISTERS + register));
                        _mm256_maddubs_epi16(inputs[which], weights)
                    });
                    let sums = sums.sub((row * width + col) * REGISTERS).add(register);
                    let sum = _mm256_add_epi16(_mm256_add_epi16(a, b), _mm256_load_si256(sums));
                    _mm256_store_si256(sums, sum);
                }
            }
        }
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
        scratch: &mut ConvolutionScratch,
    ) {
        use crate::network::kernel::{convolve, KernelCall};
        let call = KernelCall {
            side: scratch.layout.side,
            reads_planes: self.reads_planes.into(),
            residual: requantize.residual.into(),
            weights: self.single_weights.as_ptr(),
            input: input.as_ptr(),
            output: output.as_mut_ptr(),
            multipliers: requantize.multipliers.as_ptr(),
            biases: requantize.biases.as_ptr(),
            members: scratch.kernel.members.as_ptr(),
            lists: scratch.kernel.lists.as_mut_ptr(),
            row_inputs: scratch.kernel.row_inputs.as_mut_ptr(),
            row_weights: scratch.kernel.row_weights.as_mut_ptr(),
            prefix: scratch.kernel.prefix.as_mut_ptr(),
        };
        // SAFETY: the lengths are right, and the memory is that for this layout.
        unsafe { convolve(&call) };
    }
}

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
    fn activation(&self, channel: usize, sum: i16, older: u8) -> u8 {
        let sum = sum.saturating_add(self.biases[channel]) as i32;
        let scaled = (sum * self.multipliers[channel] as i32 + (1 << 14)) >> 15;
        let older = older as i32 & -(self.residual as i32);
        (scaled + older).clamp(0, ACTIVATION_MAX) as u8
    }

    /// The activations of a cell, from its `sums`, which are cleared, and the `older` ones.
    ///
    /// # Safety
    /// There must be [`SIMD_CHANNELS`] multipliers, biases, sums and older activations.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn activations(
        &self,
        sums: *mut std::arch::x86_64::__m256i,
        older: *const std::arch::x86_64::__m128i,
    ) -> std::arch::x86_64::__m256i {
        use std::arch::x86_64::*;
        let activations: [__m256i; REGISTERS] = std::array::from_fn(|register| {
            let load =
                |from: &[i16]| _mm256_loadu_si256(from.as_ptr().cast::<__m256i>().add(register));
            let sum = _mm256_adds_epi16(_mm256_load_si256(sums.add(register)), load(self.biases));
            _mm256_store_si256(sums.add(register), _mm256_setzero_si256());
            let scaled = _mm256_mulhrs_epi16(sum, load(self.multipliers));
            if !self.residual {
                return scaled;
            }
            let older = _mm_loadu_si128(older.add(register));
            _mm256_adds_epi16(scaled, _mm256_cvtepu8_epi16(older))
        });
        // Packing works on halves of registers: 0 to 7 and 16 to 23 come first, and are put in
        // order.
        let packed = _mm256_packus_epi16(activations[0], activations[1]);
        let ordered = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
        _mm256_min_epu8(ordered, _mm256_set1_epi8(ACTIVATION_MAX as i8))
    }
}
