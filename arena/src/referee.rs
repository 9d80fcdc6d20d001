//! `hex referee`: one game for other runners, with the arguments and the output that they expect.
//! cg-brutaltester's current mode passes `-p1 CMD -p2 CMD [-d seed=N] [-l FILE]` and reads one
//! score a player; psyleague and cgarena read an object of JSON.

use crate::journal::Journal;
use crate::judge::{self, Judged};
use crate::openings::{OpeningMode, Openings, GAME_SIDES};
use crate::player::Limits;
use crate::process;
use crate::scoresheet::{milliseconds, Fixture, GameLine};
use crate::spec::PlayerSpec;
use anyhow::{bail, Context, Result};
use hex_common::aside::tell_line;
use hex_common::interruption::Interruption;
use hex_common::options;
use hex_common::system;
use hex_core::record::{move_list, Side};
use hexbot::cell::Color;
use serde::Serialize;
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

/// Play one game for another program's runner and print the scores.
///
/// A score is a line, Red's first: 1 won, 0 lost, -1 lost by a fault. Fits cg-brutaltester's
/// current mode (-r "hex referee") and, with --psyleague, psyleague and cgarena.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// Red's command, also written -p1; settings as in hex match
    #[arg(long, value_name = "PLAYER")]
    p1: String,
    /// Blue's command, also written -p2
    #[arg(long, value_name = "PLAYER")]
    p2: String,
    /// The game's data: the seed of the opening, printed after the scores; also written -seed N
    /// [default: random]
    #[arg(short = 'd', value_name = "seed=N", overrides_with = "data")]
    data: Option<String>,
    /// Print the game's moves too, as cg-brutaltester's replay command requires
    #[arg(short = 's')]
    show: bool,
    /// A file for the game as a line of JSON, with `scores` and `errors` as CodinGame's referees do
    #[arg(short = 'l', value_name = "FILE")]
    log: Option<PathBuf>,
    /// Print the result as psyleague and cgarena read it
    #[arg(long)]
    psyleague: bool,
    /// How the game begins: own, all, balanced, random:PLIES or file:PATH
    #[arg(long, default_value = "own", value_name = "MODE")]
    openings: OpeningMode,
    /// Side of the board
    #[arg(long, default_value = "11", value_name = "N", value_parser = options::side(GAME_SIDES))]
    side: Side,
    /// Limit of each player's first answer, in milliseconds
    #[arg(long, default_value_t = 1000, value_name = "MS", value_parser = options::whole(options::MILLISECONDS))]
    first_ms: u64,
    /// Limit of later answers, in milliseconds
    #[arg(long, default_value_t = 100, value_name = "MS", value_parser = options::whole(options::MILLISECONDS))]
    turn_ms: u64,
}

/// A command line with `--p1` and `--p2` for `-p1` and `-p2`, and with `-d seed=N` for `-seed N`,
/// which clap cannot parse.
pub fn normalized(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.collect();
    if arguments.get(1).is_some_and(|word| word == "referee") {
        for place in 2..arguments.len() {
            let word = arguments[place].to_string_lossy();
            if word == "-p1" || word == "-p2" {
                arguments[place] = format!("-{word}").into();
            } else if word == "-seed" {
                arguments[place] = "-d".into();
                if let Some(seed) = arguments.get_mut(place + 1) {
                    *seed = format!("seed={}", seed.to_string_lossy()).into();
                }
            }
        }
        if arguments[2..].iter().any(|word| word == "-s") {
            let own = arguments.split_off(2);
            arguments.extend(players_joined(own));
        }
    }
    arguments
}

/// Joins the words of each player's command. cg-brutaltester's replay command, which ends with `-s`
/// or `-s -d DATA`, does not quote them.
fn players_joined(words: Vec<OsString>) -> Vec<OsString> {
    let is_own = |word: &OsString| ["--p1", "--p2", "-d", "-l", "-s"].iter().any(|w| word == w);
    let mut joined: Vec<OsString> = Vec::new();
    let mut player = None;
    for word in words {
        if is_own(&word) {
            player = (word == "--p1" || word == "--p2").then_some(joined.len() + 1);
        } else if player.is_some_and(|place| place < joined.len()) {
            let last = joined.last_mut().expect("the player's command is there");
            last.push(" ");
            last.push(&word);
            continue;
        }
        joined.push(word);
    }
    joined
}

/// Runs the command.
///
/// # Errors
/// If the arguments make no sense, the log cannot be written, or the game was interrupted.
pub fn run(args: Args) -> Result<()> {
    let limits = Limits {
        first: Duration::from_millis(args.first_ms),
        turn: Duration::from_millis(args.turn_ms),
    };
    let players = [
        PlayerSpec::parse(&args.p1, limits).context("-p1")?,
        PlayerSpec::parse(&args.p2, limits).context("-p2")?,
    ];
    let (given, seed) = match &args.data {
        Some(data) => seed(data)?,
        None => drawn_seed(),
    };
    let game = Openings::new(&args.openings, args.side, seed)?.game(0);
    let interruption = Interruption::watch()?;
    process::prepare_for_games(1)?;
    let specs = [&players[0], &players[1]];
    let journals = Default::default();
    let judged = judge::start_and_play(specs, game, interruption.flag(), &journals);
    system::reap_all();
    let judged = judged.map_err(|stopped| stopped.error(&interruption, "the game"))?;
    if let Some(path) = &args.log {
        let fixture = Fixture {
            id: 0,
            round: 0,
            red: 0,
            blue: 1,
        };
        let log = RefereeLog::new(GameLine::new(fixture, seed, &judged), &judged, &journals);
        let line = serde_json::to_string(&log)?;
        std::fs::write(path, line + "\n").with_context(|| path.display().to_string())?;
    }
    if args.psyleague {
        return Ok(writeln!(
            std::io::stdout(),
            "{}",
            psyleague(&judged, given, &journals)
        )?);
    }
    let [red, blue] = scores(&judged);
    // cg-brutaltester passes the text after the scores as `-d` in its replay command.
    writeln!(std::io::stdout(), "{red}\n{blue}\nseed={given}")?;
    if args.show {
        writeln!(std::io::stdout(), "{}", move_list::write(&judged.game))?;
    }
    if let Some(fault) = &judged.fault {
        let loser = judged.winner().opponent().index();
        let name = &players[loser].name;
        tell_line(format_args!("player {} ({name}): {fault}", loser + 1));
    }
    Ok(())
}

/// The contents of the log: the game, and in the form of CodinGame's own referees, by player, the
/// scores and the errors. A player's errors are its fault and its standard error.
#[derive(Serialize)]
struct RefereeLog {
    #[serde(flatten)]
    game: GameLine,
    scores: BTreeMap<usize, i32>,
    errors: BTreeMap<usize, Vec<String>>,
}

impl RefereeLog {
    fn new(game: GameLine, judged: &Judged, journals: &[Journal; 2]) -> RefereeLog {
        let loser = judged.winner().opponent();
        let errors = |color: Color| {
            let fault = judged.fault.iter().filter(|_| color == loser);
            let written = journals[color.index()].errors();
            let written = String::from_utf8_lossy(&written).into_owned();
            let written = Some(written).filter(|text| !text.is_empty());
            fault.map(ToString::to_string).chain(written).collect()
        };
        RefereeLog {
            game,
            scores: (0..).zip(scores(judged)).collect(),
            errors: (0..).zip(Color::ALL.map(errors)).collect(),
        }
    }
}

/// A random seed of 31 bits, which every runner can read.
fn drawn_seed() -> (i128, u64) {
    let seed = RandomState::new().hash_one(()) >> 33;
    (i128::from(seed), seed)
}

/// The seed as given, and as the seed of the opening.
fn seed(data: &str) -> Result<(i128, u64)> {
    let pairs = data
        .split_whitespace()
        .filter_map(|word| word.split_once('='));
    let seeds: Vec<&str> = pairs
        .filter(|(key, _)| *key == "seed")
        .map(|pair| pair.1)
        .collect();
    // Runners of other games pass signed seeds.
    const SIGNED_SEEDS: RangeInclusive<i128> = i64::MIN as i128..=u64::MAX as i128;
    match seeds[..] {
        [seed] => match options::whole(SIGNED_SEEDS)(seed) {
            Ok(number) => Ok((number, number as u64)),
            Err(why) => bail!("-d {data:?}: {why}"),
        },
        _ => bail!("-d {data:?}: give seed=N, such as seed=7"),
    }
}

/// Red's and Blue's score.
fn scores(judged: &Judged) -> [i32; 2] {
    let lost = if judged.fault.is_some() { -1 } else { 0 };
    Color::ALL.map(|color| if judged.winner() == color { 1 } else { lost })
}

/// What the bots' standard errors say for cgarena's charts, in lines like `[PDATA][12] depth = 7`
/// of a player and `[TDATA] size = 11` of the game. The number is a turn.
fn attributes(journals: &[Journal; 2]) -> Vec<Value> {
    let attribute = |player: usize, line: &str| {
        let (player, rest) = match line.trim().split_at_checked("[PDATA]".len())? {
            ("[PDATA]", rest) => (Some(player), rest),
            ("[TDATA]", rest) => (None, rest),
            _ => return None,
        };
        let (turn, rest) = match rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((turn, rest)) => (Some(turn.parse::<u16>().ok()?), rest),
            None => (None, rest),
        };
        let (name, value) = rest.split_once('=')?;
        let (name, value) = (name.trim(), value.trim());
        // cgarena refuses numbers that are not in quotes.
        (!name.is_empty())
            .then(|| json!({ "name": name, "player": player, "turn": turn, "value": value }))
    };
    let mut found = Vec::new();
    for (player, journal) in journals.iter().enumerate() {
        let errors = journal.errors();
        let errors = String::from_utf8_lossy(&errors);
        found.extend(errors.lines().filter_map(|line| attribute(player, line)));
    }
    found
}

fn psyleague(judged: &Judged, seed: i128, journals: &[Journal; 2]) -> Value {
    let scores = scores(judged);
    // An answer that came too late is not among the moves.
    let late = judged.fault.as_ref().and_then(|fault| fault.ms);
    let times = judged.times.iter().map(|time| time.map(milliseconds));
    let times: Vec<Option<f64>> = times.chain([late]).collect();
    let slowest = |color: Color| {
        let times = times.iter().skip(color.index()).step_by(2);
        let slowest = times.flatten().copied().fold(0.0, f64::max);
        json!({ "max_ms": (slowest * 10.0).round() / 10.0 })
    };
    json!({
        "ranks": scores.map(|score| u8::from(score < 1)),
        "errors": scores.map(|score| u8::from(score < 0)),
        "test_data": {
            "seed": seed,
            "moves": judged.game.turns().len(),
            "fault": judged.fault.as_ref().map_or("none".to_string(), |fault| fault.kind.to_string()),
        },
        "player_data": Color::ALL.map(slowest),
        "attributes": attributes(journals),
    })
}
