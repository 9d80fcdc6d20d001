//! The commands of `hex` for records and single positions, in dependency order: a module imports
//! only modules above it. A subcommand is a module with `Args` and a `run`; no subcommand imports
//! another. Other commands are in the crates `arena`, `web`, `contests` and `lab`.

// hex completions: scripts for shells.
pub mod completions;
// hex convert: converts records between formats.
pub mod convert;
// The list of commands in `hex --help`.
pub mod grouped_help;
// hex gtp: the bot as a GTP engine.
pub mod gtp;
// hex man: manual pages.
pub mod manual;
// hex show: draws a position or a game.
pub mod show;
// hex solve: solves a position exactly.
pub mod solve_command;
