//! Measures how many positions a second the native network evaluates on one core: with SIMD, then
//! in portable code. `wasm/speed` compares that with a browser.

use hex_wasm::speed::evaluate_by;
use hexbot::network::Network;
use std::time::{Duration, Instant};

/// The positions of a run, two games, and the number of runs. Only the fastest run counts, because
/// other programs can only slow a run down.
const POSITIONS: u32 = 120;
const TRIES: usize = 60;

fn main() {
    let shipped = || Network::shipped().expect("the shipped network is sound");
    for network in [shipped(), shipped().without_simd()] {
        let tries = (0..TRIES).map(|_| {
            let begin = Instant::now();
            std::hint::black_box(evaluate_by(&network, POSITIONS));
            begin.elapsed()
        });
        let fastest = tries.min().unwrap_or(Duration::MAX);
        println!("{:.0}", f64::from(POSITIONS) / fastest.as_secs_f64());
    }
}
