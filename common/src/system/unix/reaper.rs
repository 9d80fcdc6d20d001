//! Ends processes that bots have left behind. A bot's group dies with it, but a program may leave
//! its group (`setsid`) and its parent; such orphans become children of the nearest subreaper above
//! them. That is the bot's [`super::keeper`], which kills all children that it has. Should a keeper
//! be killed, the next subreaper is the arena, which knows its keepers and kills every other child.

use rustix::io::Errno;
use rustix::process::{kill_process, waitpid, Pid, Signal, WaitOptions};
use std::collections::HashSet;
use std::fs;
use std::io;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// The children that are not orphans: keepers, and whatever this process had before. `None` as long
/// as this process is no arena.
static CHILDREN: Mutex<Option<HashSet<Pid>>> = Mutex::new(None);

/// How often [`reap_all`] looks again while orphans keep arriving.
const ROUNDS: usize = 50;

/// How long killed processes are given to end before the next look.
const ROUND: Duration = Duration::from_millis(1);

/// Makes this process the one that orphans go to. Children that it starts otherwise than as keepers
/// count as orphans from then on, so only a process that does nothing else may call it.
pub fn adopt_orphans() {
    // Without it keepers still do their work.
    let _ = become_subreaper();
    lock().get_or_insert_with(|| children().into_iter().collect());
}

/// Makes orphans below this process its children. Does nothing where there is no such thing.
///
/// # Errors
/// If the system refuses.
pub fn become_subreaper() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    Ok(())
}

/// Remembers a child. To be called under [`starting`]'s guard.
pub fn add_child(pid: Pid, guard: &mut Guard) {
    if let Some(children) = guard.0.as_mut() {
        children.insert(pid);
    }
}

/// While the guard lives, no child is taken for an orphan: from before its start until it is known.
pub struct Guard(MutexGuard<'static, Option<HashSet<Pid>>>);

/// See [`Guard`].
pub fn starting() -> Guard {
    Guard(lock())
}

/// Forgets a child that has been waited for, and ends the orphans that there are now.
pub fn remove_child(pid: Pid) {
    let mut known = lock();
    if let Some(known) = known.as_mut() {
        known.remove(&pid);
        kill_orphans(known);
    }
}

/// Ends all orphans, also those that are on their way to become some. For the end of a match.
pub fn reap_all() {
    for _ in 0..ROUNDS {
        match lock().as_ref() {
            Some(known) if kill_orphans(known) > 0 => std::thread::sleep(2 * ROUND),
            _ => return,
        }
    }
}

fn lock() -> MutexGuard<'static, Option<HashSet<Pid>>> {
    // A panic of another thread leaves the set as good as it was.
    CHILDREN
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// How many orphans were found.
fn kill_orphans(known: &HashSet<Pid>) -> usize {
    let children = children().into_iter();
    let orphans = children.filter(|pid| !known.contains(pid));
    orphans
        .map(|pid| {
            // The number is a child's that only we wait for, so it is not anybody else's.
            let _ = kill_process(pid, Signal::KILL);
            let _ = waitpid(Some(pid), WaitOptions::empty());
        })
        .count()
}

/// Kills all children, and those that become children by that, until there are none or `limit` is
/// over. Children alone are ever killed, and only we wait for them: no number can be a stranger's.
pub fn kill_children(limit: Duration) {
    let begin = Instant::now();
    while begin.elapsed() < limit {
        for pid in children() {
            let _ = kill_process(pid, Signal::KILL);
        }
        // A parent's death is told after its children have become ours.
        loop {
            match rustix::process::wait(WaitOptions::NOHANG) {
                Ok(Some(_)) => {}
                Err(Errno::CHILD) => return,
                Ok(None) | Err(_) => break,
            }
        }
        std::thread::sleep(ROUND);
    }
}

/// This process' children: each thread lists those that it is the parent of. Empty where there is
/// no such list.
fn children() -> Vec<Pid> {
    let threads = fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten();
    let lists =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| {
            let numbers = list.split_whitespace().filter_map(|word| word.parse().ok());
            numbers.filter_map(Pid::from_raw).collect::<Vec<Pid>>()
        })
        .collect()
}
