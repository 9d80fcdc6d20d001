//! Tests of the engine, the solver, the records and the page's service, a module each, in one
//! program. A new file is a line here. `cargo test --release --workspace --test core_library
//! solver::` runs one of them.

mod collections;
mod convert;
mod corner;
mod drawing;
mod engine;
mod engine_cache;
mod fields;
mod networks;
mod openings;
mod paths;
mod record;
mod record_cost;
mod service;
mod site_games;
mod solver;
mod solver_moves;
mod threads;
mod variations;
