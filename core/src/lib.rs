//! The code that `hex` and the web page share: engine, solver, records and the page's service. It
//! needs no operating system: no files, sockets or terminal, and no thread besides the caller's
//! unless a task wants several. So it compiles to WebAssembly too. `docs/library.md` has examples.
//! Modules are in dependency order: a module imports only modules above it.

// The time, also on WebAssembly, where the standard library has no clock.
pub mod clock;
// Games as data: positions, moves, SGF, HexWorld links, CodinGame's JSON.
pub mod record;
// Boards as SVG.
pub mod draw;
// Our bot inside this process: searches, games, clocks for a game, levels of strength.
pub mod engine;
// An exact solver: who wins a position.
pub mod solver;
// The service of the page, npm and Python: answers to questions, and the searches that tabs order.
pub mod service;

/// The examples of Rust in the project's documents, as tests.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../../README.md")]
    struct Readme;
    #[doc = include_str!("../../docs/library.md")]
    struct Library;
}
