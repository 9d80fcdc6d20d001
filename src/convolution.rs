//! Convolutions over a cell and its six neighbours, in small integers: the hot loop of the network.
//!
//! Activations are bytes from 0 to 127, all channels of a cell side by side; the board lies in a
//! ring of cells of its own (the halo), so that a neighbour is always the same number of bytes away.
//! Weights are signed bytes. They are taken four inputs at a time, a *step*: the vector code spreads four
//! bytes of a cell over a whole register and multiplies them with the weights of eight outputs at
//! once (`vpmaddubsw`), which leaves 16-bit sums of two products. Those are added up in 16 bits for
//! as many steps as cannot overflow – a number that follows from the weights – and only then
//! widened. So both ways of computing give the exact sums, and hence the same bits.

use std::ops::Range;

/// The largest activation; the smallest is 0.
pub const TOP: i32 = 127;

/// A cell and its neighbours, in the order of the weights: rows down and columns right of the corner
/// that is above and left of the cell.
const WAYS: [(usize, usize); TAPS] = [(1, 1), (1, 2), (2, 1), (2, 0), (1, 0), (0, 1), (0, 2)];

/// How many these are.
pub const TAPS: usize = 7;

/// Inputs that are multiplied at once.
pub const QUAD: usize = 4;

/// Registers of outputs that the vector code computes at once, with eight outputs in each.
const BLOCKS: usize = 2;

/// How many outputs a convolution has is a multiple of this.
pub const OUTPUTS: usize = 8 * BLOCKS;

/// Which instructions a network is evaluated with. The results are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// Those of every machine.
    Portable,
    /// The best that this machine has.
    Fastest,
}

impl Instructions {
    /// Can AVX2 be used?
    #[inline(always)]
    pub fn have_vectors(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return self == Instructions::Fastest && std::is_x86_feature_detected!("avx2");
        #[cfg(not(target_arch = "x86_64"))]
        false
    }
}

/// Where the cells of a board lie in memory: row by row, with the halo around them.
pub struct Field {
    /// How many places there are, those of the halo included.
    pub(crate) places: usize,
    /// The place above and left of each cell.
    pub(crate) corners: Vec<usize>,
    /// How far the cell and its neighbours are from there, in the order of the weights.
    pub(crate) taps: [usize; TAPS],
}

impl Field {
    /// The field of a board of this side.
    pub fn new(side: usize) -> Self {
        let width = side + 2;
        let corners = (0..side).flat_map(|row| row * width..row * width + side);
        Field {
            places: width * width,
            corners: corners.collect(),
            taps: WAYS.map(|(row, col)| row * width + col),
        }
    }

    /// The values of a cell, given by its number, among those of all places.
    #[inline(always)]
    pub fn cell(&self, cell: usize, values: usize) -> Range<usize> {
        let first = (self.corners[cell] + self.taps[0]) * values;
        first..first + values
    }
}

/// The weights of a convolution.
#[derive(Debug)]
pub struct Convolution {
    inputs: usize,
    outputs: usize,
    /// For every tap, for every four inputs, for every output: four weights.
    weights: Vec<i8>,
    /// How many steps can be added up in 16 bits, whatever the activations are.
    run: usize,
}

impl Convolution {
    /// Sorts weights that come in the order output, tap, input. What `inputs` lack of a
    /// multiple of [`QUAD`] is filled up with zeros.
    ///
    /// # Panics
    /// If the number of outputs is not a multiple of [`OUTPUTS`].
    pub fn new(weights: &[i8], inputs: usize) -> Self {
        let outputs = weights.len() / inputs / TAPS;
        assert!(outputs.is_multiple_of(OUTPUTS), "{outputs} outputs");
        let quads = inputs.div_ceil(QUAD);
        let mut sorted = vec![0; TAPS * quads * outputs * QUAD];
        for (index, &weight) in weights.iter().enumerate() {
            let (row, input) = (index / inputs, index % inputs);
            let (output, tap) = (row / TAPS, row % TAPS);
            let step = tap * quads + input / QUAD;
            sorted[(step * outputs + output) * QUAD + input % QUAD] = weight;
        }
        let steps = TAPS * quads;
        let fits = |run: &usize| fits_16_bits(&sorted, *run * outputs * QUAD, outputs);
        let mut runs = (1..=steps).map(|runs| steps.div_ceil(runs));
        Convolution {
            run: runs.find(fits).unwrap_or(1),
            inputs: quads * QUAD,
            outputs,
            weights: sorted,
        }
    }

    /// Computes the activations of every cell from `input`, all channels of a cell side by side, into
    /// `output`, which holds the older ones that may be added. Both have all places, with no value
    /// above [`TOP`].
    ///
    /// # Panics
    /// If the lengths of `input` and `output` do not fit the field.
    #[inline(always)]
    pub fn apply(
        &self,
        field: &Field,
        input: &[u8],
        output: &mut [u8],
        finish: &Finish,
        instructions: Instructions,
    ) {
        assert_eq!(input.len(), field.places * self.inputs);
        assert_eq!(output.len(), field.places * self.outputs);
        assert_eq!(finish.multipliers.len(), self.outputs);
        assert_eq!(finish.biases.len(), self.outputs);
        // Where the steps find their inputs, in bytes from a cell's corner.
        let mut steps = Vec::with_capacity(TAPS * self.inputs / QUAD);
        for tap in field.taps {
            steps.extend((tap * self.inputs..(tap + 1) * self.inputs).step_by(QUAD));
        }
        if instructions.have_vectors() {
            // SAFETY: AVX2 has just been detected and the lengths are right.
            #[cfg(target_arch = "x86_64")]
            return unsafe { self.apply_by_vectors(field, input, output, finish, &steps) };
        }
        let mut sums = vec![0; self.outputs];
        for (cell, corner) in field.corners.iter().enumerate() {
            self.add_up(&input[corner * self.inputs..], &steps, &mut sums);
            let output = &mut output[field.cell(cell, self.outputs)];
            for (channel, sum) in sums.iter().enumerate() {
                output[channel] = finish.activation(channel, *sum, output[channel]);
            }
        }
    }

    /// The sums of products of one cell, whose corner is where `input` begins.
    #[inline(always)]
    fn add_up(&self, input: &[u8], steps: &[usize], sums: &mut [i32]) {
        sums.fill(0);
        let weights = self.weights.chunks_exact(self.outputs * QUAD);
        for (step, weights) in steps.iter().zip(weights) {
            let quad = &input[*step..][..QUAD];
            let [a, b, c, d] = [quad[0], quad[1], quad[2], quad[3]].map(|x| x as i32);
            if a | b | c | d == 0 {
                continue;
            }
            for output in 0..sums.len() {
                let w = &weights[output * QUAD..][..QUAD];
                sums[output] +=
                    a * w[0] as i32 + b * w[1] as i32 + c * w[2] as i32 + d * w[3] as i32;
            }
        }
    }

    /// The same with AVX2.
    ///
    /// # Safety
    /// The lengths must be those that [`Convolution::apply`] demands, and `steps` stay among the
    /// places of `input` from every corner.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn apply_by_vectors(
        &self,
        field: &Field,
        input: &[u8],
        output: &mut [u8],
        finish: &Finish,
        steps: &[usize],
    ) {
        use std::arch::x86_64::*;
        /// Cells that are computed at once, so that weights are loaded once for all of them. With
        /// more of them or of [`BLOCKS`] the sums no longer fit into the 16 registers.
        const CELLS: usize = 4;
        let cells = field.corners.len();
        let ones = _mm256_set1_epi16(1);
        for cell in (0..cells).step_by(CELLS) {
            // Behind the last cell it is computed again.
            let firsts: [*const u8; CELLS] = std::array::from_fn(|i| {
                let corner = field.corners[(cell + i).min(cells - 1)];
                input.as_ptr().add(corner * self.inputs)
            });
            for channel in (0..self.outputs).step_by(OUTPUTS) {
                let mut weights = self.weights.as_ptr().add(channel * QUAD);
                let mut wide = [[_mm256_setzero_si256(); BLOCKS]; CELLS];
                for run in steps.chunks(self.run) {
                    let mut narrow = [[_mm256_setzero_si256(); BLOCKS]; CELLS];
                    for &step in run {
                        let block = |b| _mm256_loadu_si256(weights.add(b * 8 * QUAD).cast());
                        let blocks: [__m256i; BLOCKS] = std::array::from_fn(block);
                        // Past the end after the last step.
                        weights = weights.wrapping_add(self.outputs * QUAD);
                        for (first, narrow) in firsts.iter().zip(&mut narrow) {
                            let quad = first.add(step).cast::<i32>().read_unaligned();
                            let quad = _mm256_set1_epi32(quad);
                            for b in 0..BLOCKS {
                                let products = _mm256_maddubs_epi16(quad, blocks[b]);
                                narrow[b] = _mm256_add_epi16(narrow[b], products);
                            }
                        }
                    }
                    for (wide, narrow) in wide
                        .as_flattened_mut()
                        .iter_mut()
                        .zip(narrow.as_flattened())
                    {
                        *wide = _mm256_add_epi32(*wide, _mm256_madd_epi16(*narrow, ones));
                    }
                }
                for (i, sums) in wide.into_iter().enumerate().take(cells - cell) {
                    let first = field.cell(cell + i, self.outputs).start + channel;
                    finish.write(channel, sums, output.as_mut_ptr().add(first));
                }
            }
        }
    }
}

/// What makes activations of sums: `min(max((sum · m + b + older · 2^S) >> S, 0), TOP)`.
pub struct Finish<'a> {
    /// m of every output.
    pub multipliers: &'a [i32],
    /// b of every output, with what rounds to the nearest.
    pub biases: &'a [i32],
    /// S.
    pub shift: usize,
    /// Are the older activations added?
    pub residual: bool,
}

impl Finish<'_> {
    #[inline(always)]
    fn activation(&self, channel: usize, sum: i32, older: u8) -> u8 {
        let older = (older as i32 & -(self.residual as i32)) << self.shift;
        let sum = sum * self.multipliers[channel] + self.biases[channel] + older;
        (sum >> self.shift).clamp(0, TOP) as u8
    }

    /// The activations of [`OUTPUTS`] channels of a cell, from `channel` on, into `output`, which
    /// holds the older ones.
    ///
    /// # Safety
    /// There must be so many channels, and so many bytes at `output`.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn write(
        &self,
        channel: usize,
        sums: [std::arch::x86_64::__m256i; BLOCKS],
        output: *mut u8,
    ) {
        use std::arch::x86_64::*;
        let shift = _mm_cvtsi32_si128(self.shift as i32);
        let finished: [__m256i; BLOCKS] = std::array::from_fn(|b| {
            let load = |from: &[i32]| _mm256_loadu_si256(from.as_ptr().add(channel + 8 * b).cast());
            let sum = _mm256_mullo_epi32(sums[b], load(self.multipliers));
            let mut sum = _mm256_add_epi32(sum, load(self.biases));
            if self.residual {
                let older = _mm_loadl_epi64(output.add(8 * b).cast());
                let older = _mm256_sll_epi32(_mm256_cvtepu8_epi32(older), shift);
                sum = _mm256_add_epi32(sum, older);
            }
            _mm256_sra_epi32(sum, shift)
        });
        // Packing works on halves of registers: 0 to 3 and 8 to 11 come first, and are put in order.
        let packed = _mm256_packs_epi32(finished[0], finished[1]);
        let ordered = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
        let clipped = _mm256_min_epi16(ordered, _mm256_set1_epi16(TOP as i16));
        let (low, high) = (
            _mm256_castsi256_si128(clipped),
            _mm256_extracti128_si256::<1>(clipped),
        );
        _mm_storeu_si128(output.cast(), _mm_packus_epi16(low, high));
    }
}

/// Do sums over each `chunk` of sorted weights stay within 16 bits, whatever the activations are?
fn fits_16_bits(weights: &[i8], chunk: usize, outputs: usize) -> bool {
    let lanes = outputs * QUAD / 2;
    weights.chunks(chunk).all(|chunk| {
        (0..lanes).all(|lane| {
            let steps = chunk.chunks(outputs * QUAD);
            reach(steps.flat_map(|step| &step[2 * lane..][..2])) * TOP <= i16::MAX as i32
        })
    })
}

/// How far from 0 a sum of products with these weights can get, for activations of at most 1.
pub fn reach<'a>(weights: impl IntoIterator<Item = &'a i8>) -> i32 {
    let (mut up, mut down) = (0, 0);
    for &weight in weights {
        match weight {
            0.. => up += weight as i32,
            _ => down -= weight as i32,
        }
    }
    up.max(down)
}
