//! Ends processes that bots have left behind. A bot's group dies with it, but a program may leave its
//! group (`setsid`) and its parent; such orphans become children of the nearest subreaper above them.
//! The arena makes itself that, knows the bots it started, and kills every other child it has.

use std::collections::HashSet;
use std::fs;
use std::sync::Mutex;
use std::time::Duration;

/// The children that are not orphans, by process number: running bots, and whatever this process had
/// before.
static BOTS: Mutex<Option<HashSet<libc::pid_t>>> = Mutex::new(None);

/// How often [`reap_all`] looks again while orphans keep arriving.
const ROUNDS: usize = 50;

/// Makes this process the one that orphans go to. Children that it starts otherwise than as bots count
/// as orphans from then on, so only a process that does nothing else may call it.
pub fn adopt_orphans() {
    // SAFETY: plain system call on this process.
    unsafe {
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1);
    }
    lock().get_or_insert_with(|| children().collect());
}

/// Remembers a bot. To be called under [`starting`]'s guard.
pub fn add_bot(pid: libc::pid_t, guard: &mut Guard) {
    if let Some(bots) = guard.0.as_mut() {
        bots.insert(pid);
    }
}

/// While the guard lives, no child is taken for an orphan: from before a bot's start until it is known.
pub struct Guard(std::sync::MutexGuard<'static, Option<HashSet<libc::pid_t>>>);

/// See [`Guard`].
pub fn starting() -> Guard {
    Guard(lock())
}

/// Forgets a bot that has been waited for, and ends the orphans that there are now.
pub fn remove_bot(pid: libc::pid_t) {
    let mut bots = lock();
    if let Some(bots) = bots.as_mut() {
        bots.remove(&pid);
        kill_orphans(bots);
    }
}

/// Ends all orphans, also those that are on their way to become some. For the end of a match.
pub fn reap_all() {
    for _ in 0..ROUNDS {
        match lock().as_ref() {
            Some(bots) if kill_orphans(bots) > 0 => std::thread::sleep(Duration::from_millis(2)),
            _ => return,
        }
    }
}

fn lock() -> std::sync::MutexGuard<'static, Option<HashSet<libc::pid_t>>> {
    // A panic of another thread leaves the set as good as it was.
    BOTS.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// How many orphans were found.
fn kill_orphans(bots: &HashSet<libc::pid_t>) -> usize {
    let orphans = children().filter(|pid| !bots.contains(pid));
    orphans
        .map(|pid| {
            // SAFETY: the number is a child's that only we wait for, so it is not anybody else's.
            unsafe {
                libc::kill(pid, libc::SIGKILL);
                libc::waitpid(pid, std::ptr::null_mut(), 0);
            }
        })
        .count()
}

/// This process' children: each thread lists those that it is the parent of.
fn children() -> impl Iterator<Item = libc::pid_t> {
    let threads = fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten();
    let lists =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| {
        let numbers = list
            .split_whitespace()
            .filter_map(|number| number.parse().ok());
        numbers.collect::<Vec<libc::pid_t>>()
    })
}
