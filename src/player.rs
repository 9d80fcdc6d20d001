//! The bot as a player: the opening's answer, else the search's, and a move when the search fails.

use crate::board::Board;
use crate::book;
use crate::budget::{Budget, Clock};
use crate::cell::Cell;
use crate::cell_set::CellSet;
use crate::evaluation::Evaluator;
use crate::opening;
use crate::params::{OpeningBook, CLOCK_RESOLUTION};
use crate::search::{Search, SearchResult};
use crate::settings::Settings;
use crate::shipped::{shipped_evaluator, ShippedEvaluator};
use crate::shortest_path::heuristic_move;
use std::fmt;
use std::ops::Range;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::time::Duration;

/// Plays one side of one game with evaluations by `E`.
pub struct Player<const N: usize, E = ShippedEvaluator<N>> {
    settings: Settings,
    /// A line for stderr about what the player lacks; empty if it lacks nothing.
    warning: String,
    search: Search<N, E>,
    answers: usize,
    /// From when to when [`Player::tidy_up`] was at work last.
    tidied: Range<Duration>,
    /// The most by which an answer was ready later than planned: so much more is kept in hand from
    /// then on.
    lag: Duration,
}

/// What to do in a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer<const N: usize> {
    /// Take over Red's first stone. Only Blue's first answer.
    SwapPieces,
    /// Place a stone.
    Play(Cell<N>),
}

impl<const N: usize> Answer<N> {
    /// The position that the answer leads to. A swap only where a stone of Red's stands alone; a
    /// stone on a taken cell changes nothing.
    pub fn played_on(self, board: &Board<N>) -> Board<N> {
        match self {
            Answer::SwapPieces => board.transposed(),
            Answer::Play(cell) => {
                let mut after = board.clone();
                if after.at(cell).is_none() {
                    after.play_unchecked(cell);
                }
                after
            }
        }
    }
}

/// As the judge reads it.
impl<const N: usize> fmt::Display for Answer<N> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Answer::SwapPieces => f.write_str("swap-pieces"),
            Answer::Play(cell) => cell.fmt(f),
        }
    }
}

/// An answer and where it comes from.
#[derive(Clone, Debug)]
pub struct Reply<const N: usize> {
    /// What to do.
    pub answer: Answer<N>,
    /// What the search found; `None` if it was not asked or failed.
    pub result: Option<SearchResult<N>>,
}

impl<const N: usize> Reply<N> {
    /// A line for stderr about what the search found; empty if it was not asked or failed.
    pub fn report(&self) -> String {
        self.result
            .as_ref()
            .map_or(String::new(), |result| format!("{result}\n"))
    }
}

/// The line for the judge: the answer and, after a searched move, a short message.
impl<const N: usize> fmt::Display for Reply<N> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.answer.fmt(f)?;
        match &self.result {
            None => Ok(()),
            Some(result) => write!(f, " {}", result.summary()),
        }
    }
}

impl<const N: usize> Player<N> {
    /// A player at the beginning of a game, as it is uploaded.
    pub fn new(settings: Settings) -> Self {
        let (evaluator, warning) = shipped_evaluator::<N>(&settings.params, settings.rng());
        Player {
            warning,
            ..Self::with_evaluator(settings, evaluator)
        }
    }
}

impl<const N: usize, E: Evaluator<N>> Player<N, E> {
    /// A player at the beginning of a game that asks `evaluator`, whatever the settings say of one.
    pub fn with_evaluator(settings: Settings, evaluator: E) -> Self {
        Player {
            search: Search::new(settings.params, evaluator),
            warning: String::new(),
            settings,
            answers: 0,
            tidied: Duration::ZERO..Duration::ZERO,
            lag: Duration::ZERO,
        }
    }

    /// A line for stderr about what the player lacks, its network if that is damaged; else empty.
    pub fn warning(&self) -> &str {
        &self.warning
    }

    /// Decides what to do on `board` before the time limit runs out, which begins at `arrival`, a
    /// reading of `clock`. `None` if and only if there is no cell to play on.
    ///
    /// The answer is the opening's, if there is one ([`Player::opening_answer`]), else the
    /// search's. If the search panics or has none, it is the move of the shortest paths, and one of
    /// the `forbidden` cells only if no other is empty. An answer that is ready later than planned,
    /// because the machine stood still, shortens all later ones by as much.
    ///
    /// The opening's answer takes as long as a search: the first answer has ten times the time of
    /// later ones, so what the other player may do in the position behind it is searched now, and
    /// kept in the tree.
    pub fn reply(
        &mut self,
        board: &Board<N>,
        forbidden: CellSet<N>,
        clock: &impl Clock,
        arrival: Duration,
    ) -> Option<Reply<N>> {
        // A turn that need not be waited for may have come while the player tidied up.
        let arrival = if arrival < self.tidied.end + CLOCK_RESOLUTION {
            self.tidied.start
        } else {
            arrival
        };
        let limit = self.settings.thinking_time(self.answers, self.lag);
        self.answers += 1;
        let budget = match self.settings.simulations {
            Some(count) => Budget::simulations(clock, count),
            None => Budget::until(clock, arrival, limit),
        };
        let opening = self.opening_answer(board);
        let searched = opening.map(|answer| answer.played_on(board));
        let result = self.think(searched.as_ref().unwrap_or(board), budget);
        // More than the limit makes no difference; a clock that was stopped shows the end of time.
        let planned = arrival.saturating_add(limit);
        let late = clock.now().saturating_sub(planned).min(limit);
        self.lag = self.lag.max(late);
        if let Some(answer) = opening {
            return Some(Reply {
                answer,
                result: None,
            });
        }
        let best = result.as_ref().map(|result| result.best);
        let cell = best
            .or_else(|| heuristic_move(board))
            .or_else(|| forbidden.iter().next())?;
        Some(Reply {
            answer: Answer::Play(cell),
            result,
        })
    }

    /// The answer that needs no search: Red's first move, the swap if it is better to have Red's
    /// stone than to answer it, and what the opening book says.
    pub fn opening_answer(&self, board: &Board<N>) -> Option<Answer<N>> {
        if *board == board.cleared() {
            return Some(Answer::Play(opening::first_move(board)));
        }
        let stone = opening::stone_to_swap(board);
        if stone.is_some_and(|stone| opening::swap_pays(stone, board.side())) {
            return Some(Answer::SwapPieces);
        }
        match self.settings.params.opening_book {
            OpeningBook::Used => book::answer(board).map(Answer::Play),
            OpeningBook::Ignored => None,
        }
    }

    /// Frees what cannot follow `answer` to `board`, which has just been sent, in the other
    /// player's time. Without this call the next [`Player::reply`] does so in its own. A turn that
    /// comes meanwhile loses no time: the next reply counts from the beginning of this call if its
    /// `arrival` is the end.
    pub fn tidy_up(&mut self, board: &Board<N>, answer: Answer<N>, clock: &impl Clock) {
        let start = clock.now();
        self.search.retain_reachable_from(&answer.played_on(board));
        self.tidied = start..clock.now();
    }

    /// The search, for those who run its simulations on several threads before they ask for the
    /// reply; the uploads leave it out.
    pub fn search_mut(&mut self) -> &mut Search<N, E> {
        &mut self.search
    }

    /// How long the next answer may be thought about, if no fixed number of simulations is set; for
    /// the same, left out likewise.
    pub fn next_limit(&self) -> Duration {
        self.settings.thinking_time(self.answers, self.lag)
    }

    fn think(
        &mut self,
        board: &Board<N>,
        mut budget: Budget<impl Clock>,
    ) -> Option<SearchResult<N>> {
        let search = AssertUnwindSafe(|| self.search.think(board, &mut budget));
        catch_unwind(search).unwrap_or_else(|_| {
            // The tree may be half written; what the panic said is on stderr already.
            self.search.forget();
            None
        })
    }
}
