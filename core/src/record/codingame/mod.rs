//! Games as CodinGame has them: the JSON of the site and of its game SDK, and the text that the
//! judge sends to a player each turn.

mod faults;
mod json;
mod replay;
pub mod turn_input;

pub use json::parse;
