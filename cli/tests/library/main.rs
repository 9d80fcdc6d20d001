//! Tests of the library and of commands that play no bots against each other, a module each, in one
//! program: to link one takes longer than most of the tests. A new file is a line here.
//! `cargo test -p hex-cli --test library solver::` runs one of them.

#[path = "../common/mod.rs"]
mod common;

/// Runs a generic expression for a side known only at run time: inside the body, the name given is
/// a constant. Every use compiles the body once for each side, so nothing but tests does that.
macro_rules! with_side {
    ($side:expr, $n:ident => $body:expr) => {
        with_side!(@arms $side, $n, $body,
            1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26)
    };
    (@arms $side:expr, $n:ident, $body:expr, $($value:literal)*) => {
        match $side.get() {
            $($value => { const $n: usize = $value; $body })*
            _ => unreachable!("Side admits 1 to 26 only"),
        }
    };
}

mod analyze;
mod append_log;
mod blunders;
mod book;
mod cli;
mod collections;
mod connect_four;
mod convert;
mod corner;
mod documented_commands;
mod drawing;
mod duel;
mod engine;
mod engine_cache;
mod fuzz_findings;
mod games_input;
mod gtp;
mod inputs;
mod joined;
mod journal;
mod measurements;
mod names;
mod openings;
mod options;
mod paths;
mod policy_games;
mod probe_report;
mod programs;
mod readers;
mod record;
mod record_cost;
mod repertoire;
mod review;
mod runner;
mod selfplay;
mod service;
mod showing;
mod site_games;
mod solve;
mod solver;
mod solver_moves;
mod statistics;
mod tally;
mod threads;
mod tournament;
mod tuning;
mod variations;
mod workers;
mod written_texts;
