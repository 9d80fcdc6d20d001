//! Tests of what the commands share, a module each, in one program. A new file is a line here.
//! `cargo test --release --workspace --test common_library statistics::` runs one of them.

mod append_log;
mod games_input;
mod statistics;
mod weights_file;
mod workers;
mod written_texts;
