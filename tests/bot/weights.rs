//! The file of weights: damaged files give errors, and the shipped one gives the exporter's
//! results.

use crate::common::missing::skip;
use crate::common::{diagram, rng, simulating};
use crate::plain::{small, File, Head, Plain};
use hexbot::board::Board;
use hexbot::budget::SystemClock;
use hexbot::cell::Color;
use hexbot::cell_set::CellSet;
use hexbot::fallback::FallbackEvaluator;
use hexbot::network::packing::{about, WeightsError};
use hexbot::network::weights::shipped;
use hexbot::network::{Network, Scratch};
use hexbot::opening::Answer;
use hexbot::player::Player;
use std::time::Duration;

/// Where the checksum lies in a file.
const CHECKSUM: usize = 4;

#[test]
fn a_player_with_a_damaged_file_says_so_and_plays() {
    let settings = simulating(100);
    assert_eq!(Player::<11>::new(settings.clone()).warning(), "");
    let mut damaged = shipped().as_ref().to_vec();
    damaged[CHECKSUM] ^= 1;
    let (evaluator, told) = FallbackEvaluator::of_file(&settings.params, settings.rng(), &damaged);
    let mut player = Player::<11, _>::with_evaluator(settings, evaluator);
    let begin = "the weights' checksum cannot be";
    assert!(told.starts_with(begin), "{told}");
    assert_eq!(told.lines().count(), 1);
    let rows = ". . . . . . . . . . .\n".repeat(11).replacen('.', "r", 1);
    let board = diagram(&rows, Color::Blue);
    let clock = SystemClock::start();
    let reply = player.reply(&board, CellSet::EMPTY, &clock, Duration::ZERO);
    let answer = reply.expect("a move").answer;
    assert!(matches!(answer, Answer::Play(cell) if board.at(cell).is_none()));
}

#[test]
fn damaged_files_are_told() {
    let file = small(&mut rng(4)).file();
    let error = |change: &dyn Fn(&mut File)| {
        let mut damaged = file.clone();
        change(&mut damaged);
        Network::read(&damaged.bytes()).err()
    };
    let told = |what, value| Some(WeightsError(what, value));
    assert_eq!(error(&|_| ()), None);
    for (channels, layers) in [(24, 0), (0, 99)] {
        assert_eq!(
            error(&|f| f.shape.channels = channels),
            told("channels", channels)
        );
        assert_eq!(error(&|f| f.shape.layers = layers), told("layers", layers));
    }
    assert_eq!(error(&|f| f.shape.hidden = 0), told("hidden", 0));
    assert_eq!(error(&|f| f.shape.bits = 7), told("bits", 7));
    assert_eq!(error(&|f| f.shape.pools = 1), told("pools", 1));
    assert_eq!(error(&|f| f.shape.pools = 8), told("pools", 8));
    let what = |change: &dyn Fn(&mut File)| error(change).map(|WeightsError(what, _)| what);
    assert_eq!(what(&|f| f.checksum ^= 1), Some("checksum"));
    assert_eq!(what(&|f| f.coded.truncate(5)), Some("checksum"));
    // What is read as another shape makes nonsense, and does not end where the bytes end.
    assert_ne!(error(&|f| f.shape.layers = 4), None);
    assert_ne!(error(&|f| f.shape.hidden = 5), None);
    let message = WeightsError("bits", 9).to_string();
    assert_eq!(message, "the weights' bits cannot be 9: export them again");
}

#[test]
fn every_changed_byte_is_told() {
    let file = small(&mut rng(4)).file();
    for at in 0..file.coded.len() {
        let mut damaged = file.clone();
        damaged.coded[at] ^= 1;
        assert!(Network::read(&damaged.bytes()).is_err(), "byte {at}");
    }
}

#[test]
fn headers_that_no_file_has_are_told() {
    let whole = shipped().as_ref().to_vec();
    let error = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut file = whole.clone();
        change(&mut file);
        Network::read(&file).err()
    };
    let told = |what, value| Some(WeightsError(what, value));
    assert_eq!(error(&|_| ()), None);
    assert_eq!(error(&|file| file.clear()), told("magic number", 0));
    let text = error(&|file| file[..4].copy_from_slice(b"//! "));
    assert_eq!(text, told("magic number", 0x2021_2f2f));
    let other = error(&|file| file[3] = b'2');
    assert_eq!(other, told("magic number", 0x3257_5848));
    assert_eq!(error(&|file| file[8] = 33), told("channels", 33));
    let end = whole.len() - about(&whole).len();
    assert_eq!(about(&whole).split(|&byte| byte == b'\n').count(), 2);
    for cut in [20, 31, 32, end - 1] {
        assert_ne!(error(&|file| file.truncate(cut)), None, "{cut} bytes");
    }
    // What the file says of itself is not needed to play.
    assert_eq!(error(&|file| file.truncate(end)), None);
    // The length of what is coded is the last number of the header.
    let longest = error(&|file| file[28..32].fill(0xff));
    assert_eq!(longest.map(|WeightsError(what, _)| what), Some("checksum"));
}

#[test]
fn numbers_that_could_overflow_are_told() {
    let told = |change: &dyn Fn(&mut Plain)| {
        let mut net = small(&mut rng(4));
        change(&mut net);
        let error = Network::read(&net.file().bytes()).err();
        error.map(|WeightsError(what, _)| what)
    };
    // By 1 below the limit, and at it.
    for (missing, expected) in [(1, None), (0, Some("sum of products"))] {
        let heads: [fn(&mut Plain) -> &mut Head; 3] = [
            |net| &mut net.policy,
            |net| &mut net.hidden,
            |net| &mut net.value,
        ];
        for head in heads {
            let change = |net: &mut Plain| {
                let (weights, numbers) = head(net);
                let inputs = weights.len() / numbers.biases.len();
                weights.fill(-15);
                numbers.multipliers.fill(1);
                let bias = (1 << 29) - missing - 127 * 15 * inputs as i64;
                numbers.biases.fill(-bias);
            };
            assert_eq!(told(&change), expected);
        }
    }
    let pool = |net: &mut Plain| {
        let (weights, numbers) = net.layers[1].pool.as_mut().expect("layer 1 pools");
        weights.fill(15);
        numbers.multipliers.fill(65535);
    };
    assert_eq!(told(&pool), Some("sum of products"));
    for bias in [32768, -32769, i64::from(i32::MIN)] {
        let layer = |net: &mut Plain| net.layers[2].numbers.biases[3] = bias;
        assert_eq!(told(&layer), Some("bias"));
    }
    for (multiplier, expected) in [(32767, None), (32768, Some("multiplier"))] {
        let layer = |net: &mut Plain| net.layers[2].numbers.multipliers[3] = multiplier;
        assert_eq!(told(&layer), expected);
    }
    assert_eq!(told(&|net| net.value.1.shift = 21), Some("shift"));
}

#[test]
fn the_shipped_network_is_sound() {
    let network = Network::shipped().expect("src/network/shipped.weights is whole");
    let logits = network.logits(&Board::<11>::new(), &mut Scratch::default());
    assert!((0.0..=1.0).contains(&logits.wins()));
}

/// Positions with what the exporter computed for the shipped network: the rows of the board, who
/// moves, the logit of the value, the logits of the cells. Lines that begin with # are comments.
#[test]
fn the_exporter_computes_the_same() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/network.txt");
    let Ok(text) = std::fs::read_to_string(path) else {
        return skip("there is no tests/data/network.txt: let train/export.py write it");
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
        let numbers = numbers.map(|word| word.parse().expect("a logit"));
        let numbers: Vec<i32> = numbers.collect();
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
    let found = network.logits(&board, &mut Scratch::default());
    assert_eq!(found.value, numbers[0], "value\n{board}{mover} to move");
    let policy = found.policy.values();
    assert_eq!(policy, &numbers[1..], "policy\n{board}{mover} to move");
}
