//! A Hex bot.
#![warn(missing_docs)]
pub mod board;
pub mod cell;
pub mod cell_set;
pub mod grid;
pub mod groups;
pub mod shortest_path;
