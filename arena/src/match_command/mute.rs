//! Ends a match with a player that never answers. Its games measure nothing, and hundreds of them
//! could be lost within seconds, because a crash takes no time.

use super::tally::Tally;
use crate::player::Fault;
use crate::scoresheet::GameLine;
use crate::spec::PlayerSpec;
use anyhow::{bail, Result};

/// A player that lost this many games by faults without one legal answer cannot play.
const GAMES: u64 = 4;

/// Checks that every player that lost several games by faults has answered at least once. `lines`
/// are the games so far, `tally` is their score.
///
/// # Errors
/// If a player has not: names it and its last fault.
pub fn check(players: &[PlayerSpec], tally: &Tally, lines: &[GameLine]) -> Result<()> {
    for (index, score) in tally.players.iter().enumerate() {
        let lost = score.faults.iter().sum::<u64>();
        if lost < GAMES || !score.first.times().is_empty() {
            continue;
        }
        let PlayerSpec { name, text, .. } = &players[index];
        let why = last_fault(lines, index).map_or(String::new(), |fault| format!(" ({fault})"));
        bail!(
            "player {name:?} never answered in {lost} games{why}: \
             fix {text:?} and start again with another --out"
        );
    }
    Ok(())
}

fn last_fault(lines: &[GameLine], player: usize) -> Option<&Fault> {
    let mut lost = lines.iter().rev().filter(|l| l.loser_index() == player);
    lost.find_map(|line| line.fault.as_ref())
}
