//! The answers that a book could have, each with what it is worth: what the bot's own move would
//! lose, times how often the position comes up.

use super::bot::BotMove;
use super::study::{StudiedMove, Study, SIDE};
use anyhow::Result;
use hex_common::progress::Progress;
use hex_common::workers;
use hex_core::record::AnyCell;
use std::sync::Mutex;

/// Half of the other players go by the study's priors. The others make a move that loses `x` of
/// win probability with a probability in proportion to exp(−x / `CARELESSNESS`).
const CARELESSNESS: f64 = 0.1;

/// The loss by a move that the study does not judge.
pub const UNJUDGED_LOSS: f64 = 0.1;

/// What an answer may lose against the best one by the study and still be as good: the study's
/// rates are those of a network without a search. If the bot's own move is as good, it is the
/// answer; else the one that the bot believes in most, because it knows best how to go on there.
const TOLERANCE: f64 = 0.03;

/// First stones, each with the share of games in which it is met.
pub struct Roots<'a> {
    /// Our own: the bot's first move, and the stones that it takes by a swap.
    pub ours: &'a [(&'a str, f64)],
    /// The other player's that the bot does not swap, and its own first move after a swap.
    pub theirs: &'a [(&'a str, f64)],
}

impl Roots<'static> {
    /// What is likely to be met. The bot opens with c2.
    pub const MET: Self = Roots {
        ours: &[
            ("c2", 0.40),
            ("f3", 0.05),
            ("g3", 0.05),
            ("h3", 0.05),
            ("a4", 0.05),
            ("b4", 0.05),
        ],
        theirs: &[("c2", 0.20), ("d2", 0.05), ("a3", 0.05), ("a9", 0.05)],
    };
}

/// An answer that a book could have.
#[derive(Clone, Debug, PartialEq)]
pub struct BookAnswer {
    /// The moves of the game; the answer is the last one.
    pub line: Vec<AnyCell>,
    /// The share of games in which the position comes up; 1 for our own first stone.
    pub reach: f64,
    /// What the answer gains in win probability, times the reach.
    pub gain: f64,
}

impl BookAnswer {
    /// The answer's line up to the answer before, if there is one.
    pub fn line_before(&self) -> &[AnyCell] {
        &self.line[..self.line.len().saturating_sub(2)]
    }
}

/// Moves, and the share of games in which they are played.
type Reached = (Vec<AnyCell>, f64);

/// Looks for answers in all positions that come up in a share of at least `least_reach` of the
/// games and in which the study judges a move. The likeliest come first, and each after the one
/// before in its line. `search` returns the bot's move after some moves; positions with the same
/// number of answers before are searched at the same time.
///
/// # Errors
/// The first error of `search`.
pub fn candidates(
    study: &Study,
    roots: &Roots,
    least_reach: f64,
    threads: usize,
    search: impl Fn(&[AnyCell]) -> Result<BotMove> + Sync,
) -> Result<Vec<BookAnswer>> {
    let first = |&(name, reach): &(&str, f64)| -> Result<Reached> {
        Ok((vec![SIDE.parse_cell(name)?], reach))
    };
    let mut waiting = roots.theirs.iter().map(first).collect::<Result<Vec<_>>>()?;
    let mut answers = Vec::new();
    for root in roots.ours {
        let (line, reach) = first(root)?;
        waiting.extend(replies(study, &line, reach));
        answers.push(BookAnswer {
            line,
            reach: 1.0,
            gain: 0.0,
        });
    }
    loop {
        waiting.retain(|(moves, reach)| *reach >= least_reach && !study.judged(moves).is_empty());
        if waiting.is_empty() {
            break;
        }
        let progress = Progress::new("positions", waiting.len() as u64, 0);
        let (positions, found) = (waiting.into_iter(), Mutex::new(Vec::new()));
        workers::share_out(progress, positions, vec![(); threads], |(), position| {
            let stones = position.0.len();
            let answer = answer(study, position, &search)?;
            found.lock().expect("no panics").push(answer);
            Ok(format!("{stones} stones"))
        })?;
        let mut found = found.into_inner().expect("no panics");
        let after = |answer: &BookAnswer| replies(study, &answer.line, answer.reach);
        waiting = found.iter().flat_map(after).collect();
        answers.append(&mut found);
    }
    // A line comes after its beginning, also if nothing else is ever played.
    answers.sort_unstable_by(|a, b| {
        b.reach
            .total_cmp(&a.reach)
            .then_with(|| a.line.cmp(&b.line))
    });
    Ok(answers)
}

/// The lines with a judged move of the other player's after this one.
fn replies(study: &Study, line: &[AnyCell], reach: f64) -> Vec<Reached> {
    let judged = study.judged(line);
    let best = best(judged);
    let careless = |judged: &StudiedMove| ((judged.wins - best) / CARELESSNESS).exp();
    let priors: f64 = judged.iter().map(|judged| judged.prior).sum();
    let all_careless: f64 = judged.iter().map(careless).sum();
    let reply = |judged: &StudiedMove| {
        let by_prior = judged.prior / priors.max(1e-9);
        let share = (by_prior + careless(judged) / all_careless) / 2.0;
        ([line, &[judged.cell]].concat(), reach * share)
    };
    judged.iter().map(reply).collect()
}

/// The greatest win probability.
fn best(judged: &[StudiedMove]) -> f64 {
    let all = judged.iter().map(|judged| judged.wins);
    all.fold(0.0, f64::max)
}

/// The answer to a position in which the study judges a move.
fn answer(
    study: &Study,
    (moves, reach): Reached,
    search: impl Fn(&[AnyCell]) -> Result<BotMove>,
) -> Result<BookAnswer> {
    let judged = study.judged(&moves);
    let best = best(judged);
    let after = |judged: &StudiedMove| [&moves[..], &[judged.cell]].concat();
    let played = search(&moves)?.cell;
    let own = judged.iter().find(|judged| judged.cell == played);
    let good: Vec<&StudiedMove> = judged
        .iter()
        .filter(|judged| best - judged.wins <= TOLERANCE)
        .collect();
    let answer = match (own, &good[..]) {
        (Some(own), _) if best - own.wins <= TOLERANCE => own,
        (_, [only]) => only,
        _ => {
            // The other player's win probability after each.
            let wins = good.iter().map(|judged| Ok(search(&after(judged))?.wins));
            let wins = wins.collect::<Result<Vec<f32>>>()?;
            let rivals = good.into_iter().zip(wins);
            let (most_believed, _) = rivals
                .min_by(|a, b| a.1.total_cmp(&b.1))
                .expect("the best move is good");
            most_believed
        }
    };
    let loss = own.map_or(UNJUDGED_LOSS, |own| answer.wins - own.wins);
    Ok(BookAnswer {
        line: after(answer),
        reach,
        gain: reach * loss,
    })
}
