//! The runner of games: each game once, between two checks of its programs, and all ends of a run.

use anyhow::{bail, Result};
use hex_arena::openings::{OpeningMode, Openings};
use hex_arena::player::{GameStopped, Limits};
use hex_arena::process::StopFlag;
use hex_arena::programs::{OnProgramChange, Programs};
use hex_arena::runner::{missing, run, GameSchedule, Next};
use hex_arena::tune::games::{TunedPairs, Tuning};
use hex_arena::tune::log::TunedPair;
use hex_common::system::MachineError;
use hex_core::record::Side;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What happens at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Event {
    Check(u64),
    Play(u64),
}

/// Games without players.
#[derive(Default)]
struct Games {
    events: Mutex<Vec<Event>>,
    /// The check, counted from 0, that finds a changed program.
    changed_at: Option<usize>,
    /// The game that a signal stops.
    stopped: Option<u64>,
    /// The game that the machine refuses.
    refused: Option<u64>,
    /// How many games have ended.
    ended: AtomicU64,
}

impl Games {
    /// The games begun, in order.
    fn played(&self) -> Vec<u64> {
        let events = self.events.lock().unwrap();
        let played = events.iter().filter_map(|event| match event {
            Event::Play(id) => Some(*id),
            Event::Check(_) => None,
        });
        let mut played: Vec<u64> = played.collect();
        played.sort_unstable();
        played
    }
}

impl GameSchedule for Games {
    type Played = u64;

    fn allows(&self, id: u64) -> Result<bool, MachineError> {
        let mut events = self.events.lock().unwrap();
        let checks = events.iter().filter(|e| matches!(e, Event::Check(_)));
        let number = checks.count();
        events.push(Event::Check(id));
        Ok(self.changed_at != Some(number))
    }

    fn play(&self, id: u64, stop: &StopFlag) -> Result<u64, GameStopped> {
        self.events.lock().unwrap().push(Event::Play(id));
        if self.stopped == Some(id) {
            stop.store(true, Ordering::Relaxed);
            return Err(GameStopped::Interrupted);
        }
        if self.refused == Some(id) {
            let error = io::Error::other("no room");
            return Err(MachineError::new("start a program", &error).into());
        }
        self.ended.fetch_add(1, Ordering::Relaxed);
        Ok(id)
    }
}

/// More games than any run here plays before something ends it.
const MOST: u64 = 1000;

/// Plays games until something ends the run, and passes each to `receive`. Returns the games
/// received, the result of the run, and whether it was stopped.
fn endless(
    games: &Games,
    threads: usize,
    receive: impl Fn(u64) -> Result<Next>,
) -> (Vec<u64>, Result<()>, bool) {
    let (stop, mut received) = (StopFlag::default(), Vec::new());
    let result = run(games, 0..MOST, threads, &stop, |id| {
        received.push(id);
        receive(id)
    });
    received.sort_unstable();
    (received, result, stop.load(Ordering::Relaxed))
}

#[test]
fn each_missing_game_is_played_once_between_two_checks() {
    for (threads, total) in [(1, 100), (3, 100), (3, 2), (3, 0)] {
        let (games, stop) = (Games::default(), StopFlag::default());
        let numbers = missing(0..total, [1, 4, 50, 99].into());
        let wanted: Vec<u64> = (0..total)
            .filter(|id| ![1, 4, 50, 99].contains(id))
            .collect();
        let mut received = Vec::new();
        run(&games, numbers, threads, &stop, |id| {
            received.push(id);
            Ok(Next::GoOn)
        })
        .unwrap();
        received.sort_unstable();
        assert_eq!(received, wanted);
        assert!(!stop.load(Ordering::Relaxed));
        let events = games.events.into_inner().unwrap();
        for id in wanted {
            let its = |event: &&Event| [Event::Check(id), Event::Play(id)].contains(event);
            let its: Vec<Event> = events.iter().filter(its).copied().collect();
            assert_eq!(its, [Event::Check(id), Event::Play(id), Event::Check(id)]);
        }
    }
}

/// Each check in turn finds the change: the game after it is not played, the one before it does not
/// count.
#[test]
fn a_changed_program_ends_the_run_before_its_game_counts() {
    for number in 0..8 {
        let changed_at = Some(number);
        let games = Games {
            changed_at,
            ..Games::default()
        };
        let (received, result, is_stopped) = endless(&games, 1, |_| Ok(Next::GoOn));
        result.unwrap();
        assert!(is_stopped);
        assert_eq!(received.len(), number / 2, "{received:?}");
        assert_eq!(games.played().len(), number.div_ceil(2));
    }
}

#[test]
fn games_in_progress_are_received_after_the_last_one() {
    for threads in [1, 3] {
        let games = Games::default();
        let (received, result, is_stopped) = endless(&games, threads, |id| {
            Ok(if id < 5 { Next::GoOn } else { Next::Finish })
        });
        result.unwrap();
        assert_eq!(received, games.played());
        assert!(received.len() > 5 && !is_stopped);
    }
}

/// The log's last line may be incomplete then, so that nothing may follow it.
#[test]
fn nothing_is_received_after_an_error() {
    for threads in [1, 3] {
        let calls = AtomicU64::new(0);
        let (received, result, is_stopped) = endless(&Games::default(), threads, |_| {
            if calls.fetch_add(1, Ordering::Relaxed) == 3 {
                // Meanwhile other games end.
                std::thread::sleep(Duration::from_millis(20));
                bail!("the disk is full");
            }
            Ok(Next::GoOn)
        });
        assert_eq!(result.unwrap_err().to_string(), "the disk is full");
        assert_eq!(received.len(), 4);
        assert!(is_stopped);
    }
}

#[test]
fn a_stopped_game_ends_the_run_and_finished_games_are_kept() {
    for threads in [1, 3] {
        for is_refused in [false, true] {
            let games = Games {
                stopped: Some(5).filter(|_| !is_refused),
                refused: Some(5).filter(|_| is_refused),
                ..Games::default()
            };
            let (received, result, is_stopped) = endless(&games, threads, |_| Ok(Next::GoOn));
            let mut played = games.played();
            played.retain(|&id| id != 5);
            assert_eq!(received, played);
            assert!(is_stopped);
            let error = result.err().map(|error| error.to_string());
            let wanted = is_refused.then_some("this machine cannot start a program: no room");
            assert_eq!(error.as_deref(), wanted);
        }
    }
}

/// As if the log were on a slow disk.
#[test]
fn games_are_played_while_one_is_received() {
    let games = Games::default();
    let (_, result, _) = endless(&games, 1, |id| {
        let (begun, ended) = (Instant::now(), games.ended.load(Ordering::Relaxed));
        while id == 0 && games.ended.load(Ordering::Relaxed) < ended + 3 {
            assert!(begun.elapsed() < Duration::from_secs(5), "nobody plays");
            std::thread::yield_now();
        }
        Ok(Next::Finish)
    });
    result.unwrap();
}

/// A thread fits its model to the pairs that it holds.
#[test]
fn a_pair_is_added_while_a_thread_uses_the_others() {
    let tuning = Tuning {
        text: "builtin:c-puct={c}".to_owned(),
        parameters: vec!["c=1..2..3".parse().unwrap()],
        openings: Openings::new(&OpeningMode::Own, Side::CODINGAME, 1).unwrap(),
        limits: Limits::CODINGAME,
        seed: 1,
        arguments: String::new(),
    };
    let pair = |id| TunedPair {
        id,
        values: vec![1.0],
        wins: 1,
        faults: Vec::new(),
    };
    let programs = Programs::read([], OnProgramChange::End);
    let pairs = TunedPairs::new(&tuning, &programs, vec![pair(0)]);
    let used = pairs.finished();
    pairs.add(pair(1));
    assert_eq!(used[..], [pair(0)]);
    assert_eq!(pairs.finished()[..], [pair(0), pair(1)]);
}
