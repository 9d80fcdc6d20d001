//! What the judged moves of many games add up to, for one player or for both. The fields are those
//! of `summary.json`, which docs/arena.md describes.

use super::judgement::JudgedMove;
use super::opening_table::{self, OpeningRow};
use super::reviewed_game::{GameSide, MoveTally, NamedTally, ReviewedGame};
use hex_common::stats::latency::Latencies;
use hex_core::record::{ColorName, MoveGrade};
use hexbot::cell::Color;
use serde::Serialize;
use std::time::Duration;

/// Who had this probability to win at some time should have won.
pub(crate) const SHOULD_WIN: f64 = 0.80;

/// Plies of a part of the game.
const BAND: usize = 10;

/// The last part begins with this band.
const LAST_BAND: usize = 8;

/// A game that a player lost although it should have won.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ThrownGame {
    /// The game's number in the review.
    pub(crate) number: usize,
    /// The game's name.
    pub(crate) game: String,
    /// Its record in the folder.
    pub(crate) record: String,
    /// The player.
    pub(crate) player: String,
    /// The player's colour.
    pub(crate) color: ColorName,
    /// The player's highest probability to win.
    pub(crate) peak: f64,
    /// The number of the move that lost the game, from 1.
    pub(crate) move_number: usize,
    /// The move.
    pub(crate) played: String,
    /// The probability to win with the best move.
    pub(crate) before: f64,
    /// The probability to win after the move.
    pub(crate) after: f64,
    /// What the move lost; 0 if the engine knew no better one.
    pub(crate) loss: f64,
    /// `?!`, `?` or `??`.
    pub(crate) grade: Option<&'static str>,
    /// The better move and what is expected after it.
    pub(crate) better: Vec<String>,
    /// What the opponent did.
    pub(crate) reply: Option<String>,
    /// The player's probability to win after that.
    pub(crate) after_reply: Option<f64>,
}

/// A game that a fault has ended.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct FaultyGame {
    /// The game's number in the review.
    pub(crate) number: usize,
    /// The game's name.
    pub(crate) game: String,
    /// Its record in the folder.
    pub(crate) record: String,
    /// The player at fault.
    pub(crate) player: String,
    /// What the record says of it.
    pub(crate) fault: String,
}

/// Answer times, in milliseconds.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ReviewTimes {
    /// How many are known.
    pub(crate) count: usize,
    /// Half of them took no longer.
    pub(crate) p50_ms: f64,
    /// 99 % took no longer.
    pub(crate) p99_ms: f64,
    /// The slowest.
    pub(crate) max_ms: f64,
}

/// All figures of a review.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ReviewFigures {
    /// All games and moves.
    pub(crate) total: MoveTally,
    /// By colour, and after swaps.
    pub(crate) roles: Vec<NamedTally>,
    /// By ply.
    pub(crate) bands: Vec<NamedTally>,
    /// By the first moves, those that cost most games first.
    pub(crate) openings: Vec<OpeningRow>,
    /// Games that should have been won, the dearest move first.
    pub(crate) thrown: Vec<ThrownGame>,
    /// Games that ended by the reviewed players' faults.
    pub(crate) faults: Vec<FaultyGame>,
    /// Answer times; `None` if the records have none.
    pub(crate) times: Option<ReviewTimes>,
}

impl ReviewFigures {
    /// The figures of these games.
    pub(crate) fn of(games: &[ReviewedGame]) -> ReviewFigures {
        let sides = || {
            let both = |game: &'_ ReviewedGame| game.players.clone();
            games
                .iter()
                .flat_map(move |game| both(game).into_iter().map(move |p| (game, p)))
        };
        let mut total = MoveTally::default();
        sides().for_each(|(game, player)| total.add_game(game, player));
        let mut thrown: Vec<ThrownGame> = sides().filter_map(|(g, p)| thrown(g, p)).collect();
        thrown.sort_by(|a, b| b.loss.total_cmp(&a.loss).then(b.peak.total_cmp(&a.peak)));
        ReviewFigures {
            total,
            roles: roles(sides()),
            bands: bands(sides()),
            openings: opening_table::of(sides()),
            thrown,
            faults: sides().filter_map(|(g, p)| fault(g, p)).collect(),
            times: times(sides()),
        }
    }
}

fn roles<'a>(sides: impl Iterator<Item = GameSide<'a>>) -> Vec<NamedTally> {
    let names = [
        "as Red",
        "as Blue",
        "after its own swap",
        "after the other's swap",
    ];
    let mut tallies = names.map(|name| NamedTally {
        name: name.to_owned(),
        tally: MoveTally::default(),
    });
    for (game, player) in sides {
        let color = game.recorded.game.player_at(usize::MAX, Color::ALL[player]);
        tallies[color].tally.add_game(game, player);
        if let Some(swapped) = game.swapped_by() {
            let role = if swapped == player { 2 } else { 3 };
            tallies[role].tally.add_game(game, player);
        }
    }
    tallies
        .into_iter()
        .filter(|role| role.tally.games > 0)
        .collect()
}

fn bands<'a>(sides: impl Iterator<Item = GameSide<'a>>) -> Vec<NamedTally> {
    let mut tallies = vec![MoveTally::default(); LAST_BAND + 1];
    for (game, player) in sides {
        let mut seen = [false; LAST_BAND + 1];
        for judged in game.own_moves(player).filter(|judged| judged.is_judged()) {
            let band = (judged.ply / BAND).min(LAST_BAND);
            let winner = game.winner();
            if !std::mem::replace(&mut seen[band], true) {
                tallies[band].games += 1;
                tallies[band].won += u64::from(winner == Some(player));
                tallies[band].lost += u64::from(winner.is_some_and(|winner| winner != player));
            }
            tallies[band].add_move(judged);
        }
    }
    let named = tallies.into_iter().enumerate().map(|(band, tally)| {
        let from = band * BAND + 1;
        let name = match band {
            LAST_BAND => format!("moves {from} and later"),
            _ => format!("moves {from} to {}", from + BAND - 1),
        };
        NamedTally { name, tally }
    });
    named.filter(|band| band.tally.moves > 0).collect()
}

/// The game, if the player lost it although it should have won, with the move that lost most from
/// then on. Where the engine knew no better move, it is the one after which it saw most lost.
fn thrown(game: &ReviewedGame, player: usize) -> Option<ThrownGame> {
    if game.winner().is_none_or(|winner| winner == player) {
        return None;
    }
    let course = game.course(player);
    let &(first, _) = course.iter().find(|(_, value)| *value >= SHOULD_WIN)?;
    let peak = course.iter().map(|(_, value)| *value).fold(0.0, f64::max);
    let dropped = |judged: &JudgedMove| Some(judged.before? - judged.after?);
    let later = game
        .own_moves(player)
        .filter(|judged| judged.ply + 1 >= first);
    let known = later.filter(|judged| judged.is_judged());
    let cost = |judged: &JudgedMove| (judged.loss, dropped(judged).unwrap_or_default());
    let worst = known.max_by(|a, b| {
        let (a, b) = (cost(a), cost(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    })?;
    let turns = game.recorded.game.turns();
    let reply = turns.get(worst.ply + 1).map(|turn| turn.action.to_string());
    let later = course.iter().find(|(ply, _)| *ply == worst.ply + 2);
    let position = game.analysed.positions[worst.ply].as_ref()?;
    Some(ThrownGame {
        number: game.number,
        game: game.recorded.name.clone(),
        record: game.record(),
        player: game.name(player).to_owned(),
        color: worst.color.into(),
        peak,
        move_number: worst.ply + 1,
        played: turns[worst.ply].action.to_string(),
        before: worst.before?,
        after: worst.after?,
        loss: worst.loss,
        grade: worst.grade().map(MoveGrade::sign),
        better: position.line.clone(),
        reply,
        after_reply: later.map(|(_, value)| *value),
    })
}

fn fault(game: &ReviewedGame, player: usize) -> Option<FaultyGame> {
    let fault = game.recorded.fault.as_ref()?;
    let is_own = game.winner().is_some_and(|winner| winner != player);
    is_own.then(|| FaultyGame {
        number: game.number,
        game: game.recorded.name.clone(),
        record: game.record(),
        player: game.name(player).to_owned(),
        fault: fault.clone(),
    })
}

fn times<'a>(sides: impl Iterator<Item = GameSide<'a>>) -> Option<ReviewTimes> {
    let mut times = Latencies::default();
    for (game, player) in sides {
        let known = |judged: &JudgedMove| game.recorded.times_ms.get(judged.ply).copied().flatten();
        for time in game.own_moves(player).filter_map(known) {
            times.add(Duration::from_secs_f64(time / 1e3), Duration::MAX);
        }
    }
    let summary = times.summary()?;
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    Some(ReviewTimes {
        count: summary.count,
        p50_ms: ms(summary.p50),
        p99_ms: ms(summary.p99),
        max_ms: ms(summary.max),
    })
}
