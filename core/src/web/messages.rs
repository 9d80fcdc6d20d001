//! What a tab orders and what it is told, as JSON. Win probabilities are Red's in all of them,
//! whoever moves; they change sides here alone.

use super::problem::Problem;
use super::view::{names, read_game};
use crate::engine::strength::Level;
use crate::engine::{Analysis, Effort, MoveAnalysis};
use crate::record::{AnyCell, ColorName, Game, Move};
use hexbot::cell::Color;
use hexbot::evaluation::seen_by;
use hexbot::opening;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::time::Duration;

/// How long a tab may have one position searched, in milliseconds.
const SEARCH_MS: RangeInclusive<u64> = 10..=60_000;

/// The same in simulations.
const SEARCH_SIMULATIONS: RangeInclusive<u64> = 1..=1_000_000_000;

/// What a tab orders. A new order takes the place of the one before.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub enum Order {
    /// Decide on a move for the player to move.
    Move {
        /// Comes back with the answers.
        id: u64,
        /// All moves, as in a HexWorld link.
        game: String,
        /// Graded strength, 1 to 10.
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
        /// The most time, in milliseconds; none to go on until something else is wanted.
        ms: Option<u64>,
        /// The number of simulations instead of the time.
        simulations: Option<u64>,
        /// The most threads that may search together; 1 if it is left out.
        threads: Option<usize>,
    },
    /// Search the position in the time of the bot's opponent, with the bot's engine; its next move
    /// begins with what is found. The answer, when time is over, contains nothing.
    Ponder {
        /// Comes back with the answer.
        id: u64,
        /// All moves, as in a HexWorld link.
        game: String,
        /// The bot's strength: 10, as pondering would make the weaker levels stronger.
        level: u8,
        /// The most time, in milliseconds.
        ms: u64,
        /// The most threads that may search together; 1 if it is left out.
        threads: Option<usize>,
    },
    /// Search no more.
    Stop,
    /// Say which moves win and which lose for certain, if that is found out. It leaves searches
    /// alone, and takes the place of the last order of its kind.
    Prove {
        /// Comes back with the answer.
        id: u64,
        /// All moves, as in a HexWorld link.
        game: String,
    },
}

/// A position to search, and why.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The game, not over.
    pub game: Game,
    /// How long.
    pub effort: Effort,
    /// What is wanted.
    pub purpose: Purpose,
}

/// Why a position is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To move, at this strength.
    Move(Level),
    /// To tell people.
    Analysis,
    /// To find the next move sooner.
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

    /// To search in the time of the bot's opponent.
    ///
    /// # Errors
    /// If the game cannot be read or is over, or level or time are not allowed.
    pub fn to_ponder(game: &str, level: u8, ms: u64) -> Result<Subject, Problem> {
        let strongest = Level::STRONGEST;
        if level.to_string() != strongest.to_string() {
            let why = format!("level {level} does not ponder, level {strongest} alone does");
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

    /// The move that needs no search: the first stone and the swap by the pie rule, and what the
    /// opening book says.
    pub fn ready_move(&self) -> Option<Move> {
        let Purpose::Move(level) = self.purpose else {
            return None;
        };
        self.pie_move().or_else(|| {
            let answer = level.book_answer(self.game.position());
            answer.map(Move::Place)
        })
    }

    fn pie_move(&self) -> Option<Move> {
        let side = self.game.side();
        match self.game.turns() {
            [] if self.game.setup().is_empty() => {
                Some(Move::Place(opening::first_move(self.game.position())))
            }
            [turn] if self.game.may_swap() => match turn.action {
                Move::Place(stone) if opening::swap_pays(stone, side.get()) => {
                    Some(Move::SwapPieces)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// The game, if it is not over.
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

/// How long an order lets a position be searched, as it says so: at most one of both.
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
    /// If there are two, or if it is not allowed.
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

/// What a tab is told.
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
    /// The search is over.
    Done {
        /// The order's.
        id: u64,
        /// The last analysis; none if no search was needed.
        analysis: Option<AnalysisView>,
        /// The move, if one was wanted, as in a HexWorld link.
        answer: Option<String>,
    },
    /// What is proven of a position.
    Proof {
        /// The order's.
        id: u64,
        /// Who wins, if that is known.
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

/// A move as HexWorld writes it.
pub fn token(action: Move) -> String {
    match action {
        Move::Place(point) => point.to_string(),
        Move::SwapPieces => ":s".to_owned(),
        Move::SwapSides => ":S".to_owned(),
        Move::Pass => ":p".to_owned(),
    }
}

/// An analysis, for the page.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AnalysisView {
    /// Red's probability to win, 0 to 1.
    red_wins: f32,
    /// Who wins for certain, if anybody.
    proven: Option<ColorName>,
    simulations: u64,
    /// Milliseconds.
    time: u64,
    /// The moves expected, the best first.
    line: Vec<String>,
    /// The best first, then in the order of visits, most first.
    moves: Vec<MoveView>,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct MoveView {
    cell: String,
    visits: u32,
    /// Red's probability to win after it, 0 to 1; none without visits.
    red_wins: Option<f32>,
    /// How likely it looked before any search, 0 to 1; none if it is proven to lose.
    prior: Option<f32>,
    /// The moves expected from it on, itself first; empty if too little is known.
    line: Vec<String>,
}

impl AnalysisView {
    /// An analysis for the player `to_move`; `lines` are what is expected after some moves, each
    /// with its move first.
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
