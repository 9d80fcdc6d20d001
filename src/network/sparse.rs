//! Which inputs of a convolution count, for its vector code.
//!
//! Activations are never negative, and most of them are 0: in the shipped network six of seven. Inputs are
//! multiplied in pairs, of which four of five add nothing. They are left out without a branch that depends on
//! the inputs: the pairs of a place that are not both 0 are moved to the front of its list, and for a row of
//! cells the lists of its strip (see [`crate::network::layout`]) are written one behind the other, each over the unused end of
//! the one before. What a cell needs is a part of that.

use crate::network::layout::{Field, ADVANCE, CHANNELS, PAIR, TAPS};

/// Pairs of a place.
const PAIRS: usize = CHANNELS / PAIR;

/// Pairs that are looked at together.
const GROUP: usize = 8;

/// The length of a cell's list is a multiple of this.
pub const FOUR: usize = 4;

/// How far the weights of a pair are from those of the next, in units of eight bytes.
const STRIDE: usize = CHANNELS * PAIR / 8;

/// How far the weights of a place of a strip are from those of the next.
const NEXT: usize = PAIRS * STRIDE;

/// How far the weights of a cell's places are from those of the next cell in its row.
pub const COLUMN: usize = ADVANCE * NEXT;

/// A pair of inputs.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct Pair {
    /// The two inputs, a byte each.
    pub inputs: i16,
    /// Where its weights begin, in units of eight bytes; in a strip, for the row's first cell.
    pub weights: u16,
}

/// How many pairs there are, and the sum of their inputs.
#[derive(Clone, Copy, Default)]
struct Amount {
    pairs: u32,
    sum: u32,
}

/// The inputs of a convolution that count, and the memory for them.
#[allow(dead_code)] // On other machines than x86-64 it is memory alone.
pub struct Active {
    /// The list of each place, with the weights of the first tap; behind its end lies anything.
    lists: Vec<[Pair; PAIRS]>,
    /// What is in the list of each place.
    amounts: Vec<Amount>,
    /// The lists of a strip, one behind the other.
    strip: Vec<Pair>,
    /// What comes before each place of the strip, and before its end.
    before: Vec<Amount>,
}

impl Active {
    /// Memory for the convolutions of a board.
    pub fn new(field: &Field) -> Self {
        let strip = field.strip.len();
        Active {
            lists: vec![[Pair::default(); PAIRS]; field.places],
            amounts: vec![Amount::default(); field.places],
            strip: vec![Pair::default(); (strip + 1) * PAIRS],
            before: vec![Amount::default(); strip + 1],
        }
    }
}

/// For every set of eight pairs the pairs in it, in the order of their numbers; what comes behind does not matter.
#[cfg(target_arch = "x86_64")]
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

#[cfg(target_arch = "x86_64")]
impl Active {
    /// Finds the pairs of `input` that count. Outside the board all inputs are 0 unless there is a `border`.
    ///
    /// # Safety
    /// `input` must have [`CHANNELS`] channels of all places of the field that the memory is for.
    #[inline(never)] // Faster: it has all registers for itself.
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn find(&mut self, field: &Field, input: &[u8], border: bool) {
        if border {
            for place in 0..field.places {
                self.list(place, input);
            }
        } else {
            self.amounts.fill(Amount::default());
            for cell in 0..field.corners.len() {
                self.list(field.place(cell), input);
            }
        }
    }

    /// Makes the list of a place.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn list(&mut self, place: usize, input: &[u8]) {
        use std::arch::x86_64::*;
        let input = input.as_ptr().add(place * CHANNELS).cast::<__m128i>();
        let mut weights = _mm256_set_epi32(7, 6, 5, 4, 3, 2, 1, 0);
        weights = _mm256_mullo_epi32(weights, _mm256_set1_epi32((STRIDE << 16) as i32));
        let mut amount = Amount::default();
        for group in 0..PAIRS / GROUP {
            let inputs = _mm_loadu_si128(input.add(group));
            let sums = _mm_sad_epu8(inputs, _mm_setzero_si128());
            amount.sum += (_mm_cvtsi128_si32(sums) + _mm_extract_epi32::<2>(sums)) as u32;
            let inputs = _mm256_cvtepu16_epi32(inputs);
            let idle = _mm256_cmpeq_epi32(inputs, _mm256_setzero_si256());
            let set = !_mm256_movemask_ps(_mm256_castsi256_ps(idle)) as u8;
            let members = _mm_loadl_epi64(MEMBERS[set as usize].as_ptr().cast());
            let pairs = _mm256_or_si256(inputs, weights);
            let pairs = _mm256_permutevar8x32_epi32(pairs, _mm256_cvtepu8_epi32(members));
            let end = self.lists[place].as_mut_ptr().add(amount.pairs as usize);
            _mm256_storeu_si256(end.cast(), pairs);
            amount.pairs += set.count_ones();
            weights = _mm256_add_epi32(weights, _mm256_set1_epi32(((GROUP * STRIDE) << 16) as i32));
        }
        self.amounts[place] = amount;
    }

    /// Makes the list of a row's strip.
    ///
    /// # Safety
    /// The pairs must have been found, on the same field.
    #[inline(never)] // As above.
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn gather(&mut self, field: &Field, row: usize) {
        use std::arch::x86_64::*;
        let corner = field.corners[row * field.side];
        let next = _mm256_set1_epi32((NEXT << 16) as i32);
        let (mut weights, mut amount) = (_mm256_setzero_si256(), Amount::default());
        for (at, way) in field.strip.iter().enumerate() {
            *self.before.get_unchecked_mut(at) = amount;
            let list = self.lists.as_ptr().add(corner + way).cast::<__m256i>();
            let end = self.strip.as_mut_ptr().add(amount.pairs as usize);
            let end = end.cast::<__m256i>();
            let of_place = *self.amounts.get_unchecked(corner + way);
            _mm256_storeu_si256(end, _mm256_add_epi32(_mm256_loadu_si256(list), weights));
            if of_place.pairs > GROUP as u32 {
                let list = _mm256_loadu_si256(list.add(1));
                _mm256_storeu_si256(end.add(1), _mm256_add_epi32(list, weights));
            }
            weights = _mm256_add_epi32(weights, next);
            amount.pairs += of_place.pairs;
            amount.sum += of_place.sum;
        }
        self.before[field.strip.len()] = amount;
    }

    /// The pairs that count for a cell of the row, perhaps with some of zeros behind them, and the sum of
    /// its inputs. The weights of the pairs are those for the first cell; they lie [`COLUMN`] further on for every cell right of it.
    ///
    /// # Safety
    /// Cells must be taken from the right to the left, each once: what is behind its pairs is written over.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn around(&mut self, col: usize) -> (&[Pair], u32) {
        use std::arch::x86_64::*;
        let (first, last) = (
            self.before[col * ADVANCE],
            self.before[col * ADVANCE + TAPS],
        );
        let (start, end) = (first.pairs as usize, last.pairs as usize);
        let nothing = _mm_set1_epi32(((col * COLUMN) << 16) as i32);
        _mm_storeu_si128(self.strip[end..][..FOUR].as_mut_ptr().cast(), nothing);
        let pairs = &self.strip[start..start + (end - start).next_multiple_of(FOUR)];
        (pairs, last.sum - first.sum)
    }
}
