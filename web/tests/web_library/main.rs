//! Tests of the page's server, a module each, in one program. A new file is a line here. `cargo
//! test --release --workspace --test web_library joined::` runs one of them.

mod joined;
mod page;
