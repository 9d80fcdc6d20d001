//! Tests of the programs of contests, a module each, in one program. A new file is a line here.
//! `cargo test --release --workspace --test contests_library duel::` runs one of them.

mod analyze;
mod connect_four;
mod duel;
mod tournament;
