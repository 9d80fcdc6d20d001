//! The network: what a position is worth and which moves are promising, learnt from self-play.
//!
//! It sees the board from the player to move; if that is Blue, the board is transposed, so that the
//! mover always joins top and bottom. Two planes (own stones, the opponent's) on a board with a ring of
//! border stones go through convolutions over the hexagonal neighbourhood; every second one adds
//! the activations of two convolutions before, and some get a bias from the whole board, from each
//! channel's mean and maximum. One head gives a logit for every cell, another one for the result.
//!
//! Everything is computed in whole numbers up to the logits, and after them with few operations that
//! IEEE 754 fixes; so every machine gets the same bits. docs/network.md has the formulas.

use crate::board::Board;
use crate::cell::{Cell, Color};
use crate::cell_set::CellSet;
use crate::convolution::{reach, Convolution, Field, Instructions, QUAD, TAPS, TOP};
use crate::evaluation::Judgement;
use crate::grid::Grid;
use crate::packing::{Packed, Unpacker, WeightsError};
use crate::weights::SHIPPED;

/// The planes that a position is seen as.
const PLANES: usize = 2;

/// Logits are whole multiples of 1/256 nat.
const NAT: usize = 256;

/// Odds above e¹⁶ to 1 are taken for that.
const NATS: usize = 16;

/// exp(-i / NAT). Multiplied up, because a library's exp may differ from machine to machine.
static EXP: [f32; NAT * NATS + 1] = {
    /// exp(-1 / NAT).
    const FACTOR: f64 = 0.996_101_369_470_117_5;
    let mut table = [0.0; NAT * NATS + 1];
    let (mut value, mut i) = (1.0, 0);
    while i < table.len() {
        table[i] = value as f32;
        value *= FACTOR;
        i += 1;
    }
    table
};

/// exp(-difference / NAT).
fn exp_of_minus(difference: u32) -> f32 {
    EXP[(difference as usize).min(EXP.len() - 1)]
}

/// A network, ready to judge boards of every side.
pub struct Network {
    layers: Vec<Layer>,
    /// The only output of a convolution.
    policy: Dense,
    hidden: Dense,
    value: Dense,
}

/// What a network says of a position, as it computes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Logits<const N: usize> {
    /// The logit of the probability that the player to move wins, in 1/256 nat.
    pub value: i32,
    /// The logits of the moves before softmax, in 1/256 nat, for every cell of the board.
    pub policy: Grid<i32, N>,
}

impl<const N: usize> Logits<N> {
    /// The probability that the player to move wins, 0 to 1.
    pub fn wins(&self) -> f32 {
        let odds = exp_of_minus(self.value.unsigned_abs());
        match self.value {
            0.. => 1.0 / (1.0 + odds),
            _ => odds / (1.0 + odds),
        }
    }

    /// How likely each move is the best, 0 to 1; 1 in sum over the cells that are `empty`, 0
    /// elsewhere.
    pub fn priors(&self, empty: CellSet<N>) -> Grid<f32, N> {
        let mut priors = Grid::filled(0.0);
        let best = empty.iter().map(|cell| self.policy[cell]).max();
        let mut sum = 0.0;
        for cell in empty.iter() {
            priors[cell] = exp_of_minus(self.policy[cell].abs_diff(best.unwrap_or(0)));
            sum += priors[cell];
        }
        empty.iter().for_each(|cell| priors[cell] /= sum);
        priors
    }
}

/// What makes outputs of sums: `(sum · multiplier + bias) >> shift`.
struct Scale {
    shift: u32,
    /// 0 or more, one an output.
    multipliers: Vec<i32>,
    biases: Vec<i32>,
}

/// A matrix: a row of weights for every output.
struct Dense {
    weights: Vec<i8>,
    scale: Scale,
}

/// A convolution and what makes activations of its sums.
struct Layer {
    convolution: Convolution,
    scale: Scale,
    /// Makes biases from the whole board.
    pool: Option<Dense>,
    /// -1, all bits, if the activations of two convolutions before are added; else 0.
    residual: i32,
}

impl Scale {
    #[inline(always)]
    fn apply(&self, output: usize, sum: i32) -> i32 {
        (sum * self.multipliers[output] + self.biases[output]) >> self.shift
    }
}

impl Dense {
    /// All outputs, not clipped.
    #[inline(always)]
    fn apply(&self, input: &[u8]) -> Vec<i32> {
        let mut outputs = Vec::with_capacity(self.scale.biases.len());
        for row in self.weights.chunks_exact(input.len()) {
            outputs.push(self.scale.apply(outputs.len(), dot(input, row)));
        }
        outputs
    }
}

impl Layer {
    /// Computes the activations from `input` into `output`, which holds those of two convolutions
    /// before. `sums` is room for the sums of all cells.
    #[inline(always)]
    fn apply(
        &self,
        field: &Field,
        input: &[u8],
        output: &mut [u8],
        sums: &mut [i32],
        instructions: Instructions,
    ) {
        self.convolution.sums(field, input, sums, instructions);
        let Scale {
            shift,
            multipliers,
            biases,
        } = &self.scale;
        let pooled = self
            .pool
            .as_ref()
            .map(|pool| pool.apply(&pooled(field, input)));
        let biases = pooled.as_ref().unwrap_or(biases);
        let channels = biases.len();
        for cell in 0..field.corners.len() {
            let (output, sums) = (
                &mut output[field.cell(cell, channels)],
                &sums[cell * channels..][..channels],
            );
            let (multipliers, biases) = (&multipliers[..channels], &biases[..channels]);
            for c in 0..channels {
                let older = (output[c] as i32 & self.residual) << shift;
                let sum = sums[c] * multipliers[c] + biases[c] + older;
                output[c] = (sum >> shift).clamp(0, TOP) as u8;
            }
        }
    }
}

/// The sum of products.
#[inline(always)]
fn dot(activations: &[u8], weights: &[i8]) -> i32 {
    // Without this the compiler would check each index.
    let activations = &activations[..weights.len()];
    let mut sum = 0;
    for i in 0..weights.len() {
        sum += activations[i] as i32 * weights[i] as i32;
    }
    sum
}

/// The mean of every channel over the board, rounded down, and then the maximum of every channel.
#[inline(always)]
fn pooled(field: &Field, activations: &[u8]) -> Vec<u8> {
    let channels = activations.len() / field.places;
    let (mut sums, mut pooled) = (vec![0; channels], vec![0; 2 * channels]);
    for cell in 0..field.corners.len() {
        let activations = &activations[field.cell(cell, channels)];
        let (sums, maxima) = (&mut sums[..channels], &mut pooled[channels..][..channels]);
        for c in 0..channels {
            sums[c] += activations[c] as u32;
            maxima[c] = activations[c].max(maxima[c]);
        }
    }
    // 65536 / cells, rounded to the nearest.
    let cells = field.corners.len() as u32;
    let share = (0x10000 + cells / 2) / cells;
    for c in 0..channels {
        pooled[c] = ((sums[c] * share) >> 16) as u8;
    }
    pooled
}

/// The planes of stones, seen by the player to move, on a board with its ring of border stones.
fn planes<const N: usize>(board: &Board<N>, field: &Field) -> Vec<u8> {
    let mover = board.to_move();
    let mut planes = vec![0; field.places * QUAD];
    for (plane, color) in [mover, mover.opponent()].into_iter().enumerate() {
        let mut put = |row, col| planes[(row * (N + 2) + col) * QUAD + plane] = 1;
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
    /// Judges `board`, with the fastest instructions there are.
    pub fn judge<const N: usize>(&self, board: &Board<N>) -> Judgement<N> {
        let logits = self.logits(board, Instructions::Fastest);
        Judgement {
            wins: logits.wins(),
            priors: logits.priors(board.empty_cells()),
        }
    }

    /// Judges `board`. 7 · N² · channels² · layers multiplications.
    pub fn logits<const N: usize>(
        &self,
        board: &Board<N>,
        instructions: Instructions,
    ) -> Logits<N> {
        let field = Field::new(N);
        let planes = planes(board, &field);
        #[cfg(target_arch = "x86_64")]
        let (value, seen) = match instructions.have_vectors() {
            // SAFETY: AVX2 has just been detected.
            true => unsafe { self.forward_by_vectors(&field, &planes) },
            false => self.forward(&field, &planes, Instructions::Portable),
        };
        #[cfg(not(target_arch = "x86_64"))]
        let (value, seen) = self.forward(&field, &planes, instructions);
        let mut policy = Grid::filled(0);
        Cell::all().for_each(|cell| policy[cell] = seen[seen_by(board.to_move(), cell).index()]);
        Logits { value, policy }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn forward_by_vectors(&self, field: &Field, planes: &[u8]) -> (i32, Vec<i32>) {
        self.forward(field, planes, Instructions::Fastest)
    }

    /// The logits of value and policy as the mover sees the board.
    #[inline(always)]
    fn forward(&self, field: &Field, planes: &[u8], instructions: Instructions) -> (i32, Vec<i32>) {
        let channels = self.layers[0].scale.biases.len();
        let mut sums = vec![0; field.corners.len() * channels];
        let [mut x, mut older] = [(); 2].map(|()| vec![0; field.places * channels]);
        for (index, layer) in self.layers.iter().enumerate() {
            let input = if index == 0 { planes } else { &x };
            layer.apply(field, input, &mut older, &mut sums, instructions);
            std::mem::swap(&mut x, &mut older);
        }
        let mut policy = Vec::with_capacity(field.corners.len());
        for corner in &field.corners {
            let mut sum = 0;
            for (tap, weights) in field.taps.iter().zip(self.policy.weights.chunks(channels)) {
                sum += dot(&x[(corner + tap) * channels..][..channels], weights);
            }
            policy.push(self.policy.scale.apply(0, sum));
        }
        let hidden = self.hidden.apply(&pooled(field, &x)).into_iter();
        let hidden: Vec<u8> = hidden.map(|h| h.clamp(0, TOP) as u8).collect();
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
        packed.check()?;
        let (layers, channels) = (packed.layers, packed.channels);
        let mut unpacker = Unpacker::new(packed)?;
        let mut weights = |count| unpacker.weights(count, packed.bits);
        let mut matrices = Vec::new();
        for layer in 0..layers {
            let inputs = if layer == 0 { PLANES } else { channels };
            let convolution = weights(channels * TAPS * inputs);
            let pool = packed.pools >> layer & 1 != 0;
            matrices.push((convolution, pool.then(|| weights(channels * 2 * channels))));
        }
        let heads = [TAPS * channels, packed.hidden * 2 * channels, packed.hidden];
        let [policy, hidden, value] = heads.map(weights);
        unpacker.align();
        let mut convolutions = Vec::new();
        for (index, (weights, pool)) in matrices.into_iter().enumerate() {
            convolutions.push(Layer::take(&mut unpacker, index, channels, &weights, pool)?);
        }
        let scale = Scale {
            shift: unpacker.shift()?,
            multipliers: vec![unpacker.bits(16) as i32],
            biases: vec![0],
        };
        scale.check(layers, |_| scale.span(&policy, 0, TOP))?;
        let mut hidden = Dense::take(&mut unpacker, hidden, packed.hidden, layers + 1)?;
        hidden.scale.round();
        let value = Dense::take(&mut unpacker, value, 1, layers + 2)?;
        unpacker.finish()?;
        Ok(Network {
            layers: convolutions,
            policy: Dense {
                weights: policy,
                scale,
            },
            hidden,
            value,
        })
    }
}

impl Scale {
    /// Takes the shift and every output's multiplier and bias, and a pool's multiplier if there is
    /// one.
    fn take(
        unpacker: &mut Unpacker,
        outputs: usize,
        pool: &mut Option<Dense>,
    ) -> Result<Self, WeightsError> {
        let shift = unpacker.shift()?;
        let (mut multipliers, mut biases) = (Vec::new(), Vec::new());
        for _ in 0..outputs {
            multipliers.push(unpacker.bits(16) as i32);
            biases.push(unpacker.bits(32) as i32);
            if let Some(pool) = pool {
                pool.scale.multipliers.push(unpacker.bits(16) as i32);
            }
        }
        Ok(Scale {
            shift,
            multipliers,
            biases,
        })
    }

    /// From now on rounds to the nearest instead of down.
    fn round(&mut self) {
        for bias in &mut self.biases {
            *bias = bias.saturating_add(1 << self.shift >> 1);
        }
    }

    /// How far from 0 an output's sum can get, times its multiplier, if no input is above `top`.
    fn span(&self, weights: &[i8], output: usize, top: i32) -> i64 {
        let inputs = weights.len() / self.multipliers.len();
        let row = &weights[output * inputs..][..inputs];
        reach(row.iter()) as i64 * top as i64 * self.multipliers[output] as i64
    }

    /// Does every output stay within 32 bits, if `span` is how far from its bias it can get?
    fn check(&self, layer: usize, span: impl Fn(usize) -> i64) -> Result<(), WeightsError> {
        for (output, bias) in self.biases.iter().enumerate() {
            if span(output) + bias.unsigned_abs() as i64 > i32::MAX as i64 {
                return Err(WeightsError::Overflow(layer));
            }
        }
        Ok(())
    }
}

impl Dense {
    /// Takes the numbers of a matrix with these weights, which is the network's layer `layer`.
    fn take(
        unpacker: &mut Unpacker,
        weights: Vec<i8>,
        outputs: usize,
        layer: usize,
    ) -> Result<Self, WeightsError> {
        let scale = Scale::take(unpacker, outputs, &mut None)?;
        let half = 1 << scale.shift >> 1;
        scale.check(layer, |output| scale.span(&weights, output, TOP) + half)?;
        Ok(Dense { weights, scale })
    }
}

impl Layer {
    /// Takes the numbers of convolution `index` with these weights.
    fn take(
        unpacker: &mut Unpacker,
        index: usize,
        channels: usize,
        weights: &[i8],
        pool: Option<Vec<i8>>,
    ) -> Result<Self, WeightsError> {
        let (multipliers, biases) = (Vec::new(), Vec::new());
        let none = Scale {
            shift: 0,
            multipliers,
            biases,
        };
        let mut pool = pool.map(|weights| Dense {
            weights,
            scale: none,
        });
        let mut scale = Scale::take(unpacker, channels, &mut pool)?;
        scale.round();
        let (inputs, top) = if index == 0 {
            (PLANES, 1)
        } else {
            (channels, TOP)
        };
        let residual = -((index > 0 && index.is_multiple_of(2)) as i32);
        scale.check(index, |output| {
            let of_pool = |pool: &Dense| pool.scale.span(&pool.weights, output, TOP);
            let older = ((TOP & residual) as i64) << scale.shift;
            scale.span(weights, output, top) + pool.as_ref().map_or(0, of_pool) + older
        })?;
        if let Some(pool) = &mut pool {
            pool.scale.biases.clone_from(&scale.biases);
        }
        let convolution = Convolution::new(weights, inputs);
        Ok(Layer {
            convolution,
            scale,
            pool,
            residual,
        })
    }
}
