//! Convolutions over a cell and its six neighbours, in small integers: the hot loop of the network.
//!
//! Weights are signed bytes. They are taken two inputs at a time: the vector code spreads two bytes of a
//! cell over a whole register and multiplies them with the weights of sixteen outputs at once (`vpmaddubsw`), which
//! leaves 16-bit sums of two products. Those are added up in 16 bits for as many pairs as cannot overflow – a
//! number that follows from the weights and the sum of the inputs, nearly always all of them – and
//! only then widened. So both ways of computing give the exact sums, and hence the same bits. Pairs of
//! zeros are left out in both.

use crate::active::{Active, Pair, FOUR};
use crate::field::{Field, CHANNELS, PAIR, TAPS, TOP};

/// Which instructions a network is evaluated with. The results are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instructions {
    /// Those of every machine.
    Portable,
    /// The best that this machine has.
    Fastest,
}

impl Instructions {
    /// Can AVX2 and POPCNT be used?
    #[inline(always)]
    pub fn have_vectors(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        return self == Instructions::Fastest
            && std::is_x86_feature_detected!("avx2")
            && std::is_x86_feature_detected!("popcnt");
        #[cfg(not(target_arch = "x86_64"))]
        false
    }
}

/// Outputs whose 16-bit sums fill a register.
const LANES: usize = 16;

/// Registers that all outputs take.
#[cfg(target_arch = "x86_64")]
const REGISTERS: usize = CHANNELS / LANES;

/// The weights of a convolution.
#[derive(Debug)]
pub struct Convolution {
    /// And as many inputs.
    outputs: usize,
    /// Are there inputs outside the board?
    border: bool,
    /// For every tap, for every two inputs, for every output: two weights.
    weights: Vec<i8>,
    /// Sums of products stay within 16 bits if the sum of their inputs is not above this.
    light: u32,
}

impl Convolution {
    /// Sorts weights that come in the order output, tap, input. If there are fewer `inputs` than outputs, they are
    /// filled up with zeros. Outside the board all inputs are 0 unless there is a `border`.
    pub fn new(weights: &[i8], inputs: usize, border: bool) -> Self {
        let outputs = weights.len() / inputs / TAPS;
        let mut sorted = vec![0; TAPS * outputs * outputs];
        for (index, &weight) in weights.iter().enumerate() {
            let (row, input) = (index / inputs, index % inputs);
            let (output, tap) = (row / TAPS, row % TAPS);
            let pair = (tap * outputs + input) / PAIR;
            sorted[(pair * outputs + output) * PAIR + input % PAIR] = weight;
        }
        let larger = |largest: u8, weight: &i8| largest.max(weight.unsigned_abs());
        Convolution {
            outputs,
            border,
            weights: sorted,
            light: i16::MAX as u32 / weights.iter().fold(1, larger) as u32,
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
        active: &mut Active,
    ) {
        let [places, channels] = [field.places, self.outputs];
        assert_eq!([input.len(), output.len()], [places * channels; 2]);
        assert_eq!(
            [finish.multipliers.len(), finish.biases.len()],
            [channels; 2]
        );
        if instructions.have_vectors() && self.outputs == CHANNELS {
            // SAFETY: AVX2 and POPCNT have just been detected and the lengths are right.
            #[cfg(target_arch = "x86_64")]
            return unsafe { self.apply_by_vectors(field, input, output, finish, active) };
        }
        let mut sums = vec![0; self.outputs];
        for (cell, corner) in field.corners.iter().enumerate() {
            sums.fill(0);
            let weights = self.weights.chunks_exact(self.outputs * self.outputs);
            for (tap, weights) in field.taps.iter().zip(weights) {
                let input = &input[(corner + tap) * self.outputs..][..self.outputs];
                self.add_up(input, weights, &mut sums);
            }
            let output = &mut output[field.cell(cell, self.outputs)];
            for (channel, sum) in sums.iter().enumerate() {
                output[channel] = finish.activation(channel, *sum, output[channel]);
            }
        }
    }

    /// Adds the products of a tap's inputs.
    #[inline(always)]
    fn add_up(&self, input: &[u8], weights: &[i8], sums: &mut [i32]) {
        let weights = weights.chunks_exact(self.outputs * PAIR);
        for (pair, weights) in input.chunks_exact(PAIR).zip(weights) {
            let [a, b] = [pair[0], pair[1]].map(|x| x as i32);
            if a | b == 0 {
                continue;
            }
            for output in 0..sums.len() {
                let w = &weights[output * PAIR..][..PAIR];
                sums[output] += a * w[0] as i32 + b * w[1] as i32;
            }
        }
    }
}

/// Sixteen 16-bit sums, or eight of 32 bits.
#[cfg(target_arch = "x86_64")]
type Sums = std::arch::x86_64::__m256i;

#[cfg(target_arch = "x86_64")]
impl Convolution {
    /// The same as [`Convolution::apply`] with AVX2.
    ///
    /// # Safety
    /// The lengths must be those that it demands.
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn apply_by_vectors(
        &self,
        field: &Field,
        input: &[u8],
        output: &mut [u8],
        finish: &Finish,
        active: &mut Active,
    ) {
        active.find(field, input, self.border);
        for (cell, (pairs, sum)) in active.around().enumerate() {
            let run = if sum <= self.light { usize::MAX } else { FOUR };
            let output = output[field.cell(cell, CHANNELS)].as_mut_ptr();
            let sums = self.sums(pairs, run);
            for (register, sums) in sums.into_iter().enumerate() {
                finish.write(register * LANES, sums, output.add(register * LANES));
            }
        }
    }

    /// The sums of products, [`LANES`] outputs a register, `run` pairs at a time added up in 16 bits.
    ///
    /// # Safety
    /// There must be [`CHANNELS`] outputs, and the weights of all pairs.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn sums(&self, pairs: &[Pair], run: usize) -> [[Sums; 2]; REGISTERS] {
        use std::arch::x86_64::*;
        let mut wide = [[_mm256_setzero_si256(); 2]; REGISTERS];
        for run in pairs.chunks(run) {
            let mut narrow = [_mm256_setzero_si256(); REGISTERS];
            for four in run.chunks_exact(FOUR) {
                for pair in four {
                    let inputs = _mm256_set1_epi16(pair.inputs);
                    let weights = self.weights.as_ptr().cast::<u64>();
                    let weights = weights.add(pair.weights as usize).cast::<Sums>();
                    for (register, sums) in narrow.iter_mut().enumerate() {
                        let weights = _mm256_loadu_si256(weights.add(register));
                        *sums = _mm256_add_epi16(*sums, _mm256_maddubs_epi16(inputs, weights));
                    }
                }
            }
            for ([low, high], sums) in wide.iter_mut().zip(narrow) {
                let half = _mm256_castsi256_si128(sums);
                *low = _mm256_add_epi32(*low, _mm256_cvtepi16_epi32(half));
                let half = _mm256_extracti128_si256::<1>(sums);
                *high = _mm256_add_epi32(*high, _mm256_cvtepi16_epi32(half));
            }
        }
        wide
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

    /// The activations of [`LANES`] channels of a cell, from `channel` on, into `output`, which
    /// holds the older ones.
    ///
    /// # Safety
    /// There must be so many channels, and so many bytes at `output`.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn write(&self, channel: usize, sums: [Sums; 2], output: *mut u8) {
        use std::arch::x86_64::*;
        let shift = _mm_cvtsi32_si128(self.shift as i32);
        let finished: [Sums; 2] = std::array::from_fn(|b| {
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
