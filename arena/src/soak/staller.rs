//! Stops a bot's process at random moments for random times, as a busy machine does.

use hex_common::seeds::generator;
use hex_common::system::{MachineError, ProcessId, StallTarget};
use hex_common::workers::Background;
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::{Duration, Instant};

/// How often and how long bots are stopped.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stalls {
    /// Stalls a second on average, counted from the end of the last one; 0 for none.
    pub(crate) rate: f64,
    /// The shortest stall.
    pub(crate) shortest: Duration,
    /// The longest stall. All lengths in between are equally likely.
    pub(crate) longest: Duration,
    /// The seed of moments and lengths.
    pub(crate) seed: u64,
}

/// A time in which a bot was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// When the bot was stopped.
    pub begun: Instant,
    /// When it continued.
    pub ended: Instant,
}

/// A thread that finds spans.
pub(crate) type SpanThread = Background<Vec<Span>>;

/// The total time of the spans between two moments. The spans must not overlap.
pub fn within(spans: &[Span], from: Instant, to: Instant) -> Duration {
    let part = |span: &Span| {
        let (begun, ended) = (span.begun.max(from), span.ended.min(to));
        ended.saturating_duration_since(begun)
    };
    spans.iter().map(part).sum()
}

/// Starts to stop one process at random. A different `number` for each bot makes the moments
/// differ. The thread returns when the process was stopped. End it before waiting for the end of
/// the process.
///
/// # Errors
/// If its thread cannot be started.
pub(crate) fn start(
    stalls: Stalls,
    number: u64,
    process: ProcessId,
) -> Result<SpanThread, MachineError> {
    let mut rng = generator(stalls.seed, number);
    let target = StallTarget::new(process);
    Background::start(move |is_over| stall(stalls, &mut rng, &target, is_over))
}

fn stall(
    stalls: Stalls,
    rng: &mut Xoshiro256PlusPlus,
    target: &StallTarget,
    is_over: &dyn Fn(Duration) -> bool,
) -> Vec<Span> {
    let mut spans = Vec::new();
    while !is_over(gap(stalls.rate, rng)) {
        let more = (stalls.longest - stalls.shortest).mul_f64(unit(rng));
        let begun = Instant::now();
        target.stop();
        let over = is_over(stalls.shortest + more);
        target.go_on();
        spans.push(Span {
            begun,
            ended: Instant::now(),
        });
        if over {
            break;
        }
    }
    spans
}

/// The time to the next stall, exponentially distributed, so that all moments are equally likely.
fn gap(rate: f64, rng: &mut Xoshiro256PlusPlus) -> Duration {
    /// Longer than any game.
    const NEVER: Duration = Duration::from_secs(1_000_000);
    let seconds = -(1.0 - unit(rng)).ln() / rate;
    Duration::try_from_secs_f64(seconds).map_or(NEVER, |gap| gap.min(NEVER))
}

/// A number from 0 to below 1.
fn unit(rng: &mut Xoshiro256PlusPlus) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1u64 << 53) as f64
}
