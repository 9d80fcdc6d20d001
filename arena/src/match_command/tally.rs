//! The score of the games so far. It depends only on the log's lines, so that a resumed match and
//! an uninterrupted one report the same.

use super::schedule::Schedule;
use crate::player::Limits;
use crate::scoresheet::GameLine;
use crate::spec::PlayerSpec;
use anyhow::{bail, Result};
use hex_common::stats::elo::{Estimate, Pairs};
use hex_common::stats::latency::{Latencies, Summary};
use hex_common::stats::sprt::{SequentialTest, Sprt, Verdict};
use hex_core::record::{AnyCell, Move, Side};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

/// A player that lost this many games by faults without one legal answer cannot play.
const MUTE_GAMES: u64 = 4;

/// The score of one pairing.
#[derive(Clone, Debug)]
pub struct PairingScore {
    /// The two players; the score is the first one's.
    pub(crate) players: (usize, usize),
    /// Finished pairs, except for copies: pairs from forced openings that repeat earlier games.
    pub pairs: Pairs,
    /// The estimate after each of them.
    pub course: Vec<Estimate>,
    /// Games won by the first player as Red and as Blue.
    pub(crate) wins: [u64; 2],
    /// Games lost by the first player as Red and as Blue.
    pub(crate) losses: [u64; 2],
}

impl PairingScore {
    /// The games that the first player has won and lost.
    pub(crate) fn won_and_lost(&self) -> (u64, u64) {
        (self.wins.iter().sum(), self.losses.iter().sum())
    }
}

/// The answer times and faults of one player.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlayerScore {
    /// Times of the first answers of games.
    pub(crate) first: Latencies,
    /// Times of the later answers.
    pub(crate) later: Latencies,
    /// Games lost by fault, in the order of
    /// [`FaultKind::ALL`](crate::player::FaultKind::ALL).
    pub(crate) faults: [u64; 4],
    /// How many of them a stall of the machine caused.
    pub(crate) stalled: u64,
}

/// The times of one player's answers under one limit.
#[derive(Clone, Copy, Debug)]
pub struct AnswerTimes<'a> {
    /// `first` or `later`.
    pub(crate) kind: &'static str,
    /// The limit.
    pub(crate) limit: Duration,
    /// All times.
    pub(crate) times: &'a Latencies,
    /// Their quantiles; `None` without answers.
    pub(crate) summary: Option<Summary>,
}

impl AnswerTimes<'_> {
    /// The median, 99 %, 99.9 %, the slowest answer, and the headroom from it to the limit, in
    /// milliseconds; the headroom is below 0 if the limit was exceeded.
    pub fn figures(&self) -> [String; 5] {
        let Some(summary) = self.summary else {
            return ["-"; 5].map(String::from);
        };
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let headroom = ms(self.limit) - ms(summary.max);
        let times = [summary.p50, summary.p99, summary.p999, summary.max].map(ms);
        [times[0], times[1], times[2], times[3], headroom].map(|ms| format!("{ms:.1}"))
    }
}

/// The score of a match.
#[derive(Clone, Debug)]
pub struct Tally {
    /// In the schedule's order.
    pub pairings: Vec<PairingScore>,
    /// In the header's order.
    pub(crate) players: Vec<PlayerScore>,
    /// Finished games.
    pub games: u64,
    /// The test of the only pairing, if there is one.
    pub test: Option<SequentialTest>,
    /// Games that repeat an earlier one of the same players move for move, or that symmetry makes
    /// equal to it. After a forced opening
    /// this is the same experiment again, by deterministic players. A pair of two such games is no
    /// new evidence and does not count. After the players' own openings it counts, as in a contest.
    pub repeated: u64,
    /// How many pairs have been finished since the last one that counted.
    pub idle_pairs: u64,
    side: Side,
    limits: Vec<Limits>,
    /// The games so far, see [`game_hash`].
    seen: HashSet<u64>,
    /// The games of the pairs that count.
    paired: HashSet<u64>,
    /// Pairs with one finished game: that game, if it can be a copy, and 1 if the pairing's first
    /// player won it, else 0.
    halves: HashMap<u64, (Option<u64>, u32)>,
}

/// The hash of a game on a board of `side`: the players and the stones. `None` if a fault ended it,
/// because a fault may be chance; such a game never counts as a repeat.
///
/// Games that symmetry makes equal have the same hash. Half a turn of the board leads from one to
/// the other, or the mirror image with colours exchanged: a game after a swap is the one in which
/// the players sit the other way round, all cells but the first are mirrored, and nobody swaps.
fn game_hash(line: &GameLine, side: Side) -> Option<u64> {
    let mut players = [line.red, line.blue];
    let (mut stones, mut is_mirrored) = (Vec::new(), false);
    for text in &line.moves {
        match Move::parse(text, side).ok()? {
            Move::Place(cell) if is_mirrored => stones.push(cell.transposed()),
            Move::Place(cell) => stones.push(cell),
            Move::SwapPieces => {
                players.reverse();
                is_mirrored = true;
            }
            _ => return None,
        }
    }
    let turned: Vec<AnyCell> = stones.iter().map(|&cell| side.rotated(cell)).collect();
    let mut hasher = DefaultHasher::new();
    (players, stones.min(turned)).hash(&mut hasher);
    line.fault.is_none().then(|| hasher.finish())
}

impl Tally {
    /// The score before any game on a board of `side`; `limits` are the players', in order, `sprt`
    /// the test of the only pairing.
    pub fn new(schedule: &Schedule, side: Side, limits: Vec<Limits>, sprt: Option<Sprt>) -> Tally {
        let pairings = schedule.pairings().iter();
        Tally {
            pairings: pairings
                .map(|&players| PairingScore {
                    players,
                    pairs: Pairs::default(),
                    course: Vec::new(),
                    wins: [0; 2],
                    losses: [0; 2],
                })
                .collect(),
            players: vec![PlayerScore::default(); limits.len()],
            games: 0,
            test: sprt.map(SequentialTest::new),
            repeated: 0,
            idle_pairs: 0,
            side,
            limits,
            seen: HashSet::new(),
            paired: HashSet::new(),
            halves: HashMap::new(),
        }
    }

    /// The times of a player's first answers and of its later ones.
    pub fn answer_times(&self, player: usize) -> [AnswerTimes<'_>; 2] {
        let (score, limits) = (&self.players[player], self.limits[player]);
        let kinds = [
            ("first", limits.first, &score.first),
            ("later", limits.turn, &score.later),
        ];
        kinds.map(|(kind, limit, times)| AnswerTimes {
            kind,
            limit,
            times,
            summary: times.summary(),
        })
    }

    /// Returns true if the test has a verdict.
    pub fn is_decided(&self) -> bool {
        self.test
            .is_some_and(|test| test.verdict() != Verdict::Open)
    }

    /// How many games a stall of the machine decided.
    pub(crate) fn stalled(&self) -> u64 {
        self.players.iter().map(|player| player.stalled).sum()
    }

    /// Checks that every player that lost several games by faults has answered at least once.
    /// `lines` are the games. A match with a player that never answers measures nothing, and
    /// hundreds of its games could be lost within seconds, because a crash takes no time.
    ///
    /// # Errors
    /// If a player has not: names it and its last fault.
    pub(crate) fn check_answers(&self, players: &[PlayerSpec], lines: &[GameLine]) -> Result<()> {
        for (index, score) in self.players.iter().enumerate() {
            let lost = score.faults.iter().sum::<u64>();
            if lost < MUTE_GAMES || !score.first.times().is_empty() {
                continue;
            }
            let PlayerSpec { name, text, .. } = &players[index];
            let mut lost_lines = lines.iter().rev().filter(|l| l.loser_index() == index);
            let fault = lost_lines.find_map(|line| line.fault.as_ref());
            let why = fault.map_or(String::new(), |fault| format!(" ({fault})"));
            bail!(
                "player {name:?} never answered in {lost} games{why}: \
                 fix {text:?} and start again with another --out"
            );
        }
        Ok(())
    }

    /// Counts a finished game.
    pub fn add(&mut self, line: &GameLine) {
        self.games += 1;
        let game = game_hash(line, self.side);
        self.repeated += u64::from(game.is_some_and(|game| !self.seen.insert(game)));
        let pair = line.id / 2;
        let pairing = (pair % self.pairings.len() as u64) as usize;
        let score = &mut self.pairings[pairing];
        let first = score.players.0;
        let color = usize::from(line.blue == first);
        let won = u32::from(line.winner_index() == first);
        if won == 1 {
            score.wins[color] += 1;
        } else {
            score.losses[color] += 1;
        }
        let forced = game.filter(|_| line.opening > 0);
        match self.halves.remove(&pair) {
            Some((other, too)) => self.add_pair(pairing, [other, forced], too + won),
            None => drop(self.halves.insert(pair, (forced, won))),
        }
        self.add_times(line);
        if let Some(fault) = &line.fault {
            let loser = &mut self.players[line.loser_index()];
            loser.faults[fault.kind as usize] += 1;
            loser.stalled += u64::from(line.stalled_ms.is_some());
        }
    }

    /// Counts a finished pair unless it is a copy. The pairing's first player won `wins` of its
    /// games.
    fn add_pair(&mut self, pairing: usize, games: [Option<u64>; 2], wins: u32) {
        // Not `seen`: if two pairs in progress have the same games, one of them counts.
        let is_known = |game: &Option<u64>| game.is_some_and(|game| self.paired.contains(&game));
        if games.iter().all(is_known) {
            self.idle_pairs += 1;
            return;
        }
        self.idle_pairs = 0;
        self.paired.extend(games.into_iter().flatten());
        let score = &mut self.pairings[pairing];
        score.pairs.add(wins);
        score.course.extend(score.pairs.elo());
        self.test
            .iter_mut()
            .for_each(|test| test.observe(score.pairs));
    }

    fn add_times(&mut self, line: &GameLine) {
        let mut answered = [false; 2];
        // An answer that came too late is not among the moves.
        let late = line.fault.as_ref().and_then(|fault| fault.ms);
        let times = line.times_ms.iter().copied().chain(late.map(Some));
        for (ply, time) in times.enumerate() {
            let (player, color) = if ply % 2 == 0 {
                (line.red, 0)
            } else {
                (line.blue, 1)
            };
            let Some(time) = time else { continue };
            let limits = self.limits[player];
            let is_first = !std::mem::replace(&mut answered[color], true);
            let score = &mut self.players[player];
            let (latencies, limit) = if is_first {
                (&mut score.first, limits.first)
            } else {
                (&mut score.later, limits.turn)
            };
            latencies.add(Duration::from_secs_f64(time / 1e3), limit);
        }
    }
}
