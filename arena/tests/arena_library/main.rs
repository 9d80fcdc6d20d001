//! Tests of players, the referee and matches, a module each, in one program. A new file is a line
//! here. `cargo test --release --workspace --test arena_library runner::` runs one of them.

mod codingame;
mod journal;
mod noise;
mod openings;
mod programs;
mod repertoire;
mod review;
mod runner;
mod soak;
mod spec;
mod tally;
mod tuning;
