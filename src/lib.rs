//! A Hex bot for CodinGame, as a library. `bundle.sh` joins this folder into one file, without what
//! `main` never calls: some functions here serve only the programs around the bot, which are in
//! crates of their own, because only a type's own module can offer them.
//!
//! This is the map: every module imports only modules above it. One move takes the way `main` →
//! `turn` → `player` → `search` (`tree` of `node`s, `bridges`, `fallback`: `network` or `playout`)
//! and back.

// There the code for AVX2 is left out, and what it alone uses.
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, unreachable_code, unreachable_patterns, unused_imports)
)]

// How bad input is shown in messages.
pub mod quoted;
// The vocabulary: the two colours, the six directions, cells.
pub mod cell;
// A value for every cell.
pub mod grid;
// Sets of cells.
pub mod cell_set;
// Which stones are connected: union-find.
pub mod groups;
// The key of a position in a table.
pub mod position_key;
// The rules.
pub mod board;
// How many moves each side needs at least, and the move that suggests.
pub mod shortest_path;
// Bridges, and positions that they win.
pub mod bridges;
// The numbers that tune the search.
pub mod params;
// How long to think; the only reader of the clock.
pub mod budget;
// The seam between the search and what knows Hex.
pub mod evaluation;
// The network: who wins, and which moves are promising. A folder: its mod.rs is the map.
#[cfg(feature = "network")]
pub mod network;
// Random playouts, 64 at a time.
pub mod playout;
// The evaluator of the upload: the network, and playouts where there is none.
#[cfg(feature = "network")]
pub mod fallback;
// Corrects the network's values by its error in positions that look alike.
#[cfg(feature = "network")]
pub mod bias;
// A position in the tree: the statistics of its moves, and the formulas that choose among them.
pub mod node;
// All nodes, one for each position, and what is backed up between them.
pub mod tree;
// Monte Carlo tree search.
pub mod search;
// The first move and the swap.
pub mod opening;
// The opening book.
pub mod book;
// The evaluator of the upload, with a network or without.
pub mod shipped;
// What the environment may change: seed, simulations, time limits.
pub mod settings;
// The bot: the opening's answer, else the search's, and a move when the search fails.
pub mod player;
// CodinGame's text, read and written.
pub mod turn;
