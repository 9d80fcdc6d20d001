//! Convolutions over a cell and its six neighbours, in small integers: the hot loop of the network.
//!
//! Weights are signed bytes. They are taken two inputs at a time: the vector code spreads two bytes of a
//! cell over a whole register and multiplies them with the weights of sixteen outputs at once (`vpmaddubsw`), which
//! leaves 16-bit sums of two products. Those are added up in 16 bits. Whether that could overflow follows from the weights and the sum
//! of a cell's inputs; such cells, hardly any, are computed by the code for all machines. So both ways of computing give the
//! exact sums, and hence the same bits. Pairs of zeros are left out in both.

use crate::network::layout::{Field, CHANNELS, PAIR, TAPS, TOP};
use crate::network::sparse::{Active, Pair, COLUMN, FOUR};

/// Can the vector code be used on this machine? It needs AVX2 and POPCNT.
pub fn have_vectors() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("popcnt");
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// The weights of a convolution.
#[derive(Debug)]
pub struct Convolution {
    /// And as many inputs.
    outputs: usize,
    /// Is the vector code used? Only if the machine has the instructions and there are [`CHANNELS`] outputs.
    vectors: bool,
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
        let rows = weights.chunks_exact(inputs * TAPS);
        Convolution {
            outputs,
            vectors: outputs == CHANNELS && have_vectors(),
            border,
            weights: sorted,
            light: rows.map(light).min().unwrap_or(0),
        }
    }

    /// Has it computed by the code for all machines, with the same results.
    pub fn without_vectors(&mut self) {
        self.vectors = false;
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
        active: &mut Active,
    ) {
        let [places, channels] = [field.places, self.outputs];
        assert_eq!([input.len(), output.len()], [places * channels; 2]);
        assert_eq!(
            [finish.multipliers.len(), finish.biases.len()],
            [channels; 2]
        );
        if self.vectors {
            // SAFETY: the instructions were detected and the lengths are right.
            #[cfg(target_arch = "x86_64")]
            return unsafe { self.apply_by_vectors(field, input, output, finish, active) };
        }
        for cell in 0..field.corners.len() {
            self.cell(field, cell, input, output, finish);
        }
    }

    /// Computes the activations of one cell.
    #[inline(always)]
    fn cell(&self, field: &Field, cell: usize, input: &[u8], output: &mut [u8], finish: &Finish) {
        let mut sums = vec![0; self.outputs];
        let weights = self.weights.chunks_exact(self.outputs * self.outputs);
        for (tap, weights) in field.taps.iter().zip(weights) {
            let input = &input[(field.corners[cell] + tap) * self.outputs..][..self.outputs];
            let weights = weights.chunks_exact(self.outputs * PAIR);
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
        let output = &mut output[field.cell(cell, self.outputs)];
        for (channel, sum) in sums.iter().enumerate() {
            output[channel] = finish.activation(channel, *sum, output[channel]);
        }
    }
}

/// The sums of products of all outputs, 16 bits each.
#[cfg(target_arch = "x86_64")]
type Sums = [std::arch::x86_64::__m256i; CHANNELS / 16];

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
        for row in 0..field.side {
            active.gather(field, row);
            for col in (0..field.side).rev() {
                let cell = row * field.side + col;
                let (pairs, sum) = active.around(col);
                if sum > self.light {
                    self.cell(field, cell, input, output, finish);
                    continue;
                }
                let weights = self.weights.as_ptr().cast::<u64>();
                let sums = Self::sums(pairs, weights.wrapping_sub(col * COLUMN));
                finish.write(sums, &mut output[field.cell(cell, CHANNELS)]);
            }
        }
    }

    /// The sums of products of `pairs`, whose number is a multiple of [`FOUR`].
    ///
    /// # Safety
    /// The weights of all pairs must lie where they say, counted from `weights`.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn sums(pairs: &[Pair], weights: *const u64) -> Sums {
        use std::arch::x86_64::*;
        let mut sums: Sums = [_mm256_setzero_si256(); CHANNELS / 16];
        for four in pairs.chunks_exact(FOUR) {
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

/// What makes activations of sums: `min(max((sum + b) · m / 2¹⁵ + older, 0), TOP)`, where `sum + b` stays within 16 bits and
/// the quotient is rounded to the nearest.
pub struct Finish<'a> {
    /// m of every output, 0 or more.
    pub multipliers: &'a [i16],
    /// b of every output.
    pub biases: &'a [i16],
    /// Are the older activations added?
    pub residual: bool,
}

impl Finish<'_> {
    #[inline(always)]
    fn activation(&self, channel: usize, sum: i32, older: u8) -> u8 {
        let sum = sum + self.biases[channel] as i32;
        let sum = sum.clamp(i16::MIN as i32, i16::MAX as i32);
        let scaled = (sum * self.multipliers[channel] as i32 + (1 << 14)) >> 15;
        let older = older as i32 & -(self.residual as i32);
        (scaled + older).clamp(0, TOP) as u8
    }

    /// The activations of a cell into `output`, which holds the older ones.
    ///
    /// # Safety
    /// There must be [`CHANNELS`] multipliers, biases and activations.
    #[cfg(target_arch = "x86_64")]
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn write(&self, sums: Sums, output: &mut [u8]) {
        use std::arch::x86_64::*;
        let finished: Sums = std::array::from_fn(|register| {
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
        // Packing works on halves of registers: 0 to 7 and 16 to 23 come first, and are put in order.
        let packed = _mm256_packus_epi16(finished[0], finished[1]);
        let ordered = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
        let clipped = _mm256_min_epu8(ordered, _mm256_set1_epi8(TOP as i8));
        _mm256_storeu_si256(output.as_mut_ptr().cast(), clipped);
    }
}

/// The largest sum of inputs, none above [`TOP`], for which sums of products with these weights cannot leave 16 bits.
fn light(weights: &[i8]) -> u32 {
    let mut most = usize::MAX;
    for sign in [1, -1] {
        // It is largest when the inputs with the largest weights are TOP and the others 0.
        let mut weights: Vec<i32> = weights.iter().map(|&w| (sign * w as i32).max(0)).collect();
        weights.sort_unstable_by(|a, b| b.cmp(a));
        let mut left = i16::MAX as i32 / TOP;
        let fit = weights.iter().take_while(|&w| {
            left -= w;
            left >= 0
        });
        most = most.min(fit.count());
    }
    most as u32 * TOP as u32
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
