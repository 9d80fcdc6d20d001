//! The file of weights: its header, and the decoder of the numbers in its text. What they mean is
//! for [`crate::network`] to say; docs/network.md has the format.
//!
//! The numbers are entropy-coded: an adaptive binary range coder (the one of LZMA: Martin 1979,
//! Pavlov 1998) codes them bit by bit, the highest first, and learns at every node of a number's
//! tree of bits the probability of a 0 there. Trained weights are mostly small, so that they take
//! fewer bits than they have.

use std::fmt;

/// A network as it lies in a file: a header and the packed numbers.
#[derive(Clone, Debug)]
pub struct Packed<'a> {
    /// What the network is called.
    pub id: &'a str,
    /// The training run that it comes from.
    pub run: &'a str,
    /// The FNV-1a hash of the bytes that the text stands for.
    pub checksum: u32,
    /// Channels of every convolution's output, a multiple of 16 up to 128.
    pub channels: usize,
    /// Convolutions before the heads, 1 to 31.
    pub layers: usize,
    /// Neurons in the hidden layer of the value head, 1 to 256.
    pub hidden: usize,
    /// Bits of a weight before they are coded, 3 to 6.
    pub bits: usize,
    /// Bit l is set if convolution l sees the whole board by pooling; never bit 0.
    pub pools: usize,
    /// The numbers, in base 94.
    pub text: &'a str,
}

/// What in a file of weights is impossible, and its value.
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

/// Digits of a text in base 94, and the bytes that they stand for: 2⁷² is just below 94¹¹.
const GROUP: (usize, usize) = (11, 9);

/// Decodes a text in base 94: eleven digits are nine bytes, the most significant digit and byte
/// first. The digits are the characters from the space to `~` without the quotation mark; of others
/// it makes nonsense, which the checksum tells.
fn base94(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for digits in text.as_bytes().chunks(GROUP.0) {
        let mut word = 0;
        for digit in digits {
            let value = digit.wrapping_sub(b' ' + (*digit > b'"') as u8);
            word = word * 94 + value as u128;
        }
        bytes.extend(&word.to_be_bytes()[16 - GROUP.1..]);
    }
    bytes
}

/// The FNV-1a hash, 32 bits.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum, &byte| {
        (sum ^ byte as u32).wrapping_mul(0x0100_0193)
    })
}

/// The probability 1: probabilities are in units of 2⁻¹⁵.
const CERTAIN: u32 = 1 << 15;

/// With every bit, a probability moves by 2⁻⁷ of its distance to 0 or 1.
const ADAPTATION_SHIFT: u32 = 7;

/// Kinds of numbers, each with probabilities of its own: weights, shifts, the two bytes of
/// multipliers, the four bytes of biases.
const KINDS: usize = 8;

/// The range decoder: reads numbers from the front of the coded bytes. Behind their end it reads
/// zeros, which [`Decoder::expect_end`] tells.
pub struct Decoder {
    bytes: Vec<u8>,
    /// The index of the next byte.
    at: usize,
    range: u32,
    code: u32,
    /// Of a weight.
    bits: usize,
    /// The probability of a 0, in units of 2⁻¹⁵, at each node of a number's tree of bits.
    /// `[kinds][nodes]`
    probabilities: [[u32; 256]; KINDS],
}

impl Decoder {
    /// Starts at the first number.
    ///
    /// # Errors
    /// If the checksum is not the header's.
    pub fn new(packed: &Packed) -> Result<Self, WeightsError> {
        let bytes = base94(packed.text);
        let found = checksum(&bytes);
        check(found == packed.checksum, "checksum", found as usize)?;
        let mut decoder = Decoder {
            bytes,
            at: 0,
            range: 1,
            code: 0,
            bits: packed.bits,
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

    /// Reads a number of so many bits, 8 at most, the highest first.
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

    /// Reads a weight; it is stored with half the range of its bits added.
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

    /// Checks that all bytes have been read, and none behind their end.
    ///
    /// # Errors
    /// If not; it has the number of bytes.
    pub fn expect_end(self) -> Result<(), WeightsError> {
        // The last group of digits may be filled up.
        let length = self.bytes.len();
        let is_read = (self.at..self.at + GROUP.1).contains(&length);
        check(is_read, "length", length)
    }
}
