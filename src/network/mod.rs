//! The network: what a position is worth and which moves are promising, learnt from self-play.
//!
//! It sees the board from the player to move; if that is Blue, the board is transposed, so that the
//! mover always joins top and bottom. Two planes (own stones, the opponent's) on a board with a
//! ring of border stones go through convolutions over the hexagonal neighbourhood; every second one
//! is residual, it adds the activations of two convolutions before, and some get a bias from the
//! whole board, from each channel's mean and maximum. The policy head gives a logit for every cell,
//! the value head one for the result.
//!
//! Everything is computed in whole numbers up to the logits, and after them with few operations
//! that IEEE 754 fixes; so every machine gets the same bits. docs/network.md has the formulas.

// The file of the weights.
pub mod packing;
// The weights themselves, written by train/export.py.
pub mod weights;
// What the network says of a position.
pub mod logits;
// How the boards lie in memory.
pub mod layout;
// The inputs of a convolution that are not 0.
pub mod sparse;
// The hot loop.
pub mod convolution;
// Dense layers.
pub mod dense;

use crate::board::Board;
use crate::cell::{Cell, Color};
use crate::grid::Grid;
use crate::network::convolution::{has_simd, Convolution, Requantize, MAX_CHANNELS};
use crate::network::dense::{dot, Dense, Rows};
use crate::network::layout::{PaddedLayout, ACTIVATION_MAX, STONE, TAPS};
use crate::network::logits::Logits;
use crate::network::packing::{Decoder, Packed, WeightsError};
use crate::network::sparse::SparseActivations;
use crate::network::weights::SHIPPED;
use std::ops::Range;

/// The planes that a position is seen as.
const PLANES: usize = 2;

/// A network, ready to evaluate boards of every side.
#[derive(Debug)]
pub struct Network {
    /// May SIMD code be used?
    simd: bool,
    layers: Vec<Layer>,
    /// The weights of a convolution to one channel: `[1][taps][channels]`.
    policy: Dense,
    /// The hidden layer of the value head, on what was pooled. `[hidden][2 · channels]`
    hidden: Dense,
    /// `[1][hidden]`
    value: Dense,
}

/// A convolution with what makes activations of its sums.
#[derive(Debug)]
struct Layer {
    convolution: Convolution,
    /// `[channels]`
    multipliers: Vec<i16>,
    /// `[channels]`
    biases: Vec<i16>,
    /// Makes further biases of what was pooled from the whole board. `[channels][2 · channels]`
    pool: Option<Dense>,
}

impl Layer {
    /// Computes the activations from `input` into `output`. That holds those of two convolutions
    /// before; they are added if it is `residual`.
    #[inline(always)]
    fn apply(
        &self,
        layout: &PaddedLayout,
        input: &[u8],
        output: &mut [u8],
        residual: bool,
        sparse: &mut SparseActivations,
    ) {
        let mut biases = self.biases.clone();
        if let Some(pool) = &self.pool {
            let further = pool.apply(&pooled(layout, input));
            for (bias, more) in biases.iter_mut().zip(further) {
                *bias = (*bias as i32 + more).clamp(i16::MIN as i32, i16::MAX as i32) as i16;
            }
        }
        let requantize = Requantize {
            multipliers: &self.multipliers,
            biases: &biases,
            residual,
        };
        self.convolution
            .apply(layout, input, output, &requantize, sparse);
    }
}

/// The mean of every channel over the board, rounded down, and then the maximum of every channel.
#[inline(always)]
fn pooled(layout: &PaddedLayout, activations: &[u8]) -> Vec<u8> {
    let channels = activations.len() / layout.padded_cells;
    let (mut sums, mut pooled) = (vec![0; channels], vec![0; 2 * channels]);
    for cell in 0..layout.tap_origins.len() {
        let activations = &activations[layout.range(cell, channels)];
        let (sums, maxima) = (&mut sums[..channels], &mut pooled[channels..][..channels]);
        for c in 0..channels {
            sums[c] += activations[c] as u32;
            maxima[c] = activations[c].max(maxima[c]);
        }
    }
    // 65536 / cells, rounded to the nearest.
    let cells = layout.tap_origins.len() as u32;
    let share = (0x10000 + cells / 2) / cells;
    for c in 0..channels {
        pooled[c] = ((sums[c] * share) >> 16) as u8;
    }
    pooled
}

/// The planes of stones, seen by the player to move, on a board with its ring of border stones.
fn planes<const N: usize>(board: &Board<N>, layout: &PaddedLayout, channels: usize) -> Vec<u8> {
    let mover = board.to_move();
    let mut planes = vec![0; layout.padded_cells * channels];
    for (plane, color) in [mover, mover.opponent()].into_iter().enumerate() {
        let mut put = |row, col| planes[(row * (N + 2) + col) * channels + plane] = STONE;
        for cell in board.stones(color).iter() {
            let cell = seen_by(mover, cell);
            put(cell.row() + 1, cell.col() + 1);
        }
        for i in 1..=N {
            for end in [0, N + 1] {
                let (row, col) = if plane == 0 { (end, i) } else { (i, end) };
                put(row, col);
            }
        }
    }
    planes
}

/// Where a cell is for the player to move, who joins top and bottom; and back.
fn seen_by<const N: usize>(mover: Color, cell: Cell<N>) -> Cell<N> {
    match mover {
        Color::Red => cell,
        Color::Blue => cell.transposed(),
    }
}

impl Network {
    /// Judges `board`: the probability that Red wins, and how likely each empty cell is the best
    /// move, 1 in sum, at this `temperature` ([`Logits::priors`]).
    pub fn judge<const N: usize>(&self, board: &Board<N>, temperature: f32) -> (f32, Grid<f32, N>) {
        let logits = self.logits(board);
        let red_wins = match board.to_move() {
            Color::Red => logits.wins(),
            Color::Blue => 1.0 - logits.wins(),
        };
        (red_wins, logits.priors(board.empty_cells(), temperature))
    }

    /// The same network, computed by the code for all machines: slower, with the same results.
    pub fn without_simd(mut self) -> Self {
        self.simd = false;
        let convolutions = self.layers.iter_mut().map(|layer| &mut layer.convolution);
        convolutions.for_each(Convolution::without_simd);
        self
    }

    /// Judges `board`. At most 7 · N² · channels² · layers multiplications; those with pairs of
    /// zeros are left out.
    pub fn logits<const N: usize>(&self, board: &Board<N>) -> Logits<N> {
        let layout = PaddedLayout::new(N);
        let channels = self.layers[0].biases.len();
        let planes = planes(board, &layout, channels);
        let (value, seen) = match self.simd {
            // SAFETY: the instructions were detected.
            #[cfg(target_arch = "x86_64")]
            true => unsafe { self.forward_simd(&layout, &planes) },
            _ => self.forward(&layout, &planes),
        };
        let mut policy = Grid::filled(0);
        Cell::all().for_each(|cell| policy[cell] = seen[seen_by(board.to_move(), cell).index()]);
        Logits { value, policy }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt")]
    fn forward_simd(&self, layout: &PaddedLayout, planes: &[u8]) -> (i32, Vec<i32>) {
        self.forward(layout, planes)
    }

    /// The logits of value and policy as the mover sees the board.
    #[inline(always)]
    fn forward(&self, layout: &PaddedLayout, planes: &[u8]) -> (i32, Vec<i32>) {
        let channels = self.layers[0].biases.len();
        let [mut x, mut older] = [(); 2].map(|()| vec![0; layout.padded_cells * channels]);
        let mut sparse = SparseActivations::new(layout);
        for (index, layer) in self.layers.iter().enumerate() {
            let input = if index == 0 { planes } else { &x };
            let residual = index > 0 && index.is_multiple_of(2);
            layer.apply(layout, input, &mut older, residual, &mut sparse);
            std::mem::swap(&mut x, &mut older);
        }
        let mut policy = Vec::with_capacity(layout.tap_origins.len());
        for origin in &layout.tap_origins {
            let mut sum = 0;
            for (tap, offset) in layout.tap_offsets.iter().enumerate() {
                let input = &x[(origin + offset) * channels..][..channels];
                sum += dot(
                    input,
                    &self.policy.rows.weights[tap * channels..][..channels],
                );
            }
            policy.push(self.policy.output(0, sum));
        }
        let hidden = self.hidden.apply(&pooled(layout, &x)).into_iter();
        let hidden: Vec<u8> = hidden.map(|h| h.clamp(0, ACTIVATION_MAX) as u8).collect();
        (self.value.apply(&hidden)[0], policy)
    }
}

/// From the file to the network.
impl Network {
    /// The network that the bot plays with.
    ///
    /// # Errors
    /// If its file is damaged or holds none.
    pub fn shipped() -> Result<Self, WeightsError> {
        Self::unpack(&SHIPPED)
    }

    /// The network in this file.
    ///
    /// # Errors
    /// If the file is damaged, or if its numbers could overflow.
    pub fn unpack(packed: &Packed) -> Result<Self, WeightsError> {
        let (layers, channels) = (packed.layers, packed.channels);
        let check = |what, number: usize, unit, range: Range<usize>| match number
            .is_multiple_of(unit)
            && range.contains(&number)
        {
            true => Ok(()),
            false => Err(WeightsError(what, number)),
        };
        check("layers", layers, 1, 1..32)?;
        check("channels", channels, 16, 16..MAX_CHANNELS + 1)?;
        check("hidden", packed.hidden, 1, 1..257)?;
        check("bits", packed.bits, 1, 3..7)?;
        check("pools", packed.pools, 2, 0..1 << layers)?;
        let mut decoder = Decoder::new(packed)?;
        let mut convolutions = Vec::new();
        for index in 0..layers {
            let inputs = if index == 0 { PLANES } else { channels };
            let rows = Rows::read(&mut decoder, packed.bits, channels, TAPS * inputs);
            let has_pool = packed.pools >> index & 1 != 0;
            let pool =
                has_pool.then(|| Dense::read(&mut decoder, packed.bits, channels, 2 * channels));
            convolutions.push(Layer {
                convolution: Convolution::new(&rows.weights, inputs, index == 0),
                multipliers: narrow("multiplier", &rows.multipliers)?,
                biases: narrow("bias", &rows.biases)?,
                pool: pool.transpose()?,
            });
        }
        let mut dense = |outputs, inputs| Dense::read(&mut decoder, packed.bits, outputs, inputs);
        let policy = dense(1, TAPS * channels)?;
        let hidden = dense(packed.hidden, 2 * channels)?;
        let value = dense(1, packed.hidden)?;
        decoder.finish()?;
        Ok(Network {
            simd: has_simd(),
            layers: convolutions,
            policy,
            hidden,
            value,
        })
    }
}

/// The numbers, if they fit 16 bits.
fn narrow(what: &'static str, numbers: &[i32]) -> Result<Vec<i16>, WeightsError> {
    let narrow =
        |&n: &i32| i16::try_from(n).map_err(|_| WeightsError(what, n.unsigned_abs() as usize));
    numbers.iter().map(narrow).collect()
}
