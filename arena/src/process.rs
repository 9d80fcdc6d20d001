//! A bot in a process of its own: lines out and in, with a deadline. A bot cannot harm the match.
//!
//! * The bot runs under a [`Keeper`], which kills the bot and its descendants even if the arena
//!   crashes.
//! * Reading and writing never block; one [`wait`] watches all pipes. Memory and time are limited
//!   for a bot that does not read, floods its standard error or writes an endless line.
//! * The clock runs from the last write of the question until the answer's newline has been read.

use super::journal::{Journal, Way};
use super::player::{Failure, Fault, FaultKind, GameStopped};
use anyhow::bail;
use hex_common::system::{
    self, describe, wait, BotEnd, BotInput, BotOutput, BotPipes, Keeper, ProcessId, StartError,
    Woken,
};
use std::io::{self, ErrorKind, Read, Write};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest answer, in bytes.
const MAX_LINE: usize = 64 * 1024;

/// How much of the end of a bot's standard error is searched for its error message, in bytes.
const STDERR_SEARCHED: usize = 4096;

/// How many characters of a crashed bot's error message are kept.
const WORDS_KEPT: usize = 300;

/// How long to wait after the limit, to distinguish a late bot from a silent one.
const LATE_GRACE: Duration = Duration::from_millis(500);

/// How long to wait for the exit status of a bot that has closed its output.
const EXIT_GRACE: Duration = Duration::from_millis(200);

/// How often a wait checks whether the match has been stopped.
const STOP_POLL: Duration = Duration::from_millis(50);

/// Bytes read from a pipe at a time.
const CHUNK: usize = 16 * 1024;

/// The number of reads that empties a full pipe.
const DRAINS: usize = 64 * 1024 / CHUNK + 1;

/// The most open files of a thread that plays games: two bots with three pipes, a keeper's socket
/// and two files of their observers each, the start of a third, and a program's file.
const FILES_OF_A_GAME: u64 = 20;

/// The most other open files of a command that plays games.
const OTHER_FILES: u64 = 40;

/// Prepares this process for bots: makes their orphans its children, and raises its limit of open
/// files so far that this number of threads can play games at the same time.
///
/// # Errors
/// If the limit cannot be raised as far.
pub(crate) fn prepare_for_games(threads: usize) -> anyhow::Result<()> {
    system::adopt_orphans();
    let needed = OTHER_FILES + FILES_OF_A_GAME * threads as u64;
    let Err(limit) = system::allow_descriptors(needed) else {
        return Ok(());
    };
    let cure = match limit.saturating_sub(OTHER_FILES) / FILES_OF_A_GAME {
        0 => String::new(),
        fitting => format!("give --threads {fitting}, or "),
    };
    bail!(
        "--threads {threads}: this many games at a time need {needed} open files, and the limit \
         is {limit}: {cure}raise it (ulimit -n {needed})"
    );
}

/// Set to stop the match at once.
pub type StopFlag = Arc<AtomicBool>;

/// A running bot. Dropping it kills the bot and its descendants, and waits for their ends.
pub(crate) struct BotProcess {
    keeper: Keeper,
    stdin: Option<BotInput>,
    stdout: Option<BotOutput>,
    stderr: Option<BotOutput>,
    /// Bytes of standard output that are not yet returned as a line.
    unread: Vec<u8>,
    journal: Journal,
    stop: StopFlag,
}

/// A line and the time it took, counted from the end of the question.
pub(crate) struct TimedLine {
    /// The line without its end.
    pub(crate) text: String,
    /// From question to answer.
    pub(crate) time: Duration,
}

impl BotProcess {
    /// Starts `command`; `journal` notes its input and output.
    ///
    /// # Errors
    /// A crash, if the program cannot be run. If the machine refuses what the start needs, the game
    /// is stopped.
    pub(crate) fn start(
        command: Command,
        stop: StopFlag,
        journal: Journal,
    ) -> Result<BotProcess, Failure> {
        let (keeper, pipes) = Keeper::start(&command).map_err(|error| match error {
            StartError::Machine(error) => Failure::from(error),
            StartError::Program(error) => not_run(&command, &error).into(),
        })?;
        let BotPipes {
            stdin,
            stdout,
            stderr,
        } = pipes;
        Ok(BotProcess {
            keeper,
            stdin: Some(stdin),
            stdout: Some(stdout),
            stderr: Some(stderr),
            unread: Vec::new(),
            journal,
            stop,
        })
    }

    /// Writes `question` and waits for one line, for `limit` and a short grace. A line that was
    /// written before the question counts as the answer, as on the site.
    ///
    /// # Errors
    /// If the bot crashes, does not answer or writes an endless line, or the match was stopped.
    pub(crate) fn ask(&mut self, question: &str, limit: Duration) -> Result<TimedLine, Failure> {
        self.journal.note(Way::Sent, question);
        let mut pending = question.as_bytes();
        let begun = Instant::now();
        let mut started = begun;
        let mut chunk = [0; CHUNK];
        let mut has_ended = false;
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return Err(GameStopped::Interrupted.into());
            }
            if !pending.is_empty() {
                // Before the write: it wakes the bot, which may run before we do again.
                started = Instant::now();
                pending = self.write(pending);
            }
            if pending.is_empty() {
                if let Some(text) = self.take_line()? {
                    let time = started.elapsed();
                    self.journal.note(Way::Received, &text);
                    return Ok(TimedLine { text, time });
                }
            } else if self.unread.len() > MAX_LINE {
                return Err(self.flood("and did not read its input").into());
            }
            if self.stdout.is_none() {
                return Err(self.crash("closed its standard output").into());
            }
            if has_ended {
                return Err(self.crash("ended").into());
            }
            // Wait for a bot that does not read no longer than for one that does not write.
            let since = if pending.is_empty() { started } else { begun };
            let left = (limit + LATE_GRACE).saturating_sub(since.elapsed());
            if left.is_zero() {
                return Err(self.silence(limit, pending).into());
            }
            // A child of the bot may keep the pipe open after a crash, so check the bot itself too.
            // Its last output is still read below.
            has_ended = self.wait(pending, left.min(STOP_POLL)) == Woken::ByTime
                && self.keeper.end(Duration::ZERO).is_some();
            self.read_stdout(&mut chunk);
            self.read_stderr(&mut chunk);
        }
    }

    /// [`BotProcess::ask`] for one of several lines that share one limit, which counts from
    /// `started`.
    ///
    /// # Errors
    /// As [`BotProcess::ask`].
    pub(crate) fn ask_since(
        &mut self,
        started: Instant,
        question: &str,
        limit: Duration,
    ) -> Result<TimedLine, Failure> {
        let waited = started.elapsed();
        if waited > limit + LATE_GRACE {
            let detail = format!("wrote lines for {} ms but no answer", waited.as_millis());
            return Err(Fault::new(FaultKind::Silence, detail).into());
        }
        self.ask(question, limit.saturating_sub(waited))
    }

    /// The number of the process; `None` once it has ended.
    pub(crate) fn id(&mut self) -> Option<ProcessId> {
        match self.keeper.end(Duration::ZERO) {
            None => self.keeper.bot(),
            Some(_) => None,
        }
    }

    /// Closes the bot's standard input.
    pub(crate) fn end_input(&mut self) {
        self.stdin = None;
    }

    /// Reads the bot's standard error, so that the bot does not block on a full pipe.
    pub(crate) fn drain(&mut self) {
        self.read_stderr(&mut [0; CHUNK]);
    }

    /// Writes as much as fits and returns the rest. If the pipe is closed, drops everything: then
    /// the answer decides.
    fn write<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let Some(stdin) = &mut self.stdin else {
            return &[];
        };
        match stdin.write(bytes) {
            Ok(written) => &bytes[written..],
            Err(error) if is_temporary(&error) => bytes,
            Err(_) => {
                self.stdin = None;
                &[]
            }
        }
    }

    fn take_line(&mut self) -> Result<Option<String>, Fault> {
        let Some(end) = self.unread.iter().position(|&byte| byte == b'\n') else {
            if self.unread.len() <= MAX_LINE {
                return Ok(None);
            }
            return Err(self.flood("without a newline"));
        };
        let line: Vec<u8> = self.unread.drain(..=end).collect();
        let text = String::from_utf8_lossy(&line[..end]);
        Ok(Some(text.trim_end_matches('\r').to_string()))
    }

    /// The fault of a bot that writes too much; `how` completes the sentence.
    fn flood(&self, how: &str) -> Fault {
        let detail = format!("wrote more than {MAX_LINE} bytes {how}");
        let start = String::from_utf8_lossy(&self.unread[..CHUNK]);
        Fault::new(FaultKind::Illegal, detail).with_line(&start)
    }

    /// Waits until there is something to read, or room to write if `unwritten` is not empty; at
    /// most `timeout`.
    fn wait(&self, unwritten: &[u8], timeout: Duration) -> Woken {
        let input = self.stdin.as_ref().filter(|_| !unwritten.is_empty());
        wait(input, [self.stdout.as_ref(), self.stderr.as_ref()], timeout)
    }

    fn read_stdout(&mut self, chunk: &mut [u8]) {
        match read_some(&mut self.stdout, chunk) {
            Some(0) => self.stdout = None,
            Some(count) => self.unread.extend_from_slice(&chunk[..count]),
            None => {}
        }
    }

    fn read_stderr(&mut self, chunk: &mut [u8]) {
        match read_some(&mut self.stderr, chunk) {
            Some(0) => self.stderr = None,
            Some(count) => self.journal.note_errors(&chunk[..count]),
            None => {}
        }
    }

    /// The fault of a bot that has not answered. `pending` is the input that it has not read.
    fn silence(&mut self, limit: Duration, pending: &[u8]) -> Fault {
        if self.keeper.end(Duration::ZERO).is_some() {
            return self.crash("ended");
        }
        let waited = (limit + LATE_GRACE).as_millis();
        let detail = match (pending, self.unread.len()) {
            ([_, ..], _) => format!("did not read its input for {waited} ms"),
            ([], 0) => format!("wrote nothing for {waited} ms"),
            ([], bytes) => format!("wrote {bytes} bytes but no newline for {waited} ms"),
        };
        self.fault(FaultKind::Silence, detail)
    }

    /// A fault with the bot's last words and its unfinished line.
    fn fault(&mut self, kind: FaultKind, mut detail: String) -> Fault {
        detail += &self.words();
        let fault = Fault::new(kind, detail);
        if self.unread.is_empty() {
            return fault;
        }
        fault.with_line(&String::from_utf8_lossy(&self.unread))
    }

    /// The end of a fault's detail: the bot's error message, if there is one.
    fn words(&mut self) -> String {
        self.drain();
        let end = self.journal.last_errors(STDERR_SEARCHED);
        let words = last_words(&String::from_utf8_lossy(&end));
        words.map_or(String::new(), |words| format!("; its last words: {words}"))
    }

    fn crash(&mut self, what: &str) -> Fault {
        let detail = match self.keeper.end(EXIT_GRACE) {
            Some(BotEnd::Known(status)) => describe(status),
            Some(BotEnd::Unknown) => "was lost: its keeper has been killed or stopped".to_string(),
            None => what.to_string(),
        };
        self.fault(FaultKind::Crash, detail)
    }
}

impl Drop for BotProcess {
    /// Notes the bot's last output; then the keeper kills it.
    fn drop(&mut self) {
        let mut chunk = [0; CHUNK];
        // As much as a pipe holds, and no more, because the bot may write without end.
        for _ in 0..DRAINS {
            self.read_stdout(&mut chunk);
            self.read_stderr(&mut chunk);
        }
        let whole = self.unread.iter().rposition(|&byte| byte == b'\n');
        let (lines, rest) = self.unread.split_at(whole.map_or(0, |end| end + 1));
        let lines = String::from_utf8_lossy(lines);
        self.journal.note(Way::Received, &lines);
        self.journal
            .note(Way::Unfinished, &String::from_utf8_lossy(rest));
    }
}

/// The fault of a program that cannot be run.
fn not_run(command: &Command, error: &io::Error) -> Fault {
    let program = command.get_program().to_string_lossy();
    let place = command.get_current_dir();
    let place = place.map_or(String::new(), |folder| format!(" in {}", folder.display()));
    let detail = format!("{program:?} cannot be started{place}: {error}");
    Fault::new(FaultKind::Crash, detail)
}

/// The error message of a program: a panic's message, which comes before its backtrace; else the
/// first line that begins with "error", which comes before hints; else the last line.
fn last_words(stderr: &str) -> Option<String> {
    let mut lines = stderr.lines().filter(|line| !line.trim().is_empty());
    let mut panic = lines.clone();
    let words = if panic.any(|line| line.contains("panicked at")) {
        let place = lines.find(|line| line.contains("panicked at"))?;
        format!("{place} {}", lines.next().unwrap_or(""))
    } else {
        let is_error = |line: &&str| line.to_ascii_lowercase().starts_with("error");
        let error = lines.clone().find(is_error);
        error.or_else(|| lines.next_back())?.to_string()
    };
    // Terminals would obey control characters.
    let shown = words.trim_end().replace(char::is_control, "\u{fffd}");
    Some(shown.chars().take(WORDS_KEPT).collect())
}

fn is_temporary(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}

/// How many bytes were read, 0 at the end of the pipe; `None` if there are none at the moment.
fn read_some(pipe: &mut Option<impl Read>, chunk: &mut [u8]) -> Option<usize> {
    match pipe.as_mut()?.read(chunk) {
        Ok(count) => Some(count),
        Err(error) if is_temporary(&error) => None,
        Err(_) => Some(0),
    }
}
