//! Players that cannot play at all. A match with one of them ends: its games would say nothing, and
//! a crash or a refused command takes no time, so that hundreds of them are lost before anybody
//! looks.

use super::tally::Tally;
use crate::player::Fault;
use crate::scoresheet::GameLine;
use crate::spec::PlayerSpec;
use anyhow::{bail, Result};

/// So many games lost by faults without one legal answer are no accident.
const GAMES: u64 = 4;

/// Checks that all who have lost some games have answered in one of them. `lines` are the games so
/// far, `tally` is what they add up to.
///
/// # Errors
/// Names the player that has not, and its last fault.
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
             mend {text:?} and begin anew with another --out"
        );
    }
    Ok(())
}

fn last_fault(lines: &[GameLine], player: usize) -> Option<&Fault> {
    let mut lost = lines.iter().rev().filter(|l| l.loser_index() == player);
    lost.find_map(|line| line.fault.as_ref())
}
