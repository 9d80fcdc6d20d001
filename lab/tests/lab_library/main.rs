//! Tests of what measures the engine, a module each, in one program. A new file is a line here.
//! `cargo test --release --workspace --test lab_library book::` runs one of them.

mod bench;
mod book;
mod fit;
mod openings;
