//! A bot's process with all that it has started, and how much memory they have had. Linux lists
//! both below `/proc` (proc(5)); on other systems nothing is known.

use hex_common::system::ProcessId;
use std::fs;

/// The process and the processes that it has started, as far as the system lists them.
pub fn family(process: ProcessId) -> Vec<ProcessId> {
    let mut family = vec![process];
    let mut looked = 0;
    while let Some(&parent) = family.get(looked) {
        looked += 1;
        family.extend(children(parent));
    }
    family
}

/// What the threads of a process have started. (A process that ends meanwhile has no children.)
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

/// The most memory that a process and what it has started have had, in bytes: the sum of their
/// peaks of resident memory. `None` if the system does not say it.
pub fn peak_memory(process: ProcessId) -> Option<u64> {
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
