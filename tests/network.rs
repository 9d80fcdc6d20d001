//! The network computes what docs/network.md says: compared with the plainest code, on random
//! networks of many shapes and boards of many sides, with both kinds of instructions.

mod common;
#[path = "common/network.rs"]
mod plain;

use common::{below, diagram, random_board, rng};
use hexbot::board::Board;
use hexbot::cell::{Cell, Color};
use hexbot::convolution::Instructions;
use hexbot::grid::Grid;
use hexbot::network::{Logits, Network};
use hexbot::packing::WeightsError;
use hexbot::weights::SHIPPED;
use plain::{Numbers, Plain, Shape, TAPS};
use rand::Rng;

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
            let red_moves = board.to_move() == Color::Red;
            match board.at(if red_moves { cell } else { cell.transposed() }) {
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

type Activations = Vec<Vec<Vec<i64>>>;

impl Reference<'_> {
    /// The value of a cell in a channel; 0 outside.
    fn at(&self, x: &Activations, row: isize, col: isize, channel: usize) -> i64 {
        let inside = (0..self.side).contains(&row) && (0..self.side).contains(&col);
        if inside {
            x[row as usize][col as usize][channel]
        } else {
            0
        }
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
        let planes = |row, col, plane: usize| i64::from(stone(board, row, col) == plane as i64 + 1);
        let previous = |row, col, channel: usize| self.at(&past[index - 1], row, col, channel);
        let input: &dyn Fn(isize, isize, usize) -> i64 =
            if index == 0 { &planes } else { &previous };
        let pooled = layer.pool.as_ref().map(|_| self.pooled(&past[index - 1]));
        let Numbers {
            shift,
            multipliers,
            biases,
        } = &layer.numbers;
        let activation = |row: isize, col: isize, c: usize| {
            let sum = self.sum(&layer.weights, (c, layer.inputs), (row, col), input);
            let mut y = sum * multipliers[c] + biases[c];
            if let (Some((weights, multipliers)), Some(pooled)) = (&layer.pool, &pooled) {
                y += Self::dense(weights, pooled, c) * multipliers[c];
            }
            if index >= 2 && index.is_multiple_of(2) {
                y += self.at(&past[index - 2], row, col, c) << shift;
            }
            ((y + (1 << (shift - 1))) >> shift).clamp(0, 127)
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
            let red_moves = board.to_move() == Color::Red;
            let cell = if red_moves { cell } else { cell.transposed() };
            policy[cell] = ((sum * numbers.multipliers[0]) >> numbers.shift) as i32;
        }
        let pooled = reference.pooled(last);
        let (weights, numbers) = &net.hidden;
        let hidden = |h: usize| {
            let y = Self::dense(weights, &pooled, h) * numbers.multipliers[h] + numbers.biases[h];
            ((y + (1 << (numbers.shift - 1))) >> numbers.shift).clamp(0, 127)
        };
        let hidden: Vec<i64> = (0..net.shape.hidden).map(hidden).collect();
        let (weights, numbers) = &net.value;
        let value = Self::dense(weights, &hidden, 0) * numbers.multipliers[0] + numbers.biases[0];
        Logits {
            value: (value >> numbers.shift) as i32,
            policy,
        }
    }
}

/// Compares on boards of all degrees of filling.
fn compare<const N: usize>(net: &Plain, boards: usize, rng: &mut impl Rng) {
    let network = Network::unpack(&net.file().packed()).expect("a sound file");
    for _ in 0..boards {
        let board = random_board::<N>(rng, N * N);
        let expected = Reference::logits(net, &board);
        for instructions in [Instructions::Portable, Instructions::Fastest] {
            let found = network.logits(&board, instructions);
            assert!(
                found == expected,
                "{instructions:?}, {:?}\n{board}{:?} to move\n{found:?}\n{expected:?}",
                net.shape,
                board.to_move()
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
        let layers = 1 + below(&mut rng, 5);
        let shape = Shape {
            channels: 16 * (1 + below(&mut rng, 3)),
            layers,
            hidden: 1 + below(&mut rng, 40),
            bits: 3 + below(&mut rng, 6) as u32,
            pools: below(&mut rng, 1 << layers) as u32 & !1,
        };
        let net = Plain::random(shape, &mut rng);
        compare_side(round, &net, &mut rng);
    }
}

#[test]
fn activations_of_random_networks_are_neither_all_zero_nor_all_clipped() {
    // Else the comparison above would compare nothing.
    let mut rng = rng(2);
    let shape = Shape {
        channels: 16,
        layers: 5,
        hidden: 8,
        bits: 5,
        pools: 0b100,
    };
    let net = Plain::random(shape, &mut rng);
    let reference = Reference { net: &net, side: 7 };
    let board = random_board::<7>(&mut rng, 30);
    let mut past: Vec<Activations> = Vec::new();
    for index in 0..shape.layers {
        past.push(reference.layer(index, &board, &past));
        let all: Vec<i64> = past[index].iter().flatten().flatten().copied().collect();
        let between = all.iter().filter(|&&x| 0 < x && x < 127).count();
        assert!(
            4 * between > all.len(),
            "layer {index}: {between} of {}",
            all.len()
        );
    }
}

#[test]
fn extreme_weights_do_not_overflow() {
    let mut rng = rng(3);
    for bits in 3..=8 {
        let shape = Shape {
            channels: 32,
            layers: 4,
            hidden: 32,
            bits,
            pools: 0b1010,
        };
        let top = (1 << (bits - 1)) - 1;
        for signs in 0..3 {
            let mut net = Plain::random(shape, &mut rng);
            for layer in &mut net.layers {
                // 127 everywhere, if the weights are positive.
                layer.numbers.biases.fill(127 << layer.numbers.shift);
                for (index, weight) in layer.weights.iter_mut().enumerate() {
                    *weight = match signs {
                        0 => top,
                        1 => -top,
                        _ if index % 2 == 0 => top,
                        _ => -top,
                    };
                }
                layer.numbers.multipliers.fill(i64::from(signs == 0));
            }
            compare::<5>(&net, 3, &mut rng);
        }
    }
}

/// A small network that is sound.
fn small() -> Plain {
    let shape = Shape {
        channels: 16,
        layers: 3,
        hidden: 4,
        bits: 5,
        pools: 0b10,
    };
    Plain::random(shape, &mut rng(4))
}

#[test]
fn both_players_see_the_same() {
    let mut rng = rng(5);
    let network = Network::unpack(&small().file().packed()).expect("a sound file");
    for _ in 0..20 {
        let board = random_board::<9>(&mut rng, 60);
        let here = network.judge(&board);
        let there = network.judge(&board.transposed());
        assert_eq!(here.wins, there.wins, "{board}");
        for cell in Cell::all() {
            let there = there.priors[cell.transposed()];
            assert!((here.priors[cell] - there).abs() < 1e-6, "{cell}\n{board}");
        }
    }
}

#[test]
fn priors_are_shares_of_the_empty_cells() {
    let mut rng = rng(6);
    for _ in 0..50 {
        let board = random_board::<11>(&mut rng, 121);
        let mut policy = Grid::filled(0);
        for logit in policy.values_mut() {
            *logit = (rng.next_u64() % 6000) as i32 - 3000;
        }
        let logits = Logits { value: 0, policy };
        let priors = logits.priors(board.empty_cells());
        let exp = |cell: Cell<11>| (f64::from(policy[cell]) / 256.0).exp();
        let sum: f64 = board.empty_cells().iter().map(exp).sum();
        for cell in Cell::all() {
            let expected = match board.at(cell) {
                None => exp(cell) / sum,
                Some(_) => 0.0,
            };
            assert!(
                (f64::from(priors[cell]) - expected).abs() < 1e-5,
                "{cell}\n{board}"
            );
        }
    }
}

#[test]
fn win_probabilities_are_sigmoids() {
    for value in [0, 1, -1, 256, -256, 1000, -3000, 5000, i32::MAX, i32::MIN] {
        let policy = Grid::<i32, 2>::filled(0);
        let wins = f64::from(Logits { value, policy }.wins());
        let expected = 1.0 / (1.0 + (-f64::from(value) / 256.0).exp());
        assert!(
            (wins - expected).abs() < 1e-6,
            "{value}: {wins}, not {expected}"
        );
    }
}

#[test]
fn damaged_files_are_told() {
    let file = small().file();
    let error = |change: &dyn Fn(&mut hexbot::packing::Packed)| {
        let mut packed = file.packed();
        change(&mut packed);
        Network::unpack(&packed).err()
    };
    assert_eq!(error(&|_| ()), None);
    assert_eq!(
        error(&|p| p.channels = 12),
        Some(WeightsError::Header("channels", 12))
    );
    assert_eq!(
        error(&|p| p.channels = 0),
        Some(WeightsError::Header("channels", 0))
    );
    assert_eq!(
        error(&|p| p.layers = 0),
        Some(WeightsError::Header("layers", 0))
    );
    assert_eq!(
        error(&|p| p.layers = 99),
        Some(WeightsError::Header("layers", 99))
    );
    assert_eq!(
        error(&|p| p.hidden = 0),
        Some(WeightsError::Header("hidden", 0))
    );
    assert_eq!(
        error(&|p| p.bits = 9),
        Some(WeightsError::Header("bits", 9))
    );
    assert_eq!(
        error(&|p| p.pools = 1),
        Some(WeightsError::Header("pools", 1))
    );
    assert_eq!(
        error(&|p| p.pools = 8),
        Some(WeightsError::Header("pools", 8))
    );
    assert!(matches!(
        error(&|p| p.checksum ^= 1),
        Some(WeightsError::Checksum(..))
    ));
    assert!(matches!(
        error(&|p| p.text = &p.text[5..]),
        Some(WeightsError::Checksum(..))
    ));
    let mut quoted = small().file();
    quoted.text.replace_range(7..8, "\"");
    let digit = Network::unpack(&quoted.packed()).err();
    assert_eq!(digit, Some(WeightsError::Digit(b'"', 7)));
    assert!(matches!(
        error(&|p| p.layers = 4),
        Some(WeightsError::Length(_) | WeightsError::Header("shift", _))
    ));
    assert!(matches!(
        error(&|p| p.hidden = 3),
        Some(WeightsError::Length(_) | WeightsError::Header("shift", _))
    ));
}

#[test]
fn numbers_that_could_overflow_are_told() {
    let overflow = |change: &dyn Fn(&mut Plain)| {
        let mut net = small();
        change(&mut net);
        Network::unpack(&net.file().packed()).err()
    };
    let numbers = |numbers: &mut Numbers| numbers.biases[2] = i64::from(i32::MIN);
    assert_eq!(
        overflow(&|net| numbers(&mut net.layers[1].numbers)),
        Some(WeightsError::Overflow(1))
    );
    assert_eq!(
        overflow(&|net| numbers(&mut net.hidden.1)),
        Some(WeightsError::Overflow(4))
    );
    let heavy = |net: &mut Plain| net.layers[2].numbers.multipliers.fill(65535);
    assert_eq!(overflow(&heavy), Some(WeightsError::Overflow(2)));
    // 32 inputs of 127 and weights of 15 are just below; with the bias they are above.
    let pool = |net: &mut Plain| {
        let (weights, multipliers) = net.layers[1].pool.as_mut().expect("layer 1 pools");
        weights.fill(15);
        multipliers.fill(32767);
    };
    let bias = |net: &mut Plain| net.layers[1].numbers.biases[0] = -150_000_000;
    assert_eq!(overflow(&pool), None);
    assert_eq!(overflow(&bias), None);
    let both = overflow(&|net| {
        pool(net);
        bias(net);
    });
    assert_eq!(both, Some(WeightsError::Overflow(1)));
    let policy = |net: &mut Plain| {
        net.policy.0.fill(15);
        net.policy.1.multipliers[0] = 65535;
    };
    assert_eq!(overflow(&policy), Some(WeightsError::Overflow(3)));
    assert_eq!(
        overflow(&|net| net.value.1.biases[0] = i64::from(i32::MAX)),
        Some(WeightsError::Overflow(5))
    );
    assert_eq!(
        overflow(&|net| net.value.1.shift = 25),
        Some(WeightsError::Header("shift", 25))
    );
}

#[test]
fn the_shipped_network_is_sound() {
    match Network::shipped() {
        Ok(network) => {
            let wins = network.judge(&Board::<11>::new()).wins;
            assert!((0.0..=1.0).contains(&wins));
        }
        Err(error) => assert_eq!(SHIPPED.id, "none", "src/weights.rs: {error}"),
    }
}

/// Positions with what the exporter computed for the shipped network: the rows of the board, who
/// moves, the logit of the value, the logits of the cells. Lines that begin with # are comments.
#[test]
fn the_exporter_computes_the_same() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/network.txt");
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("skipped: there is no tests/data/network.txt; train/export.py writes it");
        return;
    };
    let network = Network::shipped().expect("weights beside their test vectors");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut words = lines.flat_map(str::split_whitespace).peekable();
    let mut positions = 0;
    while words.peek().is_some() {
        let rows_of_marks = |word: &&str| word.chars().all(|mark| ".rb".contains(mark));
        let mut marks = String::new();
        while let Some(row) = words.next_if(|word| rows_of_marks(word)) {
            marks.push_str(row);
        }
        let mover = match words.next() {
            Some("red") => Color::Red,
            Some("blue") => Color::Blue,
            other => panic!("position {positions}: {other:?} is not who moves, red or blue"),
        };
        let numbers = words.by_ref().take(1 + marks.len());
        let numbers: Vec<i32> = numbers
            .map(|word| {
                word.parse()
                    .unwrap_or_else(|_| panic!("{word} is not a logit"))
            })
            .collect();
        macro_rules! compare {
            ($($side:literal)*) => { match marks.len() {
                $(marks_count if marks_count == $side * $side =>
                    compare_vector::<$side>(&network, &marks, mover, &numbers),)*
                other => panic!("position {positions}: {other} cells"),
            } };
        }
        compare!(2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
        positions += 1;
    }
    println!("{positions} positions");
    assert!(positions > 0, "tests/data/network.txt has no positions");
}

fn compare_vector<const N: usize>(network: &Network, marks: &str, mover: Color, numbers: &[i32]) {
    let board = diagram::<N>(marks, mover);
    let found = network.logits(&board, Instructions::Fastest);
    assert_eq!(found.value, numbers[0], "value\n{board}{mover} to move");
    assert_eq!(
        found.policy.values(),
        &numbers[1..],
        "policy\n{board}{mover} to move"
    );
}
