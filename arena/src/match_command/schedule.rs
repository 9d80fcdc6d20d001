//! The schedule of a match: the number of a game determines its opening, its players and their
//! colours.

use crate::journal::Journal;
use crate::judge;
use crate::noise::NoiseWatch;
use crate::openings::Openings;
use crate::player::GameStopped;
use crate::process::StopFlag;
use crate::programs::Programs;
use crate::runner::GameSchedule;
use crate::scoresheet::{Fixture, GameLine};
use crate::spec::PlayerSpec;
use clap::ValueEnum;
use hex_common::stats::sprt::Sprt;
use hex_common::system::MachineError;
use hex_core::record::Game;
use std::ops::Range;

/// Who plays whom when there are more than two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ScheduleKind {
    /// Every player against every other one.
    RoundRobin,
    /// The first player against each of the others.
    Gauntlet,
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
    pub(crate) fn pairings(&self) -> &[(usize, usize)] {
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

/// The plan of a match.
pub(crate) struct Match {
    /// The players, in the order of the schedule's numbers.
    pub(crate) players: Vec<PlayerSpec>,
    /// The files of their programs.
    pub(crate) programs: Programs,
    /// The pairings and the order of games.
    pub(crate) schedule: Schedule,
    /// The numbers of the games to play on this machine.
    pub(crate) games: Range<u64>,
    /// The openings.
    pub(crate) openings: Openings,
    /// The test that ends the match, which then has only one pairing.
    pub(crate) sprt: Option<Sprt>,
}

impl Match {
    /// How many games to play on this machine.
    pub(crate) fn games_here(&self) -> u64 {
        self.games.end - self.games.start
    }
}

/// A finished game, for the log and for its record.
pub(crate) struct Finished {
    /// The log's line.
    pub(crate) line: GameLine,
    /// The moves and the outcome.
    pub(crate) game: Game,
    /// The logs of Red and Blue.
    pub(crate) journals: [Journal; 2],
}

/// The games of a match, with a watch for stalls of the machine.
pub(crate) struct WatchedMatch<'a> {
    /// The match.
    pub(crate) plan: &'a Match,
    /// The watch.
    pub(crate) watch: &'a NoiseWatch,
}

impl GameSchedule for WatchedMatch<'_> {
    type Played = Finished;

    fn allows(&self, id: u64) -> Result<bool, MachineError> {
        let Fixture { red, blue, .. } = self.plan.schedule.fixture(id);
        self.plan.programs.allow([red, blue])
    }

    fn play(&self, id: u64, stop: &StopFlag) -> Result<Finished, GameStopped> {
        let Match {
            players, openings, ..
        } = self.plan;
        let fixture = self.plan.schedule.fixture(id);
        let specs = [&players[fixture.red], &players[fixture.blue]];
        let journals = Default::default();
        let judged = judge::start_and_play(specs, openings.game(fixture.round), stop, &journals)?;
        let stall = judged.late.and_then(|late| self.watch.stall_beside(late));
        Ok(Finished {
            line: GameLine::new(fixture, openings.seed(), &judged).stalled(stall),
            game: judged.game,
            journals,
        })
    }
}
