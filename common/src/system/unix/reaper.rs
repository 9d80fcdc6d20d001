//! Ends processes that bots have left behind. A bot's group ends with it, but a program may leave
//! its group (`setsid`) and its parent. Such an orphan becomes a child of the nearest subreaper
//! above it. That is the bot's [`super::keeper`], which kills all its children. If a keeper is
//! killed, the next subreaper is the arena, which kills every child except its keepers.

use rustix::io::Errno;
use rustix::process::{kill_process, waitpid, Pid, Signal, WaitOptions};
use std::collections::HashSet;
use std::fs;
use std::io;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// The children that are not orphans: keepers, and the children from before [`adopt_orphans`].
/// `None` if this process is not an arena.
static CHILDREN: Mutex<Option<HashSet<Pid>>> = Mutex::new(None);

/// The most rounds of [`reap_all`] while new orphans arrive.
const ROUNDS: usize = 50;

/// The time for killed processes to end before the next round.
const ROUND: Duration = Duration::from_millis(1);

/// Makes this process the parent of orphans below it. From then on, all its new children except
/// keepers count as orphans. So a process that starts other children must not call it.
pub fn adopt_orphans() {
    // An error is harmless: the keepers still do their work.
    let _ = become_subreaper();
    lock().get_or_insert_with(|| children().into_iter().collect());
}

/// Makes orphans below this process its children. Does nothing on systems without subreapers.
///
/// # Errors
/// If the system refuses.
pub fn become_subreaper() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    Ok(())
}

/// Registers a child that is not an orphan, under the guard of [`starting`].
pub fn add_child(pid: Pid, guard: &mut Guard) {
    if let Some(children) = guard.0.as_mut() {
        children.insert(pid);
    }
}

/// While the guard lives, no orphan is killed. So a new child is safe from its start until it is
/// registered.
pub struct Guard(MutexGuard<'static, Option<HashSet<Pid>>>);

/// See [`Guard`].
pub fn starting() -> Guard {
    Guard(lock())
}

/// Removes a child that has ended, and kills the current orphans.
pub fn remove_child(pid: Pid) {
    let mut known = lock();
    if let Some(known) = known.as_mut() {
        known.remove(&pid);
        kill_orphans(known);
    }
}

/// Kills all orphans, also those that appear meanwhile. It is called at the end of a match.
pub fn reap_all() {
    for _ in 0..ROUNDS {
        match lock().as_ref() {
            Some(known) if kill_orphans(known) > 0 => std::thread::sleep(2 * ROUND),
            _ => return,
        }
    }
}

fn lock() -> MutexGuard<'static, Option<HashSet<Pid>>> {
    // A panic of another thread cannot leave the set in an invalid state.
    CHILDREN
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Kills the orphans and returns their number.
fn kill_orphans(known: &HashSet<Pid>) -> usize {
    let mut orphans = children();
    orphans.retain(|pid| !known.contains(pid));
    // Only we wait for these children, so that no other process can have their numbers.
    for &pid in &orphans {
        let _ = kill_process(pid, Signal::KILL);
    }
    // After all kills: one that traces another ends before that can be waited for.
    for &pid in &orphans {
        let _ = waitpid(Some(pid), WaitOptions::empty());
    }
    orphans.len()
}

/// Kills all children, and the processes that become children when their parents end, until there
/// are none or `limit` is over. Only we wait for our children, so that no other process can have
/// their numbers.
pub fn kill_children(limit: Duration) {
    let begin = Instant::now();
    while begin.elapsed() < limit {
        for pid in children() {
            let _ = kill_process(pid, Signal::KILL);
        }
        // `wait` returns a process only after its children have become ours.
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

/// This process' children: `/proc` lists them for each thread. Empty on other systems.
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
