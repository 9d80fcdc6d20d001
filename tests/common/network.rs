//! Networks in the plainest form, random ones, and their files: for tests and benchmarks.
#![allow(dead_code)] // tests and benchmarks each use a part of it

use hexbot::packing::Packed;
use rand::Rng;

/// A cell and its neighbours, in the file's order: rows down, columns right.
pub const TAPS: [(isize, isize); 7] = [(0, 0), (0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1)];

/// The digits of base 85.
const DIGITS: &[u8; 85] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/// What a network is made of, numbers aside.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub channels: usize,
    pub layers: usize,
    pub hidden: usize,
    pub bits: u32,
    pub pools: u32,
}

/// Shift, multipliers and biases.
#[derive(Clone, Debug)]
pub struct Numbers {
    pub shift: u32,
    pub multipliers: Vec<i64>,
    pub biases: Vec<i64>,
}

#[derive(Clone, Debug)]
pub struct Layer {
    pub inputs: usize,
    pub weights: Vec<i64>,
    pub numbers: Numbers,
    /// Weights and multipliers.
    pub pool: Option<(Vec<i64>, Vec<i64>)>,
}

/// A network, every number as it is in docs/network.md.
#[derive(Clone, Debug)]
pub struct Plain {
    pub shape: Shape,
    pub layers: Vec<Layer>,
    pub policy: (Vec<i64>, Numbers),
    pub hidden: (Vec<i64>, Numbers),
    pub value: (Vec<i64>, Numbers),
}

/// A file in memory.
pub struct File {
    shape: Shape,
    checksum: u32,
    pub text: String,
}

/// A number from -most to most.
fn around_zero(rng: &mut impl Rng, most: i64) -> i64 {
    rng.next_u64() as i64 % (most + 1)
}

fn weights(rng: &mut impl Rng, count: usize, shape: Shape) -> Vec<i64> {
    let most = (1 << (shape.bits - 1)) - 1;
    (0..count).map(|_| around_zero(rng, most)).collect()
}

/// Numbers that make activations of all sizes, a good part of them 0, of sums over `inputs`
/// products of inputs up to `top`.
fn numbers(rng: &mut impl Rng, outputs: usize, inputs: usize, top: i64, shape: Shape) -> Numbers {
    let shift = 12;
    let weight = f64::from(1 << shape.bits) / 4.0;
    let deviation = (inputs as f64).sqrt() * weight * top as f64 / 4.0;
    let multiplier = ((f64::from(1 << shift) * 40.0 / deviation).ceil() as i64).min(40_000);
    Numbers {
        shift,
        multipliers: (0..outputs)
            .map(|_| multiplier + around_zero(rng, multiplier / 2))
            .collect(),
        biases: (0..outputs)
            .map(|_| around_zero(rng, 30 << shift))
            .collect(),
    }
}

impl Plain {
    /// A random network of this shape.
    pub fn random(shape: Shape, rng: &mut impl Rng) -> Self {
        let channels = shape.channels;
        let mut layers = Vec::new();
        for index in 0..shape.layers {
            let (inputs, top) = if index == 0 { (2, 1) } else { (channels, 127) };
            let products = inputs * TAPS.len();
            let pooled = shape.pools >> index & 1 != 0;
            let pool = pooled.then(|| {
                let weights = weights(rng, channels * 2 * channels, shape);
                let numbers = numbers(rng, channels, 2 * channels, 127, shape);
                (weights, numbers.multipliers)
            });
            layers.push(Layer {
                inputs,
                weights: weights(rng, channels * products, shape),
                numbers: numbers(rng, channels, products, top, shape),
                pool,
            });
        }
        let mut head = |outputs: usize, inputs: usize| {
            let numbers = numbers(rng, outputs, inputs, 127, shape);
            (weights(rng, outputs * inputs, shape), numbers)
        };
        Plain {
            policy: head(1, TAPS.len() * channels),
            hidden: head(shape.hidden, 2 * channels),
            value: head(1, shape.hidden),
            shape,
            layers,
        }
    }

    /// The file of this network.
    pub fn file(&self) -> File {
        let bytes = self.bytes();
        let checksum = bytes.iter().fold(0x811c9dc5u32, |sum, &byte| {
            (sum ^ u32::from(byte)).wrapping_mul(0x01000193)
        });
        File {
            shape: self.shape,
            checksum,
            text: base85(&bytes),
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut weights: Vec<i64> = Vec::new();
        let mut numbers: Vec<u8> = Vec::new();
        for layer in &self.layers {
            weights.extend(&layer.weights);
            numbers.push(layer.numbers.shift as u8);
            for output in 0..self.shape.channels {
                push(&mut numbers, &layer.numbers, output);
                if let Some((_, multipliers)) = &layer.pool {
                    numbers.extend((multipliers[output] as u16).to_le_bytes());
                }
            }
            if let Some((pool, _)) = &layer.pool {
                weights.extend(pool);
            }
        }
        for head in [&self.policy, &self.hidden, &self.value] {
            weights.extend(&head.0);
        }
        numbers.push(self.policy.1.shift as u8);
        numbers.extend((self.policy.1.multipliers[0] as u16).to_le_bytes());
        for (_, head) in [&self.hidden, &self.value] {
            numbers.push(head.shift as u8);
            (0..head.biases.len()).for_each(|output| push(&mut numbers, head, output));
        }
        let mut bytes = packed_bits(&weights, self.shape.bits);
        bytes.extend(numbers);
        bytes
    }
}

fn push(bytes: &mut Vec<u8>, numbers: &Numbers, output: usize) {
    bytes.extend((numbers.multipliers[output] as u16).to_le_bytes());
    bytes.extend((numbers.biases[output] as i32).to_le_bytes());
}

fn packed_bits(weights: &[i64], bits: u32) -> Vec<u8> {
    let mut bytes = vec![0; (weights.len() * bits as usize).div_ceil(8)];
    for (index, weight) in weights.iter().enumerate() {
        let value = weight + (1 << (bits - 1));
        for bit in 0..bits as usize {
            let at = index * bits as usize + bit;
            bytes[at / 8] |= ((value >> bit & 1) as u8) << (at % 8);
        }
    }
    bytes
}

/// Bytes in base 85, as Python's `base64.b85encode` writes them.
pub fn base85(bytes: &[u8]) -> String {
    let mut text = String::new();
    for group in bytes.chunks(4) {
        let mut word = [0; 4];
        word[..group.len()].copy_from_slice(group);
        let mut value = u32::from_be_bytes(word);
        let mut digits = [0; 5];
        for digit in digits.iter_mut().rev() {
            *digit = DIGITS[value as usize % 85];
            value /= 85;
        }
        let digits = std::str::from_utf8(&digits[..=group.len()]).expect("digits are ASCII");
        text.push_str(digits);
    }
    text
}

impl File {
    /// What the bot reads.
    pub fn packed(&self) -> Packed<'_> {
        Packed {
            id: "random",
            run: "none",
            checksum: self.checksum,
            channels: self.shape.channels,
            layers: self.shape.layers,
            hidden: self.shape.hidden,
            bits: self.shape.bits,
            pools: self.shape.pools,
            text: &self.text,
        }
    }
}
