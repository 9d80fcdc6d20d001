//! The games of a review as SGF: each move with its value, mistakes with their grade, and the
//! better line as a variation.

use super::judgement::{Exemption, JudgedMove};
use super::reviewed_game::ReviewedGame;
use crate::scoresheet::FORCED;
use anyhow::{Context, Result};
use hex_core::record::hexworld::LinkToken;
use hex_core::record::{sgf, GameTree, Move};
use std::path::Path;

/// Writes all records below `folder`.
///
/// # Errors
/// If a file cannot be written.
pub(crate) fn write(folder: &Path, games: &[ReviewedGame]) -> Result<()> {
    let records = folder.join("sgf");
    let made = std::fs::create_dir_all(&records);
    made.with_context(|| format!("cannot make the folder {}", records.display()))?;
    for game in games {
        let path = folder.join(game.record());
        let text = sgf::write_tree(&tree(game));
        std::fs::write(&path, text).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// The game with what is said of its moves.
fn tree(game: &ReviewedGame) -> GameTree {
    let mut tree = GameTree::of(&game.recorded.game);
    if let Some(fault) = &game.recorded.fault {
        let comment = &mut tree.node_mut(0).comment;
        if !comment.contains(&**fault) {
            *comment = [&**comment, fault].join("\n").trim_start().to_owned();
        }
    }
    let nodes = tree.main_line();
    // A pass of the reader's own stands before a move out of turn; such games have no variations.
    let is_plain = nodes.len() > game.moves.len()
        && game
            .moves
            .iter()
            .all(|m| m.exemption != Some(Exemption::OutOfTurn));
    if !is_plain {
        return tree;
    }
    for judged in &game.moves {
        if judged.ply < game.recorded.given {
            tree.node_mut(nodes[judged.ply + 1]).comment = FORCED.to_owned();
            continue;
        }
        let remark = [remark(game, judged), chosen(game, judged)];
        let node = tree.node_mut(nodes[judged.ply + 1]);
        let kept = std::mem::take(&mut node.comment);
        let parts = remark.into_iter().chain([kept]);
        let parts = parts.filter(|part| !part.is_empty());
        node.comment = parts.collect::<Vec<String>>().join("\n");
        node.grade = judged.grade();
    }
    for judged in game.moves.iter().filter(|judged| judged.grade().is_some()) {
        add_better_line(&mut tree, nodes[judged.ply], game, judged);
    }
    tree
}

/// Adds the better line as a variation.
fn add_better_line(tree: &mut GameTree, at: usize, game: &ReviewedGame, judged: &JudgedMove) {
    let Some(position) = &game.analysed.positions[judged.ply] else {
        return;
    };
    let (side, mut at) = (tree.side(), at);
    for (number, word) in position.line.iter().enumerate() {
        let action = Move::parse(word, side).ok();
        let added = action.and_then(|action| tree.add(at, LinkToken::Action(action)).ok());
        let Some(node) = added else {
            return;
        };
        if number == 0 {
            tree.node_mut(node).comment = format!("better: {}", percent(judged.before));
        }
        at = node;
    }
}

/// What is said of a move.
fn remark(game: &ReviewedGame, judged: &JudgedMove) -> String {
    let known = match (judged.before, judged.after) {
        (Some(_), Some(_)) => {
            format!("{} → {}", percent(judged.before), percent(judged.after))
        }
        (None, Some(_)) => percent(judged.after),
        _ => String::new(),
    };
    let color = judged.color;
    let known = match &*known {
        "" => known,
        known => format!("{color} wins: {known}"),
    };
    let position = game.analysed.positions[judged.ply].as_ref();
    match (judged.grade(), position) {
        (Some(grade), Some(position)) => {
            let better = position.line.join(" ");
            format!("{known} {}; better: {better}", grade.sign())
        }
        _ => known,
    }
}

/// How a move of a match came about, where its record does not say it.
fn chosen(game: &ReviewedGame, judged: &JudgedMove) -> String {
    let recorded = game.recorded;
    let is_told = !recorded.game.turns()[judged.ply].comment.is_empty();
    match recorded.times_ms.get(judged.ply) {
        _ if is_told => String::new(),
        Some(Some(time)) => format!("{time:.1} ms"),
        _ => String::new(),
    }
}

/// A probability in percent.
fn percent(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{:.0} %", 100.0 * value))
}
