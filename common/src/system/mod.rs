//! What differs between operating systems, behind one set of functions: how a bot is started and
//! ended with all that it started, its pipes, signals, processors, and what tells one file from
//! another. `unix/` and `windows/` have the same public functions; no other file of the tools asks
//! which system it runs on, but for the server's signals (`web/src/end_signals.rs`).
//!
//! | | Linux | macOS and other Unix | Windows |
//! |---|---|---|---|
//! | all that a bot started ends with it | keeper, subreaper | keeper, group | job object |
//! | Ctrl-C, end of the terminal | signals | signals | Ctrl-C, Ctrl-Break |
//! | stalls of `hex soak` | signals | signals | no |
//! | one core for a thread | yes | no | no |
//! | priority of a thread | yes | no | yes |

#[cfg(unix)]
mod unix;
#[cfg(unix)]
use unix as this;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows as this;

use std::process::{Child, Command, ExitStatus};

// Bots: their processes and pipes.
pub use this::keeper::{adopt_orphans, reap_all, run_if_keeper, Keeper};
pub use this::pipes::{wait, BotInput, BotOutput};
// Signals.
pub use this::{describe, exit_status_after, ignore_signals, watch_end_signals};
// Processes and threads.
pub use this::{check_stalls, cores, parent, stay_on, yield_to_all, StallTarget};
// Files and streams.
pub use this::{close_stdin, close_stdout, modified_seconds, FileStamp};

/// The number of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProcessId(u32);

impl ProcessId {
    /// That of a child.
    pub fn of(child: &Child) -> ProcessId {
        ProcessId(child.id())
    }

    /// The process of this number, which may have ended.
    pub fn with_number(number: u32) -> ProcessId {
        ProcessId(number)
    }

    /// As the system writes it.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// How a bot ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BotEnd {
    /// With this status.
    Known(ExitStatus),
    /// Its keeper has been killed.
    Unknown,
}

/// Our ends of a bot's pipes. Neither reading nor writing ever waits: the error is then
/// [`std::io::ErrorKind::WouldBlock`].
pub struct BotPipes {
    /// What the bot reads.
    pub stdin: BotInput,
    /// Its answers.
    pub stdout: BotOutput,
    /// What else it says.
    pub stderr: BotOutput,
}

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// There is something to read or to write.
    ByWork,
    /// Nothing happened in time.
    ByTime,
}

/// Gives a command the environment and the folder of another one.
fn take_surroundings(command: &mut Command, of: &Command) {
    for (name, value) in of.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    if let Some(folder) = of.get_current_dir() {
        command.current_dir(folder);
    }
}
