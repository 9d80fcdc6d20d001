//! Convolutions over a cell and its six neighbours, in small integers: the hot loop of the network.
//!
//! It goes from the inputs to the outputs: each input that is not 0 is multiplied by its weights,
//! and the products are added to the sums of the seven cells that it contributes to. So each such
//! input is read once. In the other direction seven cells would read it.
//!
//! Weights are signed bytes. AVX2 multiplies inputs in pairs. Sums have 16 bits and wrap around in
//! all implementations, so that all machines get the same bits. The sums of a trained network stay
//! far from the limits.

use crate::network::layout::{Aligned, PaddedLayout, CENTER, PAIR, SIMD_CHANNELS, TAPS};
use crate::network::requantize::Requantize;

/// The largest number of channels.
pub const MAX_CHANNELS: usize = 128;

/// How many channels the portable code processes together: the compiler vectorizes loops of a fixed
/// length. Every number of channels is a multiple of it.
pub const LANES: usize = 16;

/// The implementations; their results are equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Code {
    /// For all machines and numbers of channels.
    Portable,
    /// For [`SIMD_CHANNELS`] channels on a machine with AVX2 and POPCNT, or as WebAssembly with the
    /// kernel.
    Simd,
}

impl Code {
    /// The fastest code on this machine for this number of channels.
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
    /// True for the first convolution, which reads the planes.
    reads_planes: bool,
    /// The weights for AVX2. `[pairs of inputs][taps][outputs][2]`
    #[cfg(target_arch = "x86_64")]
    pair_weights: Aligned<i8>,
    /// `[inputs][taps][outputs]`
    weights: Vec<i16>,
    /// The weights for the kernel. `[taps][inputs][outputs]`
    #[cfg(target_arch = "wasm32")]
    kernel_weights: Vec<i16>,
}

/// The memory of convolutions on a board.
#[derive(Default)]
pub struct ConvolutionScratch {
    /// The memory layout of the board. No other crate may replace it: the unsafe code relies on
    /// `sums` and `active` having its size.
    pub(crate) layout: PaddedLayout,
    /// The sums of products; 0 on the board between two convolutions. There is an extra row before
    /// and after the padded cells, for contributions of the halo's inputs, which is never read.
    /// `[padded cells and two rows][channels]`
    sums: Aligned<i16>,
    /// The inputs of the next convolution that are not 0.
    #[cfg(target_arch = "x86_64")]
    active: crate::network::avx2::SparseActivations,
    /// The memory of WebAssembly's kernel.
    #[cfg(target_arch = "wasm32")]
    kernel: crate::network::kernel::KernelScratch,
}

impl ConvolutionScratch {
    /// Memory for a board of this side, 1 or more, and this number of channels.
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

    /// Returns true if it is for a board of this side and this number of channels.
    pub fn fits(&self, side: usize, channels: usize) -> bool {
        let cells = (side + 2) * (side + 4);
        self.layout.side == side && self.sums.len() == cells * channels
    }
}

impl Convolution {
    /// A convolution with `weights` of shape `[outputs][taps][inputs]`. Fewer `inputs` than outputs
    /// are the planes; then weights of 0 are added for the other channels.
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

    /// The code that computes it.
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
    /// and no value above 127. `input` must be the planes, or the output of the last call with the
    /// same `scratch`.
    ///
    /// Takes at most `taps · cells · channels²` multiplications; those by zeros, or by pairs of
    /// zeros with AVX2, are left out.
    ///
    /// # Panics
    /// If the lengths of `input`, `output` or `requantize` do not fit the layout.
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
        // For the shipped number of channels the compiler unrolls the loops over outputs.
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

    /// Adds the products of all inputs to the sums of the cells that they contribute to.
    #[inline(always)]
    fn add_products(&self, channels: usize, input: &[u8], layout: &PaddedLayout, sums: &mut [i16]) {
        let (sums, weights) = (sums.as_chunks_mut().0, self.weights.as_chunks().0);
        let chunks = channels / LANES;
        for (padded, inputs) in input.chunks_exact(channels).enumerate() {
            let places: [usize; TAPS] =
                std::array::from_fn(|tap| layout.sums_of(padded, tap) * chunks);
            for (group, inputs) in inputs.as_chunks().0.iter().enumerate() {
                // Most inputs are 0. The others are found eight at a time.
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

/// The sums of some outputs with one more product each. It is a function of its own because the
/// compiler then vectorizes it.
#[inline(always)]
fn add_product(sums: [i16; LANES], input: i16, weights: [i16; LANES]) -> [i16; LANES] {
    std::array::from_fn(|lane| sums[lane].wrapping_add(input * weights[lane]))
}

/// Converts `weights` from shape `[outputs][taps][inputs]` to `[taps][channels][outputs]`, with 0
/// for missing inputs.
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
    /// [`Convolution::apply`] by the kernel, after its checks of the lengths.
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
