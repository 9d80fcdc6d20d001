//! Tests of commands that play bots against each other, a module each, in one program: to link one
//! takes longer than most of the tests. A new file is a line here.
//! `cargo test -p hex-tools --test programs killed::` runs one of them.

#[path = "../common/mod.rs"]
mod common;

mod bench;
mod ends;
mod faults;
mod gtp_players;
mod holding;
mod killed;
mod leftovers;
mod matches;
mod referee;
mod report;
mod shared_runs;
mod soak;
mod stalls;
