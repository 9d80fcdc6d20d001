//! The limit of a process' open files and pipes. Few programs need many, so systems give each a low
//! limit that it may raise (the soft limit), up to one that it may not (the hard limit).

use rustix::process::{getrlimit, setrlimit, Resource, Rlimit};
use std::io;
use std::sync::OnceLock;

/// The soft limit that this process was started with; `None` for no limit.
static AT_START: OnceLock<Option<u64>> = OnceLock::new();

/// Raises the soft limit of this process to `needed` if it is lower. Bots get the old one.
///
/// # Errors
/// The limit, if it cannot be raised as far.
pub fn allow_descriptors(needed: u64) -> Result<(), u64> {
    let limit = getrlimit(Resource::Nofile);
    AT_START.get_or_init(|| limit.current);
    match (limit.current, limit.maximum) {
        (_, Some(hard)) if hard < needed => Err(hard),
        (Some(soft), _) if soft < needed => set(Some(needed)).map_err(|_| soft),
        _ => Ok(()),
    }
}

/// The soft limit for bots.
pub(super) fn for_bots() -> Option<u64> {
    *AT_START.get_or_init(|| getrlimit(Resource::Nofile).current)
}

/// Sets the soft limit of this process.
///
/// # Errors
/// If the system refuses.
pub(super) fn set(soft: Option<u64>) -> io::Result<()> {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let limit = Rlimit {
        current: soft,
        maximum,
    };
    Ok(setrlimit(Resource::Nofile, limit)?)
}
