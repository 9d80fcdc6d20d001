//! Tests of the commands that play no bots against each other, a module each, in one program: to
//! link one takes longer than most of the tests. A new file is a line here.
//! `cargo test -p hex-cli --test library solve::` runs one of them.

#[path = "../common/mod.rs"]
mod common;

mod analyze;
mod blunders;
mod book;
mod cli;
mod convert;
mod documented_commands;
mod fuzz_findings;
mod gtp;
mod gtp_records;
mod inputs;
mod measurements;
mod names;
mod openings;
mod options;
mod policy_games;
mod probe_report;
mod repertoire;
mod selfplay;
mod showing;
mod solve;
mod tournament;
