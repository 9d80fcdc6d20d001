//! The interface between the referee and players, and how players can fail.

use anyhow::anyhow;
use hex_common::interruption::Interruption;
use hex_common::system::{MachineError, ProcessId};
use hex_core::record::{Ending, Game, Move};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;
use thiserror::Error;

/// The time limits of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// For the player's first answer of a game.
    pub(crate) first: Duration,
    /// For every later answer.
    pub(crate) turn: Duration,
}

impl Limits {
    /// CodinGame's: 1 s, then 100 ms.
    pub const CODINGAME: Limits = Limits {
        first: Duration::from_millis(1000),
        turn: Duration::from_millis(100),
    };
}

/// What a player decides on a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Decision {
    /// Make a move, legal or not.
    Play(Move),
    /// Give the game up.
    Resign,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Decision::Play(action) => action.fmt(f),
            Decision::Resign => f.write_str("resign"),
        }
    }
}

/// A player's answer to a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TimedAnswer {
    /// The decision.
    pub(crate) decision: Decision,
    /// From the end of the question to the end of the answer.
    pub(crate) time: Duration,
    /// The player's message with its move; often empty.
    pub(crate) message: String,
}

/// The ways to lose a game by a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FaultKind {
    /// The answer is not a move, or not one that the rules allow here.
    Illegal,
    /// The answer came after the limit.
    Timeout,
    /// The program ended, closed its output, or could not be started.
    Crash,
    /// No answer came at all.
    Silence,
}

impl FaultKind {
    /// All of them, in the order of reports.
    pub(crate) const ALL: [FaultKind; 4] = [
        FaultKind::Illegal,
        FaultKind::Timeout,
        FaultKind::Crash,
        FaultKind::Silence,
    ];

    /// How a record states this end of a game.
    pub(crate) fn ending(self) -> Ending {
        match self {
            FaultKind::Timeout => Ending::Time,
            FaultKind::Illegal | FaultKind::Crash | FaultKind::Silence => Ending::Forfeit,
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            FaultKind::Illegal => "illegal move",
            FaultKind::Timeout => "timeout",
            FaultKind::Crash => "crash",
            FaultKind::Silence => "silence",
        })
    }
}

/// A player's fault. It loses the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// The kind.
    pub(crate) kind: FaultKind,
    /// What happened, for people.
    pub detail: String,
    /// The offending line, shortened; `None` without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<String>,
    /// How long a late answer took, in milliseconds; `None` for other faults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ms: Option<f64>,
}

impl Fault {
    /// A fault without an offending line.
    pub(crate) fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault {
            kind,
            detail: detail.into(),
            line: None,
            ms: None,
        }
    }

    /// The same fault with the offending line, shortened to `LINE_KEPT` characters.
    pub(crate) fn with_line(self, line: &str) -> Fault {
        Fault {
            line: Some(line.chars().take(LINE_KEPT).collect()),
            ..self
        }
    }

    /// The same fault with the time that the answer took.
    pub(crate) fn with_time(self, time: Duration) -> Fault {
        Fault {
            ms: Some(time.as_secs_f64() * 1e3),
            ..self
        }
    }
}

/// How much of an offending line is kept, in characters.
const LINE_KEPT: usize = 200;

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.detail)?;
        match &self.line {
            Some(line) if !self.detail.contains(&**line) => write!(f, " ({line:?})"),
            Some(_) | None => Ok(()),
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Error)]
pub(crate) enum Failure {
    /// The player made a fault.
    #[error("{0}")]
    Fault(Fault),
    /// The game has no result.
    #[error("{0}")]
    Stopped(GameStopped),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure::Fault(fault)
    }
}

impl From<GameStopped> for Failure {
    fn from(stopped: GameStopped) -> Failure {
        Failure::Stopped(stopped)
    }
}

impl From<MachineError> for Failure {
    fn from(error: MachineError) -> Failure {
        Failure::Stopped(error.into())
    }
}

/// Why a game has no result. No player is to blame.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum GameStopped {
    /// The match was stopped.
    #[error("the game was interrupted")]
    Interrupted,
    /// The machine refused what the game needs.
    #[error("{0}")]
    Machine(#[from] MachineError),
}

impl GameStopped {
    /// The error of the command, whose only run is `what`: "the game".
    pub(crate) fn error(self, interruption: &Interruption, what: &str) -> anyhow::Error {
        match self {
            GameStopped::Machine(error) => error.into(),
            GameStopped::Interrupted => {
                match interruption.error(format!("{what} was interrupted")) {
                    Some(interrupted) => interrupted.into(),
                    None => anyhow!("{what} was given up"),
                }
            }
        }
    }

    /// The end of a thread that plays games: an error unless the match was stopped.
    ///
    /// # Errors
    /// What the machine refused.
    pub(crate) fn of_thread(self) -> Result<(), MachineError> {
        match self {
            GameStopped::Interrupted => Ok(()),
            GameStopped::Machine(error) => Err(error),
        }
    }
}

/// A player of one game. Dropping it ends everything that it started.
pub(crate) trait ArenaPlayer {
    /// Requests the next move in `game`, in which this player is to move. A late answer is still
    /// returned, because the referee judges it. Implementations wait a little longer than `limit`.
    ///
    /// # Errors
    /// If there is no answer, or it is not a move.
    fn answer(&mut self, game: &Game, limit: Duration) -> Result<TimedAnswer, Failure>;

    /// The player's process; `None` if it plays in this process or has ended.
    fn process(&mut self) -> Option<ProcessId> {
        None
    }
}
