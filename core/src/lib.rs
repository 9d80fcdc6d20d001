//! What needs no operating system: no files, no sockets, no terminal, and threads only where
//! several are asked for. So it compiles for WebAssembly too, and a page without a server plays
//! with it; the command `hex` stands on it like the page. Modules are in dependency order: a
//! module imports only modules above it.

// The time, also where the standard library knows none.
pub mod clock;
// Games as data: positions, moves, SGF, HexWorld links, CodinGame's JSON.
pub mod record;
// Boards as SVG.
pub mod draw;
// Our bot inside this process: searches, games, clocks for a game, levels of strength.
pub mod engine;
// Who wins a position, exactly.
pub mod solver;
// The service of a page: answers to questions, searches for orders.
pub mod web;
