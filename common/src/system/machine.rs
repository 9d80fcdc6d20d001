//! What a machine may refuse to the arena itself, and whose failure an error is.

use super::this;
use std::io::{self, ErrorKind};
use thiserror::Error;

/// The machine refused what a command itself needs: a process, a pipe, a thread, a file. It stops a
/// run of games, and costs no player a game: nothing turns it into a player's fault. Its text is a
/// sentence that ends with the cure, where one is known.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct MachineError(String);

impl MachineError {
    /// The error of what the machine cannot do: `what` completes "this machine cannot".
    pub fn new(what: &str, error: &io::Error) -> MachineError {
        let cure = match this::lack(error) {
            Some(Lack::Descriptors) => {
                "; use fewer threads or raise the limit of open files (ulimit -n)"
            }
            Some(Lack::Processes) => {
                "; use fewer threads or raise the limit of processes (ulimit -u)"
            }
            Some(Lack::Memory) => "; use fewer threads or end other programs",
            None => "",
        };
        MachineError(format!("this machine cannot {what}: {error}{cure}"))
    }
}

/// What a machine has too little of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// Open files and pipes.
    Descriptors,
    /// Processes and threads.
    Processes,
    /// Memory.
    Memory,
}

/// Why a bot does not run.
#[derive(Debug)]
pub enum StartError {
    /// Its program cannot be run: it is not there, or is no program.
    Program(io::Error),
    /// The machine has refused what a start needs.
    Machine(MachineError),
}

impl From<MachineError> for StartError {
    fn from(error: MachineError) -> StartError {
        StartError::Machine(error)
    }
}

/// Returns true if an error on opening or running a player's file is about this file. Every other
/// error, such as a lack of descriptors, is the machine's.
pub fn is_about_file(error: &io::Error) -> bool {
    let kinds = [
        ErrorKind::NotFound,
        ErrorKind::PermissionDenied,
        ErrorKind::NotADirectory,
        ErrorKind::IsADirectory,
        ErrorKind::InvalidInput,
        ErrorKind::InvalidFilename,
        ErrorKind::ArgumentListTooLong,
        ErrorKind::ExecutableFileBusy,
    ];
    kinds.contains(&error.kind()) || this::is_no_program(error)
}
