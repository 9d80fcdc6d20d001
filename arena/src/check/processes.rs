//! A bot's process with its descendants, and their memory. Linux lists both below `/proc`
//! (proc(5)). On other systems the lists are empty.

use hex_common::system::ProcessId;
use std::fs;
use std::time::Duration;

/// The process and its descendants, as far as the system lists them.
pub(crate) fn family(process: ProcessId) -> Vec<ProcessId> {
    let mut family = vec![process];
    let mut looked = 0;
    while let Some(&parent) = family.get(looked) {
        looked += 1;
        family.extend(children(parent));
    }
    family
}

/// The processes that the threads of a process have started; none if it has ended meanwhile.
fn children(process: ProcessId) -> Vec<ProcessId> {
    let tasks = format!("/proc/{}/task", process.number());
    let tasks = fs::read_dir(tasks).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    let numbers = lists.flat_map(|list| {
        let numbers: Vec<u32> = list.split(' ').flat_map(str::parse).collect();
        numbers
    });
    numbers.map(ProcessId::with_number).collect()
}

/// The peak memory of a process and its descendants, in bytes: the sum of their peaks of resident
/// memory. `None` if the system does not report it.
pub(crate) fn peak_memory(process: ProcessId) -> Option<u64> {
    let peaks = family(process).into_iter().filter_map(peak);
    let sum = peaks.sum();
    (sum > 0).then_some(sum)
}

fn peak(process: ProcessId) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", process.number())).ok()?;
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = peak.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// How long the threads of a process and its descendants have been on a processor or have waited
/// for one, so that a busy machine makes no difference. `None` if the system does not report it.
pub(crate) fn busy_time(process: ProcessId) -> Option<Duration> {
    let times = family(process).into_iter().filter_map(busy_time_alone);
    times.reduce(|sum, time| sum + time)
}

/// Linux reports for each thread the nanoseconds on a processor and those of waiting for one.
fn busy_time_alone(process: ProcessId) -> Option<Duration> {
    let tasks = fs::read_dir(format!("/proc/{}/task", process.number())).ok()?;
    let tasks = tasks.flatten();
    let times = tasks.filter_map(|task| {
        let schedstat = fs::read_to_string(task.path().join("schedstat")).ok()?;
        let times = schedstat.split_whitespace().take(2);
        let times = times.map(|time| time.parse::<u64>().ok());
        times.sum::<Option<u64>>().map(Duration::from_nanos)
    });
    times.reduce(|sum, time| sum + time)
}
