//! The statistics of matches: pure functions from counts to estimates, each with its source.
//! Nothing here plays, reads or prints.

pub mod bradley_terry;
pub mod elo;
pub mod latency;
pub mod proportion;
pub mod sprt;
