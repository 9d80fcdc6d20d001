//! The parts of the command `hex`, in dependency order: a module imports only modules above it.

// Games as data: positions, moves, SGF, HexWorld links.
pub mod record;
// Boards as SVG.
pub mod draw;
// Elo, SPRT, ratings, percentiles: pure functions.
pub mod stats;
// One game between programs: players, clocks, the referee, openings.
pub mod arena;
// hex match: many games, their log and their reports.
pub mod match_command;
// hex referee: one game for other people's runners.
pub mod referee;
