//! A Hex bot.
#![warn(missing_docs)]
pub mod board;
pub mod budget;
pub mod cell;
pub mod cell_set;
pub mod evaluation;
pub mod grid;
pub mod groups;
pub mod links;
pub mod opening;
pub mod params;
pub mod player;
pub mod playout;
pub mod search;
pub mod settings;
pub mod shortest_path;
pub mod tree;
pub mod turn;
