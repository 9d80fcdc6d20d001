//! The commands of `hex` that read records and answer about single positions, in dependency order:
//! a module imports only modules above it. A subcommand is a module with its `Args` and a `run`; no
//! subcommand imports another. The others are in crates of their own: `arena`, `web`, `contests`
//! and `lab`.

// hex completions: what shells complete.
pub mod completions;
// hex convert: records from one format into another.
pub mod convert;
// The list of commands in `hex --help`.
pub mod grouped_help;
// hex gtp: the bot as a GTP engine.
pub mod gtp;
// hex man: manual pages.
pub mod manual;
// hex show: draws a position or a game.
pub mod show;
// hex solve: who wins a position, exactly.
pub mod solve_command;
