//! The keeper of one bot: a process between the arena and the bot. It ends all processes that the
//! bot has started when the arena ends, even after a crash.
//!
//! ```text
//!  arena ──── keeper ──── bot ──── its children, in any group or session
//!    └── pipes of the bot ──┘
//! ```
//!
//! * The keeper is the same program under another name; [`run_if_keeper`] does its work.
//! * On Linux it is a subreaper: a descendant whose parent ends becomes its child. So no process
//!   can escape by leaving the bot's group or session. Elsewhere it kills only the bot's group.
//! * Arena and keeper share a socket. The arena sends the bot's ends of the pipes. The keeper
//!   answers whether the bot runs, its process number, and later its exit status. When the arena
//!   ends, even by SIGKILL, its end of the socket closes. The keeper then kills all processes and
//!   ends.
//! * The bot and the arena talk directly; the keeper sleeps.
//! * A bot may do to its keeper what any program may do to another one of the same user. Signals to
//!   terminate do nothing to the keeper. The arena continues a stopped keeper whenever it waits for
//!   one. It kills a keeper that does not end in time; the system then kills the bot, and the arena
//!   the rest.
//! * Until a keeper begins to start its bot, every failure is the machine's. After that the bot may
//!   have killed or stopped it, so a keeper that is gone or does not answer is the bot's failure.

use super::super::{
    is_about_file, take_environment, BotEnd, BotPipes, MachineError, ProcessId, StartError,
};
use super::pipes::{bot_pipes, timespec, BotEnds};
use super::reaper;
pub use super::reaper::{adopt_orphans, reap_all};
use super::{descriptors, ignore_signals};
use crate::aside::tell_line;
use rustix::event::{poll, PollFd, PollFlags};
use rustix::io::{fcntl_setfd, retry_on_intr, Errno, FdFlags};
use rustix::net::{
    recvmsg, sendmsg, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags,
};
use rustix::process::{kill_process, kill_process_group, wait, Pid, Signal, WaitOptions};
use std::ffi::OsStr;
use std::io::{self, ErrorKind, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::net::Shutdown;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The name of a keeper in lists of processes, and its argument 0.
const NAME: &str = "bot-keeper";

/// The time limit for a keeper to start its bot.
const START_LIMIT: Duration = Duration::from_secs(30);

/// The time limit for a keeper to kill all processes.
const KILL_LIMIT: Duration = Duration::from_secs(5);

/// The time limit for a keeper to end, after which it is killed.
const END_LIMIT: Duration = Duration::from_secs(8);

/// How often a keeper that is waited for is continued: its bot may have stopped it.
const CONTINUE_EVERY: Duration = Duration::from_millis(20);

/// The keeper's message that it begins to start the bot. The next one is the bot's process number,
/// or an error's number, negative.
const STARTING: i32 = 0;

/// The arena's handle of a keeper with a running bot. Dropping it kills the bot and all processes
/// that the bot has started, and waits until they have ended.
pub struct Keeper {
    child: Child,
    socket: UnixStream,
    /// The bot's process number, which is also the number of its group. `None` if the bot has
    /// killed or stopped its keeper before the keeper could tell it.
    bot: Option<Pid>,
    end: Option<BotEnd>,
}

impl Keeper {
    /// Starts `bot`, and also returns our ends of its pipes.
    ///
    /// # Errors
    /// If the bot's program cannot be run, or the machine refuses what the keeper needs.
    pub fn start(bot: &Command) -> Result<(Keeper, BotPipes), StartError> {
        let cannot = |error: io::Error| MachineError::new("start a bot's process", &error);
        let (mut keeper, pipes) = Keeper::start_own(bot).map_err(cannot)?;
        match keeper.receive(START_LIMIT) {
            Ok(number @ 1..) => keeper.bot = Pid::from_raw(number),
            Ok(number) => {
                let error = io::Error::from_raw_os_error(-number);
                return Err(if is_about_file(&error) {
                    StartError::Program(error)
                } else {
                    cannot(error).into()
                });
            }
            // What it tells later would be taken for the bot's status.
            Err(_) => keeper.end = Some(BotEnd::Unknown),
        }
        Ok((keeper, pipes))
    }

    /// Starts a keeper, up to the moment at which it starts its bot.
    fn start_own(bot: &Command) -> io::Result<(Keeper, BotPipes)> {
        let (ends, pipes) = bot_pipes()?;
        let (ours, theirs) = UnixStream::pair()?;
        let mut guard = reaper::starting();
        let child = command(bot, theirs)?.spawn()?;
        reaper::add_child(pid(&child), &mut guard);
        drop(guard);
        // From here on, dropping this value ends the keeper.
        let keeper = Keeper {
            child,
            socket: ours,
            bot: None,
            end: None,
        };
        keeper.send_ends(&ends)?;
        drop(ends);
        match keeper.receive(START_LIMIT)? {
            STARTING => Ok((keeper, pipes)),
            errno => Err(io::Error::from_raw_os_error(-errno)),
        }
    }

    /// The bot's process, which leads a group of its own. Once the bot has ended, another process
    /// may get its number.
    pub fn bot(&self) -> Option<ProcessId> {
        self.bot.map(ProcessId::from)
    }

    /// Waits at most `patience` for the bot's end and returns its status; `None` if it still runs.
    pub fn end(&mut self, patience: Duration) -> Option<BotEnd> {
        if self.end.is_none() {
            self.end = match self.receive(patience) {
                Ok(status) => Some(BotEnd::Known(ExitStatus::from_raw(status))),
                Err(error) => lost(&error),
            };
        }
        self.end
    }

    fn send_ends(&self, ends: &BotEnds) -> io::Result<()> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
        let mut buffer = SendAncillaryBuffer::new(&mut space);
        let ends = ends.each_ref().map(AsFd::as_fd);
        buffer.push(SendAncillaryMessage::ScmRights(&ends));
        // The system sends descriptors only with at least one byte.
        let byte = [IoSlice::new(b"!")];
        sendmsg(&self.socket, &byte, &mut buffer, SendFlags::empty())?;
        Ok(())
    }

    /// The next number from the keeper.
    fn receive(&self, patience: Duration) -> io::Result<i32> {
        self.wait_for_bytes(Instant::now(), patience)?;
        let mut bytes = [0; 4];
        (&self.socket).read_exact(&mut bytes)?;
        Ok(i32::from_ne_bytes(bytes))
    }

    /// Waits until the keeper has written something or has ended, at most `patience` from `begun`.
    fn wait_for_bytes(&self, begun: Instant, patience: Duration) -> io::Result<()> {
        // The socket's own time limit is rounded up to milliseconds, so `poll` waits instead.
        let mut entry = [PollFd::new(&self.socket, PollFlags::IN)];
        loop {
            let left = patience.saturating_sub(begun.elapsed());
            // A signal such as Ctrl-C interrupts the wait; the keeper may still run.
            let slice = timespec(left.min(CONTINUE_EVERY));
            match retry_on_intr(|| poll(&mut entry, Some(&slice)))? {
                0 if left.is_zero() => return Err(ErrorKind::TimedOut.into()),
                // It is still our child, so that no other process can have its number.
                0 => drop(kill_process(pid(&self.child), Signal::CONT)),
                _ => return Ok(()),
            }
        }
    }

    /// Waits until the keeper has closed its end of the socket, at most [`END_LIMIT`].
    fn wait_for_end(&self) -> io::Result<()> {
        let begun = Instant::now();
        loop {
            self.wait_for_bytes(begun, END_LIMIT)?;
            if (&self.socket).read(&mut [0; 64])? == 0 {
                return Ok(());
            }
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        // An error means that the keeper has ended.
        let _ = self.socket.shutdown(Shutdown::Write);
        if self.wait_for_end().is_err() {
            let _ = self.child.kill();
        }
        // Nothing can be done about a child that cannot be waited for.
        let _ = self.child.wait();
        reaper::remove_child(pid(&self.child));
    }
}

/// What an error of the socket means: a keeper that is gone cannot tell the bot's end.
fn lost(error: &io::Error) -> Option<BotEnd> {
    let is_gone = [ErrorKind::UnexpectedEof, ErrorKind::ConnectionReset].contains(&error.kind());
    is_gone.then_some(BotEnd::Unknown)
}

fn pid(child: &Child) -> Pid {
    Pid::from_child(child)
}

/// The command that starts this program as the keeper of `bot`, in the bot's environment. Its
/// arguments are the bot's limit of open files and its folder, each empty if there is none, and its
/// command.
fn command(bot: &Command, socket: UnixStream) -> io::Result<Command> {
    let limit = descriptors::for_bots().map_or(String::new(), |limit| limit.to_string());
    let mut command = Command::new(own_program()?);
    command
        .arg0(NAME)
        .arg(limit)
        .arg(bot.get_current_dir().unwrap_or("".as_ref()))
        .arg(bot.get_program())
        .args(bot.get_args())
        .stdin(OwnedFd::from(socket))
        .stdout(Stdio::null())
        // Signals of the terminal are for the arena's group, not for the keeper.
        .process_group(0);
    take_environment(&mut command, bot);
    Ok(command)
}

/// The running program, even if its file has been replaced since (by a build during a match).
fn own_program() -> io::Result<PathBuf> {
    if cfg!(target_os = "linux") {
        Ok(PathBuf::from("/proc/self/exe"))
    } else {
        std::env::current_exe()
    }
}

/// Runs the keeper if this process was started as one, and returns its exit code after the bot and
/// all its processes have ended. `None` in any other process. Call it first in `main`.
pub fn run_if_keeper() -> Option<ExitCode> {
    let mut arguments = std::env::args_os();
    if arguments.next()? != NAME {
        return None;
    }
    let (limit, folder) = (arguments.next()?, arguments.next()?);
    let mut bot = Command::new(arguments.next()?);
    bot.args(arguments);
    if !folder.is_empty() {
        bot.current_dir(folder);
    }
    Some(match keep(bot, &limit) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tell_line(format_args!("hex: {NAME}: {error}"));
            ExitCode::FAILURE
        }
    })
}

/// The keeper's work: starts the bot, reports to the arena, and kills all processes at the end.
/// `limit` is the bot's limit of open files.
fn keep(bot: Command, limit: &OsStr) -> io::Result<()> {
    let socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    // Errors of sending are ignored: if the arena has ended, the next read of the socket shows it.
    let send = |number: i32| drop((&socket).write_all(&number.to_ne_bytes()));
    let (woken, ends) = match prepare(limit, &socket) {
        Ok((woken, Some(ends))) => (woken, ends),
        Ok((_, None)) => return Ok(()),
        Err(error) => {
            send(-errno_of(&error));
            return Ok(());
        }
    };
    send(STARTING);
    let started = start(bot, ends);
    send(match &started {
        Ok(bot) => bot.as_raw_pid(),
        Err(error) => -errno_of(error),
    });
    let Ok(bot) = started else {
        return Ok(());
    };
    // From here on the bot must not outlive the keeper, also after an error.
    match watch(&socket, &woken, bot) {
        Ok(Some(status)) => send(status),
        Ok(None) | Err(_) => drop(kill_process_group(bot, Signal::KILL)),
    }
    if !cfg!(target_os = "linux") {
        // Without a subreaper, only the processes in the group can be found.
        let _ = kill_process_group(bot, Signal::KILL);
    }
    reaper::kill_children(KILL_LIMIT);
    Ok(())
}

/// Prepares for the bot. Returns the end of a pipe that can be read when a child has ended, and the
/// bot's ends of its pipes; `None` if the arena has ended.
fn prepare(limit: &OsStr, socket: &UnixStream) -> io::Result<(UnixStream, Option<BotEnds>)> {
    reaper::become_subreaper()?;
    name_process();
    // Programs inherit no handlers, so the bot gets all signals as usual.
    ignore_signals()?;
    #[cfg(target_os = "linux")]
    // If the arena is killed while the keeper is stopped, the keeper goes on and ends the bot.
    rustix::process::set_parent_process_death_signal(Some(Signal::CONT))?;
    descriptors::set(limit.to_str().and_then(|limit| limit.parse().ok()))?;
    // Registered before the bot starts, so that its end cannot be missed.
    let (woken, wakes) = UnixStream::pair()?;
    woken.set_nonblocking(true)?;
    signal_hook::low_level::pipe::register(signal_hook::consts::SIGCHLD, wakes)?;
    Ok((woken, receive_ends(socket)?))
}

/// Sets the name in lists of processes, which otherwise is the name of the program's file.
fn name_process() {
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::set_name(c"bot-keeper");
}

/// Receives the ends of pipes from the arena; `None` if the arena has ended.
fn receive_ends(socket: &UnixStream) -> io::Result<Option<BotEnds>> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut buffer = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0];
    let mut bytes = [IoSliceMut::new(&mut byte)];
    recvmsg(socket, &mut bytes, &mut buffer, RecvFlags::empty())?;
    let mut ends = Vec::new();
    for message in buffer.drain() {
        if let RecvAncillaryMessage::ScmRights(received) = message {
            ends.extend(received);
        }
    }
    for end in &ends {
        // The bot must have its ends only as descriptors 0, 1 and 2.
        fcntl_setfd(end, FdFlags::CLOEXEC)?;
    }
    Ok(ends.try_into().ok())
}

/// Starts the bot in a group of its own.
fn start(mut bot: Command, [stdin, stdout, stderr]: BotEnds) -> io::Result<Pid> {
    bot.stdin(stdin)
        .stdout(stdout)
        .stderr(stderr)
        .process_group(0);
    #[cfg(target_os = "linux")]
    // SAFETY: prctl is async-signal-safe and changes no memory of the parent. No library offers a
    // safe way to run code between fork and exec.
    unsafe {
        // If the keeper is killed, the system kills the bot; the arena then ends the rest.
        bot.pre_exec(|| {
            let death = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
            death.map_err(io::Error::from)
        });
    }
    // `watch` waits for the child by its number. Dropping the command closes our copies of its
    // pipes.
    Ok(pid(&bot.spawn()?))
}

fn errno_of(error: &io::Error) -> i32 {
    error.raw_os_error().unwrap_or(Errno::INVAL.raw_os_error())
}

/// Waits for the end of the bot, and returns its raw status; `None` if the arena has closed the
/// socket. It also waits for orphans that end.
fn watch(socket: &UnixStream, woken: &UnixStream, bot: Pid) -> io::Result<Option<i32>> {
    loop {
        let mut entries = [socket, woken].map(|end| PollFd::new(end, PollFlags::IN));
        match poll(&mut entries, None) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        // The arena sends nothing more, so only the end of the socket can be read.
        if !entries[0].revents().is_empty() {
            return Ok(None);
        }
        let _ = (&*woken).read(&mut [0; 64]);
        while let Ok(Some((pid, status))) = wait(WaitOptions::NOHANG) {
            if pid == bot {
                return Ok(Some(status.as_raw()));
            }
        }
    }
}
