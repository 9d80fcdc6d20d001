//! The file of weights: its header, and how the numbers come out of its text. What they mean is for
//! [`crate::network`] to say; docs/network.md has the format.

use std::fmt;

/// A network as it lies in a file: a header and the packed numbers.
#[derive(Clone, Debug)]
pub struct Packed<'a> {
    /// What the network is called.
    pub id: &'a str,
    /// The training run that it comes from.
    pub run: &'a str,
    /// FNV-1a of the bytes that the text stands for.
    pub checksum: u32,
    /// Channels of every convolution's output, a multiple of 16 up to 128.
    pub channels: usize,
    /// Convolutions before the heads, 1 to 31.
    pub layers: usize,
    /// Neurons in the hidden layer of the value head, 1 to 256.
    pub hidden: usize,
    /// Bits of a weight, 3 to 8.
    pub bits: u32,
    /// Bit l is set if convolution l sees the whole board by pooling; never bit 0.
    pub pools: u32,
    /// The numbers, in base 85.
    pub text: &'a str,
}

impl Packed<'_> {
    /// Is every number of the header in its range?
    ///
    /// # Errors
    /// If not, with the first one that is not.
    pub fn check(&self) -> Result<(), WeightsError> {
        let whole_board = self.pools & 1 == 0 && self.pools >> self.layers.min(31) == 0;
        let numbers = [
            ("layers", self.layers, (1..32).contains(&self.layers)),
            (
                "channels",
                self.channels,
                (16..=128).contains(&self.channels) && self.channels.is_multiple_of(16),
            ),
            ("hidden", self.hidden, (1..=256).contains(&self.hidden)),
            ("bits", self.bits as usize, (3..=8).contains(&self.bits)),
            ("pools", self.pools as usize, whole_board),
        ];
        match numbers.iter().find(|(_, _, fits)| !fits) {
            Some(&(name, value, _)) => Err(WeightsError::Header(name, value)),
            None => Ok(()),
        }
    }
}

/// Why a file of weights cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightsError {
    /// A number of the header (its name, its value) is out of its range.
    Header(&'static str, usize),
    /// The text has this byte at this place, which is no digit.
    Digit(u8, usize),
    /// The checksum found is not the one in the header.
    Checksum(u32, u32),
    /// The text stands for fewer bytes than the header needs, or for more.
    Length(usize),
    /// An output of this layer may leave the range of 32 bits (the heads count on after the
    /// convolutions).
    Overflow(usize),
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Self::Header(name, value) => write!(f, "{name} cannot be {value}"),
            Self::Digit(byte, at) => write!(f, "byte {byte} at {at} is no digit"),
            Self::Checksum(found, told) => write!(f, "checksum {found:#x}, expected {told:#x}"),
            Self::Length(bytes) => write!(f, "{bytes} bytes do not fit the header"),
            Self::Overflow(layer) => write!(f, "layer {layer} may overflow"),
        }?;
        f.write_str("; export the weights again")
    }
}

impl std::error::Error for WeightsError {}

/// The digits of base 85, those of Python's `base64.b85encode`: none needs an escape in a literal.
const DIGITS: &[u8; 85] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/// The bytes that a text in base 85 stands for: five digits are four bytes, the first digit and the
/// first byte weighing most.
fn base85(text: &str) -> Result<Vec<u8>, WeightsError> {
    let mut values = [None; 256];
    for (value, &digit) in DIGITS.iter().enumerate() {
        values[digit as usize] = Some(value as u32);
    }
    let mut bytes = Vec::with_capacity(text.len());
    for (group, digits) in text.as_bytes().chunks(5).enumerate() {
        let mut word = 0u32;
        for place in 0..5 {
            // The last group is cut; it was filled up with the largest digit.
            let digit = *digits.get(place).unwrap_or(&b'~');
            let value = values[digit as usize];
            let value = value.ok_or(WeightsError::Digit(digit, 5 * group + place))?;
            word = word.wrapping_mul(85).wrapping_add(value);
        }
        bytes.extend(&word.to_be_bytes()[..digits.len() - 1]);
    }
    Ok(bytes)
}

/// FNV-1a.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum, &byte| {
        (sum ^ byte as u32).wrapping_mul(0x0100_0193)
    })
}

/// Takes numbers from the front of the packed bytes. Behind their end it finds zeros, which
/// [`Unpacker::finish`] tells.
pub struct Unpacker {
    bytes: Vec<u8>,
    /// The next bit, counted from the lowest of the first byte.
    at: usize,
}

impl Unpacker {
    /// Begins with the first number.
    ///
    /// # Errors
    /// If the text is not in base 85 or its checksum is not the header's.
    pub fn new(packed: &Packed) -> Result<Self, WeightsError> {
        let bytes = base85(packed.text)?;
        let found = checksum(&bytes);
        if found != packed.checksum {
            return Err(WeightsError::Checksum(found, packed.checksum));
        }
        Ok(Unpacker { bytes, at: 0 })
    }

    /// A number of up to 32 bits, the lowest first.
    pub fn bits(&mut self, count: u32) -> u32 {
        let mut value = 0;
        for bit in 0..count {
            let byte = *self.bytes.get(self.at / 8).unwrap_or(&0) as u32;
            value |= (byte >> (self.at % 8) & 1) << bit;
            self.at += 1;
        }
        value
    }

    /// The next `count` weights of `bits` bits each.
    pub fn weights(&mut self, count: usize, bits: u32) -> Vec<i8> {
        let zero = 1 << (bits - 1);
        let weights = (0..count).map(|_| (self.bits(bits) as i32 - zero) as i8);
        weights.collect()
    }

    /// The next byte, by which numbers are shifted.
    ///
    /// # Errors
    /// If it is above 24.
    pub fn shift(&mut self) -> Result<u32, WeightsError> {
        match self.bits(8) {
            shift @ ..=24 => Ok(shift),
            shift => Err(WeightsError::Header("shift", shift as usize)),
        }
    }

    /// Goes to the beginning of the next byte.
    pub fn align(&mut self) {
        self.at = self.at.next_multiple_of(8);
    }

    /// Was everything taken, and nothing that is not there?
    ///
    /// # Errors
    /// If not.
    pub fn finish(self) -> Result<(), WeightsError> {
        match self.at == 8 * self.bytes.len() {
            true => Ok(()),
            false => Err(WeightsError::Length(self.bytes.len())),
        }
    }
}
