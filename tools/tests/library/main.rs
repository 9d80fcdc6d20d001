//! Tests of the library and of commands that play no bots against each other, a module each, in one
//! program: to link one takes longer than most of the tests. A new file is a line here.
//! `cargo test -p hex-tools --test library solver::` runs one of them.

#[path = "../common/mod.rs"]
mod common;

mod analyze;
mod append_log;
mod blunders;
mod cli;
mod connect_four;
mod convert;
mod corner;
mod drawing;
mod duel;
mod engine;
mod fuzz_findings;
mod gtp;
mod massplay;
mod measurements;
mod names;
mod options;
mod readers;
mod record;
mod selfplay;
mod showing;
mod solve;
mod solver;
mod statistics;
mod tournament;
mod variations;
