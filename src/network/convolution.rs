//! Convolutions over a cell and its six neighbours, in small integers: the hot loop of the network.
//!
//! It goes from the inputs to the outputs: each input that is not 0 is multiplied by its weights,
//! and the products are added to the sums of the seven cells that it counts in. So only inputs that
//! are not 0 are looked at, and each of them once; the other way round seven cells would gather it.
//!
//! Weights are signed bytes; with AVX2 inputs come in pairs. Sums have 16 bits and wrap around,
//! whatever the code that makes them, so that all machines get the same bits; those of a trained
//! network stay far from the ends.

use crate::network::layout::{Aligned, PaddedLayout, CENTER, PAIR, SIMD_CHANNELS, TAPS};
use crate::network::requantize::Requantize;

/// The largest number of channels.
pub const MAX_CHANNELS: usize = 128;

/// Channels that the portable code works on at once: the compiler makes vector instructions of
/// loops of a fixed length. Every number of channels is a multiple.
pub const LANES: usize = 16;

/// Which code computes; the results are the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Code {
    /// That for all machines and numbers of channels.
    Portable,
    /// That for [`SIMD_CHANNELS`] channels on a machine with AVX2 and POPCNT, or, as WebAssembly,
    /// with the kernel.
    Simd,
}

impl Code {
    /// The fastest code that there is on this machine for so many channels.
    pub fn fastest(channels: usize) -> Self {
        if channels == SIMD_CHANNELS && has_simd() {
            Code::Simd
        } else {
            Code::Portable
        }
    }
}

/// Returns true if this machine can run the code with vector instructions.
fn has_simd() -> bool {
    #[cfg(target_arch = "x86_64")]
    return crate::network::avx2::is_there();
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
    /// Never [`Code::Simd`] on a machine without it: [`Convolution::apply`] relies on that.
    code: Code,
    /// True if it is the first one, which reads the planes.
    reads_planes: bool,
    /// As AVX2 takes them. `[pairs of inputs][taps][outputs][2]`
    #[cfg(target_arch = "x86_64")]
    pair_weights: Aligned<i8>,
    /// `[inputs][taps][outputs]`
    weights: Vec<i16>,
    /// As the kernel takes them. `[taps][inputs][outputs]`
    #[cfg(target_arch = "wasm32")]
    kernel_weights: Vec<i16>,
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
    active: crate::network::avx2::SparseActivations,
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
            active: crate::network::avx2::SparseActivations::new(layout.padded_cells),
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
        #[cfg(target_arch = "x86_64")]
        let mut pair_weights = Aligned::zeros(TAPS * channels * channels);
        let mut sorted = vec![0; TAPS * channels * channels];
        for (index, &weight) in weights.iter().enumerate() {
            let (row, input) = (index / inputs, index % inputs);
            let (output, tap) = (row / TAPS, row % TAPS);
            #[cfg(target_arch = "x86_64")]
            {
                let place = (input / PAIR * TAPS + tap) * channels + output;
                pair_weights[place * PAIR + input % PAIR] = weight;
            }
            sorted[(input * TAPS + tap) * channels + output] = weight as i16;
        }
        Convolution {
            channels,
            code: Code::fastest(channels),
            reads_planes: inputs < channels,
            #[cfg(target_arch = "x86_64")]
            pair_weights,
            weights: sorted,
            #[cfg(target_arch = "wasm32")]
            kernel_weights: kernel_weights(weights, inputs, channels),
        }
    }

    /// Which code computes it.
    #[inline(always)]
    pub fn code(&self) -> Code {
        self.code
    }

    /// The same convolution, computed by the portable code.
    pub fn without_simd(self) -> Self {
        Convolution {
            code: Code::Portable,
            ..self
        }
    }

    /// Computes the activations of every cell from `input` into `output`, which holds the older
    /// activations that a residual connection adds. Both have the shape `[padded cells][channels]`
    /// and no value above 127. `input` are the planes, or what the call before this one with the
    /// same `scratch` has computed.
    ///
    /// At most `taps · cells · channels²` multiplications; those by zeros are left out, with AVX2
    /// those by pairs of zeros.
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
        #[cfg(target_arch = "wasm32")]
        if self.code == Code::Simd {
            return self.apply_in_kernel(input, output, requantize, scratch);
        }
        let ConvolutionScratch { layout, sums, .. } = scratch;
        #[cfg(target_arch = "x86_64")]
        if self.code == Code::Simd {
            let active = &mut scratch.active;
            // SAFETY: the code is for this machine, and the lengths are right.
            unsafe {
                if self.reads_planes {
                    active.fill(layout.padded_cells, input);
                }
                let weights = &self.pair_weights;
                crate::network::avx2::convolve(weights, requantize, layout, active, sums, output);
            }
            return;
        }
        // For the number of a trained network the compiler unrolls the loops over outputs.
        match channels {
            SIMD_CHANNELS => self.add_products(SIMD_CHANNELS, input, layout, sums),
            _ => self.add_products(channels, input, layout, sums),
        }
        for cell in 0..layout.tap_origins.len() {
            let output = &mut output[layout.range(cell, channels)];
            let sums = &mut sums[layout.sums_of(layout.padded(cell), CENTER) * channels..];
            requantize.apply(&mut sums[..channels], output);
        }
    }

    /// Adds the products of all inputs to the sums of the cells that they count in.
    #[inline(always)]
    fn add_products(&self, channels: usize, input: &[u8], layout: &PaddedLayout, sums: &mut [i16]) {
        let (sums, weights) = (sums.as_chunks_mut().0, self.weights.as_chunks().0);
        let chunks = channels / LANES;
        for (padded, inputs) in input.chunks_exact(channels).enumerate() {
            let places: [usize; TAPS] =
                std::array::from_fn(|tap| layout.sums_of(padded, tap) * chunks);
            for (group, inputs) in inputs.as_chunks().0.iter().enumerate() {
                // Most inputs are 0: those that are not are found eight at a time.
                let mut left = u64::from_le_bytes(*inputs);
                while left != 0 {
                    let byte = left.trailing_zeros() / 8;
                    let input = inputs[byte as usize] as i16;
                    left &= !(0xff << (8 * byte));
                    let first = (group * 8 + byte as usize) * TAPS * chunks;
                    let weights = weights[first..].chunks_exact(chunks);
                    for (place, weights) in places.into_iter().zip(weights) {
                        let sums = &mut sums[place..place + chunks];
                        for (sums, weights) in sums.iter_mut().zip(weights) {
                            *sums = add_product(*sums, input, *weights);
                        }
                    }
                }
            }
        }
    }
}

/// The sums of some outputs with a product more each. In a function of its own, the compiler makes
/// vector instructions of it.
#[inline(always)]
fn add_product(sums: [i16; LANES], input: i16, weights: [i16; LANES]) -> [i16; LANES] {
    std::array::from_fn(|lane| sums[lane].wrapping_add(input * weights[lane]))
}

/// The `weights` of shape `[outputs][taps][inputs]` in the shape `[taps][channels][outputs]`, with
/// 0 for the inputs that are missing.
#[cfg(target_arch = "wasm32")]
fn kernel_weights(weights: &[i8], inputs: usize, channels: usize) -> Vec<i16> {
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
            weights: self.kernel_weights.as_ptr(),
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
