//! Games between programs under a referee and a clock: players in their own processes or in this
//! one, openings, and what can go wrong. It plays single games; matches are [`crate::match_command`]'s.

pub mod builtin;
pub mod codingame;
pub mod gtp;
pub mod judge;
pub mod noise;
pub mod openings;
pub mod player;
pub mod process;
pub mod reaper;
pub mod spec;
