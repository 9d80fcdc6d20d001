//! Networks in the plainest form, random ones, and their files: for tests and benchmarks.
#![allow(dead_code)] // tests and benchmarks each use a part of it

use rand::Rng;

/// A cell and its neighbours, in the file's order: rows down, columns right.
pub const TAPS: [(isize, isize); 7] = [(0, -1), (-1, 0), (1, -1), (0, 0), (-1, 1), (1, 0), (0, 1)];

/// What a network is made of, numbers aside.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub channels: usize,
    pub layers: usize,
    pub hidden: usize,
    pub bits: usize,
    pub pools: usize,
}

/// The shape with these numbers, in the order of its fields.
pub fn shape([channels, layers, hidden, bits, pools]: [usize; 5]) -> Shape {
    Shape {
        channels,
        layers,
        hidden,
        bits,
        pools,
    }
}

/// Shift, multipliers and biases.
#[derive(Clone, Debug)]
pub struct Numbers {
    /// That of a convolution is 15 and not in the file.
    pub shift: u32,
    pub multipliers: Vec<i64>,
    pub biases: Vec<i64>,
}

/// Weights and numbers of a matrix.
pub type Head = (Vec<i64>, Numbers);

/// A convolution.
#[derive(Clone, Debug)]
pub struct Layer {
    pub inputs: usize,
    pub weights: Vec<i64>,
    pub numbers: Numbers,
    pub pool: Option<Head>,
}

/// A network, every number as it is in docs/network.md.
#[derive(Clone, Debug)]
pub struct Plain {
    pub shape: Shape,
    pub layers: Vec<Layer>,
    pub policy: Head,
    pub hidden: Head,
    pub value: Head,
}

/// A file in memory.
#[derive(Clone)]
pub struct File {
    pub shape: Shape,
    pub checksum: u32,
    pub coded: Vec<u8>,
}

/// A small network that is sound.
pub fn small(rng: &mut impl Rng) -> Plain {
    Plain::random(shape([16, 3, 4, 5, 0b10]), rng)
}

/// A number from -most to most.
fn around_zero(rng: &mut impl Rng, most: i64) -> i64 {
    rng.next_u64() as i64 % (most + 1)
}

fn weights(rng: &mut impl Rng, count: usize, shape: Shape) -> Vec<i64> {
    let most = (1 << (shape.bits - 1)) - 1;
    (0..count).map(|_| around_zero(rng, most)).collect()
}

/// Numbers that make outputs around `output` of sums over `inputs` products of inputs up to `top`.
fn numbers(
    rng: &mut impl Rng,
    (outputs, inputs, top): (usize, usize, i64),
    (shift, output): (u32, f64),
    shape: Shape,
) -> Numbers {
    let weight = f64::from(1 << shape.bits) / 4.0;
    let deviation = (inputs as f64).sqrt() * weight * top as f64 / 4.0;
    let multiplier = (f64::from(1 << shift) * output / deviation).ceil() as i64;
    let multiplier = multiplier.min(21_000);
    let mut around = |middle, most| {
        (0..outputs)
            .map(|_| middle + around_zero(rng, most))
            .collect()
    };
    Numbers {
        shift,
        multipliers: around(multiplier, multiplier / 2),
        biases: around(0, (output * f64::from(1 << shift)) as i64),
    }
}

/// Numbers that make activations of all sizes, a good part of them 0, of a convolution's sums.
fn finish(rng: &mut impl Rng, sums: (usize, usize, i64), shape: Shape) -> Numbers {
    let mut numbers = numbers(rng, sums, (15, 40.0), shape);
    // They are in units of the sums.
    for (bias, multiplier) in numbers.biases.iter_mut().zip(&numbers.multipliers) {
        *bias = (*bias / multiplier).clamp(-32768, 32767);
    }
    numbers
}

impl Plain {
    /// A random network of this shape.
    pub fn random(shape: Shape, rng: &mut impl Rng) -> Self {
        let channels = shape.channels;
        let mut layers = Vec::new();
        for index in 0..shape.layers {
            let (inputs, top) = if index == 0 { (2, 32) } else { (channels, 127) };
            let products = inputs * TAPS.len();
            let pooled = shape.pools >> index & 1 != 0;
            let pool = pooled.then(|| {
                let weights = weights(rng, channels * 2 * channels, shape);
                // Biases of the convolution, so in units of its sums.
                let numbers = numbers(rng, (channels, 2 * channels, 127), (12, 500.0), shape);
                (weights, numbers)
            });
            layers.push(Layer {
                inputs,
                weights: weights(rng, channels * products, shape),
                numbers: finish(rng, (channels, products, top), shape),
                pool,
            });
        }
        let mut head = |outputs: usize, inputs: usize| {
            let numbers = numbers(rng, (outputs, inputs, 127), (12, 40.0), shape);
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
            coded: bytes,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut coder = Coder::default();
        let bits = self.shape.bits;
        for layer in &self.layers {
            coder.rows(&layer.weights, &layer.numbers, bits);
            if let Some((pool, numbers)) = &layer.pool {
                coder.matrix(pool, numbers, bits);
            }
        }
        for (weights, numbers) in [&self.policy, &self.hidden, &self.value] {
            coder.matrix(weights, numbers, bits);
        }
        coder.finish()
    }
}

/// An adaptive binary range coder, the other end of the bot's unpacker.
struct Coder {
    low: u64,
    range: u64,
    bytes: Vec<u8>,
    /// For each kind of number and each place in its tree of bits, the probability of a 0 in 2⁻¹⁵.
    probabilities: Vec<[u64; 256]>,
}

impl Default for Coder {
    fn default() -> Self {
        Coder {
            low: 0,
            range: 1 << 24,
            bytes: Vec::new(),
            probabilities: vec![[1 << 14; 256]; 8],
        }
    }
}

impl Coder {
    fn matrix(&mut self, weights: &[i64], numbers: &Numbers, bits: usize) {
        self.number(1, 8, i64::from(numbers.shift));
        self.rows(weights, numbers, bits);
    }

    fn rows(&mut self, weights: &[i64], numbers: &Numbers, bits: usize) {
        let outputs = numbers.biases.len();
        for (output, row) in weights.chunks(weights.len() / outputs).enumerate() {
            for byte in 0..2 {
                self.number(2 + byte, 8, numbers.multipliers[output] >> (8 * byte) & 255);
            }
            for byte in 0..4 {
                self.number(4 + byte, 8, numbers.biases[output] >> (8 * byte) & 255);
            }
            for weight in row {
                self.number(0, bits, weight + (1 << (bits - 1)));
            }
        }
    }

    fn number(&mut self, kind: usize, bits: usize, value: i64) {
        let mut node = 1;
        for bit in (0..bits).rev() {
            let is_one = value >> bit & 1 != 0;
            let probability = &mut self.probabilities[kind][node];
            let bound = (self.range >> 15) * *probability;
            if is_one {
                self.low += bound;
                self.range -= bound;
                *probability -= *probability >> 7;
            } else {
                self.range = bound;
                *probability += ((1 << 15) - *probability) >> 7;
            }
            node = 2 * node + usize::from(is_one);
            while self.range < 1 << 24 {
                self.shift();
                self.range <<= 8;
            }
        }
    }

    /// Writes the highest of four bytes, after carrying what lies above it.
    fn shift(&mut self) {
        if self.low >> 32 != 0 {
            let above = self.bytes.iter_mut().rev();
            for byte in above {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
        }
        self.bytes.push((self.low >> 24) as u8);
        self.low = (self.low & 0xff_ffff) << 8;
    }

    fn finish(mut self) -> Vec<u8> {
        (0..4).for_each(|_| self.shift());
        // The range had 24 bits in the beginning, so the first byte is 0.
        self.bytes.split_off(1)
    }
}

impl File {
    /// What the bot reads.
    pub fn bytes(&self) -> Vec<u8> {
        let shape = &self.shape;
        let about = [
            shape.channels,
            shape.layers,
            shape.hidden,
            shape.bits,
            shape.pools,
        ];
        let ends = (self.checksum as usize, self.coded.len());
        let numbers = [&[ends.0][..], &about, &[ends.1]].concat();
        let header = numbers.iter().flat_map(|&n| (n as u32).to_le_bytes());
        let begin = b"HXW1".iter().copied().chain(header);
        begin.chain(self.coded.iter().copied()).collect()
    }
}
