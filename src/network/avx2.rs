//! The hot loops with AVX2, for [`SIMD_CHANNELS`] channels.
//!
//! Activations are never negative, and most of them are 0: seven of eight in the shipped network.
//! Inputs are multiplied in pairs, and four of five pairs are zeros, which add nothing. They are
//! left out without a branch that depends on the inputs: the other pairs of each cell are moved to
//! the front, and the list of each cell is written over the unused end of the list before. Products
//! are computed for two pairs of one cell at a time: `vpmaddubsw` multiplies a pair, broadcast to a
//! whole register, by the weights of sixteen outputs.

use crate::network::layout::{
    PaddedLayout, ACTIVATION_MAX, CENTER, PAIR, SIMD_CHANNELS, TAPS, TAP_OFFSETS,
};
use crate::network::requantize::Requantize;
use std::arch::x86_64::{
    __m128i, __m256i, _mm256_add_epi16, _mm256_add_epi32, _mm256_adds_epi16,
    _mm256_castsi256_si128, _mm256_cvtepu16_epi32, _mm256_cvtepu8_epi16, _mm256_cvtepu8_epi32,
    _mm256_extracti128_si256, _mm256_load_si256, _mm256_loadu_si256, _mm256_madd_epi16,
    _mm256_maddubs_epi16, _mm256_max_epu8, _mm256_min_epu8, _mm256_mulhrs_epi16, _mm256_or_si256,
    _mm256_packus_epi16, _mm256_permute4x64_epi64, _mm256_permutevar8x32_epi32, _mm256_set1_epi16,
    _mm256_set1_epi8, _mm256_setzero_si256, _mm256_store_si256, _mm256_storeu_si256,
    _mm_cmpeq_epi16, _mm_loadl_epi64, _mm_loadu_si128, _mm_movemask_epi8, _mm_packs_epi16,
    _mm_set1_epi16, _mm_setzero_si128, _mm_storeu_si128,
};

/// The pairs of a cell.
const PAIRS: usize = SIMD_CHANNELS / PAIR;

/// How many pairs are moved to the front together.
const GROUP: usize = 8;

/// The distance from the weights of a pair to those of the next, in bytes.
const PAIR_STRIDE: usize = TAPS * SIMD_CHANNELS * PAIR;

/// How many registers hold 16 bits of every output.
const REGISTERS: usize = SIMD_CHANNELS / 16;

/// Returns true if this machine has the instructions.
pub fn is_there() -> bool {
    std::is_x86_feature_detected!("avx2") && std::is_x86_feature_detected!("popcnt")
}

/// A pair of inputs that are not both 0, or a pair of zeros that makes the number of pairs even.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct InputPair {
    /// The two inputs, a byte each.
    inputs: i16,
    /// The offset of its weights, in bytes.
    weights: u16,
}

/// The list of pairs of inputs that are not both 0.
#[derive(Default)]
pub struct SparseActivations {
    /// Two pairs of a cell in each entry; undefined from `len` on.
    pairs: Vec<[InputPair; 2]>,
    /// The padded cell of each entry.
    cells: Vec<u16>,
    /// The number of entries.
    len: usize,
}

impl SparseActivations {
    /// Memory for this number of padded cells.
    pub fn new(padded_cells: usize) -> Self {
        // One extra cell, because whole registers are written after the last pair.
        let twos = (padded_cells + 1) * PAIRS / 2;
        SparseActivations {
            pairs: vec![Default::default(); twos],
            cells: vec![0; twos],
            len: 0,
        }
    }

    /// Fills the list from the activations of all padded cells.
    ///
    /// # Safety
    /// The memory must be for `padded_cells`, and there must be activations for all of them.
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn fill(&mut self, padded_cells: usize, activations: &[u8]) {
        self.len = 0;
        for padded in 0..padded_cells {
            let activations = activations.as_ptr().add(padded * SIMD_CHANNELS);
            self.push(padded, _mm256_loadu_si256(activations.cast()));
        }
    }

    /// Adds the pairs of a padded cell, given its activations.
    ///
    /// # Safety
    /// No padded cell may be added twice, so that there is room.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn push(&mut self, padded: usize, activations: __m256i) {
        let halves = [
            _mm256_castsi256_si128(activations),
            _mm256_extracti128_si256::<1>(activations),
        ];
        let [low, high] = halves.map(|half| _mm_cmpeq_epi16(half, _mm_setzero_si128()));
        let mut set = !_mm_movemask_epi8(_mm_packs_epi16(low, high));
        let weights: [u32; PAIRS] = std::array::from_fn(|pair| ((pair * PAIR_STRIDE) << 16) as u32);
        let start = self.pairs.as_mut_ptr().add(self.len).cast::<InputPair>();
        let mut count = 0;
        for (inputs, weights) in halves.into_iter().zip(weights.chunks_exact(GROUP)) {
            let members = _mm_loadl_epi64(MEMBERS[set as u8 as usize].as_ptr().cast());
            let weights = _mm256_loadu_si256(weights.as_ptr().cast());
            let pairs = _mm256_or_si256(_mm256_cvtepu16_epi32(inputs), weights);
            let pairs = _mm256_permutevar8x32_epi32(pairs, _mm256_cvtepu8_epi32(members));
            _mm256_storeu_si256(start.add(count).cast(), pairs);
            count += (set as u8).count_ones() as usize;
            set >>= GROUP;
        }
        *start.add(count) = InputPair::default();
        let cells = self.cells.as_mut_ptr().add(self.len);
        _mm_storeu_si128(cells.cast(), _mm_set1_epi16(padded as i16));
        self.len += count.div_ceil(2);
    }
}

/// For every set of eight pairs, as bits, the indices of its members in ascending order. The rest
/// of an entry does not matter.
static MEMBERS: [[u8; GROUP]; 1 << GROUP] = {
    let mut table = [[0; GROUP]; 1 << GROUP];
    let mut set = 0;
    while set < table.len() {
        let (mut left, mut count) = (set, 0);
        while left != 0 {
            table[set][count] = left.trailing_zeros() as u8;
            count += 1;
            left &= left - 1;
        }
        set += 1;
    }
    table
};

/// A convolution with `weights`, `[pairs of inputs][taps][outputs][2]`. Writes the activations of
/// all cells to `output`, which holds the older ones. `active` holds the inputs that are not 0, and
/// then the outputs that are not 0. The `sums` are 0 before and after.
///
/// # Safety
/// All lengths must fit the layout and [`SIMD_CHANNELS`], weights and sums must be aligned to 32
/// bytes, and the inputs must belong to a board with this layout.
#[target_feature(enable = "avx2,popcnt")]
pub unsafe fn convolve(
    weights: &[i8],
    requantize: &Requantize,
    layout: &PaddedLayout,
    active: &mut SparseActivations,
    sums: &mut [i16],
    output: &mut [u8],
) {
    let (width, own_sums) = (layout.width(), layout.sums_of(0, CENTER));
    add_products(active, weights, layout, sums);
    active.len = 0;
    for row in 1..width - 1 {
        for padded in row * width + 1..(row + 1) * width - 1 {
            let output = output.as_mut_ptr().add(padded * SIMD_CHANNELS);
            let sums = sums.as_mut_ptr().add((padded + own_sums) * SIMD_CHANNELS);
            let activations = requantize.activations(sums.cast(), output.cast());
            _mm256_storeu_si256(output.cast(), activations);
            active.push(padded, activations);
        }
    }
}

/// Adds the products of the inputs and the weights to the sums at [`PaddedLayout::sums_of`].
///
/// # Safety
/// As of [`convolve`].
#[inline(never)] // Faster, because it then has all registers.
#[target_feature(enable = "avx2,popcnt")]
unsafe fn add_products(
    inputs: &SparseActivations,
    weights: &[i8],
    layout: &PaddedLayout,
    sums: &mut [i16],
) {
    let width = layout.width();
    let sums = sums.as_mut_ptr().cast::<__m256i>();
    let sums = sums.add(layout.first_sums() * REGISTERS);
    let cells = inputs.cells[..inputs.len].iter();
    for (pairs, &padded) in inputs.pairs.iter().zip(cells) {
        let inputs = pairs.map(|pair| _mm256_set1_epi16(pair.inputs));
        let weights = pairs.map(|pair| weights.as_ptr().add(pair.weights as usize));
        let sums = sums.add(padded as usize * REGISTERS);
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

impl Requantize<'_> {
    /// The activations of a cell, from its `sums` and the `older` ones. Clears the sums.
    ///
    /// # Safety
    /// There must be [`SIMD_CHANNELS`] multipliers, biases, sums and older activations.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn activations(&self, sums: *mut __m256i, older: *const __m128i) -> __m256i {
        let activations: [__m256i; REGISTERS] = std::array::from_fn(|register| {
            let load =
                |from: &[i16]| _mm256_loadu_si256(from.as_ptr().cast::<__m256i>().add(register));
            let sums = sums.add(register);
            let sum = _mm256_adds_epi16(_mm256_load_si256(sums), load(self.biases));
            _mm256_store_si256(sums, _mm256_setzero_si256());
            let scaled = _mm256_mulhrs_epi16(sum, load(self.multipliers));
            if !self.residual {
                return scaled;
            }
            let older = _mm_loadu_si128(older.add(register));
            _mm256_adds_epi16(scaled, _mm256_cvtepu8_epi16(older))
        });
        // Packing works on halves of registers, so outputs 0 to 7 and 16 to 23 come first.
        // The permutation restores the order.
        let packed = _mm256_packus_epi16(activations[0], activations[1]);
        let ordered = _mm256_permute4x64_epi64::<0b11_01_10_00>(packed);
        _mm256_min_epu8(ordered, _mm256_set1_epi8(ACTIVATION_MAX as i8))
    }
}

/// The sum of products of the patch that begins at a tap origin with `weights`, `[taps][channels]`.
///
/// # Safety
/// The tap origin must be one of the layout, and the lengths must fit the layout.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
pub unsafe fn dot_patch(
    layout: &PaddedLayout,
    origin: usize,
    activations: &[u8],
    weights: &[i8],
) -> i32 {
    let mut sums = _mm256_setzero_si256();
    for (tap, offset) in layout.tap_offsets.iter().enumerate() {
        let activations = activations.as_ptr().add((origin + offset) * SIMD_CHANNELS);
        let weights = weights.as_ptr().add(tap * SIMD_CHANNELS);
        let weights = _mm256_loadu_si256(weights.cast());
        let products = _mm256_maddubs_epi16(_mm256_loadu_si256(activations.cast()), weights);
        let products = _mm256_madd_epi16(products, _mm256_set1_epi16(1));
        sums = _mm256_add_epi32(sums, products);
    }
    let mut lanes = [0i32; 8];
    _mm256_storeu_si256(lanes.as_mut_ptr().cast(), sums);
    lanes.iter().sum()
}

/// Adds each channel's values over the board to `sums`, and writes its maximum to `maxima`.
///
/// # Safety
/// There must be activations of all padded cells, and [`SIMD_CHANNELS`] sums and maxima.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
pub unsafe fn pool_board(
    layout: &PaddedLayout,
    activations: &[u8],
    sums: &mut [u32],
    maxima: &mut [u8],
) {
    let mut all_maxima = _mm256_setzero_si256();
    for row in 0..layout.side {
        // The sums of a row fit 16 bits.
        let mut of_row = [_mm256_setzero_si256(); REGISTERS];
        for col in 0..layout.side {
            let cell = activations[layout.range(row * layout.side + col, SIMD_CHANNELS)].as_ptr();
            all_maxima = _mm256_max_epu8(all_maxima, _mm256_loadu_si256(cell.cast()));
            for (register, sums) in of_row.iter_mut().enumerate() {
                let part = _mm_loadu_si128(cell.cast::<__m128i>().add(register));
                *sums = _mm256_add_epi16(*sums, _mm256_cvtepu8_epi16(part));
            }
        }
        let lanes = std::mem::transmute::<[__m256i; REGISTERS], [u16; SIMD_CHANNELS]>(of_row);
        for (sum, lane) in sums.iter_mut().zip(lanes) {
            *sum += lane as u32;
        }
    }
    _mm256_storeu_si256(maxima.as_mut_ptr().cast(), all_maxima);
}
