//! Tests of the bot that run programs of others, or programs for other systems, a module each.
//! `cargo test` leaves them out unless they are named: `cargo test --release --test foreign`. Where
//! something is missing they are skipped, or fail with HEX_IF_MISSING=fail.

#[path = "../common/mod.rs"]
mod common;
/// A program, too: the test for Arm compiles it a second time.
mod evaluations;
#[path = "../common/rustc.rs"]
mod rustc;

mod arm;
