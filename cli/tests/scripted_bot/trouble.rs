//! The faults of the scripted bot.

use clap::ValueEnum;
use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::time::Duration;

/// A fault at one of the bot's answers.
#[derive(Clone)]
pub struct Trouble {
    kind: TroubleKind,
    at: u64,
}

#[derive(Clone)]
enum TroubleKind {
    /// Panics.
    Crash,
    /// Ends with status 0.
    Exit,
    /// Closes its output and stays.
    Close,
    /// Never answers.
    Stall,
    /// Answers this much too late.
    Late(Duration),
    /// Writes megabytes without a newline.
    Babble,
    /// Answers with this text, in which `\n` ends a line.
    Say(String),
    /// Repeats the opponent's last move.
    Echo,
    /// Stops reading and answering, its standard input closed.
    Deaf,
}

impl FromStr for Trouble {
    type Err = String;

    fn from_str(text: &str) -> Result<Trouble, String> {
        let bad = || format!("{text:?} is no trouble");
        let (kind, at) = text.rsplit_once('@').ok_or_else(bad)?;
        let (name, value) = kind.split_once('=').unwrap_or((kind, ""));
        let kind = match name {
            "crash" => TroubleKind::Crash,
            "exit" => TroubleKind::Exit,
            "close" => TroubleKind::Close,
            "stall" => TroubleKind::Stall,
            "late" => TroubleKind::Late(Duration::from_millis(value.parse().map_err(|_| bad())?)),
            "babble" => TroubleKind::Babble,
            "say" => TroubleKind::Say(value.to_string()),
            "echo" => TroubleKind::Echo,
            "deaf" => TroubleKind::Deaf,
            _ => return Err(bad()),
        };
        let at = at.parse().map_err(|_| bad())?;
        Ok(Trouble { kind, at })
    }
}

impl Trouble {
    /// Makes the fault if this is its answer. May not return. Returns true if it has answered.
    pub fn strike(&self, answer: u64, last: &str) -> bool {
        if answer != self.at {
            return false;
        }
        match &self.kind {
            TroubleKind::Crash => panic!("this bot crashes on purpose"),
            TroubleKind::Exit => std::process::exit(0),
            TroubleKind::Close => sleep(Command::new("sleep").stdout(Stdio::null())),
            TroubleKind::Deaf => sleep(Command::new("sleep").stdin(Stdio::null())),
            TroubleKind::Stall => stall(),
            TroubleKind::Late(delay) => std::thread::sleep(*delay),
            TroubleKind::Babble => loop {
                print!("{}", "bla".repeat(100_000));
                let _ = io::stdout().flush();
            },
            TroubleKind::Say(text) => return say(text),
            TroubleKind::Echo => return say(last),
        }
        false
    }
}

fn say(text: &str) -> bool {
    println!("{}", text.replace("\\n", "\n"));
    let _ = io::stdout().flush();
    true
}

/// Becomes this command, which sleeps with a stream closed.
fn sleep(command: &mut Command) -> ! {
    command.arg("987");
    #[cfg(unix)]
    let _ = std::os::unix::process::CommandExt::exec(command);
    stall()
}

fn stall() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(60));
    }
}

/// The place of a process that the bot starts.
#[derive(Clone, Copy, ValueEnum)]
pub enum Child {
    /// In the bot's group.
    Group,
    /// In a session of its own, which a signal to the bot's group does not reach.
    Session,
    /// In the bot's group, but not its child: it has been forked twice.
    Orphan,
    /// In a session of its own, and not the bot's child.
    Daemon,
}

impl Child {
    /// Starts a sleeping process there.
    #[expect(clippy::zombie_processes, reason = "the arena is to find and end it")]
    pub fn start(self) {
        let words: &[&str] = match self {
            Child::Group => &["sleep", "987"],
            Child::Session => &["setsid", "sleep", "987"],
            Child::Orphan => &["sh", "-c", "sleep 987 &"],
            Child::Daemon => &["setsid", "sh", "-c", "sleep 987 &"],
        };
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).stdin(Stdio::null());
        let mut child = command.spawn().expect("sleep, setsid and sh are there");
        if let Child::Orphan | Child::Daemon = self {
            let _ = child.wait();
        }
    }
}

/// Kills the bot's parent process.
pub fn kill_parent() {
    #[cfg(unix)]
    {
        let parent = std::os::unix::process::parent_id().to_string();
        let _ = Command::new("kill").args(["-KILL", &parent]).status();
    }
    stall()
}

/// Writes this much to standard error.
pub fn flood_stderr(bytes: usize) {
    let line = [b'e'; 1000];
    for _ in 0..bytes / line.len() {
        let _ = io::stderr().write_all(&line);
    }
}

/// Takes this much memory, in MiB, and keeps it.
pub fn take_memory(mebibytes: usize) {
    // Not zeros, which the system provides without physical memory.
    std::mem::forget(vec![1_u8; mebibytes << 20]);
}
