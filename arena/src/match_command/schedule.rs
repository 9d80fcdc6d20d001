//! The schedule of a match: the number of a game determines its opening, its players and their
//! colours.

use crate::scoresheet::Fixture;
use clap::ValueEnum;
use std::fmt;

/// Who plays whom when there are more than two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScheduleKind {
    /// Every player against every other one.
    RoundRobin,
    /// The first player against each of the others.
    Gauntlet,
}

impl fmt::Display for ScheduleKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            ScheduleKind::RoundRobin => "round-robin",
            ScheduleKind::Gauntlet => "gauntlet",
        })
    }
}

/// All games of a match. Games 2k and 2k+1 are a pair: the same opening with colours exchanged.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    rounds: u64,
}

impl Schedule {
    /// The schedule for `players` players, `rounds` pairs of games for each pairing.
    pub fn new(format: ScheduleKind, players: usize, rounds: u64) -> Schedule {
        let all = (0..players).flat_map(|a| (a + 1..players).map(move |b| (a, b)));
        let pairings = match format {
            ScheduleKind::RoundRobin => all.collect(),
            ScheduleKind::Gauntlet => all.filter(|&(a, _)| a == 0).collect(),
        };
        Schedule { pairings, rounds }
    }

    /// The pairs of players. The first one of a pair has Red in the first game.
    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.rounds * self.pairings.len() as u64 * 2
    }

    /// Game `id`, below [`Schedule::games`].
    pub fn fixture(&self, id: u64) -> Fixture {
        let pair = id / 2;
        let pairings = self.pairings.len() as u64;
        let (first, second) = self.pairings[(pair % pairings) as usize];
        let (red, blue) = if id.is_multiple_of(2) {
            (first, second)
        } else {
            (second, first)
        };
        Fixture {
            id,
            round: pair / pairings,
            red,
            blue,
        }
    }
}
