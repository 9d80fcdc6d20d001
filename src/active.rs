//! Which inputs of a convolution count, for its vector code.
//!
//! Activations are never negative, and most of them are 0: in the shipped network six of seven. Inputs are
//! multiplied in pairs, of which three of four add nothing. They are left out without a branch that depends on
//! the inputs: the pairs of a place that are not both 0 are moved to the front of its list, and the seven
//! lists that a cell needs are written one behind the other, each over the unused end of the one before.

use crate::field::{Field, CHANNELS, PAIR, TAPS};

/// Pairs of a place.
const PAIRS: usize = CHANNELS / PAIR;

/// Pairs that are looked at together.
const GROUP: usize = 8;

/// The length of a cell's list is a multiple of this.
pub const FOUR: usize = 4;

/// How far the weights of a pair are from those of the next, in units of eight bytes.
const STRIDE: usize = CHANNELS * PAIR / 8;

/// A pair of inputs.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub struct Pair {
    /// The two inputs, a byte each.
    pub inputs: i16,
    /// Where its weights begin, in units of eight bytes.
    pub weights: u16,
}

/// The inputs of a convolution that count, and the memory for them.
#[allow(dead_code)] // On other machines than x86-64 it is memory alone.
pub struct Active {
    /// The list of each place, with the weights of the first tap; behind its end lies anything.
    pairs: Vec<[Pair; PAIRS]>,
    /// How many pairs the list of each place has, and the sum of its inputs.
    counts: Vec<(u32, u32)>,
    /// The lists of the cells, one behind the other. It is written and read by pointers, its length stays 0.
    around: Vec<Pair>,
    /// Where the list of each cell ends, and the sum of its inputs.
    ends: Vec<(usize, u32)>,
}

impl Active {
    /// Memory for the convolutions of a board.
    pub fn new(field: &Field) -> Self {
        let cells = field.corners.len();
        Active {
            pairs: vec![[Pair::default(); PAIRS]; field.places],
            counts: vec![(0, 0); field.places],
            around: Vec::with_capacity(cells * (TAPS * PAIRS + FOUR)),
            ends: vec![(0, 0); cells],
        }
    }
}

/// For every set of eight 16-bit lanes, how `pshufb` moves those to the front.
#[cfg(target_arch = "x86_64")]
static TO_FRONT: [[u8; 16]; 256] = {
    let mut table = [[0; 16]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut lanes, mut byte) = (set as u8, 0);
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as u8;
            table[set][byte] = 2 * lane;
            table[set][byte + 1] = 2 * lane + 1;
            byte += 2;
            lanes &= lanes - 1;
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
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn find(&mut self, field: &Field, input: &[u8], border: bool) {
        if border {
            (0..field.places).for_each(|place| self.list(place, input));
        } else {
            self.counts.fill((0, 0));
            let places = field.corners.iter().map(|corner| corner + field.taps[0]);
            places.for_each(|place| self.list(place, input));
        }
        self.gather(field);
    }

    /// Makes the list of a place.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn list(&mut self, place: usize, input: &[u8]) {
        use std::arch::x86_64::*;
        let zero = _mm_setzero_si128();
        let numbers = _mm_set_epi16(7, 6, 5, 4, 3, 2, 1, 0);
        let (mut count, mut sum) = (0, zero);
        for group in (0..PAIRS).step_by(GROUP) {
            let inputs = input.as_ptr().add(place * CHANNELS + group * PAIR);
            let inputs = _mm_loadu_si128(inputs.cast());
            sum = _mm_add_epi64(sum, _mm_sad_epu8(inputs, zero));
            let idle = _mm_packs_epi16(_mm_cmpeq_epi16(inputs, zero), zero);
            let set = !_mm_movemask_epi8(idle) as u8;
            let to_front = _mm_loadu_si128(TO_FRONT[set as usize].as_ptr().cast());
            let inputs = _mm_shuffle_epi8(inputs, to_front);
            let weights = _mm_add_epi16(numbers, _mm_set1_epi16(group as i16));
            let weights = _mm_mullo_epi16(weights, _mm_set1_epi16(STRIDE as i16));
            let weights = _mm_shuffle_epi8(weights, to_front);
            let end = self.pairs[place].as_mut_ptr().add(count).cast();
            _mm_storeu_si128(end, _mm_unpacklo_epi16(inputs, weights));
            _mm_storeu_si128(end.add(1), _mm_unpackhi_epi16(inputs, weights));
            count += set.count_ones() as usize;
        }
        let sum = _mm_cvtsi128_si32(sum) + _mm_extract_epi32::<2>(sum);
        self.counts[place] = (count as u32, sum as u32);
    }

    /// Makes the lists of the cells.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn gather(&mut self, field: &Field) {
        use std::arch::x86_64::*;
        let mut end = 0;
        for (corner, around) in field.corners.iter().zip(&mut self.ends) {
            let mut inputs = 0;
            for (tap, way) in field.taps.iter().enumerate() {
                let place = corner + way;
                let weights = _mm256_set1_epi32(((tap * PAIRS * STRIDE) << 16) as i32);
                for group in (0..PAIRS).step_by(GROUP) {
                    let pairs = self.pairs[place].as_ptr().add(group).cast();
                    let pairs = _mm256_add_epi32(_mm256_loadu_si256(pairs), weights);
                    let to = self.around.as_mut_ptr().add(end + group);
                    _mm256_storeu_si256(to.cast(), pairs);
                }
                let (count, sum) = self.counts[place];
                end += count as usize;
                inputs += sum;
            }
            let to = self.around.as_mut_ptr().add(end);
            _mm_storeu_si128(to.cast(), _mm_setzero_si128());
            end = end.next_multiple_of(FOUR);
            *around = (end, inputs);
        }
    }

    /// For each cell the pairs that count for it, perhaps with some of zeros behind them, and the sum of
    /// its inputs.
    ///
    /// # Safety
    /// They must have been found.
    #[inline]
    pub unsafe fn around(&self) -> impl Iterator<Item = (&[Pair], u32)> {
        let mut first = 0;
        self.ends.iter().map(move |&(end, sum)| {
            let pairs = self.around.as_ptr().wrapping_add(first);
            let pairs = unsafe { std::slice::from_raw_parts(pairs, end - first) };
            first = end;
            (pairs, sum)
        })
    }
}
