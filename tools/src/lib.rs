//! The parts of the command `hex`, in dependency order: a module imports only modules above it.

pub mod arena;
pub mod match_command;
pub mod record;
pub mod stats;
