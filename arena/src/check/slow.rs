//! A slower processor for a bot: signals stop and continue the bot, so that it runs only part of
//! the time. The bot's clock does not stop, as on a slow judge.

use super::processes::family;
use anyhow::{Context, Result};
use hex_common::system::{self, MachineError, ProcessId, StallTarget};
use hex_common::workers::Background;
use std::time::{Duration, Instant};

/// The length of a run and the stop after it together: short compared with an answer's limit.
const CYCLE: Duration = Duration::from_millis(4);

/// How often we look for new processes of the bot.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A slower processor: how many times slower.
#[derive(Clone, Copy, Debug)]
pub struct SlowProcessor(f64);

impl SlowProcessor {
    /// A processor that is `factor` times slower, from 1.
    ///
    /// # Errors
    /// If this system has no signals to stop a bot.
    pub fn new(factor: f64) -> Result<SlowProcessor> {
        system::check_stalls().context(
            "--slow needs signals to stop a bot, which this system has not; leave it out, or check \
             the bot on Linux or macOS",
        )?;
        Ok(SlowProcessor(factor))
    }

    /// A description for people.
    pub(crate) fn words(self) -> String {
        format!("{} times slower, by stops by signals", self.0)
    }

    /// Slows a process and its descendants down until the returned value is dropped.
    ///
    /// # Errors
    /// If its thread cannot be started.
    pub fn hold(self, process: ProcessId) -> Result<Background<()>, MachineError> {
        Background::start(move |is_over| stop_and_go(process, self.0, is_over))
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
