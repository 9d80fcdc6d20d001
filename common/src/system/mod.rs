//! One interface for the differences between operating systems: processes of bots, pipes, signals,
//! processors, and the identity of files. `unix/` and `windows/` have the same public functions.
//! Nothing else depends on the operating system.
//!
//! | | Linux | macOS and other Unix | Windows |
//! |---|---|---|---|
//! | all processes of a bot end with it | keeper, subreaper | keeper, group | job object |
//! | Ctrl-C, end of the terminal | signals | signals | Ctrl-C, Ctrl-Break |
//! | stalls of `hex soak` | signals | signals | no |
//! | a limit of open files | yes | yes | no |
//! | one core for a thread | yes | no | no |
//! | priority of a thread | yes | no | yes |
//! | freed memory goes back at once | with glibc | no | no |

mod machine;
#[cfg(unix)]
mod unix;
#[cfg(unix)]
use unix as this;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows as this;

use machine::Lack;
use std::process::{Child, Command, ExitStatus};

// What the machine refuses to the arena, and what is a bot's own failure.
pub use machine::{is_about_file, MachineError, StartError};

// Processes and pipes of bots.
pub use this::keeper::{adopt_orphans, reap_all, run_if_keeper, Keeper};
pub use this::pipes::{wait, BotInput, BotOutput};
// Signals.
#[cfg(unix)]
pub use this::is_ignored;
pub use this::{describe, exit_status_after, ignore_signals, watch_end_signals};
// Processes and threads.
pub use this::{check_stalls, cores, return_memory, stay_on, yield_to_all, StallTarget};
// Files and streams.
pub use this::allow_descriptors;
pub use this::{modified_seconds, FileStamp};

/// The number of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProcessId(u32);

impl ProcessId {
    /// The number of a child.
    pub fn of(child: &Child) -> ProcessId {
        ProcessId(child.id())
    }

    /// The process with this number, which may have ended.
    pub fn with_number(number: u32) -> ProcessId {
        ProcessId(number)
    }

    /// The number as the operating system writes it.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// How a bot ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BotEnd {
    /// It ended with this status.
    Known(ExitStatus),
    /// Its keeper was killed or stopped, so that the status is lost.
    Unknown,
}

/// Our ends of a bot's pipes. Reads and writes never wait; instead they fail with
/// [`std::io::ErrorKind::WouldBlock`].
pub struct BotPipes {
    /// The bot's standard input.
    pub stdin: BotInput,
    /// The bot's standard output, with its answers.
    pub stdout: BotOutput,
    /// The bot's standard error.
    pub stderr: BotOutput,
}

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// A pipe can be read or written.
    ByWork,
    /// The time is over.
    ByTime,
}

/// Gives `command` the environment of another command.
fn take_environment(command: &mut Command, of: &Command) {
    for (name, value) in of.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
}
