//! The machine's noise: how it is measured, and which late answers it is to blame for.

use hex_arena::noise::{probe, stall_beside, LateAnswer, Stall};
use std::time::{Duration, Instant};

fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// Threads that wait for each other lose much of their time, and never more than all of it.
#[test]
fn no_more_time_is_lost_than_passes() {
    for threads in [1, 16, 64] {
        let noise = probe(threads, Duration::from_micros(500)).unwrap();
        assert!(noise.lost_permille <= 1000, "{noise:?}");
    }
}

/// An answer that took from 1000 to 1160 where 100 ms were allowed, and stalls as (sleeper, due,
/// woken).
#[test]
fn a_stall_is_to_blame_if_the_answer_would_have_been_in_time_without_it() {
    let begin = Instant::now();
    let answer = LateAnswer {
        asked: begin + ms(1000),
        over: begin + ms(1160),
        limit: ms(100),
    };
    let late = |stalls: &[(usize, u64, u64)]| {
        let stalls = stalls.iter().map(|&(sleeper, due, woken)| Stall {
            sleeper,
            due: begin + ms(due),
            woken: begin + ms(woken),
        });
        stall_beside(&stalls.collect::<Vec<_>>(), answer)
    };
    assert_eq!(late(&[]), None);
    assert_eq!(late(&[(0, 1050, 1120)]), Some(ms(70)));
    // Up to a nap of ten may be missing from what a sleeper sees.
    assert_eq!(late(&[(0, 1050, 1100)]), Some(ms(50)));
    assert_eq!(late(&[(0, 1050, 1099)]), None);
    // Only what lies beside the answer counts.
    assert_eq!(late(&[(0, 900, 1070)]), Some(ms(70)));
    assert_eq!(late(&[(0, 900, 1040)]), None);
    assert_eq!(late(&[(0, 700, 1000), (0, 1160, 1300)]), None);
    // Stalls of one core add up, those of several do not.
    assert_eq!(late(&[(0, 1000, 1025), (0, 1100, 1125)]), Some(ms(50)));
    assert_eq!(late(&[(0, 1000, 1025), (1, 1100, 1125)]), None);
    assert_eq!(late(&[(1, 1010, 1090)]), Some(ms(80)));
}
