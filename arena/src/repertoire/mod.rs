//! `hex openings`: counts the openings of opponents, and suggests first moves against them. `hex
//! lab openings` is another command: it measures every first move by games of the engine.

pub mod count;
mod report;

use crate::opinion::Opinion;
use crate::player_names;
use anyhow::{bail, ensure, Result};
use count::Repertoire;
use hex_common::aside::tell_line;
use hex_common::games_input::{self, NamedGame, Reading};
use hex_common::interruption::Interruption;
use hex_common::options;
use hex_common::progress::Progress;
use hex_common::record_input::show_notes;
use hex_common::workers::share_out;
use hex_core::engine::Stop;
use hex_core::record::{AnyCell, Game, Move, Side};
use hexbot::cell::Color;
use hexbot::opening::{self, Answer, Swaps};
use hexbot::params::OpeningBook;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;

/// The end of `--help`.
const EXAMPLES: &str = "\
Examples:
  hex openings --from games/ --player MyBot
  hex openings --from battles.zip more.jsonl --player MyBot --simulations 20000

docs/codingame.md explains the tables. hex lab openings is another command: it measures every first
move by games of the engine against itself.";

/// Count openings, and suggest first moves and swaps
///
/// Counts the openings of opponents, the results with and without a swap, and the opponents'
/// answers when the player opens. Counts and the engine's evaluation together give an expected
/// score for each choice; the evaluation weighs as much as ten games. A cell and its image after
/// half a turn of the board are the same opening.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Records, folders and zips of them, `.jsonl` files, and folders of `hex match`
    #[arg(long, value_name = "GAMES", required = true, num_args = 1..)]
    from: Vec<PathBuf>,
    /// The player whose opponents are counted [default: the one who plays in all games]
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Simulations of the engine for each opening
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = options::whole(options::SIMULATIONS))]
    simulations: u64,
    /// Openings searched at a time [default: as many as this machine has cores]
    #[arg(long, value_name = "N", default_value_t = options::all_cores(), hide_default_value = true, value_parser = options::whole(options::THREADS))]
    threads: usize,
}

/// The board of the site.
const SIDE: Side = Side::CODINGAME;

/// Runs the command.
///
/// # Errors
/// If no game can be used, the player is in none, or a signal comes.
pub fn run(args: Args) -> Result<()> {
    let games = games(&args.from)?;
    let player = player(&games, args.player.as_deref())?;
    let mut openings = Repertoire::default();
    games
        .iter()
        .for_each(|game| openings.add(game, &player, SIDE));
    ensure!(
        openings.games > 0,
        "none of the games counts: a game needs the player {player:?} and another one, the first \
         two turns from the empty board of side {SIDE}, and a winner"
    );
    let values = values(&args, &openings)?;
    let text = report::text(&player, &openings, &values, args.simulations);
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

/// All games at these paths. Reports those that cannot be read.
fn games(paths: &[PathBuf]) -> Result<Vec<Game>> {
    let mut found = Vec::new();
    let mut games = games_input::games(paths, Reading::default())?;
    for NamedGame { name, game } in games.by_ref() {
        match game {
            Ok(game) => found.push(game),
            Err(error) => tell_line(format_args!("hex openings: left out: {name}: {error:#}")),
        }
    }
    show_notes("openings", &games.take_notes());
    ensure!(
        !found.is_empty(),
        "--from contains no game that can be read"
    );
    Ok(found)
}

/// The player: as given, or the only name that is in all games.
fn player(games: &[Game], given: Option<&str>) -> Result<String> {
    let all = player_names::of(games.iter());
    let listed = player_names::listed(&all);
    if let Some(given) = given {
        ensure!(
            all.contains(given),
            "--player {given:?} plays none of the games; the players are {listed}"
        );
        return Ok(given.to_owned());
    }
    let is_in = |game: &Game, name: &str| game.players.iter().any(|player| player == name);
    let is_everywhere = |name: &&str| games.iter().all(|game| is_in(game, name));
    let everywhere: Vec<&str> = all.iter().copied().filter(is_everywhere).collect();
    match everywhere[..] {
        [name] => Ok(name.to_owned()),
        _ if all.is_empty() => {
            bail!("the records do not name any player; add names, such as PB and PW")
        }
        _ => bail!("give --player, whose opponents are counted; the players are {listed}"),
    }
}

/// Red's win probability after each opening, if Blue does not swap.
type Values = BTreeMap<AnyCell, f64>;

/// The engine's values of all openings that were played, of its own opening, and of the middle,
/// which is the best opening against opponents that never swap.
fn values(args: &Args, openings: &Repertoire) -> Result<Values> {
    let interruption = Interruption::watch()?;
    let own = match opening::decide(&SIDE.board(), Swaps::Allowed, OpeningBook::Used) {
        Some(Answer::Play(cell)) => Some(cell),
        _ => None,
    };
    let middle = SIDE.cell(SIDE.get() / 2, SIDE.get() / 2);
    let extra = [own, middle].into_iter().flatten();
    let mut wanted: BTreeSet<AnyCell> = extra.map(|cell| SIDE.opening(cell)).collect();
    wanted.extend(openings.own.keys().chain(openings.theirs.keys()));
    let opinion = Opinion::new(args.simulations, Stop::by_flag(interruption.flag().clone()));
    let values = Mutex::new(Values::new());
    let progress = Progress::new("openings", wanted.len() as u64, 0);
    let workers = vec![(); args.threads.min(wanted.len())];
    share_out(progress, wanted.into_iter(), workers, |(), opening| {
        let mut game = Game::new(SIDE);
        game.play(Move::Place(opening))?;
        let value = opinion.of_position(&game, Color::Red)?;
        if let Some(interrupted) = interruption.error("stopped before all openings were searched") {
            return Err(interrupted.into());
        }
        values.lock().expect("no panics").insert(opening, value);
        Ok(opening.to_string())
    })?;
    Ok(values.into_inner().expect("no panics"))
}
