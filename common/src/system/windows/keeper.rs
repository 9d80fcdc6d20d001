//! The keeper of one bot: a job object, which ends all processes of the bot when the arena ends,
//! even after a crash. Unlike on Unix it is not a process: the system closes the job's handle with
//! the arena.

use super::super::{
    is_about_file, take_environment, BotEnd, BotPipes, MachineError, ProcessId, StartError,
};
use super::job::Job;
use super::pipes::bot_pipes;
use std::io;
use std::os::windows::process::CommandExt;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use windows_sys::Win32::System::Threading::{CREATE_NEW_PROCESS_GROUP, CREATE_SUSPENDED};

/// The interval between checks whether the bot has ended.
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// The arena's handle of a running bot. Dropping it kills the bot and all processes that the bot
/// has started.
pub struct Keeper {
    job: Job,
    child: Child,
    end: Option<BotEnd>,
}

impl Keeper {
    /// Starts `bot`, and also returns our ends of its pipes.
    ///
    /// # Errors
    /// If the bot's program cannot be run, or the machine refuses what it needs.
    pub fn start(bot: &Command) -> Result<(Keeper, BotPipes), StartError> {
        let cannot = |error: io::Error| MachineError::new("start a bot's process", &error);
        let job = Job::new().map_err(cannot)?;
        let child = command(bot).spawn().map_err(|error| {
            if is_about_file(&error) {
                StartError::Program(error)
            } else {
                cannot(error).into()
            }
        })?;
        // From here on, dropping this value ends the bot.
        let mut keeper = Keeper {
            job,
            child,
            end: None,
        };
        if let Err(error) = keeper.job.take_in(&keeper.child) {
            // It may not be in the job, so that the job does not end it.
            let _ = keeper.child.kill();
            return Err(cannot(error).into());
        }
        let pipes = bot_pipes(&mut keeper.child).map_err(cannot)?;
        Ok((keeper, pipes))
    }

    /// The bot's process. Once the bot has ended, another process may get its number.
    pub fn bot(&self) -> Option<ProcessId> {
        Some(ProcessId::of(&self.child))
    }

    /// Waits at most `patience` for the bot's end and returns its status; `None` if it still runs.
    pub fn end(&mut self, patience: Duration) -> Option<BotEnd> {
        let begun = Instant::now();
        while self.end.is_none() {
            self.end = match self.child.try_wait() {
                Ok(status) => status.map(BotEnd::Known),
                Err(_) => Some(BotEnd::Unknown),
            };
            if begun.elapsed() >= patience {
                break;
            }
            if self.end.is_none() {
                std::thread::sleep(LOOK_EVERY);
            }
        }
        self.end
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.job.end();
        // Nothing can be done about a child that cannot be waited for.
        let _ = self.child.wait();
    }
}

/// The command that starts the bot with pipes, suspended until it is in its job.
fn command(bot: &Command) -> Command {
    let mut command = Command::new(bot.get_program());
    command
        .args(bot.get_args())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // Ctrl-C is only for the arena.
        .creation_flags(CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP);
    take_environment(&mut command, bot);
    if let Some(folder) = bot.get_current_dir() {
        command.current_dir(folder);
    }
    command
}

/// No process is started as a keeper on this system.
pub fn run_if_keeper() -> Option<ExitCode> {
    None
}

/// Does nothing: no process can leave its job, so there are no orphans.
pub fn adopt_orphans() {}

/// Does nothing, as [`adopt_orphans`].
pub fn reap_all() {}
