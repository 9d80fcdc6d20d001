//! The orders of a tab and the messages to it, as JSON. All win probabilities in them are Red's;
//! only this module converts them.

use super::problem::Problem;
use super::view::{names, read_game};
use crate::engine::strength::Level;
use crate::engine::{Analysis, Effort, MoveAnalysis};
use crate::record::hexworld::LinkToken;
use crate::record::{AnyCell, ColorName, Game, Move};
use crate::solver::Appraisal;
use hexbot::cell::Color;
use hexbot::evaluation::seen_by;
use hexbot::opening::{self, Swaps};
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::time::Duration;

/// The limits of a search's time, in milliseconds.
const SEARCH_MS: RangeInclusive<u64> = 10..=60_000;

/// The limits of a search's number of simulations.
const SEARCH_SIMULATIONS: RangeInclusive<u64> = 1..=1_000_000_000;

/// An order of a tab. A new order replaces the one before.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum Order {
    /// Find a move for the player to move.
    Move {
        /// Comes back with the answers.
        id: u64,
        /// All moves, as in a HexWorld link.
        game: String,
        /// The level of strength, 1 to 10.
        level: u8,
        /// The most time, in milliseconds.
        ms: Option<u64>,
        /// The number of simulations instead of the time.
        simulations: Option<u64>,
        /// The most threads that may search together; 1 if it is left out.
        threads: Option<usize>,
    },
    /// Analyse the position.
    Analyse {
        /// Comes back with the answers.
        id: u64,
        /// All moves, as in a HexWorld link.
        game: String,
        /// The most time, in milliseconds; without it the analysis runs until the next order.
        ms: Option<u64>,
        /// The number of simulations instead of the time.
        simulations: Option<u64>,
        /// The most threads that may search together; 1 if it is left out.
        threads: Option<usize>,
    },
    /// Search the position with the bot's engine while its opponent thinks, so that the bot's next
    /// search continues from there. The answer at the end contains no analysis.
    Ponder {
        /// Comes back with the answer.
        id: u64,
        /// All moves, as in a HexWorld link.
        game: String,
        /// The level of strength. Only 10 may ponder, because pondering would make the weaker
        /// levels stronger.
        level: u8,
        /// The most time, in milliseconds.
        ms: u64,
        /// The most threads that may search together; 1 if it is left out.
        threads: Option<usize>,
    },
    /// Stop the search.
    Stop,
    /// Prove which moves win and which lose. Does not touch the search, and replaces the last order
    /// of this kind.
    Prove {
        /// Comes back with the answer.
        id: u64,
        /// All moves, as in a HexWorld link.
        game: String,
    },
}

/// A position to search, how long, and why.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The game, not over.
    pub game: Game,
    /// How long.
    pub effort: Effort,
    /// Why.
    pub purpose: Purpose,
}

/// The purpose of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To find a move, at this level.
    Move(Level),
    /// To show an analysis to people.
    Analysis,
    /// To prepare the next move.
    Pondering,
}

impl Subject {
    /// To find a move.
    ///
    /// # Errors
    /// If the game cannot be read or is over, or level or limit are not allowed.
    pub fn to_move(game: &str, level: u8, limit: OrderLimit) -> Result<Subject, Problem> {
        let level: Level = level.to_string().parse().map_err(Problem::impossible)?;
        let effort = limit.effort()?.ok_or_else(|| {
            Problem::impossible("a move needs a limit: give \"ms\" or \"simulations\"")
        })?;
        Ok(Subject {
            game: open_game(game)?,
            effort: level.handicap().limit(effort),
            purpose: Purpose::Move(level),
        })
    }

    /// To search while the bot's opponent thinks.
    ///
    /// # Errors
    /// If the game cannot be read or is over, or level or time are not allowed.
    pub(crate) fn to_ponder(game: &str, level: u8, ms: u64) -> Result<Subject, Problem> {
        let strongest = Level::STRONGEST;
        if level.to_string() != strongest.to_string() {
            let why = format!("level {level} does not ponder, only level {strongest} does");
            return Err(Problem::impossible(why));
        }
        Ok(Subject {
            game: open_game(game)?,
            effort: Effort::Time(allowed(ms)?),
            purpose: Purpose::Pondering,
        })
    }

    /// To analyse a position.
    ///
    /// # Errors
    /// If the game cannot be read or is over, or the limit is not allowed.
    pub fn to_analyse(game: &str, limit: OrderLimit) -> Result<Subject, Problem> {
        Ok(Subject {
            game: open_game(game)?,
            effort: limit.effort()?.unwrap_or(Effort::Time(Duration::MAX)),
            purpose: Purpose::Analysis,
        })
    }

    /// The move, if it needs no search: the first stone, the swap, or a move from the opening book.
    pub fn ready_move(&self) -> Option<Move> {
        let Purpose::Move(level) = self.purpose else {
            return None;
        };
        let swaps = match self.game.turns() {
            [] if self.game.setup().is_empty() => Swaps::Allowed,
            _ if self.game.may_swap() => Swaps::Allowed,
            _ => Swaps::Off,
        };
        let answer = opening::decide(self.game.position(), swaps, level.opening_book());
        answer.map(Move::from)
    }
}

/// Reads a game that is not over.
///
/// # Errors
/// If it cannot be read or is over.
pub fn open_game(text: &str) -> Result<Game, Problem> {
    let game = read_game(text)?;
    match game.outcome() {
        None => Ok(game),
        Some(outcome) => Err(Problem::impossible(format!(
            "the game is over, {} has won; there is nothing to think about",
            outcome.winner
        ))),
    }
}

/// The limit of a search as an order states it: time, simulations or neither, not both.
#[derive(Clone, Copy, Debug)]
pub struct OrderLimit {
    /// Milliseconds.
    pub ms: Option<u64>,
    /// Simulations.
    pub simulations: Option<u64>,
}

impl OrderLimit {
    /// The limit, if there is one.
    ///
    /// # Errors
    /// If both are given, or the limit is out of range.
    fn effort(self) -> Result<Option<Effort>, Problem> {
        match (self.ms, self.simulations) {
            (Some(ms), None) => Ok(Some(Effort::Time(allowed(ms)?))),
            (None, Some(count)) if SEARCH_SIMULATIONS.contains(&count) => {
                Ok(Some(Effort::Simulations(count)))
            }
            (None, Some(count)) => {
                let (least, most) = (SEARCH_SIMULATIONS.start(), SEARCH_SIMULATIONS.end());
                let why = format!("{count} simulations are not possible, choose {least} to {most}");
                Err(Problem::impossible(why))
            }
            (Some(_), Some(_)) => {
                let why = "two limits are not possible: give \"ms\" or \"simulations\"";
                Err(Problem::impossible(why))
            }
            (None, None) => Ok(None),
        }
    }
}

fn allowed(ms: u64) -> Result<Duration, Problem> {
    if SEARCH_MS.contains(&ms) {
        return Ok(Duration::from_millis(ms));
    }
    let (least, most) = (SEARCH_MS.start(), SEARCH_MS.end());
    let why = format!("{ms} ms to think are not possible, choose {least} to {most}");
    Err(Problem::impossible(why))
}

/// A message to a tab.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ServerMessage {
    /// The analysis so far.
    Analysis {
        /// The order's.
        id: u64,
        /// The analysis.
        analysis: AnalysisView,
    },
    /// The search has ended.
    Done {
        /// The order's.
        id: u64,
        /// The last analysis; none without a search, or after pondering.
        analysis: Option<AnalysisView>,
        /// The move, if the order was for one, as in a HexWorld link.
        answer: Option<String>,
    },
    /// What is proven of a position.
    Proof {
        /// The order's.
        id: u64,
        /// The winner, if known.
        winner: Option<ColorName>,
        /// The moves that win.
        winning: Vec<String>,
        /// The moves that lose.
        losing: Vec<String>,
    },
    /// The order cannot be carried out.
    Problem {
        /// The order's, if it could be read.
        id: Option<u64>,
        /// What is wrong.
        error: String,
    },
}

impl ServerMessage {
    /// The reply to order number `id`: the results of a position's moves.
    pub fn proof(id: u64, found: Appraisal) -> ServerMessage {
        ServerMessage::Proof {
            id,
            winner: found.winner.map(ColorName::from),
            winning: names(found.winning),
            losing: names(found.losing),
        }
    }

    /// The reply to order number `id` that it is refused.
    pub fn refused(id: u64, problem: &Problem) -> ServerMessage {
        ServerMessage::Problem {
            id: Some(id),
            error: problem.message().to_owned(),
        }
    }

    /// The reply to an order that cannot be read.
    pub fn unreadable(why: impl Display) -> ServerMessage {
        ServerMessage::Problem {
            id: None,
            error: format!("the order cannot be read: {why}"),
        }
    }

    /// The reply to order number `id` with a move that needs no search.
    pub fn without_search(id: u64, action: Move) -> ServerMessage {
        ServerMessage::Done {
            id,
            analysis: None,
            answer: Some(token(action)),
        }
    }
}

/// A move as HexWorld writes it.
pub fn token(action: Move) -> String {
    LinkToken::Action(action).to_string()
}

/// An analysis, for the page.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AnalysisView {
    /// Red's probability to win, 0 to 1.
    red_wins: f32,
    /// The proven winner, if any.
    proven: Option<ColorName>,
    simulations: u64,
    /// Milliseconds.
    time: u64,
    /// The principal variation.
    line: Vec<String>,
    /// All moves: the best first, then by visits, most first.
    moves: Vec<MoveView>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct MoveView {
    cell: String,
    visits: u32,
    /// Red's probability to win after it, 0 to 1; none without visits.
    red_wins: Option<f32>,
    /// Its prior probability before any search, 0 to 1; none if it is proven to lose.
    prior: Option<f32>,
    /// The expected line of play that begins with it; empty if too little is known.
    line: Vec<String>,
}

impl AnalysisView {
    /// The view of an analysis for the player `to_move`. `lines` are expected lines of play, each
    /// with the move first that it belongs to.
    pub fn of(analysis: &Analysis, lines: &[Vec<AnyCell>], to_move: Color) -> AnalysisView {
        let line = |cell: AnyCell| lines.iter().find(|line| line.first() == Some(&cell));
        let view = |known: &MoveAnalysis| MoveView {
            line: line(known.cell).map_or(Vec::new(), |line| names(line.iter().copied())),
            cell: known.cell.to_string(),
            visits: known.visits,
            red_wins: (known.visits > 0).then(|| seen_by(to_move, known.value)),
            prior: known.prior,
        };
        AnalysisView {
            red_wins: seen_by(to_move, analysis.win_probability),
            proven: analysis.proof.map(|proof| proof.winner.into()),
            simulations: analysis.simulations,
            time: analysis.time.as_millis() as u64,
            line: names(analysis.principal_variation.iter().copied()),
            moves: analysis.moves.iter().map(view).collect(),
        }
    }
}
