//! Players as users write them, and the players made from these texts.
//!
//! On the command line: `COMMAND`, `gtp:COMMAND` or `builtin:KNOB=VALUE,…`, then settings, `;;
//! SETTING=VALUE`, and for GTP lines to send, `;; LINE`. The command is split into words like in a
//! shell, but no shell runs it. Leading `NAME=VALUE` words are its environment. In a TOML file the
//! same settings are the keys of a `[[player]]` (see [`PlayerSettings`]).

use super::builtin;
use super::codingame::CodinGamePlayer;
use super::gtp::{FirstPlayer, GtpOptions, GtpPlayer, SwapConvention};
use super::journal::Journal;
use super::knobs::Knobs;
use super::player::{ArenaPlayer, Failure, Limits};
use super::process::{BotProcess, StopFlag};
use super::programs::{self, NamedFile};
use anyhow::anyhow;
use clap::ValueEnum;
use hex_common::options;
use hex_core::record::Side;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// The default limits of players that ignore the referee's limits: GTP engines have their own time
/// for a move and often exceed it a little; our bot with a number of simulations does not look at
/// the clock.
pub(crate) const PATIENT: Limits = Limits {
    first: Duration::from_secs(60),
    turn: Duration::from_secs(60),
};

/// The separator of a command and its settings.
const SEPARATOR: &str = ";;";

/// The prefix of a GTP engine's command.
const GTP_PREFIX: &str = "gtp:";

/// The prefix of our own bot with its knobs.
const BUILTIN_PREFIX: &str = "builtin:";

/// A player that can be started any number of times.
#[derive(Clone, Debug)]
pub struct PlayerSpec {
    /// Its name in reports.
    pub name: String,
    /// All settings in the command line's form.
    pub text: String,
    /// Its time limits.
    pub(crate) limits: Limits,
    kind: PlayerKind,
}

#[derive(Clone, Debug)]
enum PlayerKind {
    Builtin(Knobs),
    CodinGame(Program),
    Gtp(Program, GtpOptions),
}

impl PlayerKind {
    /// Returns true if the player keeps the referee's limits by itself.
    fn goes_by_the_clock(&self) -> bool {
        match self {
            PlayerKind::Builtin(knobs) => !knobs.has_simulations(),
            PlayerKind::CodinGame(_) => true,
            PlayerKind::Gtp(..) => false,
        }
    }
}

/// A program to start.
#[derive(Clone, Debug)]
struct Program {
    words: Vec<String>,
    environment: BTreeMap<String, String>,
    directory: Option<PathBuf>,
}

/// A player before it is checked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PlayerSettings {
    /// `COMMAND`, `gtp:COMMAND` or `builtin:KNOB=VALUE,…`.
    pub(crate) command: String,
    /// The name in reports; without it the program's name.
    pub(crate) name: Option<String>,
    /// Limit of the first answer, in milliseconds.
    pub(crate) first_ms: Option<u64>,
    /// Limit of later answers, in milliseconds.
    pub(crate) turn_ms: Option<u64>,
    /// GTP: the engine's time for a move, in milliseconds.
    pub(crate) move_ms: Option<u64>,
    /// GTP: the engine's simulations for a move.
    pub(crate) simulations: Option<u64>,
    /// GTP: the engine's kind of swap.
    pub(crate) swap: Option<SwapConvention>,
    /// GTP: the engine's name for the first player's colour.
    pub(crate) first_player: Option<FirstPlayer>,
    /// GTP: lines to send before the game.
    #[serde(default)]
    pub(crate) setup: Vec<String>,
    /// Variables of the program's environment, in addition to inherited ones.
    #[serde(default)]
    pub(crate) environment: BTreeMap<String, String>,
    /// The program's working directory.
    pub(crate) directory: Option<PathBuf>,
}

impl PlayerSettings {
    /// Reads the command line's form.
    ///
    /// # Errors
    /// If a setting is unknown or its value is out of range.
    pub fn parse(text: &str) -> anyhow::Result<PlayerSettings> {
        let mut parts = text.split(SEPARATOR).map(str::trim);
        let mut settings = PlayerSettings {
            command: parts.next().unwrap_or("").to_string(),
            ..PlayerSettings::default()
        };
        for part in parts {
            settings
                .set(part)
                .map_err(|why| anyhow!("player {text:?}: {why}"))?;
        }
        Ok(settings)
    }

    fn set(&mut self, setting: &str) -> Result<(), String> {
        let Some((key, value)) = setting.split_once('=') else {
            if self.command.starts_with(GTP_PREFIX) && !setting.is_empty() {
                self.setup.push(setting.to_string());
                return Ok(());
            }
            return Err(format!(
                "{setting:?} is not a setting; write KEY=VALUE, or for gtp: a line to send"
            ));
        };
        match key {
            "name" => self.name = Some(value.to_string()),
            "first-ms" => self.first_ms = Some(number(key, value)?),
            "turn-ms" => self.turn_ms = Some(number(key, value)?),
            "move-ms" => self.move_ms = Some(number(key, value)?),
            "simulations" => self.simulations = Some(number(key, value)?),
            "swap" => self.swap = Some(choice(value)?),
            "first-player" => self.first_player = Some(choice(value)?),
            "directory" => self.directory = Some(value.into()),
            _ => {
                return Err(format!(
                    "{key:?} is not a setting; choose from name, first-ms, turn-ms, directory and, \
                     for gtp: players, move-ms, simulations, swap and first-player"
                ))
            }
        }
        Ok(())
    }

    /// The player. `defaults` are its limits unless the settings have others.
    ///
    /// # Errors
    /// If there is no command, or a setting does not suit it.
    pub fn player(&self, defaults: Limits) -> anyhow::Result<PlayerSpec> {
        self.checked(defaults)
            .map_err(|why| anyhow!("player {:?}: {why}", self.to_string()))
    }

    fn checked(&self, defaults: Limits) -> Result<PlayerSpec, String> {
        // The numbers of a file's player have the same ranges as on the command line.
        for (key, value) in self.numbers() {
            value.map_or(Ok(0), |value| number(key, &value))?;
        }
        let is_gtp = self.command.starts_with(GTP_PREFIX);
        if let (false, Some(key)) = (is_gtp, self.gtp_setting()) {
            return Err(format!("{key} is for players that begin with {GTP_PREFIX}"));
        }
        let kind = self.kind()?;
        let defaults = if kind.goes_by_the_clock() {
            defaults
        } else {
            PATIENT
        };
        let limit = |ms: Option<u64>, otherwise| ms.map_or(otherwise, Duration::from_millis);
        let limits = Limits {
            first: limit(self.first_ms, defaults.first),
            turn: limit(self.turn_ms, defaults.turn),
        };
        let program_name = match &kind {
            PlayerKind::Builtin(_) => "builtin".to_string(),
            PlayerKind::CodinGame(program) | PlayerKind::Gtp(program, _) => program.short_name(),
        };
        Ok(PlayerSpec {
            name: self.name.clone().unwrap_or(program_name),
            text: self.to_string(),
            limits,
            kind,
        })
    }

    /// The settings that are numbers.
    fn numbers(&self) -> [(&'static str, Option<String>); 4] {
        [
            ("first-ms", self.first_ms),
            ("turn-ms", self.turn_ms),
            ("move-ms", self.move_ms),
            ("simulations", self.simulations),
        ]
        .map(|(key, value)| (key, value.map(|value| value.to_string())))
    }

    /// A setting for GTP engines, if one is used.
    fn gtp_setting(&self) -> Option<&'static str> {
        let used = [
            ("move-ms", self.move_ms.is_some()),
            ("simulations", self.simulations.is_some()),
            ("swap", self.swap.is_some()),
            ("first-player", self.first_player.is_some()),
            ("setup", !self.setup.is_empty()),
        ];
        used.iter().find(|(_, used)| *used).map(|(key, _)| *key)
    }

    fn kind(&self) -> Result<PlayerKind, String> {
        if let Some(knobs) = self.command.strip_prefix(BUILTIN_PREFIX) {
            if !self.environment.is_empty() || self.directory.is_some() {
                return Err("environment and directory are for programs".to_string());
            }
            return Ok(PlayerKind::Builtin(Knobs::parse(knobs)?));
        }
        let gtp_command = self.command.strip_prefix(GTP_PREFIX);
        let words = shell_words::split(gtp_command.unwrap_or(&self.command));
        let words = words.map_err(|error| error.to_string())?;
        let program = Program::new(words, self.environment.clone(), self.directory.clone())?;
        Ok(match gtp_command {
            None => PlayerKind::CodinGame(program),
            Some(_) => PlayerKind::Gtp(
                program,
                GtpOptions {
                    swap: self.swap.unwrap_or_default(),
                    first_player: self.first_player.unwrap_or_default(),
                    setup: self.setup.clone(),
                    move_time: self.move_ms.map(Duration::from_millis),
                    simulations: self.simulations,
                },
            ),
        })
    }
}

/// The command line's form.
impl fmt::Display for PlayerSettings {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let gtp_command = self.command.strip_prefix(GTP_PREFIX);
        f.write_str(gtp_command.map_or("", |_| GTP_PREFIX))?;
        for (name, value) in &self.environment {
            write!(f, "{name}={} ", shell_words::quote(value))?;
        }
        f.write_str(gtp_command.unwrap_or(&self.command))?;
        let directory = self.directory.as_ref();
        let words = [
            ("swap", self.swap.as_ref().map(options::word)),
            (
                "first-player",
                self.first_player.as_ref().map(options::word),
            ),
            (
                "directory",
                directory.map(|path| path.display().to_string()),
            ),
        ];
        let values = [("name", self.name.clone())].into_iter();
        for (key, value) in values.chain(self.numbers()).chain(words) {
            if let Some(value) = value {
                write!(f, " {SEPARATOR} {key}={value}")?;
            }
        }
        let mut setup = self.setup.iter();
        setup.try_for_each(|line| write!(f, " {SEPARATOR} {line}"))
    }
}

/// The players of a TOML file, in its order.
///
/// # Errors
/// If the file cannot be read, is not TOML, or has an unknown key.
pub fn roster(path: &Path) -> anyhow::Result<Vec<PlayerSettings>> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Roster {
        player: Vec<PlayerSettings>,
    }
    let fail = |error: &dyn fmt::Display| anyhow!("{}: {error}", path.display());
    let text = hex_common::input::read_text(path).map_err(|error| fail(&error))?;
    let roster: Roster = toml_edit::de::from_str(&text).map_err(|error| fail(&error))?;
    Ok(roster.player)
}

impl PlayerSpec {
    /// Reads a player in the command line's form.
    ///
    /// # Errors
    /// If the text does not describe a player.
    pub fn parse(text: &str, defaults: Limits) -> anyhow::Result<Self> {
        PlayerSettings::parse(text)?.player(defaults)
    }

    /// Checks that the player can be started. Does not send set-up lines, because they may take
    /// long.
    ///
    /// # Errors
    /// If its program cannot be started, or it does not play on boards of `side`.
    pub(crate) fn check(&self, side: Side) -> Result<(), Failure> {
        match &self.kind {
            PlayerKind::Builtin(settings) => {
                let never = StopFlag::default();
                builtin::start(side, settings, self.limits, never).map(drop)
            }
            PlayerKind::CodinGame(program) | PlayerKind::Gtp(program, _) => {
                let (stop, journal) = (StopFlag::default(), Journal::default());
                BotProcess::start(program.command(), stop, journal).map(drop)
            }
        }
    }

    /// Returns true for a program that speaks CodinGame's protocol.
    pub(crate) fn is_codingame(&self) -> bool {
        matches!(self.kind, PlayerKind::CodinGame(_))
    }

    /// Starts the process of a program that speaks CodinGame's protocol.
    ///
    /// # Errors
    /// If it cannot be started.
    ///
    /// # Panics
    /// If the player is of another kind, see [`PlayerSpec::is_codingame`].
    pub(crate) fn start_process(
        &self,
        stop: StopFlag,
        journal: &Journal,
    ) -> Result<BotProcess, Failure> {
        let PlayerKind::CodinGame(program) = &self.kind else {
            panic!("{} does not speak CodinGame's protocol", self.text);
        };
        BotProcess::start(program.command(), stop, journal.clone())
    }

    /// The player's name and the files of its program.
    pub(crate) fn files(&self) -> (String, Vec<NamedFile>) {
        let files = match &self.kind {
            PlayerKind::Builtin(knobs) => {
                let network = knobs.weights().map(|path| NamedFile {
                    name: path.display().to_string(),
                    path: path.to_owned(),
                    is_read_by_games: false,
                });
                programs::own_program().into_iter().chain(network).collect()
            }
            PlayerKind::CodinGame(program) | PlayerKind::Gtp(program, _) => program.files(),
        };
        (self.name.clone(), files)
    }

    /// Starts a new player for one game on a board of `side`. `journal` notes a program's input and
    /// output.
    ///
    /// # Errors
    /// If it cannot be started or set up.
    pub(crate) fn start(
        &self,
        side: Side,
        stop: StopFlag,
        journal: &Journal,
    ) -> Result<Box<dyn ArenaPlayer>, Failure> {
        match &self.kind {
            PlayerKind::Builtin(settings) => builtin::start(side, settings, self.limits, stop),
            PlayerKind::CodinGame(program) => {
                let process = BotProcess::start(program.command(), stop, journal.clone())?;
                Ok(Box::new(CodinGamePlayer::new(process)))
            }
            PlayerKind::Gtp(program, options) => {
                let process = BotProcess::start(program.command(), stop, journal.clone())?;
                Ok(Box::new(GtpPlayer::new(
                    process,
                    side,
                    options.clone(),
                    self.limits.first,
                )?))
            }
        }
    }
}

/// The value of a setting that is a number.
fn number(key: &str, text: &str) -> Result<u64, String> {
    let range = match key {
        "simulations" => options::SIMULATIONS,
        _ => options::MILLISECONDS,
    };
    options::whole(range)(text).map_err(|why| format!("{key}={why}"))
}

fn choice<T: ValueEnum>(text: &str) -> Result<T, String> {
    T::from_str(text, false).map_err(|_| {
        let names = T::value_variants().iter().filter_map(T::to_possible_value);
        let names: Vec<String> = names.map(|value| value.get_name().to_string()).collect();
        format!("{text:?}: choose one of {}", names.join(", "))
    })
}

impl Program {
    fn new(
        words: Vec<String>,
        mut environment: BTreeMap<String, String>,
        directory: Option<PathBuf>,
    ) -> Result<Program, String> {
        let is_variable = |word: &&String| {
            word.split_once('=').is_some_and(|(name, _)| {
                !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
            })
        };
        let variables = words.iter().take_while(is_variable).count();
        let (assignments, words) = words.split_at(variables);
        if words.is_empty() {
            return Err("the command is missing".to_string());
        }
        let assignments = assignments.iter().filter_map(|word| word.split_once('='));
        environment.extend(assignments.map(|(name, value)| (name.into(), value.into())));
        Ok(Program {
            words: words.to_vec(),
            environment,
            directory,
        })
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]);
        command.envs(&self.environment);
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        command
    }

    /// The program and the files among its arguments.
    fn files(&self) -> Vec<NamedFile> {
        let inherited = || std::env::var("PATH").unwrap_or_default();
        let path = self.environment.get("PATH").cloned();
        let path = path.unwrap_or_else(inherited);
        programs::files_of_command(&self.words, &path, self.directory.as_deref())
    }

    /// The program's file name.
    fn short_name(&self) -> String {
        let path = Path::new(&self.words[0]);
        path.file_name()
            .map_or(self.words[0].clone(), |name| name.to_string_lossy().into())
    }
}
