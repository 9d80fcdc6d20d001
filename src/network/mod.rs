//! The network: the win probability of a position and the priors of its moves, learnt from
//! self-play.
//!
//! It sees the board from the view of the player to move. If that is Blue, the board is transposed
//! and turned by half a turn, so that the mover always joins top and bottom. The input is two
//! planes (own stones, the opponent's) on a board with a ring of border stones. They go through
//! convolutions over the hexagonal neighbourhood. Every second convolution is residual: it adds the
//! activations of two convolutions before. Some convolutions get a bias from each channel's mean
//! and maximum over the board. The policy head gives a logit for every cell, the value head one for
//! the result.
//!
//! Everything up to the logits is computed in whole numbers, and the rest with a few operations
//! that IEEE 754 defines exactly, so every machine gets the same bits. docs/network.md has the
//! formulas.

// The file of the weights.
pub mod packing;
// The shipped file.
pub mod weights;
// The outputs of the network.
pub mod logits;
// The memory layout of boards.
pub mod layout;
// Computes activations from sums.
pub mod requantize;
// The hot loops for WebAssembly with SIMD, in a WebAssembly module of their own.
#[cfg(target_arch = "wasm32")]
pub mod kernel;
// The hot loops with AVX2.
#[cfg(target_arch = "x86_64")]
pub mod avx2;
// Convolutions.
pub mod convolution;
// Dense layers.
pub mod dense;

use crate::board::Board;
use crate::cell::{Cell, Color};
use crate::grid::Grid;
use crate::network::convolution::{Code, Convolution, ConvolutionScratch, MAX_CHANNELS};
use crate::network::dense::{dot, Dense};
use crate::network::layout::{PaddedLayout, ACTIVATION_MAX, STONE, TAPS};
use crate::network::logits::Logits;
use crate::network::packing::{check, coded, header, Decoder, WeightsError, MAGIC};
use crate::network::requantize::Requantize;
use std::ops::Range;

/// The number of planes that represent a position.
const PLANES: usize = 2;

/// A network, ready to evaluate boards of every side.
#[derive(Debug)]
pub struct Network {
    code: Code,
    channels: usize,
    layers: Vec<Layer>,
    /// The weights of a convolution to one channel: `[1][taps][channels]`.
    policy: Dense,
    /// The hidden layer of the value head, on the pooled channels. `[hidden][2 · channels]`
    hidden: Dense,
    /// `[1][hidden]`
    value: Dense,
}

/// A convolution, and the parameters that turn its sums into activations.
#[derive(Debug)]
struct Layer {
    convolution: Convolution,
    /// `[channels]`
    multipliers: Vec<i16>,
    /// `[channels]`
    biases: Vec<i16>,
    /// Computes additional biases from the pooled channels. `[channels][2 · channels]`
    pool: Option<Dense>,
}

/// The memory of evaluations, for any network and any board. Keep it from one evaluation to the
/// next, so that only the first one allocates. Its contents in between do not matter.
#[derive(Default)]
pub struct Scratch {
    /// The layout of the board, and the memory of a convolution.
    convolution: ConvolutionScratch,
    /// The stones from the mover's view, including those of the halo. `[padded cells][channels]`
    planes: Vec<u8>,
    /// The activations of the last convolution; 0 in the halo. `[padded cells][channels]`
    x: Vec<u8>,
    /// The activations of the convolution before, which the next one replaces. `[padded
    /// cells][channels]`
    older: Vec<u8>,
    /// A convolution's biases, plus those from pooling. `[channels]`
    biases: Vec<i16>,
    /// The logits of the cells from the mover's view. `[cells]`
    policy: Vec<i32>,
}

impl Scratch {
    /// Sets the planes of stones from the mover's view, with a ring of border stones, and clears
    /// the activations.
    fn prepare<const N: usize>(&mut self, board: &Board<N>, channels: usize) {
        let side = board.side();
        if !self.convolution.fits(side, channels) {
            self.convolution = ConvolutionScratch::new(side, channels);
        }
        for activations in [&mut self.planes, &mut self.x, &mut self.older] {
            activations.clear();
            activations.resize(self.convolution.layout.padded_cells * channels, 0);
        }
        let mover = board.to_move();
        for (plane, color) in [mover, mover.opponent()].into_iter().enumerate() {
            let mut put =
                |row, col| self.planes[(row * (side + 2) + col) * channels + plane] = STONE;
            for cell in board.own_stones(color).iter() {
                let (row, col) = mover_view(mover, cell, side);
                put(row + 1, col + 1);
            }
            for i in 1..=side {
                for end in [0, side + 1] {
                    match plane {
                        0 => put(end, i),
                        _ => put(i, end),
                    }
                }
            }
        }
    }
}

/// Pools `activations`, `[padded cells][channels]`. The result is the mean of every channel over
/// the board, rounded down, then the maximum of every channel; zeros follow these `2 · channels`.
#[inline(always)]
fn pool_board(code: Code, layout: &PaddedLayout, activations: &[u8]) -> [u8; 2 * MAX_CHANNELS] {
    let channels = activations.len() / layout.padded_cells;
    let (mut sums, mut pooled) = ([0; MAX_CHANNELS], [0; 2 * MAX_CHANNELS]);
    let cells = layout.tap_origins.len();
    let (sums, maxima) = (&mut sums[..channels], &mut pooled[channels..][..channels]);
    match code {
        // SAFETY: the code is for this machine and for this number of channels.
        #[cfg(target_arch = "x86_64")]
        Code::Simd => unsafe {
            crate::network::avx2::pool_board(layout, activations, sums, maxima)
        },
        #[cfg(target_arch = "wasm32")]
        Code::Simd => {
            kernel::pool_board(layout, activations, &mut pooled);
            return pooled;
        }
        _ => {
            for cell in 0..cells {
                let activations = &activations[layout.range(cell, channels)];
                for c in 0..channels {
                    sums[c] += activations[c] as u32;
                    maxima[c] = activations[c].max(maxima[c]);
                }
            }
        }
    }
    // 65536 / cells, rounded to the nearest.
    let share = ((0x10000 + cells / 2) / cells) as u32;
    for c in 0..channels {
        pooled[c] = ((sums[c] * share) >> 16) as u8;
    }
    pooled
}

/// Converts a cell of a board of `side` to the row and column in the network's view, where the
/// mover joins top and bottom; and back. Blue's view is also turned by half a turn. That is
/// equivalent for the mover, but gives the tree two views of a fight, with different errors.
fn mover_view<const N: usize>(mover: Color, cell: Cell<N>, side: usize) -> (usize, usize) {
    match mover {
        Color::Red => (cell.row(), cell.col()),
        Color::Blue => (side - 1 - cell.col(), side - 1 - cell.row()),
    }
}

impl Layer {
    /// Computes the activations of the layer with this index into `older`, from those in `x`, or
    /// from the planes for the first layer.
    #[inline(always)]
    fn apply(&self, index: usize, scratch: &mut Scratch) {
        let input = match index {
            0 => &scratch.planes,
            _ => &scratch.x,
        };
        scratch.biases.clone_from(&self.biases);
        if let Some(pool) = &self.pool {
            let pooled = pool_board(self.convolution.code(), &scratch.convolution.layout, input);
            let further = pool.apply(&pooled[..2 * self.biases.len()]);
            for (bias, more) in scratch.biases.iter_mut().zip(further) {
                *bias = (*bias as i32 + more).clamp(i16::MIN as i32, i16::MAX as i32) as i16;
            }
        }
        let requantize = Requantize {
            multipliers: &self.multipliers,
            biases: &scratch.biases,
            // The first layer adds zeros.
            residual: index.is_multiple_of(2),
        };
        let (output, memory) = (&mut scratch.older, &mut scratch.convolution);
        self.convolution.apply(input, output, &requantize, memory);
    }
}

impl Network {
    /// The code that computes it.
    pub fn code(&self) -> Code {
        self.code
    }

    /// The same network, computed by the portable code: slower, with equal results.
    pub fn without_simd(self) -> Self {
        let layers = self.layers.into_iter().map(|layer| Layer {
            convolution: layer.convolution.without_simd(),
            ..layer
        });
        Network {
            code: Code::Portable,
            layers: layers.collect(),
            ..self
        }
    }

    /// Evaluates `board`. Takes at most 7 · N² · channels² · layers multiplications; those by pairs
    /// of zeros are left out. Allocates nothing if `scratch` was last used for the same sizes of
    /// board and network.
    pub fn logits<const N: usize>(&self, board: &Board<N>, scratch: &mut Scratch) -> Logits<N> {
        scratch.prepare(board, self.channels);
        let value = self.forward(scratch);
        let mut policy = Grid::filled(0);
        let side = board.side();
        for cell in board.cells().iter() {
            let (row, col) = mover_view(board.to_move(), cell, side);
            policy[cell] = scratch.policy[row * side + col];
        }
        Logits { value, policy }
    }

    /// Computes the logits of the planes in `scratch`. Returns that of the value, and leaves those
    /// of the policy in `scratch`. Not generic over N, so that it is compiled only once.
    fn forward(&self, scratch: &mut Scratch) -> i32 {
        match self.code {
            // SAFETY: the code is for this machine.
            #[cfg(target_arch = "x86_64")]
            Code::Simd => unsafe { self.forward_simd(scratch) },
            _ => self.forward_portably(scratch),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt")]
    fn forward_simd(&self, scratch: &mut Scratch) -> i32 {
        self.forward_portably(scratch)
    }

    #[inline(always)]
    fn forward_portably(&self, scratch: &mut Scratch) -> i32 {
        for (index, layer) in self.layers.iter().enumerate() {
            layer.apply(index, scratch);
            std::mem::swap(&mut scratch.x, &mut scratch.older);
        }
        self.find_policy(scratch);
        let pooled = pool_board(self.code, &scratch.convolution.layout, &scratch.x);
        let hidden = self.hidden.apply(&pooled[..2 * self.channels]);
        let products = hidden.zip(&self.value.rows.weights);
        let products = products.map(|(h, &weight)| h.clamp(0, ACTIVATION_MAX) * weight as i32);
        self.value.output(0, products.sum())
    }

    /// Computes the logits of the policy into `scratch`, from the activations of the last
    /// convolution.
    #[inline(always)]
    fn find_policy(&self, scratch: &mut Scratch) {
        let (layout, channels) = (&scratch.convolution.layout, self.channels);
        scratch.policy.clear();
        let weights = &self.policy.rows.weights;
        #[cfg(target_arch = "wasm32")]
        if self.code == Code::Simd {
            kernel::policy_sums(layout, &scratch.x, weights, &mut scratch.policy);
            for logit in &mut scratch.policy {
                *logit = self.policy.output(0, *logit);
            }
            return;
        }
        for &origin in &layout.tap_origins {
            let sum = match self.code {
                // SAFETY: the code is for this machine and for this number of channels.
                #[cfg(target_arch = "x86_64")]
                Code::Simd => unsafe {
                    crate::network::avx2::dot_patch(layout, origin, &scratch.x, weights)
                },
                _ => {
                    let taps = layout
                        .tap_offsets
                        .iter()
                        .zip(weights.chunks_exact(channels));
                    taps.map(|(tap, weights)| dot(&scratch.x[(origin + tap) * channels..], weights))
                        .sum()
                }
            };
            scratch.policy.push(self.policy.output(0, sum));
        }
    }
}

/// Reading from a file.
impl Network {
    /// The shipped network.
    ///
    /// # Errors
    /// If its file is damaged.
    pub fn shipped() -> Result<Self, WeightsError> {
        Self::read(weights::shipped().as_ref())
    }

    /// The network in the bytes of a file of weights.
    ///
    /// # Errors
    /// If the file is damaged, or if its numbers could overflow.
    pub fn read(file: &[u8]) -> Result<Self, WeightsError> {
        let [magic, checksum, channels, layers, hidden, bits, pools, length] = header(file);
        check(magic == MAGIC, "magic number", magic)?;
        let check_number = |what, number: usize, unit, range: Range<usize>| {
            let is_sound = number.is_multiple_of(unit) && range.contains(&number);
            check(is_sound, what, number)
        };
        check_number("layers", layers, 1, 1..32)?;
        check_number("channels", channels, 16, 16..MAX_CHANNELS + 1)?;
        check_number("hidden", hidden, 1, 1..257)?;
        check_number("bits", bits, 1, 3..7)?;
        check_number("pools", pools, 2, 0..1 << layers)?;
        let mut decoder = Decoder::new(coded(file, length), checksum, bits)?;
        let mut convolutions = Vec::new();
        for index in 0..layers {
            let inputs = if index == 0 { PLANES } else { channels };
            let rows = decoder.rows(channels, TAPS * inputs);
            let has_pool = pools >> index & 1 != 0;
            let pool = has_pool.then(|| decoder.dense(channels, 2 * channels));
            convolutions.push(Layer {
                convolution: Convolution::new(&rows.weights, inputs),
                multipliers: narrow("multiplier", &rows.multipliers)?,
                biases: narrow("bias", &rows.biases)?,
                pool: pool.transpose()?,
            });
        }
        let policy = decoder.dense(1, TAPS * channels)?;
        let hidden_layer = decoder.dense(hidden, 2 * channels)?;
        let value = decoder.dense(1, hidden)?;
        decoder.expect_end()?;
        Ok(Network {
            code: Code::fastest(channels),
            channels,
            layers: convolutions,
            policy,
            hidden: hidden_layer,
            value,
        })
    }
}

/// The numbers, if they fit 16 bits.
fn narrow(what: &'static str, numbers: &[i32]) -> Result<Vec<i16>, WeightsError> {
    let convert =
        |&n: &i32| i16::try_from(n).map_err(|_| WeightsError(what, n.unsigned_abs() as usize));
    numbers.iter().map(convert).collect()
}
