//! Tests of the bot, a module each, in one program: a program of its own for each would compile the
//! search once more and take longer than most of the tests. A new file is a line here.
//! `cargo test --test bot search::` runs one of them.

#[path = "../common/mod.rs"]
mod common;
/// Networks in the plainest form.
#[path = "../common/network.rs"]
mod plain;

mod book;
mod impostor;
mod network;
mod pace;
mod perft;
mod playouts;
mod priors;
mod recovery;
mod rules;
mod search;
mod shortest_path;
mod transcripts;
mod tunables;
mod turn_properties;
mod vector;
mod weights;
