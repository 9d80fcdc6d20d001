//! `hex review`: where players lost games that they should have won. The engine searches all
//! positions; what it finds goes into a log, so that a review that was stopped goes on. Judgements
//! and reports are made of the log and the games.

pub mod analysis;
mod args;
pub(crate) mod figures;
pub mod games;
pub mod judgement;
pub mod log;
pub(crate) mod opening_table;
mod page;
mod records;
mod report;
pub(crate) mod reviewed_game;
mod summary;

use crate::player_names;
use anyhow::{bail, ensure, Result};
pub use args::Args;
use figures::ReviewFigures;
use games::RecordedGame;
use hex_common::aside::tell_line;
use hex_common::interruption::Interruption;
use hex_common::progress::Progress;
use hex_common::report_page;
use hex_common::workers::share_out;
use hex_core::engine::{Stop, Task};
use log::{AnalysedGame, ReviewLog, REVIEW_LOG};
use reviewed_game::ReviewedGame;
use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// What is said after Ctrl-C.
const UNFINISHED: &str = "stopped before all games were analysed; the same command goes on";

/// Runs the command.
///
/// # Errors
/// If the arguments make no sense, a record or the folder cannot be used, or a signal comes.
pub fn run(args: Args) -> Result<()> {
    let folder = args.folder()?;
    let recorded = games::find(&args.games)?;
    check_player(&recorded, args.player.as_deref())?;
    let header = args.header();
    let resume = folder.join(REVIEW_LOG).exists();
    let (_lock, log, lines) = ReviewLog::open_in(&folder, REVIEW_LOG, &header, resume)?;
    let interruption = Interruption::watch()?;
    let mut analysed: HashMap<u64, AnalysedGame> = HashMap::new();
    analysed.extend(lines.into_iter().map(|line| (line.id, line)));
    tell_of_others(&recorded, &analysed, &folder);
    let task = Task {
        stop: Stop::by_flag(Arc::clone(interruption.flag())),
        ..Task::new(args.effort())
    };
    analyse(
        &recorded,
        &mut analysed,
        log,
        &task,
        args.threads,
        &interruption,
    )?;
    let reviewed = reviewed(&recorded, &analysed, args.player.as_deref())?;
    let figures = ReviewFigures::of(&reviewed);
    let whose = args.player.as_deref().unwrap_or("both players");
    let text = report::text(&figures, whose, &header.effort(), &folder);
    // The files are written even if nobody reads the text.
    let printed = std::io::stdout().write_all(text.as_bytes());
    let page = page::page(&page::PageContents {
        whose,
        effort: &header.effort(),
        folder: &folder,
        games: &reviewed,
        figures: &figures,
        text: &text,
    });
    report_page::write(&folder, &text, &page)?;
    summary::write(
        &folder,
        &header,
        args.player.as_deref(),
        &figures,
        &reviewed,
    )?;
    records::write(&folder, &reviewed)?;
    Ok(printed?)
}

/// Checks that the player is one of these games.
fn check_player(games: &[RecordedGame], player: Option<&str>) -> Result<()> {
    let Some(player) = player else {
        return Ok(());
    };
    let names = player_names::of(games.iter().map(|recorded| &recorded.game));
    ensure!(
        !names.is_empty(),
        "--player {player:?}: the records name no players; leave it out"
    );
    ensure!(
        names.contains(player),
        "--player {player:?} plays none of the games; there are {}",
        player_names::listed(&names)
    );
    Ok(())
}

/// Tells how many games of the log are not among those of now.
fn tell_of_others(games: &[RecordedGame], analysed: &HashMap<u64, AnalysedGame>, folder: &Path) {
    let ids: HashSet<u64> = games.iter().map(RecordedGame::id).collect();
    let others = analysed.keys().filter(|id| !ids.contains(id)).count();
    if others > 0 {
        tell_line(format_args!(
            "hex review: {}: {others} analysed games are not among those given, or have changed; \
             the report leaves them out",
            folder.display()
        ));
    }
}

/// Analyses the games that are not analysed yet, each kind of moves once.
fn analyse(
    games: &[RecordedGame],
    analysed: &mut HashMap<u64, AnalysedGame>,
    log: ReviewLog,
    task: &Task,
    threads: usize,
    interruption: &Interruption,
) -> Result<()> {
    let ids: HashSet<u64> = games.iter().map(RecordedGame::id).collect();
    let mut known: HashSet<u64> = analysed.keys().copied().collect();
    let old = ids.intersection(&known).count();
    let missing: Vec<&RecordedGame> = games
        .iter()
        .filter(|game| known.insert(game.id()))
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let progress = Progress::new("games", ids.len() as u64, old as u64);
    let found = Mutex::new((log, analysed));
    let workers = vec![(); threads.min(missing.len())];
    share_out(progress, missing.into_iter(), workers, |(), recorded| {
        let Some(game) = analysis::analyse(recorded, task)? else {
            bail!(interruption
                .error(UNFINISHED)
                .expect("a signal has stopped the task"));
        };
        let (log, analysed) = &mut *found.lock().expect("no panics");
        log.append(&game)?;
        analysed.insert(game.id, game);
        Ok(recorded.name.clone())
    })
}

/// The games with their judged moves.
fn reviewed<'a>(
    games: &'a [RecordedGame],
    analysed: &'a HashMap<u64, AnalysedGame>,
    player: Option<&str>,
) -> Result<Vec<ReviewedGame<'a>>> {
    let mut reviewed = Vec::new();
    for (index, recorded) in games.iter().enumerate() {
        let analysed = &analysed[&recorded.id()];
        if analysed.positions.len() != recorded.game.turns().len() + 1 {
            bail!(
                "{REVIEW_LOG}: the line of {} has not as many positions as the game; delete the \
                 log, or choose another --out",
                recorded.name
            );
        }
        let names = &recorded.game.players;
        let is_reviewed = |place: &usize| player.is_none_or(|player| names[*place] == player);
        reviewed.push(ReviewedGame {
            number: index + 1,
            recorded,
            analysed,
            moves: judgement::judge(recorded, analysed),
            players: (0..2).filter(is_reviewed).collect(),
        });
    }
    Ok(reviewed)
}
