//! What the games so far add up to. It is computed from the log's lines alone, so that a resumed
//! match and an uninterrupted one report the same.

use super::schedule::Schedule;
use crate::arena::player::{FaultKind, Limits};
use crate::arena::scoresheet::{ColorName, GameLine};
use crate::stats::elo::Pairs;
use crate::stats::latency::Latencies;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

/// The score of one pairing.
#[derive(Clone, Debug)]
pub struct PairingScore {
    /// The two players; the score is the first one's.
    pub players: (usize, usize),
    /// Finished pairs.
    pub pairs: Pairs,
    /// Games won by the first player as Red and as Blue.
    pub wins: [u64; 2],
    /// Games lost by the first player as Red and as Blue.
    pub losses: [u64; 2],
}

/// What one player did.
#[derive(Clone, Debug, Default)]
pub struct PlayerScore {
    /// Answer times.
    pub latencies: Latencies,
    /// Games lost by fault, in the order of [`FaultKind::ALL`].
    pub faults: [u64; 4],
}

/// The score of a match.
#[derive(Clone, Debug)]
pub struct Tally {
    /// In the schedule's order.
    pub pairings: Vec<PairingScore>,
    /// In the header's order.
    pub players: Vec<PlayerScore>,
    /// Finished games.
    pub games: u64,
    /// Games that repeat an earlier one of the same players move for move, so that their results are
    /// no new evidence: both players are deterministic and an opening came again.
    pub repeated: u64,
    limits: Vec<Limits>,
    /// Hashes of the games so far: who played Red, who Blue, and the moves.
    seen: HashSet<u64>,
    /// Pairs of which one game is finished: did the pairing's first player win it?
    halves: HashMap<u64, u32>,
}

impl Tally {
    /// The score before any game; `limits` are the players', in order.
    pub fn new(schedule: &Schedule, limits: Vec<Limits>) -> Tally {
        let pairings = schedule.pairings().iter();
        Tally {
            pairings: pairings
                .map(|&players| PairingScore {
                    players,
                    pairs: Pairs::default(),
                    wins: [0; 2],
                    losses: [0; 2],
                })
                .collect(),
            players: vec![PlayerScore::default(); limits.len()],
            games: 0,
            repeated: 0,
            limits,
            seen: HashSet::new(),
            halves: HashMap::new(),
        }
    }

    /// Counts a finished game.
    pub fn add(&mut self, line: &GameLine) {
        self.games += 1;
        let mut hasher = DefaultHasher::new();
        (line.red, line.blue, &line.moves).hash(&mut hasher);
        self.repeated += u64::from(!self.seen.insert(hasher.finish()));
        let pair = line.id / 2;
        let pairing = (pair % self.pairings.len() as u64) as usize;
        let score = &mut self.pairings[pairing];
        let first = score.players.0;
        let color = usize::from(line.blue == first);
        let won = u32::from(line.winner_index() == first);
        if won == 1 {
            score.wins[color] += 1;
        } else {
            score.losses[color] += 1;
        }
        match self.halves.remove(&pair) {
            Some(other) => score.pairs.add(won + other),
            None => {
                self.halves.insert(pair, won);
            }
        }
        self.add_times(line);
        if let Some(fault) = &line.fault {
            let loser = match line.winner {
                ColorName::Red => line.blue,
                ColorName::Blue => line.red,
            };
            let class = FaultKind::ALL.iter().position(|&kind| kind == fault.kind);
            self.players[loser].faults[class.expect("all kinds are listed")] += 1;
        }
    }

    fn add_times(&mut self, line: &GameLine) {
        let mut answered = [false; 2];
        // An answer that came too late is not among the moves.
        let late = line.fault.as_ref().and_then(|fault| fault.ms);
        let times = line.times_ms.iter().copied().chain(late.map(Some));
        for (ply, time) in times.enumerate() {
            let (player, color) = if ply % 2 == 0 {
                (line.red, 0)
            } else {
                (line.blue, 1)
            };
            let Some(time) = time else { continue };
            let limits = self.limits[player];
            let is_first = !std::mem::replace(&mut answered[color], true);
            let limit = if is_first { limits.first } else { limits.turn };
            let time = Duration::from_secs_f64(time / 1e3);
            self.players[player].latencies.add(time, limit);
        }
    }
}
