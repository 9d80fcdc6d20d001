//! The file of weights: its header, and the decoder of the numbers after it. [`crate::network`]
//! interprets them; docs/network.md has the format.
//!
//! The numbers are entropy-coded. An adaptive binary range coder (that of LZMA: Martin 1979, Pavlov
//! 1998) codes them bit by bit, the highest first. At every node of a number's tree of bits it
//! learns the probability of a 0. Trained weights are mostly small, so the code is shorter than the
//! numbers.

use std::array;
use std::fmt;

/// The part of a file of weights that is impossible, and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WeightsError(pub &'static str, pub usize);

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let WeightsError(what, value) = self;
        write!(
            f,
            "the weights' {what} cannot be {value}: export them again"
        )
    }
}

impl std::error::Error for WeightsError {}

/// Returns the error with this name and value unless it `is_sound`.
pub fn check(is_sound: bool, what: &'static str, value: usize) -> Result<(), WeightsError> {
    is_sound.then_some(()).ok_or(WeightsError(what, value))
}

/// The first four bytes of a file of weights: the letters `HXW`, and 1 for the version of the
/// format.
pub const MAGIC: usize = u32::from_le_bytes(*b"HXW1") as usize;

/// Bytes of the header.
const HEADER: usize = 32;

/// The header of a file: the magic number, the checksum, channels, layers, neurons of the value
/// head's hidden layer, bits of a weight, the set of pooling convolutions, bytes of coded numbers.
/// Missing numbers of a file that is too short are 0.
pub fn header(file: &[u8]) -> [usize; HEADER / 4] {
    array::from_fn(|index| {
        let bytes = file.iter().skip(4 * index).take(4).rev();
        bytes.fold(0, |number, &byte| number << 8 | byte as usize)
    })
}

/// The coded numbers, `length` bytes; none if the file is shorter.
pub fn coded(file: &[u8], length: usize) -> &[u8] {
    file.get(HEADER..HEADER + length).unwrap_or_default()
}

/// The text after the coded numbers: the network's name, a line feed, and the training run.
pub fn about(file: &[u8]) -> &[u8] {
    let [.., length] = header(file);
    file.get(HEADER + length..).unwrap_or_default()
}

/// The FNV-1a hash, 32 bits.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum, &byte| {
        (sum ^ byte as u32).wrapping_mul(0x0100_0193)
    })
}

/// The probability 1: probabilities are in units of 2⁻¹⁵.
const CERTAIN: u32 = 1 << 15;

/// Every bit moves a probability by 2⁻⁷ of its distance to 0 or 1.
const ADAPTATION_SHIFT: u32 = 7;

/// The kinds of numbers, each with its own probabilities: weights, shifts, the two bytes of
/// multipliers, the four bytes of biases.
const KINDS: usize = 8;

/// The range decoder: reads numbers from the front of the coded bytes. After their end it reads
/// zeros, which [`Decoder::expect_end`] detects.
pub struct Decoder<'a> {
    bytes: &'a [u8],
    /// The index of the next byte.
    at: usize,
    range: u32,
    code: u32,
    /// The bits of a weight.
    bits: usize,
    /// The probability of a 0, in units of 2⁻¹⁵, at each node of a number's tree of bits.
    /// `[kinds][nodes]`
    probabilities: [[u32; 256]; KINDS],
}

impl<'a> Decoder<'a> {
    /// Starts at the first of the coded numbers in `bytes`. An uncoded weight has `bits` bits.
    ///
    /// # Errors
    /// If `bytes` have another checksum than `sum`.
    pub fn new(bytes: &'a [u8], sum: usize, bits: usize) -> Result<Self, WeightsError> {
        let found = checksum(bytes) as usize;
        check(found == sum, "checksum", found)?;
        let mut decoder = Decoder {
            bytes,
            at: 0,
            range: 1,
            code: 0,
            bits,
            probabilities: [[CERTAIN / 2; 256]; KINDS],
        };
        decoder.normalize();
        Ok(decoder)
    }

    /// Reads bytes until the range has more than 24 bits.
    fn normalize(&mut self) {
        while self.range < 1 << 24 {
            self.range <<= 8;
            self.code = self.code << 8 | *self.bytes.get(self.at).unwrap_or(&0) as u32;
            self.at += 1;
        }
    }

    /// Reads a number of this many bits, at most 8, the highest first.
    fn number(&mut self, kind: usize, bits: usize) -> usize {
        let mut node = 1;
        for _ in 0..bits {
            let probability = &mut self.probabilities[kind][node];
            let bound = self.range / CERTAIN * *probability;
            let is_one = self.code >= bound;
            if is_one {
                self.code -= bound;
                self.range -= bound;
                *probability -= *probability >> ADAPTATION_SHIFT;
            } else {
                self.range = bound;
                *probability += (CERTAIN - *probability) >> ADAPTATION_SHIFT;
            }
            node = 2 * node + is_one as usize;
            self.normalize();
        }
        node - (1 << bits)
    }

    /// Reads a weight, which is stored with half the range of its bits added.
    pub fn weight(&mut self) -> i8 {
        (self.number(0, self.bits) as i32 - (1 << (self.bits - 1))) as i8
    }

    /// Reads a shift, 0 to 255.
    pub fn shift(&mut self) -> usize {
        self.number(1, 8)
    }

    /// Reads a multiplier, 0 to 65535; the low byte comes first.
    pub fn multiplier(&mut self) -> i32 {
        let bytes = [2, 3].map(|kind| self.number(kind, 8) as u8);
        u16::from_le_bytes(bytes) as i32
    }

    /// Reads a bias; the low bytes come first.
    pub fn bias(&mut self) -> i32 {
        i32::from_le_bytes([4, 5, 6, 7].map(|kind| self.number(kind, 8) as u8))
    }

    /// Checks that all bytes have been read, and none after their end.
    ///
    /// # Errors
    /// If not. The error has the number of bytes.
    pub fn expect_end(self) -> Result<(), WeightsError> {
        let length = self.bytes.len();
        check(self.at == length, "length", length)
    }
}
