//! A slower processor for a bot: the bot runs only part of the time.
//!
//! Where control groups are allowed (Linux, as root or where they are delegated), the system gives
//! the bot a quota of processor time in periods of a few milliseconds. Elsewhere signals stop and
//! continue it as often. Either way the bot's clock does not stop, as on a slow judge.

use super::processes::family;
use anyhow::{Context, Result};
use hex_common::system::{self, MachineError, ProcessId, StallTarget};
use hex_common::workers::beside;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// The folder of control groups on Linux.
const GROUPS: &str = "/sys/fs/cgroup";

/// The beginning of the groups' names. The number of the process follows.
const PREFIX: &str = "hex-check-";

/// The shortest quota that the system accepts.
const QUOTA: Duration = Duration::from_millis(1);

/// The length of a run and the stop after it together: short compared with an answer's limit.
const CYCLE: Duration = Duration::from_millis(4);

/// How often we look for new processes of the bot.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// How often we try to remove a group, whose processes have just been killed.
const REMOVALS: u32 = 1000;

/// A slower processor: how many times slower, and by which means.
#[derive(Clone, Debug)]
pub struct SlowProcessor {
    factor: f64,
    means: Means,
}

#[derive(Clone, Debug)]
enum Means {
    /// A quota in a new control group of this folder.
    Quota(PathBuf, GroupVersion),
    /// SIGSTOP and SIGCONT.
    Signals,
}

/// The two interfaces of Linux to control groups (cgroups(7)).
#[derive(Clone, Copy, Debug)]
enum GroupVersion {
    One,
    Two,
}

impl SlowProcessor {
    /// A processor that is `factor` times slower, from 1: by a quota if that is allowed, else by
    /// signals.
    ///
    /// # Errors
    /// If this system has neither.
    pub(crate) fn new(factor: f64) -> Result<SlowProcessor> {
        match SlowProcessor::by_quota(factor) {
            Some(slow) => Ok(slow),
            None => SlowProcessor::by_signals(factor),
        }
    }

    /// A processor slowed by a control group's quota; `None` if this process may not make groups.
    pub fn by_quota(factor: f64) -> Option<SlowProcessor> {
        let mut folders = group_folders().into_iter();
        let is_allowed = |(folder, version): &(PathBuf, GroupVersion)| {
            ControlGroup::new(folder, *version, factor).is_ok()
        };
        let (folder, version) = folders.find(is_allowed)?;
        remove_abandoned(&folder);
        let means = Means::Quota(folder, version);
        Some(SlowProcessor { factor, means })
    }

    /// A processor slowed by signals.
    ///
    /// # Errors
    /// If this system has no such signals.
    pub fn by_signals(factor: f64) -> Result<SlowProcessor> {
        system::check_stalls().context(
            "--slow needs control groups or signals to stop a bot, and this system has neither; \
             leave it out, or check the bot on Linux or macOS",
        )?;
        let means = Means::Signals;
        Ok(SlowProcessor { factor, means })
    }

    /// A description for people.
    pub fn words(&self) -> String {
        let means = match self.means {
            Means::Quota(..) => "a quota of a control group",
            Means::Signals => "stops by signals",
        };
        format!("{} times slower, by {means}", self.factor)
    }

    /// Slows a process and its descendants down until the returned value is dropped.
    ///
    /// # Errors
    /// If the system refuses the quota that it allowed before.
    pub fn hold(&self, process: ProcessId) -> Result<Slowed> {
        Ok(match &self.means {
            Means::Quota(folder, version) => {
                let group = ControlGroup::new(folder, *version, self.factor)?;
                for process in family(process) {
                    group.take(process)?;
                }
                Slowed::ByQuota { _group: group }
            }
            Means::Signals => Slowed::BySignals(Stopper::start(process, self.factor)?),
        })
    }
}

/// A slowed process. Drop a quota only after the process has ended.
pub enum Slowed {
    /// Slowed by the system.
    ByQuota {
        /// Removed at the end.
        _group: ControlGroup,
    },
    /// Slowed by a thread of this program.
    BySignals(Stopper),
}

/// The folders in which this process may be allowed to make control groups, the likeliest first.
fn group_folders() -> Vec<(PathBuf, GroupVersion)> {
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let mut folders = Vec::new();
    for line in own.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else {
            continue;
        };
        let is_first = controllers.split(',').any(|name| name == "cpu");
        let (root, version) = match controllers {
            "" => (Path::new(GROUPS).to_owned(), GroupVersion::Two),
            _ if is_first => (Path::new(GROUPS).join(controllers), GroupVersion::One),
            _ => continue,
        };
        let own = root.join(path.trim_start_matches('/'));
        // In version 2 a group with processes cannot have groups below it, but its parents can.
        let above = own
            .ancestors()
            .take_while(|folder| folder.starts_with(&root));
        folders.extend(above.map(|folder| (folder.to_owned(), version)));
    }
    folders
}

/// Removes the groups of checks that were killed: the process in the name is gone.
fn remove_abandoned(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name().to_string_lossy().into_owned();
        let owner = name
            .strip_prefix(PREFIX)
            .and_then(|rest| rest.split('-').next());
        if owner.is_some_and(|owner| !Path::new("/proc").join(owner).exists()) {
            // The system keeps a group that still has processes.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// A control group of our own.
pub struct ControlGroup(PathBuf);

impl ControlGroup {
    /// A group in `folder` whose processes run for one part in `factor` of the time.
    fn new(folder: &Path, version: GroupVersion, factor: f64) -> Result<ControlGroup> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let group = loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!("{PREFIX}{}-{number}", std::process::id()));
            match fs::create_dir(&path) {
                // A killed process that had our number has left it.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                made => {
                    made?;
                    break ControlGroup(path);
                }
            }
        };
        let quota = QUOTA.as_micros();
        let period = (QUOTA.as_micros() as f64 * factor).round();
        match version {
            GroupVersion::Two => group.set("cpu.max", &format!("{quota} {period}"))?,
            GroupVersion::One => {
                group.set("cpu.cfs_period_us", &period.to_string())?;
                group.set("cpu.cfs_quota_us", &quota.to_string())?;
            }
        }
        Ok(group)
    }

    /// Writes to one of the group's files, which the system makes.
    fn set(&self, file: &str, value: &str) -> Result<()> {
        let path = self.0.join(file);
        anyhow::ensure!(path.exists(), "{} is missing", path.display());
        fs::write(&path, value).with_context(|| path.display().to_string())
    }

    /// Moves a process into the group. Does nothing if it has ended.
    fn take(&self, process: ProcessId) -> Result<()> {
        let taken = self.set("cgroup.procs", &process.number().to_string());
        let has_ended = !Path::new("/proc")
            .join(process.number().to_string())
            .exists();
        match taken {
            Err(_) if has_ended => Ok(()),
            taken => taken,
        }
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        for _ in 0..REMOVALS {
            match fs::remove_dir(&self.0) {
                Err(_) if self.0.exists() => thread::sleep(Duration::from_millis(2)),
                _ => return,
            }
        }
    }
}

/// A thread that stops and continues a process.
pub struct Stopper {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Stopper {
    fn start(process: ProcessId, factor: f64) -> Result<Stopper, MachineError> {
        let (end, ends) = mpsc::channel();
        let is_over = move |time| ends.recv_timeout(time) != Err(RecvTimeoutError::Timeout);
        let thread = beside(move || stop_and_go(process, factor, &is_over))?;
        Ok(Stopper {
            end: Some(end),
            thread: Some(thread),
        })
    }
}

impl Drop for Stopper {
    fn drop(&mut self) {
        drop(self.end.take());
        if let Some(thread) = self.thread.take() {
            // A thread that has panicked stops nothing any more.
            let _ = thread.join();
        }
    }
}

/// Lets the process run for one part in `factor` of the time. If a thread wakes up late, the next
/// cycles make up for it.
fn stop_and_go(process: ProcessId, factor: f64, is_over: &dyn Fn(Duration) -> bool) {
    let begun = Instant::now();
    let mut ran = Duration::ZERO;
    let (mut targets, mut looked) = (targets(process), begun);
    loop {
        let due = (begun.elapsed() + CYCLE).div_f64(factor);
        let going = Instant::now();
        targets.iter().for_each(StallTarget::go_on);
        let over = is_over(due.saturating_sub(ran).min(CYCLE));
        ran += going.elapsed();
        if over {
            return;
        }
        if looked.elapsed() > LOOK_EVERY {
            (targets, looked) = (self::targets(process), Instant::now());
        }
        targets.iter().for_each(StallTarget::stop);
        // Stop it until it has had no more than its share.
        let even = ran.mul_f64(factor);
        let over = is_over(even.saturating_sub(begun.elapsed()).max(CYCLE / 8));
        if over {
            return targets.iter().for_each(StallTarget::go_on);
        }
    }
}

fn targets(process: ProcessId) -> Vec<StallTarget> {
    let family = family(process).into_iter();
    family.map(StallTarget::new).collect()
}
