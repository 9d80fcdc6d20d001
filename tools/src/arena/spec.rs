//! Players as people write them, and the players made from that.
//!
//! `[kind:]COMMAND [;; KEY=VALUE]… [;; GTP LINE]…`. The command is split into words as a shell would do
//! it, leading `NAME=VALUE` words are its environment; no shell runs it.

use super::codingame::CodinGamePlayer;
use super::player::{Failure, Limits, Player};
use super::process::{BotProcess, StopFlag};
use std::process::Command;
use std::time::Duration;
use thiserror::Error;

/// A player that can be started any number of times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSpec {
    /// Its name in reports.
    pub name: String,
    /// The text that it was made from.
    pub text: String,
    /// How long it may think.
    pub limits: Limits,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    CodinGame(Program),
}

/// A program to start.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Program {
    words: Vec<String>,
    environment: Vec<(String, String)>,
}

/// Why a text is not a player.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("player {player:?}: {why}")]
pub struct SpecError {
    player: String,
    why: String,
}

/// What separates a command from its settings.
const SEPARATOR: &str = ";;";

impl PlayerSpec {
    /// Reads a player; `defaults` are the limits it has unless it says otherwise.
    ///
    /// # Errors
    /// If the text is not a player.
    pub fn parse(text: &str, defaults: Limits) -> Result<Self, SpecError> {
        let fail = |why: String| SpecError {
            player: text.to_string(),
            why,
        };
        let mut parts = text.split(SEPARATOR).map(str::trim);
        let program = Program::parse(parts.next().unwrap_or("")).map_err(fail)?;
        let mut spec = PlayerSpec {
            name: program.short_name(),
            text: text.to_string(),
            limits: defaults,
            kind: Kind::CodinGame(program),
        };
        for part in parts {
            spec.set(part).map_err(fail)?;
        }
        Ok(spec)
    }

    fn set(&mut self, setting: &str) -> Result<(), String> {
        match setting.split_once('=') {
            Some(("name", name)) => self.name = name.to_string(),
            Some(("first-ms", value)) => self.limits.first = milliseconds(value)?,
            Some(("turn-ms", value)) => self.limits.turn = milliseconds(value)?,
            _ => {
                return Err(format!(
                    "{setting:?} is no setting; there are name=, first-ms= and turn-ms="
                ))
            }
        }
        Ok(())
    }

    /// A fresh player for one game.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn start(&self, stop: StopFlag) -> Result<Box<dyn Player>, Failure> {
        match &self.kind {
            Kind::CodinGame(program) => Ok(Box::new(CodinGamePlayer::new(BotProcess::start(
                program.command(),
                stop,
            )?))),
        }
    }
}

fn milliseconds(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(ms) if ms > 0 => Ok(Duration::from_millis(ms)),
        _ => Err(format!("{text:?} is not a number of milliseconds above 0")),
    }
}

impl Program {
    fn parse(text: &str) -> Result<Program, String> {
        let words = shell_words::split(text).map_err(|error| error.to_string())?;
        let is_variable = |word: &&String| {
            word.split_once('=').is_some_and(|(name, _)| {
                !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
            })
        };
        let variables = words.iter().take_while(is_variable).count();
        let (environment, words) = words.split_at(variables);
        if words.is_empty() {
            return Err("there is no command".to_string());
        }
        Ok(Program {
            words: words.to_vec(),
            environment: environment
                .iter()
                .filter_map(|word| word.split_once('='))
                .map(|(name, value)| (name.to_string(), value.to_string()))
                .collect(),
        })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]);
        command.envs(self.environment.iter().cloned());
        command
    }

    /// The program's file name.
    fn short_name(&self) -> String {
        let path = std::path::Path::new(&self.words[0]);
        path.file_name()
            .map_or(self.words[0].clone(), |name| name.to_string_lossy().into())
    }
}
