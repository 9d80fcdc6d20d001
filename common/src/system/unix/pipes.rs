//! The pipes of a bot. They are non-blocking, and one `poll` watches them.

use super::super::{BotPipes, Woken};
use rustix::event::{poll, PollFd, PollFlags, Timespec};
use rustix::io::ioctl_fionbio;
use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::OwnedFd;
use std::time::Duration;

/// Our end of a bot's standard input.
pub type BotInput = PipeWriter;

/// Our end of a bot's standard output or error.
pub type BotOutput = PipeReader;

/// The bot's ends of its pipes: standard input, output and error.
pub(super) type BotEnds = [OwnedFd; 3];

/// Both ends of new pipes for a bot.
pub(super) fn bot_pipes() -> io::Result<(BotEnds, BotPipes)> {
    let (its_stdin, stdin) = io::pipe()?;
    let (stdout, its_stdout) = io::pipe()?;
    let (stderr, its_stderr) = io::pipe()?;
    ioctl_fionbio(&stdin, true)?;
    ioctl_fionbio(&stdout, true)?;
    ioctl_fionbio(&stderr, true)?;
    let ends = [its_stdin.into(), its_stdout.into(), its_stderr.into()];
    let pipes = BotPipes {
        stdin,
        stdout,
        stderr,
    };
    Ok((ends, pipes))
}

/// Waits at most `timeout` until one of these can be written or read, or has ended.
pub fn wait(
    input: Option<&BotInput>,
    outputs: [Option<&BotOutput>; 2],
    timeout: Duration,
) -> Woken {
    let mut entries = Vec::with_capacity(3);
    entries.extend(input.map(|input| PollFd::new(input, PollFlags::OUT)));
    let outputs = outputs.into_iter().flatten();
    entries.extend(outputs.map(|output| PollFd::new(output, PollFlags::IN)));
    // After an error, such as a signal, the caller tries the pipes again.
    match poll(&mut entries, Some(&timespec(timeout))) {
        Ok(0) => Woken::ByTime,
        _ => Woken::ByWork,
    }
}

/// A duration in the system's form.
pub(super) fn timespec(time: Duration) -> Timespec {
    Timespec {
        tv_sec: time.as_secs() as i64,
        tv_nsec: time.subsec_nanos().into(),
    }
}
