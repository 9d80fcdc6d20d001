//! The knobs of our own bot, `seed=3,simulations=20000,…`: settings for experiments that need no
//! other build.
//!
//! The bot's `TUNABLES` declare the fractional numbers of the search, and `KNOBS` declares all
//! others. Names, ranges, errors and help come from these declarations.

use super::player::Limits;
use hex_common::options;
use hex_common::weights_file;
use hex_core::engine::threads::THREADS;
use hex_core::engine::{network_warning, player, Engine, Networks, SideNotPlayed};
use hex_core::record::Side;
use hexbot::params::{BridgeUse, OpeningBook, Params, Selection, TreeReuse, Tunable, TUNABLES};
use hexbot::settings::Settings;
use std::fmt::{self, Write};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The safety margin of a time limit, in milliseconds: less than the longest limit.
const MARGINS: RangeInclusive<u64> = 0..=86_400_000;
/// The nodes of a tree. Its memory is reserved at once; [`Params::max_nodes`] says how much.
const NODES: RangeInclusive<u64> = 2..=1_000_000;
/// Threads of a search.
const MANY: RangeInclusive<u64> = *THREADS.start() as u64..=*THREADS.end() as u64;

/// A knob: its name, its effect and its allowed values.
struct Knob {
    name: &'static str,
    help: &'static str,
    value: Value,
}

/// The name of a value, and the function that sets it.
type NamedValue = (&'static str, fn(&mut Params));

/// The allowed values of a knob, and the function that sets one.
enum Value {
    Whole(RangeInclusive<u64>, fn(&mut Knobs, u64)),
    Real(&'static Tunable),
    Word(&'static [NamedValue]),
    /// A file with weights.
    File,
}

/// The knobs that come first in the help.
const KNOBS: [Knob; 13] = [
    Knob {
        name: "seed",
        help: "seed of all random numbers",
        value: Value::Whole(options::SEEDS, |k, n| k.settings.seed = Some(n)),
    },
    Knob {
        name: "simulations",
        help: "simulations a move instead of the clock",
        value: Value::Whole(options::SIMULATIONS, |k, n| {
            k.settings.simulations = Some(n)
        }),
    },
    Knob {
        name: "first-ms",
        help: "limit of the first answer, in ms",
        value: Value::Whole(options::MILLISECONDS, |k, ms| {
            k.first = Some(milliseconds(ms))
        }),
    },
    Knob {
        name: "turn-ms",
        help: "limit of later answers, in ms",
        value: Value::Whole(options::MILLISECONDS, |k, ms| {
            k.turn = Some(milliseconds(ms))
        }),
    },
    Knob {
        name: "threads",
        help: "threads that search each move together",
        value: Value::Whole(MANY, |k, n| k.threads = Some(n as usize)),
    },
    Knob {
        name: "weights",
        help: "a network instead of the shipped one",
        value: Value::File,
    },
    Knob {
        name: "preset",
        help: "all of the knobs below at once",
        value: Value::Word(&[
            ("default", |p| *p = Params::default()),
            ("playouts-only", |p| *p = Params::playouts_only()),
            ("plain-uct", |p| *p = Params::plain_uct()),
        ]),
    },
    Knob {
        name: "selection",
        help: "how moves are chosen in positions without priors",
        value: Value::Word(&[
            ("amaf", |p| p.selection = Selection::Amaf),
            ("uct", |p| p.selection = Selection::Uct),
        ]),
    },
    Knob {
        name: "bridges",
        help: "whether playouts answer intrusions into bridges and proofs use bridges",
        value: Value::Word(&[
            ("seen", |p| p.bridge_use = BridgeUse::Seen),
            ("ignored", |p| p.bridge_use = BridgeUse::Ignored),
        ]),
    },
    Knob {
        name: "tree",
        help: "whether the tree is kept from move to move",
        value: Value::Word(&[
            ("kept", |p| p.tree = TreeReuse::Kept),
            ("dropped", |p| p.tree = TreeReuse::Dropped),
        ]),
    },
    Knob {
        name: "book",
        help: "whether the opening book is used, or the small one of the upload in ASCII",
        value: Value::Word(&[
            ("used", |p| p.opening_book = OpeningBook::Used),
            ("small", |p| p.opening_book = OpeningBook::Small),
            ("ignored", |p| p.opening_book = OpeningBook::Ignored),
        ]),
    },
    Knob {
        name: "margin-ms",
        help: "safety margin of every time limit, in ms",
        value: Value::Whole(MARGINS, |k, ms| k.settings.params.margin = milliseconds(ms)),
    },
    Knob {
        name: "max-nodes",
        help: "the most nodes of the tree",
        value: Value::Whole(NODES, |k, n| k.settings.params.max_nodes = n as usize),
    },
];

/// All knobs, in the order of the help.
fn all_knobs() -> impl Iterator<Item = Knob> {
    let tunables = TUNABLES.iter().map(|tunable| Knob {
        name: tunable.name,
        help: tunable.help,
        value: Value::Real(tunable),
    });
    KNOBS.into_iter().chain(tunables)
}

/// The bot's settings, and its own time limits if it has any.
#[derive(Clone, Debug, Default)]
pub struct Knobs {
    settings: Settings,
    networks: Networks,
    threads: Option<usize>,
    first: Option<Duration>,
    turn: Option<Duration>,
    weights: Option<PathBuf>,
}

impl Knobs {
    /// Returns true if each move has a number of simulations instead of the clock.
    pub(crate) fn has_simulations(&self) -> bool {
        self.settings.simulations.is_some()
    }

    /// Reads `simulations=20000,seed=3,c-puct=0.5`; an empty text has no knob. Later knobs override
    /// earlier ones.
    ///
    /// # Errors
    /// If a knob is unknown or its value is out of range.
    pub fn parse(text: &str) -> Result<Knobs, String> {
        let mut knobs = Knobs::default();
        let words = text.split(',').map(str::trim);
        for word in words.filter(|word| !word.is_empty()) {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            knobs.set(name.trim(), value.trim())?;
        }
        Ok(knobs)
    }

    /// A line for each knob: its name, its allowed values and its effect.
    pub fn help() -> String {
        let mut lines = String::new();
        for Knob { name, help, value } in all_knobs() {
            let _ = writeln!(lines, "{name}={value}: {help}");
        }
        lines
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let Some(knob) = all_knobs().find(|knob| knob.name == name) else {
            let names = list(all_knobs().map(|knob| knob.name), "and");
            return Err(format!("{name:?} is not a knob; choose from {names}"));
        };
        let wrong = |why: String| format!("{name}={why}");
        let params = &mut self.settings.params;
        match &knob.value {
            Value::Whole(range, set) => {
                let number = options::whole(range.clone())(value).map_err(wrong)?;
                set(self, number);
            }
            Value::Real(tunable) => {
                let number = options::real(tunable.range.clone())(value).map_err(wrong)?;
                *(tunable.field)(params) = number;
            }
            Value::Word(words) => {
                let set = words.iter().find(|(word, _)| *word == value);
                let choices = || list(words.iter().map(|(word, _)| *word), "or");
                let (_, set) =
                    set.ok_or_else(|| format!("{name}={value}: choose {}", choices()))?;
                set(params);
            }
            Value::File => {
                let network = weights_file::read(Path::new(value));
                let network = network.map_err(|error| format!("{error:#}"))?;
                self.networks = Networks::Single(network);
                self.weights = Some(value.into());
            }
        }
        Ok(())
    }

    /// The file of a network instead of the shipped one.
    pub(crate) fn weights(&self) -> Option<&Path> {
        self.weights.as_deref()
    }

    /// The bot at the beginning of a game with these limits of the referee.
    ///
    /// # Errors
    /// If it does not play on boards of `side`.
    pub(crate) fn player(&self, side: Side, limits: Limits) -> Result<Engine, SideNotPlayed> {
        let settings = Settings {
            first_limit: self.first.unwrap_or(limits.first),
            turn_limit: self.turn.unwrap_or(limits.turn),
            ..self.settings.clone()
        };
        player(
            side,
            settings,
            self.threads.unwrap_or(1),
            self.networks.on(side),
        )
    }

    /// A line that says that the network for boards of `side` is damaged; empty if it is not.
    pub(crate) fn warning(&self, side: Side) -> String {
        match self.networks {
            Networks::Shipped => network_warning(side),
            _ => String::new(),
        }
    }
}

/// The allowed values, for the help.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Value::Whole(range, _) => write!(f, "{}..{}", range.start(), range.end()),
            Value::Real(Tunable { range, .. }) => write!(f, "{}..{}", range.start(), range.end()),
            Value::Word(words) => {
                let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
                f.write_str(&words.join("|"))
            }
            Value::File => f.write_str("FILE"),
        }
    }
}

/// Words with commas between them, the last one after `last`.
fn list<'a>(words: impl Iterator<Item = &'a str>, last: &str) -> String {
    let words: Vec<&str> = words.collect();
    match words.split_last() {
        Some((end, [])) => (*end).to_owned(),
        Some((end, before)) => format!("{} {last} {end}", before.join(", ")),
        None => String::new(),
    }
}

fn milliseconds(ms: u64) -> Duration {
    Duration::from_millis(ms)
}
