//! What the command `hex` is made of, in dependency order. A subcommand is a module with its
//! `Args` and a `run`; no subcommand imports another, and what two of them need stands above them.
#![warn(missing_docs)]

/// Text from a file or standard input, with the place of every line for error messages.
pub mod input;
/// Runs code that is generic over the side of the board for a side known only at run time.
pub mod sizes;

/// `hex analyze`: shortest paths of positions in a contest's format.
pub mod analyze;
/// `hex connect-four`: judges boards of Connect Four.
pub mod connect_four;
/// `hex duel`: two people at one terminal.
pub mod duel;
