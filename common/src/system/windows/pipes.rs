//! A bot's pipes. Windows cannot wait for several pipes at once, nor read one without waiting. So
//! each pipe has a thread that reads or writes it. The threads share their bytes with the arena
//! under one lock, and notify it of each change. A thread ends when the other end of its pipe
//! closes, at the latest with the bot's job.

use super::super::{BotPipes, Woken};
use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::process::Child;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// The most bytes that are buffered for a pipe, as many as a pipe buffers on Linux.
const ROOM: usize = 64 * 1024;

/// The most bytes of one read or write.
const CHUNK: usize = 16 * 1024;

/// The buffered bytes of a pipe.
#[derive(Default)]
struct Bytes {
    waiting: VecDeque<u8>,
    /// The bot's end is closed: nothing more can be read or written.
    is_over: bool,
    /// The arena's end is closed.
    is_left: bool,
}

/// The three pipes of a bot.
#[derive(Default)]
struct Shared {
    pipes: Mutex<[Bytes; 3]>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, [Bytes; 3]> {
        self.pipes.lock().unwrap_or_else(|error| error.into_inner())
    }

    fn wait<'a>(&self, guard: MutexGuard<'a, [Bytes; 3]>) -> MutexGuard<'a, [Bytes; 3]> {
        let woken = self.changed.wait(guard);
        woken.unwrap_or_else(|error| error.into_inner())
    }
}

/// Our end of one of the pipes; dropping it closes the pipe.
struct End {
    shared: Arc<Shared>,
    index: usize,
}

impl Drop for End {
    fn drop(&mut self) {
        self.shared.lock()[self.index].is_left = true;
        self.shared.changed.notify_all();
    }
}

/// Our end of a bot's standard input.
pub struct BotInput(End);

impl Write for BotInput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut pipes = self.0.shared.lock();
        let pipe = &mut pipes[self.0.index];
        if pipe.is_over {
            return Err(ErrorKind::BrokenPipe.into());
        }
        let count = bytes.len().min(ROOM - pipe.waiting.len());
        if count == 0 && !bytes.is_empty() {
            return Err(ErrorKind::WouldBlock.into());
        }
        pipe.waiting.extend(&bytes[..count]);
        self.0.shared.changed.notify_all();
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Our end of a bot's standard output or error.
pub struct BotOutput(End);

impl Read for BotOutput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut pipes = self.0.shared.lock();
        let pipe = &mut pipes[self.0.index];
        if pipe.waiting.is_empty() && !pipe.is_over {
            return Err(ErrorKind::WouldBlock.into());
        }
        let count = pipe.waiting.read(buffer)?;
        self.0.shared.changed.notify_all();
        Ok(count)
    }
}

/// Our ends of a new bot's pipes.
///
/// # Errors
/// If a thread cannot be started.
///
/// # Panics
/// If the bot was not started with three pipes.
pub(super) fn bot_pipes(bot: &mut Child) -> io::Result<BotPipes> {
    let shared = Arc::<Shared>::default();
    let end = |index| End {
        shared: Arc::clone(&shared),
        index,
    };
    let pipes = BotPipes {
        stdin: BotInput(end(0)),
        stdout: BotOutput(end(1)),
        stderr: BotOutput(end(2)),
    };
    let (stdin, stdout, stderr) = (bot.stdin.take(), bot.stdout.take(), bot.stderr.take());
    let (stdin, stdout) = (stdin.expect("a pipe"), stdout.expect("a pipe"));
    let stderr = stderr.expect("a pipe");
    let (first, second, third) = (Arc::clone(&shared), Arc::clone(&shared), shared);
    let start = || thread::Builder::new().name("pipe".to_owned());
    start().spawn(move || write_all(&first, 0, stdin))?;
    start().spawn(move || read_all(&second, 1, stdout))?;
    start().spawn(move || read_all(&third, 2, stderr))?;
    Ok(pipes)
}

/// Writes the buffered bytes to the bot, until either side has closed its end.
fn write_all(shared: &Shared, index: usize, mut pipe: impl Write) {
    let mut chunk = vec![0; CHUNK];
    loop {
        let mut pipes = shared.lock();
        while pipes[index].waiting.is_empty() && !pipes[index].is_left {
            pipes = shared.wait(pipes);
        }
        let count = pipes[index].waiting.read(&mut chunk).unwrap_or(0);
        shared.changed.notify_all();
        drop(pipes);
        if count == 0 || pipe.write_all(&chunk[..count]).is_err() {
            break;
        }
    }
    shared.lock()[index].is_over = true;
    shared.changed.notify_all();
}

/// Reads the bot's output into the buffer while it has space, until either side has closed its end.
fn read_all(shared: &Shared, index: usize, mut pipe: impl Read) {
    let mut chunk = vec![0; CHUNK];
    while let Ok(count @ 1..) = pipe.read(&mut chunk) {
        let mut pipes = shared.lock();
        while pipes[index].waiting.len() + count > ROOM && !pipes[index].is_left {
            pipes = shared.wait(pipes);
        }
        if pipes[index].is_left {
            return;
        }
        pipes[index].waiting.extend(&chunk[..count]);
        shared.changed.notify_all();
    }
    shared.lock()[index].is_over = true;
    shared.changed.notify_all();
}

/// Waits at most `timeout` until one of these can be written or read, or has ended.
pub fn wait(
    input: Option<&BotInput>,
    outputs: [Option<&BotOutput>; 2],
    timeout: Duration,
) -> Woken {
    let input = input.map(|input| &input.0);
    let outputs = outputs.map(|output| output.map(|output| &output.0));
    let Some(any) = input.or(outputs[0]).or(outputs[1]) else {
        thread::sleep(timeout);
        return Woken::ByTime;
    };
    let begun = Instant::now();
    let mut pipes = any.shared.lock();
    loop {
        let is_ready = |pipe: &Bytes| pipe.is_over || !pipe.waiting.is_empty();
        let has_room = |pipe: &Bytes| pipe.is_over || pipe.waiting.len() < ROOM;
        let mut readable = outputs.into_iter().flatten();
        if input.is_some_and(|end| has_room(&pipes[end.index]))
            || readable.any(|end| is_ready(&pipes[end.index]))
        {
            return Woken::ByWork;
        }
        let left = timeout.saturating_sub(begun.elapsed());
        if left.is_zero() {
            return Woken::ByTime;
        }
        let woken = any.shared.changed.wait_timeout(pipes, left);
        pipes = woken.unwrap_or_else(|error| error.into_inner()).0;
    }
}
