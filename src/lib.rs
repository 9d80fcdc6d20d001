//! A Hex bot for CodinGame, as a library. `bundle.sh` joins this folder into one file and leaves
//! out everything that `main` never calls. A few functions here serve only the programs around the
//! bot, in other crates: they need private fields, so only their type's module can have them.
//!
//! This is the map: every module imports only modules above it. A move goes `main` → `turn` →
//! `player` → `search` (`tree` of `node`s, `bridges`, `fallback`: `network` or `playout`) and back.

// On other processors the code for AVX2 is left out, so some items are unused.
#![cfg_attr(
    not(target_arch = "x86_64"),
    allow(dead_code, unreachable_code, unreachable_patterns, unused_imports)
)]

// Quotes malformed input in messages.
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
// The fewest moves that each side needs, and a move without a search.
pub mod shortest_path;
// Bridges, and wins that they prove.
pub mod bridges;
// The numbers that tune the search.
pub mod params;
// How long to search; the only reader of the clock.
pub mod budget;
// The interface between the search and its evaluators.
pub mod evaluation;
// The network: win probability and priors. A folder; its mod.rs is the map.
pub mod network;
// Random playouts, 64 at a time.
pub mod playout;
// The network as an evaluator, with playouts if it is missing or slow.
#[cfg(feature = "network")]
pub mod fallback;
// Corrects the network's values by its mean error in similar positions.
#[cfg(feature = "network")]
pub mod bias;
// A position in the tree: the statistics of its moves, and the formulas that choose among them.
pub mod node;
// All nodes, one for each position, and the backing up of values and proofs.
pub mod tree;
// Monte Carlo tree search.
pub mod search;
// The opening book.
pub mod book;
// Red's win probability after each first move on boards of other sides than the contest's.
pub mod opening_tables;
// The first move, the swap and the book's answers.
pub mod opening;
// The evaluator of the upload, which depends on the feature `network`.
pub mod shipped;
// Settings from the environment: seed, simulations, time limits.
pub mod settings;
// The bot: the opening's answer, else the search's, else a move of the shortest paths.
pub mod player;
// Reads the text of CodinGame's judge.
pub mod turn;
// Facts about the judge's machine, for the upload that reports them.
pub mod probe;
