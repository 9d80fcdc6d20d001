//! What a review has found, for scripts: `summary.json` in its folder. docs/arena.md has the
//! schema; a new field may come at any time, a changed one raises [`FORMAT`].

use super::figures::ReviewFigures;
use super::log::ReviewHeader;
use super::reviewed_game::ReviewedGame;
use anyhow::Result;
use hex_common::report_page;
use serde::Serialize;
use std::path::Path;

/// The version of the schema.
const FORMAT: u32 = 1;

/// The whole file.
#[derive(Serialize)]
struct ReviewSummary<'a> {
    format: u32,
    engine: &'a str,
    simulations: Option<u64>,
    seconds: Option<f64>,
    player: Option<&'a str>,
    #[serde(flatten)]
    figures: &'a ReviewFigures,
    games: Vec<GameSummary<'a>>,
}

/// A game.
#[derive(Serialize)]
struct GameSummary<'a> {
    number: usize,
    game: &'a str,
    record: String,
    red: &'a str,
    blue: &'a str,
    winner: Option<&'a str>,
    moves: usize,
    mistakes: Vec<MistakeSummary>,
}

/// A mistake.
#[derive(Serialize)]
struct MistakeSummary {
    move_number: usize,
    played: String,
    grade: &'static str,
    before: Option<f64>,
    after: Option<f64>,
    better: Vec<String>,
}

/// Writes the file; who reads it meanwhile reads the old one or the new one.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn write(
    folder: &Path,
    header: &ReviewHeader,
    player: Option<&str>,
    figures: &ReviewFigures,
    games: &[ReviewedGame],
) -> Result<()> {
    let summary = ReviewSummary {
        format: FORMAT,
        engine: &header.engine,
        simulations: header.simulations,
        seconds: header.seconds,
        player,
        figures,
        games: games.iter().map(game_summary).collect(),
    };
    report_page::write_summary(folder, &summary)
}

fn game_summary<'a>(game: &'a ReviewedGame) -> GameSummary<'a> {
    let turns = game.recorded.game.turns();
    let mistakes = game.mistakes().filter_map(|(judged, grade)| {
        let position = game.analysed.positions[judged.ply].as_ref()?;
        Some(MistakeSummary {
            move_number: judged.ply + 1,
            played: turns[judged.ply].action.to_string(),
            grade: grade.sign(),
            before: judged.before,
            after: judged.after,
            better: position.line.clone(),
        })
    });
    GameSummary {
        number: game.number,
        game: &game.recorded.name,
        record: game.record(),
        red: game.name(0),
        blue: game.name(1),
        winner: game.winner().map(|winner| game.name(winner)),
        moves: turns.len(),
        mistakes: mistakes.collect(),
    }
}
