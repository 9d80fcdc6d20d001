//! Who is to blame for a late answer of a bot that is stopped.

use hex_arena::noise::{LateAnswer, Stall};
use hex_arena::soak::game::{Blame, Hindrances};
use hex_arena::soak::staller::{within, Span};
use std::time::{Duration, Instant};

fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// These spans, from and to in milliseconds after `begin`.
fn spans_since(begin: Instant, spans: &[(u64, u64)]) -> Vec<Span> {
    let span = |&(begun, ended)| Span {
        begun: begin + ms(begun),
        ended: begin + ms(ended),
    };
    spans.iter().map(span).collect()
}

/// The blame for an answer that took `took` ms under a limit of 100 ms. The bot was stopped and
/// waited in these spans, from and to in milliseconds after the question. The machine stood still
/// for `machine` ms.
fn blame(took: u64, stopped: &[(u64, u64)], waited: &[(u64, u64)], machine: u64) -> Option<Blame> {
    let asked = Instant::now();
    let answer = LateAnswer {
        asked,
        over: asked + ms(took),
        limit: ms(100),
    };
    let [stopped, waited] = [stopped, waited].map(|spans| spans_since(asked, spans));
    let hindrances = Hindrances { stopped, waited };
    let stall = Stall {
        sleeper: 0,
        due: asked,
        woken: asked + ms(machine),
    };
    Blame::of(answer, &hindrances, &[stall])
}

#[test]
fn a_late_answer_is_put_down_to_what_made_it_late() {
    let [bot, injected, machine] = [Blame::Bot, Blame::Injected, Blame::Machine].map(Some);
    assert_eq!(blame(100, &[], &[], 0), None);
    assert_eq!(blame(100, &[(0, 60)], &[(60, 90)], 60), None);
    assert_eq!(blame(101, &[], &[], 0), bot);
    assert_eq!(blame(150, &[(70, 120)], &[], 0), injected);
    assert_eq!(blame(150, &[(70, 119)], &[], 0), bot);
    assert_eq!(blame(150, &[], &[], 50), machine);
    // Neither alone, but both together.
    assert_eq!(blame(150, &[(85, 110)], &[], 25), machine);
    assert_eq!(blame(200, &[(85, 110)], &[], 25), bot);
    // It had no processor, with and without being stopped as well.
    assert_eq!(blame(150, &[], &[(75, 125)], 0), machine);
    assert_eq!(blame(150, &[], &[(75, 124)], 0), bot);
    assert_eq!(blame(150, &[(75, 100)], &[(100, 125)], 0), machine);
    assert_eq!(blame(150, &[(75, 125)], &[(125, 150)], 0), injected);
}

/// The bot reads its clock: a delay between its first and its last reading is no excuse.
#[test]
fn a_bot_makes_up_for_what_it_can_see() {
    assert_eq!(blame(101, &[(30, 70)], &[], 0), Some(Blame::Bot));
    assert_eq!(blame(101, &[], &[(30, 70)], 0), Some(Blame::Bot));
    assert_eq!(blame(101, &[(0, 40)], &[], 0), Some(Blame::Injected));
    assert_eq!(blame(101, &[(70, 85)], &[], 0), Some(Blame::Injected));
    assert_eq!(blame(101, &[], &[(15, 25)], 0), Some(Blame::Machine));
}

#[test]
fn what_lies_within_an_answer_counts() {
    let begin = Instant::now();
    let spans = spans_since(begin, &[(0, 10), (20, 40), (90, 120), (200, 300)]);
    let within_ms = |from, to| within(&spans, begin + ms(from), begin + ms(to));
    assert_eq!(within_ms(5, 100), ms(5 + 20 + 10));
    assert_eq!(within_ms(40, 90), ms(0));
    assert_eq!(within(&[], begin, begin + ms(90)), ms(0));
}
