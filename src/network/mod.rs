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

// The file of the weights.
pub mod packing;
// The weights themselves, written by train/export.py.
pub mod weights;
// How the boards lie in memory.
pub mod layout;
// Which inputs of a convolution count.
pub mod sparse;
// The hot loop.
pub mod convolution;

use crate::board::Board;
use crate::cell::{Cell, Color};
use crate::cell_set::CellSet;
use crate::grid::Grid;
use crate::network::convolution::{have_vectors, reach, Convolution, Finish};
use crate::network::layout::{Field, STONE, TAPS, TOP};
use crate::network::packing::{Packed, Unpacker, WeightsError};
use crate::network::sparse::Active;
use crate::network::weights::SHIPPED;
use std::ops::Range;

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
#[derive(Debug)]
pub struct Network {
    /// May vector code be used?
    vectors: bool,
    layers: Vec<Layer>,
    /// A convolution's.
    policy: Matrix,
    hidden: Matrix,
    value: Matrix,
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
    /// elsewhere. The odds of any two moves are what was learnt to the power 1/`temperature`, see
    /// [`crate::params::Params::prior_temperature`].
    pub fn priors(&self, empty: CellSet<N>, temperature: f32) -> Grid<f32, N> {
        let mut priors = Grid::filled(0.0);
        let best = empty.iter().map(|cell| self.policy[cell]).max();
        let mut sum = 0.0;
        for cell in empty.iter() {
            let behind = self.policy[cell].abs_diff(best.unwrap_or(0));
            priors[cell] = exp_of_minus((behind as f32 / temperature) as u32);
            sum += priors[cell];
        }
        empty.iter().for_each(|cell| priors[cell] /= sum);
        priors
    }
}

/// The shift of a matrix is at most this.
const MAX_SHIFT: usize = 20;

/// No output of a matrix gets this far from 0 before it is shifted; so there is room in 32 bits for what is added to it.
const LIMIT: i64 = 1 << 29;

/// A row of weights for every output, and what makes outputs of the sums of products:
/// `(sum · multiplier + bias) >> shift`.
#[derive(Debug)]
struct Matrix {
    rows: Rows,
    shift: usize,
}

/// A row of weights for every output, and two numbers more.
#[derive(Debug, Default)]
struct Rows {
    weights: Vec<i8>,
    /// 0 or more.
    multipliers: Vec<i32>,
    biases: Vec<i32>,
}

/// A convolution.
#[derive(Debug)]
struct Layer {
    convolution: Convolution,
    multipliers: Vec<i16>,
    biases: Vec<i16>,
    /// Makes further biases from the whole board.
    pool: Option<Matrix>,
}

impl Matrix {
    #[inline(always)]
    fn output(&self, output: usize, sum: i32) -> i32 {
        (sum * self.rows.multipliers[output] + self.rows.biases[output]) >> self.shift
    }

    /// All outputs, not clipped.
    #[inline(always)]
    fn apply(&self, input: &[u8]) -> Vec<i32> {
        let mut outputs = Vec::with_capacity(self.rows.biases.len());
        for row in self.rows.weights.chunks_exact(input.len()) {
            outputs.push(self.output(outputs.len(), dot(input, row)));
        }
        outputs
    }
}

impl Layer {
    /// Computes the activations from `input` into `output`. That holds those of two convolutions
    /// before; they are added if it is `residual`.
    #[inline(always)]
    fn apply(
        &self,
        field: &Field,
        input: &[u8],
        output: &mut [u8],
        residual: bool,
        active: &mut Active,
    ) {
        let mut biases = self.biases.clone();
        if let Some(pool) = &self.pool {
            let further = pool.apply(&pooled(field, input));
            for (bias, more) in biases.iter_mut().zip(further) {
                *bias = (*bias as i32 + more).clamp(i16::MIN as i32, i16::MAX as i32) as i16;
            }
        }
        let finish = Finish {
            multipliers: &self.multipliers,
            biases: &biases,
            residual,
        };
        self.convolution
            .apply(field, input, output, &finish, active);
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
fn planes<const N: usize>(board: &Board<N>, field: &Field, channels: usize) -> Vec<u8> {
    let mover = board.to_move();
    let mut planes = vec![0; field.places * channels];
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
    /// Judges `board`: the probability that Red wins, and
    /// how likely each empty cell is the best move, 1 in sum, at this `temperature` ([`Logits::priors`]).
    pub fn judge<const N: usize>(&self, board: &Board<N>, temperature: f32) -> (f32, Grid<f32, N>) {
        let logits = self.logits(board);
        let red_wins = match board.to_move() {
            Color::Red => logits.wins(),
            Color::Blue => 1.0 - logits.wins(),
        };
        (red_wins, logits.priors(board.empty_cells(), temperature))
    }

    /// The same network, computed by the code for all machines: slower, with the same results.
    pub fn without_vectors(mut self) -> Self {
        self.vectors = false;
        let convolutions = self.layers.iter_mut().map(|layer| &mut layer.convolution);
        convolutions.for_each(Convolution::without_vectors);
        self
    }

    /// Judges `board`. At most 7 · N² · channels² · layers multiplications; those with pairs of zeros are left out.
    pub fn logits<const N: usize>(&self, board: &Board<N>) -> Logits<N> {
        let field = Field::new(N);
        let channels = self.layers[0].biases.len();
        let planes = planes(board, &field, channels);
        let (value, seen) = match self.vectors {
            // SAFETY: the instructions were detected.
            #[cfg(target_arch = "x86_64")]
            true => unsafe { self.forward_by_vectors(&field, &planes) },
            _ => self.forward(&field, &planes),
        };
        let mut policy = Grid::filled(0);
        Cell::all().for_each(|cell| policy[cell] = seen[seen_by(board.to_move(), cell).index()]);
        Logits { value, policy }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt")]
    fn forward_by_vectors(&self, field: &Field, planes: &[u8]) -> (i32, Vec<i32>) {
        self.forward(field, planes)
    }

    /// The logits of value and policy as the mover sees the board.
    #[inline(always)]
    fn forward(&self, field: &Field, planes: &[u8]) -> (i32, Vec<i32>) {
        let channels = self.layers[0].biases.len();
        let [mut x, mut older] = [(); 2].map(|()| vec![0; field.places * channels]);
        let mut active = Active::new(field);
        for (index, layer) in self.layers.iter().enumerate() {
            let input = if index == 0 { planes } else { &x };
            let residual = index > 0 && index.is_multiple_of(2);
            layer.apply(field, input, &mut older, residual, &mut active);
            std::mem::swap(&mut x, &mut older);
        }
        let mut policy = Vec::with_capacity(field.corners.len());
        for corner in &field.corners {
            let mut sum = 0;
            for (tap, way) in field.taps.iter().enumerate() {
                let input = &x[(corner + way) * channels..][..channels];
                sum += dot(
                    input,
                    &self.policy.rows.weights[tap * channels..][..channels],
                );
            }
            policy.push(self.policy.output(0, sum));
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
        let (layers, channels) = (packed.layers, packed.channels);
        let check = |what, number: usize, unit, range: Range<usize>| match number
            .is_multiple_of(unit)
            && range.contains(&number)
        {
            true => Ok(()),
            false => Err(WeightsError(what, number)),
        };
        check("layers", layers, 1, 1..32)?;
        check("channels", channels, 16, 16..129)?;
        check("hidden", packed.hidden, 1, 1..257)?;
        check("bits", packed.bits, 1, 3..7)?;
        check("pools", packed.pools, 2, 0..1 << layers)?;
        let mut unpacker = Unpacker::new(packed)?;
        let mut convolutions = Vec::new();
        for index in 0..layers {
            let inputs = if index == 0 { PLANES } else { channels };
            let rows = Rows::take(&mut unpacker, packed.bits, channels, TAPS * inputs);
            let has_pool = packed.pools >> index & 1 != 0;
            let pool =
                has_pool.then(|| Matrix::take(&mut unpacker, packed.bits, channels, 2 * channels));
            convolutions.push(Layer {
                convolution: Convolution::new(&rows.weights, inputs, index == 0),
                multipliers: narrow("multiplier", &rows.multipliers)?,
                biases: narrow("bias", &rows.biases)?,
                pool: pool.transpose()?,
            });
        }
        let mut matrix =
            |outputs, inputs| Matrix::take(&mut unpacker, packed.bits, outputs, inputs);
        let policy = matrix(1, TAPS * channels)?;
        let hidden = matrix(packed.hidden, 2 * channels)?;
        let value = matrix(1, packed.hidden)?;
        unpacker.finish()?;
        Ok(Network {
            vectors: have_vectors(),
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

impl Rows {
    /// Takes the rows of so many outputs.
    fn take(unpacker: &mut Unpacker, bits: usize, outputs: usize, inputs: usize) -> Self {
        let mut rows = Rows::default();
        for _ in 0..outputs {
            rows.multipliers.push(unpacker.multiplier());
            rows.biases.push(unpacker.bias());
            rows.weights
                .extend((0..inputs).map(|_| unpacker.weight(bits)));
        }
        rows
    }
}

impl Matrix {
    /// Takes a matrix whose inputs are at most [`TOP`].
    fn take(
        unpacker: &mut Unpacker,
        bits: usize,
        outputs: usize,
        inputs: usize,
    ) -> Result<Self, WeightsError> {
        let shift = unpacker.shift();
        if shift > MAX_SHIFT {
            return Err(WeightsError("shift", shift));
        }
        let mut rows = Rows::take(unpacker, bits, outputs, inputs);
        for (output, weights) in rows.weights.chunks_exact(inputs).enumerate() {
            let sum = reach(weights) as i64 * (TOP * rows.multipliers[output]) as i64;
            if sum + rows.biases[output].unsigned_abs() as i64 >= LIMIT {
                return Err(WeightsError("sum of products", sum as usize));
            }
            // What rounds to the nearest.
            rows.biases[output] += 1 << shift >> 1;
        }
        Ok(Matrix { rows, shift })
    }
}
