//! The network computes what docs/network.md says: compared with the plainest code, on random
//! networks of many shapes and boards of many sides, with both kinds of instructions.

use crate::common::{below, half_turn, random_board, rng};
use crate::plain::{shape, small, Plain, TAPS};
use hexbot::board::Board;
use hexbot::cell::{Cell, Color};
use hexbot::grid::Grid;
use hexbot::network::logits::Logits;
use hexbot::network::{Network, Scratch};
use rand::Rng;

/// The cell that a player sees at this place.
fn seen<const N: usize>(cell: Cell<N>, mover: Color) -> Cell<N> {
    match mover {
        Color::Red => cell,
        Color::Blue => cell.transposed().rotated(),
    }
}

/// A board as the mover sees it: 0 empty, 1 own stone, 2 the opponent's; outside of it the border.
fn stone<const N: usize>(board: &Board<N>, row: isize, col: isize) -> i64 {
    let side = N as isize;
    let (row_inside, col_inside) = ((0..side).contains(&row), (0..side).contains(&col));
    match (row_inside, col_inside) {
        (false, false) => 0,
        (false, true) => 1,
        (true, false) => 2,
        (true, true) => {
            let cell = Cell::new(row as usize, col as usize).expect("it is on the board");
            match board.at(seen(cell, board.to_move())) {
                None => 0,
                Some(color) => 1 + i64::from(color != board.to_move()),
            }
        }
    }
}

/// What the formulas say, in 64 bits, cell by cell and product by product. Activations are indexed
/// [row][column][channel].
struct Reference<'a> {
    net: &'a Plain,
    side: isize,
}

/// y / 2^shift to the nearest whole number, upwards from the middle.
fn rounded(y: i64, shift: u32) -> i64 {
    (y + (1 << shift) / 2).div_euclid(1 << shift)
}

type Activations = Vec<Vec<Vec<i64>>>;

impl Reference<'_> {
    /// The value of a cell in a channel; 0 outside.
    fn at(&self, x: &Activations, row: isize, col: isize, channel: usize) -> i64 {
        let cell = usize::try_from(row).ok().zip(usize::try_from(col).ok());
        let cell = cell.and_then(|(row, col)| x.get(row)?.get(col));
        cell.map_or(0, |channels| channels[channel])
    }

    /// The sum over taps and inputs for one cell and output.
    fn sum(
        &self,
        weights: &[i64],
        (output, inputs): (usize, usize),
        (row, col): (isize, isize),
        input: &dyn Fn(isize, isize, usize) -> i64,
    ) -> i64 {
        let mut sum = 0;
        for (tap, (down, right)) in TAPS.into_iter().enumerate() {
            for k in 0..inputs {
                let weight = weights[(output * TAPS.len() + tap) * inputs + k];
                sum += weight * input(row + down, col + right, k);
            }
        }
        sum
    }

    fn pooled(&self, x: &Activations) -> Vec<i64> {
        let cells = (self.side * self.side) as f64;
        let factor = (65536.0 / cells).round() as i64;
        let all = |channel: usize| x.iter().flatten().map(move |cell| cell[channel]);
        let channels = self.net.shape.channels;
        let means = (0..channels).map(|channel| (all(channel).sum::<i64>() * factor) >> 16);
        let maxima = (0..channels).map(|channel| all(channel).max().expect("a cell"));
        means.chain(maxima).collect()
    }

    fn dense(weights: &[i64], input: &[i64], output: usize) -> i64 {
        let row = &weights[output * input.len()..];
        input.iter().zip(row).map(|(x, w)| x * w).sum()
    }

    fn layer<const N: usize>(
        &self,
        index: usize,
        board: &Board<N>,
        past: &[Activations],
    ) -> Activations {
        let layer = &self.net.layers[index];
        let planes =
            |row, col, plane: usize| 32 * i64::from(stone(board, row, col) == plane as i64 + 1);
        let previous = |row, col, channel: usize| self.at(&past[index - 1], row, col, channel);
        let input: &dyn Fn(isize, isize, usize) -> i64 =
            if index == 0 { &planes } else { &previous };
        let pooled = layer.pool.as_ref().map(|_| self.pooled(&past[index - 1]));
        let own = &layer.numbers;
        let narrow = |y: i64| y.clamp(i64::from(i16::MIN), i64::from(i16::MAX));
        let activation = |row: isize, col: isize, c: usize| {
            let sum = self.sum(&layer.weights, (c, layer.inputs), (row, col), input);
            let sum = i64::from(sum as i16);
            let mut bias = own.biases[c];
            if let (Some((weights, numbers)), Some(pooled)) = (&layer.pool, &pooled) {
                let y = Self::dense(weights, pooled, c) * numbers.multipliers[c];
                bias += rounded(y + numbers.biases[c], numbers.shift);
            }
            let mut y = rounded(narrow(sum + narrow(bias)) * own.multipliers[c], own.shift);
            if index >= 2 && index.is_multiple_of(2) {
                y += self.at(&past[index - 2], row, col, c);
            }
            y.clamp(0, 127)
        };
        let channels = self.net.shape.channels;
        let cell = |row, col| (0..channels).map(|c| activation(row, col, c)).collect();
        let line = |row| (0..self.side).map(|col| cell(row, col)).collect();
        (0..self.side).map(line).collect()
    }

    fn logits<const N: usize>(net: &Plain, board: &Board<N>) -> Logits<N> {
        let side = N as isize;
        let reference = Reference { net, side };
        let mut past: Vec<Activations> = Vec::new();
        for index in 0..net.shape.layers {
            past.push(reference.layer(index, board, &past));
        }
        let last = past.last().expect("a layer");
        let input = |row, col, channel: usize| reference.at(last, row, col, channel);
        let mut policy = Grid::filled(0);
        for cell in Cell::<N>::all() {
            let at = (cell.row() as isize, cell.col() as isize);
            let (weights, numbers) = &net.policy;
            let sum = reference.sum(weights, (0, net.shape.channels), at, &input);
            let y = sum * numbers.multipliers[0] + numbers.biases[0];
            policy[seen(cell, board.to_move())] = rounded(y, numbers.shift) as i32;
        }
        let pooled = reference.pooled(last);
        let (weights, numbers) = &net.hidden;
        let hidden = |h: usize| {
            let y = Self::dense(weights, &pooled, h) * numbers.multipliers[h] + numbers.biases[h];
            rounded(y, numbers.shift).clamp(0, 127)
        };
        let hidden: Vec<i64> = (0..net.shape.hidden).map(hidden).collect();
        let (weights, numbers) = &net.value;
        let value = Self::dense(weights, &hidden, 0) * numbers.multipliers[0] + numbers.biases[0];
        Logits {
            value: rounded(value, numbers.shift) as i32,
            policy,
        }
    }
}

/// Compares on boards of all degrees of filling.
fn compare<const N: usize>(net: &Plain, boards: usize, rng: &mut impl Rng) {
    let network = || Network::read(&net.file().bytes()).expect("a sound file");
    let networks = [network(), network().without_simd()];
    let mut scratch = Scratch::default();
    for _ in 0..boards {
        let board = random_board::<N>(rng, N * N);
        let expected = Reference::logits(net, &board);
        for (network, how) in networks.iter().zip(["as fast as can be", "portable"]) {
            let found = network.logits(&board, &mut scratch);
            let (shape, to_move) = (net.shape, board.to_move());
            assert_eq!(
                found, expected,
                "{how}, {shape:?}\n{board}{to_move} to move"
            );
        }
    }
}

/// Calls `compare` for the side at this place of a list.
fn compare_side(place: usize, net: &Plain, rng: &mut impl Rng) {
    macro_rules! sides {
        ($($side:literal)*) => { [$(compare::<$side>),*] };
    }
    let sides = sides!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 17 19);
    sides[place % sides.len()](net, 2, rng);
}

#[test]
fn random_networks_compute_what_the_formulas_say() {
    let mut rng = rng(1);
    for round in 0..32 {
        let layers = 1 + below(&mut rng, 4);
        let channels = [16, 32, 32, 32, 48][below(&mut rng, 5)];
        let (hidden, bits) = (1 + below(&mut rng, 40), 3 + below(&mut rng, 4));
        let pools = below(&mut rng, 1 << layers) & !1;
        let shape = shape([channels, layers, hidden, bits, pools]);
        let net = Plain::random(shape, &mut rng);
        compare_side(round, &net, &mut rng);
    }
}

#[test]
fn one_scratch_serves_networks_and_boards_of_all_sizes() {
    let mut rng = rng(9);
    let mut scratch = Scratch::default();
    for round in 0..12 {
        let (channels, hidden) = ([32, 16, 48][round % 3], 1 + below(&mut rng, 40));
        let shape = shape([channels, 3 + round % 2, hidden, 5, 0b100]);
        let net = Plain::random(shape, &mut rng);
        let network = Network::read(&net.file().bytes()).expect("a sound file");
        macro_rules! compare {
            ($($side:literal)*) => { $({
                let board = random_board::<$side>(&mut rng, $side * $side);
                let fresh = network.logits(&board, &mut Scratch::default());
                assert_eq!(network.logits(&board, &mut scratch), fresh, "{shape:?}\n{board}");
            })* };
        }
        compare!(9 9 5 11);
    }
}

#[test]
fn activations_of_random_networks_are_neither_all_zero_nor_all_clipped() {
    // Else the comparison above would compare nothing.
    let mut rng = rng(2);
    let shape = shape([16, 5, 8, 5, 0b100]);
    let net = Plain::random(shape, &mut rng);
    let reference = Reference { net: &net, side: 7 };
    let board = random_board::<7>(&mut rng, 30);
    let mut past: Vec<Activations> = Vec::new();
    for index in 0..shape.layers {
        past.push(reference.layer(index, &board, &past));
        let all: Vec<i64> = past[index].iter().flatten().flatten().copied().collect();
        let between = all.iter().filter(|&&x| 0 < x && x < 127).count();
        let all = all.len();
        assert!(4 * between > all, "layer {index}: {between} of {all}");
    }
}

/// A random network of four convolutions. The first three set all activations to 127.
fn full_to_the_last(bits: usize, rng: &mut impl Rng) -> Plain {
    let mut net = Plain::random(shape([32, 4, 32, bits, 0b1010]), rng);
    for layer in &mut net.layers[..3] {
        layer.weights.fill(1);
        layer.numbers.biases.fill(127);
        layer.numbers.multipliers.fill(32767);
        if let Some((weights, numbers)) = &mut layer.pool {
            weights.fill(0);
            numbers.biases.fill(0);
        }
    }
    net
}

#[test]
fn sums_wrap_around_at_16_bits() {
    let mut rng = rng(3);
    for bits in 3..=6 {
        let top = (1 << (bits - 1)) - 1;
        for signs in 0..3 {
            let mut net = full_to_the_last(bits, &mut rng);
            let last = &mut net.layers[3];
            for (index, weight) in last.weights.iter_mut().enumerate() {
                *weight = match signs {
                    0 => top,
                    1 => -top,
                    _ if index % 2 == 0 => top,
                    _ => -top,
                };
            }
            last.numbers.multipliers.fill(100);
            compare::<5>(&net, 3, &mut rng);
        }
    }
}

#[test]
fn sums_at_the_limit_of_16_bits_are_exact() {
    let mut rng = rng(7);
    for round in 0..24 {
        let mut net = full_to_the_last(5, &mut rng);
        let last = &mut net.layers[3];
        last.pool = None;
        net.shape.pools = 0b10;
        let rows = last.weights.len() / 32;
        for (output, weights) in last.weights.chunks_mut(rows).enumerate() {
            // 258 times 127 fits, 259 times does not.
            let (sign, sum) = ([1, -1][output % 2], 256 + (output as i64 / 2 + round) % 4);
            for (index, weight) in weights.iter_mut().enumerate() {
                *weight =
                    sign * (sum / rows as i64 + i64::from((index as i64) < sum % rows as i64));
            }
        }
        // In half of the rounds no row has too much.
        if round % 2 == 0 {
            for weights in last.weights.chunks_mut(rows) {
                let over = weights.iter().sum::<i64>().abs() - 258;
                let less = weights.iter_mut().filter(|weight| **weight != 0);
                less.take(over.max(0) as usize)
                    .for_each(|w| *w -= w.signum());
            }
        }
        for (output, bias) in last.numbers.biases.iter_mut().enumerate() {
            *bias = [0, 1, -1, 5, -200, 32767, -32768][output % 7];
        }
        for (output, multiplier) in last.numbers.multipliers.iter_mut().enumerate() {
            *multiplier = [100, 128, 1, 0, 32767][output % 5];
        }
        compare::<5>(&net, 2, &mut rng);
    }
}

#[test]
fn pools_at_the_limit_do_not_overflow() {
    let mut rng = rng(8);
    let mut net = full_to_the_last(5, &mut rng);
    let limit = (1 << 29) - 1;
    for sign in [1, -1] {
        let (weights, numbers) = net.layers[3].pool.as_mut().expect("layer 3 pools");
        weights.fill(15 * sign);
        numbers.shift = 0;
        numbers.multipliers.fill(limit / (127 * 15 * 64));
        numbers.biases.fill(sign * (limit % (127 * 15 * 64)));
        compare::<5>(&net, 2, &mut rng);
    }
}

#[test]
fn both_players_see_the_same() {
    let mut rng = rng(5);
    let network = Network::read(&small(&mut rng).file().bytes()).expect("a sound file");
    let mut scratch = Scratch::default();
    for _ in 0..20 {
        let board = random_board::<9>(&mut rng, 60);
        let here = network.logits(&board, &mut scratch);
        let there = network.logits(&half_turn(&board.transposed()), &mut scratch);
        assert_eq!(here.value, there.value, "{board}");
        for cell in Cell::all() {
            let there = there.policy[cell.transposed().rotated()];
            assert_eq!(here.policy[cell], there, "{cell}\n{board}");
        }
    }
}

#[test]
fn priors_are_shares_of_the_empty_cells() {
    let mut rng = rng(6);
    for round in 0..50 {
        let board = random_board::<11>(&mut rng, 121);
        let mut policy = Grid::filled(0);
        for logit in policy.values_mut() {
            *logit = (rng.next_u64() % 6000) as i32 - 3000;
        }
        let logits = Logits { value: 0, policy };
        let temperature = [0.5, 1.0, 2.0][round % 3];
        let priors = logits.priors(board.empty_cells(), temperature);
        let nat = 256.0 * f64::from(temperature);
        let exp = |cell: Cell<11>| (f64::from(policy[cell]) / nat).exp();
        let sum: f64 = board.empty_cells().iter().map(exp).sum();
        for cell in Cell::all() {
            let expected = match board.at(cell) {
                None => exp(cell) / sum,
                Some(_) => 0.0,
            };
            // Logits are divided down to a whole number of 1/256 nat.
            let rounding = f64::from(u8::from(temperature > 1.0)) * expected / 256.0;
            let error = (f64::from(priors[cell]) - expected).abs();
            assert!(error < 1e-5 + rounding, "{cell} at {temperature}\n{board}");
        }
    }
}

#[test]
fn win_probabilities_are_sigmoids() {
    for value in [0, 1, -1, 256, -256, 1000, -3000, 5000, i32::MAX, i32::MIN] {
        let policy = Grid::<i32, 2>::filled(0);
        let wins = f64::from(Logits { value, policy }.wins());
        let expected = 1.0 / (1.0 + (-f64::from(value) / 256.0).exp());
        assert!((wins - expected).abs() < 1e-6, "{value}: {wins}");
    }
}
