//! Games between programs under a referee and a clock: players in their own processes or in this
//! one, openings, and what can go wrong. It plays single games; matches are
//! [`crate::match_command`]'s.

// What a player is asked, and how it can fail.
pub mod player;
// How far times can be trusted.
pub mod noise;
// The players: a process, what it speaks, our own bot and its knobs.
pub mod builtin;
pub mod codingame;
pub mod gtp;
pub mod journal;
pub mod keeper;
pub mod knobs;
pub mod process;
pub mod programs;
pub mod reaper;
pub mod spec;
// The game: how it begins, its referee, its start and end, its record.
pub mod bout;
pub mod game_options;
pub mod judge;
pub mod openings;
pub mod scoresheet;
